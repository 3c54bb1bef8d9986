package waits

// What other analyses read from a result: calls, messages, members of operations, code regions over time.

import (
	"fmt"
	"iter"
	"slices"
	"sort"
	"strings"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/device"
	"pview/prv/quantity"
)

// Call is a call of a thread.
type Call struct {
	Enter, Exit int64
	Kind        extrae.CallKind
	Region      int32
	Open        bool // its start or end is not in the trace
}

// At returns the wait of a thread at a time; nil for none.
func (r *Result) At(thread int32, at int64) *Wait {
	list := r.Of(thread)
	for i := range list {
		if w := &list[i]; w.From <= at && at < w.To && w.Class.Info().Waiting {
			return w
		}
	}
	return nil
}

// Calls returns the number of calls of a thread.
func (r *Result) Calls(thread int32) int { return r.lanes[thread].calls.len() }

// Call returns a call of a thread, by number.
func (r *Result) Call(thread int32, k int) Call {
	l := &r.lanes[thread]
	c := &l.calls
	return Call{c.enter[k], c.exit[k], c.kind[k], l.ids[c.key[k]], c.open[k]}
}

// Untold reports whether a call may wait for messages that the trace does not have: it may complete a receive, and its
// task posts receives, but no received message of the task is recorded; or it never ends.
func (r *Result) Untold(thread int32, c *Call) bool {
	return r.endless(c) || c.Kind.Is(extrae.Completes) && c.Kind.Call != extrae.Test && !r.Regions[c.Region].State &&
		r.untold != nil && r.untold[r.t.ThreadTask[thread]]
}

// endless reports whether a call that may wait for others lasts until the trace ends, as in a run that hangs.
func (r *Result) endless(c *Call) bool {
	return c.Open && c.Exit == r.t.Duration && c.Kind.Call != extrae.Init && c.Kind.Call != extrae.Finalize &&
		(c.Kind.Is(extrae.Group) || c.Kind.Is(extrae.Completes) || c.Kind.Is(extrae.Sends))
}

// noteEndless notes the calls that do not end.
func (r *Result) noteEndless() {
	var names []string
	threads := int64(0)
	for i := range r.lanes {
		n := r.Calls(int32(i))
		if n == 0 {
			continue
		}
		if c := r.Call(int32(i), n-1); r.endless(&c) {
			threads++
			if name := r.Regions[c.Region].Name; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if threads > 0 {
		slices.Sort(names)
		r.Notes = append(r.Notes, fmt.Sprintf("on %s the last call does not end (%s): what it waits for is unknown",
			quantity.CountOf(threads, "thread"), strings.Join(names, ", ")))
	}
}

// findUntold finds the tasks that post receives without any recorded received message.
func (a *analysis) findUntold() {
	received, untold, n := make([]bool, len(a.t.Tasks)), make([]bool, len(a.t.Tasks)), int64(0)
	isMessage := func(m int32) bool { return !device.IsLink(a.t, m) }
	for i := range a.t.Threads {
		if slices.ContainsFunc(a.t.Threads[i].Comm[prv.PhysicalRecv], isMessage) {
			received[a.t.ThreadTask[i]] = true
		}
	}
	posts := func(k extrae.CallKind) bool { return k.Is(extrae.Posts) && k.Call != extrae.StartRequest }
	for i := range a.lanes {
		if task := a.t.ThreadTask[i]; !received[task] && !untold[task] &&
			slices.ContainsFunc(a.lanes[i].calls.kind, posts) {
			untold[task] = true
			n++
		}
	}
	if n > 0 && a.hasCalls {
		a.out.untold = untold
		a.out.Notes = append(a.out.Notes, fmt.Sprintf("no message to %s is in the trace: what calls that receive "+
			"wait for is unknown there", quantity.CountOf(n, "task")))
	}
}

// CallAfter returns the number of the first call of a thread that ends after a time.
func (r *Result) CallAfter(thread int32, at int64) int {
	c := &r.lanes[thread].calls
	return sort.Search(c.len(), func(i int) bool { return c.exit[i] > at })
}

// CallsIn returns the calls of a thread that overlap a stretch of time.
func (r *Result) CallsIn(thread int32, from, to int64) iter.Seq[Call] {
	return func(yield func(Call) bool) {
		for k := r.CallAfter(thread, from); k < r.Calls(thread); k++ {
			if c := r.Call(thread, k); c.Enter >= to || !yield(c) {
				return
			}
		}
	}
}

// CallBefore returns the number of the last call of a thread that begins before a time; -1 for none.
func (r *Result) CallBefore(thread int32, at int64) int {
	c := &r.lanes[thread].calls
	return sort.Search(c.len(), func(i int) bool { return c.enter[i] >= at }) - 1
}

// RegionAt returns the region of a thread at a time; -1 before the first.
func (r *Result) RegionAt(thread int32, at int64) int32 { return r.lanes[thread].regionAt(at) }

// RegionBefore returns the region in which a thread was until a time, and since when; -1 before the first.
func (r *Result) RegionBefore(thread int32, at int64) (region int32, since int64) {
	l := &r.lanes[thread]
	i := sort.Search(l.changes.len(), func(i int) bool { return l.changes.time[i] >= at }) - 1
	if i < 0 {
		return -1, 0
	}
	return l.ids[l.changes.region[i]], l.changes.time[i]
}

// Fork returns the last parallel region that another thread of a thread's task opened up to a time: who, and when; -1
// for none.
func (r *Result) Fork(thread int32, until int64) (opener int32, at int64) {
	opener, at = -1, -1
	task := &r.t.Tasks[r.t.ThreadTask[thread]]
	for th := task.FirstThread; th < task.FirstThread+task.Threads; th++ {
		opens := r.lanes[th].opens
		i := sort.Search(len(opens), func(i int) bool { return opens[i].from > until }) - 1
		if i >= 0 && th != thread && opens[i].from > at {
			opener, at = th, opens[i].from
		}
	}
	return opener, at
}

// Message has the calls and times of a message: sent and posted at the start of those calls, done at the end of the
// completing one.
type Message struct {
	Sent, Posted, Begun, Done int64 // Begun: start of the call that completed it
	// Send and Complete are the numbers of calls of the sender and the receiver; -1 if none.
	Send, Post, Complete int32
}

// Message returns a message, by row of the trace's Comms; ok is false for the creation of an OpenMP task.
func (r *Result) Message(m int32) (msg Message, ok bool) {
	a := r.view()
	if r.messages.own.Has(int(m)) {
		return msg, false
	}
	msg = Message{Sent: a.sentAt(m), Posted: a.postedAt(m), Done: a.doneAt(m), Send: r.messages.send[m],
		Post: r.messages.post[m], Complete: r.messages.done[m]}
	msg.Begun = r.t.Comms.Times[prv.LogicalRecv][m]
	if k := msg.Complete; k >= 0 {
		msg.Begun = r.lanes[r.t.Comms.Recv[m]].calls.enter[k]
	}
	return msg, true
}

// view returns the analysis that methods on messages need.
func (r *Result) view() *analysis {
	return &analysis{t: r.t, lanes: r.lanes, messages: r.messages, simulated: r.simulated, out: r}
}

// Simulated reports whether the trace is by a simulator, which writes when each message was sent and when it arrived.
func (r *Result) Simulated() bool { return r.simulated }

// MayWait reports whether the send of a message can have waited for its receiver.
func (r *Result) MayWait(m int32) bool {
	k := r.messages.send[m]
	if k < 0 {
		return false
	}
	switch r.lanes[r.t.Comms.Send[m]].calls.kind[k].Call {
	case extrae.SyncSend, extrae.SyncIsend:
		return true
	case extrae.Send, extrae.Isend, extrae.Sendrecv, extrae.StartRequest:
		return !r.view().isEager(m)
	}
	return false
}

// Member is a thread's part in an instance.
type Member struct {
	Enter, Exit int64
	Thread      int32
	Call        int32 // -1: a construct of OpenMP
	Root        bool
}

// Members returns the members of an instance.
func (r *Result) Members(x *Instance) []Member {
	list := make([]Member, 0, x.Parts)
	for _, p := range r.partsOf(x) {
		list = append(list, Member{p.enter, p.exit, p.thread, p.call, p.root})
	}
	return list
}

// Collective reports whether an instance is an MPI operation, rather than a team's.
func (x *Instance) Collective() bool {
	return x.Comm >= 0 || x.Class != TeamExplicit && x.Class != TeamImplicit
}

// Nonblocking reports whether the calls of the instance returned immediately.
func (x *Instance) Nonblocking() bool { return x.nonblock }

// Trace returns the trace.
func (r *Result) Trace() *prv.Trace { return r.t }

// Cursor goes along the regions of a thread.
type Cursor struct {
	l   *lane
	i   int
	end int64
}

// Cursor returns a cursor at the start of a thread.
func (r *Result) Cursor(thread int32) Cursor { return Cursor{l: &r.lanes[thread], end: r.t.Duration} }

// At returns the region at a time, which must not decrease from call to call, and the end of that region's stretch; -1
// before the first.
func (c *Cursor) At(at int64) (region int32, until int64) {
	list := &c.l.changes
	for c.i+1 < list.len() && list.time[c.i+1] <= at {
		c.i++
	}
	until = max(c.end, at)
	if c.i+1 < list.len() {
		until = list.time[c.i+1]
	}
	if list.len() == 0 || list.time[c.i] > at {
		return -1, until
	}
	return c.l.ids[list.region[c.i]], until
}
