package tools

// The cutter makes a new trace of a time interval.
//
// It reads the body once and keeps, per thread, the same state as Paraver's cutter: which calls are open, which
// counters it has seen, where its last record ended. The times of kept records are shifted so that the first one is at
// 0. Which record is first is known only at the end, so the records first go to an unlinked file beside the result, and
// are shifted from there.

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"pview/prv"
)

// CutOptions select the contents of a cut. The zero value, with From and To, cuts all tasks, keeps the
// states at the limits whole and counts times from the first record.
type CutOptions struct {
	From, To Moment // To can be End
	Tasks    Tasks

	// OriginalTimes leaves times unchanged, and states whole; otherwise times count from the first kept record.
	OriginalTimes bool
	// BreakStates breaks the states that lie across a limit; else they are kept whole.
	BreakStates bool
	// RemoveFirst and RemoveLast leave out the states that lie across the first or the last limit, and the
	// events of the threads before their first whole state.
	RemoveFirst, RemoveLast bool
	// KeepEvents also keeps events beyond the limits that lie within states that are kept whole.
	KeepEvents bool
	// MaxBytes stops the cut at this size; 0: no limit.
	MaxBytes int64

	// AsParaver reproduces bugs of current Paraver: it stops at the first state or message that begins past the end,
	// and when each thread seen so far has passed the end, although a body out of time order may have further records
	// of the cut; and, for the header and the comment, it applies percentages a second time, to the cut itself.
	AsParaver bool
}

// paraverPercent returns a percentage of an end as Paraver computes it: from whole hundredths of the end.
func paraverPercent(end int64, percent float64) int64 {
	return int64(float64(end/100) * percent)
}

// Cut writes an interval of a trace to out. now is the date in the comment that describes the cut; its times and file
// name come from opt and src.
func Cut(ctx context.Context, src Source, out string, opt CutOptions, now time.Time) (*Result, error) {
	if opt.OriginalTimes {
		opt.BreakStates = false
	}
	if opt.BreakStates {
		opt.KeepEvents = false
	}
	c := &cutter{CutOptions: opt, now: now}
	return run(ctx, src, out, nil, func(j *job, w io.Writer) error {
		if err := c.begin(j); err != nil {
			return err
		}
		if opt.OriginalTimes {
			return c.cutInPlace(w)
		}
		return c.cutAndShift(w, out)
	})
}

// cutter is the state of a cut.
type cutter struct {
	CutOptions
	*job
	now      time.Time
	from, to int64
	threads  []cutThread
	selected []bool  // by thread; nil: all
	closable typeSet // event types whose value 0 has a name: it closes a call

	begun       bool // a record has been kept
	first, last int64
	met, live   int // threads seen, and those of them that have not passed the end
	bytes       int64
}

// cutThread is the state of a thread.
type cutThread struct {
	met       bool
	finished  bool // past the end, or in the state across it
	stateless bool // its only state lies across both limits and was removed
	cpu       int32
	last      int64 // end of the last state, or time of the last event, that was kept
	stateEnd  int64
	open      []uint32 // types of open events, repeated if open several times
	counters  []uint32 // hardware counters that had a value
	reset     []uint32 // hardware counters that have had their first value
}

// begin settles the limits.
func (c *cutter) begin(j *job) error {
	c.job = j
	h := &j.text.Header
	c.from, c.to = c.From.At(h.Unit, h.End), c.To.At(h.Unit, h.End)
	if c.AsParaver && c.From.Unit == Percent {
		c.from, c.to = paraverPercent(h.End, c.From.Value), paraverPercent(h.End, c.To.Value)
	}
	if c.from > c.to || c.from < 0 {
		return optionf("there is nothing from %d %s to %d %s", c.from, h.Unit, c.to, h.Unit)
	}
	var err error
	if c.selected, err = c.Tasks.threads(&h.Resources); err != nil {
		return err
	}
	c.threads = make([]cutThread, h.NumThreads())
	c.closable = make(typeSet)
	for i := range j.labels.Types {
		if t := &j.labels.Types[i]; slices.ContainsFunc(t.Values, func(v prv.ValueLabel) bool { return v.Value == 0 }) {
			c.closable[t.Type] = true
		}
	}
	return nil
}

// cutInPlace writes the cut with the original times.
func (c *cutter) cutInPlace(w io.Writer) error {
	if err := c.writeHead(w, c.text.End, 0); err != nil {
		return err
	}
	return c.records(w)
}

// cutAndShift writes the cut with times from 0; a file beside out holds the cut meanwhile.
func (c *cutter) cutAndShift(w io.Writer, out string) error {
	temp, err := os.CreateTemp(filepath.Dir(out), ".pview-cut-*")
	if err != nil {
		return temporaryError(out, err)
	}
	os.Remove(temp.Name())       // the open file remains
	defer os.Remove(temp.Name()) // on systems where that fails
	defer temp.Close()
	held := &output{w: temp}
	switch err := c.records(held); {
	case held.err != nil:
		return temporaryError(out, held.err)
	case err != nil || !c.begun:
		return err
	}
	if _, err := temp.Seek(0, io.SeekStart); err != nil {
		return err
	}
	end := c.last - c.first
	if c.AsParaver && c.From.Unit == Percent {
		cut := c.to - c.from
		c.from, c.to = paraverPercent(cut, c.From.Value), paraverPercent(cut, c.To.Value)
		end = c.to - c.from
	}
	if err := c.writeHead(w, end, c.first); err != nil {
		return err
	}
	body, err := prv.NewBodyText(temp, c.text.Header)
	if err != nil {
		return err
	}
	shift := &job{ctx: c.ctx}
	return shift.each(body, w, func() stage { return shiftBy(-c.first) })
}

// temporaryError returns the error that the temporary file of a cut cannot be written.
func temporaryError(out string, err error) error {
	why := err.Error()
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		why = pe.Err.Error()
	}
	return &prv.FileError{File: out, Why: "cannot be written: " + why, Err: err}
}

// writeHead writes the header, the communicators, and the comment that describes the cut:
// "#date:CUTTER:ORIGINAL:"trace":offset:from:to".
func (c *cutter) writeHead(w io.Writer, end, offset int64) error {
	h := c.text.Header
	h.End = end
	if err := c.writeHeader(w, h); err != nil {
		return err
	}
	name := c.src.Path
	if c.src.Trace != nil {
		name = c.src.Trace.Path
	}
	to := c.to
	if to == math.MaxInt64 { // the last record is not yet known, either
		to = h.End
	}
	_, err := fmt.Fprintf(w, "#%s:CUTTER:ORIGINAL:%s:%d:%d:%d\n", c.now.Format("20060102150405"), quoted(name), offset,
		c.from, to)
	return err
}

// quoted quotes a file name for the comment; quotes inside are doubled.
func quoted(name string) string {
	b := []byte{'"'}
	for i := range len(name) {
		switch ch := name[i]; {
		case ch == '"':
			b = append(b, '"', '"')
		case ch >= ' ':
			b = append(b, ch)
		}
	}
	return string(append(b, '"'))
}

// records writes the kept records, with their original times.
func (c *cutter) records(w io.Writer) error {
	idle := c.idle
	if c.AsParaver || c.KeepEvents || c.RemoveFirst || c.RemoveLast {
		idle = nil // then records outside of the cut matter, too
	}
	if err := c.inOrder(c.text, w, c.chunk, idle); err != nil {
		return err
	}
	if c.to == math.MaxInt64 {
		c.to = max(c.text.End, c.last)
	}
	b := bufio.NewWriter(w)
	c.closeCalls(b)
	return b.Flush()
}

// chunk returns the cutter's stage.
func (c *cutter) chunk(lines *prv.Lines, out []byte) (_ []byte, records int64, err error) {
	for lines.Next() {
		before := len(out)
		past := false
		l := &lines.Line
		switch l.Kind {
		case prv.StateLine:
			out, past = c.state(l, out)
		case prv.EventLine:
			out = c.events(l, out)
		case prv.CommLine:
			out, past = c.comm(l, out)
		case prv.OtherLine:
			out = append(append(out, l.Text...), '\n')
			before = len(out)
		}
		if len(out) > before {
			records++
		}
		if c.AsParaver && (past || c.met > 0 && c.live == 0) {
			return out, records, errEnough
		}
		if c.MaxBytes > 0 && c.bytes+int64(len(out)) >= c.MaxBytes {
			return out, records, errEnough
		}
	}
	c.bytes += int64(len(out))
	return out, records, nil
}

// idle reports whether a chunk has nothing of the cut. It is called from several goroutines.
func (c *cutter) idle(lines *prv.Lines) bool {
	for lines.Next() {
		l := &lines.Line
		t := &l.Times
		switch l.Kind {
		case prv.StateLine:
			if (t[1] > c.from || t[1] == prv.NoEnd) && t[0] <= c.to {
				return false
			}
		case prv.EventLine:
			if t[0] >= c.from && t[0] <= c.to {
				return false
			}
		case prv.CommLine:
			if c.hasComm(t) {
				return false
			}
		case prv.OtherLine:
			return false
		}
	}
	return true
}

// meet notes a thread.
func (c *cutter) meet(th *cutThread, cpu int32) {
	if !th.met {
		th.met, th.cpu = true, cpu
		c.met++
		c.live++
	}
}

// keep extends the kept interval.
func (c *cutter) keep(begin, end int64) {
	if !c.begun || begin < c.first {
		c.first = begin
	}
	c.last = max(c.last, end)
	c.begun = true
}

// state decides on a state; past is set if it begins past the end.
func (c *cutter) state(l *prv.Line, out []byte) (_ []byte, past bool) {
	begin, end := l.Times[0], l.Times[1]
	if end == prv.NoEnd {
		end = math.MaxInt64
	}
	if c.selected != nil && !c.selected[l.Thread] || end <= c.from {
		return out, false
	}
	th := &c.threads[l.Thread]
	if left, past := c.leavesOut(th, l.CPU, begin, end); left {
		return out, past
	}
	c.meet(th, l.CPU)
	th.stateEnd = end
	if begin < c.to && end > c.to && !c.RemoveLast && !c.BreakStates && c.KeepEvents {
		th.finished = true
	}
	times := l.Times
	if c.BreakStates {
		begin, end = max(begin, c.from), min(end, c.to)
		times[0] = begin
		if end < math.MaxInt64 {
			times[1] = end
		}
	}
	th.last = end
	if times[1] == prv.NoEnd {
		end = begin
	}
	c.keep(begin, end)
	return l.AppendAt(out, times), false
}

// leavesOut reports whether a state is left out; past is set if it begins past the end.
func (c *cutter) leavesOut(th *cutThread, cpu int32, begin, end int64) (left, past bool) {
	first, last := begin < c.from, begin < c.to && end > c.to // across a limit
	switch {
	case first && last && (c.RemoveFirst || c.RemoveLast):
		c.meet(th, cpu)
		th.stateless = true
		return true, false
	case first && c.RemoveFirst:
		return true, false
	case last && c.RemoveLast, c.OriginalTimes && begin > c.to:
		if th.met && !th.finished {
			th.finished = true
			c.live--
		}
		return true, false
	}
	return begin > c.to, begin > c.to
}

// events decides on a line of events.
func (c *cutter) events(l *prv.Line, out []byte) []byte {
	at := l.Times[0]
	if c.selected != nil && !c.selected[l.Thread] {
		return out
	}
	th := &c.threads[l.Thread]
	if !c.keepsEvents(th, at) {
		return out
	}
	c.keep(at, at)
	c.meet(th, l.CPU)
	zeros := false
	for i := range l.Pairs {
		p := &l.Pairs[i]
		c.call(th, p.Type, p.Value)
		if isCounter(p.Type) && !slices.Contains(th.reset, p.Type) {
			th.reset = append(th.reset, p.Type)
			p.Value, zeros = 0, true
		}
	}
	th.last, th.cpu = at, l.CPU
	if !zeros {
		return append(append(out, l.Text...), '\n')
	}
	out = append(out, l.Text[:l.Pairs[0].Begin-1]...)
	for _, p := range l.Pairs {
		out = appendPair(out, p.Type, p.Value)
	}
	return append(out, '\n')
}

// keepsEvents decides on an event of a thread.
func (c *cutter) keepsEvents(th *cutThread, at int64) bool {
	if th.finished && at != th.stateEnd {
		if c.RemoveLast || c.BreakStates || !c.KeepEvents || at > th.stateEnd {
			return false
		}
	} else if at > c.to {
		return false
	}
	if !th.met && c.RemoveFirst {
		return false
	}
	return at >= c.from || th.met && (th.last >= c.from && c.KeepEvents || c.begun && at >= c.first && th.stateless)
}

// call notes an event: which calls are open, and which counters have had a value.
func (c *cutter) call(th *cutThread, typ uint32, value int64) {
	switch {
	case isCounter(typ):
		if value != 0 && !slices.Contains(th.counters, typ) {
			th.counters = append(th.counters, typ)
		}
	case !c.closable[typ]:
	case value != 0:
		th.open = append(th.open, typ)
	default:
		for i := len(th.open) - 1; i >= 0; i-- {
			if th.open[i] == typ {
				th.open = slices.Delete(th.open, i, i+1)
				break
			}
		}
	}
}

// closeCalls closes the calls that are open at the end, the innermost first, and sets the counters to 0.
func (c *cutter) closeCalls(w *bufio.Writer) {
	at := c.to
	if c.last > c.to || c.RemoveLast {
		at = c.last
	}
	commented := false
	for i := range c.threads {
		th := &c.threads[i]
		slices.Sort(th.counters)
		slices.Reverse(th.open)
		for _, types := range [][]uint32{innermostFirst(th.open), th.counters} {
			if len(types) == 0 {
				continue
			}
			if !commented {
				w.WriteString("# Appending events with value 0\n")
				commented = true
			}
			w.Write(c.eventHead(int32(i), th.cpu, at))
			for _, t := range types {
				w.Write(appendPair(w.AvailableBuffer(), t, 0))
			}
			w.WriteByte('\n')
		}
	}
}

// innermostFirst drops repeated types; open is already reversed, and the first opening of a type counts.
func innermostFirst(open []uint32) (types []uint32) {
	for i, t := range open {
		if !slices.Contains(open[i+1:], t) {
			types = append(types, t)
		}
	}
	return types
}

// eventHead returns the beginning of an event line, up to its time.
func (j *job) eventHead(thread, cpu int32, at int64) []byte {
	p, t, th := j.text.ThreadID(thread)
	return fmt.Appendf(nil, "2:%d:%d:%d:%d:%d", cpu, p, t, th, at)
}

// appendPair appends ":type:value".
func appendPair(out []byte, typ uint32, value int64) []byte {
	out = strconv.AppendUint(append(out, ':'), uint64(typ), 10)
	return strconv.AppendInt(append(out, ':'), value, 10)
}

// comm decides on a communication; past is set if it is sent past the end.
func (c *cutter) comm(l *prv.Line, out []byte) (_ []byte, past bool) {
	if c.selected != nil && !c.selected[l.Thread] && !c.selected[l.Recv] {
		return out, false
	}
	t := &l.Times
	if !c.hasComm(t) {
		return out, t[prv.LogicalSend] > c.to && t[prv.LogicalRecv] >= c.from && !c.OriginalTimes
	}
	c.keep(slices.Min(t[:]), slices.Max(t[:]))
	return append(append(out, l.Text...), '\n'), false
}

// hasComm reports whether a communication lies in the cut.
func (c *cutter) hasComm(t *[4]int64) bool {
	return t[prv.LogicalSend] >= c.from && t[prv.LogicalRecv] >= c.from && t[prv.PhysicalSend] <= c.to &&
		t[prv.PhysicalRecv] <= c.to &&
		(t[prv.LogicalSend] <= c.to || c.OriginalTimes)
}

// typeSet is a set of event types.
type typeSet map[uint32]bool

// isCounter reports whether events of a type are read from hardware counters, as Extrae numbers them. (The value of
// such an event is the count since the previous one.)
func isCounter(typ uint32) bool { return typ >= 42_000_000 && typ < 43_000_000 }
