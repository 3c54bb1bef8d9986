package tui

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/progress"
	tea "charm.land/bubbletea/v2"

	"pview/prv/quantity"
	"pview/render/raster"
	"pview/render/style"
	"pview/render/timeline"
	"pview/tui/about"
	"pview/tui/desk"
	"pview/tui/pane"
	"pview/tui/screen"
)

// Drawing of the screen from the model. It changes nothing but the windows' pictures, which follow from their state.

// draw paints the whole screen and returns the place of the text cursor, nil for none.
func (m *screenModel) draw(c raster.Canvas) *tea.Position {
	if m.tiny() {
		return m.drawTiny(c)
	}
	l := m.layout()
	m.drawTitle(l.title.Of(c))
	if len(m.Windows) == 0 {
		m.drawStart(c.Sub(0, 1, c.W, c.H-2))
	} else {
		m.drawHeadline(l.headline.Of(c))
		m.drawOverview(l.overview.Of(c))
		for i := range m.Windows {
			if l.windows[i].head.H > 0 {
				m.drawWindow(c, i, &l.windows[i])
			}
		}
		m.drawLegend(l.legend.Of(c))
		if m.panes.open {
			m.drawBar(l.bar.Of(c))
			m.panes.current().Draw(l.pane.Of(c))
		}
		m.drawReadout(l.readout.Of(c))
	}
	m.drawStatus(l.status.Of(c), l.readout.H == 0)
	m.drawLongMessage(c)
	m.drawTip(c)
	return m.dialogs.Draw(c)
}

// drawTitle writes the top line: the trace in focus at the left, with its efficiency factors, and work in progress and
// problems at the right.
func (m *screenModel) drawTitle(c raster.Canvas) {
	th := m.theme
	c.Fill(raster.Cell{Rune: ' ', Style: th.Title})
	x := c.Text(1, 0, "pview", raster.Style{FG: th.Accent.FG, BG: th.Title.BG, Attr: th.Title.Attr | raster.Bold})
	right := m.titleNotices()
	end := c.W - 1
	for i := len(right) - 1; i >= 0; i-- {
		n := raster.TextWidth(right[i].Text)
		if end-n < x+14 {
			continue
		}
		st := right[i].Style
		st.BG, st.Attr = th.Title.BG, st.Attr|th.Title.Attr
		c.Text(end-n, 0, right[i].Text, st)
		end -= n + 2
	}
	w := m.Focused()
	if w == nil {
		return
	}
	facts, gap := traceFacts(w.Trace), 2
	for n := len(facts); n >= max(len(facts)-1, 2); n-- { // drop these before the number of nodes
		width := 0
		for _, part := range facts[:n] {
			width += gap + raster.TextWidth(part)
		}
		if m.drawTitleFactors(c, x+width+3, end-1) {
			facts = facts[:n]
			break
		}
	}
	for i, part := range facts {
		st := th.TitleDim
		if i == 0 {
			st = raster.Style{FG: th.Title.FG, BG: th.Title.BG, Attr: th.Title.Attr | raster.Bold}
		}
		n := raster.TextWidth(part)
		if x+gap+n > end-1 {
			if i == 0 {
				c.TextIn(x+gap, 0, end-1-x-gap, part, st, false)
			}
			return
		}
		x = c.Text(x+gap, 0, part, st)
	}
}

// traceTitle names a trace for pictures.
func traceTitle(t *timeline.Trace) string { return strings.Join(traceFacts(t), ", ") }

// traceFacts lists facts about a trace for the title, the most important first.
func traceFacts(t *timeline.Trace) []string {
	facts := []string{t.Name, raster.FormatDuration(t.Data.Duration, t.Data.Unit)}
	count := func(n int, word string) {
		if n > 1 {
			facts = append(facts, fmt.Sprintf("%s %ss", raster.FormatCount(int64(n)), word))
		} else if n == 1 {
			facts = append(facts, "1 "+word)
		}
	}
	if n := len(t.Data.Ptasks); n > 1 {
		count(n, "ptask")
	}
	count(len(t.Data.Tasks), "task")
	if n := t.Data.NumThreads(); n != len(t.Data.Tasks) {
		count(n, "thread")
	}
	count(len(t.Data.Nodes), "node")
	return facts
}

// titleNotices lists work in progress and problems of the trace.
func (m *screenModel) titleNotices() []style.Span {
	accent := func(text string) style.Span { return style.Span{Text: m.theme.ASCII(text), Style: m.theme.Accent} }
	spinning := func(text string) style.Span {
		return style.Span{Text: m.spin.View() + m.theme.ASCII(" "+text), Style: m.theme.Accent}
	}
	var list []style.Span
	if text := m.animation.Text(); text != "" {
		list = append(list, accent(text))
	}
	if first, n := m.windowsOnScreen(); n == 1 && len(m.Windows) > 1 {
		list = append(list, accent(fmt.Sprintf("window %d of %d", first+1, len(m.Windows))))
	} else if n > 0 && n < len(m.Windows) {
		list = append(list, accent(fmt.Sprintf("windows %d to %d of %d", first+1, first+n, len(m.Windows))))
	}
	w := m.Focused()
	if l := m.loader.current; l != nil && len(m.Windows) > 0 {
		var focus *timeline.Trace
		if w != nil {
			focus = w.Trace
		}
		list = append(list, spinning(l.notice(focus)))
	}
	if text := m.output.Progress(); text != "" {
		list = append(list, spinning(text))
	}
	settling := ""
	if t := m.spokenOf(); t != nil && m.headlineLines() > 0 {
		settling = m.headline.speaker.Settling(t)
	}
	for _, text := range m.panes.progress() {
		if text != settling { // otherwise the headline says it
			list = append(list, accent(text))
		}
	}
	if n, of := m.Refining(); of > 0 {
		list = append(list, spinning(fmt.Sprintf("refining… %d/%d", n, of)))
	} else if (*Model)(m).refines() {
		list = append(list, spinning("refining…"))
	}
	if w != nil {
		if text := m.follow.Notice(w.Trace); text != "" {
			list = append(list, accent(text))
		}
	}
	return append(list, m.titleWarnings(w)...)
}

// titleWarnings lists problems of the trace of the focused window, which may be nil, and of traces that were not read.
func (m *screenModel) titleWarnings(w *timeline.View) []style.Span {
	var list []style.Span
	warn := func(text string) {
		list = append(list, style.Span{Text: m.theme.ASCII("⚠ " + text + " (:problems)"), Style: m.theme.Warn})
	}
	if w != nil {
		if text := about.ProblemText(w.Trace.Data); text != "" {
			warn(text)
		}
	}
	if n := len(m.loader.errors); n > 0 {
		warn(quantity.CountOf(int64(n), "trace") + " not read")
	}
	if w != nil && w.Trace.Until > 0 && (m.loader.current == nil || m.loader.current.shown != w.Trace) {
		list = append(list, style.Span{Text: w.Trace.PartText(), Style: m.theme.Warn})
	}
	return list
}

func (m *screenModel) drawOverview(c raster.Canvas) {
	w := m.Focused()
	if c.H == 0 || w == nil {
		return
	}
	o := raster.Overview{Look: m.look, Axis: overviewAxis(w, c.W), Begin: w.Begin, End: w.End}
	if w.Trace.Profile != nil {
		o.Profile, o.Spread, o.Scale = timeline.Resampled(w.Trace.Profile, o.Axis.W)
		o.Unread = w.Trace.ProfileUntil
	} else {
		o.Profile, o.Unread = make([]float64, o.Axis.W), w.Trace.Until
		for i := range o.Profile {
			o.Profile[i] = raster.Absent
		}
	}
	o.Draw(c)
}

func overviewAxis(w *timeline.View, width int) raster.Axis {
	return raster.Axis{End: max(w.Trace.Data.Duration, 1), W: max(width-2, 0), Closed: true}
}

// drawWindow draws one window: heading, names, rows, axis.
func (m *screenModel) drawWindow(c raster.Canvas, i int, l *windowLayout) {
	w := m.Windows[i]
	if w.Values.Err != nil {
		w.DrawUnavailable(l.plot.Of(c), m.theme)
	} else {
		w.Draw(c, timeline.Frame{Labels: l.labels, Gap: l.gap, Plot: l.plot}, m.look, m.theme, m.Focused() == w)
		if on, ok := m.pixelated(w, l.plot); ok {
			m.drawPixels(c, i, l.plot, on)
		} else {
			m.drawPointers(l.plot.Of(c), i)
		}
	}
	m.drawHead(l.head.Of(c), i) // needs to know how the picture turned out
	if l.axis.H > 0 {
		w.DrawAxis(l.axis.Of(c), m.look, l.plot, m.axisMarks(i, l.plot))
		m.drawNotes(l.axis.Of(c), w, l.plot)
		m.drawPlace(l.axis.Of(c), i, l.plot)
	}
}

// drawPointers draws cursor and marks over the rows.
func (m *screenModel) drawPointers(c raster.Canvas, i int) {
	w := m.Windows[i]
	cu := raster.Cursors{Look: m.look, Axis: w.Axis(c.W), Layout: w.Paint.Layout}
	if b, e, ok := m.Selection(); ok {
		lo, hi := m.SelectedRows(w)
		cu.Select(c, w.Trace.FromNS(b), w.Trace.FromNS(e), lo, hi)
	}
	for k := range m.Marks {
		if m.Marks[k].Set {
			cu.Column(c, w.Trace.FromNS(m.Marks[k].NS), true)
		}
	}
	for _, p := range m.panes.list {
		if l, ok := p.(pane.Lighter); ok {
			l.Light(w, c, &cu)
		}
	}
	if i == m.Focus || w.Group != 0 && w.Group == m.Focused().Group {
		cu.Column(c, w.Cursor, false)
	}
	if i == m.Focus {
		cu.Cross(c, w.Cursor, w.CursorRow)
	}
}

// axisMarks returns the columns of window i's axis that notes and the cursor use.
func (m *screenModel) axisMarks(i int, plot raster.Rect) (list []int) {
	w := m.Windows[i]
	axis := w.Axis(plot.W)
	times := []int64{}
	for _, n := range m.panes.flags(w.Trace) {
		times = append(times, n.Time)
	}
	if i == m.Focus {
		times = append(times, w.Cursor)
	}
	for _, t := range times {
		if x, _, ok := axis.Columns(t); ok {
			list = append(list, x)
		}
	}
	return list
}

// drawNotes marks the notes of a trace on the time axis, with as much of their text as the times leave free.
func (m *screenModel) drawNotes(c raster.Canvas, w *timeline.View, plot raster.Rect) {
	for _, n := range m.panes.flags(w.Trace) {
		x, _, ok := w.Axis(plot.W).Columns(n.Time)
		if x += plot.X; !ok {
			continue
		}
		if cell := c.At(x, 0); cell.Rune != ' ' && cell.Rune != m.look.Glyphs.Tick { // a time stays readable
			cell.Style = m.theme.Accent
			c.Set(x, 0, cell)
			continue
		}
		free := 0
		for free < plot.X+plot.W-x-1 && c.At(x+1+free, 0).Rune == ' ' {
			free++
		}
		c.Set(x, 0, raster.Cell{Rune: m.look.Glyphs.Point, Style: m.theme.Accent})
		if raster.TextWidth(n.Text) < free || free > 6 { // leave a blank before the next time
			c.Text(x+1, 0, m.theme.Cut(n.Text, free-1), m.theme.Dim)
		}
	}
}

// drawPlace points to the cursor on the time axis of window i, below the rows.
func (m *screenModel) drawPlace(c raster.Canvas, i int, plot raster.Rect) {
	w := m.Windows[i]
	if x, _, ok := w.Axis(plot.W).Columns(w.Cursor); ok && i == m.Focus {
		c.Set(plot.X+x, 0, raster.Cell{Rune: m.look.Glyphs.Caret, Style: m.theme.Accent})
	}
}

// drawLegend names the values of the window in focus.
func (m *screenModel) drawLegend(c raster.Canvas) {
	w := m.Focused()
	if c.H == 0 || w == nil || w.Values.Err != nil {
		return
	}
	body := c.Sub(1, 0, c.W-2, c.H)
	switch {
	case w.Drawing.Graph:
		w.DrawGraphLegend(body, m.theme)
	case w.ColorMode() != raster.CodeColor:
		w.Paint.Legend.DrawGradient(body, &w.Paint.Painter, w.ValueUnit())
	default:
		legend := m.WithMirrored(w, w.LegendWithCursor(m.look))
		legend.ShowShare = true
		legend.Draw(body)
	}
}

// drawReadout describes the place of the cursor, and the time between the marks.
func (m *screenModel) drawReadout(c raster.Canvas) {
	w, th := m.Focused(), m.theme
	if c.H == 0 || w.Values.Err != nil || w.Rows(w.Trace.Data) == 0 {
		return
	}
	end := m.drawMarks(c)
	t := w.Trace.Data
	parts := style.Line{{Text: w.Short(w.RowName(w.CursorRow)), Style: th.Accent}}
	if i, ok := w.Message(); ok {
		parts = style.Line{{Text: "message", Style: th.Accent}}
		words := w.MessageText(i, false)
		if raster.TextWidth(strings.Join(words, "  ")) > end-len("message   ") {
			words = w.MessageText(i, true)
		}
		for _, text := range words {
			parts = append(parts, style.Span{Text: text, Style: th.Text})
		}
	}
	if unread := w.Unread(); unread > 0 && w.Cursor >= unread || w.UnreadRow(w.CursorRow) {
		parts = append(parts, style.Span{Text: raster.FormatTime(w.Cursor, t.Unit,
			max(w.Duration()/int64(max(c.W, 1)), 1)) + "  not read", Style: th.Text})
	} else if b, e, v, ok := w.Burst(w.CursorRow, w.Cursor); ok {
		// Enough digits to place the cursor within the burst.
		f := raster.NewTimeFormat(t.Unit, max(e, w.Cursor), max(min((e-b)/100, w.Duration()/int64(max(c.W, 1))), 1))
		parts = append(parts, style.Span{Text: f.Format(w.Cursor), Style: th.Text},
			style.Span{Text: w.ValueText(v), Style: th.Bold},
			style.Span{Text: "for " + raster.FormatDuration(e-b, t.Unit), Style: th.Text},
			style.Span{Text: f.Range(b, e), Style: th.Dim})
	} else {
		parts = append(parts, style.Span{Text: raster.FormatTime(w.Cursor, t.Unit,
			max(w.Duration()/int64(max(c.W, 1)), 1)), Style: th.Text})
		if w.Values.Busy {
			parts = append(parts, style.Span{Text: th.ASCII("…"), Style: th.Dim})
		}
	}
	if !w.CursorInView() {
		parts = append(parts, style.Span{Text: "(not in view)", Style: th.Dim})
	}
	x := 1
	for _, p := range parts {
		n := raster.TextWidth(p.Text)
		if x+n > end {
			if end-x > 8 {
				c.Text(x, 0, th.Cut(p.Text, end-x), p.Style)
			}
			return
		}
		x = c.Text(x, 0, p.Text, p.Style) + 2
	}
}

// drawMarks writes the times of the marks at the right end of a line, and returns the last free column.
func (m *screenModel) drawMarks(c raster.Canvas) int {
	end := m.beforeMarks(c.W)
	if text := m.marksText(m.Focused()); text != "" {
		c.Text(end+2, 0, text, m.theme.Warn)
	}
	return end
}

// beforeMarks returns the last free column of a line with the times of the marks.
func (m *screenModel) beforeMarks(width int) int {
	text := m.marksText(m.Focused())
	if text == "" {
		return width - 1
	}
	return width - 3 - raster.TextWidth(text)
}

// drawStatus writes the last line: a message, else hints.
func (m *screenModel) drawStatus(c raster.Canvas, marks bool) {
	th := m.theme
	end, text := c.W-1, m.scene.Messages.Text
	// A message goes before the marks.
	if marks && m.Focused() != nil && raster.TextWidth(text) <= m.beforeMarks(c.W)-1 {
		end = m.drawMarks(c)
	}
	if text != "" {
		st := th.Text
		if m.scene.Messages.Failed {
			st = th.Alarm
		}
		c.Text(1, 0, th.Cut(text, end-1), st)
		return
	}
	left, right := m.hints()
	width := func(h [2]string) int { return raster.TextWidth(th.ASCII(h[0])) + 1 + raster.TextWidth(h[1]) + 2 }
	put := func(x int, h [2]string) int {
		x = c.Text(x, 0, th.ASCII(h[0]), th.Key)
		return c.Text(x+1, 0, h[1], th.Dim) + 2
	}
	for i := len(right) - 1; i >= 0; i-- {
		if end-width(right[i]) > c.W/4 {
			end -= width(right[i])
			put(end+2, right[i])
		}
	}
	x := 1
	if m.PaneFocus && len(m.Windows) > 0 { // keys are the pane's
		x = c.Text(x, 0, " "+m.panes.shownName()+" ", th.Focus) + 1
	}
	for _, h := range left {
		if x+width(h) <= end+2 {
			x = put(x, h)
		}
	}
}

// drawLongMessage shows a message that is wider than the status line on the lines
// above it.
func (m *screenModel) drawLongMessage(c raster.Canvas) {
	th := m.theme
	if m.scene.Messages.Text == "" || raster.TextWidth(m.scene.Messages.Text) <= c.W-2 || m.dialogs.Top() != nil {
		return
	}
	lines := style.Wrap(m.scene.Messages.Text, c.W-2)
	if most := max(c.H/3, 1); len(lines) > most {
		last := lines[most-1] + " " + lines[most] + th.ASCII("…")
		lines = append(lines[:most-1], th.Cut(last, c.W-2))
	}
	st := th.Popup
	if m.scene.Messages.Failed {
		st = raster.Style{FG: th.Alarm.FG, BG: th.Popup.BG, Attr: th.Alarm.Attr}
	}
	for i, line := range lines {
		y := c.H - len(lines) + i
		c.Sub(0, y, c.W, 1).Fill(raster.Cell{Rune: ' ', Style: th.Popup})
		c.Text(1, y, line, st)
	}
}

// drawStart draws the screen without a trace: the progress of reading, or the possible actions.
func (m *screenModel) drawStart(c raster.Canvas) {
	th := m.theme
	y := max(c.H/2-4, 0)
	center := func(s string, st raster.Style) {
		c.Text(max((c.W-raster.TextWidth(s))/2, 1), y, s, st)
		y++
	}
	if l := m.loader.current; l != nil {
		center(baseName(l.name()), th.Bold)
		y++
		m.drawProgress(c, y, l)
		y += 2
		center(l.text(), th.Dim)
		y++
		center("Esc cancels", th.Dim)
		return
	}
	center("No trace is open", th.Bold)
	y++
	for _, err := range m.loader.errors {
		for _, line := range style.Wrap(err.Error(), c.W-4) {
			center(line, th.Alarm)
		}
	}
	y++
	for _, line := range [][2]string{{m.scene.KeysOf("open"), "open a trace"}, {m.scene.KeysOf("palette"),
		"all commands"},
		{m.scene.KeysOf("help"), "help"}, {m.scene.KeysOf("quit"), "quit"}} {
		x := max((c.W-24)/2, 1)
		c.TextIn(x, y, 8, th.ASCII(line[0]), th.Key, true)
		c.Text(x+10, y, line[1], th.Text)
		y++
	}
}

// drawProgress draws a bar on line y.
func (m *screenModel) drawProgress(c raster.Canvas, y int, l *loading) {
	th := m.theme
	width := min(c.W-8, 60)
	x := (c.W - width) / 2
	done, total := l.done.Load(), l.total.Load()
	if total <= 0 { // unknown
		screen.Paint(c, c.W/2, y, m.spin.View(), th.Accent)
		return
	}
	bar := progress.New(progress.WithWidth(max(width, 0)), progress.WithoutPercentage(),
		progress.WithFillCharacters(th.Glyphs.Thumb, th.Glyphs.Flat), progress.WithColors(screen.Color(th.Accent.FG)))
	bar.EmptyColor = screen.Color(th.Dim.FG)
	screen.Paint(c, x, y, bar.ViewAs(float64(done)/float64(total)), raster.Style{})
}

// drawTip draws the tip above the pointer, below it on the first lines.
func (m *screenModel) drawTip(c raster.Canvas) {
	t := m.pointer.tip
	if t.text == "" || m.dialogs.Top() != nil {
		return
	}
	text := " " + m.theme.Cut(t.text, max(c.W-4, 1)) + " "
	x, y := max(min(t.x+1, c.W-raster.TextWidth(text)), 0), t.y-1
	if y < 1 {
		y = t.y + 1
	}
	if y >= 0 && y < c.H {
		c.Text(x, y, text, m.theme.Popup)
	}
}

// columns returns the width of the window in focus.
func (m *screenModel) columns() int {
	l := m.layout()
	if m.Focus < len(l.windows) && l.windows[m.Focus].plot.W > 0 {
		return l.windows[m.Focus].plot.W
	}
	return max(m.width, 1)
}

// plots lists the parts of the screen that show time.
func (m *screenModel) plots() []screen.Plot {
	var plots []screen.Plot
	l := m.layout()
	for i, w := range m.Windows {
		if p := l.windows[i].plot; p.H > 0 {
			axis := raster.Rect{X: p.X, Y: l.windows[i].axis.Y, W: p.W, H: l.windows[i].axis.H}
			if _, drawn := m.pixelated(w, p); !drawn {
				plots = append(plots, screen.Plot{ID: w.ID, Part: p, Begin: w.Begin, End: w.End})
			}
			plots = append(plots, screen.Plot{ID: -w.ID, Part: axis, Begin: w.Begin, End: w.End})
		}
	}
	return plots
}

// marksText returns the times of the marks and their distance. All three have the same digits, and add up.
func (m *screenModel) marksText(w *timeline.View) string {
	t := w.Trace
	a, b := m.Marks[0], m.Marks[1]
	if !a.Set && !b.Set {
		return ""
	}
	step := decimalStep(w.Duration() / int64(max(m.columns(), 1)))
	if a.Set && b.Set {
		step = min(step, decimalStep(max(a.NS-b.NS, b.NS-a.NS)/t.Data.Unit.Nanoseconds()/1000))
	}
	at := func(k desk.Mark) int64 { return (t.FromNS(k.NS) + step/2) / step * step }
	f := raster.NewTimeFormat(t.Data.Unit, max(at(a), at(b)), step)
	var parts []string
	if a.Set {
		parts = append(parts, "A "+f.Format(at(a)))
	}
	if b.Set {
		parts = append(parts, "B "+f.Format(at(b)))
	}
	if a.Set && b.Set {
		parts = append(parts, m.theme.ASCII("Δ ")+f.Format(max(at(b)-at(a), at(a)-at(b))))
	}
	return strings.Join(parts, "  ")
}

// decimalStep returns the largest power of ten <= n; at least 1.
func decimalStep(n int64) int64 {
	step := int64(1)
	for step <= n/10 {
		step *= 10
	}
	return step
}
