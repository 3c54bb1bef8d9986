// The values that a grid shows, in how many cells and for how long: for the legend, and for the scale that fits the
// visible values.

package raster

import (
	"math"

	"pview/semantic/series"
)

// seen returns the grid's distinct values except Absent, in no particular order, and the number of cells with a value.
// The result is valid until the grid is sampled again.
func (g *Grid) seen() (found []tallied, total int) {
	if !g.counted {
		g.counted = true
		g.tally.reset()
		if g.W == 0 {
			g.tally.line(g.V, 1)
		}
		for i, s := range g.second { // in eighths of cells
			n := s.eighths()
			g.tally.add(g.V[i], 8-n)
			g.tally.add(s.value, n)
		}
		for y := 0; y < g.H && g.W > 0 && len(g.second) == 0; {
			same := 1 // sub-lines
			for y+same < g.H && g.repeats(y+same) {
				same++
			}
			g.tally.line(g.Line(y), same)
			y += same
		}
	}
	return g.tally.found, g.tally.total
}

// sharesTime reports whether cells show the values that hold longest.
func (m Modes) sharesTime() bool {
	return m.Time == series.Proportional || m.Time == series.MostTime
}

// AddTimes adds up how long each value holds until end in the sampled rows, unless one has too many values: for the
// legend when cells show the values that hold longest.
func (g *Grid) AddTimes(rows []*series.Series, m Modes, end int64) {
	if !m.sharesTime() {
		return
	}
	first := min(max(g.Layout.First, 0), len(rows))
	for _, row := range rows[first:min(first+g.Layout.Visible(), len(rows))] {
		if row == nil {
			continue
		}
		if _, few := row.Distinct(); !few {
			g.times.reset()
			return
		}
		row.Times(g.Axis.Begin, max(end, g.Axis.Begin), func(v float64, time int64) { g.times.add(v, int(time)) })
	}
}

// share returns a value's part of the picture, 0..1: of its time if that is known, since cells lose values that hold
// for a small part of each; else of its cells.
func (g *Grid) share(f tallied, cells int) float64 {
	if g.times.total == 0 {
		return float64(f.n) / float64(cells)
	}
	time := 0
	if k := *g.times.slot(f.value); k > 0 {
		time = g.times.found[k-1].n
	}
	return float64(time) / float64(g.times.total)
}

// tally counts how often values occur: a hash table with open addressing, which grows with the number of values.
type tally struct {
	slots []int32 // place in found + 1; 0: free. A power of two.
	found []tallied
	total int
}

type tallied struct {
	value float64
	n     int // cells, or time
}

// reset forgets what was counted.
func (t *tally) reset() {
	size := 64
	for size <= 2*len(t.found) { // expects as many values as last time
		size *= 2
	}
	t.found, t.total = t.found[:0], 0
	t.rehash(size)
}

// line counts the values of a line that is shown n times, run by run: neighbours are often the same.
func (t *tally) line(v []float64, n int) {
	for i := 0; i < len(v); {
		bits := math.Float64bits(v[i])
		j := i + 1
		for j < len(v) && math.Float64bits(v[j]) == bits {
			j++
		}
		t.add(v[i], n*(j-i))
		i = j
	}
}

// add counts value v n times.
func (t *tally) add(v float64, n int) {
	if IsAbsent(v) || n == 0 {
		return
	}
	t.total += n
	slot := t.slot(v + 0) // -0 is 0
	if *slot == 0 {
		if 2*len(t.found) >= len(t.slots) {
			t.rehash(2 * len(t.slots))
			slot = t.slot(v + 0)
		}
		t.found = append(t.found, tallied{value: v + 0})
		*slot = int32(len(t.found))
	}
	t.found[*slot-1].n += n
}

// slot returns the slot of v, or the free one where it belongs.
func (t *tally) slot(v float64) *int32 {
	bits, mask := math.Float64bits(v), uint64(len(t.slots)-1)
	for h := bits * 0x9e3779b97f4a7c15 >> 48 & mask; ; h = (h + 1) & mask {
		if s := &t.slots[h]; *s == 0 || math.Float64bits(t.found[*s-1].value) == bits {
			return s
		}
	}
}

// rehash resizes the table to size slots and reinserts its entries.
func (t *tally) rehash(size int) {
	if len(t.slots) == size {
		clear(t.slots)
	} else {
		t.slots = make([]int32, size)
	}
	for i, f := range t.found {
		*t.slot(f.value) = int32(i + 1)
	}
}
