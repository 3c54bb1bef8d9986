package waits

// The calls of each message: the one that sends it, the one that posts its receive, the one that completes it. Then the
// eager limit.

import (
	"cmp"
	"context"
	"slices"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/parallel"
)

// messageCalls are the calls of messages by row of the trace's Comms; -1 if none.
type messageCalls struct {
	send []int32 // of the sender
	post []int32 // of the receiver, like the next
	done []int32
	// own marks messages between threads of one task: an OpenMP task created by one and executed by the other.
	own prv.Bits
}

// messagesAtOnce is the number of messages that a worker takes at a time: a multiple of 64, the rows in a word of Bits.
const messagesAtOnce = 1 << 14

// matcher is a worker of findCalls.
type matcher struct {
	// by role and thread: the last call found. Messages are in order of time, so the next is near.
	last   [3][]int32
	limits limits
}

// findCalls finds the calls of all messages. It goes through the messages in order, not by thread, so it reads them
// sequentially and needs the calls of each thread only at one time.
func (a *analysis) findCalls(ctx context.Context) error {
	c := &a.t.Comms
	n := c.Len()
	m := &a.messages
	*m = messageCalls{send: make([]int32, n), post: make([]int32, n), done: make([]int32, n), own: prv.NewBits(n)}
	a.sent, a.posted = c.Times[prv.LogicalSend], c.Times[prv.LogicalRecv]
	if !a.simulated {
		a.sent, a.posted = make([]int64, n), make([]int64, n)
	}
	crew := make([]*matcher, workers())
	err := parallel.Each(ctx, (n+messagesAtOnce-1)/messagesAtOnce, len(crew), func(w, k int) error {
		if crew[w] == nil {
			crew[w] = &matcher{limits: newLimits()}
			for role := range crew[w].last {
				crew[w].last[role] = make([]int32, len(a.lanes))
			}
		}
		for i := k * messagesAtOnce; i < min((k+1)*messagesAtOnce, n); i++ {
			if i&0x3ff == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			crew[w].match(a, int32(i))
		}
		return nil
	})
	if err != nil {
		return err
	}
	a.out.Messages = int64(n - m.own.Count())
	all := newLimits()
	for _, w := range crew {
		if w != nil {
			all.join(&w.limits)
		}
	}
	a.setLimits(all)
	return nil
}

// match finds the calls of a message, and learns from them.
func (w *matcher) match(a *analysis, m int32) {
	c := &a.t.Comms
	from, to := c.Send[m], c.Recv[m]
	own := a.t.ThreadTask[from] == a.t.ThreadTask[to]
	if own {
		a.messages.own.Set(int(m))
	}
	a.messages.send[m] = a.lanes[from].callNear(&w.last[0][from], c.Times[prv.LogicalSend][m], extrae.Sends)
	a.messages.post[m] = a.lanes[to].callNear(&w.last[1][to], c.Times[prv.LogicalRecv][m], extrae.Posts)
	a.messages.done[m] = a.lanes[to].callNear(&w.last[2][to], c.Times[prv.PhysicalRecv][m], extrae.Completes)
	if !a.simulated {
		a.sent[m], a.posted[m] = a.sentAt(m), a.postedAt(m)
	}
	if !own {
		w.limits.learn(a, m)
	}
}

// callNear finds the call of a role at a time; last is a guess of the last call begun, and is updated.
func (l *lane) callNear(last *int32, at int64, role extrae.CallRole) int32 {
	k := l.lastEntered(int(*last), at)
	*last = int32(k)
	return l.callAt(k, at, role)
}

// sentAt returns the time at which a message was sent: the start of its sending call, or the time recorded by a
// simulator.
func (a *analysis) sentAt(m int32) int64 {
	c := &a.t.Comms
	if k := a.messages.send[m]; k >= 0 && !a.simulated {
		return a.lanes[c.Send[m]].calls.enter[k]
	}
	return c.Times[prv.LogicalSend][m]
}

// postedAt returns the time at which a message's receive was posted.
func (a *analysis) postedAt(m int32) int64 {
	c := &a.t.Comms
	if k := a.messages.post[m]; k >= 0 && !a.simulated {
		return a.lanes[c.Recv[m]].calls.enter[k]
	}
	return c.Times[prv.LogicalRecv][m]
}

// doneAt returns the time by which a message had been received.
func (a *analysis) doneAt(m int32) int64 {
	c := &a.t.Comms
	if k := a.messages.done[m]; k >= 0 {
		return a.lanes[c.Recv[m]].calls.exit[k]
	}
	return c.Times[prv.PhysicalRecv][m]
}

// nodePair are two nodes, from sender to receiver.
type nodePair struct{ from, to int32 }

// limits hold what one worker learns about messages.
type limits struct {
	sizes  map[nodePair]int64 // largest message proved to be eager
	clocks map[nodePair]*Clocks
	// last has pairs with a message recently proved to be eager: most others are below that size and prove nothing new.
	last [64]struct {
		pair  nodePair
		below int64
	}
}

func newLimits() limits { return limits{sizes: map[nodePair]int64{}, clocks: map[nodePair]*Clocks{}} }

// violates counts a contradiction of the clocks.
func (l *limits) violates(from, to int32, by int64) *Clocks {
	p := nodePair{from, to}
	v := l.clocks[p]
	if v == nil {
		v = &Clocks{From: from, To: to}
		l.clocks[p] = v
	}
	v.Largest = max(v.Largest, by)
	return v
}

// join adds what another worker learned.
func (l *limits) join(other *limits) {
	for p, size := range other.sizes {
		l.proves(p, size)
	}
	for p, v := range other.clocks {
		l.violates(p.from, p.to, v.Largest).Messages += v.Messages
	}
}

// proves notes a message that was eager.
func (l *limits) proves(p nodePair, size int64) {
	last := &l.last[(p.from*7+p.to)&63]
	if last.pair == p && size < last.below {
		return
	}
	if old, ok := l.sizes[p]; !ok || size > old {
		l.sizes[p] = size
	}
	last.pair, last.below = p, size+1
}

// learn checks the clocks, and whether the send of a message returned before its receive was posted: a rendezvous
// cannot. Nodes with wrong clocks prove nothing.
func (l *limits) learn(a *analysis, m int32) {
	c := &a.t.Comms
	if late := a.sent[m] - a.doneAt(m); late > 0 {
		l.violates(a.node(c.Send[m]), a.node(c.Recv[m]), late).Messages++
		return
	}
	k := a.messages.send[m]
	if k < 0 || a.simulated {
		return
	}
	calls := &a.lanes[c.Send[m]].calls
	if kind := calls.kind[k].Call; kind != extrae.Send && kind != extrae.Sendrecv || calls.open[k] ||
		calls.exit[k] > a.posted[m] {
		return
	}
	l.proves(nodePair{a.node(c.Send[m]), a.node(c.Recv[m])}, c.Size[m])
}

// setLimits stores what was learned.
func (a *analysis) setLimits(all limits) {
	r := a.out
	for _, v := range all.clocks {
		r.Clocks = append(r.Clocks, *v)
	}
	slices.SortFunc(r.Clocks, func(x, y Clocks) int {
		return cmp.Or(cmp.Compare(x.From, y.From), cmp.Compare(x.To, y.To))
	})
	for way := range r.Eager {
		limit := &r.Eager[way]
		if a.opt.Eager != nil {
			*limit = EagerLimit{Size: *a.opt.Eager, Given: true}
			continue
		}
		limit.Size = -1
		for p, size := range all.sizes {
			_, wrong := all.clocks[p]
			_, back := all.clocks[nodePair{p.to, p.from}]
			if (p.from == p.to) == (way == SameNode) && !wrong && !back && size > limit.Size {
				*limit = EagerLimit{Size: size, Proved: true}
			}
		}
	}
}

// isEager reports whether a standard send of a message never waits for its receiver.
func (a *analysis) isEager(m int32) bool {
	c := &a.t.Comms
	return c.Size[m] <= a.out.Eager[a.way(c.Send[m], c.Recv[m])].Size
}
