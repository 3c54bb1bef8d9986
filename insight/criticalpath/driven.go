package criticalpath

// Message-driven runs: the path goes back over the event graph. An execution of an entry waited for its message, or for
// its processor, which executed another entry: the path goes to whichever came last.

import (
	"context"

	"pview/insight/eventgraph"
	"pview/insight/waits"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/execution"
)

// partKinds are the kinds of the parts of a thread's time on the path.
var partKinds = [extrae.NumParts]Kind{extrae.PartIdle: Waiting, extrae.PartUser: Computation,
	extrae.PartOverhead: Scheduling, extrae.PartIO: IO, extrae.PartAbsent: Other}

// drivenFinder walks the path of a message-driven run.
type drivenFinder struct {
	walk
	g    *eventgraph.Graph
	from int64 // of the window
}

// findDriven finds the path of a message-driven run, within its window.
func findDriven(ctx context.Context, t *prv.Trace, opt Options) (*Path, error) {
	g, err := eventgraph.NewGraph(ctx, t, waits.Options{}, eventgraph.Given{})
	if err == nil {
		err = g.BuildUnits(ctx)
	}
	if err != nil {
		return nil, err
	}
	blocks := opt.Blocks
	if blocks == nil {
		blocks = []uint32{execution.TypesOf(t.Labels)[execution.Entry]}
	}
	idx, err := readCalls(ctx, t, blocks)
	if err != nil {
		return nil, err
	}
	p, err := InGraph(ctx, g)
	if err == nil {
		p.visits = idx.names.visits(p.Segments)
	}
	return p, err
}

// InGraph finds the path of a message-driven run, without its blocks, in its graph of units.
func InGraph(ctx context.Context, g *eventgraph.Graph) (*Path, error) {
	f := &drivenFinder{walk: walk{t: g.T}, g: g}
	f.from, f.at = execution.Window(g.T)
	last := g.Last(g.Run())
	if last >= 0 {
		f.thread = g.Units[last].Thread
	}
	for n := 0; last >= 0 && f.at > f.from; n++ {
		if n&0xfff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		last = f.over(last)
	}
	f.parts(f.from)
	return f.path(), ctx.Err()
}

// over goes back over a unit and returns the one that it had to wait for; -1: none.
func (f *drivenFinder) over(i int32) int32 {
	u, start := &f.g.Units[i], &f.g.Driven.Starts[i]
	f.parts(u.Begin)
	before := int32(-1)
	if i > f.g.FirstUnit[u.Thread] {
		before = i - 1
	}
	created := f.g.Created(i)
	switch c := u.Creator; {
	case c < 0 || start.Resumed || created >= f.at, before >= 0 && f.g.Units[before].End > start.Queued:
		return before // the processor came last
	case f.g.Units[c].Thread == u.Thread:
		f.parts(created)
		return c
	default:
		f.parts(max(created, min(start.Queued, f.at)))
		f.stay(max(created, f.from), Transfer)
		f.jump(f.g.Units[c].Thread)
		return c
	}
}

// parts goes back in time on the thread through its parts.
func (f *drivenFinder) parts(to int64) {
	to = max(to, f.from)
	var list []Segment
	f.g.EachPart(f.thread, to, f.at, func(from, to int64, part extrae.Part) {
		list = append(list, Segment{from, to, f.thread, partKinds[part]})
	})
	for k := len(list) - 1; k >= 0; k-- {
		f.stay(list[k].Begin, list[k].Kind)
	}
}
