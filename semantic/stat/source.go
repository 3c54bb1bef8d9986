package stat

import (
	"context"
	"slices"
	"sync"

	"pview/prv"
	"pview/semantic"
)

// The bursts of windows come from the cache or an evaluator. Each row is computed once, even if many rows of a
// histogram need it; rows that cost less together are computed together.

// source gives the bursts of the rows of a window.
type source struct {
	job       *job
	evaluator *semantic.Evaluator
	level     prv.Level
	key       string // for the cache

	mu     sync.Mutex
	shared map[int]*sharedRow // by object: rows that several rows of the histogram need
	groups map[int]*rowGroup  // by object: rows that are computed together
}

// sharedRow is a row of a coarser level, kept while rows below it remain.
type sharedRow struct {
	once  sync.Once
	users int
	row   bursts
	err   error
}

// rowGroup is rows that are computed together when the first is asked for, and kept until all have been.
type rowGroup struct {
	once sync.Once
	rows []int
	got  map[int]bursts
	err  error
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

// seek returns the burst that covers t: of several that begin at t, the last.
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
	s.shared, s.groups = nil, map[int]*rowGroup{}
	objects := rows
	if h := &s.job.h; s.level != h.Control.Level || h.Third != nil && h.Third.Level > h.Control.Level {
		objects = s.share(rows)
	}
	for _, g := range s.evaluator.Together(objects) {
		if len(g) > 1 && s.job.opt.Cache == nil {
			group := &rowGroup{rows: g, got: map[int]bursts{}}
			for _, o := range g {
				s.groups[o] = group
			}
		}
	}
}

// share counts how many rows want each object, and returns the objects.
func (s *source) share(rows []int) (objects []int) {
	s.shared = map[int]*sharedRow{}
	for _, r := range rows {
		up := s.object(r)
		if s.shared[up] == nil {
			s.shared[up] = &sharedRow{}
			objects = append(objects, up)
		}
		s.shared[up].users++
	}
	return objects
}

// object returns the object of the source's level whose values go with a row: see Histogram.Own. If the third window is
// finer than the control window, its objects are the rows.
func (s *source) object(row int) int {
	t, h := s.job.t, &s.job.h
	rows := h.Control.Level
	if h.Third != nil && h.Third.Level > rows {
		rows = h.Third.Level
	}
	switch {
	case s.level == rows, t.Count(s.level) == t.Count(rows):
		return row
	case h.Own:
		return objectAbove(t, rows, row, s.level)
	}
	return 0
}

// row returns the bursts of the object that a row of the histogram belongs to. Call it once per row.
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
	if g := s.groups[object]; g != nil {
		return s.ofGroup(ctx, g, object)
	}
	b.begin, b.value, b.end, err = s.evaluator.Columns(ctx, object)
	return b, err
}

func (s *source) ofGroup(ctx context.Context, g *rowGroup, object int) (bursts, error) {
	g.once.Do(func() {
		g.err = s.evaluator.ColumnsOf(ctx, g.rows, func(row int, begin []int64, value []float64, end int64) {
			g.got[row] = bursts{begin, value, end}
		})
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	b := g.got[object]
	delete(g.got, object)
	return b, g.err
}
