package engine

// Turns on a CPU: begin, continuation, end.
//
// By the rule TurnUntilBlocked a turn lasts until the thread blocks, ends, is preempted, or uses up its quantum while
// others are ready; it may span many records. By the other, each record has a turn of its own (engine.cpuDone).

import "pview/sim"

// newPolicy creates the policy, and finds out which interfaces it has.
func (e *engine) newPolicy() {
	s := &e.m.Scheduler
	p, _ := sim.PolicyByName(s.Policy)
	e.policy = newPolicies[p.Name](e, s)
	e.sharing, _ = e.policy.(*sharing)
	e.keep = e.rules[sim.CPUTurns] == sim.TurnUntilBlocked && e.sharing == nil
	_, isFIFO := e.policy.(fifo)
	e.plain = isFIFO && !e.keep && s.ContextSwitch == 0
	if r, ok := e.policy.(ranking); ok {
		e.ranked = r.ranks()
	}
	e.observer, _ = e.policy.(observer)
	e.clock, _ = e.policy.(clocked)
}

// notify notifies an observing policy.
func (e *engine) notify(i int32, what occasion) {
	if e.observer != nil {
		e.observer.happened(i, what, 0)
	}
}

func (e *engine) startClock() {
	if e.clock != nil && e.clock.period() > 0 {
		e.schedule(e.now+e.clock.period(), policyTick, 0)
	}
}

// tick lets the policy act, and schedules the next tick while any other event is left.
func (e *engine) tick() {
	if e.none() && e.dirtyNodes == 0 {
		return
	}
	e.clock.tick()
	e.startClock()
}

// beginTurn is called when a thread has got a CPU: it works there, after a context switch if one is due.
func (e *engine) beginTurn(i int32, t *thread, n *node) {
	if e.keep {
		t.used = 0
	}
	before := n.last[t.cpu]
	n.last[t.cpu] = i + 1
	cs := e.m.Scheduler.ContextSwitch
	if cs == 0 || e.rules[sim.SwitchCost] == sim.SwitchOnChange && (before == 0 || before == i+1) {
		t.turn = e.now
		e.work(i, t)
		return
	}
	t.switching = true
	if t.phase == starting && e.rules[sim.SwitchCost] != sim.SwitchOnChange {
		e.setState(i, t, sim.StateStartup) // as Dimemas shows it
	} else {
		e.setState(i, t, sim.StateSwitch)
	}
	t.timer = e.schedule(e.now+e.drawn(sim.VarySwitch, cs), cpuDone, i)
}

// endSwitch: the context switch is over. A better thread may have become ready in the meantime.
func (e *engine) endSwitch(i int32, t *thread) {
	t.switching = false
	t.turn = e.now
	e.work(i, t)
	if e.nodes[t.node].queue.n > 0 && e.ranked != nil && e.ranked.preemptive {
		e.markDirty(t.node)
	}
}

// turnDone ends the activity of a thread on its CPU, by the rule TurnUntilBlocked.
func (e *engine) turnDone(i int32, t *thread) {
	switch {
	case t.switching:
		e.endSwitch(i, t)
	case t.left > 0:
		e.sliceOver(i, t)
	case t.phase == spinning:
		e.sleepSpinning(i, t)
	default:
		e.workDone(i, t)
	}
}

// workDone continues the program until something takes time or the thread loses its CPU.
func (e *engine) workDone(i int32, t *thread) {
	for more := true; more; {
		t.runnable = false
		if t.phase == starting {
			t.started, t.phase = true, computing
			e.operate(i, t)
		} else {
			if !t.synthetic {
				t.pc++
			}
			e.chain(i, t)
		}
		more = e.stays(i, t)
	}
}

// stays lets a thread that has a CPU continue, or leave. It returns true when its next action takes no time.
func (e *engine) stays(i int32, t *thread) bool {
	switch {
	case t.phase == spinning || !t.onCPU:
		return false
	case !t.runnable:
		e.leaveCPU(t)
		t.asleep = e.observer != nil && !t.done
		return false
	case t.left == 0 && t.phase == computing:
		return true
	}
	e.work(i, t)
	return false
}

// stopWaiting is called when a spinning thread has got its message: it continues in the same turn.
func (e *engine) stopWaiting(i int32, t *thread) {
	t.used += e.now - t.begun
	t.runnable = false
	e.proceed(i, t, false)
	if e.stays(i, t) {
		e.workDone(i, t)
	}
}

// sleepSpinning blocks a thread that has spun in vain.
func (e *engine) sleepSpinning(i int32, t *thread) {
	e.leaveCPU(t)
	e.stopSpinning(i, t)
	t.asleep = e.observer != nil
}

// sliceOver is called when a thread has used up its quantum. It gets another one if no other thread is ready.
func (e *engine) sliceOver(i int32, t *thread) {
	e.notify(i, quantumOver)
	if e.keep {
		t.used = 0
		if e.nodes[t.node].queue.n == 0 {
			e.work(i, t)
			return
		}
		e.leaveCPU(t)
	}
	t.requeue = true
	e.ready(i, t)
}

// preempt takes the CPU from the worst thread that runs on a node, if the best ready one should have it.
func (e *engine) preempt(n *node) bool {
	r := e.ranked
	if r == nil || !r.preemptive {
		return false
	}
	best := n.queue.at(r.best(n))
	victim := int32(-1)
	for _, on := range n.on {
		i := on - 1
		t := &e.threads[i]
		if t.switching || !r.preempts(best, i) || victim >= 0 && r.rank[i] <= r.rank[victim] ||
			t.begun+t.doing <= e.now {
			continue
		}
		if may := t.turn + e.m.Scheduler.MinRun; may > e.now {
			if t.check != may {
				t.check = may
				e.schedule(may, mayPreempt, t.node)
			}
			continue
		}
		victim = i
	}
	if victim < 0 {
		return false
	}
	e.putOff(victim, &e.threads[victim])
	return true
}

// mayPreempt: a thread on the node has completed its minimum run.
func (e *engine) mayPreempt(node int32) {
	if e.nodes[node].queue.n > 0 {
		e.markDirty(node)
	}
}

// putOff preempts a thread in mid-activity. It will continue before others of its rank; a spinning one blocks.
func (e *engine) putOff(i int32, t *thread) {
	t.timer = 0
	if t.phase == spinning {
		e.sleepSpinning(i, t)
		return
	}
	e.undo(t)
	e.leaveCPU(t)
	t.requeue, t.used = false, 0
	e.ready(i, t)
}

// undo cancels the rest of a thread's activity on its CPU.
func (e *engine) undo(t *thread) {
	undone := t.begun + t.doing - e.now
	t.left += undone
	task := &e.tasks[t.task]
	if t.phase == starting {
		task.startups -= undone
	} else {
		task.computation -= undone
	}
}
