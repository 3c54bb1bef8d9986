package network

import (
	"slices"

	"pview/sim"
	"pview/sim/engine/clock"
)

// Transfer is a message in flight.
type Transfer struct {
	Sender   int32 // thread
	From, To int32 // tasks
	Channel  int32
	Tag      int64
	Size     int64
	Next     int32

	outPort, inPort, pool int32
	outLink, inLink       int32
	Cpu                   int32    // of the sender, in the trace
	Instance              int32    // of a Reduce; -1 for a message
	Remote                sim.Kind // Put or Get; else 0
	Routine               uint8    // see Handling

	Blocks  bool // its sender is blocked until it may go
	Noted   bool // logicalRecv is known: an immediate receive was posted first
	borrows bool // it may rob, and be robbed of, output links
	inFirst bool // it takes the input link first
	waitsIn bool // it waits for its input link
	Holds   bool // its sender is blocked until it has arrived

	waitsBus bool // it waits for a bus

	duration, Flight                       float64
	requested                              float64
	Linked                                 float64 // when it got its links; < 0: not yet
	LogicalSend, PhysicalSend, LogicalRecv float64
	Arrived                                float64
}

// Transfers are the messages in flight. Numbers start at 1, and are reused.
type Transfers struct {
	*clock.Timers
	List  []Transfer
	Free  []int32
	Waits []Wait // by task

	busQueue, MostBusQueue int   // messages that wait for a bus, and their maximum
	Hops, ByteHops         int64 // see sim.Result
}

// Wait is the time that a task's messages have waited for links and buses, ns.
type Wait struct{ Links, Buses float64 }

func (ts *Transfers) Add() int32 {
	if n := len(ts.Free); n > 0 {
		tr := ts.Free[n-1]
		ts.Free = ts.Free[:n-1]
		ts.List[tr] = Transfer{}
		return tr
	}
	if len(ts.List) == cap(ts.List) { // append would copy large slices five times as often
		ts.List = slices.Grow(ts.List, len(ts.List))
	}
	ts.List = append(ts.List, Transfer{})
	return int32(len(ts.List) - 1)
}

func (ts *Transfers) Push(list *int32, tr int32) {
	if *list == 0 {
		ts.List[tr].Next = tr
	} else {
		last := &ts.List[*list]
		ts.List[tr].Next = last.Next
		last.Next = tr
	}
	*list = tr
}

func (ts *Transfers) Pop(list *int32) int32 {
	last := &ts.List[*list]
	first := last.Next
	if first == *list {
		*list = 0
	} else {
		last.Next = ts.List[first].Next
	}
	return first
}

// depart starts a transfer that has all its resources.
func (ts *Transfers) depart(n int32, tr *Transfer) {
	tr.PhysicalSend = ts.Now
	ts.Schedule(ts.Now+tr.duration, clock.TransferDone, n)
}

// awaitBus and gotBus count the messages that wait for a bus.
func (ts *Transfers) awaitBus(t *Transfer) {
	if !t.waitsBus {
		t.waitsBus = true
		ts.busQueue++
		ts.MostBusQueue = max(ts.MostBusQueue, ts.busQueue)
	}
}

func (ts *Transfers) gotBus(t *Transfer) {
	if t.waitsBus {
		t.waitsBus = false
		ts.busQueue--
	}
}
