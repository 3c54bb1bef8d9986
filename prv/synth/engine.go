package synth

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"pview/prv"
)

// engine is a program being generated.
type engine struct {
	opt   *Options
	grid  grid
	sink  Sink // nil: only the clocks run
	rng   *rand.Rand
	res   *prv.Resources
	lanes []lane // one per thread

	waiting int // records and messages not passed on yet
	staying int // those that the last flush could not pass on

	comms []prv.Comm // not passed on yet, in no order
	heap  []laneHead
	pairs []prv.Pair // of the event being made

	// What steps remember from one task to the next.
	sent   []message
	posted []int64
	order  []int
	taken  [][credits]int64
}

// lane is a thread: its clock and its records that are not passed on yet.
type lane struct {
	now          int64
	cpu          int32
	node         int32
	instructions int64 // since the counters were last read
	cycles       int64
	ipc          int64 // instructions per 1000 cycles
	outside      int64 // ipc to return to after an MPI call
	function     int64 // user function that it is in

	records []record
	pairs   []prv.Pair
	next    int // first record that is not passed on
	open    int // the record of the state that the thread is in
}

// record is a state, or, if it has pairs, an event line.
type record struct {
	time, end int64
	state     uint32
	pairs     int32 // number of pairs
	from      int   // first pair
}

// laneHead is the time of a lane's next record; lane len(lanes) is for the messages.
type laneHead struct {
	time int64
	lane int32
}

func newEngine(g *Generator, sink Sink) *engine {
	e := &engine{
		opt: &g.opt, grid: g.grid, sink: sink, res: &g.head.Resources,
		rng: rand.New(rand.NewPCG(g.opt.Seed, 0x70766965772e7379)), lanes: make([]lane, g.head.NumThreads()),
	}
	firstFree := make([]int32, len(g.head.Nodes))
	for i := range e.lanes {
		node := g.head.ThreadNode(int32(i))
		e.lanes[i].node = node
		e.lanes[i].cpu = g.head.Nodes[node].FirstCPU + firstFree[node]
		firstFree[node]++
		e.lanes[i].ipc = 1000
		e.lanes[i].open = -1
	}
	return e
}

// main returns the first thread of a task, the one that calls MPI.
func (e *engine) main(task int) *lane { return &e.lanes[task*e.opt.Threads] }

// number returns the number of a task's first thread.
func (e *engine) number(task int) int32 { return int32(task * e.opt.Threads) }

// enter puts a thread into a state, from now on.
func (e *engine) enter(l *lane, state uint32) {
	if e.sink == nil {
		return
	}
	if l.open >= 0 {
		open := &l.records[l.open]
		if open.state == state {
			return
		}
		if open.time == l.now {
			open.state = state
			return
		}
		open.end = l.now
	}
	l.open = len(l.records)
	e.waiting++
	l.records = append(l.records, record{time: l.now, state: state})
}

// cyclesPerNs is the clock rate of the processors, in cycles per 1000 ns.
const cyclesPerNs = 2400

// pass lets time pass on a thread, which executes instructions meanwhile.
func (e *engine) pass(l *lane, ns int64) {
	l.now += ns
	cycles := ns * cyclesPerNs / 1000
	l.cycles += cycles
	l.instructions += cycles * l.ipc / 1000
}

// passUntil lets time pass until a time, if that is in the future.
func (e *engine) passUntil(l *lane, time int64) {
	if time > l.now {
		e.pass(l, time-l.now)
	}
}

// event begins an event line at the thread's present time; with adds a pair to it, counters adds the hardware counters,
// and emit ends it.
func (e *engine) event(typ uint32, value int64) {
	e.pairs = append(e.pairs[:0], prv.Pair{Type: typ, Value: value})
}

func (e *engine) with(typ uint32, value int64) {
	e.pairs = append(e.pairs, prv.Pair{Type: typ, Value: value})
}

func (e *engine) counters(l *lane) {
	if e.opt.NoCounters {
		return
	}
	e.with(typeInstructions, l.instructions)
	e.with(typeCycles, l.cycles)
	l.instructions, l.cycles = 0, 0
}

func (e *engine) emit(l *lane) {
	if e.sink == nil {
		return
	}
	e.waiting++
	l.records = append(l.records, record{time: l.now, pairs: int32(len(e.pairs)), from: len(l.pairs)})
	l.pairs = append(l.pairs, e.pairs...)
}

// comm adds a message.
func (e *engine) comm(c prv.Comm) {
	if e.sink != nil {
		e.waiting++
		e.comms = append(e.comms, c)
	}
}

// about returns a number near n: up to percent more or less.
func (e *engine) about(n int64, percent int64) int64 {
	spread := n * percent / 100
	if spread == 0 {
		return n
	}
	return n - spread + e.rng.Int64N(2*spread+1)
}

// latest returns the time of the clock that is furthest ahead.
func (e *engine) latest() (t int64) {
	for i := range e.lanes {
		t = max(t, e.lanes[i].now)
	}
	return t
}

// flush passes on the records that no later record can precede: those older than every open state. It waits until most
// records can be passed on, because the others are sorted and moved each time, and a pipeline starts with tasks far
// ahead.
func (e *engine) flush() {
	const enough = 1 << 15
	if e.sink == nil || e.waiting < 2*e.staying+enough {
		return
	}
	safe := e.lanes[0].safe()
	for i := range e.lanes {
		safe = min(safe, e.lanes[i].safe())
	}
	e.passOn(safe)
}

// safe returns the time that the next records of a lane cannot precede.
func (l *lane) safe() int64 {
	if l.open < 0 {
		return l.now
	}
	return l.records[l.open].time
}

// close ends all states and passes on the rest.
func (e *engine) close() {
	if e.sink == nil {
		return
	}
	end := e.latest()
	for i := range e.lanes {
		l := &e.lanes[i]
		if l.open < 0 {
			continue
		}
		if l.records[l.open].end = l.now; l.records[l.open].time == l.now {
			// A zero-length state at the very end is not worth a record, but it already has a place in the queue.
			l.records = slices.Delete(l.records, l.open, l.open+1)
		}
		l.open = -1
	}
	e.passOn(end + 1)
}

// passOn merges the records before the given time in time order, and passes them on.
func (e *engine) passOn(before int64) {
	slices.SortStableFunc(e.comms, func(a, b prv.Comm) int {
		return cmp.Compare(a.Times[prv.PhysicalSend], b.Times[prv.PhysicalSend])
	})
	e.heap = e.heap[:0]
	for i := range e.lanes {
		if l := &e.lanes[i]; l.next < len(l.records) && l.records[l.next].time < before {
			e.heap = append(e.heap, laneHead{l.records[l.next].time, int32(i)})
		}
	}
	sent := 0
	if len(e.comms) > 0 && e.comms[0].Times[prv.PhysicalSend] < before {
		e.heap = append(e.heap, laneHead{e.comms[0].Times[prv.PhysicalSend], int32(len(e.lanes))})
	}
	for i := len(e.heap)/2 - 1; i >= 0; i-- {
		siftDown(e.heap, i)
	}
	for len(e.heap) > 0 {
		time, ok := int64(0), false
		if i := e.heap[0].lane; int(i) < len(e.lanes) {
			time, ok = e.passRecord(i)
		} else {
			e.sink.Comm(e.comms[sent])
			if sent++; sent < len(e.comms) {
				time, ok = e.comms[sent].Times[prv.PhysicalSend], true
			}
		}
		if ok && time < before {
			e.heap[0].time = time
		} else {
			last := len(e.heap) - 1
			e.heap[0] = e.heap[last]
			e.heap = e.heap[:last]
		}
		siftDown(e.heap, 0)
	}
	e.comms = append(e.comms[:0], e.comms[sent:]...)
	e.staying = len(e.comms)
	for i := range e.lanes {
		e.lanes[i].compact()
		e.staying += len(e.lanes[i].records)
	}
	e.waiting = e.staying
}

// passRecord passes on a lane's next record and returns the time of the following one.
func (e *engine) passRecord(i int32) (time int64, ok bool) {
	l := &e.lanes[i]
	r := &l.records[l.next]
	if r.pairs > 0 {
		e.sink.Event(i, l.cpu, r.time, l.pairs[r.from:r.from+int(r.pairs)]...)
	} else {
		e.sink.State(i, l.cpu, r.time, r.end, r.state)
	}
	if l.next++; l.next == len(l.records) {
		return 0, false
	}
	return l.records[l.next].time, true
}

// compact frees the room of records that were passed on.
func (l *lane) compact() {
	if l.next == 0 {
		return
	}
	rest := l.records[l.next:]
	from := len(l.pairs)
	for i := range rest {
		if rest[i].pairs > 0 {
			from = rest[i].from
			break
		}
	}
	l.pairs = append(l.pairs[:0], l.pairs[from:]...)
	for i := range rest {
		rest[i].from -= from
	}
	l.records = append(l.records[:0], rest...)
	if l.open >= 0 {
		l.open -= l.next
	}
	l.next = 0
}

// siftDown restores the order of a heap below i: by time, then by lane.
func siftDown(h []laneHead, i int) {
	for {
		c := 2*i + 1
		if c >= len(h) {
			return
		}
		if c+1 < len(h) && h[c+1].before(h[c]) {
			c++
		}
		if !h[c].before(h[i]) {
			return
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
}

func (a laneHead) before(b laneHead) bool {
	return a.time < b.time || a.time == b.time && a.lane < b.lane
}
