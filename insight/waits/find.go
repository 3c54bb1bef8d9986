package waits

// The waits of a thread: its calls in order, with the candidates of each.
//
// A call may have several reasons to wait (Waitall, Sendrecv). The one that ended last counts: without the others the
// call would have taken just as long.

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
	crew := make([]finder, workers())
	err = parallel.Each(ctx, len(a.lanes), len(crew), func(w, i int) error {
		f := &crew[w]
		f.begin(parallel.NewWatch(ctx), a, int32(i), grouped[i])
		if err := f.run(ctx); err != nil {
			return err
		}
		lists[i] = slices.Clone(f.waits)
		return nil
	})
	if err != nil {
		return err
	}
	a.dropProgress(crew, lists)
	a.sent, a.posted = nil, nil
	err = parallel.For(ctx, len(a.t.Tasks), func(task int) error { // which have threads of their own
		a.constructWaits(parallel.NewWatch(ctx), int32(task), lists)
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	a.out.Clocks = addClocks(a.out.Clocks, late)
	return a.collect(ctx, lists)
}

// constructWaits adds the waits in the constructs of OpenMP of a task's threads.
func (a *analysis) constructWaits(watch *parallel.Watch, task int32, lists [][]Wait) {
	add := func(w Wait) { lists[w.Thread] = append(lists[w.Thread], w) }
	t := a.t.Tasks[task]
	regions := a.regionsOf(watch, task)
	for th := t.FirstThread; th < t.FirstThread+t.Threads; th++ {
		if more := len(a.teamWaits[th]) + len(regions); more > 0 {
			lists[th] = append(slices.Grow(lists[th], more), a.teamWaits[th]...)
		}
		a.teamWaits[th] = nil
	}
	if !a.opt.NoIdleWorkers {
		a.idleWaits(watch, task, regions, add)
	}
	a.lockWaits(watch, task, add)
	a.taskWaits(watch, task, add)
}

// collect sorts the waits of each thread and joins them.
func (a *analysis) collect(ctx context.Context, lists [][]Wait) error {
	r := a.out
	err := parallel.For(ctx, len(lists), func(i int) error {
		lists[i] = a.lanes[i].apart(parallel.NewWatch(ctx), lists[i])
		return nil
	})
	if err != nil {
		return err
	}
	r.First = make([]int32, len(lists)+1)
	for i, list := range lists {
		r.First[i+1] = r.First[i] + int32(len(list))
	}
	r.Waits, a.ends = make([]Wait, r.First[len(lists)]), make([]int64, r.First[len(lists)])
	return parallel.For(ctx, len(lists), func(i int) error {
		copy(r.Waits[r.First[i]:], lists[i])
		for k := range lists[i] {
			a.ends[int(r.First[i])+k] = lists[i][k].To
		}
		lists[i] = nil
		return nil
	})
}

// apart sorts the waits of a thread, and drops those that overlap an earlier one: a thread never waits twice at once.
func (l *lane) apart(watch *parallel.Watch, list []Wait) []Wait {
	slices.SortStableFunc(list, func(x, y Wait) int {
		watch.Step()
		return cmp.Or(cmp.Compare(x.From, y.From), cmp.Compare(x.Class, y.Class), cmp.Compare(x.To, y.To))
	})
	n, end, change := 0, int64(0), 0
	for i := range list {
		watch.Step()
		w := &list[i]
		if w.From < end || w.From >= w.To {
			continue
		}
		w.Region, change = l.regionNear(change, w.From)
		list[n], end = *w, w.To
		n++
	}
	return list[:n]
}

// finder finds the waits of one thread in its calls. Its lists are reused for the next thread.
type finder struct {
	*analysis
	*lane
	grouped  []candidate // by instance with the thread, in order of its calls
	waits    []Wait
	received []received // by completion
	sends    []sending
	queue    []int32 // Isends not known to be complete: indices of sends
	pending  []candidate
	order    wrongOrder
	progress progress
}

// received is the receiver's part of a message. It keeps a thread's messages together, which are far apart in the
// columns of messages, sorted by time.
type received struct {
	sent          int64
	from          int32
	message, call int32 // call: the one that completed it
}

// sending is the sender's part of a message.
type sending struct {
	posted        int64
	message, call int32 // call: the one that sent it
}

// ownMessage marks messages between threads of one task, in place of a time.
const ownMessage int64 = -1 << 63

// begin starts with the next thread.
func (f *finder) begin(watch *parallel.Watch, a *analysis, thread int32, grouped []candidate) {
	th, m := &a.t.Threads[thread], &a.messages
	f.analysis, f.lane, f.grouped = a, &a.lanes[thread], grouped
	f.waits, f.queue, f.pending = f.waits[:0], f.queue[:0], f.pending[:0]
	f.received, f.sends = f.received[:0], f.sends[:0]
	f.progress.begin(len(a.lanes))
	f.linked = prv.NewBits(f.calls.len())
	link := func(call int32) {
		if call >= 0 {
			f.linked.Set(int(call))
		}
	}
	for _, i := range th.Comm[prv.PhysicalRecv] {
		watch.Step()
		f.received = append(f.received, received{a.sent[i], a.t.Comms.Send[i], i, m.done[i]})
		link(m.done[i])
	}
	for _, i := range th.Comm[prv.LogicalSend] {
		watch.Step()
		f.sends = append(f.sends, sending{a.posted[i], i, m.send[i]})
		link(m.send[i])
	}
	for _, i := range th.Comm[prv.LogicalRecv] {
		watch.Step()
		link(m.post[i])
	}
	if a.out.Messages == int64(a.t.Comms.Len()) {
		return
	}
	for k := range f.received {
		if m.own.Has(int(f.received[k].message)) {
			f.received[k].sent = ownMessage
		}
	}
	for k := range f.sends {
		if m.own.Has(int(f.sends[k].message)) {
			f.sends[k].posted = ownMessage
		}
	}
}

// candidate is a possible wait of a call.
type candidate struct {
	call int32 // that began the operation
	Wait
	nonblock bool
	until    int64 // the operation cannot complete before
}

func (f *finder) run(ctx context.Context) error {
	f.order.build(parallel.NewWatch(ctx), f.received, f.opt.Horizon)
	nextReceived, nextSent, nextGroup := 0, 0, 0
	for k := range int32(f.calls.len()) {
		if k&0x3ff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		firstReceived, firstSent := nextReceived, nextSent
		for nextReceived < len(f.received) && f.received[nextReceived].call <= k {
			nextReceived++
		}
		for nextSent < len(f.sends) && f.sends[nextSent].call <= k {
			nextSent++
		}
		best := Wait{To: -1}
		f.progress.best = best
		f.fromReceives(k, firstReceived, nextReceived, &best)
		f.fromSends(k, firstSent, nextSent, nextReceived > firstReceived, &best)
		for ; nextGroup < len(f.grouped) && f.grouped[nextGroup].call <= k; nextGroup++ {
			f.fromGroup(k, f.grouped[nextGroup], &best)
		}
		f.fromPending(k, &best)
		if best.To < 0 {
			best = f.progress.best
		}
		f.add(k, best)
	}
	return nil
}

// better replaces the best candidate of a call by another if that ends later.
func better(best *Wait, w Wait) {
	if c := cmp.Or(cmp.Compare(w.To, best.To), cmp.Compare(best.Class, w.Class), cmp.Compare(best.Cause, w.Cause),
		cmp.Compare(best.Ref, w.Ref)); best.To < 0 || c > 0 {
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

// fromReceives finds the candidates of the messages that call k completes, which are among the receives from first to
// next.
func (f *finder) fromReceives(k int32, first, next int, best *Wait) {
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
	for place := first; place < next; place++ {
		if m := &f.received[place]; m.sent == ownMessage || m.call != k {
			continue
		}
		w, ok := f.lateSender(k, place)
		if any {
			if !ok {
				return // it had arrived: the call did not wait
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

// lateSender returns the wait of call k for a message, by its index in the thread's receives.
func (f *finder) lateSender(k int32, place int) (w Wait, ok bool) {
	m, enter, exit := &f.received[place], f.calls.enter[k], f.calls.exit[k]
	if m.sent <= enter {
		return w, false
	}
	w = Wait{To: min(m.sent, exit), Cause: m.from, Kind: ToMessage, Ref: m.message}
	if m.sent > exit {
		w.Flags |= BadClock
	}
	w.Class = f.classOf(place)
	return w, true
}

// fromProbe: a blocking Probe waits for the next received message.
func (f *finder) fromProbe(k int32, next int, best *Wait) {
	for ; next < len(f.received); next++ {
		if f.received[next].sent == ownMessage {
			continue
		}
		if w, ok := f.lateSender(k, next); ok && w.Flags&BadClock == 0 {
			better(best, w)
		}
		return
	}
}

// fromSends finds the candidates of the messages that call k sends, which are among the sends from first to next, or
// whose Isend it completes.
func (f *finder) fromSends(k int32, first, next int, received bool, best *Wait) {
	kind := f.calls.kind[k].Call
	if f.simulated && !f.hasCalls {
		f.fromSimulatedSends(k, received, best)
		return
	}
	for place := first; place < next; place++ {
		m := &f.sends[place]
		if m.posted == ownMessage || m.call != k {
			continue
		}
		switch kind {
		case extrae.Send, extrae.SyncSend, extrae.Sendrecv:
			f.lateReceiver(k, m, kind == extrae.SyncSend, 0, best)
		case extrae.Isend, extrae.SyncIsend, extrae.LocalIsend, extrae.StartRequest:
			f.queue = append(f.queue, int32(place))
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
	for _, place := range f.queue[:take] {
		m := &f.sends[place]
		switch f.calls.kind[m.call].Call {
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
func (f *finder) lateReceiver(k int32, m *sending, synchronous bool, flags Flags, best *Wait) {
	posted, enter, exit := m.posted, f.calls.enter[k], f.calls.exit[k]
	if posted > exit || posted == exit && !f.simulated || !synchronous && !f.simulated && f.isEager(m.message) {
		return
	}
	if posted <= enter {
		f.lateProgress(k, m, flags)
		return
	}
	better(best, Wait{To: posted, Class: LateReceiver, Cause: f.t.Comms.Recv[m.message], Kind: ToMessage,
		Ref: m.message, Flags: flags})
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

// fromPending: the first Wait or Waitall that ends after a nonblocking operation could complete waits for it.
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

// came is an arrival for which a member of an operation waits.
type came struct {
	to    int64
	cause int32
	flags Flags
}

// groupCandidates computes what every member of every collective operation waits for, by thread.
func (a *analysis) groupCandidates(ctx context.Context) (by [][]candidate, clocks map[nodePair]*Clocks, err error) {
	r := a.out
	waited, worst := make([]came, len(r.parts)), make([]int64, len(r.Instances))
	err = parallel.For(ctx, len(r.Instances), func(n int) error {
		x := &r.Instances[n]
		x.arrivals(r.partsOf(x), func(i int, v arrival) {
			waited[int(x.first)+i] = came{v.to, v.cause, v.flags}
			worst[n] = max(worst[n], v.late)
		})
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	all := newLimits()
	watch := parallel.NewWatch(ctx)
	for n, late := range worst {
		watch.Step()
		if late > 0 {
			node := a.node(r.parts[r.Instances[n].first].thread)
			all.violates(node, node, late).Operations++
		}
	}
	by = make([][]candidate, len(a.lanes))
	err = parallel.For(ctx, len(by), func(i int) error {
		by[i] = a.candidatesOf(parallel.NewWatch(ctx), int32(i), waited)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	a.oneSided(watch, by)
	a.teamWaits = make([][]Wait, len(by))
	err = parallel.For(ctx, len(by), func(i int) error {
		watch := parallel.NewWatch(ctx)
		a.addTeamWaits(watch, i, by)
		slices.SortStableFunc(by[i], func(x, y candidate) int {
			watch.Step()
			return cmp.Compare(x.call, y.call)
		})
		return nil
	})
	return by, all.clocks, err
}

// candidatesOf returns the candidates from a thread's operations.
func (a *analysis) candidatesOf(watch *parallel.Watch, thread int32, waited []came) (list []candidate) {
	r := a.out
	counts := func(k taking) bool {
		to := waited[k.part].to
		return to >= 0 && to > r.parts[k.part].enter || r.Instances[k.instance].nonblock
	}
	n := 0
	for _, k := range a.lanes[thread].took {
		if counts(k) {
			n++
		}
	}
	list = make([]candidate, 0, n)
	for _, k := range a.lanes[thread].took {
		watch.Step()
		if !counts(k) {
			continue
		}
		x, p, v := &r.Instances[k.instance], &r.parts[k.part], waited[k.part]
		c := candidate{call: p.call, nonblock: x.nonblock, until: max(v.to, x.Last)}
		if x.nonblock && x.Class != WaitNxN && x.Class != WaitBarrier {
			c.until = v.to
		}
		c.Wait = Wait{Thread: p.thread, From: p.enter, To: v.to, Class: x.Class, Cause: v.cause, Flags: v.flags,
			Kind: ToInstance, Ref: k.instance}
		list = append(list, c)
	}
	return list
}

// addTeamWaits moves the candidates of OpenMP, which have no call, to the lane's own list.
func (a *analysis) addTeamWaits(watch *parallel.Watch, i int, by [][]candidate) {
	n := 0
	var team []Wait
	for _, c := range by[i] {
		watch.Step()
		if c.call < 0 {
			if !a.lanes[i].busyIn(c.From, c.To) || c.Class == TeamExplicit {
				team = append(team, c.Wait)
			}
			continue
		}
		by[i][n] = c
		n++
	}
	by[i], a.teamWaits[i] = by[i][:n], team
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
