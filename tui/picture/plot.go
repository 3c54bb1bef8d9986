package picture

import (
	"math"

	"pview/tui/raster"
)

// Plot is a panel of curves: y over x, with points where they were computed.
type Plot struct {
	Title, Note  string
	XName, YName string
	XText, YText func(v float64) string // of the axes' labels; nil: PlainNumber
	Logarithmic  bool                   // x
	Curves       []Curve
}

// Curve is a line of a plot; its points are in the order of x.
type Curve struct {
	Name string
	X, Y []float64
}

const plotWant = 360

// curveColors are told apart by colour-blind people too (Okabe and Ito).
var curveColors = [...]raster.Color{raster.RGB(0, 114, 178), raster.RGB(213, 94, 0), raster.RGB(0, 158, 115), raster.RGB(204, 121, 167), raster.RGB(230, 159, 0), raster.RGB(86, 180, 233), raster.RGB(120, 120, 120)}

func (p *Plot) height(float64) (want, least float64) { return plotWant, 140 }

func (p *Plot) legend() (list []swatch) {
	if len(p.Curves) < 2 {
		return nil
	}
	for i, c := range p.Curves {
		list = append(list, swatch{curveColors[i%len(curveColors)], c.Name})
	}
	return list
}

func (p *Plot) draw(c canvas, r rect, k *ink) {
	r = heading(c, r, k, p.Title, p.Note)
	entries := p.legend()
	_, lines := legendLines(entries, r.w)
	x, y := p.extents()
	if !(x.Max >= x.Min) {
		c.text(r.x, r.y+labelSize, "nothing to show", lettering{size: labelSize, color: k.dim})
		return
	}
	ys := niceTicks(y.Min, y.Max, max(int(r.h/45), 2))
	y.Min, y.Max = min(y.Min, ys[0]), max(y.Max, ys[len(ys)-1])
	left := 0.0
	for _, v := range ys {
		left = max(left, measure.width(text(p.YText, v), labelSize, false))
	}
	plot := r.inset(left+14+labelSize+6, 4, 10, timeAxis+labelSize+8+float64(lines)*legendLine)
	atX := func(v float64) float64 { return plot.x + plot.w*p.scaleX(x).At(p.onX(v)) }
	atY := func(v float64) float64 { return plot.bottom() - plot.h*y.At(v) }
	for _, v := range ys {
		c.fill(k.grid, rect{plot.x, atY(v), plot.w, 1})
		c.text(plot.x-8, atY(v)+labelSize*0.36, text(p.YText, v), lettering{size: labelSize, color: k.text, anchor: atEnd})
	}
	c.fill(k.dim, rect{plot.x, plot.bottom(), plot.w, 1})
	free := r.x
	for _, v := range p.xTicks(x, plot.w) {
		c.fill(k.dim, rect{atX(v) - 0.5, plot.bottom(), 1, 5})
		label := text(p.XText, v)
		w := measure.width(label, labelSize, false)
		if atX(v)-w/2 >= free && atX(v)+w/2 <= r.right()+margin/2 {
			c.text(atX(v), plot.bottom()+8+labelSize, label, lettering{size: labelSize, color: k.text, anchor: atMiddle})
			free = atX(v) + w/2 + 6
		}
	}
	c.text(plot.x+plot.w/2, plot.bottom()+timeAxis+labelSize, p.XName, lettering{size: labelSize, color: k.dim, anchor: atMiddle})
	c.text(r.x+labelSize, plot.y+plot.h/2, p.YName, lettering{size: labelSize, color: k.dim, anchor: atMiddle, turned: true})
	for i, curve := range p.Curves {
		p.drawCurve(c, curve, curveColors[i%len(curveColors)], atX, atY)
	}
	drawLegend(c, rect{r.x, plot.bottom() + timeAxis + labelSize + 8, r.w, float64(lines) * legendLine}, k, entries)
}

func (p *Plot) drawCurve(c canvas, curve Curve, color raster.Color, atX, atY func(float64) float64) {
	var path []point
	flush := func() {
		if len(path) > 1 {
			c.line(color, 1.8, 1, path...)
		}
		path = nil
	}
	for i := range curve.X {
		if v := curve.Y[i]; v-v != 0 { // there is none: the line is interrupted
			flush()
			continue
		}
		q := point{atX(curve.X[i]), atY(curve.Y[i])}
		path = append(path, q)
		if len(curve.X) <= 200 {
			c.area(color, 1, point{q.x - 3, q.y}, point{q.x, q.y - 3}, point{q.x + 3, q.y}, point{q.x, q.y + 3})
		}
	}
	flush()
}

// extents are the ranges of the points; y begins at 0 unless that would hide what there is to see.
func (p *Plot) extents() (x, y raster.Scale) {
	x, y = raster.Scale{Min: math.Inf(1), Max: math.Inf(-1)}, raster.Scale{Min: math.Inf(1), Max: math.Inf(-1)}
	for _, c := range p.Curves {
		for i := range c.X {
			if v := c.Y[i]; v-v == 0 && (!p.Logarithmic || c.X[i] > 0) {
				x.Min, x.Max = min(x.Min, c.X[i]), max(x.Max, c.X[i])
				y.Min, y.Max = min(y.Min, v), max(y.Max, v)
			}
		}
	}
	if y.Min > 0 && y.Min < 0.8*y.Max {
		y.Min = 0
	}
	if y.Min == y.Max {
		y.Min, y.Max = min(y.Min, 0), max(y.Max, y.Min+1)
	}
	return x, y
}

func (p *Plot) onX(v float64) float64 {
	if p.Logarithmic {
		return math.Log10(v)
	}
	return v
}

func (p *Plot) scaleX(x raster.Scale) raster.Scale {
	s := raster.Scale{Min: p.onX(x.Min), Max: p.onX(x.Max)}
	if s.Min == s.Max {
		s.Min, s.Max = s.Min-0.5, s.Max+0.5
	}
	return s
}

func (p *Plot) xTicks(x raster.Scale, width float64) (list []float64) {
	if !p.Logarithmic {
		for _, v := range niceTicks(x.Min, x.Max, max(int(width/90), 2)) {
			if v >= x.Min-1e-9*math.Abs(x.Min) && v <= x.Max+1e-9*math.Abs(x.Max) {
				list = append(list, v)
			}
		}
		return list
	}
	for e := math.Floor(math.Log10(x.Min)); e <= math.Log10(x.Max); e++ {
		for _, m := range [...]float64{1, 2, 5} {
			if v := m * math.Pow(10, e); v >= x.Min*0.999 && v <= x.Max*1.001 {
				list = append(list, v)
			}
		}
	}
	return list
}

// niceTicks are multiples of 1, 2 or 5 times a power of ten around a range, about n of them.
func niceTicks(low, high float64, n int) (list []float64) {
	if !(high > low) {
		return []float64{low}
	}
	raw := (high - low) / float64(n)
	step := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range [...]float64{1, 2, 5, 10} {
		if step*m >= raw {
			step *= m
			break
		}
	}
	for i := math.Floor(low / step); i <= math.Ceil(high/step); i++ {
		list = append(list, i*step)
	}
	return list
}

func text(f func(float64) string, v float64) string {
	if f != nil {
		return f(v)
	}
	return PlainNumber(v)
}
