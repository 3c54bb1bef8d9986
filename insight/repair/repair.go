// Package repair simulates changes of a program: a measured run is replayed with its dependencies and traced times,
// with some of its work or messages changed.
//
// A repair is made of changes at places of the run, or of factors for the work in a region, which are worked out for
// all phases at once. Replay runs calls and messages, DrivenReplay message-driven programs; Runtimes compares other
// queues and balancers for these.
package repair

import (
	"cmp"
	"slices"

	"pview/insight/eventgraph"
	"pview/prv/extrae"
)

// ChangeKind is what a change does.
type ChangeKind uint8

const (
	OfTime     ChangeKind = iota // a thread needs factor times its time between from and to, waits left out
	OfSend                       // the message is sent at from
	OfReceive                    // the message is waited for at from
	OfOverhead                   // a thread needs factor times its overhead between from and to
)

// Change is one place of a repair.
type Change struct {
	From, To int64
	Factor   float64
	Thread   int32
	Message  int32
	Kind     ChangeKind
}

// maxChanges bounds the memory of the places of all repairs: 40 bytes each.
const maxChanges = 2 << 20

// Repair changes the run.
type Repair struct {
	// scale is the factor of the time of a thread in a region at a time; nil: 1.
	scale func(thread, region int32, at int64) float64
	// stretches of each thread take another time, in order and without overlap; nil: none.
	stretches [][]Change
	// sent and received are messages that are sent and waited for at other times.
	sent, received map[int32]int64
	// Eager sends never wait for their receiver.
	Eager bool
	// Quick calls take no longer than their messages need, once nobody is waited for.
	Quick bool
}

// apart sorts stretches by time; where two overlap the earlier one counts.
func apart(g *eventgraph.Graph, list []Change) []Change {
	slices.SortFunc(list, func(x, y Change) int {
		g.Look()
		return cmp.Or(cmp.Compare(x.From, y.From), cmp.Compare(x.To, y.To))
	})
	kept, end := list[:0], int64(0)
	for _, c := range list {
		if c.From = max(c.From, end); c.To > c.From {
			kept, end = append(kept, c), c.To
		}
	}
	return kept
}

// levelPhase is the mean of a class over the threads that execute it, relative to each.
func levelPhase(g *eventgraph.Graph, ph *eventgraph.Phase, class int32, all bool) []float64 {
	times := make([]float64, len(ph.Firsts))
	sum, n := 0.0, 0
	for th := range times {
		for i := ph.Firsts[th]; i < ph.Ends[th]; i++ {
			if u := &g.Units[i]; all || u.Class == class {
				times[th] += float64(u.User)
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
func scaleRegions(factor func(thread, region int32) float64) *Repair {
	return &Repair{scale: func(thread, region int32, _ int64) float64 { return factor(thread, region) }}
}

// Changed makes the repair of some places; nil if there are none, or too many.
func Changed(g *eventgraph.Graph, list []Change) *Repair {
	if len(list) == 0 || len(list) > maxChanges {
		return nil
	}
	fix := &Repair{stretches: make([][]Change, g.T.NumThreads()), sent: map[int32]int64{}, received: map[int32]int64{}}
	for _, c := range list {
		g.Look()
		switch c.Kind {
		case OfTime:
			fix.stretches[c.Thread] = append(fix.stretches[c.Thread], c)
		case OfSend:
			fix.sent[c.Message] = c.From
		case OfReceive:
			fix.received[c.Message] = c.From
		case OfOverhead:
			g.EachPart(c.Thread, c.From, c.To, func(from, to int64, part extrae.Part) {
				if part == extrae.PartOverhead || part == extrae.PartIO {
					fix.stretches[c.Thread] = append(fix.stretches[c.Thread],
						Change{From: from, To: to, Factor: c.Factor})
				}
			})
		}
	}
	for i := range fix.stretches {
		fix.stretches[i] = apart(g, fix.stretches[i])
	}
	return fix
}

// Level spreads the work of a class evenly over the threads that execute it, phase by phase; all: that of all classes.
func Level(g *eventgraph.Graph, class int32, all bool) *Repair {
	factors := make([][]float64, len(g.Phases))
	for n := range g.Phases {
		factors[n] = levelPhase(g, &g.Phases[n], class, all)
	}
	at := make([]int, g.T.NumThreads()) // the phase that each thread is in: times of a thread rise
	return &Repair{scale: func(thread, region int32, time int64) float64 {
		if region < 0 || g.Driven == nil && g.Waits.Regions[region].Call || !all && region != class {
			return 1
		}
		k := &at[thread]
		if g.Begins(&g.Phases[*k], thread) > time {
			*k = 0
		}
		for *k+1 < len(g.Phases) && g.Begins(&g.Phases[*k+1], thread) <= time {
			*k++
		}
		return factors[*k][thread]
	}}
}

// WithoutExcess shortens a region on the threads that spend more time in it than the mean of all, to that.
func WithoutExcess(g *eventgraph.Graph, n int32) *Repair {
	threads := g.T.NumThreads()
	times := g.TimesIn(n)
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
