package tui

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/insight/report"
	"pview/prv"
	"pview/render/picture"
	"pview/render/raster"
	"pview/render/timeline"
	"pview/semantic"
	"pview/semantic/cfg"
	"pview/semantic/nearby"
	"pview/semantic/stat"
	"pview/tui/action"
	"pview/tui/list"
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

// A workspace is a question, and the pages that answer it.
type workspace struct {
	title, word, key, question string
	pages                      []page
}

// A page is a pane of a workspace.
type page struct {
	pane.Pane
	label string
	open  string // command that opens it
}

// newPanes makes the panes: What/Where, which belongs to the timeline, and the pages of the workspaces. A new pane is a
// package and a line here.
func newPanes(sc *pane.Scene) (pane.Pane, []workspace) {
	return whatwhere.New(sc), []workspace{
		{"Why", "why", "B", "where did the time go, what would help?", []page{
			{findings.New(sc), "Findings", "findings"},
			{efficiency.New(sc), "Efficiency", "efficiency"},
			{frameworks.New(sc), "Structure", "frameworks"},
		}},
		{"Table", "table", "a", "how much, of what, where?", []page{
			{analyzer.New(sc), "Analyzer", "analyze"},
			{profile.New(sc), "Profile", "profile"},
			{network.New(sc), "Messages", "network"},
			{workload.New(sc), "Bursts", "workload"},
		}},
		{"What-if", "what-if", "s", "what if the machine or the program were different?", []page{
			{simulator.New(sc), "Simulator", "simulate"},
			{study.New(sc), "Study", "study"},
		}},
		{"Compare", "compare", "=", "what changed?", []page{{compare.New(sc), "Compare", "compare"}}},
		{"Notes", "notes", "N", "what did I see?", []page{{notes.New(sc), "Notes", "notes"}}},
	}
}

// paneArea is the area below the windows that the panes share. It shows one at a time: What/Where, or a page of a
// workspace, below the bar of the workspaces.
type paneArea struct {
	list   []pane.Pane
	spaces []workspace
	moves  map[string]list.Moves // by title
	shown  int                   // index into list
	open   bool
	lines  int // height set by the user; 0 for the pane's own
}

// furnish makes the panes.
func (a *paneArea) furnish(sc *pane.Scene) {
	what, spaces := newPanes(sc)
	a.list, a.spaces, a.moves = []pane.Pane{what}, spaces, map[string]list.Moves{}
	for _, s := range spaces {
		for _, p := range s.pages {
			a.list = append(a.list, p.Pane)
		}
	}
}

// current returns the pane that is shown, or was last.
func (a *paneArea) current() pane.Pane { return a.list[a.shown] }

// space returns the workspace of the current pane, and the position of its page; nil for What/Where.
func (a *paneArea) space() (s *workspace, at int) {
	for i := range a.spaces {
		s = &a.spaces[i]
		if at = slices.IndexFunc(s.pages, func(p page) bool { return p.Pane == a.current() }); at >= 0 {
			return s, at
		}
	}
	return nil, 0
}

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

// tell passes a message to all panes.
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

// leaf is a page, or one of the pages within it.
type leaf struct {
	page   int
	within string // "" for the page as a whole
}

// leaves lists the pages of a workspace; the page at a position with its inner pages.
func (s *workspace) leaves(at int) (list []leaf) {
	for i, p := range s.pages {
		paged, ok := p.Pane.(pane.Paged)
		if i != at || !ok {
			list = append(list, leaf{i, ""})
			continue
		}
		for _, name := range paged.PageNames() {
			list = append(list, leaf{i, name})
		}
	}
	return list
}

// leaf returns the position of the shown page among the leaves.
func (s *workspace) leaf(at int) int {
	if paged, ok := s.pages[at].Pane.(pane.Paged); ok {
		return at + paged.Page()
	}
	return at
}

// name returns the title of a page in the heading.
func (s *workspace) name(l leaf) string {
	if l.within != "" {
		return report.UpperFirst(l.within)
	}
	return s.pages[l.page].label
}

// tab is a name in the heading of a pane, or a mark for the names that do not fit: a click on it shows the next.
type tab struct {
	leaf
	at   int // among the leaves
	text string
	x    int
}

const tabGap = "  " // between the names of pages

// tabs returns the names that fit on a screen of a width, and the position of the shown one. On a narrow screen they
// come in groups: names stay whole, and in place while another one of the group is chosen.
func (a *paneArea) tabs(width int) (list []tab, shown int) {
	s, at := a.space()
	if s == nil {
		return []tab{{text: a.current().Title(), x: 1}}, 0
	}
	all, shown := s.leaves(at), s.leaf(at)
	text := func(i int) string { return s.name(all[i]) }
	const marks = 2 * len("‹ ") // columns, at most
	const note = 24             // columns for the pane's note beside the names
	room, total := width*3/4-marks, 0
	for i := range all {
		total += raster.TextWidth(text(i) + tabGap)
	}
	if total <= width-note {
		room = total
	}
	first, end := 0, 0
	for end <= shown {
		first = end
		for used := 0; end < len(all); end++ {
			if used += raster.TextWidth(text(end) + tabGap); end > first && used > room {
				break
			}
		}
	}
	x := 1
	add := func(i int, text string) {
		list = append(list, tab{all[i], i, text, x})
		x += raster.TextWidth(text + tabGap)
	}
	if first > 0 {
		add(first-1, "‹")
	}
	for i := first; i < end; i++ {
		add(i, text(i))
	}
	if end < len(all) {
		add(end, "›")
	}
	return list, shown
}

// shownName returns the name of the shown page, as in the tabs.
func (a *paneArea) shownName() string {
	s, at := a.space()
	if s == nil {
		return a.current().Title()
	}
	return s.name(s.leaves(at)[s.leaf(at)])
}

// tabs returns the names in the heading of the pane: on a tiny screen, only the shown one.
func (m *screenModel) tabs() ([]tab, int) {
	if m.tiny() {
		return []tab{{text: m.panes.current().Title()}}, 0
	}
	return m.panes.tabs(m.width)
}

// drawTabs draws the pages of the workspace, the shown one highlighted, and returns the column after them.
func (m *screenModel) drawTabs(c raster.Canvas) int {
	th := m.theme
	st, dim := th.Head, th.HeadDim
	if m.PaneFocus {
		st, dim = th.Focus, th.FocusDim
	}
	c.Fill(raster.Cell{Rune: ' ', Style: st})
	x := 1
	tabs, shown := m.tabs()
	for _, t := range tabs {
		look := dim
		if t.at == shown {
			look = st
			look.Attr |= raster.Bold
		}
		x = c.Text(t.x, 0, th.ASCII(t.text), look)
	}
	return x
}

// spaceTab is the title of a workspace in the bar, with its key.
type spaceTab struct {
	key, title string
	x, end     int
}

// spaceTabs returns the titles of the workspaces in the bar.
func (m *screenModel) spaceTabs() (tabs []spaceTab) {
	x := 1
	for _, s := range m.panes.spaces {
		t := spaceTab{key: m.scene.KeysOf("workspace " + s.word), title: s.title, x: x}
		t.end = x + raster.TextWidth(t.key) + 1 + raster.TextWidth(t.title)
		tabs, x = append(tabs, t), t.end+3
	}
	return tabs
}

// drawBar draws the workspaces, with the pane's highlighted.
func (m *screenModel) drawBar(c raster.Canvas) {
	th := m.theme
	c.Fill(raster.Cell{Rune: ' ', Style: th.Head})
	shown, _ := m.panes.space()
	for i, t := range m.spaceTabs() {
		key, title := raster.Style{FG: th.Key.FG, BG: th.Head.BG, Attr: th.Key.Attr}, th.HeadDim
		if shown == &m.panes.spaces[i] {
			title = th.Head
			title.Attr |= raster.Bold
			key.Attr |= raster.Bold
		}
		x := c.Text(t.x, 0, th.ASCII(t.key), key)
		c.Text(x+1, 0, t.title, title)
	}
}

// leastBar is the minimum height of a screen for the bar of the workspaces.
const leastBar = 18

// barHeight returns the height of the bar of the workspaces.
func (m *screenModel) barHeight() int {
	if s, _ := m.panes.space(); s == nil || !m.panes.open || m.height < leastBar {
		return 0
	}
	return 1
}

// spaceActions open the workspaces.
func (m *Model) spaceActions() []action.Action {
	a := action.Action{Name: "workspace", Doc: "open a workspace"}
	for i := range m.panes.spaces {
		s := &m.panes.spaces[i]
		pages := s.leaves(-1)
		if len(s.pages) == 1 {
			pages = s.leaves(0)
		}
		about := s.title + ": " + s.question + " " + strings.Join(s.names(pages), ", ")
		for at := range s.pages { // and their inner pages
			pages = append(pages, slices.DeleteFunc(s.leaves(at), func(l leaf) bool { return l.within == "" })...)
		}
		labels := s.names(pages)
		c := action.Action{Name: s.word, Keys: []string{s.key}, Args: "[PAGE]",
			Doc:      about,
			Complete: func(string) []string { return labels },
			Run: func(args string) tea.Cmd {
				if args == "" {
					return m.openSpace(s)
				}
				i, err := action.Choose(labels, 0, 0, args)
				if err != nil {
					return m.scene.Refuse(err)
				}
				if on, at := m.panes.space(); on == s && m.panes.open && pages[i].within != "" {
					m.PaneFocus = true
					return m.openLeaf(s, at, pages[i])
				}
				return m.openLeaf(s, -1, pages[i])
			}}
		a.Choices = append(a.Choices, c)
	}
	return action.OfView(groupSpaces, []action.Action{a})
}

const groupSpaces = "Workspaces"

// openSpace focuses the visible page of a workspace, or opens the first.
func (m *Model) openSpace(s *workspace) tea.Cmd {
	if on, at := m.panes.space(); on == s && at > 0 && m.panes.open && !m.PaneFocus {
		m.PaneFocus = true
		return nil
	}
	return m.palette.Run(s.pages[0].open, "")
}

// turnPage returns the verb that goes through the pages of the workspace: a pane's inner pages, then the next pane.
func (m *Model) turnPage(by int) func(string) tea.Cmd {
	return func(name string) tea.Cmd {
		s, at := m.panes.space()
		if s == nil {
			return m.scene.Refuse(errors.New(m.panes.current().Title() + " has no pages"))
		}
		all, shown := s.leaves(at), s.leaf(at)
		if name != "" {
			i, err := action.Choose(m.panes.pageNames(), shown, 0, name)
			if err != nil {
				return m.scene.Refuse(err)
			}
			return m.openLeaf(s, at, all[i])
		}
		next := (shown + by + len(all)) % len(all)
		if all[next].page == at && (next-shown)*by > 0 {
			if cmd := m.openLeaf(s, at, all[next]); s.leaf(at) != shown {
				return cmd
			}
			next = (at + by + len(s.pages)) % len(s.pages) // the pane cannot turn to it now
			return m.openLeaf(s, at, leaf{page: next})
		}
		to := leaf{page: all[next].page}
		if paged, ok := s.pages[to.page].Pane.(pane.Paged); ok {
			names := paged.PageNames()
			if to.within = names[0]; by < 0 {
				to.within = names[len(names)-1]
			}
		}
		return m.openLeaf(s, at, to)
	}
}

// pageNames names the leaves of the workspace.
func (a *paneArea) pageNames() []string {
	s, at := a.space()
	if s == nil {
		return nil
	}
	return s.names(s.leaves(at))
}

// names returns the names of leaves.
func (s *workspace) names(list []leaf) (names []string) {
	for _, l := range list {
		names = append(names, cmp.Or(l.within, s.pages[l.page].label))
	}
	return names
}

// openLeaf shows a page of a workspace whose page at is shown.
func (m *Model) openLeaf(s *workspace, at int, to leaf) tea.Cmd {
	var cmd tea.Cmd
	if to.page != at {
		cmd = m.palette.Run(s.pages[to.page].open, "")
	}
	if to.within != "" {
		if turn := m.panes.moves[s.pages[to.page].Title()][list.NextPage]; turn != nil {
			return tea.Batch(cmd, turn(to.within))
		}
	}
	return cmd
}

// clickPane handles a click on the area of the panes: one on a title or name shows its workspace or page.
func (p *pointer) clickPane(l *screenLayout, e tea.MouseClickMsg) tea.Cmd {
	again := p.m.PaneFocus
	p.m.PaneFocus = true
	if l.bar.Has(e.X, e.Y) {
		for i, t := range p.m.screen().spaceTabs() {
			if s := &p.m.panes.spaces[i]; e.X >= t.x && e.X < t.end {
				return p.m.palette.Run(s.pages[0].open, "")
			}
		}
		return nil
	}
	x, y := e.X-l.pane.X, e.Y-l.pane.Y
	if y > 0 {
		return p.m.panes.current().Click(x, y, e, again)
	}
	s, at := p.m.panes.space()
	tabs, shown := p.m.screen().tabs()
	for _, t := range tabs {
		if x >= t.x && x < t.x+raster.TextWidth(t.text) && s != nil && t.at != shown {
			return p.m.openLeaf(s, at, t.leaf)
		}
	}
	return nil
}

// stage updates the scene of the panes.
func (m *Model) stage() {
	s := &m.scene
	m.dialogs.W, m.dialogs.H, m.dialogs.Theme = m.width, m.height, m.theme
	for _, t := range m.Traces {
		t.Paraver = m.paraver
	}
	s.View, s.Views, s.Traces, s.Unread = m.Focused(), m.Windows, m.Traces, m.loader.errors
	if derived := func(t *timeline.Trace) bool { return t.Derived }; slices.ContainsFunc(s.Traces, derived) {
		s.Traces = slices.DeleteFunc(slices.Clone(s.Traces), derived)
	}
	s.Open, s.Focused = nil, m.panes.open && m.PaneFocus
	if m.panes.open {
		s.Open = m.panes.current()
	}
	s.SelBegin, s.SelEnd, s.Selected = m.Selection()
	s.Width, s.Height, s.Theme, s.Look, s.ASCII, s.Dark = m.width, m.height, m.theme, m.look, m.ascii, m.dark
	s.Resources = m.resources()
	s.Machine, s.LastMachine = m.options.Machine, m.sessions.recent.Machine()
	s.Headline = m.screen().headlineLines() > 0
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
	Summary(tr *prv.Trace, r nearby.Record) string
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
		action.Action{Name: "pane", Doc: "change the height of the pane"}.With(
			action.Action{Name: "taller", Keys: []string{"alt+up"}, Doc: "give the pane more lines", Run: grow(2)},
			action.Action{Name: "shorter", Keys: []string{"alt+down"}, Doc: "give the pane fewer lines", Run: grow(-2)},
		),
	})
}

// paneHeight returns the height of the area of the panes; 0 if closed.
func (m *Model) paneHeight() int {
	l := m.screen().layout()
	return l.bar.H + l.pane.H
}
