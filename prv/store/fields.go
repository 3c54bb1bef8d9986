package store

// The fields of a block of text are found and read whatever they mean. The parser does this for all records of a block
// at once (stage.go), because reading spends most of its time there, and because no step depends on an earlier one:
//	text     1:1:1:1:1:0:3000:3 | 2:1:1:1:1:3000:60000019:5
//	ends      ^ ^ ^ ^ ^ ^    ^ ^   ^ ^ ^ ^ ^    ^        ^ ^    of fields
//	lines                     8                            16  fields up to the end of each
//	numbers  1 1 1 1 1 0 3000 3   2 1 1 1 1 3000 60000019 5
//
// A field ends at each byte that is not a digit. Bytes that cannot be in a plain record, and fields without digits, are
// listed as odd: lines with them are left to chunkParser.line.
//
// readPlain is the reference in Go. Processors with AVX2 run assembly instead (fields_amd64.s), which tests compare
// with it. The assembly takes a fifth of the time (BenchmarkFields); without it, reading a wide trace takes 1.25 times
// the CPU time. Other processors, and builds with the tag purego, read lines one by one, which is faster than the
// stages in Go.

// fields are the fields of a block of text. The memory is reused for the next block.
type fields struct {
	n       int      // fields
	ends    []uint32 // field i ends at ends[i+1]; it begins after ends[i]
	lines   []uint32 // for each line, the number of fields up to its end
	odd     []uint32 // positions of odd bytes
	numbers []uint64 // by field; notRead if it has more digits than are read
	// big has a bit for each field: its number does not fit into 31 bits, or was not read.
	big []uint64
}

// longest is the maximum number of digits that are read; notRead marks a longer field: it exceeds every number that is
// accepted without a check.
const (
	longest = 16
	notRead = 1 << 63
)

// fieldSlack is the number of extra values that may be written, and must be readable: a record's numbers are read as an
// array (stage.go), whatever its kind.
const fieldSlack = 80

// bigFrom returns the bits of big from field i on.
func (f *fields) bigFrom(i int) uint64 {
	w := (*[2]uint64)(f.big[i>>6:])
	return w[0]>>(i&63) | w[1]<<1<<(^i&63)
}

// read finds and reads the fields of the lines b[from:to]; b must be readable up to to+pad. The low 32 bits of
// their numbers are stored in low, too, which must have room for to-from+fieldSlack.
func (f *fields) read(b []byte, from, to int, low []uint32) {
	f.allocate(to - from)
	nLines, nOdd := 0, 0
	f.n, nLines, nOdd = readFields(b, from, to, f, low)
	f.lines, f.odd = f.lines[:nLines], f.odd[:nOdd]
}

// allocate makes room for the fields of n bytes.
func (f *fields) allocate(n int) {
	if most := max(n, textBlock) + fieldSlack; len(f.numbers) < n+fieldSlack {
		f.ends, f.lines, f.odd = make([]uint32, most), make([]uint32, most), make([]uint32, most)
		f.numbers, f.big = make([]uint64, most), make([]uint64, most/64+2)
	}
	f.lines, f.odd = f.lines[:cap(f.lines)], f.odd[:cap(f.odd)]
}

// readPlain stores the ends of the fields of b[from:to], their numbers, the number of fields up to the end of each
// line, and the positions of odd bytes; it returns the count of each. It may store more values after these.
func readPlain(b []byte, from, to int, f *fields, low []uint32) (n, nLines, nOdd int) {
	f.ends[0] = uint32(from - 1)
	most := to - from + 1
	numbers, low, ends := f.numbers[:most], low[:most], f.ends[1:][:most]
	big := uint64(0)
	for i := from; i < to; {
		v, length := digits(b, i)
		if length == 0 {
			v = 0
		}
		end := i + length
		if length == 8 && b[end]-'0' <= 9 {
			v, end = readLong(b, i, v)
		}
		numbers[n], low[n], ends[n] = v, uint32(v), uint32(end)
		big |= (v>>31 + 1<<33 - 1) >> 33 << (n & 63)
		if n++; n&63 == 0 {
			f.big[n>>6-1], big = big, 0
		}
		c := b[end]
		if c == '\n' {
			f.lines[nLines] = uint32(n)
			nLines++
		}
		if length == 0 || c != ':' && c != '\n' {
			f.odd[nOdd] = uint32(end)
			nOdd++
		}
		i = end + 1
	}
	f.big[n>>6] = big
	return n, nLines, nOdd
}

// readLong reads a field of more than 8 digits, whose first 8 have the given value, and returns its end.
func readLong(b []byte, i int, first uint64) (v uint64, end int) {
	v, n := digits(b, i+8)
	if n < 8 {
		return first*pow10[n] + v, i + 8 + n
	}
	if end = i + 16; b[end]-'0' > 9 {
		return first*pow10[8] + v, end
	}
	for b[end]-'0' <= 9 {
		end++
	}
	return notRead, end
}
