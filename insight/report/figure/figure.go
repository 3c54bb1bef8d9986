// Package figure defines plots as data: two axes, and layers of points, lines or bars in the units of the axes.
// Histogram, Distribution, RunningMean, Scatter, Tornado, Influence, Waterfall and Matrix make figures from columns of
// values. Package render/plot draws them.
package figure

import (
	"fmt"
	"math"
	"slices"

	"pview/prv/quantity"
)

// Figure is a plot.
type Figure struct {
	Title, Note string
	X, Y        Axis
	Layers      []Layer // the last is on top
	Rules       []Rule
	Marks       []Mark
}

// Axis is a direction of a plot.
type Axis struct {
	Name string
	Kind *quantity.Kind // of the values; nil: numbers without a unit
	Log  bool           // values must be > 0; others are skipped
	Zero bool           // include 0
	// Whole: values are counts, so there are no labels between 4 and 5.
	Whole bool
	// Min and Max are the range in view; if Max <= Min, the range of the data.
	Min, Max float64
	// Names are categories: the i-th is at i and takes one unit. The first is at the left, or at the top.
	Names []string
}

// Text writes a value with its unit.
func (a Axis) Text(v float64) string {
	switch {
	case len(a.Names) > 0:
		if i := int(math.Round(v)); i >= 0 && i < len(a.Names) {
			return a.Names[i]
		}
		return ""
	case !finite(v):
		return "-"
	case a.Kind == nil || len(a.Kind.Shown) == 0:
		return quantity.FormatShort(v)
	}
	return a.Kind.Format(v)
}

// Title returns the name of the axis with the unit of its labels.
func (a Axis) Title(unit string) string {
	switch {
	case unit == "" || a.Name == "":
		return a.Name + unit
	}
	return a.Name + " (" + unit + ")"
}

// Layer is a set of values with one shape and ink. A shape uses the columns that it needs; these have the same length.
// Points with a NaN are skipped.
type Layer struct {
	Name  string // in the legend; "" if none
	Shape Shape
	Ink   Ink
	X, Y  []float64
	X2    []float64 // right edges of bars
	Y2    []float64 // upper edge of a band
	V     []float64 // of tiles
	Text  []string  // in tiles, beside bars
	Refs  []int     // what each point represents, such as the number of a run; nil: its position
}

// grow makes room for n points, to avoid repeated copies when appending.
func (l *Layer) grow(n int) {
	l.X, l.Y, l.Refs = slices.Grow(l.X, n), slices.Grow(l.Y, n), slices.Grow(l.Refs, n)
}

// At returns the value of a line at x, between its neighbours in x; NaN outside of the line.
func (l *Layer) At(x float64) float64 {
	left, right := -1, -1
	for i, v := range l.X {
		if !finite(v) || !finite(l.Y[i]) {
			continue
		}
		if v <= x && (left < 0 || v > l.X[left]) {
			left = i
		}
		if v >= x && (right < 0 || v < l.X[right]) {
			right = i
		}
	}
	switch {
	case left < 0 || right < 0:
		return None
	case l.X[left] == l.X[right]:
		return l.Y[left]
	}
	share := (x - l.X[left]) / (l.X[right] - l.X[left])
	return l.Y[left] + share*(l.Y[right]-l.Y[left])
}

// Ref returns what point i represents.
func (l *Layer) Ref(i int) int {
	if l.Refs == nil {
		return i
	}
	return l.Refs[i]
}

// Rule is a straight line across the whole plot.
type Rule struct {
	At   float64
	Flat bool // at a value of y; else of x
	Ink  Ink
	Name string // in the legend; "" if none
}

// Mark points out a place.
type Mark struct {
	X, Y float64
	Ink  Ink
	Name string // in the legend; "" if none
	Sign rune   // in cells; 0: the glyph set's sign for a point
}

// MarkMeasured marks a measured point and how far a curve is from it; the note has both values.
func (f *Figure) MarkMeasured(at string, x, y, curve float64) {
	off := quantity.FormatChange(curve/y - 1)
	f.Marks = append(f.Marks, Mark{X: x, Y: y, Ink: Strong, Name: "measured (curve " + off + ")"})
	f.Note = fmt.Sprintf("measured %s: %s, curve %s (%s)", at, f.Y.Text(y), f.Y.Text(curve), off)
}

// Column is a list of values with a name: the values of an input or output of many runs, say.
type Column struct {
	Name   string
	Kind   *quantity.Kind
	Values []float64 // NaN: none
}

func (c Column) axis() Axis { return Axis{Name: c.Name, Kind: c.Kind} }

// finite reports whether v is a number.
func finite(v float64) bool { return v-v == 0 }

// None is the value that stands for "no value".
var None = math.NaN()

// Varies reports whether a column has more than one value.
func (c Column) Varies() bool {
	greatest, least := c.Extremes()
	return greatest >= 0 && c.Values[greatest] > c.Values[least]
}

// Extremes returns the positions of the greatest and of the least value, the first of equal ones; -1 without any.
func (c Column) Extremes() (greatest, least int) {
	greatest, least = -1, -1
	for i, v := range c.Values {
		if !finite(v) {
			continue
		}
		if greatest < 0 || v > c.Values[greatest] {
			greatest = i
		}
		if least < 0 || v < c.Values[least] {
			least = i
		}
	}
	return greatest, least
}

// Logarithmic reports whether the values of a column are > 0 and grow by factors rather than by steps: their geometric
// mean is nearer to their middle, on a logarithmic scale, than their mean is on a linear one.
func (c Column) Logarithmic() bool {
	greatest, least := c.Extremes()
	if greatest < 0 || c.Values[least] <= 0 || c.Values[greatest] < 10*c.Values[least] {
		return false
	}
	low, high := c.Values[least], c.Values[greatest]
	sum, logs, n := 0.0, 0.0, 0.0
	for _, v := range c.Values {
		if finite(v) {
			sum, logs, n = sum+(v-low)/(high-low), logs+math.Log(v/low)/math.Log(high/low), n+1
		}
	}
	return math.Abs(logs/n-0.5) < math.Abs(sum/n-0.5)
}
