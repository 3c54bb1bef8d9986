// Event flags: a mark wherever a row has events.

package raster

import (
	"slices"
	"sort"
)

// Flags draws one mark per cell, which differs for one event, a few and many.
type Flags struct {
	Look
	Axis   Axis
	Layout Layout

	counts []int // per column of the line being drawn
}

// Draw draws the flags of the visible rows on c, each on the row's first line, and keeps the cells' colours. times
// returns the times of a row's events that pass the filter, in sorted columns: one per thread of the row. Draw returns
// the number of events in view. It moves through the columns by binary search, so that the cost does not grow with the
// number of events.
func (f *Flags) Draw(c Canvas, times func(row int) [][]int64) (events int) {
	split := f.Layout.split()
	for y := range c.H {
		f.counts = slices.Grow(f.counts[:0], c.W)[:c.W]
		clear(f.counts)
		for s := y * split; s < (y+1)*split; s++ {
			lo, hi := f.Layout.RowsAt(s)
			for row := lo; row < hi; row++ {
				if top, _ := f.Layout.Place(row); !f.Layout.Merged() && top != s {
					continue // not the row's first sub-line
				}
				for _, t := range times(row) {
					f.count(t)
				}
			}
		}
		for x, n := range f.counts {
			events += n
			f.mark(c, x, y, n)
		}
	}
	return events
}

// count adds the events of one column of times to counts.
func (f *Flags) count(t []int64) {
	axis := f.Axis
	w := min(axis.W, len(f.counts))
	last := max(axis.Begin, axis.End) // the last time in view
	if !axis.Closed && axis.Span() > 0 {
		last--
	}
	i := sort.Search(len(t), func(i int) bool { return t[i] >= axis.Begin })
	if axis.Span() < uint64(max(w, 1)) { // several columns per unit of time: the first is marked
		for ; i < len(t) && t[i] <= last; i++ {
			if x, _, ok := axis.Columns(t[i]); ok && x < w {
				f.counts[x]++
			}
		}
		return
	}
	for x := 0; x < w && i < len(t); x++ {
		through := last
		if x < axis.W-1 {
			through = axis.Time(x+1) - 1
		}
		n := gallop(t[i:], through)
		f.counts[x] += n
		i += n
	}
}

// gallop returns the number of leading elements of t that are not above last; its cost is the logarithm of the result.
func gallop(t []int64, last int64) int {
	if len(t) == 0 || t[0] > last {
		return 0
	}
	step := 1
	for step < len(t) && t[step] <= last {
		step *= 2
	}
	from := step / 2
	return from + sort.Search(min(step, len(t))-from, func(i int) bool { return t[from+i] > last })
}

func (f *Flags) mark(c Canvas, x, y, n int) {
	if n == 0 {
		return
	}
	cell := c.At(x, y)
	ground := f.ground(cell)
	switch {
	case n == 1:
		cell.Rune = f.Glyphs.Flag
	case n < 10:
		cell.Rune = f.Glyphs.FlagSome
	default:
		cell.Rune = f.Glyphs.FlagMany
	}
	cell.BG = ground
	if cell.FG = f.Theme.Text; cell.BG.IsSet() {
		cell.FG = cell.BG.Contrast()
	}
	c.Set(x, y, cell)
}
