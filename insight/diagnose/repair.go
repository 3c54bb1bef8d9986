package diagnose

// Repairs: what the simulation changes for a finding. A rule says of each of its places what would be different there;
// repairs of the work in a region are worked out for all phases at once.

import (
	"cmp"
	"slices"

	"pview/prv/extrae"
)

// changeKind is what a change does.
type changeKind uint8

const (
	ofTime     changeKind = iota // a thread needs factor times its time between from and to, waits left out
	ofSend                       // the message is sent at from
	ofReceive                    // the message is waited for at from
	ofOverhead                   // a thread needs factor times its overhead between from and to
)

// change is one place of a repair.
type change struct {
	from, to int64
	factor   float64
	thread   int32
	message  int32
	kind     changeKind
}

// maxChanges bounds the memory of the places of all repairs: 40 bytes each.
const maxChanges = 2 << 20

// repair changes the run.
type repair struct {
	// scale is the factor of the time of a thread in a region at a time; nil: 1.
	scale func(thread, region int32, at int64) float64
	// stretches of each thread take another time, in order and without overlap; nil: none.
	stretches [][]change
	// sent and received are messages that are sent and waited for at other times.
	sent, received map[int32]int64
	// eager sends never wait for their receiver.
	eager bool
	// quick calls take no longer than their messages need, once nobody is waited for.
	quick bool
}

// apart sorts stretches by time; where two overlap the earlier one counts.
func apart(g *graph, list []change) []change {
	slices.SortFunc(list, func(x, y change) int {
		g.look()
		return cmp.Or(cmp.Compare(x.from, y.from), cmp.Compare(x.to, y.to))
	})
	kept, end := list[:0], int64(0)
	for _, c := range list {
		if c.from = max(c.from, end); c.to > c.from {
			kept, end = append(kept, c), c.to
		}
	}
	return kept
}

// levelPhase is the mean of a class over the threads that execute it, relative to each.
func levelPhase(g *graph, ph *phase, class int32, all bool) []float64 {
	times := make([]float64, len(ph.firsts))
	sum, n := 0.0, 0
	for th := range times {
		for i := ph.firsts[th]; i < ph.ends[th]; i++ {
			if u := &g.units[i]; all || u.class == class {
				times[th] += float64(u.user)
			}
		}
		if sum += times[th]; times[th] > 0 {
			n++
		}
	}
	for th := range times {
		if times[th] > 0 {
			times[th] = sum / float64(n) / times[th]
		} else {
			times[th] = 1
		}
	}
	return times
}

// scaleRegions is a repair whose factors do not depend on the time.
func scaleRegions(factor func(thread, region int32) float64) *repair {
	return &repair{scale: func(thread, region int32, _ int64) float64 { return factor(thread, region) }}
}

// changed makes the repair of some places; nil if there are none, or too many.
func changed(g *graph, list []change) *repair {
	if len(list) == 0 || len(list) > maxChanges {
		return nil
	}
	fix := &repair{stretches: make([][]change, g.t.NumThreads()), sent: map[int32]int64{}, received: map[int32]int64{}}
	for _, c := range list {
		g.look()
		switch c.kind {
		case ofTime:
			fix.stretches[c.thread] = append(fix.stretches[c.thread], c)
		case ofSend:
			fix.sent[c.message] = c.from
		case ofReceive:
			fix.received[c.message] = c.from
		case ofOverhead:
			g.eachPart(c.thread, c.from, c.to, func(from, to int64, part extrae.Part) {
				if part == extrae.PartOverhead || part == extrae.PartIO {
					fix.stretches[c.thread] = append(fix.stretches[c.thread],
						change{from: from, to: to, factor: c.factor})
				}
			})
		}
	}
	for i := range fix.stretches {
		fix.stretches[i] = apart(g, fix.stretches[i])
	}
	return fix
}

// level spreads the work of a class evenly over the threads that execute it, phase by phase; all: that of all classes.
func level(g *graph, class int32, all bool) *repair {
	factors := make([][]float64, len(g.phases))
	for n := range g.phases {
		factors[n] = levelPhase(g, &g.phases[n], class, all)
	}
	at := make([]int, g.t.NumThreads()) // the phase that each thread is in: times of a thread rise
	return &repair{scale: func(thread, region int32, time int64) float64 {
		if region < 0 || g.driven == nil && g.waits.Regions[region].Call || !all && region != class {
			return 1
		}
		k := &at[thread]
		if g.begins(&g.phases[*k], thread) > time {
			*k = 0
		}
		for *k+1 < len(g.phases) && g.begins(&g.phases[*k+1], thread) <= time {
			*k++
		}
		return factors[*k][thread]
	}}
}

// withoutExcess shortens a region on the threads that spend more time in it than the mean of all, to that.
func withoutExcess(g *graph, n int32) *repair {
	threads := g.t.NumThreads()
	times := g.timesIn(n)
	sum := 0.0
	for _, time := range times {
		sum += time
	}
	factors := make([]float64, threads)
	for th := range factors {
		factors[th] = 1
		if mean := sum / float64(threads); times[th] > mean {
			factors[th] = mean / times[th]
		}
	}
	return scaleRegions(func(thread, region int32) float64 {
		if region == n {
			return factors[thread]
		}
		return 1
	})
}
