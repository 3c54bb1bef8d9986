// Cursors, selections: what the user points at, drawn over a timeline without
// hiding it.
//
// Plain cells, blanks on a colour, take a thin line on that colour. Cells that
// hold a glyph already (a half block, a communication line, a flag) keep it, and
// are lightened or darkened instead.

package raster

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
		switch {
		case cell.Rune == ' ':
			cell.Rune, cell.FG = glyph, color.Against(cell.BG)
		case cu.Profile <= ANSI16:
			cell.Attr ^= Reverse
		default:
			cell.FG, cell.BG = cu.tint(cell.FG, color, 0.5), cu.tint(cell.BG, color, 0.5)
		}
		c.Set(x, y, cell)
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
		line[x].Attr |= Underline
		if line[x].Rune == ' ' {
			line[x].FG = cu.Theme.Cursor.Against(line[x].BG)
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
			cell.BG = cu.Theme.Background.Blend(cu.Theme.Selection, 0.2)
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
