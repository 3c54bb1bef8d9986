package diagnose

// The views for rules: a phase, or the run.

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
	class []eventgraph.ClassUse
}

// runView is the whole run.
type runView struct {
	*analysis
}

// complete adds the data that rules look at.
func (v *phaseView) complete() *phaseView {
	v.class, v.path = v.Classes(v.Phase), float64(v.PathIn(v.Phase, -1))
	return v
}

// viewOf returns a phase with the time of its threads.
func (a *analysis) viewOf(n int) *phaseView {
	v := &phaseView{analysis: a, Phase: &a.Phases[n], use: make([]eventgraph.Usage, a.T.NumThreads())}
	for i := range v.use {
		v.use[i] = a.UsageOf(int32(i), v.From, v.To)
	}
	return v
}

// utilisation returns the lowest of the applications.
func (v *phaseView) utilisation() float64 {
	least, present := 1.0, false
	for _, who := range v.applications() {
		if total := eventgraph.TotalOf(v.use, who); total.Present() > 0 {
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

// limit caps the gain of a repair: the phase cannot get shorter than its critical path, nor than the busiest thread or,
// if work is spread, the mean of an application. less is the busy time that the repair removes.
func (v *phaseView) limit(severity float64, keeps bool, path, less float64) float64 {
	bound := max(path, v.evenWithout(less))
	if keeps {
		bound = max(path, slices.Max(v.busy())-less)
	}
	return max(0, min(severity, v.length()-bound))
}

// even returns the critical path of work spread evenly within each application.
func (v *phaseView) even() float64 { return v.evenWithout(0) }

// evenWithout is even after a repair removes busy time.
func (v *phaseView) evenWithout(less float64) (most float64) {
	for _, who := range v.applications() {
		total := eventgraph.TotalOf(v.use, who)
		most = max(most, (total.Busy()-less)/float64(len(who)))
	}
	return most
}

// applications returns the threads of each application. Threads are only compared within one: no other can take over
// their work.
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

// ofUneven returns the results of a rule that compares threads, for each application whose threads are not evenly busy.
func (v *phaseView) ofUneven(ask func(who []int32) []result) []result {
	busy := v.busy()
	return v.ofApplications(func(who []int32) []result {
		if v.areEven(valuesOf(who, busy)) {
			return nil
		}
		return ask(who)
	})
}

// ofApplications returns the results of a rule for each application. Of results with one key the largest stays:
// applications run at the same time.
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
func valuesOf[T int64 | float64](who []int32, values []T) []float64 {
	list := make([]float64, len(who))
	for i, th := range who {
		list[i] = float64(values[th])
	}
	return list
}

// acceptable reports whether an idle stretch is too short to matter.
func (v *phaseView) acceptable(idle, size int64) bool {
	return float64(idle) <= max(v.length()/100, 2*(v.Params.Latency.Value+v.Params.Byte.Value*float64(size)))
}

// spread returns the largest and the mean of figures, and the positions of the largest and the smallest.
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
