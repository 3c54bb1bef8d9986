package dimemas

// A program from the states and messages of a trace without MPI events.
//
// The computation of a thread is its Running states; all others are some kind of waiting, which the simulator rebuilds.
// A message needs only its record: it is sent at its logical send, its receive is posted at its logical receive, and
// awaited at its arrival: no later, since the thread's next actions may need it, and no earlier. At one instant
// receives are posted first, then messages sent, then awaited, so that partners that exchange messages do not deadlock.

import (
	"cmp"
	"context"
	"math"
	"slices"

	"pview/prv"
	"pview/sim"
)

// stateRunning is the number of the state Running.
const stateRunning = 1

// hasCalls reports whether a trace has any MPI call.
func hasCalls(t *prv.Trace) bool {
	for i := range t.Threads {
		e := &t.Threads[i].Events
		for k, typ := range e.Type {
			if isCall(typ) && e.Value.At(k) != 0 {
				return true
			}
		}
	}
	return false
}

// knownByStates reports whether the program should be made from states and messages: there are no calls, and there are
// messages or, if threads do not synchronise by OpenMP, computation.
func (tr *translator) knownByStates() bool {
	if hasCalls(tr.t) || tr.opt.CounterType != 0 {
		return false
	}
	openMP := slices.ContainsFunc(tr.p.Tasks, func(t sim.Task) bool { return t.OpenMP })
	return tr.t.Comms.Len() > 0 || !openMP && slices.ContainsFunc(tr.t.Threads, func(th prv.Thread) bool {
		return slices.Contains(th.States.Value, stateRunning)
	})
}

// byStates translates a thread of such a trace.
type byStates struct {
	*threadTranslator
	state int   // the first one that ends after the last record
	done  int64 // end of the computation written so far
}

func (th *threadTranslator) runByStates(ctx context.Context) error {
	b := &byStates{threadTranslator: th}
	th.out.AddCompute(0)
	e, ends := &th.th.Events, b.marks()
	for first, n := 0, 0; first < e.Len() || len(ends) > 0; n++ {
		if err := th.step(ctx, n); err != nil {
			return err
		}
		if len(ends) == 0 || first < e.Len() && e.Time[first] <= ends[0].time {
			b.compute(e.Time[first])
			th.out.AddEvent(e.Type[first], e.Value.At(first))
			first++
			continue
		}
		b.compute(ends[0].time)
		b.end(ends[0])
		ends = ends[1:]
	}
	if s := &th.th.States; s.Len() > 0 {
		b.compute(max(s.End[s.Len()-1], s.Begin[s.Len()-1]))
	}
	return nil
}

// marks returns the posts, sends and waits of the thread, in order.
func (b *byStates) marks() []messageEnd {
	c := &b.tr.t.Comms
	ends := slices.DeleteFunc(b.messageEnds(), func(e messageEnd) bool { return e.kind == physicalSend })
	for i := range ends {
		if end := &ends[i]; end.kind == physicalRecv {
			end.time = max(end.time, c.Times[prv.LogicalRecv][end.comm])
		}
	}
	slices.SortFunc(ends, func(a, b messageEnd) int {
		return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.kind, b.kind), cmp.Compare(a.comm, b.comm))
	})
	return ends
}

// end writes an end of a message. A sender that computes right after its send does not wait for it.
func (b *byStates) end(end messageEnd) {
	c := &b.tr.t.Comms
	kind, peer := sim.Wait, c.Send[end.comm]
	switch end.kind {
	case logicalRecv:
		kind = sim.Irecv
	case logicalSend:
		kind, peer = sim.Send, c.Recv[end.comm]
		if s := &b.th.States; b.state < s.Len() && s.Value[b.state] == stateRunning && s.Begin[b.state] <= end.time {
			kind = sim.Isend
		}
	}
	b.addMessage(kind, peer, end.comm)
}

// compute writes the computation of the thread up to a time.
func (b *byStates) compute(until int64) {
	s := &b.th.States
	ran := int64(0)
	for ; b.state < s.Len(); b.state++ {
		if s.Value[b.state] == stateRunning {
			ran += max(0, min(s.Until(b.state, until), until)-max(s.Begin[b.state], b.done))
		}
		if s.Until(b.state, math.MaxInt64) > until {
			break
		}
	}
	b.done = max(b.done, until)
	if ran > 0 {
		b.out.AddCompute(float64(ran) * b.tr.unit)
	}
}
