// Package scenario holds a program with a machine that is being edited: which machine it is now and how it came to be
// (Editor), what was simulated so far (History), and what differs between two scenarios or two runs (Compare, Times).
//
// It is the simulator without a screen: nothing here draws, waits or starts a goroutine. Who edits calls Editor.Change,
// simulates Editor.Now in the background by Scenario.Run, and gives the result to History.Record.
package scenario

import (
	"context"

	"pview/sim"
)

// Scenario is what a program is simulated on, and by which rules. The machine is never changed in place: Scenarios that
// share it are the same.
type Scenario struct {
	Machine *sim.Machine
	Rules   sim.Rules
	// NoOpenMP lets the threads of OpenMP programs run without waiting for one another.
	NoOpenMP bool
}

// Equal reports whether two scenarios predict the same.
func (s Scenario) Equal(o Scenario) bool {
	return s.Rules == o.Rules && s.NoOpenMP == o.NoOpenMP && s.Machine.Equal(o.Machine)
}

// Run simulates the scenario; opt holds what the scenario does not say: whether a trace is wanted, progress.
func (s Scenario) Run(ctx context.Context, p *sim.Program, opt sim.Options) (*sim.Result, error) {
	opt.Rules, opt.DisableOpenMP = s.Rules, s.NoOpenMP
	return sim.Run(ctx, p, s.Machine, opt)
}

// Setup is a scenario and the one that it was made from, by its name: changes are told from there, and reset goes back
// to it.
type Setup struct {
	Scenario
	Base     Scenario
	BaseName string
}
