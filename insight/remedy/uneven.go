package remedy

// Computation that takes longer on some threads than on others: uneven work, fewer instructions per cycle, a lower
// clock, a core that was taken away, another thread each time.

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pview/insight/cause"
	"pview/insight/report"
	"pview/prv/quantile"
	"pview/prv/quantity"
)

// lost returns the time of a stretch without a core, as the account has it, or without counters the time beyond what is
// usual.
func (r *Run) lost(s *cause.Stretch) float64 {
	if !r.Counters {
		return s.Extra
	}
	return r.Lost(s)
}

// tick returns a time too short to conclude anything from: a microsecond.
func (r *Run) tick() float64 { return 1000 / float64(r.Graph.T.Unit.Nanoseconds()) }

// noise finds threads whose core was taken away now and then.
func noise(r *Run) (list []*Candidate) {
	if !r.Counters && r.extrasAreWork() {
		return nil
	}
	sums := make([]float64, r.threads)
	var most float64
	largest := make([]*cause.Stretch, r.threads)
	for th, own := range r.ByThread {
		for i := range own {
			if d := r.lost(&own[i]); d > 0 {
				sums[th] += d
				if s := largest[th]; s == nil || d > r.lost(s) {
					largest[th] = &own[i]
				}
			}
		}
		most = max(most, sums[th])
	}
	if !r.significant(most) {
		return nil
	}
	var threads []int32
	for th, d := range sums {
		if d >= 0.4*most {
			threads = append(threads, int32(th))
		}
	}
	if one := threads[0]; len(threads)*2 > r.threads && r.threads > 2 &&
		(!r.Counters || r.lost(largest[one]) > 0.3*sums[one]) {
		return nil // on all alike, a property of the code, or once, as where all read their files
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
					Threads: []int32{th}, Why: "the core was taken away", Cost: d})
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

// wordNoise says what takes the time of threads: where is the largest loss, sums are those of the threads.
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

// extrasAreWork reports whether, without counters, what is beyond the usual time is work rather than noise: a row of
// executions has it, or only one region has it and another thread each time.
func (r *Run) extrasAreWork() bool {
	together, all := 0.0, 0.0
	threads := map[int32]bool{}
	regions := map[int32]float64{}
	for i := range r.Places {
		c := &r.Places[i]
		for _, th := range c.Threads {
			for k, s := range c.Of[th] {
				if s.Extra == 0 {
					continue
				}
				all += s.Extra
				threads[th] = true
				regions[c.Region] += s.Extra
				if k > 0 && c.Of[th][k-1].Extra > 0 || k+1 < len(c.Of[th]) && c.Of[th][k+1].Extra > 0 {
					together += s.Extra
				}
			}
		}
	}
	one := 0.0
	for _, d := range regions {
		one = max(one, d)
	}
	return together > 0.5*all || len(threads) > 2 && one > 0.9*all
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

// excess is the time by which the threads of a group are longer in a region than the others of their application.
type excess struct {
	region       int32
	ptask        int32
	group        []int32
	others       []int32
	mine, theirs cause.Sums // by thread, mean
}

// at reports whether a class is that of the region in the application.
func (x *excess) at(k *cause.Class) bool { return k.Region == x.region && k.Ptask == x.ptask }

// uneven finds regions that take longer on some threads than on the others.
func uneven(r *Run) (list []*Candidate) {
	for _, region := range r.regions() {
		for ptask := range r.Graph.T.Ptasks {
			if x := r.excessIn(region, int32(ptask)); x != nil {
				list = append(list, leveller{r, x}.candidate())
			}
		}
	}
	return list
}

// regions returns the regions with significant time on a thread.
func (r *Run) regions() (list []int32) {
	most := map[int32]int64{}
	for i := range r.Places {
		c := &r.Places[i]
		if _, ok := most[c.Region]; !ok {
			list = append(list, c.Region)
		}
		most[c.Region] += c.Total
	}
	list = slices.DeleteFunc(list, func(region int32) bool { return !r.significant(float64(most[region])) })
	slices.Sort(list)
	return list
}

// sums returns the sums of a region by thread of an application, without time that the core was taken away.
func (r *Run) sums(region, ptask int32) []cause.Sums {
	all := make([]cause.Sums, r.threads)
	for i := range r.Places {
		c := &r.Places[i]
		if c.Region != region || c.Ptask != ptask {
			continue
		}
		for _, th := range c.Threads {
			for _, s := range c.Of[th] {
				all[th].Add(s)
				if r.Counters {
					all[th].Time -= r.lost(s)
				}
			}
		}
	}
	return all
}

// excessIn finds the threads of an application that take longer in a region; nil if none does.
func (r *Run) excessIn(region, ptask int32) *excess {
	all := r.sums(region, ptask)
	var times []float64
	var who []int32
	for th := range all {
		if all[th].Time > 0 {
			times, who = append(times, all[th].Time), append(who, int32(th))
		}
	}
	if len(who) < 2 {
		return nil
	}
	x := &excess{region: region, ptask: ptask}
	x.group, x.others = split(who, times, smallest*float64(r.End)/2)
	if len(x.group) == 0 {
		return nil
	}
	for _, th := range x.group {
		x.mine = plus(x.mine, all[th])
	}
	for _, th := range x.others {
		x.theirs = plus(x.theirs, all[th])
	}
	x.mine, x.theirs = x.mine.Scaled(len(x.group)), x.theirs.Scaled(len(x.others))
	return x
}

// split divides threads in those with more and those with less time, at the widest gap; none where no gap stands out.
func split(who []int32, times []float64, least float64) (more, less []int32) {
	order := make([]int, len(who))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(times[x], times[y]) })
	at, widest := 0, 0.0
	for i := 1; i < len(order); i++ {
		if gap := times[order[i]] - times[order[i-1]]; gap > widest {
			at, widest = i, gap
		}
	}
	// Those below the gap must be close together, by chance alone.
	var low []float64
	for _, i := range order[:at] {
		low = append(low, times[i])
	}
	centre := quantile.Median(low)
	sum, n := 0.0, 0
	for _, t := range low {
		sum += (t - centre) * (t - centre)
		n++
	}
	chance := math.Sqrt(sum / float64(max(1, n)))
	if at == 0 || widest < least || widest < 3*chance || widest < 0.008*centre || 3*at < len(order) {
		return nil, nil
	}
	for k, i := range order {
		if k < at {
			less = append(less, who[i])
		} else {
			more = append(more, who[i])
		}
	}
	slices.Sort(more)
	slices.Sort(less)
	return more, less
}

func plus(a, b cause.Sums) cause.Sums {
	return cause.Sums{Executions: a.Executions + b.Executions, Time: a.Time + b.Time,
		Instructions: a.Instructions + b.Instructions, Cycles: a.Cycles + b.Cycles}
}

// leveller spreads an excess evenly, or takes it away where it is no work.
type leveller struct {
	*Run
	*excess
}

// candidate makes the candidate.
func (r leveller) candidate() *Candidate {
	parts := cause.Divide(r.mine, r.theirs)
	c := &Candidate{Rule: GrainImbalanceID, Kind: report.Imbalance, When: report.Steady, Threads: r.group,
		Region: r.region, Edit: r.NewEdit()}
	name := r.RegionName(r.region)
	var why string
	switch most := max(parts.Executions+parts.Instructions, parts.IPC, parts.Clock); {
	case parts.Other > parts.Executions:
		why = fmt.Sprintf("%s per thread instead of %s; counters would tell why", r.span(r.mine.Time),
			r.span(r.theirs.Time))
	case most == parts.IPC:
		c.Cause = report.ByIPC
		why = fmt.Sprintf("%.2f times as many cycles for the same instructions: IPC %.2f, others %.2f",
			r.theirs.IPC()/r.mine.IPC(), r.mine.IPC(), r.theirs.IPC())
	case most == parts.Clock:
		c.Cause = report.ByClock
		why = "a lower clock"
	default:
		c.Cause = report.ByWork
		why = fmt.Sprintf("%.2f times as many instructions", r.mine.Instructions/r.theirs.Instructions)
		if r.mine.Instructions == 0 || parts.Executions > parts.Instructions {
			c.Rule = CountImbalanceID
			why = fmt.Sprintf("%.4g executions per thread, others %.4g", r.mine.Executions, r.theirs.Executions)
		}
	}
	spread := c.Cause != report.ByIPC && c.Cause != report.ByClock
	aligned := true
	for i := range r.Places {
		aligned = aligned && (!r.at(&r.Places[i]) || r.Places[i].Count > 0)
	}
	if !aligned {
		r.scale(c, spread)
	}
	for i := range r.Places {
		if k := &r.Places[i]; aligned && r.at(k) {
			r.level(c, k, spread)
		}
	}
	r.wordExcess(c, name, why)
	return c
}

// wordExcess says who takes longer where, why, when, and what to do.
func (r leveller) wordExcess(c *Candidate, name, why string) {
	who := r.names(r.group)
	if node := r.nodeOf(r.group); node >= 0 {
		who = fmt.Sprintf("all threads of node %d (%s)", node+1, who)
	}
	when := map[report.When]string{report.Growing: ", more and more over time",
		report.Shrinking: ", less and less over time",
		report.InPart:    ", in a part of the run"}[c.When]
	c.Title = fmt.Sprintf("%s takes longer on %s than on %s: %s%s", name, who, r.othersOf(r.ptask), why, when)
	switch {
	case c.Cause == report.ByIPC:
		c.Advice = "look at memory and cache there: NUMA placement, bandwidth, alignment, another data layout"
		c.Spec = fmt.Sprintf("ipc-as-others:region=%s/threads=%s", name, r.specThreads(r.group))
	case c.Cause == report.ByClock:
		c.Advice = "look at the clock of the node"
		c.Spec = fmt.Sprintf("clock-as-others:region=%s/threads=%s", name, r.specThreads(r.group))
	case c.When == report.Growing || c.When == report.Shrinking:
		c.Advice = "uneven work that changes over time: repartition it as the run goes on"
		c.Spec = "balance:region=" + name
	default:
		c.Advice = "uneven work: distribute it evenly over the threads"
		c.Spec = "balance:region=" + name
	}
}

// scale changes the stretches of a region that the threads do not execute equally often.
func (r leveller) scale(c *Candidate, spread bool) {
	part := 0.0
	if spread {
		part = float64(len(r.group)) / float64(len(r.group)+len(r.others))
	}
	over := r.mine.Time - r.theirs.Time
	change := func(thread int32, f float64) {
		r.eachOf(r.region, thread, func(s *cause.Stretch) { c.Edit.Add(s.Node, int64(f*float64(s.Length()))) })
	}
	for _, th := range r.group {
		change(th, -over*(1-part)/max(1, r.mine.Time))
		r.eachOf(r.region, th, func(s *cause.Stretch) {
			c.Evidence = append(c.Evidence, report.Evidence{From: s.From, To: s.To, Threads: []int32{th},
				Why:  "an execution",
				Cost: float64(s.Length())})
		})
	}
	for _, th := range r.others {
		change(th, over*part/max(1, r.theirs.Time))
	}
	c.Estimate = int64(over * (1 - part))
}

// level changes the stretches of a class: those of the group lose what they take more than the others, which take a
// share of it if it is work that is spread.
func (r leveller) level(c *Candidate, k *cause.Class, spread bool) {
	over := r.over(k)
	if over == nil {
		return
	}
	if when := whenOf(over); when != report.Steady && k.Total > 0 && !slices.Contains([]report.When{report.Growing,
		report.Shrinking}, c.When) {
		c.When = when
	}
	fit := over
	part := 0.0
	if spread {
		part = float64(len(r.group)) / float64(len(r.group)+len(r.others))
	}
	total := 0.0
	for n := range fit {
		for _, th := range r.group {
			if n < len(k.Of[th]) {
				c.Edit.Add(k.Of[th][n].Node, -int64(math.Ceil(fit[n]*(1-part))))
			}
		}
		total += fit[n] * (1 - part)
		for _, th := range r.others {
			if part > 0 && n < len(k.Of[th]) {
				c.Edit.Add(k.Of[th][n].Node, int64(math.Floor(fit[n]*part)))
			}
		}
	}
	c.Estimate += int64(max(0, total))
	th, worst := r.group[0], (*cause.Stretch)(nil)
	for _, s := range k.Of[th] {
		if worst == nil || s.Length() > worst.Length() {
			worst = s
		}
	}
	if worst != nil {
		c.Evidence = append(c.Evidence, report.Evidence{From: worst.From, To: worst.To, Threads: []int32{th},
			Why: "the longest execution", Cost: float64(worst.Length())})
	}
}

// over returns the time by which the group is longer in a class, on average, by execution; nil where it is not in the
// class.
func (r leveller) over(k *cause.Class) []float64 {
	n := 0
	for _, th := range r.group {
		n = max(n, len(k.Of[th]))
	}
	if n == 0 {
		return nil
	}
	length := func(s *cause.Stretch) float64 {
		if r.Counters {
			return float64(s.Length()) - r.lost(s)
		}
		return float64(s.Length())
	}
	over := make([]float64, n)
	var column []float64
	usual := 0.0 // where executions cannot be aligned: per execution of a thread of the group
	if k.Count == 0 {
		var totals []float64
		for _, th := range r.others {
			sum := 0.0
			for _, s := range k.Of[th] {
				sum += length(s)
			}
			totals = append(totals, sum)
		}
		usual = quantile.Median(totals) / float64(n)
	}
	for i := range over {
		mine, count := 0.0, 0
		for _, th := range r.group {
			if i < len(k.Of[th]) {
				mine += length(k.Of[th][i])
				count++
			}
		}
		if over[i] = mine/float64(max(1, count)) - usual; k.Count == 0 {
			continue
		}
		column = column[:0]
		for _, th := range r.others {
			if i < len(k.Of[th]) {
				column = append(column, length(k.Of[th][i]))
			}
		}
		over[i] -= quantile.Median(column)
	}
	return over
}

// whenOf says how an excess is spread over the executions.
func whenOf(over []float64) report.When {
	n := len(over)
	if n < 5 {
		return report.Steady
	}
	mean := 0.0
	for _, v := range over {
		mean += v / float64(n)
	}
	if mean <= 0 {
		return report.Steady
	}
	slope, corr := trend(over)
	switch change := slope * float64(n-1) / mean; {
	case corr > 0.75 && change > 0.8:
		return report.Growing
	case corr < -0.75 && change < -0.8:
		return report.Shrinking
	}
	high := 0
	for _, v := range over {
		if v > 0.25*mean {
			high++
		}
	}
	if high*2 < n {
		return report.InPart
	}
	return report.Steady
}

// trend returns the slope of a series and its correlation with the index.
func trend(list []float64) (slope, corr float64) {
	n := float64(len(list))
	mx, my := (n-1)/2, 0.0
	for _, v := range list {
		my += v / n
	}
	var xx, yy, xy float64
	for i, v := range list {
		dx, dy := float64(i)-mx, v-my
		xx, yy, xy = xx+dx*dx, yy+dy*dy, xy+dx*dy
	}
	if xx == 0 || yy == 0 {
		return 0, 0
	}
	return xy / xx, xy / math.Sqrt(xx*yy)
}

// moving finds regions in which another thread takes longer each time.
func moving(r *Run) (list []*Candidate) {
	if !r.Counters && !r.extrasAreWork() {
		return nil
	}
	for _, region := range r.regions() {
		c := &Candidate{Rule: GrainImbalanceID, Kind: report.Imbalance, When: report.Moving, Region: region,
			Edit: r.NewEdit()}
		sum := 0.0
		for i := range r.Places {
			if k := &r.Places[i]; k.Region == region && r.moves(k) {
				sum += r.still(c, k)
			}
		}
		if sum == 0 {
			continue
		}
		name := r.RegionName(region)
		c.Spec = "balance:region=" + name + ":each"
		who, why := "the thread that takes longest", "; counters would tell why"
		if r.Counters {
			c.Cause, who, why = report.ByWork, "the thread with more work", ""
		}
		c.Title = fmt.Sprintf("%s is uneven, and %s moves: another thread each time, %s in all%s", name, who,
			r.span(sum), why)
		c.Advice = "balance each iteration for itself: the sums of the threads hide it"
		list = append(list, c)
	}
	return list
}

// moves reports whether most executions of a place take longer on some thread, and not always on the same.
func (r *Run) moves(k *cause.Class) bool {
	if k.Count < 3 || len(k.Threads) < 3 || !r.significant(float64(k.Total)) {
		return false
	}
	hit, sum, times := map[int32]float64{}, 0.0, 0
	for n := range k.Count {
		some := false
		for _, th := range k.Threads {
			if s := k.Of[th][n]; s.Extra > 0 && (!r.Counters || r.lost(s) < s.Extra/2) {
				hit[th] += s.Extra
				sum += s.Extra
				some = true
			}
		}
		if some {
			times++
		}
	}
	most := 0.0
	for _, d := range hit {
		most = max(most, d)
	}
	return len(hit) >= 3 && 2*times >= k.Count && most <= 0.6*sum
}

// still spreads what single threads take longer in turn, and returns the sum of that.
func (r *Run) still(c *Candidate, k *cause.Class) (sum float64) {
	for n := range k.Count {
		most := 0.0
		for _, th := range k.Threads {
			s := k.Of[th][n]
			if s.Extra == 0 {
				continue
			}
			sum += s.Extra
			share := s.Extra / float64(len(k.Threads))
			c.Edit.Add(s.Node, -int64(s.Extra))
			for _, other := range k.Threads {
				c.Edit.Add(k.Of[other][n].Node, int64(share))
			}
			most = max(most, s.Extra-share)
			c.Evidence = append(c.Evidence, report.Evidence{From: s.From, To: s.To, Threads: []int32{th},
				Why: "longer than on the others", Cost: s.Extra})
		}
		c.Estimate += int64(most)
	}
	return sum
}
