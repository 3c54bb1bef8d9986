package tui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pview/render/raster"
	"pview/render/timeline"
	"pview/sim/scenario"
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

// The panes that share the place below the windows, and how the shell routes to them. One is shown at a time; their
// titles are the tabs of its heading. A new pane is a package and a line in rooms.

// rooms makes the panes of a model, in the order of their tabs.
func rooms(m *Model) []pane.Pane {
	return []pane.Pane{
		whatwhere.New(&m.scene),
		analyzer.New(&m.scene),
		simulator.New(&m.scene),
		efficiency.New(&m.scene),
		notes.New(&m.scene),
		profile.New(&m.scene),
		findings.New(&m.scene),
		compare.New(&m.scene),
		study.New(&m.scene),
		frameworks.New(&m.scene),
		workload.New(&m.scene),
		network.New(&m.scene),
	}
}

// Positions of the panes that the shell itself speaks of.
const (
	tabWhat = iota
	tabAnalyzer
	tabSimulator
	tabEfficiency
	tabNotes
	tabProfile
	tabFindings
)

// furnish makes the panes, and the table of actions with theirs.
func (m *Model) furnish() {
	m.scene.Dialogs = &m.dialogs
	m.scene.Shell = pane.Shell{
		DrawTabs: m.face().drawTabs, Pixels: m.face().drawPanePixels, KeysOf: func(name string) string {
			return m.actions.KeysOf(name)
		}, Whole: m.Whole, NewID: m.NewID, NewView: m.NewWindow, CloneView: m.CloneWindow,
		After: func(d time.Duration, msg tea.Msg) tea.Cmd {
			return m.after(d, msg)
		}, Overwrite: m.overwriting, Past: m.pastOf, Read: m.openFile,
		Simulation: func(t *timeline.Trace) (*scenario.Program, scenario.Setup, bool) {
			return m.simulator.Simulation(t)
		},
	}
	m.panes = rooms(m)
	m.what, m.analyzer = m.panes[tabWhat].(*whatwhere.Pane), m.panes[tabAnalyzer].(*analyzer.Pane)
	m.simulator = m.panes[tabSimulator].(*simulator.Pane)
	m.efficiency, m.findings = m.panes[tabEfficiency].(*efficiency.Pane), m.panes[tabFindings].(*findings.Pane)
	m.actions = newTable(m)
}

var paneActions = []deed{
	{Name: "what-taller", Group: whatwhere.Title, Keys: []string{"alt+up"}, Doc: "give the pane more lines",
		needsWindow: true, run: func(m *Model, _ string) tea.Cmd { return m.growPane(2) }},
	{Name: "what-shorter", Group: whatwhere.Title, Keys: []string{"alt+down"}, Doc: "give the pane fewer lines",
		needsWindow: true, run: func(m *Model, _ string) tea.Cmd { return m.growPane(-2) }},
}

func (m *Model) growPane(by int) tea.Cmd {
	l := m.face().layout()
	m.paneOpen = true
	m.paneLines = max(max(l.pane.H, 4)+by, 4)
	return nil
}

// pane is the one that is shown, or was last.
func (m *face) pane() pane.Pane { return m.panes[m.tab] }

// showPane opens a pane.
func (m *Model) showPane(p pane.Pane, focus bool) {
	if i := slices.Index(m.panes, p); i >= 0 {
		m.paneOpen, m.tab, m.paneFocus = true, i, focus
	}
}

// stage brings the scene of the panes up to date.
func (m *Model) stage() {
	s := &m.scene
	for _, t := range m.Traces {
		t.Paraver = m.paraver
	}
	s.View, s.Views, s.Traces = m.Focused(), m.Windows, m.Traces
	if derived := func(t *timeline.Trace) bool { return t.Derived }; slices.ContainsFunc(s.Traces, derived) {
		s.Traces = slices.DeleteFunc(slices.Clone(s.Traces), derived)
	}
	s.Open, s.Focused = nil, m.paneOpen && m.paneFocus
	if m.paneOpen {
		s.Open = m.face().pane()
	}
	s.SelBegin, s.SelEnd, s.Selected = m.Selection()
	s.SelFirst, s.SelAfter = 0, 0
	if s.Selected && s.View != nil {
		s.SelFirst, s.SelAfter = m.SelectedRows(s.View)
	}
	s.Width, s.Height, s.Theme, s.Look, s.ASCII, s.Dark = m.width, m.height, m.theme, m.look, m.ascii, m.dark
	s.Resources = m.resources()
	s.Machine, s.Headline = m.options.Machine, m.face().headlineLines() > 0
	if m.paneOpen && len(m.Windows) > 0 {
		s.Region = m.face().layout().pane
	}
}

// tellPanes gives a message to all panes.
func (m *Model) tellPanes(msg tea.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for _, p := range m.panes {
		cmds = append(cmds, p.Update(msg))
	}
	return tea.Batch(cmds...)
}

// event tells the panes what has happened to a view or trace; they start no work for it.
func (m *Model) event(e tea.Msg) {
	for _, p := range m.panes {
		p.Update(e)
	}
}

// syncPanes lets the panes start what they lack.
func (m *Model) syncPanes() tea.Cmd {
	m.stage()
	var cmds []tea.Cmd
	for _, p := range m.panes {
		cmds = append(cmds, p.Sync())
	}
	cmds = append(cmds, m.carryOut())
	m.stage()
	if m.panesBusy() {
		cmds = append(cmds, m.tick())
	}
	return tea.Batch(cmds...)
}

func (m *Model) panesBusy() bool {
	return slices.ContainsFunc(m.panes, func(p pane.Pane) bool { return p.Busy() })
}

// drawPane draws the pane that is shown.
func (m *face) drawPane(c raster.Canvas) { m.pane().Draw(c) }

// clickPane handles a click on the pane: one on a tab shows it.
func (m *Model) clickPane(l *screenLayout, e tea.MouseClickMsg) tea.Cmd {
	again := m.paneFocus
	m.paneFocus = true
	if e.Y == l.pane.Y {
		if t := m.face().tabAt(e.X - l.pane.X); t >= 0 {
			m.tab = t
		}
		return nil
	}
	return m.face().pane().Click(e.X-l.pane.X, e.Y-l.pane.Y, e, again)
}

// drawTabs writes the titles of the panes, the one shown first to the eye, and
// returns the column after them.
func (m *face) drawTabs(c raster.Canvas) int {
	th := m.theme
	st, dim := th.Head, th.HeadDim
	if m.paneFocus {
		st, dim = th.Focus, th.FocusDim
	}
	c.Fill(raster.Cell{Rune: ' ', Style: st})
	x := 1
	for i, t := range m.tabs() {
		look := dim
		if t.pane == m.tab {
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

// tab is a title in the heading of the panes, or a mark for those that there is no room for: a click on it shows the
// next of them.
type tab struct {
	pane int
	text string
	x    int
}

const tabGap = " │ "

// tabs are the titles of the panes. On a narrow screen they are turned over like pages, so that a third of the heading
// is left for what the pane says there: titles stay whole, and in their places while a pane beside is chosen.
func (m *face) tabs() []tab {
	if m.tiny() {
		return []tab{{m.tab, m.panes[m.tab].Title(), 0}}
	}
	const marks = 2 * len("‹ ") // columns, at most
	room := m.width*2/3 - marks
	first, end := 0, 0
	for end < len(m.panes) {
		first = end
		for width := 0; end < len(m.panes); end++ {
			if width += raster.TextWidth(m.panes[end].Title() + tabGap); end > first && width > room {
				break
			}
		}
		if m.tab < end {
			break
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
		add(i, m.panes[i].Title())
	}
	if end < len(m.panes) {
		add(end, "›")
	}
	return list
}

// tabAt returns the pane whose tab is at a column of the heading; -1 for none.
func (m *face) tabAt(x int) int {
	for _, t := range m.tabs() {
		if x >= t.x && x < t.x+raster.TextWidth(t.text) {
			return t.pane
		}
	}
	return -1
}
