// Package waits finds where a thread waits for another, what kind of wait that is, and which code on which thread is
// its root cause, as Scalasca does (Geimer et al. 2009; Böhme et al. 2010, 2016).
//
//	T1  ███Recv▒▒▒▒▒▒▒▒▒▒▒▒░░░     Late Sender: between the starts of Recv and Send;
//	                     ╱         the rest of the call is operation
//	T2  █████AAAAAAAAAAA Send      A has the delay: T2 spent more time in it than T1 did
//
// Four steps. Read: the calls and code regions of each thread. Forward: the waits, from messages, collective operations
// and OpenMP constructs, at most one per call. Intervals: for each wait, the time since waiter and cause were last in
// step, and the cause's excess work in it. Backward, over the waits only: costs go to the excess computation of the
// cause and, if the cause had waited itself, on to that wait's cause, and so to the root.
//
// All steps except the last run in parallel, and the result does not depend on the number of processors. Costs are
// integers, and sum exactly to the waiting time.
package waits

import (
	"context"
	"fmt"
	"slices"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/device"
	"pview/prv/parallel"
	"pview/prv/wide"
)

// Options of Analyze. The zero value is the default.
type Options struct {
	// Regions are event types whose values name code regions; nil: the best that the trace has.
	Regions []uint32
	// Eager is the size up to which a standard send never waits for its receiver; nil: inferred from the trace.
	Eager *int64
	// Horizon is the number of later receives searched for a message in the wrong order; 0: 100.
	Horizon int
	// NoIdleWorkers leaves out OpenMP threads between two regions.
	NoIdleWorkers bool
	// OnlyWaits skips everything derived from the waits: costs, profiles and totals.
	OnlyWaits bool
	// Writer is the program that wrote the trace; Auto recognises it.
	Writer extrae.Writer
	// Progress is called now and then with the work done and the total, from several goroutines.
	Progress func(done, total int64)
}

// Flags of a wait.
type Flags uint8

// The flags.
const (
	BadClock Flags = 1 << iota // received before sent, or left before the last had entered
	Open                       // start or end of the call is not in the trace
	Partial                    // members of the collective operation are missing
	Inferred                   // the waiting call is not recorded, but inferred from the order of calls
)

// Flagged are the flags by name.
var Flagged = []struct {
	Flag Flags
	Key  string
}{{BadClock, "clock"}, {Open, "open"}, {Partial, "partial"}, {Inferred, "inferred"}}

// Reference is the kind of record that a wait refers to.
type Reference uint8

// The references.
const (
	NoReference Reference = iota
	ToMessage             // Ref is a row of the trace's Comms
	ToInstance            // Ref is a row of Result.Instances
)

// Wait is a stretch in which a thread waits for another. Times are in the trace's unit.
type Wait struct {
	From, To int64
	// L is the indirect waiting caused by this wait.
	L      int64
	Direct int64 // the part explained by the cause's own computation
	Spread int64 // the propagating part: the largest share of a single later wait
	Thread int32
	Cause  int32 // thread; -1: unknown
	Ref    int32
	Region int32 // of the waiting call, a row of Result.Regions
	Class  Class
	Flags  Flags
	Kind   Reference
}

// Length returns the time waited.
func (w *Wait) Length() int64 { return w.To - w.From }

// Indirect returns the part of a wait explained by the cause's own waiting.
func (w *Wait) Indirect() int64 { return w.Length() - w.Direct }

// Delay is a region of a thread that made others wait.
type Delay struct {
	Thread, Region int32
	Short          int64 // direct waiting; saturates at 1<<63-1
	Long           int64 // indirect waiting; saturates at 1<<63-1
	Waits          int32 // number of waits that it has a part in
	Worst          int32 // the wait with its largest part, a row of Result.Waits
	worst          int64
}

// Cost returns the waiting caused by the region.
func (d *Delay) Cost() int64 { return wide.Saturated(d.Short, d.Long) }

// EagerLimit is the size up to which standard sends do not wait for their receiver.
type EagerLimit struct {
	Size   int64 // -1: all may wait
	Proved bool  // a send of that size returned before its receive was posted
	Given  bool  // by the user
}

// Clocks counts a node pair's messages and collective operations that contradict the clocks.
type Clocks struct {
	From, To   int32 // nodes; -1 unknown
	Messages   int64
	Operations int64
	Largest    int64
}

// Result is the analysis of a trace. It is immutable.
type Result struct {
	Waits     []Wait // by thread, then by time
	First     []int32
	Regions   []Region
	Level     Level
	Instances []Instance
	Delays    []Delay // by thread and region
	Totals    [numClasses]Total
	Unknown   int64 // waiting of unknown cause
	Eager     [2]EagerLimit
	alone     [2]bool // by way: rendezvous messages progress without their receiver
	Clocks    []Clocks
	Messages  int64 // of MPI
	// Bursts is true for a trace of computation bursts only: activity between them is unknown.
	Bursts bool
	// Notes say what is missing, and why.
	Notes []string

	t         *prv.Trace
	untold    []bool // tasks that receive without any recorded message; nil: none
	lanes     []lane
	parts     []part // of the instances
	messages  messageCalls
	simulated bool
	// Shares of the waits: the excess work of their causes.
	shares []shareRange
	items  []shareItem
}

// The kinds of routes of a message.
const (
	SameNode = iota
	DifferentNodes
)

// analysis is the work in progress.
type analysis struct {
	t         *prv.Trace
	opt       Options
	states    *extrae.States
	kinds     *extrae.Calls
	mpi       []uint32
	regions   regionSource
	hasCalls  bool
	streams   bool // some threads are streams of devices
	simulated bool
	lanes     []lane
	messages  messageCalls
	out       *Result
	sent      []int64  // by message: when it was sent, and
	posted    []int64  // when its receive was posted
	teamWaits [][]Wait // by thread: at barriers of OpenMP
	ends      []int64  // of waits
	order     []int32  // of the backward pass: waits, and
	rank      []int32  // the position of each
}

// Analyze finds the waits of a trace and their causes. The only error is ctx's.
func Analyze(ctx context.Context, t *prv.Trace, opt Options) (r *Result, err error) {
	defer parallel.OnEnd(ctx, &err)
	if opt.Horizon == 0 {
		opt.Horizon = 100
	}
	if opt.Progress == nil {
		opt.Progress = func(int64, int64) {}
	}
	a := &analysis{t: t, opt: opt, states: extrae.StatesOf(t.Labels, opt.Writer), kinds: extrae.CallsOf(t.Labels),
		mpi:   extrae.Of(t.Labels).Family(extrae.MPI),
		lanes: make([]lane, len(t.Threads)), out: &Result{t: t}}
	a.simulated = a.states.Writer != extrae.Extrae
	steps := []func(context.Context) error{a.readLanes, a.findCalls, a.findInstances, a.findWaits, a.buildProfiles,
		a.findIntervals, a.share, a.sum}
	if opt.OnlyWaits {
		steps = steps[:4]
	}
	for i, step := range steps {
		opt.Progress(int64(i), int64(len(steps)))
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	opt.Progress(int64(len(steps)), int64(len(steps)))
	a.out.lanes, a.out.Level, a.out.messages, a.out.simulated = a.lanes, a.regions.level, a.messages, a.simulated
	a.out.noteEndless()
	return a.out, nil
}

// readLanes reads the calls and regions of all threads.
func (a *analysis) readLanes(ctx context.Context) error {
	seen, err := a.survey(ctx)
	if err != nil {
		return err
	}
	a.regions = chooseRegions(a.t, a.opt.Regions, seen)
	a.streams = device.Streams(a.t) > 0
	a.hasCalls = slices.ContainsFunc(seen, func(s survey) bool { return s.calls > 0 })
	parts := a.partsInReading()
	rooms := make([]laneRoom, workers())
	err = parallel.Each(ctx, len(a.lanes), len(rooms), func(w, i int) error {
		return a.read(ctx, i, parts, &seen[i], &rooms[w])
	})
	if err != nil {
		return err
	}
	a.out.Regions = gatherRegions(a.t, &a.regions, a.lanes)
	if a.out.Bursts = a.onlyBursts(); a.out.Bursts {
		a.out.Notes = append(a.out.Notes,
			"traced in burst mode, without calls between bursts: there are no waits to be found")
	} else if !a.hasCalls && a.t.NumThreads() > 1 {
		a.out.Notes = append(a.out.Notes, "no events of MPI calls: calls are the states of waiting and communication")
	}
	a.findUntold()
	return ctx.Err()
}

// onlyBursts reports whether the trace was recorded without its calls.
func (a *analysis) onlyBursts() bool {
	for i := range a.t.Threads {
		e := &a.t.Threads[i].Events
		for k, typ := range e.Type {
			if typ == extrae.TracingMode && e.Value.At(k) == 2 {
				return true
			}
			if k > 1<<12 {
				break
			}
		}
	}
	return false
}

// node returns the node of a thread.
func (a *analysis) node(thread int32) int32 { return a.t.ThreadNode(thread) }

// way returns the kind of route between two threads.
func (a *analysis) way(x, y int32) int {
	if a.node(x) == a.node(y) {
		return SameNode
	}
	return DifferentNodes
}

// Of returns the waits of a thread.
func (r *Result) Of(thread int32) []Wait { return r.Waits[r.First[thread]:r.First[thread+1]] }

// String describes a result in a line.
func (r *Result) String() string {
	return fmt.Sprintf("%d waits, %d delays", len(r.Waits), len(r.Delays))
}
