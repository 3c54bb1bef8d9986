package raster

import "sort"

// Flags draws a mark wherever a row has events: one mark per cell, that tells one
// event from a few and from many.
type Flags struct {
	Look
	Axis   Axis
	Layout Layout
}

// Draw draws the flags of a row on c, on the row's first line. times are the
// events that pass the filter, in sorted columns: one per thread of the row. It
// returns the number of events in view. Rows that share their line with others
// add to its marks.
func (f *Flags) Draw(c Canvas, row int, times ...[]int64) (events int) {
	top, _ := f.Layout.Place(row)
	y := top / f.Layout.split()
	for x := range min(c.W, f.Axis.W) {
		n := 0
		for _, t := range times {
			n += countIn(t, f.Axis, x)
		}
		events += n
		if n > 0 && top >= 0 && y < c.H {
			cell := c.At(x, y)
			cell.Rune, cell.FG = f.Glyphs.Flag, cell.BG.Contrast()
			c.Set(x, y, cell)
		}
	}
	return events
}

func countIn(t []int64, axis Axis, x int) int {
	a, b := axis.Bounds(x)
	return sort.Search(len(t), func(i int) bool { return t[i] >= b }) - sort.Search(len(t), func(i int) bool { return t[i] >= a })
}
