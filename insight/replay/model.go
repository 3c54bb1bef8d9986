package replay

// The run as a graph of instants, for hundreds of what-if questions: one pass over it gives the end of the run with a
// change.
//
// A node is the start or the end of a call that interacts with another thread. It is reached at
//
//	T(node) = max(T(node before it on the thread) + own, T(source) + lag for each edge)
//
// own is the thread's own time: computation, and the part of a call in which it does not wait. Edges lead from a send
// to the call that completes the message, from the post of a receive back to a send in rendezvous, from the last
// arrival at a collective operation to the exit of each member, and from the cause of an OpenMP wait to the wait. lag
// is the time in between. Both follow from measured times, so without a change every node keeps its measured time.
//
// Nodes are numbered so that edges lead to higher numbers: the pass is one loop over columns.

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"

	"pview/insight/eventgraph"
	"pview/insight/network"
	"pview/insight/waits"
	"pview/prv/extrae"
	"pview/prv/parallel"
)

// Model is the graph of a run. It is immutable.
type Model struct {
	Graph *eventgraph.Graph

	Time   []int64 // by node: measured
	Prev   []int32 // the previous node of the thread; -1: none
	Own    []int64 // since the previous node
	Thread []int32 // -1: the last arrival at a collective operation
	// The edges of node n are First[n] to First[n+1].
	First  []int32
	Source []int32
	Lag    []int64
	Edge   []EdgeInfo

	// Enter and Exit are the nodes of the calls of a thread; -1 for none.
	enter, exit [][]int32
	nodes       [][]int32 // by thread, in order
	// Last is the last node of each thread, at its end.
	Last []int32
	End  int64 // of the run
	// Skewed counts edges dropped because they contradict the clocks.
	Skewed int
	base   int64
}

// EdgeInfo says what an edge is.
type EdgeInfo struct {
	Kind EdgeKind
	Ref  int32 // message, or row of the waits' Instances
}

// EdgeKind is the kind of an edge.
type EdgeKind uint8

// The kinds.
const (
	MessageEdge EdgeKind = iota // from a send to the end of the call that completes the receive
	ReadyEdge                   // from the post of a receive to the end of that call: a message in rendezvous
	BackEdge                    // from the receiver, once it is ready, to the end of the call that waits for it
	ArriveEdge                  // from the start of a member's call to the last arrival
	LeaveEdge                   // from the last arrival to the end of a member's call
	RootEdge                    // between a root and a member
	OtherEdge                   // a wait with a cause
)

// point is a node under construction.
type point struct {
	time   int64
	own    int64 // of the call that ends here; -1: all the time since the previous point
	from   int64 // start of the stretch that own replaces
	seq    int64 // order at one instant
	thread int32
	node   int32
}

// edge is an edge under construction, between points.
type edge struct {
	from, to int32
	lag      int64
	EdgeInfo
}

// builder makes a model.
type builder struct {
	*Model
	waits  *waits.Result
	points []point
	edges  []edge
	// by thread and call: points; -1: none
	enters, exits [][]int32
	whole         []bool   // by instance: it is modelled for all members
	covered       [][]bool // by thread: waits that follow from edges
	// exchanges are the sends of calls that send and receive.
	exchanges map[callID]*exchange
}

type callID struct{ thread, call int32 }

// exchange is the send of a call that also receives: it ends when both are done.
type exchange struct {
	message int32
	posted  int64 // when its receive is posted and the call has begun
	lag     int64 // from then to the end of the call; -1: all of it
}

// NewModel builds the graph of a run that is not message-driven. The only error is ctx's.
func NewModel(ctx context.Context, g *eventgraph.Graph) (m *Model, err error) {
	defer parallel.OnEnd(ctx, &err)
	b := &builder{Model: &Model{Graph: g}, waits: g.Waits}
	n := g.T.NumThreads()
	b.enters, b.exits, b.covered = make([][]int32, n), make([][]int32, n), make([][]bool, n)
	for th := range n {
		calls := g.Waits.Calls(int32(th))
		b.enters[th], b.exits[th] = filled(calls), filled(calls)
		b.covered[th] = make([]bool, len(g.Waits.Of(int32(th))))
	}
	b.collectives()
	b.messages()
	b.otherWaits()
	b.forks()
	b.ends()
	if err := b.order(ctx); err != nil {
		return nil, err
	}
	return b.Model, ctx.Err()
}

func filled(n int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = -1
	}
	return list
}

// add adds a point.
func (b *builder) add(p point) int32 {
	b.points = append(b.points, p)
	return int32(len(b.points) - 1)
}

// enterOf returns the point at which a thread begins a call.
func (b *builder) enterOf(thread int32, call int32) int32 {
	at := &b.enters[thread][call]
	if *at < 0 {
		c := b.waits.Call(thread, int(call))
		*at = b.add(point{time: c.Enter, own: -1, seq: 4 * int64(call), thread: thread})
	}
	return *at
}

// exitOf returns the point at which a thread ends a call. own is the minimum time of the call; the largest of several
// counts.
func (b *builder) exitOf(thread int32, call int32, own int64) int32 {
	at := &b.exits[thread][call]
	c := b.waits.Call(thread, int(call))
	if *at < 0 {
		*at = b.add(point{time: c.Exit, own: own, from: c.Enter, seq: 4*int64(call) + 2, thread: thread})
		b.cover(thread, &c)
	} else if p := &b.points[*at]; own > p.own {
		p.own = own
	}
	return *at
}

// cover notes the waits in a call: they follow from its edges.
func (b *builder) cover(thread int32, c *waits.Call) {
	list := b.waits.Of(thread)
	i, _ := slices.BinarySearchFunc(list, c.Enter, func(w waits.Wait, at int64) int { return cmp.Compare(w.To, at+1) })
	for ; i < len(list) && list[i].From < c.Exit; i++ {
		if list[i].From >= c.Enter && list[i].To <= c.Exit {
			b.covered[thread][i] = true
		}
	}
}

// link adds an edge.
func (b *builder) link(from, to int32, lag int64, kind EdgeKind, ref int32) {
	b.edges = append(b.edges, edge{from, to, max(0, lag), EdgeInfo{kind, ref}})
}

// collectives adds the edges of collective operations and barriers of teams.
func (b *builder) collectives() {
	all := b.waits.Instances
	b.whole = make([]bool, len(all))
	tight := b.tightOperations()
	for i := range all {
		b.Graph.Look()
		x := &all[i]
		if x.Nonblocking() || x.Parts < 2 {
			continue
		}
		members := b.waits.Members(x)
		switch {
		case x.Left >= x.Last && (synchronising(x.Class) || tight[x.Value]):
			hub := b.add(point{time: x.Last, own: -1, seq: 1, thread: -1})
			for _, m := range members {
				b.link(b.memberEnter(&m), hub, 0, ArriveEdge, int32(i))
				b.link(hub, b.memberExit(&m), m.Exit-x.Last, LeaveEdge, int32(i))
			}
			b.whole[i] = true
		case x.Class == waits.LateBroadcast || x.Class == waits.EarlyReduce:
			b.whole[i] = b.rooted(x, int32(i), members)
		}
	}
}

// synchronising reports whether all members of operations of a class wait for each other.
func synchronising(c waits.Class) bool {
	switch c {
	case waits.WaitNxN, waits.WaitBarrier, waits.WaitFence, waits.TeamImplicit, waits.TeamExplicit:
		return true
	}
	return false
}

// tightOperations are operations that need not synchronise, such as a broadcast, but do in this run: no member ever
// left before the last arrived.
func (b *builder) tightOperations() map[int64]bool {
	tight := map[int64]bool{}
	for i := range b.waits.Instances {
		x := &b.waits.Instances[i]
		if x.Collective() && !synchronising(x.Class) && x.Parts > 1 {
			was, seen := tight[x.Value]
			tight[x.Value] = (was || !seen) && x.Left >= x.Last
		}
	}
	return tight
}

// memberEnter returns the point at which a member arrives; OpenMP constructs are not calls.
func (b *builder) memberEnter(m *waits.Member) int32 {
	if m.Call >= 0 {
		return b.enterOf(m.Thread, m.Call)
	}
	return b.add(point{time: m.Enter, own: -1, seq: math.MaxInt64/2 + m.Enter, thread: m.Thread})
}

func (b *builder) memberExit(m *waits.Member) int32 {
	if m.Call >= 0 {
		return b.exitOf(m.Thread, m.Call, 0)
	}
	c := waits.Call{Enter: m.Enter, Exit: m.Exit}
	b.cover(m.Thread, &c)
	return b.add(point{time: m.Exit, from: m.Enter, seq: math.MaxInt64/2 + m.Enter + 1, thread: m.Thread})
}

// rooted adds the edges of an operation between a root and the others.
func (b *builder) rooted(x *waits.Instance, i int32, members []waits.Member) bool {
	root := slices.IndexFunc(members, func(m waits.Member) bool { return m.Root })
	if root < 0 {
		return false
	}
	one := members[root]
	for k, m := range members {
		switch {
		case k == root || m.Call < 0 || one.Call < 0:
		case x.Class == waits.LateBroadcast && one.Enter <= m.Exit:
			b.link(b.enterOf(one.Thread, one.Call), b.exitOf(m.Thread, m.Call, 0), m.Exit-max(one.Enter, m.Enter),
				RootEdge, i)
			b.own(m.Thread, m.Call, m.Exit-max(one.Enter, m.Enter))
		case x.Class == waits.EarlyReduce && m.Enter <= one.Exit:
			b.link(b.enterOf(m.Thread, m.Call), b.exitOf(one.Thread, one.Call, 0), one.Exit-max(one.Enter, x.Last),
				RootEdge, i)
			b.own(one.Thread, one.Call, one.Exit-max(one.Enter, x.Last))
		}
	}
	return true
}

// own raises the minimum time of the end of a call.
func (b *builder) own(thread, call int32, own int64) { b.exitOf(thread, call, max(0, own)) }

// messages adds the edges of all messages, call by call: a call that completes several ends with the last.
func (b *builder) messages() {
	c := &b.Graph.T.Comms
	type completion struct {
		message int32
		waits.Message
	}
	lists := make([][]completion, b.Graph.T.NumThreads())
	for m := range int32(c.Len()) {
		b.Graph.Look()
		msg, ok := b.waits.Message(m)
		if !ok || msg.Complete < 0 {
			continue
		}
		if msg.Sent > msg.Done {
			b.Skewed++
			continue
		}
		lists[c.Recv[m]] = append(lists[c.Recv[m]], completion{m, msg})
	}
	b.findExchanges()
	for th, list := range lists {
		slices.SortStableFunc(list, func(x, y completion) int { return cmp.Compare(x.Complete, y.Complete) })
		for i := 0; i < len(list); {
			b.Graph.Look()
			end := i + 1
			for end < len(list) && list[end].Complete == list[i].Complete {
				end++
			}
			messages := make([]waits.Message, 0, end-i)
			ids := make([]int32, 0, end-i)
			for _, x := range list[i:end] {
				messages, ids = append(messages, x.Message), append(ids, x.message)
			}
			b.complete(int32(th), list[i].Complete, ids, messages)
			i = end
		}
	}
	for m := range int32(c.Len()) {
		b.Graph.Look()
		if msg, ok := b.waits.Message(m); ok && msg.Send >= 0 && b.waits.MayWait(m) {
			b.acknowledge(m, &msg)
		}
	}
}

// findExchanges finds the sends of calls that also receive and wait for their receive.
func (b *builder) findExchanges() {
	b.exchanges = map[callID]*exchange{}
	c := &b.Graph.T.Comms
	for m := range int32(c.Len()) {
		b.Graph.Look()
		msg, ok := b.waits.Message(m)
		if !ok || msg.Send < 0 || msg.Post < 0 || !b.waits.MayWait(m) {
			continue
		}
		call := b.waits.Call(c.Send[m], int(msg.Send))
		if call.Kind.Call == extrae.Sendrecv && msg.Posted <= call.Exit {
			b.exchanges[callID{c.Send[m], msg.Send}] = &exchange{m, max(call.Enter, msg.Posted), -1}
		}
	}
}

// complete adds the edges of the messages that a call completes. The one that arrived last gets the remaining time; the
// others take the network's usual time, with the same delay if that fits.
func (b *builder) complete(thread, call int32, ids []int32, list []waits.Message) {
	c := b.waits.Call(thread, int(call))
	if network.AnyOf(c.Kind.Call) {
		b.completeAny(thread, call, c, ids, list)
		return
	}
	x := completion{b: b, call: c, handling: min(b.Graph.Net.Handling[c.Kind.Call], c.Exit-c.Enter), last: -1, way: -1,
		slack: math.MaxInt64}
	for i, m := range ids {
		x.there(i, m, b.ready(m, &list[i]))
	}
	sending := b.exchanges[callID{thread, call}]
	if sending != nil {
		x.there(len(ids), sending.message, sending.posted)
	}
	own := c.Exit - c.Enter
	if c.Exit-x.handling-x.slack > c.Enter || b.waitsIn(thread, &c) {
		// The time after the message has arrived is at most the rest of the call.
		x.handling = max(0, min(x.handling, c.Exit-max(c.Enter, x.from)))
		own, x.late = x.handling, true
	}
	to := b.exitOf(thread, call, own)
	for i, m := range ids {
		msg := &list[i]
		lag := x.lag(i, m, b.ready(m, msg))
		if msg.Send < 0 {
			continue
		}
		b.link(b.enterOf(b.Graph.T.Comms.Send[m], msg.Send), to, lag, MessageEdge, m)
		// A blocking receive posts the message itself: its start counts if the message was ready before.
		if msg.Post >= 0 && b.waits.MayWait(m) && (msg.Post != call || msg.Posted > msg.Sent) {
			b.link(b.enterOf(thread, msg.Post), to, lag, ReadyEdge, m)
		}
	}
	if sending != nil && x.late {
		sending.lag = x.lag(len(ids), sending.message, sending.posted)
	}
}

// completeAny adds the edges of the messages of a call that waits for any of them.
func (b *builder) completeAny(thread, call int32, c waits.Call, ids []int32, list []waits.Message) {
	to := b.exitOf(thread, call, c.Exit-c.Enter)
	for i, m := range ids {
		if msg := &list[i]; msg.Send >= 0 && msg.Sent <= c.Exit {
			b.link(b.enterOf(b.Graph.T.Comms.Send[m], msg.Send), to, b.least(m, c.Exit-b.ready(m, msg)), MessageEdge, m)
		}
	}
}

// completion is a call that completes messages, and the last of them to arrive.
type completion struct {
	b        *builder
	call     waits.Call
	handling int64 // time of the call after all messages have arrived
	late     bool  // it waits for the last one
	last     int   // its index, -1: none
	from     int64 // since when the last one is in flight
	slack    int64 // time of the last one beyond the usual
	way      int   // the last one's route through the network
}

// there adds the i-th message, m, which is in flight since a time.
func (x *completion) there(i int, m int32, ready int64) {
	if s := x.call.Exit - ready - x.b.Graph.Net.Transfer(m) - x.handling; s < x.slack {
		x.last, x.slack, x.from, x.way = i, s, ready, x.b.way(m)
	}
}

// lag returns the time of the i-th message, m, in flight; the last one has all the remaining time.
func (x *completion) lag(i int, m int32, ready int64) int64 {
	whole := x.call.Exit - ready
	switch {
	case !x.late:
		return x.b.least(m, whole)
	case i == x.last:
		return whole
	case x.b.way(m) != x.way:
		return max(0, min(whole, x.b.Graph.Net.Transfer(m)+x.handling))
	}
	return max(0, min(whole, x.b.Graph.Net.Transfer(m)+x.handling+max(0, x.slack)))
}

// waitsIn reports whether a thread waits in a call, as far as package waits knows.
func (b *builder) waitsIn(thread int32, c *waits.Call) bool {
	list := b.waits.Of(thread)
	i, _ := slices.BinarySearchFunc(list, c.Enter, func(w waits.Wait, at int64) int { return cmp.Compare(w.To, at+1) })
	return i < len(list) && list[i].From < c.Exit
}

// ready returns the time since when a message is in flight.
func (b *builder) ready(m int32, msg *waits.Message) int64 {
	if b.waits.MayWait(m) && msg.Posted > msg.Sent && msg.Posted <= msg.Done {
		return msg.Posted
	}
	return msg.Sent
}

// least returns the usual time of a message that had already arrived, at most the time that it had.
func (b *builder) least(m int32, most int64) int64 { return max(0, min(b.Graph.Net.Transfer(m), most)) }

// way returns the route of a message through the network.
func (b *builder) way(m int32) int {
	c := &b.Graph.T.Comms
	return b.Graph.Net.Way(c.Send[m], c.Recv[m])
}

// acknowledge makes a blocking send wait for its receive.
func (b *builder) acknowledge(m int32, msg *waits.Message) {
	c := &b.Graph.T.Comms
	call := b.waits.Call(c.Send[m], int(msg.Send))
	switch call.Kind.Call {
	case extrae.Send, extrae.SyncSend, extrae.Sendrecv:
	default:
		return
	}
	if msg.Post < 0 || msg.Posted > call.Exit {
		return
	}
	lag := call.Exit - max(call.Enter, msg.Posted)
	if x := b.exchanges[callID{c.Send[m], msg.Send}]; x != nil && x.message == m && x.lag >= 0 {
		lag = x.lag
	}
	b.link(b.enterOf(c.Recv[m], msg.Post), b.exitOf(c.Send[m], msg.Send, lag), lag, BackEdge, m)
}

// otherWaits adds an edge for each wait with a cause that does not yet follow from other edges.
func (b *builder) otherWaits() {
	for th := range b.covered {
		list := b.waits.Of(int32(th))
		for i := range list {
			b.Graph.Look()
			w := &list[i]
			if b.covered[th][i] || w.Cause < 0 || w.Flags&waits.BadClock != 0 {
				continue
			}
			info := EdgeInfo{OtherEdge, -1}
			if w.Class.WaitsForReceiver() {
				info = EdgeInfo{BackEdge, w.Ref}
			}
			from := b.add(point{time: w.To, own: -1, seq: math.MaxInt64, thread: w.Cause})
			k := b.waits.CallAfter(int32(th), w.From)
			if k < b.waits.Calls(int32(th)) {
				if c := b.waits.Call(int32(th), k); c.Enter <= w.From && w.To <= c.Exit {
					b.link(from, b.exitOf(int32(th), int32(k), c.Exit-w.To), c.Exit-w.To, info.Kind, info.Ref)
					continue
				}
			}
			b.link(from, b.add(point{time: w.To, from: w.From, seq: math.MaxInt64, thread: int32(th)}), 0, info.Kind,
				info.Ref)
		}
	}
}

// forks makes OpenMP threads begin when the first thread of their task has opened their first parallel region.
func (b *builder) forks() {
	g := b.Graph
	for _, task := range g.T.Tasks {
		for th := task.FirstThread + 1; th < task.FirstThread+task.Threads; th++ {
			own := g.OfThread(th)
			if len(own) == 0 {
				continue
			}
			fork := forkBefore(g, task.FirstThread, own[0].Begin)
			if list := g.Waits.Of(th); fork == 0 || len(list) > 0 && list[0].From < fork {
				continue
			}
			from := b.add(point{time: fork, own: -1, seq: math.MaxInt64, thread: task.FirstThread})
			b.link(from, b.add(point{time: fork, from: 0, seq: -1, thread: th}), 0, OtherEdge, -1)
		}
	}
}

// ends adds the last node of each thread.
func (b *builder) ends() {
	b.Last = make([]int32, b.Graph.T.NumThreads())
	for th := range b.Last {
		b.Last[th] = b.add(point{time: lastActive(b.Graph, int32(th)), own: -1, seq: math.MaxInt64, thread: int32(th)})
	}
}

// order numbers the points, and turns them and the edges into columns.
func (b *builder) order(ctx context.Context) error {
	lists := make([][]int32, b.Graph.T.NumThreads())
	for i := range b.points {
		if th := b.points[i].thread; th >= 0 {
			lists[th] = append(lists[th], int32(i))
		}
	}
	err := parallel.For(ctx, len(lists), func(th int) error {
		slices.SortStableFunc(lists[th], func(x, y int32) int {
			return cmp.Or(cmp.Compare(b.points[x].time, b.points[y].time), cmp.Compare(b.points[x].seq,
				b.points[y].seq))
		})
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	for th := range b.Last { // time after the last activity does not count
		if n := len(lists[th]); n > 0 {
			b.Last[th] = lists[th][n-1]
		}
	}
	s := newSorter(b, lists)
	if err := s.run(ctx); err != nil {
		return err
	}
	b.columns(s, lists)
	return nil
}

// columns writes the nodes in their order.
func (b *builder) columns(s *sorter, lists [][]int32) {
	n := len(s.order)
	m := b.Model
	m.Time, m.Prev, m.Own, m.Thread = make([]int64, n), filled(n), make([]int64, n), make([]int32, n)
	m.First = make([]int32, n+1)
	for node, i := range s.order {
		p := &b.points[i]
		p.node = int32(node)
		m.Time[node], m.Thread[node] = p.time, p.thread
	}
	for _, list := range lists {
		before, prev := int64(0), int32(-1)
		for _, i := range list {
			p := &b.points[i]
			m.Prev[p.node] = prev
			m.Own[p.node] = p.time - before
			if p.own >= 0 || p.from > 0 || p.seq == -1 {
				m.Own[p.node] = max(0, p.from-before) + min(max(p.own, 0), p.time-max(before, p.from))
				if p.from < before {
					m.Own[p.node] = min(max(p.own, 0), p.time-before)
				}
			}
			before, prev = p.time, p.node
		}
	}
	m.nodes = lists
	for _, list := range lists {
		for k, i := range list {
			list[k] = b.points[i].node
		}
	}
	for th := range m.Last {
		m.Last[th] = b.points[m.Last[th]].node
		m.End = max(m.End, m.Time[m.Last[th]])
	}
	kept := b.edges[:0]
	for _, e := range b.edges {
		if b.points[e.from].node < b.points[e.to].node {
			kept = append(kept, e)
			m.First[b.points[e.to].node+1]++
		} else {
			m.Skewed++
		}
	}
	for i := range n {
		m.First[i+1] += m.First[i]
	}
	at := slices.Clone(m.First[:n])
	m.Source, m.Lag, m.Edge = make([]int32, len(kept)), make([]int64, len(kept)), make([]EdgeInfo, len(kept))
	for _, e := range kept {
		k := &at[b.points[e.to].node]
		m.Source[*k], m.Lag[*k], m.Edge[*k] = b.points[e.from].node, e.lag, e.EdgeInfo
		*k++
	}
	m.enter, m.exit = b.enters, b.exits
	for th := range m.enter {
		for _, list := range [...][]int32{m.enter[th], m.exit[th]} {
			for k, i := range list {
				if i >= 0 {
					list[k] = b.points[i].node
				}
			}
		}
	}
}

// ExitOf returns the node at the end of a call; -1 for none.
func (m *Model) ExitOf(thread, call int32) int32 { return m.exit[thread][call] }

// Nodes returns the nodes of a thread, in order of time.
func (m *Model) Nodes(thread int32) []int32 { return m.nodes[thread] }

// NodeAfter returns the first node of a thread at or after a time; -1: none.
func (m *Model) NodeAfter(thread int32, at int64) int32 {
	list := m.nodes[thread]
	k := sort.Search(len(list), func(k int) bool { return m.Time[list[k]] >= at })
	if k == len(list) {
		return -1
	}
	return list[k]
}

// OwnOf returns a thread's own time in a call, excluding the time before the call.
func (m *Model) OwnOf(thread, call int32) int64 {
	exit := m.exit[thread][call]
	if exit < 0 {
		return 0
	}
	c := m.Graph.Waits.Call(thread, int(call))
	before := int64(0)
	if p := m.Prev[exit]; p >= 0 {
		before = m.Time[p]
	}
	return max(0, m.Own[exit]-max(0, c.Enter-before))
}
