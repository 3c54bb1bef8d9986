package replay

// A message-driven run under other runtime systems: other queue orders, other load balancing strategies, and quiescence
// detection.

import (
	"context"
	"errors"

	"pview/insight/eventgraph"
	"pview/prv/extrae/execution"
	"pview/sim/driven"
)

// Runtime is the run under a runtime system.
type Runtime struct {
	Queue, Balance string // of driven.Queues and driven.Strategies; both "recorded": the recorded order and places
	Length         int64
	Hops           int64 // of tasks placed by a balancer
	Messages       int64 // of the balancer
	Quiet          driven.Detection
}

// Runtimes simulates a message-driven run under each queue and each strategy. The first is the simulation of the
// recorded run, which is the reference for the others: it need not end when the run did.
func Runtimes(ctx context.Context, g *eventgraph.Graph) ([]Runtime, error) {
	if g.Driven == nil {
		return nil, errors.New("not a message-driven run: there are no queues and no tasks to place")
	}
	base := NewDriven(g, nil)
	hop := max(1, int64(g.Params.Transfer(0)))
	list, err := underRuntime(g, ctx, nil, base.Program, driven.Options{Order: base.Order}, hop)
	if err != nil {
		return nil, err
	}
	list[0].Queue, list[0].Balance = "recorded", "recorded"
	for q := range driven.Queues {
		for s := range driven.Strategies {
			if s > 0 && !g.HasDynamic() {
				break
			}
			program := NewDriven(g, nil).Program
			loosen(g, program, s > 0)
			opt := driven.Options{Queue: driven.Queues[q].Name, Balance: driven.Strategies[s].Name, Hop: hop}
			if s == 0 {
				opt.Hop = 0 // it is in the recorded times
			}
			if list, err = underRuntime(g, ctx, list, program, opt, hop); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}

// loosen gives tasks the priorities of their messages and, where a strategy places them, the time that they take only
// until it has them.
func loosen(g *eventgraph.Graph, p *driven.Program, placed bool) {
	for i := range g.Units {
		t := &p.Tasks[i]
		t.Priority, t.Response = 0, true
		if c := g.Driven.Starts[i].Creation; c >= 0 {
			t.Priority, t.Response = g.Driven.Created[c].Priority, g.Driven.Created[c].Kind != execution.ToNewObject
		}
		for k := range t.Creates {
			if placed && p.Tasks[t.Creates[k].Task].Dynamic {
				t.Creates[k].Takes = 0
			}
		}
	}
}

// underRuntime adds a simulation.
func underRuntime(g *eventgraph.Graph, ctx context.Context, list []Runtime, p *driven.Program, opt driven.Options,
	hop int64) ([]Runtime, error) {
	result, err := driven.Run(ctx, p, opt)
	if err != nil {
		return nil, err
	}
	quiet, _ := driven.Detect(driven.Activities(p, result), 0, hop)
	return append(list, Runtime{Queue: opt.Queue, Balance: opt.Balance, Length: result.Length, Hops: result.Hops,
		Messages: result.Messages, Quiet: quiet}), nil
}
