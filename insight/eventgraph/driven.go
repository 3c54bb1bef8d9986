package eventgraph

// Message-driven runs: each execution of an entry is a unit, and its creator is the unit in which its message was
// created.

import (
	"cmp"
	"context"
	"slices"
	"sort"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/execution"
	"pview/prv/parallel"
)

// drivenRun adds the data that only message-driven runs have.
type drivenRun struct {
	types   execution.Types
	Starts  []Start    // by unit
	Created []Creation // by thread and id
	First   []int32    // by thread, in created
	moves   []movement // enqueued messages, by thread and time
	firstIn []int32    // by thread, in moves
	Access  []access
	stages  []Stage
	medians []float64 // by thread: length of a unit; nil: see MedianUnit
	// Repaired describes an earlier repair of the clocks.
	Repaired clockRepair
}

// Start describes the start of a unit; 16 bytes.
type Start struct {
	Queued    int64 // when its message became executable
	Creation  int32 // row of driven.created; -1: none known
	InLibrary bool
	Resumed   bool
	Outcome   uint8 // of its work, by the program: execution.Useful ...; 0: unknown
}

// Creation is the creation of a message.
type Creation struct {
	Time, id int64
	Priority int64
	thread   int32
	unit     int32 // that creates it; -1: none
	Starts   int32 // the first unit started by it; -1: none
	Target   int32 // entry
	receiver int32 // thread; -1: a balancer decides, or many
	Hops     int32 // times it was enqueued again
	Kind     uint8
}

// Dynamic reports whether a balancer decides where the message goes.
func (c *Creation) Dynamic() bool { return c.Kind == execution.ToNewObject && c.receiver < 0 }

// movement is a message that is put into a queue.
type movement struct {
	time, id int64
	creator  int32
}

// access is an access to a shared variable.
type access struct {
	Time          int64
	Variable, Key int64
	Thread        int32
	Kind          uint8
}

// rawUnit is a unit as it is read.
type rawUnit struct {
	Unit
	Start
	message, creator int64 // from 1; 0: none
	hasMessage       bool
}

// drivenLane holds the contents of one thread's events.
type drivenLane struct {
	units   []rawUnit
	created []Creation
	moves   []movement
	access  []access
}

// drivenBuilder makes the units of a message-driven run.
type drivenBuilder struct{ *Graph }

func (g drivenBuilder) build(ctx context.Context) error {
	d := g.Driven
	lanes := make([]drivenLane, g.T.NumThreads())
	err := parallel.For(ctx, len(lanes), func(i int) error {
		lanes[i].read(g.Graph, int32(i))
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	var raw []rawUnit
	for i := range lanes {
		l := &lanes[i]
		base := int32(len(raw))
		g.FirstUnit = append(g.FirstUnit, base)
		raw = append(raw, l.units...)
		slices.SortStableFunc(l.created, func(x, y Creation) int { return cmp.Compare(x.id, y.id) })
		for k := range l.created {
			if c := &l.created[k]; c.unit >= 0 {
				c.unit += base
			}
		}
		d.First, d.firstIn = append(d.First, int32(len(d.Created))), append(d.firstIn, int32(len(d.moves)))
		d.Created, d.moves, d.Access = append(d.Created, l.created...), append(d.moves, l.moves...),
			append(d.Access, l.access...)
	}
	g.FirstUnit = append(g.FirstUnit, int32(len(raw)))
	d.First, d.firstIn = append(d.First, int32(len(d.Created))), append(d.firstIn, int32(len(d.moves)))
	g.Units, d.Starts = make([]Unit, len(raw)), make([]Start, len(raw))
	for i := range raw {
		g.Units[i] = raw[i].Unit
	}
	for i := range raw {
		g.link(int32(i), &raw[i])
	}
	g.countHops()
	g.findStages()
	return ctx.Err()
}

// read reads the events of a thread, line by line.
func (l *drivenLane) read(g *Graph, thread int32) {
	e := &g.T.Threads[thread].Events
	open := -1
	var values [execution.NumSlots]int64
	var has uint32
	flush := func(time int64) {
		if has != 0 {
			l.line(g, thread, time, has, &values, &open)
		}
		has, values = 0, [execution.NumSlots]int64{}
	}
	for k := range e.Len() {
		if k > 0 && e.Lines.Has(k) {
			flush(e.Time[k-1])
		}
		if s, ok := g.Driven.types.Slot(e.Type[k]); ok {
			has |= 1 << s
			values[s] = e.Value.At(k)
		}
	}
	if n := e.Len(); n > 0 {
		flush(e.Time[n-1])
	}
	if open >= 0 {
		l.units[open].End = g.T.Duration
	}
	at := int64(0)
	for i := range l.units {
		u := &l.units[i]
		before, use := g.UsageOf(thread, at, u.Begin), g.UsageOf(thread, u.Begin, u.End)
		u.Idle, u.User = before.Idle(), use.User()
		at = u.End
	}
}

// line takes the events of one line.
func (l *drivenLane) line(g *Graph, thread int32, time int64, has uint32, v *[execution.NumSlots]int64, open *int) {
	is := func(s execution.Slot) bool { return has&(1<<s) != 0 }
	if is(execution.Created) {
		c := Creation{
			Time:     time,
			id:       v[execution.Created],
			Priority: v[execution.Priority],
			thread:   thread,
			unit:     int32(*open),
			Starts:   -1,
			Target:   int32(v[execution.Target]),
			receiver: int32(v[execution.Receiver]) - 1,
			Kind:     uint8(v[execution.Kind]),
		}
		if c.unit < 0 && len(l.units) > 0 && l.units[len(l.units)-1].End == time {
			c.unit = int32(len(l.units)) - 1
		}
		l.created = append(l.created, c)
	}
	if is(execution.Enqueue) {
		l.moves = append(l.moves, movement{time, v[execution.Enqueue], int32(v[execution.Creator]) - 1})
	}
	if is(execution.Access) {
		l.access = append(
			l.access,
			access{time, v[execution.Variable], v[execution.Element], thread, uint8(v[execution.Access])},
		)
	}
	if is(execution.Outcome) {
		l.outcome(*open, v[execution.Outcome])
	}
	if is(execution.Entry) {
		if *open >= 0 {
			l.units[*open].End = time
			*open = -1
		}
		if v[execution.Entry] != 0 {
			*open = len(l.units)
			l.units = append(l.units, rawUnit{Unit: Unit{Begin: time, End: time, Thread: thread,
				Class: int32(v[execution.Entry]), Creator: -1, Via: -1}, Start: Start{Creation: -1}})
		}
	}
	if *open < 0 || l.units[*open].Begin != time {
		return
	}
	u := &l.units[*open]
	if is(execution.Message) {
		u.message, u.hasMessage = v[execution.Message], true
		if is(execution.Creator) {
			u.creator = v[execution.Creator]
		}
	}
	u.InLibrary = u.InLibrary || v[execution.Library] == 1
}

// outcome notes the outcome of the executing unit.
func (l *drivenLane) outcome(open int, value int64) {
	if open >= 0 && value >= execution.Useful && value <= execution.Solution {
		l.units[open].Outcome = max(l.units[open].Outcome, uint8(value))
	}
}

// link finds the creator of a unit.
func (g drivenBuilder) link(i int32, raw *rawUnit) {
	d, u := g.Driven, &g.Units[i]
	s := &d.Starts[i]
	*s = raw.Start
	s.Queued = u.Begin
	first := i == g.FirstUnit[u.Thread]
	if !raw.hasMessage && !first { // it continues after another unit
		s.Resumed = true
		u.Creator, s.Queued = i-1, g.Units[i-1].End
		return
	}
	u.Via = g.commAt(u.Thread, u.Begin, int32(raw.creator)-1)
	if raw.message > 0 && raw.creator > 0 {
		s.Creation = d.find(int32(raw.creator)-1, raw.message)
	}
	switch {
	case s.Creation >= 0:
		c := &d.Created[s.Creation]
		if c.Starts < 0 {
			c.Starts = i
		}
		u.Creator = c.unit
	case u.Via >= 0:
		u.Creator = g.UnitAt(g.T.Comms.Send[u.Via], g.T.Comms.Times[prv.LogicalSend][u.Via])
	default:
		return
	}
	if u.Creator == i { // its own message: damaged
		u.Creator = -1
	}
	s.Queued = g.queuedAt(i, raw)
}

// queuedAt returns the time when a message became executable: when it was queued, or arrived, or, if created on the
// same thread, when its creator ended.
func (g drivenBuilder) queuedAt(i int32, raw *rawUnit) int64 {
	d, u, created := g.Driven, &g.Units[i], g.Created(i)
	list := d.moves[d.firstIn[u.Thread]:d.firstIn[u.Thread+1]]
	for k := sort.Search(len(list), func(k int) bool { return list[k].time > u.Begin }) - 1; k >= 0; k-- {
		if list[k].id == raw.message && list[k].creator == int32(raw.creator)-1 {
			return list[k].time
		}
		if list[k].time < created {
			break
		}
	}
	if u.Via >= 0 {
		return min(u.Begin, g.T.Comms.Times[prv.PhysicalRecv][u.Via])
	}
	if u.Creator >= 0 && g.Units[u.Creator].Thread == u.Thread {
		return min(u.Begin, max(created, g.Units[u.Creator].End))
	}
	return u.Begin
}

// find returns the creation of a message; -1: none.
func (d *drivenRun) find(thread int32, id int64) int32 {
	if thread < 0 || int(thread)+1 >= len(d.First) {
		return -1
	}
	list := d.Created[d.First[thread]:d.First[thread+1]]
	if k, ok := slices.BinarySearchFunc(list, id, func(c Creation, id int64) int { return cmp.Compare(c.id, id) }); ok {
		return d.First[thread] + int32(k)
	}
	return -1
}

// commAt returns the message of another thread that is received at a time; -1: none.
func (g drivenBuilder) commAt(thread int32, at int64, from int32) int32 {
	c := &g.T.Comms
	for _, role := range []prv.Role{prv.LogicalRecv, prv.PhysicalRecv} {
		list, times := g.T.Threads[thread].Comm[role], c.Times[role]
		for k := sort.Search(len(list), func(k int) bool {
			return times[list[k]] >= at
		}); k < len(list) && times[list[k]] == at; k++ {
			if from < 0 || c.Send[list[k]] == from {
				return list[k]
			}
		}
	}
	return -1
}

// countHops counts how often each message was moved to another queue.
func (g drivenBuilder) countHops() {
	d := g.Driven
	seen := make([]bool, len(d.Created))
	for i := range d.moves {
		c := d.find(d.moves[i].creator, d.moves[i].id)
		if c < 0 {
			continue
		}
		if seen[c] {
			d.Created[c].Hops++
		}
		seen[c] = true
	}
}

// Executions returns the user times of whole executions, by the unit that begins them: another unit may interrupt one.
// It is -1 for a unit that continues one.
func (g *Graph) Executions() []int64 {
	whole := make([]int64, len(g.Units))
	first := map[[2]int32]int32{} // by thread and class: where the last execution began
	for i := range g.Units {
		u := &g.Units[i]
		key := [2]int32{u.Thread, u.Class}
		if whole[i] = u.User; g.Driven != nil && g.Driven.Starts[i].Resumed {
			if k, ok := first[key]; ok {
				whole[k], whole[i] = whole[k]+u.User, -1
				continue
			}
		}
		first[key] = int32(i)
	}
	return whole
}

// MedianUnit returns the median length of a thread's units.
func (g *Graph) MedianUnit(thread int32) float64 {
	if g.Driven.medians == nil {
		for th := range g.T.Threads {
			var list []float64
			for _, u := range g.OfThread(int32(th)) {
				list = append(list, float64(u.End-u.Begin))
			}
			g.Driven.medians = append(g.Driven.medians, median(list).Value)
		}
	}
	return g.Driven.medians[thread]
}

// Objects returns the objects of the units, 0 if unknown.
func (g *Graph) Objects() []int64 {
	objects := make([]int64, len(g.Units))
	entry, object := g.Driven.types[execution.Entry], g.Driven.types[execution.Object]
	for th := range g.T.Threads {
		e := &g.T.Threads[th].Events
		i, begins := g.FirstUnit[th]-1, false
		for k, typ := range e.Type {
			if k > 0 && e.Lines.Has(k) {
				begins = false
			}
			switch {
			case typ == entry && e.Value.At(k) != 0:
				i, begins = i+1, true
			case typ == object && begins:
				objects[i] = e.Value.At(k)
			}
		}
	}
	return objects
}

// ObjectName names an object.
func (g *Graph) ObjectName(object int64) string {
	return g.T.Labels.ValueName(g.Driven.types[execution.Object], object)
}

// eachEntry derives the parts of a thread without states from its entries.
func (g *partWalk) eachEntry(from, to int64) {
	e := &g.T.Threads[g.thread].Events
	typ := g.Driven.types[execution.Entry]
	at, part := from, extrae.PartIdle
	for k := range e.Len() {
		if e.Time[k] >= to {
			break
		}
		if e.Type[k] != typ {
			continue
		}
		if t := max(from, e.Time[k]); t > at {
			g.put(at, t, part)
			at = t
		}
		part = extrae.PartIdle
		if e.Value.At(k) != 0 {
			part = extrae.PartUser
		}
	}
	g.put(at, to, part)
}
