package waits

// Traces of a simulator, which knows when a message was sent and when it arrived. A wait is cut to states of waiting:
// startup, a context switch or a missing CPU are the thread's own time.

import (
	"sort"

	"pview/prv"
	"pview/prv/extrae"
)

// onlyWaiting cuts a wait to the waiting states that end with it or later.
func (f *finder) onlyWaiting(w Wait) Wait {
	s := &f.t.Threads[f.thread].States
	k := sort.Search(s.Len(), func(i int) bool { return s.Begin[i] >= w.To }) - 1
	from := w.To
	for ; k >= 0 && f.states.Meaning(s.Value[k]) == extrae.Waiting && s.End[k] >= from && from > w.From; k-- {
		from = s.Begin[k]
	}
	w.From = max(w.From, from)
	return w
}

// fromSimulatedSends: in a trace with states only, a thread that waited, but received nothing at the end of the wait,
// waited for the receiver of an earlier message if that receiver became ready just then, or for a synchronous sender,
// at any time during the wait.
func (f *finder) fromSimulatedSends(k int32, received bool, best *Wait) {
	enter, exit := f.calls.enter[k], f.calls.exit[k]
	kind := f.calls.kind[k].Call
	if received || kind != extrae.Recv && kind != extrae.SyncSend {
		return
	}
	times := &f.t.Comms.Times
	const tries = 64
	i := sort.Search(len(f.sends), func(i int) bool { return times[prv.LogicalSend][f.sends[i].message] > enter })
	for n := 0; i > 0 && n < tries; n++ {
		i--
		m := f.sends[i].message
		posted := times[prv.LogicalRecv][m]
		if posted > enter && (posted == exit || kind == extrae.SyncSend && posted < exit) &&
			times[prv.PhysicalSend][m] >= posted {
			better(best, Wait{To: posted, Class: LateReceiver, Cause: f.t.Comms.Recv[m], Kind: ToMessage, Ref: m})
		}
	}
}
