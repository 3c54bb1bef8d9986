package tui

import (
	tea "charm.land/bubbletea/v2"

	"pview/render/raster"
	"pview/render/timeline"
	"pview/tui/action"
	"pview/tui/desk"
	"pview/tui/pane"
)

// The mouse: its effect depends on the place under the pointer.

var gestures = []action.Gesture{
	{Does: "wheel", Doc: "zoom at the pointer"},
	{Does: "Shift+wheel", Doc: "scroll the rows; also the wheel over their names"},
	{Does: "Ctrl+wheel", Doc: "pan; also a wheel that tilts"},
	{Does: "click",
		Doc: "move the cursor there and say what is there; Enter opens What/Where. So does resting the pointer, " +
			"but for the cursor"},
	{Does: "drag", Doc: "select a time range and its rows; z zooms in, Z on the rows too"},
	{Does: "middle drag", Doc: "pan the picture"},
	{Does: "right click", Doc: "undo"},
	{Does: "click on the headline", Doc: "show the evidence of what it says"},
	{Does: "click on the overview", Doc: "move the view there; drag to scroll"},
	{Does: "click on the name of a pane", Doc: "show it"},
	{Does: "click on a cell of a table", Doc: "go there; a second click goes to its bursts"},
	{Does: "click on a field of the simulator",
		Doc: "go there; a second click changes it; a click on a run goes back to it"},
	{Does: "drag over a histogram of the Study pane", Doc: "move the limit"},
	{Does: "click on a record", Doc: "choose it; a second click goes to it"},
}

// pointer is the state of the mouse.
type pointer struct {
	drag drag
	tip  tip
}

// A tip is a line at the pointer that tells what is there. A click shows it, and so does resting the pointer if the
// terminal reports moves. The next key hides it.
type tip struct {
	text string
	x, y int // of the pointer
}

// drag is a button held down.
type drag struct {
	kind   dragKind
	window int // id
	x, y   int // where it started
	begin  int64
	moved  bool
}

type dragKind uint8

const (
	dragNone dragKind = iota
	dragSelect
	dragPan
	dragOverview
	dragPane
)

// point handles the mouse.
func (m *Model) point(msg tea.MouseMsg) tea.Cmd {
	if m.screen().tiny() {
		return nil
	}
	if m.dialogs.Top() != nil {
		return m.dialogs.Mouse(msg)
	}
	if len(m.Windows) == 0 {
		return nil
	}
	l := m.screen().layout()
	if e, ok := msg.(tea.MouseClickMsg); ok && l.headline.Has(e.X, e.Y) {
		return m.showHeadline()
	}
	m.headline.touched = true
	switch e := msg.(type) {
	case tea.MouseWheelMsg:
		m.pointer.tip = tip{}
		return m.wheel(&l, e)
	case tea.MouseClickMsg:
		m.scene.Messages.Clear()
		m.pointer.tip = tip{}
		return m.click(&l, e)
	case tea.MouseMotionMsg:
		if e.Button == tea.MouseNone {
			m.hover(&l, e.X, e.Y)
			return nil
		}
		return m.dragTo(&l, e.X, e.Y)
	case tea.MouseReleaseMsg:
		return m.release(&l, e.X, e.Y)
	}
	return nil
}

// windowAt returns the window at a place of the screen; -1 for none.
func (l *screenLayout) windowAt(x, y int) int {
	for i := range l.windows {
		if l.windows[i].all().Has(x, y) {
			return i
		}
	}
	return -1
}

const wheelZoom = 0.8

func (m *Model) wheel(l *screenLayout, e tea.MouseWheelMsg) tea.Cmd {
	sign := 0
	switch e.Button {
	case tea.MouseWheelUp, tea.MouseWheelLeft:
		sign = -1
	case tea.MouseWheelDown, tea.MouseWheelRight:
		sign = 1
	}
	if l.pane.Has(e.X, e.Y) {
		return m.panes.current().Wheel(e, sign)
	}
	i := l.windowAt(e.X, e.Y)
	if i < 0 {
		if l.overview.Has(e.X, e.Y) {
			i = m.Focus
		} else {
			return nil
		}
	}
	m.Focus, m.PaneFocus = i, false
	w, wl := m.Windows[i], &l.windows[i]
	sideways := e.Button == tea.MouseWheelLeft || e.Button == tea.MouseWheelRight
	switch {
	case e.Mod.Contains(tea.ModShift) || wl.labels.Has(e.X, e.Y):
		m.ScrollRows(w, sign)
	case e.Mod.Contains(tea.ModCtrl) || sideways:
		m.Pan(sign*max(m.screen().columns()/16, 1), m.screen().columns())
	default:
		t := w.Begin + w.Duration()/2
		if wl.plot.Has(e.X, wl.plot.Y) {
			t = w.Axis(wl.plot.W).Time(e.X - wl.plot.X)
		}
		factor := wheelZoom
		if sign > 0 {
			factor = 1 / wheelZoom
		}
		m.Change(w, "wheel", func(s *timeline.Setup) { s.Zoom(factor, t, m.Whole(w)) })
	}
	return nil
}

func (m *Model) click(l *screenLayout, e tea.MouseClickMsg) tea.Cmd {
	m.pointer.drag = drag{}
	for _, w := range m.Windows {
		w.History.Joined = "" // each click is a separate change
	}
	switch {
	case l.overview.Has(e.X, e.Y):
		if e.Button == tea.MouseLeft {
			m.pointer.drag = drag{kind: dragOverview}
			m.overviewTo(l, e.X)
		}
		return nil
	case l.pane.Has(e.X, e.Y):
		m.pointer.drag = drag{kind: dragPane}
		return m.clickPane(l, e)
	}
	i := l.windowAt(e.X, e.Y)
	if i < 0 {
		return nil
	}
	m.Focus, m.PaneFocus = i, false
	w, wl := m.Windows[i], &l.windows[i]
	if row, ok := m.screen().rowAt(w, wl, e.Y); ok && wl.labels.Has(e.X, e.Y) {
		m.MoveCursor(w, w.Cursor, row)
		return nil
	}
	if e.Button == tea.MouseRight {
		return m.navigator.Undo("")
	}
	if !wl.plot.Has(e.X, e.Y) {
		return nil
	}
	kind := dragSelect
	if e.Button == tea.MouseMiddle {
		kind = dragPan
	}
	m.pointer.drag = drag{kind: kind, window: w.ID, x: e.X, y: e.Y, begin: w.Begin}
	return nil
}

// rowAt returns the row on a line of the screen.
func (m *screenModel) rowAt(w *timeline.View, wl *windowLayout, y int) (int, bool) {
	p := w.RowLayout(wl.plot.H, m.look)
	lo, hi := p.RowsAt((y - wl.plot.Y) * max(p.Split, 1))
	return lo, lo < hi
}

// dragTo follows the pointer while a button is down.
func (m *Model) dragTo(l *screenLayout, x, y int) tea.Cmd {
	d := &m.pointer.drag
	switch d.kind {
	case dragOverview:
		m.overviewTo(l, x)
		return nil
	case dragPane:
		if p, ok := m.panes.current().(pane.Dragger); ok {
			return p.Drag(x-l.pane.X, y-l.pane.Y)
		}
		return nil
	}
	w := m.WindowByID(d.window)
	if d.kind == dragNone || w == nil || m.Focused() != w {
		return nil
	}
	wl := &l.windows[m.Focus]
	x = min(max(x, wl.plot.X), wl.plot.X+wl.plot.W-1)
	y = min(max(y, wl.plot.Y), wl.plot.Y+wl.plot.H-1)
	if x == d.x && y == d.y && !d.moved {
		return nil
	}
	d.moved = true
	if d.kind == dragPan {
		by := int64(d.x-x) * max(w.Duration()/int64(max(wl.plot.W, 1)), 1)
		m.Change(w, "grab", func(s *timeline.Setup) { s.Pan(d.begin+by-s.Begin, m.Whole(w)) })
		return nil
	}
	axis := w.Axis(wl.plot.W)
	from, to := min(d.x, x)-wl.plot.X, max(d.x, x)-wl.plot.X
	rowA, okA := m.screen().rowAt(w, wl, d.y)
	rowB, okB := m.screen().rowAt(w, wl, y)
	if !okA {
		rowA = w.CursorRow
	}
	if !okB {
		rowB = w.Rows(w.Trace.Data) - 1
	}
	m.Marks[0] = desk.Mark{Set: true, NS: w.Trace.ToNS(axis.Time(from)), View: w.ID, Row: rowA}
	m.Marks[1] = desk.Mark{Set: true, NS: w.Trace.ToNS(axis.Time(to + 1)), View: w.ID, Row: rowB}
	m.Selecting = false
	m.MoveCursor(w, axis.Time(x-wl.plot.X), rowB)
	return nil
}

// release ends a drag; one that did not move is a click.
func (m *Model) release(l *screenLayout, x, y int) tea.Cmd {
	d := m.pointer.drag
	m.pointer.drag = drag{}
	w := m.WindowByID(d.window)
	if d.kind != dragSelect || w == nil || m.Focused() != w {
		return nil
	}
	if d.moved {
		m.scene.Say("selected: z zooms on the time, Z on the rows too, Esc drops it")
		return nil
	}
	wl := &l.windows[m.Focus]
	row, ok := m.screen().rowAt(w, wl, d.y)
	if !ok {
		row = w.CursorRow
	}
	m.MoveCursor(w, w.Axis(wl.plot.W).Time(d.x-wl.plot.X), row)
	m.tipAt(w, wl, d.x, d.y)
	return nil
}

// overviewTo puts the middle of the view where the pointer is on the overview.
func (m *Model) overviewTo(l *screenLayout, x int) {
	w := m.Focused()
	t := m.screen().overviewAxis(w, l.overview.W).Time(x - l.overview.X - 1)
	m.Change(w, "overview", func(s *timeline.Setup) { s.Center(t, m.Whole(w)) })
	m.CursorBack()
}

// tipAt describes a place of a window's plot.
func (m *Model) tipAt(w *timeline.View, wl *windowLayout, x, y int) {
	m.pointer.tip = tip{}
	row, ok := m.screen().rowAt(w, wl, y)
	if !ok || !wl.plot.Has(x, y) {
		return
	}
	text := w.RowName(row)
	if b, e, v, ok := w.Burst(row, w.Axis(wl.plot.W).Time(x-wl.plot.X)); ok {
		text += "  " + w.ValueText(v) + "  " + raster.FormatDuration(e-b, w.Trace.Data.Unit)
	}
	m.pointer.tip = tip{text, x, y}
}

// hover describes the place under the pointer.
func (m *Model) hover(l *screenLayout, x, y int) {
	m.pointer.tip = tip{}
	if i := l.windowAt(x, y); i >= 0 {
		m.tipAt(m.Windows[i], &l.windows[i], x, y)
	}
}
