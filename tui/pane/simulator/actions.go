package simulator

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/insight/gpu"
	"pview/sim/mapping"
	"pview/sim/parameter"
	"pview/tui/action"
	"pview/tui/dialog"
	"pview/tui/list"
	"pview/tui/paths"
)

// Actions returns the pane's actions.
func (p actions) Actions() []action.Action {
	in := func(name string, keys []string, doc string, run func(string) tea.Cmd) action.Action {
		return action.Action{Name: name, Group: Title, Keys: keys, Doc: doc, InPane: true, NeedsView: true, Run: run}
	}
	with := func(a action.Action, args string, complete func(string) []string) action.Action {
		a.Args, a.Complete = args, complete
		return a
	}
	open := with(in("simulate", nil, "predict the run on another machine: a name, or a Dimemas configuration",
		p.simulate), "[MACHINE]", completeMachines)
	open.InPane = false
	typed := with(in("type", []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "."},
		"type a value that begins with this digit", p.typeValue), "[DIGIT]", nil)
	typed.KeyIsArg = true
	save := with(in("save", []string{"w"},
		"save the run as machine (.cfg) and predicted trace (.prv, .pcf, .row)", p.save), "FILE",
		paths.Complete(".prv", ".cfg"))
	save.Prefill = p.savePath
	return []action.Action{
		open,
		action.Action{Name: "machine", Doc: "change the machine", Group: Title, InPane: true, NeedsView: true}.With(
			with(in("set", []string{"p"}, "set a parameter of the machine by name: machine set latency 25us",
				p.setParameter), "PARAMETER VALUE", p.completeParameters),
			in("choose", []string{"m"}, "choose a machine by name", p.openMachines),
			with(in("tasks", []string{"M"},
				"place the tasks: wrap, block, random (again: others), or a file of a launcher (.map, .rankfile, "+
					".hostfile, .order)", p.mapTasks), "MAPPING", completeMappings),
			in("undo", []string{"u"}, "undo the last change of the machine, or of the times of devices",
				p.orForget(false, p.inPane(p.undo))),
			in("redo", []string{"ctrl+r"}, "redo the change", p.inPane(p.redo)),
			in("again", []string{"R"}, "simulate again", p.inPane(p.start)),
			with(in("replay", nil, "replay a run of devices with another time: "+gpu.Forms(), p.addChange),
				"CHANGE", p.completeChanges),
			in("problem", []string{"e"}, "explain why there is no prediction, or what it leaves out", p.readProblem),
		),
		action.Action{Name: "field",
			Doc: "change the field at the cursor", Group: Title, InPane: true, NeedsView: true}.With(
			in("double", []string{"+", ">"}, "double the value, or take the next choice",
				p.onField(p.scale(2))),
			in("halve", []string{"-", "<"}, "halve the value, or take the previous choice",
				p.onField(p.scale(0.5))),
			in("edit", []string{"enter"}, "type or choose a value; on a run: go back to it; devices: change a time",
				p.edit),
			in("next", []string{"space"}, "next choice, or toggle", p.nextChoice),
			in("reset", []string{"r", "backspace"}, "reset the value to that of the loaded machine; devices: all times",
				p.orForget(true, p.onField(p.reset))),
			in("ideal", []string{"d"}, "set the value to that of an ideal machine", p.onField(p.makeIdeal)),
			in("random", []string{"v"}, "make the value random in a study: +-10%, uniform(1us,30us)",
				p.onField(p.random)),
			typed,
		),
		in("runs", []string{"H"}, "go to the history of runs; again: back", p.inPane(p.openRuns)).With(
			with(in("name", []string{"n"}, "name the run at the cursor, or the last one", p.nameRun), "NAME", nil),
			in("mark", []string{"c"}, "compare other runs with this one; again: stop", p.onRun(p.mark)),
			in("compare", []string{"C"}, "show differences to the marked run, in parameters and times",
				p.onRun(p.compare)),
			in("forget", []string{"x", "delete"}, "remove the run at the cursor from the history", p.inPane(p.dropRun)),
			in("keep", []string{"P"}, "keep the predicted trace; further runs get their own windows",
				p.inPane(p.keep)),
			save,
		),
	}
}

// Moves go through the fields and the pages.
func (p actions) Moves() list.Moves {
	move := func(dx, dy int) func(string) tea.Cmd { return p.inForm(func(s *Simulation) { s.move(dx, dy) }) }
	return p.orDevices(list.Moves{
		list.Up: move(0, -1), list.Down: move(0, 1), list.Left: move(-1, 0), list.Right: move(1, 0),
		list.PageUp:   p.inForm(func(s *Simulation) { s.moveScreen(-1) }),
		list.PageDown: p.inForm(func(s *Simulation) { s.moveScreen(1) }),
		list.First:    p.inForm(func(s *Simulation) { s.choose(0) }),
		list.Last:     p.inForm(func(s *Simulation) { s.choose(len(s.form.layout.cells) - 1) }),
		list.NextPage: p.turnPage(1), list.PreviousPage: p.turnPage(-1), list.Leave: p.leave,
	})
}

// Hints returns the keys of the pane.
func (p actions) Hints() []action.Hint {
	if _, d := p.ofDevices(); d != nil {
		return deviceHints
	}
	s := p.current()
	if s == nil {
		return hints
	}
	if s.form.page == pageRuns {
		return action.Hints([]action.Hint{
			{"field edit", "go back to it"}, {"runs name", "name the run"}, {"runs mark", "mark a run"},
			{"runs compare", "differences"}, {"runs save", "save the run"}, {"runs keep", "keep the trace"},
			{"runs forget", "drop"}, {"page", "pages"}, {"leave", "back"},
		}, slices.DeleteFunc(slices.Clone(hints), func(h action.Hint) bool { // the page has no fields
			return strings.HasPrefix(h[0], "field ")
		}))
	}
	if f := s.field(); f != nil && f.chosen() {
		return slices.Concat([]action.Hint{{"field halve, field double", "other choice"}}, hints[1:])
	}
	return hints
}

// hints are the actions of the page, the most used first.
var hints = []action.Hint{
	{"field halve, field double", "halve, double"}, {"field edit", "set the value"}, {"field reset", "reset it"},
	{"machine undo", "undo"}, {"machine choose", "machines"}, {"page", "pages"}, {"runs", "runs"},
	{"runs mark", "mark a run"}, {"runs save", "save the run"}, {"leave", "back"}, {"field next", "next choice"},
	{"field ideal", "make it ideal"}, {"field random", "make it random"}, {"machine set", "set by name"},
	{"machine tasks", "place tasks"}, {"machine again", "simulate again"}, {"machine problem", "explain"},
	{"runs compare", "differences"}, {"runs keep", "keep the trace"}, {"runs name", "name the run"},
}

// inPane makes an action that needs a program.
func (p actions) inPane(f func(s *Simulation) tea.Cmd) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		if s := p.ready(); s != nil {
			return f(s)
		}
		return p.refuseNoMachine()
	}
}

// inForm makes an action from a move in the form.
func (p actions) inForm(f func(s *Simulation)) func(string) tea.Cmd {
	return p.inPane(func(s *Simulation) tea.Cmd {
		f(s)
		return nil
	})
}

// onField makes an action on the field at the cursor.
func (p actions) onField(do func(s *Simulation, f *field) tea.Cmd) func(string) tea.Cmd {
	return p.inPane(func(s *Simulation) tea.Cmd {
		if f := s.field(); f != nil {
			return do(s, f)
		}
		return p.sc.Refuse(errors.New("no field is chosen"))
	})
}

// simulate opens and focuses the pane; with an argument it loads a machine.
func (p actions) simulate(args string) tea.Cmd {
	p.sc.Show(p.pane, true)
	s, cmd := p.open()
	if s.hidden {
		s.hidden = false
		if s.history.Shown() != nil && args == "" {
			return tea.Batch(cmd, p.schedule(s))
		}
	}
	if args == "" {
		return cmd
	}
	return tea.Batch(cmd, p.load(s, paths.Typed(args)))
}

func completeMachines(args string) (list []string) {
	list = append(list, fitted)
	for _, m := range parameter.Presets() {
		list = append(list, m.Name)
	}
	return append(list, paths.Complete(".cfg", ".model")(args)...)
}

// openMachines lists the named machines; typing a path and Enter loads a configuration.
func (p actions) openMachines(string) tea.Cmd {
	s := p.current()
	if s == nil {
		return nil
	}
	list := &dialog.Picker{Title: "Machines"}
	if n := s.network; n != nil {
		doc := "as messages show: " + n.String()
		list.Items = append(list.Items, dialog.Item{Text: fitted, Also: doc, Detail: doc, Data: fitted})
	}
	for _, e := range parameter.Presets() {
		list.Items = append(list.Items, dialog.Item{Text: e.Name, Also: e.Doc, Detail: e.Doc, Data: e.Name})
	}
	if last := p.sc.LastMachine; last != "" {
		i := slices.IndexFunc(list.Items, func(it dialog.Item) bool { return it.Data == last })
		if i < 0 && last != fitted { // a file
			i = len(list.Items)
			list.Items = append(list.Items, dialog.Item{Text: filepath.Base(last), Also: last, Detail: last, Data: last})
		}
		if i >= 0 {
			list.Items[i].Detail = "used last: " + list.Items[i].Detail
		}
	}
	list.Keys = []dialog.Key{
		{Press: "enter", Word: "load", Run: func(_ *dialog.Picker, it *dialog.Item) tea.Cmd {
			return p.load(s, it.Data.(string))
		}},
		{Press: "ctrl+o", Word: "a Dimemas .cfg", Keep: true, Run: func(*dialog.Picker, *dialog.Item) tea.Cmd {
			return p.sc.Ask("simulate")
		}},
	}
	return p.sc.Dialogs.Open(list)
}

func completeMappings(args string) (list []string) {
	for _, f := range mapping.Forms {
		list = append(list, f.Name)
	}
	var endings []string
	for _, l := range mapping.Launchers {
		endings = append(endings, l.Ext)
	}
	return append(list, paths.Complete(endings...)(args)...)
}

func (p actions) leave(string) tea.Cmd {
	if !p.cancel(p.current()) {
		p.sc.Leave()
	}
	return nil
}

// PageNames returns the names of the pages. A run of devices has no machine, and one page.
func (p actions) PageNames() (names []string) {
	if _, d := p.ofDevices(); d != nil {
		return []string{"Devices"}
	}
	for _, page := range pages {
		names = append(names, page.name)
	}
	return names
}

// Page returns the position of the page that is shown.
func (p actions) Page() int {
	if s := p.current(); s != nil {
		return int(s.form.page)
	}
	return 0
}

func (p actions) turnPage(step int) func(string) tea.Cmd {
	return func(args string) tea.Cmd {
		s := p.ready()
		if s == nil {
			return nil
		}
		i, err := action.Choose(p.PageNames(), int(s.form.page), step, args)
		if err != nil {
			return p.sc.Refuse(err)
		}
		s.turnTo(page(i))
		return nil
	}
}
