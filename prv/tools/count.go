package tools

// Software counters: the number of events, or the sum of their values, replaces the events.
//
// The counters of a thread are events on CPU 0. For counted events of type t and value v, the type is (t/10000 + t mod
// 10000 + 10000)*1000 + v, such as 15001003 for MPI_Isend (50000001:3), or, with one counter for all values, t/10000 +
// t mod 10000 + 20000; accumulated values keep the events' type.

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"pview/prv"
)

// CountOptions select the events that Count counts, and when it writes the counters.
type CountOptions struct {
	// ByBursts writes the counters of a thread where a state begins and where it ends, for Running states of at least
	// MinBurst, or for all states if that is 0; only these states are kept. Otherwise counters are written at the start
	// of a Running state that ends at least Interval after the last time, and at the trace's end; Running states are
	// kept.
	ByBursts           bool
	Interval, MinBurst Moment

	Count      []TypeRule // events that are counted
	Accumulate []TypeRule // events whose values are added up; if both are empty, all events are counted and added up
	Keep       []TypeRule // events that are kept

	// The following are for intervals only.
	RemoveStates bool // no states are kept
	Summarize    bool // the time in Running is a counter, of type 1; no states are kept
	OnlyInBursts bool // only events within Running states count

	Global bool // one counter per type, whatever the value

	// AsParaver reproduces a bug of current Paraver: the last counters of intervals are written 10 before the end of
	// the header even if events that they count come later.
	AsParaver bool
}

// Count writes a trace to out, with counters in place of events. Messages are dropped. The .pcf gets the counters'
// names.
func Count(ctx context.Context, src Source, out string, opt CountOptions) (*Result, error) {
	if src.Path != "" && prv.Base(out) == prv.Base(src.Path) {
		return nil, optionf("%s would share the .pcf with it, to which the names of the counters are added", out)
	}
	c := &counting{CountOptions: opt, made: make(map[uint32]string)}
	return run(ctx, src, out, c.names, func(j *job, w io.Writer) error {
		c.begin(j)
		if err := j.writeHeader(w, j.text.Header); err != nil {
			return err
		}
		if err := j.inOrder(j.text, w, c.chunk, nil); err != nil {
			return err
		}
		_, err := w.Write(c.finish())
		return err
	})
}

// counting is the state of the tool.
type counting struct {
	CountOptions
	*job
	interval, minBurst int64
	threads            []countThread
	ending             []int32 // threads with counters to be written at the end of a state
	made               map[uint32]string
	lastEvent          int64
}

// countThread is the state of counting for a thread.
type countThread struct {
	counts, sums []counter
	begin, end   int64 // of the last Running state
	written      int64 // time of the last counters
	running      int64 // time in Running since then
	pending      bool  // counters are due at due
	due          int64
}

// counter is one number.
type counter struct {
	typ   uint32 // of the events
	value int64  // of the events; with one counter for all values, of the first event
	num   int64
}

func (c *counting) begin(j *job) {
	c.job = j
	h := &j.text.Header
	c.interval, c.minBurst = c.Interval.At(h.Unit, h.End), c.MinBurst.At(h.Unit, h.End)
	c.threads = make([]countThread, j.text.NumThreads())
	c.RemoveStates = c.RemoveStates || c.Summarize
}

// running is the state of a thread that computes.
const running = 1

// chunk returns the stage.
func (c *counting) chunk(lines *prv.Lines, out []byte) (_ []byte, records int64, err error) {
	for lines.Next() {
		before := len(out)
		l := &lines.Line
		switch l.Kind {
		case prv.StateLine:
			if c.ByBursts {
				out = c.burst(l, out)
			} else {
				out = c.sample(l, out)
			}
		case prv.EventLine:
			if c.ByBursts {
				out = c.endBursts(l.Times[0], out)
			}
			out = c.events(l, out)
		case prv.OtherLine:
			out = append(append(out, l.Text...), '\n')
			before = len(out)
		}
		if len(out) > before {
			records++
		}
	}
	return out, records, nil
}

// sample handles a state if counters are written per interval.
func (c *counting) sample(l *prv.Line, out []byte) []byte {
	if l.State != running {
		return out
	}
	th := &c.threads[l.Thread]
	begin, end := l.Times[0], l.Times[1]
	if end < begin {
		end = max(begin, c.text.End)
	}
	th.begin, th.end = begin, end
	if end >= th.written+c.interval {
		out = c.write(l.Thread, begin, out)
		th.written = begin
		if c.Summarize {
			out = c.number(l.Thread, begin, 1, th.running, out)
			c.made[1] = "Total_burst_time"
			th.running = 0
		}
	}
	if c.Summarize {
		th.running += end - begin
	}
	if !c.RemoveStates {
		out = append(append(out, l.Text...), '\n')
	}
	return out
}

// burst handles a state if counters are written per burst.
func (c *counting) burst(l *prv.Line, out []byte) []byte {
	begin, end := l.Times[0], l.Times[1]
	if end < begin {
		end = max(begin, c.text.End)
	}
	if c.minBurst != 0 && (l.State != running || end-begin < c.minBurst) {
		return out
	}
	th := &c.threads[l.Thread]
	if !th.pending {
		th.pending, th.due = true, end
		c.ending = append(c.ending, l.Thread)
	}
	out = c.write(l.Thread, begin, out)
	return append(append(out, l.Text...), '\n')
}

// endBursts writes the counters of the bursts that end before a time, in the order of their ends.
func (c *counting) endBursts(before int64, out []byte) []byte {
	n := 0
	for _, thread := range c.ending {
		if c.threads[thread].due < before {
			n++
		}
	}
	if n == 0 {
		return out
	}
	slices.SortStableFunc(c.ending, func(a, b int32) int {
		switch x, y := c.threads[a].due, c.threads[b].due; {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	for _, thread := range c.ending[:n] {
		th := &c.threads[thread]
		th.pending = false
		out = c.write(thread, th.due, out)
	}
	c.ending = append(c.ending[:0], c.ending[n:]...)
	return out
}

// events writes the kept events of a line and counts the others.
func (c *counting) events(l *prv.Line, out []byte) []byte {
	th := &c.threads[l.Thread]
	at := l.Times[0]
	c.lastEvent = max(c.lastEvent, at)
	begun := false
	for _, p := range l.Pairs {
		if picked(c.Keep, p.Type, p.Value) {
			if !begun {
				out, begun = append(out, l.Text[:l.Pairs[0].Begin-1]...), true
			}
			out = append(append(out, ':'), l.Text[p.Begin:p.End]...)
		}
		if p.Value == 0 || c.OnlyInBursts && !c.ByBursts && (at <= th.begin || at > th.end) {
			continue
		}
		all := len(c.Count) == 0 && len(c.Accumulate) == 0
		if all || picked(c.Accumulate, p.Type, p.Value) {
			th.sums = add(th.sums, p.Type, p.Value, true, p.Value)
		}
		if all || picked(c.Count, p.Type, p.Value) {
			th.counts = add(th.counts, p.Type, p.Value, c.Global, 1)
		}
	}
	if begun {
		out = append(out, '\n')
	}
	return out
}

// add adds to the counter of an event, ignoring its value if anyValue is set.
func add(list []counter, typ uint32, value int64, anyValue bool, amount int64) []counter {
	for i := range list {
		if x := &list[i]; x.typ == typ && (anyValue || x.value == value) {
			x.num += amount
			return list
		}
	}
	return append(list, counter{typ, value, amount})
}

// counterType returns the type of the counter of events.
func (c *counting) counterType(typ uint32, value int64) uint32 {
	if c.Global {
		return typ/10000 + typ%10000 + 20000
	}
	return (typ/10000+typ%10000+10000)*1000 + uint32(value)
}

// write writes the counters of a thread and resets them.
func (c *counting) write(thread int32, at int64, out []byte) []byte {
	th := &c.threads[thread]
	for i := range th.sums {
		x := &th.sums[i]
		out = c.number(thread, at, x.typ, x.num, out)
		x.num = 0
	}
	for i := range th.counts {
		x := &th.counts[i]
		typ := c.counterType(x.typ, x.value)
		if _, ok := c.made[typ]; !ok {
			c.made[typ] = c.counterName(x.typ, x.value)
		}
		out = c.number(thread, at, typ, x.num, out)
		x.num = 0
	}
	return out
}

// counterName returns the name of the counter of events in the .pcf.
func (c *counting) counterName(typ uint32, value int64) string {
	label, of := "", strconv.Itoa(int(typ))
	if t, ok := c.labels.Type(typ); ok {
		label = t.Label
		if !c.Global {
			label, _ = t.ValueLabel(value)
		}
	}
	if label == "" {
		if label = of; !c.Global {
			label += "_" + strconv.FormatInt(value, 10)
		}
	}
	if c.Global {
		label += "_global"
	}
	return strings.Join(strings.Fields(label), "_") + "_counter"
}

// number writes one counter.
func (c *counting) number(thread int32, at int64, typ uint32, num int64, out []byte) []byte {
	out = append(out, c.eventHead(thread, 0, at)...)
	return append(appendPair(out, typ, num), '\n')
}

// finish writes the last counters.
func (c *counting) finish() (out []byte) {
	if c.ByBursts {
		return c.endBursts(math.MaxInt64, nil)
	}
	at := c.text.End - 10
	if !c.AsParaver && at < c.lastEvent {
		at = max(c.text.End, c.lastEvent)
	}
	for i := range c.threads {
		out = c.write(int32(i), at, out)
	}
	return out
}

// names returns the section of the .pcf for the counters.
func (c *counting) names() string {
	if len(c.made) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n\nEVENT_TYPE\n")
	for _, typ := range slices.Sorted(maps.Keys(c.made)) {
		fmt.Fprintf(&b, "9    %d    %s\n", typ, c.made[typ])
	}
	return b.String()
}
