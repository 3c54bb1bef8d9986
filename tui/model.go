package tui

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"time"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/render/picture"
	"pview/render/raster"
	"pview/render/timeline"
	"pview/semantic/series"
	"pview/tui/desk"
	"pview/tui/dialog"
	"pview/tui/follow"
	"pview/tui/output"
	"pview/tui/palette"
	"pview/tui/pane"
	"pview/tui/recent"
	"pview/tui/screen"
	"pview/tui/windows"
)

// Model is the shell: it owns the parts of the program, routes messages to them, and draws the screen.
type Model struct {
	desk.Desk
	terminal
	options Options
	ctx     context.Context // ends with the program; cancels all background work
	cancel  context.CancelFunc
	after   func(time.Duration, tea.Msg) tea.Cmd // tea.Tick, except in tests
	cache   *series.Cache
	gen     int // last generation given to a job
	ticking bool

	scene     pane.Scene
	dialogs   dialog.Host
	palette   *palette.Palette
	panes     paneArea
	simulator pane.Simulating // one of panes

	navigator   *windows.Navigator
	content     *windows.Content
	rows        *windows.Rows
	drawing     *windows.Look
	arrangement *windows.Arrangement
	animation   *windows.Animation

	loader   loader
	sessions sessions
	openings openings // windows that wait for the default view
	follow   *follow.Traces
	output   *output.Writer
	headline headline
	pointer  pointer
}

// cacheBudget is the default memory for computed rows of all traces, in bytes. Rows in view are held beyond it.
const cacheBudget = 1 << 30

// New returns the program's model. It opens what the options name as soon as it runs.
func New(o Options) *Model {
	m := &Model{options: o, terminal: newTerminal(&o), cache: series.NewCache(cmp.Or(o.Cache, cacheBudget)),
		sessions: sessions{recent: recent.Read(o.Recent)}}
	m.ctx, m.cancel = context.WithCancel(context.Background())
	m.after = func(d time.Duration, msg tea.Msg) tea.Cmd {
		return tea.Tick(d, func(time.Time) tea.Msg { return msg })
	}
	m.furnish()
	return m
}

// furnish makes the parts, and the table of their actions.
func (m *Model) furnish() {
	sc, d := &m.scene, &m.Desk
	m.loader.m, m.sessions.m, m.pointer.m = m, m, m
	sc.Dialogs = &m.dialogs
	m.palette, m.output, m.follow = palette.New(sc), output.New(d, sc), follow.New(d, sc)
	m.content = windows.NewContent(d, sc)
	m.openings = openings{m.content, m.options.Defaults, map[*timeline.View]string{}}
	m.navigator, m.rows = windows.NewNavigator(d, sc, m.content), windows.NewRows(m.content)
	m.drawing, m.arrangement, m.animation = windows.NewLook(d, sc), windows.NewArrangement(d, sc),
		windows.NewAnimation(d, sc)
	sc.Shell = pane.Shell{
		DrawTabs: m.screen().drawTabs, Pixels: m.screen().drawPanePixels,
		KeysOf:  func(name string) string { return m.palette.Actions.KeysOf(name) },
		Columns: m.screen().columns, Whole: m.Whole, NewID: m.NewID, NewView: m.NewWindow, CloneView: m.CloneWindow,
		After:     func(d time.Duration, msg tea.Msg) tea.Cmd { return m.after(d, msg) },
		Overwrite: m.output.Overwrite, Past: m.palette.Past, Read: m.loader.file,
	}
	m.panes.furnish(sc)
	m.simulator, _ = pane.First[pane.Simulating](m.panes.list)
	m.headline.speaker, _ = pane.First[speaker](m.panes.list)
	describer, _ := pane.First[recordDescriber](m.panes.list)
	histograms, _ := pane.First[histogramKeeper](m.panes.list)

	sc.Simulation = m.simulator.Simulation
	m.content.CountTypes, m.navigator.Describe = m.countTypes, describer.Summary
	m.output.Figure, m.output.Histograms = m.figure, histograms.Histograms
	m.output.Open = func(path string) tea.Cmd { return m.loader.add(path, m.openApart) }
	m.follow.Revise, m.follow.Summarise, m.follow.Busy = m.revise, m.summariseRest, m.busy
	m.palette.Former, m.palette.Waiting = FormerNames(), func() bool { return m.loader.current != nil }
	m.Tell = m.event
	m.palette.Actions = newTable(m)
}

// shut ends all background work.
func (m *Model) shut() {
	m.cancel()
	m.output.Wait()
	if m.wire != nil {
		m.wire.Close()
	}
}

// Init implements tea.Model.
func (m *Model) Init() tea.Cmd { return tea.Batch(m.start(), m.ask()) }

// start opens what the options name.
func (m *Model) start() tea.Cmd {
	m.loader.starting = true
	switch {
	case m.options.Session != "":
		return m.sessions.load(m.options.Session)
	case len(m.options.Paths) > 0:
		var cmds []tea.Cmd
		for _, p := range m.options.Paths {
			cmds = append(cmds, m.loader.add(p, nil))
		}
		return tea.Batch(cmds...)
	case m.options.Demo != nil:
		return m.loader.add("", nil)
	}
	m.loader.starting = false
	return nil
}

// press handles a key: an open dialog gets it first, then the pane in focus, then the table of actions.
func (m *Model) press(k tea.KeyPressMsg) tea.Cmd {
	m.scene.Messages.Clear()
	m.pointer.tip = tip{}
	if m.dialogs.Top() != nil {
		return m.dialogs.Top().Key(&m.dialogs, k)
	}
	offered := m.screen().offersHeadline()
	m.headline.touched = true
	if k.String() == "enter" && offered {
		return m.showHeadline()
	}
	return m.palette.Press(k.String())
}

// View implements tea.Model.
func (m *Model) View() tea.View {
	v := tea.NewView("")
	v.AltScreen = true
	if !m.mouseOff {
		v.MouseMode = tea.MouseModeAllMotion
	}
	v.WindowTitle = "pview"
	if w := m.Focused(); w != nil {
		v.WindowTitle = screen.Title("pview: " + w.Trace.Name)
	}
	if m.width <= 0 || m.height <= 0 {
		return v
	}
	m.canvas.Resize(m.width, m.height)
	m.stage()
	m.images = m.images[:0]
	cursor := m.screen().draw(m.canvas)
	v.Content = m.show(m.screen().plots(), cursor != nil)
	if cursor != nil {
		v.Cursor = tea.NewCursor(cursor.X, cursor.Y)
	}
	return v
}

// figure returns a picture of the part in focus, the pane's figures or the windows, and its name. It is drawn from
// values, not from cells.
func (m *Model) figure() (fig *picture.Figure, name string, err error) {
	fig = &picture.Figure{Dark: m.dark, Title: traceTitle(m.Focused().Trace)}
	if of, ok := m.panes.current().(pane.Pictured); ok && m.panes.open && m.PaneFocus {
		if fig.Panels, err = of.Panels(fig.Dark); err != nil || len(fig.Panels) > 0 {
			return fig, m.panes.current().Title(), err
		}
	}
	first, n := m.screen().windowsOnScreen()
	for _, w := range m.Windows[first : first+n] {
		switch {
		case w.Values.Err != nil:
			continue
		case w.Busy():
			return nil, "", errors.New("the windows are still being computed; try again in a moment")
		}
		p := picture.OfView(w, fig.Dark)
		p.Note = w.Trace.Name
		if w.Begin > 0 || w.End < w.Trace.Data.Duration {
			p.Note += ", " + raster.FormatRange(w.Begin, w.End, w.Trace.Data.Unit)
		}
		p.Flags = m.panes.flags(w.Trace)
		fig.Panels = append(fig.Panels, p)
	}
	if len(fig.Panels) == 0 {
		return nil, "", errors.New("no window can be drawn")
	}
	return fig, "timelines", nil
}

// event handles an event of the desk. Panes start no work for it.
func (m *Model) event(e any) {
	if closed, ok := e.(desk.TraceClosed); ok {
		m.cache.Forget(closed.Trace.Data)
		m.follow.Forget(closed.Trace)
	}
	m.panes.tell(e)
}

// revise replaces the data of a trace by another one: more of it was read, or written. Its rows are recomputed; until
// then the screen shows the previous values, unless the objects changed. Windows that showed the end of the trace show
// the new end.
func (m *Model) revise(t *timeline.Trace, by *prv.Trace) tea.Cmd {
	for _, w := range m.Windows { // those with the same time axis follow
		if whole := m.Whole(w); w.End >= whole {
			defer m.ShowEnd(w, whole)
		}
	}
	m.cache.Forget(t.Data)
	others := !timeline.SameObjects(t.Data, by)
	if others {
		m.reseat(t, by)
	}
	t.Data = by
	t.Revision++
	if !m.follow.On(t) {
		t.Summary = nil // stale
	}
	t.Recolor()
	for _, w := range m.ViewsOf(t) {
		w.Paint.Version++
		w.Paint.Overlays++
		if others {
			w.Clamp(by, m.Whole(w))
			w.ClampCursor(m.Whole(w))
		}
	}
	return tea.Batch(m.countTypes(t), m.profileTrace(t))
}

// reseat prepares the views of a trace for its next revision, which has other objects.
func (m *Model) reseat(t *timeline.Trace, by *prv.Trace) {
	for _, w := range m.ViewsOf(t) {
		w.Reseat(by)
	}
	m.Tell(desk.TraceReset{Trace: t})
}

func baseName(path string) string { return filepath.Base(path) }
