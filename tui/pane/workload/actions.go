package workload

// The pane's actions and moves.

import (
	"errors"
	"fmt"
	"maps"

	tea "charm.land/bubbletea/v2"

	"pview/insight/workload"
	"pview/insight/workload/plots"
	"pview/render/picture"
	"pview/render/plot"
	"pview/tui/action"
	"pview/tui/list"
	"pview/tui/paths"
)

// Actions returns the pane's actions.
func (p *Pane) Actions() []action.Action {
	in := func(name string, keys []string, doc string, run func(string) tea.Cmd) action.Action {
		return action.Action{Name: name, Group: Title, Keys: keys, Doc: doc, InPane: true, NeedsView: true, Run: run}
	}
	with := func(a action.Action, args string, complete func(string) []string) action.Action {
		a.Args, a.Complete = args, complete
		return a
	}
	open := in("workload", []string{"alt+b"},
		"clusters of similar bursts, tasks or messages, and where they are", p.sc.Opener(p))
	open.InPane = false
	return []action.Action{open.With(
		in("enter", []string{"enter"},
			"go to the chosen component in the timeline; clusters: to the typical one; setup: type the line", p.enter),
		in("next", []string{"n"}, "go to the next component of the cluster in the timeline",
			p.onResult(func(s *session) tea.Cmd { return p.step(s, 1) })),
		in("previous", []string{"p"}, "go to the previous component of the cluster",
			p.onResult(func(s *session) tea.Cmd { return p.step(s, -1) })),
		in("here", []string{"b"}, "choose the component at the cursor of the timeline", p.onResult(p.here)),
		with(in("set", nil, "change a line of the setup: workload set eps 0.02",
			p.asked("workload set", p.setup.set)), "LINE VALUE",
			func(args string) []string { return p.setup.complete(p.current(), args) }),
		in("more", []string{"+"}, "larger eps, or one more cluster", p.on(p.grow(1))),
		in("less", []string{"-"}, "smaller eps, or one cluster fewer", p.on(p.grow(-1))),
		in("adopt", []string{"A"},
			"take the eps at the knee of the curve of distances, or the recommended k", p.on(p.adopt)),
		in("part", []string{"t"}, "cluster the selection, or the time in view; again: the whole run",
			p.on(p.setup.flipPart)),
		with(in("x", []string{"x"}, "show the next parameter on the x axis", p.axis(func(s *session) *int {
			return &s.x
		})), "[PARAMETER]", p.axisNames),
		with(in("y", []string{"v"},
			"show the next parameter on the y axis; the same on both: the time of the run",
			p.axis(func(s *session) *int { return &s.y })), "[PARAMETER]", p.axisNames),
		in("color", []string{"c"},
			"show the clusters in the timeline, as events of the trace; again: remove them",
			p.on(p.lanes.color)),
		in("filter", []string{"f"}, "open a window with only the bursts of the chosen cluster",
			p.onResult(p.lanes.filter)),
		with(in("scheme", []string{"o"}, "load saved settings",
			p.asked("workload scheme", p.files.takeScheme)), "NAME",
			func(string) []string { return workload.Schemes(workload.SchemeFolder()) }),
		with(in("save-scheme", []string{"S"}, "save the settings for other traces",
			p.asked("workload save-scheme", p.files.saveScheme)), "NAME", nil),
		with(in("save", []string{"w"},
			"write the model (.json, .txt), all components (.csv) or the trace with the clusters (.prv)",
			p.asked("workload save", p.files.save)),
			"FILE", paths.Complete(".json", ".txt", ".csv", ".prv", ".prv.gz")),
		with(in("plot", []string{"E"}, "write the plots as a picture (.svg, .png, .pdf, .html)",
			p.asked("workload plot", p.files.savePlot)),
			"FILE", paths.Complete(picture.Endings()...)),
		in("again", []string{"r"}, "repeat a stopped computation",
			p.on(func(s *session) tea.Cmd { s.changed(); return nil })),
	)}
}

// Moves go through the pages, and through their contents.
func (p *Pane) Moves() list.Moves {
	moves := list.Grid(10, func(columns, lines int) tea.Cmd {
		return p.on(func(s *session) tea.Cmd { return p.move(s, columns, lines) })("")
	})
	maps.Copy(moves, p.pages.Moves(func(err error) tea.Cmd {
		if err != nil {
			return p.sc.Refuse(err)
		}
		return nil
	}))
	return moves
}

// Hints returns the keys of the page, then those for all pages.
func (p *Pane) Hints() []action.Hint {
	along := action.Hint{"workload next, workload previous", "next, previous"}
	axes := action.Hint{"workload x, workload y", "axes"}
	own := []action.Hint{{"workload enter", "go there"}, {"move left, move right", "cluster"}, along}
	switch at := p.pages.At; {
	case at == pageSetup:
		own = []action.Hint{
			{"workload enter", "set it"}, {"move left, move right", "change"},
			{"workload more, workload less", "eps, k"}, {"workload part", "selection"},
			{"workload scheme, workload save-scheme", "schemes"}, axes,
		}
	case at == pageClusters:
		own = []action.Hint{{"workload enter", "typical one"}, along, {"workload filter", "window of it"},
			{"workload save", "write model"}}
	case at == pageChoice:
		own = []action.Hint{{"move left, move right", "eps, k"}, {"workload adopt", "recommended"}}
	case at == pageScatter:
		own = []action.Hint{{"workload enter", "go there"}, {"move left, move right, move up, move down", "choose"},
			along, axes, {"workload filter", "window of it"}, {"workload plot", "write plots"}}
	case at == pageHistogram:
		own = append(own, action.Hint{"workload x", "x axis"})
	case pages[at].text:
		own = append(own, action.Hint{"move up, move down", "scroll"})
	}
	return action.Hints(own, hints)
}

// hints are the actions of all pages, the most used first.
var hints = []action.Hint{
	{"workload color", "in timeline"}, {"page", "pages"}, {"leave", "back"}, {"workload enter", "go there"},
	{"workload next, workload previous", "next, previous"}, {"workload more, workload less", "eps, k"},
	{"workload adopt", "recommended"}, {"workload here", "at the cursor"}, {"workload part", "selection"},
	{"workload filter", "window of it"}, {"workload save", "write model"}, {"workload plot", "write plots"},
	{"workload again", "repeat"},
}

// on makes an action that needs a trace that is read.
func (p *Pane) on(f func(s *session) tea.Cmd) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		if s := p.current(); s != nil && s.trace.Until == 0 {
			return f(s)
		}
		return p.sc.Refuse(errors.New("the trace is still being read"))
	}
}

// onResult makes an action that needs a result.
func (p *Pane) onResult(f func(s *session) tea.Cmd) func(string) tea.Cmd {
	return p.on(func(s *session) tea.Cmd {
		if s.result == nil {
			return p.sc.Refuse(errNoResult)
		}
		return f(s)
	})
}

// asked makes an action that asks for its arguments.
func (p *Pane) asked(action string, f func(s *session, args string) tea.Cmd) func(string) tea.Cmd {
	return func(args string) tea.Cmd {
		if args == "" {
			return p.sc.Ask(action)
		}
		return p.on(func(s *session) tea.Cmd { return f(s, args) })("")
	}
}

// enter edits a line of the setup, or goes to a component.
func (p *Pane) enter(string) tea.Cmd {
	if p.pages.At == pageSetup {
		return p.on(p.setup.edit)("")
	}
	return p.onResult(func(s *session) tea.Cmd {
		if class := s.chosen(); p.pages.At == pageClusters && class >= workload.FirstCluster {
			s.at = s.result.Clusters[class-workload.FirstCluster].Nearest
		}
		if s.at < 0 {
			return p.step(s, 1)
		}
		return p.lanes.jump(s, s.at)
	})("")
}

// move goes through the contents of the page.
func (p *Pane) move(s *session, dx, dy int) tea.Cmd {
	switch at := p.pages.At; {
	case at == pageSetup && dx == 0:
		p.setup.rows.By(dy)
	case at == pageSetup:
		return p.setup.cycle(s, dx)
	case at == pageChoice && dx != 0:
		s.grow(dx)
	case s.result == nil:
	case at == pageScatter:
		p.walk(s, dx, dy)
	case at == pageClusters:
		p.doc.By(dx + dy)
		p.follow(s)
	case pages[at].text && dy != 0:
		p.doc.By(dy)
	default:
		s.row = min(max(s.row+dy+dx, 0), len(s.result.Classes())-1)
	}
	return nil
}

// follow chooses the cluster that is selected in the table of clusters.
func (p *Pane) follow(s *session) {
	if row := p.doc.Row(); row >= 0 {
		s.row, p.row = row, row
	}
}

// adopt takes the suggested value, or shows the curve that suggests it.
func (p *Pane) adopt(s *session) tea.Cmd {
	k, eps := s.set.K, s.set.Eps
	switch {
	case !s.adopt():
		p.pages.At = pageChoice
		p.sc.Say("the curve of distances suggests an eps; " + p.sc.KeysOf("workload adopt") + " takes it")
	case s.set.K == k && s.set.Eps == eps:
		p.sc.Say("the clusters are the recommended ones")
	}
	return nil
}

// grow makes clusters larger or more numerous, or the opposite.
func (p *Pane) grow(by int) func(s *session) tea.Cmd {
	return func(s *session) tea.Cmd {
		if !s.grow(by) {
			return p.sc.Refuse(fmt.Errorf("clusters are 1 to %d", s.used().MostK))
		}
		return nil
	}
}

// step goes to the next component of the chosen cluster, in the order of time.
func (p *Pane) step(s *session, by int) tea.Cmd {
	class, ok := s.class()
	if !ok {
		return p.sc.Refuse(errNoCluster)
	}
	r, i := s.result, s.at
	if i < 0 {
		if i = -1; by < 0 {
			i = r.Set.Len()
		}
	}
	for i += by; i >= 0 && i < r.Set.Len(); i += by {
		if r.Class[i] == class {
			s.at = i
			return p.lanes.jump(s, i)
		}
	}
	p.sc.Say("there is no further component of " + workload.ClassName(class))
	return nil
}

// here chooses the component at the cursor of the timeline.
func (p *Pane) here(s *session) tea.Cmd {
	set, v := s.result.Set, p.sc.ViewOf(s.trace)
	if set.Begin == nil || v == nil {
		return p.sc.Refuse(errors.New("runs have no place in the timeline"))
	}
	for i := range set.Begin {
		if set.Begin[i] <= v.Cursor && v.Cursor < max(set.End[i], set.Begin[i]+1) &&
			(set.Thread[i] < 0 || v.RowOfThread(set.Thread[i]) == v.CursorRow) {
			s.choose(i)
			return nil
		}
	}
	p.sc.Say(fmt.Sprintf("there is no %s at the cursor of the window", set.Kind.Name))
	return nil
}

// axis goes to the next parameter of an axis, or to a named one.
func (p *Pane) axis(of func(s *session) *int) func(string) tea.Cmd {
	return func(args string) tea.Cmd {
		return p.onResult(func(s *session) tea.Cmd {
			at, names := of(s), s.result.ParameterNames()
			if args == "" && len(names) == 1 {
				return p.sc.Refuse(errors.New(names[0] +
					" is the only parameter: it is shown over the time of the run"))
			}
			next, err := action.Choose(names, *at, 1, args)
			if err != nil {
				return p.sc.Refuse(err)
			}
			*at = next
			return nil
		})("")
	}
}

func (p *Pane) axisNames(string) []string {
	if s := p.current(); s != nil && s.result != nil {
		return s.result.ParameterNames()
	}
	return nil
}

// walk chooses the nearest component of the scatter in a direction, at least a cell away; it walks over several if
// asked to go far.
func (p *Pane) walk(s *session, dx, dy int) {
	v := s.shown[pageScatter]
	if v == nil || v.figure == nil || v.key != pages[pageScatter].key(s) {
		return
	}
	steps := max(dx, -dx, dy, -dy)
	if steps == list.Far {
		steps = 1
	}
	for range steps {
		var from []float64
		if s.at >= 0 {
			x, y := plots.Place(s.result, s.x, s.y, s.at)
			from = []float64{x, y}
		}
		layer, i, ok := plot.Step(v.figure, p.drawn.placed.Plot, from, dx, dy)
		if !ok {
			return
		}
		s.choose(v.figure.Layers[layer].Ref(i))
	}
}
