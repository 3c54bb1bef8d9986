// Function lines: a row as a graph of value against time.
//
// A column covers many bursts. It is filled up to the value that the draw mode derives from them, like the cells of a
// coloured row: so "maximum" draws the peaks. If no mode was chosen, a column shows the range of its bursts: a strong
// tone up to the minimum, a lighter one up to the mean over time, a faint one up to the maximum. A single value would
// show waves that the program does not have if a column covers about one iteration. Heights are in eighths of a cell if
// the glyphs allow it.

package raster

// Spread has the minimum of a column and the mean over its time; the maximum is its value.
type Spread struct{ Least, Mean float64 }

// Level draws rows as functions of time ("function lines"), with the semantic scale's minimum at the bottom and its
// maximum at the top.
type Level struct {
	Look
	Scale Scale
}

// Draw draws the values of a line of a grid, one per column, over the whole of c, with their ranges unless spread is
// empty. Values out of scale are marked at the top and bottom, in the theme's colours for them.
func (l *Level) Draw(c Canvas, values []float64, spread []Spread) {
	if c.H == 0 {
		return
	}
	for x, v := range values[:min(c.W, len(values))] {
		if v != v { // Absent or another NaN
			continue
		}
		s := Spread{v, v}
		if len(spread) > 0 {
			s = spread[x]
		}
		l.column(c, x, v, s)
	}
}

// column draws one column, in steps counted from the bottom of c.
func (l *Level) column(c Canvas, x int, v float64, s Spread) {
	// The top step stays free, so that adjacent rows do not touch.
	n := c.H*(len(l.Glyphs.Levels)-1) - 1
	heights := [...]int{l.steps(s.Least, n), l.steps(s.Mean, n), l.steps(v, n)}
	l.drawSpan(c, x, heights, l.Theme.Level)
	switch at := l.Scale.At(v); {
	case at > 1:
		l.out(c, x, 0, '^', l.Theme.Above)
	case at < 0:
		l.out(c, x, c.H-1, '_', l.Theme.Below)
	}
}

// drawSpan draws a column of c up to the heights of its minimum, mean and maximum, in steps from the bottom, in tones
// of a colour.
func (l Look) drawSpan(c Canvas, x int, heights [3]int, of Color) {
	each := len(l.Glyphs.Levels) - 1
	for k := 0; k*each < heights[2] && k < c.H; k++ {
		c.Set(x, c.H-1-k, l.part(heights, k*each, each, of))
	}
}

// part returns the cell of a column that starts at a step. A cell can show one border between two tones: the border
// that is right for most steps, on a tie the mean's, but never one that hides the mean below a peak.
func (l Look) part(heights [3]int, from, each int, of Color) Cell {
	if l.Profile == Mono || l.Profile == ANSI16 { // they have no tones
		st := l.style(of, 0)
		if heights[1] > from || heights[1] == heights[2] {
			return Cell{l.Glyphs.Levels[min(max(heights[1]-from, 0), each)], st}
		}
		return Cell{l.Glyphs.Shades[1], st}
	}
	var ends [len(heights) + 1]int // of the tones in the cell; the last has none
	for i, h := range heights {
		ends[i] = min(max(h-from, 0), each)
	}
	ends[len(heights)] = each
	// most returns the tone with the most steps among tones i to j-1, and the number of steps.
	most := func(i, j int) (tone, steps int) {
		for k, begin := i, 0; k < j; k++ {
			if begin = 0; k > 0 {
				begin = ends[k-1]
			}
			if n := ends[k] - begin; n > steps {
				tone, steps = k, n
			}
		}
		return tone, steps
	}
	border, right := 1, -1
	for _, b := range [...]int{1, 0, 2} {
		tone, below := most(0, b+1)
		if tone == 2 && ends[1] > 0 { // a peak would hide the mean
			continue
		}
		if _, above := most(b+1, len(ends)); below+above > right {
			border, right = b, below+above
		}
	}
	bottom, _ := most(0, border+1)
	top, above := most(border+1, len(ends))
	filled := ends[border]
	switch {
	case filled == 0:
		bottom, filled = top, each
	case above == 0:
		filled = each
	}
	cell := Cell{l.Glyphs.Levels[filled], Style{FG: l.tone(of, bottom)}}
	if filled == each {
		return Cell{l.Glyphs.Full, Style{FG: cell.FG, BG: cell.FG}}
	}
	if top < len(heights) {
		cell.BG = l.tone(of, top)
	}
	return cell
}

// tone returns tone i of a colour: 0 below the minimum, 1 up to the mean, 2 up to the maximum.
func (l Look) tone(of Color, i int) Color {
	return of.Blend(l.Theme.background(), [...]float64{0, 0.25, 0.65}[i])
}

// steps returns the height of v in steps of 0..n; every value above the minimum has at least one step.
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

// DrawLabels writes the values at the top, in the middle and at the bottom, with their unit, into c: a right-aligned
// column of labels to the left of a function line.
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
		// The value at the centre of the middle cell.
		put(c.H/2, l.Scale.Max-(l.Scale.Max-l.Scale.Min)*(float64(c.H/2)+0.5)/float64(c.H))
	}
	if c.H > 1 {
		put(c.H-1, l.Scale.Min)
	}
}
