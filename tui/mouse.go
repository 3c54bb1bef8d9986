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
		Doc: "move the cursor there and describe the place; Enter opens What/Where"},
	{Does: "move the pointer", Doc: "describe the place, if the terminal reports moves"},
	{Does: "drag", Doc: "select a time range and its rows; z zooms in, Z on the rows too"},
	{Does: "middle drag", Doc: "pan the picture"},
	{Does: "right click", Doc: "undo the last change of the window"},
	{Does: "click on the headline", Doc: "show its evidence"},
	{Does: "click on the overview", Doc: "move the view there; drag to scroll"},
	{Does: "click on a workspace, or on a page of it", Doc: "show it"},
	{Does: "click on a cell of a table", Doc: "go there; a second click goes to its bursts"},
	{Does: "click on a field of the simulator",
		Doc: "go there; a second click changes it; a click on a run goes back to it"},
	{Does: "drag over a histogram of the Study pane", Doc: "move the limit"},
	{Does: "click on a record", Doc: "choose it; a second click goes to it"},
}

// pointer is the state of the mouse.
type pointer struct {
	m    *Model
	drag drag
	tip  tip
}

// A tip is a line at the pointer that describes the place. A click shows it, and so does moving the pointer if the
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
func (p *pointer) handle(msg tea.MouseMsg) tea.Cmd {
	if p.m.screen().tiny() {
		return nil
	}
	if p.m.dialogs.Top() != nil {
		return p.m.dialogs.Mouse(msg)
	}
	if len(p.m.Windows) == 0 {
		return nil
	}
	l := p.m.screen().layout()
	if e, ok := msg.(tea.MouseClickMsg); ok && e.Button == tea.MouseLeft && l.headline.Has(e.X, e.Y) {
		return p.m.showHeadline()
	}
	p.m.headline.touched = true
	switch e := msg.(type) {
	case tea.MouseWheelMsg:
		p.m.scene.Messages.Clear()
		p.tip = tip{}
		return p.wheel(&l, e)
	case tea.MouseClickMsg:
		p.m.scene.Messages.Clear()
		p.tip = tip{}
		return p.click(&l, e)
	case tea.MouseMotionMsg:
		if e.Button == tea.MouseNone {
			p.hover(&l, e.X, e.Y)
			return nil
		}
		return p.dragTo(&l, e.X, e.Y)
	case tea.MouseReleaseMsg:
		return p.release(&l, e.X, e.Y)
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

func (p *pointer) wheel(l *screenLayout, e tea.MouseWheelMsg) tea.Cmd {
	sign := 0
	switch e.Button {
	case tea.MouseWheelUp, tea.MouseWheelLeft:
		sign = -1
	case tea.MouseWheelDown, tea.MouseWheelRight:
		sign = 1
	}
	if l.pane.Has(e.X, e.Y) {
		return p.m.panes.current().Wheel(e, sign)
	}
	i := l.windowAt(e.X, e.Y)
	if i < 0 {
		if l.overview.Has(e.X, e.Y) {
			i = p.m.Focus
		} else {
			return nil
		}
	}
	p.m.Focus, p.m.PaneFocus = i, false
	w, wl := p.m.Windows[i], &l.windows[i]
	sideways := e.Button == tea.MouseWheelLeft || e.Button == tea.MouseWheelRight
	switch {
	case e.Mod.Contains(tea.ModShift) || wl.labels.Has(e.X, e.Y):
		p.m.ScrollRows(w, sign)
	case e.Mod.Contains(tea.ModCtrl) || sideways:
		p.m.Pan("pan", sign*max(p.m.screen().columns()/16, 1), p.m.screen().columns())
	default:
		t := w.Begin + w.Duration()/2
		if wl.plot.Has(e.X, wl.plot.Y) {
			t = w.Axis(wl.plot.W).Time(e.X - wl.plot.X)
		}
		factor := wheelZoom
		if sign > 0 {
			factor = 1 / wheelZoom
		}
		p.m.Change(w, "wheel", func(s *timeline.Setup) { s.Zoom(factor, t, p.m.Whole(w)) })
	}
	return nil
}

func (p *pointer) click(l *screenLayout, e tea.MouseClickMsg) tea.Cmd {
	p.drag = drag{}
	for _, w := range p.m.Windows {
		w.History.Joined = "" // each click is a separate change
	}
	switch {
	case l.overview.Has(e.X, e.Y):
		if e.Button == tea.MouseLeft {
			p.drag = drag{kind: dragOverview}
			p.overviewTo(l, e.X)
		}
		return nil
	case l.pane.Has(e.X, e.Y), l.bar.Has(e.X, e.Y):
		if e.Button != tea.MouseLeft {
			return nil
		}
		p.drag = drag{kind: dragPane}
		return p.clickPane(l, e)
	}
	i := l.windowAt(e.X, e.Y)
	if i < 0 {
		return nil
	}
	p.m.Focus, p.m.PaneFocus = i, false
	w, wl := p.m.Windows[i], &l.windows[i]
	if row, ok := p.m.screen().rowAt(w, wl, e.Y); ok && wl.labels.Has(e.X, e.Y) {
		p.m.MoveCursor(w, w.Cursor, row)
		return nil
	}
	if e.Button == tea.MouseRight {
		return p.m.navigator.Undo("")
	}
	if !wl.plot.Has(e.X, e.Y) {
		return nil
	}
	kind := dragSelect
	if e.Button == tea.MouseMiddle {
		kind = dragPan
	}
	p.drag = drag{kind: kind, window: w.ID, x: e.X, y: e.Y, begin: w.Begin}
	return nil
}

// rowAt returns the row on a line of the screen.
func (m *screenModel) rowAt(w *timeline.View, wl *windowLayout, y int) (int, bool) {
	p := w.RowLayout(wl.plot.H, m.look)
	lo, hi := p.RowsAt((y - wl.plot.Y) * max(p.Split, 1))
	return lo, lo < hi
}

// dragTo follows the pointer while a button is down.
func (p *pointer) dragTo(l *screenLayout, x, y int) tea.Cmd {
	d := &p.drag
	switch d.kind {
	case dragOverview:
		p.overviewTo(l, x)
		return nil
	case dragPane:
		if p, ok := p.m.panes.current().(pane.Dragger); ok {
			return p.Drag(x-l.pane.X, y-l.pane.Y)
		}
		return nil
	}
	w := p.m.WindowByID(d.window)
	if d.kind == dragNone || w == nil || p.m.Focused() != w {
		return nil
	}
	wl := &l.windows[p.m.Focus]
	x = min(max(x, wl.plot.X), wl.plot.X+wl.plot.W-1)
	y = min(max(y, wl.plot.Y), wl.plot.Y+wl.plot.H-1)
	if x == d.x && y == d.y && !d.moved {
		return nil
	}
	d.moved = true
	if d.kind == dragPan {
		by := int64(d.x-x) * max(w.Duration()/int64(max(wl.plot.W, 1)), 1)
		p.m.Change(w, "grab", func(s *timeline.Setup) { s.Pan(d.begin+by-s.Begin, p.m.Whole(w)) })
		return nil
	}
	axis := w.Axis(wl.plot.W)
	from, to := min(d.x, x)-wl.plot.X, max(d.x, x)-wl.plot.X
	rowA, okA := p.m.screen().rowAt(w, wl, d.y)
	rowB, okB := p.m.screen().rowAt(w, wl, y)
	if !okA {
		rowA = w.CursorRow
	}
	if !okB {
		rowB = w.Rows(w.Trace.Data) - 1
	}
	p.m.Marks[0] = desk.Mark{Set: true, NS: w.Trace.ToNS(axis.Time(from)), View: w.ID, Row: rowA}
	p.m.Marks[1] = desk.Mark{Set: true, NS: w.Trace.ToNS(axis.Time(to + 1)), View: w.ID, Row: rowB}
	p.m.Selecting = false
	p.m.MoveCursor(w, axis.Time(x-wl.plot.X), rowB)
	return nil
}

// release ends a drag; one that did not move is a click.
func (p *pointer) release(l *screenLayout, x, y int) tea.Cmd {
	d := p.drag
	p.drag = drag{}
	w := p.m.WindowByID(d.window)
	if d.kind != dragSelect || w == nil || p.m.Focused() != w {
		return nil
	}
	if d.moved {
		p.m.scene.Say("selected: z zooms on the time, Z on the rows too, Esc drops it")
		return nil
	}
	wl := &l.windows[p.m.Focus]
	row, ok := p.m.screen().rowAt(w, wl, d.y)
	if !ok {
		row = w.CursorRow
	}
	p.m.MoveCursor(w, w.Axis(wl.plot.W).Time(d.x-wl.plot.X), row)
	p.tipAt(w, wl, d.x, d.y)
	return nil
}

// overviewTo puts the middle of the view where the pointer is on the overview.
func (p *pointer) overviewTo(l *screenLayout, x int) {
	w := p.m.Focused()
	t := overviewAxis(w, l.overview.W).Time(x - l.overview.X - 1)
	p.m.Change(w, "overview", func(s *timeline.Setup) { s.Center(t, p.m.Whole(w)) })
	p.m.CursorBack()
}

// tipAt describes a place of a window's plot.
func (p *pointer) tipAt(w *timeline.View, wl *windowLayout, x, y int) {
	p.tip = tip{}
	row, ok := p.m.screen().rowAt(w, wl, y)
	if !ok || !wl.plot.Has(x, y) {
		return
	}
	text := w.Short(w.RowName(row))
	if b, e, v, ok := w.Burst(row, w.Axis(wl.plot.W).Time(x-wl.plot.X)); ok {
		text += "  " + w.ValueText(v) + "  " + raster.FormatDuration(e-b, w.Trace.Data.Unit)
	}
	p.tip = tip{text, x, y}
}

// hover describes the place under the pointer.
func (p *pointer) hover(l *screenLayout, x, y int) {
	p.tip = tip{}
	if i := l.windowAt(x, y); i >= 0 {
		p.tipAt(p.m.Windows[i], &l.windows[i], x, y)
	}
}
