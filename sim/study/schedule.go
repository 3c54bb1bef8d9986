package study

// The order of runs (thesis, section 5.3): first come, first served. Whenever a worker is free, the first pending run
// goes to it; among several free workers the one with the shortest response time so far gets it, since that is the best
// measure of a worker's speed and load. No run is bound to a worker in advance.
//
// This file has no clock and starts nothing: Runner reports events to it and executes its assignments.

import (
	"slices"
	"time"
)

// worker executes one run at a time.
type worker struct {
	busy  bool
	ended int           // runs
	spent time.Duration // by them
	gone  bool          // takes no further runs
}

// response returns the mean response time; for a worker that has not ended a run yet 0, so that all are tried.
func (w *worker) response() time.Duration { return w.spent / time.Duration(max(w.ended, 1)) }

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
func (s *schedule) join() { s.workers = append(s.workers, worker{}) }

// free returns the fastest free worker; ok is false if none is free.
func (s *schedule) free() (best int, ok bool) {
	for i := range s.workers {
		w := &s.workers[i]
		if !w.gone && !w.busy && (!ok || w.response() < s.workers[best].response()) {
			best, ok = i, true
		}
	}
	return best, ok
}

// assign gives pending runs to free workers.
func (s *schedule) assign(now time.Duration) (started []assignment) {
	for !s.paused && len(s.pending) > 0 {
		best, ok := s.free()
		if !ok {
			break
		}
		a := assignment{s.pending[0], best, now}
		s.pending = s.pending[1:]
		s.workers[best].busy = true
		s.running = append(s.running, a)
		started = append(started, a)
	}
	return started
}

// take takes the runs that meet a condition off their workers, which are free immediately.
func (s *schedule) take(wanted func(a assignment) bool) (list []assignment) {
	s.running = slices.DeleteFunc(s.running, func(a assignment) bool {
		if !wanted(a) {
			return false
		}
		s.workers[a.worker].busy = false
		list = append(list, a)
		return true
	})
	return list
}

// end takes a run off its worker: it is done or failed. It reports whether the worker was executing it: a killed run,
// or one lost with its worker, may still report.
func (s *schedule) end(a assignment, now time.Duration) bool {
	if len(s.take(func(b assignment) bool { return b == a })) == 0 {
		return false
	}
	w := &s.workers[a.worker]
	w.ended++
	w.spent += now - a.since
	return true
}

// kill takes a run off its worker, or out of the queue.
func (s *schedule) kill(run int) {
	s.pending = slices.DeleteFunc(s.pending, func(r int) bool { return r == run })
	s.take(func(a assignment) bool { return a.run == run })
}

// lose removes a worker and returns its run, if any: it is started next elsewhere.
func (s *schedule) lose(worker int) (lost []int) {
	s.workers[worker].gone = true
	for _, a := range s.take(func(a assignment) bool { return a.worker == worker }) {
		lost = append(lost, a.run)
	}
	s.pending = append(slices.Clone(lost), s.pending...)
	return lost
}
