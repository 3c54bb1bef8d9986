// Package eventgraph cuts a run into units of work and finds what triggered each of them: another unit, either the
// previous one on the thread or one that a wait was for. It knows what each thread does at each time, cuts the run into
// phases that cannot influence each other, measures what a message costs, and follows chains of units.
//
//	trace -> waits -> Graph: units with creators -> phases, chains, patterns
//
// Message-driven runs are the same graph, read from their events: an execution of an entry is a unit, its creator the
// unit that created its message.
package eventgraph

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"pview/insight/network"
	"pview/insight/waits"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/execution"
	"pview/prv/parallel"
	"pview/prv/quantity"
)

// Graph is a run as units of work, each with the unit that triggered it.
type Graph struct {
	Ctx    context.Context // of the analysis; afterwards one that is never cancelled
	watch  *parallel.Watch // of ctx
	T      *prv.Trace
	States *extrae.States
	Waits  *waits.Result
	Net    *network.Network // the cost of messages within and between nodes
	Params Parameters
	eps    int64      // idle time up to which work on both sides of it is one unit
	Driven *drivenRun // nil: not message-driven

	Flushes [][]Span // by thread: when the tracer wrote its buffer
	OffCore [][]Span // by thread: computation without a core; nil: see FindOffCore

	Units     []Unit
	FirstUnit []int32
	Phases    []Phase
	Groups    int     // of phases
	byLast    []int32 // see collectivesIn
}

// NewGraph finds the waits of a run and the cost of its messages; given replaces measured costs.
func NewGraph(ctx context.Context, t *prv.Trace, opt waits.Options, given Given) (*Graph, error) {
	w, err := waits.Analyze(ctx, t, opt)
	if err != nil {
		return nil, err
	}
	return Around(ctx, t, w, opt.Writer, given)
}

// Around finds the cost of messages in a run whose waits are known, by the writer of its trace. The only error is
// ctx's.
func Around(ctx context.Context, t *prv.Trace, w *waits.Result, writer extrae.Writer, given Given) (g *Graph,
	err error) {
	defer parallel.OnEnd(ctx, &err)
	g = &Graph{Ctx: ctx, watch: parallel.NewWatch(ctx), T: t, States: extrae.StatesOf(t.Labels, writer), Waits: w}
	if execution.IsDriven(t) {
		g.Driven = &drivenRun{types: execution.TypesOf(t.Labels)}
	}
	if g.Net, err = network.Measure(ctx, t, w); err != nil {
		return nil, err
	}
	g.Flushes = make([][]Span, t.NumThreads())
	if err = parallel.For(ctx, t.NumThreads(), func(i int) error {
		g.Flushes[i] = flushesOf(t, int32(i))
		return nil
	}); err != nil {
		return nil, err
	}
	g.measure(given)
	g.eps = min(int64(2*g.Params.Latency.Value), t.Duration/1000)
	return g, nil
}

// With returns the graph for use under another context, also while the original is in use.
func (g *Graph) With(ctx context.Context) *Graph {
	own := *g
	own.Watches(ctx)
	return &own
}

// Look checks for cancellation at each step of loops over units, messages, events. Not for concurrent use.
func (g *Graph) Look() { g.watch.Step() }

// Watches makes an analysis end with another context.
func (g *Graph) Watches(ctx context.Context) { g.Ctx, g.watch = ctx, parallel.NewWatch(ctx) }

// ThreadName names a thread as a .prv does.
func (g *Graph) ThreadName(i int32) string {
	p, t, th := g.T.ThreadID(i)
	return fmt.Sprintf("%d.%d.%d", p, t, th)
}

// Span writes a time for a person.
func (g *Graph) Span(t float64) string {
	return quantity.FormatDuration(int64(math.Round(t)), g.T.Unit)
}

// CollectivesIn returns the collective operations whose last entry lies in a stretch, by row of the waits' Instances.
func (g *Graph) CollectivesIn(from, to int64) []int32 {
	if g.byLast == nil {
		g.byLast = []int32{}
		for i := range g.Waits.Instances {
			if x := &g.Waits.Instances[i]; x.Collective() && !x.Nonblocking() && x.Parts > 1 &&
				x.Class != waits.WaitFinalize && x.Class != waits.InitCompletion {
				g.byLast = append(g.byLast, int32(i))
			}
		}
		slices.SortFunc(g.byLast, func(x, y int32) int {
			return cmp.Or(cmp.Compare(g.Waits.Instances[x].Last, g.Waits.Instances[y].Last), cmp.Compare(x, y))
		})
	}
	at := func(t int64) int {
		return sort.Search(len(g.byLast), func(i int) bool { return g.Waits.Instances[g.byLast[i]].Last >= t })
	}
	return g.byLast[at(from):at(to)]
}

// Message returns the message that a unit waited for; -1: none.
func (g *Graph) Message(u *Unit) int32 {
	if g.Driven != nil {
		return u.Via
	}
	if w := g.wait(u); w != nil && w.Kind == 1 {
		return w.Ref
	}
	return -1
}

// UserIn returns the user time of a thread in a stretch.
func (g *Graph) UserIn(thread int32, from, to int64) float64 {
	u := g.UsageOf(thread, from, to)
	return float64(u.User())
}

// Size of a message.
func (g *Graph) Size(m int32) int64 {
	if m < 0 {
		return 0
	}
	return g.T.Comms.Size[m]
}

// ClassAt returns the class of a thread at a time.
func (g *Graph) ClassAt(thread int32, at int64) int32 {
	if g.Driven == nil {
		return g.Waits.RegionAt(thread, at)
	}
	if i := g.UnitAt(thread, at); i >= 0 {
		return g.Units[i].Class
	}
	return -1
}

// LetGo returns the thread that triggered a unit; -1: only its own.
func (g *Graph) LetGo(u *Unit) int32 {
	if u.Creator < 0 {
		return -1
	}
	if who := g.Units[u.Creator].Thread; who != u.Thread {
		return who
	}
	return -1
}

// Span is a stretch of time.
type Span struct{ From, To int64 }

// TimesIn returns the times of the threads in a region.
func (g *Graph) TimesIn(region int32) []float64 {
	times := make([]float64, g.T.NumThreads())
	for th := range times {
		times[th] = float64(g.Waits.Profile(int32(th))[region])
	}
	return times
}
