package screen

import (
	"image"
	"image/color"
	"math/rand/v2"
	"testing"

	"pview/render/raster"
)

// unsixel draws a sixel sequence by the standard: dots of a colour over what is there.
func unsixel(t *testing.T, data []byte, w, h int) []int {
	t.Helper()
	pixels := make([]int, w*h)
	for i := range pixels {
		pixels[i] = -1
	}
	x, y, c, at := 0, 0, 0, 0
	number := func() (n int) {
		for at < len(data) && data[at] >= '0' && data[at] <= '9' {
			n = n*10 + int(data[at]-'0')
			at++
		}
		return n
	}
	for data[at] != 'q' {
		at++
	}
	for at++; at < len(data) && data[at] != 0x1b; {
		b := data[at]
		at++
		n := 1
		switch {
		case b == '"':
			for at < len(data) && (data[at] == ';' || data[at] >= '0' && data[at] <= '9') {
				at++
			}
			continue
		case b == '#':
			c = number()
			for at < len(data) && data[at] == ';' { // a definition
				at++
				number()
			}
			continue
		case b == '$':
			x = 0
			continue
		case b == '-':
			x, y = 0, y+6
			continue
		case b == '!':
			n = number()
			b = data[at]
			at++
		}
		if b < '?' || b > '~' {
			t.Fatalf("byte %q at %d", b, at-1)
		}
		for range n {
			for k := range 6 {
				if (b-'?')>>k&1 != 0 {
					pixels[(y+k)*w+x] = c
				}
			}
			x++
		}
	}
	return pixels
}

// A terminal draws exactly the picture from the sixels, pixel for pixel.
func TestSixelsAreThePicture(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, size := range [][2]int{{1, 1}, {7, 5}, {40, 18}, {200, 31}} {
		for colors := 1; colors < 9; colors++ {
			img := image.NewPaletted(image.Rect(0, 0, size[0], size[1]), nil)
			for i := range colors {
				img.Palette = append(img.Palette, color.RGBA{uint8(i * 20), 0, 0, 255})
			}
			c := uint8(0)
			for i := range img.Pix { // stripes, as in timelines
				if rng.IntN(4) == 0 {
					c = uint8(rng.IntN(colors))
				}
				img.Pix[i] = c
			}
			got := unsixel(t, appendSixel(nil, img), size[0], size[1])
			for i, want := range img.Pix {
				if got[i] != int(want) {
					t.Fatalf("%v, %d colours: pixel %d is %d, want %d", size, colors, i, got[i], want)
				}
			}
		}
	}
}

// Only changed pictures are sent; kitty is told to forget those that are gone, and cells hidden by sixels are redrawn.
func TestImagesThatAreSent(t *testing.T) {
	a, b := raster.NewPixmap(20, 20, raster.RGB(1, 2, 3)), raster.NewPixmap(20, 20, raster.RGB(1, 2, 3))
	other := raster.NewPixmap(20, 20, raster.RGB(9, 9, 9))
	part := raster.Rect{X: 3, Y: 4, W: 2, H: 1}
	for _, way := range []Graphics{Kitty, Sixel} {
		var m images
		show := func(p ...*raster.Pixmap) (draw, drop int, uncovers bool) {
			m.by, m.next = way, nil
			for _, p := range p {
				m.next = append(m.next, Image{ID: 7, Part: part, Picture: p})
			}
			uncovers = m.uncovers()
			c := m.take()
			return len(c.draw), len(c.drop), uncovers
		}
		if d, _, _ := show(a); d != 1 {
			t.Errorf("%v: the first is not sent", way)
		}
		if d, _, _ := show(b); d != 0 {
			t.Errorf("%v: the same is sent again", way)
		}
		if d, _, _ := show(other); d != 1 {
			t.Errorf("%v: another is not sent", way)
		}
		if _, drop, uncovers := show(); drop != 1 && way == Kitty || uncovers != (way == Sixel) {
			t.Errorf("%v: gone: %d dropped, uncovers %v", way, drop, uncovers)
		}
	}
}
