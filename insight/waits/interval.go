package waits

// The interval of a wait: the time since waiter and cause were last in step, and what the cause did more of than the waiter in
// it.

import (
	"cmp"
	"context"
	"slices"
	"sort"

	"pview/prv/parallel"
)

// shareRange is what explains a wait: the excess of the cause by region (rows of Result.items), then its own waits.
type shareRange struct {
	first, end      int64 // items
	firstWait, last int32 // waits of the cause: last is excluded
	total           int64 // N
	begin           int64 // t0
}

// shareItem is the excess of a cause in a region.
type shareItem struct {
	excess int64
	region int32
}

// steps finds when two threads were last in step.
type steps struct {
	a      *analysis
	byPair []int32 // waits, by the two threads (the lower first) and end
	first  []int32 // by lower thread
	member [][]groupSteps
}

// groupSteps are the operations of a communicator or team that a thread left in step with others, in order of last arrival.
type groupSteps struct {
	key  groupKey
	list []int32 // rows of Result.Instances
}

// newSteps sorts the waits by pair of threads and the operations by thread.
func newSteps(ctx context.Context, a *analysis) (*steps, error) {
	r := a.out
	s := &steps{a: a, first: make([]int32, len(a.lanes)+1), member: make([][]groupSteps, len(a.lanes))}
	low := func(w *Wait) int32 { return min(w.Thread, w.Cause) }
	watch := parallel.NewWatch(ctx)
	for i := range r.Waits {
		watch.Step()
		if w := &r.Waits[i]; w.Cause >= 0 {
			s.first[low(w)+1]++
		}
	}
	for i := range a.lanes {
		s.first[i+1] += s.first[i]
	}
	s.byPair = make([]int32, s.first[len(a.lanes)])
	next := slices.Clone(s.first)
	for i := range r.Waits {
		watch.Step()
		if w := &r.Waits[i]; w.Cause >= 0 {
			s.byPair[next[low(w)]] = int32(i)
			next[low(w)]++
		}
	}
	err := parallel.Each(ctx, len(a.lanes), 0, func(_, i int) error {
		watch := parallel.NewWatch(ctx)
		slices.SortFunc(s.byPair[s.first[i]:s.first[i+1]], func(x, y int32) int {
			watch.Step()
			v, w := &r.Waits[x], &r.Waits[y]
			return cmp.Or(cmp.Compare(max(v.Thread, v.Cause), max(w.Thread, w.Cause)), cmp.Compare(v.To, w.To))
		})
		return ctx.Err()
	})
	s.gatherGroups(watch)
	return s, err
}

// gatherGroups lists for each thread the operations that it did not leave before the last arrival.
func (s *steps) gatherGroups(watch *parallel.Watch) {
	r := s.a.out
	for n := range r.Instances {
		watch.Step()
		x := &r.Instances[n]
		if !x.Class.isStep() {
			continue
		}
		key := groupKey{ptask: x.Ptask, comm: x.Comm}
		for _, p := range r.partsOf(x) {
			if p.exit < x.Last {
				continue
			}
			if x.Comm < 0 { // a team: that of the task
				key.ptask, key.comm = s.a.t.ThreadTask[p.thread], -2
			}
			list := s.member[p.thread]
			i := slices.IndexFunc(list, func(g groupSteps) bool { return g.key == key })
			if i < 0 {
				i = len(list)
				list = append(list, groupSteps{key: key})
			}
			list[i].list = append(list[i].list, int32(n))
			s.member[p.thread] = list
		}
	}
	for i := range s.member {
		for k := range s.member[i] {
			slices.SortStableFunc(s.member[i][k].list, func(x, y int32) int {
				watch.Step()
				return cmp.Compare(r.Instances[x].Last, r.Instances[y].Last)
			})
		}
	}
}

// last is the last time up to at at which two threads were in step.
func (s *steps) last(w, d int32, at int64) int64 {
	begin := min(at, max(s.a.lanes[w].since(at), s.a.lanes[d].since(at)))
	begin = max(begin, s.lastWait(w, d, at))
	return max(begin, s.lastGroup(w, d, at))
}

// since is the time from which a thread is there, seen from a time.
func (l *lane) since(at int64) int64 {
	if l.isAway(at) {
		return at
	}
	return l.tracedSince(at)
}

// lastWait is the end of the last wait of one for the other.
func (s *steps) lastWait(w, d int32, at int64) int64 {
	r := s.a.out
	lo, hi := min(w, d), max(w, d)
	list := s.byPair[s.first[lo]:s.first[lo+1]]
	i := sort.Search(len(list), func(i int) bool {
		v := &r.Waits[list[i]]
		other := max(v.Thread, v.Cause)
		return other > hi || other == hi && v.To > at
	}) - 1
	if i < 0 {
		return 0
	}
	if v := &r.Waits[list[i]]; max(v.Thread, v.Cause) != hi {
		return 0
	}
	return r.Waits[list[i]].To
}

// lastGroup is the last arrival at an operation in which both took part.
func (s *steps) lastGroup(w, d int32, at int64) (begin int64) {
	r := s.a.out
	for _, mine := range s.member[w] {
		k := slices.IndexFunc(s.member[d], func(g groupSteps) bool { return g.key == mine.key })
		if k < 0 {
			continue
		}
		list, other := mine.list, s.member[d][k].list
		i := sort.Search(len(list), func(i int) bool { return r.Instances[list[i]].Last > at }) - 1
		for ; i >= 0 && r.Instances[list[i]].Last > begin; i-- {
			last := r.Instances[list[i]].Last
			j := sort.Search(len(other), func(j int) bool { return r.Instances[other[j]].Last >= last })
			found := false
			for ; j < len(other) && r.Instances[other[j]].Last == last && !found; j++ {
				found = other[j] == list[i]
			}
			if found {
				begin = last
			}
		}
	}
	return begin
}

// findIntervals explains every wait.
func (a *analysis) findIntervals(ctx context.Context) error {
	r := a.out
	s, err := newSteps(ctx, a)
	if err != nil {
		return err
	}
	a.rankWaits(ctx)
	r.shares = make([]shareRange, len(r.Waits))
	const chunk = 256
	chunks := (len(r.Waits) + chunk - 1) / chunk
	lists := make([][]shareItem, chunks)
	workers := make([]*explainer, 64)
	err = parallel.Each(ctx, chunks, min(len(workers), processors()), func(w, n int) error {
		if workers[w] == nil {
			workers[w] = &explainer{a: a, s: s, acc: make([]int64, len(r.Regions))}
		}
		e := workers[w]
		e.items = nil
		for i := n * chunk; i < min((n+1)*chunk, len(r.Waits)); i++ {
			if i&15 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			e.explain(int32(i))
		}
		lists[n] = e.items
		return nil
	})
	if err != nil {
		return err
	}
	total := 0
	for _, l := range lists {
		total += len(l)
	}
	r.items = make([]shareItem, 0, total)
	for n, l := range lists {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		base := int64(len(r.items))
		for i := n * chunk; i < min((n+1)*chunk, len(r.Waits)); i++ {
			r.shares[i].first += base
			r.shares[i].end += base
		}
		r.items = append(r.items, l...)
	}
	return nil
}

// explainer is a worker of findIntervals.
type explainer struct {
	a       *analysis
	s       *steps
	acc     []int64 // by region
	touched []int32
	items   []shareItem
}

// explain finds what the cause of wait i did more of than the waiter.
func (e *explainer) explain(i int32) {
	r := e.a.out
	w, sh := &r.Waits[i], &r.shares[i]
	sh.first = int64(len(e.items))
	sh.end = sh.first
	sh.begin = w.From
	if w.Cause < 0 {
		return
	}
	if !w.Class.isHeld() {
		sh.begin = e.s.last(w.Thread, w.Cause, w.From)
	}
	d := &e.a.lanes[w.Cause]
	d.profile.add(d.ids, e.acc, &e.touched, 1, sh.begin, w.To)
	e.inside(i)
	if !w.Class.isHeld() {
		l := &e.a.lanes[w.Thread]
		l.profile.add(l.ids, e.acc, &e.touched, -1, sh.begin, w.From)
	}
	slices.Sort(e.touched)
	for _, region := range slices.Compact(e.touched) {
		if excess := e.acc[region]; excess > 0 {
			e.items = append(e.items, shareItem{excess, region})
			sh.total += excess
		}
		e.acc[region] = 0
	}
	e.touched = e.touched[:0]
	sh.end = int64(len(e.items))
}

// inside finds the waits of the cause in the interval of wait i. One that sticks out of it, or that an earlier wait of a
// circle has passed on, counts as work.
func (e *explainer) inside(i int32) {
	r := e.a.out
	w, sh := &r.Waits[i], &r.shares[i]
	base := r.First[w.Cause]
	own := r.Of(w.Cause)
	k := sort.Search(len(own), func(k int) bool { return own[k].To > sh.begin })
	sh.firstWait, sh.last = base+int32(k), base+int32(k)
	for ; k < len(own) && own[k].From < w.To; k++ {
		v := &own[k]
		if v.From < sh.begin || v.To > w.To || e.a.rank[base+int32(k)] <= e.a.rank[i] {
			if v.Region >= 0 {
				addTime(e.acc, &e.touched, v.Region, min(v.To, w.To)-max(v.From, sh.begin))
			}
			if sh.firstWait == base+int32(k) {
				sh.firstWait++
				sh.last = sh.firstWait
			}
			continue
		}
		sh.total += v.Length()
		sh.last = base + int32(k) + 1
	}
}

// Interval is the begin of the interval that explains a wait: the last time at which waiter and cause were in step.
func (r *Result) Interval(wait int32) int64 { return r.shares[wait].begin }
