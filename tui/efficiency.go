package tui

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/insight/efficiency"
	"pview/tui/action"
	"pview/tui/paths"
	"pview/tui/style"
	"pview/tui/timeline"
)

// The Efficiency pane: the POP factors of the open traces, and of others that are read for the comparison only, as a
// tree with a column for each run. Runs are measured one after the other in the background; what is known is
// shown.

// efficiencyPane is what the pane shows and where the user is in it.
type efficiencyPane struct {
	added   []string           // paths that were named for the comparison
	out     map[string]bool    // keys of open traces that were taken out of it
	found   map[string]outcome // by key
	keys    []string           // of the runs to compare, as they were last
	job     *measuring
	scaling efficiency.Scaling
	project []int
	model   *efficiency.Model // of the projection; nil: the first

	report     *efficiency.Report // nil while no run is measured
	order      []string           // by column of the report: its key
	labels     []string           // the same: its name
	projection *efficiency.Projection

	at, top int    // the line that is chosen, the first one shown
	chosen  string // key of the run that is chosen; "" for that of the window
	threads bool   // useful time per thread instead of the factors, where there is no room for both
	frame   efficiencyFrame
}

// outcome is what became of a measurement.
type outcome struct {
	run      *efficiency.Run
	err      error
	revision int // of the trace then
}

// efficiencyFrame is where things stood when the pane was last drawn, for the mouse.
type efficiencyFrame struct {
	y, lines int   // of the factors
	x        []int // where the columns of the runs end
	from     int   // where the first one begins
}

// efficiencyLine is a line of the pane: a factor, and where it stands in the tree.
type efficiencyLine struct {
	factor *efficiency.Factor
	lead   string // what is drawn before its name
}

var efficiencyActions = []deed{
	{Name: "efficiency", Group: groupEfficiency, Keys: []string{"U"}, Args: "[TRACE...]", Doc: "tell how well the open traces use their processors: the POP factors; further traces are compared", needsWindow: true, run: openEfficiency, complete: completeLastFile},
	{Name: "factor-up", Group: groupEfficiency, Keys: []string{"up", "k"}, Doc: "choose the factor above", InPane: true, needsWindow: true, run: moveFactor(-1)},
	{Name: "factor-down", Group: groupEfficiency, Keys: []string{"down", "j"}, Doc: "choose the factor below", InPane: true, needsWindow: true, run: moveFactor(1)},
	{Name: "factors-up", Group: groupEfficiency, Keys: []string{"pgup", "ctrl+u"}, Doc: "go up by a screen", InPane: true, needsWindow: true, run: moveFactor(-8)},
	{Name: "factors-down", Group: groupEfficiency, Keys: []string{"pgdown", "ctrl+d"}, Doc: "go down by a screen", InPane: true, needsWindow: true, run: moveFactor(8)},
	{Name: "first-factor", Group: groupEfficiency, Keys: []string{"home", "K"}, Doc: "choose the first factor", InPane: true, needsWindow: true, run: moveFactor(-1 << 20)},
	{Name: "last-factor", Group: groupEfficiency, Keys: []string{"end", "J"}, Doc: "choose the last figure", InPane: true, needsWindow: true, run: moveFactor(1 << 20)},
	{Name: "run-left", Group: groupEfficiency, Keys: []string{"left", "h"}, Doc: "choose the run at the left", InPane: true, needsWindow: true, run: moveRun(-1)},
	{Name: "run-right", Group: groupEfficiency, Keys: []string{"right", "l"}, Doc: "choose the run at the right", InPane: true, needsWindow: true, run: moveRun(1)},
	{Name: "add-run", Group: groupEfficiency, Keys: []string{"a", "+"}, Doc: "compare a further trace, which is read for its figures only", InPane: true, needsWindow: true, run: func(m *Model, _ string) tea.Cmd { return m.promptFor("efficiency") }},
	{Name: "drop-run", Group: groupEfficiency, Keys: []string{"x", "delete"}, Doc: "take the chosen run out of the comparison", InPane: true, needsWindow: true, run: dropRun},
	{Name: "all-runs", Group: groupEfficiency, Keys: []string{"o"}, Doc: "compare all open traces again", InPane: true, needsWindow: true, run: allRuns},
	{Name: "scaling", Group: groupEfficiency, Keys: []string{"s"}, Args: "[auto|strong|weak]", Doc: "compare by strong or weak scaling: whether the work grows with the processes", InPane: true, needsWindow: true, run: setScaling, complete: func(*Model, string) []string { return scalingNames() }},
	{Name: "project", Group: groupEfficiency, Keys: []string{"p"}, Args: "N,N,... [MODEL] or off", Doc: "project the factors to more processes, by amdahl or pipeline: project 16,32,64 pipeline", InPane: true, needsWindow: true, run: setProjection},
	{Name: "useful-threads", Group: groupEfficiency, Keys: []string{"t"}, Doc: "show the useful time of each process or thread, or the factors", InPane: true, needsWindow: true, run: func(m *Model, _ string) tea.Cmd {
		m.efficiency.threads = !m.efficiency.threads
		return nil
	}},
	{Name: "measure-again", Group: groupEfficiency, Keys: []string{"r"}, Doc: "measure what was stopped or failed", InPane: true, needsWindow: true, run: measureAgain},
	{Name: "efficiency-leave", Group: groupEfficiency, Keys: []string{"esc"}, Doc: "stop measuring; else go back to the window", InPane: true, run: func(m *Model, _ string) tea.Cmd {
		if !m.stopMeasuring() {
			m.paneFocus = false
		}
		return nil
	}},
}

// openEfficiency opens the pane, goes into it, and adds the traces that are named.
func openEfficiency(m *Model, args string) tea.Cmd {
	m.paneOpen, m.paneFocus, m.tab = true, true, tabEfficiency
	e := &m.efficiency
	for _, path := range splitPaths(args) {
		path = paths.ExpandHome(path)
		key := path
		for _, t := range m.traces {
			if paths.Same(t.Data.Path, path) {
				key = runKey(t)
			}
		}
		delete(e.out, key)
		if key == path && !slices.ContainsFunc(e.added, func(p string) bool { return p == path || paths.Same(p, path) }) {
			e.added = append(e.added, path)
		}
	}
	return nil
}

// splitPaths parts paths at blanks, but not within quotation marks.
func splitPaths(args string) (paths []string) {
	quoted := false
	return slices.DeleteFunc(strings.FieldsFunc(args, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
			return true
		}
		return r == ' ' && !quoted
	}), func(s string) bool { return strings.TrimSpace(s) == "" })
}

// completeLastFile completes the last of several paths.
func completeLastFile(m *Model, args string) []string {
	at := strings.LastIndexByte(args, ' ') + 1
	offers := paths.Complete(".prv", ".prv.gz")(args[at:])
	for i := range offers {
		offers[i] = args[:at] + offers[i]
	}
	return offers
}

// runKey is the key of an open trace.
func runKey(t *timeline.Trace) string { return fmt.Sprintf("#%d", t.ID) }

// runsToCompare lists the keys of the runs that the pane compares.
func (m *Model) runsToCompare() (keys []string) {
	e := &m.efficiency
	for _, t := range m.traces {
		if k := runKey(t); !e.out[k] {
			keys = append(keys, k)
		}
	}
	return append(keys, e.added...)
}

// known reports whether a run is measured, as its trace is now.
func (m *Model) known(key string) bool {
	o, ok := m.efficiency.found[key]
	if t := m.traceByKey(key); t != nil {
		return ok && o.revision == t.Revision
	}
	return ok
}

func (m *Model) traceByKey(key string) *timeline.Trace {
	for _, t := range m.traces {
		if runKey(t) == key {
			return t
		}
	}
	return nil
}

// runName is what a run is called before it is measured.
func (m *Model) runName(key string) string {
	if t := m.traceByKey(key); t != nil {
		return t.Name
	}
	return baseName(key)
}

// compare makes the report anew, of the runs that are known.
func (e *efficiencyPane) compare() error {
	var runs []*efficiency.Run
	of := map[*efficiency.Run]string{}
	for _, key := range e.keys {
		if run := e.found[key].run; run != nil {
			runs = append(runs, run)
			of[run] = key
		}
	}
	e.report, e.order, e.labels, e.projection = nil, nil, nil, nil
	if len(runs) == 0 {
		return nil
	}
	e.report = efficiency.Compare(runs, e.scaling)
	e.labels = e.report.Labels()
	for _, run := range e.report.Runs {
		e.order = append(e.order, of[run])
	}
	if len(e.project) == 0 {
		return nil
	}
	fits, err := e.report.Fit(cmp.Or(e.model, &efficiency.Models[0]))
	if err == nil {
		e.projection = e.report.Project(fits, e.project)
	}
	return err
}

// column returns the column of the run that is chosen: by the user, else by the window in focus.
func (m *Model) efficiencyColumn() int {
	e := &m.efficiency
	for _, key := range []string{e.chosen, runKey(m.window().Trace)} {
		if i := slices.Index(e.order, key); i >= 0 {
			return i
		}
	}
	return 0
}

// lines lists the factors as they stand below one another: the tree, then the other figures that have values.
func (e *efficiencyPane) lines(th *style.Theme) (list []efficiencyLine) {
	tree := efficiency.Tree(e.report.Hybrid())
	inTree := map[*efficiency.Factor]bool{}
	for i, n := range tree {
		inTree[n.Factor] = true
		list = append(list, efficiencyLine{n.Factor, treeLead(tree, i, th)})
	}
	for _, f := range e.report.Shown() {
		if !inTree[f] && e.has(f) {
			list = append(list, efficiencyLine{f, ""})
		}
	}
	return list
}

// has reports whether any run has a value of a figure.
func (e *efficiencyPane) has(f *efficiency.Factor) bool {
	for i := range e.report.Runs {
		if v := e.report.Value(f, i); v == v {
			return true
		}
	}
	return false
}

// treeLead draws the branches that lead to a factor.
func treeLead(tree []efficiency.Node, i int, th *style.Theme) string {
	more := func(depth int) bool { // whether a further factor of that depth follows below the same parent
		for _, n := range tree[i+1:] {
			if n.Depth <= depth {
				return n.Depth == depth
			}
		}
		return false
	}
	branch, last, through, none := "├ ", "└ ", "│ ", "  "
	if th.Glyphs.Name == "ascii" {
		branch, last, through = "|-", "`-", "| "
	}
	lead := ""
	for d := 1; d < tree[i].Depth; d++ {
		if more(d) {
			lead += through
		} else {
			lead += none
		}
	}
	switch {
	case tree[i].Depth == 0:
		return ""
	case more(tree[i].Depth):
		return lead + branch
	}
	return lead + last
}

func moveFactor(by int) func(*Model, string) tea.Cmd {
	return func(m *Model, _ string) tea.Cmd {
		m.efficiency.move(by, m.theme)
		return nil
	}
}

func (e *efficiencyPane) move(by int, th *style.Theme) {
	if e.report != nil {
		e.at = max(0, min(e.at+by, len(e.lines(th))-1))
	}
}

func moveRun(by int) func(*Model, string) tea.Cmd {
	return func(m *Model, _ string) tea.Cmd {
		e := &m.efficiency
		if len(e.order) > 0 {
			e.chosen = e.order[max(0, min(m.efficiencyColumn()+by, len(e.order)-1))]
		}
		return nil
	}
}

// dropRun takes the chosen run out of the comparison; one always stays.
func dropRun(m *Model, _ string) tea.Cmd {
	e := &m.efficiency
	if len(e.order) < 2 {
		return m.refuse(errors.New("this is the only run"))
	}
	i := m.efficiencyColumn()
	key := e.order[i]
	if m.traceByKey(key) == nil {
		e.added = slices.DeleteFunc(e.added, func(p string) bool { return p == key })
	} else {
		if e.out == nil {
			e.out = map[string]bool{}
		}
		e.out[key] = true
	}
	if i+1 < len(e.order) {
		e.chosen = e.order[i+1]
	} else {
		e.chosen = e.order[i-1]
	}
	m.say(m.runName(key) + " is not compared any more; " + action.KeyLabel("o") + " brings open traces back")
	return nil
}

func allRuns(m *Model, _ string) tea.Cmd {
	m.efficiency.out = nil
	return nil
}

func scalingNames() (names []string) {
	for _, s := range efficiency.Scalings {
		names = append(names, s.Name)
	}
	return names
}

func setScaling(m *Model, args string) tea.Cmd {
	e := &m.efficiency
	i, err := action.Choose(scalingNames(), int(e.scaling), 1, args)
	if err != nil {
		return m.refuse(err)
	}
	e.scaling = efficiency.Scaling(i)
	m.say(e.scaling.String() + " scaling: " + efficiency.Scalings[i].Doc)
	return m.compareAgain()
}

// setProjection projects to the sizes that args names.
func setProjection(m *Model, args string) tea.Cmd {
	e := &m.efficiency
	if args == "" && len(e.project) > 0 {
		args = "off"
	}
	if args == "" {
		return m.promptFor("project")
	}
	var sizes []int
	var model *efficiency.Model
	for _, word := range strings.FieldsFunc(args, func(r rune) bool { return r == ',' || r == ' ' }) {
		if by, ok := efficiency.ModelByName(word); ok {
			model = by
			continue
		}
		n, err := strconv.Atoi(word)
		if word == "off" {
			continue
		}
		if err != nil || n < 1 {
			return m.refuse(fmt.Errorf("%q is no number of processes, and no model", word))
		}
		sizes = append(sizes, n)
	}
	e.project, e.model = sizes, model
	return m.compareAgain()
}

// compareAgain makes the report anew and says why it cannot be projected.
func (m *Model) compareAgain() tea.Cmd {
	if err := m.efficiency.compare(); err != nil {
		m.efficiency.project = nil
		return m.refuse(err)
	}
	return nil
}

func measureAgain(m *Model, _ string) tea.Cmd {
	e := &m.efficiency
	for key, o := range e.found {
		if o.err != nil {
			delete(e.found, key)
		}
	}
	return nil
}

// clickEfficiency chooses the factor and the run under the pointer.
func (m *Model) clickEfficiency(l *screenLayout, e tea.MouseClickMsg, _ bool) tea.Cmd {
	p := &m.efficiency
	f := &p.frame
	if y := e.Y - l.pane.Y - f.y; y >= 0 && y < f.lines && p.report != nil {
		p.at = p.top + y
		p.move(0, m.theme)
	}
	x := e.X - l.pane.X
	for i, end := range f.x {
		if x >= f.from && x < end && i < len(p.order) {
			p.chosen = p.order[i]
			break
		}
	}
	return nil
}

func (m *Model) wheelEfficiency(_ tea.MouseWheelMsg, sign int) { m.efficiency.move(sign, m.theme) }

func (m *Model) efficiencyHints() [][2]string {
	return [][2]string{{"↑↓", "factor"}, {"←→", "run"}, {"a", "add a trace"}, {"x", "take out"}, {"t", "per process"}, {"s", "scaling"}, {"p", "project"}, {"r", "again"}, {"Esc", "back"}}
}
