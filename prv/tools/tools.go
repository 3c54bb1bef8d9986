// Package tools makes smaller traces out of large ones, like Paraver's trace tools: Cut extracts a time interval,
// Filter selects records, Count replaces events by counters, Shift moves threads in time.
//
// They work on the text, line by line: kept records are copied unchanged, memory does not grow with the trace, and the
// new trace appears when it is complete. Results equal those of Paraver's command-line tool (kernel of February 2024)
// byte for byte, except for the date in the cutter's comment; where that tool loses records or writes wrong numbers,
// the option AsParaver decides, and its comment describes the bug.
package tools

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"pview/prv"
	"pview/prv/mapped"
)

// Source is the input of a tool: a file, or a trace in memory.
type Source struct {
	Path     string     // of a .prv or .prv.gz
	Trace    *prv.Trace // used if Path is empty
	Progress func(done, total int64)
	Strict   bool // a bad record is an error
}

// Result describes the output of a tool.
type Result struct {
	Skipped   prv.Skipped // bad records that were left out
	Truncated *prv.Cut    // where the input file ends early; nil if complete
	Notes     []string    // other notes for the user
}

// ErrNothing is the error of a tool that would leave no records. No file is written.
var ErrNothing = errors.New("no record would be left, so no file was written")

// OptionError reports an option that does not fit the trace.
type OptionError struct{ Why string }

func (e *OptionError) Error() string { return e.Why }

func optionf(format string, args ...any) error { return &OptionError{fmt.Sprintf(format, args...)} }

// job is one run of a tool.
type job struct {
	ctx    context.Context
	src    Source
	text   *prv.Text
	labels *prv.Labels
	result Result
	wrote  int64 // records written
	lines  int64 // lines read, header included
}

// run opens the source, has the tool write the new trace's text, and saves that.
func run(ctx context.Context, src Source, out string, labels func() string,
	write func(j *job, w io.Writer) error) (*Result, error) {
	j := &job{ctx: ctx, src: src}
	closeText, err := j.open()
	if err != nil {
		return nil, err
	}
	defer closeText()
	origin := prv.Origin{Path: src.Path}
	if src.Trace != nil {
		origin = prv.Origin{Labels: src.Trace.Labels, Names: src.Trace.Names}
	}
	var failed error // the tool's error, not one of writing its output
	err = prv.Derive(ctx, out, origin, func(w io.Writer) error {
		target := &output{w: w}
		err := write(j, target)
		switch bad := &j.result.Skipped; {
		case err != nil:
		case src.Strict && bad.Total() > 0:
			err = &prv.FileError{File: src.Path, Line: bad.First.Line, Why: bad.First.String()}
		case src.Strict && j.text.Cut() != nil:
			err = &prv.FileError{File: src.Path, Why: j.text.Cut().Why}
		case j.wrote == 0:
			err = ErrNothing
		}
		if target.err == nil {
			failed = err
		}
		return err
	}, labels)
	if cut := j.text.Cut(); cut != nil {
		j.result.Truncated = &prv.Cut{Line: j.lines + 1, Why: cut.Why}
	}
	return &j.result, cmp.Or(failed, err)
}

// output remembers a failure to write.
type output struct {
	w   io.Writer
	err error
}

func (o *output) Write(p []byte) (n int, err error) {
	n, err = o.w.Write(p)
	o.err = cmp.Or(o.err, err)
	return n, err
}

// open reads the header and the labels.
func (j *job) open() (closeText func(), err error) {
	if t := j.src.Trace; t != nil {
		return j.openTrace(t)
	}
	j.text, err = prv.OpenText(j.src.Path, prv.Options{Progress: j.src.Progress})
	if err != nil {
		return nil, err
	}
	j.labels = prv.OpenLabels(j.src.Path)
	return func() { j.text.Close() }, nil
}

// openTrace reads the text that a trace in memory would have as a file.
func (j *job) openTrace(t *prv.Trace) (closeText func(), err error) {
	r, w := io.Pipe()
	ctx, cancel := context.WithCancel(j.ctx)
	go func() { w.CloseWithError(mapped.Guard(func() error { return prv.Write(ctx, w, t) })) }()
	closeText = func() {
		cancel()
		r.Close()
	}
	if j.text, err = prv.NewText(r, prv.Options{Name: "the trace"}); err != nil {
		closeText()
		return nil, err
	}
	j.labels = t.Labels
	return closeText, nil
}

// writeHeader writes the header and the communicators.
func (j *job) writeHeader(w io.Writer, h prv.Header) error {
	b := bufio.NewWriter(w)
	b.WriteString(h.Line())
	b.WriteByte('\n')
	for _, c := range h.Communicators {
		b.WriteString(c.Text)
		b.WriteByte('\n')
	}
	return b.Flush()
}

// errEnough ends a pass over the text before its end, without being an error.
var errEnough = errors.New("enough")

// stage transforms the lines of a chunk and appends the result to out; records is the number of records in it.
type stage func(lines *prv.Lines, out []byte) (_ []byte, records int64, err error)

// each passes the text through stages, many chunks concurrently, and writes their output in text order. newStage is
// called once per worker.
func (j *job) each(text *prv.Text, w io.Writer, newStage func() stage) error {
	p := newPass(j, text, w)
	return p.run(runtime.GOMAXPROCS(0), newStage)
}

// inOrder passes the text through one stage, chunk after chunk, for tools that depend on what came before. Chunks are
// still read and decompressed ahead. If idle is not nil, it checks many chunks concurrently; chunks are skipped if the
// stage would neither write nor remember anything from them.
func (j *job) inOrder(text *prv.Text, w io.Writer, s stage, idle func(*prv.Lines) bool) error {
	p := newPass(j, text, w)
	p.ordered, p.idle = true, idle
	workers := 2
	if idle != nil {
		workers = max(workers, runtime.GOMAXPROCS(0))
	}
	return p.run(workers, func() stage { return s })
}

// pass is one pass over a text.
type pass struct {
	*job
	text    *prv.Text
	w       io.Writer
	ordered bool
	idle    func(*prv.Lines) bool
	line    int64 // of the text, before the chunk whose turn it is

	reading sync.Mutex // held while a chunk is read
	seq     int64      // number of the next chunk

	mu     sync.Mutex
	turns  sync.Cond
	turn   int64 // number of the chunk that may be written
	failed bool
}

func newPass(j *job, text *prv.Text, w io.Writer) *pass {
	p := &pass{job: j, text: text, w: w, line: text.HeaderLines()}
	p.turns.L = &p.mu
	return p
}

func (p *pass) run(workers int, newStage func() stage) error {
	g, ctx := errgroup.WithContext(p.ctx)
	for range workers {
		g.Go(func() error {
			err := p.work(ctx, newStage())
			if err != nil {
				p.fail()
			}
			return err
		})
	}
	if err := g.Wait(); err != nil && !errors.Is(err, errEnough) {
		return err
	}
	p.lines = p.line
	return nil
}

func (p *pass) work(ctx context.Context, s stage) error {
	lines := prv.NewLines(&p.text.Resources)
	var buf, out []byte
	for {
		p.reading.Lock()
		chunk, grown, err := p.text.Next(ctx, buf)
		seq := p.seq
		p.seq++
		p.reading.Unlock()
		if err != nil || len(chunk) == 0 {
			return err
		}
		buf = grown
		lines.Reset(chunk)
		more := false
		if out, more, err = p.chunk(s, lines, chunk, seq, out[:0]); err != nil || !more {
			return err
		}
	}
}

// chunk processes a chunk, and writes the result when it is its turn. more is false if another worker has failed.
func (p *pass) chunk(s stage, lines *prv.Lines, chunk []byte, seq int64, out []byte) (_ []byte, more bool, err error) {
	var records int64
	todo := true
	switch {
	case !p.ordered:
		if out, records, err = s(lines, out); err != nil {
			return out, false, err
		}
		todo = false
	case p.idle != nil:
		if todo = !p.idle(lines); todo {
			lines.Reset(chunk)
		}
	}
	if !p.wait(seq) {
		return out, false, nil
	}
	if todo {
		out, records, err = s(lines, out)
	}
	p.account(lines, records)
	if _, e := p.w.Write(out); e != nil {
		return out, false, e
	}
	if err == nil {
		p.next()
	}
	return out, err == nil, err
}

// wait waits for the turn of a chunk; it returns false if another has failed.
func (p *pass) wait(seq int64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.turn != seq && !p.failed {
		p.turns.Wait()
	}
	return !p.failed
}

func (p *pass) next() {
	p.mu.Lock()
	p.turn++
	p.mu.Unlock()
	p.turns.Broadcast()
}

func (p *pass) fail() {
	p.mu.Lock()
	p.failed = true
	p.mu.Unlock()
	p.turns.Broadcast()
}

// account adds the statistics of a chunk to the result.
func (p *pass) account(l *prv.Lines, records int64) {
	r := &p.result
	if r.Skipped.Total() == 0 && l.Skipped.Total() > 0 {
		r.Skipped.First = l.Skipped.First
		r.Skipped.First.Line += p.line
	}
	for why, n := range l.Skipped.Count {
		r.Skipped.Count[why] += n
	}
	p.line += l.Count
	p.wrote += records
}

// NewName returns an unused name beside a trace: "run.chop1.prv" for "chop" and run.prv, in the
// style of Paraver.
func NewName(path, what string) string {
	base := prv.Base(path)
	ext := strings.TrimPrefix(path, base)
	for n := 1; ; n++ {
		name := fmt.Sprintf("%s.%s%d%s", base, what, n, ext)
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return name
		}
	}
}
