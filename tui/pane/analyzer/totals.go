package analyzer

import (
	"math"

	"pview/semantic/stat"
)

// total fills in the totals of the columns: those of the histogram, or over the
// rows that have a figure.
func (s *Sheet) total() {
	s.Totals = make([][]float64, len(stat.Totals))
	for i := range s.Totals {
		s.Totals[i] = make([]float64, len(s.Columns))
	}
	for c := range s.Columns {
		if s.sum != nil {
			for i, total := range stat.Totals {
				s.Totals[i][c] = s.sum(total, s.Columns[c].from)
			}
			s.skipsZero = s.skipsZero || s.hasZero(c)
			continue
		}
		var y tally
		for r := range s.Rows {
			if v, ok := s.Cell(r, c); ok {
				y.add(v)
			}
		}
		for i, v := range y.figures() {
			s.Totals[i][c] = v
		}
	}
}

// hasZero reports whether a cell of a column is 0: Paraver's Minimum of a histogram leaves it out, while Average and
// StDev count it.
func (s *Sheet) hasZero(column int) bool {
	for r := range s.Rows {
		if v, ok := s.Cell(r, column); ok && v == 0 {
			return true
		}
	}
	return false
}

// totalName returns the name of a total: Min≠0 says that Minimum skips zeros, as in Paraver.
func (s *Sheet) totalName(t stat.Total) string {
	if t == stat.Minimum && s.skipsZero {
		return "Min≠0"
	}
	return t.String()
}

// tally is the totals of a column of figures of the analyzer's functions. Unlike those of a histogram, zeros count for
// the minimum.
type tally struct {
	n                     int
	sum, square, max, min float64
}

func (y *tally) add(v float64) {
	if y.n == 0 || v > y.max {
		y.max = v
	}
	if y.n == 0 || v < y.min {
		y.min = v
	}
	y.n++
	y.sum += v
	y.square += v * v
}

// figures returns the totals in the order of stat.Totals.
func (y *tally) figures() []float64 {
	if y.n == 0 {
		nan := math.NaN()
		return []float64{nan, nan, nan, nan, nan, nan}
	}
	n := float64(y.n)
	mean := y.sum / n
	return []float64{y.sum, mean, y.max, y.min, math.Sqrt(math.Abs(y.square-y.sum*mean) / n), mean / y.max}
}

// totalDigits returns the decimals of a total: means of integers have two.
func (s *Sheet) totalDigits(t stat.Total, column int) int {
	d := s.Columns[column].digits
	switch t {
	case stat.Average, stat.StDev:
		return max(d, 2)
	case stat.AvgMax:
		return max(d, 3)
	}
	return d
}

// hasTotals reports whether the totals of the columns mean anything: totals over different functions do not.
func (s *Sheet) hasTotals() bool { return !(s.functions && s.Vertical) }
