package replay

// Message-driven runs. Which message a processor takes next depends on what has come, so that a change of the run
// changes the order of its units: a graph of instants, in which each thread keeps its order, does not say that. So the
// run is a program of tasks and messages for the simulator of such programs, with the traced times. Each processor
// executes its tasks in the recorded order, unless the change is another order.

import (
	"math"
	"sort"

	"pview/insight/eventgraph"
	"pview/sim/driven"
)

// Driven is the run as a program.
type Driven struct {
	G       *eventgraph.Graph
	Program *driven.Program
	Order   [][]int32
	before  []int64 // work of the runtime before each unit, since the unit before
	times   [][]Change
	sent    map[int32]int64
}

// NewDriven makes the program, with changes at some places.
func NewDriven(g *eventgraph.Graph, changes []Change) *Driven {
	r := &Driven{G: g, Program: &driven.Program{Processors: g.T.NumThreads(), Tasks: make([]driven.Task,
		len(g.Units))}, Order: make([][]int32, g.T.NumThreads()), before: make([]int64, len(g.Units)),
		times: stretches(g, changes), sent: map[int32]int64{}}
	for i := range changes {
		if c := &changes[i]; c.Kind == OfSend {
			r.sent[c.Message] = c.From
		}
	}
	for i := range g.Units {
		u := &g.Units[i]
		at := int64(0)
		if i > int(g.FirstUnit[u.Thread]) {
			at = g.Units[i-1].End
		}
		r.before[i] = max(0, u.Begin-at-u.Idle)
		r.Program.Tasks[i] = driven.Task{Processor: u.Thread, Dynamic: g.IsDynamic(int32(i)),
			Work: r.before[i] + r.scaled(u, u.End), Priority: int64(i)}
		r.Order[u.Thread] = append(r.Order[u.Thread], int32(i))
	}
	for i := range g.Units {
		r.link(int32(i))
	}
	return r
}

// scaled is the time from the begin of a unit to a time in it, with the changes.
func (r *Driven) scaled(u *eventgraph.Unit, to int64) int64 {
	list := r.times[u.Thread]
	sum := float64(to - u.Begin)
	for k := sort.Search(len(list), func(k int) bool { return list[k].To > u.Begin }); k < len(list) &&
		list[k].From < to; k++ {
		sum += (list[k].Factor - 1) * float64(min(to, list[k].To)-max(u.Begin, list[k].From))
	}
	return int64(math.Round(sum))
}

// link adds the message that starts a unit.
func (r *Driven) link(i int32) {
	u, s := &r.G.Units[i], &r.G.Driven.Starts[i]
	if u.Creator < 0 {
		r.Program.Roots = append(r.Program.Roots, driven.Root{Task: i, At: u.Begin - r.before[i]})
		return
	}
	y := &r.G.Units[u.Creator]
	created := r.G.Created(i)
	at := max(created, y.Begin)
	takes := max(0, min(s.Queued, u.Begin-r.before[i])-created)
	if sent, ok := r.sent[u.Via]; ok && u.Via >= 0 {
		if sent < y.Begin { // it does not depend on its creator any more
			r.Program.Roots = append(r.Program.Roots, driven.Root{Task: i, At: sent + takes})
			return
		}
		at = sent
	}
	t := &r.Program.Tasks[u.Creator]
	t.Creates = append(t.Creates, driven.Creation{Task: i, After: r.before[u.Creator] + r.scaled(y, at),
		Takes: takes})
}
