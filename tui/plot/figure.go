// Package plot draws figures: curves, clouds of points, histograms, empirical distributions, running means with their
// confidence band, tornadoes and matrices. It knows nothing of Bubble Tea, of keys or of studies.
//
// A Figure is data: two axes, and layers of points, lines or bars in the units of the axes. Scatter, Histogram,
// Distribution, RunningMean, Tornado and Matrix make figures of columns of values. What a layer looks like is the
// matter of its Shape, which draws by a Pen, in shares of the plot's width and height. There are two pens: Draw has one
// of cells (braille, eighths of blocks, colours of the theme), and package picture has one of ink, for files.
package plot

import "pview/prv/quantity"

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
	Log  bool           // values must be > 0; others are left out
	Zero bool           // 0 is in view
	// Min and Max are the range in view; where Max <= Min it is that of the data.
	Min, Max float64
	// Names are categories: the i-th stands at i, and takes one unit. The first is at the left, or at the top.
	Names []string
}

// Layer is values that are drawn alike. A shape uses the columns that it needs; they are equally long. Points with a NaN
// are left out.
type Layer struct {
	Name  string // in the legend; "" for none
	Shape *Shape
	Ink   Ink
	X, Y  []float64
	X2    []float64 // right edges of bars
	Y2    []float64 // upper edge of a band
	V     []float64 // of tiles
	Text  []string  // in tiles
	Refs  []int     // what each point stands for, such as the number of a run; nil: its position
}

// Ref returns what point i stands for.
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
	Name string // in the legend; "" for none
}

// Mark points out a place.
type Mark struct {
	X, Y float64
	Ink  Ink
	Name string // in the legend; "" for none
	Sign rune   // in cells; 0: the glyph set's own for a point
}

// Column is a list of values with a name: the values of an input or output of many runs, say.
type Column struct {
	Name   string
	Kind   *quantity.Kind
	Values []float64 // NaN: there is none
}

func (c Column) axis() Axis { return Axis{Name: c.Name, Kind: c.Kind} }

// finite reports whether v is a number.
func finite(v float64) bool { return v-v == 0 }
