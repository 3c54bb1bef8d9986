package timeline

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"pview/filter"
	"pview/prv"
	"pview/prv/parallel"
	"pview/render/raster"
	"pview/semantic"
	"pview/semantic/label"
	"pview/semantic/series"
)

// Background work of a view. A view lists the jobs that its picture needs (Jobs); the owner of the view runs them, on
// any goroutine, and applies their answers on the goroutine that draws the view. If the view no longer has an answer's
// key, the answer changes nothing.

// Job computes something; it must not touch the view. A nil answer means that the job was cancelled.
type Job func() Answer

// Answer applies the result of a job to its view or trace.
type Answer func()

// batchTime is the time for which a job computes before it returns its results so far: short enough that a picture
// visibly grows, long enough that returning costs nothing.
const batchTime = 60 * time.Millisecond

// Resources are shared by the views of a program.
type Resources struct {
	Context context.Context // when it ends, all jobs end
	Cache   *series.Cache   // of computed rows
	Gen     *int            // last generation given to a job
}

// Jobs returns the jobs for the missing parts of the view's picture on a plot of the given size. Each is returned once.
func (w *View) Jobs(r Resources, look raster.Look, width, height int) []Job {
	w.Ask(r)
	var list []Job
	j := jobs{w}
	for _, job := range []Job{j.rows(r.Cache), j.comms(), j.flags(), j.picture(look, width, height)} {
		if job != nil {
			list = append(list, job)
		}
	}
	return list
}

// jobs makes the jobs of a view.
type jobs struct{ *View }

// Ask makes the values belong to the view's current content. If they belong to another, it drops them, and cancels the
// jobs that compute them.
func (w *View) Ask(r Resources) {
	key := w.Sem.Key()
	v := &w.Values
	var before []*series.Series
	var readBefore int64
	if (v.Eval != nil || v.Err != nil) && v.Key == key {
		if v.of == w.Trace.Revision {
			return
		}
		if readBefore = v.read; v.Before != nil {
			readBefore = min(readBefore, v.readBefore)
		}
		before = v.shown()
	}
	v.Stop()
	*r.Gen++
	*v = Values{Key: key, gen: *r.Gen, of: w.Trace.Revision, Before: before,
		read: cmp.Or(w.Trace.Until, w.Trace.Data.Duration), readBefore: readBefore,
		Series: make([]*series.Series, w.Trace.Data.Count(w.Sem.Level))}
	v.ctx, v.cancel = context.WithCancel(r.Context)
	v.Eval, v.Err = semantic.Compile(w.Trace.Data, &w.Sem)
	v.labels = label.OfMeaning(&w.Sem, w.Trace.Data, w.Trace.Meaning(&w.Sem))
	w.Paint.Version++
}

// Stop cancels the jobs.
func (v *Values) Stop() {
	if v.cancel != nil {
		v.cancel()
	}
}

// Busy reports whether anything of the view is still being computed.
func (w *View) Busy() bool {
	return w.Values.Busy || w.Values.commsBusy || w.Values.flagsBusy || w.Paint.exactBusy
}

// rows computes rows in view that have no values yet. The cache keeps rows that are no longer in view.
func (w jobs) rows(cache *series.Cache) Job {
	v := &w.Values
	if v.Eval == nil || v.Err != nil { // errors are not retried
		v.Wanted, v.Known = 0, 0
		return nil
	}
	if v.rowsFor != nil && v.rowsFor.equalRows(&w.Setup) && (v.Busy || v.Known == v.Wanted) {
		return nil
	}
	missing := w.missing(cache)
	if len(missing) == 0 {
		v.Before = nil
	}
	if len(missing) == 0 || v.Busy {
		return nil
	}
	v.Busy = true
	return w.compute(cache, missing)
}

// missing takes the rows in view from the cache, and lists the objects that the cache lacks.
func (w jobs) missing(cache *series.Cache) (missing []int) {
	v := &w.Values
	now := w.Setup
	v.rowsFor = &now
	last := min(w.Top+w.RowsInView(w.Trace.Data), w.Rows(w.Trace.Data))
	have := make([]*series.Series, len(v.Series))
	known, unread := 0, 0
	for row := w.Top; row < last; row++ {
		if w.UnreadRow(row) {
			unread++
			continue
		}
		o := w.Object(row)
		s := v.Series[o]
		if s == nil {
			if s, _ = cache.Peek(v.Eval, v.Key, o); s != nil {
				w.Paint.Version++
			}
		}
		if s == nil {
			missing = append(missing, o)
			continue
		}
		have[o] = s
		known++
	}
	v.Series, v.Wanted, v.Known = have, last-w.Top-unread, known
	return missing
}

// compute computes objects, on all cores, for about batchTime. It computes at least one, unless it is cancelled.
func (w jobs) compute(cache *series.Cache, objects []int) Job {
	v := w.Values // the current values: the view may ask for others meanwhile
	return func() Answer {
		var mu sync.Mutex
		var failed error // the reason, other than time, for missing rows
		found := map[int]*series.Series{}
		keep := func(o int, s *series.Series, err error) {
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failed = err
			} else {
				found[o] = s
			}
		}
		units := v.Eval.Together(objects)
		deadline := time.Now().Add(batchTime)
		inParallel(len(units), func(i int) bool {
			return i == 0 || time.Now().Before(deadline)
		}, func(i int) {
			if o := units[i][0]; len(units[i]) == 1 {
				s, err := cache.Get(v.ctx, v.Eval, v.Key, o)
				keep(o, s, err)
				return
			}
			err := v.Eval.All(v.ctx, units[i], 1, func(o int, s *series.Series) {
				cache.Put(v.Eval, v.Key, o, s)
				keep(o, s, nil)
			})
			if err != nil {
				keep(0, nil, err)
			}
		})
		return func() { w.take(v.gen, found, failed) }
	}
}

func (w jobs) take(gen int, found map[int]*series.Series, err error) {
	v := &w.Values
	if v.gen != gen {
		return
	}
	v.Busy, v.rowsFor = false, nil
	if err != nil {
		v.Err = err
	}
	for o, s := range found {
		v.Series[o] = s
	}
	w.Paint.Version++
}

// inParallel calls f for 0..n-1, in order, on all processors, as long as begin allows it; begin is called from several
// goroutines. A panic in f is raised again in the caller's goroutine, which catches it and restores the terminal.
func inParallel(n int, begin func(i int) bool, f func(i int)) {
	over := errors.New("no more steps")
	err := parallel.For(context.Background(), n, func(i int) error {
		if !begin(i) {
			return over
		}
		f(i)
		return nil
	})
	if err != nil && err != over {
		panic(err) // a mapped file broke: the caller of jobs handles it
	}
}

// picture samples a picture that takes too long to wait for. Its values are used only if the view still shows the same
// picture.
func (w jobs) picture(look raster.Look, width, height int) Job {
	p := &w.Paint
	k := w.newSampleKey(look, width, height)
	if w.Values.Eval == nil || w.Values.Busy || p.exactBusy || p.exact != nil && p.exactKey == k || !w.heavy(k) {
		return nil
	}
	p.exactBusy = true
	rows, axis := w.Sources(k.Layout, 0), w.Axis(k.Width)
	return func() Answer {
		s := &Sampled{}
		s.Fill(rows, axis, k)
		return func() { p.exactBusy, p.exact, p.exactKey = false, s, k }
	}
}

// comms makes the index of the communications that pass the filter, if lines are drawn.
func (w jobs) comms() Job {
	v := &w.Values
	if w.Drawing.Comms == CommsOff || v.comms != nil || v.commsBusy || v.Eval == nil || w.Trace.Data.Comms.Len() == 0 {
		return nil
	}
	v.commsBusy = true
	gen, tr, pass := v.gen, w.Trace.Data, v.Eval.Pass()
	return func() Answer {
		var keep func(int32) bool
		if !pass.Comms.All() {
			keep = func(i int32) bool { return pass.Comms.Has(int(i)) }
		}
		index := raster.NewCommIndex(tr, keep)
		return func() {
			if v.gen == gen {
				v.comms, v.commsBusy = index, false
				w.Paint.Overlays++
			}
		}
	}
}

// flags collects the times of the events that pass the filter, if flags are shown. If all events pass, it uses the
// trace's columns.
func (w jobs) flags() Job {
	v := &w.Values
	if !w.Drawing.Flags || v.flags != nil || v.flagsBusy || v.Eval == nil {
		return nil
	}
	v.flagsBusy = true
	gen, ctx, tr, level, pass := v.gen, v.ctx, w.Trace.Data, w.Sem.Level, v.Eval.Pass()
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
				w.Paint.Overlays++
			}
		}
	}
}

// addFlagTimes adds the times of a thread's passing events to their objects.
func addFlagTimes(times map[int][][]int64, tr *prv.Trace, level prv.Level, th int32, pass *filter.Pass) {
	thread := &tr.Threads[th]
	ev := &thread.Events
	oneObject := ev.CPU == nil || !level.IsResource()
	if oneObject && pass.Events.All() {
		if o := tr.ObjectOf(level, th, thread.CPU); o >= 0 {
			times[o] = append(times[o], ev.Time)
		}
		return
	}
	rows := pass.Events.Select(nil, ev)
	mine := map[int][]int64{}
	for _, i := range rows {
		o := tr.ObjectOf(level, th, thread.EventCPU(int(i)))
		mine[o] = append(mine[o], ev.Time[i])
	}
	for o, list := range mine {
		if o >= 0 {
			times[o] = append(times[o], list)
		}
	}
}
