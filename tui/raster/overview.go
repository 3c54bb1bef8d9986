package raster

// Overview is the bar with the whole run in one line and the view's place in it.
type Overview struct {
	Look
	Axis       Axis      // the whole run; W columns of the bar, without its ends
	Profile    []float64 // per column: how much happens, Absent where nothing
	Scale      Scale     // of the profile
	Begin, End int64     // the view
}

// Sample fills the profile from a row, typically the whole system's; scale is
// fitted.
func (o *Overview) Sample(row Source, average DrawMode) {
	w := max(o.Axis.W, 0)
	if cap(o.Profile) < w {
		o.Profile = make([]float64, w)
	}
	o.Profile = o.Profile[:w]
	o.Scale = Scale{}
	for x := range o.Profile {
		a, b := o.Axis.Bounds(x)
		o.Profile[x] = Absent
		if v, ok := row.Value(a, b, average, 0); ok {
			o.Profile[x] = v
			o.Scale.Max = max(o.Scale.Max, v)
		}
	}
}

// Draw draws the bar on line 0 of c: its two ends and Axis.W = c.W-2 columns.
func (o *Overview) Draw(c Canvas) {
	dim := o.style(o.Theme.Dim, 0)
	c.Set(0, 0, Cell{o.Glyphs.LeftEnd, dim})
	c.Set(c.W-1, 0, Cell{o.Glyphs.RightEnd, dim})
	steps := len(o.Glyphs.Levels) - 1
	first, last := o.Axis.Column(o.Begin), o.Axis.Column(max(o.Begin, o.End-1))
	for x := range min(o.Axis.W, len(o.Profile)) {
		st := o.style(o.Theme.Calm, 0)
		n := 0
		if !IsAbsent(o.Profile[x]) {
			n = int(min(max(o.Scale.At(o.Profile[x]), 0), 1)*float64(steps) + 0.5)
		}
		if x >= first && x <= last {
			st.FG = o.Theme.Accent
		}
		c.Set(x+1, 0, Cell{o.Glyphs.Levels[n], st})
	}
	c.Set(first, 0, Cell{'[', o.style(o.Theme.Accent, Bold)})
	c.Set(last+2, 0, Cell{']', o.style(o.Theme.Accent, Bold)})
}
