package picl

// A thread of a trace as calls: each state other than computation, and, between them, calls that take no time.

import (
	"cmp"
	"iter"
	"math"
	"sort"

	"pview/prv"
	"pview/prv/extrae"
)

// process generates the moments of a thread.
type process struct {
	*writer
	th    *prv.Thread
	yield func(moment) bool
	over  bool // yield returned false
	last  int64

	at    [4]int // next of each role's messages
	event int    // next event
	open  []functionKey
	mpi   []int32 // collective operations of the open MPI calls

	sent, received int32 // messages that the current state begins or ends with; -1: none
	before         int32 // received by the previous state
	blocking       bool  // the receive begins with the state
}

// moments returns the records of a thread, in the order of time.
func (o *writer) moments(thread int) iter.Seq[moment] {
	return func(yield func(moment) bool) {
		p := &process{writer: o, th: &o.t.Threads[thread], yield: yield, sent: -1, received: -1, before: -1}
		p.run()
	}
}

// put adds a record.
func (p *process) put(time int64, k kind, event, comm int32) {
	p.last = max(p.last, time)
	if !p.over && !p.yield(moment{p.last, k, event, comm}) {
		p.over = true
	}
}

// instant adds a call that takes no time.
func (p *process) instant(time int64, event, comm int32) {
	p.put(time, enter, event, comm)
	p.put(time, leave, event, comm)
}

func (p *process) run() {
	s := &p.th.States
	begin, end := p.traced()
	p.put(begin, enter, envelope, -1)
	for i := range s.Begin {
		b, e := max(s.Begin[i], p.last), s.Until(i, p.t.Duration)
		m := p.states.Meaning(s.Value[i])
		if e <= b || callOf[m] == 0 || p.over {
			continue
		}
		p.until(b-1, false)
		event := p.call(m, b, e)
		p.until(b, false)
		if n := len(p.mpi); event == 0 && n > 0 && (m == extrae.Waiting || m == extrae.Communicating) {
			event = p.mpi[n-1]
		}
		event = cmp.Or(event, callOf[m])
		p.put(b, enter, event, p.message(event))
		p.until(e-1, true)
		p.put(e, leave, event, p.message(event))
	}
	p.until(math.MaxInt64, false)
	for range p.open {
		p.closeFunction(p.last)
	}
	p.put(end, leave, envelope, -1)
}

// traced returns the thread's first and last time.
func (p *process) traced() (begin, end int64) {
	s := &p.th.States
	first := true
	for i := range s.Begin {
		if p.states.Meaning(s.Value[i]) == extrae.Absent {
			continue
		}
		if first {
			begin, first = s.Begin[i], false
		}
		end = max(end, s.Begin[i], s.End[i])
	}
	if first {
		end = p.t.Duration
	}
	return begin, end
}

// call returns the system event of a state by its messages: one sent at its begin, or one received at its end; 0 if
// neither.
func (p *process) call(m extrae.Meaning, b, e int64) int32 {
	p.before, p.sent, p.received, p.blocking = p.received, -1, -1, false
	if m != extrae.Waiting && m != extrae.Communicating {
		return 0
	}
	sent, received := p.sentAt(b), p.receivedAt(b, e)
	switch {
	case received >= 0 && (m == extrae.Waiting || sent < 0):
		p.received = received
		if p.blocking = p.t.Comms.Times[prv.LogicalRecv][received] == b; p.blocking {
			return recvBlocked
		}
		return waitRecvLong
	case sent >= 0 && m == extrae.Waiting:
		p.sent = sent
		return syncSend
	case sent >= 0:
		p.sent = sent
		return sendEvent
	}
	return 0
}

// message returns the message of the current state's call.
func (p *process) message(event int32) int32 {
	if event == syncSend || event == sendEvent {
		return p.sent
	}
	return p.received
}

// sentAt finds a message that is sent at a time; -1: none.
func (p *process) sentAt(t int64) int32 {
	list, times := p.th.Comm[prv.LogicalSend], p.t.Comms.Times[prv.LogicalSend]
	i := sort.Search(len(list), func(i int) bool { return times[list[i]] >= t })
	if i < len(list) && times[list[i]] == t {
		return list[i]
	}
	return -1
}

// receivedAt finds a message whose receive ends with a state and begins no later than it; -1: none.
func (p *process) receivedAt(b, e int64) int32 {
	list, times, posted := p.th.Comm[prv.PhysicalRecv], p.t.Comms.Times[prv.PhysicalRecv],
		p.t.Comms.Times[prv.LogicalRecv]
	found := int32(-1)
	for i := sort.Search(len(list), func(i int) bool {
		return times[list[i]] >= e
	}); i < len(list) && times[list[i]] == e; i++ {
		switch c := list[i]; {
		case posted[c] == b:
			return c
		case posted[c] < b && found < 0:
			found = c
		}
	}
	return found
}

// until adds the calls that take no time up to a time. Functions that begin or end within a call do so after it.
func (p *process) until(time int64, within bool) {
	for !p.over {
		which, at := -1, int64(math.MaxInt64)
		for i, next := range [...]int64{p.next(prv.PhysicalRecv), p.nextEvent(within), p.next(prv.LogicalRecv),
			p.next(prv.LogicalSend)} {
			if next < at {
				which, at = i, next
			}
		}
		if which < 0 || at > time {
			return
		}
		[...]func(*process, int64){(*process).complete, (*process).function, (*process).post, (*process).send}[which](p,
			at)
	}
}

// next returns the time of the next message of a role.
func (p *process) next(r prv.Role) int64 {
	if list := p.th.Comm[r]; p.at[r] < len(list) {
		return p.t.Comms.Times[r][list[p.at[r]]]
	}
	return math.MaxInt64
}

// take returns the next message of a role.
func (p *process) take(r prv.Role) int32 {
	p.at[r]++
	return p.th.Comm[r][p.at[r]-1]
}

// nextEvent returns the time of the next event of a call or function.
func (p *process) nextEvent(within bool) int64 {
	ev := &p.th.Events
	for !within && p.event < len(ev.Type) {
		if typ := ev.Type[p.event]; p.of(typ, extrae.Functions) || p.of(typ, extrae.MPI) {
			return ev.Time[p.event]
		}
		p.event++
	}
	return math.MaxInt64
}

// complete adds the end of a receive for which the thread did not wait. If the message arrived before its receive, post
// adds the end.
func (p *process) complete(at int64) {
	if c := p.take(prv.PhysicalRecv); c != p.received && c != p.before && p.t.Comms.Times[prv.LogicalRecv][c] < at {
		p.instant(at, waitRecv, c)
	}
}

// post adds the begin of a receive, and its end if the message had already arrived.
func (p *process) post(at int64) {
	c := p.take(prv.LogicalRecv)
	switch {
	case p.t.Comms.Times[prv.PhysicalRecv][c] <= at:
		p.instant(at, recvNow, c)
	case c != p.received || !p.blocking:
		p.instant(at, beginIrecv, c)
	}
}

// send adds a send that the thread does not wait for.
func (p *process) send(at int64) {
	if c := p.take(prv.LogicalSend); c != p.sent {
		p.instant(at, sendEvent, c)
	}
}

// function adds the begin or end of a user function, and notes the begins and ends of MPI calls.
func (p *process) function(at int64) {
	ev := &p.th.Events
	typ, value := ev.Type[p.event], ev.Value.At(p.event)
	p.event++
	switch {
	case p.of(typ, extrae.MPI) && value != 0:
		p.mpi = append(p.mpi, p.group(typ, value))
	case p.of(typ, extrae.MPI):
		p.mpi = p.mpi[:max(len(p.mpi)-1, 0)]
	case value != 0:
		k := functionKey{typ, value}
		p.open = append(p.open, k)
		p.put(at, enter, p.users[k], -1)
	case len(p.open) > 0:
		p.closeFunction(at)
	}
}

// closeFunction ends the innermost function.
func (p *process) closeFunction(at int64) {
	last := len(p.open) - 1
	k := p.open[last]
	p.open = p.open[:last]
	p.put(at, leave, p.users[k], -1)
}
