// Package scenario holds a program with a machine being edited: the current machine and its history of changes
// (Editor), the simulations so far (History), and the differences between two scenarios or two runs (Compare, Times).
//
// It is the simulator without a screen: nothing here draws, waits or starts a goroutine. The caller edits by
// Editor.Change, simulates Editor.Now in the background by Scenario.Run, and passes the result to History.Record.
package scenario

import (
	"context"

	"pview/sim"
	"pview/sim/engine"
)

// Scenario is a machine and the rules of a simulation. The machine is never changed in place: Scenarios that share it
// are the same.
type Scenario struct {
	Machine *sim.Machine
	Rules   sim.Rules
	// NoOpenMP simulates the masters of OpenMP programs only.
	NoOpenMP bool
}

// Equal reports whether two scenarios predict the same.
func (s Scenario) Equal(o Scenario) bool {
	return s.Rules == o.Rules && s.NoOpenMP == o.NoOpenMP && s.Machine.Equal(o.Machine)
}

// Run simulates the scenario; opt has the other options, such as trace and progress.
func (s Scenario) Run(ctx context.Context, p *sim.Program, opt sim.Options) (*sim.Result, error) {
	opt.Rules, opt.DisableOpenMP = s.Rules, s.NoOpenMP
	return engine.Run(ctx, p, s.Machine, opt)
}

// Setup is a scenario and its base, by name: changes are relative to the base, and reset returns to it.
type Setup struct {
	Scenario
	Base     Scenario
	BaseName string
}
