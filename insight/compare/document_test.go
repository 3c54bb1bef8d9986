package compare

import (
	"reflect"
	"testing"

	"pview/prv/wide"
)

// TestGather: rows of several comparisons. Of the phase f, A has 10 of which C does not do 4: for B 10 -> 12, for C 6
// -> 7 and 4 alone.
func TestGather(t *testing.T) {
	part := func(name string, a, b int64) Part {
		return Part{Kind: ByPhase, Name: name, A: wide.Of(a), B: wide.Of(b)}
	}
	rows := gather([]*Result{
		{Parts: []Part{part("f", 10, 12)}},
		{Parts: []Part{part("f", 6, 7), part("only in A: f", 4, 0), part("only in B: g", 0, 9)}},
	}, ByPhase)
	want := []manyParts{{"only in C: g", wide.Of(0), []wide.Int{wide.Of(0), wide.Of(9)}},
		{"f", wide.Of(10), []wide.Int{wide.Of(12), wide.Of(7)}}}
	if !reflect.DeepEqual(rows, want) {
		t.Errorf("%+v", rows)
	}
}

// A difference at the limit of two classes belongs to the upper one.
func TestClassLimits(t *testing.T) {
	for i := range differenceClasses[:onlyInA-2] {
		c := &differenceClasses[i]
		if got := classOf(c.below); got != int64(c.Value)+1 {
			t.Errorf("%g %% is of class %d, not the one after %g", c.below, got, c.Value)
		}
	}
}

// A part is at least 70 % of a whole from 70 of 100 on; of a negative whole, from -70 on.
func TestAtLeast(t *testing.T) {
	for _, c := range []struct {
		part, whole int64
		want        bool
	}{{70, 100, true}, {69, 100, false}, {-70, 100, false}, {-70, -100, true}, {-69, -100, false}, {70, -100, false}} {
		if got := atLeast(70, wide.Of(c.part), wide.Of(c.whole)); got != c.want {
			t.Errorf("%d of %d: %v", c.part, c.whole, got)
		}
	}
}

// What rounding leaves to a sum of 0, or below 0 to a sum above, goes to the largest sum that changes, or to the
// largest of all.
func TestSettle(t *testing.T) {
	list := func(values []int64) (list []wide.Int) {
		for _, v := range values {
			list = append(list, wide.Of(v))
		}
		return list
	}
	for _, c := range []struct{ sums, means, change, want []int64 }{
		{[]int64{0, 10, 20}, []int64{1, 5, 10}, []int64{3, 5, 0}, []int64{0, 6, 10}},
		{[]int64{20, 10, 0}, []int64{10, 5, 1}, []int64{0, -5, 3}, []int64{10, 6, 0}},
		{[]int64{0, 10, 20}, []int64{1, 5, 10}, []int64{3, 5, 5}, []int64{0, 5, 11}},
		{[]int64{20, 10, 0}, []int64{10, 5, 1}, []int64{5, 5, 3}, []int64{11, 5, 0}},
		{[]int64{0, 10, 20}, []int64{1, 5, 10}, []int64{0, 0, 0}, []int64{0, 5, 11}},
		{[]int64{10, 20, 20}, []int64{-1, 11, 10}, []int64{5, 5, 5}, []int64{0, 10, 10}}, // of two the first
		{[]int64{0, 0}, []int64{1, -1}, []int64{1, -1}, []int64{0, 0}},
		{[]int64{10, 20}, []int64{0, 20}, []int64{5, 5}, []int64{0, 20}},
	} {
		means := list(c.means)
		if settle(list(c.sums), means, list(c.change)); !reflect.DeepEqual(means, list(c.want)) {
			t.Errorf("%+v: %v", c, means)
		}
	}
}
