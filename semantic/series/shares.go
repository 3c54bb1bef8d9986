package series

import (
	"math"
)

// shares finds the value that covers most of an interval's time. If there are few distinct values, it holds the time
// that each has covered before every n-th burst: the answer is the difference of two such rows, plus the bursts between
// them and the ends.
type shares struct {
	stride int     // bursts from row to row; 0 if there are no rows
	sofar  []int64 // row k: time that each value of the table covers before burst k*stride
	// positions of 0 and -0 in the table, which are one value; equal if the table lacks one
	zero, minusZero int
}

// newShares builds the rows; they are spaced so that they take at most two bytes
// per burst.
func newShares(s *Series, b *bursts) shares {
	if s.code == nil || s.n < 2*blockSize {
		return shares{}
	}
	d := len(s.table)
	sh := shares{stride: max(blockSize, 4*d)}
	for c, v := range s.table {
		if v == 0 && math.Signbit(v) {
			sh.minusZero = c
		} else if v == 0 {
			sh.zero = c
		}
	}
	if s.table[sh.zero] != 0 || s.table[sh.minusZero] != 0 {
		sh.zero, sh.minusZero = 0, 0
	}
	var time [maxCodes]int64
	sh.sofar = make([]int64, 0, (s.n/sh.stride+1)*d)
	for i := range s.n {
		if i%sh.stride == 0 {
			sh.sofar = append(sh.sofar, time[:d]...)
		}
		time[s.code[i]] += b.until(i) - b.begin[i]
	}
	return sh
}

func (sh *shares) bytes() int64 { return int64(cap(sh.sofar)) * 8 }

// mostTime returns the value that covers most of [a,b), which bursts i..j-1 cover; of several, the greatest. If they
// cover no time, it is the value of the last.
//
// With up to 256 distinct values in the series, the cost is bounded by two
// strides. With more, up to mostScan bursts are counted; beyond that the answer
// is the value of the longest burst.
func (s *Series) mostTime(i, j int, a, b int64) float64 {
	a, b = max(a, s.begin(i)), min(b, s.until(j-1))
	if a >= b {
		return s.value(j - 1)
	}
	switch {
	case s.code != nil:
		return s.mostTimeOfTable(i, j, a, b)
	case j-i <= mostScan:
		return s.mostTimeCounted(i, j, a, b)
	}
	return s.value(s.longestIn(i, j))
}

func (s *Series) mostTimeOfTable(i, j int, a, b int64) float64 {
	if j-i <= fewBursts {
		var few fewShares
		best := -1
		for k := range few.count(s, i, j, a, b) {
			if x, y := &few[k], &few[max(best, 0)]; x.Time > 0 &&
				(best < 0 || x.Time > y.Time || x.Time == y.Time && x.Value > y.Value) {
				best = k
			}
		}
		return few[best].Value
	}
	var time [maxCodes]int64
	s.timeOfTable(&time, i, j, a, b)
	best := -1
	for c, t := range time[:len(s.table)] {
		if t > 0 && (best < 0 || t > time[best] || t == time[best] && s.table[c] > s.table[best]) {
			best = c
		}
	}
	return s.table[best]
}

// fewShares holds the values of up to fewBursts bursts: most cells of a dense picture have no more, and need no table.
type fewShares [fewBursts]Share

const fewBursts = 6

// count lists the values of bursts i..j-1 and their time in [a,b), which they cover, and returns their number.
func (f *fewShares) count(s *Series, i, j int, a, b int64) (n int) {
	from := max(a, s.begin(i))
next:
	for ; i < j; i++ {
		v, to := s.value(i), min(b, s.until(i))
		d := to - from
		from = to
		for k := range n {
			if f[k].Value == v {
				f[k].Time += d
				continue next
			}
		}
		f[n] = Share{v, d}
		n++
	}
	return n
}

// timeOfTable sets time, which must be 0, to the time in [a,b), which bursts i..j-1 cover, of each value of the table.
func (s *Series) timeOfTable(time *[maxCodes]int64, i, j int, a, b int64) {
	d := len(s.table)
	lo, hi := j, j // bursts of whole rows, which are not read
	if sh := &s.shares; sh.stride > 0 {
		// The first and the last burst may be cut, so they stay out of it.
		if from, to := (i+sh.stride)/sh.stride, (j-1)/sh.stride; from < to {
			lo, hi = from*sh.stride, to*sh.stride
			before, after := sh.sofar[from*d:(from+1)*d], sh.sofar[to*d:(to+1)*d]
			for c := range before {
				time[c] = after[c] - before[c]
			}
		}
	}
	s.shareOut(time, i, lo, a, b)
	s.shareOut(time, hi, j, a, b)
	if sh := &s.shares; sh.zero != sh.minusZero {
		time[sh.zero] += time[sh.minusZero]
		time[sh.minusZero] = 0
	}
}

// shareOut adds the times of bursts i..j-1 in [a,b) to those of their values.
func (s *Series) shareOut(time *[maxCodes]int64, i, j int, a, b int64) {
	if i >= j {
		return
	}
	from := max(a, s.begin(i))
	for ; i < j; i++ {
		to := min(b, s.until(i))
		time[s.code[i]] += to - from
		from = to
	}
}

// mostScan bounds the number of bursts that are counted in a series with many values.
const mostScan = 1024

func (s *Series) mostTimeCounted(i, j int, a, b int64) float64 {
	const slots = 2 * mostScan
	var (
		value [slots]float64
		time  [slots]int64
	)
	bestValue, bestTime := 0.0, int64(0)
	from := max(a, s.begin(i))
	for ; i < j; i++ {
		v, to := s.value(i)+0, min(b, s.until(i)) // -0 becomes 0
		d := to - from
		from = to
		if d == 0 {
			continue
		}
		h := math.Float64bits(v) * 0x9E3779B97F4A7C15 >> 53
		for time[h] != 0 && value[h] != v {
			h = (h + 1) % slots
		}
		value[h] = v
		time[h] += d
		if t := time[h]; t > bestTime || t == bestTime && v > bestValue {
			bestValue, bestTime = v, t
		}
	}
	return bestValue
}

// longestIn returns the longest of bursts i..j-1, of several the first found.
// The first and last count with their whole length.
func (s *Series) longestIn(i, j int) int {
	best, length := i, int64(-1)
	see := func(k int) {
		if d := s.until(k) - s.begin(k); d > length || d == length && k < best {
			best, length = k, d
		}
	}
	var buf [maxSpans]span
	for _, sp := range s.spans(i, j, &buf) {
		for k := sp.i; k < sp.j; k++ {
			if sp.level > 0 {
				see(int(s.levels[sp.level-1].longest[k]))
			} else {
				see(k)
			}
		}
	}
	return best
}
