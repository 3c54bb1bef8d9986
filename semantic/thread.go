package semantic

import (
	"slices"
	"sort"

	"pview/filter"
	"pview/prv"
)

// threadTable lists the thread functions by group.
var threadTable = slices.Concat(stateFunctions, eventFunctions)

// threadFunc is a thread function: which records it listens to, and which value
// each of them begins.
type threadFunc struct {
	listen listening
	// value fills v[k] for every mark k from 1 on. v[0], of the time before the
	// first record, is 0 already.
	value func(x *threadRow, m *marks, p params, v []float64)
}

// listening is the kinds of records that begin a burst.
type listening uint8

const (
	toNothing listening = iota
	toStates            // begins, and the ends that leave a gap
	toEvents            // those that pass the filter
)

// threadRow is what a thread function works on.
type threadRow struct {
	trace  *prv.Trace
	thread int32
	pass   *filter.Pass
	clock  clock // trace times -> window's unit
	states stateRules
}

func (x *threadRow) records() *prv.Thread { return &x.trace.Threads[x.thread] }

// marks are the records that a thread function listens to, in Paraver's order.
// Mark 0 is none: it stands for the time before the first record.
type marks struct {
	time []int64
	rec  []int32    // number of the state, row of the event; -1 for mark 0
	kind []markKind // nil where all are events
}

type markKind uint8

const (
	stateBegin markKind = iota
	stateEnd
	event
)

func newMarks(n int) *marks {
	m := &marks{time: make([]int64, 1, n+1), rec: make([]int32, 1, n+1)}
	m.rec[0] = -1
	return m
}

// row computes the thread's row, with the CPU of each burst's record where that
// is wanted.
func (x *threadRow) row(f bound, end int64, wantCPU bool) bursts {
	m := x.marks(f.thread.listen)
	v := make([]float64, len(m.time))
	f.thread.value(x, m, f.p, v)
	// What is at 0 or before is one burst, the last; what is at the end is none.
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
	if l == toStates {
		return x.stateMarks()
	}
	return x.eventMarks()
}

// cpus returns the CPU of the record of each mark; 0 where it is unknown.
func (x *threadRow) cpus(m *marks) []int32 {
	th := x.records()
	cpu := make([]int32, len(m.time))
	for k := 1; k < len(cpu); k++ {
		if m.kind == nil || m.kind[k] == event {
			cpu[k] = th.EventCPU(int(m.rec[k]))
		} else {
			cpu[k] = th.StateCPU(int(m.rec[k]))
		}
	}
	return cpu
}
