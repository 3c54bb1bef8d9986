// Package runtest makes runs by hand for the tests of insights, and reads the inputs of insights from a run.
package runtest

import (
	"context"
	"fmt"
	"strings"
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

// Read reads a run written as a trace; a faulty record is an error.
func Read(t testing.TB, text string) *prv.Trace {
	t.Helper()
	trace, err := prv.Read(context.Background(), strings.NewReader(text), prv.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

// NameThreads gives the threads of a run the names of a .row file.
func NameThreads(t testing.TB, trace *prv.Trace, names ...string) {
	t.Helper()
	text := fmt.Sprintf("LEVEL THREAD SIZE %d\n%s\n", len(names), strings.Join(names, "\n"))
	var err error
	if trace.Names, _, err = prv.ParseNames("run.row", strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
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
