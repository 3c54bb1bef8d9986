package waits

// Divides waits among root causes, like the backward pass, but with amounts chosen by the caller, such as the part of
// each wait in a time range.

import (
	"context"
	"slices"

	"pview/prv"
	"pview/prv/wide"
)

// Root is the waiting caused by a region of a thread, directly or through other waits.
type Root struct {
	Thread, Region int32
	Time           int64
}

// Backward divides amounts of waiting among root causes.
type Backward struct {
	a     *analysis
	order []int32
}

// Backward prepares the division. The only error is ctx's.
func (r *Result) Backward(ctx context.Context) (*Backward, error) {
	a := r.view()
	a.ends = make([]int64, len(r.Waits))
	for i := range r.Waits {
		a.ends[i] = r.Waits[i].To
	}
	if err := a.rankWaits(ctx); err != nil {
		return nil, err
	}
	return &Backward{a, a.order}, nil
}

// Divide divides an amount of each wait, by row of Result.Waits. Roots are by thread and region; together with unknown
// they sum exactly to the amounts.
func (b *Backward) Divide(ctx context.Context, amounts []int64) (roots []Root, unknown int64, err error) {
	r, c := b.a.out, b.a.newCosts()
	more := make([]int64, len(amounts)) // passed on by later waits
	for n, i := range b.order {
		if n&0xfff == 0 && ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		w, sh := &r.Waits[i], &r.shares[i]
		amount := wide.Saturated(amounts[i], more[i])
		if amount == 0 {
			continue
		}
		if sh.total == 0 {
			unknown = wide.Saturated(unknown, amount)
			continue
		}
		d := divider{amount: amount, total: sh.total}
		for _, item := range r.itemsOf(int(i)) {
			k, _ := slices.BinarySearch(b.a.lanes[w.Cause].ids, item.region)
			long := &c.list[int(c.first[w.Cause])+k].Long
			*long = wide.Saturated(*long, d.share(item.excess))
		}
		for k := sh.firstWait; k < sh.last; k++ {
			more[k] = wide.Saturated(more[k], d.share(r.Waits[k].Length()))
		}
	}
	for i := range c.list {
		if d := &c.list[i]; d.Long > 0 {
			roots = append(roots, Root{d.Thread, d.Region, d.Long})
		}
	}
	return roots, unknown, nil
}

// Delivery is a message handled by a call.
type Delivery struct {
	Call  int32 // of the thread; -1: none
	Ready int64 // when sender and receiver were ready; in rendezvous, with the receiver in MPI
	Size  int64
}

// Deliveries calls do for each message that a call of the thread received, sent synchronously, or had sent earlier and
// then waited for its receiver.
func (r *Result) Deliveries(thread int32, do func(d Delivery)) {
	a, th := r.view(), &r.t.Threads[thread]
	near := make([]int32, r.t.Tasks[r.t.ThreadTask[thread]].Threads)
	for _, m := range th.Comm[prv.PhysicalRecv] {
		if k := r.messages.done[m]; k >= 0 && !r.messages.own.Has(int(m)) {
			do(Delivery{k, a.arriving(near, m), r.t.Comms.Size[m]})
		}
	}
	for _, m := range th.Comm[prv.LogicalSend] {
		if k := r.messages.send[m]; k >= 0 && !r.messages.own.Has(int(m)) && r.MayWait(m) {
			do(Delivery{k, a.ready(m), r.t.Comms.Size[m]})
		}
	}
	for _, w := range r.Of(thread) { // the end of an Isend
		if w.Flags&Inferred == 0 || !w.Class.WaitsForReceiver() {
			continue
		}
		if k := r.CallAfter(thread, w.From); k < r.Calls(thread) && r.Call(thread, k).Enter == w.From {
			do(Delivery{int32(k), w.To, r.t.Comms.Size[w.Ref]})
		}
	}
}

// ready returns the time at which the sender of a message, and in rendezvous the receiver, was ready.
func (a *analysis) ready(m int32) int64 {
	if a.out.MayWait(m) {
		return max(a.sentAt(m), a.postedAt(m))
	}
	return a.sentAt(m)
}

// arriving returns the time since when a message was in flight: in rendezvous once its receiver is in MPI.
func (a *analysis) arriving(near []int32, m int32) int64 {
	at, to := a.ready(m), a.t.Comms.Recv[m]
	if !a.simulated && a.out.MayWait(m) && !a.out.alone[a.way(a.t.Comms.Send[m], to)] {
		at = min(a.inMPI(near, to, at), a.doneAt(m))
	}
	return at
}

// Operations calls do for each collective operation of MPI with several members, including the thread, with the
// thread's call.
func (r *Result) Operations(thread int32, do func(call int32, x *Instance)) {
	for _, k := range r.lanes[thread].took {
		if x, p := &r.Instances[k.instance], &r.parts[k.part]; p.call >= 0 && x.Parts > 1 {
			do(p.call, x)
		}
	}
}
