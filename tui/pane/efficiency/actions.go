package efficiency

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/insight/efficiency"
	"pview/tui/action"
	"pview/tui/list"
	"pview/tui/paths"
)

// The pane's actions and moves.

// Actions returns the actions of the pane.
func (p *Pane) Actions() []action.Action {
	in := func(name string, keys []string, doc string, run func(args string) tea.Cmd) action.Action {
		return action.Action{Name: name, Group: Title, Keys: keys, Doc: doc, InPane: true, NeedsView: true, Run: run}
	}
	scaling := in("scaling", []string{"c"}, "compare by strong or weak scaling (constant or growing work)",
		p.setScaling)
	scaling.Args, scaling.Complete = "[auto|strong|weak]", func(string) []string { return scalingNames() }
	project := in("project", []string{"p"},
		"project the factors to more processes, by amdahl or pipeline: project 16,32,64 pipeline", p.setProjection)
	project.Args = "N,N,... [MODEL] or off"
	return []action.Action{
		action.Action{Name: "efficiency", Group: Title, Keys: []string{"U"}, Args: "[TRACE...]",
			Doc: "show the efficiency of the open traces: POP factors; add other traces to compare", NeedsView: true,
			Run: p.open, Complete: completeLastFile}.With(
			in("add", []string{"+"}, "compare another trace without opening it", func(string) tea.Cmd {
				return p.sc.Ask("efficiency")
			}),
			in("drop", []string{"x", "delete"}, "remove the chosen run from the comparison", p.dropRun),
			in("all", []string{"o"}, "compare all open traces again", p.allRuns),
			in("threads", []string{"t"}, "show the useful time of each process or thread, or the factors",
				p.flipThreads),
			in("again", []string{"r"}, "repeat stopped or failed measurements", p.measureAgain),
			scaling, project,
		),
	}
}

// Moves go through the factors, and the runs.
func (p *Pane) Moves() list.Moves {
	moves := list.Steps(8, func(lines int) tea.Cmd { p.move(lines); return nil })
	moves[list.Left], moves[list.Right], moves[list.Leave] = p.moveRun(-1), p.moveRun(1), p.leave
	return moves
}

func (p *Pane) leave(string) tea.Cmd {
	if !p.stopMeasuring() {
		p.sc.Leave()
	}
	return nil
}

func (p *Pane) flipThreads(string) tea.Cmd {
	if p.beside() {
		return p.sc.Refuse(errors.New("the useful time of each thread is beside the factors"))
	}
	p.threads = !p.threads
	return nil
}

// open opens and focuses the pane, and adds the named traces.
func (p *Pane) open(args string) tea.Cmd {
	p.sc.Show(p, true)
	for _, path := range splitPaths(args) {
		path = paths.ExpandHome(path)
		key := path
		for _, t := range p.sc.Traces {
			if paths.Same(t.Data.Path, path) {
				key = runKey(t)
			}
		}
		delete(p.out, key)
		if key == path && !slices.ContainsFunc(p.added, func(other string) bool {
			return other == path || paths.Same(other, path)
		}) {
			p.added = append(p.added, path)
		}
	}
	return nil
}

// splitPaths parts paths at blanks, but not within quotation marks.
func splitPaths(args string) (list []string) {
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
func completeLastFile(args string) []string {
	at := strings.LastIndexByte(args, ' ') + 1
	offers := paths.Complete(".prv", ".prv.gz")(args[at:])
	for i := range offers {
		offers[i] = args[:at] + offers[i]
	}
	return offers
}

func (p *Pane) move(by int) {
	if p.report != nil {
		p.at = max(0, min(p.at+by, len(p.lines(p.sc.Theme))-1))
	}
}

func (p *Pane) moveRun(by int) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		if len(p.order) > 0 {
			p.chosen = p.order[max(0, min(p.column()+by, len(p.order)-1))]
		}
		return nil
	}
}

// dropRun removes the chosen run from the comparison; one always stays.
func (p *Pane) dropRun(string) tea.Cmd {
	if len(p.order) < 2 {
		return p.sc.Refuse(errors.New("this is the only run"))
	}
	i := p.column()
	key := p.order[i]
	if p.traceByKey(key) == nil {
		p.added = slices.DeleteFunc(p.added, func(p string) bool { return p == key })
	} else {
		p.out[key] = true
	}
	if i+1 < len(p.order) {
		p.chosen = p.order[i+1]
	} else {
		p.chosen = p.order[i-1]
	}
	p.sc.Say(p.runName(key) + " is no longer compared; " + p.sc.KeysOf("efficiency all") + " brings open traces back")
	return nil
}

func (p *Pane) allRuns(string) tea.Cmd {
	clear(p.out)
	return nil
}

func scalingNames() (names []string) {
	for _, s := range efficiency.Scalings {
		names = append(names, s.Name)
	}
	return names
}

func (p *Pane) setScaling(args string) tea.Cmd {
	i, err := action.Choose(scalingNames(), int(p.scaling), 1, args)
	if err != nil {
		return p.sc.Refuse(err)
	}
	p.scaling = efficiency.Scaling(i)
	p.sc.Say(p.scaling.String() + " scaling: " + efficiency.Scalings[i].Doc)
	return p.compareAgain()
}

// setProjection projects to the sizes that args names.
func (p *Pane) setProjection(args string) tea.Cmd {
	if args == "" && len(p.project) > 0 {
		args = "off"
	}
	if args == "" {
		return p.sc.Ask("efficiency project")
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
			return p.sc.Refuse(fmt.Errorf("%q is neither a number of processes nor a model", word))
		}
		sizes = append(sizes, n)
	}
	p.project, p.model = sizes, model
	return p.compareAgain()
}

// compareAgain rebuilds the report and says why it cannot be projected.
func (p *Pane) compareAgain() tea.Cmd {
	if err := p.compare(); err != nil {
		p.project = nil
		return p.sc.Refuse(err)
	}
	return nil
}

func (p *Pane) measureAgain(string) tea.Cmd {
	if p.failed() == 0 {
		return p.sc.Refuse(errors.New("no measurement was stopped or failed"))
	}
	maps.DeleteFunc(p.found, func(_ string, o outcome) bool { return o.err != nil })
	return nil
}

// Click chooses the factor and the run under the pointer.
func (p *Pane) Click(x, y int, _ tea.MouseClickMsg, _ bool) tea.Cmd {
	f := &p.frame
	if y -= f.y; y >= 0 && y < f.lines && p.report != nil {
		p.at = p.top + y
		p.move(0)
	}
	for i, end := range f.x {
		if x >= f.from && x < end && i < len(p.order) {
			p.chosen = p.order[i]
			break
		}
	}
	return nil
}

// Wheel goes through the factors.
func (p *Pane) Wheel(_ tea.MouseWheelMsg, sign int) tea.Cmd {
	p.move(sign)
	return nil
}

// Hints returns the keys that work now, the most used first.
func (p *Pane) Hints() (hints []action.Hint) {
	several, threads := len(p.order) > 1, p.threads && !p.beside()
	for _, h := range []struct {
		action.Hint
		works bool
	}{
		{action.Hint{"efficiency threads", "factors"}, threads},
		{action.Hint{"move up, move down", "factor"}, !threads}, {action.Hint{"move left, move right", "run"}, several},
		{action.Hint{"efficiency add", "add a trace"}, true}, {action.Hint{"efficiency drop", "take out"}, several},
		{action.Hint{"efficiency threads", "useful time"}, !threads && !p.beside()},
		{action.Hint{"efficiency scaling", "scaling"}, several},
		{action.Hint{"efficiency project", "project"}, several},
		{action.Hint{"page", "pages"}, true}, {action.Hint{"leave", "back"}, true},
		{action.Hint{"efficiency all", "all open traces"}, len(p.out) > 0},
		{action.Hint{"efficiency again", "repeat"}, p.failed() > 0},
	} {
		if h.works {
			hints = append(hints, h.Hint)
		}
	}
	return hints
}
