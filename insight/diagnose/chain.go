package diagnose

// Chains of units: what each class contributes to the longest one, and how much the run depends on it (Sinha's thesis,
// 6.7).

import (
	"cmp"
	"container/heap"
	"iter"
	"slices"
)

// longest is the longest chain of computation of the run, where communication and waiting take no time, if the units of
// a class take none; and the unit that ends it. Without units of the class at all (banned) chains end before them.
// class -1: all count.
func (g *graph) longest(class int32, banned bool) (length int64, last int32) {
	return g.longestIn(g.all(), class, banned)
}

// all are the units of the run by their begin.
func (g *graph) all() iter.Seq[int32] {
	return g.inOrder(g.firstUnit[:g.t.NumThreads()], g.firstUnit[1:])
}

// longestIn is longest for units that are in order already.
func (g *graph) longestIn(order iter.Seq[int32], class int32, banned bool) (length int64, last int32) {
	begin := make([]int64, len(g.units))
	out := make([]bool, len(g.units)) // behind a banned unit: a chain may begin anew there
	last = -1
	for i := range order {
		g.look()
		u := &g.units[i]
		at := int64(0)
		if c := u.creator; c >= 0 && !out[c] {
			at = begin[c]
			if g.units[c].class != class {
				at += min(g.units[c].user, max(0, g.created(i)-g.units[c].begin))
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
func (g *graph) longestWhole() (length int64) {
	sum := map[int32]int64{}
	for i := range g.all() {
		sum[i] = g.units[i].user
		if c := g.units[i].creator; c >= 0 {
			sum[i] += sum[c]
		}
		length = max(length, sum[i])
	}
	return length
}

// normalised is the user time of each class divided at each moment by the number of threads that compute then: it sums
// to the time in which anybody does.
func (g *graph) normalised() map[int32]float64 {
	type change struct {
		time  int64
		class int32
		by    int
	}
	var list []change
	for i := range g.units {
		u := &g.units[i]
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
func (g *graph) along(last int32, do func(i int32, takes int64)) {
	if last < 0 {
		return
	}
	for i, takes := last, g.units[last].user; i >= 0; i = g.units[i].creator {
		do(i, takes)
		if c := g.units[i].creator; c >= 0 {
			takes = min(g.units[c].user, max(0, g.created(i)-g.units[c].begin))
		}
	}
}

// inOrder are the units of the threads from firsts to ends by their begin, so that a creator comes before what it
// creates.
func (g *graph) inOrder(firsts, ends []int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		heads := &byBegin{g: g}
		for th := range firsts {
			if firsts[th] < ends[th] {
				heads.list = append(heads.list, firsts[th])
			}
		}
		heap.Init(heads)
		for len(heads.list) > 0 {
			g.look()
			i := heads.list[0]
			if !yield(i) {
				return
			}
			if i+1 < ends[g.units[i].thread] {
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
	g    *graph
	list []int32
}

func (h *byBegin) Len() int { return len(h.list) }

func (h *byBegin) Less(i, k int) bool {
	x, y := h.list[i], h.list[k]
	return cmp.Or(cmp.Compare(h.g.units[x].begin, h.g.units[y].begin), cmp.Compare(x, y)) < 0
}

func (h *byBegin) Swap(i, k int) { h.list[i], h.list[k] = h.list[k], h.list[i] }

func (h *byBegin) Push(x any) { h.list = append(h.list, x.(int32)) }

func (h *byBegin) Pop() any {
	last := len(h.list) - 1
	x := h.list[last]
	h.list = h.list[:last]
	return x
}

// eachIn calls do for the units of a phase that compute.
func (g *graph) eachIn(ph *phase, do func(u *unit)) {
	for th := range ph.firsts {
		for i := ph.firsts[th]; i < ph.ends[th]; i++ {
			g.look()
			if u := &g.units[i]; u.user > 0 {
				do(u)
			}
		}
	}
}
