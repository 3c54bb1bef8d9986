package sketch

import (
	"context"
	"fmt"
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

// In most views 0 is no amount. Rows of 5 for a while are alike, however long they are 0; the median of the values
// other than 0 is 5, and the row with 9 at 320 and at 960 differs by 4, first at 320. Rows of 0 do not differ.
func TestZeroIsNoAmount(t *testing.T) {
	five := func(end int64) *series.Series { return series.New([]int64{0, end}, []float64{5, 0}, 1280) }
	high := series.New([]int64{0, 320, 330, 960, 970}, []float64{0, 9, 0, 9, 0}, 1280)
	none := series.New([]int64{0}, []float64{0}, 1280)
	got := rowsOf(t, false, five(100), five(200), none, high, nil).Outliers()
	if want := []Outlier{{Row: 3, Time: 320, Score: 4, Value: 9}}; !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// The longest run of parts with a value counts, of equal ones the first.
func TestLongest(t *testing.T) {
	s := rowsOf(t, true,
		series.New([]int64{0, 10, 320, 340, 640, 660}, []float64{3, 1, 3, 1, 3, 1}, 1280), // one, two and two parts
		series.New([]int64{0, 1260}, []float64{1, 3}, 1280),                               // the last two
		series.New([]int64{0}, []float64{3}, 1280))
	for row, want := range []int64{320, 1260, 0} {
		if got := s.longest(row, 3); got != want {
			t.Errorf("row %d: %d, not %d", row, got, want)
		}
	}
}

// Rows that run for 2, 8, 4 and 6 tenths of the time are ordered along that, from either end. Rows that are alike stay
// where they are, and unknown ones come last.
func TestBySimilarity(t *testing.T) {
	runs := func(tenths int64) *series.Series {
		return series.New([]int64{0, 128 * tenths}, []float64{1, 2}, 1280)
	}
	got := rowsOf(t, true, runs(2), nil, runs(8), runs(4), runs(6)).BySimilarity()
	if !slices.Equal(got, []int{0, 3, 4, 2, 1}) && !slices.Equal(got, []int{2, 4, 3, 0, 1}) {
		t.Errorf("%v", got)
	}
	if got := rowsOf(t, true, runs(5), nil, runs(5), runs(5)).BySimilarity(); !slices.Equal(got, []int{0, 2, 3, 1}) {
		t.Errorf("%v", got)
	}
}

// The rows of amounts are ordered by their mean, those of codes by the share of the commonest one: 2, with 14 of 30
// tenths.
func TestByValue(t *testing.T) {
	thirds := func(one, two int64) *series.Series {
		return series.New([]int64{0, 128 * one, 128 * (one + two)}, []float64{1, 2, 3}, 1280)
	}
	if got := rowsOf(t, true, thirds(5, 3), thirds(3, 6), thirds(4, 5)).ByValue(); !slices.Equal(got, []int{1, 2, 0}) {
		t.Errorf("%v", got)
	}
	amount := func(v float64) *series.Series { return series.New([]int64{0}, []float64{v}, 1280) }
	if got := rowsOf(t, false, amount(2), nil, amount(-3), amount(7)).ByValue(); !slices.Equal(got, []int{3, 0, 2, 1}) {
		t.Errorf("%v", got)
	}
}

// A figure above the median tells more than one below, then the one that is farther off, then the one of the lesser
// code.
func TestTells(t *testing.T) {
	above := func(distance, code float64) Standout {
		return Standout{Code: code, Value: 2, Median: 1, distance: distance}
	}
	below := func(distance, code float64) Standout {
		return Standout{Code: code, Value: 1, Median: 2, distance: distance}
	}
	for _, c := range []struct {
		more, less Standout
	}{{above(1, 1), below(9, 1)}, {above(2, 1), above(1, 1)}, {below(2, 1), below(1, 1)}, {above(1, 1), above(1, 2)}} {
		if !c.more.tells(&c.less) || c.less.tells(&c.more) || c.more.tells(&c.more) {
			t.Errorf("%+v and %+v", c.more, c.less)
		}
	}
}

// A row stands out from 5 % of the median amount on: 94, but not 96, among rows of 100. One at the median plus three
// times the distance of the quartiles does not: of 90, 90 ... 110, 110 and 170 the quartiles are 90 and 110; 171 does.
func TestFarOut(t *testing.T) {
	row := func(v float64) *series.Series { return series.New([]int64{0}, []float64{v}, 1280) }
	for _, c := range []struct {
		values [2]float64
		last   float64
		want   int
	}{{[2]float64{100, 100}, 96, 0}, {[2]float64{100, 100}, 94, 1}, {[2]float64{100, 100}, 106, 1},
		{[2]float64{90, 110}, 170, 0}, {[2]float64{90, 110}, 171, 1}, {[2]float64{90, 110}, 30, 0},
		{[2]float64{90, 110}, 29, 1}} {
		var rows []*series.Series
		for i := range 20 {
			rows = append(rows, row(c.values[i%2]))
		}
		got, err := New(false, 0, 1280, append(rows, row(c.last))).Standouts(context.Background())
		if err != nil || len(got) != c.want ||
			len(got) == 1 && (got[0].Row != 20 || got[0].Value != c.last || got[0].Code != 0) {
			t.Errorf("%v among %v: %+v, %v", c.last, c.values, got, err)
		}
	}
}

// Only the span counts. In it the rows are those of two tests above, 1280 later; before, all have 7.
func TestSpan(t *testing.T) {
	later := func(values []float64, times ...int64) *series.Series {
		starts := []int64{0}
		for _, at := range times {
			starts = append(starts, 1280+at)
		}
		return series.New(starts, append([]float64{7}, values...), 2560)
	}
	like := later([]float64{1, 2}, 0, 640)
	s := New(true, 1280, 2560, []*series.Series{like, like, like, later([]float64{1, 3, 1, 3}, 0, 320, 400, 640)})
	if err := s.Measure(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []Outlier{{Row: 3, Time: 1920, Score: 144.0 / 128, Value: 3}}
	if got := s.Outliers(); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	amounts := New(false, 1280, 2560, []*series.Series{like, like, later([]float64{1, 9}, 0, 643)})
	if err := amounts.Measure(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := amounts.Outliers(); got[0].Row != 2 || got[0].Time != 1923 || got[0].Value != 9 {
		t.Errorf("%+v", got)
	}
	var rows []*series.Series
	for i := range int64(20) {
		rows = append(rows, later([]float64{1, 3}, 0, 600+2*i))
	}
	got, err := New(true, 1280, 2560, append(rows, later([]float64{1, 3}, 0, 300))).Standouts(t.Context())
	if err != nil || len(got) != 1 || got[0].Row != 20 || got[0].Value != 980.0/1280 || got[0].Median != 662.0/1280 {
		t.Errorf("%+v, %v", got, err)
	}
}

// Rows that stand out equally are listed by number; up to a tenth of the rows stand out: two of twenty, but not two of
// nineteen.
func TestFew(t *testing.T) {
	for n, want := range map[int]string{18: "[18 19]", 17: "[]"} {
		var rows []*series.Series
		for i := range n + 2 {
			rows = append(rows, series.New([]int64{0}, []float64{100 + 50*float64(i/n)}, 1280))
		}
		got, err := New(false, 0, 1280, rows).Standouts(t.Context())
		list := []int{}
		for _, o := range got {
			list = append(list, o.Row)
		}
		if err != nil || fmt.Sprint(list) != want {
			t.Errorf("%d rows: %v, not %s (%v)", n+2, list, want, err)
		}
	}
}
