package plot

import (
	"math"
	"slices"

	"pview/insight/report/figure"
)

// Place is a point of a plot, in shares of its width and height from the left bottom corner.
type Place struct{ X, Y float64 }

// Pen draws the parts of a figure at places of a plot, and clips them to the plot. There are two: one for cells
// (Draw), one for pixels and files (package picture).
type Pen interface {
	Line(ink figure.Ink, path []Place)
	Dot(ink figure.Ink, at Place)
	// Bar fills a rectangle; flat bars grow to the right, others upwards.
	Bar(ink figure.Ink, from, to Place, flat bool)
	// Band fills the space between two lines with the same x, in ascending order.
	Band(ink figure.Ink, lower, upper []Place)
	// Label writes a text beside a flat bar, or into it.
	Label(ink figure.Ink, from, to Place, text string)
	// Tile fills a rectangle with the colour of a share of the gradient, and writes a text into it.
	Tile(share float64, from, to Place, text string)
	// Rule draws a line across the whole plot, at a share of its width, or of its height if flat.
	Rule(r figure.Rule, share float64)
	Mark(m figure.Mark, at Place)
}

// shape draws the values of a layer.
type shape struct {
	// reach calls point for the places that the layer covers.
	reach func(l *figure.Layer, point func(x, y float64))
	draw  func(l *figure.Layer, x, y Scale, p Pen)
	// distance returns the distance of point i from a place, in px of a plot of that size; 0: the place is in it. NaN:
	// it cannot be chosen.
	distance func(l *figure.Layer, i int, x, y Scale, at Place, w, h float64) float64
}

var shapes = [...]shape{
	figure.Points:  {reachXY, drawPoints, nearPoint},
	figure.Line:    {reachXY, drawLine, nearPoint},
	figure.Steps:   {reachXY, drawSteps, nearPoint},
	figure.Columns: {reachColumns, drawColumns, inColumn},
	figure.Bars:    {reachBars, drawBars, inBar},
	figure.Band:    {reachBand, drawBand, never},
	figure.Tiles:   {reachXY, drawTiles, inTile},
}

// barHeight is the share of its category that a bar fills, for pens that can leave a gap.
const barHeight = 0.7

func reachXY(l *figure.Layer, point func(x, y float64)) {
	for i := range l.X {
		point(l.X[i], l.Y[i])
	}
}

func reachColumns(l *figure.Layer, point func(x, y float64)) {
	for i := range l.X {
		point(l.X[i], 0)
		point(l.X2[i], l.Y[i])
	}
}

func reachBars(l *figure.Layer, point func(x, y float64)) {
	for i := range l.X {
		point(l.X[i], l.Y[i])
		point(l.X2[i], l.Y[i])
	}
}

func reachBand(l *figure.Layer, point func(x, y float64)) {
	for i := range l.X {
		if finite(l.Y[i]) && finite(l.Y2[i]) {
			point(l.X[i], l.Y[i])
			point(l.X[i], l.Y2[i])
		}
	}
}

func place(x, y Scale, vx, vy float64) Place { return Place{x.At(vx), y.At(vy)} }

func (p Place) finite() bool { return finite(p.X) && finite(p.Y) }

func drawPoints(l *figure.Layer, x, y Scale, p Pen) {
	for i := range l.X {
		if at := place(x, y, l.X[i], l.Y[i]); at.finite() {
			p.Dot(l.Ink, at)
		}
	}
}

func drawLine(l *figure.Layer, x, y Scale, p Pen) { path(l, x, y, p, false) }

func drawSteps(l *figure.Layer, x, y Scale, p Pen) { path(l, x, y, p, true) }

// path draws lines through the points, in their order; one without a place interrupts them.
func path(l *figure.Layer, x, y Scale, p Pen, steps bool) {
	var line []Place
	flush := func() {
		if len(line) == 1 {
			p.Dot(l.Ink, line[0])
		} else if len(line) > 1 {
			p.Line(l.Ink, line)
		}
		line = nil
	}
	for i := range l.X {
		at := place(x, y, l.X[i], l.Y[i])
		if !at.finite() {
			flush()
			continue
		}
		if steps && len(line) > 0 {
			line = append(line, Place{at.X, line[len(line)-1].Y})
		}
		line = append(line, at)
	}
	flush()
}

func drawColumns(l *figure.Layer, x, y Scale, p Pen) {
	for i := range l.X {
		a, b := place(x, y, l.X[i], 0), place(x, y, l.X2[i], l.Y[i])
		if y.Log {
			a.Y = 0
		}
		if a.finite() && b.finite() && b.Y != a.Y {
			p.Bar(l.Ink, a, b, false)
		}
	}
}

func drawBars(l *figure.Layer, x, y Scale, p Pen) {
	for i := range l.X {
		low, high := min(l.X[i], l.X2[i]), max(l.X[i], l.X2[i])
		a, b := place(x, y, low, l.Y[i]+barHeight/2), place(x, y, high, l.Y[i]-barHeight/2)
		if a.finite() && b.finite() {
			p.Bar(l.Ink, a, b, true)
			if l.Text != nil {
				p.Label(l.Ink, a, b, l.Text[i])
			}
		}
	}
}

func drawBand(l *figure.Layer, x, y Scale, p Pen) {
	var lower, upper []Place
	for i := range l.X {
		a, b := place(x, y, l.X[i], l.Y[i]), place(x, y, l.X[i], l.Y2[i])
		if a.finite() && b.finite() {
			lower, upper = append(lower, a), append(upper, b)
		}
	}
	if len(lower) > 1 {
		p.Band(l.Ink, lower, upper)
	}
}

func drawTiles(l *figure.Layer, x, y Scale, p Pen) {
	var e extent
	for _, v := range l.V {
		if finite(v) {
			e.add(v)
		}
	}
	for i, v := range l.V {
		share := 0.5
		if e.max > e.min {
			share = (v - e.min) / (e.max - e.min)
		}
		text := ""
		if l.Text != nil {
			text = l.Text[i]
		}
		if finite(v) {
			p.Tile(share, place(x, y, l.X[i]-0.5, l.Y[i]+0.5), place(x, y, l.X[i]+0.5, l.Y[i]-0.5), text)
		}
	}
}

func nearPoint(l *figure.Layer, i int, x, y Scale, at Place, w, h float64) float64 {
	q := place(x, y, l.X[i], l.Y[i])
	return math.Hypot((q.X-at.X)*w, (q.Y-at.Y)*h)
}

// inside is 0 where a value is between two others.
func inside(v, a, b float64) float64 {
	if v >= min(a, b) && v <= max(a, b) {
		return 0
	}
	return math.NaN()
}

func inColumn(l *figure.Layer, i int, x, _ Scale, at Place, _, _ float64) float64 {
	return inside(at.X, x.At(l.X[i]), x.At(l.X2[i]))
}

func inBar(l *figure.Layer, i int, _, y Scale, at Place, _, _ float64) float64 {
	return inside(at.Y, y.At(l.Y[i]-0.5), y.At(l.Y[i]+0.5))
}

func inTile(l *figure.Layer, i int, x, y Scale, at Place, _, _ float64) float64 {
	return max(inside(at.X, x.At(l.X[i]-0.5), x.At(l.X[i]+0.5)), inside(at.Y, y.At(l.Y[i]-0.5), y.At(l.Y[i]+0.5)))
}

func never(*figure.Layer, int, Scale, Scale, Place, float64, float64) float64 { return math.NaN() }

// zeroLines returns the lines at 0 of axes with values of both signs.
func zeroLines(x, y Scale) (list []figure.Rule) {
	for _, s := range [...]struct {
		Scale
		flat bool
	}{{x, false}, {y, true}} {
		if !s.Log && len(s.Names) == 0 && s.Min < 0 && s.Max > 0 {
			list = append(list, figure.Rule{Flat: s.flat, Ink: figure.Grey})
		}
	}
	return list
}

// Paint draws the layers and rules of a figure.
func Paint(f *figure.Figure, x, y Scale, p Pen) {
	for i := range f.Layers {
		l := &f.Layers[i]
		shapes[l.Shape].draw(l, x, y, p)
	}
	for _, r := range slices.Concat(zeroLines(x, y), f.Rules) {
		share := x.At(r.At)
		if r.Flat {
			share = y.At(r.At)
		}
		if share >= 0 && share <= 1 {
			p.Rule(r, share)
		}
	}
}

// PaintMarks draws the marks of a figure, which may reach over the edge of the plot.
func PaintMarks(f *figure.Figure, x, y Scale, p Pen) {
	for _, m := range f.Marks {
		if at := place(x, y, m.X, m.Y); at.X >= 0 && at.X <= 1 && at.Y >= 0 && at.Y <= 1 {
			p.Mark(m, at)
		}
	}
}

// Points returns the number of points of a figure.
func Points(f *figure.Figure) (n int) {
	for i := range f.Layers {
		n += len(f.Layers[i].X)
	}
	return n
}

// nearest returns the point nearest to a place of a plot of w by h px, at most most px away. Layers on top come first.
func nearest(f *figure.Figure, x, y Scale, at Place, w, h, most float64) (layer, i int, ok bool) {
	best := math.Inf(1)
	for k := len(f.Layers) - 1; k >= 0; k-- {
		l := &f.Layers[k]
		for j := range l.X {
			if d := shapes[l.Shape].distance(l, j, x, y, at, w, h); d < best && d <= most {
				best, layer, i, ok = d, k, j, true
			}
		}
	}
	return layer, i, ok
}
