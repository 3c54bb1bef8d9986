package raster

// LegendEntry is a value that is seen, and how.
type LegendEntry struct {
	Value float64
	Label string
	Cell  Cell    // as the timeline shows it
	Share float64 // of the visible cells that have a value, 0..1
}

// Legend lists the values that a grid shows. It reuses its memory.
type Legend struct {
	Look
	Entries []LegendEntry
}

// Collect fills Entries from a grid, the most seen first. label names a value.
// Values that are left as background are listed last.
func (l *Legend) Collect(g *Grid, p *Painter, label func(v float64) string) {}

// Draw writes the entries into c, in reading order, and "+k more" when they do
// not fit. It returns how many did.
func (l *Legend) Draw(c Canvas) int { return 0 }

// DrawGradient draws the semantic scale of a gradient into line 0 of c: least value, colours, greatest
// value, and what is out of scale.
func (l *Legend) DrawGradient(c Canvas, p *Painter, unit string) {}
