// The overview bar: the whole run in one line or a few, and where the view is in it.

package raster

// Overview is the bar with the whole run and the view's place in it.
type Overview struct {
	Look
	Axis       Axis      // the whole run; as many columns as the bar has without its two ends
	Profile    []float64 // per column: how much happens; Absent where nothing is known
	Scale      Scale     // of the profile
	Begin, End int64     // the view
	Unread     int64     // the time from which nothing has been read yet; 0 if all has
}

// Draw draws the bar on c, which is two columns wider than the axis: the profile in a calm colour, brighter where it is
// in view, and brackets around the view.
func (o *Overview) Draw(c Canvas) {
	dim, accent := o.style(o.Theme.Dim, 0), o.style(o.Theme.Accent, Bold)
	base := c.H - 1
	c.Set(0, base, Cell{o.Glyphs.LeftEnd, dim})
	c.Set(c.W-1, base, Cell{o.Glyphs.RightEnd, dim})
	first, last := o.Axis.Column(o.Begin), o.Axis.Column(max(o.Begin, o.End))
	if from, _ := o.Axis.Bounds(last); from == o.End && last > first {
		last-- // the view ends where this column begins
	}
	for x := range min(o.Axis.W, len(o.Profile), c.W-2) {
		if o.Axis.Unread(x, o.Unread) {
			c.Set(x+1, base, Cell{o.Glyphs.Empty, dim})
			continue
		}
		st := o.style(o.Theme.Calm, 0)
		if x >= first && x <= last {
			st = o.style(o.Theme.InView, 0)
			if o.Profile[x] != o.Profile[x] || o.Profile[x] == 0 {
				c.Set(x+1, base, Cell{o.Glyphs.Horizontal, st}) // the view is seen where nothing happens, too
				continue
			}
		}
		o.bar(c.Sub(x+1, 0, 1, c.H), o.Profile[x], st)
	}
	c.Set(first, base, Cell{'[', accent})
	c.Set(last+2, base, Cell{']', accent})
}

// bar draws a value as the height of a column, in steps of a line.
func (o *Overview) bar(c Canvas, v float64, st Style) {
	steps := len(o.Glyphs.Levels) - 1
	n := 0
	if v > 0 {
		n = max(1, int(min(max(o.Scale.At(v), 0), 1)*float64(steps*c.H)+0.5))
	}
	for y := range c.H {
		c.Set(0, y, Cell{o.Glyphs.Levels[min(max(n-(c.H-1-y)*steps, 0), steps)], st})
	}
}
