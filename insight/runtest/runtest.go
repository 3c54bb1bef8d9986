// Package runtest makes runs by hand for the tests of insights, and reads the inputs of insights from a run.
package runtest

import (
	"context"
	"testing"

	"pview/insight/cause"
	"pview/insight/eventgraph"
	"pview/insight/replay"
	"pview/insight/waits"
	"pview/prv"
)

// Tasks begins a run of tasks with a thread each, all on one node: one application for each number of tasks. Times are
// in ns.
func Tasks(applications ...int) *prv.Builder {
	h := prv.Header{Unit: prv.Nanoseconds}
	cpus := 0
	for _, n := range applications {
		cpus += n
	}
	h.AddNode(cpus)
	for _, n := range applications {
		h.AddPtask()
		for range n {
			h.AddTask(1, 0)
		}
	}
	return prv.NewBuilder(h)
}

// Build ends a run.
func Build(t testing.TB, b *prv.Builder) *prv.Trace {
	t.Helper()
	trace, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

// Graph reads the graph of a run, with its units.
func Graph(t testing.TB, trace *prv.Trace) *eventgraph.Graph {
	t.Helper()
	ctx := context.Background()
	g, err := eventgraph.NewGraph(ctx, trace, waits.Options{}, eventgraph.Given{})
	if err == nil {
		err = g.BuildUnits(ctx)
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Model reads the replay of a run.
func Model(t testing.TB, trace *prv.Trace) *replay.Model {
	t.Helper()
	m, err := replay.NewModel(context.Background(), Graph(t, trace))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Computation reads the computation of a run.
func Computation(t testing.TB, trace *prv.Trace) *cause.Run {
	t.Helper()
	c, err := cause.NewRun(context.Background(), Model(t, trace))
	if err != nil {
		t.Fatal(err)
	}
	return c
}
