package tui

import (
	"context"
	"runtime"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"pview/filter"
	"pview/prv"
	"pview/semantic"
	"pview/tui/raster"
)

// cacheBudget is the memory for rows that were computed, over all traces, where the
// options do not say. Rows in view are held beyond it.
const cacheBudget = 1 << 30

// batchTime is how long a job computes before it hands over what it has: short
// enough that a picture grows before one's eyes, long enough that handing over
// costs nothing.
const batchTime = 60 * time.Millisecond

type seriesMsg struct {
	window, gen int
	series      map[int]*semantic.Series
	err         error // why there are not more of them, other than that time was up
}

// question is what the values of a window depend on.
func (w *window) question() string { return w.sem.Key() }

// ask makes the window's values answer what it shows now. Values of another
// question are dropped, and the jobs that compute them are cancelled.
func (m *Model) ask(w *window) {
	key := w.question()
	v := &w.values
	var before []*semantic.Series
	if (v.eval != nil || v.err != nil) && v.key == key {
		if v.of == w.trace.revision {
			return
		}
		before = v.shown()
	}
	if v.cancel != nil {
		v.cancel()
	}
	m.gen++
	*v = values{key: key, gen: m.gen, of: w.trace.revision, before: before, series: make([]*semantic.Series, w.trace.tr.Count(w.sem.Level))}
	v.ctx, v.cancel = context.WithCancel(m.ctx)
	v.eval, v.err = semantic.Compile(w.trace.tr, &w.sem)
	v.labels = w.sem.Labels(w.trace.tr)
	w.paint.version++
}

// evaluate starts what is missing for the windows on the screen.
func (m *Model) evaluate() tea.Cmd {
	var cmds []tea.Cmd
	l := m.layout()
	for i, w := range m.windows {
		if l.windows[i].plot.H > 0 {
			m.ask(w)
			cmds = append(cmds, m.evaluateRows(w), m.evaluateComms(w), m.evaluateFlags(w), m.evaluatePicture(w, &l.windows[i]))
		}
	}
	return tea.Batch(cmds...)
}

// evaluateRows starts a job for rows in view that have no values yet. Rows that
// left the view are left to the cache.
func (m *Model) evaluateRows(w *window) tea.Cmd {
	v := &w.values
	if v.eval == nil || v.err != nil { // what cannot be computed is not tried again
		v.wanted, v.known = 0, 0
		return nil
	}
	if v.rowsFor != nil && v.rowsFor.equalRows(&w.setup) && (v.busy || v.known == v.wanted) {
		return nil
	}
	now := w.setup
	v.rowsFor = &now
	last := min(w.top+w.rowsInView(w.trace.tr), w.rows(w.trace.tr))
	have := make([]*semantic.Series, len(v.series))
	known := 0
	var missing []int
	for row := w.top; row < last; row++ {
		o := w.object(row)
		s := v.series[o]
		if s == nil {
			if s, _ = m.cache.Peek(v.eval, v.key, o); s != nil {
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
	if len(missing) == 0 {
		v.before = nil
	}
	if len(missing) == 0 || v.busy {
		return nil
	}
	v.busy = true
	return tea.Batch(m.seriesJob(w, missing), m.tick())
}

// seriesJob computes objects, on all cores, for about batchTime. It ends with at
// least one unless it is cancelled.
func (m *Model) seriesJob(w *window, objects []int) tea.Cmd {
	id, v, cache := w.id, w.values, m.cache
	units := together(w.trace.tr, w.sem.Level, objects)
	return func() tea.Msg {
		var mu sync.Mutex
		msg := seriesMsg{window: id, gen: v.gen, series: map[int]*semantic.Series{}}
		keep := func(o int, s *semantic.Series, err error) {
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				msg.err = err
			} else {
				msg.series[o] = s
			}
		}
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
		return msg
	}
}

// together parts objects into those that are best computed at once: the CPUs of a
// node, since threads move among them.
func together(t *prv.Trace, l prv.Level, objects []int) [][]int {
	var units [][]int
	for i, o := range objects {
		if l == prv.LevelCPU && i > 0 && t.CPUNode(int32(o+1)) == t.CPUNode(int32(objects[i-1]+1)) {
			units[len(units)-1] = append(units[len(units)-1], o)
		} else {
			units = append(units, []int{o})
		}
	}
	return units
}

// inParallel calls f for 0..n-1, in order, as many at a time as there are
// processors, as long as begin allows it. A panic in f is raised again here, where
// Bubble Tea catches it and gives the terminal back.
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

func (m *Model) computed(msg seriesMsg) {
	w := m.windowByID(msg.window)
	if w == nil || w.values.gen != msg.gen {
		return
	}
	w.values.busy, w.values.rowsFor = false, nil
	if msg.err != nil {
		w.values.err = msg.err
	}
	for o, s := range msg.series {
		w.values.series[o] = s
	}
	w.paint.version++
}

type sampledMsg struct {
	window  int
	key     sampleKey
	sampled *sampled
}

// evaluatePicture samples a picture in the background that takes too long to be
// waited for.
func (m *Model) evaluatePicture(w *window, l *windowLayout) tea.Cmd {
	p := &w.paint
	k := w.newSampleKey(m.look, l.plot.W, l.plot.H)
	if w.values.eval == nil || w.values.busy || p.exactBusy || p.exact != nil && p.exactKey == k || !w.heavy(k) {
		return nil
	}
	p.exactBusy = true
	id, rows, axis := w.id, w.sources(k.layout, 0), w.axis(k.w)
	return tea.Batch(func() tea.Msg {
		s := &sampled{}
		s.fill(rows, axis, k)
		return sampledMsg{id, k, s}
	}, m.tick())
}

// sampledAll takes a picture's values. They are of what the window showed when
// they were asked for; when that is not what it shows now, they are not used.
func (m *Model) sampledAll(msg sampledMsg) {
	if w := m.windowByID(msg.window); w != nil {
		w.paint.exactBusy, w.paint.exact, w.paint.exactKey = false, msg.sampled, msg.key
	}
}

type commsMsg struct {
	window, gen int
	index       *raster.CommIndex
}

// evaluateComms starts the index of the communications that pass the filter, when
// lines are drawn.
func (m *Model) evaluateComms(w *window) tea.Cmd {
	v := &w.values
	if w.draw.comms == commsOff || v.comms != nil || v.commsBusy || v.eval == nil || w.trace.tr.Comms.Len() == 0 {
		return nil
	}
	v.commsBusy = true
	id, gen, tr, sem := w.id, v.gen, w.trace.tr, w.sem
	return tea.Batch(func() tea.Msg {
		pass := compileFilter(tr, &sem)
		var keep func(int32) bool
		if !pass.Comms.All() {
			keep = func(i int32) bool { return pass.Comms.Has(int(i)) }
		}
		return commsMsg{id, gen, raster.NewCommIndex(tr, keep)}
	}, m.tick())
}

func (m *Model) indexed(msg commsMsg) {
	w := m.windowByID(msg.window)
	if w == nil || w.values.gen != msg.gen {
		return
	}
	w.values.comms, w.values.commsBusy = msg.index, false
	w.paint.overlays++
}

type flagsMsg struct {
	window, gen int
	times       map[int][][]int64
}

// evaluateFlags starts collecting the times of the events that pass the filter of
// a window that shows flags. Where all pass, the trace's own columns serve.
func (m *Model) evaluateFlags(w *window) tea.Cmd {
	v := &w.values
	if !w.draw.flags || v.flags != nil || v.flagsBusy || v.eval == nil {
		return nil
	}
	v.flagsBusy = true
	id, gen, ctx, tr, sem := w.id, v.gen, v.ctx, w.trace.tr, w.sem
	return tea.Batch(func() tea.Msg {
		pass := compileFilter(tr, &sem)
		times := map[int][][]int64{}
		for th := range tr.Threads {
			if cancelled(ctx) {
				return nil
			}
			addFlagTimes(times, tr, sem.Level, int32(th), pass)
		}
		return flagsMsg{id, gen, times}
	}, m.tick())
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

func (m *Model) flagged(msg flagsMsg) {
	w := m.windowByID(msg.window)
	if w == nil || w.values.gen != msg.gen {
		return
	}
	w.values.flags, w.values.flagsBusy = msg.times, false
	w.paint.overlays++
}

// busy reports whether anything that the screen shows is still being computed.
func (m *Model) busy() bool {
	for _, w := range m.windows {
		if w.values.busy || w.values.commsBusy || w.values.flagsBusy || w.paint.exactBusy {
			return true
		}
		for _, a := range w.tables {
			if a.busy || a.hits.busy {
				return true
			}
		}
	}
	return m.finding != nil || m.simulatorBusy()
}
