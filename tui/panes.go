package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/render/picture"
	"pview/render/raster"
	"pview/render/timeline"
	"pview/semantic"
	"pview/semantic/cfg"
	"pview/semantic/nearby"
	"pview/semantic/stat"
	"pview/tui/action"
	"pview/tui/pane"
	"pview/tui/pane/analyzer"
	"pview/tui/pane/compare"
	"pview/tui/pane/efficiency"
	"pview/tui/pane/findings"
	"pview/tui/pane/frameworks"
	"pview/tui/pane/network"
	"pview/tui/pane/notes"
	"pview/tui/pane/profile"
	"pview/tui/pane/simulator"
	"pview/tui/pane/study"
	"pview/tui/pane/whatwhere"
	"pview/tui/pane/workload"
)

// newPanes makes the panes, in the order of their tabs. A new pane is a package and a line here.
func newPanes(sc *pane.Scene) []pane.Pane {
	return []pane.Pane{
		whatwhere.New(sc),
		analyzer.New(sc),
		simulator.New(sc),
		efficiency.New(sc),
		notes.New(sc),
		profile.New(sc),
		findings.New(sc),
		compare.New(sc),
		study.New(sc),
		frameworks.New(sc),
		workload.New(sc),
		network.New(sc),
	}
}

// paneArea is the area below the windows that the panes share. It shows one at a time; their titles are the tabs of its
// heading.
type paneArea struct {
	list  []pane.Pane
	shown int // index into list
	open  bool
	lines int // height set by the user; 0 for the pane's own
}

// current returns the pane that is shown, or was last.
func (a *paneArea) current() pane.Pane { return a.list[a.shown] }

// show opens a pane.
func (a *paneArea) show(p pane.Pane) {
	if i := slices.Index(a.list, p); i >= 0 {
		a.open, a.shown = true, i
	}
}

// titled returns the position of the pane with a title; 0 for an unknown one.
func (a *paneArea) titled(title string) int {
	return max(slices.IndexFunc(a.list, func(p pane.Pane) bool { return p.Title() == title }), 0)
}

// tell gives a message to all panes.
func (a *paneArea) tell(msg tea.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for _, p := range a.list {
		cmds = append(cmds, p.Update(msg))
	}
	return tea.Batch(cmds...)
}

func (a *paneArea) busy() bool { return slices.ContainsFunc(a.list, pane.Pane.Busy) }

// progress lists what the panes report of their background work.
func (a *paneArea) progress() (texts []string) {
	for _, p := range a.list {
		if text := p.Progress(); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// flags returns the names that panes have for times of a trace.
func (a *paneArea) flags(t *timeline.Trace) (list []picture.Flag) {
	for _, p := range a.list {
		if flagger, ok := p.(pane.Flagger); ok {
			list = append(list, flagger.Flags(t)...)
		}
	}
	return list
}

// tab is a title in the heading of the panes, or a mark for the titles that do not fit: a click on it shows the next.
type tab struct {
	pane int
	text string
	x    int
}

const tabGap = " │ "

// tabs returns the titles that fit on a screen of a width. On a narrow screen they are turned over like pages, so that
// a third of the heading is left for the pane: titles stay whole, and in place while another of the page is chosen.
func (a *paneArea) tabs(width int) []tab {
	const marks = 2 * len("‹ ") // columns, at most
	room := width*2/3 - marks
	first, end := 0, 0
	for end <= a.shown {
		first = end
		for used := 0; end < len(a.list); end++ {
			if used += raster.TextWidth(a.list[end].Title() + tabGap); end > first && used > room {
				break
			}
		}
	}
	var list []tab
	x := 1
	add := func(pane int, text string) {
		list = append(list, tab{pane, text, x})
		x += raster.TextWidth(text + tabGap)
	}
	if first > 0 {
		add(first-1, "‹")
	}
	for i := first; i < end; i++ {
		add(i, a.list[i].Title())
	}
	if end < len(a.list) {
		add(end, "›")
	}
	return list
}

// tabs returns the titles in the heading of the panes: on a tiny screen, only that of the pane on it.
func (m *screenModel) tabs() []tab {
	if m.tiny() {
		return []tab{{m.panes.shown, m.panes.current().Title(), 0}}
	}
	return m.panes.tabs(m.width)
}

// drawTabs draws the titles of the panes, the shown one highlighted, and returns the column after them.
func (m *screenModel) drawTabs(c raster.Canvas) int {
	th := m.theme
	st, dim := th.Head, th.HeadDim
	if m.PaneFocus {
		st, dim = th.Focus, th.FocusDim
	}
	c.Fill(raster.Cell{Rune: ' ', Style: st})
	x := 1
	for i, t := range m.tabs() {
		look := dim
		if t.pane == m.panes.shown {
			look = st
			look.Attr |= raster.Bold
		}
		if i > 0 {
			c.Text(x, 0, th.ASCII(tabGap), dim)
		}
		x = c.Text(t.x, 0, th.ASCII(t.text), look)
	}
	return x
}

// clickPane handles a click on the area of the panes: one on a tab shows its pane.
func (p *pointer) clickPane(l *screenLayout, e tea.MouseClickMsg) tea.Cmd {
	again := p.m.PaneFocus
	p.m.PaneFocus = true
	x, y := e.X-l.pane.X, e.Y-l.pane.Y
	if y > 0 {
		return p.m.panes.current().Click(x, y, e, again)
	}
	for _, t := range p.m.screen().tabs() {
		if x >= t.x && x < t.x+raster.TextWidth(t.text) {
			p.m.panes.shown = t.pane
		}
	}
	return nil
}

// stage brings the scene of the panes up to date.
func (m *Model) stage() {
	s := &m.scene
	m.dialogs.W, m.dialogs.H, m.dialogs.Theme = m.width, m.height, m.theme
	for _, t := range m.Traces {
		t.Paraver = m.paraver
	}
	s.View, s.Views, s.Traces = m.Focused(), m.Windows, m.Traces
	if derived := func(t *timeline.Trace) bool { return t.Derived }; slices.ContainsFunc(s.Traces, derived) {
		s.Traces = slices.DeleteFunc(slices.Clone(s.Traces), derived)
	}
	s.Open, s.Focused = nil, m.panes.open && m.PaneFocus
	if m.panes.open {
		s.Open = m.panes.current()
	}
	s.SelBegin, s.SelEnd, s.Selected = m.Selection()
	s.SelFirst, s.SelAfter = 0, 0
	if s.Selected && s.View != nil {
		s.SelFirst, s.SelAfter = m.SelectedRows(s.View)
	}
	s.Width, s.Height, s.Theme, s.Look, s.ASCII, s.Dark = m.width, m.height, m.theme, m.look, m.ascii, m.dark
	s.Resources = m.resources()
	s.Machine, s.Headline = m.options.Machine, m.screen().headlineLines() > 0
	if m.panes.open && len(m.Windows) > 0 {
		s.Region = m.screen().layout().pane
	}
}

// syncPanes lets the panes start missing work.
func (m *Model) syncPanes() tea.Cmd {
	m.stage()
	var cmds []tea.Cmd
	for _, p := range m.panes.list {
		cmds = append(cmds, p.Sync())
	}
	cmds = append(cmds, m.carryOut())
	m.stage()
	return tea.Batch(cmds...)
}

// recordDescriber is the pane that describes records.
type recordDescriber interface {
	Summary(t *timeline.Trace, r nearby.Record) string
}

// histogramKeeper is the pane that has the histograms of windows.
type histogramKeeper interface {
	AddHistogram(w *timeline.View, h *stat.Histogram, file *cfg.Histogram, opened func(*semantic.Window) *timeline.View)
	Histograms(w *timeline.View, made map[int]*cfg.Window) []*cfg.Histogram
}

// actions returns the actions that change the height of the area. height returns the current one.
func (a *paneArea) actions(height func() int) []action.Action {
	grow := func(by int) func(string) tea.Cmd {
		return action.Do(func() { a.open, a.lines = true, max(max(height(), 4)+by, 4) })
	}
	return action.OfView(whatwhere.Title, []action.Action{
		{Name: "what-taller", Keys: []string{"alt+up"}, Doc: "give the pane more lines", Run: grow(2)},
		{Name: "what-shorter", Keys: []string{"alt+down"}, Doc: "give the pane fewer lines", Run: grow(-2)},
	})
}

// paneHeight returns the height of the area of the panes; 0 if closed.
func (m *Model) paneHeight() int { return m.screen().layout().pane.H }
