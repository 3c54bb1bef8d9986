package figure

import (
	"cmp"
	"math"
	"slices"

	"pview/prv/quantity"
)

// Swing has an output at the low and at the high end of an input.
type Swing struct {
	Name      string
	Low, High float64
}

// Tornado ranks inputs by how far they move an output from a base: the widest bar is at the top.
func Tornado(output Column, base float64, swings []Swing) *Figure {
	order := make([]int, len(swings))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		width := func(s Swing) float64 { return max(s.Low, s.High, base) - min(s.Low, s.High, base) }
		return cmp.Compare(width(swings[b]), width(swings[a]))
	})
	low, high := Layer{Name: "low", Shape: Bars, Ink: Sky}, Layer{Name: "high", Shape: Bars, Ink: Vermilion}
	f := &Figure{Title: "influence on " + output.Name, X: output.axis(), Rules: []Rule{{At: base, Ink: Strong}}}
	for row, i := range order {
		s := swings[i]
		f.Y.Names = append(f.Y.Names, s.Name)
		for _, side := range []struct {
			of *Layer
			to float64
		}{{&low, s.Low}, {&high, s.High}} {
			if finite(side.to) {
				l := side.of
				l.X, l.X2, l.Y, l.Refs = append(l.X, base), append(l.X2, side.to), append(l.Y, float64(row)),
					append(l.Refs, i)
			}
		}
	}
	f.Layers = []Layer{low, high}
	return f
}

// Matrix returns a figure of a value per row and column, as tiles in the colours of a gradient with the values in them.
func Matrix(title string, rows, columns []string, value func(row, column int) float64) *Figure {
	l := Layer{Shape: Tiles}
	for r := range rows {
		for c := range columns {
			v := value(r, c)
			text := ""
			if !math.IsNaN(v) {
				text = quantity.FormatShort(v)
			}
			l.X, l.Y, l.V, l.Text = append(l.X, float64(c)), append(l.Y, float64(r)), append(l.V, v),
				append(l.Text, text)
		}
	}
	return &Figure{Title: title, X: Axis{Names: columns}, Y: Axis{Names: rows}, Layers: []Layer{l}}
}

// tail is the share of the runs at either end of an input whose mean output is compared: at least one of them.
const tail = 0.1

// Influence returns the tornado of random inputs: the mean output over the tenth of the runs with the lowest values of
// an input, and over the tenth with the highest. Runs with the same value stay together.
func Influence(output Column, inputs []Column) *Figure {
	sum, n := 0.0, 0.0
	for _, v := range output.Values {
		if finite(v) {
			sum, n = sum+v, n+1
		}
	}
	var swings []Swing
	for _, in := range inputs {
		var list []entry
		for _, e := range in.ascending() {
			if e.i < len(output.Values) && finite(output.Values[e.i]) {
				list = append(list, e)
			}
		}
		k := min(max(int(tail*float64(len(list))), 1), len(list))
		low, high := k, len(list)-k
		for low > 0 && low < len(list) && list[low].v == list[low-1].v {
			low++
		}
		for high > 0 && high < len(list) && list[high].v == list[high-1].v {
			high--
		}
		swings = append(swings, Swing{in.Name, meanOf(output, list[:low]), meanOf(output, list[high:])})
	}
	f := Tornado(output, sum/n, swings)
	f.Note = "mean at lowest and highest tenth of input"
	return f
}

// meanOf returns the mean of a column over some entries; NaN without any.
func meanOf(c Column, list []entry) float64 {
	sum := 0.0
	for _, e := range list {
		sum += c.Values[e.i]
	}
	return sum / float64(len(list))
}
