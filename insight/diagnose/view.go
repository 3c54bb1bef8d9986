package diagnose

// What the rules see: a phase, or the run.

import (
	"math"
	"slices"

	"pview/insight/report"
	"pview/prv"
)

// phaseView is a phase with its sums.
type phaseView struct {
	*analysis
	*phase
	use   []usage // by thread
	total usage
	path  float64 // computational critical path
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
	v := &phaseView{analysis: a, phase: &a.phases[n], use: make([]usage, a.t.NumThreads())}
	for i := range v.use {
		v.use[i] = a.usageOf(int32(i), v.from, v.to)
		v.total.add(&v.use[i])
	}
	return v
}

func (v *phaseView) length() float64 { return float64(v.to - v.from) }

func (v *phaseView) threads() float64 { return float64(len(v.use)) }

// sumClasses counts the units of each class.
func (v *phaseView) sumClasses() {
	row := map[int32]int{}
	for th := range v.use {
		for i := v.firsts[th]; i < v.ends[th]; i++ {
			v.look()
			u := &v.units[i]
			if u.user == 0 {
				continue
			}
			k, ok := row[u.class]
			if !ok {
				k = len(v.class)
				row[u.class] = k
				v.class = append(v.class, classUse{u.class, make([]int64, len(v.use)), make([]int64, len(v.use))})
			}
			v.class[k].n[th]++
			v.class[k].time[th] += u.user
		}
	}
	slices.SortFunc(v.class, func(a, b classUse) int { return int(a.class) - int(b.class) })
}

// criticalPath is the longest chain of computation in the phase, where communication and waiting take no time. The unit
// early, if any, is let go at the begin of its creator.
func (v *phaseView) criticalPath(early int32) float64 {
	start := map[int32]int64{}
	longest := int64(0)
	for i := range v.inOrder(v.firsts, v.ends) {
		u := &v.units[i]
		s := int64(0)
		if c := u.creator; c >= 0 {
			if from, ok := start[c]; ok {
				s = from
				if i != early {
					s += min(v.units[c].user, max(0, v.created(i)-v.units[c].begin))
				}
			}
		}
		start[i] = s
		longest = max(longest, s+u.user)
	}
	return float64(longest)
}

// limit is what a repair can give: the phase cannot become shorter than its critical path, nor than the busiest thread
// or, where work is spread, the mean of all. less is the busy time that the repair removes.
func (v *phaseView) limit(severity float64, keeps bool, path, less float64) float64 {
	most, sum := 0.0, 0.0
	for i := range v.use {
		most = max(most, float64(v.use[i].busy()))
		sum += float64(v.use[i].busy())
	}
	bound := max(path, (sum-less)/v.threads())
	if keeps {
		bound = max(path, most-less)
	}
	return max(0, min(severity, v.length()-bound))
}

// even is the critical path of work that is spread evenly.
func (v *phaseView) even() float64 {
	return float64(v.total.busy()) / v.threads()
}

// chain is the last event chain of the phase: from the unit that ends last back through creators.
func (v *phaseView) chain() (list []int32) {
	last := int32(-1)
	for th := range v.use {
		if i := v.ends[th] - 1; i >= v.firsts[th] && (last < 0 || v.units[i].end > v.units[last].end) {
			last = i
		}
	}
	for i, steps := last, 0; i >= 0 && v.holds(i, v.units[i].thread) && steps <= len(v.units); i,
		steps = v.units[i].creator, steps+1 {
		list = append(list, i)
		if c := v.units[i].creator; c >= 0 && v.units[c].begin > v.units[i].begin {
			break
		}
	}
	return list
}

// acceptable reports whether an idle stretch is too short to matter.
func (v *phaseView) acceptable(idle, size int64) bool {
	return float64(idle) <= max(v.length()/100, 2*(v.params.Latency.Value+v.params.Byte.Value*float64(size)))
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

// log2 is ceil(log2 n).
func log2(n float64) float64 { return math.Ceil(math.Log2(max(1, n))) }

// show adds a place to a result.
func (r *result) show(from, to int64, cost float64, why string, threads []int32, messages ...int32) {
	r.Show(report.Evidence{From: from, To: to, Threads: threads, Messages: messages, Why: why, Cost: cost})
}

// roleSent is the order of messages by their send.
const roleSent = prv.LogicalSend
