package engine

// The records of a thread: records that take no time run in a chain up to the next computation or operation.

import (
	"pview/prv/extrae"
	"pview/sim"
)

// records reads the records of the threads.
type records struct {
	*engine
	shares []float64 // by node: CPUs of a thread; nil: no block is split
}

// init finds the CPUs of a thread on each node, if a block is split.
func (rs *records) init(e *engine) {
	rs.engine = e
	if rs.m.MostSplit() == 1 {
		return
	}
	load := make([]int, len(rs.cpus.nodes))
	for i := range rs.threads {
		if t := &rs.threads[i]; !rs.leftOut(t) {
			load[t.node]++
		}
	}
	for i, n := range load {
		rs.shares = append(rs.shares, sim.CPUShare(rs.m.Nodes[i].CPUs, n))
	}
}

// chain runs the records that take no time after a computation.
func (rs *records) chain(i int32, t *thread) {
	t.requeue = true
	waits := false
	if len(rs.m.Modules) > 0 || rs.out != nil && rs.out.columns == nil {
		waits = rs.chainRecorded(i, t)
	} else {
		waits = rs.chainPlain(i, t)
	}
	if waits {
		return
	}
	if int(t.pc) == len(t.kind) {
		rs.finish(i, t)
		return
	}
	if k := t.kind[t.pc]; k.IsOperation() {
		rs.operate(i, t)
		return
	}
	rs.loadWork(t)
	rs.cpus.ready(i, t)
}

// chainPlain is the fast path: most events only need their time noted. It returns true if the thread has to wait at an
// event.
func (rs *records) chainPlain(i int32, t *thread) (waits bool) {
	kind, pc, passed := t.kind, int(t.pc), 0
records:
	for ; pc < len(kind); pc++ {
		switch k := kind[pc]; {
		case k >= sim.PlainEvent:
			t.requeue, t.seen = true, true
			t.event = rs.nowNS
			passed++
		case k >= sim.ReactiveEvent:
			t.pc = int32(pc)
			if waits = rs.react(i, t); waits {
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
	if rs.out != nil && passed > 0 {
		rs.out.pass(i, t, passed)
	}
	if rs.out != nil && waits {
		rs.out.columns.threads[i].beginLine()
	}
	return waits
}

// react applies the effects of the event at the thread's record. It returns true if the thread has to wait there.
func (rs *records) react(i int32, t *thread) bool {
	typ, value := t.src.Event(int(t.pc))
	if t.team != nil && rs.openMP.awaits(i, t, typ, uint64(value)) {
		return true
	}
	t.requeue = true
	if t.construct != nil {
		rs.openMP.pass(i, t, typ, uint64(value))
	}
	rs.markEvent(i, t, typ, uint64(value))
	if len(rs.m.Modules) > 0 {
		rs.followModules(t, typ, value)
	}
	if rs.cpus.observer != nil && typ == sim.PriorityType {
		rs.cpus.observer.happened(i, priorityEvent, uint64(value))
	}
	return false
}

// markEvent applies the effect of an event on states.
func (rs *records) markEvent(i int32, t *thread, typ uint32, value uint64) {
	if value == 0 && (typ == extrae.TraceFlush || typ == extrae.TraceInit) && t.state == sim.StateRunning &&
		t.since >= t.event {
		t.state = sim.StateIO
		if typ == extrae.TraceInit {
			t.state = sim.StateOthers
		}
		if rs.rules[sim.TracerStates] == sim.TracerOverlaps && t.since > t.event {
			rs.stats[t.task].States[t.state] += t.since - t.event
			if rs.out != nil {
				rs.out.stretch(i, t, t.state, t.event, t.since)
			}
		}
	}
	t.seen = t.seen || typ > 0
	t.event = rs.nowNS
}

// chainRecorded writes the events, those of a call on one line, and follows modules.
func (rs *records) chainRecorded(i int32, t *thread) bool {
	for ; int(t.pc) < len(t.kind); t.pc++ {
		switch k := t.kind[t.pc]; {
		case k >= sim.ReactiveEvent:
			if rs.shares != nil && rs.joins(i, t) {
				return true
			}
			if k >= sim.PlainEvent {
				rs.pass(t)
			} else if rs.react(i, t) {
				rs.breakLine(i, t)
				return true
			}
			if rs.out != nil {
				rs.out.eventOf(i, t)
			}
			if fork := t.fork; fork > 0 {
				t.fork = 0
				t.pc++
				rs.spend(i, t, fork)
				return true
			}
		case k == sim.Nop:
			t.requeue = false
			rs.endLine(i, t)
		case k == sim.IdleOn || k == sim.IdleOff:
			t.idle = k == sim.IdleOn
			t.requeue = true
		default:
			rs.endLine(i, t)
			return false
		}
	}
	rs.endLine(i, t)
	return false
}

// pass applies the effects of a plain event.
func (rs *records) pass(t *thread) {
	t.requeue, t.seen = true, true
	t.event = rs.nowNS
	if len(rs.m.Modules) > 0 {
		typ, value := t.src.Event(int(t.pc))
		rs.followModules(t, typ, value)
	}
}

func (rs *records) endLine(i int32, t *thread) {
	if rs.out != nil {
		rs.out.endLine(i, t)
	}
}

// breakLine is called where time passes between two events of a line.
func (rs *records) breakLine(i int32, t *thread) {
	rs.endLine(i, t)
	if rs.out != nil && rs.out.columns != nil {
		rs.out.columns.threads[i].beginLine()
	}
}

// loadWork prepares the computation at the thread's record, or an empty one if the record
// is something else.
func (rs *records) loadWork(t *thread) {
	t.phase = computing
	if t.kind[t.pc] != sim.Compute {
		t.synthetic, t.left = true, 0
		return
	}
	t.synthetic = false
	if t.silent {
		t.left = 0
		return
	}
	d := sim.StoredBurst(t.values, t.arg[t.pc])
	if n := len(t.modules); n > 0 {
		d = t.modules[n-1].apply(d)
	}
	switch s := rs.rng.Drawn(sim.VarySpeed, rs.m.Nodes[t.node].Speed); s {
	case 1:
	case 0:
		d = 0
	default:
		d /= s
	}
	t.left = d
}

// proceed continues after an operation.
func (rs *records) proceed(i int32, t *thread, requeue bool) {
	t.pc++
	t.started = false
	if int(t.pc) == len(t.kind) {
		rs.finish(i, t)
		return
	}
	rs.loadWork(t)
	t.requeue = requeue || rs.cpus.keep // with keep, it is either on its CPU or woken
	rs.cpus.ready(i, t)
}

// resume continues after an operation that the thread has only started: immediately, without a turn on the CPU in
// between.
func (rs *records) resume(i int32, t *thread) {
	t.pc++
	t.started = false
	rs.chain(i, t)
}

// startup charges the latency of an operation on the thread's CPU, after which the thread
// returns to the operation. Less than a nanosecond is free.
func (rs *records) startup(i int32, t *thread, latency float64) bool {
	if latency < 1 {
		return false
	}
	t.phase = starting
	t.sliced = false
	t.left = latency
	t.requeue = false
	rs.cpus.ready(i, t)
	return true
}

// operate performs the operation at the thread's record.
func (rs *records) operate(i int32, t *thread) {
	if !t.started {
		t.reached = rs.Now
	}
	k := t.kind[t.pc]
	if rs.mail != nil && rs.mail.operate(i, t, k) {
		return
	}
	switch k {
	case sim.Send, sim.SendRendezvous, sim.Isend, sim.IsendRendezvous, sim.SendPort:
		rs.streams.send(i, t, k)
	case sim.Recv, sim.Wait, sim.RecvPort:
		rs.streams.receive(i, t, k)
	case sim.Irecv:
		rs.streams.postReceive(i, t)
	case sim.Probe:
		rs.streams.probe(i, t)
	case sim.Put, sim.Get:
		rs.remote.access(i, t, k)
	case sim.Flush:
		rs.remote.flush(i, t)
	case sim.SemaphoreWait:
		rs.remote.awaitSignal(i, t)
	case sim.SemaphoreSignal:
		rs.remote.signal(i, t)
	case sim.Collective:
		rs.collectives.enter(i, t)
	case sim.CollectiveStart:
		rs.collectives.start(i, t)
	case sim.CollectiveWait:
		rs.collectives.wait(i, t)
	case sim.Reduce:
		if rs.rules[sim.ReduceKind] == sim.ReduceCollective {
			rs.collectives.enter(i, t)
		} else {
			rs.collectives.reduce(i, t)
		}
	}
}
