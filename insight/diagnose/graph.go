package diagnose

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"pview/insight/waits"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/execution"
	"pview/prv/parallel"
	"pview/prv/quantity"
)

// graph is a run as units of work, each with the unit that let it begin.
type graph struct {
	ctx    context.Context // of the analysis; afterwards one that never ends
	watch  *parallel.Watch // of ctx
	t      *prv.Trace
	states *extrae.States
	waits  *waits.Result
	params Parameters
	eps    int64      // idle time up to which work on both sides of it is one unit
	driven *drivenRun // nil: not message-driven

	units     []unit
	firstUnit []int32
	phases    []phase
	groups    int     // of phases
	byLast    []int32 // see collectivesIn
	fullPath  *waits.Path
	critical  [][]span // by thread: stretches on the critical path, in order
}

// newGraph finds the waits of a run and what a message costs in it; given replaces measured costs.
func newGraph(ctx context.Context, t *prv.Trace, opt waits.Options, given Given) (*graph, error) {
	g := &graph{ctx: ctx, watch: parallel.NewWatch(ctx), t: t, states: extrae.StatesOf(t.Labels, opt.Writer)}
	if execution.IsDriven(t) {
		g.driven = &drivenRun{types: execution.TypesOf(t.Labels)}
	}
	var err error
	if g.waits, err = waits.Analyze(ctx, t, opt); err != nil {
		return nil, err
	}
	g.measure(given)
	g.eps = min(int64(2*g.params.Latency.Value), t.Duration/1000)
	return g, nil
}

// with returns the graph for use under another context, also while the original is in use.
func (g *graph) with(ctx context.Context) *graph {
	own := *g
	own.watches(ctx)
	return &own
}

// look is called at each step of loops over units, messages, events; not on several goroutines.
func (g *graph) look() { g.watch.Step() }

// watches lets an analysis end with another context.
func (g *graph) watches(ctx context.Context) { g.ctx, g.watch = ctx, parallel.NewWatch(ctx) }

// threadName names a thread as a .prv does.
func (g *graph) threadName(i int32) string {
	p, t, th := g.t.ThreadID(i)
	return fmt.Sprintf("%d.%d.%d", p, t, th)
}

// span writes a time for a person.
func (g *graph) span(t float64) string {
	return quantity.FormatDuration(int64(math.Round(t)), g.t.Unit)
}

// collectivesIn are the collective operations whose last entry lies in a stretch, by row of the waits' Instances.
func (g *graph) collectivesIn(from, to int64) []int32 {
	if g.byLast == nil {
		g.byLast = []int32{}
		for i := range g.waits.Instances {
			if x := &g.waits.Instances[i]; x.Collective() && !x.Nonblocking() && x.Parts > 1 &&
				x.Class != waits.WaitFinalize && x.Class != waits.InitCompletion {
				g.byLast = append(g.byLast, int32(i))
			}
		}
		slices.SortFunc(g.byLast, func(x, y int32) int {
			return cmp.Or(cmp.Compare(g.waits.Instances[x].Last, g.waits.Instances[y].Last), cmp.Compare(x, y))
		})
	}
	at := func(t int64) int {
		return sort.Search(len(g.byLast), func(i int) bool { return g.waits.Instances[g.byLast[i]].Last >= t })
	}
	return g.byLast[at(from):at(to)]
}

// message is the message that a unit waited for; -1: none.
func (g *graph) message(u *unit) int32 {
	if g.driven != nil {
		return u.via
	}
	if w := g.wait(u); w != nil && w.Kind == 1 {
		return w.Ref
	}
	return -1
}

// userIn is the user time of a thread in a stretch.
func (g *graph) userIn(thread int32, from, to int64) float64 {
	u := g.usageOf(thread, from, to)
	return float64(u.user())
}

// size of a message.
func (g *graph) size(m int32) int64 {
	if m < 0 {
		return 0
	}
	return g.t.Comms.Size[m]
}

// waitAt is the wait of a thread at a time, nil for none.
func (g *graph) waitAt(thread int32, at int64) *waits.Wait {
	list := g.waits.Of(thread)
	if k := sort.Search(len(list), func(k int) bool { return list[k].To > at }); k < len(list) && list[k].From <= at {
		return &list[k]
	}
	return nil
}

// sizeInCall is the size of the message that was completed in the call at a time; -1 for none.
func (g *graph) sizeInCall(thread int32, at int64) int64 {
	k := g.waits.CallAfter(thread, at)
	if k >= g.waits.Calls(thread) {
		return -1
	}
	exit := g.waits.Call(thread, k).Exit
	c := &g.t.Comms
	list := g.t.Threads[thread].Comm[prv.PhysicalRecv]
	times := c.Times[prv.PhysicalRecv]
	k = sort.Search(len(list), func(k int) bool { return times[list[k]] >= exit })
	if k < len(list) && times[list[k]] == exit {
		return c.Size[list[k]]
	}
	return -1
}

// classAt is the class of a thread at a time.
func (g *graph) classAt(thread int32, at int64) int32 {
	if g.driven == nil {
		return g.waits.RegionAt(thread, at)
	}
	if i := g.unitAt(thread, at); i >= 0 {
		return g.units[i].class
	}
	return -1
}

// findPath finds the critical path by the waits.
func (g *graph) findPath(ctx context.Context) (err error) {
	if g.fullPath, err = g.waits.CriticalPath(ctx); err != nil {
		return err
	}
	g.critical = make([][]span, g.t.NumThreads())
	for _, s := range g.fullPath.Stretches {
		g.critical[s.Thread] = append(g.critical[s.Thread], span{s.From, s.To})
	}
	return nil
}

// onPath is the time of a stretch of a thread that is on the critical path by the waits.
func (g *graph) onPath(thread int32, from, to int64) (sum int64) {
	list := g.critical[thread]
	for _, s := range list[sort.Search(len(list), func(i int) bool { return list[i].to > from }):] {
		if s.from >= to {
			break
		}
		sum += min(to, s.to) - max(from, s.from)
	}
	return sum
}

// letGo is the thread that let a unit begin; -1: none but its own.
func (g *graph) letGo(u *unit) int32 {
	if u.creator < 0 {
		return -1
	}
	if who := g.units[u.creator].thread; who != u.thread {
		return who
	}
	return -1
}

// span is a stretch of time.
type span struct{ from, to int64 }

// timesIn are the times of the threads in a region.
func (g *graph) timesIn(region int32) []float64 {
	times := make([]float64, g.t.NumThreads())
	for th := range times {
		times[th] = float64(g.waits.Profile(int32(th), 0, g.t.Duration)[region])
	}
	return times
}
