package dimemas

// Traces written by a simulation. Their messages arrive at the actual time, unlike in measured traces, where they
// arrive at the end of the receiving call; prv2dim drops the waits for messages that arrive outside of such a call. In
// a trace marked as predicted, the wait goes to the call that would have waited: to the end of the next call that waits
// for messages, or of the Sendrecv that posted the receive.

import (
	"pview/prv"
	"pview/prv/extrae"
)

// isPredicted reports whether a trace was written by a simulation.
func isPredicted(t *prv.Trace) bool { return extrae.Recognise(t.Labels) != extrae.Extrae }

// early has the messages of a thread that arrived outside of the call that waits for them.
type early struct {
	calls  int            // so far
	posted map[int32]int  // immediate receives not waited for, with the call that posted each
	there  map[int32]bool // messages that arrived before their receive was posted
	late   []int32        // messages to await in a later call, in order of arrival
}

func newEarly() *early { return &early{posted: map[int32]int{}, there: map[int32]bool{}} }

// arrives records an arrival outside of the right call.
func (e *early) arrives(comm int32) {
	if _, ok := e.posted[comm]; ok {
		e.late = append(e.late, comm)
	} else {
		e.there[comm] = true
	}
}

// waited records an arrival in a waiting call; it returns false if its receive is not posted yet.
func (e *early) waited(comm int32) bool {
	_, ok := e.posted[comm]
	delete(e.posted, comm)
	return ok
}

// posts records an immediate receive.
func (e *early) posts(comm int32) {
	e.posted[comm] = e.calls
	if e.there[comm] {
		delete(e.there, comm)
		e.late = append(e.late, comm)
	}
}

// waits returns the messages that a call waits for at its end, in addition to those that arrived within it. A call that
// posts receives waits for these only.
func (e *early) waits(u use) (now []int32) {
	if u.physicalRecv == 0 || len(e.late) == 0 {
		return nil
	}
	left := e.late[:0:0]
	for _, comm := range e.late {
		if u.logicalRecv != 0 && e.posted[comm] != e.calls {
			left = append(left, comm)
			continue
		}
		delete(e.posted, comm)
		now = append(now, comm)
	}
	e.late = left
	return now
}
