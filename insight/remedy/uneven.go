package remedy

// Computation that takes longer on some threads than on others: uneven work, fewer instructions per cycle, a different
// thread each time.

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pview/insight/cause"
	"pview/insight/report"
	"pview/prv/quantile"
)

// excess is the extra time in a region of a group's threads over the others of their application.
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

// sums returns the sums of a region by thread of an application, without time off the core.
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
	x.group, x.others = split(who, times, Smallest*float64(r.End)/2)
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

// split divides threads into those with more and those with less time, at the widest gap; empty if no gap stands out.
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
	if at == 0 {
		return nil, nil
	}
	// The times below the gap must differ only by chance.
	var low []float64
	for _, i := range order[:at] {
		low = append(low, times[i])
	}
	centre := quantile.Median(low)
	sum := 0.0
	for _, t := range low {
		sum += (t - centre) * (t - centre)
	}
	chance := math.Sqrt(sum / float64(len(low)))
	if widest < least || widest < 3*chance || widest < 0.008*centre || 3*at < len(order) {
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

// leveller spreads an excess evenly, or removes it if it is not work.
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

// wordExcess says which threads take longer, where, why and when, and what to do.
func (r leveller) wordExcess(c *Candidate, name, why string) {
	who := r.names(r.group)
	if node := r.nodeOf(r.group); node >= 0 {
		who = fmt.Sprintf("all threads of node %d (%s)", node+1, who)
	}
	when := map[report.When]string{report.Growing: ", more and more over time",
		report.Shrinking: ", less and less over time",
		report.InPart:    ", in less than half of the executions"}[c.When]
	c.Title = fmt.Sprintf("%s takes longer on %s than on %s%s: %s", name, who, r.othersOf(r.ptask), when, why)
	switch {
	case c.Cause == report.ByIPC:
		c.Advice = "look at memory and cache there: NUMA placement, bandwidth, alignment, another data layout"
		c.Spec = fmt.Sprintf("ipc-as-others:region=%s/threads=%s", name, r.specThreads(r.group))
	case c.Cause == report.ByClock:
		c.Advice = "look at the clock of the node"
		c.Spec = fmt.Sprintf("clock-as-others:region=%s/threads=%s", name, r.specThreads(r.group))
	case c.When == report.Growing || c.When == report.Shrinking:
		c.Advice = "uneven work that changes over time: repartition it during the run"
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

// level changes the stretches of a class: the group loses its excess over the others, which take a share of it if it is
// work to spread.
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

// over returns the mean excess of the group in a class by execution; nil if the group does not execute it.
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
	usual := 0.0 // if executions cannot be aligned: per execution on a thread of the group
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

// still spreads the excess that single threads have in turn, and returns its sum.
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
