package diagnose

// What each entry of a message-driven run contributes to the critical path, and how much the run depends on it (Sinha's
// thesis, 6.7).

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"pview/insight/report"
)

// longest is the longest chain of computation of the run, where communication and waiting take no time, if the units of
// a class take none; and the unit that ends it. Without units of the class at all (banned) chains end before them.
// class -1: all count.
func (a *analysis) longest(class int32, banned bool) (length int64, last int32) {
	return a.longestIn(a.all(), class, banned)
}

// all are the units of the run by their begin.
func (a *analysis) all() iter.Seq[int32] {
	return a.inOrder(a.firstUnit[:a.t.NumThreads()], a.firstUnit[1:])
}

// longestIn is longest for units that are in order already.
func (a *analysis) longestIn(order iter.Seq[int32], class int32, banned bool) (length int64, last int32) {
	begin := make([]int64, len(a.units))
	out := make([]bool, len(a.units)) // behind a banned unit: a chain may begin anew there
	last = -1
	for i := range order {
		a.look()
		u := &a.units[i]
		at := int64(0)
		if c := u.creator; c >= 0 && !out[c] {
			at = begin[c]
			if a.units[c].class != class {
				at += min(a.units[c].user, max(0, a.created(i)-a.units[c].begin))
			}
		}
		begin[i] = at
		takes := u.user
		if u.class == class {
			takes, out[i] = 0, banned
		}
		if end := at + takes; !out[i] && (last < 0 || end > length) {
			length, last = end, i
		}
	}
	return length, last
}

// longestWhole is the largest sum of whole units along a chain of creators.
func (a *analysis) longestWhole() (length int64) {
	sum := map[int32]int64{}
	for i := range a.all() {
		sum[i] = a.units[i].user
		if c := a.units[i].creator; c >= 0 {
			sum[i] += sum[c]
		}
		length = max(length, sum[i])
	}
	return length
}

// normalised is the user time of each class divided at each moment by the number of threads that compute then: it sums
// to the time in which anybody does.
func (a *analysis) normalised() map[int32]float64 {
	type change struct {
		time  int64
		class int32
		by    int
	}
	var list []change
	for i := range a.units {
		u := &a.units[i]
		list = append(list, change{u.begin, u.class, 1}, change{u.end, u.class, -1})
	}
	slices.SortFunc(list, func(x, y change) int {
		return cmp.Or(cmp.Compare(x.time, y.time), cmp.Compare(x.class, y.class), cmp.Compare(x.by, y.by))
	})
	running, all := map[int32]int{}, 0
	out := map[int32]float64{}
	at := int64(0)
	for _, c := range list {
		if c.time > at && all > 0 {
			for class, n := range running {
				out[class] += float64(c.time-at) * float64(n) / float64(all)
			}
		}
		at = c.time
		running[c.class] += c.by
		all += c.by
		if running[c.class] == 0 {
			delete(running, c.class)
		}
	}
	return out
}

// along calls do for each unit of the chain that ends with one, the last first, with the time of it that is on the
// chain.
func (a *analysis) along(last int32, do func(i int32, takes int64)) {
	if last < 0 {
		return
	}
	for i, takes := last, a.units[last].user; i >= 0; i = a.units[i].creator {
		do(i, takes)
		if c := a.units[i].creator; c >= 0 {
			takes = min(a.units[c].user, max(0, a.created(i)-a.units[c].begin))
		}
	}
}

// pathOfEntries is R29 of a message-driven run.
func (v *runView) pathOfEntries() []result {
	length, last := v.longest(-1, false)
	if last < 0 || 2*length < v.t.Duration {
		return nil
	}
	on := map[int32]int64{}
	r := found(criticalPathID, "", report.NoSeverity, "",
		fmt.Sprintf("%s of %s: with infinitely many processors the run could not be %.2f times as fast",
			v.span(float64(length)), v.span(v.length()), v.length()/float64(length)))
	v.along(last, func(i int32, takes int64) {
		u := &v.units[i]
		on[u.class] += takes
		r.Show(report.Evidence{From: u.begin, To: u.end, Threads: []int32{u.thread}, Why: "on the critical path",
			Cost: float64(takes)})
	})
	var classes []int32
	for c := range on {
		classes = append(classes, c)
	}
	slices.SortFunc(classes, func(x, y int32) int { return cmp.Or(cmp.Compare(on[y], on[x]), cmp.Compare(x, y)) })
	var names []string
	for _, c := range classes[:min(3, len(classes))] {
		zeroed, _ := v.longest(c, false)
		names = append(names, fmt.Sprintf("%s %.1f %% (the path is %s shorter without its time)", v.className(c),
			100*float64(on[c])/float64(length), v.span(float64(length-zeroed))))
	}
	r.Title = fmt.Sprintf("the critical path of computation is %.1f %% of the run: %s", 100*float64(length)/v.length(),
		strings.Join(names, ", "))
	return []result{r}
}
