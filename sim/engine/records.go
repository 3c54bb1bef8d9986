package engine

// The records of a thread: those that take no time run in a chain up to the next computation or operation.

import (
	"pview/prv/extrae"
	"pview/sim"
)

// chain runs the records that take no time after a computation.
func (e *engine) chain(i int32, t *thread) {
	t.requeue = true
	waits := false
	if len(e.m.Modules) > 0 || e.out != nil && e.out.columns == nil {
		waits = e.chainRecorded(i, t)
	} else {
		waits = e.chainPlain(i, t)
	}
	if waits {
		return
	}
	if int(t.pc) == len(t.kind) {
		e.finish(i, t)
		return
	}
	if k := t.kind[t.pc]; k.IsOperation() {
		e.operate(i, t)
		return
	}
	e.loadWork(t)
	e.ready(i, t)
}

// chainPlain is the fast path: there is nothing to do for most events but to note their time. It returns true when the
// thread has to wait at an event.
func (e *engine) chainPlain(i int32, t *thread) (waits bool) {
	kind, pc, passed := t.kind, int(t.pc), 0
records:
	for ; pc < len(kind); pc++ {
		switch k := kind[pc]; {
		case k >= sim.PlainEvent:
			t.requeue, t.seen = true, true
			t.event = e.nowNS
			passed++
		case k >= sim.ReactiveEvent:
			t.pc = int32(pc)
			if waits = e.react(i, t); waits {
				break records
			}
			if !k.NotRecorded() {
				passed++
			}
		case k == sim.Nop:
			t.requeue = false
		case k == sim.IdleOn || k == sim.IdleOff:
			t.idle = k == sim.IdleOn
			t.requeue = true
		default:
			break records
		}
	}
	t.pc = int32(pc)
	if e.out != nil && passed > 0 {
		e.out.pass(i, t, passed)
	}
	if e.out != nil && waits {
		e.out.columns.threads[i].beginLine()
	}
	return waits
}

// react applies the effects of the event at the thread's record. It returns true when the thread has to wait there.
func (e *engine) react(i int32, t *thread) bool {
	typ, value := t.src.Event(int(t.pc))
	if t.team != nil && e.awaits(i, t, typ, uint64(value)) {
		return true
	}
	t.requeue = true
	e.markEvent(i, t, typ, uint64(value))
	if len(e.m.Modules) > 0 {
		e.followModules(t, typ, value)
	}
	if e.observer != nil && typ == sim.PriorityType {
		e.observer.happened(i, priorityEvent, uint64(value))
	}
	return false
}

// markEvent applies the effect of an event on states.
func (e *engine) markEvent(i int32, t *thread, typ uint32, value uint64) {
	if value == 0 && (typ == extrae.TraceFlush || typ == extrae.TraceInit) && t.state == sim.StateRunning &&
		t.since >= t.event {
		t.state = sim.StateIO
		if typ == extrae.TraceInit {
			t.state = sim.StateOthers
		}
		if e.rules[sim.TracerStates] == sim.TracerOverlaps && t.since > t.event {
			e.stats[t.task].States[t.state] += t.since - t.event
			if e.out != nil {
				e.out.stretch(i, t, t.event, t.since)
			}
		}
	}
	t.seen = t.seen || typ > 0
	t.event = e.nowNS
}

// chainRecorded writes the events, those of a call on one line, and follows modules.
func (e *engine) chainRecorded(i int32, t *thread) bool {
	for ; int(t.pc) < len(t.kind); t.pc++ {
		switch k := t.kind[t.pc]; {
		case k >= sim.ReactiveEvent:
			if e.shares != nil && e.joins(i, t) {
				return true
			}
			if k >= sim.PlainEvent {
				e.pass(t)
			} else if e.react(i, t) {
				e.breakLine(i, t)
				return true
			}
			if e.out != nil {
				e.out.eventOf(i, t)
			}
			if fork := t.fork; fork > 0 {
				t.fork = 0
				t.pc++
				e.spend(i, t, fork)
				return true
			}
		case k == sim.Nop:
			t.requeue = false
			e.endLine(i, t)
		case k == sim.IdleOn || k == sim.IdleOff:
			t.idle = k == sim.IdleOn
			t.requeue = true
		default:
			e.endLine(i, t)
			return false
		}
	}
	e.endLine(i, t)
	return false
}

// pass applies the effects of a plain event.
func (e *engine) pass(t *thread) {
	t.requeue, t.seen = true, true
	t.event = e.nowNS
	if len(e.m.Modules) > 0 {
		typ, value := t.src.Event(int(t.pc))
		e.followModules(t, typ, value)
	}
}

func (e *engine) endLine(i int32, t *thread) {
	if e.out != nil {
		e.out.endLine(i, t)
	}
}

// breakLine is called where time passes between two events of a line.
func (e *engine) breakLine(i int32, t *thread) {
	e.endLine(i, t)
	if e.out != nil && e.out.columns != nil {
		e.out.columns.threads[i].beginLine()
	}
}

// loadWork prepares the computation at the thread's record, or an empty one if the record
// is something else.
func (e *engine) loadWork(t *thread) {
	t.phase = computing
	if t.kind[t.pc] != sim.Compute {
		t.synthetic, t.left = true, 0
		return
	}
	t.synthetic = false
	d := sim.StoredBurst(t.values, t.arg[t.pc])
	if n := len(t.modules); n > 0 {
		d = t.modules[n-1].apply(d)
	}
	switch s := e.drawn(sim.VarySpeed, e.m.Nodes[t.node].Speed); s {
	case 1:
	case 0:
		d = 0
	default:
		d /= s
	}
	t.left = d
}

// proceed continues after an operation.
func (e *engine) proceed(i int32, t *thread, requeue bool) {
	t.pc++
	t.started = false
	if int(t.pc) == len(t.kind) {
		e.finish(i, t)
		return
	}
	e.loadWork(t)
	t.requeue = requeue || e.keep // then it is either on its CPU, or woken
	e.ready(i, t)
}

// startup charges the latency of an operation on the thread's CPU, after which the thread
// returns to the operation. Less than a nanosecond is free.
func (e *engine) startup(i int32, t *thread, latency float64) bool {
	if latency < 1 {
		return false
	}
	t.phase = starting
	t.sliced = false
	t.left = latency
	t.requeue = false
	e.ready(i, t)
	return true
}
