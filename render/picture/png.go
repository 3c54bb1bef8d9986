package picture

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"
	"runtime/debug"

	"golang.org/x/image/font"
	"golang.org/x/image/math/f64"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	xdraw "golang.org/x/image/draw"

	"pview/render/raster"
)

// pixels is a canvas of pixels, scale of them to a px.
type pixels struct {
	img   *image.RGBA
	whole *image.RGBA
	scale float64
	faces map[lettering]font.Face // by size and boldness
	lines vector.Rasterizer
}

func newPixels(width, height, scale float64) *pixels {
	img := image.NewRGBA(image.Rect(0, 0, int(math.Round(width*scale)), int(math.Round(height*scale))))
	return &pixels{img: img, whole: img, scale: scale, faces: map[lettering]font.Face{}}
}

// perPixel is the number of bytes that a pixel takes: in the picture, and in the image of a plot that fills it.
const perPixel = 8

func writePNG(w io.Writer, f *Figure, width, height float64) error {
	wide, high := int64(width*max(f.Scale, 1)), int64(height*max(f.Scale, 1))
	if need, limit := wide*high*perPixel, debug.SetMemoryLimit(-1); need > limit { // -1 asks
		return fmt.Errorf(
			"a picture of %d x %d pixels takes %d MB of memory, more than the %d MB that --memory allows: make it "+
				"smaller, or vector graphics", wide, high, need>>20, limit>>20)
	}
	p := newPixels(width, height, max(f.Scale, 1))
	f.draw(p, width, height)
	return (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(w, p.whole)
}

func (p *pixels) grain() float64 { return p.scale }
func (p *pixels) shapes() int    { return math.MaxInt }

func rgba(c raster.Color, alpha float64) color.NRGBA {
	r, g, b := c.RGB()
	return color.NRGBA{r, g, b, uint8(math.Round(255 * min(max(alpha, 0), 1)))}
}

func (p *pixels) fill(c raster.Color, list ...rect) {
	src := image.NewUniform(rgba(c, 1))
	for _, r := range list {
		draw.Draw(p.img, p.bounds(r), src, image.Point{}, draw.Src)
	}
}

// bounds returns the pixels of a rectangle: at least one each way, and neighbours share none.
func (p *pixels) bounds(r rect) image.Rectangle {
	at := func(v float64) int { return int(math.Round(v * p.scale)) }
	x, y := at(r.x), at(r.y)
	return image.Rect(x, y, max(at(r.right()), x+1), max(at(r.bottom()), y+1))
}

// line draws each stretch as a thin rectangle, smoothed.
func (p *pixels) line(c raster.Color, width, alpha float64, path ...point) {
	half := max(width*p.scale, 1) / 2
	var box extent
	for _, q := range path {
		box.add(q.x*p.scale, q.y*p.scale)
	}
	p.mask(box.grown(half+1), rgba(c, alpha), func(z *vector.Rasterizer, ox, oy float64) {
		for i := 1; i < len(path); i++ {
			x0, y0 := path[i-1].x*p.scale-ox, path[i-1].y*p.scale-oy
			x1, y1 := path[i].x*p.scale-ox, path[i].y*p.scale-oy
			length := math.Hypot(x1-x0, y1-y0)
			if length == 0 {
				continue
			}
			nx, ny := (y1-y0)/length*half, -(x1-x0)/length*half
			polygon(z, []point{{x0 + nx, y0 + ny}, {x1 + nx, y1 + ny}, {x1 - nx, y1 - ny}, {x0 - nx, y0 - ny}})
		}
	})
}

func (p *pixels) area(c raster.Color, alpha float64, path ...point) {
	var box extent
	for _, q := range path {
		box.add(q.x*p.scale, q.y*p.scale)
	}
	p.mask(box.grown(1), rgba(c, alpha), func(z *vector.Rasterizer, ox, oy float64) {
		moved := make([]point, len(path))
		for i, q := range path {
			moved[i] = point{q.x*p.scale - ox, q.y*p.scale - oy}
		}
		polygon(z, moved)
	})
}

func polygon(z *vector.Rasterizer, path []point) {
	for i, q := range path {
		if i == 0 {
			z.MoveTo(float32(q.x), float32(q.y))
		} else {
			z.LineTo(float32(q.x), float32(q.y))
		}
	}
	z.ClosePath()
}

// extent is the box around some points.
type extent struct {
	x0, y0, x1, y1 float64
	any            bool
}

func (e *extent) add(x, y float64) {
	if !e.any {
		*e = extent{x, y, x, y, true}
	}
	e.x0, e.y0, e.x1, e.y1 = min(e.x0, x), min(e.y0, y), max(e.x1, x), max(e.y1, y)
}

func (e extent) grown(by float64) image.Rectangle {
	return image.Rect(int(math.Floor(e.x0-by)), int(math.Floor(e.y0-by)), int(math.Ceil(e.x1+by)),
		int(math.Ceil(e.y1+by)))
}

// mask draws a shape within a box of pixels; shape gets the place of the box.
func (p *pixels) mask(box image.Rectangle, c color.NRGBA, shape func(z *vector.Rasterizer, ox, oy float64)) {
	if box = box.Intersect(p.img.Bounds()); box.Empty() {
		return
	}
	p.lines.Reset(box.Dx(), box.Dy())
	shape(&p.lines, float64(box.Min.X), float64(box.Min.Y))
	p.lines.Draw(p.img, box, image.NewUniform(c), image.Point{})
}

func (p *pixels) text(x, y float64, s string, l lettering) {
	key := lettering{size: l.size, bold: l.bold}
	face := p.faces[key]
	if face == nil {
		face = newFace(l.bold, l.size*p.scale)
		p.faces[key] = face
	}
	w := measure.width(s, l.size, l.bold)
	by := [...]float64{atStart: 0, atMiddle: -w / 2, atEnd: -w}[l.anchor]
	at := func(v float64) fixed.Int26_6 { return fixed.Int26_6(math.Round(v * p.scale * 64)) }
	src := image.NewUniform(rgba(l.color, 1))
	if !l.turned {
		(&font.Drawer{Dst: p.img, Src: src, Face: face, Dot: fixed.Point26_6{X: at(x + by), Y: at(y)}}).DrawString(s)
		return
	}
	// Drawn upright beside the picture, and turned into it.
	high, deep := math.Ceil(l.size*p.scale), math.Ceil(l.size*p.scale/2)
	flat := image.NewRGBA(image.Rect(0, 0, int(w*p.scale)+2, int(high+deep)))
	(&font.Drawer{Dst: flat, Src: src, Face: face, Dot: fixed.Point26_6{Y: fixed.I(int(high))}}).DrawString(s)
	// (u, v) of flat goes to (x+v-high, y-by-u).
	turn := f64.Aff3{0, 1, x*p.scale - high, -1, 0, (y - by) * p.scale}
	xdraw.BiLinear.Transform(p.img, turn, flat, flat.Bounds(), xdraw.Over, nil)
}

func (p *pixels) picture(r rect, img image.Image) {
	xdraw.NearestNeighbor.Scale(p.img, p.bounds(r), img, img.Bounds(), xdraw.Src, nil)
}

func (p *pixels) clip(r rect) { p.img = p.whole.SubImage(p.bounds(r)).(*image.RGBA) }
func (p *pixels) unclip()     { p.img = p.whole }
