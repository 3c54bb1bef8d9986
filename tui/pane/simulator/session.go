package simulator

import (
	"encoding/json"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/render/raster"
	"pview/render/timeline"
	"pview/sim/scenario"
)

// Simulations in a session: the machines, which are small, and the known results of the runs. Predicted traces are
// simulated again.

// saved is the simulation of a trace.
type saved struct {
	Trace  int                 `json:"trace"`
	Now    scenario.Saved      `json:"now"`
	Base   scenario.Saved      `json:"loaded"`
	Name   string              `json:"loaded_as"`
	Marked int                 `json:"marked,omitempty"` // number of a run; 0 for none
	Hidden bool                `json:"hidden,omitempty"` // the prediction is not shown
	Page   string              `json:"page,omitempty"`
	Runs   []scenario.SavedRun `json:"runs,omitempty"`
}

// Save stores the simulations of traces.
func (p work) Save(traces []*timeline.Trace) (json.RawMessage, error) {
	var list []json.RawMessage
	for i, t := range traces {
		s := p.sims[t]
		if s == nil || !s.editor.Ready() {
			continue
		}
		now := s.Setup()
		part := saved{Trace: i, Now: now.Save(), Base: now.Base.Save(), Name: now.BaseName, Hidden: s.hidden,
			Page: s.Page()}
		part.Runs, part.Marked = s.history.Save()
		text, err := json.Marshal(part)
		if err != nil { // infinite numbers in a table of levels cannot be stored in JSON
			p.sc.Alarm(fmt.Sprintf("the simulation of %s is not part of the session: %v", t.Name, err))
			continue
		}
		list = append(list, text)
	}
	if list == nil {
		return nil, nil
	}
	return json.Marshal(list)
}

// Restore makes the simulation of a trace from a session. It skips and reports invalid parts.
func (p work) Restore(part json.RawMessage, index int, t *timeline.Trace) tea.Cmd {
	var list []saved
	if err := json.Unmarshal(part, &list); err != nil {
		return p.sc.Refuse(fmt.Errorf("the simulations of the session are not restored: %w", err))
	}
	i := slices.IndexFunc(list, func(f saved) bool { return f.Trace == index })
	if i < 0 {
		return nil
	}
	s := &Simulation{measured: t, asked: true}
	if err := s.restore(&list[i]); err != nil {
		return p.sc.Refuse(fmt.Errorf("the simulation of %s is not restored: %w", t.Name, err))
	}
	p.sims[t] = s
	return p.build(s)
}

func (s *Simulation) restore(f *saved) (err error) {
	setup := scenario.Setup{BaseName: f.Name}
	if setup.Scenario, err = f.Now.Scenario(); err != nil {
		return err
	}
	if setup.Base, err = f.Base.Scenario(); err != nil {
		return err
	}
	if err := s.history.Restore(f.Runs, f.Marked, s.blockName()); err != nil {
		return err
	}
	s.editor.Restore(setup)
	s.hidden = f.Hidden
	for i, p := range pages {
		if p.name == f.Page {
			s.form.page = page(i)
		}
	}
	return nil
}

// Losses names the runs that closing a trace loses; "" for none.
func (p work) Losses(t *timeline.Trace) string {
	if s := p.sims[t]; s != nil && len(s.history.Runs()) > 1 {
		return raster.CountOf(len(s.history.Runs()), "simulated run")
	}
	return ""
}
