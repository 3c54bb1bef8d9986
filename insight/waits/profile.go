package waits

// The profile of a thread: its time in each region, over any stretch, without waits and absence.

import (
	"context"

	"pview/insight/waits/search"
	"pview/prv/parallel"
)

// profile holds a thread's changes of region, and totals at regular distances.
type profile struct {
	changes // region -1: waiting or absent
	stride  int
	regions int
	totals  []int64 // before change 0, stride, 2*stride, ...: by region
}

// minStride bounds the memory of totals: with more regions than this, the stride is their number, so totals take 8
// bytes per change.
const minStride = 64

// regionAt returns the region of a thread at a time, a row of Result.Regions; -1 before the first.
func (l *lane) regionAt(at int64) int32 {
	region, _ := l.regionNear(0, at)
	return region
}

// regionNear is regionAt with a guess of the current change, which it also returns.
func (l *lane) regionNear(near int, at int64) (region int32, change int) {
	i := search.After(l.changes.time, near, at) - 1
	if i < 0 || l.changes.region[i] < 0 {
		return -1, i
	}
	return l.ids[l.changes.region[i]], i
}

// buildProfiles removes waits and absence from the regions of each thread.
func (a *analysis) buildProfiles(ctx context.Context) error {
	return parallel.For(ctx, len(a.lanes), func(i int) error {
		l := &a.lanes[i]
		l.profile.build(&l.changes, a.out.Of(int32(i)), l.absent, len(l.ids), a.t.Duration)
		return ctx.Err()
	})
}

// build makes the profile of changes, without waits and absence.
func (p *profile) build(all *changes, waits []Wait, absent []span, regions int, end int64) {
	p.regions, p.stride = regions, max(minStride, regions)
	p.changes = newChanges(all.len() + 2*(len(waits)+len(absent)) + 1)
	now, gone := int32(-1), int64(0) // gone: the thread waits or is absent until then
	k := 0
	upTo := func(until int64) {
		for ; k < all.len() && all.time[k] < until; k++ {
			now = all.region[k]
			if all.time[k] >= gone {
				p.note(all.time[k], now)
			}
		}
	}
	without := func(from, to int64) {
		upTo(from)
		if from < to && to > gone {
			p.note(max(from, gone), -1)
			gone = to
			upTo(to)
			if k == all.len() || all.time[k] > to {
				p.note(to, now)
			}
		}
	}
	for len(waits) > 0 || len(absent) > 0 {
		if len(absent) == 0 || len(waits) > 0 && waits[0].From <= absent[0].from {
			without(waits[0].From, waits[0].To)
			waits = waits[1:]
		} else {
			without(absent[0].from, absent[0].to)
			absent = absent[1:]
		}
	}
	upTo(1<<63 - 1)
	p.note(max(end, gone), -1)
	p.sum()
}

// sum computes the totals.
func (p *profile) sum() {
	acc := make([]int64, p.regions)
	p.totals = make([]int64, 0, (p.len()/p.stride+1)*p.regions)
	for i, region := range p.region {
		if i%p.stride == 0 {
			p.totals = append(p.totals, acc...)
		}
		if region >= 0 && i+1 < p.len() {
			acc[region] += p.time[i+1] - p.time[i]
		}
	}
}

// tally is time by region.
type tally struct {
	time    []int64 // by row of Result.Regions
	touched []int32 // those in use, possibly repeated
}

// add adds to a region, and notes that it is in use.
func (t *tally) add(region int32, d int64) {
	if t.time[region] == 0 {
		t.touched = append(t.touched, region)
	}
	t.time[region] += d
}

// add adds sign times the time in each region over [from, to). ids are the rows of the regions; near is a guess of the
// change at from; the actual one is returned.
func (p *profile) add(ids []int32, to *tally, sign int64, at span, near int) (change int) {
	if at.from >= at.to || p.len() == 0 {
		return near
	}
	i := max(search.After(p.time, near, at.from)-1, 0)
	lo, hi := (i+p.stride)/p.stride, 0 // rows of totals
	if lo*p.stride < p.len() && p.time[lo*p.stride] < at.to {
		hi = (search.After(p.time, lo*p.stride, at.to) - 1) / p.stride
	}
	if hi <= lo {
		p.walk(ids, to, sign, at, i, p.len())
		return i
	}
	p.walk(ids, to, sign, at, i, lo*p.stride)
	first, last := p.totals[lo*p.regions:(lo+1)*p.regions], p.totals[hi*p.regions:(hi+1)*p.regions]
	for r := range first {
		if d := last[r] - first[r]; d != 0 {
			to.add(ids[r], sign*d)
		}
	}
	p.walk(ids, to, sign, at, hi*p.stride, p.len())
	return i
}

// walk adds the stretches of some changes.
func (p *profile) walk(ids []int32, to *tally, sign int64, at span, i, end int) {
	for ; i < end && i+1 < p.len() && p.time[i] < at.to; i++ {
		if d := min(p.time[i+1], at.to) - max(p.time[i], at.from); p.region[i] >= 0 && d > 0 {
			to.add(ids[p.region[i]], sign*d)
		}
	}
}

// Profile returns the time of a thread in each region over the run, excluding waiting and absence.
func (r *Result) Profile(thread int32) []int64 {
	all := tally{time: make([]int64, len(r.Regions))}
	l := &r.lanes[thread]
	l.profile.add(l.ids, &all, 1, span{0, r.t.Duration}, 0)
	return all.time
}
