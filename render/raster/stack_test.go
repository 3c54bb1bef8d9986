package raster

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"pview/semantic/series"
)

// stackOf samples one row of a height in sub-lines in one column, and returns the values from the bottom up.
func stackOf(row *series.Series, end int64, layout Layout) []float64 {
	var g Grid
	layout.Rows = 1
	g.Sample([]*series.Series{row}, Axis{End: end, W: 1, Closed: true}, layout, Modes{Time: series.Proportional}, 1)
	values := slices.Clone(g.V)
	slices.Reverse(values)
	return values
}

// The run of NPB LU: Running 18 %, Waiting a message 31 %, Blocking Send 46 %, others 5 %. Of 8 sub-lines that is 1.44,
// 2.48, 3.68 and 0.4: 1, 2, 3 and none, and of the two that are left one goes to 3.68 and one to 2.48.
func TestStackSharesTheHeight(t *testing.T) {
	lu := seriesOf(0, 4, 46, 15, 51, 3, 82, 1, 100)
	if got, want := stackOf(lu, 100, Layout{Lines: 4, Height: 8, Split: 2}),
		[]float64{1, 3, 3, 3, 4, 4, 4, 4}; !slices.Equal(got, want) {
		t.Errorf("8 sub-lines from the bottom: %v, want %v", got, want)
	}
	// Of 4: 0.72, 1.24, 1.84 and 0.2, so 0, 1, 1 and the rest to 4 and 1.
	if got, want := stackOf(lu, 100, Layout{Lines: 2, Height: 4, Split: 2, Gap: true}),
		[]float64{1, 3, 4, 4}; !slices.Equal(got, want) {
		t.Errorf("4 sub-lines from the bottom: %v, want %v", got, want)
	}
	// One sub-line has the value that holds longest.
	if got, want := stackOf(lu, 100, Layout{Lines: 1}), []float64{4}; !slices.Equal(got, want) {
		t.Errorf("one sub-line: %v, want %v", got, want)
	}
}

// 0, nothing under way, is on top: activity grows from the bottom.
func TestStackHasZeroOnTop(t *testing.T) {
	if got, want := stackOf(seriesOf(0, 0, 50, 9, 75, 5, 100), 100, Layout{Lines: 2, Height: 4, Split: 2}),
		[]float64{5, 9, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("from the bottom: %v, want %v", got, want)
	}
}

// With a gap above the row, the upper line has one value: of 4 sub-lines, 2.6 and 1.4, the upper value has 2, since 1.4
// is nearer to 2 than to 0; of 3.2 and 0.8 it has none.
func TestStackKeepsTheUpperLineWhole(t *testing.T) {
	gap := Layout{Lines: 2, Height: 4, Split: 2, Gap: true}
	for _, test := range []struct {
		ones int64
		want []float64
	}{
		{65, []float64{1, 1, 7, 7}}, {80, []float64{1, 1, 1, 1}}, {20, []float64{1, 7, 7, 7}},
	} {
		if got := stackOf(seriesOf(0, 1, test.ones, 7, 100), 100, gap); !slices.Equal(got, test.want) {
			t.Errorf("%d of 100 in state 1, from the bottom: %v, want %v", test.ones, got, test.want)
		}
	}
}

// A column that one burst fills is the same in all draw modes, and a row cut off at the bottom of the screen shows the
// upper part of its full picture.
func TestStackOfOneValue(t *testing.T) {
	var g Grid
	layout := Layout{Rows: 2, Lines: 3, Height: 4, Split: 2} // only the upper line of the second row fits
	rows := []*series.Series{seriesOf(0, 3, 100), seriesOf(0, 1, 30, 6, 100)}
	g.Sample(rows, Axis{End: 100, W: 2, Closed: true}, layout, Modes{Time: series.Proportional}, 2)
	want := []float64{3, 3, 3, 3, 3, 3, 3, 3, 6, 6, 1, 6}
	// The second row in its left column: 30 of 50 of 1 and 20 of 6, 2.4 and 1.6 of 4 sub-lines: 1, 1, 6, 6 from the
	// bottom.
	want = append(want[:8], 6, 6, 6, 6)
	if !slices.Equal(g.V, want) {
		t.Errorf("%v, want %v", g.V, want)
	}
}

// Quarters of a cell: two colours are both shown; of three, the rarest gives way.
func TestQuarters(t *testing.T) {
	p := painter(DefaultLook)
	cell := func(v float64) Cell {
		if v < 0 {
			v = Absent
		}
		return p.Cell(v)
	}
	for _, test := range []struct {
		q      [4]float64
		want   rune
		fg, bg float64
	}{
		{[4]float64{1, 1, 1, 1}, ' ', -1, 1},
		{[4]float64{1, 1, 3, 3}, '▀', 1, 3},
		{[4]float64{1, 3, 1, 3}, '▌', 1, 3},
		{[4]float64{1, 3, 3, 1}, '▚', 1, 3},
		{[4]float64{3, 1, 1, 1}, '▟', 1, 3},
		{[4]float64{-1, 1, 1, 1}, '▟', 1, -1}, // the background is never a foreground
		{[4]float64{1, -1, -1, -1}, '▘', 1, -1},
		{[4]float64{1, 3, 4, 1}, '▙', 1, 3}, // 4 takes the colour beside it
		{[4]float64{1, 3, 4, 5}, '▌', 1, 3},
	} {
		got := p.quartersOf([4]Cell{cell(test.q[0]), cell(test.q[1]), cell(test.q[2]), cell(test.q[3])})
		want := Cell{test.want, Style{FG: cell(test.fg).BG, BG: cell(test.bg).BG}}
		if got != want {
			t.Errorf("%v is %q on %v, %v; want %q on %v, %v", test.q, got.Rune, got.FG, got.BG, want.Rune, want.FG,
				want.BG)
		}
	}
}

// A pan by one column shifts the picture: columns that stay have the same cells.
func TestStackPansByShifting(t *testing.T) {
	rows := randomRows(3, 500)
	layout := Layout{Rows: 3, Lines: 6, Height: 4, Split: 2, Gap: true}
	show := func(begin int64) []string {
		var g Grid
		g.Sample(rows, Axis{Begin: begin, End: begin + 4000, W: 80}, layout, Modes{Time: series.Proportional}, 1)
		c := NewCanvas(40, 6)
		g.Draw(c, painter(DefaultLook))
		return strings.Split(c.Plain(), "\n")
	}
	before, after := show(0), show(100) // 50 units to half a cell
	for y := range before {
		a, b := []rune(before[y]), []rune(after[y])
		a = append(a, []rune(strings.Repeat(" ", 40-len(a)))...)
		b = append(b, []rune(strings.Repeat(" ", 40-len(b)))...)
		if string(a[1:]) != string(b[:39]) {
			t.Errorf("line %d\n%s\n%s", y, string(a), string(b))
		}
	}
}

func TestMostFrequent(t *testing.T) {
	many := make([]float64, 0, 60)
	for i := range 30 {
		// 0..9 three times, 10..19 twice: 0 is the first to be there three times
		many = append(many, float64(i), float64(i%20))
	}
	for _, test := range []struct {
		v    []float64
		want float64
	}{
		{[]float64{5}, 5}, {[]float64{1, 2, 2, 1}, 2}, {[]float64{1, 2, 2, 1, 1}, 1}, {many, 0},
	} {
		if got := mergeValues(slices.Clone(test.v), series.MostTime, 0); got != test.want {
			t.Errorf("%v: %v, want %v", test.v, got, test.want)
		}
	}
}

// The grid counts the cells while the rows are shared out: of rows cut off at the bottom only the visible part, and
// nothing of the previous picture.
func TestStacksAreCounted(t *testing.T) {
	rows := randomRows(3, 400)
	var g Grid
	for _, layout := range []Layout{
		{Rows: 3, Lines: 7, Height: 5, Split: 2}, // the third row has 4 of its 5 sub-lines
		{Rows: 2, Lines: 6, Height: 6, Split: 2, Gap: true},
		{Rows: 3, Lines: 6, Height: 2},
	} {
		for _, paired := range []bool{false, true} {
			g.Sample(rows, Axis{End: rows[0].End(), W: 60}, layout, Modes{Time: series.Proportional, Paired: paired},
				2)
			want := map[float64]int{}
			for _, v := range g.V {
				if !IsAbsent(v) {
					want[v]++
				}
			}
			got := map[float64]int{}
			found, total := g.seen()
			for _, f := range found {
				got[f.value] = f.n
			}
			if sum := 0; !maps.Equal(got, want) || len(want) == 0 {
				for _, n := range want {
					sum += n
				}
				t.Errorf("%+v, paired %v: counted %v, %d in all; in the grid are %v, %d", layout, paired, got, total,
					want, sum)
			}
		}
	}
}

// If a picture shows shares of time, the share of a value is exactly the time that it holds in the visible rows,
// however the cells round it.
func TestSharesOfTime(t *testing.T) {
	rows := randomRows(3, 400)
	var g Grid
	for _, layout := range []Layout{
		{Rows: 3, Lines: 7, Height: 5, Split: 2}, // the third row has 4 of its 5 sub-lines
		{First: 1, Rows: 2, Lines: 6, Height: 6, Split: 2, Gap: true},
		{Rows: 3, Lines: 3},
		{Rows: 3, Lines: 2}, // merged
	} {
		for _, mode := range []series.DrawMode{series.Proportional, series.MostTime} {
			begin, end := int64(1000), rows[0].End()-777
			modes := Modes{Time: mode, Rows: series.MostTime}
			g.Sample(rows, Axis{Begin: begin, End: end, W: 60}, layout, modes, 2)
			cellsOnly := slices.Clone(g.V)
			g.AddTimes(rows, modes, g.Axis.End)
			if !slices.Equal(g.V, cellsOnly) {
				t.Errorf("%+v, mode %v: times change the picture", layout, mode)
			}
			want, whole := map[float64]int{}, 0
			for _, row := range rows[layout.First : layout.First+layout.Rows] {
				for i := range row.Len() {
					from, to, v := row.Burst(i)
					if from, to = max(from, begin), min(to, end); from < to {
						want[v] += int(to - from)
						whole += int(to - from)
					}
				}
			}
			found, cells := g.seen()
			for _, f := range found {
				if got, want := g.share(f, cells), float64(want[f.value])/float64(whole); got != want {
					t.Errorf("%+v, mode %v: %v of value %v, want %v", layout, mode, got, f.value, want)
				}
			}
			if len(found) < 3 {
				t.Errorf("%+v, mode %v: only %v", layout, mode, found)
			}
		}
	}
}

// In other pictures, and for rows with too many values to add up, shares are those of the cells: 20 columns on 2 lines.
func TestSharesOfCells(t *testing.T) {
	var begin []int64
	var value []float64
	for i := range int64(1000) {
		begin, value = append(begin, i*10), append(value, float64(i))
	}
	many := series.New(begin, value, 10_000)
	for _, m := range []Modes{{Time: series.Maximum}, {Time: series.Proportional}} {
		var g Grid
		g.Sample([]*series.Series{many}, Axis{End: 10_000, W: 20}, Layout{Rows: 1, Lines: 2, Height: 2}, m, 1)
		g.AddTimes([]*series.Series{many}, m, g.Axis.End)
		found, cells := g.seen()
		for _, f := range found {
			if got := g.share(f, cells); got != 0.05 {
				t.Errorf("%+v: %v of value %v, want 2 of 40 cells", m, got, f.value)
			}
		}
		if cells != 40 || len(found) != 20 {
			t.Errorf("%+v: %d values in %d cells, want 20 in 40", m, len(found), cells)
		}
	}
}
