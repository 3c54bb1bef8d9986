package tui

import (
	"fmt"
	"slices"
	"strings"

	"pview/prv"
	"pview/prv/quantity"
	"pview/tui/raster"
	"pview/tui/style"
)

// How the simulator is drawn. From the top: the heading with the tabs of the panes, what was predicted, the pages, the fields, what the field of the
// cursor is.

func (m *Model) drawSimulator(c raster.Canvas) {
	th, w := m.theme, m.window()
	head := c.Sub(0, 0, c.W, 1)
	x := m.face().drawTabs(head)
	s := m.simulatorFor(w)
	st, dim := th.Head, th.HeadDim
	if m.paneFocus {
		st, dim = th.Focus, th.FocusDim
	}
	end := c.W - 1
	if right := th.ASCII(m.simulatorState(s)); right != "" && x+raster.TextWidth(right)+2 < c.W {
		end -= raster.TextWidth(right)
		head.Text(end, 0, right, st)
		end -= 2
	}
	if s == nil {
		return
	}
	if s.shown != nil {
		head.Text(x, 0, th.Cut(fmt.Sprintf("   run %d: %s", s.shown.number, s.shown.title()), end-x), dim)
	}
	s.form.body = raster.Rect{}
	if s.program == nil {
		m.drawNoProgram(c.Sub(0, 1, c.W, c.H-1), s)
		return
	}
	c = c.Sub(0, 1, c.W, c.H-1)
	y := m.drawAnswer(c, s)
	m.drawPages(c.Sub(0, y, c.W, 1), s)
	y++
	doc := 0
	if c.H-y >= 5 {
		doc = 1
		if c.H-y >= 12 {
			doc = 2
		}
	}
	m.drawForm(c, raster.Rect{X: 0, Y: y, W: c.W, H: c.H - y - doc}, s)
	if s.form.page == pageMachine && len(s.runs) > 1 {
		if from := y + s.form.layout.height + 1; c.H-doc-from >= 4 {
			m.drawRecent(c.Sub(0, from, c.W, min(c.H-doc-from, recentRuns+1)), s)
		}
	}
	if doc > 0 {
		m.drawFieldText(c.Sub(0, c.H-doc, c.W, doc), s)
	}
}

// simulatorState says what is going on.
func (m *Model) simulatorState(s *simulator) string {
	switch {
	case s == nil:
		return ""
	case s.building:
		return "making the program…"
	case s.run != nil:
		if total := s.run.total.Load(); total > 0 {
			return fmt.Sprintf("simulating %d %%", min(100*s.run.done.Load()/total, 100))
		}
		return "simulating…"
	case s.waiting != 0:
		return "changed…"
	}
	return ""
}

func (m *Model) drawNoProgram(c raster.Canvas, s *simulator) {
	text, st := m.theme.ASCII("The program is being made from the trace…"), m.theme.Dim
	switch {
	case s.err != nil:
		text, st = s.err.Error(), m.theme.Warn
	case s.awaited:
		text = "The trace is still being read: its run is predicted when all of it is there."
	}
	for y, line := range style.Wrap(text, max(c.W-4, 10)) {
		c.Text(2, y, line, st)
	}
}

// drawAnswer writes what was predicted, and what went wrong; it returns the line below.
func (m *Model) drawAnswer(c raster.Canvas, s *simulator) int {
	th := m.theme
	total, efficiency, known := int64(0), 0.0, false
	if r := s.shown; r != nil {
		total, efficiency, known = r.result.Total, r.efficiency, true
	}
	st := th.Bold
	if s.run != nil && s.run.quick != nil {
		total, efficiency, known = s.run.quick.Total, runningShare(s.run.quick, len(s.program.Threads)), true
	} else if s.run != nil || s.waiting != 0 || s.err != nil {
		st = th.Dim // it is that of a machine before
	}
	base := s.baseline()
	line := style.Line{{Text: "no prediction yet", Style: th.Dim}}
	if known {
		duration := func(ns float64) string { return raster.FormatDuration(int64(ns), prv.Nanoseconds) }
		line = style.Line{{Text: "Predicted ", Style: th.Dim}, {Text: duration(float64(total)), Style: st}, {Text: "   ", Style: st}}
		if base > 0 && total > 0 {
			ratio := float64(total) / base
			line = append(line, style.Span{Text: fmt.Sprintf("%.3f", ratio), Style: st}, style.Span{Text: " of measured", Style: th.Dim})
			if s.marked == nil || c.W >= 92 { // the line above the windows has it, too
				line = append(line, style.Span{Text: " " + duration(base), Style: th.Dim})
			}
			if c.W >= 100 && total > 0 {
				line = append(line, style.Span{Text: fmt.Sprintf(" (speedup %.3f)", 1/ratio), Style: th.Dim})
			}
		}
		line = append(line, style.Span{Text: "   efficiency ", Style: th.Dim}, style.Span{Text: fmt.Sprintf("%.1f %%", 100*efficiency), Style: st})
		if k := s.marked; k != nil && k != s.shown {
			line = append(line, style.Span{Text: fmt.Sprintf("   %+.2f %% against run %d", 100*(float64(total)/max(float64(k.result.Total), 1)-1), k.number), Style: th.Accent})
		}
		if r := s.shown; r != nil && c.W >= 120 {
			line = append(line, style.Span{Text: fmt.Sprintf("   %s messages, %s", raster.FormatCount(r.result.Messages), bytesText(r.result.Bytes)), Style: th.Dim})
		}
	}
	x := 1
	for _, part := range line {
		x = c.Sub(0, 0, c.W-1, 1).Text(x, 0, th.ASCII(part.Text), part.Style)
	}
	y := 1
	if s.err != nil {
		lines := style.Wrap(s.err.Error(), max(c.W-3, 10))
		room := min(len(lines), max(c.H/3, 1))
		for _, text := range lines[:room] {
			c.Text(1, y, text, th.Alarm)
			y++
		}
		if room < len(lines) {
			more := th.ASCII("…  " + keysOf("sim-problem") + " shows all ")
			c.Text(max(c.W-1-raster.TextWidth(more), 1), y-1, " "+more, th.Accent)
		}
	} else if c.H >= 14 {
		for _, text := range s.remarks {
			c.Text(1, y, th.Cut(text, c.W-2), th.Warn)
			y++
		}
	}
	return y
}

// bytesText writes a number of bytes.
func bytesText(n int64) string { return quantity.Bytes.Format(float64(n)) }

// pageGap is the room between the tabs of pages on a screen of that width.
func pageGap(width int) int {
	if width < 70 {
		return 2
	}
	return 3
}

// pageAt returns the page whose tab is at a column.
func pageAt(x, width int) (simPage, bool) {
	at := 1
	for i, p := range simPages {
		if n := len(p.name); x >= at && x < at+n {
			return simPage(i), true
		}
		at += len(p.name) + pageGap(width)
	}
	return 0, false
}

// drawPages writes the tabs of the pages, and the names of columns beside them where there is only this line.
func (m *Model) drawPages(c raster.Canvas, s *simulator) {
	th := m.theme
	x := 1
	for i, p := range simPages {
		st := th.Dim
		if simPage(i) == s.form.page {
			st = th.Accent
			st.Attr |= raster.Underline
		}
		x = c.Text(x, 0, p.name, st) + pageGap(c.W)
	}
	doc := simPages[s.form.page].doc
	if s.form.page == pageMachine {
		doc = s.baseName + ": " + doc
	}
	if n := raster.TextWidth(doc); x+n+1 < c.W {
		c.Text(c.W-1-n, 0, doc, th.Dim)
	}
}

// recentRuns is how many of the last runs are listed below the machine, where there is room.
const recentRuns = 5

// simulatorHeight is what the pane can use: the machine and the last runs below it.
func (m *Model) simulatorHeight() int {
	s := m.simulatorFor(m.window())
	if s == nil || s.program == nil {
		return 9
	}
	return layMachine(s, m.width).height + recentRuns + 7
}

// drawForm draws the fields of the page that are in view.
func (m *Model) drawForm(c raster.Canvas, r raster.Rect, s *simulator) {
	f := &s.form
	l := s.lay(r.W)
	if len(l.head) > 0 {
		line := c.Sub(r.X, r.Y, r.W, 1)
		for _, t := range l.head {
			m.drawFormText(line, l, f.left[f.page], 0, t, m.theme.Dim)
		}
		r.Y, r.H = r.Y+1, r.H-1
	}
	if r.H <= 0 {
		return
	}
	f.body = r
	s.scroll(l, r)
	body := c.Sub(r.X, r.Y, r.W, r.H)
	top, left := f.top[f.page], f.left[f.page]
	selected := -1 // the line of the cursor, where rows have names
	if cell := s.cell(); cell != nil && l.frozen > 0 {
		selected = cell.y
	}
	if f.page == pageRuns && selected >= 0 {
		m.drawRunLine(body, selected-top)
	}
	for _, t := range l.texts {
		if t.y < top || t.y >= top+r.H {
			continue
		}
		st := m.theme.Dim
		switch {
		case t.strong:
			st = m.theme.Accent
		case t.y == selected && t.fixed && m.paneFocus:
			st = m.theme.Bold
		case f.page == pageRuns && l.run[t.y] == s.shown:
			st = m.theme.Text
		}
		m.drawFormText(body, l, left, t.y-top, t, st)
	}
	for i := range l.cells {
		if cell := &l.cells[i]; cell.y >= top && cell.y < top+r.H && cell.field != nil {
			m.drawField(body, s, l, cell, i == f.at[f.page], cell.y-top, left)
		}
	}
	style.DrawScrollbar(body, top, r.H, l.height, m.theme)
}

// drawRecent lists the last runs.
func (m *Model) drawRecent(c raster.Canvas, s *simulator) {
	l := layRuns(s, c.W)
	for _, t := range l.head {
		st := m.theme.Dim
		if t.fixed {
			t.text, st = "Runs", m.theme.Accent
		}
		m.drawFormText(c, l, 0, 0, t, st)
	}
	for _, t := range l.texts {
		if t.y+1 >= c.H {
			break
		}
		st := m.theme.Dim
		if l.run[t.y] == s.shown {
			st = m.theme.Text
		}
		m.drawFormText(c, l, 0, t.y+1, t, st)
	}
}

// drawRunLine lights the run of the cursor.
func (m *Model) drawRunLine(c raster.Canvas, y int) {
	st := m.theme.Focus
	if !m.paneFocus {
		st = m.theme.Head
	}
	if y >= 0 && y < c.H {
		c.Sub(0, y, c.W-1, 1).Fill(raster.Cell{Rune: ' ', Style: st})
	}
}

// scroll keeps the cursor in view.
func (s *simulator) scroll(l *formLayout, r raster.Rect) {
	f := &s.form
	top, left := &f.top[f.page], &f.left[f.page]
	if c := s.cell(); c != nil {
		first := c.y
		if first == 1 {
			first = 0 // its heading
		}
		*top = min(max(*top, c.y-r.H+1), first)
		if l.frozen > 0 && c.field != nil {
			*left = min(max(*left, c.x+c.w+1-r.W), c.x-l.frozen)
		}
	}
	*top = max(min(*top, l.height-r.H), 0)
	*left = max(min(*left, l.width-r.W), 0)
}

func (m *Model) drawFormText(c raster.Canvas, l *formLayout, left, y int, t formText, st raster.Style) {
	x := t.x
	if !t.fixed && l.frozen > 0 {
		if x -= left; x < l.frozen || x+t.w > c.W {
			return
		}
	}
	text := m.theme.Cut(t.text, t.w)
	if at := c.At(min(max(x, 0), c.W-1), y); at.BG.IsSet() { // on the line of the cursor
		st.BG = at.BG
	}
	if t.right {
		x += t.w - raster.TextWidth(text)
	}
	c.Text(x, y, text, st)
}

// drawField draws a title and its value, or a value alone.
func (m *Model) drawField(c raster.Canvas, s *simulator, l *formLayout, cell *formCell, chosen bool, y, left int) {
	th, f := m.theme, cell.field
	x := cell.x
	if l.frozen > 0 {
		if x -= left; x < l.frozen || x+cell.w > c.W {
			return
		}
	}
	label, value := th.Dim, th.Text
	now, before := f.text(&s.now), f.text(&s.base)
	if now != before {
		value = th.Warn
		value.Attr |= raster.Bold
	}
	if chosen {
		st := th.Head
		if m.paneFocus {
			st = th.Focus
		}
		c.Sub(x, y, cell.w, 1).Fill(raster.Cell{Rune: ' ', Style: st})
		label = st
		if now == before {
			value = st
		} else {
			value.BG = st.BG
		}
	}
	room := cell.w
	if cell.labelW > 0 {
		c.Text(x, y, th.Cut(cell.label, cell.labelW-1), label)
		room -= cell.labelW
	}
	text := th.Cut(f.text(&s.now), room)
	c.Text(x+cell.w-raster.TextWidth(text), y, text, value)
}

// drawFieldText says what the field at the cursor is, or what a run was.
func (m *Model) drawFieldText(c raster.Canvas, s *simulator) {
	th, cell := m.theme, s.cell()
	if cell == nil {
		return
	}
	var line style.Line
	if s.form.page == pageRuns {
		line = m.runText(s, s.form.layout.run[s.form.at[pageRuns]])
	} else {
		line = fieldText(s, cell, th)
		if c.H == 1 && cell.labelW > 0 { // the value stands above
			line = slices.Delete(line, 1, 2)
		}
	}
	if last := len(line) - 1; c.H == 1 && last > 0 && strings.HasPrefix(line[last].Text, "; ideal") && raster.TextWidth(line.Plain()) >= c.W-1 {
		line = line[:last]
	}
	text := strings.TrimSpace(line.Plain())
	if raster.TextWidth(text) < c.W-1 || c.H == 1 {
		x := 1
		for _, part := range line {
			x = c.Text(x, 0, th.Cut(th.ASCII(part.Text), max(c.W-1-x, 0)), part.Style)
		}
		return
	}
	// What it is and its value stand on the first line, the explanation below.
	x, y := 1, 0
	for _, part := range line {
		if y == 0 && part.Style == th.Dim {
			x, y = 1, 1
		}
		x = c.Text(x, y, th.Cut(th.ASCII(strings.TrimLeft(part.Text, " ;")), max(c.W-1-x, 0)), part.Style) + 2
	}
}

func fieldText(s *simulator, cell *formCell, th *style.Theme) style.Line {
	f := cell.field
	title := f.p.Name
	if cell.labelW == 0 { // a table
		title = f.p.Title
		if f.p.Node != nil {
			title = cell.label + " " + f.p.Name
		}
	}
	line := style.Line{{Text: title, Style: th.Accent}, {Text: "  " + f.text(&s.now), Style: th.Bold}}
	if before := f.text(&s.base); before != f.text(&s.now) {
		line = append(line, style.Span{Text: "  (was " + before + ")", Style: th.Warn})
	}
	doc := f.p.Doc
	if v, same := f.get(&s.now); same && len(f.p.Choices) > 0 && int(v) < len(f.p.Choices) && v >= 0 {
		doc = f.p.Choices[int(v)].Doc + "; " + doc
	}
	line = append(line, style.Span{Text: "  " + doc, Style: th.Dim})
	if f.p.Name != "model" && f.p.Name != "rule" && f.p.Name != "module" {
		line = append(line, style.Span{Text: "; ideal: " + f.p.Show(f.p.Default), Style: th.Dim})
	}
	return line
}

// runText says what a run was, and how it differs from the one that is marked.
func (m *Model) runText(s *simulator, r *simRun) style.Line {
	th := m.theme
	line := style.Line{{Text: fmt.Sprintf("run %d", r.number), Style: th.Accent}}
	changes := strings.Join(r.changes, ", ")
	if k := s.marked; k != nil && k != r {
		line = append(line, style.Span{Text: fmt.Sprintf("  against run %d", k.number), Style: th.Text})
		changes = strings.Join(differences(k.scenario, r.scenario, s.blockName), ", ")
	} else if r.name != "" {
		line = append(line, style.Span{Text: "  " + r.baseName, Style: th.Text})
	}
	none := "nothing differs from " + r.baseName
	if s.marked == r {
		none = "this one is marked: the others are compared with it"
	} else if s.marked != nil {
		none = "nothing differs"
	}
	line = append(line, style.Span{Text: "  " + orElse(changes, none), Style: th.Dim})
	return line
}

// simulatorLines is the height of the simulator's pane.
func (m *Model) simulatorLines(room int) int { return max(min(room*2/5, m.simulatorHeight()), 9) }
