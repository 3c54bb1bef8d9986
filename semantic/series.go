package semantic

import (
	"math"
	"sort"
)

// Series is the value of one object over the whole trace: a piecewise-constant
// function of time in bursts [begin,end) that follow one another from 0 to the
// end of the trace. It is immutable and safe for concurrent reading.
//
// A new burst begins at each record that the window's function listens to, even
// when the value does not change, and bursts of length zero exist where records
// share a time: counting needs both. Painting and measuring do not look at the
// bursts one by one but at the aggregates above them (see pyramid), so that any
// interval costs O(log n).
type Series struct {
	begins []int64
	values []float64
	end    int64
	pyramid
}

// newSeries builds the series of a row. The row's columns become its own.
func newSeries(b bursts) *Series {
	s := &Series{begins: b.begin, values: b.value, end: b.end}
	s.pyramid = newPyramid(s)
	return s
}

// FromBursts returns a series of given columns, for rows that do not come from
// a trace. begin must start with 0 and not decrease; end must not be less than
// its last; neither column must be changed afterwards.
func FromBursts(begin []int64, value []float64, end int64) *Series {
	return newSeries(bursts{begin, value, end})
}

// Len returns the number of bursts; at least 1.
func (s *Series) Len() int { return len(s.begins) }

// End returns the end of the last burst: the trace's Duration.
func (s *Series) End() int64 { return s.end }

// Burst returns burst i: its interval [begin,end) and its value.
func (s *Series) Burst(i int) (begin, end int64, v float64) {
	return s.begin(i), s.begin(i + 1), s.value(i)
}

// begin returns the begin of burst i; that of the burst after the last is the end.
func (s *Series) begin(i int) int64 {
	if i < len(s.begins) {
		return s.begins[i]
	}
	return s.end
}

func (s *Series) value(i int) float64 { return s.values[i] }

// At returns the burst that covers t: of several that begin at t the last, which
// is the one with a length. Times before 0 give the first burst, times from the
// end on the last.
func (s *Series) At(t int64) int { return max(0, s.search(t+1)-1) }

// search returns the first burst that begins at t or later, Len if none does.
func (s *Series) search(t int64) int {
	return sort.Search(len(s.begins), func(i int) bool { return s.begins[i] >= t })
}

// Next returns the first burst that begins after t; ok is false when none does.
func (s *Series) Next(t int64) (i int, ok bool) {
	i = s.search(t + 1)
	return i, i < s.Len()
}

// Prev returns the last burst that begins before t; ok is false when none does.
func (s *Series) Prev(t int64) (i int, ok bool) {
	i = s.search(t) - 1
	return i, i >= 0
}

// cell returns the bursts i..j-1 that a cell [a,b) shows: those that reach into
// it, and those of length zero that lie in it. A cell of no length shows the burst
// that covers a. ok is false when the cell lies outside the series.
func (s *Series) cell(a, b int64) (i, j int, ok bool) {
	if b <= a {
		b = a + 1
	}
	if b <= 0 || a > s.end || a == s.end && s.end > 0 {
		return 0, 0, false
	}
	i = s.search(a)
	if i == s.Len() || s.begin(i) > a {
		i = max(0, i-1)
	}
	return i, max(i+1, s.search(b)), true
}

// Value returns the value that a cell which covers [a,b) shows under a draw mode;
// ok is false when the cell lies outside the series. Random modes answer the same
// for the same seed and cell.
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

// Agg is what is known of an interval. Bursts that the interval cuts count
// with their whole value and, where time matters, with the part inside.
type Agg struct {
	Count, CountNotZero      int     // bursts
	Min, Max                 float64 // of the values; 0 when Count is 0
	MinNotZero               float64 // least value other than 0; 0 when there is none
	MinAbsNotZero            float64 // value other than 0 nearest to 0; 0 when there is none
	Sum                      float64 // of the values
	Integral                 float64 // of the value over time, in units of the trace
	Time, TimeNotZero        int64   // inside, in units of the trace
	First, Last, LastNotZero float64
	FirstBurst, AfterBurst   int // the bursts are FirstBurst .. AfterBurst-1
}

// MaxAbs returns the value furthest from 0.
func (a *Agg) MaxAbs() float64 {
	if math.Abs(a.Min) > math.Abs(a.Max) {
		return a.Min
	}
	return a.Max
}

// Average returns the mean of the value over time; 0 over no time.
func (a *Agg) Average() float64 {
	if a.Time == 0 {
		return 0
	}
	return a.Integral / float64(a.Time)
}
