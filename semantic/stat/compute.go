package stat

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"pview/prv"
	"pview/semantic"
)

// Options say how to compute.
type Options struct {
	// Workers is how many rows are computed at a time; 0 is one per processor. The
	// result does not depend on it.
	Workers int
	// Cache, when not nil, is asked for the rows of windows, and keeps them.
	Cache *semantic.Cache
	// Progress, when not nil, is called as rows are done, from several goroutines.
	Progress func(done, total int)
}

// Compute answers a histogram on a trace. The error says which of the windows,
// functions or scales does not fit, or is that of ctx.
//
// Paraver counts no communications in three dimensions where the data window is the
// control window itself; neither does Compute. A data window of its own, even an
// equal one, has them counted.
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
	scale, planes        divided
	columns              int // of a plane: those of the scale, or the partners
	controlTime          measure
	dataTime             measure
	dropped              atomic.Bool
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
	if _, ok := LookupTotal(h.Sort.By); h.Sort.On && !ok && h.Sort.By != "" && !strings.EqualFold(h.Sort.By, customOrder) {
		return nil, fmt.Errorf("histogram %q: there is no total %q to sort by", h.Name, h.Sort.By)
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
	if j.control, err = newSource(j, h.Control); err != nil {
		return err
	}
	j.data = j.control
	if !h.alone() && h.Data.Key() != h.Control.Key() {
		if j.data, err = newSource(j, h.Data); err != nil {
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
			return fmt.Errorf("there is no row %d: the trace has %d of level %s", r+1, n, h.Control.Level)
		}
	}
	for _, s := range []*source{j.control, j.data, j.third} {
		if s != nil {
			s.expect(j.rows)
		}
	}
	j.begin, j.end = h.Range.Times(j.t.Duration)
	j.controlTime, j.dataTime = newMeasure(j.t.Unit, h.Control.Unit), newMeasure(j.t.Unit, h.data().Unit)
	return nil
}

// divide fixes the columns and planes, which may need a look at all values.
func (j *job) divide(ctx context.Context) (err error) {
	fix := func(s Scale, src *source) (divided, error) {
		lo, hi := 0.0, 0.0
		if s.Auto {
			if lo, hi, err = j.extremes(ctx, src, s.Zero); err != nil {
				return divided{}, err
			}
		}
		return s.divide(lo, hi)
	}
	if j.statistic.Comms {
		j.columns = j.t.Count(j.h.Control.Level)
	} else {
		if j.scale, err = fix(j.h.Columns, j.control); err != nil {
			return fmt.Errorf("columns: %w", err)
		}
		j.columns = j.scale.n
	}
	if j.third != nil {
		if j.planes, err = fix(j.h.Planes, j.third); err != nil {
			return fmt.Errorf("planes: %w", err)
		}
	}
	if j.columns > maxCells/j.planes.n {
		return fmt.Errorf("%d planes of %d columns are more than the %d cells that a row can have", j.planes.n, j.columns, maxCells)
	}
	return nil
}

// header lists the columns.
func (j *job) header() []Column {
	if !j.statistic.Comms {
		return j.scale.columns(j.h.Control.Labels(j.t))
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
	var next, done atomic.Int64
	var wg sync.WaitGroup
	var once sync.Once
	var failed error
	for w := range max(1, min(j.opt.Workers, n)) {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				err := ctx.Err()
				if err == nil {
					err = do(w, i)
				}
				if err != nil {
					once.Do(func() { failed = err })
					next.Store(int64(n))
					return
				}
				if j.opt.Progress != nil {
					j.opt.Progress(int(done.Add(1)), n)
				}
			}
		})
	}
	wg.Wait()
	return failed
}

// source gives the bursts of the rows of a window.
type source struct {
	job       *job
	evaluator *semantic.Evaluator
	level     prv.Level
	key       string // for the cache

	mu     sync.Mutex
	shared map[int]*sharedRow // rows that several rows of the histogram ask for
}

// sharedRow is a row of a coarser level, kept while rows below it remain.
type sharedRow struct {
	once  sync.Once
	users int
	row   bursts
	err   error
}

// bursts are the columns of a row: see semantic.Evaluator.Columns.
type bursts struct {
	begin []int64
	value []float64
	end   int64
}

// until returns the end of burst i.
func (b *bursts) until(i int) int64 {
	if i+1 < len(b.begin) {
		return b.begin[i+1]
	}
	return b.end
}

// seek returns the burst that covers t: of several that begin at t the last.
func (b *bursts) seek(t int64) int {
	i, _ := slices.BinarySearch(b.begin, t+1)
	return max(0, i-1)
}

func newSource(j *job, w *semantic.Window) (*source, error) {
	e, err := semantic.Compile(j.t, w)
	if err != nil {
		return nil, err
	}
	return &source{job: j, evaluator: e, level: w.Level, key: w.Key()}, nil
}

// expect prepares for the rows of the histogram.
func (s *source) expect(rows []int) {
	s.shared = nil
	if s.level == s.job.h.Control.Level {
		return
	}
	s.shared = map[int]*sharedRow{}
	for _, r := range rows {
		up := s.object(r)
		if s.shared[up] == nil {
			s.shared[up] = &sharedRow{}
		}
		s.shared[up].users++
	}
}

// object returns the object of the source's level whose values go with a row: see
// Histogram.Own.
func (s *source) object(row int) int {
	if !s.job.h.Own {
		return 0
	}
	return objectAbove(s.job.t, s.job.h.Control.Level, row, s.level)
}

// row returns the bursts of the object that a row of the histogram belongs to. It
// is to be asked for once per row.
func (s *source) row(ctx context.Context, row int) (bursts, error) {
	if s.shared == nil {
		return s.columns(ctx, row)
	}
	up := s.object(row)
	s.mu.Lock()
	sh := s.shared[up]
	s.mu.Unlock()
	sh.once.Do(func() { sh.row, sh.err = s.columns(ctx, up) })
	b, err := sh.row, sh.err
	s.mu.Lock()
	if sh.users--; sh.users == 0 {
		sh.row = bursts{}
	}
	s.mu.Unlock()
	return b, err
}

func (s *source) columns(ctx context.Context, object int) (b bursts, err error) {
	if c := s.job.opt.Cache; c != nil {
		series, err := c.Get(ctx, s.evaluator, s.key, object)
		if err != nil {
			return b, err
		}
		b.begin, b.value = series.Columns(make([]int64, 0, series.Len()), make([]float64, 0, series.Len()))
		b.end = series.End()
		return b, nil
	}
	b.begin, b.value, b.end, err = s.evaluator.Columns(ctx, object)
	return b, err
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
