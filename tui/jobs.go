package tui

import (
	"context"
	"runtime"
	"sync"
	"time"

	"pview/filter"
	"pview/prv"
	"pview/semantic"
	"pview/tui/raster"
)

// What a view computes in the background. A view says which jobs its picture lacks (Jobs); whoever owns the view runs
// them, on any goroutine, and applies their answers on the goroutine that draws the view. An answer to a key that the
// view does not have any more changes nothing.

// Job computes something; it must not touch the view. A nil answer has nothing to apply: the job was cancelled.
type Job func() Answer

// Answer puts what a job found into its view or trace.
type Answer func()

// batchTime is how long a job computes before it hands over what it has: short
// enough that a picture grows before one's eyes, long enough that handing over
// costs nothing.
const batchTime = 60 * time.Millisecond

// Resources are what the views of a program share.
type Resources struct {
	Context context.Context // ends with the program; every job hangs on it
	Cache   *semantic.Cache // of rows that were computed
	Gen     *int            // last generation given to a job
}

// Jobs returns what the view's picture lacks, as it is drawn on a plot of the given size. Each is asked for once.
func (w *window) Jobs(r Resources, look raster.Look, width, height int) []Job {
	w.ask(r)
	var jobs []Job
	for _, job := range []Job{w.rowsJob(r.Cache), w.commsJob(), w.flagsJob(), w.pictureJob(look, width, height)} {
		if job != nil {
			jobs = append(jobs, job)
		}
	}
	return jobs
}

// ask makes the values those of what the view shows now. Values of another key are
// dropped, and the jobs that compute them are cancelled.
func (w *window) ask(r Resources) {
	key := w.sem.Key()
	v := &w.values
	var before []*semantic.Series
	if (v.eval != nil || v.err != nil) && v.key == key {
		if v.of == w.trace.revision {
			return
		}
		before = v.shown()
	}
	v.stop()
	*r.Gen++
	*v = values{key: key, gen: *r.Gen, of: w.trace.revision, before: before, series: make([]*semantic.Series, w.trace.tr.Count(w.sem.Level))}
	v.ctx, v.cancel = context.WithCancel(r.Context)
	v.eval, v.err = semantic.Compile(w.trace.tr, &w.sem)
	v.labels = w.sem.Labels(w.trace.tr)
	w.paint.version++
}

// stop cancels the jobs.
func (v *values) stop() {
	if v.cancel != nil {
		v.cancel()
	}
}

// Busy reports whether anything of the view is still being computed.
func (w *window) Busy() bool {
	return w.values.busy || w.values.commsBusy || w.values.flagsBusy || w.paint.exactBusy
}

// rowsJob computes rows in view that have no values yet. Rows that left the view are
// left to the cache.
func (w *window) rowsJob(cache *semantic.Cache) Job {
	v := &w.values
	if v.eval == nil || v.err != nil { // what cannot be computed is not tried again
		v.wanted, v.known = 0, 0
		return nil
	}
	if v.rowsFor != nil && v.rowsFor.equalRows(&w.setup) && (v.busy || v.known == v.wanted) {
		return nil
	}
	missing := w.missingRows(cache)
	if len(missing) == 0 {
		v.before = nil
	}
	if len(missing) == 0 || v.busy {
		return nil
	}
	v.busy = true
	return w.computeRows(cache, missing)
}

// missingRows takes from the cache what it has of the rows in view, and lists the objects of the others.
func (w *window) missingRows(cache *semantic.Cache) (missing []int) {
	v := &w.values
	now := w.setup
	v.rowsFor = &now
	last := min(w.top+w.rowsInView(w.trace.tr), w.rows(w.trace.tr))
	have := make([]*semantic.Series, len(v.series))
	known := 0
	for row := w.top; row < last; row++ {
		o := w.object(row)
		s := v.series[o]
		if s == nil {
			if s, _ = cache.Peek(v.eval, v.key, o); s != nil {
				w.paint.version++
			}
		}
		if s == nil {
			missing = append(missing, o)
			continue
		}
		have[o] = s
		known++
	}
	v.series, v.wanted, v.known = have, last-w.top, known
	return missing
}

// computeRows computes objects, on all cores, for about batchTime. It ends with at
// least one unless it is cancelled.
func (w *window) computeRows(cache *semantic.Cache, objects []int) Job {
	v := w.values // as they are now: the view may ask for others meanwhile
	return func() Answer {
		var mu sync.Mutex
		var failed error // why there are not more rows, other than that time was up
		found := map[int]*semantic.Series{}
		keep := func(o int, s *semantic.Series, err error) {
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failed = err
			} else {
				found[o] = s
			}
		}
		units := v.eval.Together(objects)
		deadline := time.Now().Add(batchTime)
		inParallel(len(units), func(i int) bool {
			return i == 0 || time.Now().Before(deadline)
		}, func(i int) {
			if o := units[i][0]; len(units[i]) == 1 {
				s, err := cache.Get(v.ctx, v.eval, v.key, o)
				keep(o, s, err)
				return
			}
			err := v.eval.All(v.ctx, units[i], 1, func(o int, s *semantic.Series) {
				cache.Put(v.eval, v.key, o, s)
				keep(o, s, nil)
			})
			if err != nil {
				keep(0, nil, err)
			}
		})
		return func() { w.takeRows(v.gen, found, failed) }
	}
}

func (w *window) takeRows(gen int, found map[int]*semantic.Series, err error) {
	v := &w.values
	if v.gen != gen {
		return
	}
	v.busy, v.rowsFor = false, nil
	if err != nil {
		v.err = err
	}
	for o, s := range found {
		v.series[o] = s
	}
	w.paint.version++
}

// inParallel calls f for 0..n-1, in order, as many at a time as there are
// processors, as long as begin allows it. A panic in f is raised again here, where
// it is caught and the terminal is given back.
func inParallel(n int, begin func(i int) bool, f func(i int)) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var panicked any
	next := 0
	take := func() (int, bool) {
		mu.Lock()
		defer mu.Unlock()
		if next >= n || !begin(next) {
			return 0, false
		}
		next++
		return next - 1, true
	}
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					mu.Lock()
					panicked = r
					mu.Unlock()
				}
			}()
			for i, ok := take(); ok; i, ok = take() {
				f(i)
			}
		})
	}
	wg.Wait()
	if panicked != nil {
		panic(panicked)
	}
}

// pictureJob samples a picture that takes too long to be waited for. Its values are
// used only if they are still of what the view shows.
func (w *window) pictureJob(look raster.Look, width, height int) Job {
	p := &w.paint
	k := w.newSampleKey(look, width, height)
	if w.values.eval == nil || w.values.busy || p.exactBusy || p.exact != nil && p.exactKey == k || !w.heavy(k) {
		return nil
	}
	p.exactBusy = true
	rows, axis := w.sources(k.layout, 0), w.axis(k.w)
	return func() Answer {
		s := &sampled{}
		s.fill(rows, axis, k)
		return func() { p.exactBusy, p.exact, p.exactKey = false, s, k }
	}
}

// commsJob makes the index of the communications that pass the filter, when
// lines are drawn.
func (w *window) commsJob() Job {
	v := &w.values
	if w.draw.comms == commsOff || v.comms != nil || v.commsBusy || v.eval == nil || w.trace.tr.Comms.Len() == 0 {
		return nil
	}
	v.commsBusy = true
	gen, tr, pass := v.gen, w.trace.tr, v.eval.Pass()
	return func() Answer {
		var keep func(int32) bool
		if !pass.Comms.All() {
			keep = func(i int32) bool { return pass.Comms.Has(int(i)) }
		}
		index := raster.NewCommIndex(tr, keep)
		return func() {
			if v.gen == gen {
				v.comms, v.commsBusy = index, false
				w.paint.overlays++
			}
		}
	}
}

// flagsJob collects the times of the events that pass the filter, when flags are
// shown. Where all pass, the trace's own columns serve.
func (w *window) flagsJob() Job {
	v := &w.values
	if !w.draw.flags || v.flags != nil || v.flagsBusy || v.eval == nil {
		return nil
	}
	v.flagsBusy = true
	gen, ctx, tr, level, pass := v.gen, v.ctx, w.trace.tr, w.sem.Level, v.eval.Pass()
	return func() Answer {
		times := map[int][][]int64{}
		for th := range tr.Threads {
			if cancelled(ctx) {
				return nil
			}
			addFlagTimes(times, tr, level, int32(th), pass)
		}
		return func() {
			if v.gen == gen {
				v.flags, v.flagsBusy = times, false
				w.paint.overlays++
			}
		}
	}
}

// addFlagTimes adds the times of a thread's events that pass to the objects that
// they belong to.
func addFlagTimes(times map[int][][]int64, tr *prv.Trace, level prv.Level, th int32, pass *filter.Pass) {
	thread := &tr.Threads[th]
	ev := &thread.Events
	oneObject := ev.CPU == nil || !level.IsResource()
	if oneObject && pass.Events.All() {
		if o := objectOf(tr, level, th, thread.CPU); o >= 0 {
			times[o] = append(times[o], ev.Time)
		}
		return
	}
	rows := pass.Events.Select(nil, ev)
	mine := map[int][]int64{}
	for _, i := range rows {
		o := objectOf(tr, level, th, thread.EventCPU(int(i)))
		mine[o] = append(mine[o], ev.Time[i])
	}
	for o, list := range mine {
		if o >= 0 {
			times[o] = append(times[o], list)
		}
	}
}
