package raster

import (
	"image"
	"image/color"
	"math"
	"slices"
)

// Pixmap is a picture in pixels with a palette, sent instead of cells to terminals with kitty graphics or sixels. After
// 256 colours, a further one becomes the nearest existing one.
type Pixmap struct {
	*image.Paletted
	index map[Color]uint8
}

// NewPixmap returns a picture of one colour.
func NewPixmap(w, h int, ground Color) *Pixmap {
	p := &Pixmap{image.NewPaletted(image.Rect(0, 0, max(w, 0), max(h, 0)), nil), map[Color]uint8{}}
	p.of(ground) // becomes number 0, the value of all pixels
	return p
}

// Ground returns the picture's first colour.
func (p *Pixmap) Ground() Color { return p.colorOf(0) }

// Clone returns a copy to draw on.
func (p *Pixmap) Clone() *Pixmap {
	q := &Pixmap{image.NewPaletted(p.Rect, append(color.Palette(nil), p.Palette...)),
		make(map[Color]uint8, len(p.index))}
	copy(q.Pix, p.Pix)
	for c, i := range p.index {
		q.index[c] = i
	}
	return q
}

// of returns the number of a colour.
func (p *Pixmap) of(c Color) uint8 {
	if i, ok := p.index[c]; ok {
		return i
	}
	i := 0
	if len(p.Palette) < 256 {
		r, g, b := c.RGB()
		i = len(p.Palette)
		p.Palette = append(p.Palette, color.RGBA{r, g, b, 255})
	} else {
		for k := range p.Palette {
			if distance(c, p.colorOf(uint8(k))) < distance(c, p.colorOf(uint8(i))) {
				i = k
			}
		}
	}
	p.index[c] = uint8(i)
	return uint8(i)
}

// Restrict maps the colours to those of the 256-colour palette, when drawing is finished.
func (p *Pixmap) Restrict() {
	for i := range p.Palette {
		r, g, b := Palette256(int(p.colorOf(uint8(i)).Nearest256())).RGB()
		p.Palette[i] = color.RGBA{r, g, b, 255}
	}
}

func (p *Pixmap) colorOf(i uint8) Color {
	c := p.Palette[i].(color.RGBA)
	return RGB(c.R, c.G, c.B)
}

// Fill paints the pixels from (x0, y0) up to, not including, (x1, y1).
func (p *Pixmap) Fill(x0, y0, x1, y1 int, c Color) {
	r := image.Rect(x0, y0, x1, y1).Intersect(p.Rect)
	if r.Empty() || x1 <= x0 || y1 <= y0 {
		return
	}
	i := p.of(c)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		line := p.Pix[y*p.Stride+r.Min.X : y*p.Stride+r.Max.X]
		for x := range line {
			line[x] = i
		}
	}
}

// Blend blends a colour into a rectangle.
func (p *Pixmap) Blend(x0, y0, x1, y1 int, c Color, share float64) {
	if share >= 1 {
		p.Fill(x0, y0, x1, y1, c)
		return
	}
	r := image.Rect(x0, y0, x1, y1).Intersect(p.Rect)
	for y := r.Min.Y; y < r.Max.Y && x0 < x1; y++ {
		line := p.Pix[y*p.Stride+r.Min.X : y*p.Stride+r.Max.X]
		for x := range line {
			line[x] = p.of(p.colorOf(line[x]).Blend(c, share))
		}
	}
}

// shares is the number of steps in which colours are mixed: each step may use up a colour of the palette.
const shares = 4

// mix mixes a colour into a pixel.
func (p *Pixmap) mix(x, y int, c Color, share float64) {
	if !(image.Point{X: x, Y: y}).In(p.Rect) {
		return
	}
	if share = math.Round(share*shares) / shares; share > 0 {
		at := y*p.Stride + x
		p.Pix[at] = p.of(p.colorOf(p.Pix[at]).Blend(c, share))
	}
}

// Line draws a line, one pixel wide; a smooth one uses Wu's algorithm: two pixels share each step.
func (p *Pixmap) Line(x0, y0, x1, y1 float64, c Color, smooth bool) {
	x0, y0, x1, y1, ok := Clip(x0, y0, x1, y1, float64(p.Rect.Dx()-1), float64(p.Rect.Dy()-1))
	if !ok {
		return
	}
	dot := p.mix
	if !smooth {
		dot = func(x, y int, c Color, share float64) { p.mix(x, y, c, math.Floor(share+0.5)) }
	}
	plot := func(x, y int, share float64) { dot(x, y, c, share) }
	if math.Abs(y1-y0) > math.Abs(x1-x0) {
		x0, y0, x1, y1 = y0, x0, y1, x1
		plot = func(x, y int, share float64) { dot(y, x, c, share) }
	}
	if x0 > x1 {
		x0, y0, x1, y1 = x1, y1, x0, y0
	}
	slope := 0.0
	if x1 > x0 {
		slope = (y1 - y0) / (x1 - x0)
	}
	for x := math.Round(x0); x <= math.Round(x1); x++ {
		y := y0 + slope*(x-x0)
		low := math.Floor(y)
		plot(int(x), int(low), 1-(y-low))
		plot(int(x), int(low)+1, y-low)
	}
}

// Same reports whether two pictures look the same.
func (p *Pixmap) Same(q *Pixmap) bool {
	return p == q || p.Rect == q.Rect && slices.Equal(p.Pix, q.Pix) && slices.Equal(p.Palette, q.Palette)
}
