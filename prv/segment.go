package prv

import (
	"encoding/binary"
	"math/bits"
)

// Between the text of a trace and its columns stand segments: the records of one
// stretch of the file, in file order, packed into bytes.
//
// Columns are exact in length and there is one allocation for each, so their
// lengths must be known before the first value is stored; but the text is read
// once (it may come from a gzip stream). So the parser packs each chunk of text
// into a segment and counts as it goes; when all segments are there, the columns
// are allocated and the segments unpacked into them, many at once:
//
//	text chunk 0 --pack--> segment 0 --.
//	text chunk 1 --pack--> segment 1 ---+--> counts --> columns <--unpack-- segments
//	text chunk 2 --pack--> segment 2 --'
//
// Packed, a record takes a third to a half of its text (times are differences to the
// record before, event types are positions in a table of the segment), so that
// the segments are about 0.4 times the file. Each is given up as soon as it is unpacked, while
// the columns fill, and they are kept in a file where there are too many for the memory
// (spill.go). Packing and unpacking cost about a fifth of the parsing.

// Kinds of packed records, in the low two bits of their first byte.
const (
	packState = iota
	packEvent
	packComm
	// packCPU is set when the record's CPU (either CPU, for a communication)
	// is not that of the thread's record before it in the segment, and follows.
	packCPU = 1 << 2
)

// A number is packed into as many bytes as its value needs, 7 bits to each. How many
// follows from the zeros at the low end of the first byte: so both ways are a few
// shifts on a word of 8 bytes, where a loop over the bytes would spend its time on its
// mispredicted end:
//
//	xxxxxxx1                     below 2^7
//	xxxxxx10 xxxxxxxx            below 2^14
//	...
//	10000000 xxxxxxxx * 7        below 2^56
//	00000000 xxxxxxxx * 8        all others

// maxNumber is the room that packing one number needs.
const maxNumber = 9

// maxTypes is how many event types a segment's table holds; a type beyond is
// packed in full each time.
const maxTypes = 1 << 12

// segment is a packed stretch of records with what the columns need to know of it.
type segment struct {
	data    packed
	types   []uint32       // event types, by position
	threads []segmentShare // the threads that occur, by slot
	comms   int
	// eventLines counts the lines of events; lineBase those of the segments before.
	eventLines, lineBase uint32 // modulo 2^32: see Comms.EventLines
	comments             []string
	// communicators that stand in the body, where the header's count is short
	communicators []Communicator

	commBase int   // position of the first communication in Trace.Comms
	lastTime int64 // greatest end of a state or time of an event

	// the rest is of use to the parser only
	lines    int64 // lines of text
	skipped  Skipped
	lastSkip Problem // the last of them, without its text
	extra    int64   // records with more fields than their kind has
	extraAt  int64   // the first of them: line, 1-based in the segment
	ignored  int64   // records of kind 4
}

// segmentShare is what a segment holds of one thread.
type segmentShare struct {
	thread int32
	cpu    int32 // of the first record
	last   int32 // CPU of the last record: what packCPU refers to
	states int
	pairs  int

	stateCPUVaries, eventCPUVaries, commCPUVaries bool
	statesDisordered, eventsDisordered            bool
	firstState, lastState                         int64 // begins
	firstEvent, lastEvent                         int64

	stateBase, pairBase int // position of the next in the thread's columns
	// The first and the last word of the thread's Lines with events of the segment: those that
	// it may have in common with other segments.
	firstWord, lastWord int
}

// unpacked returns about how many bytes of columns the segment fills.
func (s *segment) unpacked() int64 {
	n := int64(s.comms) * 64
	for i := range s.threads {
		n += int64(s.threads[i].states+s.threads[i].pairs) * 20
	}
	return n
}

// packer fills one segment after the other.
type packer struct {
	seg  *segment
	buf  []byte // packed bytes, n of them; seg gets a copy of the right size
	n    int
	time int64 // of the record before: what time differences refer to

	slots    []int32 // by thread: slot in seg.threads + 1, or 0
	typeSlot []int32 // hash table: position in seg.types + 1, or 0
}

const typeHashBits = 14 // four times maxTypes

func newPacker(threads int) *packer {
	return &packer{seg: &segment{}, slots: make([]int32, threads), typeSlot: make([]int32, 1<<typeHashBits)}
}

// take returns what has been packed and starts the next segment.
func (p *packer) take() *segment {
	s := p.seg
	s.data = keep(p.buf[:p.n])
	for i := range s.threads {
		p.slots[s.threads[i].thread] = 0
	}
	if len(s.types) > 0 {
		clear(p.typeSlot)
	}
	p.seg, p.n, p.time = &segment{}, 0, 0
	return s
}

// room makes sure that n more bytes fit.
func (p *packer) room(n int) {
	if p.n+n > len(p.buf) {
		b := make([]byte, max(1<<16, 2*len(p.buf), p.n+n))
		copy(b, p.buf[:p.n])
		p.buf = b
	}
}

func (p *packer) uvarint(v uint64) {
	if v >= 1<<56 {
		p.buf[p.n] = 0
		binary.LittleEndian.PutUint64(p.buf[p.n+1:], v)
		p.n += 9
		return
	}
	n := (uint(bits.Len64(v|1))*9 + 64) >> 6 // bits / 7, rounded up
	binary.LittleEndian.PutUint64(p.buf[p.n:], v<<(n&63)|1<<((n-1)&63))
	p.n += int(n)
}

// varint packs a signed number: small ones of either sign are short.
func (p *packer) varint(v int64) { p.uvarint(uint64(v)<<1 ^ uint64(v>>63)) }

// share returns the slot of a thread; new when the thread has no record yet.
func (p *packer) share(thread, cpu int32) (slot int32, s *segmentShare) {
	slot = p.slots[thread] - 1
	if slot < 0 {
		p.seg.threads = append(p.seg.threads, segmentShare{thread: thread, cpu: cpu, last: cpu})
		slot = int32(len(p.seg.threads) - 1)
		p.slots[thread] = slot + 1
	}
	return slot, &p.seg.threads[slot]
}

// open packs what states and event lines have in common.
func (p *packer) open(kind byte, slot int32, s *segmentShare, cpu int32, time int64) {
	if cpu != s.last {
		kind |= packCPU
	}
	p.buf[p.n] = kind
	p.n++
	p.uvarint(uint64(slot))
	if cpu != s.last {
		s.last = cpu
		p.uvarint(uint64(cpu))
	}
	p.varint(time - p.time)
	p.time = time
}

// state packs a state record; end may be NoEnd.
func (p *packer) state(thread, cpu int32, begin, end int64, value uint32) {
	p.room(1 + 5*maxNumber)
	slot, s := p.share(thread, cpu)
	p.open(packState, slot, s, cpu, begin)
	if end == NoEnd {
		p.uvarint(0)
	} else {
		p.uvarint(uint64(end-begin) + 1)
	}
	p.uvarint(uint64(value))
	s.stateCPUVaries = s.stateCPUVaries || cpu != s.cpu
	if s.states == 0 {
		s.firstState = begin
	} else if begin < s.lastState {
		s.statesDisordered = true
	}
	s.lastState = begin
	s.states++
	p.seg.lastTime = max(p.seg.lastTime, begin, end)
}

// eventLine opens a line of events; pair adds to it, and endLine closes it.
func (p *packer) eventLine(thread, cpu int32, time int64) *segmentShare {
	p.room(1 + 5*maxNumber)
	p.seg.eventLines++
	slot, s := p.share(thread, cpu)
	p.open(packEvent, slot, s, cpu, time)
	s.eventCPUVaries = s.eventCPUVaries || cpu != s.cpu
	if s.pairs == 0 {
		s.firstEvent = time
	} else if time < s.lastEvent {
		s.eventsDisordered = true
	}
	s.lastEvent = time
	p.seg.lastTime = max(p.seg.lastTime, time)
	return s
}

// pair packs one type:value pair. Its first number is the type's position in the
// table plus 2; 1 announces a type that is not in the table, 0 ends the line.
func (p *packer) pair(s *segmentShare, typ uint32, value int64) {
	p.room(3 * maxNumber)
	if at := p.typeAt(typ); at >= 0 {
		p.uvarint(uint64(at) + 2)
	} else {
		p.uvarint(1)
		p.uvarint(uint64(typ))
	}
	p.varint(value)
	s.pairs++
}

func (p *packer) endLine() {
	p.room(maxNumber)
	p.uvarint(0)
}

// typeAt returns the position of a type in the segment's table, entering it if
// there is room; -1 if there is not.
func (p *packer) typeAt(typ uint32) int {
	for h := typ * 0x9E3779B1 >> (32 - typeHashBits); ; h = (h + 1) & (1<<typeHashBits - 1) {
		at := p.typeSlot[h] - 1
		if at < 0 {
			if len(p.seg.types) == maxTypes {
				return -1
			}
			p.seg.types = append(p.seg.types, typ)
			p.typeSlot[h] = int32(len(p.seg.types))
			return len(p.seg.types) - 1
		}
		if p.seg.types[at] == typ {
			return int(at)
		}
	}
}

// comm packs a communication.
func (p *packer) comm(c *Comm) {
	p.room(1 + 12*maxNumber)
	from, s := p.share(c.Send, c.SendCPU)
	s.commCPUVaries = s.commCPUVaries || c.SendCPU != s.cpu
	to, r := p.share(c.Recv, c.RecvCPU)
	r.commCPUVaries = r.commCPUVaries || c.RecvCPU != r.cpu
	s = &p.seg.threads[from] // share may have moved it
	kind := byte(packComm)
	varies := c.SendCPU != s.cpu || c.RecvCPU != r.cpu
	if varies {
		kind |= packCPU
	}
	p.buf[p.n] = kind
	p.n++
	p.uvarint(uint64(from))
	p.uvarint(uint64(to))
	if varies {
		p.uvarint(uint64(c.SendCPU))
		p.uvarint(uint64(c.RecvCPU))
	}
	before := p.time
	for _, t := range c.Times {
		p.varint(t - before)
		before = t
	}
	p.time = c.Times[PhysicalSend]
	p.varint(c.Size)
	p.varint(c.Tag)
	p.seg.comms++
}
