package study

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"
)

// The checks P15 to P17, on a virtual clock: a loop that shows the schedule one event after the other.

// clock runs a schedule of jobs whose length depends on the worker.
type clock struct {
	s        schedule
	names    []string                 // of the workers
	length   map[string]time.Duration // by worker
	now      time.Duration
	ends     []ending
	log      map[string][]int // runs that each worker ended, from 1
	finished time.Duration
	events   map[time.Duration]func()
}

type ending struct {
	assignment
	at time.Duration
}

func newClock(jobs int, workers ...string) *clock {
	c := &clock{length: map[string]time.Duration{"A": time.Second, "B": 3 * time.Second, "C": time.Second},
		log: map[string][]int{}, events: map[time.Duration]func(){}}
	for _, w := range workers {
		c.join(w)
	}
	for i := range jobs {
		c.s.add(i)
	}
	return c
}

func (c *clock) join(name string) {
	c.names = append(c.names, name)
	c.s.join()
}

// run lets time pass until nothing runs any more. All that happens at one moment happens before runs are assigned.
func (c *clock) run() {
	for {
		for _, a := range c.s.assign(c.now) {
			c.ends = append(c.ends, ending{a, c.now + c.length[c.names[a.worker]]})
		}
		next := time.Duration(-1)
		for _, e := range c.ends {
			if next < 0 || e.at < next {
				next = e.at
			}
		}
		for at := range c.events {
			if next < 0 || at < next {
				next = at
			}
		}
		if next < 0 {
			return
		}
		c.now = next
		if f := c.events[next]; f != nil {
			delete(c.events, next)
			f()
		}
		c.ends = slices.DeleteFunc(c.ends, func(e ending) bool {
			if e.at > next {
				return false
			}
			if c.s.end(e.assignment, next) {
				w := c.names[e.worker]
				c.log[w], c.finished = append(c.log[w], e.run+1), next
			}
			return true
		})
	}
}

func (c *clock) check(t *testing.T, end time.Duration, want map[string][]int) {
	t.Helper()
	if !reflect.DeepEqual(c.log, want) || c.finished != end {
		t.Errorf("%v at %v, not %v at %v", c.log, c.finished, want, end)
	}
}

// TestP15: A takes 1 s for a job, B 3 s; at 3 s both are free, and A gets job 5, having been faster.
func TestP15(t *testing.T) {
	c := newClock(8, "A", "B")
	c.run()
	c.check(t, 6*time.Second, map[string][]int{"A": {1, 3, 4, 5, 7, 8}, "B": {2, 6}})

	c = newClock(8, "B", "A")
	c.run()
	c.check(t, 6*time.Second, map[string][]int{"A": {2, 3, 4, 5, 7, 8}, "B": {1, 6}})
}

// TestP16: B is lost after 1 s, and A, which is free then, takes its job 2 before job 3; or C appears after 2 s and
// takes the first that waits: jobs 1 and 3 have been A's, 2 is B's, and C is tried before A, which is free at that
// moment, too: job 4.
func TestP16(t *testing.T) {
	c := newClock(8, "A", "B")
	c.events[time.Second] = func() {
		if lost := c.s.lose(1); !slices.Equal(lost, []int{1}) {
			t.Errorf("lost %v", lost)
		}
	}
	c.run()
	c.check(t, 8*time.Second, map[string][]int{"A": {1, 2, 3, 4, 5, 6, 7, 8}})

	c = newClock(8, "A", "B")
	c.events[2*time.Second] = func() { c.join("C") }
	c.run()
	if first := c.log["C"]; len(first) == 0 || first[0] != 4 {
		t.Errorf("C: %v; the first pending job is 4", first)
	}
}

// TestP17: a killed job frees its worker at once; started again, it comes last. A suspended one keeps its worker, and
// ends as much later.
func TestP17(t *testing.T) {
	c := newClock(4, "B")
	c.events[time.Second] = func() {
		c.s.kill(0) // job 2 begins at 1 s
		c.s.add(0)
	}
	c.run()
	c.check(t, 13*time.Second, map[string][]int{"B": {2, 3, 4, 1}})

	c = newClock(3, "A")
	c.events[500*time.Millisecond] = func() { c.ends[0].at += 5 * time.Second }
	c.run()
	c.check(t, 8*time.Second, map[string][]int{"A": {1, 2, 3}})
}

// TestPauses: nothing is assigned while the study is paused.
func TestPauses(t *testing.T) {
	c := newClock(3, "A")
	c.events[500*time.Millisecond] = func() { c.s.paused = true }
	c.events[4*time.Second] = func() { c.s.paused = false }
	c.run()
	c.check(t, 6*time.Second, map[string][]int{"A": {1, 2, 3}})
	if got := fmt.Sprint(c.s.pending); got != "[]" {
		t.Error(got)
	}
}

// TestFree: the worker with the shortest mean response time is first, one that has not ended a run before all others,
// and the first of equals.
func TestFree(t *testing.T) {
	for _, c := range []struct {
		workers []worker
		best    int
		ok      bool
	}{
		{nil, 0, false},
		{[]worker{{busy: true}, {gone: true}}, 0, false},
		{[]worker{{busy: true}, {}}, 1, true},
		{[]worker{{}, {}}, 0, true},
		{[]worker{{ended: 1, spent: 1}, {}}, 1, true},
		{[]worker{{ended: 1, spent: 3}, {ended: 2, spent: 4}}, 1, true}, // 3 and 2
		{[]worker{{ended: 1, spent: 2}, {ended: 2, spent: 6}}, 0, true}, // 2 and 3
		{[]worker{{ended: 3, spent: 6}, {ended: 2, spent: 4}}, 0, true}, // 2 and 2
	} {
		s := schedule{workers: c.workers}
		if best, ok := s.free(); best != c.best || ok != c.ok {
			t.Errorf("%+v: %d, %v", c.workers, best, ok)
		}
	}
}
