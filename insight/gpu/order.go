package gpu

// The order of operations in time, for walking backwards: the operation of a stream at a time, and the last one of a
// task to end.

import (
	"cmp"
	"slices"
	"sort"

	"pview/prv"
)

// Order finds operations by time.
type Order struct {
	a        *Analysis
	byThread map[int32][]operation
	byTask   map[int32][]operation // by end
}

// Order returns the operations by time.
func (a *Analysis) Order() *Order {
	o := &Order{a: a, byThread: map[int32][]operation{}, byTask: map[int32][]operation{}}
	for i := range a.Devices {
		d := &a.Devices[i]
		for _, w := range d.work {
			o.byThread[w.thread] = append(o.byThread[w.thread], w)
		}
		o.byTask[d.Task] = append(o.byTask[d.Task], d.work...)
	}
	for _, list := range o.byTask {
		slices.SortStableFunc(list, func(x, y operation) int { return cmp.Compare(x.end, y.end) })
	}
	return o
}

// Operation is something that a stream does, as Order finds it.
type Operation struct {
	Thread     int32
	Begin, End int64
	State      uint32
	Launch     int32 // row of the trace's Comms; -1: unrecorded
	Event      int32 // that it waits for, the last if several: row of the trace's Comms; -1: none recorded
	// Collective is the matched operation that it is a part of, or nil.
	Collective *Collective
}

func (o *Order) operation(w *operation) Operation {
	return Operation{w.thread, w.begin, w.end, w.state, w.launch, w.event, o.a.lastOf[part{w.thread, w.begin}]}
}

// IsStream reports whether a thread is a stream with work.
func (o *Order) IsStream(thread int32) bool { return o.byThread[thread] != nil }

// Before returns the last operation of a stream that begins before a time.
func (o *Order) Before(thread int32, at int64) (Operation, bool) {
	list := o.byThread[thread]
	i := sort.Search(len(list), func(i int) bool { return list[i].begin >= at })
	if i == 0 {
		return Operation{}, false
	}
	return o.operation(&list[i-1]), true
}

// From returns the operation of a stream that begins at a time.
func (o *Order) From(thread int32, at int64) (Operation, bool) {
	list := o.byThread[thread]
	i := sort.Search(len(list), func(i int) bool { return list[i].begin >= at })
	if i == len(list) || list[i].begin != at {
		return Operation{}, false
	}
	return o.operation(&list[i]), true
}

// Awaited returns the operation whose end triggered the event that another operation waits for; ok is false if none is
// recorded.
func (o *Order) Awaited(t *prv.Trace, by Operation) (before Operation, ok bool) {
	if by.Event < 0 {
		return before, false
	}
	c := &t.Comms
	ended := c.Times[prv.PhysicalSend][by.Event]
	before, ok = o.Before(c.Send[by.Event], ended)
	return before, ok && before.End >= ended
}

// Ended returns the operation of a task that ended last, at or before a time, and began before that time.
func (o *Order) Ended(task int32, at int64) (Operation, bool) {
	list := o.byTask[task]
	i := sort.Search(len(list), func(i int) bool { return list[i].end > at }) - 1
	for i >= 0 && list[i].begin >= at { // those that take no time
		i--
	}
	if i < 0 {
		return Operation{}, false
	}
	return o.operation(&list[i]), true
}

// LateDevice returns the device of the member that begins last, a row of the analysis.
func (c *Collective) LateDevice() int { return int(c.lateDevice) }

// LateThread returns the stream of the member that begins last.
func (c *Collective) LateThread() int32 { return c.lateThread }
