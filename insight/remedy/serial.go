package remedy

// Code that only some threads execute while the others wait, and code that all execute identically although once would
// do.

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pview/insight/cause"
	"pview/insight/replay"
	"pview/insight/report"
	"pview/insight/waits"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/quantile"
	"pview/prv/quantity"
)

// serial finds regions that few threads of an application execute.
func serial(r *Run) (list []*Candidate) {
	for _, team := range r.teams {
		if len(team) > 1 {
			list = append(list, r.serialIn(team)...)
		}
	}
	return list
}

func (r *Run) serialIn(team []int32) (list []*Candidate) {
	ptask := r.Graph.T.ThreadPtask(team[0])
	for _, region := range r.regions() {
		all := r.sums(region, ptask)
		most := 0.0
		for th := range all {
			most = max(most, all[th].Time)
		}
		var who []int32
		times := 0.0
		for th := range all {
			if all[th].Time > 0.1*most {
				who = append(who, int32(th))
				times += all[th].Executions
			}
		}
		rest := others(team, who)
		if len(who) == 0 || len(who)*2 > len(team) {
			continue
		}
		meanwhile := r.meanwhile(region, who, rest)
		if meanwhile.busy > idle {
			continue
		}
		c := &Candidate{Rule: SerialID, Kind: report.SerialWork, When: report.Steady, Threads: who, Region: region,
			Edit: r.NewEdit()}
		name := r.RegionName(region)
		c.Spec = fmt.Sprintf("share:region=%s/threads=%s", name, r.specThreads(who))
		for _, th := range who {
			r.shorten(c, region, th, 1-float64(len(who))/float64(len(team)), meanwhile.String())
			r.eachOf(region, th, func(s *cause.Stretch) { r.takeOver(c.Edit, s, rest, 1/float64(len(team))) })
		}
		if r.teamsOnly(who) {
			c.Rule = TeamSerialID
		} else if len(who) == 1 && times == 1 && r.atStart(region, who[0], rest) {
			c.Rule = InitialisationID
		}
		r.wordSerial(c, name, meanwhile, times/float64(len(who)), all, len(team))
		list = append(list, c)
	}
	for _, c := range list {
		if slices.ContainsFunc(list, func(o *Candidate) bool { return takeTurns(c, o, len(team)) }) {
			c.Rank = 3 // overlapping both sides gains more than spreading either
		}
	}
	return list
}

// takeTurns reports whether two parts of a team compute in turn, such as producers and consumers of data: each has its
// own code with about the same time.
func takeTurns(x, y *Candidate, team int) bool {
	const alike = 0.3
	less, more := min(x.Estimate, y.Estimate), max(x.Estimate, y.Estimate)
	return less > 0 && float64(less) >= alike*float64(more) && len(x.Threads)+len(y.Threads) == team &&
		len(others(x.Threads, y.Threads)) == len(x.Threads)
}

// shorten removes a share of a thread's time in a region.
func (r *Run) shorten(c *Candidate, region, thread int32, share float64, why string) {
	sum := 0.0
	r.eachOf(region, thread, func(s *cause.Stretch) {
		d := share * float64(s.Length())
		c.Edit.Add(s.Node, -int64(d))
		sum += d
		c.Evidence = append(c.Evidence, report.Evidence{From: s.From, To: s.To, Threads: []int32{thread}, Why: why,
			Cost: d})
	})
	c.Estimate = max(c.Estimate, int64(sum))
}

// others returns the threads of a team except some.
func others(team, who []int32) []int32 {
	return slices.DeleteFunc(slices.Clone(team), func(th int32) bool { return slices.Contains(who, th) })
}

// takeOver gives threads a part of another thread's stretch: in their waiting time, or in addition to their
// computation. Threads that have not begun, or have ended, are free.
func (r *Run) takeOver(e *replay.Edit, s *cause.Stretch, threads []int32, part float64) {
	for _, th := range threads {
		if own := r.ByThread[th]; len(own) == 0 || own[0].From >= s.To {
			continue
		}
		if node := r.NodeAfter(th, s.From+1); node >= 0 {
			e.Add(node, int64(part*float64(s.Length())))
		}
	}
}

// idle is the share of the other threads' time up to which they count as waiting.
const idle = 0.4

// pastime has the shares of the time of some threads in a region during which the rest of their team computes, has not
// yet begun, or has ended. The rest of the time it waits.
type pastime struct{ busy, before, after float64 }

// meanwhile returns what the rest of a team does during the 40 longest stretches of some threads in a region.
func (r *Run) meanwhile(region int32, who, rest []int32) (p pastime) {
	whole := 0.0
	for _, th := range who {
		var own []*cause.Stretch
		r.eachOf(region, th, func(s *cause.Stretch) { own = append(own, s) })
		slices.SortStableFunc(own, func(x, y *cause.Stretch) int { return cmp.Compare(y.Length(), x.Length()) })
		for _, s := range own[:min(len(own), 40)] {
			for _, other := range rest {
				begin, end := r.present(other)
				p.busy += r.computing(other, s.From, s.To)
				p.before += float64(max(0, min(s.To, begin)-s.From))
				p.after += float64(max(0, s.To-max(s.From, end)))
				whole += float64(s.Length())
			}
		}
	}
	whole = max(1, whole)
	return pastime{p.busy / whole, p.before / whole, p.after / whole}
}

// present returns the time from the first computation or call of a thread to its last activity.
func (r *Run) present(thread int32) (begin, end int64) {
	begin, end = r.End, r.Time[r.Last[thread]]
	if own := r.ByThread[thread]; len(own) > 0 {
		begin = own[0].From
	}
	if r.Graph.Waits.Calls(thread) > 0 {
		begin = min(begin, r.Graph.Waits.Call(thread, 0).Enter)
	}
	return begin, end
}

// String says what the others do.
func (p pastime) String() string {
	switch {
	case p.busy >= 0.1:
		return fmt.Sprintf("the others compute for %s of that time", quantity.FormatPercent(p.busy))
	case p.after >= 0.9:
		return "the others have ended"
	case p.before >= 0.9:
		return "the others have not begun"
	case p.after > 0.5:
		return "the others wait or have ended"
	case p.before > 0.5:
		return "the others wait or have not begun"
	}
	return "the others wait"
}

// computing returns the computation of a thread in a stretch of time.
func (r *Run) computing(thread int32, from, to int64) (sum float64) {
	own := r.ByThread[thread]
	i, _ := slices.BinarySearchFunc(own, from, func(s cause.Stretch, at int64) int { return cmp.Compare(s.To, at) })
	for ; i < len(own) && own[i].From < to; i++ {
		sum += float64(max(0, min(to, own[i].To)-max(from, own[i].From)))
	}
	return sum
}

// teamsOnly reports whether threads are the first of their tasks, and all other threads belong to their teams.
func (r *Run) teamsOnly(who []int32) bool {
	t := r.Graph.T
	for _, th := range who {
		task := &t.Tasks[t.ThreadTask[th]]
		if task.FirstThread != th || task.Threads < 2 {
			return false
		}
	}
	return true
}

// atStart reports whether none of the others has computed when a thread leaves a region.
func (r *Run) atStart(region, thread int32, others []int32) bool {
	end := int64(0)
	r.eachOf(region, thread, func(s *cause.Stretch) { end = s.To })
	for _, th := range others {
		if own := r.ByThread[th]; len(own) > 0 && own[0].From < end {
			return false
		}
	}
	return true
}

// eachOf calls do for the stretches of a thread in a region.
func (r *Run) eachOf(region, thread int32, do func(s *cause.Stretch)) {
	own := r.ByThread[thread]
	for i := range own {
		if own[i].Region == region {
			do(&own[i])
		}
	}
}

// wordSerial names the kind of serial code: a thread that serves all others, one that gathers from all, or code that
// does not scale on all threads of a team.
func (r *Run) wordSerial(c *Candidate, name string, meanwhile pastime, times float64, all []cause.Sums,
	team int) {
	who := r.names(c.Threads)
	first := c.Threads[0]
	took := 0.0 // including time without its core
	r.eachOf(c.Region, first, func(s *cause.Stretch) { took += float64(s.Length()) })
	if len(c.Threads) == 1 {
		senders, receivers := r.servedBy(c.Region, first)
		most := max(3, team/2)
		switch {
		case senders >= most && receivers >= most:
			c.Rule, c.Kind = MastersID, report.Master
			c.Title = fmt.Sprintf("the master %s is a bottleneck: %s between request and answer takes %s each, and "+
				"the workers wait",
				who, name, r.span(took/max(1, times)))
			c.Advice = "shorten what the master does per task, hand out several tasks at a time, or use several masters"
			return
		case senders >= most:
			c.Rule, c.Kind = BottleneckID, report.HotSpot
			c.Title = fmt.Sprintf(
				"%s gathers from %d threads and works on each message in turn (%s, %s in all): a bottleneck",
				who, senders, name, r.span(took))
			c.Advice = "gather in a tree, or let each thread do its part before it sends: a reduction"
			return
		}
		does := "only " + who + " executes it"
		if part := shareOf(c.Threads, all); part < 1 {
			does = fmt.Sprintf("%s has %s of it", who, quantity.FormatPercent(math.Floor(1000*part)/1000))
		}
		c.Title = fmt.Sprintf("%s is serial: %s, %s in all, while %s", name, does, r.span(took), meanwhile)
		c.Advice = "do it on all threads, or while the others compute"
		return
	}
	c.Title = fmt.Sprintf("%s does not scale: only %d of %d threads execute it (%s), %s", name, len(c.Threads), team,
		who, meanwhile)
	if part := shareOf(c.Threads, all); part < 1 {
		c.Title = fmt.Sprintf("%s does not scale: %d of %d threads (%s) have %s of it, %s", name, len(c.Threads), team,
			who, quantity.FormatPercent(math.Floor(1000*part)/1000), meanwhile)
	}
	c.Advice = "spread it over all threads"
}

// shareOf returns the share of some threads in the time of a region.
func shareOf(who []int32, all []cause.Sums) float64 {
	part, whole := 0.0, 0.0
	for th := range all {
		whole += all[th].Time
		if slices.Contains(who, int32(th)) {
			part += all[th].Time
		}
	}
	return part / max(1, whole)
}

// servedBy counts the threads whose messages are received directly before the stretches of a region, and those to which
// messages are sent directly after.
func (r *Run) servedBy(region, thread int32) (senders, receivers int) {
	g := r.Graph
	from, to := map[int32]bool{}, map[int32]bool{}
	th := &g.T.Threads[thread]
	c := &g.T.Comms
	stretches, messages := 0, 0
	at := func(role prv.Role, when int64, into map[int32]bool, other []int32) {
		list, times := th.Comm[role], c.Times[role]
		i, _ := slices.BinarySearchFunc(list, when, func(m int32, t int64) int {
			return cmp.Compare(times[m], t)
		})
		for ; i < len(list) && times[list[i]] == when; i++ {
			into[other[list[i]]] = true
			messages++
		}
	}
	r.eachOf(region, thread, func(s *cause.Stretch) {
		stretches++
		k := g.Waits.CallAfter(thread, s.From)
		if k > 0 {
			at(prv.PhysicalRecv, g.Waits.Call(thread, k-1).Exit, from, c.Send)
		}
		if k < g.Waits.Calls(thread) {
			at(prv.LogicalSend, g.Waits.Call(thread, k).Enter, to, c.Recv)
		}
	})
	if messages > 2*stretches {
		return 0, 0 // an exchange with several at once, not serving one after the other
	}
	return len(from), len(to)
}

// replicated finds regions that all threads execute with exactly the same number of instructions, while other code
// differs.
func replicated(r *Run) (list []*Candidate) {
	for _, team := range r.teams {
		if r.Counters && len(team) > 1 {
			list = append(list, r.replicatedIn(team)...)
		}
	}
	return list
}

func (r *Run) replicatedIn(team []int32) (list []*Candidate) {
	ptask := r.Graph.T.ThreadPtask(team[0])
	equal := map[int32]bool{} // by region with significant time: all executions have the same instructions
	differ := false
	for _, region := range r.regions() {
		same, found := !r.callsInside(region, team), false
		for i := range r.Places {
			k := &r.Places[i]
			if k.Region != region || k.Ptask != ptask || !r.significant(float64(k.Total)/float64(len(team))) {
				continue
			}
			found = true
			same = same && k.Count >= 3 && len(k.Threads) == len(team) && alike(k)
		}
		if found {
			equal[region] = same
			differ = differ || !same && len(r.executing(region, ptask)) == len(team)
		}
	}
	if !differ {
		return nil
	}
	for _, region := range r.regions() {
		if !equal[region] {
			continue
		}
		c := &Candidate{Rule: ReplicatedID, Kind: report.Replicated, When: report.Steady, Region: region,
			Edit: r.NewEdit()}
		name := r.RegionName(region)
		c.Spec = "share:region=" + name
		all := "all threads"
		if len(r.teams) > 1 {
			c.Spec += "/threads=" + r.specThreads(team)
			all = fmt.Sprintf("all threads of ptask %d", ptask+1)
		}
		for _, th := range team {
			r.shorten(c, region, th, 1-1/float64(len(team)), all+" do the same work")
		}
		c.Title = fmt.Sprintf("%s do the same work in %s: the same instructions, to the last one, in every execution",
			all, name)
		c.Advice = "replicated work: divide it and exchange the results, where that is cheaper"
		list = append(list, c)
	}
	return list
}

// executing returns the threads of an application that execute a region.
func (r *Run) executing(region, ptask int32) (list []int32) {
	for th, s := range r.sums(region, ptask) {
		if s.Time != 0 {
			list = append(list, int32(th))
		}
	}
	return list
}

// callsInside reports whether a region continues after calls on a team: it is about communication.
func (r *Run) callsInside(region int32, team []int32) bool {
	inside, n := 0, 0
	for _, th := range team {
		own := r.ByThread[th]
		for i := 1; i < len(own); i++ {
			if own[i].Region == region {
				if n++; own[i-1].Region == region && own[i-1].Node != own[i].Node {
					inside++
				}
			}
		}
	}
	return 2*inside > n && r.Graph.Waits.Level == waits.ByFunction
}

// alike reports whether the executions of a class have the same instructions on all threads.
func alike(k *cause.Class) bool {
	off := 0
	for n := range k.Count {
		least, most := k.Of[k.Threads[0]][n].Instructions, 0.0
		for _, th := range k.Threads {
			least, most = min(least, k.Of[th][n].Instructions), max(most, k.Of[th][n].Instructions)
		}
		if most-least > 50+2e-5*most {
			off++
		}
	}
	return off*10 <= k.Count
}

// lateStarts finds threads that work before an exchange on what the others do after it.
func lateStarts(r *Run) (list []*Candidate) {
	for _, team := range r.teams {
		list = append(list, r.lateIn(team)...)
	}
	return list
}

func (r *Run) lateIn(team []int32) (list []*Candidate) {
	ptask := r.Graph.T.ThreadPtask(team[0])
	early := map[int32][]float64{} // by class: time by thread
	regions := map[int32][]cause.Sums{}
	for i := range r.Sites {
		k := &r.Sites[i]
		if k.Ptask != ptask || k.After < 0 || !r.communicates(k) {
			continue
		}
		if _, ok := regions[k.Region]; !ok {
			regions[k.Region] = r.sums(k.Region, ptask)
		}
		early[int32(i)] = totals(k)
	}
	whole := r.wholes()
	middleOf := func(times []float64) float64 {
		own := make([]float64, len(team))
		for i, th := range team {
			own[i] = times[th]
		}
		return quantile.Median(own)
	}
	all := middleOf(whole)
	byThread := map[int32][]int32{} // by thread: classes in excess
	for i := range int32(len(r.Sites)) {
		times := early[i]
		if times == nil {
			continue
		}
		usual := usualAt(times, len(team))
		of := regions[r.Sites[i].Region]
		sums := make([]float64, len(of))
		for th := range of {
			sums[th] = of[th].Time
		}
		middle := middleOf(sums)
		for _, th := range team {
			over := times[th] - usual
			if r.significant(over) && (sums[th]-middle < 0.35*over || whole[th]-all < 0.35*over) {
				byThread[th] = append(byThread[th], i)
			}
		}
	}
	for _, th := range team {
		if classes := byThread[th]; len(classes) > 0 && len(byThread)*2 <= len(team) {
			if c := r.later(th, classes, len(team)); c != nil {
				list = append(list, c)
			}
		}
	}
	return list
}

// usualAt returns the median time of the threads of a team at a site: over those that execute it, if they are at least
// a quarter of the team.
func usualAt(times []float64, team int) float64 {
	var there []float64
	for _, t := range times {
		if t > 0 {
			there = append(there, t)
		}
	}
	if len(there)*4 < team || len(there) < 2 {
		return 0
	}
	return quantile.Median(there)
}

// totals returns the times of a class by thread.
func totals(k *cause.Class) []float64 {
	times := make([]float64, len(k.Of))
	for th, own := range k.Of {
		for _, s := range own {
			times[th] += float64(s.Length())
		}
	}
	return times
}

// wholes returns the times of computation by thread.
func (r *Run) wholes() []float64 {
	all := make([]float64, r.threads)
	for th, own := range r.ByThread {
		for i := range own {
			all[th] += float64(own[i].Length())
		}
	}
	return all
}

// communicates reports whether the call after a class exchanges messages.
func (r *Run) communicates(k *cause.Class) bool {
	for _, th := range k.Threads {
		s := k.Of[th][0]
		if n := r.Graph.Waits.CallAfter(th, s.From); n < r.Graph.Waits.Calls(th) {
			kind := r.Graph.Waits.Call(th, n).Kind
			return kind.Is(extrae.Sends) || kind.Is(extrae.Posts)
		}
	}
	return false
}

// later moves the excess work of a thread before an exchange to where the others of its team do it.
func (r *Run) later(thread int32, classes []int32, team int) *Candidate {
	c := &Candidate{Rule: LateSendersID, Kind: report.LateSend, When: report.Steady, Threads: []int32{thread},
		Region: -1, Edit: r.NewEdit()}
	own := r.ByThread[thread]
	usual := map[int32]float64{}
	more := map[int32]bool{}
	for _, i := range classes {
		more[i] = true
		usual[i] = usualAt(totals(&r.Sites[i]), team) / float64(max(1, len(r.Sites[i].Of[thread])))
		c.Region = r.Sites[i].Region
	}
	less := map[int32]bool{}
	for i := range r.Sites {
		k := &r.Sites[i]
		times := totals(k)
		if len(k.Of[thread]) > 0 && times[thread] < usualAt(times, team)-0.25*Smallest*float64(r.End) {
			less[int32(i)] = true
		}
	}
	moved := 0.0
	for i := range own {
		s := &own[i]
		if !more[s.Site] {
			continue
		}
		d := float64(s.Length()) - usual[s.Site]
		if d <= 0 {
			continue
		}
		for k := i + 1; k < len(own); k++ {
			if less[own[k].Site] && own[k].Node != s.Node {
				c.Edit.Add(s.Node, -int64(d))
				c.Edit.Add(own[k].Node, int64(d))
				moved += d
				c.Evidence = append(c.Evidence, report.Evidence{From: s.From, To: s.To, Threads: []int32{thread},
					Why: "work before the exchange", Cost: d})
				break
			}
		}
	}
	if !r.significant(moved) {
		return nil
	}
	c.Estimate = int64(moved)
	name, who := r.RegionName(c.Region), r.Graph.ThreadName(thread)
	var sends, receives int64
	for i := range r.Graph.Waits.Waits {
		if w := &r.Graph.Waits.Waits[i]; w.Cause == thread {
			if w.Class == waits.LateReceiver {
				receives += w.Length()
			} else if w.Class.IsLateSender() {
				sends += w.Length()
			}
		}
	}
	if receives > sends {
		c.Rule, c.Kind = LateReceiversID, report.LateReceive
		c.Spec = fmt.Sprintf("post-early:region=%s/threads=%s", name, who)
		c.Title = fmt.Sprintf("late receiver: %s does %s of %s before it receives, and senders are blocked until "+
			"the receive is posted",
			who, r.span(moved), name)
		c.Advice = "post the receive before that work, or do the work after it"
		return c
	}
	c.Spec = fmt.Sprintf("send-early:region=%s/threads=%s", name, who)
	c.Title = fmt.Sprintf("late sender: %s does %s of %s before it sends, the others do that after the exchange", who,
		r.span(moved), name)
	c.Advice = "send earlier: move the work that does not produce the data after the sends"
	return c
}
