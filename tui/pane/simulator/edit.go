package simulator

// How the machine is changed: by a field of the form, or by the name of a parameter.

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/sim"
	"pview/sim/parameter"
	"pview/sim/scenario"
	"pview/sim/topology"
	"pview/tui/dialog"
	"pview/tui/pane"
)

// change sets a field. kind joins consecutive changes into one undo step.
func (p actions) change(s *Simulation, f *field, v float64, kind string) tea.Cmd {
	if f.look != nil {
		f.look(v)
		return nil
	}
	if f.check != nil {
		now := s.Setup().Scenario
		if err := f.check(&now, v); err != nil {
			return p.sc.Refuse(err)
		}
	}
	notes, changed := s.editor.Change(s.program.Program, scenario.Change{
		Set: func(c *scenario.Scenario) { f.set(c, v) }, Parameter: f.p.Name, Kind: kind,
	})
	if !changed {
		return nil
	}
	if notes != nil {
		p.sc.Say("with it: " + strings.Join(notes, ", "))
	}
	return p.edited(s)
}

func (p actions) undo(s *Simulation) tea.Cmd {
	if !s.editor.Undo() {
		p.sc.Say("nothing to undo in the simulator")
		return nil
	}
	return p.edited(s)
}

func (p actions) redo(s *Simulation) tea.Cmd {
	if !s.editor.Redo() {
		p.sc.Say("nothing to redo in the simulator")
		return nil
	}
	return p.edited(s)
}

// scale multiplies the value by a factor; among choices it takes the next or previous one.
func (p actions) scale(factor float64) func(*Simulation, *field) tea.Cmd {
	return func(s *Simulation, f *field) tea.Cmd {
		now := s.Setup().Scenario
		if f.chosen() {
			step := 1.0
			if factor < 1 {
				step = -1
			}
			return p.step(s, f, step)
		}
		if d := f.distribution(&now); d.Kind != "" {
			return p.change(s, f.to(parameter.Setting{Distribution: d.Scale(factor)}), 0, f.p.Title)
		}
		v, same := f.get(&now)
		if !same && f.p.Node != nil {
			return p.change(s, f.scaled(), factor, f.p.Title)
		}
		next, ok := f.p.Scale(v, factor)
		if !ok {
			word := map[bool]string{true: "doubled", false: "halved"}[factor > 1]
			return p.sc.Refuse(fmt.Errorf("%s: %s cannot be %s; type a number, or %s chooses a machine", f.p.Title,
				f.text(&now), word, p.sc.KeysOf("machine choose")))
		}
		return p.change(s, f, next, f.p.Title)
	}
}

// step cycles through the choices.
func (p actions) step(s *Simulation, f *field, by float64) tea.Cmd {
	n := float64(len(f.p.Choices))
	if f.p.Kind == parameter.KindSwitch {
		n = 2
	}
	now := s.Setup().Scenario
	v, _ := f.get(&now)
	next := v + by
	if next >= n {
		next = 0
	} else if next < 0 {
		next = n - 1
	}
	return p.change(s, f, next, f.p.Title)
}

// nextChoice takes the next choice; for a field without choices it asks for a value.
func (p actions) nextChoice(string) tea.Cmd {
	return p.inPane(func(s *Simulation) tea.Cmd {
		if f := s.field(); f != nil && f.chosen() {
			return p.step(s, f, 1)
		}
		return p.editCell(s)
	})("")
}

func (p actions) edit(string) tea.Cmd {
	if _, d := p.ofDevices(); d != nil {
		return p.addChange("")
	}
	return p.inPane(p.editCell)("")
}

// editCell changes the field at the cursor, or returns to the run.
func (p actions) editCell(s *Simulation) tea.Cmd {
	f := s.field()
	switch {
	case s.cell() == nil:
		return nil
	case f == nil:
		return p.goTo(s, s.Run())
	case f.p.Kind == parameter.KindSwitch || f.p.Kind == parameter.KindChoice && len(f.p.Choices) == 2:
		return p.step(s, f, 1)
	case f.p.Kind == parameter.KindChoice:
		return p.pick(s, f)
	}
	return p.prompt(s, f, f.typed(s.Setup().Scenario), true)
}

// typeValue asks for a value that begins with a digit.
func (p actions) typeValue(digit string) tea.Cmd {
	return p.onField(func(s *Simulation, f *field) tea.Cmd {
		if f.chosen() {
			return nil
		}
		return p.prompt(s, f, digit, false)
	})("")
}

// prompt asks for a value; the initial text is selected, or typing continues it.
func (p actions) prompt(s *Simulation, f *field, text string, selected bool) tea.Cmd {
	now := s.Setup().Scenario
	line := &dialog.Prompt{Label: f.p.Title + " ",
		Hint: "a number" + f.units() + ", now " + f.text(&now) + f.sweepHint()}
	if f.p.Word != "" {
		line.Suggest = func(text string) []dialog.Completion {
			if text == "" || strings.HasPrefix(f.p.Word, strings.ToLower(text)) {
				return []dialog.Completion{{Text: f.p.Word}}
			}
			return nil
		}
	}
	line.Accept = func(text string) tea.Cmd {
		if text == "" {
			return nil
		}
		if strings.Contains(text, "..") {
			return p.startSweep(s, f, text)
		}
		return p.set(s, f, text, f.p.Title)
	}
	line.Input.Set(text)
	if selected {
		line.Input.Select()
	}
	return p.sc.Dialogs.Open(line)
}

// random asks for the density of a field, and makes it a variable of the study.
func (p actions) random(s *Simulation, f *field) tea.Cmd {
	if !f.ofAll || parameter.ByName(f.p.Name) == nil {
		return p.sc.Refuse(
			fmt.Errorf("%s is not a number of the whole machine; %s in the Study adds a node's by name, such as "+
				"3:cpu-ratio=uniform(0.5,1)", f.p.Title, p.sc.KeysOf("study variable")))
	}
	line := &dialog.Prompt{Label: f.p.Title + " is ",
		Hint: "a density: uniform(1us,30us), normal(mean,deviation), +-10%, one of 1,2,4"}
	line.Accept = func(text string) tea.Cmd {
		if text != "" {
			p.sc.Do(pane.Run{Action: "study variable", Args: f.p.Name + "=" + text})
		}
		return nil
	}
	now := s.Setup().Scenario
	if v, same := f.get(&now); same && v > 0 && !f.chosen() && f.p.Kind != parameter.KindCount {
		line.Input.Set("+-10%")
		line.Input.Select()
	}
	return p.sc.Dialogs.Open(line)
}

// sweepHint says that a range can be typed, if the field allows it.
func (f *field) sweepHint() string {
	if parameter.ByName(f.p.Name) == nil {
		return ""
	}
	return "; a range sweeps it: 1..1000*10"
}

// set sets a field to a typed text; refusals name the field.
func (p actions) set(s *Simulation, f *field, text, name string) tea.Cmd {
	v, err := f.parse(text)
	if err != nil {
		return p.sc.Refuse(fmt.Errorf("%s: %w", name, err))
	}
	return p.change(s, f.to(v), v.Value, "")
}

// pick offers the choices of a field.
func (p actions) pick(s *Simulation, f *field) tea.Cmd {
	list := &dialog.Picker{Title: f.p.Title}
	for i, c := range f.p.Choices {
		list.Items = append(list.Items, dialog.Item{Text: c.Name, Detail: c.Doc, Data: float64(i)})
	}
	list.Keys = []dialog.Key{{Press: "enter", Word: "choose", Run: func(_ *dialog.Picker, it *dialog.Item) tea.Cmd {
		return p.change(s, f, it.Data.(float64), "")
	}}}
	if f.typing != nil {
		list.Keys = append(list.Keys, dialog.Key{Press: "ctrl+o", Word: "type another",
			Run: func(*dialog.Picker, *dialog.Item) tea.Cmd { return p.typeText(s, f.typing) }})
	}
	cmd := p.sc.Dialogs.Open(list)
	now := s.Setup().Scenario
	v, _ := f.get(&now)
	list.Move(int(v))
	return cmd
}

// reset restores the value of the loaded machine.
func (p actions) reset(s *Simulation, f *field) tea.Cmd {
	base := s.Setup().Base
	if d := f.distribution(&base); d.Kind != "" {
		return p.change(s, f.to(parameter.Setting{Distribution: d}), 0, "")
	}
	v, same := f.get(&base)
	if !same && f.p.Node != nil {
		f = f.asOn(base.Machine)
	}
	return p.change(s, f, v, "")
}

func (p actions) makeIdeal(s *Simulation, f *field) tea.Cmd {
	v, _ := f.get(&scenario.Scenario{Machine: sim.IdealFor(s.program.Program)})
	return p.change(s, f, v, "")
}

// setParameter serves the palette: PARAMETER VALUE.
func (p actions) setParameter(args string) tea.Cmd {
	if args == "" {
		return p.sc.Ask("machine set")
	}
	s := p.ready()
	if s == nil {
		return p.refuseNoMachine()
	}
	name, value, _ := strings.Cut(args, " ")
	if text := parameter.TextByName(name); text != nil {
		return p.setText(s, text, value)
	}
	parameter := parameter.ByName(name)
	if parameter == nil {
		return p.sc.Refuse(fmt.Errorf("unknown parameter %q: see pview list parameters", name))
	}
	return p.set(s, ofMachine(parameter), value, name)
}

func (p actions) completeParameters(args string) (list []string) {
	name, _, more := strings.Cut(args, " ")
	for i := range parameter.Texts {
		if x := &parameter.Texts[i]; !more {
			list = append(list, x.Name)
		}
	}
	if s := p.current(); more && name == "topology" && s != nil && s.editor.Ready() {
		for _, shape := range topology.Fitting(len(s.Setup().Machine.Nodes)) {
			list = append(list, name+" "+shape)
		}
	}
	for i := range parameter.All {
		q := &parameter.All[i]
		switch {
		case !more:
			list = append(list, q.Name)
		case q.Name != name:
		case q.Kind == parameter.KindSwitch:
			list = append(list, name+" on", name+" off")
		default:
			for _, c := range q.Choices {
				list = append(list, name+" "+c.Name)
			}
			if q.Word != "" {
				list = append(list, name+" "+q.Word)
			}
		}
	}
	return list
}
