// Package criticalpath finds the critical path of a run, predicted or measured: the chain of
// computation, messages and collective operations that determined the end of the run (thesis,
// section 3.7.1). Anything off the path could have taken a little longer without effect.
//
// The path is walked backwards, from the thread that ends last. While the thread works, the path
// stays on it. Where it waited, the path goes to the thread that it waited for:
//
//	thread 1  ████████▒▒▒▒▒▒▒▒██████        path, from the end: 1 computes, the message of 2
//	                         ╱              is on its way, 2 sends it, 2 computes, ...
//	thread 2  ██████████████s███░░░
//
// One rule finds it in every kind of run. From the end of the window back to its start, at each instant:
//
//  1. Where a thread works, the path stays on it: in computation, in a call, in the runtime system.
//  2. Where a thread waits for another, the path goes to that one at the instant at which the wait ended: when it
//     entered the call that the waiting thread needed. The wait itself is not on the path.
//  3. Before it does anything a thread was not there: the path goes to the one that opened its first parallel region,
//     when that opened.
//  4. Where the cause of a wait is unknown, or threads wait for each other in a circle at one instant (wrong clocks),
//     the path stays, and that time is Waiting.
//
// It begins on the thread that is the last to do something. Its segments follow each other without gap or overlap over
// the whole window, so the sum of their times is the length of the run.
//
// Who waited for whom, and until when, depends on the kind of run:
//
//   - Measured traces: the waits of insight/waits, with its eager limits and its rules for clocks. In a call what the
//     fitted machine needs for its messages is Transfer and the rest a slow one, as in the account; in a collective
//     operation all is Collective (measured.go). Traces of devices also follow the order of their operations
//     (devices.go).
//   - Predicted traces: a simulator knows when a message was sent and when it arrived. The wait ends at the arrival,
//     and before that lie the transfer, the wait for links and buses, and the latency (simulated.go).
//   - Message-driven runs: the graph of their executions (driven.go).
package criticalpath

import (
	"context"
	"errors"
	"slices"

	"pview/insight/eventgraph"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/execution"
)

// Kind is the activity of the path in a segment.
type Kind uint8

// The kinds, in the order of Kinds.
const (
	Computation Kind = iota
	Latency
	Resources
	Transfer
	SlowTransfer
	Collective
	Ready
	Switch
	MPI
	Runtime
	Scheduling
	IO
	Waiting
	Launch
	Gap
	Copy
	Driver
	Other

	NumKinds
)

// Kinds are the kinds of segments, with a key for programs and a name for people.
var Kinds = [NumKinds]struct{ Key, Name, Doc string }{
	{"computation", "Computation", "running, outside of MPI"},
	{"latency", "Latency", "startup of a message on the CPU"},
	{"resources", "Waiting for resources", "a message without link or bus"},
	{"transfer", "Transfer", "a message on its way"},
	{"transfer-more", "Slow transfer", "longer than it needs"},
	{"collective", "Collective", "from the last arrival on"},
	{"ready", "Ready", "ready to run, without a CPU"},
	{"switch", "Context switch", "a CPU goes to another thread"},
	{"mpi", "In MPI", "the calls' own time"},
	{"runtime", "Threads", "fork, join, synchronisation"},
	{"scheduling", "Scheduling", "the runtime system, outside of entry methods"},
	{"io", "Input/output", "also the tracer's own"},
	{"waiting", "Waiting", "for what the records do not tell"},
	{"launch", "Launch", "from the call that launches an operation of a device to its begin"},
	{"gap", "Gap", "between operations of devices, the later of which is launched"},
	{"copy", "Copies", "copies and sets of devices"},
	{"driver", "Device calls", "of the host: launches, allocations, the return from a synchronisation"},
	{"other", "Other", "idle, not traced, not created"},
}

// String returns the kind's name.
func (k Kind) String() string { return Kinds[k].Name }

// OnNetwork reports whether segments of the kind follow a message and not a thread.
func (k Kind) OnNetwork() bool { return k == Transfer || k == SlowTransfer || k == Resources }

// Segment is a stretch of the path. Times are in the trace's unit.
type Segment struct {
	Begin, End int64
	// Thread is the thread that the path is on; for a message in flight, its receiver.
	Thread int32
	Kind   Kind
}

// Path is the critical path of a trace. Its segments follow one another without gap or overlap, from 0 to
// the trace's duration, or of a message-driven run over its window.
type Path struct {
	Segments  []Segment
	Simulated bool // the messages' times were interpreted as a simulator's
	// Jumps counts how often the path goes from one thread to another.
	Jumps int
	// Guessed counts the jumps between streams of devices to the operation that ended last, for lack of a recorded one
	// that the next waited for.
	Guessed int

	t       *prv.Trace
	visits  []visit
	regions []string // names of blocks by value; nil: labels name them
	between bool     // the blocks of computation are between two calls or lines
}

// Timing is the meaning of the times of messages.
type Timing uint8

// Timings. Detect decides by what the labels say about the trace's writer, never by the numbers of its states: tracers
// number theirs as they like.
const (
	Detect Timing = iota
	Measured
	Simulated
)

// Options of Find. The zero value detects as much as possible.
type Options struct {
	Timing Timing
	// Blocks are the event types whose values name the blocks of the program, by begin (value > 0) and end (0);
	// nil: the code regions of insight/waits, of a predicted run study.DefaultBlocks, of a message-driven run the entry
	// methods.
	Blocks []uint32
	// Graph has the waits of the trace and what its messages cost, if they are known. A measured path needs them.
	Graph *eventgraph.Graph
	// Progress is called now and then with the work done and the total.
	Progress func(done, total int64)
}

// walk goes back in time along the path.
type walk struct {
	t        *prv.Trace
	at       int64
	thread   int32
	segments []Segment // backwards
	jumps    int
	guessed  int // of them
}

// Find returns the critical path of a trace. The error is ctx's, or says why the trace has no path.
func Find(ctx context.Context, t *prv.Trace, opt Options) (p *Path, err error) {
	if execution.IsSummary(t) {
		return nil, errors.New(execution.Untold)
	}
	predicted := opt.Timing == Simulated || opt.Timing == Detect && extrae.Recognise(t.Labels) != extrae.Extrae
	switch {
	case execution.IsDriven(t):
		p, err = findDriven(ctx, t, opt)
	case predicted:
		p, err = findSimulated(ctx, t, opt)
	default:
		p, err = findMeasured(ctx, t, opt)
	}
	if err == nil {
		p.Simulated = predicted
	}
	return p, err
}

// back takes steps until the path has come to the start of the run.
func (w *walk) back(ctx context.Context, progress func(done, total int64), step func()) error {
	for n := 0; w.at > 0; n++ {
		if n&0xfff == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if progress != nil {
				progress(w.t.Duration-w.at, w.t.Duration)
			}
		}
		step()
	}
	return nil
}

// path returns the path that was walked.
func (w *walk) path() *Path {
	slices.Reverse(w.segments)
	return &Path{Segments: w.segments, Jumps: w.jumps, Guessed: w.guessed, t: w.t}
}

// start begins at the end of the run, on the thread that is the last to do something: by its states, or by its events
// if it has no states. Of several it chooses the first that computes to its end.
func (w *walk) start(does func(thread int32, state uint32) (active, works bool)) {
	last, running := int64(-1), false
	for i := range w.t.Threads {
		th := &w.t.Threads[i]
		end, works := int64(-1), false
		for k := th.States.Len() - 1; k >= 0 && end < 0; k-- {
			var active bool
			if active, works = does(int32(i), th.States.Value[k]); active {
				end = min(th.States.Until(k, w.t.Duration), w.t.Duration)
			}
		}
		if n := th.Events.Len(); th.States.Len() == 0 && n > 0 {
			end = min(th.Events.Time[n-1], w.t.Duration)
		}
		if end > last || end == last && works && !running {
			last, running, w.thread = end, works, int32(i)
		}
	}
	w.at = w.t.Duration
	w.stay(max(last, 0), Other)
}

// stay goes back in time with a thread.
func (w *walk) stay(begin int64, kind Kind) {
	begin = max(begin, 0)
	if begin >= w.at {
		return
	}
	if n := len(w.segments); n > 0 {
		if s := &w.segments[n-1]; s.Kind == kind && s.Thread == w.thread && s.Begin == w.at {
			s.Begin, w.at = begin, begin
			return
		}
	}
	w.segments = append(w.segments, Segment{begin, w.at, w.thread, kind})
	w.at = begin
}

// jump goes to another thread, at this instant.
func (w *walk) jump(thread int32) {
	if thread != w.thread {
		w.thread = thread
		w.jumps++
	}
}
