// Package compare compares two runs of a program by what they do, not by the clock.
//
// Each run is divided into phases (package phase), the phases are matched by their signatures, and the time of all
// threads is accounted for: each instant of each thread is in exactly one category. With equal numbers of threads P,
// the mean over the threads of the time in all categories is the run time, so
//
//	T_B - T_A = sum over categories (or phases, calls, functions, waits, threads) of (mean_B - mean_A)
//
// exactly, in ns. With different numbers of threads the account is in core time: P_B T_B - P_A T_A; 0 would be perfect
// scaling.
package compare

import (
	"cmp"
	"context"
	"fmt"

	"pview/insight/efficiency"
	"pview/insight/eventgraph"
	"pview/insight/gpu"
	"pview/insight/phase"
	"pview/insight/report"
	"pview/insight/waits"
	"pview/prv"
	"pview/prv/extrae/execution"
	"pview/prv/quantity"
	"pview/prv/wide"
)

// Run is a run, ready to be compared. It does not hold the trace.
type Run struct {
	Path     string
	Duration int64 // ns, from the first record of the application to the end of the trace
	Threads  int   // of the application
	// Counters of useful computation; NaN where the trace has none. Useful is the time in ns of all threads.
	Instructions, Cycles float64
	Useful               wide.Int

	Notes []string

	times   prv.Unit // of the trace
	unit    int64    // ns
	begin   int64    // of the first record, in the trace's unit
	phases  []phase.Phase
	groups  []phase.Group
	threads []int32 // of the trace
	devices bool    // threads are devices
	names   []string
	// resources are those of the trace; without threads for the devices of a run
	resources prv.Resources
	factors   Factors
	work      map[place]*work
	delays    map[place]wide.Int // ns: the waiting it caused
	sums
}

// Options of Analyse.
type Options struct {
	Ptask  int    // the application, from 1; 0: all
	Marker uint32 // event type of iterations; 0: phases end at collective operations
}

// Analyse accounts for the time of a run. It fails if ctx ends or the application is unknown.
func Analyse(ctx context.Context, t *prv.Trace, opt Options) (*Run, error) {
	if a, err := gpu.Analyze(ctx, t); err == nil && (opt.Ptask == 0 || len(t.Ptasks) == 1) {
		return analyseDevices(ctx, t, a)
	} else if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	tiling, err := phase.Find(ctx, t, phase.Options{Ptask: opt.Ptask, Marker: opt.Marker})
	if err != nil {
		return nil, err
	}
	r := &Run{Path: t.Path, times: t.Unit, unit: t.Unit.Nanoseconds(), phases: tiling.Phases, groups: tiling.Groups}
	r.choose(t, opt.Ptask)
	r.begin = r.first(t)
	r.phases[0].Begin = r.begin
	r.Duration = (t.Duration - r.begin) * r.unit
	graph, err := eventgraph.NewGraph(ctx, t, waits.Options{}, eventgraph.Given{})
	if err != nil {
		return nil, err
	}
	if err := graph.BuildUnits(ctx); err != nil {
		return nil, err
	}
	if err := r.take(ctx, graph, tiling); err != nil {
		return nil, err
	}
	r.charge(graph.Waits)
	if err := r.learn(ctx, graph); err != nil {
		return nil, err
	}
	if tiling.Why != "" {
		r.Notes = append(r.Notes, "one phase: "+tiling.Why)
	}
	if r.begin*1000 > t.Duration-r.begin && !execution.IsDriven(t) {
		r.Notes = append(r.Notes, fmt.Sprintf("nothing is recorded in the first %s: times are without it, parallel "+
			"efficiency is with it", quantity.FormatDuration(r.begin*r.unit, prv.Nanoseconds)))
	}
	if r.derived {
		r.Notes = append(r.Notes, "threads without states are considered computing outside of calls")
	}
	return r, r.count(ctx, t, opt.Ptask)
}

// choose chooses the threads of the application.
func (r *Run) choose(t *prv.Trace, ptask int) {
	for th := range t.Threads {
		task := t.ThreadTask[th]
		own := t.Tasks[task]
		if ptask != 0 && int(own.Ptask) != ptask-1 {
			continue
		}
		r.threads = append(r.threads, int32(th))
		r.names = append(r.names, threadName(t, th))
	}
	r.Threads = len(r.threads)
	r.resources = t.Resources
}

// first returns the time of the first record. Where a trace was shifted in time, nothing is before it, and that is no
// part of the run.
func (r *Run) first(t *prv.Trace) int64 {
	if from, _ := execution.Window(t); from > 0 {
		return from
	}
	at := t.Duration
	for _, i := range r.threads {
		th := &t.Threads[i]
		if th.States.Len() > 0 {
			at = min(at, max(th.States.Begin[0], 0))
		}
		if th.Events.Len() > 0 {
			at = min(at, max(th.Events.Time[0], 0))
		}
	}
	if at == t.Duration {
		return 0 // no records
	}
	return at
}

// Span returns the place of the run in its trace, in ns.
func (r *Run) Span() (from, to int64) { return r.begin * r.unit, r.begin*r.unit + r.Duration }

// threadName is ptask.task.thread; without the thread where every task has one.
func threadName(t *prv.Trace, th int) string {
	p, task, thread := t.ThreadID(int32(th))
	if len(t.Threads) == len(t.Tasks) {
		return fmt.Sprintf("%d.%d", p, task)
	}
	return fmt.Sprintf("%d.%d.%d", p, task, thread)
}

// count reads the counters.
func (r *Run) count(ctx context.Context, t *prv.Trace, ptask int) error {
	m, err := efficiency.Measure(ctx, t, efficiency.Options{Ptask: ptask, NoIdeal: true})
	if err == nil {
		r.rate(m)
	}
	return err
}

// rate takes the counters, the useful time and the factors of the run.
func (r *Run) rate(m *efficiency.Run) {
	r.Instructions, r.Cycles = m.Instructions, m.Cycles
	r.Useful = wide.Sum(m.Useful)
	most, n := int64(0), int64(r.Threads)
	for _, v := range m.Useful {
		most = max(most, v)
	}
	r.factors = Factors{report.RatioOf(r.Useful, wide.Product(m.Runtime, n)),
		report.RatioOf(r.Useful, wide.Product(most, n)), report.Ratio(most, m.Runtime)}
}

// Phases returns the number of phases.
func (r *Run) Phases() int { return len(r.phases) }

// Phase returns the bounds of a phase in ns, and its title.
func (r *Run) Phase(i int) (from, to int64, does string) {
	p := r.phases[i]
	return p.Begin * r.unit, p.End * r.unit, r.phaseName(i)
}

// phaseName names a phase: a step by its number, other phases by what they do.
func (r *Run) phaseName(i int) string {
	p := &r.phases[i]
	return cmp.Or(p.Name, r.groups[p.Group].Name())
}

// Factors are the parallel efficiency and its two factors (POP), as package efficiency measures them, but including the
// time before the first record: mean computing time / run time; mean / maximum computing time of the threads; maximum /
// run time.
type Factors struct{ Parallel, Balance, Communication float64 }

// Factors returns the factors of the run.
func (r *Run) Factors() Factors { return r.factors }
