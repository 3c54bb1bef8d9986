package dimemas

// The records of a thread in groups of one instant, as translate.go explains.

import (
	"cmp"
	"context"
	"math"
	"slices"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/device"
	"pview/sim"
)

// threadTranslator translates one thread.
type threadTranslator struct {
	tr     *translator
	i      int32
	task   int32
	ptask  prv.Ptask
	th     *prv.Thread
	out    *sim.Thread
	take   func() error // counts or takes the records of out, every linesTaken lines and at the end
	counts *Translation

	byStates bool

	last    int64 // end of the last call or of the last event outside
	calls   []call
	group   []item
	at      int64 // of the group
	open    openCall
	ops     []op                 // collective operation of the current group
	pending []sim.CollectiveCall // non-blocking operations not waited for
	reduces map[int32]int        // by communicator: Reduces so far
	polls   bool
	worker  bool   // a thread of an OpenMP team, not the master
	depth   int    // nesting of its begins and ends
	early   *early // nil in a measured trace
	state   int    // the thread's first state that begins at the group or later
	bytes   int64  // of the program, as far as counted
	lines   int    // at the instant linesAt, so far
	linesAt int64
}

// call is an open MPI call.
type call struct {
	typ   uint32
	value int64
	done  bool                    // it has an operation
	took  [physicalRecv + 1]int32 // the last end of a message of each kind in it: the communication + 1
}

// op is a collective operation to be written at the end of the group.
type op struct {
	kind sim.Kind
	call sim.CollectiveCall
}

// item is a record of a group.
type item struct {
	kind  itemKind
	typ   uint32
	value int64
	order int64 // in the trace, among events or among communications
	comm  int32
	// Fields of the collective operation that an event begins.
	line *collectiveFields
}

type itemKind uint8

// In their order inside a call.
const (
	logicalRecv itemKind = iota
	logicalSend
	physicalSend // writes nothing
	physicalRecv
	event
	caller
	callerLine
	idle
)

var roles = [...]prv.Role{prv.LogicalSend, prv.PhysicalSend, prv.LogicalRecv, prv.PhysicalRecv}

// kindOf is the kind of an end of a message, by its role.
var kindOf = [...]itemKind{prv.LogicalSend: logicalSend, prv.PhysicalSend: physicalSend, prv.LogicalRecv: logicalRecv,
	prv.PhysicalRecv: physicalRecv}

// roleOf is the inverse of kindOf.
var roleOf = [...]prv.Role{logicalRecv: prv.LogicalRecv, logicalSend: prv.LogicalSend, physicalSend: prv.PhysicalSend,
	physicalRecv: prv.PhysicalRecv}

// usualComm is the communicator of a collective operation that does not name its own.
const usualComm = 1

type collectiveFields struct {
	sent, received, comm int64
	root, any            bool
}

func newThreadTranslator(tr *translator, i int32, counts *Translation) *threadTranslator {
	task := tr.t.ThreadTask[i]
	worker := tr.p.Tasks[task].OpenMP && i != tr.p.Tasks[task].FirstThread
	th := &threadTranslator{tr: tr, i: i, task: task, worker: worker, ptask: tr.t.Ptasks[tr.t.Tasks[task].Ptask],
		th: &tr.t.Threads[i], counts: counts, reduces: map[int32]int{}}
	if tr.predicted {
		th.early = newEarly()
	}
	return th
}

// run translates the thread.
func (th *threadTranslator) run(ctx context.Context) error {
	run := th.runCalls
	if th.byStates {
		run = th.runByStates
	}
	return cmp.Or(run(ctx), th.step(ctx, 0))
}

// linesTaken is the number of lines after which records are taken.
const linesTaken = 1 << 12

// step is called for each line, with its number.
func (th *threadTranslator) step(ctx context.Context, line int) error {
	if line&(linesTaken-1) != 0 {
		return nil
	}
	th.tr.done(1)
	return cmp.Or(ctx.Err(), th.take())
}

// runCalls merges events, states and ends of messages by time.
func (th *threadTranslator) runCalls(ctx context.Context) error {
	th.begin()
	e, ends, idles := &th.th.Events, th.messageEnds(), th.idleMarks()
	for first, n := 0, 0; ; n++ {
		if err := th.step(ctx, n); err != nil {
			return err
		}
		next := int64(math.MaxInt64)
		if first < e.Len() {
			next = e.Time[first]
		}
		switch {
		case len(idles) > 0 && idles[0].time <= next && (len(ends) == 0 || idles[0].time <= ends[0].time):
			th.add(idles[0].time, item{kind: idle, value: idles[0].on})
			idles = idles[1:]
		case len(ends) > 0 && (ends[0].time < next || ends[0].time == next && th.comesBefore(ends, e, first)):
			th.add(ends[0].time, item{kind: ends[0].kind, comm: ends[0].comm, order: int64(ends[0].comm)})
			ends = ends[1:]
		case first < e.Len():
			end := lineEnd(e, first)
			th.addLine(e, first, end)
			if endsCall(e, first) && len(ends) > 0 && ends[0].time == next {
				th.flush() // the ends belong to calls that begin now
			}
			th.lines++
			first = end
		default:
			th.flush()
			if th.polls {
				th.counts.Polls = 1
			}
			return nil
		}
	}
}

// begin writes the opening records common to all threads.
func (th *threadTranslator) begin() {
	th.out.AddCompute(0)
	first := int64(math.MaxInt64)
	if th.th.Events.Len() > 0 {
		first = th.th.Events.Time[0]
	}
	if th.i != th.tr.t.Tasks[th.task].FirstThread {
		if first != math.MaxInt64 {
			th.last = first
			th.out.AddCompute(0)
		}
		return
	}
	if th.th.States.Len() > 0 {
		first = min(first, th.th.States.Begin[0])
	}
	if first == math.MaxInt64 {
		first = 0
	}
	if !th.tr.opt.NoIdle {
		th.out.AddIdle(true)
		th.out.AddCompute(float64(first) * th.tr.unit)
		th.out.AddIdle(false)
		th.last = first
	}
}

// messageEnd is an end of a message at this thread.
type messageEnd struct {
	time int64
	comm int32
	kind itemKind
}

// messageEnds returns them by time, kind and number.
func (th *threadTranslator) messageEnds() []messageEnd {
	c := &th.tr.t.Comms
	var lists [len(roles)][]int32
	var heads [len(roles)]messageEnd
	next := func(kind itemKind) {
		if list := lists[kind]; len(list) > 0 {
			heads[kind] = messageEnd{c.Times[roleOf[kind]][list[0]], list[0], kind}
			lists[kind] = list[1:]
			return
		}
		heads[kind] = messageEnd{time: math.MaxInt64, kind: idle} // none
	}
	n := 0
	for kind, role := range roleOf {
		lists[kind] = th.th.Comm[role]
		n += len(lists[kind])
		next(itemKind(kind))
	}
	ends := make([]messageEnd, 0, n)
	for range n {
		first := &heads[0]
		for k := range heads[1:] {
			if h := &heads[k+1]; h.time < first.time || first.kind == idle {
				first = h
			}
		}
		switch {
		case !device.IsLink(th.tr.t, first.comm):
			ends = append(ends, *first)
		case first.kind == logicalSend:
			th.counts.Links++
		}
		next(first.kind)
	}
	return ends
}

// comesBefore reports whether the first end of a message goes before a line of its thread at the same instant. If the
// line ends a call, ends outside of that call are swapped with ends inside.
func (th *threadTranslator) comesBefore(ends []messageEnd, e *prv.Events, first int) bool {
	end := &ends[0]
	if th.linesAt != end.time {
		th.lines, th.linesAt = 0, end.time
	}
	before := endsCall(e, first)
	if n, ok := th.tr.before[endKey{end.comm, end.kind}]; ok {
		before = n <= th.lines
	}
	return before && (!endsCall(e, first) || th.ownFirst(ends, e, first))
}

// idleMark is the start (1) or end (0) of idling.
type idleMark struct{ time, on int64 }

// idleMarks finds the idle states.
func (th *threadTranslator) idleMarks() (marks []idleMark) {
	if th.i != th.tr.t.Tasks[th.task].FirstThread {
		return nil
	}
	s := &th.th.States
	on := false
	set := func(time int64, v bool) {
		if v != on {
			marks = append(marks, idleMark{time, map[bool]int64{true: 1}[v]})
			on = v
		}
	}
	for i := range s.Begin {
		set(s.Begin[i], s.Value[i] == 0)
	}
	return marks
}

// endsCall reports whether a line of events begins with the end of a call.
func endsCall(e *prv.Events, first int) bool {
	return isCall(e.Type[first]) && e.Value.At(first) == 0
}

func isCall(typ uint32) bool { return typ >= extrae.MPIPointToPoint && typ <= extrae.MPIOneSided }

// addLine adds the events of a line one by one.
func (th *threadTranslator) addLine(e *prv.Events, first, end int) {
	var fields *collectiveFields
	for k := first; k < end; k++ {
		switch e.Type[k] {
		case extrae.CollectiveSent, extrae.CollectiveRecv, extrae.CollectiveRoot, extrae.CollectiveComm:
			if fields == nil {
				fields = &collectiveFields{comm: usualComm}
			}
			fields.set(e.Type[k], e.Value.At(k))
		}
	}
	for k := first; k < end; k++ {
		it := item{kind: event, typ: e.Type[k], value: e.Value.At(k), order: int64(k)}
		switch {
		case it.typ >= extrae.FirstCaller && it.typ <= extrae.LastCaller:
			it.kind = caller
		case it.typ >= extrae.FirstCallerLine && it.typ <= extrae.LastCallerLine:
			it.kind = callerLine
		}
		if isCall(it.typ) && it.value != 0 {
			it.line = fields
		}
		th.add(e.Time[k], it)
	}
}

func (f *collectiveFields) set(typ uint32, v int64) {
	f.any = true
	switch typ {
	case extrae.CollectiveSent:
		f.sent = v
	case extrae.CollectiveRecv:
		f.received = v
	case extrae.CollectiveRoot:
		f.root = v != 0
	case extrae.CollectiveComm:
		f.comm = v
	}
}

// add puts a record into the group of its instant.
func (th *threadTranslator) add(time int64, it item) {
	if len(th.group) > 0 && time != th.at {
		th.flush()
	}
	th.at = time
	th.group = append(th.group, it)
	if len(th.group) > 1 && it.kind == event && isCall(it.typ) && it.value == 0 {
		th.flush()
	}
}

// flush sorts the group and writes it.
func (th *threadTranslator) flush() {
	if len(th.group) == 0 {
		return
	}
	th.sortGroup()
	for i := range th.group {
		th.write(&th.group[i])
	}
	for _, o := range th.ops {
		th.collective(o)
	}
	th.ops = th.ops[:0]
	th.group, th.open.seen = th.group[:0], 0
}

// sortGroup puts the records of the group in order, begins and ends of idling first.
func (th *threadTranslator) sortGroup() {
	n := 0
	for i := range th.group {
		if it := th.group[i]; it.kind == idle {
			copy(th.group[n+1:i+1], th.group[n:i])
			th.group[n] = it
			n++
		}
	}
	order := comparison(outsideCall)
	if len(th.calls) > 0 {
		order = insideCall
	}
	order.sort(th.group[n:])
}

// burst writes the computation since the last call or event.
func (th *threadTranslator) burst() {
	if th.at == th.last && th.last != 0 {
		return
	}
	ns := float64(th.at-th.last) * th.tr.unit
	if o := &th.tr.opt; o.CounterType != 0 {
		for i := range th.group {
			if th.group[i].kind >= event && th.group[i].typ == o.CounterType {
				ns = math.Round(float64(th.group[i].value) * o.CounterFactor * 1e9)
				break
			}
		}
	}
	gap := th.at > th.last && th.inGap()
	if gap {
		th.out.AddIdle(true)
	}
	th.out.AddCompute(max(ns, 0))
	if gap {
		th.out.AddIdle(false)
	}
	th.last = th.at
}

// inGap reports whether the time since the last event lies between two states. A gap that ends where the
// next state begins counts if another line of that instant follows: prv2dim then reads it before the
// state.
func (th *threadTranslator) inGap() bool {
	s := &th.th.States
	for th.state < len(s.Begin) && s.Begin[th.state] < th.at {
		th.state++
	}
	if th.state == 0 || !s.HasEnd(th.state-1) || s.End[th.state-1] > th.last {
		return false
	}
	if th.state < len(s.Begin) && s.Begin[th.state] == th.at {
		return th.countLines(th.at) > 1
	}
	return true
}

func (th *threadTranslator) countLines(at int64) (n int) {
	e := &th.th.Events
	k, _ := slices.BinarySearch(e.Time, at)
	for ; k < e.Len() && e.Time[k] == at; k++ {
		if e.Lines.Has(k) {
			n++
		}
	}
	return n
}
