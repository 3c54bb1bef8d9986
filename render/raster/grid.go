package raster

import (
	"math"
	"math/bits"
)

// absentBits is a quiet NaN that no arithmetic produces.
const absentBits = 0x7ff8_0000_0bad_cafe

// Absent is the value of a cell without one: outside the trace, or in a row without records. It is a NaN; test for it
// with IsAbsent.
var Absent = math.Float64frombits(absentBits)

// IsAbsent reports whether v is Absent. Other NaNs are values.
func IsAbsent(v float64) bool { return math.Float64bits(v) == absentBits }

// Layout places rows on the lines of a canvas.
//
// Rows First .. First+Rows-1 of the window's list of objects are shown. If there is a sub-line for each row, each takes
// Height sub-lines from the top, and rows that do not fit are cut off (see Visible). Otherwise all n sub-lines are used
// and sub-line s shows rows floor(s*Rows/n) to floor((s+1)*Rows/n)-1, merged.
type Layout struct {
	First, Rows int
	Lines       int // lines of the canvas
	Height      int // sub-lines per row; 0 counts as 1
	Split       int // sub-lines per line: 1, or 2 with half blocks; 0 counts as 1
	// Gap leaves an eighth of a line free above each row, or line of rows, if the glyphs can show it and the cell has
	// one colour.
	Gap bool
}

func (l Layout) split() int  { return max(l.Split, 1) }
func (l Layout) height() int { return max(l.Height, 1) }

// BeginsAt reports whether a row, or rows that share a line, begin on line y.
func (l Layout) BeginsAt(y int) bool { return l.Merged() || y*l.split()%l.height() == 0 }

// Sublines returns the number of sub-lines of the canvas.
func (l Layout) Sublines() int { return max(l.Lines, 0) * l.split() }

// Merged reports whether sub-lines show several rows each.
func (l Layout) Merged() bool { return l.Rows > l.Sublines() }

// RowsAt returns the rows [lo, hi) that sub-line s shows, counted from 0 in the window's list of objects; lo == hi if
// it shows none.
func (l Layout) RowsAt(s int) (lo, hi int) {
	n := l.Sublines()
	if s < 0 || s >= n || l.Rows <= 0 {
		return 0, 0
	}
	if l.Merged() {
		return l.First + mulDiv(s, l.Rows, n), l.First + mulDiv(s+1, l.Rows, n)
	}
	r := s / l.height()
	if r >= l.Rows {
		return 0, 0
	}
	return l.First + r, l.First + r + 1
}

// Place returns the sub-lines [top, top+h) that show a row. For rows that are scrolled out they are above or below the
// canvas.
func (l Layout) Place(row int) (top, h int) {
	r := row - l.First
	if !l.Merged() || l.Sublines() == 0 {
		return r * l.height(), l.height()
	}
	n := l.Sublines()
	// The greatest s with floor(s*Rows/n) <= r.
	num := (r + 1) * n
	s := num / l.Rows
	if num%l.Rows == 0 || num < 0 {
		s--
	}
	return s, 1
}

// gapAbove reports whether line y is a row's first line and has a gap above.
func (l Layout) gapAbove(y int) bool {
	return l.Gap && l.BeginsAt(y)
}

// Visible returns the number of rows that fit the canvas.
func (l Layout) Visible() int {
	if l.Merged() {
		return l.Rows
	}
	return min(l.Rows, (l.Sublines()+l.height()-1)/l.height())
}

func mulDiv(a, b, c int) int {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	q, _ := bits.Div64(hi, lo, uint64(c))
	return int(q)
}

// Grid is the values behind a picture: one per cell, in columns of time and sub-lines of rows. A cell without a value
// is Absent.
type Grid struct {
	Axis   Axis
	Layout Layout
	W, H   int       // Axis.W by Layout.Sublines()
	V      []float64 // line by line
	second []second  // second values of cells, line by line; empty if each cell shows only one

	spread  []Spread   // of the columns, line by line; empty if unknown
	cuts    [][2]int64 // the interval of each column
	merging []merger   // one per worker
	tally   tally      // how often each value occurs
	counted bool       // tally has counted V
	times   tally      // how long each value holds in the rows of the picture; empty if unknown
}

// At returns the value of column x of sub-line y; Absent outside.
func (g *Grid) At(x, y int) float64 {
	if x < 0 || x >= g.W || y < 0 || y >= g.H {
		return Absent
	}
	return g.V[y*g.W+x]
}

// Line returns the values of sub-line y.
func (g *Grid) Line(y int) []float64 { return g.V[y*g.W : (y+1)*g.W] }

// SpreadOf returns the spreads of the columns of sub-line y; nil if unknown.
func (g *Grid) SpreadOf(y int) []Spread {
	if len(g.spread) < (y+1)*g.W {
		return nil
	}
	return g.spread[y*g.W : (y+1)*g.W]
}

// Resize makes g a grid for the given axis and layout, all Absent, reusing its memory if that suffices.
func (g *Grid) Resize(axis Axis, layout Layout) {
	axis.W = max(axis.W, 0)
	g.Axis, g.Layout, g.W, g.H = axis, layout, axis.W, layout.Sublines()
	g.counted = false
	g.second, g.spread = g.second[:0], g.spread[:0]
	g.times.reset()
	if n := g.W * g.H; cap(g.V) < n {
		g.V = make([]float64, n)
	} else {
		g.V = g.V[:n]
	}
	for i := range g.V {
		g.V[i] = Absent
	}
}

// Blank sets the columns of unread time to Absent.
func (g *Grid) Blank(until int64) {
	for x := g.W - 1; x >= 0 && g.Axis.Unread(x, until); x-- {
		for i := x; i < len(g.V); i += g.W {
			g.V[i] = Absent
			if len(g.second) > 0 {
				g.second[i] = second{}
			}
		}
	}
	g.counted = false
}

// Fit returns the least and the greatest finite value of the grid: the scale that fits the visible values. ok is false
// if there are none.
func (g *Grid) Fit() (s Scale, ok bool) {
	s = Scale{math.Inf(1), math.Inf(-1)}
	found, _ := g.seen()
	for _, f := range found {
		if v := f.value; v-v == 0 { // finite
			s.Min, s.Max = min(s.Min, v), max(s.Max, v)
			ok = true
		}
	}
	if !ok {
		return Scale{}, false
	}
	return s, true
}
