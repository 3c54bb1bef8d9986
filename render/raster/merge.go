// Merging rows: more objects than lines.
//
// The draw mode for rows works on the rows' values in a column, like the one for time on the bursts in a cell.

package raster

import (
	"math"
	"slices"

	"pview/semantic/series"
)

// merger collects the values of the rows of one sub-line. It reuses its memory.
type merger struct {
	mode   series.DrawMode
	w, n   int
	values []float64 // row by row
	column []float64
	stack  stacker
	sparse bool // see Modes
	pool   [][]series.Share
}

// begin starts a sub-line of up to rows rows and w columns.
func (m *merger) begin(mode series.DrawMode, rows, w int) {
	m.mode, m.w, m.n = mode, w, 0
	m.values = slices.Grow(m.values[:0], rows*w)[:rows*w]
}

// next returns the line to be filled with the next row's values.
func (m *merger) next() []float64 {
	m.n++
	line := m.values[(m.n-1)*m.w : m.n*m.w]
	for i := range line {
		line[i] = Absent
	}
	return line
}

// into writes the merged values.
func (m *merger) into(line []float64, seed uint64) {
	for x := range line {
		m.column = m.column[:0]
		for r := range m.n {
			if v := m.values[r*m.w+x]; !IsAbsent(v) {
				m.column = append(m.column, v)
			}
		}
		if m.sparse && slices.ContainsFunc(m.column, isNotZero) {
			m.column = slices.DeleteFunc(m.column, func(v float64) bool { return v == 0 })
		}
		if len(m.column) > 0 {
			line[x] = mergeValues(m.column, m.mode, mix(seed^uint64(x)))
		}
	}
}

func isNotZero(v float64) bool { return v != 0 }

// mergeValues merges values (at least one) by a draw mode, and may overwrite them. Modes that skip 0 return 0 if there
// are no other values.
func mergeValues(v []float64, mode series.DrawMode, seed uint64) float64 {
	switch mode {
	case series.MinimumNotZero, series.MinimumAbsoluteNotZero, series.RandomNotZero, series.AverageNotZero:
		v = slices.DeleteFunc(v, func(x float64) bool { return x == 0 })
		if len(v) == 0 {
			return 0
		}
	}
	switch mode {
	case series.Last:
		return v[len(v)-1]
	case series.MinimumNotZero:
		return pick(v, func(x, best float64) bool { return x < best })
	case series.MaximumAbsolute:
		return pick(v, func(x, best float64) bool { return math.Abs(x) > math.Abs(best) })
	case series.MinimumAbsoluteNotZero:
		return pick(v, func(x, best float64) bool { return math.Abs(x) < math.Abs(best) })
	case series.Random, series.RandomNotZero:
		return v[seed%uint64(len(v))]
	case series.Average, series.AverageNotZero:
		sum := 0.0
		for _, x := range v {
			sum += x
		}
		return sum / float64(len(v))
	case series.MostTime, series.Proportional:
		return mostFrequent(v)
	}
	return pick(v, func(x, best float64) bool { return x > best })
}

// pick returns the first of the best values.
func pick(v []float64, better func(x, best float64) bool) float64 {
	best := v[0]
	for _, x := range v[1:] {
		if better(x, best) || best != best {
			best = x
		}
	}
	return best
}

// mostFrequent returns the value that occurs most often: on a tie the one that reached the count first, like Paraver's
// function Mode. Rows mostly agree, so the list of distinct values is short.
func mostFrequent(v []float64) float64 {
	const few = 16
	var (
		seen  [few]float64
		count [few]int
	)
	best, most, n := v[0], 0, 0
next:
	for _, x := range v {
		for k := range n {
			if seen[k] == x {
				if count[k]++; count[k] > most {
					best, most = x, count[k]
				}
				continue next
			}
		}
		if n == few {
			return mostFrequentOfMany(v)
		}
		seen[n], count[n] = x, 1
		n++
		if x == x && most == 0 {
			best, most = x, 1
		}
	}
	return best
}

func mostFrequentOfMany(v []float64) float64 {
	count := make(map[float64]int)
	best, most := v[0], 0
	for _, x := range v {
		if count[x]++; count[x] > most {
			best, most = x, count[x]
		}
	}
	return best
}
