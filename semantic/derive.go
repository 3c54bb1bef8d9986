package semantic

import (
	"context"
	"fmt"
	"math"
	"sync"

	"pview/prv"
)

// deriveFunc computes a row from the rows of two parents, whose factors and
// shifts are applied already. It changes neither.
type deriveFunc func(a, b bursts) bursts

// derivedTable lists the operations of derived windows.
var derivedTable = []Entry{
	{Name: "add", Meaning: PassedOn, Doc: "sum of both", point: func(a, b float64) float64 { return a + b }},
	{Name: "product", Meaning: PassedOn, Doc: "product of both", point: func(a, b float64) float64 { return a * b }},
	{Name: "substract", Meaning: PassedOn, Aliases: []string{"subtract"}, Doc: "the first minus the second",
		point: func(a, b float64) float64 { return a - b }},
	{Name: "divide", Meaning: PassedOn, Doc: "the first over the second; 0 if the second is 0",
		point: func(a, b float64) float64 {
			if b == 0 {
				return 0
			}
			return a / b
		}},
	{Name: "maximum", Meaning: PassedOn, Doc: "the greater of the two", point: func(a, b float64) float64 {
		if a > b {
			return a
		}
		return b
	}},
	{Name: "minimum", Meaning: PassedOn, Doc: "the lesser of the two", point: func(a, b float64) float64 {
		if a < b {
			return a
		}
		return b
	}},
	{Name: "different", Meaning: PassedOn, Doc: "1 if they differ, else 0", point: func(a, b float64) float64 {
		return truth(a != b)
	}},
	{Name: "controlled: clear by", Meaning: PassedOn, Group: "Controlled",
		Doc: "the data; 0 from a fall of the control to the next burst of the data", History: true, derive: clearBy},
	{Name: "controlled: maximum", Meaning: PassedOn, Group: "Controlled",
		Doc: "maximum of the data's bursts in each burst of the control, at least 0",
		within: func(values []float64, _ *bursts, _ int) float64 {
			best := 0.0
			for _, v := range values {
				best = max(best, v)
			}
			return best
		}},
	{Name: "controlled: add", Meaning: PassedOn, Group: "Controlled",
		Doc: "sum of the data's bursts in each burst of the control",
		within: func(values []float64, _ *bursts, _ int) float64 {
			sum := 0.0
			for _, v := range values {
				sum += v
			}
			return sum
		}},
	{Name: "controlled: enumerate", Group: "Controlled",
		Doc: "number of non-zero bursts of the data since the control fell", History: true, derive: enumerateBy},
	{Name: "controlled: average", Group: "Controlled",
		Doc: "time-weighted mean of the data's bursts in each burst of the control, with whole bursts at its ends",
		within: func(values []float64, data *bursts, first int) float64 {
			sum, time := 0.0, 0.0
			for k, v := range values {
				d := float64(data.until(first+k) - data.begin[first+k])
				sum += v * d
				time += d
			}
			if time == 0 {
				return 0
			}
			return sum / time
		}},
}

// union walks the bursts of two rows: a burst begins whenever one begins in either row. If both have several at one
// time, they advance step by step together.
func union(a, b bursts, visit func(t int64, i, j int)) {
	end := max(a.end, b.end)
	for i, j, t := 0, 0, int64(0); ; {
		visit(t, i, j)
		endA, endB := a.until(i), b.until(j)
		if i == len(a.begin)-1 {
			endA = end
		}
		if j == len(b.begin)-1 {
			endB = end
		}
		t = min(endA, endB)
		if t >= end {
			return
		}
		if endA <= t {
			i++
		}
		if endB <= t {
			j++
		}
	}
}

// combine computes a row of an operation.
func (e *Entry) combine(a, b bursts) bursts {
	switch {
	case e.within != nil:
		return e.within.inControl(a, b)
	case e.derive != nil:
		return e.derive(a, b)
	}
	out := bursts{end: max(a.end, b.end)}
	out.begin = make([]int64, 0, max(len(a.begin), len(b.begin)))
	out.value = make([]float64, 0, cap(out.begin))
	union(a, b, func(t int64, i, j int) { out.add(t, e.point(a.value[i], b.value[j])) })
	return out
}

// clearBy holds 0 from a fall of the control to the end of the data's current burst; a burst that begins at time 0
// passes.
func clearBy(data, control bursts) bursts {
	out := bursts{end: max(data.end, control.end)}
	last, cleared := 0.0, int64(0) // value of the control; start of the cleared burst
	union(data, control, func(t int64, i, j int) {
		v, begin := 0.0, data.begin[i]
		if control.value[j] < last {
			cleared = begin
		} else if begin != cleared || begin == 0 {
			v = data.value[i]
		}
		last = control.value[j]
		out.add(t, v)
	})
	return out
}

// enumerateBy counts the data's bursts. As in Paraver, the first burst counts
// whatever its value, and so does the one that follows a burst from time 0.
func enumerateBy(data, control bursts) bursts {
	out := bursts{end: max(data.end, control.end)}
	n, last, before := 0.0, 0.0, int64(0) // count; value of the control; start of the data's previous burst
	union(data, control, func(t int64, i, j int) {
		begin := data.begin[i]
		switch {
		case control.value[j] < last:
			n = 0
		case before == 0 || begin != before && data.value[i] != 0:
			n++
		}
		last, before = control.value[j], begin
		out.add(t, n)
	})
	return out
}

// withinFunc computes the value in a burst of the control from the values of the data's bursts that overlap it; first
// is the number of the first of them.
type withinFunc func(values []float64, data *bursts, first int) float64

// inControl computes a row with the bursts of the control.
func (f withinFunc) inControl(data, control bursts) bursts {
	out := bursts{begin: control.begin, value: make([]float64, len(control.begin)), end: control.end}
	i := 0
	for k, begin := range control.begin {
		for i+1 < len(data.begin) && data.until(i) <= begin {
			i++
		}
		first := i
		for end := control.until(k); i+1 < len(data.begin) && data.until(i) < end; {
			i++
		}
		out.value[k] = f(data.value[first:i+1], &data, first)
	}
	out.begin = append([]int64(nil), out.begin...)
	return out
}

// derivation is a derived window bound to traces.
type derivation struct {
	op     *Entry
	level  prv.Level // of the rows that the operation makes: the finer one
	fine   source
	coarse source

	coupling coupling
	twice    bool // both parents are one window, and its rows are the operation's
}

// source is a parent bound to a trace.
type source struct {
	*Evaluator
	factor float64
	shift  int
	scale  clock // its times to those of the derived window's trace
	memo   memo
}

// bindDerived compiles the parents. The finer one is the first operand, whichever is listed first; factors and shifts
// stay with the position (as in Paraver).
func bindDerived(t *prv.Trace, w *Window) (*derivation, error) {
	d := w.Derived
	op, _, err := resolve(DerivedFunctions, d.Op, w.Unit)
	if err != nil {
		return nil, err
	}
	parents := [2]*Window{d.A.Window, d.B.Window}
	traces := [2]*prv.Trace{d.A.Trace, d.B.Trace}
	for _, p := range parents {
		if p.Level.IsResource() != w.Level.IsResource() {
			return nil, fmt.Errorf("a window at level %s cannot be derived from %q at level %s", w.Level, p.Name,
				p.Level)
		}
	}
	if parents[1].Level > parents[0].Level {
		parents[0], parents[1] = parents[1], parents[0]
		traces[0], traces[1] = traces[1], traces[0]
	}
	if w.Level > parents[0].Level {
		return nil, fmt.Errorf("level %s is finer than those of its parents", w.Level)
	}
	dv := &derivation{op: op, level: parents[0].Level}
	for i, s := range []*source{&dv.fine, &dv.coarse} {
		if traces[i] == nil {
			traces[i] = t
		}
		if s.Evaluator, err = Compile(traces[i], parents[i]); err != nil {
			return nil, err
		}
		s.scale = clock{float64(traces[i].Unit.Nanoseconds()), float64(t.Unit.Nanoseconds())}
	}
	dv.fine.factor, dv.fine.shift = d.A.Factor, d.A.Shift
	dv.coarse.factor, dv.coarse.shift = d.B.Factor, d.B.Shift
	if d.A.Window.Level < d.B.Window.Level && (d.A.Shift == 0 || d.B.Shift == 0) {
		dv.fine.shift, dv.coarse.shift = 0, 0 // as in Paraver
	}
	dv.coupling = couplingOf(w, dv)
	dv.twice = d.A.Window == d.B.Window && traces[0] == traces[1] && op.derive == nil
	return dv, nil
}

// span returns the end of the parent's rows in the time of the derived window.
func (s *source) span() int64 { return int64(s.scale.at(s.Evaluator.end)) }

// row computes a row of the operation.
func (d *derivation) row(ctx context.Context, t *prv.Trace, i int) (bursts, error) {
	if i >= d.fine.Rows() {
		return newBursts(t.Duration, 0, 0), nil
	}
	a, err := d.fine.row(ctx, i)
	if err != nil {
		return a, err
	}
	j, _ := ancestor(t, d.level, i, d.coarse.Level())
	if j >= d.coarse.Rows() {
		return newBursts(t.Duration, 0, 0), nil
	}
	var b bursts
	if d.coarse.Level() == d.level {
		b, err = d.coarse.row(ctx, j)
	} else {
		b, err = d.coarse.memo.get(j, func() (bursts, error) { return d.coarse.row(ctx, j) })
	}
	if err != nil {
		return b, err
	}
	out := d.op.combine(a, b)
	out.end = max(out.end, t.Duration)
	return out, nil
}

// row computes a row of the parent, with its factor, its shift, and the times of the
// derived window's trace.
func (s *source) row(ctx context.Context, i int) (bursts, error) {
	b, err := s.Evaluator.full(ctx, i)
	if err != nil {
		return b, err
	}
	if s.shift != 0 {
		b.value = shifted(b.value, s.shift)
	}
	if s.factor != 1 {
		scaleBy(b.value, s.factor)
	}
	if s.scale.mul != s.scale.div {
		for k, t := range b.begin {
			b.begin[k] = int64(s.scale.at(t))
		}
		b.end = int64(s.scale.at(b.end))
	}
	return b, nil
}

// scaleBy multiplies values by a factor. For a factor below 1, Paraver divides by its inverse, which changes the last
// digits.
func scaleBy(value []float64, factor float64) {
	if abs := math.Abs(factor); abs < 1 {
		divider := 1 / abs
		if factor < 0 {
			divider = -divider
		}
		for k := range value {
			value[k] /= divider
		}
		return
	}
	for k := range value {
		value[k] *= factor
	}
}

// shifted returns the values of n bursts later, earlier if n is negative; 0 if there is no such burst.
func shifted(value []float64, n int) []float64 {
	out := make([]float64, len(value))
	for i := range out {
		if j := i + n; j >= 0 && j < len(value) {
			out[i] = value[j]
		}
	}
	return out
}

// ancestor returns the object of a level that object i of another, finer level
// belongs to; ok is false when neither level is above the other.
func ancestor(t *prv.Trace, l prv.Level, i int, of prv.Level) (a int, ok bool) {
	if l.IsResource() != of.IsResource() || of > l {
		return 0, false
	}
	for l != of {
		switch l {
		case prv.LevelThread:
			l, i = prv.LevelTask, int(t.ThreadTask[i])
		case prv.LevelTask:
			l, i = prv.LevelPtask, int(t.Tasks[i].Ptask)
		case prv.LevelCPU:
			l, i = prv.LevelNode, int(t.CPUNode(int32(i+1)))
		default:
			return 0, true
		}
	}
	return i, true
}

// memo keeps the last few rows of the coarser parent, which many rows of the finer one need, one after the other.
type memo struct {
	mu   sync.Mutex
	rows map[int]*memoRow
	last []int
}

type memoRow struct {
	mu   sync.Mutex
	done bool
	b    bursts
}

// memoRows is the number of rows that a memo keeps.
const memoRows = 4

func (m *memo) get(i int, compute func() (bursts, error)) (bursts, error) {
	m.mu.Lock()
	r := m.rows[i]
	if r == nil {
		if m.rows == nil {
			m.rows = map[int]*memoRow{}
		}
		r = &memoRow{}
		m.rows[i] = r
		if m.last = append(m.last, i); len(m.last) > memoRows {
			delete(m.rows, m.last[0])
			m.last = m.last[1:]
		}
	}
	m.mu.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.done {
		return r.b, nil
	}
	b, err := compute()
	r.b, r.done = b, err == nil
	return b, err
}
