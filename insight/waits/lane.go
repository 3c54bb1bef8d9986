package waits

// The calls, code regions and OpenMP constructs of one thread: one pass over its events.

import (
	"context"
	"slices"
	"sort"

	"pview/insight/waits/search"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/device"
)

// maxDepth bounds the nesting of regions, against traces in which they never end.
const maxDepth = 1 << 10

// span is a stretch of time.
type span struct{ from, to int64 }

// lane is one thread: its calls in order of time, which do not overlap, and the other data from its events.
type lane struct {
	thread   int32
	calls    callColumns
	groups   []groupCall // its collective operations
	accesses []access    // one-sided accesses, by call
	opens    []span      // parallel regions that it opens
	work     []span      // outlined functions
	team     []teamCall
	locks    []lockUse
	tasks    []taskRun
	waits    []span // taskwaits
	absent   []span

	keys    []regionKey // its regions, until renumber
	ids     []int32     // of keys, ascending
	changes changes     // of region, outside and inside of calls
	profile profile

	took   []taking // its parts in operations, in order of Result.Instances
	linked prv.Bits // calls that send, post or complete a message
}

// callColumns are calls in columns.
type callColumns struct {
	enter, exit []int64
	kind        []extrae.CallKind
	open        []bool  // a call whose start or end is not in the trace
	key         []int32 // row of lane.keys
}

func (c *callColumns) len() int { return len(c.enter) }

// groupCall is a thread's part in a collective operation.
type groupCall struct {
	call  int32 // row of the lane's calls
	value int64 // of the event
	comm  int64 // of its ptask
	root  bool
	moot  bool // moves no bytes in either direction
}

// teamCall is a barrier or join of a team, or with kind OtherCall the end of an outlined function.
type teamCall struct {
	span
	kind extrae.Call
}

// lockUse has the times when a lock was asked for, obtained and released; -1 if unknown.
type lockUse struct {
	asked, got, released int64
	typ                  uint32 // named critical sections, and all others, count as one lock each
}

// taskRun is the execution of an OpenMP task.
type taskRun struct {
	span
	id int64
}

// changes are the times at which a thread enters another region.
type changes struct {
	time   []int64
	region []int32 // rows of keys; in a profile, -1 for waiting and absent
}

func newChanges(room int) changes {
	return changes{make([]int64, 0, room), make([]int32, 0, room)}
}

func (c *changes) len() int { return len(c.time) }

// note adds a change; the last of several at one time counts.
func (c *changes) note(at int64, region int32) {
	if n := len(c.time) - 1; n >= 0 {
		if c.region[n] == region {
			return
		}
		if c.time[n] == at {
			c.region[n] = region
			return
		}
	}
	c.time, c.region = append(c.time, at), append(c.region, region)
}

// laneReader reads the events of one thread.
type laneReader struct {
	*lane
	t     *prv.Trace
	e     *prv.Events
	src   *regionSource
	kinds *extrae.Calls
	rows  map[regionKey]int32
	last  [16]struct { // cache of rows: most are soon needed again
		key regionKey
		row int32 // plus 1
	}
	stack []int32 // open regions outside of calls, innermost last
	begun bool    // a call is open
	*laneRoom
}

// laneRoom is the temporary memory of reading a lane; reused by the next lane.
type laneRoom struct {
	base  changes // regions outside of calls, -1 for none
	sides []int64 // by call: its half of the key of a computation
}

// Parts of event types in reading.
const (
	readCall uint8 = 1 + iota
	readConstruct
	readFunction
)

// deviceRegions are the types whose values name what a stream does, and the calls of its host.
var deviceRegions = []uint32{device.Call, device.Kernel, device.Memory}

// partsInReading returns the types of calls, constructs and regions. A type that fits several is the first of them.
func (a *analysis) partsInReading() *extrae.TypeTable {
	parts := map[uint32]uint8{}
	for _, typ := range a.regions.functions {
		parts[typ] = readFunction
	}
	if a.streams {
		for _, typ := range deviceRegions {
			parts[typ] = readFunction
		}
	}
	for _, typ := range constructs {
		parts[typ] = readConstruct
	}
	for _, typ := range a.mpi {
		parts[typ] = readCall
	}
	return extrae.NewTypeTable(parts)
}

// read reads the lane of a thread.
func (a *analysis) read(ctx context.Context, i int, parts *extrae.TypeTable, seen *survey, room *laneRoom) error {
	r := &laneReader{lane: &a.lanes[i], t: a.t, e: &a.t.Threads[i].Events, src: &a.regions, kinds: a.kinds,
		rows: map[regionKey]int32{}, laneRoom: room}
	r.thread = int32(i)
	r.reserve(seen)
	r.readAbsent(a.states)
	for k, typ := range r.e.Type {
		if k&0x3ff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		switch parts.Part(typ) {
		case readCall:
			r.call(k)
		case readConstruct:
			r.openMP(k, typ)
		case readFunction:
			r.function(k, typ)
		}
	}
	r.close()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if !a.hasCalls {
		r.readStateCalls(a.states)
	}
	if _, stream := device.StreamOf(a.t, i); stream || a.streams && !a.regions.byCalls() {
		r.markIdle()
	}
	r.overlay()
	return nil
}

// reserve makes room for the calls and regions of a thread: growing the lists of a large trace costs more than reading
// it.
func (r *laneReader) reserve(seen *survey) {
	calls := seen.calls/2 + 1
	c := &r.calls
	c.enter, c.exit = make([]int64, 0, calls), make([]int64, 0, calls)
	c.kind, c.open, c.key = make([]extrae.CallKind, 0, calls), make([]bool, 0, calls), make([]int32, 0, calls)
	r.sides, r.base.time, r.base.region = r.sides[:0], r.base.time[:0], r.base.region[:0]
	r.changes = newChanges(2*calls + seen.functions + seen.constructs)
}

// row returns the row of a region's key.
func (r *laneReader) row(k regionKey) int32 {
	last := &r.last[(int64(k.typ)+k.a+k.b)&15]
	if last.row > 0 && last.key == k {
		return last.row - 1
	}
	i, ok := r.rows[k]
	if !ok {
		i = int32(len(r.keys))
		r.rows[k] = i
		r.keys = append(r.keys, k)
	}
	last.key, last.row = k, i+1
	return i
}

// call handles the start or end of an MPI call.
func (r *laneReader) call(k int) {
	now, value := r.e.Time[k], r.e.Value.At(k)
	c := &r.calls
	n := c.len()
	if value == 0 {
		if r.begun {
			c.exit[n-1], r.begun = now, false
			return
		}
		// The begin was not traced: the call began when tracing did.
		from := r.tracedSince(now)
		if n > 0 {
			from = max(from, c.exit[n-1])
		}
		r.add(k, from, now, extrae.CallKind{}, true)
		return
	}
	if r.begun { // its end was not traced
		c.exit[n-1], c.open[n-1] = now, true
	}
	kind := r.kinds.Kind(value)
	r.add(k, now, r.t.Duration, kind, false)
	r.begun = true
	if kind.Is(extrae.Group) {
		r.collective(k)
	}
	if kind.Call == extrae.Access {
		r.target(k)
	}
}

// add appends a call.
func (r *laneReader) add(k int, from, to int64, kind extrae.CallKind, open bool) {
	c := &r.calls
	c.enter, c.exit = append(c.enter, from), append(c.exit, to)
	c.kind, c.open = append(c.kind, kind), append(c.open, open)
	c.key = append(c.key, r.row(regionKey{typ: r.e.Type[k], a: r.e.Value.At(k), call: true}))
	r.sides = append(r.sides, r.side(k))
}

// side names a computation before or after a call.
func (r *laneReader) side(k int) int64 {
	switch r.src.level {
	case ByCall:
		return int64(r.e.Type[k])<<32 | r.e.Value.At(k)&0xffffffff
	case ByLine:
		for i, end := r.line(k); i < end; i++ {
			if r.e.Type[i] == r.src.line {
				return r.e.Value.At(i)
			}
		}
		return -(int64(r.e.Type[k])<<32 | r.e.Value.At(k)&0xffffffff) // a call without a source line
	}
	return 0
}

// line returns the rows of the line that row k is on.
func (r *laneReader) line(k int) (first, end int) { return lineOf(r.e, k) }

// lineOf returns the rows of the line of a trace that row k is on.
func lineOf(e *prv.Events, k int) (first, end int) {
	first, end = k, k+1
	for first > 0 && !e.Lines.Has(first) {
		first--
	}
	for end < e.Len() && !e.Lines.Has(end) {
		end++
	}
	return first, end
}

// collective reads the fields on the line of a collective operation. Without fields it is an operation of the ptask.
func (r *laneReader) collective(k int) {
	g := groupCall{call: int32(r.calls.len() - 1), value: r.e.Value.At(k)}
	comm, fields, sizes, bytes := int64(1), false, false, int64(0)
	for i, end := r.line(k); i < end; i++ {
		switch v := r.e.Value.At(i); r.e.Type[i] {
		case extrae.CollectiveSent, extrae.CollectiveRecv:
			sizes, fields, bytes = true, true, bytes|v
		case extrae.CollectiveRoot:
			g.root, fields = v != 0, true
		case extrae.CollectiveComm:
			comm, fields = v, true
		}
	}
	if fields {
		g.comm = comm
	}
	g.moot = sizes && bytes == 0
	r.groups = append(r.groups, g)
}

// function handles the start or end of a user function or another region of that kind.
func (r *laneReader) function(k int, typ uint32) {
	if v := r.e.Value.At(k); v != 0 {
		if typ == extrae.ClusterID {
			r.stack = r.stack[:0]
		}
		r.push(k, regionKey{typ: typ, a: v})
	} else {
		r.pop(k, typ)
	}
}

func (r *laneReader) push(k int, key regionKey) {
	if len(r.stack) < maxDepth {
		r.stack = append(r.stack, r.row(key))
	}
	r.moved(k)
}

func (r *laneReader) pop(k int, typ uint32) {
	for i := len(r.stack) - 1; i >= 0; i-- {
		if r.keys[r.stack[i]].typ == typ {
			r.stack = slices.Delete(r.stack, i, i+1)
			break
		}
	}
	r.moved(k)
}

// moved notes the current region, -1 if none.
func (r *laneReader) moved(k int) {
	now := int32(-1)
	if n := len(r.stack); n > 0 {
		now = r.stack[n-1]
	}
	b, at := &r.base, r.e.Time[k]
	if n := b.len(); n > 0 && b.time[n-1] == at {
		b.region[n-1] = now
		return
	}
	b.time, b.region = append(b.time, at), append(b.region, now)
}

// close ends what is open at the end of the trace.
func (r *laneReader) close() {
	end := r.t.Duration
	if r.begun {
		r.calls.open[r.calls.len()-1] = true
	}
	closeLast(r.opens, end)
	closeLast(r.work, end)
	closeLast(r.waits, end)
	for i := range r.team {
		if r.team[i].to < 0 {
			r.team[i].to = end
		}
	}
}

func closeLast(list []span, end int64) {
	if n := len(list); n > 0 && list[n-1].to < 0 {
		list[n-1].to = end
	}
}

// readAbsent reads the stretches in which the thread does not exist or is not traced.
func (r *laneReader) readAbsent(states *extrae.States) {
	s := &r.t.Threads[r.thread].States
	for i, v := range s.Value {
		if states.Meaning(v) != extrae.Absent {
			continue
		}
		from, to := max(s.Begin[i], 0), s.Until(i, r.t.Duration)
		if n := len(r.absent); n > 0 && r.absent[n-1].to >= from {
			r.absent[n-1].to = max(r.absent[n-1].to, to)
		} else if from < to {
			r.absent = append(r.absent, span{from, to})
		}
	}
}

// tracedSince returns the last time until at when the thread appears or tracing begins; 0 if it is always there.
func (l *lane) tracedSince(at int64) int64 {
	i := sort.Search(len(l.absent), func(i int) bool { return l.absent[i].to > at }) - 1
	if i < 0 {
		return 0
	}
	return l.absent[i].to
}

// isAway reports whether a thread has not appeared up to a time.
func (l *lane) isAway(at int64) bool {
	return len(l.absent) > 0 && l.absent[0].from <= 0 && l.absent[0].to > at
}

// readStateCalls makes calls from states of waiting and communication if there are no events of calls.
func (r *laneReader) readStateCalls(states *extrae.States) {
	s := &r.t.Threads[r.thread].States
	c := &r.calls
	for i, v := range s.Value {
		kind := extrae.CallKind{Call: states.Call(v)}
		if kind.Call == extrae.OtherCall {
			continue
		}
		from, to := max(s.Begin[i], 0), s.Until(i, r.t.Duration)
		if n := c.len(); n > 0 {
			from = max(from, c.exit[n-1])
		}
		if from > to {
			continue
		}
		if kind.Is(extrae.Group) {
			r.groups = append(r.groups, groupCall{call: int32(c.len()), comm: -1})
		}
		c.enter, c.exit = append(c.enter, from), append(c.exit, to)
		c.kind, c.open = append(c.kind, kind), append(c.open, false)
		c.key = append(c.key, r.row(regionKey{typ: stateRegion, a: int64(v), call: true}))
		r.sides = append(r.sides, 0)
	}
}

// markIdle marks idle states while no region is open: a stream without work computes nothing, nor does a host whose
// functions are not traced.
func (r *laneReader) markIdle() {
	s, base := &r.t.Threads[r.thread].States, r.base
	r.base = newChanges(base.len() + 2*s.Len())
	idle, now, next := r.row(regionKey{typ: stateRegion, a: device.Idle}), int32(-1), 0
	upTo := func(until int64, none int32) {
		for ; next < base.len() && base.time[next] < until; next++ {
			if now = base.region[next]; now < 0 {
				r.base.note(base.time[next], none)
			} else {
				r.base.note(base.time[next], now)
			}
		}
	}
	for k, v := range s.Value {
		from, to := max(s.Begin[k], 0), s.Until(k, r.t.Duration)
		if v != device.Idle || from >= to {
			continue
		}
		upTo(from, -1)
		if now < 0 {
			r.base.note(from, idle)
		}
		upTo(to, idle)
		r.base.note(to, now)
	}
	upTo(1<<63-1, -1)
}

// overlay puts the calls over the regions outside of them.
func (r *laneReader) overlay() {
	c := &r.calls
	outside, b := int32(-1), 0 // the region outside of calls, and the next of its changes
	at := int64(0)
	to := func(until int64, before, after int64) {
		none := r.computation(before, after)
		for at < until {
			for b < r.base.len() && r.base.time[b] <= at {
				outside = r.base.region[b]
				b++
			}
			now := outside
			if now < 0 {
				now = r.row(none)
			}
			r.changes.note(at, now)
			at = until
			if b < r.base.len() {
				at = min(at, r.base.time[b])
			}
		}
	}
	before := int64(0)
	for i := range c.enter {
		to(c.enter[i], before, r.sides[i])
		if c.exit[i] > c.enter[i] {
			at = max(at, c.enter[i])
			r.changes.note(at, c.key[i])
			at = c.exit[i]
		}
		before = r.sides[i]
	}
	to(max(r.t.Duration, at), before, 0)
	r.rows = nil
}

// computation returns the region outside of functions, between two calls.
func (r *laneReader) computation(before, after int64) regionKey {
	if r.src.byCalls() {
		return regionKey{a: before, b: after}
	}
	return regionKey{}
}

// renumber puts the lane's regions in the order of their ids. Keys with the same id become one region.
func (l *lane) renumber(ids map[regionKey]int32) {
	order := make([]int32, len(l.keys))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return int(ids[l.keys[a]]) - int(ids[l.keys[b]]) })
	place := make([]int32, len(order))
	l.ids = make([]int32, 0, len(order))
	for _, old := range order {
		if id := ids[l.keys[old]]; len(l.ids) == 0 || l.ids[len(l.ids)-1] != id {
			l.ids = append(l.ids, id)
		}
		place[old] = int32(len(l.ids) - 1)
	}
	l.keys = nil
	for i, region := range l.changes.region {
		l.changes.region[i] = place[region]
	}
	for i := range l.calls.key {
		l.calls.key[i] = place[l.calls.key[i]]
	}
}

// lastEntered returns the last call that has begun at a time; -1: none. before is the result for a nearby time.
func (l *lane) lastEntered(before int, at int64) int {
	return search.After(l.calls.enter, before, at) - 1
}

// callAt finds the call of a role at a time: one that begins or ends exactly then, as the role requires; else one that
// contains it. -1: none. last is the last call that has begun.
func (l *lane) callAt(last int, at int64, role extrae.CallRole) int32 {
	c := &l.calls
	found := int32(-1)
	for i := last; i >= 0 && c.exit[i] >= at; i-- {
		kind := c.kind[i].Call
		if !kind.Is(role) {
			continue
		}
		end := role == extrae.Completes || role == extrae.Posts && kind == extrae.Irecv
		if end && c.exit[i] == at || !end && c.enter[i] == at {
			return int32(i)
		}
		if found < 0 {
			found = int32(i)
		}
	}
	return found
}
