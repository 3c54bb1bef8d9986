package stat

import (
	"fmt"
	"math"

	"pview/prv/quantity"
	"pview/semantic"
	"pview/semantic/label"
)

// From values to column numbers.

// Preferences of Paraver as shipped: the number of columns or planes of an automatic scale, and the greatest span of
// codes with a column for each.
const (
	autoColumns = 200
	autoSpan    = 10000
)

// maxCells bounds planes times columns: a scale is only a claim of a file.
const maxCells = 1 << 24

// divided is a scale with its limits known.
type divided struct {
	min, max, delta float64
	n               int
}

// single is the scale of histograms without a third dimension.
var single = divided{n: 1}

// columns fixes the columns of a scale; lo and hi are the extremes of the window's values
// in the range, which automatic scales take.
func (s Scale) columns(lo, hi float64) (divided, error) {
	if !s.Auto {
		return divide(s.Min, s.Max, s.Delta, s.Count)
	}
	if s.Bins > 0 && lo < hi {
		return divide(lo, hi, 1, s.Bins)
	}
	hi += (hi - lo) * 0.05
	if s.Codes && hi-lo <= autoSpan {
		return divide(lo, math.Floor(hi), 1, 0)
	}
	return divide(lo, hi, 1, autoColumns)
}

// planes is columns for planes: an automatic scale of these ends at the greatest value.
func (s Scale) planes(lo, hi float64) (divided, error) {
	switch {
	case !s.Auto:
		return divide(s.Min, s.Max, s.Delta, s.Count)
	case s.Codes || lo == hi:
		return divide(lo, hi, 1, 0)
	}
	return divide(lo, hi, 1, autoColumns)
}

// divide splits the values from lo to hi into columns of width delta, or into count columns if that is not 0. If lo >
// hi there is one column, into which no value falls.
func divide(lo, hi, delta float64, count int) (divided, error) {
	d := divided{min: lo, max: hi, delta: delta}
	if count > 0 {
		d.delta = (hi - lo) / float64(count)
	}
	switch {
	case !finite(lo) || !finite(hi):
		return d, fmt.Errorf("a scale from %g to %g has no limits", lo, hi)
	case hi <= lo:
		d.n = 1
		if d.delta <= 0 || !finite(d.delta) {
			d.delta = 1
		}
		return d, nil
	case !(d.delta > 0) || !finite(d.delta):
		return d, fmt.Errorf("a scale from %g to %g cannot have steps of %g", lo, hi, d.delta)
	}
	columns := math.Ceil((hi - lo) / d.delta)
	if count > 0 {
		columns = float64(count)
	}
	if d.delta == 1 && lo+columns <= hi {
		columns++
	}
	if columns > maxCells {
		return d, fmt.Errorf("a scale from %g to %g in steps of %g has %g columns; the limit is %d", lo, hi, d.delta,
			columns, maxCells)
	}
	d.n = int(columns)
	return d, nil
}

func finite(v float64) bool { return !math.IsInf(v, 0) && !math.IsNaN(v) }

// column returns the number of the column of a value, -1 outside of the scale.
func (d *divided) column(v float64) int {
	if !(v >= d.min && v <= d.max) {
		return -1
	}
	return min(int((v-d.min)/d.delta), d.n-1)
}

// list returns the columns. If there is one for each whole number, they have the names of the window's values. The
// limits are computed in Paraver's order of operations, which decides their last digits.
func (d *divided) list(names *label.Set) []Column {
	list := make([]Column, d.n)
	codes := d.delta == 1 && d.min == math.Trunc(d.min)
	for i := range list {
		c := &list[i]
		low := float64(i)*d.delta + d.min
		c.Index, c.Low, c.High = i, low, low+d.delta
		switch {
		case codes && names.Meaning() == semantic.Times:
			c.Unit = names.Unit().String()
		case codes:
			c.Name = names.Name(low)
		case i == d.n-1:
			c.short = c.High < d.max
			c.High, c.Closed = d.max, true
		}
	}
	return list
}

// Label returns the name of the column's value or object; else its limits "[a..b)" with the given number of decimals,
// as few as possible if that is negative. Nanoseconds have none.
func (c *Column) Label(precision int) string {
	switch {
	case c.Name != "":
		return c.Name
	case c.Unit == semantic.Nanoseconds.String():
		return quantity.FormatGrouped(c.Low, 0) + " " + c.Unit
	case c.Unit != "":
		return quantity.FormatGrouped(c.Low, precision) + " " + c.Unit
	}
	end := ")"
	if c.Closed && !c.short {
		end = "]"
	}
	return "[" + quantity.FormatGrouped(c.Low, precision) + ".." + quantity.FormatGrouped(c.High, precision) + end
}
