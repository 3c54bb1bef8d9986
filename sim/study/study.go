// Package study answers questions that take many simulations: what if a parameter were different (sweeps), which of
// several parameters matter (sensitivity), which part of the program is worth speeding up (blocks), how a run scatters
// when parameters do (Monte Carlo), which parameters reproduce measured times (fit), which machine reaches a target
// (improve).
//
//	definition --Plan()--> Plan --Runner--> rows --> Table --> Summary, Ranking, ranges, ...
//	  (variables, axes)     (draws, cases)     `--> Keeper (package store)
//
// The runs of a study are simulated in parallel, one per core; each depends only on the plan and its number, so the
// table is the same on any number of cores, and after any interruption.
//
// It also has the formulas for tables of such results: utilisation, slowdown and speedup (thesis, table 11), the fit of
// a network's latency and bandwidth (table 8), and the indices of programs that share processors (chapter 8).
package study

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"pview/sim"
)

// Options say how to execute a study.
type Options struct {
	RunOptions
	// Kind is the kind of study; "": cases.
	Kind string
	// Carry executes the plan, for example with a store; nil: rows are kept in memory only.
	Carry func(ctx context.Context, p *Plan) (*Table, error)
	// Progress is called, by one goroutine at a time, with the simulations done and the total.
	Progress func(done, total int64)
}

// Outcome is the result of a simulation: figures, or an error.
type Outcome struct {
	Figures
	Err error
}

// Figures are the totals of a run (thesis, table 11). Times are nanoseconds.
type Figures struct {
	Total int64
	// Computing is the utilisation of a sim.Result, excluding latency. Occupied counts all use of a CPU, including
	// latency, context switches and busy waits, as in the thesis' table 19.
	Computing, Occupied float64
	Threads             int
	Messages, Bytes     int64
	// Speedup is sim.Result's, and Nodes the share of CPU time in which the nodes with tasks compute; only for cases.
	Speedup float64
	Nodes   struct{ Mean, Highest, Lowest float64 }
}

// occupying are the states in which a thread occupies a CPU.
var occupying = []uint8{sim.StateRunning, sim.StateStartup, sim.StateSwitch, sim.StateBusyWait}

// figuresOf returns the figures of a simulation of a program.
func figuresOf(p *sim.Program, r *sim.Result) Figures {
	f := Figures{Total: r.Total, Threads: len(p.Threads), Messages: r.Messages, Bytes: r.Bytes}
	if r.Total == 0 || f.Threads == 0 {
		return f
	}
	var occupied int64
	for i := range r.Tasks {
		for _, s := range occupying {
			occupied += r.Tasks[i].States[s]
		}
	}
	f.Computing = r.Utilisation(f.Threads)
	f.Occupied = float64(occupied) / (float64(f.Threads) * float64(r.Total))
	return f
}

// Slowdown returns the time of the baseline / the time of a case (thesis, table 11: 1 if the case is as fast, less if
// it is slower); 0 without a time.
func Slowdown(baseline, total int64) float64 { return quotient(baseline, total) }

// Speedup returns the time of few tasks / the time of more on the same machine (thesis, table 11); 0 without a time.
func Speedup(few, many int64) float64 { return quotient(few, many) }

func quotient(a, b int64) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// carry executes a plan.
func carry(ctx context.Context, p *Plan, opt Options) (*Table, error) {
	if opt.Carry != nil {
		return opt.Carry(ctx, p)
	}
	run := opt.RunOptions
	if opt.Progress != nil {
		done, told := int64(0), run.OnRow
		run.OnRow = func(row Row) {
			done++
			opt.Progress(done, int64(p.Size()))
			if told != nil {
				told(row)
			}
		}
	}
	return NewRunner(p, run).Run(ctx)
}

// outcomeOutputs are the outputs that make an outcome.
var outcomeOutputs = []Output{*OutputByName("total"), *OutputByName("utilisation"), *OutputByName("occupied"),
	*OutputByName("messages"), *OutputByName("bytes")}

// caseOutputs are the additional outputs of cases.
var caseOutputs = []Output{
	figure("scaled-speedup", "", "", func(_ *Case, r *sim.Result) float64 { return r.Speedup }),
	ofNodes("nodes-busy", func(list []sim.NodeUse) (sum float64) {
		for _, n := range list {
			sum += n.Share / float64(len(list))
		}
		return sum
	}),
	ofNodes("nodes-busy-most", func(list []sim.NodeUse) float64 { return slices.MaxFunc(list, byShare).Share }),
	ofNodes("nodes-busy-least", func(list []sim.NodeUse) float64 { return slices.MinFunc(list, byShare).Share }),
}

func byShare(x, y sim.NodeUse) int { return cmp.Compare(x.Share, y.Share) }

// ofNodes makes an output from the use of the nodes.
func ofNodes(name string, of func(list []sim.NodeUse) float64) Output {
	return Output{Column: Column{Name: name, Unit: "share"},
		Of: func(_ context.Context, c *Case, r *sim.Result) (float64, error) {
			placed, err := c.Machine.Placement(c.Program)
			if err != nil || len(placed) == 0 {
				return 0, err
			}
			return of(r.NodeUses(c.Machine, placed)), nil
		}}
}

// outcome returns the outcome of a row with outcomeOutputs, and possibly caseOutputs.
func outcome(r *Row, p *sim.Program) Outcome {
	if r.Status != Done {
		return Outcome{Err: errors.New(r.Reason)}
	}
	o := Outcome{Figures: Figures{Total: int64(r.Outputs[0]), Computing: r.Outputs[1], Occupied: r.Outputs[2],
		Threads:  len(p.Threads),
		Messages: int64(r.Outputs[3]), Bytes: int64(r.Outputs[4])}}
	if more := r.Outputs[len(outcomeOutputs):]; len(more) > 0 {
		o.Speedup, o.Nodes.Mean, o.Nodes.Highest, o.Nodes.Lowest = more[0], more[1], more[2], more[3]
	}
	return o
}

// Run simulates cases; outcomes are in the order of cases. A failed simulation does not stop the others; The only error
// is ctx's.
func Run(ctx context.Context, cases []Case, opt Options) ([]Outcome, error) {
	in := programs(cases)
	p, err := newPlan(cmp.Or(opt.Kind, "cases"), 0, &Case{Machine: &sim.Machine{}}, []Input{in},
		slices.Concat(outcomeOutputs, caseOutputs),
		FixedDesign(len(cases), func(i int) (Draw, error) {
			return Draw{Inputs: []float64{float64(i)}}, nil
		}))
	if err != nil {
		return nil, err
	}
	if opt.Carry != nil {
		p.Key = Key(p.Kind, pointers(cases))
	}
	t, err := carry(ctx, p, opt)
	if err != nil {
		return nil, err
	}
	outcomes := make([]Outcome, len(cases))
	for i := range t.Rows {
		outcomes[i] = outcome(&t.Rows[i], cases[i].Program)
	}
	return outcomes, nil
}
