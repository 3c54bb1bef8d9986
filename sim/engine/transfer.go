package engine

import (
	"slices"

	"pview/sim"
)

// transfer is a message in flight.
type transfer struct {
	sender   int32 // thread
	from, to int32 // tasks
	channel  int32
	tag      int64
	size     int64
	next     int32

	outPort, inPort, pool int32
	outLink, inLink       int32
	cpu                   int32    // of the sender, in the trace
	instance              int32    // of a Reduce; -1 for a message
	remote                sim.Kind // Put or Get; else 0
	routine               uint8    // see Handling

	blocks  bool // its sender is blocked until it may go
	noted   bool // logicalRecv is known: an immediate receive was there first
	borrows bool // it may rob, and be robbed of, output links
	inFirst bool // it takes the input link first
	waitsIn bool // it waits for its input link
	holds   bool // its sender is blocked until it has arrived

	waitsBus bool // it waits for a bus

	duration, flight                       float64
	requested                              float64
	linked                                 float64 // when it got its links; < 0: not yet
	logicalSend, physicalSend, logicalRecv float64
	arrived                                float64
}

// transfers are the messages in flight. Numbers start at 1, and are reused.
type transfers struct {
	*timers
	list  []transfer
	free  []int32
	waits []netWait // by task

	busQueue, mostBusQueue int   // messages that wait for a bus, and their maximum
	hops, byteHops         int64 // see sim.Result
}

// netWait is the time that the messages of a task have waited for links and buses, ns.
type netWait struct{ links, buses float64 }

func (ts *transfers) add() int32 {
	if n := len(ts.free); n > 0 {
		tr := ts.free[n-1]
		ts.free = ts.free[:n-1]
		ts.list[tr] = transfer{}
		return tr
	}
	if len(ts.list) == cap(ts.list) { // append copies large slices five times as often
		ts.list = slices.Grow(ts.list, len(ts.list))
	}
	ts.list = append(ts.list, transfer{})
	return int32(len(ts.list) - 1)
}

func (ts *transfers) push(list *int32, tr int32) {
	if *list == 0 {
		ts.list[tr].next = tr
	} else {
		last := &ts.list[*list]
		ts.list[tr].next = last.next
		last.next = tr
	}
	*list = tr
}

func (ts *transfers) pop(list *int32) int32 {
	last := &ts.list[*list]
	first := last.next
	if first == *list {
		*list = 0
	} else {
		last.next = ts.list[first].next
	}
	return first
}

// depart starts a transfer that has all its resources.
func (ts *transfers) depart(n int32, tr *transfer) {
	tr.physicalSend = ts.now
	ts.schedule(ts.now+tr.duration, transferDone, n)
}

// awaitBus and gotBus count the messages that wait for a bus.
func (ts *transfers) awaitBus(t *transfer) {
	if !t.waitsBus {
		t.waitsBus = true
		ts.busQueue++
		ts.mostBusQueue = max(ts.mostBusQueue, ts.busQueue)
	}
}

func (ts *transfers) gotBus(t *transfer) {
	if t.waitsBus {
		t.waitsBus = false
		ts.busQueue--
	}
}
