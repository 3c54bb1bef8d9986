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
func (g *graph) findPhases(ctx context.Context) error {
	if g.driven != nil {
		g.cutAtPoints()
		g.assignUnits()
		g.groupPhases()
		return ctx.Err()
	}
	tiling, err := cuts.Find(ctx, g.t, cuts.Options{})
	if err != nil {
		return err
	}
	for _, p := range tiling.Phases {
		g.phases = append(g.phases, phase{from: p.Begin, to: p.End, group: p.Group + 1})
	}
	g.groups = len(tiling.Groups)
	g.assignUnits()
	return ctx.Err()
}

// assignUnits gives each phase the units that end in it: a thread that leaves the operation between two phases first
// begins the next one before the last has left.
func (g *graph) assignUnits() {
	at := slices.Clone(g.firstUnit[:g.t.NumThreads()])
	for n := range g.phases {
		ph := &g.phases[n]
		ph.firsts = slices.Clone(at)
		for th := range at {
			for at[th] < g.firstUnit[th+1] && (g.units[at[th]].end <= ph.to || n == len(g.phases)-1) {
				at[th]++
			}
		}
		ph.ends = slices.Clone(at)
	}
}

// holds reports whether a unit belongs to the phase.
func (ph *phase) holds(i, thread int32) bool { return i >= ph.firsts[thread] && i < ph.ends[thread] }

// begins is the time at which a thread begins the phase.
func (g *graph) begins(ph *phase, thread int32) int64 {
	if i := ph.firsts[thread]; i < ph.ends[thread] {
		return g.units[i].begin
	}
	return ph.from
}

// groupPhases numbers the groups of a message-driven run: phases with about the same number of units of each class.
func (g *graph) groupPhases() {
	groups := map[string]int{}
	for n := range g.phases {
		ph := &g.phases[n]
		counts := map[int32]int{}
		for th := range ph.firsts {
			for i := ph.firsts[th]; i < ph.ends[th]; i++ {
				if g.units[i].user > 0 {
					counts[g.units[i].class]++
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
	g.groups = len(groups)
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
