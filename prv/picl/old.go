package picl

// The old format (PICL 1): a positive number or a word, the clock as seconds and microseconds, the node. Its records
// become those of the new format. A waiting receive is a pair of records; another call has a length only if statistics
// of the computation follow it.

import (
	"fmt"
	"strconv"
	"strings"
)

// oldRecord is a type of records.
type oldRecord struct {
	number int
	name   string // in the verbose form
	fields int    // required after the node
	// do adds the steps; nil: the record is skipped. The text follows the node.
	do func(r *reader, l *lane, time int64, f []int64, text string) error
}

var oldRecords = []oldRecord{
	{1, "trace_start", 0, entry(envelope)},
	{2, "open", 0, instant(openEvent)},
	{3, "load", 0, nil},
	{4, "send", 3, func(r *reader, l *lane, time int64, f []int64, _ string) error { // to, tag, bytes
		l.call(time, sendEvent, []int64{f[2], f[1], f[0]}, nil)
		return nil
	}},
	{5, "probe", 1, func(r *reader, l *lane, time int64, f []int64, _ string) error { // tag
		l.call(time, probeNow, f[:1], nil)
		return nil
	}},
	{6, "recv", 3, func(r *reader, l *lane, time int64, f []int64, _ string) error { // from, tag, bytes
		l.call(time, recvNow, f[1:2], []int64{f[2], f[1], f[0]})
		return nil
	}},
	{7, "recv_blocking", 1, func(r *reader, l *lane, time int64, f []int64, _ string) error { // tag
		l.add(enter, time, recvBlocked, f[0])
		return nil
	}},
	{8, "recv_waking", 3, func(r *reader, l *lane, time int64, f []int64, _ string) error { // from, tag, bytes
		l.add(leave, time, recvBlocked, f[2], f[1], f[0])
		return nil
	}},
	{9, "message", 0, nil},
	{10, "sync", 0, func(r *reader, l *lane, time int64, f []int64, _ string) error {
		l.call(time, barrier, nil, nil)
		return nil
	}},
	{11, "compstats", 0, nil}, // see stats
	{12, "commstats", 0, nil},
	{13, "close", 0, instant(closeEvent)},
	{14, "trace_level", 0, nil},
	{15, "trace_mark", 1, func(r *reader, l *lane, time int64, f []int64, _ string) error {
		return marks(l, time, f[:1])
	}},
	{16, "trace_message", 0, func(r *reader, l *lane, time int64, _ []int64, text string) error {
		r.text(l, time, strings.TrimPrefix(text, "message "))
		return nil
	}},
	{17, "trace_stop", 0, instant(-913)},
	{18, "trace_flush", 2, func(r *reader, l *lane, time int64, f []int64, _ string) error { // finished: s, us
		end, err := clock(f[0], f[1])
		if err != nil {
			return err
		}
		l.add(enter, time, traceFlush)
		l.last = max(time, end)
		l.add(leave, l.last, traceFlush)
		return nil
	}},
	{19, "trace_exit", 0, exit(envelope)},
	{20, "block_begin", 1, block(enter)},
	{21, "block_end", 1, block(leave)},
	{22, "trace_marks", 1, func(r *reader, l *lane, time int64, f []int64, _ string) error { // n, marks
		if n := f[0]; n >= 0 && int64(len(f)-1) < n {
			return errShort
		} else if n < 0 {
			return nil // the array was dropped
		}
		return marks(l, time, f[1:][:f[0]])
	}},
	{0, "trace_mark_array", 1, nil}, // the verbose name of 22
	{0, "trace_files", 0, nil}, {0, "clock_sync", 0, nil},
}

var oldByName, oldByNumber = func() (names map[string]*oldRecord, numbers map[int64]*oldRecord) {
	names, numbers = map[string]*oldRecord{}, map[int64]*oldRecord{}
	for i := range oldRecords {
		o := &oldRecords[i]
		if names[o.name] = o; o.number > 0 {
			numbers[int64(o.number)] = o
		}
	}
	names["trace_mark_array"] = names["trace_marks"]
	return names, numbers
}()

func entry(event int32) func(*reader, *lane, int64, []int64, string) error {
	return func(_ *reader, l *lane, time int64, _ []int64, _ string) error {
		l.add(enter, time, event)
		return nil
	}
}

func exit(event int32) func(*reader, *lane, int64, []int64, string) error {
	return func(_ *reader, l *lane, time int64, _ []int64, _ string) error {
		l.add(leave, time, event)
		return nil
	}
}

func instant(event int32) func(*reader, *lane, int64, []int64, string) error {
	return func(_ *reader, l *lane, time int64, _ []int64, _ string) error {
		l.add(enter, time, event)
		l.add(leave, time, event)
		return nil
	}
}

// blocks are the events of the system's blocks.
var blocks = map[int64]int32{-1: barrier, -2: bcast, -3: bcast, -4: allreduce}

// block begins or ends a block: the user's, or a collective.
func block(k kind) func(*reader, *lane, int64, []int64, string) error {
	return func(_ *reader, l *lane, time int64, f []int64, _ string) error {
		event, ok := blocks[f[0]]
		if !ok {
			if f[0] < 0 || f[0] > 1<<31-1 {
				return fmt.Errorf("block type %d: must be >= -4", f[0])
			}
			event = int32(f[0])
		}
		l.add(k, time, event)
		return nil
	}
}

func marks(l *lane, time int64, list []int64) error {
	for _, v := range list {
		if int64(int32(v)) != v {
			return fmt.Errorf("mark %d: must be an integer of 32 bits", v)
		}
		l.add(mark, time, int32(v))
	}
	return nil
}

// call adds a call whose end is not recorded: it takes no time, unless statistics follow.
func (l *lane) call(time int64, event int32, in, out []int64) {
	l.add(enter, time, event, in...)
	l.add(leave, time, event, out...)
	l.bracketed, l.compstats = len(l.steps), 0
}

// stats ends the previous call if this is the second record of statistics in a row (Upshot's rule).
func (l *lane) stats(time int64) {
	if l.bracketed == 0 {
		return
	}
	if l.compstats++; l.compstats == 2 {
		l.steps[l.bracketed-1].time = time
		l.bracketed = 0
	}
}

// clock returns a time of the old format in ns.
func clock(sec, usec int64) (int64, error) {
	if sec < 0 || sec > maxTime/1e9-1 || usec < 0 || usec >= 1e6 {
		return 0, fmt.Errorf("%d s %d us: %w and microseconds", sec, usec, errTime)
	}
	return sec*1e9 + usec*1e3, nil
}

// takeCompact reads "type sec usec node field...".
func (r *reader) takeCompact(text string) error {
	n, rest := fields(text, r.token[:4])
	if n < 4 {
		return errShort
	}
	number, err := integer(r.token[0])
	if err != nil {
		return err
	}
	o := oldByNumber[number]
	if o == nil {
		r.blame(unknownRecord, r.line, fmt.Sprintf("type %d", number))
		return nil
	}
	return r.takeOld(o, r.token[1], r.token[2], r.token[3], rest, strings.Fields(rest))
}

// takeVerbose reads "name clock sec usec node N label value ...": the fields are the values in the same order.
func (r *reader) takeVerbose(text string) error {
	n, rest := fields(text, r.token[:6])
	o := oldByName[r.token[0]]
	if o == nil {
		return fmt.Errorf("unknown record %q", shorten(r.token[0]))
	}
	if n < 6 {
		return errShort
	}
	if r.token[1] != "clock" || r.token[4] != "node" {
		return fmt.Errorf("%q: must have a clock and a node", o.name)
	}
	sec, usec, node := r.token[2], r.token[3], r.token[5]
	var values []string
	for _, s := range strings.Fields(rest) {
		if _, err := strconv.ParseInt(s, 10, 64); err == nil {
			values = append(values, s)
		}
	}
	return r.takeOld(o, sec, usec, node, rest, values)
}

func shorten(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}

// takeOld reads a record, given its fields after the node.
func (r *reader) takeOld(o *oldRecord, sec, usec, node, rest string, list []string) error {
	s, err := integer(sec)
	if err != nil {
		return err
	}
	us, err := integer(usec)
	if err != nil {
		return err
	}
	time, err := clock(s, us)
	if err != nil {
		return err
	}
	processor, err := small(node)
	if err != nil {
		return err
	}
	if processor < 0 && processor != host {
		return fmt.Errorf("node %d: must be >= 0", processor)
	}
	if len(list) < o.fields {
		return errShort
	}
	var values []int64
	if o.fields > 0 {
		for _, s := range list {
			v, err := integer(s)
			if err != nil {
				return err
			}
			values = append(values, v)
		}
	}
	l, time := r.lane(who{processor: processor}, time)
	if o.number == 11 {
		l.stats(time)
		return nil
	}
	l.bracketed = 0
	if o.do == nil {
		return nil
	}
	return o.do(r, l, time, values, rest)
}
