package diagnose

// Phases: the run is cut where nothing before can influence the timing of what comes after: at the last entry into a collective operation in
// which all tasks take part, while no message is on its way and nobody else computes. Phases that look alike form a group.

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

	"pview/prv/extrae"
)

// phase is a part of the run between two cuts.
type phase struct {
	from, to int64
	group    int // from 1
	firsts   []int32
	ends     []int32 // units by thread: [firsts, ends)
}

// cut is a place where the run can be cut.
type cut struct {
	last, left int64 // last entry, last exit
	value      int64
	crossed    int
}

// findPhases cuts the run.
func (a *analysis) findPhases(ctx context.Context) error {
	if a.driven != nil {
		a.cutAtPoints()
		a.assignUnits()
		a.groupPhases()
		return ctx.Err()
	}
	cuts := a.fullCollectives()
	a.countCrossing(cuts)
	cuts = slices.DeleteFunc(cuts, func(c cut) bool { return c.crossed > 0 || a.computesAt(c.last) })
	if ctx.Err() != nil {
		return ctx.Err()
	}
	begin := int64(0)
	for _, c := range cuts {
		if c.left <= begin || c.left > a.t.Duration {
			continue
		}
		a.phases = append(a.phases, phase{from: begin, to: c.left})
		begin = c.left
	}
	if begin < a.t.Duration || len(a.phases) == 0 {
		a.phases = append(a.phases, phase{from: begin, to: a.t.Duration})
	}
	a.assignUnits()
	a.joinEmpty()
	a.groupPhases()
	return ctx.Err()
}

// fullCollectives are the operations of all tasks, by last entry.
func (a *analysis) fullCollectives() (cuts []cut) {
	for i := range a.waits.Instances {
		x := &a.waits.Instances[i]
		if !x.Collective() || x.Nonblocking() || int(x.Parts) != len(a.t.Tasks) || len(a.t.Tasks) < 2 {
			continue
		}
		c := cut{last: x.Last, value: x.Value}
		for _, m := range a.waits.Members(x) {
			c.left = max(c.left, m.Exit)
		}
		cuts = append(cuts, c)
	}
	slices.SortStableFunc(cuts, func(x, y cut) int { return cmp.Compare(x.last, y.last) })
	return cuts
}

// countCrossing counts the messages that are on their way at each cut.
func (a *analysis) countCrossing(cuts []cut) {
	change := make([]int, len(cuts)+1)
	for m := range a.t.Comms.Len() {
		msg, ok := a.waits.Message(int32(m))
		if !ok || msg.Sent >= msg.Done {
			continue
		}
		lo := sort.Search(len(cuts), func(i int) bool { return cuts[i].last > msg.Sent })
		hi := sort.Search(len(cuts), func(i int) bool { return cuts[i].last >= msg.Done })
		if lo < hi {
			change[lo]++
			change[hi]--
		}
	}
	n := 0
	for i := range cuts {
		n += change[i]
		cuts[i].crossed = n
	}
}

// computesAt reports whether a thread computes at a time, other than one that ends its computation then.
func (a *analysis) computesAt(at int64) bool {
	for i := range a.t.Threads {
		s := &a.t.Threads[i].States
		k := sort.Search(s.Len(), func(k int) bool { return s.Begin[k] > at }) - 1
		if k >= 0 && s.Begin[k] < at && s.End[k] > at && a.states.Part(s.Value[k]) == extrae.PartUser {
			return true
		}
	}
	return false
}

// assignUnits gives each phase the units that end in it: a thread that leaves the operation between two phases first begins the next one before the
// last has left.
func (a *analysis) assignUnits() {
	at := slices.Clone(a.firstUnit[:a.t.NumThreads()])
	for n := range a.phases {
		ph := &a.phases[n]
		ph.firsts = slices.Clone(at)
		for th := range at {
			for at[th] < a.firstUnit[th+1] && (a.units[at[th]].end <= ph.to || n == len(a.phases)-1) {
				at[th]++
			}
		}
		ph.ends = slices.Clone(at)
	}
}

// holds reports whether a unit belongs to the phase.
func (ph *phase) holds(i, thread int32) bool { return i >= ph.firsts[thread] && i < ph.ends[thread] }

// begins is the time at which a thread begins the phase.
func (a *analysis) begins(ph *phase, thread int32) int64 {
	if i := ph.firsts[thread]; i < ph.ends[thread] {
		return a.units[i].begin
	}
	return ph.from
}

// work is the user time of the units of a phase.
func (a *analysis) work(ph *phase) (sum int64) {
	for th := range ph.firsts {
		for i := ph.firsts[th]; i < ph.ends[th]; i++ {
			sum += a.units[i].user
		}
	}
	return sum
}

// joinEmpty adds phases without work to the one before.
func (a *analysis) joinEmpty() {
	n := 0
	for _, ph := range a.phases {
		if n > 0 && a.work(&ph) == 0 {
			a.phases[n-1].to, a.phases[n-1].ends = ph.to, ph.ends
			continue
		}
		a.phases[n] = ph
		n++
	}
	a.phases = a.phases[:n]
}

// groupPhases numbers the groups: phases with about the same number of units of each class.
func (a *analysis) groupPhases() {
	groups := map[string]int{}
	for n := range a.phases {
		ph := &a.phases[n]
		counts := map[int32]int{}
		for th := range ph.firsts {
			for i := ph.firsts[th]; i < ph.ends[th]; i++ {
				if a.units[i].user > 0 {
					counts[a.units[i].class]++
				}
			}
		}
		key := signature(counts)
		g, ok := groups[key]
		if !ok {
			g = len(groups) + 1
			groups[key] = g
		}
		ph.group = g
	}
	a.groups = len(groups)
}

// signature writes the classes of a phase with their numbers, to a power of two.
func signature(counts map[int32]int) string {
	var b strings.Builder
	classes := make([]int32, 0, len(counts))
	for c := range counts {
		classes = append(classes, c)
	}
	slices.Sort(classes)
	for _, c := range classes {
		size := 0
		for n := counts[c]; n > 1; n /= 2 {
			size++
		}
		fmt.Fprintf(&b, "%d:%d ", c, size)
	}
	return b.String()
}
