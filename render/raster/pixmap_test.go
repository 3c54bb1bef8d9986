package raster

import (
	"strings"
	"testing"
)

// dots returns the pixels of a picture: a dot for the ground, # for a colour.
func (p *Pixmap) dots(c Color) string {
	var b strings.Builder
	for y := range p.Rect.Dy() {
		for x := range p.Rect.Dx() {
			switch p.colorOf(p.ColorIndexAt(x, y)) {
			case p.Ground():
				b.WriteByte('.')
			case c:
				b.WriteByte('#')
			default:
				b.WriteByte('+') // a mixture
			}
		}
		b.WriteByte('|')
	}
	return b.String()
}

var ink, paper = RGB(0, 0, 0), RGB(255, 255, 255)

// A rectangle ends before its second corner, and is cut to the picture; one that ends before it begins is empty.
func TestFillPixels(t *testing.T) {
	for _, c := range []struct {
		x0, y0, x1, y1 int
		want           string
	}{{1, 1, 3, 2, "....|.##.|....|"}, {-5, -5, 1, 9, "#...|#...|#...|"}, {3, 2, 9, 9, "....|....|...#|"},
		{1, 1, 1, 2, "....|....|....|"}, {3, 1, 1, 2, "....|....|....|"}, {1, 2, 3, 1, "....|....|....|"}} {
		p, q := NewPixmap(4, 3, paper), NewPixmap(4, 3, paper)
		if p.Fill(c.x0, c.y0, c.x1, c.y1, ink); p.dots(ink) != c.want {
			t.Errorf("%v: %s, want %s", c, p.dots(ink), c.want)
		}
		q.Blend(c.x0, c.y0, c.x1, c.y1, ink, 1)
		if c.x0 < c.x1 && c.y0 < c.y1 && !p.Same(q) {
			t.Errorf("%v: blended %s, want %s", c, q.dots(ink), c.want)
		}
	}
	p := NewPixmap(4, 3, paper)
	p.Blend(1, 1, 3, 3, ink, 0.5)
	if got := p.dots(paper.Blend(ink, 0.5)); got != "....|.##.|.##.|" {
		t.Errorf("a half is blended into %s", got)
	}
}

// A line has both of its ends, whatever its direction; between two pixels a smooth one has both.
func TestLinesInPixels(t *testing.T) {
	for _, c := range []struct {
		x0, y0, x1, y1 float64
		smooth         bool
		want           string
	}{
		{0, 1, 3, 1, false, "....|####|....|"}, {3, 1, 0, 1, true, "....|####|....|"},
		{1, 0, 1, 2, false, ".#..|.#..|.#..|"}, {2, 2, 0, 0, false, "#...|.#..|..#.|"},
		{0, 0.5, 3, 0.5, true, "++++|++++|....|"}, {2, 2, 2, 2, false, "....|....|..#.|"},
		{9, 9, 12, 12, false, "....|....|....|"}, {-4, 1, 9, 1, false, "....|####|....|"},
	} {
		p := NewPixmap(4, 3, paper)
		if p.Line(c.x0, c.y0, c.x1, c.y1, ink, c.smooth); p.dots(ink) != c.want {
			t.Errorf("%+v: %s, want %s", c, p.dots(ink), c.want)
		}
	}
}

// A clone shares no pixels. A palette has 256 colours: the next one becomes the nearest of them.
func TestPaletteOfPixels(t *testing.T) {
	p := NewPixmap(2, 1, paper)
	q := p.Clone()
	if q.Fill(0, 0, 1, 1, ink); p.Same(q) || p.dots(ink) != "..|" || q.dots(ink) != "#.|" {
		t.Errorf("%s, clone %s", p.dots(ink), q.dots(ink))
	}
	for i := range 255 {
		p.Fill(0, 0, 1, 1, RGB(uint8(i), 0, 0))
	}
	p.Fill(1, 0, 2, 1, RGB(100, 1, 0))
	if got := p.colorOf(p.ColorIndexAt(1, 0)); len(p.Palette) != 256 || got != RGB(100, 0, 0) {
		t.Errorf("of %d colours %v is the nearest", len(p.Palette), got)
	}
}

// Halves of wide characters whose other half was overwritten are blanks.
func TestHalfOfAWideCharacter(t *testing.T) {
	c := NewCanvas(4, 1)
	c.Text(0, 0, "世界", Style{})
	if got := c.Plain(); got != "世界" {
		t.Errorf("%q", got)
	}
	c.Set(1, 0, Cell{Rune: 'x'})
	if got := c.Plain(); got != " x界" {
		t.Errorf("%q with the second half overwritten", got)
	}
	c.Set(2, 0, Cell{Rune: 'y'})
	if got := c.Plain(); got != " xy" {
		t.Errorf("%q with the first half overwritten", got)
	}
}
