package compare

// The computation of a run by thread and code region, with its counters, and the waiting that regions cause.

import (
	"cmp"
	"context"
	"math"
	"slices"

	"pview/insight/cause"
	"pview/insight/eventgraph"
	"pview/insight/replay"
	"pview/prv/wide"
)

// place is a code region on a thread of the application.
type place struct {
	thread int
	region string
}

// work is the computation at a place; ns.
type work struct {
	cause.Sums
	lost  float64 // time without cycles
	extra int     // executions far beyond the usual time
	odd   odd     // the one furthest beyond it
	next  float64 // how far the second one is beyond it
	rates         // of the stretches
}

// odd is an execution that took longer than usual.
type odd struct {
	number      int // from 1, of the region on the thread
	from        int64
	extra, lost float64
}

// rates hold the mean time per cycle over stretches, weighted by their times, and its variation at one place.
type rates struct{ time, mean, squares float64 }

// take adds a stretch (West, 1979).
func (r *rates) take(time, cycles float64) {
	if cycles > 0 && time > 0 {
		r.time += time
		off := time/cycles - r.mean
		r.mean += off * time / r.time
		r.squares += time * off * (time/cycles - r.mean)
	}
}

// merge adds the rates of another place; differences between places do not count.
func (r *rates) merge(of rates) {
	if of.time > 0 {
		r.time += of.time
		r.mean += (of.mean - r.mean) * of.time / r.time
		r.squares += of.squares
	}
}

// scatter returns the standard deviation.
func (r *rates) scatter() float64 { return math.Sqrt(r.squares / max(r.time, 1)) }

// uneven is the minimum scatter of the time per cycle, relative to its increase, for a cause other than the clock: a
// lower clock slows all stretches alike, unlike a core that is taken away now and then.
const uneven = 0.15

// unevenly reports whether the time per cycle is longer than in another run and differs from stretch to stretch.
func (r *rates) unevenly(other *rates) bool {
	longer := r.mean - other.mean
	return longer > 0 && r.scatter() > uneven*longer && r.scatter() > 3*other.scatter()
}

// learn reads the work and the delays of all threads. The only error is ctx's.
func (r *Run) learn(ctx context.Context, g *eventgraph.Graph) error {
	r.work, r.delays = map[place]*work{}, map[place]wide.Int{}
	for _, d := range g.Waits.Delays {
		if i := int(d.Thread - r.threads[0]); i >= 0 && i < r.Threads {
			at := place{i, g.Waits.Regions[d.Region].Name}
			r.delays[at] = r.delays[at].Plus(wide.Product(d.Cost(), r.unit))
		}
	}
	if g.Driven != nil {
		return nil
	}
	model, err := replay.NewModel(ctx, g)
	if err != nil {
		return ctx.Err() // no counters by region if the run cannot be replayed
	}
	run, err := cause.NewRun(ctx, model)
	if err != nil {
		return err
	}
	for i, th := range r.threads {
		for k := range run.ByThread[th] {
			s := &run.ByThread[th][k]
			at := place{i, run.RegionName(s.Region)}
			w := r.work[at]
			if w == nil {
				w = &work{}
				r.work[at] = w
			}
			w.take(s, run.Lost(s), r.unit)
		}
	}
	return nil
}

// take adds a stretch; lost is its time without cycles.
func (w *work) take(s *cause.Stretch, lost float64, unit int64) {
	f := float64(unit)
	w.Executions++
	w.Time += float64(s.Length()) * f
	w.Instructions += s.Instructions
	w.Cycles += s.Cycles
	w.lost += lost * f
	w.rates.take(float64(s.Length())*f, s.Cycles)
	if s.Extra <= 0 {
		return
	}
	w.extra++
	if x := (odd{int(w.Executions), s.From * unit, s.Extra * f, lost * f}); x.extra > w.odd.extra {
		w.odd, w.next = x, w.odd.extra
	} else {
		w.next = max(w.next, x.extra)
	}
}

// workOn sums up the work in a region on some threads; nil: on all. In run B it takes their partners.
func (c *Result) workOn(region string, who []int) (a, b work) {
	add := func(to *work, of *work) {
		if of == nil {
			return
		}
		to.Executions += of.Executions
		to.Time += of.Time
		to.Instructions += of.Instructions
		to.Cycles += of.Cycles
		to.lost += of.lost
		to.rates.merge(of.rates)
		to.extra += of.extra
		if of.odd.extra > to.odd.extra {
			to.odd, to.next = of.odd, max(to.odd.extra, of.next)
		} else {
			to.next = max(to.next, of.odd.extra)
		}
	}
	for i := range max(c.A.Threads, c.B.Threads) {
		if who != nil && !slices.Contains(who, i) {
			continue
		}
		add(&a, c.A.work[place{i, region}])
		if !c.Scaled {
			add(&b, c.B.work[place{c.partner[i], region}])
		} else {
			add(&b, c.B.work[place{i, region}])
		}
	}
	return a, b
}

// regions returns the names of the regions in which either run computes.
func (c *Result) regions() (names []string) {
	for _, r := range []*Run{c.A, c.B} {
		for at := range r.work {
			names = append(names, at.region)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// changeIn returns how much longer each thread computes in a region, ns.
func (c *Result) changeIn(region string) []float64 {
	list := make([]float64, c.A.Threads)
	for i := range list {
		a, b := c.workOn(region, []int{i})
		list[i] = b.Time - a.Time
	}
	return list
}

// groupOf returns the threads with most of a change, in the direction of the sum; nil if they are two thirds of all. ok
// is false if there are none.
func groupOf(change []float64) (who []int, ok bool) {
	total, most := 0.0, 0.0
	for _, v := range change {
		total += v
	}
	sign := 1.0
	if total < 0 {
		sign = -1
	}
	for _, v := range change {
		most = max(most, sign*v)
	}
	sum := 0.0
	for i, v := range change {
		if v *= sign; v > 0 && v >= most*leastInGroup {
			who, sum = append(who, i), sum+v
		}
	}
	if total == 0 || sum*100 < mostOf*sign*total {
		return nil, false
	}
	if 3*len(who) >= 2*len(change) {
		who = nil
	}
	return who, true
}

// leastInGroup is the smallest change of a thread in a group, as a share of the group's largest.
const leastInGroup = 1.0 / 3

// Card explains the difference in a region's time on some threads. Times are ns, means over these threads (sums over
// all with different numbers of threads); the parts add up to the difference.
type Card struct {
	Region       string
	Threads      []int // of A; nil: all
	A, B         cause.Sums
	Parts        cause.Parts // Clock excludes Preempted
	Preempted    float64     // time without cycles
	odd          odd
	onA          bool // the odd execution is in A
	extraA       int  // executions beyond the usual time
	extraB       int
	thread       string // of the odd execution
	scaled, once bool
}

// Difference is B - A.
func (x *Card) Difference() float64 { return x.B.Time - x.A.Time }

// cardOf finds the card of a region on some threads; nil if nothing is known.
func (c *Result) cardOf(region string, who []int) *Card {
	a, b := c.workOn(region, who)
	if a.Executions == 0 && b.Executions == 0 {
		return nil
	}
	n := max(len(who), 1)
	switch {
	case c.Scaled:
		n = 1
	case who == nil:
		n = c.A.Threads
	}
	x := &Card{Region: region, Threads: who, A: a.Scaled(n), B: b.Scaled(n), scaled: c.Scaled, extraA: a.extra,
		extraB: b.extra}
	x.Parts = cause.Divide(x.B, x.A)
	if a.Cycles > 0 && b.Cycles > 0 {
		// The ratio of time to time on a core is a separate factor.
		x.Preempted = cause.LogMean(x.B.Time, x.A.Time) * math.Log(b.Time/(b.Time-b.lost)*(a.Time-a.lost)/a.Time)
		if b.rates.unevenly(&a.rates) || a.rates.unevenly(&b.rates) {
			x.Preempted = x.Parts.Clock
			x.extraA, x.extraB = 0, 0 // most executions are preempted, not a few odd ones
		}
		x.Parts.Clock -= x.Preempted
	}
	whole := b.Time - a.Time
	mine, others := &b, &a
	if x.onA = whole < 0; x.onA {
		mine, others, whole = &a, &b, -whole
	}
	x.odd = mine.odd
	x.once = a.Executions == b.Executions && 100*x.odd.extra >= mostOf*whole && 2*mine.next < x.odd.extra &&
		2*others.odd.extra < x.odd.extra
	if x.once {
		x.thread = c.oddThread(region, x)
	}
	return x
}

// oddThread names the thread of an odd execution, as in A.
func (c *Result) oddThread(region string, x *Card) string {
	for i := range c.A.Threads {
		w := c.A.work[place{i, region}]
		if !x.onA && !c.Scaled {
			w = c.B.work[place{c.partner[i], region}]
		}
		if w != nil && w.odd == x.odd {
			return c.A.names[i]
		}
	}
	return ""
}

// reason is a part of the difference in words.
type reason struct {
	text string
	ns   float64
}

// reasons returns the parts that cause the difference, the largest first.
func (x *Card) reasons() (list []reason) {
	add := func(text string, ns float64) { list = append(list, reason{text, ns}) }
	ratio := func(b, a float64) float64 {
		if a == 0 {
			return 0
		}
		return b / a
	}
	p := &x.Parts
	if !x.scaled {
		add("stretches "+countText(x.A.Executions)+" -> "+countText(x.B.Executions), p.Executions)
	}
	if x.A.Cycles > 0 && x.B.Cycles > 0 {
		if x.scaled { // threads share the work: only its total is comparable
			add(timesText(ratio(x.B.Instructions, x.A.Instructions))+" the instructions", p.Executions+p.Instructions)
		} else {
			perA, perB := ratio(x.A.Instructions, x.A.Executions), ratio(x.B.Instructions, x.B.Executions)
			add(timesText(ratio(perB, perA))+" the instructions", p.Instructions)
		}
		add(ipcText(x.A.IPC(), x.B.IPC()), p.IPC)
		add(clockText(x.A.Cycles/x.A.Time, x.B.Cycles/x.B.Time), p.Clock)
		without := "without cycles"
		if n := max(x.extraA, x.extraB); n > 0 {
			without += ", in " + countText(float64(n)) + " executions"
		}
		add(without, x.Preempted)
	}
	whole := x.Difference()
	if math.Abs(whole) < leastChanged*x.A.Time {
		return nil
	}
	list = slices.DeleteFunc(list, func(r reason) bool {
		return r.ns*whole <= 0 || r.ns/whole < leastReason
	})
	slices.SortStableFunc(list, func(a, b reason) int { return cmp.Compare(b.ns/whole, a.ns/whole) })
	return list
}

// leastChanged is the relative difference from which reasons are given.
const leastChanged = 0.005

// leastReason is the minimum share of the difference of a reason that is mentioned.
const leastReason = 0.2
