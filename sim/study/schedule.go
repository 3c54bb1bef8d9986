package study

// The order of runs (thesis, section 5.3): first come, first served. Whenever a worker is free, the first pending run
// goes to it; among several free workers the one with the shortest response time so far gets it, since that is the best
// measure of a worker's speed and load. No run is bound to a worker in advance.
//
// This file has no clock and starts nothing: Runner reports events to it and executes its assignments.

import (
	"math"
	"slices"
	"time"
)

// worker executes up to slots runs at once.
type worker struct {
	name  string
	slots int
	busy  int
	ended int           // runs
	spent time.Duration // by them
	gone  bool          // takes no further runs
}

// response returns the mean response time; for a worker that has not ended a run yet, less than any other, so that all
// are tried.
func (w *worker) response() float64 {
	if w.ended == 0 {
		return math.Inf(-1)
	}
	return float64(w.spent) / float64(w.ended)
}

// assignment is a run that a worker executes.
type assignment struct {
	run, worker int
	since       time.Duration
}

// schedule is the queue of runs and the workers.
type schedule struct {
	workers []worker
	pending []int // first come first
	running []assignment
	paused  bool
}

// add appends runs to the queue.
func (s *schedule) add(runs ...int) { s.pending = append(s.pending, runs...) }

// join adds a worker, which is immediately available.
func (s *schedule) join(name string, slots int) {
	s.workers = append(s.workers, worker{name: name, slots: slots})
}

// assign gives pending runs to free workers.
func (s *schedule) assign(now time.Duration) (started []assignment) {
	for !s.paused && len(s.pending) > 0 {
		best := -1
		for i := range s.workers {
			w := &s.workers[i]
			if !w.gone && w.busy < w.slots && (best < 0 || w.response() < s.workers[best].response()) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		a := assignment{s.pending[0], best, now}
		s.pending = s.pending[1:]
		s.workers[best].busy++
		s.running = append(s.running, a)
		started = append(started, a)
	}
	return started
}

// end takes a run off its worker: it is done, failed or killed. It reports whether the worker was executing it: a
// killed run, or one lost with its worker, may still report.
func (s *schedule) end(a assignment, now time.Duration) bool {
	i := slices.Index(s.running, a)
	if i < 0 {
		return false
	}
	s.running = slices.Delete(s.running, i, i+1)
	w := &s.workers[a.worker]
	w.busy--
	w.ended++
	w.spent += now - a.since
	return true
}

// find returns the execution of a run.
func (s *schedule) find(run int) (assignment, bool) {
	i := slices.IndexFunc(s.running, func(a assignment) bool { return a.run == run })
	if i < 0 {
		return assignment{}, false
	}
	return s.running[i], true
}

// kill takes a run off its worker, whose slot is free immediately, or out of the queue.
func (s *schedule) kill(run int) {
	s.pending = slices.DeleteFunc(s.pending, func(r int) bool { return r == run })
	if a, ok := s.find(run); ok {
		s.running = slices.DeleteFunc(s.running, func(b assignment) bool { return a == b })
		s.workers[a.worker].busy--
	}
}

// lose removes a worker: its runs are started next elsewhere. It returns them.
func (s *schedule) lose(worker int) (lost []int) {
	s.workers[worker].gone, s.workers[worker].busy = true, 0
	for _, a := range s.running {
		if a.worker == worker {
			lost = append(lost, a.run)
		}
	}
	s.running = slices.DeleteFunc(s.running, func(a assignment) bool { return a.worker == worker })
	s.pending = append(slices.Clone(lost), s.pending...)
	return lost
}
