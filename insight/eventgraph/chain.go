package eventgraph

// Chains of units: what each class contributes to the longest chain, and how much the run depends on the class (Sinha's
// thesis, 6.7).

import (
	"cmp"
	"container/heap"
	"iter"
	"slices"
	"sort"
)

// Longest returns the length of the longest chain of computation of the run, where communication and waiting take no
// time and the units of a class take none either, and the unit that ends it. If the class is banned, chains end before
// its units. class -1: all units count.
func (g *Graph) Longest(class int32, banned bool) (length int64, last int32) {
	return g.LongestIn(g.InOrder(g.Run()), class, banned)
}

// LongestIn is Longest for units already in order.
func (g *Graph) LongestIn(order iter.Seq[int32], class int32, banned bool) (length int64, last int32) {
	begin := make([]int64, len(g.Units))
	out := make([]bool, len(g.Units)) // after a banned unit: a chain may restart there
	last = -1
	for i := range order {
		g.Look()
		u := &g.Units[i]
		at := int64(0)
		if c := u.Creator; c >= 0 && !out[c] {
			at = begin[c]
			if g.Units[c].Class != class {
				at += min(g.Units[c].User, max(0, g.Created(i)-g.Units[c].Begin))
			}
		}
		begin[i] = at
		takes := u.User
		if u.Class == class {
			takes, out[i] = 0, banned
		}
		if end := at + takes; !out[i] && (last < 0 || end > length) {
			length, last = end, i
		}
	}
	return length, last
}

// Normalised returns the user time of each class divided at each moment by the number of computing threads: it sums to
// the time in which any thread computes.
func (g *Graph) Normalised() map[int32]float64 {
	type change struct {
		time  int64
		class int32
		by    int
	}
	var list []change
	for i := range g.Units {
		u := &g.Units[i]
		list = append(list, change{u.Begin, u.Class, 1}, change{u.End, u.Class, -1})
	}
	slices.SortFunc(list, func(x, y change) int {
		return cmp.Or(cmp.Compare(x.time, y.time), cmp.Compare(x.class, y.class), cmp.Compare(x.by, y.by))
	})
	running, all := map[int32]int{}, 0
	out := map[int32]float64{}
	at := int64(0)
	for _, c := range list {
		for class, n := range running {
			out[class] += float64(c.time-at) * float64(n) / float64(all)
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

// Along calls do for each unit of the chain that ends with last, the last first, with its time on the chain.
func (g *Graph) Along(last int32, do func(i int32, takes int64)) {
	if last < 0 {
		return
	}
	for i, takes := last, g.Units[last].User; i >= 0; i = g.Units[i].Creator {
		do(i, takes)
		if c := g.Units[i].Creator; c >= 0 {
			takes = min(g.Units[c].User, max(0, g.Created(i)-g.Units[c].Begin))
		}
	}
}

// PathIn returns the longest chain of computation in a phase. The unit early, if any, is released at the start of its
// creator.
func (g *Graph) PathIn(ph *Phase, early int32) (longest int64) {
	start := map[int32]int64{}
	for i := range g.InOrder(ph) {
		u := &g.Units[i]
		s := int64(0)
		if c := u.Creator; c >= 0 {
			if from, ok := start[c]; ok {
				s = from
				if i != early {
					s += min(g.Units[c].User, max(0, g.Created(i)-g.Units[c].Begin))
				}
			}
		}
		start[i] = s
		longest = max(longest, s+u.User)
	}
	return longest
}

// Last returns the unit of a phase that ends last; -1: none.
func (g *Graph) Last(ph *Phase) int32 {
	last := int32(-1)
	for th := range ph.Firsts {
		if i := ph.Ends[th] - 1; i >= ph.Firsts[th] && (last < 0 || g.Units[i].End > g.Units[last].End) {
			last = i
		}
	}
	return last
}

// LastChain returns the last event chain of a phase: from the unit that ends last back through creators.
func (g *Graph) LastChain(ph *Phase) (list []int32) {
	for i := g.Last(ph); i >= 0 && ph.Holds(i, g.Units[i].Thread) && len(list) <= len(g.Units); i = g.Units[i].Creator {
		list = append(list, i)
		if c := g.Units[i].Creator; c >= 0 && g.Units[c].Begin > g.Units[i].Begin {
			break
		}
	}
	return list
}

// Caused returns the user time in a stretch on a thread, of units of a phase that are root or that it caused.
func (g *Graph) Caused(ph *Phase, root, thread int32, from, to int64) (sum float64) {
	own := g.Units[:ph.Ends[thread]]
	first := int(ph.Firsts[thread])
	first += sort.Search(len(own)-first, func(k int) bool { return own[first+k].End > from })
	for i := first; i < len(own) && own[i].Begin < to; i++ {
		if g.caused(ph, int32(i), root) {
			sum += g.UserIn(thread, max(from, own[i].Begin), min(to, own[i].End))
		}
	}
	return sum
}

// caused reports whether root, a unit of a phase, is unit i or caused it.
func (g *Graph) caused(ph *Phase, i, root int32) bool {
	for i >= 0 && i != root && g.Units[i].Begin >= g.Units[root].Begin {
		u := &g.Units[i]
		if !ph.Holds(i, u.Thread) || u.Creator == i {
			return false
		}
		g.Look()
		i = u.Creator
	}
	return i == root
}

// InOrder returns the units of a phase by their start, so creators precede the units they create.
func (g *Graph) InOrder(ph *Phase) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		heads, ends := &byBegin{g: g}, ph.Ends
		for th, first := range ph.Firsts {
			if first < ends[th] {
				heads.list = append(heads.list, first)
			}
		}
		heap.Init(heads)
		for len(heads.list) > 0 {
			g.Look()
			i := heads.list[0]
			if !yield(i) {
				return
			}
			if i+1 < ends[g.Units[i].Thread] {
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
	g    *Graph
	list []int32
}

func (h *byBegin) Len() int { return len(h.list) }

func (h *byBegin) Less(i, k int) bool {
	x, y := h.list[i], h.list[k]
	return cmp.Or(cmp.Compare(h.g.Units[x].Begin, h.g.Units[y].Begin), cmp.Compare(x, y)) < 0
}

func (h *byBegin) Swap(i, k int) { h.list[i], h.list[k] = h.list[k], h.list[i] }

func (h *byBegin) Push(x any) { h.list = append(h.list, x.(int32)) }

func (h *byBegin) Pop() any {
	last := len(h.list) - 1
	x := h.list[last]
	h.list = h.list[:last]
	return x
}
