// Function lines: a row as a graph of value against time.
//
// A column stands for many bursts. It is filled up to the value that the draw mode
// makes of them, as the cells of a coloured row are: so "maximum" draws the peaks,
// "average" the mean, as the title says. Heights are in
// eighths of a cell where the glyphs allow.

package raster

// Level draws rows as functions of time ("function line"), between the semantic
// scale's minimum at the bottom and its maximum at the top.
type Level struct {
	Look
	Scale Scale
}

// Draw draws the values of a line of a grid, one per column, over the whole of c.
// What is out of scale is marked in the theme's colours for that at the top and at
// the bottom.
func (l *Level) Draw(c Canvas, values []float64) {
	if c.H == 0 {
		return
	}
	for x, v := range values[:min(c.W, len(values))] {
		if v == v { // neither Absent nor another NaN
			l.column(c, x, v)
		}
	}
}

// column draws one column, in steps counted from the bottom of c, n to a
// cell.
func (l *Level) column(c Canvas, x int, v float64) {
	levels := l.Glyphs.Levels
	steps := len(levels) - 1
	// The top step stays free, so that rows do not grow into one another.
	for k, left := 0, l.steps(v, c.H*steps-1); left > 0; k, left = k+1, left-steps {
		cell := Cell{Rune: levels[min(left, steps)], Style: l.style(l.Theme.Level, 0)}
		if left >= steps && l.Profile != Mono {
			cell = Cell{l.Glyphs.Full, Style{FG: l.Theme.Level, BG: l.Theme.Level}}
		}
		c.Set(x, c.H-1-k, cell)
	}
	switch at := l.Scale.At(v); {
	case at > 1:
		l.out(c, x, 0, '^', l.Theme.Above)
	case at < 0:
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
