package scenario

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"pview/sim"
	"pview/sim/dimemas"
	"pview/sim/parameter"
	"pview/sim/puppet"
)

// Editor holds the scenario being edited, with undo and redo. The zero Editor has no machine: Load gives it the first.
type Editor struct {
	now          Setup
	past, future []Setup
	joined       string // kind of the last change: further changes of that kind join its undo step
}

// Now returns the current scenario. Its Machine is nil before the first Load.
func (e *Editor) Now() Setup { return e.now }

// Ready reports whether there is a machine.
func (e *Editor) Ready() bool { return e.now.Machine != nil }

// Load replaces the machine by a named one (parameter.Presets), sized for the program, or by a Dimemas configuration.
func (e *Editor) Load(p *sim.Program, name string) error {
	machine, name, err := machineOf(p, name)
	if err != nil {
		return err
	}
	e.Take(machine, name)
	return nil
}

// Take replaces the machine by another one with a title.
func (e *Editor) Take(m *sim.Machine, title string) {
	next := Setup{Scenario: e.now.Scenario, BaseName: title}
	next.Machine = m
	next.Base = next.Scenario
	e.GoTo(next)
}

// machineOf finds a machine by its name or file, and returns its title.
func machineOf(p *sim.Program, name string) (*sim.Machine, string, error) {
	machine, class, err := MachineByName(name)
	if !class {
		name = filepath.Base(name)
	}
	if err != nil {
		return nil, name, err
	}
	return machine(p), name, nil
}

// MachineByName finds a machine by its name (parameter.Presets) or file, a Dimemas configuration or the model of a
// direct network (.model). The result makes a copy of it for a program; class: it represents a class of machines, with
// as many nodes as the program needs (sim.Machine.Room).
func MachineByName(name string) (machine func(*sim.Program) *sim.Machine, class bool, err error) {
	if preset := parameter.PresetByName(name); preset != nil {
		return preset.For, true, nil
	}
	if strings.HasSuffix(name, ".model") {
		model, err := puppet.OpenModel(name)
		return func(p *sim.Program) *sim.Machine {
			m, err := model.Machine(len(p.Tasks))
			if err != nil {
				return &sim.Machine{Fault: err}
			}
			return m
		}, false, err
	}
	m, err := dimemas.OpenMachine(name)
	if err != nil {
		return nil, false, NotAMachine(name, err)
	}
	return func(*sim.Program) *sim.Machine { return m.Clone() }, false, nil
}

// UnknownMachine is a word that is neither a machine's name nor a file.
type UnknownMachine string

func (name UnknownMachine) Error() string {
	return fmt.Sprintf("there is no machine %q: neither a file (.cfg) nor a name from pview list machines",
		string(name))
}

// NotAMachine returns the error for a machine that could not be opened: "unknown" if the name cannot be a file's.
func NotAMachine(name string, err error) error {
	if errors.Is(err, os.ErrNotExist) && !strings.ContainsAny(name, "./") {
		return UnknownMachine(name)
	}
	return err
}

// Change is a change of the scenario.
type Change struct {
	// Set changes the given scenario; its machine is a copy.
	Set func(*Scenario)
	// Parameter is the name of the changed parameter: dependent ones adapt to it (parameter.Adapt).
	Parameter string
	// Kind joins consecutive changes into one undo step; "": a separate step.
	Kind string
}

// Change changes the scenario and makes the machine fit the program again; notes describe the other changes that this
// needed. changed is false if the scenario is the same as before.
func (e *Editor) Change(p *sim.Program, c Change) (notes []string, changed bool) {
	next := e.now
	next.Machine = e.now.Machine.Clone()
	c.Set(&next.Scenario)
	notes = parameter.Adapt(next.Machine, e.now.Machine, p, c.Parameter)
	if next.Scenario.Equal(e.now.Scenario) {
		return nil, false
	}
	e.note(c.Kind)
	e.now = next
	return notes, true
}

// GoTo makes another setup, such as that of an earlier run, the current one. It can be undone.
func (e *Editor) GoTo(s Setup) {
	e.note("")
	e.now = s
}

// Restore makes a setup the current one, with nothing to undo.
func (e *Editor) Restore(s Setup) { *e = Editor{now: s} }

// note saves the current setup for Undo.
func (e *Editor) note(kind string) {
	e.future = nil
	if !e.Ready() || kind != "" && kind == e.joined {
		return
	}
	e.joined = kind
	e.past = append(e.past, e.now)
}

// Undo reverts the last step; it returns false if there is none.
func (e *Editor) Undo() bool { return e.travel(&e.past, &e.future) }

// Redo repeats the last reverted step; it returns false if there is none.
func (e *Editor) Redo() bool { return e.travel(&e.future, &e.past) }

func (e *Editor) travel(from, to *[]Setup) bool {
	n := len(*from)
	if n == 0 {
		return false
	}
	*to = append(*to, e.now)
	e.now, e.joined = (*from)[n-1], ""
	*from = (*from)[:n-1]
	return true
}

// Saved is the stored form of a setup, for example in a session: the machine, and the rules that differ from Dimemas's.
type Saved struct {
	Machine  *sim.Machine      `json:"machine"`
	Rules    map[string]string `json:"rules,omitempty"`
	NoOpenMP bool              `json:"disable_openmp,omitempty"`
}

// Save returns the stored form of a scenario.
func (s Scenario) Save() Saved {
	out := Saved{Machine: s.Machine, NoOpenMP: s.NoOpenMP}
	for i, v := range s.Rules {
		if v != 0 {
			if out.Rules == nil {
				out.Rules = map[string]string{}
			}
			out.Rules[sim.RuleTable[i].Name] = sim.RuleTable[i].Values[v].Name
		}
	}
	return out
}

// Scenario returns the inverse of Scenario.Save. The stored form is checked.
func (s Saved) Scenario() (Scenario, error) {
	c := Scenario{Machine: s.Machine, NoOpenMP: s.NoOpenMP}
	if c.Machine == nil {
		return c, fmt.Errorf("a scenario without a machine")
	}
	for name, value := range s.Rules {
		if err := c.Rules.Set(name, value); err != nil {
			return c, err
		}
	}
	return c, c.Machine.Check()
}

// title describes a setup: "infiniband-hdr: latency 2 us".
func (s Setup) title(changes []string) string {
	if len(changes) == 0 {
		return s.BaseName
	}
	return s.BaseName + ": " + strings.Join(changes, ", ")
}
