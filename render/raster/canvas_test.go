package raster

import "testing"

func TestTextKeepsToItsCells(t *testing.T) {
	for _, test := range []struct {
		x    int
		text string
		want string
		end  int
	}{
		{0, "plain", "plain     ", 5},
		{7, "cut off", "       cut", 10},
		{-2, "cut off", "t off     ", 5},
		{3, "", "          ", 3},
		{20, "outside", "          ", 10},
		{0, "幅b", "幅b       ", 3},
		{9, "幅", "          ", 10},
		{-1, "幅b", " b        ", 2},
		{0, "é\tx", "é x       ", 3},
		{0, "e\u0301x", "e\u0301x        ", 2},
		{0, "a\x1b[31mb", "a [31mb   ", 7},
		{0, "a\xffb", "a b       ", 3},
	} {
		c := NewCanvas(10, 1)
		end := c.Text(test.x, 0, test.text, Style{})
		got := ""
		for _, cell := range c.Line(0) {
			got += c.Grapheme(cell)
		}
		if got != test.want || end != test.end {
			t.Errorf("Text(%d, %q) = %q to %d, want %q to %d", test.x, test.text, got, end, test.want, test.end)
		}
	}
}

func TestTextIn(t *testing.T) {
	c := NewCanvas(12, 3)
	c.Fill(Cell{Rune: '.'})
	c.TextIn(1, 0, 8, "left", Style{}, false)
	c.TextIn(1, 1, 8, "right", Style{}, true)
	c.TextIn(1, 2, 8, "much too long", Style{}, true)
	if got, want := c.Plain(), ".left    ...\n.   right...\n.much to~..."; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestSubIsAWindowOnItsCanvas(t *testing.T) {
	c := NewCanvas(6, 4)
	c.Sub(1, 1, 3, 2).Fill(Cell{Rune: '#'})
	c.Sub(4, 2, 9, 9).Fill(Cell{Rune: 'o'})
	c.Sub(-3, -3, 4, 4).Fill(Cell{Rune: 'x'})
	c.Sub(1, 1, 3, 2).Text(1, 1, "clipped", Style{})
	if got, want := c.Plain(), "x\n ###\n #cloo\n    oo"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, sub := range []Canvas{c.Sub(6, 0, 1, 1), c.Sub(0, 0, 0, 3), c.Sub(2, 2, -1, 2), c.Sub(-5, 0, 3, 1)} {
		if sub.W != 0 || sub.H != 0 {
			t.Errorf("an empty sub-canvas is %d by %d", sub.W, sub.H)
		}
		sub.Fill(Cell{Rune: '!'})
		sub.Text(0, 0, "!", Style{})
	}
}

func TestBox(t *testing.T) {
	c := NewCanvas(5, 3)
	c.Box(UTF8, Style{})
	if got, want := c.Plain(), "╭───╮\n│   │\n╰───╯"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestResizeReusesMemory(t *testing.T) {
	c := NewCanvas(200, 60)
	c.Fill(Cell{Rune: '#'})
	if n := testing.AllocsPerRun(10, func() { c.Resize(80, 24) }); n > 0 {
		t.Errorf("shrinking allocates %v times", n)
	}
	if c.W != 80 || c.H != 24 || c.At(79, 23) != (Cell{Rune: ' '}) {
		t.Errorf("not an empty canvas of the new size")
	}
}
