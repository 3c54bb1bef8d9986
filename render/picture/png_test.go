package picture

import (
	"image"
	"image/color"
	"math"
	"strings"
	"testing"

	"pview/render/raster"
)

// drawn returns the box around the drawn pixels, and their number.
func (p *pixels) drawn() (box image.Rectangle, n int) {
	for y := range p.whole.Rect.Dy() {
		for x := range p.whole.Rect.Dx() {
			if p.whole.RGBAAt(x, y).A > 0 {
				box, n = box.Union(image.Rect(x, y, x+1, y+1)), n+1
			}
		}
	}
	return box, n
}

// Neighbours share no pixel, and each has at least one: at a scale of 2, pixels 2 to 4 cover 1.2 to 2.3.
func TestBoundsOfRectangles(t *testing.T) {
	p := newPixels(10, 10, 2)
	for r, want := range map[rect]image.Rectangle{
		{1.2, 1, 1.1, 2}:   image.Rect(2, 2, 5, 6),
		{2.3, 1, 1.1, 2}:   image.Rect(5, 2, 7, 6),
		{3, 3, 0, 0}:       image.Rect(6, 6, 7, 7),
		{3, 3, 0.5, 0.501}: image.Rect(6, 6, 7, 7),
	} {
		if got := p.bounds(r); got != want {
			t.Errorf("%v has the pixels %v, want %v", r, got, want)
		}
	}
}

// What lies outside the clip is not drawn, until it is lifted.
func TestClip(t *testing.T) {
	p := newPixels(10, 10, 1)
	everything := rect{0, 0, 10, 10}
	p.clip(rect{2, 3, 4, 5})
	p.fill(raster.RGB(0, 0, 0), everything)
	p.line(raster.RGB(0, 0, 0), 2, 1, point{0, 0}, point{10, 10})
	if box, n := p.drawn(); box != image.Rect(2, 3, 6, 8) || n != 4*5 {
		t.Errorf("%d pixels in %v", n, box)
	}
	p.unclip()
	p.fill(raster.RGB(0, 0, 0), everything)
	if _, n := p.drawn(); n != 100 {
		t.Errorf("%d pixels without a clip", n)
	}
}

// A line of width 2 covers the pixels on both sides of its path, whatever its direction; a path of no length covers
// none.
func TestLinesOfPixels(t *testing.T) {
	for _, c := range []struct {
		path []point
		want image.Rectangle
	}{
		{[]point{{2, 5}, {8, 5}}, image.Rect(2, 4, 8, 6)}, {[]point{{8, 5}, {2, 5}}, image.Rect(2, 4, 8, 6)},
		{[]point{{5, 2}, {5, 8}}, image.Rect(4, 2, 6, 8)}, {[]point{{5, 5}, {5, 5}}, image.Rectangle{}},
	} {
		p := newPixels(10, 10, 1)
		p.line(raster.RGB(0, 0, 0), 2, 1, c.path...)
		if box, n := p.drawn(); box != c.want || n != c.want.Dx()*c.want.Dy() {
			t.Errorf("%v: %d pixels in %v, want %v", c.path, n, box, c.want)
		}
	}
}

// A turned text reads upwards from its place: it is as high as the same text is wide.
func TestTurnedText(t *testing.T) {
	l := lettering{size: 12, color: raster.RGB(0, 0, 0)}
	flat, turned := newPixels(200, 200, 1), newPixels(200, 200, 1)
	flat.text(20, 150, "Hlength", l)
	l.turned = true
	turned.text(100, 150, "Hlength", l)
	a, _ := flat.drawn()
	b, _ := turned.drawn()
	near := func(x, y int) bool { return x-y <= 1 && y-x <= 1 }
	if !near(a.Dx(), b.Dy()) || !near(a.Dy(), b.Dx()) {
		t.Errorf("%v flat, %v turned", a, b)
	}
	// From the place 20 to the left end of the text, and from the base at 150 to its bottom.
	if !near(150-b.Max.Y, a.Min.X-20) || !near(b.Max.X-100, a.Max.Y-150) {
		t.Errorf("%v flat, %v turned", a, b)
	}
}

// A text is to the right of its place, on both sides of it, or to the left.
func TestAnchors(t *testing.T) {
	for _, c := range []struct {
		by          anchor
		left, right bool
	}{{atStart, false, true}, {atMiddle, true, true}, {atEnd, true, false}} {
		p := newPixels(200, 40, 1)
		p.text(100, 20, "HHHH", lettering{size: 12, color: raster.RGB(0, 0, 0), anchor: c.by})
		box, _ := p.drawn()
		if left, right := box.Min.X < 90, box.Max.X > 110; left != c.left || right != c.right {
			t.Errorf("anchor %d: %v", c.by, box)
		}
	}
}

// letters returns the pixels of a picture: 1 and 2 for two colours, a dot for everything else.
func (p *pixels) letters(one, two raster.Color) string {
	var out strings.Builder
	for y := range p.whole.Rect.Dy() {
		for x := range p.whole.Rect.Dx() {
			switch c := p.whole.RGBAAt(x, y); raster.RGB(c.R, c.G, c.B) {
			case one:
				out.WriteByte('1')
			case two:
				out.WriteByte('2')
			default:
				out.WriteByte('.')
			}
		}
		out.WriteByte('|')
	}
	return out.String()
}

// The cells of a table in the colours of 1 and 2; one has no value. If two columns share a pixel, the greater value
// shows.
func TestTableInColours(t *testing.T) {
	cells := []string{"112-1221", "22211-12"}
	table := &Table{Rows: make([]Heading, 2), Shade: Shade{Scale: raster.Scale{Min: 1, Max: 2}},
		Cell: func(row, col int) (float64, bool) {
			c := cells[row][col]
			return float64(c - '0'), c != '-'
		}}
	k := &ink{paper: raster.RGB(255, 255, 255), grid: raster.RGB(0, 0, 0)}
	for _, c := range []struct {
		columns, wide int
		want          string
	}{
		{4, 4, "......|.112..|.2221.|......|"},
		{4, 8, "..........|.111122...|.22222211.|..........|"},
		{8, 4, "......|.1222.|.2212.|......|"},
	} {
		table.Columns = make([]Heading, c.columns)
		p := newPixels(float64(c.wide+2), 4, 1)
		table.drawColors(p, rect{1, 1, float64(c.wide), 2}, k)
		if got := p.letters(table.Shade.color(1), table.Shade.color(2)); got != c.want {
			t.Errorf("%d columns in %d pixels: %s, want %s", c.columns, c.wide, got, c.want)
		}
	}
}

// Shades go from the end that is near the paper to the other one: on white the least value is yellow, on black blue.
func TestShades(t *testing.T) {
	s := Shade{Scale: raster.Scale{Min: 0, Max: 3}}
	for v, want := range map[float64]raster.Color{1: shades[2], 2: shades[1], 3: shades[0], 9: shades[0],
		2.5: shades[0].Blend(shades[1], 0.5), 0: raster.NoColor} {
		if got := s.color(v); got != want {
			t.Errorf("%g has the colour %v, want %v", v, got, want)
		}
	}
	if s.Dark = true; s.color(1) != shades[1] || s.color(3) != shades[3] || s.color(math.NaN()) != raster.NoColor {
		t.Errorf("on black %v and %v", s.color(1), s.color(3))
	}
}

// The ends of a picture are those of its rectangle; each of 2 x 1 pixels becomes 3 x 4.
func TestPictureInPixels(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 2, 1))
	img.Set(0, 0, color.RGBA{200, 0, 0, 255})
	img.Set(1, 0, color.RGBA{0, 0, 200, 255})
	p := newPixels(10, 10, 1)
	p.picture(rect{1, 2, 6, 4}, img)
	box, n := p.drawn()
	if box != image.Rect(1, 2, 7, 6) || n != 24 || p.whole.RGBAAt(3, 2).R != 200 || p.whole.RGBAAt(4, 5).B != 200 {
		t.Errorf("%d pixels in %v", n, box)
	}
}
