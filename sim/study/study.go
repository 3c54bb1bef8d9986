// Package study answers questions that take many simulations: what if a parameter were different (sweeps), which of several
// parameters matters (sensitivity), which part of the program is worth making faster (blocks). The simulations of a study run in
// parallel, one per core; each depends only on its arguments, so the answer is the same on any number of cores.
//
// It also has the formulas for tables of such results: utilisation, slowdown and speedup (thesis, table 11), the fit of a
// network's latency and bandwidth (table 8), and the indices of programs that share processors (chapter 8).
package study

import (
	"context"
	"sync"

	"pview/prv/parallel"
	"pview/sim"
)

// Case is one simulation of a study.
type Case struct {
	Program *sim.Program
	Machine *sim.Machine
}

// Options of a study.
type Options struct {
	Sim     sim.Options // of every simulation; Trace and Progress are ignored
	Workers int         // concurrent simulations; 0: one per core
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
	// Computing is the share of the run that a thread computes, averaged over the threads: the "processor utilisation" of
	// the thesis' table 11, in which latency does not count. Occupied counts all use of a CPU: also latency, context
	// switches and busy waits, as in its table 19.
	Computing, Occupied float64
	Threads             int
	Messages, Bytes     int64
	Tasks               []sim.TaskStats
}

// occupying are the states in which a thread occupies a CPU.
var occupying = []uint8{sim.StateRunning, sim.StateStartup, sim.StateSwitch, sim.StateBusyWait}

// FiguresOf returns the figures of a simulation of a program.
func FiguresOf(p *sim.Program, r *sim.Result) Figures {
	f := Figures{Total: r.Total, Threads: len(p.Threads), Messages: r.Messages, Bytes: r.Bytes, Tasks: r.Tasks}
	if r.Total == 0 || f.Threads == 0 {
		return f
	}
	var running, occupied int64
	for i := range r.Tasks {
		running += r.Tasks[i].States[sim.StateRunning]
		for _, s := range occupying {
			occupied += r.Tasks[i].States[s]
		}
	}
	whole := float64(f.Threads) * float64(r.Total)
	f.Computing, f.Occupied = float64(running)/whole, float64(occupied)/whole
	return f
}

// Slowdown is the time of the baseline over the time of a case (thesis, table 11: 1 where the case is as fast, less
// where it is slower); 0 without a time.
func Slowdown(baseline, total int64) float64 { return quotient(baseline, total) }

// Speedup is the time of few tasks over the time of more on the same machine (thesis, table 11); 0 without a time.
func Speedup(few, many int64) float64 { return quotient(few, many) }

func quotient(a, b int64) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// Run runs the simulations; outcomes are in the order of the cases. A failed simulation does not stop the others; the
// error is that of ctx.
func Run(ctx context.Context, cases []Case, opt Options) ([]Outcome, error) {
	one := opt.Sim
	one.Trace, one.Progress = false, nil
	outcomes := make([]Outcome, len(cases))
	var mu sync.Mutex
	done := int64(0)
	err := parallel.Each(ctx, len(cases), opt.Workers, func(_, i int) error {
		r, err := sim.Run(ctx, cases[i].Program, cases[i].Machine, one)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			outcomes[i].Err = err
		} else {
			outcomes[i].Figures = FiguresOf(cases[i].Program, r)
		}
		if opt.Progress != nil {
			mu.Lock()
			defer mu.Unlock()
			done++
			opt.Progress(done, int64(len(cases)))
		}
		return nil
	})
	return outcomes, err
}
