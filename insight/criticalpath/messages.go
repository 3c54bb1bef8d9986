package criticalpath

// Waits for messages.

import (
	"sort"

	"pview/prv"
	"pview/sim"
)

// followMessage goes through a wait for a message.
func (f *finder) followMessage(record int, begin int64) bool {
	tried := f.again(record)
	if f.followArrival(begin, tried) {
		return true
	}
	return tried == 0 && f.followRendezvous(begin)
}

// inTime returns the communications of a thread whose times in a role lie in [from, to].
func (f *finder) inTime(thread int32, r prv.Role, from, to int64) []int32 {
	list, times := f.t.Threads[thread].Comm[r], f.t.Comms.Times[r]
	lo := sort.Search(len(list), func(i int) bool { return times[list[i]] >= from })
	hi := lo + sort.Search(len(list)-lo, func(i int) bool { return times[list[lo+i]] > to })
	return list[lo:hi]
}

// lookup returns the last state of a thread that begins before a time; -1 for none.
func (f *finder) lookup(thread int32, before int64) int {
	begin := f.t.Threads[thread].States.Begin
	return sort.Search(len(begin), func(i int) bool { return begin[i] >= before }) - 1
}

// followArrival: the thread waited from begin until a message arrived, now. If several arrived, the one whose sender
// was ready first is tried first. A sender that became ready at this same instant may itself have waited for this
// thread, so when the path comes back the next one is tried.
func (f *finder) followArrival(begin int64, tried int) bool {
	times := &f.t.Comms.Times
	type arrival struct {
		comm  int32
		ready int64
	}
	var now []arrival // senders that became ready at this instant
	for _, c := range f.inTime(f.thread, prv.PhysicalRecv, f.at, f.at) {
		if times[prv.LogicalRecv][c] > begin {
			continue
		}
		ready := f.senderReady(c)
		if ready < f.at {
			f.alongTransfer(c, begin, ready)
			return true
		}
		now = append(now, arrival{c, ready})
	}
	if tried < len(now) {
		f.alongTransfer(now[tried].comm, begin, now[tried].ready)
		return true
	}
	return false
}

// senderReady returns the time at which a sender had done its part: the latency after its logical send.
func (f *finder) senderReady(c int32) int64 {
	sent, left := f.t.Comms.Times[prv.LogicalSend][c], min(f.t.Comms.Times[prv.PhysicalSend][c], f.at)
	th := f.t.Comms.Send[c]
	s := &f.t.Threads[th].States
	at := sent
	for k := f.lookup(th, sent) + 1; k < s.Len() && s.Begin[k] == at && at < left; k++ {
		at = f.end(th, k)
		switch f.value(th, k) {
		case uint32(sim.StateReady), uint32(sim.StateSwitch):
			continue
		case uint32(sim.StateStartup):
			return min(at, left)
		}
		break
	}
	return min(sent, left)
}

// alongTransfer goes from the arrival of a message, which its receiver awaited since begin, to the thread that
// triggered the transfer: the sender, or, if the message had to wait for its receiver, the receiver itself.
func (f *finder) alongTransfer(c int32, begin, ready int64) {
	sent := min(f.t.Comms.Times[prv.PhysicalSend][c], f.at)
	posted := f.t.Comms.Times[prv.LogicalRecv][c]
	if ready < f.at {
		if met := f.receiverMet(c, ready, begin, posted); met >= 0 {
			f.stay(sent, Transfer)
			f.stay(met, Resources)
			f.jump(f.t.Comms.Recv[c])
			return
		}
	}
	f.stay(sent, Transfer)
	f.stay(ready, Resources)
	f.jump(f.t.Comms.Send[c])
}

// receiverMet returns the time at which the receiver of a message triggered its transfer, after the sender was ready;
// -1: it did not. A blocked sender continues at that instant; otherwise only the physical send shows it.
func (f *finder) receiverMet(c int32, ready, begin, posted int64) int64 {
	sent, th := f.t.Comms.Times[prv.PhysicalSend][c], f.t.Comms.Send[c]
	if s, k := &f.t.Threads[th].States, f.lookup(th, ready)+1; k < s.Len() && s.Begin[k] == ready &&
		f.value(th, k) == uint32(sim.StateWaiting) {
		if end := f.end(th, k); end <= sent && (end == begin || end == posted) {
			return end
		}
	}
	if ready < sent && (sent == begin || sent == posted) {
		return sent
	}
	return -1
}

// followRendezvous: the thread waited from begin until the receiver of its message was ready, now.
func (f *finder) followRendezvous(begin int64) bool {
	list, times := f.t.Threads[f.thread].Comm[prv.LogicalSend], &f.t.Comms.Times
	i := sort.Search(len(list), func(i int) bool { return times[prv.LogicalSend][list[i]] > begin })
	for tries := 0; i > 0 && tries < 64; tries++ {
		i--
		c := list[i]
		if times[prv.PhysicalSend][c] >= f.at && f.senderReady(c) == begin && f.t.Comms.Recv[c] != f.thread {
			f.jump(f.t.Comms.Recv[c])
			return true
		}
	}
	return false
}

// followSending: the thread waited from begin until its message had arrived, now.
func (f *finder) followSending(record int, begin int64) bool {
	list, times := f.t.Threads[f.thread].Comm[prv.LogicalSend], &f.t.Comms.Times
	i := sort.Search(len(list), func(i int) bool { return times[prv.LogicalSend][list[i]] > begin })
	for tries := 0; i > 0 && tries < 64; tries++ {
		i--
		c := list[i]
		if ready := f.senderReady(c); times[prv.PhysicalRecv][c] == f.at && ready <= begin && ready < f.at {
			f.alongTransfer(c, times[prv.LogicalRecv][c], ready)
			return true
		}
	}
	return false
}

// startsMessage reports whether a startup that begins at a time belongs to a message.
func (f *finder) startsMessage(begin int64) bool {
	return len(f.inTime(f.thread, prv.LogicalSend, begin, begin)) > 0 ||
		len(f.inTime(f.thread, prv.LogicalRecv, begin, begin)) > 0
}
