package picture

import (
	"math"

	"pview/insight/report/figure"
	"pview/render/plot"
	"pview/render/raster"
)

// surface is a plane that a pen draws on, in px: a file, or pixels of a terminal.
type surface interface {
	fill(c raster.Color, list ...rect)
	line(c raster.Color, width, alpha float64, path ...point)
	area(c raster.Color, alpha float64, path ...point)
}

// pen draws the plot of a figure into a box of a surface. It implements plot.Pen.
type pen struct {
	on         surface
	box        rect
	k          *ink
	dot, alpha float64 // radius of a dot in px, and its opacity
	text       func(text string, r rect, color raster.Color)
}

// inkColor returns the colour of an ink on paper.
func (k *ink) inkColor(i figure.Ink) raster.Color {
	if i == figure.Strong {
		return k.text
	}
	return plot.Color(i, k.dark())
}

// dark reports whether the paper is dark.
func (k *ink) dark() bool { return k.paper.Luma() < 128 }

// point returns a place of the plot on the surface.
func (q *pen) point(at plot.Place) point {
	// Places far outside need no digits.
	return point{q.box.x + q.box.w*min(max(at.X, -9), 9), q.box.bottom() - q.box.h*min(max(at.Y, -9), 9)}
}

func (q *pen) points(path []plot.Place) (list []point) {
	for _, at := range path {
		list = append(list, q.point(at))
	}
	return list
}

func (q *pen) Line(i figure.Ink, path []plot.Place) {
	q.on.line(q.k.inkColor(i), 1.8, 1, q.points(path)...)
}

func (q *pen) Dot(i figure.Ink, at plot.Place) { q.octagon(at, q.k.inkColor(i), q.dot, q.alpha) }

func (q *pen) octagon(at plot.Place, color raster.Color, size, alpha float64) {
	var round []point
	middle := q.point(at)
	for i := range 8 {
		sin, cos := math.Sincos((float64(i) + 0.5) * math.Pi / 4)
		round = append(round, point{middle.x + size*cos, middle.y + size*sin})
	}
	q.on.area(color, alpha, round...)
}

func (q *pen) rect(from, to plot.Place) rect {
	a, b := q.point(from), q.point(to)
	return rect{min(a.x, b.x), min(a.y, b.y), math.Abs(a.x - b.x), math.Abs(a.y - b.y)}
}

// Bar leaves a gap between columns.
func (q *pen) Bar(i figure.Ink, from, to plot.Place, flat bool) {
	r := q.rect(from, to)
	if !flat && r.w > 3 {
		r = r.inset(0.5, 0, 0.5, 0)
	}
	q.on.fill(q.k.inkColor(i), r)
}

// Label writes a text to the right of a bar, else to its left, else inside it.
func (q *pen) Label(i figure.Ink, from, to plot.Place, text string) {
	if q.text == nil {
		return
	}
	r, color := q.rect(from, to), q.k.text
	bar, w := r, measure.width(text, labelSize, false)+8
	r.w = w
	switch {
	case bar.right()+w <= q.box.right():
		r.x = bar.right()
	case bar.x-w >= q.box.x:
		r.x = bar.x - w
	default:
		r.x, color = bar.right()-w, q.k.inkColor(i).Contrast()
	}
	q.text(text, r, color)
}

func (q *pen) Band(i figure.Ink, lower, upper []plot.Place) {
	path := q.points(lower)
	for j := len(upper) - 1; j >= 0; j-- {
		path = append(path, q.point(upper[j]))
	}
	q.on.area(q.k.inkColor(i), 0.3, path...)
}

func (q *pen) Tile(share float64, from, to plot.Place, text string) {
	painter := raster.Painter{Look: look(q.k.dark()), Palette: raster.NewPalette(nil), Mode: raster.Gradient,
		Scale: raster.Scale{Max: 1}}
	color, r := painter.Color(share), q.rect(from, to)
	q.on.fill(color, r.inset(0.5, 0.5, 0.5, 0.5))
	if q.text != nil {
		q.text(text, r, color.Contrast())
	}
}

func (q *pen) Rule(r figure.Rule, share float64) {
	from, to := plot.Place{X: share}, plot.Place{X: share, Y: 1}
	if r.Flat {
		from, to = plot.Place{Y: share}, plot.Place{X: 1, Y: share}
	}
	q.on.line(q.k.inkColor(r.Ink), 1.2, 1, q.point(from), q.point(to))
}

// Mark draws a dot with a rim, so that it is seen on any colour.
func (q *pen) Mark(m figure.Mark, at plot.Place) {
	q.octagon(at, q.k.paper, 7, 1)
	q.octagon(at, q.k.inkColor(m.Ink), 5.5, 1)
}
