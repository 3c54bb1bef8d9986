package store

// Packed rows: how the rows of segments wait for their columns.
//
// Rows wait only if the lengths of the columns cannot be estimated (reserve.go), and then they are most of the memory.
// So they are packed one after the other into numbers of 1 to 4 bytes, about 5 bytes a row. That is cheaper than fresh
// memory, each page of which the system has to clear.
//
//	share of a thread:  a shape for each state | a shape for each event | the numbers, without gaps
//	state:              gap from the end of the state before, length, value
//	event:              time since the line before (of the first of a line only), type, value
//	communications, before the shares:  shape and nine numbers of each
//
// A shape is a byte with the lengths of the numbers of a row. Since the shapes are separate, the place of a number does
// not depend on the values of the numbers before it, so the processor can work on many rows at a time. The first 256
// types of a segment are written as a byte, others in full.

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// densePacker packs the rows of a segment.
type densePacker struct {
	out   []byte
	types []uint32
	// slots map a type to its number, by hash. Those with another seq are empty.
	slots [4 * maxShortTypes]typeSlot
	seq   uint32
}

type typeSlot struct {
	typ, seq uint32
	number   uint8
}

// maxShortTypes is the number of types written as a byte.
const maxShortTypes = 256

// Maximum bytes of a row and of a communication: numbers and shape. numberBytes is how many are written and read at a
// time.
const (
	numberBytes = 4
	denseRow    = 3*numberBytes + 1
	denseComm   = commNumbers*numberBytes + commShape
)

// eventShape is the meaning of an event's shape: bits 0 and 1 have the bytes of the value, less one; bit 2 is set for a
// type written in full; the others have the bytes of the time, for the first event of a line only.
type eventShape struct {
	timeMask, typeMask, valueMask uint32
	time, typ, value              uint8
	start                         uint32
}

const (
	fullType  = 1 << 2
	timeShift = 3
)

var eventShapes = func() (list [64]eventShape) {
	for shape := range list {
		s := &list[shape]
		s.value, s.typ, s.time = uint8(1+shape&3), 1, uint8(min(shape>>timeShift, 4))
		if shape&fullType != 0 {
			s.typ = 4
		}
		if s.time > 0 {
			s.start = lineStart
		}
		s.timeMask, s.typeMask, s.valueMask = maskOf(s.time), maskOf(s.typ), maskOf(s.value)
	}
	return list
}()

// stateShape is the meaning of a state's shape: two bits for each number. The gap may have 0 bytes, since usually there
// is no gap.
type stateShape struct {
	gapMask, lengthMask, valueMask uint32
	gap, length, value             uint8
}

const (
	lengthShift = 2
	gapShift    = 4
)

// gapBytes are the bytes of a gap by its bits in the shape; gapCodes is the reverse.
var gapBytes, gapCodes = [4]uint8{0, 1, 2, 4}, [5]uint8{0, 1, 2, 3, 3}

var stateShapes = func() (list [64]stateShape) {
	for shape := range list {
		s := &list[shape]
		s.value, s.length, s.gap = uint8(1+shape&3), uint8(1+shape>>lengthShift&3), gapBytes[shape>>gapShift]
		s.gapMask, s.lengthMask, s.valueMask = maskOf(s.gap), maskOf(s.length), maskOf(s.value)
	}
	return list
}()

// maskOf returns the mask of the n low bytes of a number.
func maskOf(n uint8) uint32 { return uint32(1<<(8*uint(n)) - 1) }

// bytesOf returns the bytes of a number; none for 0.
func bytesOf(v uint32) int { return (bits.Len32(v) + 7) >> 3 }

// pack packs the part of a segment that is not stored yet; g has its rows.
func (s *segment) pack(v *view, g *grouped, d *densePacker) {
	n := &s.sizes
	*n = segmentSizes{turns: len(v.turns), ends: len(v.ends), values: len(v.values), wideComms: len(v.wideComms)}
	for i := range s.threads {
		if sh := &s.threads[i]; !sh.stored {
			n.states += sh.states
			n.events += sh.pairs
		}
	}
	if n.states+n.events == 0 {
		n.ends, n.values = 0, 0
	}
	d.out, d.types = d.out[:0], d.types[:0]
	d.seq++
	if !s.commsStored {
		n.comms = len(g.comms)
		d.addComms(g.comms)
	}
	for _, slot := range s.byThread {
		if sh := &s.threads[slot]; !sh.stored {
			sh.packedAt = uint32(len(d.out))
			rows := g.of(sh)
			d.add(rows.states, rows.events)
		}
	}
	n.types = len(d.types)
	if len(d.out) > 0 {
		n.packed = len(d.out) + numberBytes // reading the last number also touches the bytes after it
	}
	s.data = newPacked(n.bytes())
	kept := n.view(s.data.bytes)
	copy(kept.turns, v.turns)
	copy(kept.ends, v.ends)
	copy(kept.values, v.values)
	copy(kept.wideComms, v.wideComms)
	copy(kept.types, d.types)
	copy(kept.packed, d.out)
}

// add packs the rows of a share.
func (d *densePacker) add(states []stateRow, events []eventRow) {
	first := len(d.out)
	d.out = slices.Grow(d.out, denseRow*(len(states)+len(events))+numberBytes)
	room := d.out[first:cap(d.out)]
	shapes, out := room[:len(states)+len(events)], room[len(states)+len(events):]
	at := packStates(shapes[:len(states)], out, 0, states)
	at = d.packEvents(shapes[len(states):], out, at, events)
	d.out = d.out[:first+len(shapes)+at]
}

// packStates writes shapes and, from out[at] on, numbers, and returns where the numbers end.
func packStates(shapes, out []byte, at int, rows []stateRow) int {
	end := uint32(0)
	for i := range rows {
		row := &rows[i]
		gap := row.begin - end // modulo 2^32
		end = row.begin + row.length
		g := gapCodes[bytesOf(gap)]
		l, v := bytesOf(row.length|1), bytesOf(row.value|1)
		shapes[i] = g<<gapShift | uint8(l-1)<<lengthShift | uint8(v-1)
		binary.LittleEndian.PutUint32(out[at:], gap)
		at += int(gapBytes[g])
		binary.LittleEndian.PutUint32(out[at:], row.length)
		at += l
		binary.LittleEndian.PutUint32(out[at:], row.value)
		at += v
	}
	return at
}

func (d *densePacker) packEvents(shapes, out []byte, at int, rows []eventRow) int {
	last := uint32(0)
	for i := range rows {
		row := &rows[i]
		time := row.time &^ lineStart
		since := time - last // modulo 2^32; 0 within a line
		last = time
		t := bytesOf(since | row.time>>31)
		shape := uint8(t) << timeShift
		binary.LittleEndian.PutUint32(out[at:], since)
		at += t
		slot := &d.slots[slotOf(row.typ)]
		if slot.typ != row.typ || slot.seq != d.seq {
			slot = d.find(row.typ)
		}
		if slot != nil {
			out[at] = slot.number
			at++
		} else {
			shape |= fullType
			binary.LittleEndian.PutUint32(out[at:], row.typ)
			at += 4
		}
		v := bytesOf(row.value | 1)
		shapes[i] = shape | uint8(v-1)
		binary.LittleEndian.PutUint32(out[at:], row.value)
		at += v
	}
	return at
}

// slotOf returns the first slot for a type.
func slotOf(typ uint32) uint32 { return typ * 0x9e3779b1 >> 22 }

// find returns the slot of a type that is not in the first slot for it; nil if the type has no number.
func (d *densePacker) find(typ uint32) *typeSlot {
	for h := slotOf(typ); ; h = (h + 1) % uint32(len(d.slots)) {
		slot := &d.slots[h]
		if slot.seq != d.seq {
			if len(d.types) == maxShortTypes {
				return nil
			}
			*slot = typeSlot{typ, d.seq, uint8(len(d.types))}
			d.types = append(d.types, typ)
		}
		if slot.typ == typ {
			return slot
		}
	}
}

// unpackRows restores the rows of a share into g, which has room for them.
func (v *view) unpackRows(sh *segmentShare, g *grouped) {
	n := len(g.states) + len(g.events)
	if n == 0 {
		return
	}
	b := v.packed[sh.packedAt:]
	shapes, in := b[:n], b[n:]
	in = in[unpackStates(shapes, in, g.states):]
	unpackEvents(shapes[len(g.states):], in, g.events, v.types)
}

// unpackStates reads numbers from in, and returns where they end.
func unpackStates(shapes, in []byte, rows []stateRow) (at int) {
	end := uint32(0)
	for i := range rows {
		s := &stateShapes[shapes[i]&63]
		begin := end + binary.LittleEndian.Uint32(in[at:])&s.gapMask
		at += int(s.gap)
		length := binary.LittleEndian.Uint32(in[at:]) & s.lengthMask
		at += int(s.length)
		rows[i] = stateRow{begin, length, binary.LittleEndian.Uint32(in[at:]) & s.valueMask}
		at += int(s.value)
		end = begin + length
	}
	return at
}

func unpackEvents(shapes, in []byte, rows []eventRow, types []uint32) {
	at, time := 0, uint32(0)
	for i := range rows {
		s := &eventShapes[shapes[i]&63]
		time += binary.LittleEndian.Uint32(in[at:]) & s.timeMask
		at += int(s.time)
		typ := binary.LittleEndian.Uint32(in[at:]) & s.typeMask
		at += int(s.typ)
		if s.typ == 1 {
			typ = types[typ]
		}
		rows[i] = eventRow{time | s.start, typ, binary.LittleEndian.Uint32(in[at:]) & s.valueMask}
		at += int(s.value)
	}
}

// The shape of a communication has two bits for each of its numbers: its bytes, less one.
const commNumbers, commShape = 9, 3

// zigzag maps numbers near 0 to small non-negative ones: 0, -1, 1, -2 become 0, 1, 2, 3.
func zigzag(v int32) uint32 { return uint32(v)<<1 ^ uint32(v>>31) }

// unzigzag reverses zigzag.
func unzigzag(v uint32) int32 { return int32(v>>1) ^ -int32(v&1) }

// addComms packs communications. The number of event lines is stored relative to the previous communication.
func (d *densePacker) addComms(rows []commRow) {
	d.out = slices.Grow(d.out, denseComm*len(rows)+numberBytes)
	out, at := d.out[:cap(d.out)], len(d.out)
	lines := uint32(0)
	for i := range rows {
		row := &rows[i]
		numbers := [commNumbers]uint32{row.from, row.to, zigzag(row.times[0]), zigzag(row.times[1]),
			zigzag(row.times[2]), zigzag(row.times[3]),
			row.size, row.tag, row.eventLines - lines}
		lines = row.eventLines
		shapeAt, shape := at, uint32(0)
		at += commShape
		for k, v := range numbers {
			n := bytesOf(v | 1)
			shape |= uint32(n-1) << (2 * k)
			binary.LittleEndian.PutUint32(out[at:], v)
			at += n
		}
		out[shapeAt], out[shapeAt+1], out[shapeAt+2] = uint8(shape), uint8(shape>>8), uint8(shape>>16)
	}
	d.out = out[:at]
}

// unpackComms restores communications, starting at in.
func unpackComms(in []byte, rows []commRow) {
	at, lines := 0, uint32(0)
	for i := range rows {
		shape := binary.LittleEndian.Uint32(in[at:])
		at += commShape
		var numbers [commNumbers]uint32
		for k := range numbers {
			n := uint8(shape>>(2*k)&3) + 1
			numbers[k] = binary.LittleEndian.Uint32(in[at:]) & maskOf(n)
			at += int(n)
		}
		lines += numbers[8]
		rows[i] = commRow{numbers[0], numbers[1],
			[4]int32{unzigzag(numbers[2]), unzigzag(numbers[3]), unzigzag(numbers[4]), unzigzag(numbers[5])},
			numbers[6], numbers[7], lines}
	}
}
