package picture

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math"

	"pview/insight/report/figure"
	"pview/render/plot"
	"pview/render/raster"
)

// Chart is a panel of a plot.
type Chart struct{ *figure.Figure }

const (
	chartWant  = 360
	chartLeast = 140
	tickLength = 5
	dotSize    = 2.5
)

func (p *Chart) height(float64) (want, least float64) { return chartWant, chartLeast }

// inkColor is the colour of an ink on paper.
func (k *ink) inkColor(i figure.Ink) raster.Color {
	if i == figure.Strong {
		return k.text
	}
	return plot.Color(i, k.dark())
}

// dark reports whether the paper is.
func (k *ink) dark() bool { return k.paper.Luma() < 128 }

// legend lists the layers, rules and marks that have a name.
func (p *Chart) legend(k *ink) (list []swatch) {
	add := func(name string, i figure.Ink) {
		if name != "" {
			list = append(list, swatch{k.inkColor(i), name})
		}
	}
	for _, l := range p.Layers {
		add(l.Name, l.Ink)
	}
	for _, r := range p.Rules {
		add(r.Name, r.Ink)
	}
	for _, m := range p.Marks {
		add(m.Name, m.Ink)
	}
	return list
}

// placedChart is a chart with its place on a canvas.
type placedChart struct {
	*Chart
	c              canvas
	k              *ink
	x, y           plot.Scale
	xs, ys         []plot.Tick
	xTitle, yTitle string
	box            rect // of the plot
}

func (p *Chart) draw(c canvas, r rect, k *ink) {
	r = heading(c, r, k, p.Title, p.Note)
	entries := p.legend(k)
	_, lines := legendLines(entries, r.w)
	q := p.place(c, r, k, lines)
	if q.box.w <= 0 || q.box.h <= 0 {
		return
	}
	q.axes(r)
	c.clip(q.box.inset(-1, -1, -1, -1))
	plot.Paint(p.Figure, q.x, q.y, q)
	q.rules()
	c.unclip()
	q.marks()
	drawLegend(c, rect{r.x, r.bottom() - float64(lines)*legendLine, r.w, float64(lines) * legendLine}, k, entries)
}

// place divides the panel between the labels and the plot.
func (p *Chart) place(c canvas, r rect, k *ink, lines int) *placedChart {
	q := &placedChart{Chart: p, c: c, k: k}
	q.x, q.y = plot.Scales(p.Figure)
	var unit string
	q.ys, unit = q.y.Ticks(max(int(r.h/40), 2))
	q.yTitle = p.Y.Title(unit)
	left := 0.0
	for _, t := range q.ys {
		left = max(left, measure.width(t.Label, labelSize, false))
	}
	left = min(left, r.w/3) + 8 + tickLength
	if q.yTitle != "" {
		left += labelSize + 10
	}
	q.box = r.inset(left, 6, 12, tickLength+2*labelSize+14+float64(lines)*legendLine)
	q.xs, unit = q.x.Ticks(max(int(q.box.w/80), 2))
	q.xTitle = p.X.Title(unit)
	return q
}

// axes draws grid, labels and names.
func (q *placedChart) axes(r rect) {
	c, k := q.c, q.k
	label := lettering{size: labelSize, color: k.text, anchor: atEnd}
	for _, t := range q.ys {
		if share := q.y.At(t.Value); share >= 0 && share <= 1 {
			y := q.point(plot.Place{Y: share}).y
			c.fill(k.grid, rect{q.box.x, y - 0.5, q.box.w, 1})
			c.text(q.box.x-tickLength-3, y+labelSize*0.36, shorten(t.Label, labelSize, r.w/3), label)
		}
	}
	c.fill(k.dim, rect{q.box.x, q.box.bottom(), q.box.w, 1}, rect{q.box.x - 0.5, q.box.y, 1, q.box.h})
	label.anchor = atMiddle
	free := r.x
	for _, t := range q.xs {
		share := q.x.At(t.Value)
		if !(share >= 0 && share <= 1) {
			continue
		}
		x := q.point(plot.Place{X: share}).x
		c.fill(k.dim, rect{x - 0.5, q.box.bottom(), 1, tickLength})
		if w := measure.width(t.Label, labelSize, false); x-w/2 >= free && x+w/2 <= r.right()+margin/2 {
			c.text(x, q.box.bottom()+tickLength+labelSize+3, t.Label, label)
			free = x + w/2 + 6
		}
	}
	label.color = k.dim
	c.text(q.box.x+q.box.w/2, q.box.bottom()+tickLength+2*labelSize+8, q.xTitle, label)
	label.turned = true
	c.text(r.x+labelSize, q.box.y+q.box.h/2, q.yTitle, label)
}

// point is a place of the plot on the canvas.
func (q *placedChart) point(at plot.Place) point {
	// Far outside is as good as outside, and has fewer digits.
	return point{q.box.x + q.box.w*min(max(at.X, -9), 9), q.box.bottom() - q.box.h*min(max(at.Y, -9), 9)}
}

func (q *placedChart) points(path []plot.Place) (list []point) {
	for _, at := range path {
		list = append(list, q.point(at))
	}
	return list
}

// Line implements plot.Pen.
func (q *placedChart) Line(i figure.Ink, path []plot.Place) {
	q.c.line(q.k.inkColor(i), 1.8, 1, q.points(path)...)
}

// Dot implements plot.Pen: a small octagon, for clouds that are dense in parts.
func (q *placedChart) Dot(i figure.Ink, at plot.Place) {
	q.dot(at, q.k.inkColor(i), dotSize, 0.75)
}

func (q *placedChart) dot(at plot.Place, color raster.Color, size, alpha float64) {
	var round []point
	middle := q.point(at)
	for i := range 8 {
		sin, cos := math.Sincos((float64(i) + 0.5) * math.Pi / 4)
		round = append(round, point{middle.x + size*cos, middle.y + size*sin})
	}
	q.c.area(color, alpha, round...)
}

func (q *placedChart) rect(from, to plot.Place) rect {
	a, b := q.point(from), q.point(to)
	return rect{min(a.x, b.x), min(a.y, b.y), math.Abs(a.x - b.x), math.Abs(a.y - b.y)}
}

// Bar implements plot.Pen. Columns have a gap between them.
func (q *placedChart) Bar(i figure.Ink, from, to plot.Place, flat bool) {
	r := q.rect(from, to)
	if !flat && r.w > 3 {
		r = r.inset(0.5, 0, 0.5, 0)
	}
	q.c.fill(q.k.inkColor(i), r)
}

// Band implements plot.Pen.
func (q *placedChart) Band(i figure.Ink, lower, upper []plot.Place) {
	path := q.points(lower)
	for j := len(upper) - 1; j >= 0; j-- {
		path = append(path, q.point(upper[j]))
	}
	q.c.area(q.k.inkColor(i), 0.3, path...)
}

// Tile implements plot.Pen.
func (q *placedChart) Tile(share float64, from, to plot.Place, text string) {
	painter := raster.Painter{Look: Look(q.k.dark()), Palette: raster.NewPalette(nil), Mode: raster.Gradient,
		Scale: raster.Scale{Max: 1}}
	color, r := painter.Color(share), q.rect(from, to)
	q.c.fill(color, r.inset(0.5, 0.5, 0.5, 0.5))
	if measure.width(text, labelSize, false) < r.w {
		q.c.text(r.x+r.w/2, r.y+r.h/2+labelSize*0.36, text,
			lettering{size: labelSize, color: color.Contrast(), anchor: atMiddle})
	}
}

func (q *placedChart) rules() {
	for _, r := range q.Rules {
		from, to := plot.Place{X: q.x.At(r.At)}, plot.Place{X: q.x.At(r.At), Y: 1}
		if r.Flat {
			from, to = plot.Place{Y: q.y.At(r.At)}, plot.Place{X: 1, Y: q.y.At(r.At)}
		}
		q.c.line(q.k.inkColor(r.Ink), 1.2, 1, q.point(from), q.point(to))
	}
}

func (q *placedChart) marks() {
	for _, m := range q.Marks {
		if at := (plot.Place{X: q.x.At(m.X), Y: q.y.At(m.Y)}); at.X >= 0 && at.X <= 1 && at.Y >= 0 && at.Y <= 1 {
			q.dot(at, q.k.paper, 7, 1)
			q.dot(at, q.k.inkColor(m.Ink), 5.5, 1)
		}
	}
}

// pageChart is a chart for the script of the page: drawn already, and what the pointer finds in it.
type pageChart struct {
	Kind   string      `json:"kind"`
	SVG    string      `json:"svg"`
	Points []pagePoint `json:"points"`
}

type pagePoint struct {
	X    float64 `json:"x"` // px
	Y    float64 `json:"y"`
	Text string  `json:"text"`
}

// mostHovered is how many points of a chart a page lets the pointer find.
const mostHovered = 20_000

func (p *Chart) page(w io.Writer, k *ink) error {
	const width, height = DefaultWidth - 2*margin, chartWant
	var b bytes.Buffer
	name := fnv.New32a()
	fmt.Fprint(name, p.Title, p.Note)
	s := &svg{out: bufio.NewWriter(&b), prefix: fmt.Sprintf("k%x-", name.Sum32())}
	fmt.Fprintf(s.out, `<svg xmlns="http://www.w3.org/2000/svg" width="100%%" viewBox="0 0 %d %d" role="img">`+"\n",
		width, chartWant)
	r := rect{0, 0, width, height}
	p.draw(s, r, k)
	s.out.WriteString("</svg>")
	s.out.Flush()
	out := pageChart{Kind: "chart", SVG: b.String(), Points: []pagePoint{}}
	_, lines := legendLines(p.legend(k), r.w)
	if p.Title != "" || p.Note != "" {
		r = r.inset(0, headHeight, 0, 0)
	}
	q := p.place(s, r, k, lines)
	for i := range p.Layers {
		l := &p.Layers[i]
		for j := range l.X {
			at := plot.Place{X: q.x.At(l.X[j]), Y: q.y.At(l.Y[j])}
			if at.X-at.X != 0 || at.Y-at.Y != 0 || len(out.Points) >= mostHovered {
				continue
			}
			where := q.point(at)
			text := p.X.Name + " " + p.X.Text(l.X[j]) + "\n" + p.Y.Name + " " + p.Y.Text(l.Y[j])
			if l.Name != "" {
				text = l.Name + "\n" + text
			}
			out.Points = append(out.Points, pagePoint{math.Round(where.x), math.Round(where.y), text})
		}
	}
	return json.NewEncoder(w).Encode(&out)
}
