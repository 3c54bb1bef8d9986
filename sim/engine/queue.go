package engine

// Future events, in the order of time; and queues.

import (
	"math"
	"math/bits"
)

// timer is a future event. Events of the same time happen in the order in which they were
// scheduled: this decides who gets a CPU, a link or a bus.
type timer struct {
	at   float64
	seq  uint64
	what happening
	who  int32 // thread, transfer or collective instance
}

type happening uint8

const (
	cpuDone        happening = iota // who: thread
	policyTick                      // of a policy that acts periodically
	mayPreempt                      // who: node, where a thread has completed its minimum run
	transferDone                    // who: transfer
	arrival                         // who: transfer whose resources are free already
	collectiveDone                  // who: instance
	linkPassed                      // who: transfer on a direct network, that asks for its next link
	mailDue                         // who: task with wildcards
	workShared                      // who: node whose CPUs are shared
	nothingShared                   // who: thread that has nothing to compute there
)

// timers holds the future events. Most of them happen at the present instant (an empty
// burst orders the actions of a thread at one time); since they were scheduled after
// everything that the heap holds for that time, a queue is enough for them. The earliest of
// the others often has just been scheduled: it stands before the heap, and never enters it if
// nothing earlier comes.
type timers struct {
	early   timer   // not later than any in the heap, where waiting is set
	waiting bool    // there is an early one
	heap    []timer // 4-ary
	soon    []timer // ring of the events of this instant
	head    int
	n       int
	seq     uint64 // of the last timer
	now     float64

	first uint64 // of the last one of scheduleFirst
}

func newTimers() timers { return timers{soon: make([]timer, 64), seq: ordinary} }

// ordinary is the number of the first timer of schedule; those of scheduleFirst are below, so that they come before
// all others of their time.
const ordinary = 1 << 63

// scheduleFirst is schedule for the end of a quantum, which must be in the future.
func (q *timers) scheduleFirst(at float64, what happening, who int32) uint64 {
	q.first++
	q.later(timer{at, q.first, what, who})
	return q.first
}

// schedule returns the number of the timer.
func (q *timers) schedule(at float64, what happening, who int32) uint64 {
	q.seq++
	t := timer{at, q.seq, what, who}
	if at > q.now {
		q.later(t)
		return q.seq
	}
	if q.n == len(q.soon) {
		grown := make([]timer, 2*len(q.soon))
		k := copy(grown, q.soon[q.head:])
		copy(grown[k:], q.soon[:q.head])
		q.soon, q.head = grown, 0
	}
	q.soon[(q.head+q.n)&(len(q.soon)-1)] = t
	q.n++
	return q.seq
}

// later takes an event after this instant.
func (q *timers) later(t timer) {
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

// due reports whether an event of the heap happens at this instant.
func (q *timers) due() bool {
	if q.waiting {
		return q.early.at <= q.now
	}
	return len(q.heap) > 0 && q.heap[0].at <= q.now
}

// more reports whether another event happens at this instant.
func (q *timers) more() bool { return q.n > 0 || q.due() }

// none reports whether no event is left.
func (q *timers) none() bool { return q.n == 0 && !q.waiting && len(q.heap) == 0 }

// next removes the next event.
func (q *timers) next() (t timer, ok bool) {
	if q.n > 0 && !q.due() {
		t = q.soon[q.head]
		q.head = (q.head + 1) & (len(q.soon) - 1)
		q.n--
		return t, true
	}
	if q.waiting {
		q.waiting = false
		q.now = q.early.at
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
	q.now = t.at
	return t, true
}

// sink puts t in the place of the first. Most of the last ones of a heap belong near its end:
// the least children move up, down to the end, and t comes up from there.
func (q *timers) sink(t *timer) {
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

// before returns 1 if a timer comes before another, else 0. It has no branches, since nobody can
// predict which comes first. Times are >= 0, so that their bits are in their order.
func (t *timer) before(o *timer) int {
	_, less := bits.Sub64(t.seq, o.seq, 0)
	_, less = bits.Sub64(math.Float64bits(t.at), math.Float64bits(o.at), less)
	return int(less)
}

// deque is a queue of numbers that reuses its memory.
type deque struct {
	ring    []int32
	head, n int
}

func (d *deque) grow() {
	ring := make([]int32, max(4, 2*len(d.ring)))
	k := copy(ring, d.ring[d.head:])
	copy(ring[k:], d.ring[:d.head])
	d.ring, d.head = ring, 0
}

func (d *deque) pushBack(x int32) {
	if d.n == len(d.ring) {
		d.grow()
	}
	d.ring[(d.head+d.n)&(len(d.ring)-1)] = x
	d.n++
}

func (d *deque) pushFront(x int32) {
	if d.n == len(d.ring) {
		d.grow()
	}
	d.head = (d.head - 1) & (len(d.ring) - 1)
	d.ring[d.head] = x
	d.n++
}

func (d *deque) front() int32 { return d.ring[d.head] }

// at is the k-th from the front.
func (d *deque) at(k int) int32 { return d.ring[(d.head+k)&(len(d.ring)-1)] }

func (d *deque) popFront() int32 {
	x := d.ring[d.head]
	d.head = (d.head + 1) & (len(d.ring) - 1)
	d.n--
	return x
}

// removeAt removes the k-th from the front.
func (d *deque) removeAt(k int) int32 {
	if k == 0 {
		return d.popFront()
	}
	mask := len(d.ring) - 1
	x := d.at(k)
	for ; k < d.n-1; k++ {
		d.ring[(d.head+k)&mask] = d.ring[(d.head+k+1)&mask]
	}
	d.n--
	return x
}

// remove removes x, wherever it is.
func (d *deque) remove(x int32) {
	for k := range d.n {
		if d.at(k) == x {
			d.removeAt(k)
			return
		}
	}
}
