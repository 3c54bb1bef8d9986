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
// All data comes from the records: states (the activity of a thread), communications (the cause of
// a wait for a message), the events of MPI calls (the participants of each collective operation).
// Each lookup is a search by time in the sorted columns, so the cost is that of the path and of
// one pass over the events, for the calls and the blocks of the program.
//
// The meaning of a wait in the records depends on who wrote them. A simulator knows when a message was
// sent and when it arrived: the wait ends at the arrival, and before that lie the transfer, the wait for
// links and buses, and the latency. A tracer sees only calls: a message was "sent" at the begin of the
// sender's call, and "arrived" at the end of the receiver's. Such a call was blocked if the other side
// entered its call later, and the rest of the call is the cost of MPI.
package criticalpath

import (
	"context"
	"errors"
	"slices"
	"sort"

	"pview/insight/gpu"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/execution"
	"pview/sim/study"
)

// Kind is the activity of the path in a segment.
type Kind uint8

// The kinds, in the order of Kinds.
const (
	Computation Kind = iota
	Latency
	Resources
	Transfer
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
	{"collective", "Collective", "from the last arrival on"},
	{"ready", "Ready", "ready to run, without a CPU"},
	{"switch", "Context switch", "a CPU goes to another thread"},
	{"mpi", "In MPI", "in a call that nothing delays"},
	{"runtime", "Threads", "fork, join, synchronisation"},
	{"scheduling", "Scheduling", "the runtime system, outside of entry methods"},
	{"io", "Input/output", "also the tracer's own"},
	{"waiting", "Waiting", "for what the records do not tell"},
	{"launch", "Launch", "from the call that launches an operation of a device to its begin"},
	{"gap", "Gap", "between operations of devices, the later of which is launched"},
	{"copy", "Copies", "copies and sets of devices"},
	{"driver", "Device calls", "of the host: launches, and the return from a synchronisation"},
	{"other", "Other", "idle, not traced, not created"},
}

// String returns the kind's name.
func (k Kind) String() string { return Kinds[k].Name }

// OnNetwork reports whether segments of the kind follow a message and not a thread.
func (k Kind) OnNetwork() bool { return k == Transfer || k == Resources }

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

	names *names
}

// Timing is the meaning of the times of messages.
type Timing uint8

// Timings. Detect decides by what the labels say of the trace's writer, never by the numbers of its states: tracers
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
	// nil: study.DefaultBlocks, of a message-driven run the entry methods.
	Blocks []uint32
	// Progress is called now and then with the work done and the total.
	Progress func(done, total int64)
}

// finder walks the path.
type finder struct {
	t         *prv.Trace
	calls     *calls
	simulated bool
	thesis    bool  // states have the numbers of the thesis
	states    []int // by thread: the next record, backwards, is before this one
	at        int64
	thread    int32
	segments  []Segment // backwards
	jumps     int
	comms     [][][]int32 // by ptask: its communicators, as lists of tasks
	order     *gpu.Order  // nil: no work of devices

	// The waits followed at this instant: a chain of waits that takes no time must not run in a circle.
	met     []meeting
	metTime int64
}

// meeting is a wait that was followed at an instant, with the number of ways out that were tried.
type meeting struct {
	thread int32
	record int
	tried  int
}

// Find returns the critical path of a trace. The error is that of ctx, or says that the trace cannot tell.
func Find(ctx context.Context, t *prv.Trace, opt Options) (*Path, error) {
	if execution.IsSummary(t) {
		return nil, errors.New(execution.Untold)
	}
	f := &finder{t: t, simulated: opt.Timing == Simulated ||
		opt.Timing == Detect && extrae.Recognise(t.Labels) != extrae.Extrae}
	f.thesis = f.simulated && extrae.Recognise(t.Labels) == extrae.Thesis
	blocks, driven := opt.Blocks, execution.IsDriven(t)
	switch {
	case blocks == nil && driven:
		blocks = []uint32{execution.TypesOf(t.Labels)[execution.Entry]}
	case blocks == nil:
		blocks = study.DefaultBlocks
	}
	if !f.simulated && !driven {
		if err := f.findDevices(gpu.Analyze(ctx, t)); err != nil {
			return nil, err
		}
		if f.order != nil && opt.Blocks == nil {
			blocks = slices.Concat(blocks, deviceBlocks)
		}
	}
	idx, err := readCalls(ctx, t, blocks)
	if err != nil {
		return nil, err
	}
	if driven {
		p, err := findDriven(ctx, t, idx)
		if err == nil {
			p.Simulated = f.simulated
		}
		return p, err
	}
	f.calls = idx
	f.states = make([]int, len(t.Threads))
	for i := range t.Threads {
		f.states[i] = t.Threads[i].States.Len()
	}
	f.begin()
	for n := 0; f.at > 0; n++ {
		if n&0xfff == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if opt.Progress != nil {
				opt.Progress(t.Duration-f.at, t.Duration)
			}
		}
		f.step()
	}
	slices.Reverse(f.segments)
	return &Path{Segments: f.segments, Simulated: f.simulated, Jumps: f.jumps, names: f.calls.names}, nil
}

// begin starts at the thread that ends last. Of several it chooses one that computes to its end.
func (f *finder) begin() {
	last, running := int64(-1), false
	for i := range f.t.Threads {
		s := &f.t.Threads[i].States
		for k := s.Len() - 1; k >= 0; k-- {
			v := f.value(int32(i), k)
			if v == stateIdle || !f.simulated && (v == stateNotCreated || v == stateDisabled) {
				continue
			}
			end := min(f.end(int32(i), k), f.t.Duration)
			if works := v == stateRunning; end > last || end == last && works && !running {
				last, running, f.thread = end, works, int32(i)
			}
			break
		}
	}
	f.at = f.t.Duration
	f.stay(max(last, 0), Other)
}

// end is the end of a state: states without one last until the next.
func (f *finder) end(thread int32, record int) int64 {
	return f.t.Threads[thread].States.Until(record, f.t.Duration)
}

// record is the last state of a thread that begins before a time; -1 for none. The times of successive calls
// must not rise.
func (f *finder) record(thread int32, before int64) int {
	begin := f.t.Threads[thread].States.Begin
	hi := f.states[thread]
	// Usually it is one of the next few.
	lo, step := hi-1, 1
	for lo >= 0 && begin[lo] >= before {
		hi = lo
		lo -= step
		step *= 2
	}
	lo = max(lo, -1)
	n := lo + 1 + sort.Search(hi-lo-1, func(i int) bool { return begin[lo+1+i] >= before })
	f.states[thread] = n
	return n - 1
}

// stay goes back in time with a thread.
func (f *finder) stay(begin int64, kind Kind) {
	begin = max(begin, 0)
	if begin >= f.at {
		return
	}
	if n := len(f.segments); n > 0 {
		if s := &f.segments[n-1]; s.Kind == kind && s.Thread == f.thread && s.Begin == f.at {
			s.Begin, f.at = begin, begin
			return
		}
	}
	f.segments = append(f.segments, Segment{begin, f.at, f.thread, kind})
	f.at = begin
}

// jump goes to another thread, at this instant.
func (f *finder) jump(thread int32) {
	if thread != f.thread {
		f.thread = thread
		f.jumps++
	}
}

// step goes back over one state, or through the wait that it is.
func (f *finder) step() {
	if f.order != nil && f.stepDevices() {
		return
	}
	k := f.record(f.thread, f.at)
	idle := int64(0) // begin of the gap without a state
	if k >= 0 {
		idle = f.end(f.thread, k)
	}
	if idle < f.at {
		if !f.followTeam(^k, idle) { // threads of a team that wait for work have no state
			f.stay(idle, Other)
		}
		return
	}
	s := &f.t.Threads[f.thread].States
	begin := max(s.Begin[k], 0)
	m := f.meaning(f.value(f.thread, k))
	if m.follow != nil && m.follow(f, k, begin) {
		return
	}
	f.stay(begin, m.kind)
}

// again returns how often the wait of this record was left at this same instant.
func (f *finder) again(record int) int {
	if f.metTime != f.at {
		f.metTime, f.met = f.at, f.met[:0]
	}
	for i := range f.met {
		if m := &f.met[i]; m.thread == f.thread && m.record == record {
			m.tried++
			return m.tried
		}
	}
	f.met = append(f.met, meeting{thread: f.thread, record: record})
	return 0
}
