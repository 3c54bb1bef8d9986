package plot

import (
	"math"
	"slices"

	"pview/insight/report/figure"
	"pview/render/raster"
)

// pixels is the pen of pictures in pixels, for terminals that draw them: lines are smooth, points are dots, bars and
// bands as high as they are. What stands around the plot stays in cells.
type pixels struct {
	*raster.Pixmap
	theme *raster.Theme
	large bool // points are so few that they may be large
}

// CanPixelate reports whether the figure says all in pixels that it says in cells: tiles have texts.
func (p *Placed) CanPixelate() bool {
	return p.fig != nil && p.Plot.W > 0 && p.Plot.H > 0 && !slices.ContainsFunc(p.fig.Layers, func(l figure.Layer) bool {
		return l.Shape == figure.Tiles
	})
}

// Pixels draws the plot, without what stands around it, over the whole of m.
func (p *Placed) Pixels(m *raster.Pixmap, look raster.Look) {
	pen := &pixels{Pixmap: m, theme: look.Theme}
	points := 0
	for _, l := range p.fig.Layers {
		points += len(l.X)
	}
	pen.large = points < m.Rect.Dx()/4
	Paint(p.fig, p.X, p.Y, pen)
	for _, r := range p.fig.Rules {
		pen.rule(r, p.X, p.Y)
	}
	for _, mark := range p.fig.Marks {
		pen.mark(mark, p.X, p.Y)
	}
}

func (p *pixels) color(k figure.Ink) raster.Color { return Color(k, p.theme.Dark) }

// at returns the pixel of a place, with its fractions.
func (p *pixels) at(a Place) (x, y float64) {
	return a.X * float64(p.Rect.Dx()-1), (1 - a.Y) * float64(p.Rect.Dy()-1)
}

func (p *pixels) Line(k figure.Ink, path []Place) {
	for i := 1; i < len(path); i++ {
		if !path[i-1].finite() || !path[i].finite() {
			continue
		}
		x, y := p.at(path[i-1])
		x2, y2 := p.at(path[i])
		p.Pixmap.Line(x, y, x2, y2, p.color(k), true)
	}
}

func (p *pixels) Dot(k figure.Ink, a Place) {
	if !a.finite() {
		return
	}
	x, y := p.at(a)
	r := 1
	if p.large {
		r = 2
	}
	p.spot(x, y, r, p.color(k))
}

// spot draws a dot of 2r+1 pixels without its corners.
func (p *pixels) spot(x, y float64, r int, c raster.Color) {
	if x < -9 || y < -9 || x > float64(p.Rect.Dx()+9) || y > float64(p.Rect.Dy()+9) {
		return
	}
	cx, cy := int(math.Round(x)), int(math.Round(y))
	for dy := -r; dy <= r; dy++ {
		w := r
		if dy == r || dy == -r {
			w--
		}
		p.Fill(cx-w, cy+dy, cx+w+1, cy+dy+1, c)
	}
}

func (p *pixels) Bar(k figure.Ink, from, to Place, _ bool) {
	if !from.finite() || !to.finite() {
		return
	}
	w, h := float64(p.Rect.Dx()), float64(p.Rect.Dy())
	x, x2 := edge(min(from.X, to.X), w), edge(max(from.X, to.X), w)
	y, y2 := edge(1-max(from.Y, to.Y), h), edge(1-min(from.Y, to.Y), h)
	if x2-x > 3 { // a gap between bars
		x2--
	}
	p.Fill(x, y, max(x2, x+1), max(y2, y+1), p.color(k))
}

func edge(share, n float64) int { return int(math.Round(min(max(share, -1), 2) * n)) }

func (p *pixels) Band(k figure.Ink, lower, upper []Place) {
	w, h := p.Rect.Dx(), float64(p.Rect.Dy())
	c := p.Ground().Blend(p.color(k), 0.3)
	for x := range w {
		at := (float64(x) + 0.5) / float64(w)
		low, ok := heightAt(lower, at)
		high, _ := heightAt(upper, at)
		if ok && low == low && high == high {
			p.Fill(x, edge(1-high, h), x+1, edge(1-low, h), c)
		}
	}
}

// Tile does nothing: see CanPixelate.
func (p *pixels) Tile(float64, Place, Place, string) {}

// rule draws a dashed line across the plot.
func (p *pixels) rule(r figure.Rule, x, y Scale) {
	scale, n := x, p.Rect.Dy()
	if r.Flat {
		scale, n = y, p.Rect.Dx()
	}
	share := scale.At(r.At)
	if !(share >= 0 && share <= 1) {
		return
	}
	const dash = 6
	for i := 0; i < n; i += 2 * dash {
		if r.Flat {
			_, at := p.at(Place{Y: share})
			p.Fill(i, int(at), i+dash, int(at)+1, p.color(r.Ink))
			continue
		}
		at, _ := p.at(Place{X: share})
		p.Fill(int(at), i, int(at)+1, i+dash, p.color(r.Ink))
	}
}

// mark draws a diamond with an edge.
func (p *pixels) mark(m figure.Mark, x, y Scale) {
	at := place(x, y, m.X, m.Y)
	if !at.finite() || at.X < 0 || at.X > 1 || at.Y < 0 || at.Y > 1 {
		return
	}
	px, py := p.at(at)
	p.diamond(int(px), int(py), 5, p.color(m.Ink).Contrast())
	p.diamond(int(px), int(py), 4, p.color(m.Ink))
}

func (p *pixels) diamond(x, y, r int, c raster.Color) {
	for dy := -r; dy <= r; dy++ {
		w := r - max(dy, -dy)
		p.Fill(x-w, y+dy, x+w+1, y+dy+1, c)
	}
}
