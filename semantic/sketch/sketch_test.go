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
	// A value that begins with the next part is not in this one.
	if at := s.firstOf(1, 9, 630, 643); at != 630 {
		t.Errorf("found at %d, want the begin of the part", at)
	}
}

// Twenty rows run (1) for 600, 602 .. 638 of 1280 and wait (3) for the rest. The quartiles of running are 609.5 and
// 628.5, 19 apart: rows from 609.5 - 3 x 19 = 552.5 on are not far out. One that runs for 300 is.
func TestStandouts(t *testing.T) {
	runs := func(time int64) *series.Series { return series.New([]int64{0, time}, []float64{1, 3}, 1280) }
	var rows []*series.Series
	for i := range int64(20) {
		rows = append(rows, runs(600+2*i))
	}
	alike, err := New(true, 0, 1280, append(rows, nil)).Standouts(context.Background())
	if err != nil || len(alike) != 0 {
		t.Fatalf("%+v, %v: no row stands out", alike, err)
	}
	got, _ := New(true, 0, 1280, append(rows, runs(300), nil)).Standouts(context.Background())
	// It waits for 1280 - 300 of the time; the median of the 21 rows is the row that runs for 618.
	if len(got) != 1 || got[0].Row != 20 || got[0].Code != 3 || got[0].Value != 980.0/1280 ||
		got[0].Median != 662.0/1280 {
		t.Errorf("%+v, want row 20, which waits more", got)
	}
	// While all run, no row stands out.
	if got, _ = New(true, 0, 300, append(rows, runs(300))).Standouts(context.Background()); len(got) != 0 {
		t.Errorf("%+v: all run until 300", got)
	}
	// Three of 23 rows are a group.
	got, _ = New(true, 0, 1280, append(rows, runs(300), runs(300), runs(300))).Standouts(context.Background())
	if len(got) != 0 {
		t.Errorf("%+v: three of 23 rows", got)
	}
}

// For amounts the mean without zeros counts: 4 in each row, however long it is 0, and 3 in one. Rows of 0 are not
// compared.
func TestStandoutsOfAmounts(t *testing.T) {
	var rows []*series.Series
	for i := range int64(12) {
		rows = append(rows, series.New([]int64{0, 100 + 50*i}, []float64{4, 0}, 1280))
	}
	rows = append(rows, series.New([]int64{0}, []float64{0}, 1280), series.New([]int64{0, 900}, []float64{3, 0}, 1280))
	got, err := New(false, 0, 1280, rows).Standouts(context.Background())
	if err != nil || len(got) != 1 || got[0].Row != 13 || got[0].Value != 3 || got[0].Median != 4 {
		t.Errorf("%+v, %v, want row 13", got, err)
	}
}
