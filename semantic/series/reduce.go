package series

import (
	"math"
)

// Reducing the bursts of an interval to one value: the draw modes over the pyramid, and Aggregate. Nothing here
// allocates.

// reduce returns the value that bursts i..j-1, at least two, show in the cell [a,b).
func (s *Series) reduce(i, j int, a, b int64, m DrawMode, seed uint64) float64 {
	switch m {
	case Last:
		return s.value(j - 1)
	case Random:
		return s.value(i + int(mix(seed, a, b)%uint64(j-i)))
	case MostTime, Proportional:
		return s.mostTime(i, j, a, b)
	case LastNotZero:
		return s.lastNotZero(i, j)
	}
	var buf [maxSpans]span
	spans := s.spans(i, j, &buf)
	switch m {
	case Minimum:
		lo, _ := s.extremes(spans)
		return lo
	case MinimumNotZero:
		return s.minNotZero(spans)
	case MaximumNotZero:
		if hi := s.maximum(spans); hi != 0 {
			return hi
		}
		return s.minAbs(spans) // nothing is above 0, so the greatest is the nearest to it
	case MaximumAbsolute:
		lo, hi := s.extremes(spans)
		return further(lo, hi)
	case MinimumAbsoluteNotZero:
		return s.minAbs(spans)
	case RandomNotZero:
		if n := s.notZero(spans); n > 0 {
			return s.pickNotZero(spans, int(mix(seed, a, b)%uint64(n)))
		}
		return 0
	case Average:
		return s.sum(spans) / float64(j-i)
	case AverageNotZero:
		if n := s.notZero(spans); n > 0 {
			return s.sum(spans) / float64(n)
		}
		return 0
	}
	return s.maximum(spans)
}

// mix hashes a seed and a cell, so that neighbouring cells get unrelated numbers (the finalizer of SplitMix64, twice).
func mix(seed uint64, a, b int64) uint64 {
	x := seed + uint64(a)*0x9E3779B97F4A7C15
	for _, y := range [2]uint64{0, uint64(b) * 0xD1342543DE82EF95} {
		x += y
		x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
		x = (x ^ x>>27) * 0x94D049BB133111EB
		x ^= x >> 31
	}
	return x
}

func (s *Series) maximum(spans []span) float64 {
	best := math.Inf(-1)
	for _, sp := range spans {
		switch {
		case sp.level > 0:
			for _, v := range s.levels[sp.level-1].max[sp.i:sp.j] {
				if v > best {
					best = v
				}
			}
		case s.code != nil:
			for _, c := range s.code[sp.i:sp.j] {
				if v := s.table[c]; v > best {
					best = v
				}
			}
		default:
			for _, v := range s.values[sp.i:sp.j] {
				if v > best {
					best = v
				}
			}
		}
	}
	return best
}

func (s *Series) extremes(spans []span) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, sp := range spans {
		if sp.level > 0 {
			l := &s.levels[sp.level-1]
			for k := sp.i; k < sp.j; k++ {
				lo, hi = min(lo, l.min[k]), max(hi, l.max[k])
			}
			continue
		}
		for k := sp.i; k < sp.j; k++ {
			v := s.value(k)
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return lo, hi
}

// minNotZero returns the minimum of the values other than 0; 0 when there is none.
func (s *Series) minNotZero(spans []span) float64 {
	best := math.Inf(1)
	for _, sp := range spans {
		if sp.level > 0 {
			for _, v := range s.levels[sp.level-1].minNotZero[sp.i:sp.j] {
				best = min(best, v)
			}
			continue
		}
		for k := sp.i; k < sp.j; k++ {
			if v := s.value(k); v != 0 && v < best {
				best = v
			}
		}
	}
	return finite(best)
}

// minAbs returns the value other than 0 nearest to 0; 0 when there is none.
func (s *Series) minAbs(spans []span) float64 {
	best := math.Inf(1)
	for _, sp := range spans {
		if sp.level > 0 {
			for _, v := range s.levels[sp.level-1].minAbs[sp.i:sp.j] {
				best = nearer(best, v)
			}
			continue
		}
		for k := sp.i; k < sp.j; k++ {
			if v := s.value(k); v != 0 {
				best = nearer(best, v)
			}
		}
	}
	return finite(best)
}

// finite returns v, or 0 if v is the initial +Inf of a search for a minimum.
func finite(v float64) float64 {
	if v == math.Inf(1) {
		return 0
	}
	return v
}

func (s *Series) sum(spans []span) float64 {
	sum := 0.0
	for _, sp := range spans {
		if sp.level > 0 {
			for _, v := range s.levels[sp.level-1].sum[sp.i:sp.j] {
				sum += v
			}
			continue
		}
		for k := sp.i; k < sp.j; k++ {
			sum += s.value(k)
		}
	}
	return sum
}

// notZero returns the number of bursts whose value is not 0.
func (s *Series) notZero(spans []span) int {
	n := 0
	for _, sp := range spans {
		n += s.notZeroIn(sp)
	}
	return n
}

func (s *Series) notZeroIn(sp span) int {
	n := 0
	if sp.level > 0 {
		for _, c := range s.levels[sp.level-1].notZero[sp.i:sp.j] {
			n += int(c)
		}
		return n
	}
	for k := sp.i; k < sp.j; k++ {
		if s.value(k) != 0 {
			n++
		}
	}
	return n
}

// pickNotZero returns the value of the k-th burst whose value is not 0, in the
// order of the spans.
func (s *Series) pickNotZero(spans []span, k int) float64 {
	for _, sp := range spans {
		n := s.notZeroIn(sp)
		if k >= n {
			k -= n
			continue
		}
		for sp.level > 0 { // go down to the entry that contains it
			counts := s.levels[sp.level-1].notZero
			i := sp.i
			for k >= int(counts[i]) {
				k -= int(counts[i])
				i++
			}
			sp = s.below(sp.level, i)
		}
		for i := sp.i; ; i++ {
			if s.value(i) != 0 {
				if k == 0 {
					return s.value(i)
				}
				k--
			}
		}
	}
	return 0
}

// below returns the span that makes up entry i of a level.
func (s *Series) below(level, i int) span {
	if level == 1 {
		return span{0, i * blockSize, min((i+1)*blockSize, s.n)}
	}
	return span{level - 1, i * groupSize, min((i+1)*groupSize, len(s.levels[level-2].min))}
}

// Agg aggregates an interval. Bursts that the interval cuts count
// with their whole value and, where time matters, with the part inside.
type Agg struct {
	First, Count  int     // the bursts are First .. First+Count-1
	NotZero       int     // bursts whose value is not 0
	Min, Max      float64 // of the values; 0 when Count is 0
	MinNotZero    float64 // minimum of the values other than 0; 0 when there is none
	MinAbsNotZero float64 // value other than 0 nearest to 0; 0 when there is none
	Sum           float64 // of the values
	Integral      float64 // of the value over time, in units of the trace
	Time          int64   // inside the series, in units of the trace
	TimeNotZero   int64   // of it, in which the value is not 0
	Last          float64 // value of the last burst
	LastNotZero   float64 // of the last burst whose value is not 0; 0 when there is none
}

// Average returns the mean of the value over time; 0 over no time.
func (a *Agg) Average() float64 {
	if a.Time == 0 {
		return 0
	}
	return a.Integral / float64(a.Time)
}

// Aggregate returns the aggregate of [a,b), over the same bursts as Value.
func (s *Series) Aggregate(a, b int64) Agg {
	i, j, ok := s.cell(a, b)
	if !ok {
		return Agg{}
	}
	var buf [maxSpans]span
	spans := s.spans(i, j, &buf)
	lo, hi := s.extremes(spans)
	g := Agg{
		First: i, Count: j - i, NotZero: s.notZero(spans),
		Min: lo, Max: hi, MinNotZero: s.minNotZero(spans), MinAbsNotZero: s.minAbs(spans),
		Sum: s.sum(spans), Last: s.value(j - 1), LastNotZero: s.lastNotZero(i, j),
	}
	a, b = max(a, 0), min(b, s.end)
	if b > a {
		g.Time = b - a
		g.Integral, g.TimeNotZero = s.overTime(i, j, a, b)
	}
	return g
}

// overTime returns the integral of the value over [a,b), which bursts i..j-1
// cover, and the time in which it is not 0.
func (s *Series) overTime(i, j int, a, b int64) (integral float64, notZero int64) {
	piece := func(k int, from, to int64) {
		if v := s.value(k); v != 0 && to > from {
			integral += v * float64(to-from)
			notZero += to - from
		}
	}
	piece(i, max(a, s.begin(i)), min(b, s.until(i)))
	if j-1 > i {
		piece(j-1, max(a, s.begin(j-1)), min(b, s.until(j-1)))
	}
	if j-i <= 2 {
		return integral, notZero
	}
	var buf [maxSpans]span
	for _, sp := range s.spans(i+1, j-1, &buf) {
		if sp.level > 0 {
			l := &s.levels[sp.level-1]
			for k := sp.i; k < sp.j; k++ {
				integral += l.integral[k]
				notZero += l.timeNot0[k]
			}
			continue
		}
		for k := sp.i; k < sp.j; k++ {
			piece(k, s.begin(k), s.until(k))
		}
	}
	return integral, notZero
}

// lastNotZero returns the last value other than 0 of bursts i..j-1.
func (s *Series) lastNotZero(i, j int) float64 {
	for j > i {
		// Whole blocks of zeros are skipped at the highest level that fits.
		level, size := 0, 1
		for bits := blockBits; level < len(s.levels); bits = groupBits {
			if j%(size<<bits) != 0 || j-size<<bits < i || s.levels[level].notZero[j/(size<<bits)-1] != 0 {
				break
			}
			size <<= bits
			level++
		}
		if level == 0 {
			if v := s.value(j - 1); v != 0 {
				return v
			}
		}
		j -= size
	}
	return 0
}
