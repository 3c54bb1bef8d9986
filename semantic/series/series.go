// Package series holds the value of an object over time, and computes what a cell of the screen or an interval shows.
//
// A Series is built once from the bursts of a row and is read-only. It refers to no trace and no window. A Cache keeps
// series under a memory budget.
package series

import (
	"math"
	"unsafe"
)

// Series is the value of one object over the whole trace: a piecewise-constant
// function of time in bursts [begin,end) that follow one another from 0 to the
// end of the trace. It is immutable and safe for concurrent reading.
//
// A new burst begins at each record that the window's function listens to, even when the value does not change, and
// bursts of length zero exist where records share a time: counting needs both. Painting and measuring read the
// aggregates above the bursts (see pyramid) rather than each burst, so that any interval costs O(log n).
//
// Begins are kept relative to the begin of their block, values as positions in a table if few are distinct (states,
// calls): 5 bytes per burst instead of 16.
type Series struct {
	n   int
	end int64

	base  []int64  // begin of the first burst of each block
	since []uint32 // begin minus that of the block
	wide  []int64  // begins; replaces since if a block is longer than 2^32

	table  []float64 // the distinct values in order of appearance
	code   []uint8   // position in the table
	values []float64 // replaces table and code if more than 256 are distinct

	pyramid
}

// blockBits is the size of a block of bursts, the lowest level of the pyramid,
// as a power of two.
const (
	blockBits = 6
	blockSize = 1 << blockBits
)

// New returns the series of a row. begin starts with 0 and does not decrease; end is >= its last value. The columns may
// be reused afterwards.
func New(begin []int64, value []float64, end int64) *Series {
	b := bursts{begin, value, end}
	s := &Series{n: len(begin), end: end}
	s.packBegins(begin)
	s.packValues(value)
	s.pyramid = newPyramid(&b)
	s.shares = newShares(s, &b)
	return s
}

// bursts are the columns that a series is built from: burst i holds value[i] from begin[i] to begin[i+1], the last one
// to end.
type bursts struct {
	begin []int64
	value []float64
	end   int64
}

// until returns the end of burst i.
func (b *bursts) until(i int) int64 {
	if i+1 < len(b.begin) {
		return b.begin[i+1]
	}
	return b.end
}

func (s *Series) packBegins(begin []int64) {
	s.base = make([]int64, 0, (len(begin)+blockSize-1)/blockSize)
	for i := 0; i < len(begin); i += blockSize {
		s.base = append(s.base, begin[i])
		if last := min(i+blockSize, len(begin)) - 1; begin[last]-begin[i] > math.MaxUint32 {
			s.wide = append([]int64(nil), begin...)
		}
	}
	if s.wide != nil {
		for i := 0; i < len(begin); i += blockSize {
			s.base[i/blockSize] = begin[i]
		}
		return
	}
	s.since = make([]uint32, len(begin))
	for i, t := range begin {
		s.since[i] = uint32(t - s.base[i>>blockBits])
	}
}

// maxCodes bounds the distinct values of a table.
const maxCodes = 256

// packValues fills table and code, or values if too many are distinct.
func (s *Series) packValues(value []float64) {
	var p valuePacker
	code := make([]uint8, len(value))
	for i, v := range value {
		// States and yes/no values are small whole numbers: no need to search for them.
		if n := uint8(int64(v)); math.Float64bits(float64(n)) == math.Float64bits(v) && p.small[n] != 0 {
			code[i] = uint8(p.small[n] - 1)
			continue
		}
		c := p.codeOf(v)
		if c < 0 {
			s.values = append([]float64(nil), value...)
			return
		}
		code[i] = uint8(c)
	}
	s.table, s.code = p.table, code
}

// valuePacker numbers distinct values.
type valuePacker struct {
	table []float64
	small [256]int16          // by value: its code + 1
	slot  [4 * maxCodes]int16 // hash table of all: code + 1
}

// codeOf returns the code of a value, adding it if new; -1 if there are too many. 0 and -0 are two values: they print
// differently.
func (p *valuePacker) codeOf(v float64) int {
	bits := math.Float64bits(v)
	h := bits * 0x9E3779B97F4A7C15 >> 54
	for p.slot[h] != 0 {
		if c := p.slot[h] - 1; math.Float64bits(p.table[c]) == bits {
			return int(c)
		}
		h = (h + 1) % uint64(len(p.slot))
	}
	if len(p.table) == maxCodes {
		return -1
	}
	p.table = append(p.table, v)
	p.slot[h] = int16(len(p.table))
	if n := uint8(int64(v)); float64(n) == v && !math.Signbit(v) {
		p.small[n] = int16(len(p.table))
	}
	return len(p.table) - 1
}

// Len returns the number of bursts; at least 1.
func (s *Series) Len() int { return s.n }

// End returns the end of the last burst: the trace's Duration.
func (s *Series) End() int64 { return s.end }

// Burst returns burst i: its interval [begin,end) and its value.
func (s *Series) Burst(i int) (begin, end int64, v float64) {
	return s.begin(i), s.until(i), s.value(i)
}

func (s *Series) begin(i int) int64 {
	if s.wide != nil {
		return s.wide[i]
	}
	return s.base[i>>blockBits] + int64(s.since[i])
}

// until returns the end of burst i.
func (s *Series) until(i int) int64 {
	if i+1 < s.n {
		return s.begin(i + 1)
	}
	return s.end
}

func (s *Series) value(i int) float64 {
	if s.code != nil {
		return s.table[s.code[i]]
	}
	return s.values[i]
}

// Columns appends the begins and the values of all bursts.
func (s *Series) Columns(begin []int64, value []float64) ([]int64, []float64) {
	if s.wide != nil {
		begin = append(begin, s.wide...)
	} else {
		for k, base := range s.base {
			for _, d := range s.since[k<<blockBits : min((k+1)<<blockBits, s.n)] {
				begin = append(begin, base+int64(d))
			}
		}
	}
	if s.code == nil {
		return begin, append(value, s.values...)
	}
	for _, c := range s.code {
		value = append(value, s.table[c])
	}
	return begin, value
}

// Distinct returns the distinct values of the series in order of appearance; ok
// is false when there are more than 256, and none are given.
func (s *Series) Distinct() (values []float64, ok bool) { return s.table, s.code != nil }

// At returns the burst that covers t: of several that begin at t the last, which
// is the one with a length. Times before 0 give the first burst, times from the
// end on the last.
func (s *Series) At(t int64) int { return max(0, s.search(t+1)-1) }

// search returns the first burst that begins at t or later, Len if none does.
func (s *Series) search(t int64) int {
	// Find the first block that begins at t or later; the burst is its first one, or lies in the block before.
	lo, hi := 0, len(s.base)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if s.base[mid] < t {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == 0 {
		return 0
	}
	i, j := (lo-1)*blockSize+1, min(lo*blockSize, s.n)
	for i < j {
		mid := int(uint(i+j) >> 1)
		if s.begin(mid) < t {
			i = mid + 1
		} else {
			j = mid
		}
	}
	return i
}

// Next returns the first burst that begins after t; ok is false when none does.
func (s *Series) Next(t int64) (i int, ok bool) {
	i = s.search(t + 1)
	return i, i < s.n
}

// Prev returns the last burst that begins before t; ok is false when none does.
func (s *Series) Prev(t int64) (i int, ok bool) {
	i = s.search(t) - 1
	return i, i >= 0
}

// cell returns the bursts i..j-1 that a cell [a,b) shows: those that overlap it, and those of length zero inside it. A
// cell of no length shows the burst that covers a. ok is false if the cell lies outside the series.
func (s *Series) cell(a, b int64) (i, j int, ok bool) {
	if b <= a {
		if a < 0 || a > s.end {
			return 0, 0, false
		}
		i = s.At(a)
		return i, i + 1, true
	}
	if b <= 0 || a > s.end || a == s.end && s.end > 0 {
		return 0, 0, false
	}
	i = s.search(a)
	if i == s.n || i > 0 && s.begin(i) > a {
		i--
	}
	// When zoomed in, most cells of the screen lie within one burst.
	if i+1 == s.n || s.begin(i+1) >= b {
		return i, i + 1, true
	}
	return i, max(i+1, s.search(b)), true
}

// Value returns the value that a cell [a,b) shows under a draw mode; ok is false if the cell lies outside the series.
// The random modes return the same for the same seed and cell. It does not allocate.
func (s *Series) Value(a, b int64, m DrawMode, seed uint64) (v float64, ok bool) {
	i, j, ok := s.cell(a, b)
	if !ok {
		return 0, false
	}
	if j == i+1 {
		return s.value(i), true
	}
	return s.reduce(i, j, a, b, m, seed), true
}

// Bytes returns the memory that the series holds.
func (s *Series) Bytes() int64 {
	return int64(unsafe.Sizeof(*s)) + 8*int64(cap(s.base)+cap(s.wide)+cap(s.table)+cap(s.values)) +
		4*int64(cap(s.since)) + int64(cap(s.code)) + s.pyramid.bytes()
}
