package remedy

// Computation that takes longer in single executions, or on a whole node: a lost core, a lower clock.

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"pview/insight/cause"
	"pview/insight/report"
	"pview/prv/quantile"
	"pview/prv/quantity"
)

// lost returns the time of a stretch without a core, as in the account, or without counters the time beyond the usual.
func (r *Run) lost(s *cause.Stretch) float64 {
	if !r.Counters {
		return s.Extra
	}
	return r.Lost(s)
}

// tick returns a time too short to conclude anything from: a microsecond.
func (r *Run) tick() float64 { return 1000 / float64(r.Graph.T.Unit.Nanoseconds()) }

// losses returns, by thread, the time without a core and the stretch with most of it, and which thread has the most.
func (r *Run) losses() (sums []float64, largest []*cause.Stretch, worst int) {
	sums, largest = make([]float64, r.threads), make([]*cause.Stretch, r.threads)
	for th, own := range r.ByThread {
		for i := range own {
			if d := r.lost(&own[i]); d > 0 {
				sums[th] += d
				if s := largest[th]; s == nil || d > r.lost(s) {
					largest[th] = &own[i]
				}
			}
		}
		if sums[th] > sums[worst] {
			worst = th
		}
	}
	return sums, largest, worst
}

// noise finds threads that lose their core now and then.
func noise(r *Run) (list []*Candidate) {
	if !r.Counters && r.extrasAreWork() {
		return nil
	}
	sums, largest, worst := r.losses()
	if !r.significant(sums[worst]) {
		return nil
	}
	var threads []int32
	for th, d := range sums {
		if d >= 0.4*sums[worst] || r.Counters && r.significant(d) {
			threads = append(threads, int32(th))
		}
	}
	if len(threads)*2 > r.threads && r.threads > 2 &&
		(!r.Counters || r.lost(largest[worst]) > 0.3*sums[worst]) {
		return nil // the same on all threads, a property of the code, or once, such as reading files
	}
	c := &Candidate{Rule: NoiseID, Kind: report.Noise, Cause: report.ByPreemption, When: report.Periodic,
		Threads: threads, Region: -1,
		Edit: r.NewEdit(), Spec: "own-cores:threads=" + r.specThreads(threads)}
	hits, where := 0, largest[threads[0]]
	for _, th := range threads {
		own, lost := r.ByThread[th], 0.0
		for i := range own {
			if d := r.lost(&own[i]); d > 0 {
				c.Edit.Add(own[i].Node, -int64(d))
				hits++
				lost += d
				c.Evidence = append(c.Evidence, report.Evidence{From: own[i].From, To: own[i].To,
					Threads: []int32{th}, Why: "the core was lost", Cost: d})
			}
		}
		c.Estimate = max(c.Estimate, int64(lost))
		if r.lost(largest[th]) > r.lost(where) {
			where = largest[th]
		}
	}
	r.wordNoise(c, where, sums, hits)
	return []*Candidate{c}
}

// wordNoise describes the noise: where is the largest loss, sums are the losses of the threads.
func (r *Run) wordNoise(c *Candidate, where *cause.Stretch, sums []float64, hits int) {
	how, took := "without cycles", "something else takes the core of"
	if !r.Counters {
		how = "beyond the usual time of the code: counters of cycles would tell whether it had the core"
		took = "noise, it seems: code takes longer than usual on"
	}
	threads := c.Threads
	name := r.RegionName(where.Region)
	if d := r.lost(where); len(threads) == 1 && d >= 0.7*sums[threads[0]] {
		c.When, c.Region = report.Once, where.Region
		verb := "%s on %s was interrupted once, for %s (%s)"
		if !r.Counters {
			verb = "%s on %s took longer once, noise or an interruption, it seems, by %s (%s)"
		}
		c.Title = fmt.Sprintf(verb, name, r.Graph.ThreadName(threads[0]), r.span(d), how)
		c.Advice = "look for what else ran on that core then: noise of the system, a daemon, a page fault"
		return
	}
	who := r.names(threads)
	if node := r.nodeOf(threads); node >= 0 {
		who = fmt.Sprintf("the threads of node %d (%s)", node+1, who)
	}
	c.Title = fmt.Sprintf("%s %s again and again, %s times for %s in all (%s)", took, who,
		quantity.FormatCount(int64(hits)), r.span(sumOf(sums, threads)), how)
	c.Advice = "noise: bind the threads to cores of their own, and look for what else runs there"
}

func sumOf(list []float64, threads []int32) (sum float64) {
	for _, th := range threads {
		sum += list[th]
	}
	return sum
}

// extrasAreWork reports whether, without counters, time beyond the usual is work rather than noise: it is in a row of
// executions, in every second or third, or in one region only, on a different thread each time. Extras that are as long
// in short code as in long code are noise, and so are those of one region on all threads of a node and no others.
func (r *Run) extrasAreWork() bool {
	regular := map[int32]float64{} // by thread
	threads := map[int32][]*cause.Stretch{}
	regions := map[int32]float64{}
	for i := range r.Places {
		c := &r.Places[i]
		for _, th := range c.Threads {
			extras, sum := extrasOf(c.Of[th])
			if extras == nil {
				continue
			}
			threads[th] = append(threads[th], extras...)
			regular[th] += sum
			for _, s := range extras {
				regions[c.Region] += s.Extra
			}
		}
	}
	work, all, one := 0.0, 0.0, 0.0
	for _, th := range slices.Sorted(maps.Keys(threads)) {
		for _, s := range threads[th] {
			all += s.Extra
		}
		if !fixed(threads[th]) {
			work += regular[th]
		}
	}
	for _, d := range regions {
		one = max(one, d)
	}
	return work > 0.5*all || len(threads) > 2 && one > 0.9*all && r.nodeOf(slices.Collect(maps.Keys(threads))) < 0
}

// extrasOf returns a thread's executions of a place that have extras, and the sum of the extras that are consecutive or
// equally spaced throughout.
func extrasOf(list []*cause.Stretch) (extras []*cause.Stretch, regular float64) {
	var at []int
	for k, s := range list {
		if s.Extra > 0 {
			at, extras = append(at, k), append(extras, s)
		}
	}
	even := throughout(at, len(list))
	for i, k := range at {
		if even || i > 0 && at[i-1] == k-1 || i+1 < len(at) && at[i+1] == k+1 {
			regular += list[k].Extra
		}
	}
	return extras, regular
}

// throughout reports whether positions in a list of n are equally spaced from start to end. Fewer than four may be so
// by chance.
func throughout(at []int, n int) bool {
	if len(at) < 4 {
		return false
	}
	d := at[1] - at[0]
	for i := range at[1:] {
		if at[i+1]-at[i] != d {
			return false
		}
	}
	return at[0] < d && at[len(at)-1]+d >= n
}

// fixed reports whether most extras of a thread take the same time, to a tenth, although the code with extras differs
// in length by half or more.
func fixed(extras []*cause.Stretch) bool {
	var times []float64
	shortest, longest := math.Inf(1), 0.0
	for _, s := range extras {
		times = append(times, s.Extra)
		shortest, longest = min(shortest, s.Expected), max(longest, s.Expected)
	}
	if len(times) < 3 || longest < 1.5*shortest {
		return false
	}
	usual, alike := quantile.Median(times), 0
	for _, t := range times {
		if math.Abs(t-usual) <= 0.1*usual {
			alike++
		}
	}
	return 5*alike >= 4*len(times)
}

// clocks finds threads with a lower clock than the others.
func clocks(r *Run) (list []*Candidate) {
	for _, team := range r.teams {
		if c := r.slower(team); c != nil {
			list = append(list, c)
		}
	}
	return list
}

// slower finds the threads of a team with a lower clock than its others; nil if there are none.
func (r *Run) slower(team []int32) *Candidate {
	if !r.Counters || len(team) < 2 {
		return nil
	}
	threads, usual := r.SlowAmong(team)
	if len(threads) == 0 {
		return nil
	}
	c := &Candidate{Rule: ClockID, Kind: report.Imbalance, Cause: report.ByClock, When: report.Steady, Threads: threads,
		Region: -1,
		Edit:   r.NewEdit(), Spec: "clock-as-others:threads=" + r.specThreads(threads)}
	slow := 0.0
	for _, th := range threads {
		f := r.Clock[th]/usual - 1
		slow += 1 + f
		sum := 0.0
		for i := range r.ByThread[th] {
			s := &r.ByThread[th][i]
			d := f * float64(s.Length())
			c.Edit.Add(s.Node, int64(d))
			sum -= d
		}
		c.Estimate = max(c.Estimate, int64(sum))
		c.Evidence = append(c.Evidence, report.Evidence{From: 0, To: r.End, Threads: []int32{th}, Why: "a lower clock",
			Cost: sum})
	}
	who, verb := r.names(threads), "has"
	if len(threads) > 1 {
		verb = "have"
	}
	if node := r.nodeOf(threads); node >= 0 {
		who, verb = fmt.Sprintf("node %d (%s)", node+1, who), "has"
		c.Spec = fmt.Sprintf("clock-as-others:node=%d", node+1)
	}
	c.Title = fmt.Sprintf("%s %s a lower clock than %s: %.2f times as many cycles per second, in all code", who, verb,
		r.othersOf(r.Graph.T.ThreadPtask(threads[0])), slow/float64(len(threads)))
	c.Advice = "look at the node: power limits, temperature, another frequency governor, or a neighbour on its cores"
	return c
}
