package replay

// Message-driven runs. Which message a processor takes next depends on what has arrived, so a change of the run
// reorders its units. A graph of instants, in which each thread keeps its order, cannot show that. So the run becomes a
// program of tasks and messages, with the traced times, for the simulator of such programs.
//
// Between two units a processor is idle, or in the runtime system. Runtime work until the message of the next unit
// arrives belongs after the previous unit, later work before the next one. A unit whose message was not recorded begins
// when it did, unless its processor was executing another one until then.

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"sort"

	"pview/insight/eventgraph"
	"pview/prv/extrae"
	"pview/prv/extrae/execution"
	"pview/sim/driven"
)

// DrivenEdit is a change of a message-driven run.
type DrivenEdit struct {
	Changes []Change
	Moves   map[int32]int32 // new processors of units
	Earlier int64           // by how much earlier all processors are ready
}

// Join returns both changes as one.
func (e *DrivenEdit) Join(o *DrivenEdit) *DrivenEdit {
	both := &DrivenEdit{Changes: slices.Concat(e.Changes, o.Changes), Moves: maps.Clone(e.Moves),
		Earlier: max(e.Earlier, o.Earlier)}
	if both.Moves == nil {
		both.Moves = map[int32]int32{}
	}
	maps.Copy(both.Moves, o.Moves)
	return both
}

// Driven is the run as a program. Its first tasks are the units; tasks for the processors' work before their first
// units follow.
type Driven struct {
	G       *eventgraph.Graph
	Program *driven.Program
	Order   [][]int32
	edit    *DrivenEdit
	begin   int64   // of the recorded window
	arrived []int64 // when the message of each unit arrived, or without a message, when the unit could begin
	before  []int64 // work of the runtime between that and the unit
	starts  []int64 // work of each processor before its first unit
	times   [][]Change
	sent    map[int32]int64
}

// NewDriven makes the program, with a change; nil: none.
func NewDriven(g *eventgraph.Graph, edit *DrivenEdit) *Driven {
	if edit == nil {
		edit = &DrivenEdit{}
	}
	n, processors := len(g.Units), g.T.NumThreads()
	r := &Driven{G: g, edit: edit, Program: &driven.Program{Processors: processors, Tasks: make([]driven.Task, n)},
		Order: make([][]int32, processors), arrived: make([]int64, n), before: make([]int64, n),
		starts: make([]int64, processors), times: stretches(g, edit.Changes), sent: map[int32]int64{}}
	r.begin, _ = execution.Window(g.T)
	for i := range edit.Changes {
		if c := &edit.Changes[i]; c.Kind == OfSend {
			r.sent[c.Message] = c.From
		}
	}
	for i := range g.Units {
		r.add(int32(i))
	}
	for p := range r.Order {
		r.start(int32(p))
	}
	for i := range g.Units {
		r.link(int32(i))
	}
	return r
}

// on returns the processor of a unit.
func (r *Driven) on(i int32) int32 {
	if p, ok := r.edit.Moves[i]; ok {
		return p
	}
	return r.G.Units[i].Thread
}

// add makes the task of a unit, and divides its processor's time before it.
func (r *Driven) add(i int32) {
	u, s := &r.G.Units[i], &r.G.Driven.Starts[i]
	from := r.begin
	if i > r.G.FirstUnit[u.Thread] {
		from = r.G.Units[i-1].End
	}
	idle, busy := from, int64(0)
	r.G.EachPart(u.Thread, from, u.Begin, func(begin, end int64, part extrae.Part) {
		if part == extrae.PartIdle {
			idle = end
		} else {
			busy += end - begin
		}
	})
	first, waited := i == r.G.FirstUnit[u.Thread], idle > from
	r.arrived[i] = idle
	switch {
	case u.Creator >= 0 && !s.Resumed:
		if r.arrived[i] = max(s.Queued, idle); s.Queued == u.Begin && !waited { // not recorded
			r.arrived[i] = min(u.Begin, r.G.Created(i)+int64(r.G.Params.Transfer(r.G.Size(u.Via))))
		} else if !waited {
			r.arrived[i] = s.Queued
		}
	case u.Creator < 0 && !waited: // it only waits for its processor
		r.arrived[i] = r.begin
	}
	there := min(max(r.arrived[i], idle), u.Begin)
	if first && u.Creator < 0 && !waited {
		there = u.Begin
	}
	r.before[i] = r.scaled(u.Thread, there, u.Begin)
	r.Program.Tasks[i] = driven.Task{Processor: r.on(i), Dynamic: r.G.IsDynamic(i),
		Work: r.before[i] + r.scaled(u.Thread, u.Begin, u.End), Priority: int64(i)}
	// Earlier runtime work is in busy, which covers everything up to the unit.
	rest := max(0, busy-(u.Begin-there)+r.scaled(u.Thread, from, there)-(there-from))
	if first {
		r.starts[u.Thread] = max(0, rest-r.edit.Earlier)
	} else {
		r.Program.Tasks[i-1].Work += rest
	}
	r.Order[r.on(i)] = append(r.Order[r.on(i)], i)
}

// start makes the task of a processor before its first unit, and puts its units in the order of their times.
func (r *Driven) start(p int32) {
	if len(r.edit.Moves) > 0 {
		slices.SortStableFunc(r.Order[p], func(x, y int32) int {
			return cmp.Or(cmp.Compare(r.G.Units[x].Begin, r.G.Units[y].Begin), cmp.Compare(x, y))
		})
	}
	if r.starts[p] == 0 {
		return
	}
	first := int32(len(r.Program.Tasks))
	r.Program.Tasks = append(r.Program.Tasks, driven.Task{Processor: p, Work: r.starts[p], Priority: -1})
	r.Program.Roots = append(r.Program.Roots, driven.Root{Task: first, At: r.begin})
	r.Order[p] = slices.Insert(r.Order[p], 0, first)
}

// scaled returns the time of a thread between two times, with the changes.
func (r *Driven) scaled(thread int32, from, to int64) int64 {
	list := r.times[thread]
	sum := float64(to - from)
	for k := sort.Search(len(list), func(k int) bool { return list[k].To > from }); k < len(list) &&
		list[k].From < to; k++ {
		sum += (list[k].Factor - 1) * float64(min(to, list[k].To)-max(from, list[k].From))
	}
	return int64(math.Round(sum))
}

// link adds the message that starts a unit.
func (r *Driven) link(i int32) {
	u := &r.G.Units[i]
	root := func(at int64) {
		r.Program.Roots = append(r.Program.Roots, driven.Root{Task: i, At: max(r.begin, at-r.edit.Earlier)})
	}
	if u.Creator < 0 {
		root(r.arrived[i])
		return
	}
	y := &r.G.Units[u.Creator]
	created := r.G.Created(i)
	at := max(created, y.Begin)
	takes := max(0, r.arrived[i]-created)
	if y.Thread == u.Thread && r.on(i) != r.on(u.Creator) {
		takes = max(takes, int64(r.G.Params.Transfer(0)))
	}
	if sent, ok := r.sent[u.Via]; ok && u.Via >= 0 {
		if sent < y.Begin { // it no longer depends on its creator
			root(sent + takes)
			return
		}
		at = sent
	}
	t := &r.Program.Tasks[u.Creator]
	t.Creates = append(t.Creates, driven.Creation{Task: i, After: r.before[u.Creator] +
		r.scaled(y.Thread, y.Begin, at), Takes: takes})
}
