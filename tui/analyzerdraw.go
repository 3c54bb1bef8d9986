package tui

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"pview/semantic/stat"
	"pview/tui/raster"
	"pview/tui/style"
	"pview/tui/timeline"
)

// How the analyzer is drawn. From the top: the heading with its tabs, what is
// counted, the names of the columns, the rows, the totals, the cell of the cursor.

// tableFrame is where the parts of the table stood when it was last drawn, for the
// mouse and for moving by screens.
type tableFrame struct {
	names     raster.Rect // of the rows
	body      raster.Rect
	split     int   // rows per line
	merge     int   // columns per cell of a picture
	cellWidth int   // of a picture; 0 for numbers
	columns   []int // positions of the columns of numbers
	x         []int // where they begin
}

func (m *Model) drawAnalyzer(c raster.Canvas) {
	w, th := m.window(), m.theme
	head := c.Sub(0, 0, c.W, 1)
	x := m.face().drawTabs(head)
	if w == nil {
		return
	}
	a := m.table(w)
	st, dim := th.Head, th.HeadDim
	if m.paneFocus {
		st, dim = th.Focus, th.FocusDim
	}
	right := m.tableState(w, a)
	end := c.W - 1
	if n := raster.TextWidth(right); n > 0 && x+n+2 < c.W {
		head.Text(c.W-1-n, 0, right, st)
		end = c.W - 3 - n
	}
	head.Text(x, 0, th.Cut("   "+a.title(), end-x), dim)
	body := c.Sub(0, 1, c.W, c.H-1)
	a.frame = tableFrame{}
	switch {
	case a.err != nil:
		for y, line := range style.Wrap(a.err.Error(), max(body.W-4, 10)) {
			body.Text(2, y, line, th.Warn)
		}
	case a.sheet == nil:
		body.Text(2, 0, th.ASCII("computing…"), th.Dim)
	default:
		m.drawSheet(body, w, a)
	}
}

// title is the name of a table: what it asks for.
func (a *analysis) title() string {
	s := &a.setup
	if s.functions {
		return "Analyzer functions"
	}
	text := s.statistic
	if s.data.sem != nil {
		text += " of " + s.data.sem.Name
	}
	if s.third.sem != nil {
		text += " by " + s.third.sem.Name
	}
	if s.name != "" && s.name != s.statistic {
		text = s.name + ": " + text
	}
	return text
}

// tableState says whether what is shown is final, and which table it is.
func (m *Model) tableState(w *timeline.View, a *analysis) string {
	text := ""
	if a.busy {
		text = m.theme.ASCII("computing…")
		if of := a.of.Load(); of > 1 {
			text += fmt.Sprintf(" %d/%d rows", min(a.done.Load(), of), of)
		}
	} else if a.hits.busy {
		text = m.theme.ASCII("looking for the bursts…")
	}
	if t := m.tablesOf(w); len(t.list) > 1 {
		if text != "" {
			text += "  "
		}
		text += fmt.Sprintf("table %d of %d", t.at+1, len(t.list))
	}
	return text
}

// drawSheet draws everything below the heading.
func (m *Model) drawSheet(c raster.Canvas, w *timeline.View, a *analysis) {
	s, th := a.sheet, m.theme
	if c.H >= 5 {
		c.Text(1, 0, th.Cut(th.ASCII(m.tableFacts(w, a)), c.W-2), th.Dim)
		c = c.Sub(0, 1, c.W, c.H-1)
	}
	if len(s.rows) == 0 || len(s.columns) == 0 {
		text := "no column has a value"
		if s.hidden > 0 && s.dropped {
			text = "no column has a value, but there are values beside the columns"
		}
		c.Text(2, 0, text, th.Warn)
		return
	}
	if c.H >= 4 {
		m.drawCellText(c.Sub(0, c.H-1, c.W, 1), w, a)
		c = c.Sub(0, 0, c.W, c.H-1)
	}
	labels := m.tableLabelWidth(s, c.W)
	if a.setup.shade == shadePicture && !s.functions {
		m.drawPicture(c, a, labels)
	} else {
		m.drawNumbers(c, a, labels)
	}
}

// tableFacts says what is counted, and what is not shown of it.
func (m *Model) tableFacts(w *timeline.View, a *analysis) string {
	s, tr := a.sheet, w.Trace.Data
	from, to := raster.FormatInterval(s.begin, s.end, tr.Unit, 1000)
	parts := []string{from + " .. " + to}
	switch {
	case a.setup.span == spanFixed:
		parts[0] += " (fixed)"
	case s.begin == 0 && s.end == tr.Duration:
		parts[0] = "the whole run"
	case a.setup.span == spanView:
		if b, e, ok := m.selection(); ok && b < e {
			parts[0] += " (selection)"
		}
	}
	if !s.functions {
		unit := s.statistic.Name
		if s.unit != "" {
			unit += " [" + s.unit + "]"
		}
		parts = append([]string{unit}, parts...)
	}
	if len(s.planes) > 0 {
		parts = append(parts, fmt.Sprintf("plane %d of %d: %s", s.plane+1, len(s.planes), s.planes[s.plane].name))
	}
	count := raster.CountOf(len(s.rows), "row") + ", " + raster.CountOf(len(s.columns), "column")
	if s.hidden > 0 {
		count += fmt.Sprintf(" (%s empty)", raster.FormatCount(int64(s.hidden)))
	}
	parts = append(parts, count)
	if s.dropped && !s.functions && !s.comms {
		parts = append(parts, "⚠ values beside the columns")
	}
	if o := a.setup.order; o.On && !s.functions {
		by := o.By
		if by == "" {
			by = stat.Totals[0].String()
		}
		parts = append(parts, "sorted by "+by)
	}
	return strings.Join(parts, " · ")
}

// drawCellText says what the cell of the cursor is, in full.
func (m *Model) drawCellText(c raster.Canvas, w *timeline.View, a *analysis) {
	s, th := a.sheet, m.theme
	row, col := &s.rows[a.row], &s.columns[a.col]
	line := style.Line{{Text: row.name, Style: th.Accent}, {Text: "  " + col.name, Style: th.Text}}
	v, ok := s.cell(a.row, a.col)
	if !ok {
		line = append(line, style.Span{Text: "  nothing here", Style: th.Dim})
	} else {
		text := "  " + exactText(v)
		if u := s.unitAt(a.row, a.col); u != "" {
			text += " " + u
		}
		line = append(line, style.Span{Text: text, Style: th.Bold})
	}
	if doc := s.docAt(a.row, a.col); doc != "" {
		line = append(line, style.Span{Text: "  " + doc, Style: th.Dim})
	}
	if lo, hi, ok := a.columnRange(); ok && a.anchor >= 0 {
		line = append(line, style.Span{Text: fmt.Sprintf("  columns %s to %s selected", s.values()[lo].name, s.values()[hi].name), Style: th.Warn})
	}
	if a.hits.key != "" && a.hits.key == a.cellKey() && !a.hits.busy {
		line = append(line, style.Span{Text: fmt.Sprintf("  burst %s of %s", raster.FormatCount(int64(a.hits.at+1)), raster.FormatCount(int64(len(a.hits.list)))), Style: th.Good})
	}
	x := 1
	for _, part := range line {
		if x >= c.W-2 {
			return
		}
		x = c.Text(x, 0, th.Cut(part.Text, c.W-1-x), part.Style)
	}
}

// docAt explains the number of a cell.
func (s *sheet) docAt(row, column int) string {
	if s.functions {
		return s.functionHead(row, column).doc
	}
	return s.statistic.Doc
}

func (s *sheet) functionHead(row, column int) *header {
	if s.vertical {
		return &s.rows[row]
	}
	return &s.columns[column]
}

// exactText writes a number in full precision.
func exactText(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
		return raster.FormatCount(int64(v))
	}
	return trimZeros(decimal(v, 9))
}

func trimZeros(s string) string {
	if !strings.Contains(s, ".") || strings.Contains(s, "e") {
		return s
	}
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

// tableLabelWidth is the width of the names of the rows.
func (m *Model) tableLabelWidth(s *sheet, width int) int {
	w := 6
	step := max(len(s.rows)/1000, 1)
	for i := 0; i < len(s.rows); i += step {
		w = max(w, raster.TextWidth(s.rows[i].name))
	}
	if !m.hidesTotals(s) {
		w = max(w, len("Average"))
	}
	return min(w, max(width/4, 14))
}

func (m *Model) hidesTotals(s *sheet) bool {
	return m.table(m.window()).setup.hideSums || !s.hasTotals()
}

// totalsIn chooses the totals for which there is room in so many lines.
func (m *Model) totalsIn(s *sheet, lines int) []stat.Total {
	switch room := lines - min(len(s.rows), max(lines/2, 4)); {
	case m.hidesTotals(s) || room < 3:
		return nil
	case room >= 9 || lines-len(s.rows) >= len(stat.Totals)+2:
		return stat.Totals
	case room >= 5:
		return []stat.Total{stat.Sum, stat.Average, stat.Maximum}
	default:
		return []stat.Total{stat.Sum}
	}
}

// drawNumbers draws the table as numbers.
func (m *Model) drawNumbers(c raster.Canvas, a *analysis, labels int) {
	s, th := a.sheet, m.theme
	room := c.W - labels - 4
	a.scrollColumns(room)
	f := &a.frame
	x := 0
	for i := a.left; i < len(s.columns) && x+s.columns[i].width+2 <= room; i++ {
		f.columns, f.x = append(f.columns, i), append(f.x, labels+2+x)
		x += s.columns[i].width + 2
	}
	if len(f.columns) == 0 { // wider than the screen
		f.columns, f.x = []int{a.left}, []int{labels + 2}
	}
	head := 1
	for _, i := range f.columns {
		if first, _ := nameLines(s.columns[i].name, s.columns[i].width); (first != "" || s.columns[i].unit != "") && c.H >= 7 {
			head = 2
		}
	}
	totals := m.totalsIn(s, c.H-head)
	lines := max(c.H-head-len(totals), 1)
	if len(totals) > 0 {
		lines--
	}
	a.scrollRows(lines)
	m.drawColumnNames(c.Sub(0, 0, c.W, head), a, labels)
	painter := m.tablePainter(s)
	shown := min(len(s.rows)-a.top, lines)
	f.names, f.body, f.split = raster.Rect{X: 0, Y: head, W: labels + 2, H: shown}, raster.Rect{X: labels + 2, Y: head, W: c.W - labels - 3, H: shown}, 1
	for y := range shown {
		m.drawRowName(c.Sub(0, head+y, labels+2, 1), a, a.top+y, labels)
		for k, i := range f.columns {
			m.drawNumber(c.Sub(f.x[k], head+y, s.columns[i].width+2, 1), a, a.top+y, i, painter)
		}
	}
	style.DrawScrollbar(c.Sub(0, head, c.W, lines), a.top, lines, len(s.rows), th)
	if len(totals) > 0 {
		m.drawTotals(c.Sub(0, head+shown, c.W, len(totals)+1), a, labels, totals)
	}
	if last := f.columns[len(f.columns)-1]; last+1 < len(s.columns) {
		c.Text(c.W-1, 0, th.ASCII("▸"), th.Accent)
	}
	if a.left > 0 {
		c.Text(labels, 0, th.ASCII("◂"), th.Accent)
	}
}

// scrollColumns keeps the column of the cursor in view.
func (a *analysis) scrollColumns(room int) {
	s := a.sheet
	a.left = min(max(a.left, 0), a.col)
	for a.left < a.col {
		width := 0
		for i := a.left; i <= a.col; i++ {
			width += s.columns[i].width + 2
		}
		if width <= room {
			break
		}
		a.left++
	}
	// Room at the right is used.
	for width := 0; a.left > 0; a.left-- {
		width = 0
		for i := a.left - 1; i < len(s.columns) && width <= room; i++ {
			width += s.columns[i].width + 2
		}
		if width > room {
			break
		}
	}
}

func (a *analysis) scrollRows(lines int) {
	a.top = min(max(a.top, a.row-lines+1), a.row)
	a.top = max(min(a.top, len(a.sheet.rows)-lines), 0)
}

// drawColumnNames writes names and units over the columns.
func (m *Model) drawColumnNames(c raster.Canvas, a *analysis, labels int) {
	s, th, f := a.sheet, m.theme, &a.frame
	lo, hi := -1, -1
	if a.anchor >= 0 && !s.vertical {
		lo, hi, _ = a.columnRange()
	}
	for k, i := range f.columns {
		h := &s.columns[i]
		st := th.Dim
		switch {
		case i == a.col && m.paneFocus:
			st = th.Accent
		case i == a.col:
			st = th.Bold
		}
		if i >= lo && i <= hi {
			st = th.Warn
		}
		at, width := f.x[k]+1, h.width
		first, second := nameLines(h.name, width)
		if c.H == 1 {
			second = h.name
		}
		if h.unit != "" && c.H == 2 && first == "" && raster.TextWidth(second) <= width {
			first, second = second, "["+h.unit+"]"
		} else if h.unit != "" && c.H == 2 && raster.TextWidth(second)+len(h.unit)+3 <= width {
			second += " [" + h.unit + "]"
		}
		if c.H == 2 {
			c.TextIn(at, 0, width, th.Cut(first, width), st, true)
		}
		c.TextIn(at, c.H-1, width, th.Cut(second, width), st, true)
		if chip := second; h.coded {
			y := c.H - 1
			if c.H == 2 && first != "" {
				chip, y = first, 0
			}
			m.drawChip(c, at+width-raster.TextWidth(th.Cut(chip, width))-1, y, h)
		}
	}
}

// drawChip shows the colour of the value that a header stands for.
func (m *Model) drawChip(c raster.Canvas, x, y int, h *header) {
	w := m.window()
	if !h.coded || x < 0 || m.profile == raster.Mono {
		return
	}
	p := raster.Painter{Look: m.look, Palette: w.Colors()}
	if cell := p.Cell(h.low); cell.BG.IsSet() {
		glyph := m.theme.Glyphs.HalfRight
		if glyph == 0 {
			glyph = m.theme.Glyphs.Full
		}
		c.Set(x, y, raster.Cell{Rune: glyph, Style: raster.Style{FG: cell.BG}})
	}
}

func (m *Model) drawRowName(c raster.Canvas, a *analysis, row, labels int) {
	th := m.theme
	st := th.Dim
	if row == a.row {
		if st = th.Bold; m.paneFocus {
			st = th.Accent
		}
	}
	h := &a.sheet.rows[row]
	if a.sheet.vertical {
		if lo, hi, ok := a.columnRange(); ok && a.anchor >= 0 && row >= lo && row <= hi {
			st = th.Warn
		}
		c.TextIn(1, 0, labels, th.Cut(h.name, labels), st, false)
		m.drawChip(c, 0, 0, h)
		return
	}
	c.TextIn(1, 0, labels, style.Shorten(h.name, labels, th), st, false)
}

// tablePainter colours the cells of a table by their values. Where the terminal
// has colours enough they run from blue over green to yellow, the other way round on a
// light background: the further from the background, the greater. Such a ramp can be
// read by the colour-blind, and its steps look even.
type tablePainter struct {
	raster.Painter
	ramp []raster.Color // nil where the painter's own gradient serves
}

var tableRamp = []raster.Color{raster.RGB(59, 82, 139), raster.RGB(33, 144, 140), raster.RGB(93, 200, 99), raster.RGB(253, 231, 37)}

func (m *Model) tablePainter(s *sheet) *tablePainter {
	p := &tablePainter{Painter: raster.Painter{Look: m.look, Palette: m.window().Colors(), Mode: raster.NotNullGradient, Scale: s.scale}}
	if m.profile >= raster.ANSI256 {
		p.ramp = slices.Clone(tableRamp)
		if !m.dark {
			slices.Reverse(p.ramp)
		}
	}
	return p
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

// drawNumber writes a cell.
func (m *Model) drawNumber(c raster.Canvas, a *analysis, row, column int, p *tablePainter) {
	s, th := a.sheet, m.theme
	v, ok := s.cell(row, column)
	st := th.Text
	if !ok || v == 0 {
		st = th.Dim
	}
	if a.setup.shade == shadeColored && ok && !s.functions && m.profile != raster.Mono {
		if cell := p.Cell(v); cell.BG.IsSet() {
			st = raster.Style{FG: cell.BG.Contrast(), BG: cell.BG}
		}
	}
	here := row == a.row && column == a.col
	switch {
	case here && m.paneFocus:
		st = th.PopupSel
	case here:
		st.Attr |= raster.Bold | raster.Underline
	}
	text := s.text(row, column)
	c.Fill(raster.Cell{Rune: ' ', Style: raster.Style{FG: st.FG, BG: st.BG, Attr: st.Attr &^ raster.Underline}})
	c.TextIn(1, 0, c.W-2, text, st, true)
}

// drawTotals writes the totals below a line.
func (m *Model) drawTotals(c raster.Canvas, a *analysis, labels int, totals []stat.Total) {
	s, th, f := a.sheet, m.theme, &a.frame
	for x := 1; x < c.W-1; x++ {
		c.Set(x, 0, raster.Cell{Rune: th.Glyphs.Horizontal, Style: raster.Style{FG: th.Border.FG}})
	}
	for y, t := range totals {
		c.TextIn(1, y+1, labels, t.String(), th.Dim, false)
		for k, i := range f.columns {
			st := th.Text
			if i == a.col {
				st = th.Bold
			}
			c.TextIn(f.x[k]+1, y+1, s.columns[i].width, decimal(s.totals[t][i], s.totalDigits(t, i)), st, true)
		}
	}
}

// drawPicture draws the table as colours: a cell for each column, wide where there
// is room, for several columns where there is not; two rows in a line where they
// are many.
func (m *Model) drawPicture(c raster.Canvas, a *analysis, labels int) {
	s := a.sheet
	room := max(c.W-labels-4, 1)
	f := &a.frame
	f.merge = (len(s.columns) + room - 1) / room
	cells := (len(s.columns) + f.merge - 1) / f.merge
	f.cellWidth = min(max(room/cells, 1), 8)
	lines := max(c.H-1, 1)
	legend := c.H >= 6
	if legend {
		lines--
	}
	f.split = 1
	if len(s.rows) > lines && m.look.CanSplit() {
		f.split = 2
	}
	a.left = 0
	a.scrollRows(lines * f.split)
	if f.split == 2 {
		a.top &^= 1
	}
	shown := min((len(s.rows)-a.top+f.split-1)/f.split, lines)
	f.names, f.body = raster.Rect{X: 0, Y: 1, W: labels + 2, H: shown}, raster.Rect{X: labels + 2, Y: 1, W: cells * f.cellWidth, H: shown}
	m.drawPictureNames(c.Sub(0, 0, c.W, 1), a)
	p := m.tablePainter(s)
	for y := range shown {
		row := a.top + y*f.split
		named := row
		if f.split == 2 && a.row == row+1 {
			named++
		}
		m.drawRowName(c.Sub(0, 1+y, labels+1, 1), a, named, labels)
		for i := range cells {
			m.drawPictureCell(c.Sub(f.body.X+i*f.cellWidth, 1+y, f.cellWidth, 1), a, row, i*f.merge, p)
		}
	}
	style.DrawScrollbar(c.Sub(0, 1, c.W, lines), a.top, lines*f.split, len(s.rows), m.theme)
	if legend {
		m.drawPictureLegend(c.Sub(1, 1+shown, c.W-2, 1), s, p)
	}
}

// pictureValue is the greatest value of the columns that share a cell.
func (a *analysis) pictureValue(row, column int) float64 {
	s, v := a.sheet, raster.Absent
	if row >= len(s.rows) {
		return v
	}
	for i := column; i < min(column+a.frame.merge, len(s.columns)); i++ {
		if x, ok := s.cell(row, i); ok && (raster.IsAbsent(v) || x > v) {
			v = x
		}
	}
	return v
}

func (m *Model) drawPictureCell(c raster.Canvas, a *analysis, row, column int, p *tablePainter) {
	f := &a.frame
	cell := p.Cell(a.pictureValue(row, column))
	if f.split == 2 {
		low := p.Cell(a.pictureValue(row+1, column))
		cell = halves(cell, low, m.theme.Glyphs)
	}
	c.Fill(cell)
	if a.row < row || a.row >= row+f.split || a.col < column || a.col >= column+f.merge {
		return
	}
	// The cursor.
	ground := cell.BG
	if f.split == 2 && cell.Rune == m.theme.Glyphs.HalfUpper && a.row == row {
		ground = cell.FG
	}
	mark := raster.Cell{Rune: '+', Style: raster.Style{FG: m.theme.Mark.BG, BG: ground, Attr: raster.Bold}}
	if ground.IsSet() {
		mark.FG = ground.Contrast()
	}
	if m.profile == raster.Mono {
		mark = raster.Cell{Rune: cell.Rune, Style: raster.Style{Attr: raster.Reverse}}
		c.Fill(mark)
		return
	}
	if m.theme.Glyphs != raster.ASCII {
		mark.Rune = '◆'
	}
	c.Set(c.W/2, 0, mark)
}

// halves puts the colours of two cells in one.
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

// drawPictureNames writes as many names of columns as fit, each from its column on;
// that of the cursor always.
func (m *Model) drawPictureNames(c raster.Canvas, a *analysis) {
	s, th, f := a.sheet, m.theme, &a.frame
	place := func(i int) int { return f.body.X + i/f.merge*f.cellWidth }
	own := s.columns[a.col].name
	at := min(place(a.col), max(c.W-1-raster.TextWidth(own), f.body.X))
	end := at + raster.TextWidth(own)
	next := 0
	for i := range s.columns {
		text := pictureName(&s.columns[i])
		x := place(i)
		n := raster.TextWidth(text)
		if x < next || x+n > c.W-1 || x < end+1 && x+n+1 > at {
			continue
		}
		c.Text(x, 0, text, th.Dim)
		next = x + n + 2
	}
	st := th.Bold
	if m.paneFocus {
		st = th.Accent
	}
	c.Text(at, 0, own, st)
}

// pictureName is a short name for a column: where its values begin.
func pictureName(h *header) string {
	if strings.HasPrefix(h.name, "[") {
		return raster.FormatShort(h.low)
	}
	return h.name
}

// drawPictureLegend says what the colours mean.
func (m *Model) drawPictureLegend(c raster.Canvas, s *sheet, p *tablePainter) {
	unit := ""
	if s.unit != "" {
		unit = " " + s.unit
	}
	x := c.Text(0, 0, raster.FormatShort(s.scale.Min)+" ", m.theme.Dim)
	const steps = 20
	for i := range steps {
		v := s.scale.Min + (s.scale.Max-s.scale.Min)*(float64(i)+0.5)/steps
		if v == 0 || s.scale.Max == s.scale.Min {
			v = s.scale.Max
		}
		c.Set(x, 0, p.Cell(v))
		x++
	}
	c.Text(x+1, 0, raster.FormatShort(s.scale.Max)+unit, m.theme.Dim)
}

// tableHints are the keys of the status line while the analyzer has the focus.
func (m *Model) tableHints() [][2]string {
	a := m.table(m.window())
	if a.anchor >= 0 {
		return [][2]string{{"←→", "to"}, {"z", "zoom"}, {"w", "show in a timeline"}, {"Esc", "drop"}}
	}
	hints := [][2]string{{"a", "table"}, {"s /", "statistic"}, {"c", "colours"}}
	if a.setup.functions {
		return append(hints, [][2]string{{"r", "sort"}, {"x", "transpose"}, {"i", "time"}, {"y", "copy"}, {"Y", "save"}, {"Esc", "back"}}...)
	}
	return append(hints, [][2]string{{"Enter", "bursts"}, {"w", "timeline"}, {"d", "data"}, {"b", "columns"}, {"r o", "sort"}, {"Space z", "zoom"}, {"u", "undo"}, {"Y", "save"}, {"Esc", "back"}}...)
}
