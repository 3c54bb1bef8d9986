package tui

import (
	"encoding/json"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"pview/sim"
	"pview/tui/timeline"
)

// Simulations in a session: the machines, by themselves small, and what is known of the runs. Predicted traces are simulated
// again.

// sessionSimulation is the simulator of a trace.
type sessionSimulation struct {
	Trace  int              `json:"trace"`
	Now    sessionScenario  `json:"now"`
	Base   sessionScenario  `json:"loaded"`
	Name   string           `json:"loaded_as"`
	Marked int              `json:"marked,omitempty"` // number of a run; 0 for none
	Hidden bool             `json:"hidden,omitempty"` // the prediction is not shown
	Page   string           `json:"page,omitempty"`
	Runs   []sessionHistory `json:"runs,omitempty"`
}

// sessionScenario is a machine, and the rules that are not those of the model of Dimemas.
type sessionScenario struct {
	Machine  *sim.Machine      `json:"machine"`
	Rules    map[string]string `json:"rules,omitempty"`
	NoOpenMP bool              `json:"disable_openmp,omitempty"`
}

// sessionHistory is a run.
type sessionHistory struct {
	Number     int             `json:"number"`
	Name       string          `json:"name,omitempty"`
	Scenario   sessionScenario `json:"scenario"`
	Base       sessionScenario `json:"loaded"`
	BaseName   string          `json:"loaded_as"`
	Result     *sim.Result     `json:"result"`
	Efficiency float64         `json:"efficiency"`
}

func scenarioToSession(c scenario) sessionScenario {
	s := sessionScenario{Machine: c.machine, NoOpenMP: c.noOpenMP}
	for i, v := range c.rules {
		if v != 0 {
			if s.Rules == nil {
				s.Rules = map[string]string{}
			}
			s.Rules[sim.RuleTable[i].Name] = sim.RuleTable[i].Values[v].Name
		}
	}
	return s
}

func scenarioFromSession(s sessionScenario) (scenario, error) {
	c := scenario{machine: s.Machine, noOpenMP: s.NoOpenMP}
	if c.machine == nil {
		return c, fmt.Errorf("a scenario without a machine")
	}
	for name, value := range s.Rules {
		if err := c.rules.Set(name, value); err != nil {
			return c, err
		}
	}
	return c, c.machine.Check()
}

// sessionSimulations writes down the simulators of traces.
func (m *Model) sessionSimulations(traces []*timeline.Trace) (list []sessionSimulation) {
	for i, t := range traces {
		s := m.simulators[t]
		if s == nil || s.now.machine == nil {
			continue
		}
		f := sessionSimulation{Trace: i, Now: scenarioToSession(s.now), Base: scenarioToSession(s.base), Name: s.baseName, Hidden: s.closed, Page: simPages[s.form.page].name}
		if s.marked != nil {
			f.Marked = s.marked.number
		}
		for _, r := range s.runs {
			f.Runs = append(f.Runs, sessionHistory{r.number, r.name, scenarioToSession(r.scenario), scenarioToSession(r.base), r.baseName, r.result, r.efficiency})
		}
		if _, err := json.Marshal(f); err == nil { // infinite numbers, of a table of levels, have no place in JSON
			list = append(list, f)
		}
	}
	return list
}

// restoreSimulation makes the simulator that a session has of a trace. What is wrong in it leaves it out, and is said.
func (m *Model) restoreSimulation(list []sessionSimulation, index int, t *timeline.Trace) tea.Cmd {
	for i := range list {
		f := &list[i]
		if f.Trace != index {
			continue
		}
		m.ids++
		s := &simulator{id: m.ids, measured: t, baseName: f.Name, closed: f.Hidden}
		if err := s.restore(f); err != nil {
			return m.refuse(fmt.Errorf("the simulation of %s is not restored: %w", t.Name, err))
		}
		m.simulators[t] = s
		return m.buildProgram(s)
	}
	return nil
}

func (s *simulator) restore(f *sessionSimulation) (err error) {
	if s.now, err = scenarioFromSession(f.Now); err != nil {
		return err
	}
	if s.base, err = scenarioFromSession(f.Base); err != nil {
		return err
	}
	for i, p := range simPages {
		if p.name == f.Page {
			s.form.page = simPage(i)
		}
	}
	for _, h := range f.Runs {
		r := &simRun{number: h.Number, name: h.Name, baseName: h.BaseName, result: h.Result, efficiency: h.Efficiency}
		if r.scenario, err = scenarioFromSession(h.Scenario); err != nil {
			return err
		}
		if r.base, err = scenarioFromSession(h.Base); err != nil {
			return err
		}
		if r.result == nil {
			return fmt.Errorf("run %d has no result", h.Number)
		}
		r.changes = differences(r.base, r.scenario, s.blockName)
		s.runs = append(s.runs, r)
		if h.Number == f.Marked {
			s.marked = r
		}
	}
	return nil
}
