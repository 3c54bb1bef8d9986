// The overview bar: the whole run in one line or a few, and the position of the view.

package raster

// Overview is the bar with the whole run and the view's position.
type Overview struct {
	Look
	Axis       Axis      // the whole run; its columns are the bar's, without the two ends
	Profile    []float64 // maximum activity per column; Absent if unknown
	Spread     []Spread  // minimum and mean activity per column; nil: equal to the maximum
	Scale      Scale     // of the profile
	Begin, End int64     // the view
	Unread     int64     // time from which the trace is unread; 0: everything has been read
}

// Draw draws the bar on c, which is two columns wider than the axis: the profile in a calm colour, brighter in the
// view, in the tones of function lines up to the minimum, mean and maximum, and brackets around the view.
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
		color := o.Theme.Calm
		if x >= first && x <= last {
			color = o.Theme.InView
			if o.Profile[x] != o.Profile[x] || o.Profile[x] == 0 {
				// The view is visible even without activity.
				c.Set(x+1, base, Cell{o.Glyphs.Horizontal, o.style(color, 0)})
				continue
			}
		}
		s := Spread{o.Profile[x], o.Profile[x]}
		if o.Spread != nil {
			s = o.Spread[x]
		}
		o.drawSpan(c, x+1, [...]int{o.steps(s.Least, c.H), o.steps(s.Mean, c.H), o.steps(o.Profile[x], c.H)}, color)
	}
	c.Set(first, base, Cell{'[', accent})
	c.Set(last+2, base, Cell{']', accent})
}

// steps returns the height of a value in a column of lines.
func (o *Overview) steps(v float64, lines int) int {
	if !(v > 0) {
		return 0
	}
	n := float64(lines * (len(o.Glyphs.Levels) - 1))
	return max(1, int(min(max(o.Scale.At(v), 0), 1)*n+0.5))
}
