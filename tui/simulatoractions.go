package tui

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/sim"
	"pview/sim/dimemas"
	"pview/tui/action"
	"pview/tui/dialog"
	"pview/tui/paths"
	"pview/tui/raster"
	"pview/tui/style"
)

// What can be done in the simulator.

var simulateActions = []deed{
	{Name: "simulate", Group: groupSim, Keys: []string{"s"}, Args: "[MACHINE]", Doc: "predict the run on another machine, below the measured one: a name, or a Dimemas configuration", Hint: "simulate", needsWindow: true, run: simulate, complete: completeMachines},
	{Name: "machine-set", Group: groupSim, Keys: []string{"p"}, Args: "PARAMETER VALUE", Doc: "set a parameter of the machine by its name: machine-set latency 25us", InPane: true, needsWindow: true, run: setMachineParameter, complete: completeParameters},
	{Name: "field-up", Group: groupSim, Keys: []string{"up", "k"}, Doc: "go to the field above", InPane: true, needsWindow: true, run: moveField(0, -1)},
	{Name: "field-down", Group: groupSim, Keys: []string{"down", "j"}, Doc: "go to the field below", InPane: true, needsWindow: true, run: moveField(0, 1)},
	{Name: "field-left", Group: groupSim, Keys: []string{"left", "h"}, Doc: "go to the field at the left", InPane: true, needsWindow: true, run: moveField(-1, 0)},
	{Name: "field-right", Group: groupSim, Keys: []string{"right", "l"}, Doc: "go to the field at the right", InPane: true, needsWindow: true, run: moveField(1, 0)},
	{Name: "field-page-up", Group: groupSim, Keys: []string{"pgup", "ctrl+u"}, Doc: "go up by a screen of fields", InPane: true, needsWindow: true, run: pageFields(-1)},
	{Name: "field-page-down", Group: groupSim, Keys: []string{"pgdown", "ctrl+d"}, Doc: "go down by a screen of fields", InPane: true, needsWindow: true, run: pageFields(1)},
	{Name: "field-first", Group: groupSim, Keys: []string{"home", "g"}, Doc: "go to the first field", InPane: true, needsWindow: true, run: edgeField(0)},
	{Name: "field-last", Group: groupSim, Keys: []string{"end", "G"}, Doc: "go to the last field", InPane: true, needsWindow: true, run: edgeField(1 << 30)},
	{Name: "sim-page", Group: groupSim, Keys: []string{"]"}, Args: "[PAGE]", Doc: "go to the next page: machine, nodes, tasks, collectives, blocks, model, runs", InPane: true, needsWindow: true, run: turnPage(1), complete: completePages},
	{Name: "sim-page-back", Group: groupSim, Keys: []string{"["}, Doc: "go to the page before", InPane: true, needsWindow: true, run: turnPage(-1)},

	{Name: "field-double", Group: groupSim, Keys: []string{"+", "=", ">"}, Doc: "double the value", InPane: true, needsWindow: true, run: scaleField(2)},
	{Name: "field-halve", Group: groupSim, Keys: []string{"-", "<"}, Doc: "halve the value", InPane: true, needsWindow: true, run: scaleField(0.5)},
	{Name: "field-edit", Group: groupSim, Keys: []string{"enter"}, Doc: "type or choose a value; on a run: go back to it", InPane: true, needsWindow: true, run: editField},
	{Name: "field-type", Group: groupSim, Keys: []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "."}, Args: "[DIGIT]", Doc: "type a value that begins with this digit", InPane: true, needsWindow: true, keyIsArg: true, run: typeField},
	{Name: "field-next", Group: groupSim, Keys: []string{"space"}, Doc: "take the next choice, switch on or off", InPane: true, needsWindow: true, run: nextChoice},
	{Name: "field-reset", Group: groupSim, Keys: []string{"r", "backspace"}, Doc: "reset the value to that of the machine that was loaded", InPane: true, needsWindow: true, run: resetField},
	{Name: "field-ideal", Group: groupSim, Keys: []string{"d"}, Doc: "set the value to that of an ideal machine", InPane: true, needsWindow: true, run: idealField},
	{Name: "sim-undo", Group: groupSim, Keys: []string{"u"}, Doc: "take back the last change of the machine", InPane: true, needsWindow: true, run: undoMachine},
	{Name: "sim-redo", Group: groupSim, Keys: []string{"ctrl+r"}, Doc: "make the change again", InPane: true, needsWindow: true, run: redoMachine},
	{Name: "sim-leave", Group: groupSim, Keys: []string{"esc"}, Doc: "stop the simulation that is going on; else go back to the windows", InPane: true, run: leaveSimulator},
}

var runActions = []deed{
	{Name: "machines", Group: groupSim, Keys: []string{"m"}, Doc: "choose a machine by its name", InPane: true, needsWindow: true, run: openMachines},
	{Name: "sim-again", Group: groupSim, Keys: []string{"a"}, Doc: "simulate the machine again", InPane: true, needsWindow: true, run: simulateAgain},
	{Name: "runs", Group: groupSim, Keys: []string{"H"}, Doc: "go to the history of runs; again: back", InPane: true, needsWindow: true, run: openRuns},
	{Name: "name-run", Group: groupSim, Keys: []string{"n"}, Args: "NAME", Doc: "give the run a name: the one at the cursor, or the last", InPane: true, needsWindow: true, run: nameRun},
	{Name: "mark-run", Group: groupSim, Keys: []string{"c"}, Doc: "compare others with this run; again: do not", InPane: true, needsWindow: true, run: markRun},
	{Name: "compare-runs", Group: groupSim, Keys: []string{"C"}, Doc: "show how the run differs from the marked one, in parameters and times", InPane: true, needsWindow: true, run: compareRuns},
	{Name: "sim-problem", Group: groupSim, Keys: []string{"e"}, Doc: "read why there is no prediction, and what of the trace is not in it", InPane: true, needsWindow: true, run: readProblem},
	{Name: "forget-run", Group: groupSim, Keys: []string{"x", "delete"}, Doc: "take the run at the cursor out of the history", InPane: true, needsWindow: true, run: dropFromHistory},
	{Name: "keep-prediction", Group: groupSim, Keys: []string{"K"}, Doc: "let the predicted trace stand for itself; further runs get windows of their own", InPane: true, needsWindow: true, run: keepPrediction},
	{Name: "save-prediction", Group: groupSim, Keys: []string{"w"}, Args: "FILE", Doc: "save the run as machine (.cfg) and predicted trace (.prv, .pcf, .row)", needsWindow: true, InPane: true, run: savePrediction, complete: anyModel(paths.Complete(".prv", ".cfg")), prefill: (*Model).predictionPath},
}

// simulate opens the simulator and goes into it; with an argument it loads a machine.
func simulate(m *Model, args string) tea.Cmd {
	m.paneOpen, m.tab, m.paneFocus = true, tabSimulator, true
	s, cmd := m.openSimulator()
	if s.closed {
		s.closed = false
		if s.shown != nil && args == "" {
			return tea.Batch(cmd, m.scheduleRun(s))
		}
	}
	if args == "" {
		return cmd
	}
	return tea.Batch(cmd, m.loadMachine(s, paths.ExpandHome(unquote(args))))
}

// loadMachine replaces the machine, now or when there is a program.
func (m *Model) loadMachine(s *simulator, name string) tea.Cmd {
	if s.program == nil {
		s.loadNext = name
		return nil
	}
	if err := s.load(name); err != nil {
		return m.refuse(err)
	}
	return m.scheduleRun(s)
}

// ensureSimulator begins to make the program of a trace whose simulator is shown, and makes it anew when the trace has become another.
func (m *Model) ensureSimulator() tea.Cmd {
	for _, t := range m.traces {
		if s := m.simulators[t]; s != nil && s.awaited && t.Until == 0 {
			return m.buildProgram(s)
		}
	}
	w := m.window()
	if w == nil || !m.paneOpen || m.tab != tabSimulator {
		return nil
	}
	s := m.simulatorFor(w)
	if s == nil {
		_, cmd := m.openSimulator()
		return cmd
	}
	if s.program != nil && !s.building && s.revision != s.measured.Revision {
		s.stop()
		return m.buildProgram(s)
	}
	return nil
}

// readySimulator is the simulator of the pane, laid out; nil while there is none to do anything with.
func (m *Model) readySimulator() *simulator {
	s := m.simulatorFor(m.window())
	if s == nil || s.program == nil {
		return nil
	}
	s.lay(max(m.width, 1))
	return s
}

// inSimulator makes an action of what needs a simulator.
func inSimulator(f func(m *Model, s *simulator) tea.Cmd) func(*Model, string) tea.Cmd {
	return func(m *Model, _ string) tea.Cmd {
		if s := m.readySimulator(); s != nil {
			return f(m, s)
		}
		return m.refuse(errors.New("there is no program to simulate yet: " + keysOf("simulate") + " makes it"))
	}
}

func moveField(dx, dy int) func(*Model, string) tea.Cmd {
	return inSimulator(func(_ *Model, s *simulator) tea.Cmd {
		s.move(dx, dy)
		return nil
	})
}

func pageFields(step int) func(*Model, string) tea.Cmd {
	return inSimulator(func(_ *Model, s *simulator) tea.Cmd {
		for range max(s.form.body.H-1, 1) {
			s.move(0, step)
		}
		return nil
	})
}

func edgeField(to int) func(*Model, string) tea.Cmd {
	return inSimulator(func(m *Model, s *simulator) tea.Cmd {
		s.form.at[s.form.page] = to
		s.lay(max(m.width, 1))
		return nil
	})
}

func pageNames() (names []string) {
	for _, p := range simPages {
		names = append(names, p.name)
	}
	return names
}

func completePages(*Model, string) []string { return pageNames() }

func turnPage(step int) func(*Model, string) tea.Cmd {
	return func(m *Model, args string) tea.Cmd {
		s := m.readySimulator()
		if s == nil {
			return nil
		}
		i, err := action.Choose(pageNames(), int(s.form.page), step, args)
		if err != nil {
			return m.refuse(err)
		}
		s.form.page = simPage(i)
		return nil
	}
}

// field is the field at the cursor; nil on a run.
func (s *simulator) field() *simField {
	if c := s.cell(); c != nil {
		return c.field
	}
	return nil
}

func scaleField(factor float64) func(*Model, string) tea.Cmd {
	return inSimulator(func(m *Model, s *simulator) tea.Cmd {
		f := s.field()
		if f == nil {
			return nil
		}
		if f.p.Kind == sim.KindChoice || f.p.Kind == sim.KindSwitch {
			step := 1.0
			if factor < 1 {
				step = -1
			}
			return m.stepChoice(s, f, step)
		}
		if d := f.distribution(&s.now); d.Kind != "" {
			return m.changeScenario(s, f.to(sim.Setting{Distribution: d.Scale(factor)}), 0, f.p.Title)
		}
		v, same := f.get(&s.now)
		if !same && f.p.Node != nil { // each by itself
			each := *f
			each.set = func(c *scenario, factor float64) {
				for i := range c.machine.Nodes {
					n := &c.machine.Nodes[i]
					if v, ok := f.p.Scale(f.p.Node.Get(n), factor); ok {
						f.p.Node.Set(n, v)
					}
				}
			}
			return m.changeScenario(s, &each, factor, f.p.Title)
		}
		next, ok := f.p.Scale(v, factor)
		if !ok {
			word := map[bool]string{true: "doubled", false: "halved"}[factor > 1]
			return m.refuse(fmt.Errorf("%s: %s cannot be %s; type a number, or "+keysOf("machines")+" chooses a machine", f.p.Title, f.text(&s.now), word))
		}
		return m.changeScenario(s, f, next, f.p.Title)
	})
}

// stepChoice goes round the choices.
func (m *Model) stepChoice(s *simulator, f *simField, step float64) tea.Cmd {
	n := float64(len(f.p.Choices))
	if f.p.Kind == sim.KindSwitch {
		n = 2
	}
	v, _ := f.get(&s.now)
	next := v + step
	if next >= n {
		next = 0
	} else if next < 0 {
		next = n - 1
	}
	return m.changeScenario(s, f, next, f.p.Title)
}

func nextChoice(m *Model, args string) tea.Cmd {
	return inSimulator(func(m *Model, s *simulator) tea.Cmd {
		f := s.field()
		if f == nil || f.p.Kind != sim.KindChoice && f.p.Kind != sim.KindSwitch {
			return editField(m, args)
		}
		return m.stepChoice(s, f, 1)
	})(m, args)
}

func editField(m *Model, _ string) tea.Cmd {
	return inSimulator(func(m *Model, s *simulator) tea.Cmd {
		f := s.field()
		switch {
		case s.cell() == nil:
			return nil
		case f == nil:
			return m.goToRun(s, s.form.layout.run[s.form.at[pageRuns]])
		case f.p.Kind == sim.KindSwitch || f.p.Kind == sim.KindChoice && len(f.p.Choices) == 2:
			return m.stepChoice(s, f, 1)
		case f.p.Kind == sim.KindChoice:
			return m.pickChoice(s, f)
		}
		if f.distribution(&s.now).Kind != "" {
			return m.promptField(s, f, f.text(&s.now))
		}
		v, same := f.get(&s.now)
		text := ""
		if same && !(f.p.Word != "" && v == f.p.Special) {
			text = f.p.Format(v)
		}
		return m.promptField(s, f, text)
	})(m, "")
}

func typeField(m *Model, digit string) tea.Cmd {
	return inSimulator(func(m *Model, s *simulator) tea.Cmd {
		f := s.field()
		if f == nil || f.p.Kind == sim.KindChoice || f.p.Kind == sim.KindSwitch {
			return nil
		}
		return m.promptField(s, f, digit)
	})(m, "")
}

// promptField asks for a value.
func (m *Model) promptField(s *simulator, f *simField, text string) tea.Cmd {
	unit := ""
	if k := &sim.ParameterKinds[f.p.Kind]; k.Shown != nil {
		var units []string
		for _, u := range k.Shown {
			units = append(units, u.Name)
		}
		unit = " with a unit (" + strings.Join(units, ", ") + "; without one " + k.Unit + ")"
	}
	p := &dialog.Prompt{Label: f.p.Title + " ", Hint: "a number" + unit + ", now " + f.text(&s.now)}
	if f.p.Word != "" {
		p.Suggest = func(text string) []dialog.Completion {
			if text == "" || strings.HasPrefix(f.p.Word, strings.ToLower(text)) {
				return []dialog.Completion{{Text: f.p.Word}}
			}
			return nil
		}
	}
	p.Accept = func(text string) tea.Cmd {
		if text == "" {
			return nil
		}
		v, err := f.parse(text)
		if err != nil {
			return m.refuse(fmt.Errorf("%s: %w", f.p.Title, err))
		}
		return m.changeScenario(s, f.to(v), v.Value, "")
	}
	p.Input.Set(text)
	return m.dialogs.Open(p)
}

// pickChoice offers the choices of a field.
func (m *Model) pickChoice(s *simulator, f *simField) tea.Cmd {
	p := &dialog.Picker{Title: f.p.Title}
	now, _ := f.get(&s.now)
	for i, c := range f.p.Choices {
		p.Items = append(p.Items, dialog.Item{Text: c.Name, Detail: c.Doc, Data: float64(i)})
	}
	p.Keys = []dialog.Key{{Press: "enter", Word: "choose", Run: func(_ *dialog.Picker, it *dialog.Item) tea.Cmd { return m.changeScenario(s, f, it.Data.(float64), "") }}}
	cmd := m.dialogs.Open(p)
	p.Move(int(now))
	return cmd
}

func resetField(m *Model, _ string) tea.Cmd {
	return inSimulator(func(m *Model, s *simulator) tea.Cmd {
		f := s.field()
		if f == nil {
			return nil
		}
		if d := f.distribution(&s.base); d.Kind != "" {
			return m.changeScenario(s, f.to(sim.Setting{Distribution: d}), 0, "")
		}
		v, same := f.get(&s.base)
		if !same && f.p.Node != nil {
			base, each := s.base, *f
			each.set = func(c *scenario, _ float64) {
				for i := range c.machine.Nodes {
					f.p.Node.Set(&c.machine.Nodes[i], f.p.Node.Get(&base.machine.Nodes[min(i, len(base.machine.Nodes)-1)]))
				}
			}
			f = &each
		}
		return m.changeScenario(s, f, v, "")
	})(m, "")
}

func idealField(m *Model, _ string) tea.Cmd {
	return inSimulator(func(m *Model, s *simulator) tea.Cmd {
		f := s.field()
		if f == nil {
			return nil
		}
		ideal := scenario{machine: sim.IdealFor(s.program)}
		v, _ := f.get(&ideal)
		return m.changeScenario(s, f, v, "")
	})(m, "")
}

func undoMachine(m *Model, _ string) tea.Cmd {
	return inSimulator(func(m *Model, s *simulator) tea.Cmd {
		if !s.travel(&s.past, &s.future) {
			m.say("nothing to undo in the simulator")
			return nil
		}
		return m.scheduleRun(s)
	})(m, "")
}

func redoMachine(m *Model, _ string) tea.Cmd {
	return inSimulator(func(m *Model, s *simulator) tea.Cmd {
		if !s.travel(&s.future, &s.past) {
			m.say("nothing to redo in the simulator")
			return nil
		}
		return m.scheduleRun(s)
	})(m, "")
}

func leaveSimulator(m *Model, _ string) tea.Cmd {
	if s := m.simulatorFor(m.window()); s != nil && s.cancelWork(m) {
		return nil
	}
	m.paneFocus = false
	return nil
}

func simulateAgain(m *Model, _ string) tea.Cmd {
	return inSimulator(func(m *Model, s *simulator) tea.Cmd { return m.startRun(s) })(m, "")
}

// setMachineParameter is for the palette: PARAMETER VALUE.
func setMachineParameter(m *Model, args string) tea.Cmd {
	if args == "" {
		return m.promptFor("machine-set")
	}
	s := m.readySimulator()
	if s == nil {
		return m.refuse(errors.New("there is no machine yet: " + keysOf("simulate") + " begins with an ideal one"))
	}
	name, value, _ := strings.Cut(args, " ")
	p := sim.ParameterByName(name)
	if p == nil {
		return m.refuse(fmt.Errorf("there is no parameter %q: pview list parameters lists them", name))
	}
	f := ofMachine(p)
	v, err := f.parse(value)
	if err != nil {
		return m.refuse(fmt.Errorf("%s: %w", name, err))
	}
	return m.changeScenario(s, f.to(v), v.Value, "")
}

func completeParameters(_ *Model, args string) (list []string) {
	name, _, more := strings.Cut(args, " ")
	for i := range sim.Parameters {
		p := &sim.Parameters[i]
		switch {
		case !more:
			list = append(list, p.Name)
		case p.Name != name:
		case p.Kind == sim.KindSwitch:
			list = append(list, name+" on", name+" off")
		default:
			for _, c := range p.Choices {
				list = append(list, name+" "+c.Name)
			}
			if p.Word != "" {
				list = append(list, name+" "+p.Word)
			}
		}
	}
	return list
}

func completeMachines(m *Model, args string) (list []string) {
	for _, p := range sim.Presets {
		list = append(list, p.Name)
	}
	return append(list, paths.Complete(".cfg")(args)...)
}

// openMachines lists the machines that have a name; typing a path and Enter loads a configuration.
func openMachines(m *Model, _ string) tea.Cmd {
	s := m.simulatorFor(m.window())
	if s == nil {
		return nil
	}
	p := &dialog.Picker{Title: "Machines"}
	for _, e := range sim.Presets {
		p.Items = append(p.Items, dialog.Item{Text: e.Name, Also: e.Doc, Detail: e.Doc, Data: e.Name})
	}
	p.Keys = []dialog.Key{
		{Press: "enter", Word: "load", Run: func(_ *dialog.Picker, it *dialog.Item) tea.Cmd { return m.loadMachine(s, it.Data.(string)) }},
		{Press: "ctrl+o", Word: "a Dimemas .cfg", Keep: true, Run: func(_ *dialog.Picker, _ *dialog.Item) tea.Cmd { return m.promptFor("simulate") }},
	}
	return m.dialogs.Open(p)
}

// History.

func openRuns(m *Model, _ string) tea.Cmd {
	return inSimulator(func(m *Model, s *simulator) tea.Cmd {
		if s.form.page == pageRuns {
			s.form.page = pageMachine
			return nil
		}
		s.form.page = pageRuns
		l := s.lay(max(m.width, 1))
		s.form.at[pageRuns] = max(slices.Index(l.run, s.shown), 0)
		return nil
	})(m, "")
}

// theRun is the run at the cursor, on the page of runs; else the one that is shown.
func (s *simulator) theRun() *simRun {
	if l := s.form.layout; s.form.page == pageRuns && l != nil && len(l.run) > 0 {
		return l.run[s.form.at[pageRuns]]
	}
	return s.shown
}

var errNoRun = errors.New("nothing was simulated yet")

func nameRun(m *Model, args string) tea.Cmd {
	s := m.readySimulator()
	if s == nil || s.theRun() == nil {
		return m.refuse(errNoRun)
	}
	if args == "" {
		return m.promptFor("name-run")
	}
	s.theRun().name = unquote(args)
	s.form.invalidate()
	return nil
}

func markRun(m *Model, _ string) tea.Cmd {
	return inSimulator(func(m *Model, s *simulator) tea.Cmd {
		r := s.theRun()
		if r == nil {
			return m.refuse(errNoRun)
		}
		if s.marked == r {
			s.marked = nil
			m.say("runs are compared with none")
		} else {
			s.marked = r
			m.say(fmt.Sprintf("runs are compared with run %d: %s", r.number, r.title()))
		}
		s.form.invalidate()
		return nil
	})(m, "")
}

func dropFromHistory(m *Model, _ string) tea.Cmd {
	return inSimulator(func(m *Model, s *simulator) tea.Cmd {
		r := s.theRun()
		switch {
		case s.form.page != pageRuns || r == nil:
			return m.refuse(errors.New("runs are dropped on their page: " + keysOf("runs")))
		case r == s.shown:
			return m.refuse(errors.New("this is the run that is shown"))
		case r == s.marked:
			s.marked = nil
		}
		s.runs = slices.DeleteFunc(s.runs, func(o *simRun) bool { return o == r })
		s.form.invalidate()
		return nil
	})(m, "")
}

// compareRuns shows a run beside the marked one; without a mark, beside the measured run.
func compareRuns(m *Model, _ string) tea.Cmd {
	return inSimulator(func(m *Model, s *simulator) tea.Cmd {
		r := s.theRun()
		if r == nil {
			return m.refuse(errNoRun)
		}
		k := s.marked
		title := fmt.Sprintf("Run %d", r.number)
		if k != nil && k != r {
			title += fmt.Sprintf(" against run %d", k.number)
		} else {
			k = nil
		}
		return m.dialogs.Open(&dialog.Pager{Title: title, Layout: func(th *style.Theme, width int) []style.Line { return runLines(s, r, k, th, width) }})
	})(m, "")
}

// runLines lays out what a run was and where its time went; k is a run to compare with, or nil.
func runLines(s *simulator, r, k *simRun, th *style.Theme, width int) []style.Line {
	var lines []style.Line
	heading := func(text string) { lines = append(lines, style.Line{{Text: text, Style: th.PopupTitle}}) }
	names := min(max(width-45, 22), 36) // beside two values and their difference
	row := func(name, a, b, c string) {
		line := style.Line{{Text: fmt.Sprintf("%-*s", names, th.Cut(name, names)), Style: th.PopupDim}, {Text: fmt.Sprintf("%16s", a), Style: th.Popup}}
		if k != nil {
			line = append(line, style.Span{Text: fmt.Sprintf("%16s", b), Style: th.Popup}, style.Span{Text: fmt.Sprintf("%12s", c), Style: th.PopupDim})
		}
		lines = append(lines, line)
	}
	text := func(st raster.Style, t string) {
		for _, part := range style.Wrap(t, width) {
			lines = append(lines, style.Line{{Text: part, Style: st}})
		}
	}
	text(th.Popup, fmt.Sprintf("run %d: %s", r.number, r.title()))
	if k != nil {
		text(th.Popup, fmt.Sprintf("run %d: %s", k.number, k.title()))
	}
	lines = append(lines, nil)
	heading("What differs")
	from, name := r.base, r.baseName
	if k != nil {
		from, name = k.scenario, fmt.Sprintf("run %d", k.number)
	}
	changes := compareScenarios(from, r.scenario, s.blockName)
	if changes == nil {
		text(th.Popup, "nothing differs from "+name)
	} else {
		lines = append(lines, style.Line{{Text: fmt.Sprintf("%-*s%16s%16s", names, "", fmt.Sprintf("run %d", r.number), th.Cut(name, 15)), Style: th.PopupDim}})
	}
	for _, d := range changes {
		lines = append(lines, style.Line{{Text: fmt.Sprintf("%-*s", names, th.Cut(d.what, names)), Style: th.PopupDim}, {Text: fmt.Sprintf("%16s", d.after), Style: th.Popup}, {Text: fmt.Sprintf("%16s", d.before), Style: th.PopupDim}})
	}
	lines = append(lines, nil)
	heading("Times")
	if k != nil {
		row("", fmt.Sprintf("run %d", r.number), fmt.Sprintf("run %d", k.number), "")
	}
	other := func(f func(*simRun) float64) (b float64) {
		if k != nil {
			b = f(k)
		}
		return b
	}
	times := func(name string, f func(*simRun) float64) {
		a, b := f(r), other(f)
		c := ""
		if b > 0 {
			c = fmt.Sprintf("%+.2f %%", 100*(a/b-1))
		}
		if a > 0 || b > 0 {
			row(name, raster.FormatDuration(int64(a), prv.Nanoseconds), raster.FormatDuration(int64(b), prv.Nanoseconds), c)
		}
	}
	times("total", func(r *simRun) float64 { return float64(r.result.Total) })
	row("of measured", fmt.Sprintf("%.4f", float64(r.result.Total)/max(s.baseline(), 1)), fmt.Sprintf("%.4f", other(func(r *simRun) float64 { return float64(r.result.Total) })/max(s.baseline(), 1)), "")
	row("efficiency", fmt.Sprintf("%.2f %%", 100*r.efficiency), fmt.Sprintf("%.2f %%", 100*other(func(r *simRun) float64 { return r.efficiency })), "")
	for _, st := range sim.States {
		times("all threads "+strings.ToLower(st.Name), func(r *simRun) (ns float64) {
			for i := range r.result.Tasks {
				ns += float64(r.result.Tasks[i].States[st.Value])
			}
			return ns
		})
	}
	times("messages wait for links", func(r *simRun) (ns float64) {
		for i := range r.result.Tasks {
			ns += r.result.Tasks[i].WaitLinks
		}
		return ns
	})
	times("messages wait for buses", func(r *simRun) (ns float64) {
		for i := range r.result.Tasks {
			ns += r.result.Tasks[i].WaitBuses
		}
		return ns
	})
	row("messages", raster.FormatCount(r.result.Messages), raster.FormatCount(int64(other(func(r *simRun) float64 { return float64(r.result.Messages) }))), "")
	return lines
}

// readProblem shows all of what the pane has only some lines for.
func readProblem(m *Model, _ string) tea.Cmd {
	s := m.simulatorFor(m.window())
	if s == nil || s.err == nil && len(s.remarks) == 0 {
		m.say("nothing is wrong with the simulation")
		return nil
	}
	return m.dialogs.Open(&dialog.Pager{Title: "About the simulation", Layout: func(th *style.Theme, width int) (lines []style.Line) {
		texts := s.remarks
		if s.err != nil { // a deadlock has a part for each thread that waits
			texts = append(strings.Split(s.err.Error(), "; "), texts...)
		}
		for _, t := range texts {
			for _, part := range style.Wrap(t, width) {
				lines = append(lines, style.Line{{Text: part, Style: th.Popup}})
			}
		}
		return lines
	}})
}

func keepPrediction(m *Model, _ string) tea.Cmd {
	return inSimulator(func(m *Model, s *simulator) tea.Cmd {
		if s.predicted == nil {
			return m.refuse(errNoRun)
		}
		m.detach(s)
		m.say("the predicted trace stands for itself now; the next run has a window of its own")
		return nil
	})(m, "")
}

// Saving.

type predictionSavedMsg struct {
	base string
	err  error
}

// predictionPath is what saving proposes: a name beside the trace.
func (m *Model) predictionPath() string {
	base := "predicted"
	if s := m.simulatorFor(m.window()); s != nil && s.measured.Data.Path != "" {
		base = prv.Base(s.measured.Data.Path) + ".predicted"
		if !paths.CanCreateIn(filepath.Dir(base)) {
			base = filepath.Base(base)
		}
	}
	return base + ".prv"
}

func savePrediction(m *Model, args string) tea.Cmd {
	s := m.readySimulator()
	if s == nil || s.theRun() == nil {
		return m.refuse(errNoRun)
	}
	if args == "" {
		return m.promptFor("save-prediction")
	}
	path := paths.ExpandHome(unquote(args))
	switch ext := filepath.Ext(path); {
	case strings.HasSuffix(path, ".prv.gz"):
	case ext == ".cfg":
		path = strings.TrimSuffix(path, ext) + ".prv"
	case ext != ".prv":
		path += ".prv"
	}
	if paths.Same(path, s.measured.Data.Path) {
		return m.refuse(fmt.Errorf("%s is the measured trace, which is not overwritten", path))
	}
	r := s.theRun()
	return m.overwriting(func() tea.Cmd { return m.saveRun(s, r, path) }, path, prv.Base(path)+".cfg")
}

// saveRun writes a run in the background.
func (m *Model) saveRun(s *simulator, r *simRun, path string) tea.Cmd {
	ctx, program, measured, t := m.ctx, s.program, s.measured.Data, r.trace
	m.say(m.theme.ASCII("saving…"))
	return func() tea.Msg {
		base := prv.Base(path)
		if t == nil { // it was forgotten
			again, err := sim.Run(ctx, program, r.scenario.machine, sim.Options{Trace: true, Rules: r.scenario.rules, DisableOpenMP: r.scenario.noOpenMP})
			if err != nil {
				return predictionSavedMsg{base, err}
			}
			t = again.Trace
			sim.NamePrediction(t, measured, r.scenario.rules)
		}
		err := dimemas.SaveMachine(base+".cfg", r.scenario.machine)
		if err == nil {
			err = prv.Save(ctx, path, t)
		}
		return predictionSavedMsg{path, err}
	}
}

func (m *Model) predictionSaved(msg predictionSavedMsg) {
	if msg.err != nil {
		m.alarm(fmt.Sprintf("the run was not saved: %v", msg.err))
		return
	}
	m.say(fmt.Sprintf("machine saved as %s.cfg, predicted trace as %s", prv.Base(msg.base), filepath.Base(msg.base)))
}

// Mouse and hints.

func (m *Model) simulatorHints() [][2]string {
	s := m.simulatorFor(m.window())
	if s != nil && s.form.page == pageRuns {
		return [][2]string{{"Enter", "go back to it"}, {"n", "name"}, {"c", "mark"}, {"C", "compare"}, {"w", "save"}, {"K", "keep"}, {"x", "drop"}, {"[ ]", "pages"}, {"Esc", "back"}}
	}
	return [][2]string{{"- +", "halve, double"}, {"Enter", "value"}, {"r", "reset"}, {"u", "undo"}, {"m", "machines"}, {"[ ]", "pages"}, {"H", "runs"}, {"c", "mark"}, {"w", "save"}, {"Esc", "back"}}
}

// clickSimulator goes to a page, a field or a run; a second click on a field changes it.
func (m *Model) clickSimulator(l *screenLayout, e tea.MouseClickMsg, again bool) tea.Cmd {
	s := m.readySimulator()
	if s == nil {
		return nil
	}
	x, y := e.X-l.pane.X, e.Y-l.pane.Y-1
	f := &s.form
	tabs := f.body.Y - 1
	if len(f.layout.head) > 0 {
		tabs--
	}
	if y == tabs {
		if p, ok := pageAt(x, l.pane.W); ok {
			f.page = p
		}
		return nil
	}
	if !f.body.Has(x, y) {
		return nil
	}
	at := s.cellAt(x-f.body.X, y-f.body.Y)
	if at < 0 {
		return nil
	}
	same := f.at[f.page] == at
	f.at[f.page] = at
	if f.page == pageRuns || again && same {
		return editField(m, "")
	}
	return nil
}

func (m *Model) wheelSimulator(_ tea.MouseWheelMsg, sign int) {
	if s := m.readySimulator(); s != nil {
		for range 3 {
			s.move(0, sign)
		}
	}
}
