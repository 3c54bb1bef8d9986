package record

// The state of a thread while its records are merged: its position, and the calls it is in.

import (
	"pview/prv"
	"pview/prv/extrae"
)

// lane is a thread being merged.
type lane struct {
	*merger
	*part
	process  *process
	stream   *stream
	kinds    []callKind
	at       int   // the next record
	when     int64 // time of the next record, as begin returns it
	pos      int64 // end of the last state; -1: none
	untraced bool
	teamwork
	team      []*lane  // the threads of the process
	stack     []frame  // functions and regions that the thread is in
	current   span     // the last call
	called    int64    // the call's number
	cpu       cpuClock // used if times are CPU times
	inMatched bool     // the call receives a message that MPI_Mprobe has matched
	pairs     []prv.Pair
	counting  []counting
	counted   bool                 // counters have a first reading
	stacks    map[int64][]prv.Pair // callers by seq of the records
}

// time returns a time of the thread in the trace.
func (l *lane) time(t int64) int64 { return max(l.process.clock.correct(t)-l.zero, 0) }

// setWhen updates when for at. Records that belong to a call keep the time of the previous record.
func (l *lane) setWhen() {
	if l.at < l.stream.n {
		if r := l.stream.at(l.at); timed(r.kind()) {
			l.when = l.time(r.begin())
		}
	}
}

// begin returns the start of a record, as a time in the trace. Records that belong to a call follow it, and have its
// time.
func (l *lane) begin(i int) int64 {
	for ; i >= 0; i-- {
		if r := l.stream.at(i); timed(r.kind()) {
			return l.time(r.begin())
		}
	}
	return 0
}

func timed(kind int) bool {
	return kind < firstMark || kind == kindOn || kind == kindOff || kind >= kindEvent && kind <= kindExit ||
		kind == kindOpenMP
}

// base returns the thread's state outside of calls.
func (l *lane) base() uint32 {
	if l.untraced {
		return stateUntraced
	}
	return l.activity()
}

// reach ends the state outside of calls at a time, but not before the last state's end, and returns the time.
func (l *lane) reach(t int64) int64 {
	if l.pos < 0 {
		l.state(l.stream.thread, l.stream.cpu, 0, t, stateAbsent)
		l.pos = t
	}
	t = max(t, l.pos)
	l.waitForTeam(t)
	l.state(l.stream.thread, l.stream.cpu, l.pos, t, l.base())
	l.pos = t
	return t
}

// step merges the next record.
func (l *lane) step() {
	r := l.stream.at(l.at)
	l.at++
	l.setWhen()
	switch kind := r.kind(); {
	case kind < len(l.kinds) && l.kinds[kind].family != 0:
		l.call(r, &l.kinds[kind])
	case kind < firstMark || kind > kindOpenMP:
		l.strange++
	case kind == kindSent:
		l.started(r, l.sent)
	case kind == kindPosted:
		l.started(r, l.post)
	case kind == kindReceived:
		l.started(r, l.completed)
	case kind == kindOn, kind == kindOff:
		l.phase(r, kind == kindOff)
	case kind == kindOpenMP:
		l.openMP(r)
	case kind == kindEnter:
		l.enter(r)
	case kind == kindExit:
		l.exit(r)
	case kind == kindEvent:
		l.user[uint32(r.request())] = true
		l.mark(r, l.span(r).begin, prv.Pair{Type: uint32(r.request()), Value: r.aux()})
	}
}

// phase begins or ends an unrecorded phase.
func (l *lane) phase(r record, off bool) {
	at := l.reach(l.span(r).begin)
	if off { // their ends are not recorded
		l.closeFrom(r, at, 0)
		l.left = 0
	}
	l.untraced = off
	l.counted = l.counted && off
	l.mark(r, at)
}

// span is the time of a call in the trace.
type span struct{ begin, end int64 }

// started handles a record of the last call; records of other calls are ignored.
func (l *lane) started(r record, handle func(r record, call span)) {
	if l.called > 0 && r.aux() == l.called {
		handle(r, l.current)
	}
}

// span returns the begin and end of a call or mark in the trace; it is called once for each, in order. A call in
// progress lasts until the end.
func (l *lane) span(r record) span {
	if l.cpuTime {
		begin, end := l.cpu.pass(r)
		return span{begin, end}
	}
	begin, end := l.time(r.begin()), l.head.End
	if r.end() > 0 {
		end = l.time(r.end())
	}
	return span{begin, max(begin, end)}
}

// call merges a call.
func (l *lane) call(r record, k *callKind) {
	unseen := r.flags()&flagUnseen != 0
	k.used = k.used || !unseen
	times := l.span(r)
	begin := max(times.begin, l.pos)
	if !unseen {
		begin = l.reach(times.begin)
	}
	end := max(times.end, begin)
	times = span{begin, end}
	l.called = 0
	if r.end() > 0 {
		l.current, l.called = times, int64(r.seq())
		l.inMatched = k.match
	}
	th, cpu := l.stream.thread, l.stream.cpu
	if !unseen {
		l.state(th, cpu, begin, end, k.state)
		l.pos = end
		l.pairs = append(l.pairs[:0], prv.Pair{Type: k.family, Value: k.value})
		l.details(r, k)
		l.count(r, 0)
		l.pairs = append(l.pairs, l.stackAt(r.aux())...)
		l.out.Event(th, cpu, begin, l.pairs...)
		if r.end() > 0 {
			l.counted = l.counted && !k.start
			l.pairs = append(l.pairs[:0], prv.Pair{Type: k.family, Value: 0})
			l.count(r, 1)
			l.out.Event(th, cpu, end, l.pairs...)
		}
	}
	if r.end() == 0 && r.flags()&flagSend == 0 {
		return
	}
	flags := r.flags()
	if flags&flagSend != 0 && flags&flagFailed == 0 {
		l.sent(r, times)
	}
	if flags&flagRecv != 0 {
		l.received(r, times)
	}
	if flags&flagPost != 0 {
		l.post(r, times)
	}
	if flags&flagRepost != 0 {
		l.repost(r, times)
	}
}

// details adds the events that describe a call: sizes, communicator, root and target.
func (l *lane) details(r record, k *callKind) {
	add := func(typ uint32, value int64) {
		l.pairs = append(l.pairs, prv.Pair{Type: typ, Value: value})
		l.detailed[typ] = true
	}
	switch {
	case r.flags()&flagCollective != 0:
		add(extrae.CollectiveSent, r.bytes())
		add(extrae.CollectiveRecv, r.recvd())
		c := l.process.comms[r.comm()]
		if c == nil || c.group == nil {
			return
		}
		add(extrae.CollectiveComm, int64(c.group.number))
		if root := r.peer(); root >= 0 && c.remote == nil && int(root) < len(c.members) &&
			int(c.members[root]) == l.process.rank || root < -1 && c.remote != nil && r.bytes() > 0 {
			add(extrae.CollectiveRoot, 1)
		}
	case k.family == rma && r.bytes() > 0:
		add(oneSidedSize, r.bytes())
		if w := l.process.windows[r.comm()]; w != nil && r.peer() >= 0 && int(r.peer()) < len(w.members) {
			add(extrae.OneSidedTarget, int64(w.members[r.peer()]))
		}
	case k.family == file && r.bytes() > 0:
		add(fileSize, r.bytes())
	}
}

// finish writes a thread's last state.
func (l *lane) finish() {
	s := l.stream
	state := uint32(stateAbsent)
	switch s.ended {
	case endByLimit:
		l.limited++
		state = stateUntraced
	case endByDisk:
		l.full++
		state = stateUntraced
	case endKilled:
		if s.number == 0 {
			l.killed++
		}
	}
	if l.idle {
		l.reach(l.end())
	}
	if l.pos < 0 {
		l.pos = 0
	}
	if l.untraced {
		state = stateUntraced
	}
	l.lost += l.process.lost
	l.process.lost = 0
	l.state(s.thread, s.cpu, l.pos, l.head.End, state)
}

// end returns the end of the thread's process in the trace.
func (l *lane) end() int64 {
	if l.cpuTime {
		return l.head.End
	}
	return l.time(l.process.last)
}
