package waits

// The backward pass: the cost of each wait goes to the excess computation of its cause, and where the cause had waited itself, to that
// wait, and so to the root. Waits are handled by their end, the latest first, so that everything that reaches a wait is there
// before it is passed on.

import (
	"cmp"
	"context"
	"math/bits"
	"runtime"
	"slices"
	"sort"

	"pview/prv/parallel"
)

func processors() int { return runtime.GOMAXPROCS(0) }

// rankWaits numbers the waits in the order of the backward pass: by end, the latest first; of equal ends a wait before those of its
// cause. Waits for one another that end together are a circle: it is cut at the highest thread.
func (a *analysis) rankWaits(ctx context.Context) {
	watch := parallel.NewWatch(ctx)
	waits := a.out.Waits
	order := make([]int32, len(waits))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(x, y int32) int {
		watch.Step()
		return cmp.Or(cmp.Compare(waits[y].To, waits[x].To), cmp.Compare(waits[x].Thread, waits[y].Thread))
	})
	a.rank = make([]int32, len(waits))
	n := int32(0)
	take := func(i int32) {
		a.rank[i] = n
		n++
	}
	for i := 0; i < len(order); {
		watch.Step()
		end := i + 1
		for end < len(order) && waits[order[end]].To == waits[order[i]].To {
			end++
		}
		if end == i+1 {
			take(order[i])
		} else {
			orderTogether(waits, order[i:end], take)
		}
		i = end
	}
}

// orderTogether orders waits with the same end, which are sorted by thread: each thread has one at most, so that each wait has one
// successor at most, that of its cause.
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

// share passes costs on, from the last wait to the first.
func (a *analysis) share(ctx context.Context) error {
	r := a.out
	order := make([]int32, len(a.rank))
	watch := parallel.NewWatch(ctx)
	for i, n := range a.rank {
		watch.Step()
		order[n] = int32(i)
	}
	costs := newCosts(r)
	for n, i := range order {
		if n&0xff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		costs.pass(i)
	}
	r.Delays = costs.sorted(watch)
	return nil
}

// costs sums what each region of each thread has caused.
type costs struct {
	r    *Result
	at   map[int64]int32
	list []Delay
}

func newCosts(r *Result) *costs { return &costs{r: r, at: map[int64]int32{}} }

// delay is the row of a region of a thread.
func (c *costs) delay(thread, region int32) *Delay {
	key := int64(thread)<<32 | int64(region)
	i, ok := c.at[key]
	if !ok {
		i = int32(len(c.list))
		c.at[key] = i
		c.list = append(c.list, Delay{Thread: thread, Region: region})
	}
	return &c.list[i]
}

// pass divides the length of a wait, and the waiting that it has caused, among what explains it.
func (c *costs) pass(i int32) {
	w, sh := &c.r.Waits[i], &c.r.shares[i]
	length := w.Length()
	if sh.total == 0 {
		c.r.Unknown += length + w.L
		w.Direct = length
		return
	}
	now, later := divider{amount: length, total: sh.total}, divider{amount: w.L, total: sh.total}
	for _, item := range c.r.items[sh.first:sh.end] {
		short, long := now.share(item.excess), later.share(item.excess)
		w.Direct += short
		d := c.delay(w.Cause, item.region)
		d.Short += short
		d.Long += long
		d.Waits++
		if short+long > d.worst || d.Waits == 1 {
			d.worst, d.Worst = short+long, i
		}
	}
	for k := sh.firstWait; k < sh.last; k++ {
		v := &c.r.Waits[k]
		own := now.share(v.Length())
		v.L += own + later.share(v.Length())
		v.Spread = max(v.Spread, min(own, v.Length()))
	}
}

// divider divides an amount by weights without losing anything: the share of a weight is the difference of the rounded shares of all up to
// it.
type divider struct{ amount, total, weights, given int64 }

func (d *divider) share(weight int64) int64 {
	d.weights += weight
	hi, lo := bits.Mul64(uint64(d.amount), uint64(d.weights))
	q, _ := bits.Div64(hi, lo, uint64(d.total)) // the weights are at most the total, so this fits
	s := int64(q) - d.given
	d.given = int64(q)
	return s
}

// sorted returns the delays by thread and region.
func (c *costs) sorted(watch *parallel.Watch) []Delay {
	slices.SortFunc(c.list, func(x, y Delay) int {
		watch.Step()
		return cmp.Or(cmp.Compare(x.Thread, y.Thread), cmp.Compare(x.Region, y.Region))
	})
	return c.list
}
