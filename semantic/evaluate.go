package semantic

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"weak"

	"pview/filter"
	"pview/prv"
	"pview/prv/parallel"
	"pview/semantic/series"
)

// Evaluator computes the rows of a window on a trace. It holds no results (see
// Cache) and is safe for concurrent use.
type Evaluator struct {
	trace  *prv.Trace
	weakly weak.Pointer[prv.Trace] // the same, for the cache
	level  prv.Level
	pass   *filter.Pass
	clock  clock
	end    int64
	calls  [7]bound // by level; only the levels from thread to the window's own
	comp   [7]bound
	tops   []bound // Top2, Top1 and Extra, without those that change nothing
	rules  stateRules
	place  func() *placement // computed on first use

	derived *derivation    // nil for a window on records
	printed bool           // its rows are as Paraver's tool prints them
	ready   map[int]bursts // rows of the operation that were computed together; see coupled
}

// bound is a call with its function and parameters.
type bound struct {
	*Entry
	p params
}

// ErrNoResources is the cause when Compile fails because a window of the resource side is on a trace without resources.
var ErrNoResources = errors.New("the trace has no resource information: the levels node, cpu and system do not exist")

// Compile binds a window to a trace. It fails when the window names an unknown
// function, gives it parameters that it does not take, or is at a level that
// the trace does not have.
func Compile(t *prv.Trace, w *Window) (*Evaluator, error) {
	if w.Level.IsResource() && len(t.Nodes) == 0 {
		return nil, fmt.Errorf("window %q: %w", w.Name, ErrNoResources)
	}
	e := &Evaluator{trace: t, weakly: weak.Make(t), level: w.Level, clock: newClock(t.Unit, w.Unit), end: t.Duration,
		rules: stateRules{w.HoldState, w.IgnoreFileOrder}}
	e.place = sync.OnceValue(func() *placement { return newPlacement(t) })
	e.pass = w.Filter.Compile(t, w.Level, e.clock.perUnit())
	if w.Derived != nil {
		var err error
		if e.derived, err = bindDerived(t, w); err != nil {
			return nil, fmt.Errorf("window %q: %w", w.Name, err)
		}
		e.end = max(e.end, e.derived.fine.span(), e.derived.coarse.span())
	}
	if err := e.bind(w); err != nil {
		return nil, fmt.Errorf("window %q: %w", w.Name, err)
	}
	return e, nil
}

func (e *Evaluator) bind(w *Window) (err error) {
	for i, l := range w.levels() {
		if w.Derived != nil && i == 0 {
			// The operation replaces the level's function.
		} else if e.calls[l].Entry, e.calls[l].p, err = resolve(FamilyOf(l), w.Functions[l], w.Unit); err != nil {
			return fmt.Errorf("level %s: %w", l, err)
		}
		if e.comp[l].Entry, e.comp[l].p, err = resolve(ComposeFunctions, w.Compose[l], w.Unit); err != nil {
			return fmt.Errorf("compose of level %s: %w", l, err)
		}
	}
	for _, c := range append([]Call{w.Top2, w.Top1}, w.Extra...) {
		f, p, err := resolve(ComposeFunctions, c, w.Unit)
		if err != nil {
			return fmt.Errorf("compose on top: %w", err)
		}
		e.tops = append(e.tops, bound{f, p})
	}
	return e.checkLevel()
}

// Rows returns the number of rows: the objects of the window's level.
func (e *Evaluator) Rows() int { return e.trace.Count(e.level) }

// Level returns the level of the rows.
func (e *Evaluator) Level() prv.Level { return e.level }

// Pass returns the window's filter, compiled for the trace.
func (e *Evaluator) Pass() *filter.Pass { return e.pass }

// Trace returns a weak pointer to the trace: see series.Source.
func (e *Evaluator) Trace() weak.Pointer[prv.Trace] { return e.weakly }

// Series computes a row. The error is ctx's or that of an expression that cannot be computed.
func (e *Evaluator) Series(ctx context.Context, row int) (*series.Series, error) {
	b, err := e.full(ctx, row)
	if err != nil {
		return nil, err
	}
	return series.New(b.begin, b.value, b.end), nil
}

// Columns computes a row and returns its bursts: burst i holds value[i] from begin[i] to begin[i+1], the last one to
// end. It costs less than Series, for callers that read all bursts once.
func (e *Evaluator) Columns(ctx context.Context, row int) (begin []int64, value []float64, end int64, err error) {
	b, err := e.full(ctx, row)
	return b.begin, b.value, b.end, err
}

// full computes the bursts of a row with everything on top.
func (e *Evaluator) full(ctx context.Context, row int) (b bursts, err error) {
	defer catch(&err)
	b, err = e.row(ctx, e.level, row)
	if err == nil {
		b.object = row
		e.top(&b)
	}
	return b, err
}

// top applies the compose functions on top.
func (e *Evaluator) top(b *bursts) {
	for _, f := range e.tops {
		f.compose(b, f.p, e.clock)
	}
}

// All computes rows concurrently and calls done for each when it is ready, from several goroutines. workers is the
// number of rows computed at a time; 0 means one per processor. It returns when all rows are done, or with an error of
// Series.
func (e *Evaluator) All(ctx context.Context, rows []int, workers int, done func(row int, s *series.Series)) error {
	groups := e.Together(rows)
	err := parallel.Each(ctx, len(groups), workers, func(_, i int) error {
		return e.ColumnsOf(ctx, groups[i], func(row int, begin []int64, value []float64, end int64) {
			done(row, series.New(begin, value, end))
		})
	})
	if err != nil {
		return err
	}
	return ctx.Err()
}

// Together divides rows into groups that ColumnsOf should compute in one go: CPUs of a node among which threads move
// form a group, so that each thread is computed once. Other groups have one row.
func (e *Evaluator) Together(rows []int) [][]int {
	var groups [][]int
	together := e.level == prv.LevelCPU && e.derived == nil && e.place().moving
	for i, row := range rows {
		if together && i > 0 && e.trace.CPUNode(int32(row+1)) == e.trace.CPUNode(int32(rows[i-1]+1)) {
			last := &groups[len(groups)-1]
			*last = append(*last, row)
		} else {
			groups = append(groups, []int{row})
		}
	}
	return groups
}

// ColumnsOf computes the rows of a group from Together as Columns does and passes each to done.
func (e *Evaluator) ColumnsOf(ctx context.Context, rows []int,
	done func(row int, begin []int64, value []float64, end int64)) (err error) {
	defer catch(&err)
	if len(rows) == 1 {
		begin, value, end, err := e.Columns(ctx, rows[0])
		if err == nil {
			done(rows[0], begin, value, end)
		}
		return err
	}
	all, err := e.cpuRows(ctx, cpusOf(rows))
	if err != nil {
		return err
	}
	for k := range all {
		b := &all[k]
		b.object = rows[k]
		e.top(b)
		done(rows[k], b.begin, b.value, b.end)
		*b = bursts{}
	}
	return nil
}

// cpusOf returns the numbers of the CPUs that rows show.
func cpusOf(rows []int) []int32 {
	cpus := make([]int32, len(rows))
	for k, row := range rows {
		cpus[k] = int32(row + 1)
	}
	return cpus
}

// row computes the bursts of object i of a level, its compose applied.
func (e *Evaluator) row(ctx context.Context, l prv.Level, i int) (b bursts, err error) {
	if err := ctx.Err(); err != nil {
		return b, err
	}
	if e.derived != nil && e.together() && l == e.level && e.ready == nil {
		if e, err = e.coupled(ctx, i); err != nil {
			return b, err
		}
	}
	switch {
	case e.derived != nil && l == e.derived.level:
		b, err = e.derivedRow(ctx, i)
	case l == prv.LevelThread && e.isFound():
		b, err = e.foundRow(ctx, i)
	case l == prv.LevelThread:
		return e.threadRow(int32(i), false), nil
	case l == prv.LevelCPU:
		rows, err := e.cpuRows(ctx, cpusOf([]int{i}))
		if err != nil {
			return b, err
		}
		return rows[0], nil
	default:
		b, err = e.foldedRow(ctx, l, i)
	}
	if err != nil {
		return b, err
	}
	b.object = i
	e.comp[l].compose(&b, e.comp[l].p, e.clock)
	return b, nil
}

// derivedRow computes row i of the operation of a derived window.
func (e *Evaluator) derivedRow(ctx context.Context, i int) (bursts, error) {
	switch {
	case e.ready != nil:
		return e.ready[i], nil
	case e.printed:
		return e.derived.printedRow(ctx, i)
	}
	return e.derived.row(ctx, e.trace, i)
}

// foldedRow combines the rows of the children of object i of a level.
func (e *Evaluator) foldedRow(ctx context.Context, l prv.Level, i int) (b bursts, err error) {
	child, first, n := e.children(l, i)
	var rows []bursts
	if child == prv.LevelCPU && e.derived == nil {
		cpus := make([]int32, n)
		for k := range cpus {
			cpus[k] = int32(first + k + 1)
		}
		rows, err = e.cpuRows(ctx, cpus)
	} else {
		rows = make([]bursts, n)
		err = parallel.For(ctx, n, func(k int) (err error) {
			rows[k], err = e.row(ctx, child, first+k)
			return err
		})
	}
	if err != nil {
		return b, err
	}
	return foldRows(ctx, rows, e.end, e.calls[l])
}

// threadRow computes the bursts of a thread, its compose applied.
func (e *Evaluator) threadRow(th int32, wantCPU bool) bursts {
	x := e.threadOf(th)
	b := x.row(e.calls[prv.LevelThread], e.end, wantCPU)
	c := e.comp[prv.LevelThread]
	b.object = int(th)
	c.compose(&b, c.p, e.clock)
	return b
}

func (e *Evaluator) threadOf(th int32) *threadRow {
	return &threadRow{trace: e.trace, thread: th, pass: e.pass, clock: e.clock, states: e.rules,
		byCPU: e.level.IsResource()}
}

// children returns the objects that make up object i of a level.
func (e *Evaluator) children(l prv.Level, i int) (child prv.Level, first, n int) {
	t := e.trace
	switch l {
	case prv.LevelTask:
		return prv.LevelThread, int(t.Tasks[i].FirstThread), int(t.Tasks[i].Threads)
	case prv.LevelPtask:
		return prv.LevelTask, int(t.Ptasks[i].FirstTask), int(t.Ptasks[i].Tasks)
	case prv.LevelWorkload:
		return prv.LevelPtask, 0, len(t.Ptasks)
	case prv.LevelNode:
		return prv.LevelCPU, int(t.Nodes[i].FirstCPU) - 1, int(t.Nodes[i].CPUs)
	}
	return prv.LevelNode, 0, len(t.Nodes)
}
