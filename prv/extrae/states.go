package extrae

// The meaning of a trace's states. Extrae, current simulators and the simulator of Girona's thesis number them
// differently: 5 is a barrier, a thread that is ready without a CPU, or the same; 4 is a blocking send, a busy wait, or
// waiting for a link. So the meaning of a state depends on who wrote the trace.

import (
	"fmt"
	"slices"
	"strings"

	"pview/prv"
)

// Meaning is the meaning of a state.
type Meaning uint8

// The meanings.
const (
	Unknown       Meaning = iota
	Useful                // computation of the program
	Idle                  // nothing to do
	Waiting               // for a message, a partner, a semaphore, others of a barrier
	Communicating         // in a call of a communication library, not known to wait
	Ready                 // could run, but has no CPU
	Overhead              // in the runtime, the scheduler or the tracer
	IO                    // input and output
	Absent                // not created, or not traced
)

var meaningNames = [...]string{"unknown", "useful", "idle", "waiting", "communicating", "ready", "overhead", "I/O",
	"absent"}

// String returns the meaning in one word.
func (m Meaning) String() string { return meaningNames[m] }

// Writer is the program that wrote a trace, as far as its states go.
type Writer uint8

// The writers.
const (
	Auto      Writer = iota // to be recognised
	Extrae                  // and others that number states as Extrae does
	Simulator               // Dimemas and pview
	Thesis                  // the simulator of Girona's thesis, and pview with its numbers
)

// writers are the writers and the meaning of their states.
var writers = [...]struct {
	name, doc string
	states    map[uint32]Meaning
}{
	Auto:   {"auto", "recognised by the labels of the .pcf", nil},
	Extrae: {"extrae", "Extrae, and tracers that number states as it does", extraeStates()},
	Simulator: {"simulator", "Dimemas and pview sim", map[uint32]Meaning{
		0: Idle, 1: Useful, 3: Waiting, 4: Waiting, 5: Ready, 6: Overhead, 7: Waiting, 9: Waiting, 12: IO,
		13: Communicating, 15: Overhead, 26: Communicating,
	}},
	Thesis: {"thesis", "the simulator of Girona's thesis", map[uint32]Meaning{
		0: Idle, 1: Useful, 2: Absent, 3: Waiting, 4: Waiting, 5: Ready, 6: Waiting, 7: Communicating, 8: Overhead,
		9: Communicating, 10: Communicating,
		11: IO, 12: Waiting, 13: Communicating, 14: Communicating, 15: IO,
	}},
}

// String returns the writer's name.
func (w Writer) String() string { return writers[w].name }

// labelled has the meanings of Extrae's states by label, in lower case: in a tracer's trace, labels take precedence
// over numbers.
var labelled = map[string]Meaning{
	"idle": Idle, "running": Useful, "not created": Absent, "waiting a message": Waiting,
	"blocking send": Communicating, "synchronization": Waiting, "test/probe": Communicating,
	"scheduling and fork/join": Overhead, "wait/waitall": Waiting, "blocked": Waiting,
	"immediate send": Communicating, "immediate receive": Communicating, "i/o": IO,
	"group communication": Communicating, "tracing disabled": Absent, "others": Overhead,
	"send receive": Communicating, "memory transfer": Communicating, "profiling": Overhead,
	"on-line analysis": Overhead, "remote memory access": Communicating, "atomic memory operation": Communicating,
	"memory ordering operation": Communicating, "distributed locking": Waiting, "overhead": Overhead,
	"one-sided op": Communicating, "startup latency": Communicating, "waiting links": Waiting,
	"data copy": Communicating, "rtt": Communicating, "allocating memory": Overhead, "freeing memory": Overhead,
	"configuring accelerator": Overhead, "stream registration": Overhead,
}

// extraeStates returns the meanings of Extrae's numbers, by the names of the states.
func extraeStates() map[uint32]Meaning {
	m := map[uint32]Meaning{}
	for _, s := range prv.DefaultStates {
		m[uint32(s.Value)] = labelled[labelKey(s.Label)]
	}
	return m
}

// Labels that identify writers.
const (
	startupLabel    = "Startup latency"
	latencyLabel    = "Latency" // of state 7, in the traces of Girona's thesis
	notCreatedLabel = "Not created"
)

// Recognise returns the writer of a trace with the given labels. pview's simulator marks the .pcf. Dimemas copies the
// .pcf of its input, so that its traces look like the tracer's; if there is none to copy, its .pcf lists only a
// simulator's states. Without labels the writer is Extrae.
func Recognise(l *prv.Labels) Writer {
	if seven, ok := l.State(7); ok && (seven == startupLabel || seven == latencyLabel) {
		return Thesis
	}
	if t, ok := l.Type(Predicted); ok && t.Label == PredictedLabel {
		return Simulator
	}
	latency, _ := l.State(26)
	if two, _ := l.State(2); latency == startupLabel && two != notCreatedLabel {
		return Simulator
	}
	return Extrae
}

// Remark reports that a trace's .pcf does not name its states or MPI calls, or has an unknown label for a state, whose
// number then decides its meaning; "" if all is well.
func Remark(t *prv.Trace) string {
	l := t.Labels
	has := slices.ContainsFunc(t.Threads, func(th prv.Thread) bool { return th.States.Len() > 0 })
	known := !has || Recognise(l) != Extrae
	switch unnamed := !known && len(l.States) == 0; {
	case unnamed && l.CallsAssumed:
		return "no .pcf names the states and MPI calls: they have Extrae's names"
	case unnamed:
		return "no .pcf names the states: they have Extrae's names"
	case l.CallsAssumed:
		return "no .pcf names the MPI calls: they have Extrae's names"
	case known:
		return ""
	default:
		for _, e := range l.States {
			_, known := labelled[labelKey(e.Label)]
			if m, ok := writers[Extrae].states[uint32(e.Value)]; ok && !known {
				return fmt.Sprintf("the .pcf names state %d %q, which Extrae does not: it counts as %s, as Extrae's %d",
					e.Value, e.Label, m, e.Value)
			}
		}
		return ""
	}
}

// labelKey returns a label in the form of labelled's keys.
func labelKey(label string) string { return strings.ToLower(strings.TrimSpace(label)) }

// States has the meanings of a trace's states.
type States struct {
	Writer Writer // never Auto
	own    map[uint32]Meaning
	low    [lowStates]known // by number: nearly all states
}

// lowStates is the number of states whose meaning is found without a search.
const lowStates = 32

// known is a known meaning with its part.
type known struct {
	meaning Meaning
	part    Part
}

// StatesOf returns the meanings of a trace's states; w is its writer, or Auto.
func StatesOf(l *prv.Labels, w Writer) *States {
	if w == Auto {
		w = Recognise(l)
	}
	s := &States{Writer: w, own: map[uint32]Meaning{}}
	if w == Extrae { // a simulator's labels may be those of the measured trace
		for _, e := range l.States {
			if m, ok := labelled[labelKey(e.Label)]; ok && e.Value >= 0 && e.Value <= 1<<31 {
				s.own[uint32(e.Value)] = m
			}
		}
	}
	for i := range s.low {
		m := s.search(uint32(i))
		s.low[i] = known{m, s.partOf(uint32(i), m)}
	}
	return s
}

// Meaning returns the meaning of a state.
func (s *States) Meaning(state uint32) Meaning {
	if state < lowStates {
		return s.low[state].meaning
	}
	return s.search(state)
}

func (s *States) search(state uint32) Meaning {
	if m, ok := s.own[state]; ok {
		return m
	}
	return writers[s.Writer].states[state]
}

// With returns the states with a given meaning, by the writer's numbers or by labels, in no particular order.
func (s *States) With(m Meaning) (list []uint32) {
	for v := range writers[s.Writer].states {
		if _, own := s.own[v]; !own && s.Meaning(v) == m {
			list = append(list, v)
		}
	}
	for v, own := range s.own {
		if own == m {
			list = append(list, v)
		}
	}
	return list
}

// Part is the part of the run's utilisation that a state counts as.
type Part uint8

// The parts. In utilisations IO belongs to the overhead, and is also shown separately.
const (
	PartIdle Part = iota
	PartUser
	PartOverhead
	PartIO
	PartAbsent

	NumParts
)

// partNames are the parts in one word.
var partNames = [NumParts]string{"idle", "user", "overhead", "I/O", "absent"}

// String returns the part in one word.
func (p Part) String() string { return partNames[p] }

// idleCalls are the communicating states in which a thread is idle: in a collective operation, or polling.
var idleCalls = map[Writer]map[uint32]bool{Extrae: {6: true, 13: true}, Simulator: {13: true}, Thesis: {13: true}}

// partOf has the part of each meaning.
var partOf = [...]Part{Unknown: PartOverhead, Useful: PartUser, Idle: PartIdle, Waiting: PartIdle,
	Communicating: PartOverhead, Ready: PartOverhead,
	Overhead: PartOverhead, IO: PartIO, Absent: PartAbsent}

// Part returns the part that a state counts as.
func (s *States) Part(state uint32) Part {
	if state < lowStates {
		return s.low[state].part
	}
	return s.partOf(state, s.search(state))
}

func (s *States) partOf(state uint32, m Meaning) Part {
	if m == Communicating && idleCalls[s.Writer][state] {
		return PartIdle
	}
	return partOf[m]
}
