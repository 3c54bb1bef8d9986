package engine

// CPUs: which thread leaves one, which gets it next, and what happens when its stay ends. turn.go has what policies and
// context switches add.

import (
	"math/bits"

	"pview/sim"
)

// ready puts a thread into the queue of its node, unless it keeps its CPU.
func (e *engine) ready(i int32, t *thread) {
	t.runnable = true
	n := &e.nodes[t.node]
	if t.onCPU {
		return
	}
	if n.held != 0 {
		e.letGoHeld(n)
	}
	if e.sharing != nil {
		e.sharing.start(i, t)
		return
	}
	if t.asleep {
		t.asleep = false
		e.observer.happened(i, woken, 0)
	}
	e.setState(i, t, sim.StateReady)
	e.policy.ready(n, i, t)
	if n.free > 0 || e.ranked != nil && e.ranked.preemptive {
		e.markDirty(t.node)
	}
}

// leaveCPU frees the CPU of a thread.
func (e *engine) leaveCPU(t *thread) {
	t.onCPU = false
	n := &e.nodes[t.node]
	n.on[t.cpu] = 0
	n.idle.add(t.cpu)
	n.free++
	if n.queue.n > 0 {
		e.markDirty(t.node)
	}
}

// dispatchAll dispatches on every node that has ready threads and free CPUs, in the order of nodes.
func (e *engine) dispatchAll() {
	for w := 0; e.dirtyNodes > 0; w++ {
		for e.dirty[w] != 0 {
			e.dispatch(int32(w<<6 + bits.TrailingZeros64(e.dirty[w])))
		}
	}
}

// dispatch puts ready threads of a node on its free CPUs.
func (e *engine) dispatch(ni int32) {
	e.clean(ni)
	n := &e.nodes[ni]
	for n.queue.n > 0 && (n.free > 0 || e.preempt(n)) {
		e.putOn(n)
	}
}

// dispatchOne puts the next ready thread of a node on a CPU, as Dimemas does right after another has left one; the
// other threads of the node wait until it is their node's turn.
func (e *engine) dispatchOne(ni int32) {
	n := &e.nodes[ni]
	if n.queue.n > 0 && (n.free > 0 || e.preempt(n)) {
		e.putOn(n)
	}
	if n.queue.n == 0 || n.free == 0 && (e.ranked == nil || !e.ranked.preemptive) {
		e.clean(ni)
	}
}

// putOn puts the next thread of a node's queue on a CPU.
func (e *engine) putOn(n *node) {
	i := e.policy.next(n)
	t := &e.threads[i]
	n.take(i, t)
	if e.plain {
		e.work(i, t)
	} else {
		e.beginTurn(i, t, n)
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

// work starts the activity of a thread that has a CPU.
func (e *engine) work(i int32, t *thread) {
	d := t.left
	if !e.plain {
		d = e.policy.slice(i, t, t.left)
		t.begun, t.doing = e.now, d
	}
	t.left -= d
	state := sim.StateRunning
	task := &e.tasks[t.task]
	if t.phase == starting {
		task.startups += d
		// Dimemas shows it as running after a context switch, and after being cut by the quantum.
		if (e.m.Scheduler.ContextSwitch == 0 || e.rules[sim.SwitchCost] == sim.SwitchOnChange) && !t.sliced {
			state = sim.StateStartup
		}
	} else {
		task.computation += d
		if t.idle {
			state = sim.StateIdle
		} else if e.rules[sim.RunningState] == sim.RunningAfterEvent && !t.seen {
			state = sim.StateNone
		}
	}
	e.setState(i, t, state)
	if e.keep && t.left > 0 && d > 0 {
		t.timer = e.scheduleFirst(e.now+d, cpuDone, i)
	} else {
		t.timer = e.schedule(e.now+d, cpuDone, i)
	}
}

// cpuDonePlain is cpuDone where a CPU has no state of its own and nobody waits for it. A thread that is ready again
// would leave it, enter an empty queue, and be the first to get it back: so it keeps the CPU, unless anything happens
// on its node in the meantime.
func (e *engine) cpuDonePlain(i int32, t *thread) {
	n := &e.nodes[t.node]
	for again := true; again; {
		n.held, t.runnable = i+1, false
		switch {
		case t.phase == spinning:
			e.stopSpinning(i, t)
		case t.phase == starting:
			t.started, t.phase = true, computing
			e.operate(i, t)
		default:
			if !t.synthetic {
				t.pc++
			}
			e.chain(i, t)
		}
		if n.held == 0 {
			again = e.goesOn(i, t)
			continue
		}
		n.held = 0
		again = t.runnable && t.left == 0 && t.phase == computing && e.timers.n == 0 && e.dirtyNodes == 0 && !e.due()
		if again {
			e.setState(i, t, sim.StateRunning)
		}
	}
	switch {
	case t.onCPU && t.runnable:
		e.work(i, t)
		return
	case t.onCPU && t.phase != spinning:
		e.leaveCPU(t)
	}
	if e.isDirty(t.node) {
		e.dispatchOne(t.node)
	}
}

// letGoHeld takes the CPU from the thread that holds it in cpuDonePlain, and puts that into the queue if it is ready.
func (e *engine) letGoHeld(n *node) {
	i := n.held - 1
	n.held = 0
	t := &e.threads[i]
	e.leaveCPU(t)
	if t.runnable {
		e.ready(i, t)
	}
}

// cpuDone ends a thread's stay on a CPU.
func (e *engine) cpuDone(i int32, t *thread) {
	if t.switching {
		e.endSwitch(i, t)
		return
	}
	for {
		e.leaveCPU(t)
		t.runnable = false
		switch {
		case t.left > 0: // the quantum is over
			t.sliced = t.phase == starting
			e.sliceOver(i, t)
		case t.phase == spinning:
			e.stopSpinning(i, t)
		case t.phase == starting:
			t.started = true
			t.phase = computing
			e.operate(i, t)
		default:
			if !t.synthetic {
				t.pc++
			}
			e.chain(i, t)
		}
		if !e.goesOn(i, t) {
			break
		}
	}
	t.asleep = e.observer != nil && !t.runnable && !t.done && !t.onCPU
	if e.isDirty(t.node) {
		e.dispatchOne(t.node)
	}
}

// goesOn is a short cut. A thread that returns to its CPU for zero time, with nothing else
// scheduled for this instant, would be the next event anyway: it continues immediately.
func (e *engine) goesOn(i int32, t *thread) bool {
	if !e.plain || t.left != 0 || t.phase != computing || t.done || e.timers.n > 0 || e.dirtyNodes != 1 {
		return false
	}
	n := &e.nodes[t.node]
	if n.queue.n != 1 || n.queue.front() != i || n.free == 0 || e.due() {
		return false
	}
	n.queue.popFront()
	e.clean(t.node)
	n.take(i, t)
	e.setState(i, t, sim.StateRunning)
	return true
}

func (e *engine) isDirty(n int32) bool { return e.dirty[n>>6]&(1<<(n&63)) != 0 }

// markDirty notes that a node has a ready thread and a free CPU.
func (e *engine) markDirty(n int32) {
	if !e.isDirty(n) {
		e.dirty[n>>6] |= 1 << (n & 63)
		e.dirtyNodes++
	}
}

func (e *engine) clean(n int32) {
	if e.isDirty(n) {
		e.dirty[n>>6] &^= 1 << (n & 63)
		e.dirtyNodes--
	}
}
