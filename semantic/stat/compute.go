package stat

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"

	"pview/prv"
	"pview/prv/parallel"
	"pview/semantic/label"
	"pview/semantic/series"
)

// Options of Compute.
type Options struct {
	// Workers is the number of rows computed concurrently; 0: one per processor. The result does not depend on it.
	Workers int
	// Cache, if not nil, provides and keeps the rows of windows.
	Cache *series.Cache
	// Memory bounds the table, in bytes; a larger table is an error. 0: only columns are limited.
	Memory int64
	// Progress, when not nil, is called as rows are done, from several goroutines.
	Progress func(done, total int)
}

// Compute computes a histogram of a trace. The error names the window, function or scale that does not fit, or is
// ctx's.
//
// In three dimensions, Paraver counts no messages if the third window is the only other window; neither does Compute.
// With a separate data window, even an equal one, both count them.
func Compute(ctx context.Context, t *prv.Trace, h Histogram, opt Options) (*Table, error) {
	j, err := newJob(ctx, t, h, opt)
	if err != nil {
		return nil, err
	}
	r := &result{job: j, columns: j.header(), totals: make([]whole, len(j.rows)*j.planes.n)}
	if j.statistic.Comms {
		r.comm, err = j.communications(ctx)
	} else {
		r.sem, err = j.pieces(ctx, r.totals)
	}
	if err != nil {
		return nil, err
	}
	return r.table(j.statistic, j.h.Sort), nil
}

// job is a histogram bound to a trace.
type job struct {
	t         *prv.Trace
	h         Histogram
	opt       Options
	statistic *Statistic

	control, data, third *source // data is control where they are one window; third is nil in two dimensions
	rows                 []int   // objects
	begin, end           int64
	late, early          float64 // how much later than begin and earlier than end the limits of the range are
	scale, planes        divided
	columns              int // of a plane: those of the scale, or the partners
	controlTime          measure
	dataTime             measure
	dropped              atomic.Bool
	cells                atomic.Int64 // existing cells of the rows counted so far
}

func newJob(ctx context.Context, t *prv.Trace, h Histogram, opt Options) (*job, error) {
	if opt.Workers <= 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	j := &job{t: t, h: h.Clone(), opt: opt, planes: single}
	var ok bool
	if j.statistic, ok = Lookup(h.Statistic); !ok {
		return nil, fmt.Errorf("histogram %q: unknown statistic %q", h.Name, h.Statistic)
	}
	if err := h.check(); err != nil {
		return nil, err
	}
	if _, ok := LookupTotal(h.Sort.By); h.Sort.On && !ok && h.Sort.By != "" &&
		!strings.EqualFold(h.Sort.By, customOrder) {
		return nil, fmt.Errorf("histogram %q: unknown total %q to sort by", h.Name, h.Sort.By)
	}
	if err := j.bind(); err != nil {
		return nil, fmt.Errorf("histogram %q: %w", h.Name, err)
	}
	if err := j.divide(ctx); err != nil {
		return nil, fmt.Errorf("histogram %q: %w", h.Name, err)
	}
	return j, nil
}

// bind finds the windows' evaluators, the rows and the range.
func (j *job) bind() (err error) {
	h := &j.h
	control := h.Control
	if h.Inclusive {
		if control, err = withoutStack(control); err != nil {
			return err
		}
	}
	if j.control, err = newSource(j, control); err != nil {
		return err
	}
	j.data = j.control
	if h.data().Key() != control.Key() {
		if j.data, err = newSource(j, h.data()); err != nil {
			return err
		}
	}
	if h.Third != nil {
		if j.third, err = newSource(j, h.Third); err != nil {
			return err
		}
	}
	n := j.t.Count(h.Control.Level)
	if j.rows = h.Rows; j.rows == nil {
		j.rows = make([]int, n)
		for i := range j.rows {
			j.rows[i] = i
		}
	}
	for _, r := range j.rows {
		if r < 0 || r >= n {
			return fmt.Errorf("no row %d: the trace has %d rows at level %s", r+1, n, h.Control.Level)
		}
	}
	j.expect()
	j.begin, j.end = h.Range.Times(j.t.Duration)
	begin, end := h.Range.limits(j.t.Duration)
	j.late, j.early = begin-float64(j.begin), float64(j.end)-end
	j.controlTime, j.dataTime = newMeasure(j.t.Unit, h.Control.Unit), newMeasure(j.t.Unit, h.data().Unit)
	return nil
}

// expect prepares the sources for each row to be asked for once.
func (j *job) expect() {
	for _, s := range []*source{j.control, j.data, j.third} {
		if s != nil {
			s.expect(j.rows)
		}
	}
}

// again returns the job for some of the rows, with the same columns.
func (j *job) again(rows []int) *job {
	c := &job{t: j.t, h: j.h, opt: j.opt, statistic: j.statistic, rows: rows, begin: j.begin, end: j.end, late: j.late,
		early: j.early, scale: j.scale, planes: j.planes, columns: j.columns, controlTime: j.controlTime,
		dataTime: j.dataTime}
	fork := func(s *source) *source {
		if s == nil {
			return nil
		}
		return &source{job: c, evaluator: s.evaluator, level: s.level, key: s.key}
	}
	c.control, c.data, c.third = fork(j.control), fork(j.data), fork(j.third)
	if j.data == j.control {
		c.data = c.control
	}
	c.expect()
	return c
}

// divide fixes the columns and planes, for which it may have to read all values.
func (j *job) divide(ctx context.Context) (err error) {
	fix := func(s Scale, src *source, divide func(s Scale, lo, hi float64) (divided, error)) (divided, error) {
		lo, hi := 0.0, 0.0
		if s.Auto {
			if lo, hi, err = j.extremes(ctx, src, s); err != nil {
				return divided{}, err
			}
		}
		return divide(s, lo, hi)
	}
	if j.statistic.Comms {
		j.columns = j.t.Count(j.h.Control.Level)
	} else {
		if j.scale, err = fix(j.h.Columns, j.control, Scale.columns); err != nil {
			return fmt.Errorf("columns: %w", err)
		}
		j.columns = j.scale.n
	}
	if j.third != nil {
		if j.planes, err = fix(j.h.Planes, j.third, Scale.planes); err != nil {
			return fmt.Errorf("planes: %w", err)
		}
	}
	if j.columns > maxCells/j.planes.n {
		return fmt.Errorf("%d planes of %d columns are more than the %d cells that a row can have", j.planes.n,
			j.columns, maxCells)
	}
	return j.fits()
}

// header lists the columns.
func (j *job) header() []Column {
	if !j.statistic.Comms {
		return j.scale.list(label.Of(j.h.Control, j.t))
	}
	list := make([]Column, j.columns)
	for i := range list {
		list[i] = Column{Index: i, Name: j.t.Name(j.h.Control.Level, i)}
	}
	return list
}

// each calls do for the positions 0..n-1 of rows, several at a time, with the
// number of the worker, until ctx is done or do fails.
func (j *job) each(ctx context.Context, n int, do func(worker, i int) error) error {
	var done atomic.Int64
	return parallel.Each(ctx, n, max(1, j.opt.Workers), func(worker, i int) error {
		err := do(worker, i)
		if err == nil && j.opt.Progress != nil {
			j.opt.Progress(int(done.Add(1)), n)
		}
		return err
	})
}

// objectAbove returns the object of level up that object i of level l belongs to.
func objectAbove(t *prv.Trace, l prv.Level, i int, up prv.Level) int {
	for l != up {
		switch l {
		case prv.LevelThread:
			i, l = int(t.ThreadTask[i]), prv.LevelTask
		case prv.LevelTask:
			i, l = int(t.Tasks[i].Ptask), prv.LevelPtask
		case prv.LevelCPU:
			i, l = int(t.CPUNode(int32(i+1))), prv.LevelNode
		default:
			return 0 // the workload, the system
		}
	}
	return i
}
