package engine

// CPUs: threads leave and get them, and their stays end. turn.go adds policies and context switches.

import (
	"math/bits"

	"pview/sim"
	"pview/sim/engine/clock"
)

// processors are the CPUs of all nodes, and the policy that gives them to threads.
type processors struct {
	*engine
	nodes      []node
	dirty      []uint64 // set of nodes with ready threads and free CPUs
	dirtyNodes int      // their number

	policy   cpuPolicy
	ranked   *ranked  // part of the policy; nil: no priorities
	observer observer // the policy, if it observes threads; else nil
	ticking  clocked  // the policy, if it acts periodically; else nil
	sharing  *sharing // the policy, if it has no queues; else nil
	keep     bool     // the rule CPUTurns is TurnUntilBlocked
	plain    bool     // fifo, without keep, and with free context switches
}

// node is a node in the simulation.
type node struct {
	queue    clock.Deque // of ready threads
	free     int         // CPUs
	idle     cpuSet      // the free CPUs
	on       []int32     // by CPU: thread + 1; 0: none
	last     []int32     // by CPU: the previous thread, + 1
	firstCPU int32
	held     int32 // thread + 1 that keeps its CPU while it acts; see donePlain
}

// init creates the nodes, and the policy with its interfaces.
func (ps *processors) init(e *engine) {
	ps.engine = e
	ps.nodes, ps.dirty = make([]node, len(e.m.Nodes)), make([]uint64, (len(e.m.Nodes)+63)/64)
	first := int32(1)
	for i := range ps.nodes {
		n := &ps.nodes[i]
		n.free = e.m.Nodes[i].CPUs
		n.on, n.last, n.idle = make([]int32, n.free), make([]int32, n.free), allCPUs(n.free)
		n.firstCPU = first
		first += int32(n.free)
	}
	s := &e.m.Scheduler
	p, _ := sim.PolicyByName(s.Policy)
	ps.policy = newPolicies[p.Name](e, s)
	ps.sharing, _ = ps.policy.(*sharing)
	ps.keep = e.rules[sim.CPUTurns] == sim.TurnUntilBlocked && ps.sharing == nil
	_, isFIFO := ps.policy.(fifo)
	ps.plain = isFIFO && !ps.keep && s.ContextSwitch == 0 && e.opt.Repeat.What == sim.RepeatNothing
	if r, ok := ps.policy.(ranking); ok {
		ps.ranked = r.ranks()
	}
	ps.observer, _ = ps.policy.(observer)
	ps.ticking, _ = ps.policy.(clocked)
}

// stayOver ends the stay of a thread on its CPU, unless the timer has been replaced.
func (ps *processors) stayOver(i int32, timer uint64) {
	t := &ps.threads[i]
	switch {
	case t.timer != timer:
	case ps.keep:
		ps.turnDone(i, t)
	case ps.plain && ps.nodes[t.node].queue.N == 0:
		ps.donePlain(i, t)
	default:
		ps.done(i, t)
	}
}

// ready puts a thread into the queue of its node, unless it keeps its CPU.
func (ps *processors) ready(i int32, t *thread) {
	t.runnable = true
	n := &ps.nodes[t.node]
	if t.onCPU {
		return
	}
	if n.held != 0 {
		ps.releaseHeld(n)
	}
	if ps.sharing != nil {
		ps.sharing.start(i, t)
		return
	}
	if t.asleep {
		t.asleep = false
		ps.observer.happened(i, woken, 0)
	}
	ps.setState(i, t, t.waitState())
	ps.policy.ready(n, i, t)
	if n.free > 0 || ps.ranked != nil && ps.ranked.preemptive {
		ps.markDirty(t.node)
	}
}

// leave frees the CPU of a thread.
func (ps *processors) leave(t *thread) {
	t.onCPU = false
	n := &ps.nodes[t.node]
	n.on[t.cpu] = 0
	n.idle.add(t.cpu)
	n.free++
	if n.queue.N > 0 {
		ps.markDirty(t.node)
	}
}

// dispatchAll dispatches on every node that has ready threads and free CPUs, in the order of nodes.
func (ps *processors) dispatchAll() {
	for w := 0; ps.dirtyNodes > 0; w++ {
		for ps.dirty[w] != 0 {
			ps.dispatch(int32(w<<6 + bits.TrailingZeros64(ps.dirty[w])))
		}
	}
}

// dispatch puts ready threads of a node on its free CPUs.
func (ps *processors) dispatch(ni int32) {
	ps.clean(ni)
	n := &ps.nodes[ni]
	for n.queue.N > 0 && (n.free > 0 || ps.preempt(n)) {
		ps.putOn(n)
	}
}

// dispatchOne puts the next ready thread of a node on a CPU, as Dimemas does right after another has left one; the
// node's other threads wait for the node's turn.
func (ps *processors) dispatchOne(ni int32) {
	n := &ps.nodes[ni]
	if n.queue.N > 0 && (n.free > 0 || ps.preempt(n)) {
		ps.putOn(n)
	}
	if n.queue.N == 0 || n.free == 0 && (ps.ranked == nil || !ps.ranked.preemptive) {
		ps.clean(ni)
	}
}

// putOn puts the next thread of a node's queue on a CPU.
func (ps *processors) putOn(n *node) {
	i := ps.policy.next(n)
	t := &ps.threads[i]
	n.take(i, t)
	if ps.plain {
		ps.work(i, t)
	} else {
		ps.beginTurn(i, t, n)
	}
}

// take gives a thread its last CPU if that is free, else the first free one.
func (n *node) take(i int32, t *thread) {
	n.free--
	t.onCPU = true
	if t.cpu < 0 || n.on[t.cpu] != 0 {
		t.cpu = n.idle.first()
	}
	n.idle.remove(t.cpu)
	n.on[t.cpu] = i + 1
}

// work starts the activity of a thread on a CPU.
func (ps *processors) work(i int32, t *thread) {
	d := t.left
	if !ps.plain {
		d = ps.policy.slice(i, t, t.left)
		t.begun, t.doing = ps.Now, d
	}
	t.left -= d
	state := sim.StateRunning
	task := &ps.tasks[t.task]
	if t.phase == starting {
		task.startups += d
		// Dimemas shows it as running after a context switch, and after being cut by the quantum.
		if (ps.m.Scheduler.ContextSwitch == 0 || ps.rules[sim.SwitchCost] == sim.SwitchOnChange) && !t.sliced {
			state = sim.StateStartup
		}
	} else {
		task.computation += d
		if t.idle {
			state = sim.StateIdle
		} else if t.construct != nil && t.construct.hides {
			state = sim.StateNone
		} else if ps.rules[sim.RunningState] == sim.RunningAfterEvent && !t.seen {
			state = sim.StateNone
		}
	}
	ps.setState(i, t, state)
	if ps.keep && t.left > 0 && d > 0 {
		t.timer = ps.ScheduleFirst(ps.Now+d, clock.CPUDone, i)
	} else {
		t.timer = ps.Schedule(ps.Now+d, clock.CPUDone, i)
	}
}

// donePlain is done for a CPU that has no state and that no other thread waits for. A thread that is ready again would
// leave it, enter an empty queue, and be the first to get it back: so it keeps the CPU, unless anything happens on its
// node in the meantime.
func (ps *processors) donePlain(i int32, t *thread) {
	n := &ps.nodes[t.node]
	for again := true; again; {
		n.held, t.runnable = i+1, false
		switch {
		case t.phase == spinning:
			ps.stopSpinning(i, t)
		case t.phase == starting:
			t.started, t.phase = true, computing
			ps.records.operate(i, t)
		default:
			if !t.synthetic {
				t.pc++
			}
			ps.records.chain(i, t)
		}
		again = n.held != 0 && t.runnable && t.left == 0 && t.phase == computing && ps.Timers.Immediate == 0 &&
			ps.dirtyNodes == 0 && !ps.Due()
		n.held = 0
		if again {
			ps.setState(i, t, sim.StateRunning)
		}
	}
	switch {
	case t.onCPU && t.runnable:
		ps.work(i, t)
		return
	case t.onCPU && t.phase != spinning:
		ps.leave(t)
	}
	if ps.isDirty(t.node) {
		ps.dispatchOne(t.node)
	}
}

// releaseHeld takes the CPU from the thread that holds it in donePlain, and queues that thread if it is ready.
func (ps *processors) releaseHeld(n *node) {
	i := n.held - 1
	n.held = 0
	t := &ps.threads[i]
	ps.leave(t)
	if t.runnable {
		ps.ready(i, t)
	}
}

// done ends a thread's stay on a CPU.
func (ps *processors) done(i int32, t *thread) {
	if t.switching {
		ps.endSwitch(i, t)
		return
	}
	ps.leave(t)
	t.runnable = false
	switch {
	case t.left > 0: // the quantum is over
		t.sliced = t.phase == starting
		ps.sliceOver(i, t)
	case t.phase == spinning:
		ps.stopSpinning(i, t)
	case t.phase == starting:
		t.started = true
		t.phase = computing
		ps.records.operate(i, t)
	default:
		if !t.synthetic {
			t.pc++
		}
		ps.records.chain(i, t)
	}
	t.asleep = ps.observer != nil && !t.runnable && !t.done && !t.onCPU
	if ps.isDirty(t.node) {
		ps.dispatchOne(t.node)
	}
}

func (ps *processors) isDirty(n int32) bool { return ps.dirty[n>>6]&(1<<(n&63)) != 0 }

// markDirty notes that a node has a ready thread and a free CPU.
func (ps *processors) markDirty(n int32) {
	if !ps.isDirty(n) {
		ps.dirty[n>>6] |= 1 << (n & 63)
		ps.dirtyNodes++
	}
}

func (ps *processors) clean(n int32) {
	if ps.isDirty(n) {
		ps.dirty[n>>6] &^= 1 << (n & 63)
		ps.dirtyNodes--
	}
}
