package diagnose

// Verification in message-driven runs: the run as a program of tasks and messages, with the traced times, on the
// simulator of such programs. Each processor executes its tasks in the recorded order, unless the repair is another
// order.

import (
	"math"

	"pview/sim/driven"
)

// drivenReplay is the run as a program.
type drivenReplay struct {
	g       *graph
	program *driven.Program
	order   [][]int32
	before  []int64 // work of the runtime before each unit, since the unit before
}

// newDrivenReplay makes the program, with the time of units and the send of messages as a repair has them.
func newDrivenReplay(g *graph, fix *repair) *drivenReplay {
	r := &drivenReplay{g: g, program: &driven.Program{Processors: g.t.NumThreads(), Tasks: make([]driven.Task,
		len(g.units))}, order: make([][]int32, g.t.NumThreads()), before: make([]int64, len(g.units))}
	for i := range g.units {
		u := &g.units[i]
		at := int64(0)
		if i > int(g.firstUnit[u.thread]) {
			at = g.units[i-1].end
		}
		r.before[i] = max(0, u.begin-at-u.idle)
		r.program.Tasks[i] = driven.Task{Processor: u.thread, Dynamic: g.isDynamic(int32(i)),
			Work: r.before[i] + r.scaled(fix, u, u.end), Priority: int64(i)}
		r.order[u.thread] = append(r.order[u.thread], int32(i))
	}
	for i := range g.units {
		r.link(fix, int32(i))
	}
	return r
}

// scaled is the time from the begin of a unit to a time in it, with a repair.
func (r *drivenReplay) scaled(fix *repair, u *unit, to int64) int64 {
	sum := 0.0
	var list []change
	if fix.stretches != nil {
		list = fix.stretches[u.thread]
	}
	for at := u.begin; at < to; {
		factor, until := factorAt(&list, at, to)
		sum += float64(until-at) * factor
		at = until
	}
	if fix.scale != nil {
		sum *= fix.scale(u.thread, u.class, u.begin)
	}
	return int64(math.Round(sum))
}

// link adds the message that starts a unit.
func (r *drivenReplay) link(fix *repair, i int32) {
	u, s := &r.g.units[i], &r.g.driven.starts[i]
	if u.creator < 0 {
		r.program.Roots = append(r.program.Roots, driven.Root{Task: i, At: u.begin - r.before[i]})
		return
	}
	y := &r.g.units[u.creator]
	created := r.g.created(i)
	at := max(created, y.begin)
	takes := max(0, min(s.queued, u.begin-r.before[i])-created)
	if sent, ok := fix.sent[u.via]; ok && u.via >= 0 {
		if sent < y.begin { // it does not depend on its creator any more
			r.program.Roots = append(r.program.Roots, driven.Root{Task: i, At: sent + takes})
			return
		}
		at = sent
	}
	t := &r.program.Tasks[u.creator]
	t.Creates = append(t.Creates, driven.Creation{Task: i, After: r.before[u.creator] + r.scaled(fix, y, at),
		Takes: takes})
}
