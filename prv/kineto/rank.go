package kineto

// Ranks whose columns another reader fills, for formats with similar records. They become the same rows, states, events
// and messages.

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"pview/prv"
	"pview/prv/extrae/device"
	"pview/prv/parallel"
)

// Rank collects the records of a process of a run, in ns of its own clock. Build reads the fields.
type Rank struct {
	Title string // of the task
	Host  string // name of its node, if known: ranks of a host share it
	Base  int64  // Unix time in ns at which its clock is 0
	Kind  string // of its devices, "CUDA"
	file  *file
}

// Kind is an event type of a Rank in addition to those of this package. Build reads it.
type Kind struct {
	Type  uint32
	Label string
	State uint32 // of the thread inside spans: Extrae's number, or Inherited
	// Values maps names to values; nil: names are numbered alphabetically. Plain kinds have numbers as values.
	Values map[string]int64
	Plain  bool
	Points bool // it has no spans, so 0 ends nothing
}

// Inherited keeps the state of the enclosing span; Running if none.
const Inherited = ^uint32(0)

// Index is a kind of a Rank.
type Index = class

// typedEvent is an event of a kind.
type typedEvent struct {
	time, value int64
	name        int32 // -1: value counts
	kind        class
}

// Work is an operation of a device.
type Work struct {
	Begin, End     int64
	Correlation    int64 // <= 0: unknown
	Bytes          int64
	Device, Stream int64
	Name           int32
	Copy           bool      // a copy or memset
	Size           *[6]int64 // of the kernel: grid and block; nil: unknown
	Shared         int64
	Registers      int64
}

// Told describes a communication kernel in addition to its name.
type Told struct {
	Operation, Bytes int64  // bytes -1: unknown
	Group            string // "": unknown
	Members          int64  // 0: unknown
}

// NewRank makes a rank without records; path is that of its file.
func NewRank(path string, strict bool) *Rank {
	f := newFile(path, strict)
	f.profiler = true
	return &Rank{Kind: "CUDA", file: f}
}

// Thread returns the row of a host thread by its id.
func (r *Rank) Thread(id, name string) int32 {
	i, ok := r.file.rowOf[id]
	if !ok {
		i = int32(len(r.file.rows))
		r.file.rows = append(r.file.rows, row{thread: id})
		r.file.rowOf[id] = i
		r.file.threads["\x00"+id] = name
	}
	return i
}

// Apart returns a row after the streams: for counters, or for ranges without a thread.
func (r *Rank) Apart(name string) int32 {
	i := r.Thread(name, name)
	r.file.rows[i].apart = true
	return i
}

// ReserveSpans makes room for n more spans of a row.
func (r *Rank) ReserveSpans(row int32, n int) {
	rows := r.file.rows
	rows[row].spans = slices.Grow(rows[row].spans, n)
}

// ReserveCalls makes room for n more calls, besides the room for their spans.
func (r *Rank) ReserveCalls(n int) { r.file.calls = slices.Grow(r.file.calls, n) }

// ReserveWork makes room for n more operations of devices.
func (r *Rank) ReserveWork(n int) { r.file.work = slices.Grow(r.file.work, n) }

// NameOf returns the number of a name, which it copies.
func (r *Rank) NameOf(name []byte) int32 {
	if n, ok := r.file.textOf[string(name)]; ok {
		return n
	}
	return r.Name(string(name))
}

// Name returns the number of a name.
func (r *Rank) Name(name string) int32 {
	f := r.file
	if len(name) > mostName {
		f.blame(longName, name[:40])
		name = name[:mostName]
	}
	n, ok := f.textOf[name]
	if !ok {
		n = int32(len(f.names))
		f.names = append(f.names, prv.Clean(strings.ToValidUTF8(name, "\ufffd")))
		f.textOf[name] = n
	}
	return n
}

// Index adds a kind.
func (r *Rank) Index(k *Kind) Index {
	r.file.kinds = append(r.file.kinds, k)
	return numClasses + class(len(r.file.kinds)) - 1
}

// kindOf returns the kind of a class, nil for the classes of this package.
func (f *file) kindOf(c class) *Kind {
	if c < numClasses {
		return nil
	}
	return f.kinds[c-numClasses]
}

// Span adds a span of a kind to a row.
func (r *Rank) Span(row int32, begin, end int64, name int32, kind Index) {
	rows := r.file.rows
	rows[row].spans = append(rows[row].spans, span{begin: begin, end: end, name: name, class: kind})
}

// Open adds a span without an end: it ends with its row.
func (r *Rank) Open(row int32, begin int64, name int32, kind Index) {
	rows := r.file.rows
	rows[row].open = append(rows[row].open, span{begin: begin, name: name, class: kind})
}

// Event adds an event of a kind to a row: its value is that of a name, or the given one if name is negative.
func (r *Rank) Event(row int32, at int64, kind Index, name int32, value int64) {
	rows := r.file.rows
	rows[row].events = append(rows[row].events, typedEvent{at, value, name, kind})
}

// Call adds a call of the device's library; waits: the call is known to wait for the device.
func (r *Rank) Call(row int32, begin, end int64, name int32, correlation int64, waits bool) {
	f := r.file
	f.calls = append(f.calls, launch{begin, end, row, int32(len(f.rows[row].spans)), correlation})
	f.rows[row].spans = append(f.rows[row].spans, span{begin: begin, end: end, name: name, class: call,
		blocks: waits || blocking(f.names[name])})
}

// Call is a call of the device's library.
type Call struct{ Begin, End, Correlation int64 }

// CallsOf returns the calls of a row whose names contain part and whose begins are wanted, in the order in which they
// were added.
func (r *Rank) CallsOf(row int32, part string, wanted func(begin int64) bool) (list []Call) {
	f := r.file
	for i := range f.calls {
		c := &f.calls[i]
		if c.row == row && wanted(c.begin) && strings.Contains(f.names[f.rows[row].spans[c.span].name], part) {
			list = append(list, Call{c.begin, c.end, c.correlation})
		}
	}
	return list
}

// Work adds an operation of a device.
func (r *Rank) Work(w *Work) {
	f := r.file
	o := operation{begin: w.Begin, end: w.End, correlation: w.Correlation, bytes: w.Bytes, name: w.Name, shape: -1,
		part: -1, state: device.Copying, stream: f.streamAt(max(w.Device, 0), max(w.Stream, 0))}
	if !w.Copy {
		o.state = f.stateOf(w.Name)
	}
	if o.state == device.Communicating {
		o.part = int32(len(f.parts))
		p := unknownPart
		p.operation = operationOf(kernelName(f.names[w.Name]))
		f.parts = append(f.parts, p)
	}
	if w.Size != nil {
		o.shape = f.shapeAt(shape{*w.Size, w.Shared, w.Registers})
	}
	f.work = append(f.work, o)
}

// kernelName returns a kernel's name without its arguments.
func kernelName(name string) string {
	if i := strings.IndexByte(name, '('); i > 0 {
		return name[:i]
	}
	return name
}

// Await adds a wait of a stream for an event on another one. The correlations are those of the calls that made it wait
// and that recorded the event.
func (r *Rank) Await(stream device.Stream, called int64, on device.Stream, recorded int64) {
	r.file.awaits = append(r.file.awaits, await{stream, on, recorded, called})
}

// Tell describes the communication kernels launched by calls, by the calls' correlation.
func (r *Rank) Tell(told map[int64]Told) {
	f := r.file
	for i := range f.work {
		o := &f.work[i]
		t, ok := told[o.correlation]
		if o.part < 0 || !ok || o.correlation <= 0 {
			continue
		}
		p := &f.parts[o.part]
		p.operation, p.in = t.Operation, t.Bytes
		if t.Group == "" {
			continue
		}
		n, ok := f.groupOf[t.Group]
		if !ok {
			n = int32(len(f.groups))
			f.groups = append(f.groups, group{name: t.Group, size: t.Members})
			f.groupOf[t.Group] = n
		}
		f.groups[n].size = max(f.groups[n].size, t.Members)
		p.group = n
	}
}

// OperationOf returns the operation of package device that a name identifies.
func OperationOf(name string) int64 { return operationOf(name) }

// Unended counts a span whose end is not recorded.
func (r *Rank) Unended(name int32) { r.file.blame(beginOnly, r.file.names[name]) }

// Negative counts a record that is left out because it ends before it begins.
func (r *Rank) Negative(name string) { r.file.blame(negative, name) }

// Message is a message between threads of ranks, in times of their clocks, as in prv.Comm.
type Message struct {
	From, To       *Rank
	FromRow, ToRow int32
	Size, Tag      int64
	Times          [4]int64
}

// Build makes the trace of the ranks of a run, in their order. Ranks with the same path and base are from the same
// recording: they begin and end together.
func Build(ctx context.Context, ranks []*Rank, messages []Message, notes []prv.Note) (*prv.Trace, error) {
	files := make([]*file, len(ranks))
	firsts := map[string]*file{}
	for i, r := range ranks {
		f := r.file
		files[i] = f
		f.title, f.host, f.base, f.kind, f.rank = r.Title, r.Host, r.Base, r.Kind, int64(i)
	}
	err := parallel.For(ctx, len(files), func(i int) error {
		files[i].closeOpen()
		files[i].finish()
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if f.err != nil {
			return nil, f.err
		}
		first := firsts[f.path]
		if first == nil {
			firsts[f.path] = f
			continue
		}
		first.first, first.last = min(first.first, f.first), max(first.last, f.last)
		for p, d := range f.damaged {
			to := &first.damaged[p]
			to.count, to.first = to.count+d.count, cmp.Or(to.first, d.first)
			f.damaged[p] = damage{}
		}
	}
	for _, f := range files {
		f.first, f.last = firsts[f.path].first, firsts[f.path].last
	}
	b := newBuilder(files)
	b.messages, b.remarks = messages, notes
	return b.build(ctx)
}

// fixedValues returns the values of the kinds that have them, by type.
func (b *builder) fixedValues() map[uint32]map[string]int64 {
	fixed := map[uint32]map[string]int64{}
	for _, f := range b.files {
		for _, k := range f.kinds {
			if k.Values != nil {
				fixed[k.Type] = k.Values
			}
		}
	}
	return fixed
}

// typed adds the events of kinds.
func (b *builder) typed(t *task, thread int32, events []typedEvent) {
	for _, e := range events {
		pair := prv.Pair{Type: t.file.kindOf(e.kind).Type, Value: e.value}
		if e.name >= 0 {
			pair.Value = t.file.valueOf[pair.Type][e.name]
		}
		b.out.Event(thread, 0, e.time+t.offset, pair)
	}
}

// send adds the messages between ranks.
func (b *builder) send() {
	for _, m := range b.messages {
		from, to := m.From.file, m.To.file
		sender, receiver := from.hostThread[m.FromRow], to.hostThread[m.ToRow]
		if sender < 0 || receiver < 0 {
			continue
		}
		for _, role := range []prv.Role{prv.LogicalSend, prv.PhysicalSend} {
			m.Times[role] += from.offset
		}
		for _, role := range []prv.Role{prv.LogicalRecv, prv.PhysicalRecv} {
			m.Times[role] += to.offset
		}
		b.out.Comm(prv.Comm{Send: sender, Recv: receiver, Size: m.Size, Tag: m.Tag, Times: m.Times})
	}
}

// addKinds adds the labels of kinds.
func (b *builder) addKinds(l *prv.Labels) {
	kinds := map[uint32]*Kind{}
	var order []uint32
	for _, f := range b.files {
		for _, k := range f.kinds {
			if kinds[k.Type] == nil {
				kinds[k.Type] = k
				order = append(order, k.Type)
			}
		}
	}
	slices.Sort(order)
	for _, typ := range order {
		k := kinds[typ]
		if k.Plain {
			l.AddType(typ, k.Label)
			continue
		}
		l.AddType(typ, k.Label, b.valueLabels(typ, !k.Points)...)
	}
}
