package raster

// Cursors draws what the user points at, over a timeline, without hiding it.
type Cursors struct {
	Look
	Axis   Axis
	Layout Layout
}

// Column marks the columns of time t on all lines of c. second draws the other
// cursor's line.
func (cu *Cursors) Column(c Canvas, t int64, second bool) {}

// Row marks the line of a row.
func (cu *Cursors) Row(c Canvas, row int) {}

// Select shades the cells of [begin, end) on rows [lo, hi).
func (cu *Cursors) Select(c Canvas, begin, end int64, lo, hi int) {}
