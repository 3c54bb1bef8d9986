package simulator

import (
	"fmt"
	"slices"
	"strings"

	"pview/insight/report"
	"pview/prv/quantity"
	"pview/render/raster"
	"pview/render/style"
	"pview/sim"
	"pview/sim/scenario"
)

// How the simulator is drawn. From the top: the heading, the prediction, the fields, an explanation of the field at the
// cursor.

// Height returns the useful height of the pane: the machine and the last runs below it.
func (p view) Height(room int) int {
	const least = 10
	s := p.current()
	if s == nil && p.sc.View != nil && p.sc.View.Trace.Predicted {
		return 4
	}
	if s != nil && s.devices != nil {
		return max(room/2, least)
	}
	if s == nil || s.program == nil {
		return least
	}
	return max(min(room*2/5, s.machineHeight(p.sc.Width)+recentRuns+6), least)
}

// Draw paints the pane.
func (p view) Draw(c raster.Canvas) {
	s := p.current()
	p.drawHead(c.Sub(0, 0, c.W, 1), s)
	if s == nil {
		p.drawNoSimulation(c.Sub(0, 1, c.W, c.H-1))
		return
	}
	s.form.body = raster.Rect{}
	whole := c
	c = c.Sub(0, 1, c.W, c.H-1)
	if s.program == nil && s.devices != nil {
		p.drawDevices(whole, c, s.devices)
		return
	}
	if s.program == nil {
		p.sc.DrawMissing(c.Sub(2, 0, c.W-4, c.H), s.missing())
		return
	}
	y := p.drawAnswer(c, s)
	doc := 0
	if c.H-y >= 5 {
		doc = 1
		if c.H-y >= roomForProse {
			doc = 2
		}
	}
	if s.sweep != nil {
		p.drawSweep(c.Sub(0, y, c.W, c.H-y), s)
		return
	}
	p.drawForm(c, raster.Rect{X: 0, Y: y, W: c.W, H: c.H - y - doc}, s)
	if s.form.page == pageMachine && len(s.history.Runs()) > 1 {
		if from := y + s.form.layout.height + 1; c.H-doc-from >= 4 {
			p.drawRecent(c.Sub(0, from, c.W, min(c.H-doc-from, recentRuns+1)), s)
		}
	}
	if doc > 0 {
		p.drawFieldText(c.Sub(0, c.H-doc, c.W, doc), s)
	}
}

// drawHead writes the run that is shown, and the work in progress.
func (p view) drawHead(c raster.Canvas, s *Simulation) {
	th := p.sc.Theme
	x, dim := p.sc.Head(c)
	st := th.Head
	if p.sc.Focused {
		st = th.Focus
	}
	end := c.W - 1
	if right := th.ASCII(s.state()); right != "" && x+raster.TextWidth(right)+2 < c.W {
		end -= raster.TextWidth(right)
		c.Text(end, 0, right, st)
		end -= 2
	}
	switch {
	case s == nil:
	case s.history.Shown() != nil:
		r := s.history.Shown()
		c.Text(x, 0, th.Cut("   "+runName(r)+": "+r.Title(), end-x), dim)
	case s.program != nil:
		c.Text(x, 0, th.Cut("   "+s.Setup().BaseName, end-x), dim)
	}
}

// drawNoSimulation explains why nothing is simulated for a prediction whose measured run was closed.
func (p view) drawNoSimulation(c raster.Canvas) {
	if v := p.sc.View; v != nil && v.Trace.Predicted {
		text := "This is a prediction, and the run that it was made from is closed. " +
			p.sc.KeysOf("workspace what-if") + " simulates the prediction itself."
		p.sc.DrawText(c.Sub(2, 0, c.W-4, c.H), text, p.sc.Theme.Dim)
	}
}

// drawAnswer writes the prediction and any error; it returns the line below.
func (p view) drawAnswer(c raster.Canvas, s *Simulation) int {
	x := 1
	for _, part := range p.answer(s, c.W, c.H) {
		x = c.Sub(0, 0, c.W-1, 1).Text(x, 0, p.sc.Theme.ASCII(part.Text), part.Style)
	}
	if s.err != nil {
		return p.drawProblem(c, s)
	}
	y := 1
	caution := func(text string, most int) {
		for _, line := range p.shortened(text, c.W-2, most) {
			c.Text(1, y, line, p.sc.Theme.Warn)
			y++
		}
	}
	if why := s.doubt(); why != "" {
		caution(why, max(c.H/6, 1))
	}
	if c.H >= roomForRemarks {
		if s.replay != nil && s.replay.Doubtful() {
			caution(report.UpperFirst(s.replay.String()), 1)
		}
		for _, text := range s.program.Remarks {
			caution(text, 1)
		}
	}
	return y
}

// roomForRemarks is the minimum height of the pane for lines with remarks on the program; below it only counts them.
const roomForRemarks = 13

// shortened breaks a text into a few lines; if it cuts the text, the last line ends with the key that shows all of it.
func (p view) shortened(text string, width, most int) []string {
	lines := style.Wrap(text, max(width-1, 10))
	if len(lines) <= most {
		return lines
	}
	more := "  " + p.sc.KeysOf("machine problem")
	rest := max(width-raster.TextWidth(more), 0)
	return append(lines[:most-1], p.sc.Theme.Cut(strings.Join(lines[most-1:], " "), rest)+more)
}

// answer describes the prediction, as far as it fits.
func (p view) answer(s *Simulation, width, height int) style.Line {
	th := p.sc.Theme
	shown, marked := s.history.Shown(), s.history.Marked()
	result, utilisation, final := s.figures()
	if result == nil {
		return style.Line{{Text: "no prediction yet", Style: th.Dim}}
	}
	st := th.Bold
	if !final {
		st = th.Dim
	}
	total := result.Total
	line := style.Line{{Text: "Predicted ", Style: th.Dim}, {Text: duration(total), Style: st},
		{Text: "   ", Style: st}}
	add := func(st raster.Style, format string, args ...any) {
		line = append(line, style.Span{Text: fmt.Sprintf(format, args...), Style: st})
	}
	if base := s.baseline(); base > 0 && total > 0 {
		ratio := float64(total) / base
		add(st, "%.3f", ratio)
		add(th.Dim, " of measured")
		if marked == nil || width >= 92 { // the line above the windows has it, too
			add(th.Dim, " %s", duration(int64(base)))
		}
		if width >= 100 {
			add(th.Dim, " (speedup %.3f)", 1/ratio)
		}
	}
	// The following parts are omitted unless they fit completely.
	fits := func(parts style.Line) {
		if both := slices.Concat(line, parts); raster.TextWidth(th.ASCII(both.Plain())) <= width-2 {
			line = both
		}
	}
	if s.replay != nil && s.replay.Doubtful() {
		fits(style.Line{{Text: fmt.Sprintf("   replay %s", quantity.FormatChange(s.replay.Off())), Style: th.Warn}})
	}
	if n := len(s.program.Remarks); n > 0 && height < roomForRemarks {
		fits(style.Line{{Text: "   " + raster.CountOf(n, "remark") + ": ", Style: th.Warn},
			{Text: p.sc.KeysOf("machine problem"), Style: th.Key}})
	}
	fits(style.Line{{Text: "   computing ", Style: th.Dim},
		{Text: quantity.FormatPercent(utilisation), Style: st}})
	if s.replay != nil && !s.replay.Doubtful() {
		fits(style.Line{{Text: fmt.Sprintf("   replay %s", quantity.FormatChange(s.replay.Off())), Style: th.Dim}})
	}
	if marked != nil && marked != shown {
		fits(style.Line{{Text: fmt.Sprintf("   %s against %s", percentMore(total, marked.Result.Total),
			runName(marked)), Style: th.Accent}})
	}
	if shown != nil {
		fits(style.Line{{Text: fmt.Sprintf("   %s, %s", quantity.CountOf(shown.Result.Messages, "message"),
			quantity.Bytes.Format(float64(shown.Result.Bytes))), Style: th.Dim}})
	}
	return line
}

// figures returns the figures of the shown run, or of the run in progress once its totals are known; final is false for
// those of an earlier machine.
func (s *Simulation) figures() (r *sim.Result, utilisation float64, final bool) {
	if s.run != nil && s.run.quick != nil {
		return s.run.quick, s.run.quick.Utilisation(len(s.program.Threads)), true
	}
	if shown := s.history.Shown(); shown != nil {
		r, utilisation = shown.Result, shown.Utilisation
	}
	return r, utilisation, s.run == nil && s.waiting == 0 && s.err == nil
}

// drawProblem explains why there is no prediction, in a third of the pane; it returns the line below.
func (p view) drawProblem(c raster.Canvas, s *Simulation) int {
	th, y := p.sc.Theme, 1
	lines := style.Wrap(s.err.Error(), max(c.W-3, 10))
	room := min(len(lines), max(c.H/3, 1))
	for _, text := range lines[:room] {
		c.Text(1, y, text, th.Alarm)
		y++
	}
	if room < len(lines) {
		more := th.ASCII("…  " + p.sc.KeysOf("machine problem") + " shows all ")
		c.Text(max(c.W-1-raster.TextWidth(more), 1), y-1, " "+more, th.Accent)
	}
	return y
}

// recentRuns is the number of runs that are listed below the machine, if there is room.
const recentRuns = 5

// drawForm draws the visible fields of the page.
func (p view) drawForm(c raster.Canvas, r raster.Rect, s *Simulation) {
	f := &s.form
	l := s.lay(r.W)
	if len(l.head) > 0 {
		line := c.Sub(r.X, r.Y, r.W, 1)
		for _, t := range l.head {
			p.drawLabel(line, l, f.left[f.page], 0, t, p.sc.Theme.Dim)
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
	selected := -1 // the line of the cursor, if rows have names
	if cell := s.cell(); cell != nil && l.frozen > 0 {
		selected = cell.y
	}
	if f.page == pageRuns && selected >= 0 {
		p.drawRunLine(body, selected-top)
	}
	for _, t := range l.texts {
		if t.y >= top && t.y < top+r.H {
			p.drawLabel(body, l, left, t.y-top, t, p.labelStyle(s, l, t, selected))
		}
	}
	for i := range l.cells {
		if cell := &l.cells[i]; cell.y >= top && cell.y < top+r.H && cell.field != nil {
			p.drawField(body, s, l, cell, i == f.at[f.page], cell.y-top, left)
		}
	}
	if l.picture != nil && r.W > l.pictureX+12 {
		l.picture(p, c.Sub(r.X+l.pictureX, r.Y, r.W-l.pictureX-1, r.H))
	}
	style.DrawScrollbar(body, top, r.H, l.height, p.sc.Theme)
}

// labelStyle returns the style of a text; selected is the line of the cursor.
func (p view) labelStyle(s *Simulation, l *layout, t label, selected int) raster.Style {
	switch {
	case t.strong:
		return p.sc.Theme.Accent
	case t.y == selected && t.fixed && p.sc.Focused:
		return p.sc.Theme.Bold
	case t.y < len(l.run) && l.run[t.y] == s.history.Shown():
		return p.sc.Theme.Text
	}
	return p.sc.Theme.Dim
}

// drawRecent lists the last runs.
func (p view) drawRecent(c raster.Canvas, s *Simulation) {
	l := layRuns(s, c.W)
	for _, t := range l.head {
		st := p.sc.Theme.Dim
		if t.fixed {
			t.text, st = "Runs", p.sc.Theme.Accent
		}
		p.drawLabel(c, l, 0, 0, t, st)
	}
	for _, t := range l.texts {
		if t.y+1 >= c.H {
			break
		}
		p.drawLabel(c, l, 0, t.y+1, t, p.labelStyle(s, l, t, -1))
	}
}

// drawRunLine highlights the run at the cursor.
func (p view) drawRunLine(c raster.Canvas, y int) {
	st := p.sc.Theme.Focus
	if !p.sc.Focused {
		st = p.sc.Theme.Head
	}
	if y >= 0 && y < c.H {
		c.Sub(0, y, c.W-1, 1).Fill(raster.Cell{Rune: ' ', Style: st})
	}
}

// scroll keeps the cursor in view.
func (s *Simulation) scroll(l *layout, r raster.Rect) {
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

// drawLabel writes a text, unless it is scrolled out of view.
func (p view) drawLabel(c raster.Canvas, l *layout, left, y int, t label, st raster.Style) {
	x := t.x
	if !t.fixed && l.frozen > 0 {
		if x -= left; x < l.frozen || x+t.w > c.W {
			return
		}
	}
	text := p.sc.Theme.Cut(t.text, t.w)
	if at := c.At(min(max(x, 0), c.W-1), y); at.BG.IsSet() { // on the line of the cursor
		st.BG = at.BG
	}
	if t.right {
		x += t.w - raster.TextWidth(text)
	}
	c.Text(x, y, text, st)
}

// drawField draws a title and its value, or a value alone.
func (p view) drawField(c raster.Canvas, s *Simulation, l *layout, cell *cell, chosen bool, y, left int) {
	th, f := p.sc.Theme, cell.field
	x := cell.x
	if l.frozen > 0 {
		if x -= left; x < l.frozen || x+cell.w > c.W {
			return
		}
	}
	label, value := th.Dim, th.Text
	setup := s.Setup()
	now, before := f.text(&setup.Scenario), f.text(&setup.Base)
	if now != before {
		value = th.Warn
		value.Attr |= raster.Bold
	}
	if chosen {
		st := th.Head
		if p.sc.Focused {
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
	text := th.Cut(now, room)
	c.Text(x+cell.w-raster.TextWidth(text), y, text, value)
}

// drawFieldText explains the field at the cursor, or describes a run.
func (p view) drawFieldText(c raster.Canvas, s *Simulation) {
	th, cell := p.sc.Theme, s.cell()
	if cell == nil {
		return
	}
	var line style.Line
	if s.form.page == pageRuns {
		line = p.runText(s, s.Run())
	} else {
		line = fieldText(s, cell, th)
		if c.H == 1 && cell.labelW > 0 { // the value is shown above
			line = slices.Delete(line, 1, 2)
		}
	}
	if last := len(line) - 1; c.H == 1 && last > 0 && strings.HasPrefix(line[last].Text, idealText) &&
		raster.TextWidth(line.Plain()) >= c.W-1 {
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
	// The explanation starts after the field's title and value, and continues below.
	x, prose := 1, ""
	for _, part := range line {
		if part.Style == th.Dim {
			prose += th.ASCII(part.Text)
			continue
		}
		x = c.Text(x, 0, th.Cut(th.ASCII(part.Text), max(c.W-1-x, 0)), part.Style)
	}
	first := style.Wrap(prose, max(c.W-3-x, 10))[0]
	if raster.TextWidth(first) > c.W-3-x {
		first = ""
	}
	c.Text(x+2, 0, first, th.Dim)
	rest := strings.TrimPrefix(strings.Join(strings.Fields(prose), " "), first)
	lines := style.Wrap(rest, c.W-2)
	for y := range min(len(lines), c.H-1) {
		if text := lines[y]; y+2 < c.H {
			c.Text(1, y+1, text, th.Dim)
		} else {
			c.Text(1, y+1, th.Cut(strings.Join(lines[y:], " "), c.W-2), th.Dim)
		}
	}
}

// roomForProse is the minimum height for two lines of a field's explanation.
const roomForProse = 6

// fieldText explains a field.
func fieldText(s *Simulation, cell *cell, th *style.Theme) style.Line {
	f, setup := cell.field, s.Setup()
	title := f.p.Name
	if cell.labelW == 0 { // a table
		title = f.p.Title
		if f.p.Node != nil {
			title = cell.label + " " + f.p.Name
		}
	}
	now, before := f.text(&setup.Scenario), f.text(&setup.Base)
	line := style.Line{{Text: title, Style: th.Accent}, {Text: "  " + now, Style: th.Bold}}
	if before != now {
		line = append(line, style.Span{Text: "  (was " + before + ")", Style: th.Warn})
	}
	doc := f.p.Doc
	if v, same := f.get(&setup.Scenario); same && v >= 0 && int(v) < len(f.p.Choices) {
		doc = f.p.Choices[int(v)].Doc + "; " + doc
	}
	line = append(line, style.Span{Text: "  " + doc, Style: th.Dim})
	if f.p.Name != "model" && f.p.Name != "rule" && f.p.Name != "module" {
		line = append(line, style.Span{Text: idealText + f.p.Show(f.p.Default), Style: th.Dim})
	}
	return line
}

const idealText = "; ideal: "

// runText describes a run, and how it differs from the marked one.
func (p view) runText(s *Simulation, r *scenario.Run) style.Line {
	th, marked := p.sc.Theme, s.history.Marked()
	line := style.Line{{Text: runName(r), Style: th.Accent}}
	changes, none := r.Changes, "no differences to "+r.BaseName
	switch {
	case marked != nil && marked != r:
		line = append(line, style.Span{Text: "  against " + runName(marked), Style: th.Text})
		changes, none = scenario.Changes(marked.Scenario, r.Scenario, s.blockName()), "nothing differs"
	case r.Name != "":
		line = append(line, style.Span{Text: "  " + r.BaseName, Style: th.Text})
	}
	if marked == r {
		none = "marked for comparison: the others are compared with it"
	}
	text := strings.Join(changes, ", ")
	if text == "" {
		text = none
	}
	return append(line, style.Span{Text: "  " + text, Style: th.Dim})
}
