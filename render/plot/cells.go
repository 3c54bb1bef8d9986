package plot

import (
	"math"
	"sort"

	"pview/insight/report/figure"
	"pview/render/raster"
)

// cells is the pen of cells. Lines and points are dots of braille, two by four to a cell; bars grow in eighths upwards
// and in halves to the right; bands are the background. Without braille a point is the sign of its ink, without colours
// a band is a light shade.
type cells struct {
	raster.Look
	c       raster.Canvas // of the plot alone
	dots    []uint8       // per cell
	large   bool          // points are two dots wide: there are so few that one would be overlooked
	painter raster.Painter
}

func newCells(c raster.Canvas, look raster.Look) *cells {
	return &cells{Look: look, c: c, dots: make([]uint8, c.W*c.H),
		painter: raster.Painter{Look: look, Palette: raster.NewPalette(nil), Mode: raster.Gradient,
			Scale: raster.Scale{Max: 1}}}
}

func (p *cells) color(k figure.Ink) raster.Color {
	if k == figure.Strong && p.Theme.Cursor.IsSet() {
		return p.Theme.Cursor
	}
	return Color(k, p.Theme.Dark)
}

// colored returns a style with a foreground, where there are colours.
func (p *cells) colored(k figure.Ink) raster.Style {
	if p.Profile == raster.Mono {
		return raster.Style{}
	}
	return raster.Style{FG: p.color(k)}
}

// brailleDots has the bit of each dot of a braille character, by line and column.
var brailleDots = [4][2]uint8{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}

// grid returns the number of dots that a cell has each way.
func (p *cells) grid() (w, h int) {
	if p.Glyphs.Braille {
		return 2, 4
	}
	return 1, 1
}

// dotAt returns the dot of a place; it may be outside.
func (p *cells) dotAt(at Place) (x, y int) {
	gx, gy := p.grid()
	w, h := float64(p.c.W*gx), float64(p.c.H*gy)
	return int(onEdge(at.X, w)), int(onEdge(1-at.Y, h))
}

// onEdge scales a share; 1 is still in the last step.
func onEdge(share, n float64) float64 {
	v := math.Floor(min(max(share, -9), 9) * n)
	if v == n && share <= 1+1e-12 {
		return n - 1
	}
	return v
}

// put sets a dot.
func (p *cells) put(k figure.Ink, x, y int) {
	gx, gy := p.grid()
	if x < 0 || y < 0 || x >= p.c.W*gx || y >= p.c.H*gy {
		return
	}
	cx, cy := x/gx, y/gy
	cell := p.c.At(cx, cy)
	bg := cell.BG
	if cell.Rune != ' ' && cell.Rune < 0x2800 {
		bg = cell.FG // over a bar
	}
	cell.Style = p.colored(k)
	cell.BG = bg
	if cell.Rune = inks[k].sign; p.Glyphs.Braille {
		at := &p.dots[cy*p.c.W+cx]
		*at |= brailleDots[y%gy][x%gx]
		cell.Rune = 0x2800 + rune(*at)
	}
	p.c.Set(cx, cy, cell)
}

func (p *cells) Dot(k figure.Ink, at Place) {
	x, y := p.dotAt(at)
	p.put(k, x, y)
	if p.large {
		p.put(k, x^1, y)
	}
}

func (p *cells) Line(k figure.Ink, path []Place) {
	for i := 1; i < len(path); i++ {
		x, y := p.dotAt(path[i-1])
		x2, y2 := p.dotAt(path[i])
		n := max(abs(x2-x), abs(y2-y), 1)
		for j := range n + 1 {
			share := float64(j) / float64(n)
			p.put(k, x+int(math.Round(share*float64(x2-x))), y+int(math.Round(share*float64(y2-y))))
		}
	}
}

func abs(n int) int { return max(n, -n) }

func (p *cells) Bar(k figure.Ink, from, to Place, flat bool) {
	left, right := min(from.X, to.X)*float64(p.c.W), max(from.X, to.X)*float64(p.c.W)
	low, high := min(from.Y, to.Y)*float64(p.c.H), max(from.Y, to.Y)*float64(p.c.H)
	if flat {
		p.flatBar(k, left, right, float64(p.c.H)-high, float64(p.c.H)-low)
		return
	}
	// A cell belongs to the bar that covers its middle; a bar narrower than a cell has at least one.
	first, after := int(math.Ceil(left-0.5)), int(math.Ceil(right-0.5))
	if after <= first {
		first = int(left)
		after = first + 1
	}
	for x := max(first, 0); x < min(after, p.c.W); x++ {
		p.rise(k, x, low, high)
	}
}

// rise fills column x from one height to another, in cells from the bottom.
func (p *cells) rise(k figure.Ink, x int, low, high float64) {
	levels := p.Glyphs.Levels
	steps := float64(len(levels) - 1)
	for line := int(math.Round(max(low, 0))); line < p.c.H && float64(line) < high; line++ {
		share := min(high-float64(line), 1)
		n := int(math.Round(share * steps))
		if n == 0 && line == 0 && high > 0 {
			n = 1 // a count of 1 beside one of 1000 must not look like 0
		}
		y := p.c.H - 1 - line
		if n == 0 || levelOf(levels, p.c.At(x, y).Rune) > n {
			continue
		}
		p.c.Set(x, y, raster.Cell{Rune: levels[n], Style: p.colored(k)})
	}
}

// levelOf returns how full a cell is; 0 for other glyphs.
func levelOf(levels []rune, r rune) int {
	for i, l := range levels {
		if l == r {
			return i
		}
	}
	return 0
}

// flatBar fills the lines whose middle is between top and bottom; one at least.
func (p *cells) flatBar(k figure.Ink, left, right, top, bottom float64) {
	first, after := int(math.Ceil(top-0.5)), int(math.Ceil(bottom-0.5))
	if after <= first {
		first = int((top + bottom) / 2)
		after = first + 1
	}
	for y := max(first, 0); y < min(after, p.c.H); y++ {
		for x := max(int(left), 0); x < p.c.W && float64(x) < right; x++ {
			from, to := max(left-float64(x), 0), min(right-float64(x), 1)
			r := p.Glyphs.Full
			switch halves := p.Glyphs.HalfLeft != 0; {
			case to-from < 0.25 && !(x == int(left) && right-left < 0.25):
				continue
			case halves && to < 0.75:
				r = p.Glyphs.HalfLeft
			case halves && from > 0.25:
				r = p.Glyphs.HalfRight
			}
			if p.Glyphs.HalfLeft == 0 {
				r = inks[k].sign
			}
			p.c.Set(x, y, raster.Cell{Rune: r, Style: p.colored(k)})
		}
	}
}

func (p *cells) Label(k figure.Ink, from, to Place, text string) {
	w := float64(p.c.W)
	left, right, n := int(from.X*w), int(math.Ceil(to.X*w)), raster.TextWidth(text)
	y := middle((from.Y+to.Y)/2, float64(p.c.H))
	st := p.colored(k)
	switch {
	case right+1+n <= p.c.W:
		p.c.Text(right+1, y, text, st)
	case left-1-n >= 0:
		p.c.Text(left-1-n, y, text, st)
	case p.Profile == raster.Mono:
		p.c.Text(right-n-1, y, text, raster.Style{Attr: raster.Reverse})
	default:
		p.c.Text(right-n-1, y, text, raster.Style{FG: st.FG.Contrast(), BG: st.FG})
	}
}

func (p *cells) Band(k figure.Ink, lower, upper []Place) {
	for x := range p.c.W {
		at := (float64(x) + 0.5) / float64(p.c.W)
		low, ok := heightAt(lower, at)
		high, _ := heightAt(upper, at)
		if !ok {
			continue
		}
		for y := range p.c.H {
			if middle := 1 - (float64(y)+0.5)/float64(p.c.H); middle < low || middle > high {
				continue
			}
			p.c.Set(x, y, p.inBand(p.c.At(x, y), k))
		}
	}
}

// inBand returns the look of a cell inside a band.
func (p *cells) inBand(cell raster.Cell, k figure.Ink) raster.Cell {
	switch p.Profile {
	case raster.Mono:
		cell.Rune = p.Glyphs.Shades[1]
	case raster.ANSI16:
		cell.Rune, cell.FG, cell.BG = p.Glyphs.Shades[1], p.color(k), 0
	default:
		bg := raster.RGB(255, 255, 255)
		if p.Theme.Background.IsSet() {
			bg = p.Theme.Background
		} else if p.Theme.Dark {
			bg = raster.RGB(0, 0, 0)
		}
		cell.BG = bg.Blend(p.color(k), 0.3)
	}
	return cell
}

// heightAt returns the height of a line at x, between its points.
func heightAt(path []Place, x float64) (y float64, ok bool) {
	i := sort.Search(len(path), func(i int) bool { return path[i].X >= x })
	if i == len(path) || i == 0 && path[0].X > x {
		return 0, false
	}
	if i == 0 || path[i].X == path[i-1].X {
		return path[i].Y, true
	}
	a, b := path[i-1], path[i]
	return a.Y + (b.Y-a.Y)*(x-a.X)/(b.X-a.X), true
}

func (p *cells) Tile(share float64, from, to Place, text string) {
	w, h := float64(p.c.W), float64(p.c.H)
	x, x2 := int(math.Round(min(from.X, to.X)*w)), int(math.Round(max(from.X, to.X)*w))
	y, y2 := int(math.Round((1-max(from.Y, to.Y))*h)), int(math.Round((1-min(from.Y, to.Y))*h))
	if y2 == y {
		y2++
	}
	c := p.c.Sub(x, y, x2-x, y2-y)
	cell := p.painter.Cell(share)
	c.Fill(cell)
	if n := raster.TextWidth(text); n > 0 && n < c.W {
		st := cell.Style
		if st.BG.IsSet() {
			st.FG = st.BG.Contrast()
		}
		c.Text((c.W-n)/2, (c.H-1)/2, text, st)
	}
}

// Rule draws a line where no curve is.
func (p *cells) Rule(r figure.Rule, share float64) {
	n := p.c.H
	if r.Flat {
		n = p.c.W
	}
	for i := range n {
		at, glyph := Place{share, (float64(i) + 0.5) / float64(n)}, p.Glyphs.Vertical
		if r.Flat {
			at, glyph = Place{at.Y, share}, p.Glyphs.Horizontal
		}
		cx, cy := p.cellAt(at)
		cell := p.c.At(cx, cy)
		if cell.Rune > 0x2800 && cell.Rune <= 0x28ff { // a curve that crosses the rule stays whole
			continue
		}
		if cell.Rune == p.Glyphs.Full {
			cell.BG = cell.FG
		}
		cell.Rune, cell.FG = glyph, p.colored(r.Ink).FG
		p.c.Set(cx, cy, cell)
	}
}

func (p *cells) cellAt(at Place) (x, y int) {
	return int(onEdge(at.X, float64(p.c.W))), int(onEdge(1-at.Y, float64(p.c.H)))
}

func (p *cells) Mark(m figure.Mark, at Place) {
	cx, cy := p.cellAt(at)
	cell := p.c.At(cx, cy)
	cell.Rune, cell.Style = p.sign(m), raster.Style{FG: p.colored(m.Ink).FG, BG: cell.BG, Attr: raster.Bold}
	if p.Profile == raster.Mono {
		cell.Attr |= raster.Reverse
	}
	p.c.Set(cx, cy, cell)
}

func (p *cells) sign(m figure.Mark) rune {
	if m.Sign != 0 && p.Glyphs != raster.ASCII {
		return m.Sign
	}
	return p.Glyphs.Point
}
