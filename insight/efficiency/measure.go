package efficiency

// The input of the factors: the measurements of one trace.
//
// They match the .cfg files that modelfactors uses with Paraver. Useful time is that of the window "Useful"
// (state Running); instructions and cycles are the product of that window and "Next Evt Val" of the counter's
// events, summed over its bursts: a reading counts for the useful burst that it ends. Threads are evaluated
// independently, several at a time, and only sums are kept.

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"pview/filter"
	"pview/insight/gpu"
	"pview/insight/phase"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/execution"
	"pview/prv/parallel"
	"pview/prv/quantity"
	"pview/prv/wide"
	"pview/semantic"
	"pview/semantic/series"
)

// burstsOnly is the value of the tracing mode that records bursts only.
const burstsOnly = 2

// Run is the result of measuring one trace. Times are nanoseconds.
type Run struct {
	Name      string // of the file, without folder and extension
	Path      string
	Ptask     int // the application measured, from 1; 0: all of them
	Processes int
	Threads   int // of all processes
	Hybrid    bool
	Runtime   int64
	// Before and After are the time of the run before the first and after the last record of any thread.
	Before, After int64
	Useful        []int64 // by thread
	First         []int   // by process: its first thread, in Useful
	Outside       []int64 // by process: time of its first thread outside of MPI; nil unless Hybrid
	// Instructions and Cycles are those of useful computation; NaN if the trace does not count them.
	Instructions, Cycles float64
	Ideal                *Ideal // nil: see NotSimulated
	NotSimulated         string // why there is no ideal run
	// Busiest is the longest time that a device is busy; 0: processors are threads. Otherwise they are the devices,
	// useful time is time with kernels, and the run time is from the first start to the last end of their work.
	Busiest int64
	// Notes list the figures without a value, the reasons, and other remarks on the trace.
	Notes []string
}

// Ideal is the run on the ideal machine.
type Ideal struct {
	Runtime    int64
	UsefulMax  int64
	OutsideMax int64 // of a hybrid run
}

// Size names the size of a run: "8", or "4x2" for 4 processes of 2 threads.
func (r *Run) Size() string {
	if r.Threads == r.Processes || r.Processes == 0 {
		return fmt.Sprint(r.Threads)
	}
	if r.Threads%r.Processes == 0 {
		return fmt.Sprintf("%dx%d", r.Processes, r.Threads/r.Processes)
	}
	return fmt.Sprintf("%d/%d", r.Threads, r.Processes)
}

// UsefulTotal returns the useful time of all threads, ns.
func (r *Run) UsefulTotal() float64 { return wide.Sum(r.Useful).Float() }

// UsefulAverage returns the useful time per thread, ns.
func (r *Run) UsefulAverage() float64 { return mean(r.Useful) }

// UsefulMax returns the largest useful time of a thread, ns.
func (r *Run) UsefulMax() float64 { return most(r.Useful) }

// IPC returns the instructions per cycle of useful computation; NaN if they are not counted.
func (r *Run) IPC() float64 { return ratio(r.Instructions, r.Cycles) }

// frequency returns the cycles per nanosecond of useful computation, GHz; NaN if they are not counted.
func (r *Run) frequency() float64 { return ratio(r.Cycles, r.UsefulTotal()) }

// note adds a note.
func (r *Run) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// Options of Measure.
type Options struct {
	// Ptask limits the figures to one application, from 1; 0: all processes of the trace.
	Ptask int
	// TimesOnly leaves out the counters and the simulation, which cost most.
	TimesOnly bool
	// Machine is the machine of the simulation; nil: an ideal network, which takes no time.
	Machine MachineFor
	// EagerLimit is the size from which messages wait for their receiver in the simulation, bytes; negative: as the
	// calls of the trace say; nil: that of the machine, else eagerLimit.
	EagerLimit *int64
	// Memory bounds the memory of the simulated program and of its predicted trace, in bytes: a larger program is not
	// simulated. 0: no limit.
	Memory int64
	// NoIdeal leaves the simulation out.
	NoIdeal bool
	// Progress, when not nil, is called from several goroutines with the current stage, the work done and the total.
	Progress func(stage string, done, total int64)
}

// Measure extracts the input of the factors from a trace. Missing data is left out, with a note that says why. The
// error is ctx's, or reports that the application does not exist.
func Measure(ctx context.Context, t *prv.Trace, opt Options) (*Run, error) {
	if opt.Progress == nil {
		opt.Progress = func(string, int64, int64) {}
	}
	if opt.Ptask < 0 || opt.Ptask > len(t.Ptasks) {
		return nil, fmt.Errorf("no application %d: %s has %d", opt.Ptask, orName(t), len(t.Ptasks))
	}
	r := newRun(t, opt.Ptask)
	if a, err := gpu.Analyze(ctx, t); (opt.Ptask == 0 || len(t.Ptasks) == 1) && err == nil {
		r := OfDevices(t, opt.Ptask, a)
		return r, r.steps(ctx, t, a)
	} else if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	m := newMeter(ctx, t, opt.Ptask, opt.Progress)
	seen, err := r.times(t, m)
	if err != nil {
		return nil, err
	}
	if opt.TimesOnly {
		r.NotSimulated = "not asked for"
		return r, nil
	}
	if err := r.counters(m, seen); err != nil {
		return nil, err
	}
	if opt.Ptask == 0 && len(t.Ptasks) > 1 {
		r.note("%d applications: the figures cover all of their processes", len(t.Ptasks))
	}
	if opt.NoIdeal {
		return r, nil
	}
	return r, r.simulate(ctx, t, seen, opt)
}

// times measures everything that needs neither counters nor a simulation.
func (r *Run) times(t *prv.Trace, m *meter) (seen seenTypes, err error) {
	r.Processes, r.Threads, r.First = len(m.tasks), len(m.threads), m.first
	r.Runtime = m.end() * t.Unit.Nanoseconds()
	r.Before, r.After = m.beyond()
	if r.Useful, err = m.useful(); err != nil {
		return seen, err
	}
	if most(r.Useful) == 0 {
		r.note("no thread is ever in state Running: no useful time, and no factors")
	}
	if execution.IsDriven(t) {
		r.note("message-driven: the loss of communication efficiency is all that is outside of entry methods, " +
			"scheduling too")
	}
	if share := m.untraced(); share > 0 {
		r.note("tracing was off for %s of the threads' time, counted as not useful", quantity.FormatPercent(share))
	}
	if seen, err = m.typesSeen(); err != nil {
		return seen, err
	}
	if r.Hybrid = r.Threads > r.Processes && seen.mpi; r.Hybrid {
		if seen.mpiInThreads {
			r.note("several threads of a process call MPI: MPI factors are those of the first")
		}
		r.Outside, err = m.outsideMPI()
	}
	return seen, err
}

func newRun(t *prv.Trace, ptask int) *Run {
	return &Run{Name: nameOf(t.Path), Path: t.Path, Ptask: ptask, Instructions: math.NaN(), Cycles: math.NaN()}
}

// OfDevices is Measure for the devices of a trace, already analysed.
func OfDevices(t *prv.Trace, ptask int, a *gpu.Analysis) *Run {
	r, unit := newRun(t, ptask), t.Unit.Nanoseconds()
	r.Threads, r.Runtime = len(a.Devices), a.Elapsed*unit
	for i := range a.Devices {
		d := &a.Devices[i]
		if i == 0 || d.Task != a.Devices[i-1].Task {
			r.Processes++
			r.First = append(r.First, i)
		}
		r.Useful = append(r.Useful, d.Compute*unit)
		r.Busiest = max(r.Busiest, d.Busy*unit)
	}
	r.NotSimulated = gpu.NotSimulated
	r.note("processors are the devices: useful is the time with kernels, the run time that from the first begin to the " +
		"last end of their work; threads of the host are not counted (pview diagnose has their account)")
	if most(r.Useful) == 0 {
		r.note("no device ever computes: no useful time, and neither load balance nor parallel efficiency")
	}
	return r
}

// steps notes how the parallel efficiency of devices differs between the steps of a run, each measured over its whole
// length: the first and the last would look better without the time before devices have work or after it.
func (r *Run) steps(ctx context.Context, t *prv.Trace, a *gpu.Analysis) error {
	tiling, err := phase.Find(ctx, t, phase.Options{})
	if err != nil || tiling.From != phase.Steps {
		return err
	}
	list := tiling.Phases
	computing := make([]int64, len(list))
	for _, p := range a.Each(gpu.Computing) {
		phase.Divide(list, p.Begin, p.End, func(k int, time int64) { computing[k] += time })
	}
	n, worst, best := int64(0), 0, 0
	part := make([]float64, len(list))
	for k := range list {
		length := list[k].End - list[k].Begin
		if phase.IsBeside(list[k].Name) || length <= 0 {
			continue
		}
		part[k] = float64(computing[k]) / float64(length) / float64(len(a.Devices))
		if n == 0 {
			worst, best = k, k
		}
		if n++; part[k] < part[worst] {
			worst = k
		}
		if part[k] > part[best] {
			best = k
		}
	}
	low, high := quantity.FormatPercent(part[worst]), quantity.FormatPercent(part[best])
	switch {
	case n > 1 && low == high:
		r.note("%s, each with a parallel efficiency of %s", quantity.CountOf(n, "step"), low)
	case n > 1:
		r.note("%s: parallel efficiency is lowest in %s, %s, and highest in %s, %s", quantity.CountOf(n, "step"),
			list[worst].Name, low, list[best].Name, high)
	}
	return nil
}

// counters reads instructions and cycles.
func (r *Run) counters(m *meter, seen seenTypes) (err error) {
	for _, c := range []struct {
		typ  uint32
		seen bool
		to   *float64
	}{{m.instructions, seen.instructions, &r.Instructions}, {m.cycles, seen.cycles, &r.Cycles}} {
		if c.seen {
			if *c.to, err = m.counted(c.typ); err != nil {
				return err
			}
		}
	}
	switch {
	case !seen.instructions && !seen.cycles:
		r.note(
			"the trace has no counter of instructions (event type %d) or cycles (%d): IPC, frequency and their "+
				"scalability have no value", extrae.Instructions, extrae.Cycles)
	case !seen.instructions:
		r.note(
			"the trace has no counter of instructions (event type %d): IPC, IPC and instruction scalability have "+
				"no value", extrae.Instructions)
	case !seen.cycles:
		r.note("the trace has no counter of cycles (event type %d): IPC, frequency and their scalability have no value",
			extrae.Cycles)
	}
	return nil
}

func nameOf(path string) string {
	return strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".gz"), ".prv")
}

func orName(t *prv.Trace) string {
	if t.Path != "" {
		return t.Path
	}
	return "the trace"
}

// meter measures the threads of an application, or of all.
type meter struct {
	ctx      context.Context
	t        *prv.Trace
	whole    bool // all applications
	tasks    []int
	threads  []int
	first    []int // by task: position of its first thread in threads
	progress func(stage string, done, total int64)

	// The event types of the trace: calls of MPI; counters of instructions and cycles, noType if missing.
	mpi                  []uint32
	instructions, cycles uint32
}

// noType marks a missing event type.
const noType = math.MaxUint32

func newMeter(ctx context.Context, t *prv.Trace, ptask int, progress func(string, int64, int64)) *meter {
	words := extrae.Of(t.Labels)
	m := &meter{ctx: ctx, t: t, whole: ptask == 0, progress: progress, mpi: words.Family(extrae.MPI),
		instructions: noType, cycles: noType}
	if typ, ok := words.Type(extrae.Instructions); ok {
		m.instructions = typ
	}
	if typ, ok := words.Type(extrae.Cycles); ok {
		m.cycles = typ
	}
	for i := range t.Tasks {
		task := &t.Tasks[i]
		if !m.whole && int(task.Ptask) != ptask-1 {
			continue
		}
		m.tasks = append(m.tasks, i)
		m.first = append(m.first, len(m.threads))
		for th := range int(task.Threads) {
			m.threads = append(m.threads, int(task.FirstThread)+th)
		}
	}
	return m
}

// end returns the run time: the length of the window in the trace, or the time until the application's last record.
func (m *meter) end() int64 {
	if m.whole {
		from, to := execution.Window(m.t)
		return to - from
	}
	return m.lastOf(m.threads)
}

// lastOf returns the end of the last record of some threads.
func (m *meter) lastOf(threads []int) (end int64) {
	for _, i := range threads {
		th := &m.t.Threads[i]
		for _, e := range th.States.End {
			end = max(end, e)
		}
		if n := th.Events.Len(); n > 0 {
			end = max(end, th.Events.Time[n-1])
		}
	}
	return end
}

// beyond returns the time before the first and after the last record that shows a thread's activity, ns.
func (m *meter) beyond() (before, after int64) {
	end := m.end()
	if execution.IsDriven(m.t) { // the window is from record to record
		return 0, 0
	}
	first, last := end, int64(0)
	for _, i := range m.threads {
		if from, to := execution.Recorded(m.t, int32(i)); to > 0 {
			first, last = min(first, from), max(last, to)
		}
	}
	if last == 0 {
		return 0, 0
	}
	return first * m.t.Unit.Nanoseconds(), max(0, end-last) * m.t.Unit.Nanoseconds()
}

// each evaluates a window for some threads, several at a time; do gets a thread's position in list.
func (m *meter) each(stage string, w *semantic.Window, list []int, do func(i int, s *series.Series)) error {
	e, err := semantic.Compile(m.t, w)
	if err != nil {
		return err
	}
	at := make(map[int]int, len(list))
	for i, th := range list {
		at[th] = i
	}
	done := counter{total: int64(len(list)), report: func(n, of int64) { m.progress(stage, n, of) }}
	return e.All(m.ctx, list, 0, func(row int, s *series.Series) {
		do(at[row], s)
		done.add()
	})
}

// counter counts the progress of several goroutines.
type counter struct {
	done   atomic.Int64
	total  int64
	report func(done, total int64)
}

func (c *counter) add() { c.report(c.done.Add(1), c.total) }

func (m *meter) duration() int64 { return max(m.t.Duration, 1) }

// useful returns the time in state Running by thread, ns.
func (m *meter) useful() ([]int64, error) {
	w := semantic.ThreadWindow("Useful")
	times, err := m.timeNotZero("useful time", &w, m.threads)
	for i, th := range m.threads {
		if m.t.Threads[th].States.Len() == 0 {
			times[i] = OutsideCalls(m.t, th, 0, m.t.Duration) * m.t.Unit.Nanoseconds()
		}
	}
	return times, err
}

// OutsideCalls returns the useful time of a thread without states in a stretch of the run: between its first and last
// event, outside of MPI calls; in a message-driven run, the time in entry methods.
func OutsideCalls(t *prv.Trace, thread int, from, to int64) (useful int64) {
	e := &t.Threads[thread].Events
	if e.Len() == 0 {
		return 0
	}
	at, computing := e.Time[0], true
	begins, entry := extrae.Of(t.Labels).Family(extrae.MPI), uint32(noType)
	if execution.IsDriven(t) {
		entry, computing = execution.TypesOf(t.Labels)[execution.Entry], false
		begins = nil
	}
	add := func(until int64) {
		if computing {
			useful += max(0, min(until, to)-max(at, from))
		}
	}
	table := extrae.NewTypeTable(typeSet(begins))
	for k, typ := range e.Type {
		var now bool
		switch {
		case typ == entry:
			now = e.Value.At(k) != 0
		case table.Part(typ) == 0:
			continue
		case e.Value.At(k) == 0 && computing: // the start of the call was not traced
			at, now = e.Time[k], true
		default:
			now = e.Value.At(k) == 0
		}
		add(e.Time[k])
		at, computing = e.Time[k], now
	}
	add(e.Time[e.Len()-1])
	return useful
}

func typeSet(list []uint32) map[uint32]uint8 {
	set := map[uint32]uint8{}
	for _, typ := range list {
		set[typ] = 1
	}
	return set
}

// outsideMPI returns the time that the first thread of each process spends outside of MPI calls, until the process
// ends, ns.
func (m *meter) outsideMPI() ([]int64, error) {
	w := semantic.ThreadWindow("Last Evt Val")
	w.Filter = filter.Only(m.mpi...)
	firsts := make([]int, len(m.first))
	for i, at := range m.first {
		firsts[i] = m.threads[at]
	}
	times, err := m.timeNotZero("time in MPI", &w, firsts)
	for i := range times {
		last := len(m.threads)
		if i+1 < len(m.first) {
			last = m.first[i+1]
		}
		times[i] = m.lastOf(m.threads[m.first[i]:last])*m.t.Unit.Nanoseconds() - times[i]
	}
	return times, err
}

// timeNotZero returns the time in which a window is not 0, by thread, ns.
func (m *meter) timeNotZero(stage string, w *semantic.Window, threads []int) ([]int64, error) {
	times := make([]int64, len(threads))
	err := m.each(stage, w, threads, func(i int, s *series.Series) {
		g := s.Aggregate(0, m.duration())
		times[i] = g.TimeNotZero * m.t.Unit.Nanoseconds()
	})
	return times, err
}

// counted returns the sum of a counter's readings in state Running.
func (m *meter) counted(typ uint32) (float64, error) {
	next := semantic.ThreadWindow("Next Evt Val")
	next.Filter = filter.Only(typ)
	useful := semantic.ThreadWindow("Useful")
	w := semantic.ThreadWindow("useful counts")
	w.Derived = &semantic.Derived{Op: semantic.Call{Name: "product"},
		A: semantic.Parent{Window: &next, Factor: 1}, B: semantic.Parent{Window: &useful, Factor: 1}}
	sums := make([]float64, len(m.threads))
	err := m.each("counters", &w, m.threads, func(i int, s *series.Series) {
		for k := range s.Len() {
			if begin, end, v := s.Burst(k); end > begin { // empty bursts do not count, as in Paraver
				sums[i] += v
			}
		}
	})
	total := 0.0
	for _, v := range sums {
		total += v
	}
	return total, err
}

// seenTypes are the kinds of events in a trace.
type seenTypes struct {
	mpi, mpiInThreads    bool // calls of MPI; those by threads other than the first of their process
	instructions, cycles bool
	bursts               bool // burst mode
}

// Parts of event types in typesSeen.
const (
	countsInstructions = 1 << iota
	countsCycles
	callsMPI
	tellsMode
)

// typesSeen scans the events.
func (m *meter) typesSeen() (seen seenTypes, err error) {
	parts := map[uint32]uint8{extrae.TracingMode: tellsMode}
	for _, typ := range m.mpi {
		parts[typ] |= callsMPI
	}
	parts[m.instructions] |= countsInstructions
	parts[m.cycles] |= countsCycles
	table := extrae.NewTypeTable(parts)
	found, bursts := make([]uint8, len(m.threads)), make([]bool, len(m.threads))
	err = parallel.For(m.ctx, len(m.threads), func(i int) error {
		e := &m.t.Threads[m.threads[i]].Events
		for k, typ := range e.Type {
			if k&0xfff == 0 && m.ctx.Err() != nil {
				return m.ctx.Err()
			}
			part := table.Part(typ)
			found[i] |= part
			bursts[i] = bursts[i] || part == tellsMode && e.Value.At(k) == burstsOnly
		}
		return nil
	})
	for i, th := range m.threads {
		seen.instructions = seen.instructions || found[i]&countsInstructions != 0
		seen.cycles = seen.cycles || found[i]&countsCycles != 0
		seen.bursts = seen.bursts || bursts[i]
		if found[i]&callsMPI != 0 {
			seen.mpi = true
			seen.mpiInThreads = seen.mpiInThreads || m.t.Tasks[m.t.ThreadTask[th]].FirstThread != int32(th)
		}
	}
	return seen, err
}

// tracingDisabled is Extrae's name of the state in which a thread is not traced.
const tracingDisabled = "Tracing Disabled"

// untraced returns the share of the threads' time that was not traced.
func (m *meter) untraced() float64 {
	at := slices.IndexFunc(m.t.Labels.States, func(s prv.ValueLabel) bool { return s.Label == tracingDisabled })
	if at < 0 {
		return 0
	}
	state, time := uint32(m.t.Labels.States[at].Value), int64(0)
	for _, i := range m.threads {
		s := &m.t.Threads[i].States
		for k, v := range s.Value {
			if v == state && s.HasEnd(k) {
				time += s.End[k] - s.Begin[k]
			}
		}
	}
	return float64(time) / float64(max(m.end(), 1)) / float64(max(len(m.threads), 1))
}
