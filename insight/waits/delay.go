package waits

// The backward pass: the cost of each wait goes to the excess computation of its cause, and if the cause had waited
// itself, to that wait, and so on to the root. Waits are handled by their end, the latest first, so a wait has received
// its whole cost before passing it on.

import (
	"context"
	"math/bits"
	"runtime"
	"slices"
	"sort"

	"pview/insight/waits/search"
	"pview/prv/parallel"
	"pview/prv/wide"
)

// workers returns the number of concurrent workers.
func workers() int { return min(runtime.GOMAXPROCS(0), 64) }

// rankWaits numbers the waits in the order of the backward pass: by end, the latest first; among equal ends a wait
// before those of its cause. Waits for each other that end together form a circle, which is cut at the highest thread.
func (a *analysis) rankWaits(ctx context.Context) error {
	watch := parallel.NewWatch(ctx)
	waits := a.out.Waits
	last := int64(0)
	for _, to := range a.ends {
		last = max(last, to)
	}
	order := make([]search.Row, len(waits)) // by thread, also among equal ends
	for i, to := range a.ends {
		watch.Step()
		order[i] = search.Row{Key: uint64(last - to), Row: int32(i)}
	}
	order = search.Sort(order, watch.Look)
	a.rank, a.order = make([]int32, len(waits)), make([]int32, 0, len(waits))
	var group []int32
	for i := 0; i < len(order); {
		watch.Step()
		end := i + 1
		for end < len(order) && order[end].Key == order[i].Key {
			end++
		}
		if end == i+1 {
			a.order = append(a.order, order[i].Row)
		} else {
			group = group[:0]
			for _, p := range order[i:end] {
				group = append(group, p.Row)
			}
			orderTogether(waits, group, func(i int32) { a.order = append(a.order, i) })
		}
		i = end
	}
	for n, i := range a.order {
		watch.Step()
		a.rank[i] = int32(n)
	}
	return ctx.Err()
}

// orderTogether orders waits with the same end, which are sorted by thread: each thread has at most one, so each wait
// has at most one successor, its cause's wait.
func orderTogether(waits []Wait, group []int32, take func(int32)) {
	of := func(thread int32) int {
		k := sort.Search(len(group), func(k int) bool { return waits[group[k]].Thread >= thread })
		if k < len(group) && waits[group[k]].Thread == thread {
			return k
		}
		return -1
	}
	before := make([]int, len(group)) // waits that come first
	next := make([]int, len(group))
	for k, i := range group {
		if next[k] = of(waits[i].Cause); next[k] >= 0 {
			before[next[k]]++
		}
	}
	done := make([]bool, len(group))
	follow := func(k int) {
		for k >= 0 && !done[k] && before[k] == 0 {
			done[k] = true
			take(group[k])
			if k = next[k]; k >= 0 {
				before[k]--
			}
		}
	}
	for k := range group {
		follow(k)
	}
	for k := len(group) - 1; k >= 0; k-- { // circles
		if !done[k] {
			before[k] = 0
			follow(k)
		}
	}
}

// share passes costs on, from the last wait to the first, and then sums the waiting caused by each region.
func (a *analysis) share(ctx context.Context) error {
	r := a.out
	for n, i := range a.order {
		if n&0xff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		r.passOn(i)
	}
	// The sums do not depend on the order of waits.
	crew := make([]*costs, workers())
	const chunk = 1 << 10
	err := parallel.Each(ctx, (len(r.Waits)+chunk-1)/chunk, len(crew), func(w, n int) error {
		if crew[w] == nil {
			crew[w] = a.newCosts()
		}
		for i := n * chunk; i < min((n+1)*chunk, len(r.Waits)); i++ {
			crew[w].add(int32(i))
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	crew = slices.DeleteFunc(crew, func(c *costs) bool { return c == nil })
	if len(crew) == 0 {
		return nil
	}
	all := crew[0]
	for _, c := range crew[1:] {
		if err := all.join(ctx, c); err != nil {
			return err
		}
	}
	r.Unknown = all.unknown
	r.Delays = slices.DeleteFunc(all.list, func(d Delay) bool { return d.Waits == 0 })
	return nil
}

// passOn gives the waits of the cause of a wait their shares of its length and of the waiting that it caused.
func (r *Result) passOn(i int32) {
	w, sh := &r.Waits[i], &r.shares[i]
	if sh.firstWait >= sh.last {
		return
	}
	own := r.Waits[sh.firstWait:sh.last]
	work := sh.total // of the regions, which come first
	for k := range own {
		work -= own[k].Length()
	}
	now, later := divider{amount: w.Length(), total: sh.total}, divider{amount: w.L, total: sh.total}
	now.share(work)
	later.share(work)
	for k := range own {
		v := &own[k]
		length := v.Length()
		part := now.share(length)
		v.L = wide.Saturated(v.L, wide.Saturated(part, later.share(length)))
		v.Spread = max(v.Spread, min(part, length))
	}
}

// costs sums the waiting caused by each region of each thread.
type costs struct {
	a       *analysis
	first   []int32 // by thread: its first row
	list    []Delay // by thread and region
	unknown int64
}

func (a *analysis) newCosts() *costs {
	c := &costs{a: a, first: make([]int32, len(a.lanes)+1)}
	for i := range a.lanes {
		c.first[i+1] = c.first[i] + int32(len(a.lanes[i].ids))
	}
	c.list = make([]Delay, c.first[len(a.lanes)])
	for i := range a.lanes {
		for k, id := range a.lanes[i].ids {
			c.list[int(c.first[i])+k] = Delay{Thread: int32(i), Region: id}
		}
	}
	return c
}

// add divides the length of a wait, and the waiting that it caused, among the regions that explain it.
func (c *costs) add(i int32) {
	r := c.a.out
	w, sh := &r.Waits[i], &r.shares[i]
	length := w.Length()
	if sh.total == 0 {
		c.unknown = wide.Saturated(c.unknown, wide.Saturated(length, w.L))
		w.Direct = length
		return
	}
	now, later := divider{amount: length, total: sh.total}, divider{amount: w.L, total: sh.total}
	for _, item := range r.itemsOf(int(i)) {
		short, long := now.share(item.excess), later.share(item.excess)
		w.Direct += short
		k, _ := slices.BinarySearch(c.a.lanes[w.Cause].ids, item.region)
		d := &c.list[int(c.first[w.Cause])+k]
		d.Short, d.Long = wide.Saturated(d.Short, short), wide.Saturated(d.Long, long)
		d.Waits++
		c.worst(d, wide.Saturated(short, long), i)
	}
}

// worst notes the largest part of a delay in a wait; of equal ones, the last wait's.
func (c *costs) worst(d *Delay, part int64, wait int32) {
	if part > d.worst || part == d.worst && (d.Waits == 1 || c.a.rank[wait] < c.a.rank[d.Worst]) {
		d.worst, d.Worst = part, wait
	}
}

// join adds the costs summed by another worker.
func (c *costs) join(ctx context.Context, other *costs) error {
	c.unknown = wide.Saturated(c.unknown, other.unknown)
	for i := range c.list {
		if i&0xfff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		d, o := &c.list[i], &other.list[i]
		if o.Waits == 0 {
			continue
		}
		if d.Waits == 0 || o.worst > d.worst || o.worst == d.worst && c.a.rank[o.Worst] < c.a.rank[d.Worst] {
			d.worst, d.Worst = o.worst, o.Worst
		}
		d.Short, d.Long = wide.Saturated(d.Short, o.Short), wide.Saturated(d.Long, o.Long)
		d.Waits += o.Waits
	}
	return nil
}

// divider divides an amount by weights without losing anything: a weight's share is the difference of the rounded
// cumulative shares.
type divider struct{ amount, total, weights, given int64 }

func (d *divider) share(weight int64) int64 {
	d.weights += weight
	hi, lo := bits.Mul64(uint64(d.amount), uint64(d.weights))
	q, _ := bits.Div64(hi, lo, uint64(d.total)) // the weights are at most the total, so this fits
	s := int64(q) - d.given
	d.given = int64(q)
	return s
}
