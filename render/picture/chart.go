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
	pen
	c              canvas
	x, y           plot.Scale
	xs, ys         []plot.Tick
	xTitle, yTitle string
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
	plot.Paint(p.Figure, q.x, q.y, &q.pen)
	c.unclip()
	plot.PaintMarks(p.Figure, q.x, q.y, &q.pen)
	drawLegend(c, rect{r.x, r.bottom() - float64(lines)*legendLine, r.w, float64(lines) * legendLine}, k, entries)
}

// place divides the panel between the labels and the plot.
func (p *Chart) place(c canvas, r rect, k *ink, lines int) *placedChart {
	q := &placedChart{Chart: p, c: c, pen: pen{on: c, k: k, dot: dotSize, alpha: 0.75}}
	q.text = q.tileText
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

// tileText writes a text into a tile if it fits.
func (q *placedChart) tileText(text string, r rect, color raster.Color) {
	if measure.width(text, labelSize, false) < r.w {
		q.c.text(r.x+r.w/2, r.y+r.h/2+labelSize*0.36, text, lettering{size: labelSize, color: color, anchor: atMiddle})
	}
}

// pageChart is a chart for the script of the page: its drawing, and the points that the pointer finds.
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

// mostHovered bounds the points of a chart that the pointer finds on a page.
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
