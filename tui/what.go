package tui

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/tui/raster"
	"pview/tui/style"
	"pview/tui/timeline"
)

// whatPane is the What/Where pane: at the cursor the object and its value, and
// around it the records of the object, one per line.
type whatPane struct {
	names  bool // labels in place of numbers
	hex    bool // numbers in hexadecimal
	raw    bool // records as the .prv has them
	all    bool // also what the window's filter rejects
	states bool
	events bool
	comms  bool
	key    whatKey
	list   []record
	at     int // the record that is chosen; len(list) when there is none
	top    int
	height int // lines of the list when it was last drawn
}

// whatKey is what the list depends on.
type whatKey struct {
	trace                      *timeline.Trace
	filter                     string
	level                      prv.Level
	object                     int
	t                          int64
	all, states, events, comms bool
	raw                        bool
}

func newWhatPane() whatPane { return whatPane{names: true, states: true, events: true, comms: true} }

// refresh brings the list up to date with the cursor of a window.
func (p *whatPane) refresh(w *timeline.View) {
	if w == nil || w.Rows(w.Trace.Data) == 0 || w.Values.Err != nil {
		p.key, p.list = whatKey{}, nil
		return
	}
	key := whatKey{w.Trace, w.Values.Key, w.Sem.Level, w.Object(w.CursorRow), w.Cursor, p.all, p.states, p.events, p.comms, p.raw}
	if key == p.key {
		return
	}
	p.key = key
	a := around{tr: w.Trace.Data, level: key.level, object: key.object, t: key.t, states: p.states, events: p.events, comms: p.comms}
	if !p.all {
		a.pass = timeline.CompileFilter(a.tr, &w.Sem)
	}
	p.list = a.collect()
	if p.raw {
		p.list = onePerLine(a.tr, p.list)
	}
	// The record that the cursor is on or behind is chosen.
	p.at = sort.Search(len(p.list), func(i int) bool { return p.list[i].time(a.tr) > key.t }) - 1
	for p.at > 0 && p.list[p.at-1].time(a.tr) == p.list[p.at].time(a.tr) {
		p.at--
	}
	p.at = max(p.at, 0)
	p.top = p.at - 1
}

// onePerLine leaves of the events that share a line of the .prv the first one.
func onePerLine(t *prv.Trace, list []record) []record {
	last := map[int32]int32{} // by thread: the line's first pair
	return slices.DeleteFunc(list, func(r record) bool {
		if r.kind != eventRecord {
			return false
		}
		first := int32(r.firstOfLine(t))
		before, seen := last[r.thread]
		last[r.thread] = first
		return seen && before == first
	})
}

func (p *whatPane) move(by int) {
	p.at = max(0, min(p.at+by, len(p.list)-1))
}

func (p *whatPane) chosen() (record, bool) {
	if p.at >= len(p.list) {
		return record{}, false
	}
	return p.list[p.at], true
}

// draw paints the pane: a heading, the value with its neighbours, the records.
func (p *whatPane) draw(m *Model, c raster.Canvas) {
	w := m.window()
	p.refresh(w)
	m.drawPaneHead(c.Sub(0, 0, c.W, 1))
	if p.key.trace == nil {
		return
	}
	body := c.Sub(0, 1, c.W, c.H-1)
	if body.H > 3 {
		p.drawValue(m, body.Sub(1, 0, body.W-2, 1), w)
		body = body.Sub(0, 1, body.W, body.H-1)
	}
	p.drawRecords(m, body, w)
}

func (m *Model) drawPaneHead(c raster.Canvas) {
	th := m.theme
	dim := th.HeadDim
	if m.paneFocus {
		dim = th.FocusDim
	}
	x := m.drawTabs(c)
	w := m.window()
	if w == nil || m.what.key.trace == nil {
		return
	}
	note := fmt.Sprintf("  %s  %s", w.RowName(w.CursorRow), raster.FormatTime(w.Cursor, w.Trace.Data.Unit, 1))
	x = c.Text(x, 0, note, dim)
	right := m.what.modeText()
	if n := raster.TextWidth(right); x+n+2 < c.W {
		c.Text(c.W-1-n, 0, right, dim)
	}
}

// modeText says how the records are shown.
func (p *whatPane) modeText() string {
	var parts []string
	switch {
	case p.raw:
		parts = append(parts, "raw")
	case p.names:
		parts = append(parts, "names")
	default:
		parts = append(parts, "numbers")
	}
	if p.hex {
		parts = append(parts, "hex")
	}
	if p.all {
		parts = append(parts, "unfiltered")
	}
	for _, k := range []struct {
		on   bool
		word string
	}{{p.states, "states"}, {p.events, "events"}, {p.comms, "messages"}} {
		if !k.on {
			parts = append(parts, "no "+k.word)
		}
	}
	return strings.Join(parts, ", ")
}

// drawValue writes the semantic value at the cursor, and those before and after.
func (p *whatPane) drawValue(m *Model, c raster.Canvas, w *timeline.View) {
	th, t := m.theme, w.Trace.Data
	s := w.SeriesOf(w.CursorRow)
	if s == nil {
		c.Text(0, 0, th.ASCII("computing…"), th.Dim)
		return
	}
	i := s.At(w.Cursor)
	b, e, v := s.Burst(i)
	line := style.Line{
		{Text: w.ValueText(v), Style: th.Bold},
		{Text: "  " + raster.FormatTime(b, t.Unit, 1) + " .. " + raster.FormatTime(e, t.Unit, 1), Style: th.Text},
		{Text: "  " + raster.FormatDuration(e-b, t.Unit), Style: th.Accent},
	}
	neighbour := func(word string, i int) {
		if i >= 0 && i < s.Len() {
			b, e, v := s.Burst(i)
			line = append(line, style.Span{Text: "   " + word + ": ", Style: th.Dim}, style.Span{Text: w.ValueText(v) + " " + raster.FormatDuration(e-b, t.Unit), Style: th.Dim})
		}
	}
	neighbour("prev", i-1)
	neighbour("next", i+1)
	line.Draw(c, 0, 0)
	if raster.TextWidth(line.Plain()) > c.W {
		c.Set(c.W-1, 0, raster.Cell{Rune: th.Glyphs.Ellipsis, Style: th.Dim})
	}
}

// drawRecords lists the records around the cursor.
func (p *whatPane) drawRecords(m *Model, c raster.Canvas, w *timeline.View) {
	th := m.theme
	p.height = c.H
	if len(p.list) == 0 {
		c.Text(1, 0, "no records here", th.Dim)
		return
	}
	lines, from := p.lines(m, w, c.W-4)
	// The chosen record is kept in view, with all its lines.
	first, last := from[p.at], len(lines)
	if p.at+1 < len(from) {
		last = from[p.at+1]
	}
	p.top = min(max(p.top, last-c.H), first)
	p.top = max(0, min(p.top, len(lines)-c.H))
	for y := 0; y < c.H && p.top+y < len(lines); y++ {
		if i := p.top + y; i >= first && i < last {
			st := th.PopupSel
			if !m.paneFocus {
				st = raster.Style{FG: th.Accent.FG, Attr: raster.Bold}
			}
			if m.paneFocus {
				c.Sub(0, y, c.W, 1).Fill(raster.Cell{Rune: ' ', Style: st})
			}
			if i == first {
				c.Text(0, y, th.ASCII("▸"), st)
			}
			c.Text(2, y, th.Cut(lines[i].Plain(), c.W-3), st)
			continue
		}
		if text := lines[p.top+y]; raster.TextWidth(text.Plain()) <= c.W-3 {
			text.Draw(c, 2, y)
		} else {
			text.Draw(c.Sub(0, 0, c.W-2, c.H), 2, y)
			c.Set(c.W-2, y, raster.Cell{Rune: th.Glyphs.Ellipsis, Style: th.Dim})
		}
	}
	style.DrawScrollbar(c, p.top, c.H, len(lines), th)
}

// lines lays out the records; from has the first line of each.
func (p *whatPane) lines(m *Model, w *timeline.View, width int) (lines []style.Line, from []int) {
	timeW, objectW := 0, 0
	many := len(timeline.ThreadsOf(w.Trace.Data, w.Sem.Level, w.Object(w.CursorRow))) > 1
	for _, r := range p.list {
		timeW = max(timeW, raster.TextWidth(p.timeText(w.Trace, r.time(w.Trace.Data))))
		if many {
			objectW = max(objectW, raster.TextWidth(w.Trace.Data.Name(prv.LevelThread, int(r.thread))))
		}
	}
	for i, r := range p.list {
		from = append(from, len(lines))
		lines = append(lines, p.recordLines(m, w, r, timeW, objectW, width, i == p.at)...)
	}
	return lines, from
}

func (p *whatPane) timeText(t *timeline.Trace, time int64) string {
	if p.raw || !p.names {
		return raster.FormatExact(time, t.Data.Unit)
	}
	return raster.FormatTime(time, t.Data.Unit, 1)
}

var kindWords = [...]string{"state", "event", "send", "recv"}

func (r record) word() string {
	if r.kind == commRecord && r.role == prv.LogicalRecv {
		return kindWords[3]
	}
	return kindWords[r.kind]
}

// recordLines lays out one record: in one line where it fits.
func (p *whatPane) recordLines(m *Model, w *timeline.View, r record, timeW, objectW, width int, chosen bool) []style.Line {
	th, tr := m.theme, w.Trace.Data
	if p.raw {
		return []style.Line{{{Text: r.raw(tr, p.hex), Style: th.Text}}}
	}
	st := th.Text
	if r.time(tr) > w.Cursor {
		st = th.Dim
	}
	time := p.timeText(w.Trace, r.time(tr))
	head := style.Line{{Text: strings.Repeat(" ", timeW-raster.TextWidth(time)) + time + "  ", Style: th.Dim}}
	if objectW > 0 {
		head = append(head, style.Span{Text: fmt.Sprintf("%-*s  ", objectW, tr.Name(prv.LevelThread, int(r.thread))), Style: th.Dim})
	}
	head = append(head, style.Span{Text: fmt.Sprintf("%-5s  ", r.word()), Style: th.Dim})
	text := p.text(w.Trace, r)
	if r.kind != commRecord {
		return []style.Line{append(head, style.Span{Text: text, Style: st})}
	}
	logical, physical := p.commTimes(m, w.Trace, r)
	indent := timeW + 2 + 7
	if objectW > 0 {
		indent += objectW + 2
	}
	if indent+raster.TextWidth(text)+raster.TextWidth(logical)+raster.TextWidth(physical)+6 <= width {
		return []style.Line{append(head, style.Span{Text: text, Style: st}, style.Span{Text: "   " + logical + "   " + physical, Style: th.Dim})}
	}
	lines := []style.Line{append(head, style.Span{Text: text, Style: st})}
	if chosen {
		lead := strings.Repeat(" ", indent)
		lines = append(lines, style.Line{{Text: lead + logical, Style: st}}, style.Line{{Text: lead + physical, Style: st}})
	}
	return lines
}

// commTimes says when a message was sent and received.
func (p *whatPane) commTimes(m *Model, t *timeline.Trace, r record) (logical, physical string) {
	at := func(role prv.Role) string { return p.timeText(t, t.Data.Comms.Times[role][r.index]) }
	arrow := m.theme.ASCII(" → ")
	if m.ascii {
		arrow = " -> "
	}
	return "logical " + at(prv.LogicalSend) + arrow + at(prv.LogicalRecv), "physical " + at(prv.PhysicalSend) + arrow + at(prv.PhysicalRecv)
}

// text is what a record says, apart from when.
func (p *whatPane) text(t *timeline.Trace, r record) string {
	tr := t.Data
	switch r.kind {
	case stateRecord:
		s := &tr.Threads[r.thread].States
		text := p.number(int64(s.Value[r.index]))
		if p.names {
			text = tr.Labels.StateName(int64(s.Value[r.index]))
		}
		if end := s.End[r.index]; end != prv.NoEnd {
			return fmt.Sprintf("%s  until %s  %s", text, p.timeText(t, end), raster.FormatDuration(end-s.Begin[r.index], tr.Unit))
		}
		return text
	case eventRecord:
		e := &tr.Threads[r.thread].Events
		return p.eventText(t, e.Type[r.index], e.Value[r.index])
	}
	c, i := &tr.Comms, int(r.index)
	word := "to "
	if r.role == prv.LogicalRecv {
		word = "from "
	}
	other := r.partner(tr)
	name := tr.Name(prv.LevelThread, int(other.thread))
	if !p.names {
		pt, ta, th := tr.ThreadID(other.thread)
		name = fmt.Sprintf("%d.%d.%d", pt, ta, th)
	}
	size := raster.FormatCount(c.Size[i])
	if p.hex {
		size = p.number(c.Size[i])
	}
	return fmt.Sprintf("%s%s  %s bytes  tag %s", word, name, size, p.number(c.Tag[i]))
}

func (p *whatPane) eventText(t *timeline.Trace, typ uint32, value int64) string {
	if !p.names || p.hex {
		return p.number(int64(typ)) + ":" + p.number(value)
	}
	text := t.Data.Labels.TypeName(typ) + ": "
	if e, ok := t.Data.Labels.Type(typ); ok {
		if s, ok := e.ValueLabel(value); ok {
			return text + s
		}
		return text + e.Format(value)
	}
	return text + p.number(value)
}

func (p *whatPane) number(v int64) string {
	if p.hex {
		return fmt.Sprintf("%#x", v)
	}
	return fmt.Sprint(v)
}

// summary is a record in a few words, for messages.
func (p *whatPane) summary(t *timeline.Trace, r record) string { return r.word() + " " + p.text(t, r) }

// Actions.

var askActions = []deed{
	{Name: "ask", Group: groupAsk, Keys: []string{"enter"}, Doc: "open What/Where at the cursor and go into it", Hint: "ask", needsWindow: true, run: func(m *Model, _ string) tea.Cmd {
		m.paneOpen, m.paneFocus, m.tab = true, true, tabWhat
		m.cursorBack()
		return nil
	}},
	{Name: "what", Group: groupAsk, Keys: []string{"i"}, Doc: "open or close What/Where; it follows the cursor", needsWindow: true, run: func(m *Model, _ string) tea.Cmd {
		m.paneOpen, m.paneFocus, m.tab = !m.paneOpen || m.tab != tabWhat, false, tabWhat
		if m.paneOpen {
			m.cursorBack()
		}
		return nil
	}},
	{Name: "partner", Group: groupAsk, Keys: []string{"p"}, Doc: "go to the other end of the message at or before the cursor", needsWindow: true, run: partnerAtCursor},
	{Name: "what-taller", Group: groupAsk, Keys: []string{"alt+up"}, Doc: "give What/Where more lines", needsWindow: true, run: func(m *Model, _ string) tea.Cmd { return m.growPane(2) }},
	{Name: "what-shorter", Group: groupAsk, Keys: []string{"alt+down"}, Doc: "give What/Where fewer lines", needsWindow: true, run: func(m *Model, _ string) tea.Cmd { return m.growPane(-2) }},
	{Name: "what-up", Group: groupAsk, Keys: []string{"up", "k"}, Doc: "choose the record above", InPane: true, needsWindow: true, run: whatMove(-1)},
	{Name: "what-down", Group: groupAsk, Keys: []string{"down", "j"}, Doc: "choose the record below", InPane: true, needsWindow: true, run: whatMove(1)},
	{Name: "what-page-up", Group: groupAsk, Keys: []string{"pgup", "ctrl+u"}, Doc: "go up by a page of records", InPane: true, needsWindow: true, run: whatMove(-10)},
	{Name: "what-page-down", Group: groupAsk, Keys: []string{"pgdown", "ctrl+d"}, Doc: "go down by a page of records", InPane: true, needsWindow: true, run: whatMove(10)},
	{Name: "what-go", Group: groupAsk, Keys: []string{"enter"}, Doc: "go to the record: to the partner of a message, else to its time", InPane: true, needsWindow: true, run: whatGo},
	{Name: "what-leave", Group: groupAsk, Keys: []string{"esc"}, Doc: "go back to the window", InPane: true, run: func(m *Model, _ string) tea.Cmd { m.paneFocus = false; return nil }},
	{Name: "what-names", Group: groupAsk, Keys: []string{"a"}, Doc: "names or numbers", InPane: true, run: whatSwitch(func(p *whatPane) *bool { return &p.names })},
	{Name: "what-raw", Group: groupAsk, Keys: []string{"r"}, Doc: "records as the .prv has them", InPane: true, run: whatSwitch(func(p *whatPane) *bool { return &p.raw })},
	{Name: "what-hex", Group: groupAsk, Keys: []string{"x"}, Doc: "numbers in hexadecimal", InPane: true, run: whatSwitch(func(p *whatPane) *bool { return &p.hex })},
	{Name: "what-all", Group: groupAsk, Keys: []string{"f"}, Doc: "also records that the window's filter rejects", InPane: true, run: whatSwitch(func(p *whatPane) *bool { return &p.all })},
	{Name: "what-states", Group: groupAsk, Keys: []string{"s"}, Doc: "list states, or not", InPane: true, run: whatSwitch(func(p *whatPane) *bool { return &p.states })},
	{Name: "what-events", Group: groupAsk, Keys: []string{"e"}, Doc: "list events, or not", InPane: true, run: whatSwitch(func(p *whatPane) *bool { return &p.events })},
	{Name: "what-messages", Group: groupAsk, Keys: []string{"m"}, Doc: "list messages, or not", InPane: true, run: whatSwitch(func(p *whatPane) *bool { return &p.comms })},
}

func whatMove(by int) func(*Model, string) tea.Cmd {
	return func(m *Model, _ string) tea.Cmd {
		m.what.refresh(m.window())
		m.what.move(by)
		return nil
	}
}

func whatSwitch(get func(*whatPane) *bool) func(*Model, string) tea.Cmd {
	return func(m *Model, _ string) tea.Cmd {
		b := get(&m.what)
		*b = !*b
		m.paneOpen, m.tab = true, tabWhat
		return nil
	}
}

func (m *Model) growPane(by int) tea.Cmd {
	l := m.layout()
	m.paneOpen = true
	m.paneLines = max(max(l.pane.H, 4)+by, 4)
	return nil
}

// whatGo goes to the chosen record. The list stays, so that the next record can be
// chosen from it, only where the cursor does not move.
func whatGo(m *Model, _ string) tea.Cmd {
	w := m.window()
	m.what.refresh(w)
	r, ok := m.what.chosen()
	if !ok {
		return nil
	}
	if r.kind == commRecord {
		return m.goToRecord(w, r.partner(w.Trace.Data))
	}
	return m.goToRecord(w, r)
}

// goToRecord puts the cursor on a record.
func (m *Model) goToRecord(w *timeline.View, r record) tea.Cmd {
	tr := w.Trace.Data
	row := timeline.Place(w.RowsByObject(), timeline.ObjectOf(tr, w.Sem.Level, r.thread, r.cpu(tr)))
	if row < 0 {
		return m.refuse(fmt.Errorf("%s is not among the rows of this window", tr.Name(prv.LevelThread, int(r.thread))))
	}
	t := r.time(tr)
	m.goTo(w, min(t, max(tr.Duration-1, 0)), int(row))
	// The record itself is chosen, not what else there is at its time.
	m.what.refresh(w)
	if i := slices.Index(m.what.list, r); i >= 0 {
		m.what.at = i
	}
	return nil
}

// partnerAtCursor goes to the other end of the nearest message at or before the
// cursor in its row; else of the first one after it.
func partnerAtCursor(m *Model, _ string) tea.Cmd {
	m.cursorBack()
	w := m.window()
	if w.Rows(w.Trace.Data) == 0 {
		return nil
	}
	a := around{tr: w.Trace.Data, level: w.Sem.Level, object: w.Object(w.CursorRow), t: w.Cursor, comms: true, pass: timeline.CompileFilter(w.Trace.Data, &w.Sem)}
	list := a.collect()
	if len(list) == 0 {
		m.say("no message near the cursor in this row")
		return nil
	}
	i := sort.Search(len(list), func(i int) bool { return list[i].time(a.tr) > w.Cursor }) - 1
	// The chosen record of the pane wins, when it is a message.
	if r, ok := m.what.chosen(); ok && m.paneOpen && r.kind == commRecord {
		return m.goToRecord(w, r.partner(w.Trace.Data))
	}
	return m.goToRecord(w, list[max(i, 0)].partner(w.Trace.Data))
}
