package engine

// The scheduling policies.
//
// A policy holds the queue of the ready threads of a node, in order of arrival (a thread that must give up its CPU
// queues behind the others, one that may continue before them), picks the next one and its time slice. FIFO and RR do
// no more. The others rank the threads: the best is next, and among equals the first in the queue. So they all share
// one queue and one way to preempt a worse thread, and differ in what changes a rank: nothing, time, use of the CPU,
// messages, or records of the program.

import "pview/sim"

// cpuPolicy is the interface of all policies.
type cpuPolicy interface {
	// ready puts a thread into the queue of its node. t.requeue: the thread has to give up its CPU.
	ready(n *node, thread int32, t *thread)
	// next removes the thread that gets the next free CPU.
	next(n *node) int32
	// slice returns the time slice: the amount of t's work, in nanoseconds, before the CPU is taken back.
	slice(thread int32, t *thread, work float64) float64
}

// ranking is a policy by priorities.
type ranking interface {
	cpuPolicy
	ranks() *ranked
}

// observer is a policy that is notified of the changes of threads.
type observer interface {
	happened(thread int32, what occasion, value uint64)
}

// occasion is something that may change a priority.
type occasion uint8

const (
	woken         occasion = iota // the thread stopped waiting
	quantumOver                   // it has used up its quantum
	receiverFirst                 // it reaches a receive without a message
	receiverLast                  // its message had already arrived
	senderLast                    // its receiver was waiting
	priorityEvent                 // it sets its criticality: the value of an event PriorityType
)

// clocked is a policy that acts periodically.
type clocked interface {
	// period is in ns; 0: never.
	period() float64
	tick()
}

// newPolicies has the constructors of policies, by their names in the table Policies.
var newPolicies = map[string]func(*engine, *sim.Scheduler) cpuPolicy{
	"FIFO": newFIFO, "RR": newRoundRobin, "FIXED_PRIORITY_FIFO": newFixedFIFO, "FIXED_PRIORITY_RR": newFixedRR,
	"UNIX_SVR4": newSVR4, "DECAY": newDecay, "BOOST": newBoost, "BOOST1": newBoost1, "BOOST2": newBoost2,
	"BOOST3": newBoost3, "SS_MPI_CP": newCriticalTop, "CP_FIFO": newCriticalFIFO, "CP_RR": newCriticalRR,
	"SHARED": newSharing,
}

// fifo: a thread that loses its CPU goes to the end of the queue; others go to the front.
type fifo struct{}

func newFIFO(*engine, *sim.Scheduler) cpuPolicy { return fifo{} }

func (fifo) ready(n *node, thread int32, t *thread) {
	if t.requeue {
		n.queue.PushBack(thread)
	} else {
		n.queue.PushFront(thread)
	}
}

func (fifo) next(n *node) int32 { return n.queue.PopFront() }

func (fifo) slice(_ int32, _ *thread, work float64) float64 { return work }

// roundRobin is fifo with a quantum. If a thread passes through the queue after each record (see CPUTurns), one that
// need not give up its CPU keeps the rest of its quantum.
type roundRobin struct {
	fifo
	e       *engine
	quantum float64
}

func newRoundRobin(e *engine, s *sim.Scheduler) cpuPolicy {
	if s.Quantum == 0 {
		return fifo{}
	}
	return roundRobin{e: e, quantum: s.Quantum}
}

func (r roundRobin) slice(_ int32, t *thread, work float64) float64 {
	return r.e.cpus.slice(t, work, r.quantum)
}

// slice returns the part of a thread's work that fits the rest of its quantum, which it consumes.
func (ps *processors) slice(t *thread, work, quantum float64) float64 {
	if !ps.keep && (t.requeue || t.used >= quantum) {
		t.used = 0
	}
	d := max(0, min(work, quantum-t.used))
	t.used += d
	return d
}

// ranked is a priority queue.
type ranked struct {
	fifo
	e          *engine
	rank       []float64 // by thread; smaller is better
	quantum    float64   // 0: none
	preemptive bool
	top        bool // only threads of rank 0 preempt others
}

func newRanked(e *engine, s *sim.Scheduler, base float64) ranked {
	r := ranked{e: e, rank: make([]float64, len(e.threads)), quantum: s.Quantum, preemptive: s.Preemptive}
	for i := range r.rank {
		r.rank[i] = base
	}
	return r
}

func (r *ranked) ranks() *ranked { return r }

// best returns the position of the best thread in a queue, the first among equals.
func (r *ranked) best(n *node) int {
	at := 0
	for k := 1; k < n.queue.N; k++ {
		if r.rank[n.queue.At(k)] < r.rank[n.queue.At(at)] {
			at = k
		}
	}
	return at
}

func (r *ranked) next(n *node) int32 { return n.queue.RemoveAt(r.best(n)) }

func (r *ranked) slice(_ int32, t *thread, work float64) float64 {
	if r.quantum == 0 {
		return work
	}
	return r.e.cpus.slice(t, work, r.quantum)
}

// preempts reports whether thread a, which is ready, should take the CPU of b.
func (r *ranked) preempts(a, b int32) bool {
	return r.rank[a] < r.rank[b] && (!r.top || r.rank[a] == 0)
}

// set changes a thread's rank, which may preempt this thread or another.
func (r *ranked) set(thread int32, rank float64) {
	if rank == r.rank[thread] {
		return
	}
	r.rank[thread] = rank
	if node := r.e.threads[thread].node; r.preemptive && r.e.cpus.nodes[node].queue.N > 0 {
		r.e.cpus.markDirty(node)
	}
}

// fixed: a priority per application. Swap rotates them from time to time.
type fixed struct {
	ranked
	priorities []float64 // by ptask
	swap       float64
	swapped    int
}

func newFixedFIFO(e *engine, s *sim.Scheduler) cpuPolicy {
	if len(s.Priorities) == 0 {
		return fifo{}
	}
	return newFixed(e, s, 0)
}

func newFixedRR(e *engine, s *sim.Scheduler) cpuPolicy { return newFixed(e, s, s.Quantum) }

func newFixed(e *engine, s *sim.Scheduler, quantum float64) *fixed {
	f := &fixed{ranked: newRanked(e, s, 0), swap: s.Swap}
	f.quantum = quantum
	for i := range e.p.Ptasks {
		p := 0.0
		if n := len(s.Priorities); n > 0 {
			p = s.Priorities[min(i, n-1)]
		}
		f.priorities = append(f.priorities, p)
	}
	f.rankAll()
	return f
}

func (f *fixed) rankAll() {
	for i := range f.e.threads {
		pt := int(f.e.p.Tasks[f.e.threads[i].task].Ptask)
		f.set(int32(i), f.priorities[(pt+f.swapped)%len(f.priorities)])
	}
}

func (f *fixed) period() float64 { return f.swap }

func (f *fixed) tick() {
	f.swapped++
	f.rankAll()
}

// critical: the program announces how critical a thread is.
type critical struct{ ranked }

func newCriticalTop(e *engine, s *sim.Scheduler) cpuPolicy  { return newCritical(e, s, 0, true) }
func newCriticalFIFO(e *engine, s *sim.Scheduler) cpuPolicy { return newCritical(e, s, 0, false) }
func newCriticalRR(e *engine, s *sim.Scheduler) cpuPolicy   { return newCritical(e, s, s.Quantum, false) }

func newCritical(e *engine, s *sim.Scheduler, quantum float64, top bool) cpuPolicy {
	c := &critical{newRanked(e, s, 0)}
	c.quantum, c.top, c.preemptive = quantum, top, true
	return c
}

func (c *critical) happened(thread int32, what occasion, value uint64) {
	if what != priorityEvent {
		return
	}
	rank := 0.0
	if value > 0 {
		rank = 1 / float64(value)
	}
	c.set(thread, rank)
}

// boost adjusts the priority of a thread by its messages: a receiver that arrives before its message is in no hurry
// (and waits), one whose message has already arrived is late, and so is a sender whose receiver waits. Each of the
// three increments may make the priority better (negative) or worse.
type boost struct {
	ranked
	best, worst         float64
	first, last, sender float64
	delayed             bool
	pending             []float64 // delayed: takes effect at the thread's next receive
}

func newBoost(e *engine, s *sim.Scheduler) cpuPolicy {
	b := &boost{ranked: newRanked(e, s, s.Base), best: s.Best, worst: s.Worst,
		first: s.RecvFirst, last: s.RecvLast, sender: s.SenderLate, delayed: s.Delayed}
	if b.delayed {
		b.pending = make([]float64, len(e.threads))
	}
	return b
}

// The three variants of the thesis (8.2.2.2). As printed, the first two are the same; the first is described as acting
// on past behaviour, so here it acts one receive later.
func newBoost1(e *engine, s *sim.Scheduler) cpuPolicy { return newBoostPreset(e, s, 0, true) }
func newBoost2(e *engine, s *sim.Scheduler) cpuPolicy { return newBoostPreset(e, s, 0, false) }
func newBoost3(e *engine, s *sim.Scheduler) cpuPolicy { return newBoostPreset(e, s, -s.Boost, false) }

func newBoostPreset(e *engine, s *sim.Scheduler, sender float64, delayed bool) cpuPolicy {
	preset := *s
	preset.RecvFirst, preset.RecvLast, preset.SenderLate, preset.Delayed = s.Boost, -s.Boost, sender, delayed
	return newBoost(e, &preset)
}

func (b *boost) happened(thread int32, what occasion, _ uint64) {
	switch what {
	case receiverFirst:
		b.receive(thread, b.first)
	case receiverLast:
		b.receive(thread, b.last)
	case senderLast:
		b.add(thread, b.sender)
	}
}

func (b *boost) receive(thread int32, d float64) {
	if b.delayed {
		d, b.pending[thread] = b.pending[thread], d
	}
	b.add(thread, d)
}

func (b *boost) add(thread int32, d float64) {
	b.set(thread, min(max(b.rank[thread]+d, b.best), b.worst))
}

// decay is the scheduler of 4BSD: each tick of CPU use makes the priority worse by one; now and then past use is partly
// forgotten, less so if more threads share the node.
type decay struct {
	ranked
	best, worst, base    float64
	use                  []float64 // by thread, ticks
	load                 []float64 // by node: load average, running and ready threads
	runnable             []float64 // by node: sum over the ticks since the last average
	every                float64
	ticks, sample, adapt int // counter; ticks per load average, and per readjustment
}

func newDecay(e *engine, s *sim.Scheduler) cpuPolicy {
	d := &decay{ranked: newRanked(e, s, s.Base), best: s.Best, worst: s.Worst, base: s.Base, every: s.UseTick,
		use: make([]float64, len(e.threads)), load: make([]float64, len(e.cpus.nodes)),
		runnable: make([]float64, len(e.cpus.nodes)),
		sample:   int(s.LoadInterval/s.UseTick + 0.5), adapt: int(s.Readjust/s.UseTick + 0.5)}
	return d
}

func (d *decay) period() float64 { return d.every }

func (d *decay) tick() {
	d.ticks++
	for i := range d.e.cpus.nodes {
		n := &d.e.cpus.nodes[i]
		d.runnable[i] += float64(n.queue.N + len(n.on) - n.free)
		for _, on := range n.on {
			if on != 0 {
				d.use[on-1]++
			}
		}
	}
	if d.ticks%d.sample == 0 {
		for i, sum := range d.runnable {
			d.load[i], d.runnable[i] = sum/float64(d.sample), 0
		}
	}
	forget := d.ticks%d.adapt == 0
	for i, u := range d.use {
		if forget {
			u = forgotten(u, d.load[d.e.threads[i].node])
			d.use[i] = u
		}
		d.set(int32(i), min(max(d.base+u, d.best), d.worst))
	}
}

// forgotten returns the CPU use that remains after a readjustment.
func forgotten(use, load float64) float64 { return use * 2 * load / (2*load + 1) }
