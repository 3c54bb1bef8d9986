package waits

// The profile of a thread: its time in each region, over any stretch, without waits and absence.

import (
	"context"
	"sort"

	"pview/prv/parallel"
)

// profile is a thread's changes of region, and totals every so many changes.
type profile struct {
	changes []change // region -1: waiting or absent
	stride  int
	regions int
	totals  []int64 // before change 0, stride, 2*stride, ...: by region
}

// minStride bounds the memory of totals: with more regions than this the stride is their number, so totals take 8 bytes a change.
const minStride = 64

// regionAt is the region of a thread at a time, a row of Result.Regions; -1 before the first.
func (l *lane) regionAt(at int64) int32 {
	i := sort.Search(len(l.changes), func(i int) bool { return l.changes[i].time > at }) - 1
	if i < 0 || l.changes[i].region < 0 {
		return -1
	}
	return l.ids[l.changes[i].region]
}

// buildProfiles takes waits and absence out of the regions of each thread.
func (a *analysis) buildProfiles(ctx context.Context) error {
	return parallel.Each(ctx, len(a.lanes), 0, func(_, i int) error {
		l := &a.lanes[i]
		out := make([]span, 0, len(a.out.Of(int32(i)))+len(l.absent))
		waits, absent := a.out.Of(int32(i)), l.absent
		for len(waits) > 0 || len(absent) > 0 {
			if len(absent) == 0 || len(waits) > 0 && waits[0].From <= absent[0].from {
				out = append(out, span{waits[0].From, waits[0].To})
				waits = waits[1:]
			} else {
				out = append(out, absent[0])
				absent = absent[1:]
			}
		}
		l.profile.build(l.changes, out, len(l.ids), a.t.Duration)
		return ctx.Err()
	})
}

// build makes the profile of changes, without some stretches, which are in order.
func (p *profile) build(changes []change, without []span, regions int, end int64) {
	p.regions, p.stride = regions, max(minStride, regions)
	p.changes = make([]change, 0, len(changes)+2*len(without)+1)
	note := func(at int64, region int32) {
		if n := len(p.changes); n > 0 {
			if p.changes[n-1].region == region {
				return
			}
			if p.changes[n-1].time == at {
				p.changes[n-1].region = region
				return
			}
		}
		p.changes = append(p.changes, change{at, region})
	}
	now, gone := int32(-1), int64(0) // gone: until when the thread waits or is away
	k := 0
	upTo := func(until int64) {
		for ; k < len(changes) && changes[k].time < until; k++ {
			now = changes[k].region
			if changes[k].time >= gone {
				note(changes[k].time, now)
			}
		}
	}
	for _, s := range without {
		upTo(s.from)
		if s.from < s.to && s.to > gone {
			note(max(s.from, gone), -1)
			gone = s.to
			upTo(s.to)
			if k == len(changes) || changes[k].time > s.to {
				note(s.to, now)
			}
		}
	}
	upTo(1<<63 - 1)
	note(max(end, gone), -1)
	p.sum()
}

// sum computes the totals.
func (p *profile) sum() {
	acc := make([]int64, p.regions)
	p.totals = make([]int64, 0, (len(p.changes)/p.stride+1)*p.regions)
	for i, c := range p.changes {
		if i%p.stride == 0 {
			p.totals = append(p.totals, acc...)
		}
		if c.region >= 0 && i+1 < len(p.changes) {
			acc[c.region] += p.changes[i+1].time - c.time
		}
	}
}

// add adds sign times the time in each region over [from, to) to acc, which is indexed by ids.
func (p *profile) add(ids []int32, acc []int64, touched *[]int32, sign, from, to int64) {
	if from >= to || len(p.changes) == 0 {
		return
	}
	i := max(sort.Search(len(p.changes), func(i int) bool { return p.changes[i].time > from })-1, 0)
	walk := func(i, end int) {
		for ; i < end && i+1 < len(p.changes); i++ {
			c := p.changes[i]
			if c.time >= to {
				return
			}
			if d := min(p.changes[i+1].time, to) - max(c.time, from); c.region >= 0 && d > 0 {
				addTime(acc, touched, ids[c.region], sign*d)
			}
		}
	}
	lo, hi := (i+p.stride)/p.stride, 0 // rows of totals
	if lo*p.stride < len(p.changes) && p.changes[lo*p.stride].time < to {
		j := sort.Search(len(p.changes), func(i int) bool { return p.changes[i].time > to }) - 1
		hi = j / p.stride
	}
	if hi <= lo {
		walk(i, len(p.changes))
		return
	}
	walk(i, lo*p.stride)
	first, last := p.totals[lo*p.regions:(lo+1)*p.regions], p.totals[hi*p.regions:(hi+1)*p.regions]
	for r := range first {
		if d := last[r] - first[r]; d != 0 {
			addTime(acc, touched, ids[r], sign*d)
		}
	}
	walk(hi*p.stride, len(p.changes))
}

// addTime adds to a region and notes that it is in use.
func addTime(acc []int64, touched *[]int32, region int32, d int64) {
	*touched = append(*touched, region)
	acc[region] += d
}

// Profile returns the time of a thread in each region over [from, to), waiting and absence taken out.
func (r *Result) Profile(thread int32, from, to int64) []int64 {
	acc := make([]int64, len(r.Regions))
	var touched []int32
	l := &r.lanes[thread]
	l.profile.add(l.ids, acc, &touched, 1, from, to)
	return acc
}
