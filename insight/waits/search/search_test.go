package search

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"
)

// A search finds what sort.Search finds, whatever the guess: also outside of the list.
func TestAfter(t *testing.T) {
	for _, times := range [][]int64{{}, {5}, {5, 5, 5}, {1, 2, 4, 4, 9, 12, 12, 40}} {
		for at := int64(-1); at <= 41; at++ {
			want := sort.Search(len(times), func(i int) bool { return times[i] > at })
			for near := -2; near < len(times)+3; near++ {
				if got := After(times, near, at); got != want {
					t.Fatalf("after %d in %v from %d: %d, not %d", at, times, near, got, want)
				}
			}
			if got := UpTo(times, at); got != want {
				t.Fatalf("up to %d in %v: %d, not %d", at, times, got, want)
			}
		}
	}
}

// Rows are sorted by keys of any length, and equal ones stay in order.
func TestSort(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, most := range []uint64{1, 3, 1 << 11, 1 << 40, 1<<63 + 5} {
		list := make([]Row, 5000)
		for i := range list {
			list[i] = Row{rng.Uint64N(most), int32(i)}
		}
		want := slices.Clone(list)
		slices.SortStableFunc(want, func(x, y Row) int { return cmp.Compare(x.Key, y.Key) })
		if got := Sort(list, func() {}); !slices.Equal(got, want) {
			t.Errorf("keys below %d are not in order", most)
		}
	}
	// Each of two passes looks before it moves rows, and at rows 0 and 4096.
	looks := 0
	if Sort(append(make([]Row, 4999), Row{Key: 1 << 11}), func() { looks++ }); looks != 6 {
		t.Errorf("%d looks", looks)
	}
	if got := Sort(nil, func() {}); len(got) != 0 {
		t.Error("nothing is sorted to", got)
	}
}
