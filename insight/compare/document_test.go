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
