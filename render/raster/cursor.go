// Cursors and selections are drawn over a timeline without hiding it.
//
// Data is never covered: a cell with data keeps its glyph, and is lightened or darkened. In a cell without data, a thin
// line is drawn.

package raster

// Cursors marks points and areas of a timeline.
type Cursors struct {
	Look
	Axis   Axis
	Layout Layout
}

// Column marks the column of time t on all lines of c, unless t is out of view. second draws the line of the other
// cursor. With up to 16 colours, which cannot be mixed, cells with data stay unchanged.
func (cu *Cursors) Column(c Canvas, t int64, second bool) {
	x, _, ok := cu.Axis.Columns(t)
	if !ok {
		return
	}
	glyph, color := cu.Glyphs.Cursor, cu.Theme.Cursor
	if second {
		glyph, color = cu.Glyphs.Cursor2, cu.Theme.Cursor2
	}
	for y := range c.H {
		cell := c.At(x, y)
		switch {
		case cell.Rune == ' ' && !cell.BG.IsSet():
			cell.Rune, cell.FG = glyph, color.against(cu.Theme.background())
		case cu.Profile > ANSI16:
			cell.FG, cell.BG = cu.tint(cell.FG, color, cursorTint), cu.tint(cell.BG, color, cursorTint)
		default:
			continue
		}
		c.Set(x, y, cell)
	}
}

// cursorTint is the share of the cursor's colour in the cells of its column.
const cursorTint = 0.3

// Cross marks the position of time t on the lines of a row, more strongly than the column, unless t is out of view.
func (cu *Cursors) Cross(c Canvas, t int64, row int) {
	x, _, ok := cu.Axis.Columns(t)
	top, h := cu.Layout.Place(row)
	if !ok || top+h <= 0 {
		return
	}
	split := cu.Layout.split()
	for y := max(top, 0) / split; y <= min((top+h-1)/split, c.H-1); y++ {
		cell := c.At(x, y)
		switch {
		case cell.Rune == ' ' && !cell.BG.IsSet() || cell.Rune == cu.Glyphs.Cursor:
			cell.Rune, cell.FG, cell.Attr = cu.Glyphs.Cursor, cu.Theme.Cursor.against(cu.Theme.background()),
				cell.Attr|Bold
		case cu.Profile > ANSI16:
			cell.FG, cell.BG = cu.tint(cell.FG, cu.Theme.Cursor, crossTint),
				cu.tint(cell.BG, cu.Theme.Cursor, crossTint)
		default:
			cell.Attr ^= Reverse
		}
		c.Set(x, y, cell)
	}
}

// crossTint is added to cursorTint on the row of the cursor.
const crossTint = 0.5

// Point marks the cell of time t in a row, unless t is out of view.
func (cu *Cursors) Point(c Canvas, t int64, row int) {
	x, _, ok := cu.Axis.Columns(t)
	top, h := cu.Layout.Place(row)
	if !ok || top+h <= 0 {
		return
	}
	y := max(top, 0) / cu.Layout.split()
	if y >= c.H {
		return
	}
	cell := c.At(x, y)
	ground := cu.ground(cell)
	cell.Rune, cell.BG, cell.FG = cu.Glyphs.Point, ground, cu.Theme.Cursor.against(ground)
	c.Set(x, y, cell)
}

// Select shades the cells of the interval [begin, end) on rows [lo, hi).
func (cu *Cursors) Select(c Canvas, begin, end int64, lo, hi int) {
	if end <= begin || hi <= lo || end <= cu.Axis.Begin || begin >= cu.Axis.End {
		return
	}
	first, last := cu.Axis.Column(begin), cu.Axis.Column(end-1)
	split := cu.Layout.split()
	top, _ := cu.Layout.Place(lo)
	bottom, h := cu.Layout.Place(hi - 1)
	if bottom+h <= 0 {
		return
	}
	for y := max(top, 0) / split; y <= min((bottom+h-1)/split, c.H-1); y++ {
		line := c.Line(y)
		for x := max(first, 0); x <= min(last, len(line)-1); x++ {
			cu.shade(&line[x])
		}
	}
}

func (cu *Cursors) shade(cell *Cell) {
	switch {
	case cu.Profile == Mono:
		cell.Attr ^= Reverse
	case cu.Profile == ANSI16:
		// Mixed colours would map to the same sixteen.
		if cell.Rune == ' ' {
			cell.Rune, cell.FG = cu.Glyphs.Shades[1], cu.Theme.Selection.against(cell.BG)
		}
	default:
		cell.FG = cu.tint(cell.FG, cu.Theme.Selection, 0.3)
		if cell.BG.IsSet() {
			cell.BG = cu.tint(cell.BG, cu.Theme.Selection, 0.3)
		} else {
			cell.BG = cu.Theme.background().Blend(cu.Theme.Selection, 0.2)
		}
	}
}

// tint mixes a share of color into c; an unset c stays unset.
func (cu *Cursors) tint(c, color Color, share float64) Color {
	if !c.IsSet() {
		return c
	}
	return c.Blend(color, share)
}
