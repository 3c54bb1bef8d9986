package plot

import (
	"cmp"
	"math"
	"slices"

	"pview/tui/raster"
)

// Swing is what an output is at the low and at the high end of an input.
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
				l.X, l.X2, l.Y, l.Refs = append(l.X, base), append(l.X2, side.to), append(l.Y, float64(row)), append(l.Refs, i)
			}
		}
	}
	f.Layers = []Layer{low, high}
	return f
}

// Matrix is a value for each pair of a row and a column, as colours of a gradient with the values in them.
func Matrix(title string, rows, columns []string, value func(row, column int) float64) *Figure {
	l := Layer{Shape: Tiles}
	for r := range rows {
		for c := range columns {
			v := value(r, c)
			text := ""
			if !math.IsNaN(v) {
				text = raster.FormatShort(v)
			}
			l.X, l.Y, l.V, l.Text = append(l.X, float64(c)), append(l.Y, float64(r)), append(l.V, v), append(l.Text, text)
		}
	}
	return &Figure{Title: title, X: Axis{Names: columns}, Y: Axis{Names: rows}, Layers: []Layer{l}}
}
