package cause

// What is usual: the clock of each thread, and the time of each class by iteration and thread. Time far beyond it is
// extra: a lost core, an execution with more work.

import (
	"math"
	"slices"

	"pview/insight/eventgraph"
	"pview/prv/quantile"
)

// spread returns the median distance from a centre, times 1.4826: the standard deviation of a normal distribution.
func spread(list []float64, centre float64) float64 {
	far := make([]float64, len(list))
	for i, v := range list {
		far[i] = math.Abs(v - centre)
	}
	return 1.4826 * quantile.Median(far)
}

// findClocks finds the usual clock of each thread, which it reaches in at least a quarter of its time: time without
// cycles makes clocks lower, nothing makes them higher. A thread that has the clock of the others in some of its code
// has it in all of it: something takes its core while it executes the rest.
func (r *Run) findClocks() {
	r.Clock = make([]float64, len(r.ByThread))
	if !r.Counters {
		return
	}
	best, all := make([]float64, len(r.ByThread)), make([]int32, len(r.ByThread))
	for th, list := range r.ByThread {
		r.Clock[th], best[th] = clocksOf(list)
		all[th] = int32(th)
	}
	slow, usual := r.SlowAmong(all)
	for _, th := range slow {
		if best[th] >= eventgraph.SameClock*usual {
			r.Clock[th] = min(best[th], usual)
		}
	}
}

// SlowAmong returns those threads of a list with a lower clock than the others; usual is the others' clock, which a
// quarter of them may exceed.
func (r *Run) SlowAmong(threads []int32) (slow []int32, usual float64) {
	clocks := make([]float64, len(threads))
	for i, th := range threads {
		clocks[i] = r.Clock[th]
	}
	slices.Sort(clocks)
	usual = clocks[len(clocks)*3/4]
	for _, th := range threads {
		if r.Clock[th] > 0 && r.Clock[th] < eventgraph.SameClock*usual {
			slow = append(slow, th)
		}
	}
	return slow, usual
}

// clocksOf returns the clocks that a thread reaches in at least a quarter and in at least a twentieth of its time.
func clocksOf(list []Stretch) (usual, best float64) {
	var rates eventgraph.Rates
	for i := range list {
		rates.Add(list[i].Cycles, float64(list[i].Length()))
	}
	clocks := rates.Clocks(0.25, 0.05)
	return clocks[0], clocks[1]
}

// Lost returns the time of a stretch without a core, if counters show it.
func (r *Run) Lost(s *Stretch) float64 { return float64(r.Graph.Without(s.Thread, s.From, s.To)) }

// expectAll finds the expected times of all stretches.
func (r *Run) expectAll() {
	for i := range r.Places {
		r.expect(&r.Places[i])
	}
}

// beyond is the number of standard deviations from which a time is no chance, and atLeast the minimum share of the
// expected time.
const (
	beyond  = 6
	atLeast = 0.05
)

// expect finds the expected time of the stretches of a place: the median over the threads at that iteration, times the
// usual ratio of this thread to it. If the threads do not execute it equally often, it is the thread's own median.
func (r *Run) expect(c *Class) {
	ratio := make([]float64, len(c.Of))
	usual := make([]float64, c.Count)
	if c.Count > 0 && len(c.Threads) > 2 {
		column := make([]float64, len(c.Threads))
		for k := range usual {
			for i, th := range c.Threads {
				column[i] = float64(c.Of[th][k].Length())
			}
			usual[k] = quantile.Median(column)
		}
	} else {
		usual = nil
	}
	for _, th := range c.Threads {
		list := make([]float64, len(c.Of[th]))
		for k, s := range c.Of[th] {
			list[k] = float64(s.Length())
			if usual != nil {
				list[k] /= max(1, usual[k])
			}
		}
		ratio[th] = quantile.Median(list)
	}
	var off []float64
	for _, th := range c.Threads {
		for k, s := range c.Of[th] {
			if s.Expected = ratio[th]; usual != nil {
				s.Expected *= usual[k]
			}
			if s.Expected > 0 {
				off = append(off, float64(s.Length())/s.Expected-1)
			}
		}
	}
	chance := max(atLeast, beyond*spread(off, 0))
	for _, th := range c.Threads {
		for _, s := range c.Of[th] {
			if over := float64(s.Length()) - s.Expected; over > chance*s.Expected {
				s.Extra = over
			}
		}
	}
}
