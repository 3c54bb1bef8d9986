package engine

// Turns on a CPU: start, continuation, end.
//
// By the rule TurnUntilBlocked a turn lasts until the thread blocks, ends, is preempted, or uses up its quantum while
// others are ready; it may span many records. By the other rule, each record has its own turn (processors.done).

import (
	"pview/sim"
	"pview/sim/engine/clock"
)

// notify notifies an observing policy.
func (ps *processors) notify(i int32, what occasion) {
	if ps.observer != nil {
		ps.observer.happened(i, what, 0)
	}
}

func (ps *processors) startClock() {
	if ps.ticking != nil && ps.ticking.period() > 0 {
		ps.Schedule(ps.Now+ps.ticking.period(), clock.PolicyTick, 0)
	}
}

// tick lets the policy act, and schedules the next tick while any other event is left.
func (ps *processors) tick() {
	if ps.None() && ps.dirtyNodes == 0 {
		return
	}
	ps.ticking.tick()
	ps.startClock()
}

// beginTurn is called when a thread gets a CPU: it works there, after a context switch if one is due.
func (ps *processors) beginTurn(i int32, t *thread, n *node) {
	if ps.keep {
		t.used = 0
	}
	before := n.last[t.cpu]
	n.last[t.cpu] = i + 1
	cs := ps.m.Scheduler.ContextSwitch
	if cs == 0 || ps.rules[sim.SwitchCost] == sim.SwitchOnChange && (before == 0 || before == i+1) {
		t.turn = ps.Now
		ps.work(i, t)
		return
	}
	t.switching = true
	if t.phase == starting && ps.rules[sim.SwitchCost] != sim.SwitchOnChange {
		ps.setState(i, t, sim.StateStartup) // as Dimemas shows it
	} else {
		ps.setState(i, t, sim.StateSwitch)
	}
	t.timer = ps.Schedule(ps.Now+ps.rng.Drawn(sim.VarySwitch, cs), clock.CPUDone, i)
}

// endSwitch ends a context switch, during which a better thread may have become ready. It renews the quantum, as
// Dimemas 5.5.0 does: each of its timers marks the thread as one that has given up its CPU (Simulator/sched/events.c).
func (ps *processors) endSwitch(i int32, t *thread) {
	t.switching = false
	t.requeue = true
	t.turn = ps.Now
	ps.work(i, t)
	if ps.nodes[t.node].queue.N > 0 && ps.ranked != nil && ps.ranked.preemptive {
		ps.markDirty(t.node)
	}
}

// turnDone ends the activity of a thread on its CPU, by the rule TurnUntilBlocked.
func (ps *processors) turnDone(i int32, t *thread) {
	switch {
	case t.switching:
		ps.endSwitch(i, t)
	case t.left > 0:
		ps.sliceOver(i, t)
	case t.phase == spinning:
		ps.sleepSpinning(i, t)
	default:
		ps.workDone(i, t)
	}
}

// workDone continues the program until something takes time or the thread loses its CPU.
func (ps *processors) workDone(i int32, t *thread) {
	for more := true; more; {
		t.runnable = false
		if t.phase == starting {
			t.started, t.phase = true, computing
			ps.records.operate(i, t)
		} else {
			if !t.synthetic {
				t.pc++
			}
			ps.records.chain(i, t)
		}
		more = ps.stays(i, t)
	}
}

// stays lets a thread that has a CPU continue, or leave. It returns true if its next action takes no time.
func (ps *processors) stays(i int32, t *thread) bool {
	switch {
	case t.phase == spinning || !t.onCPU:
		return false
	case !t.runnable:
		ps.leave(t)
		t.asleep = ps.observer != nil && !t.done
		return false
	case t.left == 0 && t.phase == computing:
		return true
	}
	ps.work(i, t)
	return false
}

// stopWaiting is called when a spinning thread gets its message: it continues in the same turn.
func (ps *processors) stopWaiting(i int32, t *thread) {
	t.used += ps.Now - t.begun
	t.runnable = false
	ps.records.proceed(i, t, false)
	if ps.stays(i, t) {
		ps.workDone(i, t)
	}
}

// sleepSpinning blocks a thread that has spun in vain.
func (ps *processors) sleepSpinning(i int32, t *thread) {
	ps.leave(t)
	ps.stopSpinning(i, t)
	t.asleep = ps.observer != nil
}

// sliceOver is called when a thread has used up its quantum. It gets another quantum if no other thread is ready.
func (ps *processors) sliceOver(i int32, t *thread) {
	ps.notify(i, quantumOver)
	if ps.keep {
		t.used = 0
		if ps.nodes[t.node].queue.N == 0 {
			ps.work(i, t)
			return
		}
		ps.leave(t)
	}
	t.requeue = true
	ps.ready(i, t)
}

// preempt takes the CPU from the worst thread that runs on a node, if the best ready one should have it.
func (ps *processors) preempt(n *node) bool {
	r := ps.ranked
	if r == nil || !r.preemptive {
		return false
	}
	best := n.queue.At(r.best(n))
	victim := int32(-1)
	for _, on := range n.on {
		i := on - 1
		t := &ps.threads[i]
		if t.switching || !r.preempts(best, i) || victim >= 0 && r.rank[i] <= r.rank[victim] ||
			t.begun+t.doing <= ps.Now {
			continue
		}
		if may := t.turn + ps.m.Scheduler.MinRun; may > ps.Now {
			if t.check != may {
				t.check = may
				ps.Schedule(may, clock.MayPreempt, t.node)
			}
			continue
		}
		victim = i
	}
	if victim < 0 {
		return false
	}
	ps.putOff(victim, &ps.threads[victim])
	return true
}

// mayPreempt: a thread on the node has completed its minimum run.
func (ps *processors) mayPreempt(node int32) {
	if ps.nodes[node].queue.N > 0 {
		ps.markDirty(node)
	}
}

// putOff preempts a thread in mid-activity. It will continue before others of its rank; a spinning one blocks.
func (ps *processors) putOff(i int32, t *thread) {
	t.timer = 0
	if t.phase == spinning {
		ps.sleepSpinning(i, t)
		return
	}
	ps.undo(t)
	ps.leave(t)
	t.requeue, t.used = false, 0
	ps.ready(i, t)
}

// undo cancels the rest of a thread's activity on its CPU.
func (ps *processors) undo(t *thread) {
	undone := t.begun + t.doing - ps.Now
	t.left += undone
	task := &ps.tasks[t.task]
	if t.phase == starting {
		task.startups -= undone
	} else {
		task.computation -= undone
	}
}

// spins reports whether receivers keep their CPU for a while. They do not if CPUs are shared.
func (ps *processors) spins() bool { return ps.m.Scheduler.BusyWait > 0 && ps.sharing == nil }

// spin keeps the CPU for a while before blocking. Dimemas spins for the cost of a context switch.
func (ps *processors) spin(i int32, t *thread) {
	n := &ps.nodes[t.node]
	if n.held == i+1 {
		n.held = 0 // it stays in any case
	}
	if !t.onCPU {
		n.take(i, t)
	}
	t.phase = spinning
	t.left = 0
	ps.setState(i, t, sim.StateBusyWait)
	d := ps.m.Scheduler.ContextSwitch
	if ps.rules[sim.SpinTime] == sim.SpinFully {
		d = ps.rng.Drawn(sim.VaryBusyWait, ps.m.Scheduler.BusyWait)
	}
	t.begun, t.doing = ps.Now, d
	t.timer = ps.Schedule(ps.Now+d, clock.CPUDone, i)
}

func (ps *processors) stopSpinning(i int32, t *thread) {
	t.phase = computing
	t.blocked = ps.Now
	ps.setState(i, t, sim.StateWaiting)
}
