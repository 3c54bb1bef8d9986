package screen

import (
	"bytes"
	"image"
	"image/color"
	"strings"
	"testing"

	"pview/render/raster"
)

// xterm draws nothing of a sixel picture that is wider or higher than 1000 pixels: 300 x 80 cells of 8 x 15 pixels,
// 2400 x 1200, are sent as parts of at most 125 x 66 cells, three beside and two below each other, each at its own
// cell.
func TestSixelsHaveParts(t *testing.T) {
	img := image.NewPaletted(image.Rect(0, 0, 2400, 1200), color.Palette{color.Black, color.White})
	for at := range img.Pix {
		img.Pix[at] = byte((at%2400/7 + at/2400/5) % 2)
	}
	data := appendSixels(nil, &Image{Part: raster.Rect{X: 10, Y: 2, W: 300, H: 80},
		Picture: &raster.Pixmap{Paletted: img}})
	parts := bytes.Split(data, []byte("\x1b\\"))
	places := []string{"\x1b[3;11H", "\x1b[3;136H", "\x1b[3;261H", "\x1b[69;11H", "\x1b[69;136H", "\x1b[69;261H"}
	if len(parts) != len(places)+1 {
		t.Fatalf("%d parts", len(parts)-1)
	}
	for i, place := range places {
		if !bytes.HasPrefix(parts[i], []byte(place)) {
			t.Fatalf("part %d begins %.20q", i, parts[i])
		}
		left, top := i%3*1000, i/3*990
		w, h := min(1000, 2400-left), min(990, 1200-top)
		got := unsixel(t, append(parts[i][len(place):], "\x1b\\"...), w, h+6)
		for y := range h {
			for x := range w {
				if want := int(img.ColorIndexAt(left+x, top+y)); got[y*w+x] != want {
					t.Fatalf("part %d has %d at %d,%d, not %d", i, got[y*w+x], x, y, want)
				}
			}
		}
	}
}

// A picture of kitty's is above the cells, which are blank; while some have text it moves below, without being sent
// again.
func TestPicturesGoBelowText(t *testing.T) {
	picture := raster.NewPixmap(20, 20, raster.RGB(1, 2, 3))
	show := func(m *images, below bool) string {
		m.by, m.next = Kitty, []Image{{ID: 5, Part: raster.Rect{X: 1, Y: 2, W: 2, H: 1}, Picture: picture,
			Below: below}}
		c := m.take()
		return string(c.append(nil))
	}
	var m images
	if sent := show(&m, false); !strings.Contains(sent, "a=T,") || !strings.Contains(sent, ",z=1,") {
		t.Errorf("first %q", sent)
	}
	if sent := show(&m, true); sent != "\x1b7\x1b[3;2H\x1b_Ga=p,i=5,q=2,c=2,r=1,p=1,C=1,z=-1\x1b\\\x1b8" {
		t.Errorf("with text %q", sent)
	}
	if sent := show(&m, true); sent != "" {
		t.Errorf("unchanged %q", sent)
	}
	if sent := show(&m, false); !strings.Contains(sent, "a=p,") || !strings.Contains(sent, "z=1") {
		t.Errorf("without text %q", sent)
	}
}
