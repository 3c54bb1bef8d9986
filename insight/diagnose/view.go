package diagnose

// What the rules see: a phase, or the run.

import (
	"cmp"
	"container/heap"
	"iter"
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

// inOrder are the units of the threads from firsts to ends by their begin, so that a creator comes before what it
// creates.
func (a *analysis) inOrder(firsts, ends []int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		heads := &byBegin{a: a}
		for th := range firsts {
			if firsts[th] < ends[th] {
				heads.list = append(heads.list, firsts[th])
			}
		}
		heap.Init(heads)
		for len(heads.list) > 0 {
			a.look()
			i := heads.list[0]
			if !yield(i) {
				return
			}
			if i+1 < ends[a.units[i].thread] {
				heads.list[0] = i + 1
				heap.Fix(heads, 0)
			} else {
				heap.Pop(heads)
			}
		}
	}
}

// byBegin are the next units of the threads, as a heap.
type byBegin struct {
	a    *analysis
	list []int32
}

func (h *byBegin) Len() int { return len(h.list) }
func (h *byBegin) Less(i, k int) bool {
	x, y := h.list[i], h.list[k]
	return cmp.Or(cmp.Compare(h.a.units[x].begin, h.a.units[y].begin), cmp.Compare(x, y)) < 0
}
func (h *byBegin) Swap(i, k int) { h.list[i], h.list[k] = h.list[k], h.list[i] }
func (h *byBegin) Push(x any)    { h.list = append(h.list, x.(int32)) }
func (h *byBegin) Pop() any {
	last := len(h.list) - 1
	x := h.list[last]
	h.list = h.list[:last]
	return x
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

// message is the message that a unit waited for; -1: none.
func (a *analysis) message(u *unit) int32 {
	if a.driven != nil {
		return u.via
	}
	if w := a.wait(u); w != nil && w.Kind == 1 {
		return w.Ref
	}
	return -1
}

// userIn is the user time of a thread in a stretch.
func (a *analysis) userIn(thread int32, from, to int64) float64 {
	u := a.usageOf(thread, from, to)
	return float64(u.user())
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

// size of a message.
func (a *analysis) size(m int32) int64 {
	if m < 0 {
		return 0
	}
	return a.t.Comms.Size[m]
}

// roleSent is the order of messages by their send.
const roleSent = prv.LogicalSend
