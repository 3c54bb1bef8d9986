package scenario

import (
	"context"
	"errors"
	"slices"

	"pview/prv"
	"pview/sim"
	"pview/sim/dimemas"
)

// Program is the program made once from a trace, with the facts for an editor of its machine.
type Program struct {
	*sim.Program
	Remarks     []string    // parts of the trace that did not fit into the program
	Blocks      []sim.Block // that can be sped up, most computation first
	Operations  []int64     // calls of each collective operation, indexed like sim.Collectives
	Computation []float64   // of each task, ns
}

// FromTrace makes the program of a trace.
func FromTrace(ctx context.Context, tr *prv.Trace) (*Program, error) {
	t, err := dimemas.FromTrace(ctx, tr, dimemas.TranslateOptions{})
	if err != nil {
		return nil, err
	}
	p := describe(t.Program)
	p.Remarks = t.Remarks()
	if p.Records() == 0 {
		return nil, errors.New("there is nothing to simulate: the trace has neither computation nor communication")
	}
	if !p.communicates() {
		p.Remarks = append(p.Remarks, "no communication is in this trace: networks make no difference to it")
	}
	return p, ctx.Err()
}

// describe collects the facts about a program.
func describe(prog *sim.Program) *Program {
	p := &Program{
		Program: prog, Operations: make([]int64, len(sim.Collectives)), Computation: make([]float64, len(prog.Tasks)),
		Blocks: slices.DeleteFunc(sim.Blocks(prog), func(b sim.Block) bool { return isFigure(b.Type) }),
	}
	for i := range prog.Tasks {
		task := &prog.Tasks[i]
		for k := range task.Threads {
			th := &prog.Threads[task.FirstThread+k]
			p.Computation[i] += th.Computation()
			for _, c := range th.Collectives {
				if int(c.Op) < len(p.Operations) {
					p.Operations[c.Op]++
				}
			}
		}
	}
	return p
}

// communicates reports whether the program has any record other than computation and events.
func (p *Program) communicates() bool {
	return slices.ContainsFunc(p.Threads, func(th sim.Thread) bool {
		return len(th.Messages)+len(th.Collectives) > 0
	})
}

// isFigure separates event types whose values Extrae measures from those that name activities of a program: hardware
// counters, which are sometimes 0, and sizes, roots and communicators of collective operations.
func isFigure(typ uint32) bool {
	return typ >= 42_000_000 && typ < 43_000_000 || typ >= 50_100_000 && typ < 50_101_000
}
