package picture

import (
	"math"
	"slices"

	"pview/insight/report/figure"
	"pview/render/plot"
	"pview/render/raster"
)

// A terminal's pixels as a surface: the plot of a figure becomes a picture instead of cells. Everything around the plot
// stays in cells.

// CanPixelate reports whether pixels show everything that cells show of a figure: they have no text, but tiles and some
// bars do.
func CanPixelate(p *plot.Placed) bool {
	return p.Figure != nil && p.Plot.W > 0 && p.Plot.H > 0 &&
		!slices.ContainsFunc(p.Figure.Layers, func(l figure.Layer) bool {
			return l.Shape == figure.Tiles || l.Text != nil
		})
}

// DrawPixels draws the plot of a figure over the whole of m. Points are large if they are few.
func DrawPixels(p *plot.Placed, m *raster.Pixmap, look raster.Look) {
	k := &ink{paper: m.Ground(), text: plot.Color(figure.Strong, look.Theme.Dark)}
	q := &pen{on: pixmap{m}, k: k, box: rect{0, 0, float64(m.Rect.Dx()), float64(m.Rect.Dy())}, dot: 1.5, alpha: 1}
	if plot.Points(p.Figure) < m.Rect.Dx()/4 {
		q.dot = 2.5
	}
	plot.Paint(p.Figure, p.X, p.Y, q)
	plot.PaintMarks(p.Figure, p.X, p.Y, q)
}

// pixmap is a surface of pixels: lines are one pixel wide, whatever their width.
type pixmap struct{ *raster.Pixmap }

func (p pixmap) fill(c raster.Color, list ...rect) {
	for _, r := range list {
		x, y := pixelAt(r.x), pixelAt(r.y)
		p.Fill(x, y, max(pixelAt(r.right()), x+1), max(pixelAt(r.bottom()), y+1), c)
	}
}

func (p pixmap) line(c raster.Color, _, _ float64, path ...point) {
	for i := 1; i < len(path); i++ {
		a, b := path[i-1], path[i]
		p.Line(a.x-0.5, a.y-0.5, b.x-0.5, b.y-0.5, c, true)
	}
}

// area fills the pixels whose middle is inside.
func (p pixmap) area(c raster.Color, alpha float64, path ...point) {
	var box extent
	for _, q := range path {
		box.add(q.x, q.y)
	}
	bounds := box.grown(0).Intersect(p.Rect)
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		at := float64(y) + 0.5
		var cuts []float64
		for i, a := range path {
			b := path[(i+1)%len(path)]
			if (a.y <= at) != (b.y <= at) {
				cuts = append(cuts, a.x+(b.x-a.x)*(at-a.y)/(b.y-a.y))
			}
		}
		slices.Sort(cuts)
		for i := 1; i < len(cuts); i += 2 {
			p.Blend(pixelAt(cuts[i-1]), y, pixelAt(cuts[i]), y+1, c, alpha)
		}
	}
}

// pixelAt returns the first pixel whose middle is at v or after it.
func pixelAt(v float64) int { return int(math.Round(min(max(v, -1e6), 1e6))) }
