package waits

// Sums: by class of wait, by flag, and the parts of calls that are not waiting.

import (
	"context"

	"pview/prv/extrae"
	"pview/prv/parallel"
	"pview/prv/wide"
)

// Total sums the waits of a class, or the parts of calls for a class that is not waiting.
type Total struct {
	Count   int64
	Time    wide.Int
	Longest int64
	Direct  wide.Int
	Flagged wide.Int // time of waits with a flag other than Inferred
}

func (t *Total) add(length int64) {
	t.Count++
	t.Time = t.Time.Add(length)
	t.Longest = max(t.Longest, length)
}

// join adds the sums of another thread.
func (t *Total) join(o *Total) {
	t.Count += o.Count
	t.Time = t.Time.Plus(o.Time)
	t.Longest = max(t.Longest, o.Longest)
	t.Direct = t.Direct.Plus(o.Direct)
	t.Flagged = t.Flagged.Plus(o.Flagged)
}

// summer is a worker of sum.
type summer struct {
	totals [numClasses]Total
	ends   []operationEnd
}

// sum fills the totals.
func (a *analysis) sum(ctx context.Context) error {
	crew := make([]summer, workers())
	err := parallel.Each(ctx, len(a.lanes), len(crew), func(w, i int) error {
		crew[w].add(parallel.NewWatch(ctx), a, int32(i))
		return nil
	})
	for w := range crew {
		for c := range crew[w].totals {
			a.out.Totals[c].join(&crew[w].totals[c])
		}
	}
	return err
}

// add adds a thread.
func (s *summer) add(watch *parallel.Watch, a *analysis, thread int32) {
	own := a.out.Of(thread)
	for i := range own {
		watch.Step()
		w := &own[i]
		t := &s.totals[w.Class]
		t.add(w.Length())
		t.Direct = t.Direct.Add(w.Direct)
		if w.Flags&^Inferred != 0 {
			t.Flagged = t.Flagged.Add(w.Length())
		}
	}
	s.ends = a.operationEnds(watch, thread, s.ends)
	a.callParts(thread, s.ends, func(from, to int64, c Class) {
		watch.Step()
		s.totals[c].add(to - from)
	})
}

// completions has the classes of the time after the first member has left.
var completions = map[Class]Class{WaitNxN: NxNCompletion, WaitBarrier: BarrierCompletion,
	InitCompletion: InitCompletion}

// operationEnd is the time when a call's operation ends, and the class from then to its exit; -1 for a call without a
// message or partners.
type operationEnd struct {
	at   int64
	then Class // None: at is the exit
}

// operationEnds returns the ends for a thread's calls; it reuses room, such as another thread's ends.
func (a *analysis) operationEnds(watch *parallel.Watch, thread int32, room []operationEnd) []operationEnd {
	r, l := a.out, &a.lanes[thread]
	ends := room[:0]
	for k := range l.calls.len() {
		watch.Step()
		end := operationEnd{at: -1}
		if l.linked.Has(k) {
			end.at = l.calls.exit[k]
		}
		ends = append(ends, end)
	}
	for _, k := range l.took {
		watch.Step()
		x, p := &r.Instances[k.instance], &r.parts[k.part]
		if x.Parts < 2 || p.call < 0 {
			continue
		}
		ends[p.call] = operationEnd{at: p.exit}
		after, completes := completions[x.Class]
		if from := max(x.Left, x.Last); completes && from < p.exit && from >= p.enter {
			ends[p.call] = operationEnd{from, after}
		}
	}
	return ends
}

// callParts calls do for each non-waiting part of a thread's calls, in order of time.
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

// Waiting returns the waiting time of all threads, including idle workers.
func (r *Result) Waiting() (sum wide.Int) {
	for i := range Classes {
		if c := &Classes[i]; c.Waiting {
			sum = sum.Plus(r.Totals[c.Class].Time)
		}
	}
	return sum
}
