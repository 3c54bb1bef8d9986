// Package plot draws the figures of insight/report/figure: curves, clouds of points, histograms, distributions,
// tornadoes and matrices. It knows nothing of Bubble Tea, of keys or of studies.
//
// Each shape of a layer draws with a Pen, in shares of the plot's width and height. There are two pens: Draw has one
// for cells (braille, eighths of blocks, colours of the theme), package picture one for pixels and files.
package plot

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"pview/insight/report/figure"
	"pview/render/raster"
)

// Placed is a figure as it was drawn into cells: the place of its plot and its scales.
type Placed struct {
	Plot   raster.Rect // of the canvas that it was drawn into
	X, Y   Scale
	Figure *figure.Figure
}

// The minimum size of a plot, and the minimum height for a line under it.
const (
	leastWidth  = 6
	leastHeight = 2
	axisHeight  = 7
)

// mostLines is the greatest height of a category.
const mostLines = 5

// Draw draws a figure over the whole of c:
//
//	title  note                    ● legend
//	 200 ┤                         the unit of y stands before its title
//	 100 ┤      plot
//	   0 ┼────┬────┬────┬────
//	     0    1    2    3  name (unit)
//
// If space is short, the line under the plot is omitted first. Nothing is drawn outside; a canvas that is too
// small for a plot stays blank but for the title.
func Draw(f *figure.Figure, c raster.Canvas, look raster.Look) Placed {
	d := drawing{f: f, c: c, look: look}
	d.x, d.y = Scales(f)
	if c.H < 1 || c.W < 1 {
		return Placed{Figure: f, X: d.x, Y: d.y}
	}
	d.layout()
	d.heading()
	if d.plot.W < leastWidth || d.plot.H < leastHeight {
		return Placed{Figure: f, X: d.x, Y: d.y}
	}
	d.left()
	d.below()
	d.picture()
	return Placed{d.plot, d.x, d.y, f}
}

// drawing is a figure that is being drawn.
type drawing struct {
	f            *figure.Figure
	c            raster.Canvas
	look         raster.Look
	x, y         Scale
	xs, ys       []Tick
	xUnit, yUnit string
	gutter       int // columns left of the plot, the axis included
	lined        bool
	bare         bool // no line and no labels under the plot
	plot         raster.Rect
}

func (d *drawing) dim() raster.Style {
	if d.look.Profile == raster.Mono {
		return raster.Style{}
	}
	return raster.Style{FG: d.look.Theme.Dim}
}

func (d *drawing) text(attr raster.Attr) raster.Style {
	return raster.Style{FG: d.look.Theme.Text, Attr: attr}
}

// layout finds the place of the plot: it depends on the labels, and they on it.
func (d *drawing) layout() {
	d.lined = d.c.H >= axisHeight
	h := d.c.H - 2
	if d.lined {
		h--
	}
	wide := d.c.W / 3
	if n := len(d.f.Y.Names); n > 0 {
		if labelled := d.f.Layers[0].Shape == figure.Bars && d.f.Layers[0].Text != nil; labelled {
			wide = d.c.W / 2
			if n > h && n < d.c.H {
				d.bare, d.lined, h = true, false, n
			}
		}
		if h = min(h, mostLines*n); h >= n {
			h -= h % n // each as high as the others
		}
	}
	// A single label does not show the range: try for two, if round values are close enough to each other.
	for n := min(max(h/2, 2), 2+h/5); len(d.ys) < 2 && n <= max(h, 2); n++ {
		d.ys, d.yUnit = d.y.Ticks(n)
	}
	d.gutter = 1
	for _, t := range d.ys {
		d.gutter = max(d.gutter, raster.TextWidth(t.Label)+2)
	}
	d.gutter = min(d.gutter, max(wide, 8))
	d.plot = raster.Rect{X: d.gutter, Y: 1, W: d.c.W - d.gutter, H: h}
	d.xs, d.xUnit = d.x.Ticks(max(d.plot.W/8, 2))
}

// legendEntry is an entry of the legend.
type legendEntry struct {
	name string
	sign raster.Cell
}

func (e legendEntry) width() int { return raster.TextWidth(e.name) + 4 }

// legend lists the entries of the legend: layers, rules and marks with a name.
func (d *drawing) legend(p *cells) (list []legendEntry) {
	add := func(name string, sign rune, ink figure.Ink) {
		list = append(list, legendEntry{name, raster.Cell{Rune: sign, Style: p.colored(ink)}})
	}
	for _, l := range d.f.Layers {
		switch {
		case l.Shape == figure.Band:
			list = append(list, legendEntry{l.Name, p.inBand(raster.Cell{Rune: ' '}, l.Ink)})
		case d.look.Profile == raster.Mono:
			add(l.Name, inks[l.Ink].sign, l.Ink)
		default:
			add(l.Name, d.look.Glyphs.Full, l.Ink)
		}
	}
	for _, r := range d.f.Rules {
		sign := d.look.Glyphs.Vertical
		if r.Flat {
			sign = d.look.Glyphs.Horizontal
		}
		add(r.Name, sign, r.Ink)
	}
	for _, m := range d.f.Marks {
		add(m.Name, p.sign(m), m.Ink)
	}
	return slices.DeleteFunc(list, func(e legendEntry) bool { return e.name == "" })
}

// heading writes the title, and the legend at the right; between them the name of y and the note, if there is room. If
// the legend is too long, its last entries stay.
func (d *drawing) heading() {
	p := newCells(raster.Canvas{}, d.look)
	list := d.legend(p)
	room := d.c.W - 1
	title := d.f.Title
	if title == "" {
		title = d.f.Y.Title(d.yUnit)
	}
	room -= raster.TextWidth(title) + 2
	width := 0
	for _, e := range list {
		width += e.width()
	}
	for len(list) > 1 && width > room {
		width -= list[0].width()
		list = list[1:]
	}
	if width > room { // the last entry is worth more than the title
		title = ""
		room = d.c.W - 1
	}
	x := d.c.Text(1, 0, title, d.text(raster.Bold))
	room -= width
	for _, more := range []string{d.f.Y.Title(d.yUnit), d.f.Note} {
		if n := raster.TextWidth(more) + 2; more != "" && more != title && n <= room {
			x = d.c.Text(x, 0, "  "+more, d.dim())
			room -= n
		}
	}
	at := d.c.W - width
	for _, e := range list {
		d.c.Set(at, 0, e.sign)
		at = d.c.Text(at+2, 0, e.name, d.dim()) + 2
	}
}

// left draws the axis of y and its labels.
func (d *drawing) left() {
	for y := range d.plot.H {
		d.c.Set(d.gutter-1, d.plot.Y+y, raster.Cell{Rune: d.look.Glyphs.Vertical, Style: d.dim()})
	}
	last := -1
	for _, t := range d.ys {
		share := d.y.At(t.Value)
		if !(share >= 0 && share <= 1) {
			continue
		}
		y := int(onEdge(1-share, float64(d.plot.H)))
		if len(d.f.Y.Names) > 0 {
			y = middle(share, float64(d.plot.H))
		}
		if y == last {
			continue
		}
		last = y
		d.c.TextIn(0, d.plot.Y+y, d.gutter-2, t.Label, d.text(0), true)
		tick := '┤'
		if d.look.Glyphs == raster.ASCII {
			tick = '+'
		}
		d.c.Set(d.gutter-1, d.plot.Y+y, raster.Cell{Rune: tick, Style: d.dim()})
	}
}

// middle returns the line in the middle of a category; of two the upper one.
func middle(y, h float64) int { return max(int(math.Ceil((1-y)*h-1e-9))-1, 0) }

// below draws the axis of x, its labels, and its name after them.
func (d *drawing) below() {
	if d.bare {
		return
	}
	g, y := d.look.Glyphs, d.plot.Y+d.plot.H
	if d.lined {
		d.c.Set(d.gutter-1, y, raster.Cell{Rune: g.BottomLeft, Style: d.dim()})
		for x := range d.plot.W {
			d.c.Set(d.plot.X+x, y, raster.Cell{Rune: g.Horizontal, Style: d.dim()})
		}
	}
	line := y
	if d.lined {
		line++
	}
	list := d.labels()
	name, at := d.nameOfX(list)
	for _, l := range list {
		if d.lined {
			d.c.Set(l.tick, y, raster.Cell{Rune: g.TickDown, Style: d.dim()})
		}
		if name == "" || l.end() < at {
			d.c.Text(l.x, line, l.text, d.text(0))
		}
	}
	d.c.Text(at, line, name, d.dim())
}

// label is a label under the plot; "" if it does not fit.
type label struct {
	text    string
	tick, x int // columns
}

func (l label) end() int { return l.x + raster.TextWidth(l.text) }

// labels places the labels under the plot, those on the left first.
func (d *drawing) labels() (list []label) {
	free := 0
	for _, t := range d.xs {
		share := d.x.At(t.Value)
		if !(share >= 0 && share <= 1) {
			continue
		}
		l := label{text: t.Label, tick: d.plot.X + int(onEdge(share, float64(d.plot.W)))}
		w := raster.TextWidth(t.Label)
		if l.x = max(min(l.tick-w/2, d.c.W-w), 0); l.x < free {
			l.text = ""
		} else {
			free = l.end() + 1
		}
		list = append(list, l)
	}
	return list
}

// nameOfX returns the name of x and its place, the right end. If the name would hide several labels, or one of few, and
// the title contains it, the unit replaces it.
func (d *drawing) nameOfX(list []label) (name string, at int) {
	names := []string{d.f.X.Title(d.xUnit)}
	if d.xUnit != "" && d.f.X.Name != "" && strings.Contains(d.f.Title, d.f.X.Name) {
		names = append(names, "("+d.xUnit+")")
	}
	for _, name = range names {
		at = max(d.c.W-raster.TextWidth(name), d.plot.X)
		hidden := 0
		for _, l := range list {
			if l.text != "" && l.end() >= at {
				hidden++
			}
		}
		if hidden == 0 || hidden == 1 && len(list) >= 4 {
			break
		}
	}
	return name, at
}

func (d *drawing) picture() {
	p := newCells(d.plot.Of(d.c), d.look)
	p.large = d.look.Glyphs.Braille && Points(d.f) < d.plot.W*d.plot.H/4
	Paint(d.f, d.x, d.y, p)
	PaintMarks(d.f, d.x, d.y, p)
}

// near is the maximum distance of a click from its point, in cells of usual proportion: about one.
const near = 1.6

// Hit returns the point at a cell of the canvas, or the nearest one beside it.
func (p *Placed) Hit(x, y int) (layer, i int, ok bool) {
	if p.Plot.Has(x, y) { // a cell is about twice as high as it is wide
		layer, i, ok = nearest(p.Figure, p.X, p.Y, p.place(x, y), float64(p.Plot.W), 2*float64(p.Plot.H), near)
	}
	return layer, i, ok
}

// Step returns the nearest point of a figure in a direction, at least a cell of its plot away from a point; nearest to
// the middle if from is nil.
func Step(f *figure.Figure, plot raster.Rect, from []float64, dx, dy int) (layer, i int, ok bool) {
	x, y := Scales(f)
	w, h := float64(max(plot.W, 1)), float64(max(plot.H, 1))
	at := Place{X: 0.5, Y: 0.5}
	if from != nil {
		at = Place{X: x.At(from[0]), Y: y.At(from[1])}
	}
	right, down := float64(cmp.Compare(dx, 0)), float64(cmp.Compare(dy, 0))
	best := math.Inf(1)
	for k := range f.Layers {
		l := &f.Layers[k]
		for n := range l.X {
			// In cells: along the direction, and across it, where a step counts twice.
			cx, cy := (x.At(l.X[n])-at.X)*w, (at.Y-y.At(l.Y[n]))*h
			along, across := cx*right+cy*down, math.Abs(cx*down)+math.Abs(cy*right)
			d := along + 2*across
			if from == nil {
				d = math.Hypot(cx, cy)
			} else if along < 1 || along < across {
				continue
			}
			if d < best {
				best, layer, i, ok = d, k, n, true
			}
		}
	}
	return layer, i, ok
}

// Value returns the values at the middle of a cell of the canvas.
func (p *Placed) Value(x, y int) (vx, vy float64, ok bool) {
	at := p.place(x, y)
	return p.X.Value(at.X), p.Y.Value(at.Y), p.Plot.Has(x, y)
}

func (p *Placed) place(x, y int) Place {
	return Place{(float64(x-p.Plot.X) + 0.5) / float64(p.Plot.W), 1 - (float64(y-p.Plot.Y)+0.5)/float64(p.Plot.H)}
}
