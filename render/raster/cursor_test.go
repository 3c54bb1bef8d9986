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
