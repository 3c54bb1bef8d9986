package screen

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"pview/render/raster"
)

func TestOutputChangesStylesOnlyWhereTheyChange(t *testing.T) {
	red, blue := raster.RGB(255, 0, 0), raster.RGB(0, 0, 255)
	c := raster.NewCanvas(6, 3)
	c.Text(0, 0, "ab", raster.Style{FG: red})
	c.Text(2, 0, "cd", raster.Style{FG: red, BG: blue})
	c.Text(0, 1, "é", raster.Style{Attr: raster.Bold | raster.Underline})
	c.Text(1, 1, "x", raster.Style{Attr: raster.Bold})
	c.Text(2, 1, "幅", raster.Style{BG: blue})
	for _, test := range []struct {
		profile raster.Profile
		want    string
	}{
		{raster.TrueColor,
			"\x1b[38;2;255;0;0mab\x1b[48;2;0;0;255mcd\x1b[m  \n\x1b[1;4mé\x1b[0;1mx\x1b[0;48;2;0;0;255m幅\x1b[m  \n   " +
				"   "},
		{raster.ANSI256,
			"\x1b[38;5;196mab\x1b[48;5;21mcd\x1b[m  \n\x1b[1;4mé\x1b[0;1mx\x1b[0;48;5;21m幅\x1b[m  \n      "},
		{raster.ANSI16, "\x1b[91mab\x1b[44mcd\x1b[m  \n\x1b[1;4mé\x1b[0;1mx\x1b[0;44m幅\x1b[m  \n      "},
		{raster.Mono, "abcd  \n\x1b[1;4mé\x1b[0;1mx\x1b[m幅  \n      "},
	} {
		if got := text(c, test.profile); got != test.want {
			t.Errorf("%v:\ngot  %q\nwant %q", test.profile, got, test.want)
		}
	}
}

// If only one of two colours goes away, it is switched off separately.
func TestOutputOfOneColorLess(t *testing.T) {
	c := raster.NewCanvas(2, 1)
	c.Set(0, 0, raster.Cell{Rune: 'a', Style: raster.Style{FG: raster.RGB(1, 2, 3), BG: raster.RGB(4, 5, 6)}})
	c.Set(1, 0, raster.Cell{Rune: 'b', Style: raster.Style{BG: raster.RGB(4, 5, 6)}})
	if got, want := text(c, raster.TrueColor), "\x1b[38;2;1;2;3;48;2;4;5;6ma\x1b[39mb\x1b[m"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// If a wide character is partly overwritten, the rest is a blank: the line keeps its width.
func TestOutputOfHalvesOfWideCharacters(t *testing.T) {
	for x, want := range []string{"x 幅b", " x幅b", "幅x b", "幅 xb", "幅幅x"} {
		c := raster.NewCanvas(5, 1)
		c.Text(0, 0, "幅幅b", raster.Style{})
		c.Text(x, 0, "x", raster.Style{})
		if got := text(c, raster.Mono); got != want || c.Plain() != want {
			t.Errorf("drawn over at %d: %q, want %q", x, got, want)
		}
	}
}

func TestAppendReusesMemory(t *testing.T) {
	c := raster.NewCanvas(200, 60)
	for y := range c.H {
		for x := range c.W {
			c.Set(x, y, raster.Cell{Rune: '█', Style: raster.Style{FG: raster.RGB(uint8(x), uint8(y), uint8(x*y)),
				BG: raster.RGB(uint8(x+y), uint8(x), uint8(y))}})
		}
	}
	for _, p := range []raster.Profile{raster.Mono, raster.ANSI16, raster.ANSI256, raster.TrueColor} {
		buf := Append(nil, c, p)
		if n := testing.AllocsPerRun(3, func() { buf = Append(buf[:0], c, p) }); n > 0 {
			t.Errorf("%v: %v allocations per frame", p, n)
		}
	}
}

func text(c raster.Canvas, p raster.Profile) string { return string(Append(nil, c, p)) }

// Whatever is drawn, every line is as wide as the canvas, in every profile.
func TestAppendFillsEveryLine(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 500 {
		w, h := r.IntN(40), r.IntN(12)
		c := randomCanvas(r, w, h)
		for range r.IntN(10) { // over halves of wide characters, too
			c.Text(r.IntN(w+1), r.IntN(h+1), "o", raster.Style{})
		}
		for _, p := range []raster.Profile{raster.Mono, raster.ANSI16, raster.ANSI256, raster.TrueColor} {
			lines := strings.Split(text(c, p), "\n")
			if len(lines) != max(h, 1) {
				t.Fatalf("%d lines in %d", h, len(lines))
			}
			for _, line := range lines {
				if n := ansi.StringWidth(line); n != w && h > 0 {
					t.Fatalf("%v: %d columns in %q, which takes %d", p, w, line, n)
				}
			}
		}
	}
}

// BenchmarkAppend writes a whole screen as text.
func BenchmarkAppend(b *testing.B) {
	c := randomCanvas(rand.New(rand.NewPCG(5, 6)), 200, 60)
	for _, p := range []raster.Profile{raster.Mono, raster.ANSI16, raster.ANSI256, raster.TrueColor} {
		b.Run(p.String(), func(b *testing.B) {
			frame := Append(nil, c, p)
			b.ReportAllocs()
			for b.Loop() {
				frame = Append(frame[:0], c, p)
			}
		})
	}
}
