package sketch

import (
	"context"
	"slices"
	"testing"

	"pview/semantic/series"
)

// rowsOf returns sketches of rows over 0..1280, ten for each part.
func rowsOf(t *testing.T, codes bool, rows ...*series.Series) *Sketches {
	t.Helper()
	s := New(codes, 0, 1280, rows)
	if err := s.Measure(context.Background()); err != nil {
		t.Fatal(err)
	}
	return s
}

// Three rows compute half of the time; the fourth waits (3) from 320 on, longest from 640 on, and the fifth is unknown.
func TestRowsThatDifferInTheirStates(t *testing.T) {
	like := series.New([]int64{0, 640}, []float64{1, 2}, 1280)
	other := series.New([]int64{0, 320, 400, 640}, []float64{1, 3, 1, 3}, 1280)
	s := rowsOf(t, true, like, like, like, other, nil)
	got := s.Outliers()
	if len(got) != 1 || got[0].Row != 3 || got[0].Value != 3 || got[0].Time != 640 {
		t.Fatalf("%+v", got)
	}
	// 72 parts of 128 are 3 in place of 0, 56 are 1 in place of 64, none is 2 in place of 64.
	if want := (72.0 + 8 + 64) / 128; got[0].Score != want {
		t.Errorf("score %g, want %g", got[0].Score, want)
	}
	if order := s.ByOutlier(); order[0] != 3 {
		t.Errorf("by outlier: %v", order)
	}
	if order := s.ByValue(); !slices.Equal(order, []int{0, 1, 2, 3, 4}) {
		t.Errorf("by time in the commonest state, unknown rows last: %v", order)
	}
	if order := s.BySimilarity(); order[0] != 3 && order[3] != 3 {
		t.Errorf("the row that differs is among those that are alike: %v", order)
	}
}

// The greatest difference from the median of all values is found where its burst begins.
func TestRowsThatDifferInTheirAmounts(t *testing.T) {
	low := series.New([]int64{0, 640}, []float64{5, 4}, 1280)
	high := series.New([]int64{0, 643, 646}, []float64{5, 9, 5}, 1280)
	s := rowsOf(t, false, low, high, low)
	got := s.Outliers()
	if len(got) != 3 || got[0].Row != 1 || got[0].Value != 9 || got[0].Time != 643 || got[0].Score != 4 {
		t.Fatalf("%+v", got)
	}
	if order := s.ByValue(); order[0] != 1 {
		t.Errorf("by mean: %v", order)
	}
	// A value that begins with the next part is not of this one.
	if at := s.firstOf(1, 9, 630, 643); at != 630 {
		t.Errorf("found at %d, want the begin of the part", at)
	}
}
