package kineto

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// Lists of any number of parts are sorted, and equal elements keep their order.
func TestSortParts(t *testing.T) {
	type element struct{ key, number int }
	compare := func(x, y element) int { return cmp.Compare(x.key, y.key) }
	r := rand.New(rand.NewPCG(1, 1))
	for n := range 300 {
		for _, most := range []int{0, 1, 2, 3, 9, n} {
			list := make([]element, n)
			key := 0
			for i := range list {
				if key += r.IntN(3); most > 0 && r.IntN(n) < most {
					key = r.IntN(n)
				}
				list[i] = element{key, i}
			}
			want := slices.Clone(list)
			slices.SortStableFunc(want, compare)
			if sortParts(list, compare); !slices.Equal(list, want) {
				t.Fatalf("%d elements, about %d parts: %v, want %v", n, most, list, want)
			}
		}
	}
}

// The first call with a correlation is found; calls without one are not.
func TestCallIndex(t *testing.T) {
	var calls []launch
	for _, c := range []int64{5, 9, 0, 9, -1, 2, 5, 1 << 40} {
		calls = append(calls, launch{correlation: c})
	}
	x := newCallIndex(calls)
	for correlation, want := range map[int64]int32{5: 0, 9: 1, 2: 5, 1 << 40: 7, 0: -1, -1: -1, 3: -1, 1 << 50: -1} {
		if got, ok := x.find(correlation); ok != (want >= 0) || ok && got != want {
			t.Errorf("correlation %d: call %d %v, want %d", correlation, got, ok, want)
		}
	}
}
