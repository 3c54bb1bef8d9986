package tui

import (
	"fmt"
	"slices"
	"strings"

	"pview/prv"
	"pview/prv/quantity"
	"pview/tui/raster"
)

// How the simulator is drawn. From the top: the heading with the tabs of the panes, what was predicted, the pages, the fields, what the field of the
// cursor is.

func (m *Model) drawSimulator(c raster.Canvas) {
	th, w := m.theme, m.window()
	head := c.Sub(0, 0, c.W, 1)
	x := m.drawTabs(head)
	s := m.simulatorFor(w)
	st, dim := th.head, th.headDim
	if m.paneFocus {
		st, dim = th.focus, th.focusDim
	}
	end := c.W - 1
	if right := th.ascii(m.simulatorState(s)); right != "" && x+raster.TextWidth(right)+2 < c.W {
		end -= raster.TextWidth(right)
		head.Text(end, 0, right, st)
		end -= 2
	}
	if s == nil {
		return
	}
	if s.shown != nil {
		head.Text(x, 0, th.cut(fmt.Sprintf("   run %d: %s", s.shown.number, s.shown.title()), end-x), dim)
	}
	s.form.body = rect{}
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
	m.drawForm(c, rect{0, y, c.W, c.H - y - doc}, s)
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
	text, st := m.theme.ascii("The program is being made from the trace…"), m.theme.dim
	switch {
	case s.err != nil:
		text, st = s.err.Error(), m.theme.warn
	case s.awaited:
		text = "The trace is still being read: its run is predicted when all of it is there."
	}
	for y, line := range wrap(text, max(c.W-4, 10)) {
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
	st := th.bold
	if s.run != nil && s.run.quick != nil {
		total, efficiency, known = s.run.quick.Total, runningShare(s.run.quick, len(s.program.Threads)), true
	} else if s.run != nil || s.waiting != 0 || s.err != nil {
		st = th.dim // it is that of a machine before
	}
	base := s.baseline()
	line := styledLine{{"no prediction yet", th.dim}}
	if known {
		duration := func(ns float64) string { return raster.FormatDuration(int64(ns), prv.Nanoseconds) }
		line = styledLine{{"Predicted ", th.dim}, {duration(float64(total)), st}, {"   ", st}}
		if base > 0 && total > 0 {
			ratio := float64(total) / base
			line = append(line, span{fmt.Sprintf("%.3f", ratio), st}, span{" of measured", th.dim})
			if s.marked == nil || c.W >= 92 { // the line above the windows has it, too
				line = append(line, span{" " + duration(base), th.dim})
			}
			if c.W >= 100 && total > 0 {
				line = append(line, span{fmt.Sprintf(" (speedup %.3f)", 1/ratio), th.dim})
			}
		}
		line = append(line, span{"   efficiency ", th.dim}, span{fmt.Sprintf("%.1f %%", 100*efficiency), st})
		if k := s.marked; k != nil && k != s.shown {
			line = append(line, span{fmt.Sprintf("   %+.2f %% against run %d", 100*(float64(total)/max(float64(k.result.Total), 1)-1), k.number), th.accent})
		}
		if r := s.shown; r != nil && c.W >= 120 {
			line = append(line, span{fmt.Sprintf("   %s messages, %s", raster.FormatCount(r.result.Messages), bytesText(r.result.Bytes)), th.dim})
		}
	}
	x := 1
	for _, part := range line {
		x = c.Sub(0, 0, c.W-1, 1).Text(x, 0, th.ascii(part.text), part.st)
	}
	y := 1
	if s.err != nil {
		lines := wrap(s.err.Error(), max(c.W-3, 10))
		room := min(len(lines), max(c.H/3, 1))
		for _, text := range lines[:room] {
			c.Text(1, y, text, th.alarm)
			y++
		}
		if room < len(lines) {
			more := th.ascii("…  " + keysOf("sim-problem") + " shows all ")
			c.Text(max(c.W-1-raster.TextWidth(more), 1), y-1, " "+more, th.accent)
		}
	} else if c.H >= 14 {
		for _, text := range s.remarks {
			c.Text(1, y, th.cut(text, c.W-2), th.warn)
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
		st := th.dim
		if simPage(i) == s.form.page {
			st = th.accent
			st.Attr |= raster.Underline
		}
		x = c.Text(x, 0, p.name, st) + pageGap(c.W)
	}
	doc := simPages[s.form.page].doc
	if s.form.page == pageMachine {
		doc = s.baseName + ": " + doc
	}
	if n := raster.TextWidth(doc); x+n+1 < c.W {
		c.Text(c.W-1-n, 0, doc, th.dim)
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
func (m *Model) drawForm(c raster.Canvas, r rect, s *simulator) {
	f := &s.form
	l := s.lay(r.w)
	if len(l.head) > 0 {
		line := c.Sub(r.x, r.y, r.w, 1)
		for _, t := range l.head {
			m.drawFormText(line, l, f.left[f.page], 0, t, m.theme.dim)
		}
		r.y, r.h = r.y+1, r.h-1
	}
	if r.h <= 0 {
		return
	}
	f.body = r
	s.scroll(l, r)
	body := c.Sub(r.x, r.y, r.w, r.h)
	top, left := f.top[f.page], f.left[f.page]
	selected := -1 // the line of the cursor, where rows have names
	if cell := s.cell(); cell != nil && l.frozen > 0 {
		selected = cell.y
	}
	if f.page == pageRuns && selected >= 0 {
		m.drawRunLine(body, selected-top)
	}
	for _, t := range l.texts {
		if t.y < top || t.y >= top+r.h {
			continue
		}
		st := m.theme.dim
		switch {
		case t.strong:
			st = m.theme.accent
		case t.y == selected && t.fixed && m.paneFocus:
			st = m.theme.bold
		case f.page == pageRuns && l.run[t.y] == s.shown:
			st = m.theme.text
		}
		m.drawFormText(body, l, left, t.y-top, t, st)
	}
	for i := range l.cells {
		if cell := &l.cells[i]; cell.y >= top && cell.y < top+r.h && cell.field != nil {
			m.drawField(body, s, l, cell, i == f.at[f.page], cell.y-top, left)
		}
	}
	drawScrollbar(body, top, r.h, l.height, m.theme)
}

// drawRecent lists the last runs.
func (m *Model) drawRecent(c raster.Canvas, s *simulator) {
	l := layRuns(s, c.W)
	for _, t := range l.head {
		st := m.theme.dim
		if t.fixed {
			t.text, st = "Runs", m.theme.accent
		}
		m.drawFormText(c, l, 0, 0, t, st)
	}
	for _, t := range l.texts {
		if t.y+1 >= c.H {
			break
		}
		st := m.theme.dim
		if l.run[t.y] == s.shown {
			st = m.theme.text
		}
		m.drawFormText(c, l, 0, t.y+1, t, st)
	}
}

// drawRunLine lights the run of the cursor.
func (m *Model) drawRunLine(c raster.Canvas, y int) {
	st := m.theme.focus
	if !m.paneFocus {
		st = m.theme.head
	}
	if y >= 0 && y < c.H {
		c.Sub(0, y, c.W-1, 1).Fill(raster.Cell{Rune: ' ', Style: st})
	}
}

// scroll keeps the cursor in view.
func (s *simulator) scroll(l *formLayout, r rect) {
	f := &s.form
	top, left := &f.top[f.page], &f.left[f.page]
	if c := s.cell(); c != nil {
		first := c.y
		if first == 1 {
			first = 0 // its heading
		}
		*top = min(max(*top, c.y-r.h+1), first)
		if l.frozen > 0 && c.field != nil {
			*left = min(max(*left, c.x+c.w+1-r.w), c.x-l.frozen)
		}
	}
	*top = max(min(*top, l.height-r.h), 0)
	*left = max(min(*left, l.width-r.w), 0)
}

func (m *Model) drawFormText(c raster.Canvas, l *formLayout, left, y int, t formText, st raster.Style) {
	x := t.x
	if !t.fixed && l.frozen > 0 {
		if x -= left; x < l.frozen || x+t.w > c.W {
			return
		}
	}
	text := m.theme.cut(t.text, t.w)
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
	label, value := th.dim, th.text
	now, before := f.text(&s.now), f.text(&s.base)
	if now != before {
		value = th.warn
		value.Attr |= raster.Bold
	}
	if chosen {
		st := th.head
		if m.paneFocus {
			st = th.focus
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
		c.Text(x, y, th.cut(cell.label, cell.labelW-1), label)
		room -= cell.labelW
	}
	text := th.cut(f.text(&s.now), room)
	c.Text(x+cell.w-raster.TextWidth(text), y, text, value)
}

// drawFieldText says what the field at the cursor is, or what a run was.
func (m *Model) drawFieldText(c raster.Canvas, s *simulator) {
	th, cell := m.theme, s.cell()
	if cell == nil {
		return
	}
	var line styledLine
	if s.form.page == pageRuns {
		line = m.runText(s, s.form.layout.run[s.form.at[pageRuns]])
	} else {
		line = fieldText(s, cell, th)
		if c.H == 1 && cell.labelW > 0 { // the value stands above
			line = slices.Delete(line, 1, 2)
		}
	}
	if last := len(line) - 1; c.H == 1 && last > 0 && strings.HasPrefix(line[last].text, "; ideal") && raster.TextWidth(line.plain()) >= c.W-1 {
		line = line[:last]
	}
	text := strings.TrimSpace(line.plain())
	if raster.TextWidth(text) < c.W-1 || c.H == 1 {
		x := 1
		for _, part := range line {
			x = c.Text(x, 0, th.cut(th.ascii(part.text), max(c.W-1-x, 0)), part.st)
		}
		return
	}
	// What it is and its value stand on the first line, the explanation below.
	x, y := 1, 0
	for _, part := range line {
		if y == 0 && part.st == th.dim {
			x, y = 1, 1
		}
		x = c.Text(x, y, th.cut(th.ascii(strings.TrimLeft(part.text, " ;")), max(c.W-1-x, 0)), part.st) + 2
	}
}

func fieldText(s *simulator, cell *formCell, th *theme) styledLine {
	f := cell.field
	title := f.p.Name
	if cell.labelW == 0 { // a table
		title = f.p.Title
		if f.p.Node != nil {
			title = cell.label + " " + f.p.Name
		}
	}
	line := styledLine{{title, th.accent}, {"  " + f.text(&s.now), th.bold}}
	if before := f.text(&s.base); before != f.text(&s.now) {
		line = append(line, span{"  (was " + before + ")", th.warn})
	}
	doc := f.p.Doc
	if v, same := f.get(&s.now); same && len(f.p.Choices) > 0 && int(v) < len(f.p.Choices) && v >= 0 {
		doc = f.p.Choices[int(v)].Doc + "; " + doc
	}
	line = append(line, span{"  " + doc, th.dim})
	if f.p.Name != "model" && f.p.Name != "rule" && f.p.Name != "module" {
		line = append(line, span{"; ideal: " + f.p.Show(f.p.Default), th.dim})
	}
	return line
}

// runText says what a run was, and how it differs from the one that is marked.
func (m *Model) runText(s *simulator, r *simRun) styledLine {
	th := m.theme
	line := styledLine{{fmt.Sprintf("run %d", r.number), th.accent}}
	changes := strings.Join(r.changes, ", ")
	if k := s.marked; k != nil && k != r {
		line = append(line, span{fmt.Sprintf("  against run %d", k.number), th.text})
		changes = strings.Join(differences(k.scenario, r.scenario, s.blockName), ", ")
	} else if r.name != "" {
		line = append(line, span{"  " + r.baseName, th.text})
	}
	none := "nothing differs from " + r.baseName
	if s.marked == r {
		none = "this one is marked: the others are compared with it"
	} else if s.marked != nil {
		none = "nothing differs"
	}
	line = append(line, span{"  " + orElse(changes, none), th.dim})
	return line
}
