package otf2

// The second reading: the events of a location become states, events, and the ends of messages.

import (
	"math"
	"slices"

	"pview/prv/extrae"
	"pview/prv/mapped"
)

// Event types of Extrae that otherwise appear only in its own traces.
const typeTracing = 40000012 // 1 on, 0 off

// Kinds of entries of a stack other than regions.
const (
	aTeam       = -1
	aTask       = -2
	aCollective = -3
)

// entry is a region on the stack of a thread, or a team, task or operation without one.
type entry struct {
	region int32 // or kind
	state  uint8 // its own, or that of the entry around it
	silent bool  // makes no events
	opens  bool  // it opens a team: a parallel region
	member bool  // it is shown as the work of a thread of a team
	owned  bool  // a critical region: the thread has the lock
	freed  bool  // and has released it
	row    int   // row that follows the line of its begin
}

// post is a receive that was posted.
type post struct {
	ticks int64
	time  int64 // ns: when the posting call returned
}

// lane makes the rows of one location.
type lane struct {
	*archive
	*location
	own   *local
	clock clock
	rows
	owns []ownMetric

	base      uint8 // state outside of regions
	isStream  bool
	teams     bool // the location says when its teams begin
	implicit  bool // instead, it has regions of EZTrace
	opener    bool // it opens parallel regions
	bySwitch  bool // tasks have no regions
	first     bool // no event yet
	off       bool
	state     uint8
	since     int64
	ticks     int64
	now       int64
	stack     []entry
	call      int // outermost MPI call in the stack; -1: none
	callStart int64
	atOnce    bool
	collected bool // the call's collective operation is known

	sends    []send
	receives []receive
	posts    []post
	// the first ends of messages that belong to the current call
	callSends, callReceives, callPosts int
	requests                           map[uint64]int32 // posts
	pendingOps                         map[uint64]int   // by request: the row of the call that requested the operation
	waiting                            []rowPair        // counters that wait for the line of a call
	waitingAt                          int64
	generation                         uint64 // of the task
	lockType                           uint32
	counts
}

type rowPair struct {
	typ   uint32
	value int64
}

// counts counts the irregular records of a location, for the notes.
type counts struct {
	strayLeaves, missingLeaves int64
	noPeer, noComm             int64 // messages dropped
	restarted                  int64 // counters with decreasing readings
	unusedPosts, allPosts      int64
	skipped                    [256]int64
	ops                        uint32 // operations without a call, as bits
}

// read makes the rows.
func (l *lane) read(m *meter) error {
	data, ok, err := l.openEvents(l.location)
	if err != nil || !ok {
		return err
	}
	defer mapped.Unmap(data)
	if l.own, err = readLocal(l.anchor, l.definitions, l.id); err != nil {
		return err
	}
	l.clock = clock{spans: l.own.spans}
	l.reserve(l.scan.rows+l.scan.rows/16+16, l.scan.states+16)
	n := &l.scan.kinds
	l.sends = make([]send, 0, n[evSend]+n[evIsend])
	l.receives = make([]receive, 0, n[evRecv]+n[evIrecv])
	l.posts = make([]post, 0, n[evIrecvRequest])
	l.call, l.first, l.ticks = -1, true, math.MinInt64
	r := newReader(data, l.eventChunk, func(int, string, bool) {}) // the first reading has reported
	r.step, r.stop = m.step, l.stopOf(data)
	if r.open() {
		var e event
		raw := ^uint64(0)
		for r.next(&e) {
			if e.time != raw {
				raw = e.time
				l.advance(l.clock.global(int64(raw)))
			}
			l.event(&e)
		}
	}
	l.ends()
	m.step(len(data) - r.base)
	return nil
}

// advance moves to a time, never back.
func (l *lane) advance(ticks int64) {
	if ticks < l.ticks {
		return
	}
	l.ticks = ticks
	l.now = l.ns(ticks)
	if l.first {
		l.first = false
		l.addState(0, l.now, stateAbsent)
		l.since, l.state = l.now, l.base
	}
}

// inner returns the state at the current time.
func (l *lane) inner() uint8 {
	if l.off {
		return stateUntraced
	}
	return l.around()
}

// around returns the state of the innermost entry of the stack, or the base state if none.
func (l *lane) around() uint8 {
	if n := len(l.stack); n > 0 {
		return l.stack[n-1].state
	}
	return l.base
}

// turn ends the state if the next one differs, or if cut is set.
func (l *lane) turn(cut bool) {
	next := l.inner()
	if next == l.state && !cut {
		return
	}
	l.addState(l.since, l.now, l.state)
	l.since, l.state = l.now, next
}

// ends closes the open regions at the last event.
func (l *lane) ends() {
	l.flush()
	if l.first {
		return
	}
	l.closeFrom(0)
	l.turn(true)
	l.addState(l.now, l.archive.finish, stateAbsent)
	l.settle()
	for i := range l.receives {
		if m := &l.receives[i]; m.post >= 0 {
			m.logical = l.posts[m.post].time
		}
	}
	l.unusedPosts = int64(len(l.requests))
	l.allPosts = int64(len(l.posts))
}

// flush writes the counters that wait for a call on their own line.
func (l *lane) flush() {
	for i, p := range l.waiting {
		if i == 0 {
			l.line(l.waitingAt, p.typ, p.value)
		} else {
			l.beside(p.typ, p.value)
		}
	}
	l.waiting = l.waiting[:0]
}

// joins adds the waiting counters to the line just written.
func (l *lane) joins() {
	for _, p := range l.waiting {
		l.beside(p.typ, p.value)
	}
	l.waiting = l.waiting[:0]
}

// event handles one event.
func (l *lane) event(e *event) {
	h := &handlers[e.id]
	if len(l.waiting) > 0 && !h.joins {
		l.flush()
	}
	if h.take == nil {
		l.skipped[e.id]++
		return
	}
	h.take(l, e)
}

// handlers handle events, by kind. Waiting counters join the line of an event whose handler sets joins.
var handlers = [256]struct {
	take  func(l *lane, e *event)
	joins bool
}{
	evEnter:        {take: func(l *lane, e *event) { l.enter(l.region(l.own.regions.find(e.fields[0]))) }, joins: true},
	evLeave:        {take: func(l *lane, e *event) { l.leave(l.region(l.own.regions.find(e.fields[0]))) }, joins: true},
	evMetric:       {take: (*lane).metric, joins: true},
	evContextEnter: {take: func(l *lane, e *event) { l.enter(l.contextOf(e.fields[0])) }, joins: true},
	evContextLeave: {take: func(l *lane, e *event) { l.leave(l.contextOf(e.fields[0])) }, joins: true},
	evContextSample: {take: func(l *lane, e *event) {
		l.sample(uint32(l.own.maps[mapCallingContext].global(e.fields[0])))
	}},

	evSend:             {take: (*lane).send},
	evIsend:            {take: (*lane).send},
	evRecv:             {take: (*lane).receive},
	evIrecv:            {take: (*lane).receive},
	evIrecvRequest:     {take: (*lane).post},
	evRequestCancelled: {take: func(l *lane, e *event) { delete(l.requests, e.fields[0]) }},

	evCollectiveBegin:       {take: func(l *lane, _ *event) { l.beginCollective() }},
	evCollectiveEnd:         {take: (*lane).endCollective},
	evCollectiveRequest:     {take: func(l *lane, e *event) { l.requestCollective(e.fields[0]) }},
	evNonBlockingCollective: {take: (*lane).completeCollective},

	evTeamBegin:       {take: func(l *lane, _ *event) { l.beginTeam() }},
	evTeamEnd:         {take: func(l *lane, _ *event) { l.endTeam() }},
	evAcquireLock:     {take: func(l *lane, _ *event) { l.acquire() }},
	evOmpAcquireLock:  {take: func(l *lane, _ *event) { l.acquire() }},
	evReleaseLock:     {take: func(l *lane, _ *event) { l.release() }},
	evOmpReleaseLock:  {take: func(l *lane, _ *event) { l.release() }},
	evTaskCreate:      {take: func(l *lane, e *event) { l.createTask(e.fields[2]) }},
	evOmpTaskCreate:   {take: func(l *lane, e *event) { l.createTask(e.fields[0]) }},
	evTaskSwitch:      {take: func(l *lane, e *event) { l.switchTask(e.fields[2], e.fields[2] > 0) }},
	evOmpTaskSwitch:   {take: func(l *lane, e *event) { l.switchTask(e.fields[0], true) }},
	evTaskComplete:    {take: func(l *lane, _ *event) { l.completeTask() }},
	evOmpTaskComplete: {take: func(l *lane, _ *event) { l.completeTask() }},

	evBufferFlush:       {take: func(l *lane, e *event) { l.bufferFlush(int64(e.fields[0])) }},
	evMeasurement:       {take: (*lane).measurement},
	evParameterString:   {take: (*lane).parameter},
	evParameterInt:      {take: (*lane).parameter},
	evParameterUnsigned: {take: (*lane).parameter},
	evRmaPut:            {take: (*lane).access},
	evRmaGet:            {take: (*lane).access},
	evIOComplete:        {take: func(l *lane, e *event) { l.complete(e.fields[1]) }},

	// These tell nothing beyond the regions and the events above.
	evOmpFork:       {take: ignore},
	evThreadFork:    {take: ignore},
	evOmpJoin:       {take: ignore},
	evThreadJoin:    {take: ignore},
	evIsendComplete: {take: ignore},
	evRequestTest:   {take: ignore},
	evIOBegin:       {take: ignore},
}

func ignore(*lane, *event) {}

// post notes a posted receive.
func (l *lane) post(e *event) {
	if l.requests == nil {
		l.requests = map[uint64]int32{}
	}
	l.requests[e.fields[0]] = int32(len(l.posts))
	l.posts = append(l.posts, post{l.ticks, l.now})
}

// measurement turns recording on or off.
func (l *lane) measurement(e *event) {
	l.off = e.fields[0] == 2
	on := int64(1)
	if l.off {
		on = 0
	}
	l.line(l.now, typeTracing, on)
	l.turn(false)
}

func (l *lane) contextOf(id uint64) int32 {
	c, ok := l.contexts[uint32(l.own.maps[mapCallingContext].global(id))]
	if !ok {
		return -1
	}
	return l.region(l.regionIDs.find(uint64(c.region)))
}

// region returns the region of a definition, for a stream in its form for streams; -1 if it is not defined.
func (l *lane) region(def int32) int32 {
	k := l.regionOf(def)
	if n, ok := l.streamed[k]; ok && l.isStream {
		return n
	}
	return k
}

// enter begins a region.
func (l *lane) enter(k int32) {
	if k < 0 {
		l.flush()
		return
	}
	g := &l.regions.list[k]
	en := entry{region: k, state: g.state, silent: g.typ == 0}
	isCall := false
	switch g.class {
	case userFunction, tracerRegion:
	case mpiRegion:
		if l.call >= 0 {
			en.silent, en.state = true, noState
		} else {
			isCall = true
		}
	case implicitTask:
		en.silent = l.teams
		en.member = !l.teams
	case parallelRegion:
		en.opens, en.member = l.opener, !l.teams && !l.implicit
		if !en.opens || !l.teams || l.innermost(aTeam) >= 0 {
			en.state = stateRunning
		}
		en.silent = !en.opens && !en.member
	}
	if en.state == noState {
		en.state = l.around()
		if l.isStream {
			en.state = stateRunning
		}
	}
	if en.silent {
		l.flush()
	} else {
		l.begins(g, &en)
	}
	en.row = len(l.time)
	l.stack = append(l.stack, en)
	if isCall {
		l.call, l.callStart, l.atOnce, l.collected = len(l.stack)-1, l.now, g.sendsAtOnce, false
		l.callSends, l.callReceives, l.callPosts = len(l.sends), len(l.receives), len(l.posts)
	}
	l.turn(isCall)
}

// begins writes the line of the begin of a region.
func (l *lane) begins(g *region, en *entry) {
	l.edge(g, en, 3, g.value)
	if (g.class == taskRegion || g.class == taskCreateRegion) && l.generation > 0 {
		l.beside(extrae.OpenMPTaskID, int64(l.generation))
	}
	l.joins()
}

// edge writes the line of the begin or end of a region. One that opens a team has the value team, and its own value as
// well if its thread is a member.
func (l *lane) edge(g *region, en *entry, team, value int64) {
	if !en.opens {
		l.line(l.now, g.typ, value)
		return
	}
	l.line(l.now, extrae.OpenMPParallel, team)
	if en.member {
		l.beside(g.typ, value)
	}
}

// leave ends a region, and those within it whose ends are missing.
func (l *lane) leave(k int32) {
	i := -1
	if k >= 0 {
		i = l.innermost(k)
	}
	if i < 0 {
		l.flush()
		l.strayLeaves++
		return
	}
	for _, en := range l.stack[i+1:] {
		if en.region >= 0 {
			l.missingLeaves++
		}
	}
	l.closeFrom(i)
	l.flush()
}

// closeFrom ends the entries of the stack from a position on.
func (l *lane) closeFrom(i int) {
	cut := false
	for k := len(l.stack) - 1; k >= i; k-- {
		en := &l.stack[k]
		if !en.silent {
			l.close(en)
		}
		if k == l.call {
			l.returns()
			cut = true
		}
	}
	l.stack = l.stack[:i]
	l.turn(cut)
}

// close writes the line of the end of an entry.
func (l *lane) close(en *entry) {
	switch en.region {
	case aTeam:
		l.line(l.now, extrae.OpenMPOutlined, 0)
	case aTask:
		l.line(l.now, extrae.OpenMPExecute, 0)
	case aCollective:
		l.line(l.now, extrae.MPICollective, 0)
	default:
		g := &l.regions.list[en.region]
		if g.class == criticalRegion && en.owned && !en.freed {
			l.lockType = g.typ // the lock is kept
			return
		}
		l.edge(g, en, 0, 0)
	}
	l.joins()
}

// returns completes the messages and receives that began in the MPI call that ends.
func (l *lane) returns() {
	if !l.atOnce {
		for i := l.callSends; i < len(l.sends); i++ {
			l.sends[i].physical = l.now
		}
	}
	for i := l.callReceives; i < len(l.receives); i++ {
		l.receives[i].physical = l.now
	}
	for i := l.callPosts; i < len(l.posts); i++ {
		l.posts[i].time = l.now
	}
	l.call = -1
}

// push adds an entry other than a region.
func (l *lane) push(kind int32, state uint8) {
	l.stack = append(l.stack, entry{region: kind, state: state, row: len(l.time)})
	l.turn(kind == aCollective)
}

// innermost returns the place in the stack of the innermost entry of a region or kind, -1 if none.
func (l *lane) innermost(region int32) int {
	i := len(l.stack) - 1
	for i >= 0 && l.stack[i].region != region {
		i--
	}
	return i
}

// drop ends the innermost entry of a kind, if any, wherever it is in the stack.
func (l *lane) drop(kind int32) {
	i := l.innermost(kind)
	if i < 0 {
		return
	}
	l.close(&l.stack[i])
	l.stack = slices.Delete(l.stack, i, i+1)
	if l.call > i {
		l.call--
	}
	l.turn(kind == aCollective)
}

// bufferFlush shows the time that the tracer took to write its buffer.
func (l *lane) bufferFlush(stop int64) {
	l.line(l.now, extrae.TraceFlush, 1)
	state := l.state
	l.addState(l.since, l.now, state)
	begin := l.now
	l.advance(l.clock.global(stop))
	l.addState(begin, l.now, stateOthers)
	l.since = l.now
	l.line(l.now, extrae.TraceFlush, 0)
}

// metric takes readings, which wait for a call at the same time.
func (l *lane) metric(e *event) {
	if len(l.waiting) > 0 && l.waitingAt != l.now {
		l.flush()
	}
	k := l.classIDs.find(l.own.maps[mapMetric].global(e.fields[0]))
	var m *ownMetric
	for i := range l.owns {
		if l.owns[i].class == k {
			m = &l.owns[i]
			break
		}
	}
	if m == nil {
		return
	}
	l.waitingAt = l.now
	for i := range min(len(m.kinds), len(e.values)) {
		kind := &l.metrics.kinds[m.kinds[i]]
		v := kind.value(e.values[i])
		if kind.mode == accumulated {
			before, read := m.previous[i], m.read[i]
			m.previous[i], m.read[i] = v, true
			if !read {
				continue
			}
			if v < before {
				l.restarted++
				continue
			}
			v -= before
		}
		l.waiting = append(l.waiting, rowPair{kind.typ, v})
	}
}

// parameter writes the value of a parameter.
func (l *lane) parameter(e *event) {
	p := l.paramIDs.find(l.own.maps[mapParameter].global(e.fields[0]))
	if p < 0 {
		l.skipped[e.id]++
		return
	}
	v := int64(e.fields[1])
	if e.id == evParameterString {
		v = l.texts.numbers[paramText{p, uint32(l.own.maps[mapString].global(e.fields[1]))}]
	}
	l.line(l.now, l.texts.types[p], v)
}

// access adds the size and target of a put or get to the line of the call.
func (l *lane) access(e *event) {
	target := int64(e.fields[1])
	if comm, ok := l.windows[uint32(l.own.maps[mapWindow].global(e.fields[0]))]; ok {
		if k := l.commIDs.find(uint64(comm)); k >= 0 {
			if task := l.ranks[k].peer(uint32(e.fields[1]), l.task); task >= 0 {
				target = int64(task)
			}
		}
	}
	pairs := [...]rowPair{{typeRMABytes, int64(e.fields[2])}, {extrae.OneSidedTarget, target}}
	l.attach(l.call, pairs[:])
}

// complete adds the bytes of a finished file operation to the line of its region.
func (l *lane) complete(bytes uint64) {
	at := -1
	for i := len(l.stack) - 1; i >= 0 && at < 0; i-- {
		if k := l.stack[i].region; k >= 0 && !l.stack[i].silent {
			if g := &l.regions.list[k]; g.class == ioRegion || g.typ == extrae.MPIFile {
				at = i
			}
		}
	}
	l.attach(at, []rowPair{{typeIOBytes, int64(bytes)}})
}

// attach adds events to the line of an entry of the stack; for -1, on their own line.
func (l *lane) attach(at int, pairs []rowPair) {
	for i, p := range pairs {
		switch {
		case at >= 0:
			l.behind(l.stack[at].row, p.typ, p.value)
		case i == 0:
			l.line(l.now, p.typ, p.value)
		default:
			l.beside(p.typ, p.value)
		}
	}
}

// sample writes the callers of a sample, the innermost first.
func (l *lane) sample(context uint32) {
	for depth := range uint32(deepestCaller) {
		c, ok := l.contexts[context]
		if !ok {
			return
		}
		typ, value := extrae.FirstCaller+1+depth, l.samplers[l.regionOf(l.regionIDs.find(uint64(c.region)))]
		if depth == 0 {
			l.line(l.now, typ, value)
		} else {
			l.beside(typ, value)
		}
		context = c.parent
	}
}
