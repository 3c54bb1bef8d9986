package eventgraph

// Clocks of message-driven runs. A message that is executed before it was created (a tachyon) shows that the clocks of
// two processors differ. The unit that it starts, and all later ones of its processor, are moved so that it begins
// after the message's creation and transmission. Units are taken in an order in which each comes after the one before
// it on its processor and after its creator, so that one pass leaves no tachyon (the algorithm of Sinha's thesis, 4.2,
// takes two passes; with this order one is enough).

import (
	"context"
	"math"
	"sort"

	"pview/prv"
	"pview/prv/extrae/execution"
)

// clockRepair describes a repair.
type clockRepair struct {
	Count   int   // of tachyons
	Largest int64 // largest shift
	Cycles  int   // messages ignored because their order of creation is cyclic
	Shifts  []shiftList
}

// shiftList are the shifts of a thread: from a time on its clock, by how much. They rise.
type shiftList []struct{ From, By int64 }

// At returns the shift of a time.
func (l shiftList) At(t int64) int64 {
	i := sort.Search(len(l), func(i int) bool { return l[i].From > t }) - 1
	if i < 0 {
		return 0
	}
	return l[i].By
}

// Back returns the time before the repair.
func (l shiftList) Back(t int64) int64 {
	i := sort.Search(len(l), func(i int) bool { return l[i].From+l[i].By > t }) - 1
	if i < 0 {
		return t
	}
	return max(t-l[i].By, l[i].From)
}

// RepairClocks finds the shifts of all threads. transfer is the time of a message.
func (g *Graph) RepairClocks(transfer func(u int32) int64) clockRepair {
	r := clockRepair{Shifts: make([]shiftList, g.T.NumThreads())}
	n := len(g.Units)
	by := make([]int64, n) // shift of each unit
	order, dropped := g.causalOrder()
	r.Cycles = len(dropped)
	now := make([]int64, g.T.NumThreads())
	for _, i := range order {
		u := &g.Units[i]
		if u.Creator >= 0 && !dropped[i] {
			created := g.Created(i) + by[u.Creator]
			if begin := u.Begin + now[u.Thread]; begin < created {
				r.Count++
				shift := created + transfer(i) - begin
				now[u.Thread] += shift
				r.Shifts[u.Thread] = append(r.Shifts[u.Thread], struct{ From, By int64 }{u.Begin, now[u.Thread]})
				r.Largest = max(r.Largest, now[u.Thread])
			}
		}
		by[i] = now[u.Thread]
	}
	return r
}

// causalOrder orders units: each after the one before it on its thread, and after its creator. If that is impossible,
// the link of the message with the latest creation is dropped.
func (g *Graph) causalOrder() (order []int32, dropped map[int32]bool) {
	dropped = map[int32]bool{}
	next := make([]int32, g.T.NumThreads())
	copy(next, g.FirstUnit)
	done := make([]bool, len(g.Units))
	waiting := map[int32][]int32{} // by creator: threads whose next unit it starts
	var ready []int32
	for th := range next {
		ready = append(ready, int32(th))
	}
	for {
		for len(ready) > 0 {
			th := ready[len(ready)-1]
			ready = ready[:len(ready)-1]
			for next[th] < g.FirstUnit[th+1] {
				i := next[th]
				if c := g.Units[i].Creator; c >= 0 && !done[c] && !dropped[i] {
					waiting[c] = append(waiting[c], th)
					break
				}
				done[i] = true
				order = append(order, i)
				next[th]++
				ready = append(ready, waiting[i]...)
				delete(waiting, i)
			}
		}
		worst := int32(-1)
		for th := range next {
			if i := next[th]; i < g.FirstUnit[th+1] && (worst < 0 || g.Created(i) > g.Created(worst)) {
				worst = i
			}
		}
		if worst < 0 {
			return order, dropped
		}
		dropped[worst] = true
		delete(waiting, g.Units[worst].Creator)
		for th := range next {
			ready = append(ready, int32(th))
		}
		waiting = map[int32][]int32{}
	}
}

// Shifted returns the trace with the clocks repaired.
func (r *clockRepair) Shifted(ctx context.Context, t *prv.Trace) (*prv.Trace, error) {
	end := t.Duration
	for _, l := range r.Shifts {
		end = max(end, t.Duration+l.At(math.MaxInt64))
	}
	entry := execution.TypesOf(t.Labels)[execution.Entry]
	return Retimed(ctx, t, end, Times{
		At:    func(thread int32, at int64) int64 { return at + r.Shifts[thread].At(at) },
		Until: func(thread int32, at int64) int64 { return at + r.Shifts[thread].At(at-1) },
		// The end of the unit before does not move with the next.
		Ends: func(p prv.Pair) bool { return p.Type == entry && p.Value == 0 },
	})
}
