package diagnose

// Phases: the run is cut where nothing before can influence the timing of what comes after: at the last entry into a
// collective operation in which all tasks take part, while no message is on its way and nobody else computes (package
// phase), or at separation points. Phases that look alike form a group.

import (
	"context"
	"fmt"
	"slices"
	"strings"

	cuts "pview/insight/phase"
)

// phase is a part of the run between two cuts.
type phase struct {
	from, to int64
	group    int // from 1
	firsts   []int32
	ends     []int32 // units by thread: [firsts, ends)
}

// findPhases cuts the run.
func (a *analysis) findPhases(ctx context.Context) error {
	if a.driven != nil {
		a.cutAtPoints()
		a.assignUnits()
		a.groupPhases()
		return ctx.Err()
	}
	tiling, err := cuts.Find(ctx, a.t, cuts.Options{})
	if err != nil {
		return err
	}
	for _, p := range tiling.Phases {
		a.phases = append(a.phases, phase{from: p.Begin, to: p.End, group: p.Group + 1})
	}
	a.groups = len(tiling.Groups)
	a.assignUnits()
	return ctx.Err()
}

// assignUnits gives each phase the units that end in it: a thread that leaves the operation between two phases first
// begins the next one before the last has left.
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

// groupPhases numbers the groups of a message-driven run: phases with about the same number of units of each class.
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
