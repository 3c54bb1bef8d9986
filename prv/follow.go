package prv

// Following a trace that is still being written.
//
// A Follower continues from the last complete line and appends to columns that only ever grow.
// Each Read returns a Trace whose columns are prefixes of those: data shared with the trace before
// is not copied, so that reading a trace in many steps costs little more than reading it in one,
// and a reader of an earlier Trace never sees a change:
//
//	columns  |=================|=======|
//	Trace 1   -----------------^       |      of n1 records
//	Trace 2   -------------------------^      of n2
//
// Each time, the sets of line beginnings (a bit per event) are copied, and, where records came
// out of order since, the columns or orders of that thread.

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"pview/prv/model"
	"pview/prv/store"
	"slices"
	"strings"
	"time"
)

// Follower reads a .prv that grows. It is for one goroutine.
type Follower struct {
	path string
	file *os.File // nil before the header is there
	info os.FileInfo

	headText string // header and communicator lines, as read
	head     Header
	offset   int64  // of the file, up to which it has been read
	tail     []byte // the bytes before offset, to recognise the file by
	lines    *store.Lines
	line     int64 // lines before offset
	buf      []byte

	threads []growing
	comms   Comms
	events  uint32 // lines of events
	orders  []commOrders
	last    int64 // latest end of a state or time of an event
	skipped Skipped
	asides  store.Asides
	doubts  followedDoubts

	labels, names companion
}

// growing has the columns of one thread, in file order.
type growing struct {
	seen                               bool
	cpu                                int32
	states                             States
	events                             Events
	statesDisordered, eventsDisordered bool

	latest   int64 // end of a state so far
	overlaps int64 // states that begin before it; valid while the states are in order
}

// commOrders are the orders of Thread.Comm.
type commOrders [4]struct {
	list   []int32
	shared int // how many of them a Trace has been given
}

// companion is a file beside the trace.
type companion struct {
	size  int64
	when  time.Time
	trace *Trace // that holds its content
}

// ErrWaiting is returned by Read while there is no record to show: no file, an empty one, or
// only the header.
var ErrWaiting = errors.New("no record yet")

// Growth is the result of a Read.
type Growth struct {
	Trace *Trace // as far as it has been written; nil when nothing has changed
	// Restarted is set when the file is not a continuation of the one read before: it was
	// truncated, replaced or rewritten, and Trace is read from its beginning.
	Restarted bool
}

// Follow returns a Follower of the trace at path, which need not exist yet. A compressed trace
// cannot be followed: it has no end before it is complete.
func Follow(path string) (*Follower, error) {
	if strings.HasSuffix(path, ".gz") {
		return nil, &FileError{File: path, Why: "a compressed trace cannot be followed while it is written"}
	}
	return &Follower{path: path}, nil
}

// Close closes the file.
func (f *Follower) Close() {
	if f.file != nil {
		f.file.Close()
		f.file = nil
	}
}

// followChunk is the number of bytes read at a time.
const followChunk = 4 << 20

// Read reads what has been written since the last Read, up to the last complete line. progress may be
// nil.
func (f *Follower) Read(ctx context.Context, progress func(done, total int64)) (Growth, error) {
	g := Growth{Restarted: !f.continues()}
	if f.file == nil {
		f.forget()
		if err := f.begin(); err != nil {
			return g, err
		}
	}
	grown, err := f.readOn(ctx, progress)
	if err != nil {
		return g, err
	}
	if f.last == 0 && f.comms.Len() == 0 && !slices.ContainsFunc(f.threads, func(t growing) bool { return t.seen }) {
		return g, ErrWaiting
	}
	if f.openCompanions() || grown || g.Restarted {
		g.Trace = f.trace()
	}
	return g, nil
}

// continues reports whether the file is still the one that was read, if any. If not, it is closed.
func (f *Follower) continues() bool {
	if f.file == nil {
		return true
	}
	info, err := os.Stat(f.path)
	if err == nil && os.SameFile(info, f.info) && info.Size() >= f.offset && f.unchanged() {
		return true
	}
	f.Close()
	return false
}

// unchanged reports whether the header, and the bytes before the offset, are as before. A header that
// differs only in its end time is accepted: some writers learn that last.
func (f *Follower) unchanged() bool {
	tail := make([]byte, len(f.tail))
	if _, err := f.file.ReadAt(tail, f.offset-int64(len(tail))); err != nil || !bytes.Equal(tail, f.tail) {
		return false
	}
	head := make([]byte, len(f.headText))
	if _, err := f.file.ReadAt(head, 0); err != nil {
		return false
	}
	if string(head) == f.headText {
		return true
	}
	h, n, _, err := f.parseHead(bytes.NewReader(head), int64(len(head)))
	if err != nil || n != int64(len(head)) || !sameResources(&h.Resources, &f.head.Resources) || h.Unit != f.head.Unit {
		return false
	}
	f.head, f.headText = h, string(head)
	return true
}

func sameResources(a, b *Resources) bool {
	return slices.Equal(a.Nodes, b.Nodes) && slices.Equal(a.Ptasks, b.Ptasks) && slices.Equal(a.Tasks, b.Tasks)
}

// forget drops everything read so far.
func (f *Follower) forget() {
	*f = Follower{path: f.path, buf: f.buf}
}

// parseHead reads header and communicators, and returns their length in bytes and lines. The error is
// ErrWaiting when they are incomplete.
func (f *Follower) parseHead(src io.ReaderAt, size int64) (h Header, bytes, lines int64, err error) {
	r := store.NewReader(io.NewSectionReader(src, 0, size), store.Options{Name: f.path, Size: size})
	if err = openText(r); err == nil {
		err = readHeader(r)
	}
	if err != nil {
		if atEnd := r.Text != nil && r.Src.Done == size && r.Text.Buffered() < 2; size == 0 || atEnd &&
			f.mayGoOn(r, src, size) {
			err = ErrWaiting
		}
		return h, 0, 0, err
	}
	n := r.Src.Done - int64(r.Text.Buffered())
	if last := [1]byte{}; n > 0 {
		if _, err := src.ReadAt(last[:], n-1); err != nil || last[0] != '\n' {
			return h, 0, 0, ErrWaiting
		}
	}
	return r.Head, n, r.Line, nil
}

// mayGoOn decides whether a head that ends early may still be completed: when communicators are missing, or the
// header ends in the middle of its line.
func (f *Follower) mayGoOn(r *store.Reader, src io.ReaderAt, size int64) bool {
	if r.Head.NumThreads() > 0 {
		return true
	}
	begin := make([]byte, min(size, int64(len(byteOrderMark+headerMark))))
	last := [1]byte{}
	src.ReadAt(begin, 0)
	src.ReadAt(last[:], size-1)
	return last[0] != '\n' && mayGetMark(string(begin))
}

// begin opens the file and reads the header.
func (f *Follower) begin() error {
	file, err := os.Open(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return ErrWaiting
	}
	if err != nil {
		return model.AsFileError(f.path, err)
	}
	if err := f.readHead(file); err != nil {
		file.Close()
		return err
	}
	f.file = file
	f.lines = store.NewLines(&f.head.Resources)
	f.threads = make([]growing, f.head.NumThreads())
	f.orders = make([]commOrders, f.head.NumThreads())
	return nil
}

// readHead reads header and communicators, if they are complete.
func (f *Follower) readHead(file *os.File) (err error) {
	if f.info, err = file.Stat(); err != nil {
		return model.AsFileError(f.path, err)
	}
	if !f.info.Mode().IsRegular() {
		return &FileError{File: f.path, Why: "is no regular file: it cannot be followed"}
	}
	h, n, lines, err := f.parseHead(file, f.info.Size())
	if err != nil {
		return err
	}
	text := make([]byte, n)
	if _, err := file.ReadAt(text, 0); err != nil {
		return model.AsFileError(f.path, err)
	}
	f.head, f.headText, f.offset, f.line = h, string(text), n, lines
	f.remember(text)
	return nil
}

// remember keeps the end of the text read.
func (f *Follower) remember(text []byte) {
	f.tail = append(f.tail[:0], text[max(0, len(text)-256):]...)
}

// readOn reads the complete lines after the offset.
func (f *Follower) readOn(ctx context.Context, progress func(done, total int64)) (grown bool, err error) {
	info, err := f.file.Stat()
	if err != nil {
		return false, model.AsFileError(f.path, err)
	}
	need := followChunk
	for f.offset < info.Size() {
		if err := ctx.Err(); err != nil {
			return grown, err
		}
		if len(f.buf) < need+store.Pad {
			f.buf = make([]byte, need+store.Pad)
		}
		n, err := f.file.ReadAt(f.buf[:min(int64(need), info.Size()-f.offset)], f.offset)
		if err != nil && err != io.EOF {
			return grown, model.AsFileError(f.path, err)
		}
		end := bytes.LastIndexByte(f.buf[:n], '\n') + 1
		if end == 0 {
			if n < need {
				break // the line is not complete
			}
			if need *= 2; need > store.LongestLine {
				return grown, &FileError{File: f.path, Line: f.line + 1,
					Why: new(store.Options).TooLong("a line") + ": not a trace"}
			}
			continue
		}
		f.take(f.buf[:end])
		f.offset += int64(end)
		f.remember(f.buf[:end])
		grown = true
		if progress != nil {
			progress(f.offset, info.Size())
		}
	}
	return grown, nil
}

// take appends the records of a chunk to the columns.
func (f *Follower) take(chunk []byte) {
	l := f.lines
	l.Reset(chunk)
	for l.Next() {
		switch l.Kind {
		case store.StateLine:
			f.state(l)
		case store.EventLine:
			f.eventLine(l)
		case store.CommLine:
			f.comm(l)
		case store.OtherLine:
			f.asides.Add(bytes.TrimSpace(l.Text), f.line+l.Count, store.MostAsides)
		}
	}
	if f.skipped.Total() == 0 && l.Skipped.Total() > 0 {
		f.skipped.First = l.Skipped.First
		f.skipped.First.Line += f.line
	}
	for why, n := range l.Skipped.Count {
		f.skipped.Count[why] += n
	}
	f.line += l.Count
}

// thread returns the columns of a thread; the CPU of its first record applies to all until another
// CPU appears.
func (f *Follower) thread(thread, cpu int32) *growing {
	g := &f.threads[thread]
	if !g.seen {
		g.seen, g.cpu = true, cpu
	}
	return g
}

// growCPU appends a CPU to a column that exists only where CPUs differ.
func (g *growing) growCPU(column []int32, n int, cpu int32) []int32 {
	if column == nil {
		if cpu == g.cpu {
			return nil
		}
		column = make([]int32, n, 2*n+16)
		for i := range column {
			column[i] = g.cpu
		}
	}
	return append(column, cpu)
}

func (f *Follower) state(l *store.Lines) {
	g := f.thread(l.Thread, l.CPU)
	s := &g.states
	n := s.Len()
	if n > 0 && l.Times[0] < s.Begin[n-1] {
		g.statesDisordered = true
		f.doubts.at(StateOutOfOrder, f.line+l.Count)
	}
	if l.Times[0] < g.latest {
		g.overlaps++
		f.doubts.overlaps(l.Times[0], f.line+l.Count)
	}
	g.latest = max(g.latest, l.Times[1])
	if l.Times[1] < l.Times[0] && l.Times[1] != NoEnd {
		f.doubts.at(EndBeforeBegin, f.line+l.Count)
	}
	f.doubts.after(f.head.End, max(l.Times[0], l.Times[1]), f.line+l.Count)
	s.CPU = g.growCPU(s.CPU, n, l.CPU)
	s.Begin, s.End, s.Value = append(s.Begin, l.Times[0]), append(s.End, l.Times[1]), append(s.Value, l.State)
	f.last = max(f.last, l.Times[0], l.Times[1])
}

func (f *Follower) eventLine(l *store.Lines) {
	f.events++
	g := f.thread(l.Thread, l.CPU)
	e := &g.events
	n := e.Len()
	if n > 0 && l.Times[0] < e.Time[n-1] {
		g.eventsDisordered = true
	}
	for i, p := range l.Pairs {
		e.CPU = g.growCPU(e.CPU, n+i, l.CPU)
		e.Time, e.Type, e.Value = append(e.Time, l.Times[0]), append(e.Type, p.Type), append(e.Value, p.Value)
	}
	for len(e.Lines) <= (e.Len()-1)>>6 {
		e.Lines = append(e.Lines, 0)
	}
	e.Lines.Set(n)
	f.doubts.after(f.head.End, l.Times[0], f.line+l.Count)
	f.last = max(f.last, l.Times[0])
}

func (f *Follower) comm(l *store.Lines) {
	f.thread(l.Thread, l.CPU)
	f.thread(l.Recv, l.RecvCPU)
	c := &f.comms
	i := int32(c.Len())
	c.Send, c.Recv = append(c.Send, l.Thread), append(c.Recv, l.Recv)
	c.SendCPU, c.RecvCPU = append(c.SendCPU, l.CPU), append(c.RecvCPU, l.RecvCPU)
	c.Size, c.Tag = append(c.Size, l.Size), append(c.Tag, l.Tag)
	c.EventLines = append(c.EventLines, f.events)
	for r := range c.Times {
		c.Times[r] = append(c.Times[r], l.Times[r])
	}
	if l.Times[PhysicalRecv] < l.Times[LogicalSend] {
		f.doubts.at(ReceivedBeforeSent, f.line+l.Count)
	}
	f.doubts.after(f.head.End, slices.Max(l.Times[:]), f.line+l.Count)
	for r := LogicalSend; r <= PhysicalRecv; r++ {
		f.orders[c.Thread(int(i), r)].insert(r, i, c.Times[r])
	}
}

// insert puts communication i, the last in file order, into its place by time.
func (o *commOrders) insert(r Role, i int32, times []int64) {
	list := &o[r]
	at := len(list.list)
	for at > 0 && times[list.list[at-1]] > times[i] {
		at--
	}
	if at < list.shared {
		list.list, list.shared = slices.Clone(list.list), 0
	}
	list.list = slices.Insert(list.list, at, i)
}

// openCompanions reads the .pcf and the .row when they have changed.
func (f *Follower) openCompanions() (changed bool) {
	for _, c := range []struct {
		ext  string
		file *companion
		open func(t *Trace)
	}{
		{".pcf", &f.labels, func(t *Trace) { openCompanion(t, ".pcf", readLabels) }},
		{".row", &f.names, func(t *Trace) { openCompanion(t, ".row", readNames) }},
	} {
		info, err := os.Stat(companionOf(f.path, c.ext))
		if err != nil || c.file.trace != nil && info.Size() == c.file.size && info.ModTime().Equal(c.file.when) {
			continue
		}
		t := &Trace{Path: f.path, Labels: &Labels{}, Names: &Names{}}
		c.open(t)
		*c.file = companion{info.Size(), info.ModTime(), t}
		changed = true
	}
	return changed
}

// trace returns the records read so far.
func (f *Follower) trace() *Trace {
	h := &f.head
	t := &Trace{
		Path: f.path, Date: h.Date, Unit: h.Unit, HeaderEnd: h.End, Duration: max(f.last, 1),
		Resources: h.Resources, Communicators: slices.Concat(h.Communicators, f.asides.Communicators()),
		Comments: f.asides.Comments(),
		Threads:  make([]Thread, len(f.threads)), Comms: f.comms.First(f.comms.Len()),
		Labels: &Labels{}, Names: &Names{}, Skipped: f.skipped,
	}
	t.Notes = h.Remarks(f.path)
	if a := &f.asides; a.Left > 0 {
		t.Notes = append(t.Notes, store.AsidesLeftOut(f.path, store.MostAsides, a.Left, a.FirstLeft))
	}
	if c := f.labels.trace; c != nil {
		t.Labels, t.Notes = c.Labels, append(t.Notes, c.Notes...)
	}
	if c := f.names.trace; c != nil {
		t.Names, t.Notes = c.Names, append(t.Notes, c.Notes...)
	}
	for i := range f.threads {
		t.Threads[i] = f.threads[i].clipped()
		for r := range f.orders[i] {
			o := &f.orders[i][r]
			o.shared = len(o.list)
			t.Threads[i].Comm[r] = slices.Clip(o.list)
		}
	}
	t.Doubts = f.doubts.of(t, f.threads)
	return t
}

// clipped returns the columns as they are now: what is appended later is not in them.
func (g *growing) clipped() Thread {
	th := Thread{CPU: g.cpu, States: g.states, Events: g.events}
	s, e := &th.States, &th.Events
	s.Begin, s.End, s.Value, s.CPU = slices.Clip(s.Begin), slices.Clip(s.End), slices.Clip(s.Value), slices.Clip(s.CPU)
	e.Time, e.Type, e.Value, e.CPU = slices.Clip(e.Time), slices.Clip(e.Type), slices.Clip(e.Value), slices.Clip(e.CPU)
	e.Lines = slices.Clone(e.Lines) // its last word will change
	if g.statesDisordered {
		s.Begin, s.End, s.Value, s.CPU = slices.Clone(s.Begin), slices.Clone(s.End), slices.Clone(s.Value),
			slices.Clone(s.CPU)
		s.FileOrder = make([]int32, s.Len())
		s.Sort()
	}
	if g.eventsDisordered {
		e.Time, e.Type, e.Value, e.CPU = slices.Clone(e.Time), slices.Clone(e.Type), slices.Clone(e.Value),
			slices.Clone(e.CPU)
		e.Sort()
	}
	return th
}
