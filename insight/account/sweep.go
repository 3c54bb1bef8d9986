package account

// One pass over the records of a thread: its states, calls and waits are stretches of time that overlap. Of those that
// cover an instant, the first in this list decides its entry: a state without the thread (outside), Running
// (computing), MPI_Init or MPI_Finalize, a wait, input and output, a call, any other state.

import (
	"context"
	"math"
	"slices"
	"sort"

	"pview/insight/eventgraph"
	"pview/insight/waits"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/device"
	"pview/prv/extrae/execution"
	"pview/prv/parallel"
	"pview/prv/wide"
)

// maker holds what the passes over all threads share.
type maker struct {
	*eventgraph.Graph
	from, to int64
	devices  bool    // some threads are streams: the others are the host's
	waited   []int64 // by wait: its part in the account
}

// sweep is the pass over one thread.
type sweep struct {
	*maker
	tally
	watch  *parallel.Watch
	thread int32
	team   bool // the task has other threads
	master bool // the first of its task
	sums   Sums // in the trace's unit
	visit  func(from, to int64, kind Kind)

	states     *prv.States
	begin, end int64 // of the thread's records
	region     waits.Cursor
	above      waits.Cursor // of the master
	around     int32        // the region around calls
	waits      []waits.Wait
	wait       int
	call       int
	now        waits.Call
	inCall     bool
	needs      []eventgraph.Need
	flushes    []eventgraph.Span
	flush      int
	off        []eventgraph.Span // without a core
	nextOff    int
	nextEvent  int
	inLibrary  int32 // value of device.Call; 0: in none
}

const never = int64(math.MaxInt64)

func newSweep(ctx context.Context, m *maker, thread int32) *sweep {
	task := m.T.Tasks[m.T.ThreadTask[thread]]
	s := &sweep{maker: m, tally: *newTally(), watch: parallel.NewWatch(ctx), thread: thread,
		team:   task.Threads > 1 && !m.devices,
		master: task.FirstThread == thread, states: &m.T.Threads[thread].States, waits: m.Waits.Of(thread),
		region: m.Waits.Cursor(thread), above: m.Waits.Cursor(task.FirstThread), around: -1}
	s.wait = sort.Search(len(s.waits), func(i int) bool { return s.waits[i].To > m.from })
	s.call = m.Waits.CallAfter(thread, m.from)
	s.begin, s.end = execution.Recorded(m.T, thread)
	s.flushes = m.Flushes[thread]
	if s.Driven == nil {
		s.needs = s.Needs(thread)
	}
	if s.states.Len() > 0 {
		s.off = m.OffCore[thread]
	}
	return s
}

// run goes along the states.
func (s *sweep) run() {
	if s.states.Len() == 0 {
		s.withoutStates()
		return
	}
	at := s.from
	for i := max(0, sort.Search(s.states.Len(),
		func(i int) bool { return s.states.Begin[i] > at })-1); i < s.states.Len() &&
		s.states.Begin[i] < s.to; i++ {
		begin, end := max(s.states.Begin[i], at), min(s.states.Until(i, s.T.Duration), s.to)
		s.stretch(at, begin, state{gap: true})
		s.stretch(begin, end, s.stateOf(i))
		at = max(begin, end)
	}
	s.stretch(at, s.to, state{gap: true})
}

// state describes a stretch by the states of its thread.
type state struct {
	value   uint32
	meaning extrae.Meaning
	useful  bool
	gap     bool // no state
}

func (s *sweep) stateOf(i int) state {
	v := s.states.Value[i]
	return state{value: v, meaning: s.States.Meaning(v), useful: s.States.Part(v) == extrae.PartUser}
}

// withoutStates goes along a thread without states: it computes outside of calls, in a message-driven run in its units.
func (s *sweep) withoutStates() {
	at := s.from
	if s.T.Threads[s.thread].Events.Len() == 0 {
		s.stretch(at, s.to, state{gap: true})
		return
	}
	computing := state{useful: true, meaning: extrae.Useful}
	to := func(until int64, what state) {
		if until = min(until, s.to); until > at {
			s.stretch(at, until, what)
			at = until
		}
	}
	if s.Driven != nil {
		for _, u := range s.OfThread(s.thread) {
			to(u.Begin, state{meaning: extrae.Idle})
			to(u.End, computing)
		}
		to(s.to, state{meaning: extrae.Idle})
		return
	}
	to(s.begin, state{gap: true})
	for k := s.call; k < s.Waits.Calls(s.thread); k++ {
		c := s.Waits.Call(s.thread, k)
		to(c.Enter, computing)
		to(c.Exit, state{gap: true})
	}
	to(s.end, computing)
	to(s.to, state{gap: true})
}

// stretch divides a stretch with one state where calls, waits and flushes begin or end.
func (s *sweep) stretch(from, to int64, what state) {
	for from < to {
		s.watch.Step()
		stop := min(to, s.enter(from), s.nextWait(from), s.nextFlush(from))
		s.piece(from, stop, what)
		from = stop
	}
}

// enter finds the call at a time, and returns when that changes.
func (s *sweep) enter(at int64) int64 {
	for n := s.Waits.Calls(s.thread); s.call < n; s.call++ {
		s.now = s.Waits.Call(s.thread, s.call)
		if s.now.Exit > at {
			if s.inCall = s.now.Enter <= at; s.inCall {
				return s.now.Exit
			}
			return s.now.Enter
		}
	}
	s.inCall = false
	return never
}

func (s *sweep) nextWait(at int64) int64 {
	for ; s.wait < len(s.waits); s.wait++ {
		if w := &s.waits[s.wait]; w.To > at {
			if w.From > at {
				return w.From
			}
			return w.To
		}
	}
	return never
}

func (s *sweep) nextFlush(at int64) int64 {
	for ; s.flush < len(s.flushes); s.flush++ {
		if f := &s.flushes[s.flush]; f.To > at {
			if f.From > at {
				return f.From
			}
			return f.To
		}
	}
	return never
}

// put adds a stretch to an entry, unless it is empty.
func (s *sweep) put(k key, from, to int64) {
	if from < to {
		s.add(k, wide.Of(to-from))
		s.sum(k.kind, from, to)
	}
}

// sum adds a stretch to the thread's sums.
func (s *sweep) sum(kind Kind, from, to int64) {
	s.sums[kind] += to - from
	if s.visit != nil {
		s.visit(from, to, kind)
	}
}

// piece books a stretch in which only the region changes.
func (s *sweep) piece(from, to int64, what state) {
	call := s.inCall
	switch {
	case what.meaning == extrae.Absent && !what.gap:
		s.put(key{kind: Outside, by: byState, a: int32(what.value)}, from, to)
	case what.useful:
		s.useful(from, to)
	case s.flush < len(s.flushes) && s.flushes[s.flush].From <= from:
		s.put(key{kind: Outside, by: byReason, a: flushing}, from, to)
	case call && (s.now.Kind.Call == extrae.Init || s.now.Kind.Call == extrae.Finalize):
		s.put(key{kind: Outside, by: byInCall, a: s.now.Region}, from, to)
	case s.wait < len(s.waits) && s.waits[s.wait].From <= from:
		s.waiting(&s.waits[s.wait], from, to)
	case what.meaning == extrae.IO && !what.gap && !call:
		s.put(key{kind: IO, by: byState, a: int32(what.value)}, from, to)
	case call:
		s.calls(from, to, what)
	default:
		s.other(from, to, what)
	}
}

// useful books useful time: with a core and without.
func (s *sweep) useful(from, to int64) {
	for from < to {
		for s.nextOff < len(s.off) && s.off[s.nextOff].To <= from {
			s.nextOff++
		}
		stop := to
		if s.nextOff < len(s.off) && s.off[s.nextOff].From < to {
			off := s.off[s.nextOff]
			if off.From <= from {
				stop = min(to, off.To)
				s.put(key{kind: Preempted, by: byThread, a: s.thread}, from, stop)
				from = stop
				continue
			}
			stop = off.From
		}
		s.compute(from, stop)
		from = stop
	}
}

// compute books computation under its regions.
func (s *sweep) compute(from, to int64) {
	if s.Driven != nil {
		s.computeUnit(from, to)
		return
	}
	for from < to {
		region, until := s.regionAt(from)
		stop := min(to, max(until, from+1))
		s.put(key{kind: Computing, by: byRegion, a: region}, from, stop)
		from = stop
	}
}

// regionAt returns the region of computation at a time, and the end of its stretch; inside of a call, the region around
// the call.
func (s *sweep) regionAt(at int64) (int32, int64) {
	region, until := s.region.At(at)
	if region < 0 || !s.Waits.Regions[region].Call {
		s.around = region
	}
	return s.around, until
}

// waiting books a part of a wait. Its causes are found after all threads are swept.
func (s *sweep) waiting(w *waits.Wait, from, to int64) {
	if w.Class == waits.IdleWorker {
		s.noWork(from, to)
		return
	}
	s.waited[int(s.Waits.First[s.thread])+s.wait] += to - from
	s.sum(kindOf(w.Class), from, to)
}

// kindOf returns the entry of the waits of a class.
func kindOf(c waits.Class) Kind {
	switch c {
	case waits.TeamImplicit, waits.TeamExplicit, waits.LockWait, waits.TaskWait:
		return Runtime
	}
	return Wait
}

// divideWaits divides the parts of waits among their causes. Waits of one entry are divided together: delays that they
// pass on to each other stay in that entry.
func (m *maker) divideWaits(ctx context.Context, all *tally) error {
	var amounts [64][]int64 // by class of those with separate entries; 0: waits in calls
	for i, v := range m.waited {
		if v == 0 {
			continue
		}
		c := waits.Class(0)
		if class := m.Waits.Waits[i].Class; kindOf(class) == Runtime {
			c = class
		}
		if amounts[c] == nil {
			amounts[c] = make([]int64, len(m.waited))
		}
		amounts[c][i] = v
	}
	var back *waits.Backward
	for c := range amounts {
		if amounts[c] == nil {
			continue
		}
		if back == nil {
			var err error
			if back, err = m.Waits.Backward(ctx); err != nil {
				return err
			}
		}
		for _, part := range summable(amounts[c]) {
			roots, unknown, err := back.Divide(ctx, part)
			if err != nil {
				return err
			}
			for _, r := range roots {
				if c == 0 {
					all.add(key{kind: Wait, by: byCause, a: r.Region, c: r.Thread}, wide.Of(r.Time))
				} else {
					all.add(key{kind: Runtime, by: byWaitClass, a: int32(c), b: r.Region, c: r.Thread}, wide.Of(r.Time))
				}
			}
			if c == 0 {
				all.add(key{kind: Unknown, by: byReason, a: noCounterpart}, wide.Of(unknown))
			} else {
				all.add(key{kind: Runtime, by: byWaitClass, a: int32(c), c: -1}, wide.Of(unknown))
			}
		}
	}
	return nil
}

// summable divides amounts, none of them negative, into lists whose sums have 63 bits: one list, except for runs of
// days on 100,000 threads.
func summable(amounts []int64) [][]int64 {
	lists, sum := [][]int64{amounts}, int64(0)
	for i, v := range amounts {
		if v > math.MaxInt64-sum {
			next := make([]int64, len(amounts))
			last := lists[len(lists)-1]
			copy(next[i:], last[i:])
			lists[len(lists)-1] = append(slices.Clone(last[:i]), make([]int64, len(amounts)-i)...)
			lists, sum = append(lists, next), 0
		}
		sum += v
	}
	return lists
}

// noWork books time without work by what the master of the team did meanwhile.
func (s *sweep) noWork(from, to int64) {
	for from < to {
		region, until := s.above.At(from)
		stop := min(to, max(until, from+1))
		s.put(key{kind: NoWork, by: byRegion, a: region}, from, stop)
		from = stop
	}
}

// other books time outside of calls and waits, by its state.
func (s *sweep) other(from, to int64, what state) {
	if what.gap || what.meaning == extrae.Idle && s.Driven == nil && !s.team {
		if s.outside(&from, to); from >= to {
			return
		}
		if s.end < to {
			s.other(from, s.end, what)
			s.other(s.end, to, what)
			return
		}
	}
	s.within(from, to, what)
}

// within books time between the first and the last record of the thread.
func (s *sweep) within(from, to int64, what state) {
	switch kind, ok := meaningKind[what.meaning]; {
	case what.gap:
		s.notRecorded(from, to)
	case what.meaning == extrae.Idle:
		s.idle(from, to)
	case what.meaning == extrae.Ready:
		s.put(key{kind: Runtime, by: byConstruct, a: noCore}, from, to)
	case what.meaning == extrae.Waiting && s.team:
		s.put(key{kind: Runtime, by: byConstruct, a: runtimeOther}, from, to)
	case what.meaning == extrae.Waiting && s.devices:
		s.put(key{kind: Wait, by: byDevice, c: s.thread}, from, to)
	case what.meaning == extrae.Overhead && s.devices:
		s.inDriver(from, to, what)
	case ok:
		s.put(key{kind: kind, by: byState, a: int32(what.value)}, from, to)
	default:
		s.put(key{kind: Unknown, by: byState, a: int32(what.value)}, from, to)
	}
}

// notRecorded books time without a state.
func (s *sweep) notRecorded(from, to int64) {
	if s.team && !s.master && s.Driven == nil && !s.Waits.Bursts { // between two parallel regions
		s.noWork(from, to)
		return
	}
	s.put(key{kind: Unknown, by: byReason, a: notRecorded}, from, to)
}

// idle books time in state Idle.
func (s *sweep) idle(from, to int64) {
	switch {
	case s.Driven != nil:
		s.gap(from, to)
	case s.team && !s.master:
		s.noWork(from, to)
	default:
		s.put(key{kind: Unknown, by: byReason, a: notTold}, from, to)
	}
}

// inDriver books time in calls of a device's library.
func (s *sweep) inDriver(from, to int64, what state) {
	e := &s.T.Threads[s.thread].Events
	for ; s.nextEvent < e.Len() && e.Time[s.nextEvent] <= from; s.nextEvent++ {
		if e.Type[s.nextEvent] == device.Call {
			s.inLibrary = int32(e.Value.At(s.nextEvent))
		}
	}
	k := key{kind: Call, by: byLibrary, a: s.inLibrary}
	if s.inLibrary == 0 {
		k = key{kind: Runtime, by: byState, a: int32(what.value)}
	}
	s.put(k, from, to)
}

// outside books the time before the thread's first record and after its last, and moves from past the former. What
// remains ends at to.
func (s *sweep) outside(from *int64, to int64) {
	if s.end <= s.begin {
		s.put(key{kind: Outside, by: byReason, a: beforeFirst}, *from, to)
		*from = to
		return
	}
	stop := min(to, s.begin)
	s.put(key{kind: Outside, by: byReason, a: beforeFirst}, *from, stop)
	*from = max(*from, stop)
	if *from >= s.end {
		s.put(key{kind: Outside, by: byReason, a: afterLast}, *from, to)
		*from = to
	}
}
