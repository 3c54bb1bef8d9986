package driven

// Detection of quiescence, the state without pending messages: two waves of counting over a spanning tree. One is not
// enough: it may count the creation of one message and not its execution, and of another its execution and not its
// creation, so that the sums agree while work remains (Sinha's thesis, appendix A).

import (
	"cmp"
	"slices"
	"sort"
)

// Activity is a processor's activity over time, as seen by the detection.
type Activity struct {
	Created, Executed []int64  // times, in order
	Busy              []Period // in order
}

// Period is a stretch of time.
type Period struct{ From, To int64 }

// Detection is the result of the detection.
type Detection struct {
	At            int64 // when quiescence is reported
	First, Second int   // rounds of each phase
	Messages      int64 // one per processor and round
	Created       int64 // at that time
	Wrong         int   // number of matching first phases that the second phase refuted
}

// Detect looks for quiescence from a given time. A message between processors of the tree takes delay. Activity ends at
// some time; if messages remain then (created but never executed) there is no quiescence, and ok is false.
func Detect(list []Activity, from, delay int64) (d Detection, ok bool) {
	last := from
	for i := range list {
		for _, times := range [][]int64{list[i].Created, list[i].Executed} {
			if n := len(times); n > 0 {
				last = max(last, times[n-1])
			}
		}
		if n := len(list[i].Busy); n > 0 {
			last = max(last, list[i].Busy[n-1].To)
		}
	}
	for now := from; ; {
		begin := now
		var created, executed int64
		now, created, executed = wave(list, now, delay)
		d.First++
		if created != executed {
			if begin > last {
				return d, false
			}
			now = max(now, begin+1)
			continue
		}
		var again int64
		now, again, _ = wave(list, now, delay)
		d.Second++
		d.Messages = int64(len(list)) * int64(d.First+d.Second)
		if again == created {
			d.At, d.Created = now, created
			return d, true
		}
		d.Wrong++
	}
}

// wave collects the counts of all processors. Each reports when its children in the tree have reported and it is idle.
func wave(list []Activity, from, delay int64) (end, created, executed int64) {
	reports := make([]int64, len(list))
	for p := len(list) - 1; p >= 0; p-- {
		at := from + delay*int64(depth(p)) // the request
		for _, c := range [2]int{2*p + 1, 2*p + 2} {
			if c < len(list) {
				at = max(at, reports[c]+delay)
			}
		}
		a := &list[p]
		at = a.idleFrom(at)
		reports[p] = at
		created += count(a.Created, at)
		executed += count(a.Executed, at)
	}
	return reports[0], created, executed
}

// depth of a processor in a binary tree.
func depth(p int) (d int) {
	for ; p > 0; p = (p - 1) / 2 {
		d++
	}
	return d
}

// count returns the number of times up to at.
func count(times []int64, at int64) int64 {
	return int64(sort.Search(len(times), func(i int) bool { return times[i] > at }))
}

// idleFrom returns the first time, not before at, when the processor is idle.
func (a *Activity) idleFrom(at int64) int64 {
	k := sort.Search(len(a.Busy), func(i int) bool { return a.Busy[i].To > at })
	for ; k < len(a.Busy) && a.Busy[k].From <= at; k++ {
		at = a.Busy[k].To
	}
	return at
}

// Activities returns the activity of a run's processors: a message counts as created when it is sent, and as executed
// when its task ends.
func Activities(p *Program, r *Result) []Activity {
	list := make([]Activity, p.Processors)
	for i := range p.Tasks {
		if r.Begin[i] < 0 {
			continue
		}
		a := &list[r.On[i]]
		a.Busy = append(a.Busy, Period{r.Begin[i], r.End[i]})
		for _, c := range p.Tasks[i].Creates {
			a.Created = append(a.Created, r.Begin[i]+c.After)
		}
		a.Executed = append(a.Executed, r.End[i])
	}
	for _, root := range p.Roots {
		a := &list[r.On[root.Task]]
		a.Created = append(a.Created, root.At)
	}
	for i := range list {
		a := &list[i]
		slices.SortFunc(a.Busy, func(x, y Period) int {
			return cmp.Or(cmp.Compare(x.From, y.From), cmp.Compare(x.To, y.To)) // a task may take no time
		})
		slices.Sort(a.Created)
		slices.Sort(a.Executed)
	}
	return list
}
