package diagnose

// What the rules see: a phase, or the run.

import (
	"slices"

	"pview/insight/eventgraph"
	"pview/insight/report"
	"pview/prv"
)

// phaseView is a phase with its sums.
type phaseView struct {
	*analysis
	*eventgraph.Phase
	use   []eventgraph.Usage // by thread
	path  float64            // computational critical path
	class []classUse
}

// classUse is a class of units in a phase.
type classUse struct {
	class int32
	n     []int64 // by thread
	time  []int64
}

// runView is the whole run.
type runView struct {
	*analysis
}

// complete adds what the rules look at.
func (v *phaseView) complete() *phaseView {
	v.sumClasses()
	v.path = v.criticalPath(-1)
	return v
}

// viewOf is a phase with the time of its threads.
func (a *analysis) viewOf(n int) *phaseView {
	v := &phaseView{analysis: a, Phase: &a.Phases[n], use: make([]eventgraph.Usage, a.T.NumThreads())}
	for i := range v.use {
		v.use[i] = a.UsageOf(int32(i), v.From, v.To)
	}
	return v
}

// usageOf is the time of some threads.
func (v *phaseView) usageOf(who []int32) (total eventgraph.TotalUsage) {
	for _, th := range who {
		total.Add(&v.use[th])
	}
	return total
}

// utilisation is that of the application with the lowest.
func (v *phaseView) utilisation() float64 {
	least, present := 1.0, false
	for _, who := range v.applications() {
		if total := v.usageOf(who); total.Present() > 0 {
			least, present = min(least, total.Utilisation()), true
		}
	}
	if !present {
		return 0
	}
	return least
}

func (v *phaseView) length() float64 { return float64(v.To - v.From) }

func (v *phaseView) threads() float64 { return float64(len(v.use)) }

// sumClasses counts the units of each class.
func (v *phaseView) sumClasses() {
	row := map[int32]int{}
	for th := range v.use {
		for i := v.Firsts[th]; i < v.Ends[th]; i++ {
			v.Look()
			u := &v.Units[i]
			if u.User == 0 {
				continue
			}
			k, ok := row[u.Class]
			if !ok {
				k = len(v.class)
				row[u.Class] = k
				v.class = append(v.class, classUse{u.Class, make([]int64, len(v.use)), make([]int64, len(v.use))})
			}
			v.class[k].n[th]++
			v.class[k].time[th] += u.User
		}
	}
	slices.SortFunc(v.class, func(a, b classUse) int { return int(a.class) - int(b.class) })
}

// criticalPath is the longest chain of computation in the phase, where communication and waiting take no time. The unit
// early, if any, is let go at the begin of its creator.
func (v *phaseView) criticalPath(early int32) float64 {
	start := map[int32]int64{}
	longest := int64(0)
	for i := range v.InOrder(v.Firsts, v.Ends) {
		u := &v.Units[i]
		s := int64(0)
		if c := u.Creator; c >= 0 {
			if from, ok := start[c]; ok {
				s = from
				if i != early {
					s += min(v.Units[c].User, max(0, v.Created(i)-v.Units[c].Begin))
				}
			}
		}
		start[i] = s
		longest = max(longest, s+u.User)
	}
	return float64(longest)
}

// limit is the most that a repair can give: the phase cannot become shorter than its critical path, nor than the
// busiest thread or, where work is spread, the mean of an application. less is the busy time that the repair removes.
func (v *phaseView) limit(severity float64, keeps bool, path, less float64) float64 {
	bound := max(path, v.evenWithout(less))
	if keeps {
		most := 0.0
		for i := range v.use {
			most = max(most, float64(v.use[i].Busy()))
		}
		bound = max(path, most-less)
	}
	return max(0, min(severity, v.length()-bound))
}

// even is the critical path of work that is spread evenly within each application.
func (v *phaseView) even() float64 { return v.evenWithout(0) }

// evenWithout is even where a repair removes busy time.
func (v *phaseView) evenWithout(less float64) (most float64) {
	for _, who := range v.applications() {
		sum := 0.0
		for _, th := range who {
			sum += float64(v.use[th].Busy())
		}
		most = max(most, (sum-less)/float64(len(who)))
	}
	return most
}

// applications are the threads of each application. Threads are compared with those of their own: no other can take
// over their work.
func (a *analysis) applications() [][]int32 {
	if a.applied == nil {
		a.applied = a.T.Applications()
	}
	return a.applied
}

// means returns for each thread the mean of the values of its application that count.
func (a *analysis) means(values []float64, counts func(v float64) bool) []float64 {
	list := make([]float64, len(values))
	for _, who := range a.applications() {
		counted := slices.DeleteFunc(valuesOf(who, values), func(v float64) bool { return !counts(v) })
		_, mean, _, _ := spread(counted)
		for _, th := range who {
			list[th] = mean
		}
	}
	return list
}

// ofUneven are the results of a rule that compares the threads of an application, each of which is asked for unless its
// threads are evenly busy.
func (v *phaseView) ofUneven(ask func(who []int32) []result) []result {
	busy := v.busy()
	return v.ofApplications(func(who []int32) []result {
		if v.areEven(valuesOf(who, busy)) {
			return nil
		}
		return ask(who)
	})
}

// ofApplications are the results of a rule that looks at one application after the other. Of those with one key the
// largest stays: other applications run at the same time.
func (a *analysis) ofApplications(ask func(who []int32) []result) (list []result) {
	for _, who := range a.applications() {
		for _, r := range ask(who) {
			i := slices.IndexFunc(list, func(x result) bool { return x.key == r.key })
			switch {
			case i < 0:
				list = append(list, r)
			case r.Severity > list[i].Severity:
				list[i] = r
			}
		}
	}
	return list
}

// valuesOf picks the values of some threads.
func valuesOf(who []int32, values []float64) []float64 {
	list := make([]float64, len(who))
	for i, th := range who {
		list[i] = values[th]
	}
	return list
}

// chain is the last event chain of the phase: from the unit that ends last back through creators.
func (v *phaseView) chain() (list []int32) {
	last := int32(-1)
	for th := range v.use {
		if i := v.Ends[th] - 1; i >= v.Firsts[th] && (last < 0 || v.Units[i].End > v.Units[last].End) {
			last = i
		}
	}
	for i, steps := last, 0; i >= 0 && v.Holds(i, v.Units[i].Thread) && steps <= len(v.Units); i,
		steps = v.Units[i].Creator, steps+1 {
		list = append(list, i)
		if c := v.Units[i].Creator; c >= 0 && v.Units[c].Begin > v.Units[i].Begin {
			break
		}
	}
	return list
}

// acceptable reports whether an idle stretch is too short to matter.
func (v *phaseView) acceptable(idle, size int64) bool {
	return float64(idle) <= max(v.length()/100, 2*(v.Params.Latency.Value+v.Params.Byte.Value*float64(size)))
}

// spread is the largest and the mean of figures, and where the largest and the smallest are.
func spread(list []float64) (most, mean float64, at, low int) {
	for i, x := range list {
		if x > list[at] {
			at = i
		}
		if x < list[low] {
			low = i
		}
		mean += x
	}
	if len(list) == 0 {
		return 0, 0, 0, 0
	}
	return list[at], mean / float64(len(list)), at, low
}

// show adds a place to a result.
func (r *result) show(from, to int64, cost float64, why string, threads []int32, messages ...int32) {
	r.Show(report.Evidence{From: from, To: to, Threads: threads, Messages: messages, Why: why, Cost: cost})
}

// roleSent is the order of messages by their send.
const roleSent = prv.LogicalSend
