package stat

import (
	"math"

	"pview/prv"
	"pview/semantic"
)

// sums accumulates the pieces that fall into a cell: enough for every statistic. Times are in units of the trace, so
// that their sums are exact (if the range begins and ends on whole units). But where Paraver multiplies before it adds,
// durations are in the unit of the window named, which decides the last digits.
type sums struct {
	time     float64 // of d
	timeNot0 float64 // of d where the control window is not 0
	timeData float64 // of d where v is not 0
	n, nNot0 int64   // pieces; those with v not 0
	length   float64 // of d, control window
	square   float64 // of d*d, control window
	integral float64 // of v*d
	absolute float64 // of |v|*d, data window
	sum      float64 // of v
	max, min float64 // of v
}

// add counts a piece: its duration d, also in the units of the windows, and the values in it.
func (c *sums) add(d, inControl, inData, control, v float64) {
	if c.n == 0 {
		c.max, c.min = v, v
	}
	c.n++
	c.time += d
	c.length += inControl
	c.square += inControl * inControl
	if control != 0 {
		c.timeNot0 += d
	}
	if v != 0 {
		c.timeData += d
		c.nNot0++
		c.integral += v * d
		c.absolute += math.Abs(v) * inData
		c.sum += v
	}
	c.max, c.min = max(c.max, v), min(c.min, v)
}

// stdev returns the standard deviation of the durations. For equal durations, it differs from 0 exactly as Paraver's
// does.
func (c *sums) stdev() float64 {
	n := float64(c.n)
	mean := c.length / n
	return math.Sqrt(math.Abs(c.square/n - mean*mean))
}

// deviation returns the standard deviation of n numbers from their sum and sum of squares. It keeps Paraver's order of
// operations, which decides the last digits and the result for equal numbers.
func deviation(n, sum, square float64) float64 {
	mean := sum / n
	return math.Sqrt(math.Abs((square - n*float64(mean*mean)) / n))
}

// commSums accumulates the communications of a cell.
type commSums struct{ send, recv messages }

// messages sums up messages. Bytes and waits are float64, as in Paraver: exact up to 2^53, and never negative above.
type messages struct {
	n, min, max int64
	bytes       float64
	late        float64 // wait of the other end
}

func (m *messages) add(size int64) {
	if m.n == 0 {
		m.min, m.max = size, size
	}
	m.n++
	m.bytes += float64(size)
	m.min, m.max = min(m.min, size), max(m.max, size)
}

// whole holds the sums of a row over the columns of a plane.
type whole struct {
	time, timeNot0 float64
	n              int64
}

// frame is the context of a cell.
type frame struct {
	whole
	length        float64 // of the range
	control, data measure
}

// measure converts durations of the trace to the unit of a window. At most one of the factors differs from 1, so that a
// conversion rounds once.
type measure struct{ mul, div float64 }

func newMeasure(t prv.Unit, u semantic.Unit) measure {
	f, to := t.Nanoseconds(), semantic.Units[u].Nanoseconds
	if f >= to {
		return measure{float64(f / to), 1}
	}
	return measure{1, float64(to) / float64(f)}
}

func (m measure) of(d float64) float64 { return d * m.mul / m.div }

// perUnit returns the length of the window's unit in units of the trace.
func (m measure) perUnit() float64 { return m.div / m.mul }

// store gathers the cells of one row. Cells are kept in the order of their first piece, with a table from a cell's
// number to its place, so that rows of many columns with few cells cost little.
type store[S any] struct {
	place []int32 // place of cell number i in list + 1; 0 if it does not exist
	cell  []int32
	list  []S
}

func (s *store[S]) at(cell int) *S {
	p := s.place[cell]
	if p == 0 {
		var zero S
		s.cell = append(s.cell, int32(cell))
		s.list = append(s.list, zero)
		p = int32(len(s.list))
		s.place[cell] = p
	}
	return &s.list[p-1]
}

// rowCells holds the existing cells of a row, by number.
type rowCells[S any] struct {
	cell []int32
	list []S
}
