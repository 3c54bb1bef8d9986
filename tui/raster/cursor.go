// Cursors, selections: what the user points at, drawn over a timeline without
// hiding it.
//
// Where the colour of a cell is its background, the cell takes a thin line on
// that colour, in place of the communication line or flag that may be there.
// Cells whose glyph is data (half blocks, function lines, fills without colour)
// keep it, and are lightened, darkened or reversed instead.

package raster

import "slices"

// Cursors marks points and areas of a timeline.
type Cursors struct {
	Look
	Axis   Axis
	Layout Layout
}

// Column marks the column of time t on all lines of c; nothing when t is not in
// view. second draws the line of the other cursor.
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
		ground := cu.ground(cell)
		switch {
		case cell.Rune == ' ' || cu.Profile > Mono && !cu.isData(cell.Rune):
			cell.Rune, cell.BG, cell.FG = glyph, ground, color.Against(ground)
		case cu.Profile <= ANSI16:
			cell.Attr ^= Reverse
		default:
			cell.FG, cell.BG = cu.tint(cell.FG, color, 0.5), cu.tint(cell.BG, color, 0.5)
		}
		c.Set(x, y, cell)
	}
}

// Point marks the cell of time t in a row; nothing when it is not in view.
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
	cell.Rune, cell.BG, cell.FG = cu.Glyphs.Point, ground, cu.Theme.Cursor.Against(ground)
	c.Set(x, y, cell)
}

// isData reports whether the glyph of a coloured cell carries data: a mark, or part of the
// cell has another colour than the rest.
func (cu *Cursors) isData(r rune) bool {
	switch g := cu.Glyphs; r {
	case g.HalfUpper, g.HalfLower, g.HalfLeft, g.HalfRight, g.Full, g.Point:
		return true
	case g.Lowered:
		return false
	default:
		return slices.Contains(g.Levels, r)
	}
}

// Row marks the row's last line with an underline.
func (cu *Cursors) Row(c Canvas, row int) {
	top, h := cu.Layout.Place(row)
	y := (top + h - 1) / cu.Layout.split()
	if top+h <= 0 {
		return
	}
	line := c.Line(y)
	for x := range line {
		cell := &line[x]
		cell.Attr |= Underline
		if cu.Profile > Mono && cell.Rune == cu.Glyphs.Lowered {
			cell.Rune, cell.BG = ' ', cu.ground(*cell)
		}
		if cell.Rune == ' ' {
			cell.FG = cu.Theme.Cursor.Against(cell.BG)
		}
	}
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
		// Mixed colours would fall back on the same sixteen.
		if cell.Rune == ' ' {
			cell.Rune, cell.FG = cu.Glyphs.Shades[1], cu.Theme.Selection.Against(cell.BG)
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

// tint mixes a share of color into c; a c that is the terminal's own stays so.
func (cu *Cursors) tint(c, color Color, share float64) Color {
	if !c.IsSet() {
		return c
	}
	return c.Blend(color, share)
}
