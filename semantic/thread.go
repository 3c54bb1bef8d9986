package semantic

import (
	"slices"
	"sort"

	"pview/filter"
	"pview/prv"
)

// threadTable lists the thread functions by group.
var threadTable = slices.Concat(stateFunctions, eventFunctions, commFunctions, lateFunctions, queueFunctions,
	objectFunctions, []Entry{userThread})

// threadFunc is a thread function: which records it listens to, and which value
// each of them begins.
type threadFunc struct {
	listen listening
	// value fills v[k] for every mark k. v[0], for the time before the first record, is already 0.
	value func(x *threadRow, m *marks, p params, v []float64)
}

// listening is a set of kinds of records, those that begin a burst.
type listening uint16

const (
	toStates  listening = 1 << iota // begins, and ends that leave a gap
	toEvents                        // those that pass the filter
	toObjects                       // every begin and end of a state, and the events that pass
	// The bits from here on are entries of communications that pass the filter, own and of the other end, in the order
	// of markKind.
	toComms
)

// to returns the bits of the given kinds of entries.
func to(kinds ...markKind) (l listening) {
	for _, k := range kinds {
		l |= toComms << (k - ownSend)
	}
	return l
}

// has reports whether a kind of entry of a communication is among those listened
// to.
func (l listening) has(k markKind) bool { return l>>(k-ownSend)&toComms != 0 }

// comms reports whether l has communications.
func (l listening) comms() bool { return l >= toComms }

// threadRow is the input of a thread function.
type threadRow struct {
	trace  *prv.Trace
	thread int32
	pass   *filter.Pass
	clock  clock // trace times -> window's unit
	states stateRules
	byCPU  bool // the rows are of CPUs: partners are CPUs then
}

func (x *threadRow) records() *prv.Thread { return &x.trace.Threads[x.thread] }

// marks are the records that a thread function listens to, in Paraver's order. Mark 0 is no record: it represents the
// time before the first one.
type marks struct {
	time []int64
	rec  []int32    // number of the state or communication, row of the event; -1 for mark 0
	kind []markKind // nil where all are events
}

type markKind uint8

// The kinds of records. A communication makes four entries at each end: its own two times and, to show messages in
// transit, the two times of the other end.
const (
	stateBegin markKind = iota
	stateEnd
	event
	ownSend      // logical send, at the sender
	ownSendPhys  // physical send
	ownRecv      // logical receive, at the receiver
	ownRecvPhys  // physical receive
	farSend      // logical send, at the receiver
	farSendPhys  // physical send
	farRecv      // logical receive, at the sender
	farRecvPhys  // physical receive
	numMarkKinds // of kinds
)

// kindOrder is the order of records at one time.
var kindOrder = [numMarkKinds]uint8{
	stateEnd: 0, ownRecvPhys: 1, ownSend: 4, ownSendPhys: 5, farSendPhys: 5, farRecvPhys: 5,
	event: 6, ownRecv: 6, farSend: 6, farRecv: 6, stateBegin: 8,
}

// role returns the role of an entry of a communication.
func (k markKind) role() prv.Role {
	if k >= farSend {
		return prv.Role(k - farSend)
	}
	return prv.Role(k - ownSend)
}

// newMarks returns mark 0, with room for n more.
func newMarks(n int) *marks {
	return &marks{time: make([]int64, 1, n+1), rec: append(make([]int32, 0, n+1), -1), kind: make([]markKind, 1, n+1)}
}

func (m *marks) add(t int64, rec int32, k markKind) {
	m.time = append(m.time, t)
	m.rec = append(m.rec, rec)
	m.kind = append(m.kind, k)
}

// row computes the thread's row, with the CPU of each burst's record if wanted.
func (x *threadRow) row(f bound, end int64, wantCPU bool) bursts {
	m := x.marks(f.thread.listen)
	v := make([]float64, len(m.time))
	f.thread.value(x, m, f.p, v)
	// Of the marks at 0 or before, the last one gives the first burst; marks at the end give none.
	lo := sort.Search(len(m.time), func(i int) bool { return m.time[i] > 0 }) - 1
	hi := max(lo+1, sort.Search(len(m.time), func(i int) bool { return m.time[i] >= end }))
	b := bursts{begin: m.time[lo:hi:hi], value: v[lo:hi:hi], end: end}
	b.begin[0] = 0
	if wantCPU {
		b.cpu = x.cpus(m)[lo:hi:hi]
	}
	return b
}

func (x *threadRow) marks(l listening) *marks {
	switch {
	case l == toStates:
		return x.stateMarks()
	case l == toObjects:
		return x.objectMarks()
	case l == toEvents:
		return x.eventMarks()
	case l.comms() && l&(toStates|toEvents) == 0:
		return x.commMarks(l)
	}
	return x.mixedMarks(l)
}

// cpus returns the CPU of the record of each mark; 0 if unknown.
func (x *threadRow) cpus(m *marks) []int32 {
	th := x.records()
	cpu := make([]int32, len(m.time))
	for k := 1; k < len(cpu); k++ {
		cpu[k] = x.cpu(th, m, k)
	}
	return cpu
}

func (x *threadRow) cpu(th *prv.Thread, m *marks, k int) int32 {
	i := int(m.rec[k])
	switch {
	case m.kind == nil || m.kind[k] == event:
		return th.EventCPU(i)
	case m.kind[k] < event:
		return th.StateCPU(i)
	}
	// An entry with the other end's time has the CPU of this end.
	r := m.kind[k].role()
	if m.kind[k] >= farSend {
		r ^= 2
	}
	return x.trace.CommCPU(i, r)
}
