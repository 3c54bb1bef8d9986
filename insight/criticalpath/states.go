package criticalpath

// The meaning of a thread's states for the path, in traces of a simulator.

import (
	"sort"

	"pview/prv/extrae"
	"pview/sim"
)

// States in Paraver's numbering.
const (
	stateIdle     = uint32(sim.StateIdle)
	stateRunning  = uint32(sim.StateRunning)
	stateForkJoin = 7
)

// meaning is the meaning of a state for the path: the kind of its time, and how to follow it if the thread
// may have waited for another.
type meaning struct {
	kind Kind
	// follow goes back through the state, which begins at begin, and returns true; or false when nobody else delayed
	// the thread.
	follow func(f *finder, record int, begin int64) bool
}

var simulatedStates map[uint32]meaning // filled by init: the functions refer to it

func init() {
	simulatedStates = map[uint32]meaning{
		uint32(sim.StateIdle):           {Other, (*finder).followTeam},
		uint32(sim.StateRunning):        {Computation, nil},
		uint32(sim.StateWaiting):        {Waiting, (*finder).followMessage},
		uint32(sim.StateBusyWait):       {Waiting, (*finder).followMessage},
		uint32(sim.StateReady):          {Ready, (*finder).followReady},
		uint32(sim.StateSwitch):         {Switch, nil},
		uint32(sim.StateFork):           {Runtime, (*finder).followFork}, // or blocked at a semaphore
		uint32(sim.StateSending):        {Transfer, (*finder).followSending},
		uint32(sim.StateIO):             {IO, nil},
		uint32(sim.StateCollective):     {Collective, (*finder).followCollective},
		uint32(sim.StateCollectiveWork): {Collective, (*finder).followCollective},
		uint32(sim.StateOthers):         {Other, nil},
		uint32(sim.StateStartup):        {Latency, (*finder).followStartup},
	}
}

func meaningOf(state uint32) meaning {
	if m, ok := simulatedStates[state]; ok {
		return m
	}
	return meaning{kind: Other}
}

// thesisNumbers maps the thesis' numbers to the states of a simulator.
var thesisNumbers = func() map[uint32]uint32 {
	m := map[uint32]uint32{}
	for _, s := range sim.States {
		m[uint32(s.Thesis)] = uint32(s.Value)
	}
	return m
}()

// value returns a state of a thread in Paraver's numbering.
func (f *finder) value(thread int32, record int) uint32 {
	return f.number(f.t.Threads[thread].States.Value[record])
}

// number returns a state in Paraver's numbering.
func (f *finder) number(state uint32) uint32 {
	if own, ok := thesisNumbers[state]; ok && f.thesis {
		return own
	}
	return state
}

// followSemaphore goes from a thread that waited at a semaphore until now to the thread of its task that signalled it:
// the one with the event, or, in a trace without these, a state that ends now.
func (f *finder) followSemaphore(record int, begin int64) bool {
	own, ok := f.eventAt(f.thread, begin, extrae.SemaphoreWait, 0)
	task := f.t.Tasks[f.t.ThreadTask[f.thread]]
	tried := f.again(record)
	for th := task.FirstThread; th < task.FirstThread+task.Threads; th++ {
		signalled := false
		if ok {
			_, signalled = f.eventAt(th, f.at, extrae.SemaphoreSignal, own)
		} else if k := f.lookup(th, f.at); k >= 0 {
			signalled = f.end(th, k) == f.at
		}
		if !signalled || th == f.thread {
			continue
		}
		if tried == 0 {
			f.jump(th)
			return true
		}
		tried--
	}
	return false
}

// followFork: a master that opens or closes a parallel region, or a thread blocked at a semaphore.
func (f *finder) followFork(record int, begin int64) bool {
	if f.followSemaphore(record, begin) {
		return true
	}
	if _, ok := f.eventAt(f.thread, begin, extrae.SemaphoreWait, 0); ok {
		f.stay(begin, Waiting)
		return true
	}
	return false
}

// inConstruct reports whether a state that begins at a time is that of a construct of OpenMP.
func (f *finder) inConstruct(thread int32, begin int64, typ ...uint32) bool {
	for _, c := range typ {
		if _, ok := f.eventAt(thread, begin, c, 0); ok {
			return true
		}
	}
	return false
}

// eventAt returns the value of a thread's event of a type at a time; a nonzero value must match.
func (w *walk) eventAt(thread int32, at int64, typ uint32, value int64) (int64, bool) {
	e := &w.t.Threads[thread].Events
	for i := sort.Search(e.Len(), func(i int) bool { return e.Time[i] >= at }); i < e.Len() && e.Time[i] == at; i++ {
		if e.Type[i] == typ && (value == 0 || e.Value.At(i) == value) {
			return e.Value.At(i), true
		}
	}
	return 0, false
}

// followReady: ready without a CPU; or inside a Reduce; or waiting for the rest of the team, or in its barrier.
func (f *finder) followReady(record int, begin int64) bool {
	if f.followCollective(record, begin) || f.followTeam(record, begin) {
		return true
	}
	if f.inConstruct(f.thread, begin, extrae.OpenMPBarrier) {
		f.stay(begin, Runtime)
		return true
	}
	return false
}

// followStartup: the latency of a message, or of a collective operation.
func (f *finder) followStartup(record int, begin int64) bool {
	return !f.startsMessage(begin) && f.followCollective(record, begin)
}

// followTeam goes from a thread that waited for another of its task to the last one that stopped computing in the
// meantime: the master that forks, the last worker at a join or a barrier.
func (f *finder) followTeam(record int, begin int64) bool {
	task := f.t.Tasks[f.t.ThreadTask[f.thread]]
	if task.Threads < 2 {
		return false
	}
	last, from := begin, int32(-1)
	for th := task.FirstThread; th < task.FirstThread+task.Threads; th++ {
		if th == f.thread {
			continue
		}
		if end, ok := f.lastWork(th, begin, f.at); ok && end > last {
			last, from = end, th
		}
	}
	// A simulated thread continues immediately after a wait, but after a barrier, which is shown whole; one that is ready
	// does not wait for a thread of its task.
	if from < 0 || last < f.at && !f.inConstruct(f.thread, begin, extrae.OpenMPBarrier) ||
		last == f.at && f.again(record) > 0 {
		return false
	}
	f.stay(last, Runtime)
	f.jump(from)
	return true
}

// lastWork returns the end of the last computation of a thread that ends in (after, upTo].
func (f *finder) lastWork(thread int32, after, upTo int64) (int64, bool) {
	s := &f.t.Threads[thread].States
	for k := f.lookup(thread, upTo); k >= 0; k-- {
		end := f.end(thread, k)
		if end <= after {
			return 0, false
		}
		if s.Begin[k] == end {
			continue
		}
		v := f.value(thread, k)
		if v == stateRunning || v == stateForkJoin &&
			f.inConstruct(thread, s.Begin[k], extrae.OpenMPParallel, extrae.OpenMPOutlined) {
			return min(end, upTo), true
		}
	}
	return 0, false
}
