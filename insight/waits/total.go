package waits

// Sums: by class of wait, by flag, and the part of all calls that is no waiting.

import (
	"context"

	"pview/prv/extrae"
	"pview/prv/parallel"
)

// Total sums the waits of a class, or for a class that is no waiting the parts of calls.
type Total struct {
	Count   int64
	Time    int64
	Longest int64
	Direct  int64
	Flagged int64 // time of waits with a flag other than Inferred
}

func (t *Total) add(length int64) {
	t.Count++
	t.Time += length
	t.Longest = max(t.Longest, length)
}

// sum fills the totals.
func (a *analysis) sum(ctx context.Context) error {
	r := a.out
	watch := parallel.NewWatch(ctx)
	for i := range r.Waits {
		watch.Step()
		w := &r.Waits[i]
		t := &r.Totals[w.Class]
		t.add(w.Length())
		t.Direct += w.Direct
		if w.Flags&^Inferred != 0 {
			t.Flagged += w.Length()
		}
	}
	ends := a.operationEnds(watch)
	for i := range a.lanes {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		a.callParts(int32(i), ends[i], func(from, to int64, c Class) {
			watch.Step()
			r.Totals[c].add(to - from)
		})
	}
	return nil
}

// completions are the classes of the time after the first member has left.
var completions = map[Class]Class{WaitNxN: NxNCompletion, WaitBarrier: BarrierCompletion, InitCompletion: InitCompletion}

// operationEnd is when a call stops being operation, and what follows up to its exit; -1 for a call without a message or partners.
type operationEnd struct {
	at   int64
	then Class // None: at is the exit
}

// operationEnds are those of the calls of each thread.
func (a *analysis) operationEnds(watch *parallel.Watch) [][]operationEnd {
	ends := make([][]operationEnd, len(a.lanes))
	for i := range a.lanes {
		ends[i] = make([]operationEnd, a.lanes[i].calls.len())
		for k := range ends[i] {
			watch.Step()
			ends[i][k].at = -1
		}
	}
	set := func(thread, call int32) {
		if call >= 0 {
			ends[thread][call] = operationEnd{at: a.lanes[thread].calls.exit[call]}
		}
	}
	c := &a.t.Comms
	for m := range c.Len() {
		watch.Step()
		set(c.Send[m], a.messages.send[m])
		set(c.Recv[m], a.messages.post[m])
		set(c.Recv[m], a.messages.done[m])
	}
	for n := range a.out.Instances {
		watch.Step()
		x := &a.out.Instances[n]
		if x.Parts < 2 {
			continue
		}
		after, completes := completions[x.Class]
		for _, p := range a.out.partsOf(x) {
			set(p.thread, p.call)
			if from := max(x.Left, x.Last); completes && p.call >= 0 && from < p.exit && from >= p.enter {
				ends[p.thread][p.call] = operationEnd{from, after}
			}
		}
	}
	return ends
}

// callParts calls do for each part of a thread's calls that is no waiting, in order of time.
func (a *analysis) callParts(thread int32, ends []operationEnd, do func(from, to int64, c Class)) {
	r, l := a.out, &a.lanes[thread]
	waits := r.Of(thread)
	c := &l.calls
	part := func(from, to int64, class Class) {
		if from < to {
			do(from, to, class)
		}
	}
	for k := range c.enter {
		from, end := c.enter[k], ends[k]
		for len(waits) > 0 && waits[0].To <= from {
			waits = waits[1:]
		}
		waited := len(waits) > 0 && waits[0].From < c.exit[k] && waits[0].Class != IdleWorker
		if waited {
			from = waits[0].To
		}
		switch {
		case end.at >= 0:
			part(from, end.at, Operation)
			if end.then != None {
				part(end.at, c.exit[k], end.then)
			}
		case waited:
			part(from, c.exit[k], Operation)
		case c.kind[k].Call != extrae.OtherCall:
			part(from, c.exit[k], Unexplained)
		}
	}
}

// Waiting is the time waited by all threads; idle workers included.
func (r *Result) Waiting() (sum int64) {
	for i := range Classes {
		if c := &Classes[i]; c.Waiting {
			sum += r.Totals[c.Class].Time
		}
	}
	return sum
}
