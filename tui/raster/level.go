// Function lines: a row as a graph of value against time.
//
// A column stands for many bursts. The graph shows all that is known of them: the
// area up to the least value is solid, the band between the least and the greatest
// is lighter, and a line runs at the mean over time. Heights are in eighths of a
// cell where the glyphs allow.

package raster

import (
	"math"
	"slices"

	"pview/semantic"
)

// Level draws rows as functions of time ("function line"), between the semantic
// scale's minimum at the bottom and its maximum at the top.
type Level struct {
	Look
	Scale Scale
}

// Envelope is what a function line shows per column: the least, the greatest and
// the mean value over time; Absent where there is none.
type Envelope struct{ Min, Max, Mean []float64 }

// Resize makes e an envelope of w columns, all Absent.
func (e *Envelope) Resize(w int) {
	for _, v := range []*[]float64{&e.Min, &e.Max, &e.Mean} {
		*v = slices.Grow((*v)[:0], w)[:w]
		for i := range *v {
			(*v)[i] = Absent
		}
	}
}

// Sample fills the envelope from a row; nil gives an absent one.
func (e *Envelope) Sample(row *semantic.Series, axis Axis) {
	e.Resize(max(axis.W, 0))
	if row == nil {
		return
	}
	for x := range e.Min {
		from, to := axis.Bounds(x)
		if lo, hi, mean, ok := row.Envelope(from, to); ok {
			e.Min[x], e.Max[x], e.Mean[x] = lo, hi, mean
		}
	}
}

// Fit returns the scale that holds the envelope; ok is false when it has no
// finite value.
func (e *Envelope) Fit() (s Scale, ok bool) {
	s = Scale{math.Inf(1), math.Inf(-1)}
	for i := range e.Min {
		if lo, hi := e.Min[i], e.Max[i]; lo-lo == 0 && hi-hi == 0 {
			s.Min, s.Max = min(s.Min, lo), max(s.Max, hi)
			ok = true
		}
	}
	if !ok {
		return Scale{}, false
	}
	return s, true
}

// Draw draws the envelope over the whole of c. What is out of scale is marked in
// the theme's colours for that at the top and at the bottom.
func (l *Level) Draw(c Canvas, e *Envelope) {
	if c.H == 0 {
		return
	}
	for x := range min(c.W, len(e.Max)) {
		if lo, hi := e.Min[x], e.Max[x]; lo == lo && hi == hi {
			l.column(c, x, lo, hi, e.Mean[x])
		}
	}
}

// column draws one column: steps are counted from the bottom of c, so many to a
// cell.
func (l *Level) column(c Canvas, x int, lo, hi, mean float64) {
	steps := len(l.Glyphs.Levels) - 1
	least, most := l.steps(lo, c.H*steps), l.steps(hi, c.H*steps)
	line := -1 // the cell that the mean is in
	if band := most - least; band > steps && mean == mean {
		line = min(l.steps(mean, c.H*steps)/steps, c.H-1)
	}
	for k := range c.H { // k cells above the bottom
		solid, full := min(max(least-k*steps, 0), steps), min(max(most-k*steps, 0), steps)
		if full == 0 {
			break
		}
		cell := l.bar(solid, full, steps)
		if k == line {
			cell.Rune, cell.FG = l.Glyphs.Horizontal, l.Theme.Mean
			if cell.BG = l.Theme.Band; l.Profile == Mono {
				cell.BG = NoColor
			}
		}
		c.Set(x, c.H-1-k, cell)
	}
	if l.Scale.At(hi) > 1 {
		l.out(c, x, 0, '^', l.Theme.Above)
	}
	if l.Scale.At(lo) < 0 {
		l.out(c, x, c.H-1, '_', l.Theme.Below)
	}
}

// steps returns the height of v in steps of 0..n; every value above the minimum
// has at least one.
func (l *Level) steps(v float64, n int) int {
	at := l.Scale.At(v)
	if at <= 0 {
		return 0
	}
	return max(1, int(min(at, 1)*float64(n)+0.5))
}

// bar returns the cell that is solid up to one step and a band up to another.
func (l *Level) bar(solid, full, steps int) Cell {
	levels := l.Glyphs.Levels
	if l.Profile == Mono {
		switch {
		case solid == steps || full < steps && solid > 0:
			return Cell{Rune: levels[max(solid, 1)]}
		case full < steps:
			return Cell{Rune: levels[full]}
		}
		return Cell{Rune: l.Glyphs.Shades[1]}
	}
	switch {
	case solid == steps:
		return Cell{l.Glyphs.Full, Style{FG: l.Theme.Level, BG: l.Theme.Level}}
	case full == steps && solid == 0:
		return Cell{' ', Style{BG: l.Theme.Band}}
	case full == steps:
		return Cell{levels[solid], Style{FG: l.Theme.Level, BG: l.Theme.Band}}
	case solid > 0 && full-solid <= steps/4:
		return Cell{levels[full], Style{FG: l.Theme.Level}}
	}
	// Solid, band and nothing in one cell: two colours are all that it has.
	return Cell{levels[full], Style{FG: l.Theme.Band}}
}

func (l *Level) out(c Canvas, x, y int, mark rune, color Color) {
	cell := Cell{' ', Style{BG: color}}
	if l.Profile == Mono {
		cell = Cell{Rune: mark}
	}
	c.Set(x, y, cell)
}

// DrawLabels writes the values at the top, in the middle and at the bottom, with
// their unit, into c: a column of labels at the left of a function line,
// right-aligned.
func (l *Level) DrawLabels(c Canvas, unit string) {
	if unit != "" {
		unit = " " + unit
	}
	put := func(y int, v float64) {
		c.TextIn(0, y, c.W, FormatShort(v)+unit, l.style(l.Theme.Dim, 0), true)
	}
	if c.H > 0 {
		put(0, l.Scale.Max)
	}
	if c.H >= 5 {
		// The value in the middle of the cell in the middle.
		put(c.H/2, l.Scale.Max-(l.Scale.Max-l.Scale.Min)*(float64(c.H/2)+0.5)/float64(c.H))
	}
	if c.H > 1 {
		put(c.H-1, l.Scale.Min)
	}
}
