package picture

import (
	"testing"

	"pview/insight/report/figure"
	"pview/render/plot"
	"pview/render/raster"
)

// pixelsOf draws a figure whose plot is 100 x 50 cells of one pixel, and returns the picture and its ground.
func pixelsOf(f *figure.Figure) (*raster.Pixmap, raster.Color) {
	look := look(false)
	m := raster.NewPixmap(100, 50, raster.RGB(255, 255, 255))
	x, y := plot.Scales(f)
	DrawPixels(&plot.Placed{Plot: raster.Rect{W: 100, H: 50}, X: x, Y: y, Figure: f}, m, look)
	return m, m.Ground()
}

// inked returns the pixels of a colour, and the box around them.
func inked(m *raster.Pixmap, c raster.Color) (n int, box extent) {
	r, g, b := c.RGB()
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			if pr, pg, pb, _ := m.At(x, y).RGBA(); uint8(pr>>8) == r && uint8(pg>>8) == g && uint8(pb>>8) == b {
				n++
				box.add(float64(x), float64(y))
			}
		}
	}
	return n, box
}

func unit(layers ...figure.Layer) *figure.Figure {
	return &figure.Figure{X: figure.Axis{Min: 0, Max: 100}, Y: figure.Axis{Min: 0, Max: 50}, Layers: layers}
}

func TestShapesInPixels(t *testing.T) {
	blue := plot.Color(figure.Blue, false)
	paper := raster.RGB(255, 255, 255)
	for _, test := range []struct {
		name  string
		fig   *figure.Figure
		color raster.Color
		n     int
		box   extent
	}{
		{"a few points are dots of 5 pixels without corners",
			unit(figure.Layer{Shape: figure.Points, X: []float64{50.5}, Y: []float64{25.5}}), blue, 21,
			extent{48, 22, 52, 26, true}},
		{"a column, with a gap beside it", unit(figure.Layer{Shape: figure.Columns, X: []float64{10}, X2: []float64{20},
			Y: []float64{30}}), blue, 9 * 30, extent{11, 20, 19, 49, true}},
		{"a bar fills seven tenths of its category", unit(figure.Layer{Shape: figure.Bars, X: []float64{10},
			X2: []float64{40}, Y: []float64{25}}), blue, 30, extent{10, 25, 39, 25, true}},
		{"a band blends with the paper", unit(figure.Layer{Shape: figure.Band, X: []float64{0, 100},
			Y: []float64{10, 10}, Y2: []float64{20,
				20}}), paper.Blend(blue, 0.3), 100 * 10, extent{0, 30, 99, 39, true}},
		{"a line of one pixel", unit(figure.Layer{Shape: figure.Line, X: []float64{0.5, 99.5},
			Y: []float64{25.5, 25.5}}),
			blue, 100, extent{0, 24, 99, 24, true}},
		{"a rule across the plot", &figure.Figure{X: figure.Axis{Max: 100}, Y: figure.Axis{Max: 50},
			Rules: []figure.Rule{{At: 10.5, Ink: figure.Blue}, {At: 200, Ink: figure.Blue}}}, blue, 50,
			extent{10, 0, 10, 49, true}},
		{"a mark in view, with a rim", &figure.Figure{X: figure.Axis{Max: 100}, Y: figure.Axis{Max: 50},
			Marks: []figure.Mark{{X: 50, Y: 25, Ink: figure.Blue}, {X: 200, Y: 1, Ink: figure.Blue}}}, blue, 88,
			extent{45, 20, 54, 29, true}},
	} {
		m, _ := pixelsOf(test.fig)
		if n, box := inked(m, test.color); n != test.n || box != test.box {
			t.Errorf("%s: %d pixels in %v, want %d in %v", test.name, n, box, test.n, test.box)
		}
	}
}

// Many points are small.
func TestManyPointsInPixels(t *testing.T) {
	l := figure.Layer{Shape: figure.Points}
	for i := range 25 {
		l.X, l.Y = append(l.X, float64(4*i)+2.5), append(l.Y, 25.5)
	}
	m, _ := pixelsOf(unit(l))
	if n, _ := inked(m, plot.Color(figure.Blue, false)); n != 25*5 {
		t.Errorf("%d pixels, want 5 for each of 25 points", n)
	}
}

// Tiles have texts, which pixels cannot show.
func TestTilesStayInCells(t *testing.T) {
	p := plot.Placed{Plot: raster.Rect{W: 10, H: 10}, Figure: unit(figure.Layer{Shape: figure.Line})}
	if !CanPixelate(&p) {
		t.Error("a line must be drawn in pixels")
	}
	p.Figure = unit(figure.Layer{Shape: figure.Line}, figure.Layer{Shape: figure.Tiles})
	if CanPixelate(&p) {
		t.Error("tiles must not be drawn in pixels")
	}
}
