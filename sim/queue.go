package sim

// Future events, in the order of time; and queues.

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
)

// timers holds the future events. Most of them happen at the present instant (an empty
// burst orders the actions of a thread at one time); since they were scheduled after
// everything that the heap holds for that time, a queue is enough for them.
type timers struct {
	heap []timer // 4-ary
	soon []timer // ring of the events of this instant
	head int
	n    int
	seq  uint64 // of the last timer
	now  float64

	first uint64 // of the last one of scheduleFirst
}

func newTimers() timers { return timers{soon: make([]timer, 64), seq: ordinary} }

// ordinary is the number of the first timer of schedule; those of scheduleFirst are below, so that they come before
// all others of their time.
const ordinary = 1 << 63

// scheduleFirst is schedule for the end of a quantum, which must be in the future.
func (q *timers) scheduleFirst(at float64, what happening, who int32) uint64 {
	q.first++
	t := timer{at, q.first, what, who}
	h := append(q.heap, t)
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) >> 2
		if !t.before(&h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = t
	q.heap = h
	return t.seq
}

// more reports whether another event happens at this instant.
func (q *timers) more() bool { return q.n > 0 || len(q.heap) > 0 && q.heap[0].at <= q.now }

// schedule returns the number of the timer.
func (q *timers) schedule(at float64, what happening, who int32) uint64 {
	q.seq++
	t := timer{at, q.seq, what, who}
	if at <= q.now {
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
	h := append(q.heap, t)
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) >> 2
		if h[parent].at < at || h[parent].at == at { // an older one of the same time comes first
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = t
	q.heap = h
	return q.seq
}

// next removes the next event.
func (q *timers) next() (t timer, ok bool) {
	if q.n > 0 && (len(q.heap) == 0 || q.heap[0].at > q.now) {
		t = q.soon[q.head]
		q.head = (q.head + 1) & (len(q.soon) - 1)
		q.n--
		return t, true
	}
	n := len(q.heap) - 1
	if n < 0 {
		return t, false
	}
	t = q.heap[0]
	last := q.heap[n]
	q.heap = q.heap[:n]
	if n > 0 {
		q.siftDown(last)
	}
	q.now = t.at
	return t, true
}

// siftDown moves t, which replaces the first, to its place.
func (q *timers) siftDown(t timer) {
	h := q.heap
	i := 0
	for {
		child := i<<2 + 1
		if child >= len(h) {
			break
		}
		least := child
		for c := child + 1; c < min(child+4, len(h)); c++ {
			if h[c].before(&h[least]) {
				least = c
			}
		}
		if !h[least].before(&t) {
			break
		}
		h[i] = h[least]
		i = least
	}
	h[i] = t
}

func (t *timer) before(o *timer) bool {
	return t.at < o.at || t.at == o.at && t.seq < o.seq
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
