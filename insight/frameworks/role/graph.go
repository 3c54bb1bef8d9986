package role

// Who sends what to whom: the task graph of a ptask's messages.

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"pview/prv"
	"pview/prv/calls"
	"pview/prv/extrae"
	"pview/prv/wide"
)

// Edge is the messages from one task to another.
type Edge struct {
	From, To int32 // tasks of the trace
	Messages int64
	Bytes    int64
}

// mean returns the mean size of a message.
func (e *Edge) mean() float64 { return float64(e.Bytes) / float64(max(1, e.Messages)) }

// Window is a part of a trace: a stretch of time of a ptask. To 0 is the end of the trace.
type Window struct {
	From, To int64
	Ptask    int // 0-based
}

// Messages yields the messages whose send begins in the window, in the order of the trace. It searches for the start of
// the window in each thread, so the cost depends on the window, not on the run before it.
func (w Window) Messages(t *prv.Trace) iter.Seq[int32] {
	if w.From <= 0 && w.To <= 0 {
		return w.rows(t, 0, t.Comms.Len())
	}
	var list []int32
	for i := range t.Threads {
		sends := SendsFrom(t, int32(i), w.From)
		n, _ := slices.BinarySearchFunc(sends, w.End(t), sentBefore(t))
		list = append(list, sends[:n]...)
	}
	slices.Sort(list)
	return slices.Values(list)
}

// rows yields the rows from first to last of messages whose send begins in the window.
func (w Window) rows(t *prv.Trace, first, last int) iter.Seq[int32] {
	sent, to := t.Comms.Times[prv.LogicalSend], w.End(t)
	return func(yield func(int32) bool) {
		for m := first; m < last; m++ {
			if sent[m] >= w.From && sent[m] < to && !yield(int32(m)) {
				return
			}
		}
	}
}

// SendsFrom returns the messages that a thread sends at a time or later, in the order of their sends.
func SendsFrom(t *prv.Trace, thread int32, from int64) []int32 {
	list := t.Threads[thread].Comm[prv.LogicalSend]
	k, _ := slices.BinarySearchFunc(list, from, sentBefore(t))
	return list[k:]
}

// sentBefore compares the time of a send with another time.
func sentBefore(t *prv.Trace) func(m int32, at int64) int {
	sent := t.Comms.Times[prv.LogicalSend]
	return func(m int32, at int64) int { return cmp.Compare(sent[m], at) }
}

func (w Window) End(t *prv.Trace) int64 {
	if w.To <= 0 {
		return t.Duration + 1
	}
	return w.To
}

// graph is the messages between the tasks of a ptask. Messages of a task to itself are excluded.
type graph struct {
	first, last int32 // tasks first..last-1
	edges       []Edge
	index       map[[2]int32]int
	messages    int64
	bytes       int64
}

// newGraph reads the messages whose send begins in the window.
func newGraph(ctx context.Context, t *prv.Trace, w Window) (*graph, error) {
	g := emptyGraph(t, w)
	g.read(t, func(yield func(int32) bool) {
		for m := range w.Messages(t) {
			if m&0xffff == 0 && ctx.Err() != nil || !yield(m) {
				return
			}
		}
	})
	return g, ctx.Err()
}

func emptyGraph(t *prv.Trace, w Window) *graph {
	p := t.Ptasks[w.Ptask]
	return &graph{first: p.FirstTask, last: p.FirstTask + p.Tasks, index: map[[2]int32]int{}}
}

// read adds messages.
func (g *graph) read(t *prv.Trace, messages iter.Seq[int32]) {
	c := &t.Comms
	pair, at := [2]int32{-1, -1}, 0
	for m := range messages {
		now := [2]int32{t.ThreadTask[c.Send[m]], t.ThreadTask[c.Recv[m]]}
		if now[0] == now[1] || !g.has(now[0]) || !g.has(now[1]) {
			continue
		}
		if now != pair {
			pair = now
			found, ok := g.index[now]
			if !ok {
				found = len(g.edges)
				g.index[now] = found
				g.edges = append(g.edges, Edge{From: now[0], To: now[1]})
			}
			at = found
		}
		g.edges[at].Messages++
		g.edges[at].Bytes = wide.Saturated(g.edges[at].Bytes, c.Size[m])
		g.messages++
		g.bytes = wide.Saturated(g.bytes, c.Size[m])
	}
}

func (g *graph) has(task int32) bool { return task >= g.first && task < g.last }

// between returns the edge from one task to another, nil if none.
func (g *graph) between(from, to int32) *Edge {
	if i, ok := g.index[[2]int32{from, to}]; ok {
		return &g.edges[i]
	}
	return nil
}

// acknowledgement is the size up to which a message may be just a notice.
const acknowledgement = 64

// isNotice reports whether an edge carries notices only: small messages, or almost nothing compared with the other
// direction.
func (g *graph) isNotice(e *Edge) bool {
	if e.mean() <= acknowledgement {
		return true
	}
	back := g.between(e.To, e.From)
	return back != nil && float64(e.Bytes) < 0.01*float64(back.Bytes)
}

// data returns the edges that carry data, in order, except edges with less than 1 % of the messages (with many edges: a
// tenth of an even share).
func (g *graph) data() (list []Edge) {
	few := float64(g.messages) * min(0.01, 0.1/float64(max(1, len(g.edges))))
	for i := range g.edges {
		e := &g.edges[i]
		if float64(e.Messages) >= few && !g.isNotice(e) {
			list = append(list, *e)
		}
	}
	slices.SortFunc(list, func(a, b Edge) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) })
	return list
}

// collectiveShare returns the share of collective operations in the time in communication calls; 0 without calls.
func collectiveShare(t *prv.Trace, w Window) float64 {
	kinds, types := extrae.CallsOf(t.Labels), calls.TypesOf(t.Labels)
	words := extrae.Of(t.Labels)
	collective, hasCollective := words.Type(extrae.MPICollective)
	pointToPoint, hasPoint := words.Type(extrae.MPIPointToPoint)
	var group, all int64
	to := w.End(t)
	p := t.Ptasks[w.Ptask]
	for th := range t.Threads {
		if task := t.ThreadTask[th]; task < p.FirstTask || task >= p.FirstTask+p.Tasks {
			continue
		}
		_ = types.EachFrom(t, th, types.Last(t, th, w.From, extrae.MPI), nil, func(c calls.Call) error {
			from, until := max(c.Begin, w.From), min(c.End, to)
			if calls.Families[c.Family].Family != extrae.MPI || c.Depth > 0 || until <= from {
				return nil
			}
			k := kinds.Kind(c.Value)
			switch {
			case k.Call == extrae.Init || k.Call == extrae.Finalize:
			case hasCollective && c.Type == collective || k.Call.Is(extrae.Group):
				group += until - from
				all += until - from
			case hasPoint && c.Type == pointToPoint:
				all += until - from
			}
			return nil
		})
	}
	if all == 0 {
		return 0
	}
	return float64(group) / float64(all)
}
