package dimemas

// From a Paraver trace to a program, by the rules of prv2dim.
//
// Of a thread it keeps its computation, its events, and the operations of its MPI calls;
// time inside calls is dropped, since the simulator rebuilds it. A call's operation comes
// from the communication records at its ends: a message's logical send lies in the
// sender's call, its logical and physical receive in the receiver's calls, and the kind
// of the call decides what they mean. So the records of a thread are grouped by instant,
// and ordered within a group so that each communication is inside its call: an end of
// call closes its group; outside of calls events come before communications, inside after
// them.

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"sync/atomic"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/device"
	"pview/prv/parallel"
	"pview/prv/quantity"
	"pview/sim"
)

// TranslateOptions are the options of prv2dim. The zero value is its default.
type TranslateOptions struct {
	// NoIdle leaves out the idle block that each task begins with (-n).
	NoIdle bool
	// NoInitBarrier leaves out the barrier in MPI_Init (-s).
	NoInitBarrier bool
	// CounterType and CounterFactor (-b, -f) take the length of computation from an event: its
	// value times the factor, in seconds. 0: from the elapsed time.
	CounterType   uint32
	CounterFactor float64
	// ProbeRate and TestRate (-i, -t) drop computation between calls of MPI_Iprobe or MPI_Test that fail at this
	// rate per millisecond. 0: never.
	ProbeRate, TestRate float64
	// Memory bounds the memory of the program, in bytes; a larger one is an error. 0: no limit.
	Memory int64
}

// Translation is a program made from a trace, with counts of records that did not fit.
type Translation struct {
	Program *sim.Program
	// Outside counts communications outside of any call, Unexpected those in a call that does
	// not send or receive so; they are dropped, and waits for them may never end.
	Outside, Unexpected int64
	// Links counts communications that link a call with what it causes, such as a kernel. They are no messages, and
	// dropped.
	Links int64
	// Incomplete counts collective operations without size, root and communicator; they are
	// dropped.
	Incomplete int64
	// Polls counts the threads that wait or test for any of several messages: the simulation uses the
	// message of the traced run.
	Polls int64
	// Silent counts threads that compute by their states, without any event or message, in a trace with MPI calls:
	// nothing of them is simulated.
	Silent int64
	// ByStates: there are no MPI calls, and the program is made from states and messages.
	ByStates bool
	// Oversubscribed describes nodes with more ranks than CPUs; "": none.
	Oversubscribed string

	messages bool // there are some
}

// Remarks describes what did not fit, a line for each kind.
func (t *Translation) Remarks() (lines []string) {
	add := func(n int64, one, more string) {
		switch {
		case n == 1:
			lines = append(lines, "1 "+one)
		case n > 1:
			lines = append(lines, fmt.Sprintf("%d %s", n, more))
		}
	}
	if t.ByStates {
		how := "each message is sent and received where its record says"
		if !t.messages {
			how = "there are no messages either, so no thread waits"
		}
		lines = append(lines, "there are no MPI calls: computation is the Running states, and "+how)
	}
	if t.Oversubscribed != "" {
		lines = append(lines, t.Oversubscribed)
	}
	add(t.Links, "link of a call with what it causes is no message and is left out: no thread waits for it",
		"links of calls with what they cause are no messages and are left out: no thread waits for them")
	add(t.Silent, "thread computes by its states but has no events: nothing of it is simulated",
		"threads compute by their states but have no events: nothing of them is simulated")
	add(t.Outside, "end of a message lies outside of any MPI call and is left out",
		"ends of messages lie outside of any MPI call and are left out")
	add(t.Unexpected, "end of a message lies in an MPI call of another kind and is left out",
		"ends of messages lie in an MPI call of another kind and are left out")
	add(t.Incomplete, "collective operation without its size and communicator is left out",
		"collective operations without their sizes and communicator are left out")
	return lines
}

// FromTrace makes a program from a trace: from all of its applications, each independently.
func FromTrace(ctx context.Context, t *prv.Trace, opt TranslateOptions) (*Translation, error) {
	tr, err := newTranslator(ctx, t, opt)
	if err != nil {
		return nil, err
	}
	packers := make([]sim.Packer, translators)
	sum, err := tr.run(ctx, func(worker int, th *threadTranslator) error {
		th.out = &tr.p.Threads[th.i]
		th.out.Grow(th.th.Events.Len() + th.th.Events.Len()/4 + 2*len(th.th.Comm[0]) + 8)
		th.take = func() error { return tr.size.check(&th.bytes, th.out) }
		if err := th.run(ctx); err != nil {
			return err
		}
		packed, err := packers[worker].Pack(ctx, th.out)
		if err != nil {
			return err
		}
		*th.out = packed
		return th.take()
	})
	if err != nil {
		return nil, err
	}
	if err := tr.p.Link(); err != nil {
		return nil, fmt.Errorf("%s: %w", t.Path, err)
	}
	return sum, nil
}

// WriteTrace writes the program of a trace of one application as a .dim trace with the given name, thread by thread,
// and does not keep it: the translation has none. An error in the trace is a *prv.FileError.
func WriteTrace(ctx context.Context, w io.Writer, t *prv.Trace, opt TranslateOptions, name string) (*Translation,
	error) {
	tr, err := newTranslator(ctx, t, opt)
	if err != nil {
		return nil, err
	}
	var sum *Translation
	err = writeDim(w, tr.p, name, func(out *parallel.Ordered) error {
		type room struct {
			thread sim.Thread
			text   []byte
		}
		rooms := make([]room, translators)
		sum, err = tr.run(ctx, func(worker int, th *threadTranslator) error {
			room, written := &rooms[worker], 0
			text := newThreadText(out, tr.p, th.i, room.text)
			defer func() { room.text = text.End() }()
			th.out = &room.thread
			th.out.Reset()
			th.take = func() error {
				if err := tr.p.Check(ctx, th.i, th.out, written); err != nil {
					return cmp.Or[error](ctx.Err(), &prv.FileError{File: t.Path, Why: err.Error(), Err: err})
				}
				written += th.out.Len()
				err := text.records(th.out)
				th.out.Reset()
				return err
			}
			return th.run(ctx)
		})
		return err
	})
	return sum, err
}

// newTranslator examines the trace as a whole.
func newTranslator(ctx context.Context, t *prv.Trace, opt TranslateOptions) (*translator, error) {
	if n := device.Streams(t); n > 0 {
		return nil, fmt.Errorf("%s: not simulated: %s of devices, and the engine has no model of launches, of the order "+
			"of operations on streams and between them, of waits of the host for them, and of their collectives; "+
			"pview devices shows their time, and pview devices --what-if replays them", t.Path,
			quantity.CountOf(int64(n), "stream"))
	}
	p := &sim.Program{Name: t.Path}
	for _, pt := range t.Ptasks {
		p.AddPtask()
		for i := range pt.Tasks {
			p.AddTask(int(t.Tasks[pt.FirstTask+i].Threads))
		}
	}
	tr := &translator{t: t, opt: opt, p: p, unit: float64(t.Unit.Nanoseconds()),
		size: programSize{name: t.Path, limit: opt.Memory}}
	tr.readCommunicators()
	tr.findOpenMP()
	if err := tr.scan(ctx); err != nil {
		return nil, err
	}
	tr.numberMessages()
	tr.predicted = isPredicted(t)
	return tr, nil
}

// translators is the number of threads that are translated at a time.
const translators = 4

// run translates the threads, each by one call of translate.
func (tr *translator) run(ctx context.Context, translate func(worker int, th *threadTranslator) error) (*Translation,
	error) {
	sum := &Translation{Program: tr.p, ByStates: tr.knownByStates(),
		Oversubscribed: oversubscribed(tr.t, &tr.opt)}
	counts := make([]Translation, len(tr.t.Threads))
	err := parallel.Each(ctx, len(tr.t.Threads), translators, func(worker, i int) error {
		th := newThreadTranslator(tr, int32(i), &counts[i])
		th.byStates = sum.ByStates
		return translate(worker, th)
	})
	if err != nil {
		return nil, err
	}
	for _, c := range counts {
		sum.Outside += c.Outside
		sum.Unexpected += c.Unexpected
		sum.Incomplete += c.Incomplete
		sum.Polls += c.Polls
		sum.Links += c.Links
	}
	sum.messages = int64(tr.t.Comms.Len()) > sum.Links
	if !sum.ByStates {
		sum.Silent = tr.silent()
	}
	return sum, nil
}

// silent counts the threads with nothing but states, of which one is Running. Those of a team of OpenMP are driven by
// their master.
func (tr *translator) silent() (n int64) {
	for i := range tr.t.Threads {
		th := &tr.t.Threads[i]
		records := th.Events.Len()
		for _, messages := range th.Comm {
			records += len(messages)
		}
		if records == 0 && !tr.p.Tasks[tr.t.ThreadTask[i]].OpenMP && slices.Contains(th.States.Value, stateRunning) {
			n++
		}
	}
	return n
}

// translator is the state shared by all threads.
type translator struct {
	t     *prv.Trace
	opt   TranslateOptions
	p     *sim.Program
	unit  float64           // length in nanoseconds
	comms []map[int64]int32 // by ptask: row of a communicator by id
	roots [][]int32         // by communicator: task that is the root of its n-th Reduce
	match []int64           // by communication
	// before is the number of its thread's lines at its instant that precede an end of a message, where comesBefore
	// does not apply.
	before map[endKey]int

	predicted bool // the trace is from a simulation
	size      programSize
	steps     atomic.Int64 // see done
}

// readCommunicators reads the lines c:PTASK:ID:SIZE:task:task:...; inconsistent ones are
// ignored.
func (tr *translator) readCommunicators() {
	tr.comms = make([]map[int64]int32, len(tr.t.Ptasks))
	for i := range tr.comms {
		tr.comms[i] = map[int64]int32{}
	}
	for _, c := range tr.t.Communicators {
		if ptask, id, tasks, ok := c.Members(&tr.t.Resources); ok {
			tr.comms[ptask][id] = tr.p.AddCommunicator(ptask, id, tasks)
		}
	}
	tr.roots = make([][]int32, len(tr.p.Communicators))
}

// scan looks in all threads for what the translation of each depends on.
func (tr *translator) scan(ctx context.Context) error {
	n := len(tr.t.Threads)
	roots, instants := make([][]root, n), make([][]int64, n)
	err := parallel.Each(ctx, n, translators, func(_, i int) error {
		roots[i], instants[i] = tr.rootsOf(int32(i)), tr.crowded(&tr.t.Threads[i])
		tr.done(1 + tr.t.Threads[i].Events.Len()/linesTaken)
		return nil
	})
	if err != nil {
		return err
	}
	tr.collectRoots(slices.Concat(roots...))
	tr.findMeetings(slices.Concat(instants...))
	return nil
}

// done counts steps of about linesTaken lines, and releases mapped columns now and then: each is read once or twice,
// and all together may be larger than the text.
func (tr *translator) done(steps int) {
	const some = 64
	now := tr.steps.Add(int64(steps))
	if m := tr.t.Maps; m != nil && now/some != (now-int64(steps))/some {
		m.Release()
	}
}

// findOpenMP marks the multi-threaded tasks with parallel regions.
func (tr *translator) findOpenMP() {
	for i := range tr.t.Threads {
		task := &tr.p.Tasks[tr.t.ThreadTask[i]]
		task.OpenMP = task.OpenMP || task.Threads > 1 &&
			slices.Contains(tr.t.Threads[i].Events.Type, extrae.OpenMPParallel)
	}
}

// root is a part of a Reduce by its root.
type root struct {
	time int64
	task int32
	comm int32
}

// rootsOf finds the Reduces that a thread is the root of: only the line of the root has a root event.
func (tr *translator) rootsOf(thread int32) (all []root) {
	task, e := tr.t.ThreadTask[thread], &tr.t.Threads[thread].Events
	done := 0
	for at, typ := range e.Type {
		if typ != extrae.MPICollective || e.Value.At(at) != 9 || at < done {
			continue
		}
		first := at
		for first > done && !e.Lines.Has(first) {
			first--
		}
		done = lineEnd(e, at)
		isRoot, comm := false, int64(usualComm)
		for k := first; k < done; k++ {
			switch e.Type[k] {
			case extrae.CollectiveRoot:
				isRoot = true
			case extrae.CollectiveComm:
				comm = e.Value.At(k)
			}
		}
		if row, ok := tr.comms[tr.t.Tasks[task].Ptask][comm]; ok && isRoot {
			all = append(all, root{e.Time[first], task, row})
		}
	}
	return all
}

// collectRoots sorts the roots of Reduces by their time.
func (tr *translator) collectRoots(all []root) {
	slices.SortStableFunc(all, func(a, b root) int { return cmp.Compare(a.time, b.time) })
	for _, r := range all {
		tr.roots[r.comm] = append(tr.roots[r.comm], r.task)
	}
}

// lineEnd returns the end of the line that begins at an event.
func lineEnd(e *prv.Events, first int) int {
	end := first + 1
	for end < e.Len() && !e.Lines.Has(end) {
		end++
	}
	return end
}

// numberMessages gives each communication its number in prv2dim: that of its line among those of events and
// communications. The number does more than identify messages: of simultaneous requests for a link, a bus or a port,
// the lowest is served first.
func (tr *translator) numberMessages() {
	if tr.match = tr.t.Comms.Ordinals(); tr.match == nil {
		tr.match = ordinalsWhenWritten(tr.t)
	}
}

// ordinalsWhenWritten numbers the communications of a trace that was not read from a file as if it had been written
// (prv.Write) and read: a communication comes after all events up to its physical send.
func ordinalsWhenWritten(t *prv.Trace) []int64 {
	var times []int64
	for i := range t.Threads {
		e := &t.Threads[i].Events
		for k := range e.Time {
			if e.Lines.Has(k) {
				times = append(times, e.Time[k])
			}
		}
	}
	slices.Sort(times)
	match := make([]int64, t.Comms.Len())
	lines := 0
	for i, at := range t.Comms.Times[prv.PhysicalSend] {
		for lines < len(times) && times[lines] <= at {
			lines++
		}
		match[i] = int64(lines + i + 1)
	}
	return match
}

// threadTranslator translates one thread.
type threadTranslator struct {
	tr     *translator
	i      int32
	task   int32
	ptask  prv.Ptask
	th     *prv.Thread
	out    *sim.Thread
	take   func() error // counts or takes the records of out, after every linesTaken lines and at the end
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
	state   int    // of the thread, the first that begins at the group or later
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

// roleOf is the inverse.
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

// step is called for each line, by its number.
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
				th.flush() // the ends are of calls that begin now
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

// begin writes the begin common to all threads.
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
// line ends a call, those that do not belong to that call change places with those that do.
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

// idleMark is the begin (1) or end (0) of idling.
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

// write puts a record into the program.
func (th *threadTranslator) write(it *item) {
	switch {
	case it.kind == idle:
		if len(th.calls) == 0 {
			th.burst()
		}
		th.out.AddIdle(it.value != 0)
	case it.kind == physicalSend:
	case it.kind < event:
		th.message(it)
	case isCall(it.typ) && it.value != 0:
		if len(th.calls) == 0 {
			th.burst()
		}
		th.out.AddEvent(it.typ, it.value)
		th.calls = append(th.calls, call{typ: it.typ, value: it.value})
		if th.early != nil {
			th.early.calls++
		}
		th.beginCollective(it)
	case isCall(it.typ):
		th.endCall(it)
	case th.worker && th.idleBefore(it):
		th.last = th.at
		th.out.AddEvent(it.typ, it.value)
	default:
		if len(th.calls) == 0 {
			th.pollArea(it)
		}
		th.out.AddEvent(it.typ, it.value)
	}
}

// idleBefore reports whether the time before an event of an OpenMP worker is dropped: outside of any
// outlined function it only waits for work. prv2dim counts begins and ends to decide; an end without its
// begin (traces have them, of worksharing) throws it off, and it drops a little elsewhere, once. This is
// kept, for the same predictions.
func (th *threadTranslator) idleBefore(it *item) bool {
	step := 1
	if it.value == 0 {
		step = -1
	}
	depth := th.depth
	switch it.typ {
	case extrae.OpenMPOutlined:
		th.depth += step
		return it.value != 0 && depth == 0
	case extrae.OpenMPBarrier:
		th.depth += step
		return it.value != 0 && depth == -1
	case extrae.OpenMPWorksharing:
		th.depth += step
	}
	return false
}

// pollArea writes the computation before an event outside of calls; between failed calls of MPI_Iprobe or MPI_Test it
// may be dropped.
func (th *threadTranslator) pollArea(it *item) {
	rate := 0.0
	switch it.typ {
	case extrae.ProbeMisses:
		rate = th.tr.opt.ProbeRate
	case extrae.TestMisses:
		rate = th.tr.opt.TestRate
	}
	if rate > 0 && it.value != 0 && th.at > th.last {
		ms := float64(th.at-th.last) * th.tr.unit / 1e6
		if float64(it.value)/ms >= rate {
			th.out.AddCompute(0)
			th.last = th.at
			return
		}
	}
	th.burst()
}

// endCall writes the end of a call; a call without an operation gets a no-operation.
func (th *threadTranslator) endCall(it *item) {
	for _, o := range th.ops { // begun at this same instant
		th.collective(o)
	}
	th.ops = th.ops[:0]
	if n := len(th.calls); n > 0 {
		c := th.calls[n-1]
		th.calls = th.calls[:n-1]
		if th.early != nil && c.typ != extrae.MPICollective {
			for _, comm := range th.early.waits(pointToPoint[c.value]) {
				c.done = true
				th.addMessage(sim.Wait, th.tr.t.Comms.Send[comm], comm)
			}
		}
		switch {
		case c.typ == extrae.MPIOther && c.value == 31 && !th.tr.opt.NoInitBarrier && th.world() >= 0:
			th.out.AddCollective(sim.Collective, sim.CollectiveCall{Communicator: th.world()})
		case c.typ == extrae.MPIPointToPoint && c.value == 5 && !c.done && len(th.pending) > 0:
			th.out.AddCollective(sim.CollectiveWait, th.pending[0])
			th.pending = th.pending[1:]
			th.out.AddNop()
		case !c.done || c.typ == extrae.MPICollective:
			th.out.AddNop()
		}
	}
	th.out.AddEvent(it.typ, it.value)
	th.last = th.at
}

// world returns the row of communicator 1, or -1.
func (th *threadTranslator) world() int32 {
	if row, ok := th.tr.comms[th.tr.t.Tasks[th.task].Ptask][1]; ok {
		return row
	}
	return -1
}

// use is the meaning of the ends of messages in a call; 0 for none.
type use struct{ logicalSend, logicalRecv, physicalRecv sim.Kind }

// pointToPoint has, by call number, the meaning of the ends of messages in it.
var pointToPoint = map[int64]use{
	1:   {logicalSend: sim.SendRendezvous},                                       // Send
	34:  {logicalSend: sim.SendRendezvous},                                       // Ssend
	35:  {logicalSend: sim.SendRendezvous},                                       // Rsend
	61:  {logicalSend: sim.SendRendezvous},                                       // Probe
	190: {logicalSend: sim.SendRendezvous},                                       // Mprobe
	123: {logicalSend: sim.SendRendezvous, logicalRecv: sim.Irecv},               // Start
	124: {logicalSend: sim.SendRendezvous, logicalRecv: sim.Irecv},               // Startall
	3:   {logicalSend: sim.Isend},                                                // Isend
	33:  {logicalSend: sim.Isend},                                                // Bsend
	37:  {logicalSend: sim.Isend},                                                // Issend
	62:  {logicalSend: sim.Isend},                                                // Iprobe
	36:  {logicalSend: sim.Isend},                                                // Ibsend; prv2dim does not know it
	38:  {logicalSend: sim.IsendRendezvous},                                      // Irsend
	41:  {logicalSend: sim.Send, logicalRecv: sim.Irecv, physicalRecv: sim.Wait}, // Sendrecv
	42:  {logicalSend: sim.Send, logicalRecv: sim.Irecv, physicalRecv: sim.Wait}, // Sendrecv_replace
	2:   {logicalRecv: sim.Recv},                                                 // Recv
	192: {logicalRecv: sim.Recv},                                                 // Mrecv
	4:   {logicalRecv: sim.Irecv},                                                // Irecv
	193: {logicalRecv: sim.Irecv},                                                // Imrecv
	5:   {physicalRecv: sim.Wait},                                                // Wait
	6:   {physicalRecv: sim.Wait},                                                // Waitall
	59:  {physicalRecv: sim.Wait},                                                // Waitany
	60:  {physicalRecv: sim.Wait},                                                // Waitsome
	39:  {physicalRecv: sim.Wait},                                                // Test
	126: {physicalRecv: sim.Wait},                                                // Testany
	125: {physicalRecv: sim.Wait},                                                // Testall
}

// message writes an end of a message by its meaning in the call.
func (th *threadTranslator) message(it *item) {
	n := len(th.calls)
	if n == 0 {
		th.messageOutside(it)
		return
	}
	c := &th.calls[n-1]
	u := c.use()
	c.take(it.kind, it.comm)
	var kind sim.Kind
	peer := th.tr.t.Comms.Send[it.comm]
	switch it.kind {
	case logicalSend:
		kind, peer = u.logicalSend, th.tr.t.Comms.Recv[it.comm]
	case logicalRecv:
		kind = u.logicalRecv
	case physicalRecv:
		if kind = u.physicalRecv; kind == 0 && u.logicalRecv == sim.Recv {
			return // a blocking receive is written at its begin
		}
	}
	if th.early != nil {
		switch {
		case it.kind == physicalRecv && (kind == 0 || !th.early.waited(it.comm)):
			th.early.arrives(it.comm)
			return
		case kind == sim.Irecv:
			th.early.posts(it.comm)
		}
	}
	if kind == 0 {
		th.counts.Unexpected++
		return
	}
	th.polls = th.polls || c.value == 59 || c.value == 60 || c.value == 39
	c.done = true
	th.addMessage(kind, peer, it.comm)
}

// messageOutside handles a point of a message outside calls.
func (th *threadTranslator) messageOutside(it *item) {
	switch {
	case it.kind == physicalRecv && th.early != nil:
		th.early.arrives(it.comm)
	case it.kind != physicalRecv || !th.receivedBefore(it.comm):
		th.counts.Outside++
	}
}

func (th *threadTranslator) addMessage(kind sim.Kind, peer, comm int32) {
	c := &th.tr.t.Comms
	th.out.AddMessage(kind, sim.Message{Peer: th.tr.t.ThreadTask[peer], Size: c.Size[comm], Tag: c.Tag[comm],
		Match: th.tr.match[comm]})
}

// receivedBefore reports whether a message's receive needed no wait.
func (th *threadTranslator) receivedBefore(comm int32) bool {
	c := &th.tr.t.Comms
	return c.Times[prv.LogicalRecv][comm] == c.Times[prv.PhysicalRecv][comm]
}

// Collective operations by call number: blocking and non-blocking.
var (
	blockingCalls = map[int64]sim.CollectiveOp{8: 0, 7: 1, 13: 2, 14: 3, 15: 4, 16: 5, 17: 6, 18: 7, 11: 8, 12: 9,
		9: sim.OpReduce, 10: 11, 80: 12, 168: 13, 30: 14, 170: 15}
	startedCalls = map[int64]sim.CollectiveOp{156: 0, 157: 1, 162: 2, 163: 3, 164: 4, 165: 5, 160: 6, 161: 7, 158: 8,
		159: 9, 154: sim.OpReduce, 155: 11, 166: 12, 169: 13, 167: 14, 171: 15}
)

// beginCollective records the operation of a call that begins; it is written after the
// events of the instant.
func (th *threadTranslator) beginCollective(it *item) {
	if it.typ != extrae.MPICollective {
		return
	}
	code, blocking := blockingCalls[it.value]
	started := false
	if !blocking {
		code, started = startedCalls[it.value]
	}
	if !blocking && !started {
		return
	}
	if it.line == nil {
		th.counts.Incomplete++
		return
	}
	row, ok := th.tr.comms[th.tr.t.Tasks[th.task].Ptask][it.line.comm]
	if !ok {
		th.counts.Incomplete++
		return
	}
	o := op{kind: sim.Collective, call: sim.CollectiveCall{Communicator: row, Op: code, Root: it.line.root,
		Sent: it.line.sent, Received: it.line.received}}
	switch {
	case started:
		o.kind = sim.CollectiveStart
	case code == sim.OpReduce:
		n := th.reduces[row]
		th.reduces[row]++
		o.kind, o.call.Root = sim.Reduce, false
		if n < len(th.tr.roots[row]) {
			o.call.RootTask = th.tr.roots[row][n]
		} else {
			o.call.RootTask = th.tr.p.Communicators[row].Tasks[0]
		}
	}
	th.ops = append(th.ops, o)
}

func (th *threadTranslator) collective(o op) {
	th.out.AddCollective(o.kind, o.call)
	if o.kind == sim.CollectiveStart {
		th.pending = append(th.pending, o.call)
	}
}
