package otf2

// Numbers and records: how the bytes of all files of an archive are read.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
)

// The ids of framing records.
const (
	idChunkEnd  = 0 // the rest of the chunk is empty
	idFileEnd   = 2
	idChunk     = 3 // begins each chunk
	idTime      = 5 // in event files
	idAttribute = 6 // in event files
)

// chunkHeader is the length of the start of a chunk: its mark, byte order, and the numbers of its first and last event.
const chunkHeader = 18

// The second byte of a chunk.
const (
	littleEndian = 0x42
	bigEndian    = 0x23
)

// undefined is the id of no object.
const undefined = 1<<32 - 1

// cursor reads the numbers of a file. Reading past the end, or something that is not a number, is a fault: the first
// one is kept, and the numbers after it are meaningless.
type cursor struct {
	data  []byte // the file
	pos   int
	end   int // of the record, or the chunk
	big   bool
	fault string
}

// fail keeps the first fault.
func (c *cursor) fail(format string, args ...any) {
	if c.fault == "" {
		c.fault = fmt.Sprintf(format, args...)
	}
	c.pos = c.end
}

// more reports whether there is something left to read.
func (c *cursor) more() bool { return c.fault == "" && c.pos < c.end }

// masks has the greatest value of n bytes at index n.
var masks = [9]uint64{0, 0xff, 0xffff, 0xffffff, 0xffffffff, 0xffffffffff, 0xffffffffffff, 0xffffffffffffff,
	0xffffffffffffffff}

// number reads a compressed number of at most 4 or 8 bytes. The caller compares pos with end: a number may have been
// read past it.
func (c *cursor) number(most int) uint64 {
	p := c.pos
	if p+9 > len(c.data) {
		return c.lastNumber(most)
	}
	n := int(c.data[p])
	if n > most {
		return c.longNumber(n, most)
	}
	v := binary.LittleEndian.Uint64(c.data[p+1:])
	if c.big {
		v = bits.ReverseBytes64(v) >> (64 - 8*uint(n))
	} else {
		v &= masks[n&15]
	}
	c.pos = p + 1 + n
	return v
}

// longNumber reads a number whose length byte exceeds the limit: all ones, or damaged.
func (c *cursor) longNumber(n, most int) uint64 {
	if n == 0xff {
		c.pos++
		return masks[most]
	}
	c.fail("length byte %d of a number of %d bits at offset %d", n, 8*most, c.pos)
	return 0
}

// lastNumber reads a number near the end of the file.
func (c *cursor) lastNumber(most int) uint64 {
	if c.pos >= c.end {
		c.fail("number beyond its end at offset %d", c.pos)
		return 0
	}
	n := int(c.data[c.pos])
	if n > most {
		return c.longNumber(n, most)
	}
	c.pos++
	return c.fixed(n)
}

// u32, u64 read compressed numbers within the record.
func (c *cursor) u32() uint32 { return uint32(c.within(c.number(4))) }
func (c *cursor) u64() uint64 { return c.within(c.number(8)) }

func (c *cursor) within(v uint64) uint64 {
	if c.pos > c.end {
		c.fail("field beyond its record at offset %d", c.end)
	}
	return v
}

// fixed reads a number of n bytes.
func (c *cursor) fixed(n int) (v uint64) {
	if n > c.end-c.pos {
		c.fail("%d bytes wanted at offset %d, %d left", n, c.pos, max(c.end-c.pos, 0))
		return 0
	}
	if n == 8 {
		v = binary.LittleEndian.Uint64(c.data[c.pos:])
		if c.big {
			v = bits.ReverseBytes64(v)
		}
		c.pos += 8
		return v
	}
	for i := range n {
		at := c.pos + i
		if !c.big {
			at = c.pos + n - 1 - i
		}
		v = v<<8 | uint64(c.data[at])
	}
	c.pos += n
	return v
}

func (c *cursor) byte() uint8 { return uint8(c.fixed(1)) }

// text reads bytes up to a 0.
func (c *cursor) text() string {
	if c.fault != "" {
		return ""
	}
	n := bytes.IndexByte(c.data[c.pos:c.end], 0)
	if n < 0 {
		c.fail("text without an end at offset %d", c.pos)
		return ""
	}
	s := string(c.data[c.pos : c.pos+n])
	c.pos += n + 1
	return s
}

// length reads the length of a record.
func (c *cursor) length() uint64 {
	n := c.fixed(1)
	if n == 0xff {
		n = c.fixed(8)
	}
	return n
}

// count checks the number of elements of an array, given the least number of bytes of an element.
func (c *cursor) count(n uint64, least int) int {
	if left := uint64(max(c.end-c.pos, 0)); n > left/uint64(least) {
		c.fail("an array of %d elements at offset %d, %d bytes left", n, c.pos, left)
		return 0
	}
	return int(n)
}

// value skips an attribute's value of the given type.
func (c *cursor) value(typ uint8) {
	switch typ {
	case 1, 5:
		c.fixed(1)
	case 2, 6:
		c.fixed(2)
	case 9:
		c.fixed(4)
	case 10:
		c.fixed(8)
	default:
		c.u64()
	}
}

// chunks walks through the chunks of a file and their records.
type chunks struct {
	cursor
	size  int // of a chunk
	base  int // of this chunk
	limit int // of this chunk
	// report receives each fault: a text for the file, and whether the file was cut off.
	report func(offset int, text string, cut bool)
	// step, if set, is called with the number of bytes read; false ends the reading.
	step func(n int) bool
}

func newChunks(data []byte, size uint64, report func(int, string, bool)) *chunks {
	return &chunks{cursor: cursor{data: data}, size: int(size), report: report}
}

// open enters the chunk at base, and reports whether there is one.
func (c *chunks) open() bool {
	switch left := len(c.data) - c.base; {
	case left <= 0 && c.base > 0:
		c.report(len(c.data), fmt.Sprintf("ends at offset %d without its end mark", len(c.data)), true)
		return false
	case left == 0:
		c.report(0, "no chunk at offset 0: the file is empty", true)
		return false
	case left < chunkHeader:
		c.report(c.base, fmt.Sprintf("no chunk at offset %d: %d bytes left", c.base, left), true)
		return false
	case c.data[c.base] != idChunk:
		c.report(c.base, fmt.Sprintf("no chunk at offset %d", c.base), false)
		return false
	}
	order := c.data[c.base+1]
	if order != littleEndian && order != bigEndian {
		c.report(c.base, fmt.Sprintf("no chunk at offset %d: byte order %#x", c.base, order), false)
		return false
	}
	c.big = order == bigEndian
	c.limit = min(len(c.data), c.base+c.size)
	c.pos, c.end = c.base+chunkHeader, c.limit
	return true
}

// next enters the next chunk.
func (c *chunks) next() bool {
	if c.step != nil && !c.step(min(c.size, len(c.data)-c.base)) {
		return false
	}
	c.base += c.size
	return c.open()
}

// bad reports a fault in a record that begins at an offset, and continues with the next chunk. A record that does not
// fit the last chunk was cut off.
func (c *chunks) bad(id uint8, at int, why string, fits bool) bool {
	c.fault = ""
	last := c.limit == len(c.data)
	if cut := last && !fits && c.size > c.limit-c.base; cut {
		c.report(at, fmt.Sprintf("ends at offset %d, in the middle of a record: record %d at offset %d: %s",
			len(c.data), id, at, why), true)
		return false
	}
	c.report(at, fmt.Sprintf("bad record %d at offset %d: %s", id, at, why), false)
	return !last && c.next()
}

// unended reports a chunk without an end.
func (c *chunks) unended() bool {
	last := c.limit == len(c.data)
	c.report(c.limit, fmt.Sprintf("ends at offset %d without its end mark", c.limit), last)
	return !last && c.next()
}

// enter enters a framed record, whose id was read, and moves end to the record's end. It returns why the record does
// not fit, "" if it does.
func (c *chunks) enter() (why string) {
	n := c.length()
	if c.fault != "" {
		return c.fault
	}
	if left := c.limit - c.pos; n > uint64(left) {
		return fmt.Sprintf("%d bytes, %d left", n, left)
	}
	c.end = c.pos + int(n)
	return ""
}

// leave moves past a record.
func (c *chunks) leave() { c.pos, c.end = c.end, c.limit }
