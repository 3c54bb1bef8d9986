package study

// A plan: the complete definition of a study's runs. Runs are numbered; the inputs of a run follow from the plan, its
// number and, in studies that search (improve), the runs of earlier batches. So a plan can be interrupted, resumed and
// split among processes without changing any result.

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"pview/sim"
	"pview/sim/parameter"
)

// Status is the state of a run.
type Status uint8

// The states of a run, in the order of Statuses. A table only has runs that have ended: Done, Failed, Killed.
const (
	Pending Status = iota
	Running
	Done
	Failed
	Killed
)

// Statuses names them.
var Statuses = []string{"pending", "running", "done", "failed", "killed"}

// String returns the name.
func (s Status) String() string { return Statuses[s] }

// Row is a run of a study.
type Row struct {
	Index   int
	Seed    uint64    // of the run: runSeed
	Inputs  []float64 // by column
	Outputs []float64 // by column; NaN if the run has none, nil if it is not done
	Redraws int       // values redrawn because they were outside of the physical range
	Status  Status
	Reason  string // why it failed

	// Host and Wall are where it ran and for how long; they may differ between runs of equal plans.
	Host string
	Wall time.Duration
}

// Table is the result of a study: the runs that have ended, by index.
type Table struct {
	Inputs, Outputs []Column
	Rows            []Row
	Measured        *Row // as in Plan
}

// Column finds a column by its name: an output, or an input.
func (t *Table) Column(name string) (c *Column, of func(r *Row) float64, ok bool) {
	for i := range t.Outputs {
		if t.Outputs[i].Name == name {
			return &t.Outputs[i], func(r *Row) float64 { return output(r, i) }, true
		}
	}
	for i := range t.Inputs {
		if t.Inputs[i].Name == name {
			return &t.Inputs[i], func(r *Row) float64 { return r.Inputs[i] }, true
		}
	}
	return nil, nil, false
}

func output(r *Row, i int) float64 {
	if r.Status != Done || i >= len(r.Outputs) {
		return math.NaN()
	}
	return r.Outputs[i]
}

// Done lists the runs that have outputs.
func (t *Table) Done() (rows []*Row) {
	for i := range t.Rows {
		if t.Rows[i].Status == Done {
			rows = append(rows, &t.Rows[i])
		}
	}
	return rows
}

// Design gives the inputs of the runs, batch by batch.
type Design interface {
	// Next returns the number of runs after the given ones, which have all ended; 0: the study is complete.
	Next(done []Row) (int, error)
	// At returns the inputs of a run of the batches so far. Safe for concurrent use.
	At(index int) (Draw, error)
}

// Plan is a study that is ready to run.
type Plan struct {
	Kind  string // montecarlo, fit, ...
	Title string // for people: the subject of the study
	// Key identifies program, machine, rules, inputs, outputs and seed: plans with the same key have the same runs.
	Key             string
	Seed            uint64
	Inputs, Outputs []Column
	Design          Design
	// Solve computes the outputs of a run. It calls hold now and then, which blocks while the run is suspended.
	Solve func(ctx context.Context, r *Row, hold func()) ([]float64, error)
	// Case returns the simulation of a run, for opening it as a trace; nil for an external solver.
	Case func(r *Row) *Case
	// Measured is the run from which the subject was made, with its known inputs and outputs; nil: none.
	Measured *Row
	// Stop ends the study early; nil: makes all runs of the design.
	Stop *StopRule
}

// Size returns the number of runs; for studies that search, the maximum.
func (p *Plan) Size() int {
	if d, ok := p.Design.(interface{ most() int }); ok {
		return d.most()
	}
	n, _ := p.Design.Next(nil)
	return n
}

// Splits reports whether parts of the runs can be made by processes independently: not in studies that search.
func (p *Plan) Splits() bool {
	_, ok := p.Design.(fixed)
	return ok
}

// Check reports names that are not unique.
func (p *Plan) Check() error {
	seen := map[string]bool{}
	for _, list := range [][]Column{p.Inputs, p.Outputs} {
		for _, c := range list {
			if seen[c.Name] || slices.Contains(reserved, c.Name) {
				return fmt.Errorf("%s is named twice in the study", c.Name)
			}
			seen[c.Name] = true
		}
	}
	return nil
}

// reserved are the names of the other columns of a table.
var reserved = []string{"study", "index", "seed", "redraws", "status", "reason", "host", "wall"}

// newPlan makes the plan of a study by simulation: runs of the base case, changed by the inputs.
func newPlan(kind string, seed uint64, base *Case, inputs []Input, outputs []Output, d Design) (*Plan, error) {
	p := &Plan{Kind: kind, Title: base.Name, Seed: seed, Inputs: columns(inputs), Design: d}
	for i := range outputs {
		p.Outputs = append(p.Outputs, outputs[i].Column)
	}
	p.Measured = base.Measured.row(base, inputs, outputs)
	p.Case = func(r *Row) *Case { return build(base, inputs, r.Inputs) }
	p.Solve = solver(func(r *Row) *Case { return p.Case(r) }, outputs)
	return p, p.Check()
}

// reseed makes the values that a machine draws at each use differ from run to run, unless the seed is itself an input.
func (p *Plan) reseed(base *Case) {
	seed, of := parameter.ByName("seed"), p.Case
	p.Case = func(r *Row) *Case {
		c := of(r)
		if len(c.Machine.Random) > 0 && c.Machine.Seed == base.Machine.Seed {
			seed.Set(c.Machine, float64(r.Seed%(1<<22))) // the range of --seed
		}
		return c
	}
}

// solver simulates the case of a run.
func solver(of func(*Row) *Case, outputs []Output) func(ctx context.Context, r *Row, hold func()) ([]float64, error) {
	trace := slices.ContainsFunc(outputs, func(o Output) bool { return o.Trace })
	return func(ctx context.Context, r *Row, hold func()) ([]float64, error) {
		c := of(r)
		res, err := c.Run(ctx, sim.Options{Trace: trace, Progress: func(_, _ int64) { hold() }})
		if err != nil {
			return nil, err
		}
		list := make([]float64, len(outputs))
		for i := range outputs {
			if list[i], err = outputs[i].Of(ctx, c, res); err != nil {
				return nil, fmt.Errorf("%s: %w", outputs[i].Name, err)
			}
		}
		return list, nil
	}
}

// fixed is a design whose runs are all known in advance.
type fixed struct {
	n  int
	at func(index int) (Draw, error)
}

// FixedDesign makes n runs; at returns their inputs.
func FixedDesign(n int, at func(index int) (Draw, error)) Design { return fixed{n, at} }

// Next implements Design.
func (f fixed) Next(done []Row) (int, error) { return f.n - len(done), nil }

// At implements Design.
func (f fixed) At(index int) (Draw, error) { return f.at(index) }

// MonteCarlo is the definition of a study with random inputs.
type MonteCarlo struct {
	Base      Case
	Variables []Variable
	Outputs   []Output
	Runs      int
	Seed      uint64
	Sampling  Sampling
	// Correlations of ranks, A:B=0.8.
	Correlations []string
	Stop         *StopRule
}

// Plan prepares the study.
func (m *MonteCarlo) Plan() (*Plan, error) {
	c, err := Correlations(m.Variables, m.Correlations)
	if err != nil {
		return nil, err
	}
	s, err := NewSample(m.Variables, m.Runs, m.Seed, m.Sampling, c)
	if err != nil {
		return nil, err
	}
	p, err := newPlan("montecarlo", m.Seed, &m.Base, inputsOf(m.Variables), m.Outputs, FixedDesign(m.Runs, s.At))
	if err != nil {
		return nil, err
	}
	p.reseed(&m.Base)
	p.Stop = m.Stop
	runs := 0
	if c != nil || m.Sampling == LatinSampling {
		runs = m.Runs // draws depend on the number of runs
	}
	p.Key = Key("montecarlo", []*Case{&m.Base}, m.Seed, m.Sampling, m.Correlations, runs,
		densities(&m.Base, m.Variables), names(m.Outputs))
	return p, nil
}

func inputsOf(variables []Variable) (list []Input) {
	for i := range variables {
		list = append(list, variables[i].Input())
	}
	return list
}

// Measurement is a run that was made elsewhere.
type Measurement struct{ Inputs, Outputs []float64 }

// measured returns the plan of measurements: its runs are complete from the start.
func measured(kind, title string, inputs, outputs []Column, list []Measurement) (*Plan, error) {
	p := &Plan{Kind: kind, Title: title, Inputs: inputs, Outputs: outputs,
		Design: FixedDesign(len(list), func(i int) (Draw, error) { return Draw{Inputs: list[i].Inputs}, nil }),
		Solve:  func(_ context.Context, r *Row, _ func()) ([]float64, error) { return list[r.Index].Outputs, nil },
	}
	p.Key = Key(kind, nil, inputs, outputs, list)
	return p, p.Check()
}
