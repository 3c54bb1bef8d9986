package study

// Executing a plan: runs go to workers, rows come back, are stored, and checked against the stop rule in order of
// index.

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"pview/prv/mapped"
)

// Keeper stores the rows of a study as they come; see package store.
type Keeper interface {
	// Rows returns the runs of the plan that ended earlier; their inputs are those of the plan.
	Rows() []Row
	// Append keeps a run that has ended. An error ends the study.
	Append(Row) error
}

// MaxWorkers bounds the concurrent runs.
const MaxWorkers = 1 << 12

// RunOptions say how to execute a plan. They do not affect its table.
type RunOptions struct {
	Workers int    // concurrent runs; 0: one per core
	Keep    Keeper // nil: rows are kept in memory only
	// OnRow is called when a run has ended, also for those of Keep; by one goroutine at a time, in the order in which
	// they end. It must not call the Runner.
	OnRow func(Row)
	// Deadline makes a run that takes longer fail; 0: none.
	Deadline time.Duration
	// Part and Of select the runs of this process, those with index % Of == Part; Of 0: all. The table then only has
	// these, and a stop rule does not apply. Studies that search cannot be split.
	Part, Of int
}

// Progress is the state of a study.
type Progress struct {
	Done, Failed, Killed, Running, Pending int
	Total                                  int // of the batches so far
	Redraws                                int
	Elapsed                                time.Duration
	// Remaining is an estimate, 0 if none yet.
	Remaining time.Duration
	Paused    bool
}

// Runner carries out a plan. Its methods may be called during Run.
type Runner struct {
	plan *Plan
	opt  RunOptions
	host string

	mu      sync.Mutex
	changed *sync.Cond
	queue   schedule
	rows    []Row
	live    map[int]*execution // by run
	kept    map[int]Row        // from earlier, not yet in rows
	stop    stopper
	judged  int  // rows seen by the stop rule
	stopped bool // the rule has ended the study: the table has the rows judged
	err     error
	begin   time.Time
	ctx     context.Context
	fresh   int           // runs that ended in this execution
	spent   time.Duration // on them
	wait    sync.WaitGroup
}

// execution is a run on a worker.
type execution struct {
	assignment
	cancel context.CancelFunc
	held   bool // by Hold
}

// NewRunner prepares to carry out a plan.
func NewRunner(p *Plan, opt RunOptions) *Runner {
	opt.Workers = workersOf(opt.Workers)
	r := &Runner{plan: p, opt: opt, live: map[int]*execution{}, kept: map[int]Row{}}
	r.changed = sync.NewCond(&r.mu)
	r.host, _ = os.Hostname()
	r.stop = stopper{rule: p.Stop, outputs: make([]Moments, len(p.Outputs))}
	if opt.Of > 0 {
		r.stop.rule = nil
	}
	for range opt.Workers {
		r.queue.join()
	}
	return r
}

// workersOf returns the number of workers, by default one per core.
func workersOf(n int) int {
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	return min(n, MaxWorkers)
}

// Run carries out the plan and returns the table of the runs that have ended, even if ctx ends or storing them fails,
// then with that error. A failed run is a row with a reason, not an error.
func (r *Runner) Run(ctx context.Context) (*Table, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.changed.Broadcast()
	})()
	if r.opt.Keep != nil {
		for _, row := range r.opt.Keep.Rows() {
			r.kept[row.Index] = row
		}
	}
	r.mu.Lock()
	r.begin, r.ctx = time.Now(), ctx
	for !r.over(ctx) {
		n, err := r.plan.Design.Next(r.rows)
		if err != nil {
			r.err = err
		}
		if n <= 0 || err != nil {
			break
		}
		r.batch(ctx, n)
	}
	err := r.err
	r.mu.Unlock()
	cancel()
	r.wait.Wait()
	if err == nil && !r.stopped && !r.complete() {
		err = context.Cause(ctx)
	}
	return r.table(), err
}

// over reports whether no further runs start.
func (r *Runner) over(ctx context.Context) bool { return r.err != nil || ctx.Err() != nil || r.stopped }

// batch makes the next n runs. It holds the lock, except while it waits.
func (r *Runner) batch(ctx context.Context, n int) {
	first := len(r.rows)
	r.rows = append(r.rows, make([]Row, n)...)
	var missing []int
	for i := first; i < first+n; i++ {
		row := &r.rows[i]
		row.Index, row.Seed = i, runSeed(r.plan.Seed, i)
		if old, ok := r.kept[i]; ok && old.Seed == row.Seed {
			*row = old
			r.tell(row)
		} else if r.opt.Of == 0 || i%r.opt.Of == r.opt.Part {
			missing = append(missing, i)
		}
	}
	r.queue.add(missing...)
	r.judge()
	for r.dispatch(ctx) {
		r.changed.Wait()
	}
}

// dispatch starts runs on free workers; it reports whether any runs remain to wait for.
func (r *Runner) dispatch(ctx context.Context) bool {
	if r.over(ctx) {
		return false
	}
	for _, a := range r.queue.assign(r.now()) {
		r.start(ctx, a)
	}
	return len(r.queue.pending)+len(r.queue.running) > 0
}

func (r *Runner) now() time.Duration { return time.Since(r.begin) }

// start executes a run on a worker.
func (r *Runner) start(ctx context.Context, a assignment) {
	run, cancel := context.WithCancel(ctx)
	e := &execution{assignment: a, cancel: cancel}
	r.live[a.run] = e
	r.rows[a.run].Status = Running
	row := Row{Index: a.run, Seed: r.rows[a.run].Seed}
	r.wait.Go(func() {
		defer cancel()
		err := r.execute(run, e, &row)
		r.finish(ctx, e, row, err)
	})
}

// errDeadline is the reason of a run that took too long.
type errDeadline struct{ time.Duration }

func (e errDeadline) Error() string {
	return fmt.Sprintf("took longer than the limit of %v", e.Duration)
}

// execute computes a row.
func (r *Runner) execute(ctx context.Context, e *execution, row *Row) (err error) {
	if limit := r.opt.Deadline; limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit, errDeadline{limit})
		defer cancel()
	}
	d, err := r.plan.Design.At(row.Index)
	if err != nil {
		return err
	}
	row.Inputs, row.Redraws = d.Inputs, d.Redraws
	begin := time.Now()
	err = mapped.Guard(func() (err error) {
		row.Outputs, err = r.plan.Solve(ctx, row, func() { r.hold(ctx, e) })
		return err
	})
	row.Wall, row.Host = time.Since(begin), r.host
	if err != nil {
		if limit, ok := context.Cause(ctx).(errDeadline); ok {
			return limit
		}
	}
	return err
}

// hold blocks while the run or the study is suspended.
func (r *Runner) hold(ctx context.Context, e *execution) {
	r.mu.Lock()
	defer r.mu.Unlock()
	held := func() bool { return e.held || r.queue.paused }
	if !held() {
		return
	}
	defer context.AfterFunc(ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.changed.Broadcast()
	})()
	for held() && ctx.Err() == nil {
		r.changed.Wait()
	}
}

// finish accepts the row of a run, unless the run was killed or lost meanwhile, or the study has ended.
func (r *Runner) finish(ctx context.Context, e *execution, row Row, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.live[e.run] != e {
		return
	}
	delete(r.live, e.run)
	r.queue.end(e.assignment, r.now())
	// The worker gets its next run here: waking Run for each would cost more than a short simulation.
	defer func() {
		if !r.dispatch(ctx) {
			r.changed.Broadcast()
		}
	}()
	if ctx.Err() != nil && err != nil || r.stopped {
		r.rows[e.run].Status = Pending
		return
	}
	row.Status = Done
	if err != nil {
		row.Status, row.Reason, row.Outputs = Failed, err.Error(), nil
	}
	r.fresh++
	r.spent += row.Wall
	r.record(row)
	r.judge()
}

// record puts a row that has ended into the table and keeps it.
func (r *Runner) record(row Row) {
	if r.opt.Keep != nil && r.err == nil {
		if r.err = r.opt.Keep.Append(row); r.err != nil {
			r.rows[row.Index].Status = Pending
			return
		}
	}
	r.rows[row.Index] = row
	r.tell(&row)
}

func (r *Runner) tell(row *Row) {
	if r.opt.OnRow != nil {
		r.opt.OnRow(*row)
	}
}

// ended reports whether a run is in the table.
func ended(s Status) bool { return s >= Done }

// judge passes ended runs to the stop rule, in order of index.
func (r *Runner) judge() {
	for !r.stopped && r.judged < len(r.rows) && ended(r.rows[r.judged].Status) {
		if r.stopped = r.stop.add(&r.rows[r.judged]); r.stopped {
			r.changed.Broadcast()
		}
		r.judged++
	}
}

// complete reports whether all runs of this process in the batches so far have ended.
func (r *Runner) complete() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.rows {
		if !ended(r.rows[i].Status) && (r.opt.Of == 0 || i%r.opt.Of == r.opt.Part) {
			return false
		}
	}
	n, err := r.plan.Design.Next(r.rows)
	return n <= 0 && err == nil
}

// table returns the runs that have ended.
func (r *Runner) table() *Table {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := &Table{Inputs: r.plan.Inputs, Outputs: r.plan.Outputs, Measured: r.plan.Measured}
	for i := range r.rows {
		if ended(r.rows[i].Status) && (!r.stopped || i < r.judged) {
			t.Rows = append(t.Rows, r.rows[i])
		}
	}
	return t
}

// Snapshot returns the table of the runs that have ended so far.
func (r *Runner) Snapshot() *Table { return r.table() }

// Progress returns the state of the study.
func (r *Runner) Progress() (p Progress) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.rows {
		switch r.rows[i].Status {
		case Done:
			p.Done++
		case Failed:
			p.Failed++
		case Killed:
			p.Killed++
		}
		p.Redraws += r.rows[i].Redraws
	}
	p.Total, p.Running, p.Pending, p.Paused = len(r.rows), len(r.queue.running), len(r.queue.pending), r.queue.paused
	if !r.begin.IsZero() {
		p.Elapsed = r.now()
	}
	each, left := r.spent/time.Duration(max(r.fresh, 1)), time.Duration(p.Running+p.Pending)
	p.Remaining = each * left / time.Duration(r.opt.Workers)
	return p
}

// change calls f with the lock held, and wakes Run and held runs.
func (r *Runner) change(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
	r.changed.Broadcast()
}

// Pause suspends the study: no run is started, and running ones are stopped but keep their workers. Continue resumes
// it.
func (r *Runner) Pause() { r.change(func() { r.queue.paused = true }) }

// Continue resumes a paused study, except for suspended runs.
func (r *Runner) Continue() { r.change(func() { r.queue.paused = false }) }

// LiveRun is a run on a worker.
type LiveRun struct {
	Index int
	Held  bool // suspended by Hold
}

// Live returns the runs on workers, by number.
func (r *Runner) Live() (list []LiveRun) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for run, e := range r.live {
		list = append(list, LiveRun{run, e.held})
	}
	slices.SortFunc(list, func(a, b LiveRun) int { return cmp.Compare(a.Index, b.Index) })
	return list
}

// Hold suspends a run, which keeps its worker, or resumes it.
func (r *Runner) Hold(run int) {
	r.change(func() {
		if e := r.live[run]; e != nil {
			e.held = !e.held
		}
	})
}

// revise calls f with a run's row, unless the study has ended by its rule.
func (r *Runner) revise(run int, f func(row *Row)) {
	r.change(func() {
		if run >= 0 && run < len(r.rows) && !r.stopped {
			f(&r.rows[run])
		}
	})
}

// drop cancels a run that has lost its worker.
func (r *Runner) drop(run int) {
	if e := r.live[run]; e != nil {
		e.cancel()
		delete(r.live, run)
	}
}

// Kill ends a running or pending run: its worker is free immediately, and its row has status Killed.
func (r *Runner) Kill(run int) {
	r.revise(run, func(old *Row) {
		if ended(old.Status) {
			return
		}
		r.queue.kill(run)
		r.drop(run)
		row := Row{Index: run, Seed: old.Seed, Status: Killed, Reason: "by the user", Host: r.host}
		d, err := r.plan.Design.At(run)
		if err != nil {
			row.Reason += "; " + err.Error()
		}
		row.Inputs, row.Redraws = d.Inputs, d.Redraws
		r.record(row)
		r.judge()
	})
}

// Restart queues a killed or failed run again, with the same inputs.
func (r *Runner) Restart(run int) {
	r.revise(run, func(row *Row) {
		if row.Status >= Failed {
			*row = Row{Index: run, Seed: row.Seed}
			r.queue.add(run)
		}
	})
}

// SetWorkers changes the number of concurrent runs; 0: one per core. Runs of removed workers are restarted by others.
func (r *Runner) SetWorkers(n int) {
	n = workersOf(n)
	r.change(func() {
		for range n - r.opt.Workers {
			r.queue.join()
		}
		r.opt.Workers = n
		for i := range r.queue.workers {
			if r.queue.workers[i].gone {
				continue
			}
			if n--; n >= 0 {
				continue
			}
			for _, run := range r.queue.lose(i) {
				r.drop(run)
				r.rows[run].Status = Pending
			}
		}
	})
}
