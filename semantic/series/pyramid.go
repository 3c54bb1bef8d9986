package series

import (
	"math"
)

// pyramid holds the aggregates above the bursts of a series: of each block of bursts, each group of blocks, each group
// of groups, and so on:
//
//	level 3   [                                               ]
//	level 2   [                      ][                      ][ ..
//	level 1   [    ][    ][    ][    ][    ][    ][    ][    ][ ..   blocks
//	bursts    |||||||||||||||||||||||||||||||||||||||||||||||||||..
//	                ^i ......................................... ^j
//
// An interval of bursts [i,j) is covered by the bursts at its ends up to the next block, the blocks from there to the
// next group, and so on inward: at most two stretches per level. With blocks of 64 and groups of 16, a query on ten
// million bursts reads at most 250 numbers, next to one another in memory; the pyramid takes about 1.2 bytes per burst.
type pyramid struct {
	levels []level
	shares shares
}

// level holds the aggregates of one level in columns.
type level struct {
	min, max   []float64
	minNotZero []float64 // +Inf if all are 0
	minAbs     []float64 // value other than 0 nearest to 0; +Inf if all are 0
	sum        []float64 // of the values
	integral   []float64 // of the value over time
	notZero    []int32   // number of bursts whose value is not 0
	longest    []int32   // the longest burst, of several the first
	timeNot0   []int64   // time in which the value is not 0
}

// groupBits is the size of a group, as a power of two.
const (
	groupBits = 4
	groupSize = 1 << groupBits
)

func newLevel(n int) level {
	f := make([]float64, 6*n)
	cut := func() []float64 {
		c := f[:n:n]
		f = f[n:]
		return c
	}
	i := make([]int32, 2*n)
	return level{cut(), cut(), cut(), cut(), cut(), cut(), i[:n:n], i[n:], make([]int64, n)}
}

func newPyramid(b *bursts) pyramid {
	var p pyramid
	if len(b.begin) < 2*blockSize {
		return p
	}
	l := newLevel((len(b.begin) + blockSize - 1) / blockSize)
	for k := range l.min {
		l.ofBursts(k, b, k*blockSize, min((k+1)*blockSize, len(b.begin)))
	}
	p.levels = append(p.levels, l)
	for len(l.min) > groupSize {
		up := newLevel((len(l.min) + groupSize - 1) / groupSize)
		for k := range up.min {
			up.ofGroup(k, &l, b, k*groupSize, min((k+1)*groupSize, len(l.min)))
		}
		p.levels = append(p.levels, up)
		l = up
	}
	return p
}

// ofBursts fills entry k with the aggregates of bursts i..j-1.
func (l *level) ofBursts(k int, b *bursts, i, j int) {
	begin, value := b.begin[i:j], b.value[i:j]
	lo, hi := value[0], value[0]
	lo0, above, below := math.Inf(1), math.Inf(1), math.Inf(-1) // minimum, minimum above 0, maximum below 0
	sum, integral := 0.0, 0.0
	notZero, time := int32(0), int64(0)
	longest, length := 0, int64(-1)
	for n, v := range value {
		var d int64
		if n+1 < len(begin) {
			d = begin[n+1] - begin[n]
		} else {
			d = b.until(j-1) - begin[n]
		}
		if d > length {
			length, longest = d, n
		}
		if v < lo {
			lo = v
		} else if v > hi {
			hi = v
		}
		if v == 0 {
			continue
		}
		if v > 0 {
			if v < above {
				above = v
			}
		} else if v > below {
			below = v
		}
		if v < lo0 {
			lo0 = v
		}
		sum += v
		integral += v * float64(d)
		notZero++
		time += d
	}
	l.min[k], l.max[k], l.minNotZero[k], l.minAbs[k] = lo, hi, lo0, nearer(above, below)
	l.sum[k], l.integral[k] = sum, integral
	l.notZero[k], l.longest[k], l.timeNot0[k] = notZero, int32(i+longest), time
}

// ofGroup fills entry k with the aggregates of entries i..j-1 of the level below.
func (l *level) ofGroup(k int, d *level, b *bursts, i, j int) {
	l.min[k], l.max[k], l.minNotZero[k], l.minAbs[k] = d.min[i], d.max[i], d.minNotZero[i], d.minAbs[i]
	l.longest[k] = d.longest[i]
	for ; i < j; i++ {
		l.min[k], l.max[k] = min(l.min[k], d.min[i]), max(l.max[k], d.max[i])
		l.minNotZero[k] = min(l.minNotZero[k], d.minNotZero[i])
		l.minAbs[k] = nearer(l.minAbs[k], d.minAbs[i])
		l.sum[k] += d.sum[i]
		l.integral[k] += d.integral[i]
		l.notZero[k] += d.notZero[i]
		l.timeNot0[k] += d.timeNot0[i]
		if b.length(d.longest[i]) > b.length(l.longest[k]) {
			l.longest[k] = d.longest[i]
		}
	}
}

func (b *bursts) length(i int32) int64 { return b.until(int(i)) - b.begin[i] }

// nearer returns the one of two values that is nearer to 0; the positive one if they are equally near.
func nearer(a, b float64) float64 {
	x, y := math.Abs(a), math.Abs(b)
	if y < x || y == x && b > a {
		return b
	}
	return a
}

// further returns the one of two values that is further from 0; the positive one if they are equally far.
func further(a, b float64) float64 {
	x, y := math.Abs(a), math.Abs(b)
	if y > x || y == x && b > a {
		return b
	}
	return a
}

func (p *pyramid) bytes() int64 {
	n := int64(0)
	for i := range p.levels {
		n += int64(len(p.levels[i].min)) * (7*8 + 2*4)
	}
	return n + p.shares.bytes()
}

// span is a range of bursts (level 0) or of entries of a level of the pyramid (from 1 on).
type span struct{ level, i, j int }

// maxSpans bounds the spans of an interval: two per level of 2^31 bursts.
const maxSpans = 2 * (1 + (31-blockBits)/groupBits + 1)

// spans covers bursts i..j-1 with as few entries as possible and returns how many
// spans of buf it used. They are not in the order of time.
func (p *pyramid) spans(i, j int, buf *[maxSpans]span) []span {
	n := 0
	put := func(level, i, j int) {
		if i < j {
			buf[n] = span{level, i, j}
			n++
		}
	}
	bits := blockBits
	for level := 0; ; level++ {
		up := (i + 1<<bits - 1) >> bits
		down := j >> bits
		if level == len(p.levels) || up >= down {
			put(level, i, j)
			return buf[:n]
		}
		put(level, i, up<<bits)
		put(level, down<<bits, j)
		i, j, bits = up, down, groupBits
	}
}
