// Which values a grid shows, and in how many cells: for the legend, and for the scale that fits what is visible.

package raster

import "math"

// seen returns the distinct values of the grid but Absent, in no order, and the number of cells that have one. The result is
// valid until the grid is sampled again.
func (g *Grid) seen() (found []tallied, total int) {
	if !g.counted {
		g.counted = true
		g.tally.reset()
		if g.W == 0 {
			g.tally.line(g.V, 1)
		}
		for y := 0; y < g.H && g.W > 0; {
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

// tally counts how often values occur: a hash table with open addressing, which grows with the values that it has found.
type tally struct {
	slots []int32 // place in found + 1; 0: free. A power of two.
	found []tallied
	total int
}

type tallied struct {
	value float64
	n     int
}

// reset forgets what was counted.
func (t *tally) reset() {
	size := 64
	for size <= 2*len(t.found) { // what was found last time is what is to be expected
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

// add counts n cells of value v.
func (t *tally) add(v float64, n int) {
	if IsAbsent(v) {
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

// slot returns the slot of v, or the one to put it into.
func (t *tally) slot(v float64) *int32 {
	bits, mask := math.Float64bits(v), uint64(len(t.slots)-1)
	for h := bits * 0x9e3779b97f4a7c15 >> 48 & mask; ; h = (h + 1) & mask {
		if s := &t.slots[h]; *s == 0 || math.Float64bits(t.found[*s-1].value) == bits {
			return s
		}
	}
}

// rehash makes the table size slots large and puts in what is found.
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
