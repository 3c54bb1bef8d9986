package waits

// The waits of a thread: its calls in order, with the candidates of each.
//
// A call may have several reasons to wait (Waitall, Sendrecv). The one that ended last counts, since without the others the call would
// have taken as long.

import (
	"cmp"
	"context"
	"slices"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/parallel"
)

// findWaits finds the waits of all threads and sorts them.
func (a *analysis) findWaits(ctx context.Context) error {
	grouped, late, err := a.groupCandidates(ctx)
	if err != nil {
		return err
	}
	lists := make([][]Wait, len(a.lanes))
	err = parallel.Each(ctx, len(a.lanes), 0, func(_, i int) error {
		f := &finder{analysis: a, lane: &a.lanes[i], grouped: grouped[i]}
		if err := f.run(ctx); err != nil {
			return err
		}
		lists[i] = f.waits
		return nil
	})
	if err != nil {
		return err
	}
	watch := parallel.NewWatch(ctx)
	add := func(w Wait) { lists[w.Thread] = append(lists[w.Thread], w) }
	for _, w := range a.teamWaits {
		add(w)
	}
	for task := range a.t.Tasks {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !a.opt.NoIdleWorkers {
			a.idleWaits(watch, int32(task), add)
		}
		a.lockWaits(watch, int32(task), add)
		a.taskWaits(watch, int32(task), add)
	}
	a.out.Clocks = addClocks(a.out.Clocks, late)
	a.collect(watch, lists)
	return ctx.Err()
}

// collect sorts the waits of each thread and joins them.
func (a *analysis) collect(watch *parallel.Watch, lists [][]Wait) {
	r := a.out
	n := 0
	for _, l := range lists {
		n += len(l)
	}
	r.Waits, r.First = make([]Wait, 0, n), make([]int32, 0, len(lists)+1)
	for i, list := range lists {
		r.First = append(r.First, int32(len(r.Waits)))
		slices.SortStableFunc(list, func(x, y Wait) int {
			watch.Step()
			return cmp.Or(cmp.Compare(x.From, y.From), cmp.Compare(x.Class, y.Class), cmp.Compare(x.To, y.To))
		})
		end := int64(0)
		for _, w := range list {
			watch.Step()
			if w.From < end || w.From >= w.To { // waits of one thread never overlap
				continue
			}
			w.Region = a.lanes[i].regionAt(w.From)
			r.Waits = append(r.Waits, w)
			end = w.To
		}
	}
	r.First = append(r.First, int32(len(r.Waits)))
}

// finder finds the waits of one thread in its calls.
type finder struct {
	*analysis
	*lane
	grouped  []candidate // by instance that the thread takes part in, in order of its call
	waits    []Wait
	received []int32 // messages by completion
	sent     []int32
	queue    []int32 // Isends that are not known to be complete
	pending  []candidate
	order    wrongOrder
}

// candidate is a possible wait of a call.
type candidate struct {
	call int32 // at which the operation began
	Wait
	nonblock bool
	until    int64 // the operation cannot be complete before
}

func (f *finder) run(ctx context.Context) error {
	th := &f.t.Threads[f.thread]
	f.received, f.sent = th.Comm[prv.PhysicalRecv], th.Comm[prv.LogicalSend]
	f.order.build(f.analysis, parallel.NewWatch(ctx), f.received)
	nextReceived, nextSent, nextGroup := 0, 0, 0
	for k := range int32(f.calls.len()) {
		if k&0x3ff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		firstReceived, firstSent := nextReceived, nextSent
		nextReceived = f.through(f.received, nextReceived, f.messages.done, k)
		nextSent = f.through(f.sent, nextSent, f.messages.send, k)
		best := Wait{To: -1}
		f.fromReceives(k, f.received[firstReceived:nextReceived], nextReceived, &best)
		f.fromSends(k, f.sent[firstSent:nextSent], nextReceived > firstReceived, &best)
		for ; nextGroup < len(f.grouped) && f.grouped[nextGroup].call <= k; nextGroup++ {
			f.fromGroup(k, f.grouped[nextGroup], &best)
		}
		f.fromPending(k, &best)
		f.add(k, best)
	}
	return nil
}

// through returns the end of the messages of call k in a list, which follow those of earlier calls.
func (f *finder) through(list []int32, at int, calls []int32, k int32) int {
	for at < len(list) && calls[list[at]] <= k {
		at++
	}
	return at
}

// better replaces the best candidate of a call by another one.
func better(best *Wait, w Wait) {
	if c := cmp.Or(cmp.Compare(w.To, best.To), cmp.Compare(best.Class, w.Class), cmp.Compare(best.Cause, w.Cause), cmp.Compare(best.Ref, w.Ref)); best.To < 0 || c > 0 {
		*best = w
	}
}

// add adds the wait of call k, if it has any.
func (f *finder) add(k int32, w Wait) {
	if w.To < 0 {
		return
	}
	w.Thread = f.thread
	w.From = f.calls.enter[k]
	if f.simulated && w.Kind == ToMessage {
		w = f.onlyWaiting(w)
	}
	if f.calls.open[k] {
		w.Flags |= Open
	}
	if w.From < w.To {
		f.waits = append(f.waits, w)
	}
}

// fromReceives finds the candidates of the messages that call k completes.
func (f *finder) fromReceives(k int32, messages []int32, next int, best *Wait) {
	kind := f.calls.kind[k].Call
	switch kind {
	case extrae.Test, extrae.Iprobe:
		return
	case extrae.Probe:
		f.fromProbe(k, next, best)
		return
	}
	any := kind == extrae.Waitany || kind == extrae.Waitsome
	earliest := Wait{To: -1}
	for _, m := range messages {
		if f.messages.own.Has(int(m)) || f.messages.done[m] != k {
			continue
		}
		w, ok := f.lateSender(k, m)
		if any {
			if !ok {
				return // it was there: the call did not wait
			}
			if earliest.To < 0 || w.To < earliest.To || w.To == earliest.To && w.Cause < earliest.Cause {
				earliest = w
			}
		} else if ok {
			better(best, w)
		}
	}
	if earliest.To >= 0 {
		better(best, earliest)
	}
}

// lateSender is the wait of call k for a message.
func (f *finder) lateSender(k, m int32) (w Wait, ok bool) {
	sent, enter, exit := f.sentAt(m), f.calls.enter[k], f.calls.exit[k]
	if sent <= enter {
		return w, false
	}
	w = Wait{To: min(sent, exit), Class: LateSender, Cause: f.t.Comms.Send[m], Kind: ToMessage, Ref: m}
	if sent > exit {
		w.Flags |= BadClock
	}
	w.Class = f.order.class(m)
	return w, true
}

// fromProbe: a blocking Probe waits for the message that is received next.
func (f *finder) fromProbe(k int32, next int, best *Wait) {
	for ; next < len(f.received); next++ {
		m := f.received[next]
		if f.messages.own.Has(int(m)) {
			continue
		}
		if w, ok := f.lateSender(k, m); ok && w.Flags&BadClock == 0 {
			better(best, w)
		}
		return
	}
}

// fromSends finds the candidates of the messages that call k sends, or whose Isend it completes.
func (f *finder) fromSends(k int32, messages []int32, received bool, best *Wait) {
	kind := f.calls.kind[k].Call
	if f.simulated && !f.hasCalls {
		f.fromSimulatedSends(k, received, best)
		return
	}
	for _, m := range messages {
		if f.messages.own.Has(int(m)) || f.messages.send[m] != k {
			continue
		}
		switch kind {
		case extrae.Send, extrae.SyncSend, extrae.Sendrecv:
			f.lateReceiver(k, m, kind == extrae.SyncSend, 0, best)
		case extrae.Isend, extrae.SyncIsend, extrae.LocalIsend, extrae.StartRequest:
			f.queue = append(f.queue, m)
		}
	}
	take := 0
	switch kind {
	case extrae.Waitall:
		take = len(f.queue)
	case extrae.Wait, extrae.Waitany, extrae.Waitsome:
		if !received {
			take = min(1, len(f.queue))
		}
	}
	for _, m := range f.queue[:take] {
		switch f.calls.kind[f.messages.send[m]].Call {
		case extrae.LocalIsend:
		case extrae.SyncIsend:
			f.lateReceiver(k, m, true, Inferred, best)
		default:
			f.lateReceiver(k, m, false, Inferred, best)
		}
	}
	f.queue = slices.Delete(f.queue, 0, take)
}

// lateReceiver is the wait of call k until the receive of a message was posted.
func (f *finder) lateReceiver(k, m int32, synchronous bool, flags Flags, best *Wait) {
	posted, enter, exit := f.postedAt(m), f.calls.enter[k], f.calls.exit[k]
	if !synchronous && !f.simulated && f.isEager(m) || posted <= enter || posted > exit || posted == exit && !f.simulated {
		return
	}
	better(best, Wait{To: posted, Class: LateReceiver, Cause: f.t.Comms.Recv[m], Kind: ToMessage, Ref: m, Flags: flags})
}

// fromGroup is the candidate of a collective operation that call k began.
func (f *finder) fromGroup(k int32, c candidate, best *Wait) {
	switch {
	case c.nonblock:
		f.pending = append(f.pending, c)
	case c.To > f.calls.enter[k] && c.call == k:
		better(best, c.Wait)
	}
}

// fromPending: nonblocking operations are waited for in the first Wait or Waitall that ends after they could be complete.
func (f *finder) fromPending(k int32, best *Wait) {
	kind := f.calls.kind[k].Call
	if kind != extrae.Wait && kind != extrae.Waitall {
		return
	}
	f.pending = slices.DeleteFunc(f.pending, func(c candidate) bool {
		if c.call == k || f.calls.exit[k] < c.until {
			return false
		}
		if c.To > f.calls.enter[k] {
			c.Flags |= Inferred
			better(best, c.Wait)
		}
		return true
	})
}

// groupCandidates computes what every member of every collective operation waits for, by thread.
func (a *analysis) groupCandidates(ctx context.Context) (by [][]candidate, clocks map[nodePair]*Clocks, err error) {
	r := a.out
	by = make([][]candidate, len(a.lanes))
	all := newLimits()
	for n := range r.Instances {
		if n&0xff == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		x := &r.Instances[n]
		parts := r.partsOf(x)
		worst := int64(0)
		x.arrivals(parts, func(i int, v arrival) {
			p := &parts[i]
			worst = max(worst, v.late)
			c := candidate{call: p.call, nonblock: x.nonblock, until: max(v.to, x.Last)}
			if x.nonblock && x.Class != WaitNxN && x.Class != WaitBarrier {
				c.until = v.to
			}
			c.Wait = Wait{Thread: p.thread, From: p.enter, To: v.to, Class: x.Class, Cause: v.cause, Flags: v.flags, Kind: ToInstance, Ref: int32(n)}
			if v.to >= 0 && v.to > p.enter || x.nonblock {
				by[p.thread] = append(by[p.thread], c)
			}
		})
		if worst > 0 && len(parts) > 0 {
			node := a.node(parts[0].thread)
			all.violates(node, node, worst).Operations++
		}
	}
	watch := parallel.NewWatch(ctx)
	a.oneSided(watch, by)
	for i := range by {
		a.addTeamWaits(watch, i, by)
		slices.SortStableFunc(by[i], func(x, y candidate) int {
			watch.Step()
			return cmp.Compare(x.call, y.call)
		})
	}
	return by, all.clocks, nil
}

// addTeamWaits moves the candidates of OpenMP, which have no call, to the lane's own.
func (a *analysis) addTeamWaits(watch *parallel.Watch, i int, by [][]candidate) {
	n := 0
	for _, c := range by[i] {
		watch.Step()
		if c.call < 0 {
			if !a.lanes[i].busyIn(c.From, c.To) || c.Class == TeamExplicit {
				a.teamWaits = append(a.teamWaits, c.Wait)
			}
			continue
		}
		by[i][n] = c
		n++
	}
	by[i] = by[i][:n]
}

// addClocks merges contradictions in collective operations into those of messages.
func addClocks(list []Clocks, more map[nodePair]*Clocks) []Clocks {
	for i := range list {
		if v := more[nodePair{list[i].From, list[i].To}]; v != nil {
			list[i].Operations += v.Operations
			list[i].Largest = max(list[i].Largest, v.Largest)
			delete(more, nodePair{list[i].From, list[i].To})
		}
	}
	for _, v := range more {
		list = append(list, *v)
	}
	slices.SortFunc(list, func(x, y Clocks) int { return cmp.Or(cmp.Compare(x.From, y.From), cmp.Compare(x.To, y.To)) })
	return list
}
