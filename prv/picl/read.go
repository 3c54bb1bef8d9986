package picl

// Lines become steps, the actions of each process in order. Both generations of the format are read into them.

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/klauspost/compress/gzip"

	"pview/prv"
)

// kind is the kind of a step.
type kind uint8

const (
	enter kind = iota
	leave
	mark
	say // a text
)

// step is an action of a process.
type step struct {
	time  int64 // ns
	event int32 // >= 0: user event; < -10: system event; for a text its index in reader.texts
	data  uint32
	kind  kind
	n     uint8
}

// mostData is the number of data that any step needs.
const mostData = 4

// host is the processor number of the host computer of old machines.
const host = -32768

// who is a process of a processor.
type who struct{ processor, process int32 }

// lane is a process with its steps in order of time.
type lane struct {
	who
	steps       []step
	data        []int64
	first, last int64 // times of its records
	// bracketed is the step, counted from 1, whose length the next two compstats of an old file give; 0: none.
	bracketed, compstats int
}

// of returns the data of a step.
func (l *lane) of(s *step) []int64 { return l.data[s.data:][:s.n] }

// problem is a kind of damage.
type problem int

const (
	unreadable problem = iota
	wrongCount
	backwards
	exitOnly
	mismatched
	unclosed
	lostSend
	lostReceive
	unknownEvent
	unknownRecord
	tooManyUsers
	numProblems
)

// problems describe what happens to damaged records.
var problems = [numProblems]string{
	unreadable:    "damaged lines left out",
	wrongCount:    "records with more or fewer data than they say",
	backwards:     "records that are earlier than the one before: moved up to its time",
	exitOnly:      "exits of events that were not entered: left out",
	mismatched:    "exits of events that are not the innermost: the events inside end there, too",
	unclosed:      "events that are not left: they end with the last record",
	lostSend:      "sends without a receive",
	lostReceive:   "receives without a send",
	unknownEvent:  "system events of unknown numbers: classed like their neighbours",
	unknownRecord: "records of unknown types left out",
	tooManyUsers:  "user events left out: a trace has at most a million kinds of them",
}

// damage counts a kind of problem and keeps the first.
type damage struct {
	count, line int64
	why         string
}

// reader reads a file.
type reader struct {
	path     string
	strict   bool
	line     int64
	read     int64 // lines with a record
	lanes    map[who]*lane
	labels   map[int32]string
	texts    []string
	measured map[measure]measured
	damaged  [numProblems]damage
	token    [mostTokens]string
}

const mostTokens = 16

func newReader(path string, strict bool) *reader {
	return &reader{path: path, strict: strict, lanes: map[who]*lane{}, labels: map[int32]string{},
		measured: map[measure]measured{}}
}

// blame counts a problem.
func (r *reader) blame(p problem, line int64, why string) {
	d := &r.damaged[p]
	if d.count++; d.count == 1 {
		d.line, d.why = line, why
	}
}

// problem makes an error of the file.
func (r *reader) problem(line int64, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &prv.FileError{File: r.path, Line: line, Why: err.Error(), Err: err}
}

// open reads the file.
func (r *reader) open(ctx context.Context, progress func(done, total int64)) error {
	f, err := os.Open(r.path)
	if err != nil {
		return err
	}
	defer f.Close()
	total := int64(0)
	if info, err := f.Stat(); err == nil {
		total = info.Size()
	}
	counted := &counter{in: f, total: total, progress: progress}
	in := bufio.NewReaderSize(counted, 1<<16)
	if magic, _ := in.Peek(2); string(magic) == "\x1f\x8b" {
		z, err := gzip.NewReader(in)
		if err != nil {
			return r.problem(0, err)
		}
		in = bufio.NewReaderSize(z, 1<<16)
	}
	return r.readAll(ctx, in)
}

// counter reports the progress of reading.
type counter struct {
	in          io.Reader
	done, total int64
	progress    func(done, total int64)
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	if c.done += int64(n); c.progress != nil {
		c.progress(c.done, c.total)
	}
	return n, err
}

// maxLine bounds the memory of a line.
const maxLine = 1 << 20

// readAll reads the lines.
func (r *reader) readAll(ctx context.Context, in *bufio.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 1<<16), maxLine)
	for lines.Scan() {
		r.line++
		if r.line&0xfff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		text := strings.TrimSpace(lines.Text())
		if text == "" {
			continue
		}
		r.read++
		if err := r.take(text); err != nil {
			if r.strict {
				return r.problem(r.line, err)
			}
			r.blame(unreadable, r.line, err.Error())
		}
	}
	if err := lines.Err(); err != nil {
		return r.problem(r.line+1, err)
	}
	return r.refuse()
}

// refuse returns an error if the file is not a trace, or too damaged.
func (r *reader) refuse() error {
	switch d := &r.damaged[unreadable]; {
	case r.read == 0:
		return r.problem(0, errors.New("no records"))
	case 2*d.count > r.read:
		return r.problem(d.line, fmt.Errorf("%s; so are %d of %d lines", d.why, d.count, r.read))
	case len(r.lanes) == 0 && len(r.measured) == 0:
		return r.problem(0, errors.New("no processor has a record"))
	}
	return nil
}

// take reads a line of either generation.
func (r *reader) take(text string) error {
	switch c := text[0]; {
	case c == '-':
		return r.takeFrame(text)
	case c >= '0' && c <= '9':
		return r.takeCompact(text)
	}
	return r.takeVerbose(text)
}

// lane returns the lane of a process, and the time for its next record, which is never earlier than that of the last
// one.
func (r *reader) lane(w who, time int64) (*lane, int64) {
	l := r.lanes[w]
	if l == nil {
		l = &lane{who: w, first: time, last: time}
		r.lanes[w] = l
	}
	if time < l.last {
		r.blame(backwards, r.line, "")
		time = l.last
	}
	l.last = time
	return l, time
}

// add adds a step to a process.
func (l *lane) add(k kind, time int64, event int32, data ...int64) {
	data = data[:min(len(data), mostData)]
	l.steps = append(l.steps, step{time: time, event: event, kind: k, data: uint32(len(l.data)), n: uint8(len(data))})
	l.data = append(l.data, data...)
}
