package semantic

import (
	"cmp"
	"slices"

	"pview/prv"
)

// Thread functions on communications. The filter decides whether a communication has logical entries, physical entries
// or both.
//
// A message arrives at its *effective* receive, the later of the logical and the physical one. It is *negative* if it
// arrives no later than it was sent, which unsynchronised clocks cause.

var commFunctions = []Entry{
	{Name: "Last Tag", Group: "Communication", Doc: "tag of the last message received physically",
		thread: ofComm(to(ownRecvPhys), func(x *threadRow, i int32) float64 { return float64(x.trace.Comms.Tag[i]) })},
	{Name: "Comm Size", Meaning: Bytes, Group: "Communication", Doc: "bytes of the last message sent or received",
		thread: ofComm(toOwn, bytesOf)},
	{Name: "Comm Recv. Partner", Meaning: Partners, Group: "Communication",
		Doc:    "number of the sender of the next message received; 0 if none",
		thread: threadFunc{toReceives, recvPartners}},
	{Name: "Comm Partner", Meaning: Partners, Group: "Communication",
		Doc:    "number of the receiver of the last message sent",
		thread: ofComm(toSends, func(x *threadRow, i int32) float64 { return x.object(int(i), prv.LogicalRecv) })},
	{Name: "Last Send Dur.", Meaning: Times, Group: "Communication",
		Doc: "time from the last logical send to the effective receive of its message",
		thread: ofComm(to(ownSend), func(x *threadRow, i int32) float64 {
			return x.clock.at(x.effective(int(i)) - x.trace.Comms.Times[prv.LogicalSend][i])
		})},
	{Name: "Next Recv Dur.", Meaning: Times, Group: "Communication",
		Doc:    "time from the last logical receive to the logical send of the message received next",
		thread: threadFunc{to(ownRecv), nextRecvDurations}},
	{Name: "Last Send Size", Meaning: Bytes, Group: "Communication", Doc: "bytes of the last message sent logically",
		thread: ofComm(to(ownSend), bytesOf)},
	{Name: "Send Bytes in Transit", Meaning: Bytes, Group: "Communication", Doc: "bytes in transit from the thread",
		History: true, thread: inTransit(toSendTransit, ownSend, farRecv, bytesOf)},
	{Name: "Send Messages in Transit", Group: "Communication", Doc: "messages in transit from the thread",
		History: true, thread: inTransit(toSendTransit, ownSend, farRecv, one)},
	{Name: "Send BandWidth", Meaning: Bandwidths, Group: "Communication",
		Doc: "sum of size / factor / duration over the messages in transit from the thread", History: true,
		Params: byteFactor, thread: bandwidth(toSendTransit, ownSend, farRecv)},
	{Name: "Recv Bytes in Transit", Meaning: Bytes, Group: "Communication", Doc: "bytes in transit to the thread",
		History: true, thread: inTransit(toRecvTransit, farSend, ownRecv, bytesOf)},
	{Name: "Recv Messages in Transit", Group: "Communication", Doc: "messages in transit to the thread",
		History: true, thread: inTransit(toRecvTransit, farSend, ownRecv, one)},
	{Name: "Recv BandWidth", Meaning: Bandwidths, Group: "Communication",
		Doc: "sum of size / factor / duration over the messages in transit to the thread", History: true,
		Params: byteFactor, thread: bandwidth(toRecvTransit, farSend, ownRecv)},
	{Name: "Recv Negative Messages", Group: "Communication",
		Doc: "messages received before they were sent, between receive and send", History: true,
		thread: negative(one)},
	{Name: "Recv Negative Bytes", Meaning: Bytes, Group: "Communication",
		Doc: "bytes of the messages received before they were sent, between receive and send", History: true,
		thread: negative(bytesOf)},
	{Name: "Number Of Sends", Group: "Communication", Doc: "messages sent so far", History: true,
		thread: countSends(one)},
	{Name: "Number Of Send Bytes", Meaning: Bytes, Group: "Communication", Doc: "bytes sent so far", History: true,
		thread: countSends(bytesOf)},
	{Name: "Number Of Receives", Group: "Communication", Doc: "messages received so far", History: true,
		thread: countReceives(one)},
	{Name: "Number Of Receive Bytes", Meaning: Bytes, Group: "Communication", Doc: "bytes received so far",
		History: true, thread: countReceives(bytesOf)},

	{Name: "Last Size", Meaning: Bytes, Group: "Communication (thesis)",
		Doc: "bytes of the last message received physically", thread: ofComm(to(ownRecvPhys), bytesOf)},
}

var (
	toSends       = to(ownSend, ownSendPhys)
	toReceives    = to(ownRecv, ownRecvPhys)
	toOwn         = toSends | toReceives
	toSendTransit = toSends | to(farRecv, farRecvPhys)
	toRecvTransit = toReceives | to(farSend, farSendPhys)

	byteFactor = []Param{{Name: "Byte factor", Default: []float64{1}}}
)

// Thread functions on messages that wait in a queue: at their sender for buses, links or the receiver, at their
// receiver for its call. They need both the logical and the physical times: if the filter excludes either, they count
// none.

var queueFunctions = []Entry{
	{Name: "Messages Queued To Send", Own: true, Group: "Communication (queues)",
		Doc: "messages that the thread has sent logically and not yet physically: they wait for buses, links or " +
			"their " +
			"receiver", History: true,
		thread: queued(toSends, prv.LogicalSend, prv.PhysicalSend, ownSend, ownSendPhys)},
	{Name: "Messages Queued To Receive", Own: true, Group: "Communication (queues)",
		Doc: "messages that have arrived at the thread before it has posted their receive", History: true,
		thread: queued(toReceives, prv.PhysicalRecv, prv.LogicalRecv, ownRecvPhys, ownRecv)},
}

// ofComm makes a thread function from a function of a mark's communication.
func ofComm(listen listening, value func(x *threadRow, i int32) float64) threadFunc {
	return threadFunc{listen, func(x *threadRow, m *marks, _ params, v []float64) {
		for k := 1; k < len(v); k++ {
			v[k] = value(x, m.rec[k])
		}
	}}
}

// summing makes a thread function that sums the changes caused by the entries of communications.
func summing(listen listening, change func(x *threadRow, kind markKind, i int32) float64) threadFunc {
	return threadFunc{listen, func(x *threadRow, m *marks, _ params, v []float64) {
		now := 0.0
		for k := 1; k < len(v); k++ {
			now += change(x, m.kind[k], m.rec[k])
			v[k] = now
		}
	}}
}

// entry is a record of a communication in a thread.
type entry struct {
	time int64
	comm int32
	kind markKind
}

func (a entry) compare(b entry) int {
	if a.time != b.time {
		return cmp.Compare(a.time, b.time)
	}
	if x, y := kindOrder[a.kind], kindOrder[b.kind]; x != y {
		return cmp.Compare(x, y)
	}
	return cmp.Compare(a.comm, b.comm)
}

// before is compare(b) < 0, for the loops that merge.
func (a entry) before(b entry) bool {
	if a.time != b.time {
		return a.time < b.time
	}
	return a.compare(b) < 0
}

// commMarks returns the entries of communications that the function listens to and that pass the filter.
func (x *threadRow) commMarks(l listening) *marks {
	all := x.entries(l, true)
	m := newMarks(len(all))
	for _, e := range all {
		m.add(e.time, e.comm, e.kind)
	}
	return m
}

// entries returns the thread's entries of the given kinds in Paraver's order, on demand only those that pass the
// filter.
func (x *threadRow) entries(l listening, filtered bool) []entry {
	var all []entry
	for kind := ownSend; kind < numMarkKinds; kind++ {
		if !l.has(kind) {
			continue
		}
		role := kind.role()
		own := role
		if kind >= farSend {
			own ^= 2 // the logical end of the other side
		}
		list := x.entriesOf(kind, role, x.records().Comm[own], filtered)
		if !inOrder(list) {
			slices.SortStableFunc(list, entry.compare)
		}
		all = mergeEntries(all, list)
	}
	return all
}

func inOrder(list []entry) bool {
	for i := 1; i < len(list); i++ {
		if list[i].before(list[i-1]) {
			return false
		}
	}
	return true
}

func (x *threadRow) entriesOf(kind markKind, role prv.Role, comms []int32, filtered bool) []entry {
	pass := &x.pass.Comms
	if filtered && !role.IsLogical() && !pass.Physical() && role != prv.PhysicalRecv {
		return nil
	}
	list := make([]entry, 0, len(comms))
	times := x.trace.Comms.Times[role]
	for _, i := range comms {
		if !filtered || pass.Role(int(i), role) {
			list = append(list, entry{times[i], i, kind})
		}
	}
	return list
}

func mergeEntries(a, b []entry) []entry {
	if len(a) == 0 {
		return b
	}
	out := make([]entry, 0, len(a)+len(b))
	i := 0
	for _, e := range a {
		for i < len(b) && b[i].before(e) {
			out = append(out, b[i])
			i++
		}
		out = append(out, e)
	}
	return append(out, b[i:]...)
}

// counting returns the weight of a communication in a sum: 1 or its size.
type counting func(x *threadRow, i int32) float64

func one(*threadRow, int32) float64 { return 1 }

func bytesOf(x *threadRow, i int32) float64 { return float64(x.trace.Comms.Size[i]) }

// object returns the number of the thread, or of the CPU where rows are of CPUs,
// that has the given role in communication i.
func (x *threadRow) object(i int, r prv.Role) float64 {
	if x.byCPU {
		return float64(x.trace.CommCPU(i, r))
	}
	return float64(x.trace.Comms.Thread(i, r) + 1)
}

// effective returns the time at which communication i has arrived.
func (x *threadRow) effective(i int) int64 {
	t := &x.trace.Comms.Times
	return max(t[prv.LogicalRecv][i], t[prv.PhysicalRecv][i])
}

// isEffective reports whether a receive's entry is the later of the two; of two at the same time, the physical one.
func (x *threadRow) isEffective(kind markKind, i int32) bool {
	t := &x.trace.Comms.Times
	if kind.role() == prv.LogicalRecv {
		return t[prv.LogicalRecv][i] > t[prv.PhysicalRecv][i]
	}
	return t[prv.PhysicalRecv][i] >= t[prv.LogicalRecv][i]
}

// isNegative reports whether communication i arrives no later than it is sent, by
// the times that the filter asks for.
func (x *threadRow) isNegative(i int32) bool {
	t := &x.trace.Comms.Times
	if x.pass.Comms.Logical() {
		return x.effective(int(i)) <= t[prv.LogicalSend][i]
	}
	return t[prv.PhysicalRecv][i] <= t[prv.PhysicalSend][i]
}

// recvPartners looks ahead, past the filter, to the next effective receive; here, if both are at the same time, both
// count.
func recvPartners(x *threadRow, m *marks, _ params, v []float64) {
	all := x.entries(toReceives, false)
	j := 0
	for k := 1; k < len(v); k++ {
		here := entry{m.time[k], m.rec[k], m.kind[k]}
		for j < len(all) && (all[j].compare(here) <= 0 || all[j].time < x.effective(int(all[j].comm))) {
			j++
		}
		if j < len(all) {
			v[k] = x.object(int(all[j].comm), prv.LogicalSend)
		}
	}
}

// nextRecvDurations looks ahead, past the filter, to the next entry of a
// receive: often the physical one of the same message.
func nextRecvDurations(x *threadRow, m *marks, _ params, v []float64) {
	all := x.entries(toReceives, false)
	j := 0
	for k := 1; k < len(v); k++ {
		here := entry{m.time[k], m.rec[k], m.kind[k]}
		for j < len(all) && all[j].compare(here) <= 0 {
			j++
		}
		if j < len(all) {
			v[k] = x.clock.at(x.trace.Comms.Times[prv.LogicalSend][all[j].comm] - m.time[k])
		}
	}
}

// starts reports whether an entry is the start of a message, by the times that
// the filter asks for; send is the kind of its logical send.
func (x *threadRow) starts(kind, send markKind) bool {
	if x.pass.Comms.Logical() {
		return kind == send
	}
	return kind == send+1
}

// arrives reports whether an entry is the arrival of a message; recv is the kind
// of its logical receive.
func (x *threadRow) arrives(kind, recv markKind, i int32) bool {
	if x.pass.Comms.Logical() {
		return (kind == recv || kind == recv+1) && x.isEffective(kind, i)
	}
	return kind == recv+1
}

// inTransit makes the function that counts messages between their start and their arrival.
func inTransit(listen listening, send, recv markKind, count counting) threadFunc {
	return summing(listen, func(x *threadRow, kind markKind, i int32) float64 {
		switch {
		case x.isNegative(i):
		case x.starts(kind, send):
			return count(x, i)
		case x.arrives(kind, recv, i):
			return -count(x, i)
		}
		return 0
	})
}

// negative makes the function that counts negative messages between receive and send.
func negative(count counting) threadFunc {
	return summing(toRecvTransit, func(x *threadRow, kind markKind, i int32) float64 {
		switch {
		case !x.isNegative(i):
		case x.starts(kind, farSend):
			return -count(x, i)
		case x.arrives(kind, ownRecv, i):
			return count(x, i)
		}
		return 0
	})
}

// bandwidth makes the function that adds up the bandwidths of the messages in transit. As in Paraver, the sum is kept
// in units of 1e-12, so that it returns to exactly 0.
func bandwidth(listen listening, send, recv markKind) threadFunc {
	return threadFunc{listen, func(x *threadRow, m *marks, p params, v []float64) {
		now := int64(0)
		for k := 1; k < len(v); k++ {
			i := m.rec[k]
			if d := x.duration(i); d != 0 && !x.isNegative(i) {
				rate := int64(float64(x.trace.Comms.Size[i]) / p.one(0) / x.clock.at(max(d, -d)) * 1e12)
				switch {
				case x.starts(m.kind[k], send):
					now += rate
				case x.arrives(m.kind[k], recv, i):
					now -= rate
				}
			}
			v[k] = float64(now) * 1e-12
		}
	}}
}

// duration returns how long communication i is in transit, by the times that the filter asks for.
func (x *threadRow) duration(i int32) int64 {
	t := &x.trace.Comms.Times
	switch {
	case x.pass.Comms.Logical() && t[prv.LogicalRecv][i] > t[prv.PhysicalRecv][i]:
		return t[prv.LogicalRecv][i] - t[prv.LogicalSend][i]
	case x.pass.Comms.Physical():
		return t[prv.PhysicalRecv][i] - t[prv.PhysicalSend][i]
	}
	return t[prv.PhysicalRecv][i] - t[prv.LogicalSend][i]
}

// countSends makes the function that counts sends from the beginning.
func countSends(count counting) threadFunc {
	return summing(toSends, func(x *threadRow, _ markKind, i int32) float64 { return count(x, i) })
}

// countReceives makes the function that counts receives from the beginning: all physical ones that pass, and of the
// logical ones those that are effective.
func countReceives(count counting) threadFunc {
	return summing(toReceives, func(x *threadRow, kind markKind, i int32) float64 {
		if kind == ownRecvPhys && x.pass.Comms.Physical() || x.pass.Comms.Logical() && x.isEffective(kind, i) {
			return count(x, i)
		}
		return 0
	})
}

// queued makes the function that counts the messages between two of their times.
func queued(listen listening, from, to prv.Role, enter, leave markKind) threadFunc {
	return summing(listen, func(x *threadRow, kind markKind, i int32) float64 {
		t := &x.trace.Comms.Times
		switch {
		case !x.pass.Comms.Logical() || !x.pass.Comms.Physical() || t[from][i] >= t[to][i]:
		case kind == enter:
			return 1
		case kind == leave:
			return -1
		}
		return 0
	})
}
