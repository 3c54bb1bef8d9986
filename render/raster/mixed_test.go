package raster

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pview/semantic/series"
)

// A row of one line shows the run of NPB LU (see TestStackSharesTheHeight) as 46 % Blocking Send and, of the values
// beside it, the longest: 31 % Waiting a message, 2.48 eighths. The greater value is above.
func TestMixedCell(t *testing.T) {
	p := painter(DefaultLook)
	for _, test := range []struct {
		row  *series.Series
		rune rune
		low  float64 // the value below; the value above is the other
		high float64
	}{
		{seriesOf(0, 4, 46, 15, 51, 3, 82, 1, 100), '▂', 3, 4},
		{seriesOf(0, 1, 94, 3, 100), ' ', -1, 1}, // 6 % are less than half an eighth
		{seriesOf(0, 1, 93, 3, 100), '▇', 1, 3},
		{seriesOf(0, 1, 50, 3, 100), '▄', 1, 3},
		{seriesOf(0, 0, 18, 2, 100), '▇', 2, 0}, // 1.44 eighths of nothing, on top
	} {
		var g Grid
		m := Modes{Time: series.Proportional, Mixed: true}
		g.Sample([]*series.Series{test.row}, Axis{End: 100, W: 1, Closed: true}, Layout{Rows: 1, Lines: 1}, m, 1)
		c := NewCanvas(1, 1)
		g.Draw(c, p)
		got := c.At(0, 0)
		want := Cell{test.rune, Style{FG: p.Cell(test.low).BG, BG: p.Cell(test.high).BG}}
		if test.rune == ' ' {
			want = p.Cell(test.high)
		}
		if got != want {
			t.Errorf("%q on %v, %v; want %q on %v, %v", got.Rune, got.FG, got.BG, want.Rune, want.FG, want.BG)
		}
	}
}

// parts returns the colours of a cell with the part of it that each has.
func parts(c Cell) map[Color]float64 {
	share := map[Color]float64{c.BG: 1}
	of := func(list []rune) float64 {
		if i := slices.Index(list, c.Rune); i > 0 {
			return float64(i) / float64(len(list)-1)
		}
		return 0
	}
	fg := of(UTF8.Levels)
	switch c.Rune {
	case UTF8.HalfUpper, UTF8.HalfLower, UTF8.HalfLeft, UTF8.HalfRight:
		fg = 0.5
	case UTF8.Lowered:
		fg = 7.0 / 8
	}
	if i := slices.Index(UTF8.Quarters, c.Rune); i > 0 {
		fg = 0
		for ; i > 0; i >>= 1 {
			fg += float64(i&1) / 4
		}
	}
	if fg > 0 {
		share[c.BG] -= fg
		share[c.FG] += fg
	}
	return share
}

// For any number of rows, lines and columns and any states, the colours of a cell belong to states of its rows at that
// time. If a row has one line, these states have at least the share that the cell gives them, except for half an
// eighth, the space above the row and the shares of states that are not shown.
func TestCellsShowWhatIsThere(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	p := painter(DefaultLook)
	for range 600 {
		rows := make([]*series.Series, 1+rnd.IntN(12))
		const end = 10_000
		for r := range rows {
			list, few := []int64{0}, 1+rnd.IntN(6)
			for at := int64(0); at < end; {
				at += 1 + int64(rnd.ExpFloat64()*float64(rnd.IntN(1500)))
				list = append(list, int64(1+rnd.IntN(few)), min(at, end))
			}
			rows[r] = seriesOf(list...)
		}
		axis := Axis{Begin: int64(rnd.IntN(5000)), W: 1 + rnd.IntN(40)}
		axis.End = axis.Begin + int64(axis.W)*int64(1+rnd.IntN(60))*2
		layout := Layout{Rows: len(rows), Lines: 1 + rnd.IntN(14), Height: 1, Split: 1, Gap: rnd.IntN(2) == 0}
		if h := layout.Lines / len(rows); h > 1 {
			layout.Height, layout.Split = 2*h, 2
		}
		m := Modes{Time: series.Proportional, Rows: series.MostTime, Mixed: true,
			Paired: rnd.IntN(2) == 0 && !layout.Merged()}
		fine := axis
		if m.Paired {
			fine = axis.Fine(2)
		}
		var g Grid
		g.Sample(rows, fine, layout, m, 1)
		c := NewCanvas(axis.W, layout.Lines)
		g.Draw(c, p)
		for y := range c.H {
			lo, hi := layout.RowsAt(y * layout.split())
			for x := range c.W {
				from, to := axis.Bounds(x)
				there, total := map[Color]float64{NoColor: 0}, 0.0
				for _, row := range rows[lo:hi] {
					row.Times(from, to, func(v float64, time int64) {
						there[p.Cell(v).BG] += float64(time)
						total += float64(time)
					})
				}
				shown := parts(c.At(x, y))
				rest := 1.0
				for color := range shown {
					rest -= there[color] / max(total, 1)
				}
				for color, part := range shown {
					have := there[color] / max(total, 1)
					switch {
					case color == NoColor || part <= 0:
					case have == 0:
						t.Fatalf("%+v: line %d, column %d has a colour of no state", layout, y, x)
					case layout.height() == 1 && have < part-1.0/16-rest-1e-9:
						t.Fatalf("line %d, column %d gives %.0f %% of the cell to a state with %.0f %% "+
							"(others have %.0f %%)", y, x, 100*part, 100*have, 100*rest)
					}
				}
			}
		}
	}
}
