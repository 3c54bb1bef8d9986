package raster

import (
	"math"
	"math/rand/v2"
	"testing"
)

// axes returns axes of all kinds: short, long, empty, at the ends of int64, zoomed
// deeper than a unit per column.
func axes() []Axis {
	list := []Axis{
		{0, 100, 10, false}, {0, 100, 7, true}, {20, 60, 80, false}, {5, 6, 200, false},
		{0, 0, 10, true}, {9, 3, 4, false}, {0, 1, 1, false},
		{math.MinInt64, math.MaxInt64, 200, false}, {math.MaxInt64 - 3, math.MaxInt64, 200, true},
		{math.MinInt64, math.MinInt64 + 1, 3, false}, {-7, 7, 5, false}, {0, math.MaxInt64, 1, true},
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		begin := int64(rnd.Uint64()) >> rnd.IntN(64)
		span := int64(rnd.Uint64()>>1) >> rnd.IntN(63)
		if begin > math.MaxInt64-span {
			begin = -begin
		}
		list = append(list, Axis{begin, begin + span, 1 + rnd.IntN(400), rnd.IntN(2) == 0})
	}
	return list
}

func TestColumnsTileTheInterval(t *testing.T) {
	for _, a := range axes() {
		if a.Time(0) != a.Begin || a.End >= a.Begin && a.Time(a.W) != a.End {
			t.Fatalf("%+v: columns run from %d to %d", a, a.Time(0), a.Time(a.W))
		}
		least, most := uint64(math.MaxUint64), uint64(0)
		for x := range a.W {
			from, to := a.Time(x), a.Time(x+1)
			if to < from {
				t.Fatalf("%+v: column %d is [%d,%d)", a, x, from, to)
			}
			least, most = min(least, uint64(to)-uint64(from)), max(most, uint64(to)-uint64(from))
			if from, to := a.Bounds(x); to <= from {
				t.Fatalf("%+v: column %d samples the empty [%d,%d)", a, x, from, to)
			}
		}
		if most-least > 1 {
			t.Fatalf("%+v: columns of %d and of %d units", a, least, most)
		}
	}
}

func TestColumnsIsTheInverseOfBounds(t *testing.T) {
	for _, a := range axes() {
		for x := range a.W {
			from, to := a.Bounds(x)
			for _, at := range []int64{from, to - 1} {
				first, last, ok := a.Columns(at)
				if a.Span() == 0 {
					continue
				}
				if !ok || x < first || x > last {
					t.Fatalf("%+v: column %d samples [%d,%d), but Columns(%d) = %d..%d %v", a, x, from, to, at, first,
						last, ok)
				}
				for _, other := range []int{first, last} {
					if f, l := a.Bounds(other); at < f || at >= l {
						t.Fatalf("%+v: Columns(%d) has %d, which samples [%d,%d)", a, at, other, f, l)
					}
				}
			}
		}
	}
}

func TestColumnsOutside(t *testing.T) {
	a := Axis{Begin: 20, End: 60, W: 10}
	for _, at := range []int64{19, 60, math.MinInt64, math.MaxInt64} {
		if _, _, ok := a.Columns(at); ok {
			t.Errorf("time %d is in view of [20,60)", at)
		}
	}
	a.Closed = true
	if first, last, ok := a.Columns(60); !ok || first != 9 || last != 9 {
		t.Errorf("the end of the trace is in columns %d..%d %v, want the last one", first, last, ok)
	}
	if a.Column(0) != 0 || a.Column(100) != 9 {
		t.Errorf("times outside are not clamped: %d %d", a.Column(0), a.Column(100))
	}
}

// An interval without length shows its one time in all columns, and no other.
func TestColumnsOfOneTime(t *testing.T) {
	a := Axis{Begin: 20, End: 20, W: 10}
	if first, last, ok := a.Columns(20); !ok || first != 0 || last != 9 {
		t.Errorf("columns %d..%d %v", first, last, ok)
	}
	for _, at := range []int64{19, 21} {
		if _, _, ok := a.Columns(at); ok {
			t.Errorf("time %d is in view of 20", at)
		}
	}
	if _, _, ok := (Axis{Begin: 20, End: 60}).Columns(30); ok {
		t.Error("no column shows a time")
	}
}
