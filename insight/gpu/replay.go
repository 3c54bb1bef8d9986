package gpu

// The replay of a run with devices: start and end times if kernels, copies, transfers or messages took another time.
// Events keep their measured lags behind what they depend on:
//
//	a call of the host            the call before on its thread
//	the return of a wait          the call, and the end of the work of its task until then
//	the start of an operation     its launch, the operation before on its stream, the event that it waits for
//	the end of an operation       its start; of a member of a collective the start of the last member
//
// Everything depends on earlier events only, so one pass in order of time is enough. Without a change nothing moves.

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"

	"pview/prv"
	"pview/prv/extrae/device"
)

// Outcome is a replay. Times are in the unit of the trace.
type Outcome struct {
	End     int64 // of the last thread or operation
	Elapsed int64 // of all devices, from the first begin to the last end
	Wait    int64 // in matched collectives, before the last member begins
	// Guessed counts operations, in tasks without recorded events, that begin when one on another stream ends: they are
	// assumed to wait for it.
	Guessed int
}

// stepKind is a step of the replay. Steps at the same time are in this order.
type stepKind uint8

const (
	ends stepKind = iota
	returns
	calls
	begins
	recordEnds
)

// replayStep is an instant at which something happens.
type replayStep struct {
	at     int64
	kind   stepKind
	thread int32 // of the host, or an operation's stream
	from   int64 // start of the wait that returns
	op     int32 // number of the operation
}

// clockOf is a thread, stream or task in the replay: its last instant, in the run and in the replay.
type clockOf struct{ was, is int64 }

func (c *clockOf) moved(at int64) int64 { return at + c.is - c.was }

func (c *clockOf) set(was, is int64) { c.was, c.is = was, is }

// replayer is the state of a pass.
type replayer struct {
	a        *Analysis
	t        *prv.Trace
	time     func(o *operation, length int64) int64
	ops      []operation
	steps    []replayStep
	begun    []int64           // of operations, in the replay
	launched map[int32]int64   // calls in the replay, by row of the trace's Comms
	ended    map[int32]clockOf // by stream: the previous operation
	ends     map[part]int64    // in the replay, by stream and end in the run
	threads  []clockOf         // of hosts
	done     []clockOf         // by task: the greatest end of its work in the run, and in the replay
	latest   []clockOf         // by task: the operation that ended last in the run
	events   []bool            // by task: streams' waits for events are recorded
	last     map[*Collective]int64
	out      Outcome
	first    int64
}

// wholeGraph is the name of a graph of kernels recorded as one operation.
var wholeGraph = regexp.MustCompile(`^graph \d+$`)

// canReplay says why a run cannot be replayed, nil if it can.
func (a *Analysis) canReplay(t *prv.Trace) error {
	launched := int64(0)
	for i := range a.Streams {
		launched += a.Streams[i].Launched
	}
	if launched == 0 {
		return errors.New("no operation of a device has a launch call in the trace: the cause of its waits is unknown")
	}
	for i := range a.Devices {
		for _, o := range a.Devices[i].work {
			if name := t.Labels.ValueName(o.typ, o.name); o.name != 0 && wholeGraph.MatchString(name) {
				return fmt.Errorf("%s is recorded as a whole: the kernels in it are unknown", name)
			}
		}
	}
	return nil
}

// replay replays a run in which time returns how long operations take, given how long they took. The members of a
// collective wait for the last one to begin: only the time after that changes.
func (a *Analysis) replay(t *prv.Trace, time func(o *operation, length int64) int64) Outcome {
	r := &replayer{a: a, t: t, time: time, launched: map[int32]int64{}, ended: map[int32]clockOf{},
		threads: make([]clockOf, len(t.Threads)), done: make([]clockOf, len(t.Tasks)),
		latest: make([]clockOf, len(t.Tasks)), ends: map[part]int64{}, events: make([]bool, len(t.Tasks)),
		last: map[*Collective]int64{}, first: math.MaxInt64}
	r.plan()
	for i := range r.steps {
		r.step(&r.steps[i])
	}
	if r.first < math.MaxInt64 {
		r.out.Elapsed -= r.first
	}
	return r.out
}

// plan lists the steps.
func (r *replayer) plan() {
	add := func(s replayStep) { r.steps = append(r.steps, s) }
	for i := range r.a.Devices {
		r.ops = append(r.ops, r.a.Devices[i].work...)
	}
	r.begun = make([]int64, len(r.ops))
	c := &r.t.Comms
	for i := range r.ops {
		o := &r.ops[i]
		add(replayStep{at: o.begin, kind: begins, thread: o.thread, op: int32(i)})
		add(replayStep{at: o.end, kind: ends, thread: o.thread, op: int32(i)})
		if o.launch >= 0 {
			add(replayStep{at: min(c.Times[prv.PhysicalSend][o.launch], o.begin), kind: calls, thread: c.Send[o.launch],
				op: int32(i)})
		}
		if o.event >= 0 {
			r.events[r.t.ThreadTask[o.thread]] = true
		}
	}
	for i := range r.t.Threads {
		if _, isStream := device.StreamOf(r.t, i); isStream {
			continue
		}
		s, end := &r.t.Threads[i].States, int64(0)
		for k, v := range s.Value {
			if v == device.Waiting {
				add(replayStep{at: s.End[k], kind: returns, thread: int32(i), from: s.Begin[k]})
			}
			if v != device.Idle {
				end = max(end, s.End[k])
			}
		}
		add(replayStep{at: end, kind: recordEnds, thread: int32(i)})
	}
	slices.SortStableFunc(r.steps, func(x, y replayStep) int {
		return cmp.Or(cmp.Compare(x.at, y.at), r.beforeEnd(x)-r.beforeEnd(y), cmp.Compare(x.kind, y.kind))
	})
}

// beforeEnd orders the end of operations that take no time after their start.
func (r *replayer) beforeEnd(s replayStep) int {
	if s.kind == ends && r.ops[s.op].begin == s.at {
		return 1
	}
	return 0
}

func (r *replayer) step(s *replayStep) {
	switch s.kind {
	case calls:
		h := &r.threads[s.thread]
		h.set(s.at, h.moved(s.at))
		r.launched[r.ops[s.op].launch] = h.is
	case returns:
		h, work := &r.threads[s.thread], r.done[r.t.ThreadTask[s.thread]]
		was, is := max(s.from, h.was), h.moved(max(s.from, h.was))
		h.set(s.at, max(is, work.is)+s.at-max(was, work.was))
	case recordEnds:
		r.out.End = max(r.out.End, r.threads[s.thread].moved(s.at))
	case begins:
		r.begin(s)
	case ends:
		r.end(s)
	}
}

// begin starts an operation with the lag that it had in the run after the last thing it waits for.
func (r *replayer) begin(s *replayStep) {
	o, c := &r.ops[s.op], &r.t.Comms
	was, is := int64(-1), int64(-1)
	after := func(k clockOf) {
		if k.was <= o.begin {
			was, is = max(was, k.was), max(is, k.is)
		}
	}
	if before, ok := r.ended[o.thread]; ok {
		after(before)
	}
	if o.launch >= 0 {
		after(clockOf{min(c.Times[prv.PhysicalSend][o.launch], o.begin), r.launched[o.launch]})
	}
	task := r.t.ThreadTask[o.thread]
	if o.event >= 0 {
		k := part{c.Send[o.event], c.Times[prv.PhysicalSend][o.event]}
		if ended, ok := r.ends[k]; ok {
			after(clockOf{k.begin, ended})
		}
	} else if k := r.latest[task]; !r.events[task] && k.was > was && o.begin-k.was < r.short() {
		after(k)
		r.out.Guessed++
	}
	if was < 0 {
		was, is = o.begin, o.begin
	}
	at := is + o.begin - was
	r.begun[s.op] = at
	r.first = min(r.first, at)
	if k := r.a.lastOf[part{o.thread, o.begin}]; k != nil {
		r.last[k] = max(r.last[k], at)
	}
}

func (r *replayer) short() int64 { return ShortGap / r.t.Unit.Nanoseconds() }

// end ends an operation.
func (r *replayer) end(s *replayStep) {
	o, at := &r.ops[s.op], r.begun[s.op]
	k := r.a.lastOf[part{o.thread, o.begin}]
	switch {
	case k == nil:
		at += r.time(o, o.end-o.begin)
	case o.end <= k.Last: // nothing left to transfer, or clocks differ
		r.out.Wait += o.end - o.begin
		at += o.end - o.begin
	default:
		r.out.Wait += r.last[k] - at
		at = r.last[k] + r.time(o, o.end-k.Last)
	}
	if was := r.ended[o.thread]; at >= was.is {
		r.ended[o.thread] = clockOf{o.end, at}
	}
	r.ends[part{o.thread, o.end}] = at
	task := r.t.ThreadTask[o.thread]
	if k := &r.latest[task]; o.end > k.was || o.end == k.was && at > k.is {
		k.set(o.end, at)
	}
	done := &r.done[task]
	done.set(max(done.was, o.end), max(done.is, at))
	r.out.End, r.out.Elapsed = max(r.out.End, at), max(r.out.Elapsed, at)
}
