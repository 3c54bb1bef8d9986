package eventgraph

// Phases: the run is cut where nothing before can influence the timing of anything after: at the last entry into a
// collective operation of all tasks, while no message is in flight and no other thread computes (package phase), or at
// separation points. Similar phases form a group.

import (
	"cmp"
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

// AssignUnits gives each phase the units that end in it: the first thread to leave the operation between two phases
// begins the next phase before the last thread has left.
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

// Run returns the whole run as one phase.
func (g *Graph) Run() *Phase {
	return &Phase{To: g.T.Duration, Firsts: g.FirstUnit[:g.T.NumThreads()], Ends: g.FirstUnit[1:]}
}

// Each calls do for the units of the phase that compute.
func (ph *Phase) Each(g *Graph, do func(u *Unit)) {
	for th := range ph.Firsts {
		for i := ph.Firsts[th]; i < ph.Ends[th]; i++ {
			g.Look()
			if u := &g.Units[i]; u.User > 0 {
				do(u)
			}
		}
	}
}

// ClassUse has the units of a class that compute in a phase, and their user time, by thread.
type ClassUse struct {
	Class   int32
	N, Time []int64
}

// Of sums the units and their time over some threads.
func (c *ClassUse) Of(threads []int32) (n, time int64) {
	for _, th := range threads {
		n, time = n+c.N[th], time+c.Time[th]
	}
	return n, time
}

// Classes sums the units of a phase by class, in order.
func (g *Graph) Classes(ph *Phase) (list []ClassUse) {
	row := map[int32]int{}
	ph.Each(g, func(u *Unit) {
		k, ok := row[u.Class]
		if !ok {
			k = len(list)
			row[u.Class] = k
			list = append(list, ClassUse{u.Class, make([]int64, len(ph.Firsts)), make([]int64, len(ph.Firsts))})
		}
		list[k].N[u.Thread]++
		list[k].Time[u.Thread] += u.User
	})
	slices.SortFunc(list, func(a, b ClassUse) int { return cmp.Compare(a.Class, b.Class) })
	return list
}

// groupPhases numbers the groups of a message-driven run: phases with about the same number of units of each class.
func (g *Graph) groupPhases() {
	groups := map[string]int{}
	for n := range g.Phases {
		ph := &g.Phases[n]
		counts := map[int32]int{}
		ph.Each(g, func(u *Unit) { counts[u.Class]++ })
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

// signature writes the classes of a phase with their counts, rounded to a power of two.
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
