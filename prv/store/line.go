package store

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"pview/prv/model"
)

// The body of a .prv (paraver-today.md 1.1), one record per line:
//
//	1:cpu:appl:task:thread:begin:end:state
//	2:cpu:appl:task:thread:time:type:value{:type:value}
//	3:cpu:appl:task:thread:lsend:psend:cpu:appl:task:thread:lrecv:precv:size:tag
//	4:...   ignored, as Paraver does
//	#...    comment
//
// The functions here read a line in one pass over its bytes, without allocation, parse numbers in place, and detect
// every error. A chunk always ends with a newline, which no field contains, so scanning for the end of a number needs
// no extra check. Plain lines are read many at a time instead: stage.go.

// chunkParser packs the records of chunks of text. Each worker has one.
type chunkParser struct {
	*packer
	res       *model.Resources
	onePerApp bool    // a single ptask whose tasks have one thread each
	cpuNode   []int32 // by CPU, 1-based; nil without resource information
	thNode    []int32 // node of each thread
	objects   objectCache

	fields  fields  // of the current block
	odd     int     // blocks still to be read line by line
	left    int     // lines of blocks that were not plain
	threads []int32 // of the lines of a block: see lineThreads
	// asideLimit bounds the asides of a segment, in bytes.
	asideLimit int64
	how        reading
}

func newChunkParser(r *model.Resources) *chunkParser {
	p := &chunkParser{packer: newPacker(r.NumThreads()), res: r, objects: newObjectCache(r.NumThreads()), how: inLines,
		asideLimit: MostAsides}
	if fastFields {
		p.how = inStages
	}
	p.onePerApp = len(r.Ptasks) == 1 && r.NumThreads() == len(r.Tasks)
	if len(r.Nodes) > 0 {
		p.cpuNode = make([]int32, r.NumCPUs()+1)
		for n, node := range r.Nodes {
			for c := range node.CPUs {
				p.cpuNode[node.FirstCPU+c] = int32(n)
			}
		}
		p.thNode = make([]int32, r.NumThreads())
		for i := range p.thNode {
			p.thNode[i] = r.ThreadNode(int32(i))
		}
	}
	return p
}

// line reads the line that begins at i and returns the start of the next one.
func (p *chunkParser) line(b []byte, i int) int {
	kind := b[i]
	if kind == '\n' {
		return i + 1
	}
	if b[i+1] == ':' {
		var end int
		var why model.Reason
		ok := true
		switch kind {
		case '1':
			end, why, ok = p.stateLine(b, i+2)
		case '2':
			end, why, ok = p.eventLineText(b, i+2)
		case '3':
			end, why, ok = p.commLine(b, i+2)
		case '4':
			p.seg.ignored++
			return lineEnd(b, i)
		default:
			return p.otherLine(b, i)
		}
		if ok && b[end] == '\n' {
			return end + 1
		}
		next := lineEnd(b, i)
		if !ok {
			p.skip(why, b[i:next])
		} else if len(bytes.TrimSpace(b[end:next])) > 0 {
			if p.seg.extra++; p.seg.extra == 1 {
				p.seg.extraAt = p.seg.lines
			}
		}
		return next
	}
	return p.otherLine(b, i)
}

// otherLine handles lines that are not records: comments, communicators, blank lines.
func (p *chunkParser) otherLine(b []byte, i int) int {
	next := lineEnd(b, i)
	text := bytes.TrimSpace(b[i:next])
	switch {
	case len(text) == 0:
	case text[0] == '#' || IsCommunicator(text):
		p.seg.asides.Add(text, p.seg.lines, p.asideLimit)
	default:
		p.skip(model.UnknownKind, text)
	}
	return next
}

// IsCommunicator reports whether a line defines a communicator: "c:..." or "i:...".
func IsCommunicator(line []byte) bool {
	return len(line) > 1 && bytes.IndexByte([]byte("cCiI"), line[0]) >= 0 && line[1] == ':'
}

// lineEnd returns the start of the line after the one with position i.
func lineEnd(b []byte, i int) int { return i + bytes.IndexByte(b[i:], '\n') + 1 }

// skip counts a record that is left out.
func (p *chunkParser) skip(why model.Reason, text []byte) {
	s := &p.seg.skipped
	if s.Total() == 0 {
		s.First = model.Problem{Line: p.seg.lines, Reason: why,
			Text: model.Shorten(string(bytes.TrimRight(text, "\r\n")))}
	}
	s.Count[why]++
	p.seg.lastSkip = model.Problem{Line: p.seg.lines, Reason: why}
}

// Pad is the number of bytes that must be readable beyond the end of a chunk.
const Pad = 64

// number reads the digits at i and returns their value and their end; end is i if there are none. over is set if the
// value is above 2^64-1.
//
// It reads eight bytes at a time: the lengths of numbers are unpredictable, and a loop over the digits would spend its
// time on mispredicted ends.
func number(b []byte, i int) (v uint64, end int, over bool) {
	v, n := digits(b, i)
	if n < 8 {
		return v, i + n, false
	}
	if b[i+8]-'0' > 9 { // event types have 8 digits
		return v, i + 8, false
	}
	low, n := digits(b, i+8)
	v = v*pow10[n] + low
	if n < 8 {
		return v, i + 8 + n, false
	}
	return longNumber(b, i, v)
}

var pow10 = [9]uint64{1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000}

// digits reads at most eight digits at i: their value and number. The value is undefined if there are none.
func digits(b []byte, i int) (v uint64, n int) {
	x := binary.LittleEndian.Uint64(b[i:]) ^ 0x3030303030303030
	// The high bit of each byte that is not a digit is set; bytes after the first such byte may be wrong but do not
	// matter.
	other := (x + 0x7676767676767676 | x) & 0x8080808080808080
	n = bits.TrailingZeros64(other) >> 3
	// The digits move to the high bytes, after zeros; then pairs are joined, then fours, then all eight.
	x <<= uint(64-8*n) & 63
	x = x*10 + x>>8
	v = (x&0x000000ff000000ff*0x000f424000000064 + x>>16&0x000000ff000000ff*0x0000271000000001) >> 32
	return v, n
}

// longNumber is number for 16 digits or more; the first 16 have the value v.
func longNumber(b []byte, i int, v uint64) (uint64, int, bool) {
	j := i + 16
	for ; b[j]-'0' <= 9; j++ {
		v = v*10 + uint64(b[j]-'0')
	}
	return v, j, j-i > 19 && overflows(b[i:j])
}

// overflows reports whether digits stand for a number above 2^64-1.
func overflows(digits []byte) bool {
	v := uint64(0)
	for _, d := range digits {
		c := uint64(d - '0')
		if v > (math.MaxUint64-c)/10 {
			return true
		}
		v = v*10 + c
	}
	return false
}

// field reads an unsigned field of at most the given value; next is the end of its digits. why is set if ok is false.
func field(b []byte, i int, most uint64) (v uint64, next int, why model.Reason, ok bool) {
	v, j, over := number(b, i)
	switch {
	case j == i:
		return 0, i, noNumber(b, i), false
	case over || v > most:
		return 0, i, model.Overflow, false
	}
	return v, j, 0, true
}

// noNumber returns why a required number is missing.
func noNumber(b []byte, i int) model.Reason {
	switch b[i] {
	case ':', '\n', '\r':
		return model.MissingField
	}
	return model.NotANumber
}

// signed reads a field that may be negative. Values above 2^63-1 wrap if wrap is set, as in Paraver; otherwise they are
// an overflow.
func signed(b []byte, i int, wrap bool) (v int64, next int, why model.Reason, ok bool) {
	neg := b[i] == '-'
	if neg {
		i++
	}
	most := uint64(math.MaxInt64)
	if wrap && !neg {
		most = math.MaxUint64
	} else if neg {
		most++
	}
	u, j, why, ok := field(b, i, most)
	if !ok {
		return 0, i, why, false
	}
	if neg {
		return -int64(u), j, 0, true
	}
	return int64(u), j, 0, true
}

// colon steps over the separator at i. If it is missing, either the line ends here and a field is missing, or the text
// before is not a number.
func colon(b []byte, i int) (next int, why model.Reason, ok bool) {
	switch b[i] {
	case ':':
		return i + 1, 0, true
	case '\n', '\r':
		return i, model.MissingField, false
	}
	return i, model.NotANumber, false
}

// ended reports whether a record may end at i: at the line's end, or before a further field, which Paraver ignores.
func ended(b []byte, i int) bool {
	c := b[i]
	return c == '\n' || c == '\r' || c == ':' || c == ' ' || c == '\t'
}

// object reads "cpu:appl:task:thread:" and checks that it exists.
func (p *chunkParser) object(b []byte, i int) (thread, cpu int32, next int, why model.Reason, ok bool) {
	e, low, high, n := p.objects.find(b, i)
	if n > 0 && e.low == low && e.high == high {
		return e.thread, e.cpu, i + n, 0, true
	}
	thread, cpu, next, why, ok = p.newObject(b, i)
	if ok && next == i+n {
		*e = objectEntry{low, high, thread, cpu}
	}
	return thread, cpu, next, why, ok
}

// newObject is object for an object that the cache does not have.
func (p *chunkParser) newObject(b []byte, i int) (thread, cpu int32, next int, why model.Reason, ok bool) {
	var id [4]uint64
	for k := range id {
		if d := b[i] - '0'; d <= 9 && b[i+1] == ':' {
			// The usual case.
			id[k] = uint64(d)
			i += 2
			continue
		}
		v, j, over := number(b, i)
		if j == i || over || b[j] != ':' {
			if _, j, why, ok = field(b, i, math.MaxUint64); ok {
				_, why, _ = colon(b, j)
			}
			return 0, 0, i, why, false
		}
		id[k] = v
		i = j + 1
	}
	if p.onePerApp && id[1] == 1 && id[3] == 1 && id[2]-1 < uint64(len(p.res.Tasks)) {
		thread = int32(id[2] - 1)
	} else {
		const big = math.MaxInt32
		if thread, ok = p.res.ThreadIndex(int64(min(id[1], big)), int64(min(id[2], big)), int64(min(id[3], big))); !ok {
			return 0, 0, i, model.UnknownObject, false
		}
	}
	if c := id[0]; c != 0 {
		if p.cpuNode == nil {
			if c > math.MaxInt32 {
				return 0, 0, i, model.UnknownCPU, false
			}
		} else if c >= uint64(len(p.cpuNode)) {
			return 0, 0, i, model.UnknownCPU, false
		} else if p.cpuNode[c] != p.thNode[thread] {
			return 0, 0, i, model.WrongNode, false
		}
		cpu = int32(c)
	}
	return thread, cpu, i, 0, true
}

// timeField reads a time, which must not be negative, and the colon after it.
func (p *chunkParser) timeField(b []byte, i int) (t int64, next int, why model.Reason, ok bool) {
	if v, j, over := number(b, i); j > i && b[j] == ':' && !over && v <= math.MaxInt64 {
		return int64(v), j + 1, 0, true
	}
	t, next, why, ok = signed(b, i, false)
	if ok {
		next, why, ok = colon(b, next)
	}
	if ok && t < 0 {
		return 0, i, model.NegativeTime, false
	}
	return t, next, why, ok
}

// stateLine reads a state record from its CPU on.
func (p *chunkParser) stateLine(b []byte, i int) (end int, why model.Reason, ok bool) {
	thread, cpu, i, why, ok := p.object(b, i)
	if !ok {
		return i, why, false
	}
	begin, i, why, ok := p.timeField(b, i)
	if !ok {
		return i, why, false
	}
	stop, i, why, ok := signed(b, i, false)
	if ok {
		i, why, ok = colon(b, i)
	}
	if !ok {
		return i, why, false
	}
	value, i, why, ok := field(b, i, math.MaxUint32)
	switch {
	case !ok:
		return i, why, false
	case !ended(b, i):
		return i, model.NotANumber, false
	case stop < 0 && stop != model.NoEnd:
		return i, model.NegativeTime, false
	}
	p.state(thread, cpu, begin, stop, uint32(value))
	return i, 0, true
}

// eventLineText reads an event line from its CPU on. Like Paraver, it keeps the pairs before a bad one.
func (p *chunkParser) eventLineText(b []byte, i int) (end int, why model.Reason, ok bool) {
	thread, cpu, i, why, ok := p.object(b, i)
	if !ok {
		return i, why, false
	}
	at, i, why, ok := p.timeField(b, i)
	if !ok {
		return i, why, false
	}
	for pairs := uint32(0); ; pairs++ {
		typ, value, next, why, ok := pairText(b, i)
		if ok {
			if pairs == 0 {
				p.eventLine(thread, cpu, at)
			}
			p.pair(thread, pairs, typ, value)
			if b[next] == ':' {
				i = next + 1
				continue
			}
			pairs++
		}
		if pairs > 0 {
			p.endLine(thread, pairs)
		}
		return next, why, ok
	}
}

// pairText reads "type:value".
func pairText(b []byte, i int) (typ uint32, value int64, next int, why model.Reason, ok bool) {
	if t, j, over := number(b, i); j > i && b[j] == ':' && !over && t <= math.MaxUint32 {
		// The usual form of a pair; many values are small.
		if d := b[j+1] - '0'; d <= 9 && (b[j+2] == '\n' || b[j+2] == ':') {
			return uint32(t), int64(d), j + 2, 0, true
		}
		v, k, over := number(b, j+1)
		if k > j+1 && !over && ended(b, k) {
			return uint32(t), int64(v), k, 0, true
		}
	}
	t, i, why, ok := field(b, i, math.MaxUint32)
	if ok {
		i, why, ok = colon(b, i)
	}
	if !ok {
		return 0, 0, i, why, false
	}
	if value, i, why, ok = signed(b, i, true); ok && !ended(b, i) {
		why, ok = model.NotANumber, false
	}
	return uint32(t), value, i, why, ok
}

// commLine reads a communication from the sender's CPU on.
func (p *chunkParser) commLine(b []byte, i int) (end int, why model.Reason, ok bool) {
	var c model.Comm
	if c.Send, c.SendCPU, i, why, ok = p.object(b, i); !ok {
		return i, why, false
	}
	for r := model.LogicalSend; r <= model.PhysicalSend; r++ {
		if c.Times[r], i, why, ok = p.timeField(b, i); !ok {
			return i, why, false
		}
	}
	if c.Recv, c.RecvCPU, i, why, ok = p.object(b, i); !ok {
		return i, why, false
	}
	for r := model.LogicalRecv; r <= model.PhysicalRecv; r++ {
		if c.Times[r], i, why, ok = p.timeField(b, i); !ok {
			return i, why, false
		}
	}
	if c.Size, i, why, ok = signed(b, i, true); ok {
		i, why, ok = colon(b, i)
	}
	if !ok {
		return i, why, false
	}
	if c.Tag, i, why, ok = signed(b, i, true); !ok {
		return i, why, false
	}
	if !ended(b, i) {
		return i, model.NotANumber, false
	}
	p.comm(&c)
	return i, 0, true
}
