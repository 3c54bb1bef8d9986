package plot

import (
	"testing"

	"pview/insight/report/figure"
	"pview/render/raster"
)

// TestStep: points at the corners and the middle of a plot of 20 by 14 cells. From the middle, every point to the right
// or below is as far across as along, so no step leads there; from a corner the steps follow the edges.
func TestStep(t *testing.T) {
	f := &figure.Figure{Layers: []figure.Layer{{Shape: figure.Points,
		X: []float64{0, 10, 0, 10, 5}, Y: []float64{0, 0, 10, 10, 5}}}}
	area := raster.Rect{W: 20, H: 14}
	for _, c := range []struct {
		from   []float64
		dx, dy int
		want   int // -1: none
	}{
		{nil, 1, 0, 4},                // the nearest to the middle
		{[]float64{0, 0}, 1, 0, 1},    // along the lower edge: 20 to the corner; to the middle 10, and twice 7 across
		{[]float64{0, 0}, 0, -1, 2},   // up the left edge
		{[]float64{10, 10}, 0, 1, 1},  // down the right edge
		{[]float64{10, 10}, 1, 0, -1}, // nothing further right
		{[]float64{10, 0}, 0, 1, -1},  // nothing further down
	} {
		_, i, ok := Step(f, area, c.from, c.dx, c.dy)
		if !ok {
			i = -1
		}
		if i != c.want {
			t.Errorf("from %v by %d, %d: point %d, want %d", c.from, c.dx, c.dy, i, c.want)
		}
	}
}
