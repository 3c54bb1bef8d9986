package waits

// The interval of a wait: the time since waiter and cause were last in step, and the excess work of the cause over the
// waiter in it.

import (
	"cmp"
	"context"
	"slices"

	"pview/insight/waits/search"
	"pview/prv/parallel"
)

// shareRange explains a wait: the excess of the cause by region (Result.itemsOf), then its own waits.
type shareRange struct {
	first           int64 // first item; items end at the next wait's first
	total           int64 // N
	begin           int64 // t0
	firstWait, last int32 // waits of the cause: last is excluded
}

// shareItem is the excess of a cause in a region.
type shareItem struct {
	excess int64
	region int32
}

// itemsOf returns the regions that explain a wait.
func (r *Result) itemsOf(wait int) []shareItem {
	return r.items[r.shares[wait].first:r.shares[wait+1].first]
}

// steps finds when two threads were last in step.
type steps struct {
	a      *analysis
	caused []causedWaits
	member [][]groupSteps
}

// causedWaits are the waits of a thread by cause, and of a cause by time.
type causedWaits struct {
	causes []int32 // in order; -1 is the first, if any
	first  []int32 // by cause: index of its first wait
	ends   []int64
}

// groupSteps are the operations of a communicator or team that a thread left synchronised with others, in order of last
// arrival.
type groupSteps struct {
	key  groupKey
	list []int32 // rows of Result.Instances
	last []int64 // their last arrivals
}

// newSteps sorts the waits of each thread by cause, and its operations by communicator.
func newSteps(ctx context.Context, a *analysis) (*steps, error) {
	s := &steps{a: a, caused: make([]causedWaits, len(a.lanes)), member: make([][]groupSteps, len(a.lanes))}
	counts := make([][]int32, workers())
	err := parallel.Each(ctx, len(a.lanes), len(counts), func(w, i int) error {
		if counts[w] == nil {
			counts[w] = make([]int32, len(a.lanes)+1)
		}
		watch := parallel.NewWatch(ctx)
		s.caused[i].build(watch, a.out.Of(int32(i)), counts[w])
		s.member[i] = a.gatherSteps(watch, int32(i))
		return ctx.Err()
	})
	return s, err
}

// build sorts the waits of a thread, which are in order of time. counts must be zeros, by cause from -1, and are zeros
// afterwards.
func (c *causedWaits) build(watch *parallel.Watch, waits []Wait, counts []int32) {
	for i := range waits {
		watch.Step()
		n := &counts[waits[i].Cause+1]
		if *n == 0 {
			c.causes = append(c.causes, waits[i].Cause)
		}
		*n++
	}
	slices.Sort(c.causes)
	c.first = make([]int32, 1, len(c.causes)+1)
	for k, cause := range c.causes {
		c.first = append(c.first, c.first[k]+counts[cause+1])
		counts[cause+1] = c.first[k]
	}
	c.ends = make([]int64, len(waits))
	for i := range waits {
		n := &counts[waits[i].Cause+1]
		c.ends[*n] = waits[i].To
		*n++
	}
	for _, cause := range c.causes {
		counts[cause+1] = 0
	}
}

// last returns the end of the last wait for a cause until a time; 0: none.
func (c *causedWaits) last(cause int32, at int64) int64 {
	k, ok := slices.BinarySearch(c.causes, cause)
	if !ok {
		return 0
	}
	ends := c.ends[c.first[k]:c.first[k+1]]
	if i := search.UpTo(ends, at); i > 0 {
		return ends[i-1]
	}
	return 0
}

// gatherSteps lists the operations that a thread did not leave before the last arrival.
func (a *analysis) gatherSteps(watch *parallel.Watch, thread int32) (list []groupSteps) {
	r := a.out
	for _, k := range a.lanes[thread].took {
		watch.Step()
		x := &r.Instances[k.instance]
		if !x.Class.isStep() || r.parts[k.part].exit < x.Last {
			continue
		}
		key := groupKey{ptask: x.Ptask, comm: x.Comm}
		if x.Comm < 0 { // the team of the task
			key.ptask, key.comm = a.t.ThreadTask[thread], -2
		}
		i := slices.IndexFunc(list, func(g groupSteps) bool { return g.key == key })
		if i < 0 {
			i = len(list)
			list = append(list, groupSteps{key: key})
		}
		list[i].list = append(list[i].list, k.instance)
	}
	for i := range list {
		g := &list[i]
		slices.SortStableFunc(g.list, func(x, y int32) int {
			watch.Step()
			return cmp.Compare(r.Instances[x].Last, r.Instances[y].Last)
		})
		g.last = make([]int64, len(g.list))
		for k, n := range g.list {
			g.last[k] = r.Instances[n].Last
		}
	}
	return list
}

// last returns the last time until at when two threads were in step.
func (s *steps) last(w, d int32, at int64) int64 {
	begin := min(at, max(s.a.lanes[w].since(at), s.a.lanes[d].since(at)))
	begin = max(begin, s.caused[w].last(d, at), s.caused[d].last(w, at))
	return max(begin, s.lastGroup(w, d, at))
}

// since returns the time since when a thread has been there, as of a time.
func (l *lane) since(at int64) int64 {
	if l.isAway(at) {
		return at
	}
	return l.tracedSince(at)
}

// lastGroup returns the last arrival at an operation in which both took part.
func (s *steps) lastGroup(w, d int32, at int64) (begin int64) {
	for n := range s.member[w] {
		mine := &s.member[w][n]
		k := slices.IndexFunc(s.member[d], func(g groupSteps) bool { return g.key == mine.key })
		if k < 0 {
			continue
		}
		other := &s.member[d][k]
		i := search.UpTo(mine.last, at) - 1
		j := i // if all members took part in all operations, the index is the same
		for ; i >= 0 && mine.last[i] > begin; i-- {
			last := mine.last[i]
			found := false
			for j = search.After(other.last, j, last-1); j < len(other.last) && other.last[j] == last && !found; j++ {
				found = other.list[j] == mine.list[i]
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
	if err := a.rankWaits(ctx); err != nil {
		return err
	}
	r.shares = make([]shareRange, len(r.Waits)+1)
	const chunk = 256
	lists := make([][]shareItem, (len(r.Waits)+chunk-1)/chunk)
	crew := make([]*explainer, workers())
	err = parallel.Each(ctx, len(lists), len(crew), func(w, n int) error {
		if crew[w] == nil {
			crew[w] = newExplainer(a, s)
		}
		e := crew[w]
		e.items = e.items[:0]
		for i := n * chunk; i < min((n+1)*chunk, len(r.Waits)); i++ {
			if i&15 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			e.explain(int32(i))
		}
		lists[n] = slices.Clone(e.items)
		return nil
	})
	if err != nil {
		return err
	}
	return r.joinItems(ctx, lists, chunk)
}

// joinItems joins the items of several workers into one list.
func (r *Result) joinItems(ctx context.Context, lists [][]shareItem, chunk int) error {
	begin := make([]int64, len(lists)+1)
	for n, l := range lists {
		begin[n+1] = begin[n] + int64(len(l))
	}
	r.items = make([]shareItem, begin[len(lists)])
	r.shares[len(r.Waits)].first = begin[len(lists)]
	return parallel.For(ctx, len(lists), func(n int) error {
		for i := n * chunk; i < min((n+1)*chunk, len(r.Waits)); i++ {
			r.shares[i].first += begin[n]
		}
		copy(r.items[begin[n]:], lists[n])
		lists[n] = nil
		return nil
	})
}

// explainer is a worker of findIntervals.
type explainer struct {
	a     *analysis
	s     *steps
	sums  tally
	items []shareItem
	// By thread: the last change of its profile and the last wait that were found. Waits are explained in order of
	// time, so the next is near.
	change, wait []int32
}

func newExplainer(a *analysis, s *steps) *explainer {
	return &explainer{a: a, s: s, sums: tally{time: make([]int64, len(a.out.Regions))},
		change: make([]int32, len(a.lanes)), wait: make([]int32, len(a.lanes))}
}

// add adds the profile of a thread.
func (e *explainer) add(thread int32, sign, from, to int64) {
	l, near := &e.a.lanes[thread], &e.change[thread]
	*near = int32(l.profile.add(l.ids, &e.sums, sign, span{from, to}, int(*near)))
}

// explain finds the excess work of the cause of wait i over the waiter.
func (e *explainer) explain(i int32) {
	r := e.a.out
	w, sh := &r.Waits[i], &r.shares[i]
	sh.first, sh.begin = int64(len(e.items)), w.From
	if w.Cause < 0 {
		return
	}
	if !w.Class.isHeld() {
		sh.begin = e.s.last(w.Thread, w.Cause, w.From)
	}
	e.add(w.Cause, 1, sh.begin, w.To)
	e.inside(i)
	if !w.Class.isHeld() {
		e.add(w.Thread, -1, sh.begin, w.From)
	}
	slices.Sort(e.sums.touched)
	for _, region := range slices.Compact(e.sums.touched) {
		if excess := e.sums.time[region]; excess > 0 {
			e.items = append(e.items, shareItem{excess, region})
			sh.total += excess
		}
		e.sums.time[region] = 0
	}
	e.sums.touched = e.sums.touched[:0]
}

// inside finds the waits of the cause in the interval of wait i. A wait that sticks out of it, or that an earlier wait
// of a circle has passed on, counts as work.
func (e *explainer) inside(i int32) {
	r := e.a.out
	w, sh := &r.Waits[i], &r.shares[i]
	base, end := r.First[w.Cause], r.First[w.Cause+1]
	own := r.Waits[base:end]
	k := search.After(e.a.ends[base:end], int(e.wait[w.Cause]), sh.begin)
	e.wait[w.Cause] = int32(k)
	sh.firstWait, sh.last = base+int32(k), base+int32(k)
	for ; k < len(own) && own[k].From < w.To; k++ {
		v := &own[k]
		if v.From < sh.begin || v.To > w.To || v.To == w.To && e.a.rank[base+int32(k)] <= e.a.rank[i] {
			if v.Region >= 0 {
				e.sums.add(v.Region, min(v.To, w.To)-max(v.From, sh.begin))
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

// Interval returns the start of the interval that explains a wait: the last time at which waiter and cause were in
// step.
func (r *Result) Interval(wait int32) int64 { return r.shares[wait].begin }
