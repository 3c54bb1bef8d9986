package replay

// Changes at places of a run: the time of a thread between two times, and when a message is sent or received. The rules
// of package diagnose propose them for the places that they find.

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"pview/insight/eventgraph"
	"pview/prv/extrae"
)

// ChangeKind is the kind of a change.
type ChangeKind uint8

// The kinds.
const (
	OfTime     ChangeKind = iota // a thread needs factor times its time between from and to, excluding waits
	OfSend                       // the message is sent at from
	OfReceive                    // the message is received by the call that begins at from
	OfOverhead                   // a thread needs factor times its overhead between from and to
	Eagerly                      // no send waits for its receiver
)

// Change is one place.
type Change struct {
	From, To int64
	Factor   float64
	Thread   int32
	Message  int32
	Kind     ChangeKind
}

// maxChanges bounds the memory of the places of a finding: 40 bytes each.
const maxChanges = 2 << 20

// stretches returns the changes of time by thread, in order and without overlap.
func stretches(g *eventgraph.Graph, list []Change) [][]Change {
	by := make([][]Change, g.T.NumThreads())
	for _, c := range list {
		g.Look()
		switch c.Kind {
		case OfTime:
			by[c.Thread] = append(by[c.Thread], c)
		case OfOverhead:
			g.EachPart(c.Thread, c.From, c.To, func(from, to int64, part extrae.Part) {
				if part == extrae.PartOverhead || part == extrae.PartIO {
					by[c.Thread] = append(by[c.Thread], Change{From: from, To: to, Factor: c.Factor})
				}
			})
		}
	}
	for i := range by {
		by[i] = apart(g, by[i])
	}
	return by
}

// apart sorts stretches by time; where two overlap the earlier one counts.
func apart(g *eventgraph.Graph, list []Change) []Change {
	slices.SortFunc(list, func(x, y Change) int {
		g.Look()
		return cmp.Or(cmp.Compare(x.From, y.From), cmp.Compare(x.To, y.To))
	})
	kept, end := list[:0], int64(0)
	for _, c := range list {
		if c.From = max(c.From, end); c.To > c.From {
			kept, end = append(kept, c), c.To
		}
	}
	return kept
}

// Changed returns the run with changes at some places; nil if there are none, or too many.
func (m *Model) Changed(list []Change) *Edit {
	if len(list) == 0 || len(list) > maxChanges {
		return nil
	}
	e := m.NewEdit()
	for th, own := range stretches(m.Graph, list) {
		for i := range own {
			m.Graph.Look()
			e.scale(int32(th), &own[i])
		}
	}
	var edges []int32
	for i := range list {
		c := &list[i]
		if c.Kind == Eagerly {
			e.sendEagerly()
		}
		if c.Kind != OfSend && c.Kind != OfReceive {
			continue
		}
		if edges == nil {
			edges = m.MessageEdges()
		}
		if edge := edges[c.Message]; edge >= 0 {
			e.moveMessage(edge, c)
		}
	}
	return e
}

// scale changes the time of a thread between two times: its own time, and the time of messages and operations from when
// both sides were ready.
func (e *Edit) scale(thread int32, c *Change) {
	m := e.m
	nodes := m.nodes[thread]
	k := sort.Search(len(nodes), func(k int) bool { return m.Time[nodes[k]] > c.From })
	for ; k < len(nodes); k++ {
		n, begin := nodes[k], int64(0)
		if k > 0 {
			begin = m.Time[nodes[k-1]]
		}
		if begin >= c.To {
			return
		}
		less := func(from, to int64) int64 {
			return int64(math.Round((1 - c.Factor) * float64(max(0, min(to, c.To)-max(from, c.From)))))
		}
		from := begin
		if m.endsCall(n) { // it waits first
			from = m.Time[n] - m.Own[n]
		}
		if d := less(from, from+m.Own[n]); d != 0 {
			e.Add(n, -d)
		}
		for i := m.First[n]; i < m.First[n+1]; i++ {
			if d := less(max(begin, m.Time[n]-m.Lag[i]), m.Time[n]); d != 0 {
				e.SetLag(i, max(0, e.lagAt(i)-d))
			}
		}
	}
}

// endsCall reports whether a node is the end of a call that waits for others before it takes its own time.
func (m *Model) endsCall(n int32) bool {
	return m.First[n] < m.First[n+1] && m.Edge[m.First[n]].Kind != OtherEdge
}

// moveMessage moves the send or receive of a message to another time.
func (e *Edit) moveMessage(edge int32, c *Change) {
	m := e.m
	comms := &m.Graph.T.Comms
	source, target, lag := m.Source[edge], m.Target(edge), m.Lag[edge]
	if c.Kind == OfSend {
		nodes := m.nodes[comms.Send[c.Message]]
		k := sort.Search(len(nodes), func(k int) bool { return m.Time[nodes[k]] > c.From }) - 1
		if k >= 0 { // else it is sent before anything else on the thread
			source, lag = nodes[k], lag+c.From-m.Time[nodes[k]]
			e.Link(source, target, lag)
		}
	} else {
		to := comms.Recv[c.Message]
		call := m.Graph.Waits.CallAfter(to, c.From)
		if call == m.Graph.Waits.Calls(to) || m.ExitOf(to, int32(call)) <= source {
			return
		}
		e.Link(source, m.ExitOf(to, int32(call)), lag)
	}
	e.SetLag(edge, Gone)
}

// sendEagerly makes no send wait for its receiver.
func (e *Edit) sendEagerly() {
	for k, info := range e.m.Edge {
		if info.Kind == BackEdge || info.Kind == ReadyEdge {
			e.SetLag(int32(k), Gone)
		}
	}
}

// MessageEdges returns the edges of each message; -1: none.
func (m *Model) MessageEdges() []int32 {
	list := make([]int32, m.Graph.T.Comms.Len())
	for i := range list {
		list[i] = -1
	}
	for k, e := range m.Edge {
		if e.Kind == MessageEdge {
			list[e.Ref] = int32(k)
		}
	}
	return list
}

// Target returns the node that an edge leads to.
func (m *Model) Target(edge int32) int32 {
	n, _ := slices.BinarySearch(m.First, edge+1)
	return int32(n) - 1
}
