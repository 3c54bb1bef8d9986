// Package synth makes traces of any size and shape, deterministically, which resemble Extrae's traces of MPI and
// MPI+OpenMP programs. They serve benchmarks, stress tests and the demonstration.
//
// A trace is made iteration by iteration. For every thread the generator keeps a clock, an open state and a queue of
// records. A pattern (Patterns) advances the clocks, and lets tasks wait for one another's messages and collectives.
// Records that no thread can precede any more are merged in time order and passed to a Sink. So memory holds only a few
// iterations, however long the trace is. All arithmetic uses integers: a seed gives the same trace on every machine.
package synth

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"pview/prv"
)

// Sink takes the records of a trace in time order (messages at their physical send). *prv.Builder and *prv.Encoder are
// Sinks. pairs is reused after the call.
type Sink interface {
	State(thread, cpu int32, begin, end int64, value uint32)
	Event(thread, cpu int32, time int64, pairs ...prv.Pair)
	Comm(prv.Comm)
}

// Options are the size and shape of a trace. Fields that are 0 have defaults.
type Options struct {
	Pattern    string // name in Patterns; "stencil"
	Tasks      int    // 8
	Threads    int    // per task; 1
	Nodes      int    // over which the tasks are spread in blocks; 1
	Iterations int    // the pattern's own number
	Bytes      int64  // if not 0, the number of iterations is chosen for a .prv of about this size
	Compute    int64  // nanoseconds that a task computes in one iteration, on average; 1 ms
	Imbalance  int    // percent by which the slowest task computes longer than the mean
	Message    int64  // bytes of a message; 8 KiB
	Callers    int    // levels of the call stack at MPI calls: up to 3
	NoCounters bool   // no hardware counters
	Seed       uint64
}

// Generator makes the trace of some Options. It is for one goroutine.
type Generator struct {
	opt     Options
	pattern *Pattern
	head    prv.Header
	grid    grid
}

// New checks the options and prepares the trace: if a size is given, it finds the number of iterations; and it finds
// the end time by making the trace without records.
func New(opt Options) (*Generator, error) {
	if err := opt.complete(); err != nil {
		return nil, err
	}
	g := &Generator{opt: opt, pattern: findPattern(opt.Pattern), grid: newGrid(opt.Tasks)}
	g.head = prv.Header{Date: "21/11/2026 at 00:34", Unit: prv.Nanoseconds, Resources: resources(opt),
		Communicators: communicators(opt)}
	if opt.Iterations == 0 {
		g.opt.Iterations = g.pattern.iterations
	}
	if opt.Bytes > 0 {
		g.opt.Iterations = g.iterationsFor(opt.Bytes)
	}
	var err error
	g.head.End, err = g.run(context.Background(), nil, nil)
	return g, err
}

// complete fills in the defaults and rejects impossible options.
func (o *Options) complete() error {
	o.Pattern = cmp.Or(o.Pattern, "stencil")
	o.Tasks, o.Threads, o.Nodes = cmp.Or(o.Tasks, 8), cmp.Or(o.Threads, 1), cmp.Or(o.Nodes, 1)
	o.Compute, o.Message = cmp.Or(o.Compute, 1_000_000), cmp.Or(o.Message, 8192)
	switch {
	case findPattern(o.Pattern) == nil:
		return fmt.Errorf("synth: no pattern %q", o.Pattern)
	case min(o.Tasks, o.Threads, o.Nodes) < 1 || o.Tasks > 1<<20 || o.Threads > 1<<20/o.Tasks || o.Nodes > o.Tasks:
		return fmt.Errorf("synth: cannot make %d tasks of %d threads on %d nodes", o.Tasks, o.Threads, o.Nodes)
	case o.Compute < 1000 || o.Message < 0 || o.Imbalance < 0 || o.Iterations < 0 || o.Bytes < 0 || o.Callers < 0 ||
		o.Callers > 3:
		return fmt.Errorf("synth: option out of range")
	}
	return nil
}

// resources spreads the tasks over the nodes in blocks; each thread has a CPU.
func resources(o Options) (r prv.Resources) {
	perNode := (o.Tasks + o.Nodes - 1) / o.Nodes
	for range o.Nodes {
		r.AddNode(perNode * o.Threads)
	}
	r.AddPtask()
	for task := range o.Tasks {
		r.AddTask(o.Threads, task/perNode)
	}
	return r
}

// communicators returns those that Extrae writes: that of all tasks, and one for each task alone; for very wide traces
// only the first.
func communicators(o Options) (list []prv.Communicator) {
	var b strings.Builder
	fmt.Fprintf(&b, "c:1:1:%d", o.Tasks)
	for task := range o.Tasks {
		fmt.Fprintf(&b, ":%d", task+1)
	}
	list = append(list, prv.Communicator{Text: b.String()})
	for task := range o.Tasks {
		if o.Tasks <= 1024 {
			list = append(list, prv.Communicator{Text: fmt.Sprintf("c:1:%d:1:%d", task+2, task+1)})
		}
	}
	return list
}

// Header returns the header of the trace.
func (g *Generator) Header() prv.Header { return g.head }

// Run passes the records of the trace to a sink.
func (g *Generator) Run(ctx context.Context, sink Sink) error {
	_, err := g.run(ctx, sink, nil)
	return err
}

// Write writes the trace as a .prv. It stops soon after a write error.
func (g *Generator) Write(ctx context.Context, w io.Writer) error {
	enc, err := prv.NewEncoder(ctx, w, g.head)
	if err != nil {
		return err
	}
	if _, err := g.run(ctx, enc, enc.Err); err != nil {
		return err
	}
	return enc.Flush()
}

// Trace builds the trace in memory, with labels and names.
func (g *Generator) Trace(ctx context.Context) (*prv.Trace, error) {
	b := prv.NewBuilder(g.head)
	if err := g.Run(ctx, b); err != nil {
		return nil, err
	}
	t, err := b.Build()
	if err != nil {
		return nil, err
	}
	t.Labels, t.Names = g.Labels(), g.Names()
	return t, nil
}

// iterationsFor returns the number of iterations for a .prv of about the given size, by the sizes of two short ones.
func (g *Generator) iterationsFor(size int64) int {
	measure := func(iterations int) int64 {
		var n countingWriter
		short := *g
		short.opt.Iterations = iterations
		short.Write(context.Background(), &n) // a countingWriter does not fail
		return int64(n)
	}
	none := measure(0)
	few := 8
	each := max(1, (measure(few)-none)/int64(few))
	return int(max(1, (size-none)/each))
}

type countingWriter int64

func (n *countingWriter) Write(p []byte) (int, error) {
	*n += countingWriter(len(p))
	return len(p), nil
}

// run makes the trace and returns its end. Without a sink, only the clocks run. failed, if not nil, returns the sink's
// error.
func (g *Generator) run(ctx context.Context, sink Sink, failed func() error) (end int64, err error) {
	e := newEngine(g, sink)
	g.pattern.begin(e)
	for i := range g.opt.Iterations {
		err := ctx.Err()
		if err == nil && failed != nil {
			err = failed()
		}
		if err != nil {
			return 0, err
		}
		g.pattern.iterate(e, i)
		e.flush()
	}
	g.pattern.end(e)
	e.close()
	return e.latest(), nil
}
