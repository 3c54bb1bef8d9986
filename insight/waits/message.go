package waits

// The calls of each message: the one that sends it, the one that posts its receive, the one that completes it. Then how large a
// message may be and still be sent without waiting for its receiver.

import (
	"cmp"
	"context"
	"slices"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/parallel"
)

// messageCalls are the calls of messages by row of the trace's Comms; -1 where there is none.
type messageCalls struct {
	send []int32 // of the sender
	post []int32 // of the receiver, as the next
	done []int32
	// own marks messages between threads of one task: an OpenMP task that is created here and executed there.
	own prv.Bits
}

// findCalls finds the calls of all messages, thread by thread.
func (a *analysis) findCalls(ctx context.Context) error {
	c := &a.t.Comms
	n := c.Len()
	m := messageCalls{send: make([]int32, n), post: make([]int32, n), done: make([]int32, n), own: prv.NewBits(n)}
	for i := range n {
		if i&0x3fff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if a.t.ThreadTask[c.Send[i]] == a.t.ThreadTask[c.Recv[i]] {
			m.own.Set(i)
		}
	}
	a.out.Messages = int64(n - m.own.Count())
	a.messages = m
	err := parallel.Each(ctx, len(a.lanes), 0, func(_, i int) error {
		l, th := &a.lanes[i], &a.t.Threads[i]
		for _, r := range []struct {
			role prv.Role
			does extrae.CallRole
			to   []int32
		}{{prv.LogicalSend, extrae.Sends, m.send}, {prv.LogicalRecv, extrae.Posts, m.post}, {prv.PhysicalRecv, extrae.Completes, m.done}} {
			last := -1
			for k, row := range th.Comm[r.role] {
				if k&0x3ff == 0 && ctx.Err() != nil {
					return ctx.Err()
				}
				at := c.Times[r.role][row]
				last = l.lastEntered(last, at)
				r.to[row] = l.callAt(last, at, r.does)
			}
		}
		return nil
	})
	return err
}

// sentAt is the time at which a message was sent: the begin of the call that sends it. A simulator knows it.
func (a *analysis) sentAt(m int32) int64 {
	c := &a.t.Comms
	if k := a.messages.send[m]; k >= 0 && !a.simulated {
		return a.lanes[c.Send[m]].calls.enter[k]
	}
	return c.Times[prv.LogicalSend][m]
}

// postedAt is the time at which its receive was posted.
func (a *analysis) postedAt(m int32) int64 {
	c := &a.t.Comms
	if k := a.messages.post[m]; k >= 0 && !a.simulated {
		return a.lanes[c.Recv[m]].calls.enter[k]
	}
	return c.Times[prv.LogicalRecv][m]
}

// doneAt is the time by which it had been received.
func (a *analysis) doneAt(m int32) int64 {
	c := &a.t.Comms
	if k := a.messages.done[m]; k >= 0 {
		return a.lanes[c.Recv[m]].calls.exit[k]
	}
	return c.Times[prv.PhysicalRecv][m]
}

// nodePair are two nodes, from sender to receiver.
type nodePair struct{ from, to int32 }

// limits is what one worker learns about messages.
type limits struct {
	sizes  map[nodePair]int64 // largest that was proved to be eager
	clocks map[nodePair]*Clocks
}

func newLimits() limits { return limits{map[nodePair]int64{}, map[nodePair]*Clocks{}} }

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

// findEagerLimits checks the clocks, and finds the sizes of messages whose send returned before the receive was posted: no
// rendezvous can. Nodes with wrong clocks prove nothing.
func (a *analysis) findEagerLimits(ctx context.Context) error {
	found := make([]limits, len(a.lanes))
	err := parallel.Each(ctx, len(a.lanes), 0, func(_, i int) error {
		found[i] = newLimits()
		return a.learn(ctx, int32(i), &found[i])
	})
	if err != nil {
		return err
	}
	all := newLimits()
	for _, f := range found {
		for p, size := range f.sizes {
			if old, ok := all.sizes[p]; !ok || size > old {
				all.sizes[p] = size
			}
		}
		for p, v := range f.clocks {
			all.violates(p.from, p.to, v.Largest).Messages += v.Messages
		}
	}
	a.setLimits(all)
	return nil
}

// learn looks at the messages that a thread sends.
func (a *analysis) learn(ctx context.Context, thread int32, out *limits) error {
	c, l := &a.t.Comms, &a.lanes[thread]
	for n, m := range a.t.Threads[thread].Comm[prv.LogicalSend] {
		if n&0x3ff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if a.messages.own.Has(int(m)) {
			continue
		}
		from, to := a.node(thread), a.node(c.Recv[m])
		if late := a.sentAt(m) - a.doneAt(m); late > 0 {
			out.violates(from, to, late).Messages++
			continue
		}
		k := a.messages.send[m]
		if k < 0 || a.simulated {
			continue
		}
		if kind := l.calls.kind[k].Call; kind != extrae.Send && kind != extrae.Sendrecv || l.calls.open[k] {
			continue
		}
		if p := (nodePair{from, to}); l.calls.exit[k] <= a.postedAt(m) {
			if old, ok := out.sizes[p]; !ok || c.Size[m] > old {
				out.sizes[p] = c.Size[m]
			}
		}
	}
	return nil
}

// setLimits stores what was learned.
func (a *analysis) setLimits(all limits) {
	r := a.out
	for _, v := range all.clocks {
		r.Clocks = append(r.Clocks, *v)
	}
	slices.SortFunc(r.Clocks, func(x, y Clocks) int { return cmp.Or(cmp.Compare(x.From, y.From), cmp.Compare(x.To, y.To)) })
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
