package picture

import (
	"image"
	"sort"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"pview/render/raster"
)

// rect is a rectangle of a picture.
type rect struct{ x, y, w, h float64 }

func (r rect) right() float64  { return r.x + r.w }
func (r rect) bottom() float64 { return r.y + r.h }

// inset returns r without a margin at each side.
func (r rect) inset(left, top, right, bottom float64) rect {
	return rect{r.x + left, r.y + top, max(r.w-left-right, 0), max(r.h-top-bottom, 0)}
}

// point is a place of a picture.
type point struct{ x, y float64 }

// anchor says which point of a text stands at its place.
type anchor uint8

const (
	atStart anchor = iota
	atMiddle
	atEnd
)

// lettering is the look of a text.
type lettering struct {
	size   float64
	bold   bool
	color  raster.Color
	anchor anchor
	turned bool // a quarter turn to the left: read from below
}

// canvas is a surface for panels.
type canvas interface {
	surface
	text(x, y float64, s string, l lettering) // y is the base line
	picture(r rect, img image.Image)          // enlarged without smoothing
	clip(r rect)
	unclip()
	// grain returns the points of detail per px, at which data is sampled.
	grain() float64
	// shapes returns the maximum number of rectangles in one panel; more become an image.
	shapes() int
}

// faces are the fonts, by boldness.
var faces = [2]func() *opentype.Font{fontOf(goregular.TTF), fontOf(gobold.TTF)}

func fontOf(ttf []byte) func() *opentype.Font {
	return sync.OnceValue(func() *opentype.Font {
		f, err := opentype.Parse(ttf)
		if err != nil {
			panic(err) // it is part of the program
		}
		return f
	})
}

// newFace returns a font in a size; it is for one goroutine.
func newFace(bold bool, size float64) font.Face {
	i := 0
	if bold {
		i = 1
	}
	face, err := opentype.NewFace(faces[i](), &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		panic(err) // as above
	}
	return face
}

// ruler measures texts.
type ruler struct {
	mu    sync.Mutex
	faces [2]font.Face // of size 100
}

var measure ruler

// width returns the width of a text in px.
func (m *ruler) width(s string, size float64, bold bool) float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := 0
	if bold {
		i = 1
	}
	if m.faces[i] == nil {
		m.faces[i] = newFace(bold, 100)
	}
	return float64(font.MeasureString(m.faces[i], s)) / float64(fixed.I(1)) * size / 100
}

// shorten cuts a text to a width, with an ellipsis. It measures little more than what fits: names may be long.
func shorten(s string, size, width float64) string {
	if measure.width(s, size, false) <= width {
		return s
	}
	r := []rune(s)
	fits := func(n int) bool { return measure.width(string(r[:n])+"…", size, false) <= width }
	limit := 1
	for limit < len(r) && fits(limit) {
		limit *= 2
	}
	n := sort.Search(min(limit, len(r)), func(n int) bool { return !fits(n) })
	if n == 0 {
		return "" // not even an ellipsis
	}
	return string(r[:n-1]) + "…"
}
