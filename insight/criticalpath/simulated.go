package criticalpath

// Predicted traces: the path goes back over the states of the threads, whose waits end at the arrival of a message.

import (
	"context"
	"sort"

	"pview/prv"
	"pview/prv/extrae"
	"pview/sim/study"
)

// finder walks the path of a predicted trace.
type finder struct {
	walk
	calls  *calls
	thesis bool        // states have the numbers of the thesis
	states []int       // by thread: the next record, backwards, is before this one
	comms  [][][]int32 // by ptask: its communicators, as lists of tasks

	// The waits followed at this instant: a chain of waits that takes no time must not go in a circle.
	met     []meeting
	metTime int64
}

// meeting is a wait that was followed at an instant, with the number of ways out that were tried.
type meeting struct {
	thread int32
	record int
	tried  int
}

// findSimulated finds the path of a predicted trace.
func findSimulated(ctx context.Context, t *prv.Trace, opt Options) (*Path, error) {
	blocks := opt.Blocks
	if blocks == nil {
		blocks = study.DefaultBlocks
	}
	idx, err := readCalls(ctx, t, blocks)
	if err != nil {
		return nil, err
	}
	f := &finder{walk: walk{t: t}, calls: idx, thesis: extrae.Recognise(t.Labels) == extrae.Thesis,
		states: make([]int, len(t.Threads))}
	for i := range t.Threads {
		f.states[i] = t.Threads[i].States.Len()
	}
	f.begin()
	if err := f.back(ctx, opt.Progress, f.step); err != nil {
		return nil, err
	}
	p := f.path()
	p.visits = idx.names.visits(p.Segments)
	return p, nil
}

// begin starts at the end of the run.
func (f *finder) begin() {
	f.start(func(thread int32, state uint32) (active, works bool) {
		v := f.number(state)
		return v != stateIdle, v == stateRunning
	})
}

// end returns the end of a state: states without one last until the next.
func (f *finder) end(thread int32, record int) int64 {
	return f.t.Threads[thread].States.Until(record, f.t.Duration)
}

// record returns the last state of a thread that begins before a time; -1 for none. The times of successive calls
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

// step goes back over one state, or through it if it is a wait.
func (f *finder) step() {
	k := f.record(f.thread, f.at)
	idle := int64(0) // start of the gap without a state
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
	m := meaningOf(f.value(f.thread, k))
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
