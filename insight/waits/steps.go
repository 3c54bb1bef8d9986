package waits

// What a thread waits for, and whom it holds up, as values over time: the columns behind the timeline functions
// (functions.go).

import (
	"cmp"
	"context"
	"slices"

	"pview/prv/parallel"
	"pview/semantic"
)

// timeline writes a value over time: 0 except where it is set.
type timeline struct {
	semantic.Steps
	end int64 // of the trace
}

func newTimeline(end int64) *timeline {
	return &timeline{semantic.Steps{Begin: []int64{0}, Value: []float64{0}}, end}
}

// from begins a value. Times must not decrease; the last of several at one time counts.
func (s *timeline) from(at int64, v float64) {
	n := len(s.Begin)
	switch {
	case at >= s.end && at > 0:
	case at <= s.Begin[n-1]:
		s.Value[n-1] = v
	default:
		s.Begin, s.Value = append(s.Begin, at), append(s.Value, v)
	}
}

// set gives a stretch a value. Stretches must be in order and not overlap.
func (s *timeline) set(from, to int64, v float64) {
	if from < to {
		s.from(from, v)
		s.from(to, 0)
	}
}

// States returns the class of what each thread does in its calls, over time; 0 outside of calls. A wait in a call comes
// before the rest of the call.
func (r *Result) States() []semantic.Steps {
	v := r.view()
	list := make([]semantic.Steps, len(r.lanes))
	watch := parallel.NewWatch(context.Background())
	var ends []operationEnd
	for i := range list {
		ends = v.operationEnds(watch, int32(i), ends)
		list[i] = v.statesOf(int32(i), ends)
	}
	return list
}

func (a *analysis) statesOf(thread int32, ends []operationEnd) semantic.Steps {
	r := a.out
	s := newTimeline(r.t.Duration)
	waits := r.Of(thread)
	at := int64(0) // everything before is written
	upTo := func(until int64) {
		for ; len(waits) > 0 && waits[0].From < until; waits = waits[1:] {
			s.set(max(waits[0].From, at), waits[0].To, float64(waits[0].Class))
			at = max(at, waits[0].To)
		}
	}
	a.callParts(thread, ends, func(from, to int64, c Class) {
		upTo(from)
		for from = max(from, at); from < to; from = max(from, at) {
			until := to
			if len(waits) > 0 {
				until = min(to, max(waits[0].From, from))
			}
			s.set(from, until, float64(c))
			at = max(at, until)
			upTo(until + 1)
		}
	})
	upTo(r.t.Duration)
	return s.Steps
}

// waitSteps returns a figure of the waits of a thread over time; 0 while it does not wait.
func (r *Result) waitSteps(thread int32, figure func(w *Wait) float64) semantic.Steps {
	s, at := newTimeline(r.t.Duration), int64(0)
	own := r.Of(thread)
	for i := range own {
		w := &own[i]
		s.set(max(w.From, at), w.To, figure(w))
		at = max(at, w.To)
	}
	return s.Steps
}

// rateChange is a change of the waiting caused per unit of time in a region.
type rateChange struct {
	at     int64
	region int32
	short  float64 // direct
	long   float64 // indirect
	begins bool
}

// delaySteps returns the waiting caused by a thread per unit of its time: the mean number of threads that it holds up,
// directly and indirectly. A region's cost in a wait is spread evenly over the thread's time in the region since both
// threads were in step, so the integral over a thread is the cost of its delays.
func (r *Result) delaySteps() (short, long []semantic.Steps) {
	changes := make([][]rateChange, len(r.lanes))
	for i := range r.Waits {
		w, sh := &r.Waits[i], &r.shares[i]
		if w.Cause < 0 || sh.total == 0 {
			continue
		}
		d := &r.lanes[w.Cause]
		now, later := divider{amount: w.Length(), total: sh.total}, divider{amount: w.L, total: sh.total}
		var acc map[int32]int64
		for _, item := range r.itemsOf(i) {
			if acc == nil {
				acc = d.timeIn(sh.begin, w.To)
			}
			c := rateChange{sh.begin, item.region, float64(now.share(item.excess)), float64(later.share(item.excess)),
				true}
			if t := float64(acc[item.region]); t > 0 {
				c.short, c.long = c.short/t, c.long/t
				changes[w.Cause] = append(changes[w.Cause], c, rateChange{w.To, item.region, -c.short, -c.long, false})
			}
		}
	}
	for i := range r.lanes {
		a, b := r.lanes[i].spread(changes[i], r.t.Duration)
		short, long = append(short, a), append(long, b)
	}
	return short, long
}

// timeIn returns the time of a thread in each region over [from, to), without waits and absence.
func (l *lane) timeIn(from, to int64) map[int32]int64 {
	m := map[int32]int64{}
	p := &l.profile
	i, _ := slices.BinarySearch(p.time, from)
	for i = max(i-1, 0); i+1 < p.len() && p.time[i] < to; i++ {
		if d := min(p.time[i+1], to) - max(p.time[i], from); p.region[i] >= 0 && d > 0 {
			m[l.ids[p.region[i]]] += d
		}
	}
	return m
}

// rate is the rate in a region now.
type rate struct {
	short, long float64
	under       int // active delays: without any, both are 0 except for rounding errors
}

// spread merges the changes of rate of a thread's regions with its changes of region.
func (l *lane) spread(changes []rateChange, end int64) (short, long semantic.Steps) {
	slices.SortStableFunc(changes, func(x, y rateChange) int { return cmp.Compare(x.at, y.at) })
	a, b := newTimeline(end), newTimeline(end)
	rates := map[int32]*rate{}
	k, here := 0, int32(-1)
	note := func(at int64) {
		var now rate
		if p := rates[here]; p != nil && here >= 0 && p.under > 0 {
			now = *p
		}
		a.change(at, now.short)
		b.change(at, now.long)
	}
	upTo := func(until int64) {
		for k < len(changes) && changes[k].at < until {
			at := changes[k].at
			for ; k < len(changes) && changes[k].at == at; k++ {
				c := &changes[k]
				p := rates[c.region]
				if p == nil {
					p = &rate{}
					rates[c.region] = p
				}
				p.add(c)
			}
			note(at)
		}
	}
	for i, at := range l.profile.time {
		upTo(at)
		here = -1
		if region := l.profile.region[i]; region >= 0 {
			here = l.ids[region]
		}
		note(at)
	}
	upTo(end)
	return a.Steps, b.Steps
}

func (p *rate) add(c *rateChange) {
	p.short, p.long = p.short+c.short, p.long+c.long
	if c.begins {
		p.under++
	} else if p.under--; p.under == 0 {
		p.short, p.long = 0, 0
	}
}

// change begins a value if it differs from the current one.
func (s *timeline) change(at int64, v float64) {
	n := len(s.Begin)
	if at > s.Begin[n-1] && s.Value[n-1] == v {
		return
	}
	s.from(at, v)
}
