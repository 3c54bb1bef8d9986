package diagnose

// Clocks of message-driven runs. A message that is executed before it was created (a tachyon) shows that the clocks of
// two processors differ. The unit that it starts, and all later ones of its processor, are moved until it begins after
// its creation and transmission. Units are taken in an order in which each comes after the one before it on its
// processor and after its creator, so that one pass leaves no tachyon (Sinha's thesis, 4.2, has the algorithm with two
// passes; here the order makes one enough).

import (
	"context"
	"math"
	"sort"

	"pview/prv"
	"pview/prv/extrae/execution"
)

// clockRepair is what was repaired.
type clockRepair struct {
	count   int   // of tachyons
	largest int64 // shift
	cycles  int   // messages that were left out because the order of creation contradicts itself
	shifts  []shiftList
}

// shiftList are the shifts of a thread: from a time on its clock, by how much. They rise.
type shiftList []struct{ from, by int64 }

// at is the shift of a time.
func (l shiftList) at(t int64) int64 {
	i := sort.Search(len(l), func(i int) bool { return l[i].from > t }) - 1
	if i < 0 {
		return 0
	}
	return l[i].by
}

// back is the time before the repair.
func (l shiftList) back(t int64) int64 {
	i := sort.Search(len(l), func(i int) bool { return l[i].from+l[i].by > t }) - 1
	if i < 0 {
		return t
	}
	return max(t-l[i].by, l[i].from)
}

// repairClocks finds the shifts of all threads. transfer is the time of a message.
func (g *graph) repairClocks(transfer func(u int32) int64) clockRepair {
	r := clockRepair{shifts: make([]shiftList, g.t.NumThreads())}
	n := len(g.units)
	by := make([]int64, n) // shift of each unit
	order, dropped := g.causalOrder()
	r.cycles = len(dropped)
	now := make([]int64, g.t.NumThreads())
	for _, i := range order {
		u := &g.units[i]
		if u.creator >= 0 && !dropped[i] {
			created := g.created(i) + by[u.creator]
			if begin := u.begin + now[u.thread]; begin < created {
				r.count++
				shift := created + transfer(i) - begin
				now[u.thread] += shift
				r.shifts[u.thread] = append(r.shifts[u.thread], struct{ from, by int64 }{u.begin, now[u.thread]})
				r.largest = max(r.largest, now[u.thread])
			}
		}
		by[i] = now[u.thread]
	}
	return r
}

// causalOrder orders units: each after the one before it on its thread, and after its creator. Where that is impossible
// the link of the message with the latest creation is left out.
func (g *graph) causalOrder() (order []int32, dropped map[int32]bool) {
	dropped = map[int32]bool{}
	next := make([]int32, g.t.NumThreads())
	copy(next, g.firstUnit)
	done := make([]bool, len(g.units))
	waiting := map[int32][]int32{} // by creator: threads whose next unit it starts
	var ready []int32
	for th := range next {
		ready = append(ready, int32(th))
	}
	for {
		for len(ready) > 0 {
			th := ready[len(ready)-1]
			ready = ready[:len(ready)-1]
			for next[th] < g.firstUnit[th+1] {
				i := next[th]
				if c := g.units[i].creator; c >= 0 && !done[c] && !dropped[i] {
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
			if i := next[th]; i < g.firstUnit[th+1] && (worst < 0 || g.created(i) > g.created(worst)) {
				worst = i
			}
		}
		if worst < 0 {
			return order, dropped
		}
		dropped[worst] = true
		delete(waiting, g.units[worst].creator)
		for th := range next {
			ready = append(ready, int32(th))
		}
		waiting = map[int32][]int32{}
	}
}

// shifted is the trace with the clocks repaired.
func (r *clockRepair) shifted(ctx context.Context, t *prv.Trace) (*prv.Trace, error) {
	h := prv.Header{Date: t.Date, Unit: t.Unit, Resources: t.Resources, Communicators: t.Communicators, End: t.Duration}
	for _, l := range r.shifts {
		h.End = max(h.End, t.Duration+l.at(math.MaxInt64))
	}
	b := prv.NewBuilder(h)
	entry := execution.TypesOf(t.Labels)[execution.Entry]
	for i := range t.Threads {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		th, l := &t.Threads[i], r.shifts[i]
		s := &th.States
		for k := range s.Len() {
			end := s.End[k]
			if end == prv.NoEnd {
				end = t.Duration
				if k+1 < s.Len() {
					end = s.Begin[k+1]
				}
			}
			b.State(int32(i), 0, s.Begin[k]+l.at(s.Begin[k]), end+l.at(end-1), s.Value[k])
		}
		e := &th.Events
		for k := 0; k < e.Len(); {
			first, at := k, e.Time[k]
			var pairs []prv.Pair
			for ; k < e.Len() && (k == first || !e.Lines.Has(k)); k++ {
				pairs = append(pairs, prv.Pair{Type: e.Type[k], Value: e.Value[k]})
				if e.Type[k] == entry && e.Value[k] == 0 {
					at-- // the end of the unit before does not move with the next
				}
			}
			b.Event(int32(i), 0, e.Time[first]+l.at(at), pairs...)
		}
	}
	c := &t.Comms
	for m := range c.Len() {
		from, to := r.shifts[c.Send[m]], r.shifts[c.Recv[m]]
		times := [4]int64{}
		for role := range times {
			l := to
			if prv.Role(role) == prv.LogicalSend || prv.Role(role) == prv.PhysicalSend {
				l = from
			}
			at := c.Times[role][m]
			times[role] = at + l.at(at)
		}
		b.Comm(prv.Comm{Send: c.Send[m], Recv: c.Recv[m], Size: c.Size[m], Tag: c.Tag[m], Times: times})
	}
	out, err := b.Build()
	if err == nil {
		out.Path, out.Labels, out.Names = t.Path, t.Labels, t.Names
	}
	return out, err
}
