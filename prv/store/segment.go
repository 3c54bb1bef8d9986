// Package store keeps the records of traces: it parses the text after the header of a .prv, and packs, spills and
// unpacks its records into the columns of a trace. A Builder takes records one by one.
//
// Records take one of two ways to the columns, and neither suits all traces. Records of traces with many threads wait
// in stripes (stripes.go): segments of rows (this file) would take 1.7 times the CPU time. All others wait in segments:
// stripes would take 1.4 to 1.5 times (generated traces of 16,384, 64 and 1 tasks).
package store

import (
	"iter"
	"math"
	"pview/prv/model"
	"slices"
	"unsafe"
)

// Between the text of a trace and its columns are segments: each has the records of a part of the file in narrow rows,
// grouped by thread.
//
// Columns have the exact length and one allocation each, so their lengths must be known before the first value is
// stored; but the text is read once (it may come from a gzip stream). So the parser makes a segment of each chunk of
// text and counts as it goes; when all segments are there, the columns are allocated and the segments widened into
// them, many at once:
//
//	text chunk 0 --> list of records --> segment 0: thread 0 | thread 1 | ... --.
//	text chunk 1 --> list of records --> segment 1: thread 0 | thread 1 | ... ---+--> columns
//	text chunk 2 --> list of records --> segment 2: thread 0 | thread 1 | ... --'
//
// If the lengths can be estimated, segments need not wait for them: reserve.go.
//
// A chunk's records fit the cache of a core, so they are sorted by thread there: for the columns, which do not fit,
// only one range per thread remains to be copied.
//
// A row takes 12 bytes (a communication 36), half of its size in the columns: times are 31 bits from a base of the
// thread. What does not fit is kept beside the rows: a turn if a thread moves to another CPU or its times leave the
// reach of the base, and the whole number if a row's number has more than 32 bits. So any record can be kept, and the
// records of nearly all traces are compact. While rows wait for their columns, they are packed into about 5 bytes each
// (dense.go). Each segment is released as soon as it is in the columns. If there are too many segments for the memory,
// they go to a file (spill.go).

// segment is a part of the records, with the counts that the columns need.
type segment struct {
	data    packed
	sizes   segmentSizes
	threads []segmentShare // threads with records, by slot: in order of appearance
	// byThread has the slots in thread order, which is the order of the rows.
	byThread []int32
	comms    int
	stripes  *stripes // the rows of a wide trace; nil: they are in data
	// eventLines counts the lines of events; lineBase counts those of earlier segments.
	eventLines, lineBase uint32 // modulo 2^32: see Comms.EventLines
	asides               Asides

	commBase    int   // position of the first communication in Trace.Comms
	commsStored bool  // they are in the reserved columns, not in the segment
	lastTime    int64 // maximum end of a state or time of an event

	// the rest is only for the parser
	lines    int64 // lines of text
	skipped  model.Skipped
	lastSkip model.Problem // the last bad record, without its text
	extra    int64         // records with more fields than their kind has
	extraAt  int64         // the first of them: its line in the segment, from 1
	ignored  int64         // records of kind 4
}

// segmentShare is a thread's share of a segment.
type segmentShare struct {
	thread    int32
	cpu       int32 // of the first record
	turn, end int32 // first and last turn, by position + 1; 0: none
	base      int64 // of its times, up to the first turn
	states    int
	pairs     int
	large     int // values of the pairs that do not fit their rows

	stateAt, pairAt uint32 // start of its rows among those of the segment
	packedAt        uint32 // start of its packed rows

	stateCPUVaries, eventCPUVaries, commCPUVaries bool
	stored                                        bool // its rows are in the reserved columns, not in the segment
	// first and last are times of events and begins of states, by kind & 1; 0: none. disordered: one comes before its
	// predecessor.
	first, last [2]int64
	disordered  [2]bool

	stateBase, pairBase, largeBase int // position of the first in the thread's columns
}

// unpacked returns the approximate size in bytes of the segment in the columns.
func (s *segment) unpacked() int64 {
	return int64(s.sizes.comms)*64 + int64(s.sizes.states+s.sizes.events)*20
}

// The rows of a segment. Times are counted from the base of the thread.
type (
	stateRow struct{ begin, length, value uint32 }
	eventRow struct {
		time  uint32 // and lineStart
		typ   uint32
		value uint32
	}
	// commRow is a communication. The logical send is relative to the previous communication's, the other times to the
	// logical send.
	commRow struct {
		from, to   uint32 // slots
		times      [4]int32
		size, tag  uint32
		eventLines uint32 // event lines before it in the segment
	}
)

// timeReach bounds the distance of times from their base. lineStart marks the first pair of a line.
const (
	timeReach = 1 << 31
	lineStart = 1 << 31
)

// turn is the row of a share from which another CPU or another base applies.
type turn struct {
	base          int64
	states, pairs uint32 // rows before it
	cpu           int32
	next          int32 // of the same share, by position + 1
}

// wide is a number that does not fit its 32-bit column.
type wide struct {
	slot, row uint32
	value     int64
}

// wideComm is a communication that does not fit its row, or whose CPUs are not those of its threads' first records.
type wideComm struct {
	row int64
	model.Comm
}

// segmentSizes are the sizes of the parts of a segment; of the rows, only those that wait for their columns.
type segmentSizes struct{ turns, ends, values, wideComms, comms, types, states, events, packed int }

// view gives the bytes of a segment their types.
type view struct {
	turns        []turn
	ends, values []wide // of states, of events
	wideComms    []wideComm
	types        []uint32 // of events that have a number in packed rows
	packed       []byte   // communications, then rows, thread after thread
}

// view returns the parts in bytes, which are aligned to 8: parts of 8-byte elements first.
func (n *segmentSizes) view(b []byte) (v view) {
	v.turns, b = rowsIn[turn](b, n.turns)
	v.ends, b = rowsIn[wide](b, n.ends)
	v.values, b = rowsIn[wide](b, n.values)
	v.wideComms, b = rowsIn[wideComm](b, n.wideComms)
	v.types, b = rowsIn[uint32](b, n.types)
	v.packed = b
	return v
}

// rowsIn returns the rows in the first bytes, and the remaining bytes.
func rowsIn[T any](b []byte, n int) ([]T, []byte) {
	if n == 0 {
		return nil, b
	}
	size := n * int(unsafe.Sizeof(*new(T)))
	return unsafe.Slice((*T)(unsafe.Pointer(&b[:size][0])), n), b[size:]
}

// bytes returns the size of a view.
func (n *segmentSizes) bytes() int {
	return n.turns*int(unsafe.Sizeof(turn{})) + (n.ends+n.values)*int(unsafe.Sizeof(wide{})) +
		n.wideComms*int(unsafe.Sizeof(wideComm{})) +
		n.types*int(unsafe.Sizeof(uint32(0))) + n.packed
}

// grouped holds the rows of a segment, thread after thread.
type grouped struct {
	states []stateRow
	events []eventRow
	comms  []commRow // in the order of the file
}

// fit makes room for a number of states and events.
func (g *grouped) fit(states, events int) {
	g.states = slices.Grow(g.states[:0], states)[:states]
	g.events = slices.Grow(g.events[:0], events)[:events]
}

// of returns the rows of a share.
func (g *grouped) of(s *segmentShare) grouped {
	return grouped{states: g.states[s.stateAt:][:s.states], events: g.events[s.pairAt:][:s.pairs]}
}

// run is a range of a share's rows with one base and one CPU.
type run struct {
	base                             int64
	cpu                              int32
	state, stateEnd, event, eventEnd int
}

// runs yields the runs of a share, in order; there is at least one.
func (v *view) runs(s *segmentShare) iter.Seq[run] {
	return func(yield func(run) bool) {
		r := run{base: s.base, cpu: s.cpu}
		for next := s.turn; ; {
			if next == 0 {
				r.stateEnd, r.eventEnd = s.states, s.pairs
				yield(r)
				return
			}
			t := &v.turns[next-1]
			r.stateEnd, r.eventEnd = int(t.states), int(t.pairs)
			if !yield(r) {
				return
			}
			r = run{base: t.base, cpu: t.cpu, state: r.stateEnd, event: r.eventEnd}
			next = t.next
		}
	}
}

// packer fills one segment after another: it lists the records, and groups them when the segment is taken.
type packer struct {
	seg     *segment
	seq     uint32    // of the segment, from 1
	current []current // by thread
	begun   []begun
	// lists holds the records in file order, by kind (1 to 3). Their numbers are in nums, from entry.at on: begin, end,
	// value of a state; time, type, value, ... of an event line; for a communication those of its line, from the
	// logical send on.
	lists [4][]entry
	nums  []uint32
	// lastSend is the logical send of the last communication.
	lastSend   int64
	eventLines uint32   // of the segment, so far
	stripes    *stripes // nil: rows are listed

	reserved *reserved // nil: the rows stay in the segment
	read     int64     // bytes of the file up to the end of the segment
	number   int       // of the segment, within the file

	// the rows of the segment, before they are stored or packed
	grouped grouped
	dense   densePacker

	turns        []turn
	ends, values []wide
	wideComms    []wideComm
	places       [][2]uint32 // by slot, and kind & 1: place of the next row
}

// entry is a record in a list. Two fields have another meaning for a communication:
type entry struct {
	at   uint32 // place of its numbers
	slot uint32 // its thread; the sender
	time uint32 // relative to the base; event lines before a communication
	more uint32 // number of pairs; the receiver's slot
}

// The kinds of records, as in the file.
const (
	stateKind = 1
	eventKind = 2
	commKind  = 3
)

// current holds the state of a thread at this point of the segment, or at the end of the last segment that has the
// thread. It is read for each record, and with many threads it fills the cache: so it takes half a line, and rarely
// needed fields are in begun.
type current struct {
	last [2]int64  // by kind & 1: time of the last event line, and begin of the last state
	rows [2]uint32 // pairs, states
	cpu  uint32    // plus one; 0: no record yet
	seq  uint32    // of the segment
}

// begun is the state of a thread at the begin of a segment.
type begun struct {
	base  int64  // the last turn may have changed it since
	first uint32 // CPU of its first record, plus one
	slot  int32
}

func newPacker(threads int) *packer {
	return &packer{seg: &segment{}, seq: 1, current: make([]current, threads), begun: make([]begun, threads)}
}

// listed returns the approximate size of the lists in bytes.
func (p *packer) listed() int {
	return 4*len(p.nums) + int(unsafe.Sizeof(entry{}))*(len(p.lists[stateKind])+len(p.lists[eventKind])+
		len(p.lists[commKind]))
}

// baseSlack is how much earlier a base is than the record that it is made for, so that records slightly out of order do
// not need another base.
const baseSlack = 1 << 28

func baseFor(time int64) int64 { return max(0, time-baseSlack) }

// baseOf is baseFor, but 0 in stripes, which keep full times.
func (p *packer) baseOf(time int64) int64 {
	if p.stripes != nil {
		return 0
	}
	return baseFor(time)
}

// follow notes the time of a state or event line before it is counted, and reports whether it is remarkable: the first,
// or earlier than the last.
func (c *current) follow(kind int, time int64) (remarkable bool) {
	last := c.last[kind&1]
	c.last[kind&1] = time
	return c.rows[kind&1] == 0 || time < last
}

// remark records a remarkable time.
func (p *packer) remark(thread int32, kind int, time int64) {
	sh := &p.seg.threads[p.begun[thread].slot]
	if kind &= 1; p.current[thread].rows[kind] == 0 {
		sh.first[kind] = time
	} else {
		sh.disordered[kind] = true
	}
}

// share returns the share of a thread; if the thread has no record yet, it is entered in the segment.
func (p *packer) share(thread, cpu int32, time int64) *begun {
	c := &p.current[thread]
	if c.seq != p.seq {
		c.cpu = uint32(cpu) + 1
		p.open(thread, time)
	}
	return &p.begun[thread]
}

// open enters a thread with a known CPU in the segment.
func (p *packer) open(thread int32, time int64) {
	c := &p.current[thread]
	*c = current{cpu: c.cpu, seq: p.seq}
	base := p.baseOf(time)
	p.begun[thread] = begun{base: base, first: c.cpu, slot: int32(len(p.seg.threads))}
	p.seg.threads = append(p.seg.threads, segmentShare{thread: thread, cpu: int32(c.cpu - 1), base: base})
}

// enter is share for a state or an event line: it sets the CPU and base that its row needs. It returns the slot, and
// the time relative to the base.
func (p *packer) enter(thread, cpu int32, time int64) (slot, from uint32) {
	g, c := p.share(thread, cpu, time), &p.current[thread]
	if far := p.stripes == nil && uint64(time-g.base) >= timeReach; far || c.cpu != uint32(cpu)+1 {
		c.cpu = uint32(cpu) + 1
		if far {
			g.base = baseFor(time)
		}
		p.turns = append(p.turns, turn{base: g.base, states: c.rows[stateKind&1], pairs: c.rows[eventKind&1], cpu: cpu})
		s := &p.seg.threads[g.slot]
		if at := int32(len(p.turns)); s.end == 0 {
			s.turn, s.end = at, at
		} else {
			p.turns[s.end-1].next, s.end = at, at
		}
	}
	return uint32(g.slot), uint32(time - g.base)
}

// state adds a state record; end may be NoEnd.
func (p *packer) state(thread, cpu int32, begin, end int64, value uint32) {
	slot, time := p.enter(thread, cpu, begin)
	c := &p.current[thread]
	if uint64(end-begin) > math.MaxUint32 {
		p.ends = append(p.ends, wide{slot, c.rows[stateKind&1], end})
	}
	if c.follow(stateKind, begin) {
		p.remark(thread, stateKind, begin)
	}
	if p.stripes != nil {
		p.stripes.state(thread, begin, end, value)
	} else {
		p.lists[stateKind] = append(p.lists[stateKind], entry{at: uint32(len(p.nums)), slot: slot, time: time, more: 1})
		p.nums = append(p.nums, uint32(begin), uint32(end), value)
	}
	c.rows[stateKind&1]++
	p.seg.lastTime = max(p.seg.lastTime, begin, end)
}

// eventLine opens a line of events; pair adds to it, and endLine closes it.
func (p *packer) eventLine(thread, cpu int32, time int64) {
	slot, from := p.enter(thread, cpu, time)
	if p.current[thread].follow(eventKind, time) {
		p.remark(thread, eventKind, time)
	}
	p.eventLines++
	p.lists[eventKind] = append(p.lists[eventKind], entry{at: uint32(len(p.nums)), slot: slot, time: from})
	p.nums = append(p.nums, uint32(time))
	p.seg.lastTime = max(p.seg.lastTime, time)
}

// pair adds type:value pair i to the line that was opened for a thread.
func (p *packer) pair(thread int32, i, typ uint32, value int64) {
	if !model.IsSmall(value) {
		slot := p.begun[thread].slot
		p.values = append(p.values, wide{uint32(slot), p.current[thread].rows[eventKind&1] + i, value})
		p.seg.threads[slot].large++
	}
	p.nums = append(p.nums, typ, uint32(value))
}

// endLine closes the line that was opened for a thread, which has n pairs.
func (p *packer) endLine(thread int32, pairs uint32) {
	c, line := &p.current[thread], &p.lists[eventKind][len(p.lists[eventKind])-1]
	line.more = pairs
	c.rows[eventKind&1] += pairs
	if p.stripes != nil {
		p.stripes.longLine(thread, c.last[eventKind&1], p.nums[line.at+1:])
		p.lists[eventKind], p.nums = p.lists[eventKind][:0], p.nums[:line.at]
	}
}

// comm adds a communication.
func (p *packer) comm(m *model.Comm) {
	from := p.share(m.Send, m.SendCPU, m.Times[model.LogicalSend])
	to := p.share(m.Recv, m.RecvCPU, m.Times[model.LogicalRecv])
	sendMoved, recvMoved := uint32(m.SendCPU)+1 != from.first, uint32(m.RecvCPU)+1 != to.first
	p.seg.threads[from.slot].commCPUVaries = p.seg.threads[from.slot].commCPUVaries || sendMoved
	p.seg.threads[to.slot].commCPUVaries = p.seg.threads[to.slot].commCPUVaries || recvMoved
	t := &m.Times
	at := len(p.lists[commKind])
	if p.stripes != nil {
		at = p.stripes.comms
	}
	if sendMoved || recvMoved || uint64(m.Size) > math.MaxUint32 || uint64(m.Tag) > math.MaxUint32 ||
		!near(t[model.LogicalSend], p.lastSend) || !near(t[model.PhysicalSend], t[0]) ||
		!near(t[model.LogicalRecv], t[0]) || !near(t[model.PhysicalRecv], t[0]) {
		p.wideComms = append(p.wideComms, wideComm{int64(at), *m})
	}
	p.lastSend = t[model.LogicalSend]
	low := [10]uint32{uint32(t[model.LogicalSend]), uint32(t[model.PhysicalSend]), 6: uint32(t[model.LogicalRecv]),
		uint32(t[model.PhysicalRecv]), uint32(m.Size), uint32(m.Tag)}
	if p.stripes != nil {
		p.stripes.comm(m.Send, m.Recv, &low, p.eventLines)
		return
	}
	p.lists[commKind] = append(p.lists[commKind],
		entry{uint32(len(p.nums)), uint32(from.slot), p.eventLines, uint32(to.slot)})
	p.nums = append(p.nums, low[:]...)
}

// near reports whether the difference of two times fits into 32 bits.
func near(a, b int64) bool { return a-b == int64(int32(a-b)) }

// take returns the segment with all records added, and starts the next one.
func (p *packer) take() *segment {
	s := p.seg
	s.eventLines = p.eventLines
	for i := range s.threads {
		s.threads[i].settle(&p.current[s.threads[i].thread])
	}
	v := view{turns: p.turns, ends: p.ends, values: p.values, wideComms: p.wideComms}
	for i := range s.threads {
		s.threads[i].settleCPUs(&v)
	}
	if p.stripes != nil {
		p.takeStripes(s, &v)
	} else {
		p.takeRows(s, &v)
	}
	p.turns, p.ends, p.values, p.wideComms = p.turns[:0], p.ends[:0], p.values[:0], p.wideComms[:0]
	p.seg, p.lastSend, p.eventLines = &segment{threads: make([]segmentShare, 0, len(s.threads))}, 0, 0
	p.seq++
	return s
}

// takeRows puts the listed records into the segment, grouped by thread and packed, or into the reserved columns.
func (p *packer) takeRows(s *segment, v *view) {
	s.comms = len(p.lists[commKind])
	p.grouped.fit(len(p.lists[stateKind]), p.place(s))
	p.group()
	if p.reserved != nil {
		p.reserved.store(p.number, s, v, &p.grouped, p.read)
	}
	s.pack(v, &p.grouped, &p.dense)
	p.empty()
}

// empty empties the lists.
func (p *packer) empty() {
	for kind := range p.lists {
		p.lists[kind] = p.lists[kind][:0]
	}
	p.nums = p.nums[:0]
}

// place assigns places to the rows of each share, in thread order, and returns the number of events.
func (p *packer) place(s *segment) (events int) {
	p.places = slices.Grow(p.places[:0], len(s.threads))[:len(s.threads)]
	s.byThread = make([]int32, 0, len(s.threads))
	if len(s.threads) > len(p.current)/16 {
		for i := range p.current {
			if p.current[i].seq == p.seq {
				s.byThread = append(s.byThread, p.begun[i].slot)
			}
		}
	} else {
		for i := range s.threads {
			s.byThread = append(s.byThread, int32(i))
		}
		slices.SortFunc(s.byThread, func(a, b int32) int { return int(s.threads[a].thread - s.threads[b].thread) })
	}
	next := [2]uint32{} // by kind & 1
	for _, slot := range s.byThread {
		sh := &s.threads[slot]
		p.places[slot] = next
		sh.stateAt, sh.pairAt = next[stateKind&1], next[eventKind&1]
		next[stateKind&1] += uint32(sh.states)
		next[eventKind&1] += uint32(sh.pairs)
	}
	return int(next[eventKind&1])
}

// group puts the listed records into rows, each at the next place of its thread in p.places.
func (p *packer) group() {
	states, events := p.grouped.states, p.grouped.events
	for _, e := range p.lists[stateKind] {
		n := (*[3]uint32)(p.nums[e.at:])
		place := &p.places[e.slot][stateKind&1]
		states[*place] = stateRow{e.time, n[1] - n[0], n[2]}
		*place++
	}
	for _, e := range p.lists[eventKind] {
		place := &p.places[e.slot][eventKind&1]
		rows := events[*place:][:e.more]
		*place += e.more
		pairs := p.nums[e.at+1:][:2*len(rows)]
		time := e.time | lineStart
		for i := range rows {
			rows[i] = eventRow{time, pairs[2*i], pairs[2*i+1]}
			time = e.time
		}
	}
	comms, send := p.grouped.comms[:0], uint32(0)
	for _, e := range p.lists[commKind] {
		n := (*[10]uint32)(p.nums[e.at:])
		comms = append(comms, newCommRow(e.slot, e.more, n, send, e.time))
		send = n[0]
	}
	p.grouped.comms = comms
}

// newCommRow makes a row from the numbers of a communication, given the logical send of the previous one.
func newCommRow(from, to uint32, n *[10]uint32, send, eventLines uint32) commRow {
	return commRow{from, to, [4]int32{int32(n[0] - send), int32(n[1] - n[0]), int32(n[6] - n[0]), int32(n[7] - n[0])},
		n[8], n[9], eventLines}
}

// settle stores the counts of a thread in its share.
func (s *segmentShare) settle(c *current) {
	s.states, s.pairs = int(c.rows[stateKind&1]), int(c.rows[eventKind&1])
	s.last = c.last
}

// settleCPUs determines whether states and events are on other CPUs than the first.
func (s *segmentShare) settleCPUs(v *view) {
	if s.turn == 0 {
		return
	}
	for r := range v.runs(s) {
		if r.cpu != s.cpu {
			s.stateCPUVaries = s.stateCPUVaries || r.state < r.stateEnd
			s.eventCPUVaries = s.eventCPUVaries || r.event < r.eventEnd
		}
	}
}
