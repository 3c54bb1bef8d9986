package sim

// Options select the output of a simulation, and its rules.
type Options struct {
	// Trace asks for the predicted trace.
	Trace bool
	// From and To cut the predicted trace to a window, ns; times are shifted to begin at
	// From. To 0: to the end. Totals are not affected.
	From, To int64
	// LogicalRecvAtWait puts the logical receive of an immediate receive at the start of its wait.
	LogicalRecvAtWait bool
	// DisableOpenMP simulates only the masters of OpenMP programs: no thread waits for the team, and the computation of
	// workers takes no time.
	DisableOpenMP bool
	// Rules are the model; the zero value is Dimemas 5.5.0's.
	Rules Rules
	// Repeat restarts applications when they end.
	Repeat Repeat
	// Only selects one application, from 1, which runs alone on the nodes that it shares with the others; 0: all.
	Only int
	// Memory bounds the memory of the predicted trace, in bytes; beyond it, its records are kept in temporary files. 0:
	// no limit.
	Memory int64
	// Progress is called now and then with the records done and the total.
	Progress func(done, total int64)
}

// Repetition is the unit of repetition.
type Repetition uint8

// The kinds of repetition.
const (
	RepeatNothing Repetition = iota
	// RepeatApplications: an application restarts when all of its threads have ended. Unreceived messages remain for
	// the next run.
	RepeatApplications
	// RepeatThreads: a thread restarts when it ends, independently of others: the program is the body of an
	// endless loop.
	RepeatThreads
)

// Repeat asks for a closed workload.
type Repeat struct {
	What  Repetition
	Runs  int     // the simulation ends when every application has completed N runs, or one 1000 N
	Until float64 // or at this time, ns; 0: no limit
}
