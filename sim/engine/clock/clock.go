// Package clock has the future events of a simulation in the order of time, and queues of numbers.
package clock

import (
	"math"
	"math/bits"
)

// Timer is a future event. Events at the same time happen in the order in which they were scheduled, which decides who
// gets a CPU, a link or a bus.
type Timer struct {
	at   float64
	Seq  uint64
	What Happening
	Who  int32 // thread, transfer or collective instance
}

// Happening is the event at a timer.
type Happening uint8

// The events, and whom they concern.
const (
	CPUDone        Happening = iota // who: thread
	PolicyTick                      // for a policy that acts periodically
	MayPreempt                      // who: node, where a thread has completed its minimum run
	TransferDone                    // who: transfer
	Arrival                         // who: transfer whose resources are free already
	CollectiveDone                  // who: instance
	LinkPassed                      // who: transfer on a direct network that asks for its next link
	MailDue                         // who: task with wildcards
	WorkShared                      // who: node whose CPUs are shared
	NothingShared                   // who: thread with nothing to compute there
)

// Timers holds the future events. Most of them happen at the present instant (an empty burst orders the actions of a
// thread at one time); since they were scheduled after everything in the heap for that time, a queue is enough for
// them. The earliest of the others has often just been scheduled: it is kept in front of the heap, and never enters it
// unless something earlier comes.
type Timers struct {
	early     Timer   // not later than any in the heap; valid if waiting is set
	waiting   bool    // there is an early one
	heap      []Timer // 4-ary
	soon      []Timer // ring of the events of this instant
	head      int
	Immediate int
	Seq       uint64 // of the last timer
	Now       float64

	First uint64 // of the last timer of ScheduleFirst
}

func NewTimers() Timers { return Timers{soon: make([]Timer, 64), Seq: Ordinary} }

// Ordinary is the number of the first timer of Schedule; timers of ScheduleFirst have lower numbers, so they come
// before all others of their time.
const Ordinary = 1 << 63

// ScheduleFirst is Schedule for the end of a quantum, which must be in the future.
func (q *Timers) ScheduleFirst(at float64, what Happening, who int32) uint64 {
	q.First++
	q.later(Timer{at, q.First, what, who})
	return q.First
}

// Schedule returns the number of the timer.
func (q *Timers) Schedule(at float64, what Happening, who int32) uint64 {
	q.Seq++
	t := Timer{at, q.Seq, what, who}
	if at > q.Now {
		q.later(t)
		return q.Seq
	}
	if q.Immediate == len(q.soon) {
		grown := make([]Timer, 2*len(q.soon))
		k := copy(grown, q.soon[q.head:])
		copy(grown[k:], q.soon[:q.head])
		q.soon, q.head = grown, 0
	}
	q.soon[(q.head+q.Immediate)&(len(q.soon)-1)] = t
	q.Immediate++
	return q.Seq
}

// later takes an event after this instant.
func (q *Timers) later(t Timer) {
	switch {
	case q.waiting:
		if t.before(&q.early) != 0 {
			t, q.early = q.early, t
		}
	case len(q.heap) == 0 || t.before(&q.heap[0]) != 0:
		q.early, q.waiting = t, true
		return
	}
	h := append(q.heap, t)
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) >> 2
		if t.before(&h[parent]) == 0 {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = t
	q.heap = h
}

// Due reports whether an event of the heap happens at this instant.
func (q *Timers) Due() bool {
	if q.waiting {
		return q.early.at <= q.Now
	}
	return len(q.heap) > 0 && q.heap[0].at <= q.Now
}

// More reports whether another event happens at this instant.
func (q *Timers) More() bool { return q.Immediate > 0 || q.Due() }

// None reports whether no event is left.
func (q *Timers) None() bool { return q.Immediate == 0 && !q.waiting && len(q.heap) == 0 }

// Next removes the next event.
func (q *Timers) Next() (t Timer, ok bool) {
	if q.Immediate > 0 && !q.Due() {
		t = q.soon[q.head]
		q.head = (q.head + 1) & (len(q.soon) - 1)
		q.Immediate--
		return t, true
	}
	if q.waiting {
		q.waiting = false
		q.Now = q.early.at
		return q.early, true
	}
	n := len(q.heap) - 1
	if n < 0 {
		return t, false
	}
	t = q.heap[0]
	last := q.heap[n]
	q.heap = q.heap[:n]
	if n > 0 {
		q.sink(&last)
	}
	q.Now = t.at
	return t, true
}

// sink replaces the first timer by t. The last timers of a heap mostly belong near its end, so the least children move
// up along the whole path, and t rises from the end.
func (q *Timers) sink(t *Timer) {
	h := q.heap
	i := 0
	child := 1
	for ; child+3 < len(h); child = i<<2 + 1 {
		four := h[child : child+4 : child+4]
		a := four[1].before(&four[0])
		b := 2 + four[3].before(&four[2])
		least := a + (b-a)*four[b&3].before(&four[a&3])
		h[i] = four[least&3]
		i = child + least
	}
	if child < len(h) {
		least := child
		for c := child + 1; c < len(h); c++ {
			least += (c - least) * h[c].before(&h[least])
		}
		h[i] = h[least]
		i = least
	}
	for i > 0 {
		parent := (i - 1) >> 2
		if t.before(&h[parent]) == 0 {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = *t
}

// before returns 1 if a timer comes before another, else 0. It has no branches, since none could predict which comes
// first. Times are >= 0, so their bits sort like them.
func (t *Timer) before(o *Timer) int {
	_, less := bits.Sub64(t.Seq, o.Seq, 0)
	_, less = bits.Sub64(math.Float64bits(t.at), math.Float64bits(o.at), less)
	return int(less)
}
