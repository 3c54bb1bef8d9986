package engine

// The states of OpenMP threads.
//
// By the rule ConstructStates the state of a thread of a team follows from its last event, from one event of the
// runtime to the next: Running in an outlined function and after a barrier, Synchronization in a barrier, Scheduling
// and Fork/Join while the master opens or closes a region, or a loop is shared out. Otherwise the computation of a
// worker, or of the master within a region, is not shown; nor is the wait for the team, or for the CPU after it. A wait
// for a CPU within a construct counts twice, as itself and as the construct. All of this follows Dimemas 5.5.0
// (Simulator/model/dim_omp.cc and sched/schedule.c); OpenMP tasks, which it does not finish, are shown as Running, and
// the waits for them as Synchronization.

import (
	"pview/prv/extrae"
	"pview/sim"
)

// construct is the OpenMP construct that a thread of a team is in.
type construct struct {
	shown
	worker bool
	paused bool    // it waits for an OpenMP task, and is shown so
	since  int64   // ns
	outer  []shown // around the OpenMP tasks that it executes, innermost last
}

// shown is the displayed state of a thread.
type shown struct {
	state uint8 // StateNone: not at all
	hides bool  // its computation is not shown as such
}

// Values of events.
const (
	regionOpen  = 3 // OpenMPParallel: a region
	shareLoop   = 4 // OpenMPWorksharing
	shareSingle = 6
)

// newConstruct returns the construct of a thread before its first event; nil if states follow its activity.
func (o *openMP) newConstruct(worker bool) *construct {
	if o.rules[sim.ConstructStates] != sim.ConstructsShown {
		return nil
	}
	return &construct{shown: shown{sim.StateNone, worker}, worker: worker}
}

// waitState returns the state of a thread that has become ready: waiting for a CPU; not shown if the team has woken it.
func (t *thread) waitState() uint8 {
	if c := t.construct; t.passes && c != nil && c.hides && !c.paused {
		return sim.StateNone
	}
	return sim.StateReady
}

// meetingState returns the state of a thread that waits for its team.
func (t *thread) meetingState() uint8 {
	if t.construct != nil && t.construct.hides {
		return sim.StateNone
	}
	return sim.StateReady
}

// after returns the displayed state of a thread after an event; ok is false if unchanged.
func (c *construct) after(typ uint32, value uint64) (next shown, ok bool) {
	begins := value > 0
	next = shown{sim.StateNone, true}
	switch typ {
	case extrae.OpenMPParallel:
		if value == regionOpen && !c.worker {
			next.state = sim.StateFork
		}
		next.hides = c.worker || begins
	case extrae.OpenMPOutlined:
		switch {
		case begins:
			next.state = sim.StateRunning
		case !c.worker:
			next.state = sim.StateFork
		}
	case extrae.OpenMPBarrier:
		next.state = sim.StateRunning
		if begins {
			next.state = sim.StateReady
		}
	case extrae.OpenMPWorksharing:
		switch value {
		case 0:
			next.state = sim.StateRunning
		case shareLoop, shareSingle:
			next.state = sim.StateFork
		}
	case extrae.OpenMPExecute:
		if begins {
			c.outer = append(c.outer, c.shown)
			return shown{sim.StateRunning, true}, true
		}
		last := len(c.outer) - 1
		if last < 0 { // an end without a start
			return next, false
		}
		next, c.outer = c.outer[last], c.outer[:last]
	default:
		return next, false
	}
	return next, true
}

// show writes a thread's construct up to now.
func (o *openMP) show(i int32, t *thread) {
	c := t.construct
	if c.state != sim.StateNone && c.since < o.nowNS && !c.paused {
		o.stats[t.task].States[c.state] += o.nowNS - c.since
		if o.out != nil {
			o.out.stretch(i, t, c.state, c.since, o.nowNS)
		}
	}
	c.since, c.paused = o.nowNS, false
}

// pass ends the construct of a thread at an event, and begins the next.
func (o *openMP) pass(i int32, t *thread, typ uint32, value uint64) {
	next, ok := t.construct.after(typ, value)
	if ok || typ == extrae.OpenMPTaskwait {
		o.show(i, t)
	}
	if ok {
		t.construct.shown = next
	}
}
