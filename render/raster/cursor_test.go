package raster

import (
	"strings"
	"testing"

	"pview/semantic/series"
)

// picture paints a row with a burst and a row that is only half there.
func picture(look Look, layout Layout) (Canvas, *Cursors) {
	axis := Axis{End: 8, W: 8, Closed: true}
	rows := []*series.Series{seriesOf(0, 1, 3, 3, 8), seriesOf(0, 3, 8)}
	var g Grid
	g.Sample(rows, axis, layout, Modes{}, 1)
	c := NewCanvas(8, layout.Lines)
	g.Draw(c, painter(look))
	return c, &Cursors{Look: look, Axis: axis, Layout: layout}
}

func TestCursorsKeepTheData(t *testing.T) {
	for _, test := range []struct {
		name   string
		look   Look
		layout Layout
	}{
		{"plain", DefaultLook, Layout{Rows: 2, Lines: 2}},
		{"gap", DefaultLook, Layout{Rows: 2, Lines: 2, Gap: true}},
		{"halfblocks", DefaultLook, Layout{Rows: 2, Lines: 1, Split: 2}},
		{"quarters", DefaultLook, Layout{Rows: 1, Lines: 2, Split: 2, Height: 4}},
		{"16colours", Look{ANSI16, UTF8, DarkTheme}, Layout{Rows: 2, Lines: 2}},
		{"mono", mono, Layout{Rows: 2, Lines: 2}},
	} {
		c, cu := picture(test.look, test.layout)
		cu.Select(c, 4, 6, 0, 1)
		cu.Column(c, 1, false)
		cu.Column(c, 6, true)
		cu.Cross(c, 1, 1)
		golden(t, "cursors_"+test.name, layers(c))
	}
}

func TestCursorsOutsideLeaveThePictureAlone(t *testing.T) {
	c, cu := picture(DefaultLook, Layout{First: 1, Rows: 1, Lines: 2})
	before := exact(c)
	cu.Column(c, -1, false)
	cu.Column(c, 9, true)
	cu.Cross(c, 1, 0)
	cu.Cross(c, 1, 7)
	cu.Cross(c, -1, 1)
	cu.Select(c, -9, 0, 0, 9)
	cu.Select(c, 8, 20, 0, 9)
	cu.Select(c, 2, 2, 0, 9)
	cu.Select(c, 2, 5, 3, 3)
	cu.Select(c, 2, 5, 0, 1)
	if after := exact(c); after != before {
		t.Errorf("before\n%q\nafter\n%q", before, after)
	}
	cu.Select(c, -100, 100, -5, 2)
	if exact(c) == before {
		t.Error("a selection around the view does not shade it")
	}
	// Nothing for a column of more than one time, or a line of more than one row.
	layout := Layout{Rows: 8, Lines: 2}
	c, cu = NewCanvas(4, 2), &Cursors{Look: mono, Axis: Axis{End: 8, W: 4}, Layout: layout}
	before = exact(c)
	cu.Select(c, 3, 3, 0, 8)
	cu.Select(c, 0, 8, 2, 2)
	if exact(c) != before {
		t.Error("an empty selection is shaded")
	}
}

// The cells of a selection, of 4 by 3 that have 2 units of time and 2 rows each.
func TestSelection(t *testing.T) {
	for _, c := range []struct {
		begin, end int64
		lo, hi     int
		want       string
	}{
		{2, 4, 2, 4, "....|.#..|...."}, {2, 5, 2, 5, "....|.##.|.##."}, {3, 4, 3, 4, "....|.#..|...."},
		{0, 8, 0, 6, "####|####|####"}, {-5, 1, -3, 1, "#...|....|...."}, {7, 20, 5, 9, "....|....|...#"},
		{-5, 0, 0, 6, "....|....|...."}, {8, 9, 0, 6, "....|....|...."}, {0, 8, -2, 0, "....|....|...."},
		{0, 8, 6, 8, "....|....|...."},
	} {
		canvas := NewCanvas(4, 3)
		cu := Cursors{Look: mono, Axis: Axis{End: 8, W: 4}, Layout: Layout{Rows: 6, Lines: 3}}
		cu.Select(canvas, c.begin, c.end, c.lo, c.hi)
		var lines []string
		for y := range canvas.H {
			line := ""
			for x := range canvas.W {
				line += map[bool]string{true: "#", false: "."}[canvas.At(x, y).Attr&Reverse != 0]
			}
			lines = append(lines, line)
		}
		if got := strings.Join(lines, "|"); got != c.want {
			t.Errorf("[%d,%d) on rows [%d,%d): %s, want %s", c.begin, c.end, c.lo, c.hi, got, c.want)
		}
	}
}

// The colour of the data below: of a full block and of eighths the foreground, of a space or a letter the background,
// of two halves the lower or the right one.
func TestGround(t *testing.T) {
	red, blue := RGB(255, 0, 0), RGB(0, 0, 255)
	g := DefaultLook.Glyphs
	for _, c := range []struct {
		r      rune
		fg, bg Color
		want   Color
	}{
		{' ', red, blue, blue}, {' ', red, 0, 0}, {'x', red, blue, blue}, {'x', red, 0, 0}, {g.Full, red, 0, red},
		{g.Levels[3], red, 0, red}, {g.Levels[3], red, blue, blue}, {g.Quarters[5], red, 0, red},
		{g.Quarters[5], red, blue, blue}, {g.HalfLower, red, 0, red}, {g.HalfLower, red, blue, blue},
		{g.HalfRight, red, 0, red}, {g.HalfUpper, red, blue, blue},
		{g.Lowered, red, blue, red}, {g.Lowered, red, 0, red},
	} {
		if got := DefaultLook.ground(Cell{c.r, Style{FG: c.fg, BG: c.bg}}); got != c.want {
			t.Errorf("%q of %x on %x: %x, want %x", c.r, c.fg, c.bg, got, c.want)
		}
	}
}

func TestScrollbar(t *testing.T) {
	for _, test := range []struct {
		first, visible, total int
		want                  string
	}{
		{0, 10, 10, "     "},
		{0, 10, 100, "█││││"},
		{1, 10, 100, "│█│││"},
		{45, 10, 100, "││█││"},
		{89, 10, 100, "│││█│"},
		{90, 10, 100, "││││█"},
		{0, 50, 100, "██│││"},
		{50, 50, 100, "│││██"},
		{5, 9, 10, "│████"},
	} {
		c := NewCanvas(1, 5)
		DrawScrollbar(c, mono, test.first, test.visible, test.total)
		got := ""
		for y := range 5 {
			got += string(c.At(0, y).Rune)
		}
		if got != test.want {
			t.Errorf("rows %d+%d of %d: %q, want %q", test.first, test.visible, test.total, got,
				strings.TrimSpace(test.want))
		}
	}
}
