package stat

import (
	"fmt"
	"math"
	"strconv"

	"pview/semantic"
)

// How values become column numbers.

// autoColumns is the number of columns of an automatic scale, and the greatest
// span of codes that has a column for each: preferences of Paraver as shipped.
const (
	autoColumns = 200
	autoSpan    = 10000
)

// maxCells bounds planes times columns: a scale is a claim of a file, not a fact.
const maxCells = 1 << 24

// divided is a scale with its limits known.
type divided struct {
	min, max, delta float64
	n               int
}

// single is the scale of what has no third dimension.
var single = divided{n: 1}

// divide fixes the columns of a scale; lo and hi are the extremes of the
// window's values in the range, which automatic scales take.
func (s Scale) divide(lo, hi float64) (divided, error) {
	d := divided{min: s.Min, max: s.Max, delta: s.Delta}
	count := s.Count
	if s.Auto {
		d.min, d.max, d.delta, count = lo, hi+(hi-lo)*0.05, 1, autoColumns
		if s.Codes && hi-lo <= autoSpan {
			d.max, count = math.Floor(d.max), 0
		}
	}
	if count > 0 {
		d.delta = (d.max - d.min) / float64(count)
	}
	switch {
	case !finite(d.min) || !finite(d.max) || d.max < d.min:
		return d, fmt.Errorf("the scale from %g to %g is none", d.min, d.max)
	case d.max == d.min:
		d.n = 1
		if d.delta <= 0 || !finite(d.delta) {
			d.delta = 1
		}
		return d, nil
	case !(d.delta > 0) || !finite(d.delta):
		return d, fmt.Errorf("a scale from %g to %g in steps of %g is none", d.min, d.max, d.delta)
	}
	columns := math.Ceil((d.max - d.min) / d.delta)
	if count > 0 {
		columns = float64(count)
	}
	if d.delta == 1 && d.min+columns*d.delta <= d.max {
		columns++
	}
	if columns > maxCells {
		return d, fmt.Errorf("a scale from %g to %g in steps of %g has %g columns, more than the %d that can be", d.min, d.max, d.delta, columns, maxCells)
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

// columns lists the columns with the names of a window's values.
func (d *divided) columns(names *semantic.Labels) []Column {
	list := make([]Column, d.n)
	codes := d.delta == 1 && d.min == math.Trunc(d.min)
	for i := range list {
		c := &list[i]
		c.Index, c.Low, c.High = i, d.min+float64(i)*d.delta, d.min+float64(i+1)*d.delta
		if i == d.n-1 {
			c.High, c.Closed = d.max, true
		}
		if codes {
			c.Name, c.High = names.Name(c.Low), c.Low+1
		}
	}
	return list
}

// Label returns the name of the value that the column stands for, or of the object;
// else its limits "[a..b)" with the given number of decimals, as few as are needed
// where that is negative.
func (c *Column) Label(precision int) string {
	if c.Name != "" {
		return c.Name
	}
	end := ")"
	if c.Closed {
		end = "]"
	}
	return "[" + thousands(c.Low, precision) + ".." + thousands(c.High, precision) + end
}

// thousands writes a number with a comma before every three digits.
func thousands(v float64, precision int) string {
	s := strconv.FormatFloat(v, 'f', precision, 64)
	first := 0
	if v < 0 {
		first = 1
	}
	point := len(s)
	for i := range s {
		if s[i] == '.' {
			point = i
			break
		}
	}
	for i := point - 3; i > first; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
