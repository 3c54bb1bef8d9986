package raster

// Level draws rows as functions of time ("function line"): a graph of the value
// between the semantic scale's minimum at the bottom and maximum at the top.
type Level struct {
	Look
	Scale Scale
}

// Envelope is what a function line shows per column: the least, the greatest and
// the average value; Absent where there is none. The slices have one entry per
// column.
type Envelope struct{ Min, Max, Mean []float64 }

// Sample fills the envelope from a row. The three draw modes are the ones for
// minimum, maximum and average.
func (e *Envelope) Sample(row Source, axis Axis, minimum, maximum, average DrawMode) {
	for _, part := range []struct {
		v    *[]float64
		mode DrawMode
	}{{&e.Min, minimum}, {&e.Max, maximum}, {&e.Mean, average}} {
		if cap(*part.v) < axis.W {
			*part.v = make([]float64, axis.W)
		}
		*part.v = (*part.v)[:axis.W]
		for x := range *part.v {
			a, b := axis.Bounds(x)
			(*part.v)[x] = Absent
			if v, ok := row.Value(a, b, part.mode, 0); ok {
				(*part.v)[x] = v
			}
		}
	}
}

// Draw draws the envelope over the whole of c.
func (l *Level) Draw(c Canvas, e *Envelope) {
	steps := len(l.Glyphs.Levels) - 1
	for x := range min(c.W, len(e.Max)) {
		if IsAbsent(e.Max[x]) {
			continue
		}
		top := int(min(max(l.Scale.At(e.Max[x]), 0), 1)*float64(c.H*steps) + 0.5)
		for y := range c.H {
			n := min(max(top-(c.H-1-y)*steps, 0), steps)
			c.Set(x, y, Cell{l.Glyphs.Levels[n], Style{FG: l.Theme.Level}})
		}
	}
}

// DrawLabels writes the scale's ends and values in between, with their unit, into
// c: a column of labels at the left of a function line, right-aligned.
func (l *Level) DrawLabels(c Canvas, unit string) {
	if c.H == 0 {
		return
	}
	st := l.style(l.Theme.Dim, 0)
	c.TextIn(0, 0, c.W, FormatValue(l.Scale.Max, unit), st, true)
	if c.H > 1 {
		c.TextIn(0, c.H-1, c.W, FormatValue(l.Scale.Min, unit), st, true)
	}
}
