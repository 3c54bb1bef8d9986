package eventgraph

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

// Phase is a part of the run between two cuts.
type Phase struct {
	From, To int64
	Group    int // from 1
	Firsts   []int32
	Ends     []int32 // units by thread: [firsts, ends)
}

// FindPhases cuts the run.
func (g *Graph) FindPhases(ctx context.Context) error {
	if g.Driven != nil {
		g.cutAtPoints()
		g.AssignUnits()
		g.groupPhases()
		return ctx.Err()
	}
	tiling, err := cuts.Find(ctx, g.T, cuts.Options{})
	if err != nil {
		return err
	}
	for _, p := range tiling.Phases {
		g.Phases = append(g.Phases, Phase{From: p.Begin, To: p.End, Group: p.Group + 1})
	}
	g.Groups = len(tiling.Groups)
	g.AssignUnits()
	return ctx.Err()
}

// AssignUnits gives each phase the units that end in it: a thread that leaves the operation between two phases first
// begins the next one before the last has left.
func (g *Graph) AssignUnits() {
	at := slices.Clone(g.FirstUnit[:g.T.NumThreads()])
	for n := range g.Phases {
		ph := &g.Phases[n]
		ph.Firsts = slices.Clone(at)
		for th := range at {
			for at[th] < g.FirstUnit[th+1] && (g.Units[at[th]].End <= ph.To || n == len(g.Phases)-1) {
				at[th]++
			}
		}
		ph.Ends = slices.Clone(at)
	}
}

// Holds reports whether a unit belongs to the phase.
func (ph *Phase) Holds(i, thread int32) bool { return i >= ph.Firsts[thread] && i < ph.Ends[thread] }

// groupPhases numbers the groups of a message-driven run: phases with about the same number of units of each class.
func (g *Graph) groupPhases() {
	groups := map[string]int{}
	for n := range g.Phases {
		ph := &g.Phases[n]
		counts := map[int32]int{}
		for th := range ph.Firsts {
			for i := ph.Firsts[th]; i < ph.Ends[th]; i++ {
				if g.Units[i].User > 0 {
					counts[g.Units[i].Class]++
				}
			}
		}
		key := signature(counts)
		g, ok := groups[key]
		if !ok {
			g = len(groups) + 1
			groups[key] = g
		}
		ph.Group = g
	}
	g.Groups = len(groups)
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
