package semantic

import (
	"sort"

	"pview/prv"
)

// Thread functions on messages that one end waits for. A partner is late from the time this end is ready in a call
// until the partner acts. Only time in a call counts: a receive that was posted long before the send costs nothing
// while its thread computes.
//
//	receiver  ....Irecv.........[ Wait        ]     sender    [ Send        ]
//	                            |<-late->|                    |<-late->|
//	sender    .........................[ Send ]     receiver  .........[ Recv ]

var lateFunctions = []Entry{
	{Name: "Late Sender", Meaning: Times, Own: true, Group: "Communication (late)",
		Doc: "wait for a message that is not sent yet: from the begin of the receiver's call to the send; the " +
			"longest where several are awaited", History: true,
		thread: threadFunc{toStates | to(ownRecv, ownRecvPhys, farSend), late(prv.LogicalRecv, lateSender)}},
	{Name: "Late Receiver", Meaning: Times, Own: true, Group: "Communication (late)",
		Doc: "wait of a send whose receive is not posted yet: from the send to the receive, within the call; the " +
			"longest where there are several", History: true,
		thread: threadFunc{toStates | to(ownSend, ownSendPhys, farRecv), late(prv.LogicalSend, lateReceiver)}},
}

// lateSender returns when a message keeps its receiver waiting; never if begin >= end.
func lateSender(t *prv.Trace, i int32) (begin, end int64) {
	c := &t.Comms.Times
	done := c[prv.PhysicalRecv][i]
	begin = c[prv.LogicalRecv][i]
	s := &t.Threads[t.Comms.Thread(int(i), prv.LogicalRecv)].States
	// The call that completes the receive is the last state that begins before its end.
	at := sort.Search(len(s.Begin), func(k int) bool { return s.Begin[k] >= done }) - 1
	if at < 0 || s.Value[at] == running {
		return done, done
	}
	return max(begin, s.Begin[at]), min(c[prv.LogicalSend][i], done)
}

// lateReceiver returns when a message keeps its sender waiting in the call that sends it.
func lateReceiver(t *prv.Trace, i int32) (begin, end int64) {
	c := &t.Comms.Times
	return c[prv.LogicalSend][i], min(c[prv.LogicalRecv][i], c[prv.PhysicalSend][i])
}

// LateSender returns how long a message kept its receiver waiting because it was not sent yet, in the trace's unit.
func LateSender(t *prv.Trace, message int) int64 {
	begin, end := lateSender(t, int32(message))
	return max(end-begin, 0)
}

// LateReceiver returns how long a message kept its sender waiting because its receive was not posted yet.
func LateReceiver(t *prv.Trace, message int) int64 {
	begin, end := lateReceiver(t, int32(message))
	return max(end-begin, 0)
}

// late makes the function of one end: in each burst, the longest wait in progress.
func late(own prv.Role, interval func(t *prv.Trace, i int32) (begin, end int64)) func(*threadRow, *marks, params,
	[]float64) {
	return func(x *threadRow, m *marks, _ params, v []float64) {
		for _, i := range x.records().Comm[own] {
			begin, end := interval(x.trace, i)
			if begin >= end || !x.pass.Comms.Has(int(i)) {
				continue
			}
			wait := x.clock.at(end - begin)
			for k := sort.Search(len(m.time), func(k int) bool {
				return m.time[k] >= begin
			}); k < len(m.time) && m.time[k] < end; k++ {
				v[k] = max(v[k], wait)
			}
		}
	}
}
