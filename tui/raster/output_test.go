package raster

import "testing"

func TestOutputChangesStylesOnlyWhereTheyChange(t *testing.T) {
	red, blue := RGB(255, 0, 0), RGB(0, 0, 255)
	c := NewCanvas(6, 3)
	c.Text(0, 0, "ab", Style{FG: red})
	c.Text(2, 0, "cd", Style{FG: red, BG: blue})
	c.Text(0, 1, "é", Style{Attr: Bold | Underline})
	c.Text(1, 1, "x", Style{Attr: Bold})
	c.Text(2, 1, "幅", Style{BG: blue})
	for _, test := range []struct {
		profile Profile
		want    string
	}{
		{TrueColor, "\x1b[38;2;255;0;0mab\x1b[48;2;0;0;255mcd\x1b[m  \n\x1b[1;4mé\x1b[0;1mx\x1b[0;48;2;0;0;255m幅\x1b[m  \n      "},
		{ANSI256, "\x1b[38;5;196mab\x1b[48;5;21mcd\x1b[m  \n\x1b[1;4mé\x1b[0;1mx\x1b[0;48;5;21m幅\x1b[m  \n      "},
		{ANSI16, "\x1b[91mab\x1b[44mcd\x1b[m  \n\x1b[1;4mé\x1b[0;1mx\x1b[0;44m幅\x1b[m  \n      "},
		{Mono, "abcd  \n\x1b[1;4mé\x1b[0;1mx\x1b[m幅  \n      "},
	} {
		if got := c.String(test.profile); got != test.want {
			t.Errorf("%v:\ngot  %q\nwant %q", test.profile, got, test.want)
		}
	}
}

// A colour that goes away while the other one stays is switched off on its own.
func TestOutputOfOneColorLess(t *testing.T) {
	c := NewCanvas(2, 1)
	c.Set(0, 0, Cell{'a', Style{FG: RGB(1, 2, 3), BG: RGB(4, 5, 6)}})
	c.Set(1, 0, Cell{'b', Style{BG: RGB(4, 5, 6)}})
	if got, want := c.String(TrueColor), "\x1b[38;2;1;2;3;48;2;4;5;6ma\x1b[39mb\x1b[m"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// What is left of a wide character that was drawn over is a blank: the line keeps
// its width.
func TestOutputOfHalvesOfWideCharacters(t *testing.T) {
	for x, want := range []string{"x 幅b", " x幅b", "幅x b", "幅 xb", "幅幅x"} {
		c := NewCanvas(5, 1)
		c.Text(0, 0, "幅幅b", Style{})
		c.Text(x, 0, "x", Style{})
		if got := c.String(Mono); got != want || c.Plain() != want {
			t.Errorf("drawn over at %d: %q, want %q", x, got, want)
		}
	}
}

func TestAppendToReusesMemory(t *testing.T) {
	c := NewCanvas(200, 60)
	for y := range c.H {
		for x := range c.W {
			c.Set(x, y, Cell{'█', Style{FG: generated(uint64(x * y)), BG: generated(uint64(x + y))}})
		}
	}
	for _, p := range []Profile{Mono, ANSI16, ANSI256, TrueColor} {
		buf := c.AppendTo(nil, p)
		if n := testing.AllocsPerRun(3, func() { buf = c.AppendTo(buf[:0], p) }); n > 0 {
			t.Errorf("%v: %v allocations per frame", p, n)
		}
	}
}
