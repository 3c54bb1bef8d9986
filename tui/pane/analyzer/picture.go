package analyzer

import (
	"slices"
	"strings"

	"pview/render/raster"
	"pview/render/style"
)

// drawPicture draws the table as colours.
func (p view) drawPicture(c raster.Canvas, a *Table) {
	s, f := a.Sheet, &a.Frame
	p.drawPictureNames(c.Sub(0, 0, c.W, 1), a)
	paint := p.tablePainter(s)
	for y := range f.Body.H {
		row := f.top + y*f.split
		named := row
		if a.Row > row && a.Row < row+f.split {
			named = a.Row
		}
		p.drawRowName(c.Sub(0, 1+y, f.labels+1, 1), a, named)
		for i := range f.cells {
			p.drawPictureCell(c.Sub(f.Body.X+i*f.CellWidth, 1+y, f.CellWidth, 1), a, row, i*f.merge, paint)
		}
	}
	if body := c.Sub(f.Body.X, 1, f.cells*f.CellWidth, f.Body.H); p.sc.Pixels != nil {
		p.sc.Pixels(body, func(m *raster.Pixmap) { p.drawPicturePixels(m, a, paint) })
	}
	style.DrawScrollbar(c.Sub(0, 1, c.W, f.lines), f.top, f.lines*f.split, len(s.Rows), p.sc.Theme)
	if f.legend {
		p.drawPictureLegend(c.Sub(1, 1+f.Body.H, c.W-2, 1), s, paint)
	}
}

// tablePainter colours the cells of a table by their values. If the terminal has enough colours, they run from blue
// over green to yellow, the other way round on a light background: the further from the background, the greater.
// Colour-blind people can read such a ramp, and its steps look even.
type tablePainter struct {
	raster.Painter
	ramp []raster.Color // nil: the painter's own gradient
}

var tableRamp = []raster.Color{raster.RGB(59, 82, 139), raster.RGB(33, 144, 140), raster.RGB(93, 200, 99),
	raster.RGB(253, 231, 37)}

func (p view) tablePainter(s *Sheet) *tablePainter {
	paint := &tablePainter{Painter: raster.Painter{Look: p.sc.Look, Palette: p.sc.View.Colors(),
		Mode: raster.NotNullGradient, Scale: s.scale}}
	if p.sc.Look.Profile >= raster.ANSI256 {
		paint.ramp = slices.Clone(tableRamp)
		if !p.sc.Dark {
			slices.Reverse(paint.ramp)
		}
	}
	return paint
}

// Cell returns the cell of a value.
func (p *tablePainter) Cell(v float64) raster.Cell {
	if p.ramp == nil || v == 0 || v != v {
		return p.Painter.Cell(v)
	}
	x := min(max(p.Scale.At(v), 0), 1) * float64(len(p.ramp)-1)
	k := min(int(x), len(p.ramp)-2)
	return raster.Cell{Rune: ' ', Style: raster.Style{BG: p.ramp[k].Blend(p.ramp[k+1], x-float64(k))}}
}

// pictureValue returns the greatest value of the rows and columns that share a cell.
func (a *Table) pictureValue(row, column int) float64 {
	s, v := a.Sheet, raster.Absent
	for i := column; i < min(column+a.Frame.merge, len(s.Columns)); i++ {
		if x := s.most(row, a.Frame.half, i); !raster.IsAbsent(x) && (raster.IsAbsent(v) || x > v) {
			v = x
		}
	}
	return v
}

func (p view) drawPictureCell(c raster.Canvas, a *Table, row, column int, paint *tablePainter) {
	f := &a.Frame
	cell := paint.Cell(a.pictureValue(row, column))
	if f.split > f.half {
		low := paint.Cell(a.pictureValue(row+f.half, column))
		cell = halves(cell, low, p.sc.Theme.Glyphs)
	}
	c.Fill(cell)
	if a.Row < row || a.Row >= row+f.split || a.Col < column || a.Col >= column+f.merge {
		return
	}
	// The cursor.
	ground := cell.BG
	if f.split > f.half && cell.Rune == p.sc.Theme.Glyphs.HalfUpper && a.Row < row+f.half {
		ground = cell.FG
	}
	mark := raster.Cell{Rune: '+', Style: raster.Style{FG: p.sc.Theme.Mark.BG, BG: ground, Attr: raster.Bold}}
	if ground.IsSet() {
		mark.FG = ground.Contrast()
	}
	if p.sc.Look.Profile == raster.Mono {
		mark = raster.Cell{Rune: cell.Rune, Style: raster.Style{Attr: raster.Reverse}}
		c.Fill(mark)
		return
	}
	if p.sc.Theme.Glyphs != raster.ASCII {
		mark.Rune = '◆'
	}
	c.Set(c.W/2, 0, mark)
}

// drawPicturePixels draws the cells in pixels: rows and columns that share a cell on the screen have their own pixels,
// if there are enough; if several share a pixel, the greatest value shows.
func (p view) drawPicturePixels(m *raster.Pixmap, a *Table, paint *tablePainter) {
	s, f := a.Sheet, &a.Frame
	w, h := m.Rect.Dx(), m.Rect.Dy()
	columns, rows := max(f.cells*f.merge, 1), max(f.Body.H*f.split, 1)
	spans := func(n, of, px int, f func(from, to, at, end int)) { // items that begin on the same pixel
		for i := 0; i < n; {
			at, j := i*px/of, i+1
			for j < n && j*px/of == at {
				j++
			}
			f(i, j, at, max(j*px/of, at+1))
			i = j
		}
	}
	var frame [][4]int // around the cursor
	spans(min(rows, len(s.Rows)-f.top), rows, h, func(row, row2, y, y2 int) {
		row, row2 = row+f.top, row2+f.top
		spans(min(columns, len(s.Columns)), columns, w, func(col, col2, x, x2 int) {
			v := raster.Absent
			for i := col; i < col2; i++ {
				if most := s.most(row, row2-row, i); !raster.IsAbsent(most) && (raster.IsAbsent(v) || most > v) {
					v = most
				}
			}
			if c := paint.Cell(v); c.BG.IsSet() {
				m.Fill(x, y, x2, y2, c.BG)
			}
			if a.Row >= row && a.Row < row2 && a.Col >= col && a.Col < col2 {
				frame = [][4]int{{x - 1, y - 1, x2 + 1, y}, {x - 1, y2, x2 + 1, y2 + 1}, {x - 1, y, x, y2},
					{x2, y, x2 + 1, y2}}
			}
		})
	})
	for _, r := range frame {
		m.Fill(r[0], r[1], r[2], r[3], p.sc.Look.Theme.Cursor)
	}
}

// halves combines the colours of two cells in one.
func halves(upper, lower raster.Cell, g *raster.Glyphs) raster.Cell {
	switch {
	case upper.BG == lower.BG:
		return raster.Cell{Rune: ' ', Style: raster.Style{BG: upper.BG}}
	case !lower.BG.IsSet():
		return raster.Cell{Rune: g.HalfUpper, Style: raster.Style{FG: upper.BG}}
	case !upper.BG.IsSet():
		return raster.Cell{Rune: g.HalfLower, Style: raster.Style{FG: lower.BG}}
	}
	return raster.Cell{Rune: g.HalfUpper, Style: raster.Style{FG: upper.BG, BG: lower.BG}}
}

// drawPictureNames writes as many names of columns as fit, each starting at its column; the cursor's column always has
// its name.
func (p view) drawPictureNames(c raster.Canvas, a *Table) {
	s, th, f := a.Sheet, p.sc.Theme, &a.Frame
	place := func(i int) int { return f.Body.X + i/f.merge*f.CellWidth }
	short := axisNames(s)
	own := p.sc.View.Short(s.Columns[a.Col].Name)
	at := min(place(a.Col), max(c.W-1-raster.TextWidth(own), f.Body.X))
	end := at + raster.TextWidth(own)
	next := 0
	for i := range s.Columns {
		text := short[i]
		x := place(i)
		n := raster.TextWidth(text)
		if x < next || x+n > c.W-1 || x < end+1 && x+n+1 > at {
			continue
		}
		c.Text(x, 0, text, th.Dim)
		next = x + n + 2
	}
	st := th.Bold
	if p.sc.Focused {
		st = th.Accent
	}
	c.Text(at, 0, own, st)
}

// axisNames are short names of the columns: the start of their values, or the distinctive part of objects' names.
func axisNames(s *Sheet) []string {
	names := make([]string, len(s.Columns))
	for i := range s.Columns {
		if names[i] = s.Columns[i].Name; strings.HasPrefix(names[i], "[") {
			names[i] = raster.FormatShort(s.Columns[i].low)
		}
	}
	if s.comms {
		trimCommon(names)
	}
	return names
}

// trimCommon removes the words that all names begin and end with: "THREAD 1.1.1", "THREAD 1.2.1" become "1", "2".
func trimCommon(names []string) {
	if len(names) < 2 {
		return
	}
	isEnd := func(c byte) bool { return c == '.' || c == ' ' || c == '-' || c == '_' }
	first := names[0]
	head, tail := len(first), len(first)
	for _, n := range names[1:] {
		h, t := 0, 0
		for h < min(head, len(n)) && n[h] == first[h] {
			h++
		}
		for t < min(tail, len(n)-1) && n[len(n)-1-t] == first[len(first)-1-t] {
			t++
		}
		head, tail = h, t
	}
	for head > 0 && !isEnd(first[head-1]) {
		head--
	}
	for tail > 0 && !isEnd(first[len(first)-tail]) {
		tail--
	}
	for i, n := range names {
		if head+tail < len(n) {
			names[i] = n[head : len(n)-tail]
		}
	}
}

// drawPictureLegend explains the colours.
func (p view) drawPictureLegend(c raster.Canvas, s *Sheet, paint *tablePainter) {
	unit := ""
	if s.unit != "" {
		unit = " " + s.unit
	}
	x := c.Text(0, 0, raster.FormatShort(s.scale.Min)+" ", p.sc.Theme.Dim)
	const steps = 20
	for i := range steps {
		v := s.scale.Min + (s.scale.Max-s.scale.Min)*(float64(i)+0.5)/steps
		if v == 0 || s.scale.Max == s.scale.Min {
			v = s.scale.Max
		}
		c.Set(x, 0, paint.Cell(v))
		x++
	}
	c.Text(x+1, 0, raster.FormatShort(s.scale.Max)+unit, p.sc.Theme.Dim)
}
