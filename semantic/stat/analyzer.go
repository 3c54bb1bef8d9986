package stat

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

	"pview/filter"
	"pview/prv"
	"pview/semantic"
)

// The analyzer of S. Girona, Performance Prediction and Evaluation Tools, 2003,
// section 4.4.3: figures of each row of a window over an interval of time.

// Query is a request to the analyzer for figures of a window.
type Query struct {
	Window *semantic.Window
	Range  Range
	Rows   []int // objects (0-based); nil is all

	// Duration limits the bursts that count by their whole length, in the window's
	// unit: in the functions of bursts, and in Time with Semantic Value.
	Duration Limits
	// Value limits the values that Time with Semantic Value counts.
	Value Limits
}

// Function is a figure of a row that the analyzer computes.
type Function struct {
	Name    string
	Aliases []string
	Doc     string // one line: the formula
	// Duration and Value say whether the limits of the query apply.
	Duration, Value bool
	// Additive: the figures of adjacent intervals add up to the figure of both together.
	Additive bool

	kind  unitKind
	value func(f *figures) (v float64, ok bool)
}

// Functions returns the analyzer's functions. In the formulas, v is the value of a burst and d the part of it that lies
// in the interval. A burst is complete when it lies in the interval as a whole; bursts without length do not count.
// Events, sends and receives at the interval's end do not count, unless it is the end of the trace.
func Functions() []Function { return slices.Clone(functions) }

var functions = []Function{
	{Name: "Average Semantic Value", Doc: "sum of value * duration / length of the interval",
		value: func(f *figures) (float64, bool) { return f.integral / float64(f.end-f.begin), f.end > f.begin }},
	{Name: "Average Burst", Doc: "mean duration of the complete bursts with a value > 0", Duration: true,
		kind:  controlTime,
		value: func(f *figures) (float64, bool) { return f.unit.of(f.mean), f.bursts > 0 }},
	{Name: "Number of Bursts", Doc: "number of complete bursts with a value > 0", Duration: true,
		value: count(func(f *figures) int64 { return f.bursts })},
	{Name: "Std. Deviation Burst", Aliases: []string{"Stdev Burst"},
		Doc:      "standard deviation (of the population) of the durations of the complete bursts with a value > 0",
		Duration: true, kind: controlTime,
		value: func(f *figures) (float64, bool) {
			return f.unit.of(math.Sqrt(f.squares / float64(f.bursts))), f.bursts > 0
		}},
	{Name: "Time with Semantic Value", Doc: "total duration with the value within the limits", Duration: true,
		Value: true, Additive: true, kind: controlTime,
		value: func(f *figures) (float64, bool) { return f.unit.of(float64(f.within)), true }},
	{Name: "Average Message Size", Doc: "mean size of the messages sent", kind: bytesKind,
		value: func(f *figures) (float64, bool) {
			s := f.sent()
			return s.bytes / float64(s.n), s.n > 0
		}},
	{Name: "Number of Bytes Sent",
		Doc:      "total size of messages sent: by logical sends, or by physical ones if only these pass the filter",
		Additive: true, kind: bytesKind,
		value: func(f *figures) (float64, bool) { return f.sent().bytes, true }},
	{Name: "Number of Bytes Received",
		Doc: "total size of messages received: by logical receives, or by physical ones if only these pass " +
			"the filter",
		Additive: true, kind: bytesKind,
		value: func(f *figures) (float64, bool) { return f.received().bytes, true }},
	{Name: "Number of Sends", Doc: "number of logical and physical sends that pass the filter", Additive: true,
		value: count(func(f *figures) int64 { return f.comms[prv.LogicalSend].n + f.comms[prv.PhysicalSend].n })},
	{Name: "Number of Receives", Doc: "number of logical and physical receives that pass the filter", Additive: true,
		value: count(func(f *figures) int64 { return f.comms[prv.LogicalRecv].n + f.comms[prv.PhysicalRecv].n })},
	{Name: "Number of Events", Doc: "number of events (type:value pairs) that pass the filter", Additive: true,
		value: count(func(f *figures) int64 { return f.events })},
	{Name: "Maximum Semantic Value", Doc: "greatest value",
		value: func(f *figures) (float64, bool) { return f.max, f.end > f.begin }},
	{Name: "Minimum Semantic Value", Doc: "least value",
		value: func(f *figures) (float64, bool) { return f.min, f.end > f.begin }},
}

func count(n func(f *figures) int64) func(f *figures) (float64, bool) {
	return func(f *figures) (float64, bool) { return float64(n(f)), true }
}

// LookupFunction finds a function of the analyzer by its name, or one of its aliases; case is ignored.
func LookupFunction(name string) (*Function, bool) {
	for i := range functions {
		f := &functions[i]
		for _, n := range append([]string{f.Name}, f.Aliases...) {
			if strings.EqualFold(n, name) {
				return f, true
			}
		}
	}
	return nil, false
}

// Analysis is the analyzer's answer: every function of every row.
type Analysis struct {
	Level      prv.Level
	Rows       []Row
	Begin, End int64 // the interval, in units of the trace
	Unit       semantic.Unit

	rows []figures
}

// Value returns a figure of the row at a position of Rows; ok is false if it is undefined, like the mean of no bursts.
func (a *Analysis) Value(row int, f *Function) (v float64, ok bool) {
	v, ok = f.value(&a.rows[row])
	if !ok {
		return 0, false
	}
	return v, true
}

// UnitOf returns the unit of a function's figures: "us", "bytes"; "" for plain numbers and values of the window.
func (a *Analysis) UnitOf(f *Function) string {
	switch f.kind {
	case controlTime:
		return a.Unit.String()
	case bytesKind:
		return "bytes"
	}
	return ""
}

// Analyze answers a query on a trace. The error says what does not fit, or is ctx's.
func Analyze(ctx context.Context, t *prv.Trace, q Query, opt Options) (*Analysis, error) {
	if q.Window == nil {
		return nil, fmt.Errorf("the analyzer needs a window")
	}
	j, err := newRows(t, q.Window, q.Rows, q.Range, opt)
	if err != nil {
		return nil, err
	}
	a := &Analysis{Level: q.Window.Level, Begin: j.begin, End: j.end, Unit: q.Window.Unit,
		rows: make([]figures, len(j.rows))}
	for i, o := range j.rows {
		a.Rows = append(a.Rows, Row{o, t.Name(a.Level, o)})
		a.rows[i] = figures{begin: j.begin, end: min(j.end, t.Duration), unit: j.controlTime}
	}
	err = j.each(ctx, len(j.rows), func(_, i int) error {
		b, err := j.control.row(ctx, j.rows[i])
		if err == nil {
			a.rows[i].walk(&b, &q)
		}
		return err
	})
	if err == nil {
		err = j.points(ctx, a.rows)
	}
	if err != nil {
		return nil, err
	}
	return a, nil
}

// newRows prepares a walk through the rows of a window.
func newRows(t *prv.Trace, w *semantic.Window, rows []int, within Range, opt Options) (*job, error) {
	if opt.Workers <= 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	h := Histogram{Name: w.Name, Control: w, Rows: rows, Range: within}
	j := &job{t: t, h: h.Clone(), opt: opt, planes: single}
	return j, j.bind()
}

// figures are the inputs of the functions.
type figures struct {
	begin, end int64
	unit       measure

	integral      float64 // of v over the interval
	min, max      float64
	bursts        int64   // complete, v > 0
	mean, squares float64 // of their durations: the mean, and the sum of squared distances from it
	within        int64   // time with v within the limits

	events  int64
	comms   [4]messages // by prv.Role
	logical bool        // logical communications pass the filter
}

// walk counts the bursts of the row.
func (f *figures) walk(b *bursts, q *Query) {
	f.min, f.max = math.Inf(1), math.Inf(-1)
	for i := b.seek(f.begin); i < len(b.begin) && b.begin[i] < f.end; i++ {
		begin, end, v := b.begin[i], b.until(i), b.value[i]
		d := min(end, f.end) - max(begin, f.begin)
		if d <= 0 {
			continue
		}
		f.integral += v * float64(d)
		f.min, f.max = min(f.min, v), max(f.max, v)
		if !q.Duration.Has(f.unit.of(float64(end - begin))) {
			continue
		}
		if q.Value.Has(v) {
			f.within += d
		}
		if v > 0 && d == end-begin {
			f.bursts++
			// Welford's method: equal bursts have a deviation of 0.
			x := float64(d) - f.mean
			f.mean += x / float64(f.bursts)
			f.squares += x * (float64(d) - f.mean)
		}
	}
}

// sent and received return the messages whose bytes count.
func (f *figures) sent() *messages { return f.one(prv.LogicalSend, prv.PhysicalSend) }

func (f *figures) received() *messages { return f.one(prv.LogicalRecv, prv.PhysicalRecv) }

func (f *figures) one(logical, physical prv.Role) *messages {
	if f.logical {
		return &f.comms[logical]
	}
	return &f.comms[physical]
}

// points counts the events and communications of the rows.
func (j *job) points(ctx context.Context, rows []figures) error {
	at := make(map[int]*figures, len(rows))
	for i := range rows {
		at[j.rows[i]] = &rows[i]
	}
	pass := j.h.Control.Filter.Compile(j.t, j.h.Control.Level, j.controlTime.perUnit())
	for i := range rows {
		rows[i].logical = pass.Comms.Logical()
	}
	if err := j.countEvents(ctx, &pass.Events, at); err != nil {
		return err
	}
	return j.countComms(ctx, &pass.Comms, at)
}

// holds reports whether a point in time belongs to the interval.
func (j *job) holds(t int64) bool {
	return t >= j.begin && (t < j.end || t == j.end && t == j.t.Duration)
}

func (j *job) countEvents(ctx context.Context, pass *filter.EventPass, at map[int]*figures) error {
	level := j.h.Control.Level
	for th := range j.t.Threads {
		if err := ctx.Err(); err != nil {
			return err
		}
		e := &j.t.Threads[th].Events
		var f *figures
		if !level.IsResource() {
			if f = at[objectAbove(j.t, prv.LevelThread, th, level)]; f == nil {
				continue
			}
		}
		for i, t := range e.Time {
			if !j.holds(t) || !pass.Has(e.Type[i], e.Value.At(i)) {
				continue
			}
			if level.IsResource() {
				if f = at[j.objectOfCPU(j.t.Threads[th].EventCPU(i))]; f == nil {
					continue
				}
			}
			f.events++
		}
	}
	return nil
}

func (j *job) countComms(ctx context.Context, pass *filter.CommPass, at map[int]*figures) error {
	c := &j.t.Comms
	object := j.objects()
	for i := range c.Len() {
		if i&0xffff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if !pass.Has(i) {
			continue
		}
		for r := prv.LogicalSend; r <= prv.PhysicalRecv; r++ {
			if counts(pass, r) && pass.Partner(i, r) && j.holds(c.Times[r][i]) {
				if f := at[int(object(i, r))]; f != nil {
					f.comms[r].add(c.Size[i])
				}
			}
		}
	}
	return nil
}

// objectOfCPU returns the object of the rows' level that a CPU belongs to, -1 if none.
func (j *job) objectOfCPU(cpu int32) int {
	if cpu < 1 {
		return -1
	}
	return objectAbove(j.t, prv.LevelCPU, int(cpu-1), j.h.Control.Level)
}
