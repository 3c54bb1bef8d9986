package timeline

import (
	"math"
	"strings"
	"testing"

	"pview/render/raster"
)

// inPixels draws with a painter whose values 1 and 2 are red and blue, and returns the picture: r, b, l for the level
// of a graph, a dot for the ground.
func inPixels(w, h int, draw func(q *painting, m *raster.Pixmap)) string {
	red, blue := raster.RGB(200, 30, 30), raster.RGB(30, 60, 200)
	look := raster.DefaultLook
	look.Profile = raster.TrueColor
	look.Theme = raster.DarkTheme
	palette := raster.NewPalette(nil)
	palette.Set(1, red)
	palette.Set(2, blue)
	q := &painting{Painter: raster.Painter{Look: look, Palette: palette, ZeroIsBackground: true,
		Scale: raster.Scale{Max: 10}}}
	q.Scale = raster.Scale{Max: 10}
	m := raster.NewPixmap(w, h, raster.RGB(255, 255, 255))
	draw(q, m)
	letters := map[raster.Color]string{red: "r", blue: "b", look.Theme.Level: "l"}
	var out strings.Builder
	for y := range h {
		for x := range w {
			r, g, b, _ := m.At(x, y).RGBA()
			if s, ok := letters[raster.RGB(uint8(r>>8), uint8(g>>8), uint8(b>>8))]; ok {
				out.WriteString(s)
			} else {
				out.WriteByte('.')
			}
		}
		out.WriteByte('|')
	}
	return out.String()
}

// A row is drawn in stretches of one colour, each pixel in that of its value; 0 and unknown values leave the ground.
func TestRowInPixels(t *testing.T) {
	line := []float64{1, 1, 2, 0, 0, 1, 2, 2}
	got := inPixels(8, 3, func(q *painting, m *raster.Pixmap) { q.drawPixelRow(m, line, 1, 3) })
	if want := "........|rrb..rbb|rrb..rbb|"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A graph from 0 to 10 in lines 1 to 4: the greatest value has 3 pixels, half of it round(0.5 x 3) = 2, any value above
// 0 has at least one, 0 and an unknown value have none.
func TestGraphInPixels(t *testing.T) {
	line := []float64{10, 5, 0.1, 0, math.NaN(), 99}
	got := inPixels(6, 5, func(q *painting, m *raster.Pixmap) { q.drawPixelGraph(m, line, 1, 5) })
	if want := "......|......|l....l|ll...l|lll..l|"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// The height of rows in sixels: each band of six lines repeats all stretches, of four bytes each. Two rows with 2 and 1
// changes have 4 stretches, counting the first one: 1600 bytes are 1600 / 16 = 100 bands, 600 lines.
func TestHeightOfRowsInSixels(t *testing.T) {
	rows := raster.Grid{W: 4, H: 2, V: []float64{1, 1, 2, 0, 2, 2, 1, 1}}
	inPixels(4, 2, func(q *painting, _ *raster.Pixmap) {
		for bytes, want := range map[int]int{0: 0, 1600: 600, 1599: 594, 16: leastBar} {
			if h := q.barHeight(&rows, Pixelate{Bytes: bytes}); h != want {
				t.Errorf("in %d bytes rows are %d high, want %d", bytes, h, want)
			}
		}
	})
}
