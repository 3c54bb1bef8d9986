package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"pview/prv/quantity"
)

// entry is a value with its position in its column.
type entry struct {
	v float64
	i int
}

// ascending returns the values of a column that are numbers, sorted.
func (c Column) ascending() []entry {
	list := make([]entry, 0, len(c.Values))
	for i, v := range c.Values {
		if finite(v) {
			list = append(list, entry{v, i})
		}
	}
	slices.SortFunc(list, func(a, b entry) int {
		switch {
		case a.v < b.v:
			return -1
		case a.v > b.v:
			return 1
		}
		return a.i - b.i
	})
	return list
}

// Distribution returns the empirical distribution function: the share of the values that are at most x.
func Distribution(c Column) *Figure {
	l := Layer{Shape: Steps}
	list := c.ascending()
	l.grow(len(list))
	for k, e := range list {
		l.X, l.Y, l.Refs = append(l.X, e.v), append(l.Y, float64(k+1)/float64(len(list))), append(l.Refs, e.i)
	}
	return &Figure{Title: "distribution of " + c.Name, Note: quantity.CountOf(int64(len(list)), "value"), X: c.axis(),
		Y: Axis{Name: "share of values <= x", Max: 1, Min: 0}, Layers: []Layer{l}}
}

// Exceeding returns the share of the values of a column above a limit, which is the probability of exceeding it, and
// its standard error. Both are NaN without values.
func Exceeding(c Column, limit float64) (p, err float64) {
	n, above := 0.0, 0.0
	for _, v := range c.Values {
		if finite(v) {
			n++
			if v > limit {
				above++
			}
		}
	}
	p = above / n
	return p, math.Sqrt(p * (1 - p) / n)
}

// Maximum number of bars of a histogram, and minimum if values differ.
const (
	mostBars   = 60
	fewestBars = 5
)

// Histogram counts the values of a column in bars of equal, round width: by Freedman and Diaconis, 2 IQR / n^(1/3). A
// bar includes its left edge, not its right.
func Histogram(c Column) *Figure {
	list := c.ascending()
	f := &Figure{Title: "histogram of " + c.Name, Note: quantity.CountOf(int64(len(list)), "value"), X: c.axis(),
		Y: Axis{Name: "count", Zero: true}}
	if len(list) == 0 {
		return f
	}
	width, first := barsOf(list)
	low := list[0].v
	l := Layer{Shape: Columns}
	for _, e := range list {
		k := 0
		if width > 0 {
			k = int(math.Floor(e.v/width) - first)
		}
		for len(l.X) <= k {
			at := (first + float64(len(l.X))) * width
			if width == 0 {
				at = low - 0.5*max(math.Abs(low)*0.01, 1e-9)
			}
			l.X, l.X2, l.Y = append(l.X, at), append(l.X2, at+cmp.Or(width, max(math.Abs(low)*0.01, 1e-9))),
				append(l.Y, 0)
			l.Refs = append(l.Refs, e.i)
		}
		if l.Y[k] == 0 {
			l.Refs[k] = e.i
		}
		l.Y[k]++
	}
	f.Layers = []Layer{l}
	return f
}

// barsOf returns the width of a histogram's bars, and the multiple of it at which the first begins; width 0 if all
// values are the same.
func barsOf(list []entry) (width, first float64) {
	low, high := list[0].v, list[len(list)-1].v
	if low == high {
		return 0, 0
	}
	values := make([]float64, len(list))
	for i, e := range list {
		values[i] = e.v
	}
	spread := stat.Quantile(0.75, stat.Empirical, values, nil) - stat.Quantile(0.25, stat.Empirical, values, nil)
	width = 2 * spread / math.Cbrt(float64(len(list)))
	width = nearStep(min(max(width, (high-low)/mostBars), (high-low)/fewestBars))
	return width, math.Floor(low / width)
}

// Limit divides the bars of a histogram at a limit into two inks, marks it, and says how many values exceed it. c must
// be the column of the histogram.
func (f *Figure) Limit(c Column, limit float64) {
	if p, _ := Exceeding(c, limit); len(f.Layers) == 0 || !finite(p) {
		return
	}
	below, above := f.Layers[0], Layer{Shape: Columns, Ink: Vermilion}
	all := below
	below.X, below.X2, below.Y, below.Refs = nil, nil, nil, nil
	for i := range all.X {
		to := &below
		if all.X[i] >= limit {
			to = &above
		}
		to.X, to.X2, to.Y, to.Refs = append(to.X, all.X[i]), append(to.X2, all.X2[i]), append(to.Y, all.Y[i]),
			append(to.Refs, all.Refs[i])
	}
	f.Layers = []Layer{below, above}
	f.RuleLimit(c, limit)
}

// RuleLimit draws a line at a limit of x, and says how many values exceed it.
func (f *Figure) RuleLimit(c Column, limit float64) {
	if p, err := Exceeding(c, limit); finite(p) {
		f.Rules = append(f.Rules, Rule{At: limit, Ink: Strong, Name: fmt.Sprintf("P(> %s) = %s ± %s", f.X.Text(limit),
			quantity.FormatPercent(p), quantity.FormatPercent(err))})
	}
}
