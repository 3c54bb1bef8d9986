package plot

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"pview/insight/report/figure"
	"pview/render/raster"
)

// inCells returns a pen on a plot of w x h cells in true colour.
func inCells(w, h int) *cells {
	look := raster.DefaultLook
	look.Profile = raster.TrueColor
	return newCells(raster.NewCanvas(w, h), look)
}

// lines returns the characters of a plot, without blanks at the ends.
func (p *cells) lines() string {
	var list []string
	for _, line := range strings.Split(p.c.Plain(), "\n") {
		list = append(list, strings.TrimRight(line, " "))
	}
	return strings.Join(list, "|")
}

// A bar to the right is drawn in halves of cells; a part below a quarter of a cell is omitted, unless the bar has no
// other.
func TestFlatBarsInHalves(t *testing.T) {
	for _, c := range []struct {
		left, right float64 // of 4 cells
		want        string
	}{
		{0.5, 2.5, "▐█▌"}, {0.1, 1.9, "██"}, {0, 1.2, "█"}, {0, 1.25, "█▌"}, {0, 0.75, "█"}, {0, 0.7, "▌"},
		{0.25, 2, "██"}, {0.3, 2, "▐█"}, {1.1, 1.2, " ▌"}, {0.8, 2, " █"}, {2, 9, "  ██"}, {-1, 1, "█"},
	} {
		p := inCells(4, 1)
		p.Bar(figure.Blue, Place{c.right / 4, 0}, Place{c.left / 4, 1}, true)
		if got := p.lines(); got != c.want {
			t.Errorf("from %g to %g: %q, want %q", c.left, c.right, got, c.want)
		}
	}
}

// The text of a bar is to its right; else to its left; else inside it, a column before its end. The bars take cells 2
// to 4, 6 to 8, or all of 10.
func TestLabelsOfBars(t *testing.T) {
	for _, c := range []struct {
		left, right float64
		want        string
	}{{0.2, 0.4, "  ██ -4 ms"}, {0.6, 0.8, "-4 ms ██"}, {0, 1, "████-4 ms█"}} {
		p := inCells(10, 1)
		from, to := Place{c.left, 0}, Place{c.right, 1}
		p.Bar(figure.Blue, from, to, true)
		p.Label(figure.Blue, from, to, "-4 ms")
		if got := p.lines(); got != c.want {
			t.Errorf("from %g to %g: %q, want %q", c.left, c.right, got, c.want)
		}
	}
}

// A flat bar has the lines whose middle it covers: of 4 lines of a quarter each, 0.3 to 0.7 covers the middles at 0.375
// and 0.625. A thin one gets the line that contains it.
func TestLinesOfAFlatBar(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      string
	}{{0.3, 0.7, "|█|█|"}, {0.375, 0.625, "|█||"}, {0.4, 0.45, "||█|"}, {0, 1, "█|█|█|█"}, {0, 0.1, "|||█"}} {
		p := inCells(1, 4)
		p.Bar(figure.Blue, Place{0, c.low}, Place{1, c.high}, true)
		if got := p.lines(); got != c.want {
			t.Errorf("from %g to %g: %q, want %q", c.low, c.high, got, c.want)
		}
	}
}

// A column rises in eighths of a cell: 0.75 of two lines is a whole one and half of the next. Any value above 0 is
// visible, but only at the bottom: 1.02 lines are 1.
func TestColumnsInEighths(t *testing.T) {
	for _, c := range []struct {
		high float64 // of 2 lines
		want string
	}{{1.5, "▄|█"}, {0.01, "|▁"}, {0, "|"}, {1.02, "|█"}, {2, "█|█"}, {0.25, "|▂"}, {5, "█|█"}} {
		p := inCells(1, 2)
		p.Bar(figure.Blue, Place{0, 0}, Place{1, c.high / 2}, false)
		if got := p.lines(); got != c.want {
			t.Errorf("%g lines: %q, want %q", c.high, got, c.want)
		}
	}
	// A lower column does not cut a higher one; of 8 eighths, 5 stay.
	p := inCells(1, 1)
	for _, high := range []float64{0.625, 0.25} {
		p.Bar(figure.Blue, Place{0, 0}, Place{1, high}, false)
	}
	if got := p.lines(); got != "▅" {
		t.Errorf("a lower column leaves %q of a higher one", got)
	}
}

// A column gets the cells whose middle it covers, and at least one.
func TestWidthOfColumns(t *testing.T) {
	for _, c := range []struct {
		left, right float64 // of 4 cells
		want        string
	}{{1, 3, " ██"}, {0.6, 2.4, " █"}, {0.5, 2.5, "██"}, {1.6, 1.9, " █"}, {3, 9, "   █"}, {-2, 1, "█"}} {
		p := inCells(4, 1)
		p.Bar(figure.Blue, Place{c.left / 4, 0}, Place{c.right / 4, 1}, false)
		if got := p.lines(); got != c.want {
			t.Errorf("from %g to %g: %q, want %q", c.left, c.right, got, c.want)
		}
	}
}

// A band covers the lines whose middle it contains. It is the background; without colours, a light shade; in 16
// colours, the shade in one of them.
func TestBandInCells(t *testing.T) {
	lower, upper := []Place{{0, 0.3}, {1, 0.3}}, []Place{{0, 0.7}, {1, 0.7}}
	shade := raster.DefaultLook.Glyphs.Shades[1]
	for profile, want := range map[raster.Profile]rune{raster.TrueColor: ' ', raster.ANSI16: shade,
		raster.Mono: shade} {
		p := inCells(2, 4)
		p.Profile = profile
		p.Band(figure.Blue, lower, upper)
		for y := range 4 {
			cell, within := p.c.At(1, y), y == 1 || y == 2
			if r := cell.Rune; within && r != want || !within && r != ' ' {
				t.Errorf("%v: line %d holds %q", profile, y, r)
			}
			if bg := cell.BG.IsSet(); bg != (within && profile == raster.TrueColor) {
				t.Errorf("%v: line %d has a background: %v", profile, y, bg)
			}
			if fg := cell.FG.IsSet(); fg != (within && profile == raster.ANSI16) {
				t.Errorf("%v: line %d has a foreground: %v", profile, y, fg)
			}
		}
	}
}

// The legend shows a band as the figure draws it.
func TestBandInLegend(t *testing.T) {
	f := &figure.Figure{Layers: []figure.Layer{{Name: "least to most", Shape: figure.Band, Ink: figure.Sky,
		X: []float64{0, 10}, Y: []float64{0, 0}, Y2: []float64{10, 10}}}}
	for _, profile := range []raster.Profile{raster.TrueColor, raster.ANSI16, raster.Mono} {
		look := raster.DefaultLook
		look.Profile = profile
		c := raster.NewCanvas(60, 10)
		Draw(f, c, look)
		before, _, found := strings.Cut(c.Plain(), "least to most")
		at := utf8.RuneCountInString(before) - 2
		if legend, band := c.At(at, 0), c.At(30, 5); !found || legend != band {
			t.Errorf("%v: %+v in the legend, %+v in the figure", profile, legend, band)
		}
	}
}

// The height of a line between its points: half of the way from 0 to 10 is 5. Outside there is none.
func TestHeightOfALine(t *testing.T) {
	path := []Place{{0, 0}, {1, 10}, {1, 20}, {2, 40}}
	for x, want := range map[float64]float64{0: 0, 0.5: 5, 1: 10, 1.25: 25, 2: 40} {
		if y, ok := heightAt(path, x); !ok || y != want {
			t.Errorf("at %g it is %g, %v, want %g", x, y, ok, want)
		}
	}
	for _, x := range []float64{-0.1, 2.1} {
		if _, ok := heightAt(path, x); ok {
			t.Errorf("there is a height at %g", x)
		}
	}
}

// The text of a tile is in its middle, in a colour that contrasts with the tile; one that would touch both ends is
// omitted.
func TestTextOfTiles(t *testing.T) {
	for _, c := range []struct{ text, want string }{{"ab", "|  ab||"}, {"abcde", "|abcde||"}, {"abcdef", "|||"}} {
		p := inCells(6, 4)
		p.Tile(1, Place{0, 0}, Place{1, 1}, c.text)
		if got := p.lines(); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
		at := p.c.At(2, 1)
		if at.Rune != ' ' && (!at.BG.IsSet() || at.FG != at.BG.Contrast()) {
			t.Errorf("%q: %v on %v", c.text, at.FG, at.BG)
		}
	}
	// Half of 4 columns and lines; a tile without height still has a line.
	p := inCells(4, 4)
	p.Tile(0.5, Place{0, 0.5}, Place{0.5, 1}, "")
	p.Tile(0.5, Place{0.75, 0.25}, Place{1, 0.25}, "")
	var got strings.Builder
	for y := range 4 {
		for x := range 4 {
			if p.c.At(x, y).BG.IsSet() {
				got.WriteByte('#')
			} else {
				got.WriteByte('.')
			}
		}
	}
	if got.String() != "##..##.........#" {
		t.Errorf("tiles cover %s", got.String())
	}
}

// A share of n steps: 1 is still in the last one; shares below 0 and above 1 are outside.
func TestOnEdge(t *testing.T) {
	for share, want := range map[float64]float64{0: 0, 0.5: 5, 0.99: 9, 1: 9, 1.1: 11, -0.1: -1, 99: 90,
		math.Inf(-1): -90} {
		if got := onEdge(share, 10); got != want {
			t.Errorf("%g of 10 is in step %g, want %g", share, got, want)
		}
	}
}

// A dot is in its cell, which has 2 by 4 dots of braille; outside of the 2 by 2 cells there is none.
func TestDots(t *testing.T) {
	for _, c := range []struct {
		x, y int
		want string
	}{
		{0, 0, "⠁|"}, {1, 3, "⢀|"}, {3, 0, " ⠈|"}, {0, 7, "|⡀"}, {3, 7, "| ⢀"}, {2, 5, "| ⠂"},
		{-1, 0, "|"}, {0, -1, "|"}, {4, 7, "|"}, {0, 8, "|"},
	} {
		p := inCells(2, 2)
		p.put(figure.Blue, c.x, c.y)
		if got := p.lines(); got != c.want {
			t.Errorf("%d,%d: %q, want %q", c.x, c.y, got, c.want)
		}
	}
}
