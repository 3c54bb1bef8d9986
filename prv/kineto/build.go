package kineto

// From files to a trace: states, events and messages of each task.

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"pview/prv"
	"pview/prv/extrae/device"
)

// States of threads of the host, by Extrae's numbers.
const (
	stateIdle     = 0
	stateRunning  = 1
	stateUntraced = 14
	stateOthers   = 15 // in another call of the library or in the profiler
)

// Event types whose values are names.
var namedTypes = []struct {
	typ   uint32
	label string
}{{device.Call, device.CallLabel}, {device.Function, "User function"}, {device.Annotation, "PyTorch annotation"},
	{device.Python, "Python function"}, {device.Kernel, device.KernelLabel},
	{device.Collective, device.CollectiveLabel}, {device.Memory, device.MemoryLabel}, {device.Instant, "Instant"},
	{device.Profiler, device.ProfilerLabel}}

// builder builds the trace.
type builder struct {
	files    []*file
	tasks    []*task
	groups   []runGroup
	out      *prv.Builder
	names    prv.Names
	zero     int64 // of the trace, as Unix time if the files have it
	end      int64 // of the trace
	inferred bool  // nodes are inferred from the numbers of devices
	values   map[uint32]map[string]int64
	counters []counter
	counter  map[string]int32
	states   map[uint32]bool
	launches
	collectives []*list
	clocks      []clock    // by task
	said        []string   // notes on clocks
	messages    []Message  // of Ranks
	remarks     []prv.Note // from the reader of Ranks
}

// launches has counts for the notes: all operations, those without a launch, and those that begin before the operation
// they wait for ends.
type launches struct{ all, unlaunched, early int64 }

// runGroup is a process group of the run.
type runGroup struct {
	group
	assumed bool
	tasks   []int32 // recorded members
	turns   int64   // number of numbered operations
}

func newBuilder(files []*file) *builder {
	return &builder{files: files, values: map[uint32]map[string]int64{}, counter: map[string]int32{},
		states: map[uint32]bool{}}
}

// build makes the trace of the files of a run.
func (b *builder) build(ctx context.Context) (*prv.Trace, error) {
	files := b.files
	for _, f := range files {
		b.tasks = append(b.tasks, tasksOf(f)...)
	}
	b.tasks = slices.DeleteFunc(b.tasks, func(t *task) bool { return t.threads() == 0 })
	if len(b.tasks) == 0 {
		return nil, &prv.FileError{File: files[0].path, Why: "no events with times"}
	}
	b.align()
	b.match()
	b.align()
	b.place()
	b.number()
	for _, t := range b.tasks {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if t.unread {
			continue
		}
		b.host(t)
		b.devices(t)
		b.awaitEvents(t)
		b.metrics(t)
		b.linkUp(t)
	}
	b.exchange()
	b.send()
	trace, err := b.out.Build()
	if err != nil {
		return nil, &prv.FileError{File: files[0].path, Why: err.Error(), Err: err}
	}
	trace.Path, trace.Labels, trace.Names, trace.Notes = files[0].path, b.labels(), &b.names, b.notes()
	return trace, nil
}

// align moves the times of all files to one axis that begins with the first, with corrected clocks.
func (b *builder) align() {
	b.zero, b.end = math.MaxInt64, 0
	for _, f := range b.files {
		if f.first <= f.last {
			b.zero = min(b.zero, f.first+f.base-f.ahead)
		}
	}
	for _, f := range b.files {
		if f.first <= f.last {
			f.offset = f.base - f.ahead - b.zero
			b.end = max(b.end, f.last+f.offset)
		}
	}
}

// typeOf returns the event type of a span.
func (f *file) typeOf(s *span) uint32 {
	switch s.class {
	case call:
		return device.Call
	case annotation, deviceAnnotation:
		return device.Annotation
	case overhead:
		return device.Profiler
	case python:
		return device.Python
	}
	if k := f.kindOf(s.class); k != nil {
		return k.Type
	}
	return device.Function
}

// typeOf returns the event type of the names of an operation.
func (o *operation) typeOf() uint32 {
	switch o.state {
	case device.Copying:
		return device.Memory
	case device.Computing:
		return device.Kernel
	}
	return device.Collective
}

// number numbers the names alphabetically, whatever the order of the file.
func (b *builder) number() {
	b.numberCounters()
	fixed := b.fixedValues()
	for typ, names := range b.usedNames() {
		if fixed[typ] != nil {
			b.values[typ] = fixed[typ]
			continue
		}
		b.values[typ] = make(map[string]int64, len(names))
		for i, name := range slices.Sorted(maps.Keys(names)) {
			b.values[typ][name] = int64(i) + 1
		}
	}
	for _, f := range b.files {
		f.valueOf = map[uint32][]int64{}
		for typ, values := range b.values {
			list := make([]int64, len(f.names))
			for i, name := range f.names {
				list[i] = values[name]
			}
			f.valueOf[typ] = list
		}
	}
}

// usedNames returns the names of the events of each type.
func (b *builder) usedNames() map[uint32]map[string]bool {
	used := map[uint32]map[string]bool{}
	for _, f := range b.files {
		seen := map[uint64]bool{}
		f.eachName(func(typ uint32, name int32) {
			key := uint64(typ)<<32 | uint64(name)
			if seen[key] {
				return
			}
			seen[key] = true
			if used[typ] == nil {
				used[typ] = map[string]bool{}
			}
			used[typ][f.names[name]] = true
		})
	}
	return used
}

// eachName passes the names of the file, with the types of their events, some of them several times.
func (f *file) eachName(use func(typ uint32, name int32)) {
	for i := range f.rows {
		for k := range f.rows[i].spans {
			if s := &f.rows[i].spans[k]; s.class != step {
				use(f.typeOf(s), s.name)
			}
		}
		for _, e := range f.rows[i].events {
			if e.name >= 0 {
				use(f.kindOf(e.kind).Type, e.name)
			}
		}
		for _, p := range f.rows[i].points {
			if p.kind == instantPoint {
				use(device.Instant, p.name)
			}
		}
	}
	for i := range f.work {
		use(f.work[i].typeOf(), f.work[i].name)
	}
	for _, list := range f.annotated {
		for _, s := range list {
			use(device.Annotation, s.name)
		}
	}
}

// numberCounters lists the counters of all files by name, each with its greatest precision.
func (b *builder) numberCounters() {
	for _, f := range b.files {
		for _, c := range f.counters {
			i, ok := b.counter[c.name]
			if !ok {
				i = int32(len(b.counters))
				b.counters = append(b.counters, counter{name: c.name})
				b.counter[c.name] = i
			}
			b.counters[i].precision = max(b.counters[i].precision, c.precision)
		}
	}
	slices.SortFunc(b.counters, func(x, y counter) int { return strings.Compare(x.name, y.name) })
	for i, c := range b.counters {
		b.counter[c.name] = int32(i)
	}
}

// state adds a state of a thread, unless it is empty.
func (b *builder) state(thread, cpu int32, begin, end int64, value uint32) {
	if begin < end {
		b.out.State(thread, cpu, begin, end, value)
		b.states[value] = true
	}
}

// host adds the records of the threads of the host.
func (b *builder) host(t *task) {
	for k, i := range t.rows {
		w := walker{builder: b, task: t, thread: t.first + int32(k), since: t.file.first + t.offset}
		b.state(w.thread, 0, 0, w.since, stateUntraced)
		w.walk(t.file.rows[i].spans)
		end := t.file.last + t.offset
		b.state(w.thread, 0, w.since, end, stateIdle)
		b.state(w.thread, 0, end, b.end, stateUntraced)
		b.points(t, w.thread, t.file.rows[i].points)
		b.typed(t, w.thread, t.file.rows[i].events)
	}
}

// opened is an open span.
type opened struct {
	end   int64
	typ   uint32
	state uint32
}

// walker walks along the nested spans of a thread.
type walker struct {
	*builder
	*task
	thread, cpu int32
	since       int64 // begin of the state
	state       uint32
	quiet       bool // without states
	open        []opened
}

func (w *walker) walk(spans []span) {
	for i := range spans {
		s := &spans[i]
		begin := s.begin + w.offset
		w.close(begin)
		o := opened{end: s.end + w.offset, typ: w.file.typeOf(s), state: stateRunning}
		value := int64(0)
		switch s.class {
		case step:
			n, _ := stepOf(w.file.names[s.name])
			o.typ, value, o.state = device.Iteration, n+1, w.state
		case call:
			if o.state = stateOthers; s.blocks {
				o.state = device.Waiting
			}
		case overhead:
			o.state = stateOthers
		default:
			if k := w.file.kindOf(s.class); k != nil {
				if o.state = k.State; o.state == Inherited {
					o.state = max(w.state, stateRunning)
				}
			}
		}
		if s.class != step {
			value = w.file.valueOf[o.typ][s.name]
		}
		w.out.Event(w.thread, w.cpu, begin, prv.Pair{Type: o.typ, Value: value})
		w.turn(begin, o.state)
		w.open = append(w.open, o)
	}
	w.close(math.MaxInt64)
}

// close ends the spans that end by a time.
func (w *walker) close(by int64) {
	for n := len(w.open) - 1; n >= 0 && w.open[n].end <= by; n-- {
		o := w.open[n]
		w.open = w.open[:n]
		w.out.Event(w.thread, w.cpu, o.end, prv.Pair{Type: o.typ})
		state := uint32(stateIdle)
		if n > 0 {
			state = w.open[n-1].state
		}
		w.turn(o.end, state)
	}
}

// turn begins a state.
func (w *walker) turn(at int64, state uint32) {
	if state != w.state && !w.quiet {
		w.builder.state(w.thread, w.cpu, w.since, at, w.state)
		w.since, w.state = at, state
	}
}

// pointTypes are the event types of points other than counters and instants.
var pointTypes = map[uint8]uint32{deviceMemory: device.MemoryAllocated, reservedMemory: device.MemoryReserved,
	hostMemory: device.HostMemory}

// points adds instants and samples.
func (b *builder) points(t *task, thread int32, points []point) {
	for _, p := range points {
		pair := prv.Pair{Value: p.value}
		switch {
		case p.kind == instantPoint:
			pair = prv.Pair{Type: device.Instant, Value: t.file.valueOf[device.Instant][p.name]}
		case p.kind >= counterPoint:
			i := b.counter[t.file.counters[p.name].name]
			pair.Type = uint32(device.FirstCounter + i)
			for range b.counters[i].precision - int(p.kind-counterPoint) {
				pair.Value *= 10
			}
		default:
			pair.Type = pointTypes[p.kind]
		}
		b.out.Event(thread, 0, p.time+t.offset, pair)
	}
}

// metrics adds the rows of counters, and other separate rows.
func (b *builder) metrics(t *task) {
	for k, i := range t.metrics {
		thread := t.first + int32(len(t.rows)+len(t.streams)+k)
		b.points(t, thread, t.file.rows[i].points)
		if r := &t.file.rows[i]; r.apart {
			w := walker{builder: b, task: t, thread: thread, quiet: true}
			w.walk(r.spans)
			b.typed(t, thread, r.events)
		}
	}
}

// devices adds the records of the streams.
func (b *builder) devices(t *task) {
	steps := t.steps()
	for k, i := range t.streams {
		s := streamWalker{builder: b, task: t, thread: t.first + int32(len(t.rows)+k), cpu: t.cpus[k], steps: steps}
		work := t.work
		from, _ := slices.BinarySearchFunc(work, i, func(o operation, i int32) int { return cmp.Compare(o.stream, i) })
		to, _ := slices.BinarySearchFunc(work, i+1, func(o operation, i int32) int {
			return cmp.Compare(o.stream, i)
		})
		s.walk(work[from:to])
		w := walker{builder: b, task: t, thread: s.thread, cpu: s.cpu, quiet: true}
		w.walk(t.annotated[i])
	}
}

// iteration is a step on the host and, on a stream, the time of the work that it launched.
type iteration struct {
	begin, end, number int64
}

// steps returns the iterations of a task, in order.
func (t *task) steps() (list []iteration) {
	for _, i := range t.rows {
		for _, s := range t.file.rows[i].spans {
			if s.class == step {
				n, _ := stepOf(t.file.names[s.name])
				list = append(list, iteration{s.begin, s.end, n})
			}
		}
	}
	slices.SortFunc(list, func(x, y iteration) int { return cmp.Compare(x.begin, y.begin) })
	return list
}

// streamWalker walks along a stream.
type streamWalker struct {
	*builder
	*task
	thread, cpu int32
	steps       []iteration
}

func (s *streamWalker) walk(work []operation) {
	spans := make([]iteration, len(s.steps))
	first := s.file.first + s.offset
	s.builder.state(s.thread, s.cpu, 0, first, stateUntraced)
	busy := first
	for i := range work {
		o := &work[i]
		begin, end := o.begin+s.offset, o.end+s.offset
		s.builder.state(s.thread, s.cpu, busy, begin, stateIdle)
		s.builder.state(s.thread, s.cpu, begin, end, uint32(o.state))
		busy = max(busy, end)
		s.describe(o, begin, end)
		s.launch(o, begin, spans)
	}
	last := s.file.last + s.offset
	s.builder.state(s.thread, s.cpu, busy, last, stateIdle)
	s.builder.state(s.thread, s.cpu, last, s.builder.end, stateUntraced)
	for i, it := range spans {
		if it.end == 0 {
			continue
		}
		if i+1 < len(spans) && spans[i+1].end > 0 {
			it.end = min(it.end, spans[i+1].begin)
		}
		s.out.Event(s.thread, s.cpu, it.begin, prv.Pair{Type: device.Iteration, Value: it.number + 1})
		s.out.Event(s.thread, s.cpu, it.end, prv.Pair{Type: device.Iteration})
	}
}

// describe adds the events of an operation.
func (s *streamWalker) describe(o *operation, begin, end int64) {
	typ := o.typeOf()
	pairs := append(make([]prv.Pair, 0, 16), prv.Pair{Type: typ, Value: s.file.valueOf[typ][o.name]})
	if o.bytes > 0 {
		pairs = append(pairs, prv.Pair{Type: device.MemoryBytes, Value: o.bytes})
	}
	if o.shape >= 0 {
		h := &s.shapes[o.shape]
		for k, n := range h.size {
			pairs = append(pairs, prv.Pair{Type: device.GridX + uint32(k), Value: n})
		}
		pairs = append(pairs, prv.Pair{Type: device.Shared, Value: h.shared},
			prv.Pair{Type: device.Registers, Value: h.registers})
	}
	if o.correlation > 0 {
		pairs = append(pairs, prv.Pair{Type: device.Correlation, Value: o.correlation})
	}
	ends := append(make([]prv.Pair, 0, 2), prv.Pair{Type: typ})
	if o.part >= 0 {
		p := &s.parts[o.part]
		pairs = append(pairs, prv.Pair{Type: device.Operation, Value: p.operation})
		if p.id > 0 {
			pairs = append(pairs, prv.Pair{Type: device.Group, Value: int64(p.id)})
		}
		if p.in >= 0 {
			pairs = append(pairs, prv.Pair{Type: device.BytesIn, Value: p.in})
		}
		if p.out >= 0 {
			pairs = append(pairs, prv.Pair{Type: device.BytesOut, Value: p.out})
		}
		if p.id > 0 {
			pairs = append(pairs, prv.Pair{Type: device.OperationTurn, Value: p.turn + 1})
			if n := s.builder.groups[p.id-1].size; n > 0 {
				pairs = append(pairs, prv.Pair{Type: device.GroupSize, Value: n})
			}
		}
		ends = append(ends, prv.Pair{Type: device.Operation})
	}
	s.out.Event(s.thread, s.cpu, begin, pairs...)
	s.out.Event(s.thread, s.cpu, end, ends...)
}

// launch adds the message from the call that started an operation, and extends the iteration of the call.
func (s *streamWalker) launch(o *operation, begin int64, spans []iteration) {
	s.all++
	k, ok := s.callOf.find(o.correlation)
	if !ok {
		s.unlaunched++
		return
	}
	c := &s.calls[k]
	n, _ := slices.BinarySearchFunc(s.steps, c.begin+1, func(it iteration, t int64) int {
		return cmp.Compare(it.begin, t)
	})
	if n--; n >= 0 && c.begin < s.steps[n].end {
		it := &spans[n]
		if it.end == 0 {
			it.begin, it.number = begin, s.steps[n].number
		}
		it.begin, it.end = min(it.begin, begin), max(it.end, o.end+s.offset)
	}
	sender := s.hostThread[c.row]
	if sender < 0 {
		return
	}
	tag := int64(device.LaunchTag)
	if o.state == device.Copying {
		tag = device.LaunchCopyTag
	}
	call, returned := c.begin+s.offset, c.end+s.offset
	s.out.Comm(prv.Comm{Send: sender, Recv: s.thread, RecvCPU: s.cpu, Size: o.bytes, Tag: tag,
		Times: [4]int64{call, max(call, min(returned, begin)), begin, begin}})
}

// linkUp adds the messages of flows: the profiler's within the host, other tools' between threads.
func (b *builder) linkUp(t *task) {
	if t.number > 0 && b.tasks[t.number-1].file == t.file {
		return // the flows of a file, once
	}
	f := t.file
	order := map[byte]int{'s': 0, 't': 1, 'f': 2}
	slices.SortStableFunc(f.links, func(x, y link) int {
		return cmp.Or(cmp.Compare(x.key, y.key), cmp.Compare(x.time, y.time),
			cmp.Compare(order[x.phase], order[y.phase]))
	})
	for i := 1; i < len(f.links); i++ {
		from, to := &f.links[i-1], &f.links[i]
		if from.key != to.key || from.phase == 'f' || to.phase == 's' {
			continue
		}
		send, receive := f.hostThread[from.row], f.hostThread[to.row]
		if send < 0 || receive < 0 || send == receive && !f.profiler {
			continue
		}
		at, then := from.time+f.offset, to.time+f.offset
		b.out.Comm(prv.Comm{Send: send, Recv: receive, Tag: device.LinkTag, Times: [4]int64{at, at, then, then}})
	}
}

// communicators returns the process groups that have recorded members.
func (b *builder) communicators() (list []prv.Communicator) {
	for i, g := range b.groups {
		text := fmt.Sprintf("c:1:%d:%d", i+1, len(g.tasks))
		for _, t := range g.tasks {
			text += fmt.Sprintf(":%d", t+1)
		}
		list = append(list, prv.Communicator{Text: text})
	}
	return list
}
