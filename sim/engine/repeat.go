package engine

// Closed workloads: applications that restart when they end, which keeps the load constant during the measurement.

import (
	"fmt"

	"pview/sim"
)

// lopsided bounds the runs of an application, as a multiple of the requested number: beyond it, another is starving.
const lopsided = 1000

// endlessPasses bounds the restarts of a thread without time passing: beyond it, the loop is endless.
const endlessPasses = 10000

// repetition is the state of a closed workload.
type repetition struct {
	*engine
	sim.Repeat
	passes []int32 // by thread: number of ends
	still  []int32 // by thread: ends without time passing
	ended  []int64 // by thread: time of the last end, ns
	apps   []repeated
	short  int // applications that need further runs
	over   bool
	err    error
}

// repeated is an application of a closed workload.
type repeated struct {
	ends   []int64 // of its runs, ns
	behind int     // threads that have not completed the current run
}

// newRepetition returns nil if nothing repeats.
func newRepetition(e *engine) (*repetition, error) {
	r := e.opt.Repeat
	if r.What == sim.RepeatNothing {
		return nil, nil
	}
	if r.Runs < 1 && r.Until <= 0 {
		return nil, fmt.Errorf("a closed workload without end: neither a number of runs nor a time")
	}
	if r.Runs < 1 {
		r.Runs = 1 << 30
	}
	x := &repetition{engine: e, Repeat: r, passes: make([]int32, len(e.threads)), still: make([]int32, len(e.threads)),
		ended: make([]int64, len(e.threads))}
	for _, pt := range e.p.Ptasks {
		threads := e.threadsOf(pt)
		for i := threads.first; i < threads.end; i++ {
			if len(e.threads[i].kind) == 0 {
				return nil, fmt.Errorf("a closed workload of a thread without records (%s)", e.p.ThreadName(i))
			}
		}
		x.apps = append(x.apps, repeated{behind: int(threads.end - threads.first)})
		if threads.end > threads.first && !e.leftOut(&e.threads[threads.first]) {
			x.short++
		}
	}
	return x, nil
}

// ends reports whether the simulation is over before the next event.
func (r *repetition) ends() bool { return r.over || r.Until > 0 && r.Now > r.Until }

// progress is in thousandths of the runs, or of the time.
func (r *repetition) progress(now float64) (done, total int64) {
	least := r.Runs
	for i := range r.apps {
		least = min(least, len(r.apps[i].ends))
	}
	share := float64(least) / float64(r.Runs)
	if r.Until > 0 {
		share = max(share, now/r.Until)
	}
	return int64(1000 * share), 1000
}

type threadRange struct{ first, end int32 }

func (e *engine) threadsOf(pt sim.Ptask) (r threadRange) {
	if pt.Tasks > 0 {
		last := e.p.Tasks[pt.FirstTask+pt.Tasks-1]
		r.first, r.end = e.p.Tasks[pt.FirstTask].FirstThread, last.FirstThread+last.Threads
	}
	return r
}

// passed: a thread has ended, and restarts immediately or with the rest of its application.
func (r *repetition) passed(i int32, t *thread) {
	app := r.p.Tasks[t.task].Ptask
	a := &r.apps[app]
	r.passes[i]++
	if r.still[i]++; r.nowNS > r.ended[i] {
		r.still[i], r.ended[i] = 0, r.nowNS
	}
	if r.still[i] > endlessPasses {
		r.err = fmt.Errorf("a closed workload of thread %s, which takes no time", r.p.ThreadName(i))
		r.over = true
		return
	}
	if int(r.passes[i]) == len(a.ends)+1 {
		a.behind--
	}
	runs := a.behind == 0
	if runs {
		r.runDone(r.p.Ptasks[app], a)
	}
	switch {
	case r.What == sim.RepeatThreads:
		r.rewind(i, t)
	case runs:
		threads := r.threadsOf(r.p.Ptasks[app])
		if t.onCPU {
			r.cpus.leave(t)
		}
		for k := threads.first; k < threads.end; k++ {
			r.rewind(k, &r.threads[k])
		}
	default:
		r.setState(i, t, sim.StateIdle)
	}
}

// runDone counts a run, and the threads that have not completed the next one yet.
func (r *repetition) runDone(pt sim.Ptask, a *repeated) {
	a.ends = append(a.ends, r.nowNS)
	if len(a.ends) == r.Runs {
		r.short--
	}
	r.over = r.short == 0 || len(a.ends)/lopsided >= r.Runs
	threads := r.threadsOf(pt)
	for k := threads.first; k < threads.end; k++ {
		if int(r.passes[k]) == len(a.ends) {
			a.behind++
		}
	}
}

// rewind restarts a thread.
func (r *repetition) rewind(i int32, t *thread) {
	t.pc, t.started, t.idle, t.joined = 0, false, false, false
	t.modules = t.modules[:0]
	r.records.loadWork(t)
	t.requeue = true
	r.cpus.ready(i, t)
}

// stopAt ends the simulation, with threads in mid-activity, after all events of that instant.
func (r *repetition) stopAt(now float64) error {
	r.Now = now
	if !r.over {
		r.Now = r.Until
		r.nowNS = wholeNS(r.Now)
	}
	for i := range r.threads {
		t := &r.threads[i]
		if t.done {
			continue
		}
		if t.onCPU && !t.switching && t.phase != spinning {
			r.cpus.undo(t)
		}
		r.end(int32(i), t)
	}
	return r.err
}
