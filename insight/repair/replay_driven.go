package repair

// Verification in message-driven runs: the run as a program of tasks and messages, with the traced times, on the
// simulator of such programs. Each processor executes its tasks in the recorded order, unless the repair is another
// order.

import (
	"math"

	"pview/insight/eventgraph"
	"pview/sim/driven"
)

// DrivenReplay is the run as a program.
type DrivenReplay struct {
	G       *eventgraph.Graph
	Program *driven.Program
	Order   [][]int32
	before  []int64 // work of the runtime before each unit, since the unit before
}

// NewDrivenReplay makes the program, with the time of units and the send of messages as a repair has them.
func NewDrivenReplay(g *eventgraph.Graph, fix *Repair) *DrivenReplay {
	r := &DrivenReplay{G: g, Program: &driven.Program{Processors: g.T.NumThreads(), Tasks: make([]driven.Task,
		len(g.Units))}, Order: make([][]int32, g.T.NumThreads()), before: make([]int64, len(g.Units))}
	for i := range g.Units {
		u := &g.Units[i]
		at := int64(0)
		if i > int(g.FirstUnit[u.Thread]) {
			at = g.Units[i-1].End
		}
		r.before[i] = max(0, u.Begin-at-u.Idle)
		r.Program.Tasks[i] = driven.Task{Processor: u.Thread, Dynamic: g.IsDynamic(int32(i)),
			Work: r.before[i] + r.scaled(fix, u, u.End), Priority: int64(i)}
		r.Order[u.Thread] = append(r.Order[u.Thread], int32(i))
	}
	for i := range g.Units {
		r.link(fix, int32(i))
	}
	return r
}

// scaled is the time from the begin of a unit to a time in it, with a repair.
func (r *DrivenReplay) scaled(fix *Repair, u *eventgraph.Unit, to int64) int64 {
	sum := 0.0
	var list []Change
	if fix.stretches != nil {
		list = fix.stretches[u.Thread]
	}
	for at := u.Begin; at < to; {
		factor, until := factorAt(&list, at, to)
		sum += float64(until-at) * factor
		at = until
	}
	if fix.scale != nil {
		sum *= fix.scale(u.Thread, u.Class, u.Begin)
	}
	return int64(math.Round(sum))
}

// link adds the message that starts a unit.
func (r *DrivenReplay) link(fix *Repair, i int32) {
	u, s := &r.G.Units[i], &r.G.Driven.Starts[i]
	if u.Creator < 0 {
		r.Program.Roots = append(r.Program.Roots, driven.Root{Task: i, At: u.Begin - r.before[i]})
		return
	}
	y := &r.G.Units[u.Creator]
	created := r.G.Created(i)
	at := max(created, y.Begin)
	takes := max(0, min(s.Queued, u.Begin-r.before[i])-created)
	if sent, ok := fix.sent[u.Via]; ok && u.Via >= 0 {
		if sent < y.Begin { // it does not depend on its creator any more
			r.Program.Roots = append(r.Program.Roots, driven.Root{Task: i, At: sent + takes})
			return
		}
		at = sent
	}
	t := &r.Program.Tasks[u.Creator]
	t.Creates = append(t.Creates, driven.Creation{Task: i, After: r.before[u.Creator] + r.scaled(fix, y, at),
		Takes: takes})
}
