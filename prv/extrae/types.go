// Package extrae is the vocabulary of traces: the event types of MPI calls, OpenMP, callers, user functions and
// counters, and the meanings of states. The numbers are those of Extrae, the tracer that most traces come from.
//
// Numbers come second. The labels of the .pcf come first (Vocabulary), and the meaning of a state number depends on who
// wrote the trace (States).
package extrae

import (
	"slices"
	"strings"

	"pview/prv"
)

// Event types by Extrae's numbers.
const (
	TraceInit   = 40000002
	TraceFlush  = 40000003
	TracingMode = 40000018 // value 2: bursts only

	ExecutingCPU = 40000033 // number of the CPU that a thread runs on

	MPIPointToPoint = 50000001
	MPICollective   = 50000002
	MPIOther        = 50000003
	MPIOneSided     = 50000004
	MPIFile         = 50000005
	OneSidedTarget  = 50001001 // rank, beside the begin of a Put, Get or Accumulate

	// On the line of a collective operation.
	CollectiveSent = 50100001 // bytes
	CollectiveRecv = 50100002 // bytes
	CollectiveRoot = 50100003 // not 0 on the line of the root
	CollectiveComm = 50100004

	ProbeMisses = 50000300
	ProbeTime   = 50000301
	TestMisses  = 50000080

	OpenMPParallel    = 60000001 // on the thread that opens the region
	OpenMPWorksharing = 60000002
	OpenMPBarrier     = 60000005
	OpenMPLock        = 60000007 // 3 asks, 6 has it, 5 releases, 0 released
	OpenMPNamedLock   = 60000006 // the same, of named critical sections
	OpenMPJoin        = 60000016 // 1: with wait
	OpenMPOutlined    = 60000018 // on each thread of the team
	OpenMPTaskwait    = 60000022
	OpenMPExecute     = 60000023 // of a task
	OpenMPCreate      = 60000024 // of a task
	OpenMPTaskID      = 60000028 // beside the two above

	UserFunction = 60000019

	// Callers by level, and their lines.
	FirstCaller     = 70000000
	LastCaller      = 79999999
	FirstCallerLine = 80000000
	LastCallerLine  = 89999999

	ClusterID = 90000001 // of a burst, by the clustering of BSC's tools

	Instructions = 42000050 // PAPI_TOT_INS
	Cycles       = 42000059 // PAPI_TOT_CYC

	// Hardware and software counters (PAPI, perf): each reading is the count since the one before.
	FirstCounter = 42000000
	LastCounter  = 44999999
)

// Event types of the original Paraver and Dimemas (prv.DefaultTypes).
const (
	Block           = 40
	CriticalPath    = 90
	SemaphoreWait   = 98
	SemaphoreSignal = 99
)

// Predicted is a type without events: its label in the .pcf marks a trace of pview's simulator.
const (
	Predicted      = 79999999
	PredictedLabel = "Predicted by pview"
)

// Family is a family of event types.
type Family uint8

// The families.
const (
	MPI       Family = iota // calls: a value other than 0 begins one, 0 ends it
	OpenMP                  // parallel regions, worksharing, joins
	Functions               // of the user and outlined ones: value other than 0 begins one, 0 ends it
	Counters                // of the hardware
)

// entry is an event type with a meaning.
type entry struct {
	number uint32
	family Family
	// labels are the labels in the .pcf, in lower case, that identify it; if part is set, parts of labels.
	labels []string
	part   bool
}

// entries are the event types that are found by their labels.
var entries = []entry{
	{MPIPointToPoint, MPI, []string{"mpi point-to-point", "mpi point to point"}, false},
	{MPICollective, MPI, []string{"mpi collective comm", "mpi collective"}, false},
	{MPIOther, MPI, []string{"mpi other"}, false},
	{MPIOneSided, MPI, []string{"mpi one-sided", "mpi one sided"}, false},
	{MPIFile, MPI, []string{"mpi i/o"}, false},
	{OpenMPParallel, OpenMP, []string{"parallel (omp)"}, false},
	{OpenMPWorksharing, OpenMP, []string{"worksharing (omp)"}, false},
	{OpenMPJoin, OpenMP, []string{"openmp worksharing join"}, false},
	{OpenMPOutlined, Functions, []string{"executed openmp parallel function"}, false},
	{UserFunction, Functions, []string{"user function"}, false},
	{OpenMPExecute, Functions, []string{"executed openmp task function"}, false},
	{Instructions, Counters, []string{"papi_tot_ins"}, true},
	{Cycles, Counters, []string{"papi_tot_cyc"}, true},
}

// IsCounter reports whether events of a type are readings of a counter: its number is one of a counter's, and its
// values have no names, which would make them codes.
func IsCounter(l *prv.Labels, t uint32) bool {
	if t < FirstCounter || t > LastCounter {
		return false
	}
	e, ok := l.Type(t)
	return !ok || len(e.Values) == 0
}

// IsTracers reports whether an event type has a number used by tracers, not by programs.
func IsTracers(t uint32) bool { return t >= 30000000 && t <= 99999999 }

// Vocabulary finds the event types of a trace by its labels.
type Vocabulary struct{ types map[uint32]uint32 } // of the trace by Extrae's number

// Of returns the vocabulary of a trace with the given labels.
func Of(l *prv.Labels) *Vocabulary {
	v := &Vocabulary{types: map[uint32]uint32{}}
	for i := range entries {
		if t, ok := entries[i].find(l); ok {
			v.types[entries[i].number] = t
		}
	}
	return v
}

// find returns the type in the trace: the one with the label; else the one with the number, unless it has a different
// label.
func (e *entry) find(l *prv.Labels) (uint32, bool) {
	if t, ok := l.Type(e.number); ok && e.has(t.Label) {
		return e.number, true
	}
	for i := range l.Types {
		if e.has(l.Types[i].Label) {
			return l.Types[i].Type, true
		}
	}
	if t, ok := l.Type(e.number); ok {
		other := slices.ContainsFunc(entries, func(o entry) bool { return o.has(t.Label) })
		return e.number, !other
	}
	return e.number, true
}

// has reports whether a label belongs to the entry.
func (e *entry) has(label string) bool {
	label = strings.ToLower(strings.TrimSpace(label))
	return slices.ContainsFunc(e.labels, func(own string) bool {
		return label == own || e.part && strings.Contains(label, own)
	})
}

// Type returns the trace's type for Extrae's number; ok is false if the trace uses that number for something else and
// has no type with the label.
func (v *Vocabulary) Type(number uint32) (t uint32, ok bool) {
	t, ok = v.types[number]
	return t, ok
}

// Family returns the trace's types of a family, in the order in which Extrae's numbers are listed here.
func (v *Vocabulary) Family(f Family) (list []uint32) {
	for i := range entries {
		if t, ok := v.types[entries[i].number]; ok && entries[i].family == f {
			list = append(list, t)
		}
	}
	return list
}

// TaskClock returns the type of the counter of the time that a thread was on a core since the last reading, in ns; 0 if
// the trace has none.
func TaskClock(l *prv.Labels) uint32 {
	for i := range l.Types {
		if strings.Contains(strings.ToUpper(l.Types[i].Label), "TASK-CLOCK") {
			return l.Types[i].Type
		}
	}
	return 0
}
