package prv

import (
	"pview/prv/model"

	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"golang.org/x/sync/errgroup"
)

// Options are the options for reading a trace.
type Options struct {
	// Strict makes the first bad record an error instead of skipping it.
	Strict bool
	// Workers is the number of goroutines that parse; 0 means one per core, fewer with little Memory.
	Workers int
	// Progress and Part are those of Watcher.
	Progress func(done, total int64)
	Part     func(part *Trace, until int64)
	// Name is the name of the text in errors; Open sets it to the path.
	Name string
	// Memory bounds the memory of the records, in bytes, during and after parsing; beyond
	// it, they are kept in temporary files that the system can write out. 0: no limit.
	Memory int64

	storage *storage // where the records are kept; nil: as Memory says
	chunk   int      // size of a chunk, set by tests
	wide    int      // threads of a wide trace, set by tests
	how     reading  // how lines are read, set by tests
}

// Open reads the trace at path, a .prv or a .prv.gz, with the .pcf and the .row beside it
// if they exist. Bad records are skipped and counted (Trace.Skipped). The error is a
// *FileError that names file, line and reason, or ctx.Err() when ctx ended first.
func Open(ctx context.Context, path string, opt Options) (*Trace, error) {
	t, err := open(ctx, path, opt)
	if err == nil {
		openCompanions(t)
	}
	return t, err
}

// open is Open without the .pcf and the .row.
func open(ctx context.Context, path string, opt Options) (*Trace, error) {
	f, size, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	opt.Name = path
	t, err := read(ctx, f, size, opt)
	if err != nil {
		return nil, err
	}
	t.Path = path
	d, err := model.FindDoubts(ctx, t)
	if err == nil {
		err = locateDoubts(ctx, d, path, t)
	}
	if err != nil {
		return nil, err
	}
	t.Doubts = *d
	return t, nil
}

// openFile opens a regular file (or a pipe) and returns its size.
func openFile(path string) (*os.File, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, fileError(path, err)
	}
	info, err := f.Stat()
	switch {
	case err != nil:
		f.Close()
		return nil, 0, fileError(path, err)
	case info.IsDir():
		f.Close()
		return nil, 0, &FileError{File: path, Why: "is a directory"}
	}
	return f, info.Size(), nil
}

// fileError describes why a file cannot be read, without repeating its name.
func fileError(path string, err error) error {
	why := err.Error()
	var pe *fs.PathError
	if errors.As(err, &pe) {
		why = pe.Err.Error()
	}
	return &FileError{File: path, Why: why, Err: err}
}

// Base returns a trace's path without its .prv or .prv.gz: the base name of the .pcf and
// the .row.
func Base(path string) string {
	return strings.TrimSuffix(strings.TrimSuffix(path, ".gz"), ".prv")
}

// companionOf returns the path of the .pcf or .row (ext) of a trace. It stands beside the trace; where that is a link
// to a trace elsewhere and nothing stands beside the link, beside what the link names.
func companionOf(path, ext string) string {
	beside := Base(path) + ext
	if _, err := os.Lstat(beside); err == nil {
		return beside
	}
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return beside
	}
	if name := Base(target) + ext; name != beside {
		if _, err := os.Stat(name); err == nil {
			return name
		}
	}
	return beside
}

// openCompanions reads the .pcf and the .row. It is normal for them to be missing; labels
// are not worth losing the trace for, so problems become notes.
func openCompanions(t *Trace) {
	openCompanion(t, ".pcf", readLabels)
	openCompanion(t, ".row", readNames)
}

func readNames(t *Trace, name string, r io.Reader) (notes []Note, err error) {
	names, notes, err := ParseNames(name, r)
	if err == nil {
		t.Names = names
	}
	return notes, err
}

func readLabels(t *Trace, name string, r io.Reader) (notes []Note, err error) {
	labels, notes, err := ParseLabels(name, r)
	if err == nil {
		t.Labels = labels
	}
	return notes, err
}

func openCompanion(t *Trace, ext string, parse func(*Trace, string, io.Reader) ([]Note, error)) {
	name := companionOf(t.Path, ext)
	f, _, err := openFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err == nil {
		var notes []Note
		notes, err = parse(t, name, f)
		f.Close()
		t.Notes = append(t.Notes, notes...)
	}
	if err != nil {
		t.Notes = append(t.Notes, Note{File: name, Text: "not read: " + strings.TrimPrefix(err.Error(), name+": ")})
	}
}

// Read reads the text of a .prv, plain or gzip-compressed, without labels.
func Read(ctx context.Context, r io.Reader, opt Options) (*Trace, error) {
	if opt.Name == "" {
		opt.Name = "trace"
	}
	return read(ctx, r, 0, opt)
}

// reader is the state of reading one trace.
type reader struct {
	opt  Options
	src  *progressReader // bytes of the file
	text *bufio.Reader   // the trace's text
	gz   bool
	head Header
	line int64 // lines read before the body
	cut  *Cut
	// notes are remarks on the file as a whole
	notes []Note
	// unended is set when the text does not end with a line end
	unended atomic.Bool
}

// progressReader counts the bytes read.
type progressReader struct {
	r           io.Reader
	done, total int64
	report      func(done, total int64)
}

func (p *progressReader) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	p.advance(n)
	return n, err
}

func (p *progressReader) advance(n int) {
	p.done += int64(n)
	if p.report != nil {
		p.report(p.done, max(p.total, p.done))
	}
}

// freed is from how many bytes of a file on it is worth a few milliseconds to free memory in between.
const freed = 16 << 20

// workerMemory is what must be there for each of the workers that read: a text, its numbers and what becomes of them
// take a few MB, and as much again until they are collected.
const workerMemory = 16 << 20

func read(ctx context.Context, src io.Reader, size int64, opt Options) (*Trace, error) {
	if opt.Workers <= 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
		if opt.Memory > 0 {
			opt.Workers = int(min(int64(opt.Workers), max(1, opt.Memory/workerMemory)))
		}
	}
	r := &reader{opt: opt, src: &progressReader{r: src, total: size, report: opt.Progress}}
	if err := r.openText(); err != nil {
		return nil, err
	}
	if err := r.header(size); err != nil {
		return nil, err
	}
	if r.opt.storage == nil {
		r.opt.storage = &storage{memory: opt.Memory}
	}
	reserved := r.reserve()
	segs, err := r.body(ctx, reserved)
	if r.src.done >= freed {
		debug.FreeOSMemory() // the buffers of the parsers, before more columns are made
	}
	var t *Trace
	if err == nil {
		t, err = r.trace(ctx, segs, reserved)
	}
	r.opt.storage.parsed(segs, err)
	return t, err
}

// fail returns a FileError on a line; 0 for none.
func (r *reader) fail(line int64, why string, cause error) error {
	return &FileError{File: r.opt.Name, Line: line, Why: why, Err: cause}
}

// openText detects whether the file is compressed. Paraver goes by the name; the first two
// bytes are more reliable: downloads are sometimes unpacked on the way, and keep their names.
func (r *reader) openText() error {
	raw := bufio.NewReaderSize(r.src, 64<<10)
	magic, err := raw.Peek(2)
	if err != nil && err != io.EOF {
		return fileError(r.opt.Name, err)
	}
	if len(magic) == 0 {
		return r.fail(0, "empty file", nil)
	}
	r.text = raw
	if r.gz = bytes.Equal(magic, []byte{0x1f, 0x8b}); !r.gz {
		if strings.HasSuffix(r.opt.Name, ".gz") {
			if begin, _ := raw.Peek(longestMark); !hasFirstLine(begin) {
				return r.fail(0, "not a gzip file, although its name ends in .gz", nil)
			}
			r.notes = append(r.notes, Note{File: r.opt.Name, Text: "not compressed, although its name ends in .gz"})
		}
		return nil
	}
	z, err := gzip.NewReader(raw)
	if err != nil {
		return r.fail(0, "corrupt gzip: "+gzipTrouble(err), err)
	}
	r.text = bufio.NewReaderSize(z, 64<<10)
	return nil
}

func gzipTrouble(err error) string {
	return strings.TrimPrefix(err.Error(), "gzip: ")
}

// header reads the first line and the communicator lines that it announces.
func (r *reader) header(size int64) error {
	line, err := r.readLine()
	if err == nil && line == newFormat {
		line, err = r.readLine()
	}
	if err != nil {
		return err
	}
	if r.gz {
		size *= 50 // as far as traces are compressed
	}
	h, comms, err := parseHeader(line, size)
	if err != nil {
		return r.fail(r.line, err.Error(), nil)
	}
	r.head = h
	kept := int64(0)
	for k := range comms {
		next, _ := r.text.Peek(2)
		if !isCommunicator(next) {
			return r.fail(r.line+1,
				fmt.Sprintf(
					"broken header: it announces %d communicator lines, but after %d of them comes another line", comms,
					k), nil)
		}
		line, err := r.readLine()
		if err != nil {
			return err
		}
		if kept += cost(line); kept > r.opt.asideLimit() {
			return r.fail(r.line, fmt.Sprintf("broken header: its communicators take more than %s",
				megabytes(r.opt.asideLimit())), nil)
		}
		r.head.Communicators = append(r.head.Communicators, Communicator{Text: line})
	}
	return nil
}

// readLine reads one line of the header part. Its first bytes are checked before the rest
// is read, so that a large file of another kind is refused immediately.
func (r *reader) readLine() (string, error) {
	r.line++
	var line []byte
	for {
		part, err := r.text.ReadSlice('\n')
		line = append(line, part...)
		if r.line == 1 && err == io.EOF && len(line) == 0 {
			return "", r.fail(0, "empty file", nil)
		}
		if r.line == 1 && !hasFirstLine(line) {
			if err == nil || err == bufio.ErrBufferFull || err == io.EOF {
				_, _, err := parseHeader(string(line), 0)
				return "", r.fail(1, err.Error(), nil)
			}
		}
		switch {
		case err == nil, err == io.EOF && len(line) > 0:
			return strings.TrimRight(string(line), "\r\n"), nil
		case err == bufio.ErrBufferFull:
			if int64(len(line)) > r.opt.longest() {
				return "", r.fail(r.line, "broken header: "+r.opt.tooLong("the line"), nil)
			}
		case err == io.EOF:
			return "", r.fail(r.line, "the file ends where the header must stand", nil)
		case r.gz && errors.Is(err, io.ErrUnexpectedEOF):
			return "", r.fail(r.line, "the gzip stream ends in the header", err)
		case r.gz:
			return "", r.fail(r.line, "corrupt gzip: "+gzipTrouble(err), err)
		default:
			return "", fileError(r.opt.Name, err)
		}
	}
}

// body reads the records. The workers take turns reading a chunk of whole lines, and parse
// their chunks in parallel: a chunk is parsed by the core that has it in its cache, while
// the next one is read (or decompressed).
func (r *reader) body(ctx context.Context, reserved *reserved) ([]*segment, error) {
	if r.inLanes() {
		return r.readRanges(ctx)
	}
	var turn sync.Mutex
	var segs []*segment
	c := r.chunks()
	parts := parts{r: r, next: firstPart}
	read := int64(0) // bytes of text
	asides := asideBudget{limit: r.opt.asideLimit()}
	g, ctx := errgroup.WithContext(ctx)
	for range r.opt.Workers {
		g.Go(func() error {
			p := r.newParser()
			p.reserved = reserved
			if p.how == inStages {
				p.nums = make([]uint32, 0, c.size/2+textBlock) // as much as the numbers of a chunk take, as a rule
			}
			whole := false
			defer func() {
				if reserved != nil && !whole {
					reserved.abandon()
				}
			}()
			var buf []byte
			for {
				turn.Lock()
				text, grown, err := c.next(ctx, buf)
				seq := len(segs)
				if len(text) > 0 {
					p.asideLimit = asides.limitOf(segs, seq)
					segs = append(segs, nil)
					read += int64(len(text))
				}
				turn.Unlock()
				if err != nil || len(text) == 0 {
					whole = err == nil
					return err
				}
				buf = grown
				p.number = seq
				s := p.parse(text)
				if err := r.opt.storage.keep(s); err != nil {
					return r.fail(0, err.Error(), err)
				}
				turn.Lock()
				segs[seq] = s
				asides.settle(segs)
				part := parts.take(segs, read)
				turn.Unlock()
				if part != nil {
					parts.show(ctx, part)
					turn.Lock()
					parts.busy = false
					turn.Unlock()
				}
			}
		})
	}
	err := g.Wait()
	return segs, err
}

func (r *reader) newParser() *chunkParser {
	p := newChunkParser(&r.head.Resources)
	if r.opt.how != 0 {
		p.how = r.opt.how
	}
	return p
}

// chunkSize returns the amount of text that a worker parses at a time: it nearly fits the core's
// cache, but is worth a segment with many threads in it (a share of each is 100 bytes).
func (r *reader) chunkSize() int {
	if r.opt.chunk > 0 {
		return r.opt.chunk
	}
	const most = 16 << 20
	return min(max(leastChunk, 1024*r.head.NumThreads()), most)
}

const leastChunk = 768 << 10

// chunker cuts a text into chunks.
type chunker struct {
	*reader
	text io.Reader
	size int
	left int64  // bytes of the lines that are still to be returned; of the last line it may be the begin only
	rest []byte // the line that the chunk before left unfinished
	done bool
}

// chunks returns the chunker of all of the body.
func (r *reader) chunks() chunker {
	return chunker{reader: r, text: r.text, left: math.MaxInt64, size: r.chunkSize()}
}

// next reads the next chunk into buf, or into a larger buffer in its place, and returns it
// with the buffer. At the end the text is empty and the error nil.
func (c *chunker) next(ctx context.Context, buf []byte) (text, grown []byte, err error) {
	for !c.done && len(text) == 0 {
		if need := len(c.rest) + c.size + 1 + pad; len(buf) < need {
			buf = make([]byte, need+c.size/64) // the next rest may be a longer one
		}
		n := copy(buf, c.rest)
		size := int(min(int64(c.size-usualLine), max(c.left-int64(n), 0))) + usualLine
		got, err := readFull(ctx, c.text, buf[n:n+size])
		text = buf[:n+got]
		if err != nil {
			c.done = true
			if text, err = c.lastLines(text, err); err != nil {
				return nil, buf, err
			}
			text = c.cut(text)
			break
		}
		nl := bytes.LastIndexByte(text, '\n') + 1
		c.rest, text = append(c.rest[:0], text[nl:]...), text[:nl]
		if int64(len(c.rest)) > c.opt.longest() {
			return nil, buf, c.fail(0, c.opt.tooLong("a line")+": not a trace", nil)
		}
		text = c.cut(text)
	}
	return text, buf, ctx.Err()
}

// cut leaves out the lines that are no longer to be returned.
func (c *chunker) cut(text []byte) []byte {
	if n := int64(len(text)); n < c.left {
		c.left -= n
		return text
	}
	c.done = true
	return text[:c.left-1+int64(bytes.IndexByte(text[c.left-1:], '\n'))+1]
}

// usualLine is what few lines are longer than.
const usualLine = 4 << 10

// readFull fills b, or returns the error that ended the text: io.EOF when it is
// complete.
func readFull(ctx context.Context, r io.Reader, b []byte) (n int, err error) {
	for n < len(b) && err == nil {
		if err = ctx.Err(); err == nil {
			var m int
			m, err = r.Read(b[n:])
			n += m
		}
	}
	if n == len(b) {
		err = nil
	}
	return n, err
}

// lastLines returns the rest of the text, as whole lines, before the end given by err.
// text has room for one more byte.
func (r *reader) lastLines(text []byte, err error) ([]byte, error) {
	nl := bytes.LastIndexByte(text, '\n') + 1
	switch {
	case err == io.EOF, r.gz && errors.Is(err, gzip.ErrHeader):
		if err != io.EOF { // the stream is whole
			r.cut = &Cut{Why: "the gzip stream is followed by other data"}
		}
		if nl < len(text) {
			r.unended.Store(true)
			text = append(text, '\n')
		}
		return text, nil
	case r.gz && errors.Is(err, io.ErrUnexpectedEOF):
		r.cut = &Cut{Why: "the gzip stream ends early"}
		return text[:nl], nil
	case r.gz && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded):
		return nil, r.fail(0, "corrupt gzip: "+gzipTrouble(err), err)
	case errors.As(err, new(*fs.PathError)):
		return nil, fileError(r.opt.Name, err)
	}
	return nil, err
}

// trace makes the trace of the parsed chunks, and collects their problems.
func (r *reader) trace(ctx context.Context, segs []*segment, reserved *reserved) (*Trace, error) {
	skipped, notes := r.account(segs)
	if r.opt.Strict {
		if skipped.Total() > 0 {
			return nil, r.fail(skipped.First.Line, skipped.First.String(), nil)
		}
		if r.cut != nil {
			return nil, r.fail(r.cut.Line, r.cut.Why, nil)
		}
	}
	empty := true
	for _, s := range segs {
		empty = empty && len(s.threads) == 0
	}
	if empty {
		if skipped.Total() > 0 {
			return nil, r.fail(skipped.First.Line,
				"no valid record in the trace; the first is bad: "+skipped.First.String(), nil)
		}
		return nil, r.fail(0, "no record in the trace", nil)
	}
	st := r.opt.storage
	a := assembly{head: r.head, segs: segs, inFileOrder: true, workers: r.opt.Workers, store: st.columns,
		spilled: st.spill, trim: st.release, reserved: reserved, memory: st.memory}
	t, err := a.trace(ctx)
	if err != nil && ctx.Err() == nil {
		return nil, r.fail(0, err.Error(), err)
	}
	if err != nil {
		return nil, err
	}
	t.Skipped, t.Notes, t.Cut = skipped, slices.Concat(r.notes, r.head.Remarks(r.opt.Name), notes), r.cut
	return t, nil
}

// account sums the records skipped in the chunks, with line numbers of the file.
func (r *reader) account(segs []*segment) (skipped Skipped, notes []Note) {
	line := r.line
	var extra, extraAt, ignored, left, leftAt int64
	for i, s := range segs {
		if i == len(segs)-1 && r.unended.Load() {
			r.settleLastLine(s, line+s.lines, &notes)
		}
		if skipped.Total() == 0 && s.skipped.Total() > 0 {
			skipped.First = s.skipped.First
			skipped.First.Line += line
		}
		for why, n := range s.skipped.Count {
			skipped.Count[why] += n
		}
		if extra == 0 && s.extra > 0 {
			extraAt = line + s.extraAt
		}
		if left == 0 && s.asides.left > 0 {
			leftAt = line + s.asides.firstLeft
		}
		left += s.asides.left
		extra += s.extra
		ignored += s.ignored
		line += s.lines
	}
	if r.cut != nil && r.cut.Line == 0 {
		r.cut.Line = line + 1
	}
	if extra > 0 {
		notes = append(notes, Note{File: r.opt.Name, Line: extraAt,
			Text: fmt.Sprintf(
				"more fields than the record has: the rest of the line is ignored, as Paraver does (%d such records)",
				extra)})
	}
	if left > 0 {
		b := asideBudget{limit: r.opt.asideLimit()}
		notes = append(notes, b.note(r.opt.Name, left, leftAt))
	}
	if ignored > 0 {
		notes = append(notes, Note{File: r.opt.Name,
			Text: fmt.Sprintf("global communications (kind 4) are ignored, as Paraver does (%d records)", ignored)})
	}
	return skipped, notes
}

// settleLastLine decides on a last line without a line end: if it is not a record, the
// file was cut there; if it is one, it counts, as in Paraver, with a remark.
func (r *reader) settleLastLine(s *segment, line int64, notes *[]Note) {
	if s.skipped.Total() > 0 && s.lastSkip.Line == s.lines {
		s.skipped.Count[s.lastSkip.Reason]--
		r.cut = &Cut{Line: line, Why: "the last line is incomplete"}
		return
	}
	*notes = append(*notes, Note{File: r.opt.Name, Line: line,
		Text: "the last line has no line end: if the file was cut there, so may be its last number"})
}
