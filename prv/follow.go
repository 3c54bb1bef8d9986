package prv

// Following a trace that is still being written.
//
// A Follower continues from the last complete line and appends to columns that only ever grow. Each Read returns a
// Trace whose columns are prefixes of those. It shares data with the previous Trace instead of copying it, so reading a
// trace in many steps costs little more than reading it in one, and a reader of an earlier Trace never sees a change:
//
//	columns  |=================|=======|
//	Trace 1   -----------------^       |      of n1 records
//	Trace 2   -------------------------^      of n2
//
// Each Read copies the sets of line starts (a bit per event) and, for threads with new records out of order, their
// columns or orders.

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
	file *os.File // nil before the header exists
	info os.FileInfo

	headText string // header and communicator lines, as read
	head     Header
	offset   int64  // in the file: everything before it has been read
	tail     []byte // the bytes before offset, to recognise the file
	lines    *store.Lines
	line     int64 // lines before offset
	buf      []byte
	pairs    []Pair

	records *Growing
	skipped Skipped
	asides  store.Asides

	labels, names companion
}

// companion is a file beside the trace.
type companion struct {
	size  int64
	when  time.Time
	trace *Trace // with its contents
}

// ErrWaiting means that the trace has no records yet: the file is missing or empty, or has only its header.
var ErrWaiting = errors.New("no record yet")

// Source is a trace that grows: a Follower, or the records of a running program.
type Source interface {
	// Read reads what has been written since the last Read. progress may be nil.
	Read(ctx context.Context, progress func(done, total int64)) (Growth, error)
	Close()
}

// Growth is the result of a Read.
type Growth struct {
	Trace *Trace // everything written so far; nil if unchanged
	// Restarted: the file does not continue the one read before, since it was truncated, replaced or rewritten. Trace
	// is read from the beginning.
	Restarted bool
	Held      string // what the trace waits for before it grows further, if known
	Complete  bool   // it will not grow further
}

// Follow returns a Follower of the trace at path, which need not exist yet. A compressed trace cannot be followed,
// because it cannot be read before it is complete.
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

// Read reads what has been written since the last Read, up to the last complete line. progress may be nil.
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
	if f.records.empty() {
		return g, ErrWaiting
	}
	if f.openCompanions() || grown || g.Restarted {
		g.Trace = f.trace()
	}
	return g, nil
}

// continues reports whether the file is still the one that was read, if one was. Otherwise it closes the file.
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

// unchanged reports whether the header and the bytes before the offset are unchanged. The end time may differ: some
// writers fill it in last.
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

// parseHead reads the header and communicators, and returns their length in bytes and lines. The error is ErrWaiting if
// they are incomplete.
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

// mayGoOn reports whether an incomplete head may still be completed: communicators are missing, or the header stops in
// the middle of its line.
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
	f.records = NewGrowing(f.head.NumThreads())
	return nil
}

// readHead reads header and communicators, if they are complete.
func (f *Follower) readHead(file *os.File) (err error) {
	if f.info, err = file.Stat(); err != nil {
		return model.AsFileError(f.path, err)
	}
	if !f.info.Mode().IsRegular() {
		return &FileError{File: f.path, Why: "is not a regular file: it cannot be followed"}
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

// remember keeps the last part of the text that was read.
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
	g := f.records
	g.end = f.head.End
	for l.Next() {
		g.line = f.line + l.Count
		switch l.Kind {
		case store.StateLine:
			g.State(l.Thread, l.CPU, l.Times[0], l.Times[1], l.State)
		case store.EventLine:
			f.pairs = f.pairs[:0]
			for i := range l.Pairs {
				f.pairs = append(f.pairs, l.Pairs[i].Pair)
			}
			g.Event(l.Thread, l.CPU, l.Times[0], f.pairs...)
		case store.CommLine:
			g.Comm(Comm{Send: l.Thread, SendCPU: l.CPU, Recv: l.Recv, RecvCPU: l.RecvCPU, Size: l.Size, Tag: l.Tag,
				Times: l.Times})
		case store.OtherLine:
			f.asides.Add(bytes.TrimSpace(l.Text), g.line, store.MostAsides)
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
	t := f.records.Trace(h)
	t.Path, t.Skipped, t.Comments = f.path, f.skipped, f.asides.Comments()
	t.Communicators = slices.Concat(h.Communicators, f.asides.Communicators())
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
	return t
}
