package store

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"github.com/klauspost/compress/gzip"
	"io"
	"io/fs"
	"math"
	"pview/prv/model"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

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
	Part     func(*Part)
	// Name is the name of the text in errors, and Size its bytes in the file, 0 if unknown; Open sets both.
	Name string
	Size int64
	// Memory bounds the memory of the records in bytes, during and after parsing; beyond it, they are kept in temporary
	// files, which the system can evict from memory. 0: no limit.
	Memory int64

	Storage *Storage // where to keep the records; nil: as Memory requires
	// Chunk is the amount of text parsed at a time; 0: chosen for the trace
	Chunk int
	wide  int     // threads of a wide trace, set by tests
	how   reading // how lines are read, set by tests
}

// Reader is the state of reading one trace.
type Reader struct {
	Options Options
	Src     *ProgressReader // bytes of the file
	Text    *bufio.Reader   // the trace's text
	Gzip    bool
	Head    model.Header
	Line    int64 // lines read before the body
	Cut     *model.Cut
	// Notes are notes on the file as a whole
	Notes []model.Note
	// unended is set if the text does not end with a line end
	unended atomic.Bool
}

// ProgressReader counts the bytes read.
type ProgressReader struct {
	r           io.Reader
	Done, total int64
	report      func(done, total int64)
}

func (p *ProgressReader) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	p.advance(n)
	return n, err
}

func (p *ProgressReader) advance(n int) {
	p.Done += int64(n)
	if p.report != nil {
		p.report(p.Done, max(p.total, p.Done))
	}
}

// freed is the file size from which freeing memory between steps is worth a few milliseconds.
const freed = 16 << 20

// workerMemory is the minimum memory per worker: a text, its numbers and their results take a few MB, and as much again
// until the collector frees them.
const workerMemory = 16 << 20

// NewReader returns a reader of a file.
func NewReader(src io.Reader, opt Options) *Reader {
	if opt.Workers <= 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
		if opt.Memory > 0 {
			opt.Workers = int(min(int64(opt.Workers), max(1, opt.Memory/workerMemory)))
		}
	}
	return &Reader{Options: opt, Src: &ProgressReader{r: src, total: opt.Size, report: opt.Progress}}
}

// Load reads the records and makes the trace.
func (r *Reader) Load(ctx context.Context) (*model.Trace, error) {
	if r.Options.Storage == nil {
		r.Options.Storage = &Storage{Memory: r.Options.Memory}
	}
	reserved := r.reserve()
	segs, err := r.body(ctx, reserved)
	if r.Src.Done >= freed {
		debug.FreeOSMemory() // the parsers' buffers, before columns are made
	}
	var t *model.Trace
	if err == nil {
		t, err = r.trace(ctx, segs, reserved)
	}
	r.Options.Storage.parsed(segs, err)
	return t, err
}

// Fail returns a FileError on a line; 0 for none.
func (r *Reader) Fail(line int64, why string, cause error) error {
	return &model.FileError{File: r.Options.Name, Line: line, Why: why, Err: cause}
}

// Corrupt returns the error of a gzip stream.
func (r *Reader) Corrupt(line int64, err error) error {
	return r.Fail(line, "corrupt gzip: "+strings.TrimPrefix(err.Error(), "gzip: "), err)
}

// body reads the records. The workers take turns to read a chunk of whole lines, and parse their chunks in parallel:
// the core that has a chunk in its cache parses it while the next one is read (or decompressed).
func (r *Reader) body(ctx context.Context, reserved *reserved) ([]*segment, error) {
	if r.inStripes() {
		return r.readRanges(ctx)
	}
	var turn sync.Mutex
	var segs []*segment
	c := r.Chunks()
	parts := parts{r: r, next: firstPart}
	read := int64(0) // bytes of text
	asides := asideBudget{limit: r.Options.AsideLimit()}
	g, ctx := errgroup.WithContext(ctx)
	for range r.Options.Workers {
		g.Go(func() error {
			p := r.newParser()
			p.reserved = reserved
			if p.how == inStages {
				p.nums = make([]uint32, 0, c.size/2+textBlock) // usually room for the numbers of a chunk
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
				text, grown, err := c.Next(ctx, buf)
				seq := len(segs)
				if len(text) > 0 {
					p.asideLimit = asides.limitOf(segs, seq)
					segs = append(segs, nil)
					read += int64(len(text))
				}
				p.read = r.Src.Done
				turn.Unlock()
				if err != nil || len(text) == 0 {
					whole = err == nil
					return err
				}
				buf = grown
				p.number = seq
				s := p.parse(text)
				if err := r.Options.Storage.keep(s); err != nil {
					return r.Fail(0, err.Error(), err)
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

func (r *Reader) newParser() *chunkParser {
	p := newChunkParser(&r.Head.Resources)
	if r.Options.how != 0 {
		p.how = r.Options.how
	}
	return p
}

// chunkSize returns the amount of text that a worker parses at a time: it nearly fits the core's cache, but is large
// enough for a segment of many threads, each of whose shares takes 100 bytes.
func (r *Reader) chunkSize() int {
	if r.Options.Chunk > 0 {
		return r.Options.Chunk
	}
	const most = 16 << 20
	return min(max(leastChunk, 1024*r.Head.NumThreads()), most)
}

const leastChunk = 768 << 10

// Chunker cuts a text into chunks.
type Chunker struct {
	*Reader
	text io.Reader
	size int
	left int64  // bytes of lines still to be returned; only the start of the last line may be included
	rest []byte // the line that the previous chunk left unfinished
	done bool
}

// Chunks returns a chunker of the whole body.
func (r *Reader) Chunks() Chunker {
	return Chunker{Reader: r, text: r.Text, left: math.MaxInt64, size: r.chunkSize()}
}

// Next reads the next chunk into buf, or into a larger buffer, and returns text and buffer. At the end the text is
// empty and the error nil.
func (c *Chunker) Next(ctx context.Context, buf []byte) (text, grown []byte, err error) {
	for !c.done && len(text) == 0 {
		if need := len(c.rest) + c.size + 1 + Pad; len(buf) < need {
			buf = make([]byte, need+c.size/64) // the next rest may be longer
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
		if int64(len(c.rest)) > c.Options.Longest() {
			return nil, buf, c.Fail(0, c.Options.TooLong("a line")+": not a trace", nil)
		}
		text = c.cut(text)
	}
	return text, buf, ctx.Err()
}

// cut drops the lines beyond those to be returned.
func (c *Chunker) cut(text []byte) []byte {
	if n := int64(len(text)); n < c.left {
		c.left -= n
		return text
	}
	c.done = true
	return text[:c.left-1+int64(bytes.IndexByte(text[c.left-1:], '\n'))+1]
}

// usualLine is a length that few lines exceed.
const usualLine = 4 << 10

// readFull fills b, or returns the error that ended the text: io.EOF if it is complete.
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

// lastLines returns the rest of the text, as whole lines, before the end given by err. text has room for one more byte.
func (r *Reader) lastLines(text []byte, err error) ([]byte, error) {
	nl := bytes.LastIndexByte(text, '\n') + 1
	switch {
	case err == io.EOF, r.Gzip && errors.Is(err, gzip.ErrHeader):
		if err != io.EOF { // the stream is complete
			r.Cut = &model.Cut{Why: "the gzip stream is followed by other data"}
		}
		if nl < len(text) {
			r.unended.Store(true)
			text = append(text, '\n')
		}
		return text, nil
	case r.Gzip && errors.Is(err, io.ErrUnexpectedEOF):
		r.Cut = &model.Cut{Why: "the gzip stream ends early"}
		return text[:nl], nil
	case r.Gzip && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded):
		return nil, r.Corrupt(0, err)
	case errors.As(err, new(*fs.PathError)):
		return nil, model.AsFileError(r.Options.Name, err)
	}
	return nil, err
}

// trace makes the trace of the parsed chunks, and collects their problems.
func (r *Reader) trace(ctx context.Context, segs []*segment, reserved *reserved) (*model.Trace, error) {
	skipped, notes := r.account(segs)
	if r.Options.Strict {
		if skipped.Total() > 0 {
			return nil, r.Fail(skipped.First.Line, skipped.First.String(), nil)
		}
		if r.Cut != nil {
			return nil, r.Fail(r.Cut.Line, r.Cut.Why, nil)
		}
	}
	empty := true
	for _, s := range segs {
		empty = empty && len(s.threads) == 0
	}
	if empty {
		if skipped.Total() > 0 {
			return nil, r.Fail(skipped.First.Line,
				"no valid record in the trace; the first is bad: "+skipped.First.String(), nil)
		}
		return nil, r.Fail(0, "no record in the trace", nil)
	}
	st := r.Options.Storage
	a := assembly{head: r.Head, segs: segs, inFileOrder: true, workers: r.Options.Workers, store: st.columns,
		spilled: st.Spill, trim: st.release, reserved: reserved, memory: st.Memory}
	t, err := a.trace(ctx)
	if err != nil && ctx.Err() == nil {
		return nil, r.Fail(0, err.Error(), err)
	}
	if err != nil {
		return nil, err
	}
	t.Skipped, t.Notes, t.Cut = skipped, slices.Concat(r.Notes, r.Head.Remarks(r.Options.Name), notes), r.Cut
	return t, nil
}

// account sums up the records skipped in the chunks, with line numbers of the file.
func (r *Reader) account(segs []*segment) (skipped model.Skipped, notes []model.Note) {
	line := r.Line
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
		if left == 0 && s.asides.Left > 0 {
			leftAt = line + s.asides.FirstLeft
		}
		left += s.asides.Left
		extra += s.extra
		ignored += s.ignored
		line += s.lines
	}
	if r.Cut != nil && r.Cut.Line == 0 {
		r.Cut.Line = line + 1
	}
	if extra > 0 {
		notes = append(notes, model.Note{File: r.Options.Name, Line: extraAt,
			Text: fmt.Sprintf(
				"more fields than the record has: the rest of the line is ignored, as Paraver does (%d such records)",
				extra)})
	}
	if left > 0 {
		notes = append(notes, AsidesLeftOut(r.Options.Name, r.Options.AsideLimit(), left, leftAt))
	}
	if ignored > 0 {
		notes = append(notes, model.Note{File: r.Options.Name,
			Text: fmt.Sprintf("global communications (kind 4) are ignored, as Paraver does (%d records)", ignored)})
	}
	return skipped, notes
}

// settleLastLine decides on a last line without a line end: if it is not a record, the file was cut there; if it is a
// record, it counts, as in Paraver, with a note.
func (r *Reader) settleLastLine(s *segment, line int64, notes *[]model.Note) {
	if s.skipped.Total() > 0 && s.lastSkip.Line == s.lines {
		s.skipped.Count[s.lastSkip.Reason]--
		r.Cut = &model.Cut{Line: line, Why: "the last line is incomplete"}
		return
	}
	*notes = append(*notes, model.Note{File: r.Options.Name, Line: line,
		Text: "the last line has no line end: if the file was cut there, its last number may be cut, too"})
}
