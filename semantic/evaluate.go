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
	calls  [7]bound // by level; only those of the window's way
	comp   [7]bound
	tops   []bound // Top2, Top1, extra ones, without those that change nothing
	rules  stateRules
	place  func() *placement // found out when first asked for

	derived *derivation    // nil for a window on records
	printed bool           // its rows are those that Paraver's tool prints
	ready   map[int]bursts // rows of the operation that were computed together; see coupled
}

// bound is a call with its function and parameters.
type bound struct {
	*Entry
	p params
}

// ErrNoResources is the cause of the error of Compile when a window of the
// resource side meets a trace without one.
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
			// The operation stands in the place of the level's function.
		} else if e.calls[l].Entry, e.calls[l].p, err = resolve(FamilyOf(l), w.Functions[l]); err != nil {
			return fmt.Errorf("level %s: %w", l, err)
		}
		if e.comp[l].Entry, e.comp[l].p, err = resolve(ComposeFunctions, w.Compose[l]); err != nil {
			return fmt.Errorf("compose of level %s: %w", l, err)
		}
	}
	for _, c := range append([]Call{w.Top2, w.Top1}, w.Extra...) {
		f, p, err := resolve(ComposeFunctions, c)
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

// Series computes a row. The error is that of ctx, when it is done first, or that of
// an expression that cannot be computed.
func (e *Evaluator) Series(ctx context.Context, row int) (*Series, error) {
	b, err := e.full(ctx, row)
	if err != nil {
		return nil, err
	}
	return newSeries(b), nil
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

// top applies the composes on top.
func (e *Evaluator) top(b *bursts) {
	for _, f := range e.tops {
		f.compose(b, f.p, e.clock)
	}
}

// All computes rows, several at a time, and calls done for each as it is
// ready, from several goroutines. workers is how many rows are computed at a
// time; 0 is one per processor. It returns when all rows are done, or with an
// error of Series.
func (e *Evaluator) All(ctx context.Context, rows []int, workers int, done func(row int, s *Series)) error {
	groups := e.groups(rows)
	err := parallel.Each(ctx, len(groups), workers, func(_, i int) error { return e.group(ctx, groups[i], done) })
	if err != nil {
		return err
	}
	return ctx.Err()
}

// groups parts rows into those that are computed together: CPUs among which
// threads move, so that these are computed once.
func (e *Evaluator) groups(rows []int) [][]int {
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

// group computes rows and hands them to done.
func (e *Evaluator) group(ctx context.Context, rows []int, done func(row int, s *Series)) (err error) {
	defer catch(&err)
	if len(rows) == 1 {
		s, err := e.Series(ctx, rows[0])
		if err == nil {
			done(rows[0], s)
		}
		return err
	}
	cpus := make([]int32, len(rows))
	for k, row := range rows {
		cpus[k] = int32(row + 1)
	}
	all, err := e.cpuRows(ctx, cpus)
	if err != nil {
		return err
	}
	for k := range all {
		all[k].object = rows[k]
		e.top(&all[k])
		done(rows[k], newSeries(all[k]))
		all[k] = bursts{}
	}
	return nil
}

// row computes the bursts of an object of a level, its compose applied.
func (e *Evaluator) row(ctx context.Context, l prv.Level, i int) (b bursts, err error) {
	if err := ctx.Err(); err != nil {
		return b, err
	}
	if e.derived != nil && e.derived.coupling.on && l == e.level && e.ready == nil {
		if e, err = e.coupled(ctx, i); err != nil {
			return b, err
		}
	}
	switch {
	case e.ready != nil && l == e.derived.level:
		b = e.ready[i]
	case e.printed && l == e.derived.level:
		if b, err = e.derived.printedRow(ctx, i); err != nil {
			return b, err
		}
	case e.derived != nil && l == e.derived.level:
		if b, err = e.derived.row(ctx, e.trace, i); err != nil {
			return b, err
		}
	case l == prv.LevelThread:
		if !e.isFound() {
			return e.threadRow(int32(i), false), nil
		}
		if b, err = e.foundRow(ctx, i); err != nil {
			return b, err
		}
	case l == prv.LevelCPU:
		rows, err := e.cpuRows(ctx, []int32{int32(i + 1)})
		if err != nil {
			return b, err
		}
		return rows[0], nil
	default:
		child, first, n := e.children(l, i)
		rows, err := e.rows(ctx, child, first, n)
		if err != nil {
			return b, err
		}
		if b, err = foldRows(ctx, rows, e.end, e.calls[l]); err != nil {
			return b, err
		}
	}
	b.object = i
	e.comp[l].compose(&b, e.comp[l].p, e.clock)
	return b, nil
}

// rows computes the bursts of n neighbours of a level, their compose applied.
func (e *Evaluator) rows(ctx context.Context, l prv.Level, first, n int) (rows []bursts, err error) {
	if l == prv.LevelCPU && e.derived == nil {
		cpus := make([]int32, n)
		for k := range cpus {
			cpus[k] = int32(first + k + 1)
		}
		return e.cpuRows(ctx, cpus)
	}
	rows = make([]bursts, n)
	err = parallel.Each(ctx, n, 0, func(_, k int) (err error) {
		rows[k], err = e.row(ctx, l, first+k)
		return err
	})
	return rows, err
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

// children returns the objects that object i of a level consists of.
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
