package store

// The parser reads a chunk in blocks, and a block in stages: first all its fields are found, then all their numbers are
// read (fields.go), then the lines are listed for the segment (segment.go), one by one but without a branch on their
// kind.
//
// A line is listed from its numbers alone if it is plain: a state, event line or communication with the fields of its
// kind, of digits and colons only, of a known thread on its last CPU, with times within reach of the thread's base and
// other numbers within 31 bits. chunkParser.line reads every other line, in order: so all checking, counting and
// reporting is in one place, and the stages only need to recognise plain lines.

import (
	"bytes"
	"math"
)

// textBlock is the length of the text that is read at a time: its fields and numbers take about four times its size and
// fit the L2 cache of a core.
const textBlock = 64 << 10

// longBlock is the length from which a block is a single long line, which would take the stages too much memory.
const longBlock = 4 * textBlock

// reading is how to read lines: in stages, which is faster if assembly runs the first ones, or one by one.
type reading uint8

const (
	inStages reading = iota + 1
	inLines
)

// oddBlocks is the number of blocks read line by line after a block with mostly non-plain lines, before stages are
// tried again.
const oddBlocks = 15

// parse makes a segment of a chunk, which must end with a newline; its capacity must exceed its length by Pad.
func (p *chunkParser) parse(chunk []byte) *segment {
	p.add(chunk)
	return p.take()
}

// add reads a chunk into the segment that take will return.
func (p *chunkParser) add(chunk []byte) {
	b := chunk[:len(chunk)+Pad]
	for i := 0; i < len(chunk); {
		end := blockEnd(chunk, i)
		if p.how == inLines || p.odd > 0 || end-i > longBlock {
			p.odd = max(p.odd-1, 0)
			p.readLines(b, i, end)
		} else if p.readBlock(b, i, end) {
			p.odd = oddBlocks
		}
		i = end
		if p.stripes != nil {
			p.nums = p.nums[:0]
		}
	}
}

// blockEnd returns the end of the block that begins at i: just after a newline.
func blockEnd(chunk []byte, i int) int {
	if len(chunk)-i <= textBlock {
		return len(chunk)
	}
	if n := bytes.LastIndexByte(chunk[i:i+textBlock], '\n'); n >= 0 {
		return i + n + 1
	}
	return lineEnd(chunk, i+textBlock)
}

// readLines reads the lines b[i:end] one by one.
func (p *chunkParser) readLines(b []byte, i, end int) {
	for i < end {
		p.seg.lines++
		i = p.line(b, i)
	}
}

// Positions of a line's numbers.
const (
	cpuField = iota + 1
	ptaskField
	taskField
	threadField
	timeField
	endField // of a state; the first type of an event line

	physicalSendField = iota
	recvCPUField
	recvPtaskField
	recvTaskField
	recvThreadField
	logicalRecvField
	physicalRecvField
	sizeField
	tagField
	commFields
)

// maxPlain is the maximum number of fields of a plain line.
const maxPlain = 68

// plainShapes has, for each kind and number of fields, the numbers that must fit into 31 bits, as a bit for each field
// from the time on; 0 if such a line cannot be plain.
var plainShapes = func() (s [4][maxPlain + 1]uint64) {
	s[stateKind][8] = 1 << 2
	for n := 8; n <= maxPlain; n += 2 {
		s[eventKind][n] = (1<<(n-timeField) - 1) &^ 1
	}
	s[commKind][commFields] = 1<<(sizeField-timeField) | 1<<(tagField-timeField)
	return s
}()

// stateMask is all ones for a state, else 0.
var stateMask = [4]uint64{stateKind: math.MaxUint64}

// readBlock reads the lines b[from:to], and reports whether most of them were not plain.
func (p *chunkParser) readBlock(b []byte, from, to int) (odd bool) {
	f := &p.fields
	at := p.makeRoom(to - from)
	f.read(b, from, to, p.nums[at:cap(p.nums)])
	p.nums = p.nums[:at+f.n]
	if p.stripes != nil {
		return p.listStripes(b, p.nums[at:])
	}
	before := p.seg.lines
	first, left := 0, p.left
	odds, nextOdd := f.odd, uint32(math.MaxUint32)
	if len(odds) > 0 {
		nextOdd = odds[0]
	}
	for k, behind := range f.lines {
		i, end := first, f.ends[behind]
		first = int(behind)
		if end < nextOdd && p.listPlain(f, i, first-i, at) {
			continue
		}
		p.left++
		p.seg.lines = before + int64(k) + 1
		p.line(b, int(f.ends[i]+1))
		for nextOdd <= end {
			if odds = odds[1:]; len(odds) == 0 {
				nextOdd = math.MaxUint32
			} else {
				nextOdd = odds[0]
			}
		}
	}
	p.seg.lines = before + int64(len(f.lines))
	return p.left-left > len(f.lines)/2
}

// makeRoom makes room for n more numbers and returns their place.
func (p *chunkParser) makeRoom(n int) int {
	at := len(p.nums)
	if cap(p.nums) < at+n+fieldSlack {
		grown := make([]uint32, at, 2*(at+n)+fieldSlack)
		copy(grown, p.nums)
		p.nums = grown
	}
	return at
}

// listPlain lists the line of n fields, starting at field i, if it is plain. at is the place of the block's numbers in
// p.nums.
func (p *chunkParser) listPlain(f *fields, i, n, at int) bool {
	v := (*[commFields]uint64)(f.numbers[i:])
	kind := v[0] & 3
	if v[0] != kind || f.ends[i+1]-f.ends[i] != 2 || n > maxPlain {
		return false
	}
	shape := plainShapes[kind][n]
	big := f.bigFrom(i + timeField)
	if shape == 0 || big&shape != 0 {
		return false
	}
	thread := p.known(v[ptaskField], v[taskField], v[threadField])
	if thread < 0 {
		return false
	}
	if kind == commKind {
		return p.listComm(v, thread, at+i+timeField)
	}
	c := &p.current[thread]
	if uint64(c.cpu) != v[cpuField]+1 || v[timeField]&notRead != 0 {
		return false
	}
	length := (v[endField] - v[timeField]) & stateMask[kind]
	if length>>32 != 0 {
		return false
	}
	if c.seq != p.seq {
		p.open(thread, int64(v[timeField]))
	}
	g := &p.begun[thread]
	time := v[timeField] - uint64(g.base)
	if time >= timeReach {
		return false
	}
	count := uint32(n-timeField-1) >> 1
	p.lists[kind] = append(p.lists[kind], entry{uint32(at + i + timeField), uint32(g.slot), uint32(time), count})
	p.eventLines += uint32(kind) - stateKind
	if c.follow(int(kind), int64(v[timeField])) {
		p.remark(thread, int(kind), int64(v[timeField]))
	}
	c.rows[kind&1] += count
	p.seg.lastTime = max(p.seg.lastTime, int64(v[timeField]+length))
	return true
}

// known returns the number of a thread; -1 if the thread does not exist.
func (p *chunkParser) known(ptask, task, thread uint64) int32 {
	if p.onePerApp {
		if task-1 >= uint64(len(p.current)) || ptask != 1 || thread != 1 {
			return -1
		}
		return int32(task - 1)
	}
	if ptask-1 >= uint64(len(p.res.Ptasks)) {
		return -1
	}
	pt := &p.res.Ptasks[ptask-1]
	if task-1 >= uint64(pt.Tasks) {
		return -1
	}
	t := &p.res.Tasks[uint64(pt.FirstTask)+task-1]
	if thread-1 >= uint64(t.Threads) {
		return -1
	}
	return t.FirstThread + int32(thread-1)
}

// listComm is listPlain for a communication; at is the place of its numbers.
func (p *chunkParser) listComm(v *[commFields]uint64, sender int32, at int) bool {
	receiver := p.known(v[recvPtaskField], v[recvTaskField], v[recvThreadField])
	if receiver < 0 {
		return false
	}
	// If a thread is new in the segment, the record sets its first CPU, which must be its last CPU so far.
	if v[cpuField]+1 != uint64(p.firstCPU(sender)) || v[recvCPUField]+1 != uint64(p.firstCPU(receiver)) {
		return false
	}
	if times := v[timeField] | v[physicalSendField] | v[logicalRecvField] | v[physicalRecvField]; times&notRead != 0 {
		return false
	}
	send, recv := int64(v[timeField]), int64(v[logicalRecvField])
	if !near(send, p.lastSend) || !near(int64(v[physicalSendField]), send) || !near(recv, send) ||
		!near(int64(v[physicalRecvField]), send) {
		return false
	}
	if p.current[sender].seq != p.seq {
		p.open(sender, send)
	}
	if p.current[receiver].seq != p.seq {
		p.open(receiver, recv)
	}
	p.lastSend = send
	if p.stripes != nil {
		p.stripes.comm(sender, receiver, (*[commFields - timeField]uint32)(p.nums[at:]), p.eventLines)
		return true
	}
	p.lists[commKind] = append(p.lists[commKind], entry{uint32(at), uint32(p.begun[sender].slot), p.eventLines,
		uint32(p.begun[receiver].slot)})
	return true
}

// firstCPU returns a thread's first CPU in the segment, or else its last CPU before, plus one.
func (p *chunkParser) firstCPU(thread int32) uint32 {
	if c := &p.current[thread]; c.seq != p.seq || len(p.turns) == 0 {
		return c.cpu
	}
	return p.begun[thread].first
}
