package semantic

import "pview/prv"

// Thread functions on messages that wait in a queue: at their sender for buses, links or the receiver, at their
// receiver to be taken. They need the logical and the physical ends, so a filter that leaves out either leaves nothing.

var queueFunctions = []Entry{
	{Name: "Messages Queued To Send", Own: true, Group: "Communication (queues)",
		Doc: "messages that the thread has sent logically and not yet physically: they wait for buses, links or their receiver", History: true,
		thread: queued(toSends, prv.LogicalSend, prv.PhysicalSend, ownSend, ownSendPhys)},
	{Name: "Messages Queued To Receive", Own: true, Group: "Communication (queues)",
		Doc: "messages that have arrived at the thread before it has posted their receive", History: true,
		thread: queued(toReceives, prv.PhysicalRecv, prv.LogicalRecv, ownRecvPhys, ownRecv)},
}

// queued makes the function that counts the messages between two of their times.
func queued(listen listening, from, to prv.Role, enter, leave markKind) threadFunc {
	return threadFunc{listen, func(x *threadRow, m *marks, _ params, v []float64) {
		if !x.pass.Comms.Logical() || !x.pass.Comms.Physical() {
			return
		}
		t := &x.trace.Comms.Times
		now := 0.0
		for k := 1; k < len(v); k++ {
			if i := m.rec[k]; t[from][i] < t[to][i] {
				switch m.kind[k] {
				case enter:
					now++
				case leave:
					now--
				}
			}
			v[k] = now
		}
	}}
}
