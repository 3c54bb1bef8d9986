package analyzer

import (
	"pview/render/raster"
	"pview/render/style"
)

// drawNumbers draws the table as numbers.
func (p view) drawNumbers(c raster.Canvas, a *Table) {
	s, th, f := a.Sheet, p.sc.Theme, &a.Frame
	p.drawColumnNames(c.Sub(0, 0, c.W, f.head), a)
	painter := p.tablePainter(s)
	for y := range f.Body.H {
		p.drawRowName(c.Sub(0, f.head+y, f.labels+2, 1), a, f.top+y)
		for k, i := range f.columns {
			p.drawNumber(c.Sub(f.X[k], f.head+y, s.Columns[i].width+2, 1), a, f.top+y, i, painter)
		}
	}
	style.DrawScrollbar(c.Sub(0, f.head, c.W, f.lines), f.top, f.lines, len(s.Rows), th)
	if len(f.totals) > 0 {
		p.drawTotals(c.Sub(0, f.head+f.Body.H, c.W, len(f.totals)+1), a)
	}
	if last := f.columns[len(f.columns)-1]; last+1 < len(s.Columns) {
		c.Text(c.W-1, 0, th.ASCII("▸"), th.Accent)
	}
	if f.left > 0 {
		c.Text(f.labels, 0, th.ASCII("◂"), th.Accent)
	}
}

// drawColumnNames writes names and units over the columns.
func (p view) drawColumnNames(c raster.Canvas, a *Table) {
	s, th, f := a.Sheet, p.sc.Theme, &a.Frame
	lo, hi := -1, -1
	if a.anchor >= 0 && !s.Vertical {
		lo, hi, _ = a.columnRange()
	}
	for k, i := range f.columns {
		st := th.Dim
		switch {
		case i >= lo && i <= hi:
			st = th.Warn
		case i == a.Col && p.sc.Focused:
			st = th.Accent
		case i == a.Col:
			st = th.Bold
		}
		h := &s.Columns[i]
		p.drawColumnName(c.Sub(f.X[k], 0, h.width+2, c.H), h, st)
	}
}

// drawColumnName writes the name of a column at the right, in as many lines as there are.
func (p view) drawColumnName(c raster.Canvas, h *Header, st raster.Style) {
	lines := []string{p.sc.View.Short(h.Name)}
	if words := nameWords(lines[0]); c.H == 1 && len(words) > 1 && nameGlue(lines[0]) == "" &&
		raster.TextWidth(lines[0]) > h.width { // show the whole lower limit of a range: "[113…", not "[113.…"
		lines[0] = p.sc.Theme.Cut(lines[0], raster.TextWidth(words[0])+1)
	}
	if c.H == 2 {
		first, second := h.title(lines[0])
		lines = []string{first, second}
	}
	named := -1 // the line on which the name begins
	for y, text := range lines {
		text = p.sc.Theme.Cut(text, h.width)
		c.TextIn(1, y, h.width, text, st, true)
		if named < 0 && text != "" {
			named = y
			p.drawChip(c, h.width-raster.TextWidth(text), y, h)
		}
	}
}

// title returns a name and the unit of a column, in two lines; the first is empty when one is enough.
func (h *Header) title(name string) (first, second string) {
	first, second = nameLines(name, h.width)
	switch {
	case h.unit == "":
	case first == "" && raster.TextWidth(second) <= h.width:
		return second, "[" + h.unit + "]"
	case raster.TextWidth(second)+len(h.unit)+3 <= h.width:
		second += " [" + h.unit + "]"
	}
	return first, second
}

// drawChip shows the colour of a header's value.
func (p view) drawChip(c raster.Canvas, x, y int, h *Header) {
	w := p.sc.View
	if !h.coded || x < 0 || p.sc.Look.Profile == raster.Mono {
		return
	}
	paint := raster.Painter{Look: p.sc.Look, Palette: w.Colors()}
	if cell := paint.Cell(h.low); cell.BG.IsSet() {
		glyph := p.sc.Theme.Glyphs.HalfRight
		if glyph == 0 {
			glyph = p.sc.Theme.Glyphs.Full
		}
		c.Set(x, y, raster.Cell{Rune: glyph, Style: raster.Style{FG: cell.BG}})
	}
}

func (p view) drawRowName(c raster.Canvas, a *Table, row int) {
	th, labels := p.sc.Theme, a.Frame.labels
	st := th.Dim
	if row == a.Row {
		if st = th.Bold; p.sc.Focused {
			st = th.Accent
		}
	}
	h := &a.Sheet.Rows[row]
	name := p.sc.View.Short(h.Name)
	if a.Sheet.Vertical {
		if lo, hi, ok := a.columnRange(); ok && a.anchor >= 0 && row >= lo && row <= hi {
			st = th.Warn
		}
		c.TextIn(1, 0, labels, th.Cut(name, labels), st, false)
		p.drawChip(c, 0, 0, h)
		return
	}
	c.TextIn(1, 0, labels, style.Shorten(name, labels, th), st, false)
}

// drawNumber writes a cell.
func (p view) drawNumber(c raster.Canvas, a *Table, row, column int, paint *tablePainter) {
	s, th := a.Sheet, p.sc.Theme
	v, ok := s.Cell(row, column)
	st := th.Text
	if !ok || v == 0 {
		st = th.Dim
	}
	if a.Setup.shade == shadeColored && ok && !s.functions && p.sc.Look.Profile != raster.Mono {
		if cell := paint.Cell(v); cell.BG.IsSet() {
			st = raster.Style{FG: cell.BG.Contrast(), BG: cell.BG}
		}
	}
	here := row == a.Row && column == a.Col
	switch {
	case here && p.sc.Focused:
		st = th.PopupSel
	case here:
		st.Attr |= raster.Bold | raster.Underline
	}
	text := s.Text(row, column)
	c.Fill(raster.Cell{Rune: ' ', Style: raster.Style{FG: st.FG, BG: st.BG, Attr: st.Attr &^ raster.Underline}})
	c.TextIn(1, 0, c.W-2, text, st, true)
}

// drawTotals writes the totals below a line.
func (p view) drawTotals(c raster.Canvas, a *Table) {
	s, th, f := a.Sheet, p.sc.Theme, &a.Frame
	last := len(f.columns) - 1
	for x := 1; x < min(f.X[last]+1+s.Columns[f.columns[last]].width, c.W-1); x++ {
		c.Set(x, 0, raster.Cell{Rune: th.Glyphs.Horizontal, Style: raster.Style{FG: th.Border.FG}})
	}
	for y, t := range f.totals {
		c.TextIn(1, y+1, f.labels, th.ASCII(s.totalName(t)), th.Dim, false)
		for k, i := range f.columns {
			st := th.Text
			if i == a.Col {
				st = th.Bold
			}
			c.TextIn(f.X[k]+1, y+1, s.Columns[i].width, decimal(s.Totals[t][i], s.totalDigits(t, i)), st, true)
		}
	}
}
