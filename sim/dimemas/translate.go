package dimemas

// From a Paraver trace to a program, by the rules of prv2dim.
//
// For each thread, it keeps computation, events, and the operations of MPI calls; time inside calls is dropped, since
// the simulator rebuilds it. A call's operation comes from the communication records at its ends: a message's logical
// send lies in the sender's call, its logical and physical receive in the receiver's calls, and the kind of the call
// decides what they mean. So the records of a thread are grouped by instant, and ordered within a group so that each
// communication is inside its call: an end of call closes its group; outside of calls events come before
// communications, inside after them.

import (
	"cmp"
	"context"
	"fmt"
	"io"
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
	// NoIdle omits the idle block that each task begins with (-n).
	NoIdle bool
	// NoInitBarrier omits the barrier in MPI_Init (-s).
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
	// Outside counts communications outside of any call, Unexpected those in a call that cannot send or receive them;
	// both are dropped, so waits for them may never end.
	Outside, Unexpected int64
	// Links counts communications that link a call with what it causes, such as a kernel. They are not messages, and
	// are dropped.
	Links int64
	// Incomplete counts collective operations without size, root and communicator; they are
	// dropped.
	Incomplete int64
	// Polls counts the threads that wait or test for any of several messages: the simulation uses the
	// message of the traced run.
	Polls int64
	// Silent counts threads that compute by their states, without any event or message, in a trace with MPI calls: they
	// are not simulated.
	Silent int64
	// ByStates: there are no MPI calls, and the program is made from states and messages.
	ByStates bool
	// Oversubscribed describes nodes with more ranks than CPUs; "": none.
	Oversubscribed string

	messages bool // there are some
}

// Remarks describes the records that did not fit, a line for each kind.
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
	add(t.Links, "link from a call to its effect is not a message and is skipped: no thread waits for it",
		"links from calls to their effects are not messages and are skipped: no thread waits for them")
	add(t.Silent, "thread computes by its states but has no events: nothing of it is simulated",
		"threads compute by their states but have no events: nothing of them is simulated")
	add(t.Outside, "end of a message is outside of any MPI call and is skipped",
		"ends of messages are outside of any MPI call and are skipped")
	add(t.Unexpected, "end of a message is in an MPI call of another kind and is skipped",
		"ends of messages are in an MPI call of another kind and are skipped")
	add(t.Incomplete, "collective operation without size and communicator is skipped",
		"collective operations without sizes and communicator are skipped")
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
// without keeping it: the translation has no program. An error in the trace is a *prv.FileError.
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

// translators is the number of threads translated at a time.
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

// silent counts the threads with nothing but states, including Running. Threads of an OpenMP team are driven by their
// master.
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
	// before is the number of its thread's lines at its instant that precede an end of a message, if comesBefore does
	// not apply.
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

// scan searches all threads for the data that the translation of each depends on.
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
// and together they may be larger than the text.
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

// root is the root's part in a Reduce.
type root struct {
	time int64
	task int32
	comm int32
}

// rootsOf finds the Reduces with a thread as root: only the line of the root has a root event.
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

// numberMessages gives each communication its number in prv2dim: its line's position among events and communications.
// The number does more than identify messages: of simultaneous requests for a link, a bus or a port, the lowest is
// served first.
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
