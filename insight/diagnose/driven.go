package diagnose

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

// drivenRun is what a message-driven run has beyond units.
type drivenRun struct {
	types   execution.Types
	starts  []start    // by unit
	created []creation // by thread and id
	first   []int32    // by thread, in created
	moves   []movement // enqueued messages, by thread and time
	firstIn []int32    // by thread, in moves
	access  []access
	stages  []stage
	medians []float64 // by thread: length of a unit
	// repaired is what was done to the clocks before.
	repaired clockRepair
}

// start is how a unit began; 16 bytes.
type start struct {
	queued    int64 // when its message could be executed
	creation  int32 // row of driven.created; -1: none known
	inLibrary bool
	resumed   bool
	outcome   uint8 // of its work, as the program says: execution.Useful ...; 0: unknown
}

// creation is the creation of a message.
type creation struct {
	time, id int64
	priority int64
	thread   int32
	unit     int32 // in which; -1: none
	starts   int32 // the first unit that it started; -1: none
	target   int32 // entry
	receiver int32 // thread; -1: a balancer decides, or many
	hops     int32 // times that it was enqueued after the first
	kind     uint8
}

// dynamic reports whether a balancer decides where the message goes.
func (c *creation) dynamic() bool { return c.kind == execution.ToNewObject && c.receiver < 0 }

// movement is a message that is put into a queue.
type movement struct {
	time, id int64
	creator  int32
}

// access is an access to a shared variable.
type access struct {
	time          int64
	variable, key int64
	thread        int32
	kind          uint8
}

// rawUnit is a unit as it is read.
type rawUnit struct {
	unit
	start
	message, creator int64 // from 1; 0: none
	hasMessage       bool
}

// drivenLane is what one thread's events tell.
type drivenLane struct {
	units   []rawUnit
	created []creation
	moves   []movement
	access  []access
}

// buildDriven makes the units of a message-driven run.
func (g *graph) buildDriven(ctx context.Context) error {
	d := g.driven
	lanes := make([]drivenLane, g.t.NumThreads())
	err := parallel.Each(ctx, len(lanes), 0, func(_, i int) error {
		lanes[i].read(g, int32(i))
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	var raw []rawUnit
	for i := range lanes {
		l := &lanes[i]
		base := int32(len(raw))
		g.firstUnit = append(g.firstUnit, base)
		raw = append(raw, l.units...)
		slices.SortStableFunc(l.created, func(x, y creation) int { return cmp.Compare(x.id, y.id) })
		for k := range l.created {
			if c := &l.created[k]; c.unit >= 0 {
				c.unit += base
			}
		}
		d.first, d.firstIn = append(d.first, int32(len(d.created))), append(d.firstIn, int32(len(d.moves)))
		d.created, d.moves, d.access = append(d.created, l.created...), append(d.moves, l.moves...),
			append(d.access, l.access...)
	}
	g.firstUnit = append(g.firstUnit, int32(len(raw)))
	d.first, d.firstIn = append(d.first, int32(len(d.created))), append(d.firstIn, int32(len(d.moves)))
	g.units, d.starts = make([]unit, len(raw)), make([]start, len(raw))
	for i := range raw {
		g.units[i] = raw[i].unit
	}
	for i := range raw {
		g.linkDriven(int32(i), &raw[i])
	}
	g.countHops()
	g.findStages()
	return ctx.Err()
}

// read reads the events of a thread, line by line.
func (l *drivenLane) read(g *graph, thread int32) {
	e := &g.t.Threads[thread].Events
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
		if s, ok := g.driven.types.Slot(e.Type[k]); ok {
			has |= 1 << s
			values[s] = e.Value[k]
		}
	}
	if n := e.Len(); n > 0 {
		flush(e.Time[n-1])
	}
	if open >= 0 {
		l.units[open].end = g.t.Duration
	}
	at := int64(0)
	for i := range l.units {
		u := &l.units[i]
		before, use := g.usageOf(thread, at, u.begin), g.usageOf(thread, u.begin, u.end)
		u.idle, u.user = before.idle(), use.user()
		at = u.end
	}
}

// line takes the events of one line.
func (l *drivenLane) line(g *graph, thread int32, time int64, has uint32, v *[execution.NumSlots]int64, open *int) {
	is := func(s execution.Slot) bool { return has&(1<<s) != 0 }
	if is(execution.Created) {
		c := creation{time: time, id: v[execution.Created], priority: v[execution.Priority], thread: thread, unit: int32(*open),
			starts: -1, target: int32(v[execution.Target]),
			receiver: int32(v[execution.Receiver]) - 1, kind: uint8(v[execution.Kind])}
		if c.unit < 0 && len(l.units) > 0 && l.units[len(l.units)-1].end == time {
			c.unit = int32(len(l.units)) - 1
		}
		l.created = append(l.created, c)
	}
	if is(execution.Enqueue) {
		l.moves = append(l.moves, movement{time, v[execution.Enqueue], int32(v[execution.Creator]) - 1})
	}
	if is(execution.Access) {
		l.access = append(l.access, access{time, v[execution.Variable], v[execution.Element], thread, uint8(v[execution.Access])})
	}
	if is(execution.Outcome) {
		l.outcome(*open, v[execution.Outcome])
	}
	if is(execution.Entry) {
		if *open >= 0 {
			l.units[*open].end = time
			*open = -1
		}
		if v[execution.Entry] != 0 {
			*open = len(l.units)
			l.units = append(l.units, rawUnit{unit: unit{begin: time, end: time, thread: thread,
				class: int32(v[execution.Entry]), creator: -1, via: -1}, start: start{creation: -1}})
		}
	}
	if *open < 0 || l.units[*open].begin != time {
		return
	}
	u := &l.units[*open]
	if is(execution.Message) {
		u.message, u.hasMessage = v[execution.Message], true
		if is(execution.Creator) {
			u.creator = v[execution.Creator]
		}
	}
	u.inLibrary = u.inLibrary || v[execution.Library] == 1
}

// outcome takes the outcome of the unit that executes.
func (l *drivenLane) outcome(open int, value int64) {
	if open >= 0 && value >= execution.Useful && value <= execution.Solution {
		l.units[open].outcome = max(l.units[open].outcome, uint8(value))
	}
}

// linkDriven finds the creator of a unit.
func (g *graph) linkDriven(i int32, raw *rawUnit) {
	d, u := g.driven, &g.units[i]
	s := &d.starts[i]
	*s = raw.start
	s.queued = u.begin
	first := i == g.firstUnit[u.thread]
	if !raw.hasMessage && !first { // it goes on after another unit
		s.resumed = true
		u.creator, s.queued = i-1, g.units[i-1].end
		return
	}
	u.via = g.commAt(u.thread, u.begin, int32(raw.creator)-1)
	if raw.message > 0 && raw.creator > 0 {
		s.creation = d.find(int32(raw.creator)-1, raw.message)
	}
	switch {
	case s.creation >= 0:
		c := &d.created[s.creation]
		if c.starts < 0 {
			c.starts = i
		}
		u.creator = c.unit
	case u.via >= 0:
		u.creator = g.unitAt(g.t.Comms.Send[u.via], g.t.Comms.Times[prv.LogicalSend][u.via])
	default:
		return
	}
	if u.creator == i { // its own message: damaged
		u.creator = -1
	}
	s.queued = g.queuedAt(i, raw)
}

// queuedAt is the time from which a message could have been executed: it is in the queue, or has arrived, or, created
// on the same thread, its creator has ended.
func (g *graph) queuedAt(i int32, raw *rawUnit) int64 {
	d, u, created := g.driven, &g.units[i], g.created(i)
	list := d.moves[d.firstIn[u.thread]:d.firstIn[u.thread+1]]
	for k := sort.Search(len(list), func(k int) bool { return list[k].time > u.begin }) - 1; k >= 0; k-- {
		if list[k].id == raw.message && list[k].creator == int32(raw.creator)-1 {
			return list[k].time
		}
		if list[k].time < created {
			break
		}
	}
	if u.via >= 0 {
		return min(u.begin, g.t.Comms.Times[prv.PhysicalRecv][u.via])
	}
	if u.creator >= 0 && g.units[u.creator].thread == u.thread {
		return min(u.begin, max(created, g.units[u.creator].end))
	}
	return u.begin
}

// find is the creation of a message; -1: none.
func (d *drivenRun) find(thread int32, id int64) int32 {
	if thread < 0 || int(thread)+1 >= len(d.first) {
		return -1
	}
	list := d.created[d.first[thread]:d.first[thread+1]]
	if k, ok := slices.BinarySearchFunc(list, id, func(c creation, id int64) int { return cmp.Compare(c.id, id) }); ok {
		return d.first[thread] + int32(k)
	}
	return -1
}

// commAt is the message of another thread that is received at a time; -1: none.
func (g *graph) commAt(thread int32, at int64, from int32) int32 {
	c := &g.t.Comms
	for _, role := range []prv.Role{prv.LogicalRecv, prv.PhysicalRecv} {
		list, times := g.t.Threads[thread].Comm[role], c.Times[role]
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
func (g *graph) countHops() {
	d := g.driven
	seen := make([]bool, len(d.created))
	for i := range d.moves {
		c := d.find(d.moves[i].creator, d.moves[i].id)
		if c < 0 {
			continue
		}
		if seen[c] {
			d.created[c].hops++
		}
		seen[c] = true
	}
}

// eachEntry derives the parts of a thread without states from its entries.
func (g *graph) eachEntry(thread int32, from, to int64, put func(begin, end int64, part extrae.Part)) {
	e := &g.t.Threads[thread].Events
	typ := g.driven.types[execution.Entry]
	at, part := from, extrae.PartIdle
	for k := range e.Len() {
		if e.Time[k] >= to {
			break
		}
		if e.Type[k] != typ {
			continue
		}
		if t := max(from, e.Time[k]); t > at {
			put(at, t, part)
			at = t
		}
		part = extrae.PartIdle
		if e.Value[k] != 0 {
			part = extrae.PartUser
		}
	}
	put(at, to, part)
}
