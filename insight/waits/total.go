package waits

// Sums: by class of wait, by flag, and the part of all calls that is no waiting.

import (
	"context"

	"pview/prv/extrae"
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
	for i := range r.Waits {
		w := &r.Waits[i]
		t := &r.Totals[w.Class]
		t.add(w.Length())
		t.Direct += w.Direct
		if w.Flags&^Inferred != 0 {
			t.Flagged += w.Length()
		}
	}
	ends := a.operationEnds()
	for i := range a.lanes {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		a.sumCalls(int32(i), ends[i])
	}
	return nil
}

// completions are the classes of the time after the first member has left.
var completions = map[Class]Class{WaitNxN: NxNCompletion, WaitBarrier: BarrierCompletion, InitCompletion: InitCompletion}

// operationEnds are the times at which the calls of each thread that have a message or partners stop being operation, and what follows is
// completion; -1 for the other calls. The completions are summed.
func (a *analysis) operationEnds() [][]int64 {
	ends := make([][]int64, len(a.lanes))
	for i := range a.lanes {
		ends[i] = make([]int64, a.lanes[i].calls.len())
		for k := range ends[i] {
			ends[i][k] = -1
		}
	}
	set := func(thread, call int32) {
		if call >= 0 {
			ends[thread][call] = a.lanes[thread].calls.exit[call]
		}
	}
	c := &a.t.Comms
	for m := range c.Len() {
		set(c.Send[m], a.messages.send[m])
		set(c.Recv[m], a.messages.post[m])
		set(c.Recv[m], a.messages.done[m])
	}
	for n := range a.out.Instances {
		x := &a.out.Instances[n]
		if x.Parts < 2 {
			continue
		}
		after, completes := completions[x.Class]
		for _, p := range a.out.partsOf(x) {
			set(p.thread, p.call)
			if from := max(x.Left, x.Last); completes && p.call >= 0 && from < p.exit && from >= p.enter {
				ends[p.thread][p.call] = from
				a.out.Totals[after].add(p.exit - from)
			}
		}
	}
	return ends
}

// sumCalls adds the parts of a thread's calls that are operation, or that nothing explains.
func (a *analysis) sumCalls(thread int32, ends []int64) {
	r, l := a.out, &a.lanes[thread]
	waits := r.Of(thread)
	c := &l.calls
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
		case waited || end >= 0:
			if end < 0 {
				end = c.exit[k]
			}
			if end > from {
				r.Totals[Operation].add(end - from)
			}
		case c.kind[k].Call != extrae.OtherCall && c.exit[k] > from:
			r.Totals[Unexplained].add(c.exit[k] - from)
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
