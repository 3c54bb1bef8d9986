package list

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pview/render/raster"
	"pview/render/style"
)

// names returns a list of rows with these texts, and a way to draw it in lines of a height.
func names(texts ...string) (*List, func(w, h int) []string) {
	l := &List{Len: func() int { return len(texts) }, Text: func(i int) string { return texts[i] }}
	return l, func(w, h int) []string {
		c := raster.NewCanvas(w, h)
		l.Draw(look(c), c, func(c raster.Canvas, i int, _, _ raster.Style) {
			mark := " "
			if i == l.At() {
				mark = ">"
			}
			c.Text(0, 0, mark+texts[i], raster.Style{})
		})
		return strings.Split(strings.TrimRight(c.Plain(), "\n"), "\n")
	}
}

func look(c raster.Canvas) Look {
	return Look{Pane: c, Theme: style.NewTheme(raster.TrueColor, raster.ASCII, true, 0), Focused: true}
}

func numbered(n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprint("row", i))
	}
	return list
}

// The chosen row stays visible, paging skips a screen less one row, and no lines stay empty at the end.
func TestScroll(t *testing.T) {
	l, draw := names(numbered(20)...)
	draw(10, 5)
	for _, c := range []struct {
		verb       Verb
		at, top    int
		also, last string
	}{
		{Down, 1, 0, ">row1", " row4"},
		{PageDown, 5, 1, ">row5", ">row5"},
		{PageDown, 9, 5, ">row9", ">row9"},
		{Up, 8, 5, ">row8", " row9"},
		{Last, 19, 15, ">row19", ">row19"},
		{Down, 19, 15, ">row19", ">row19"},
		{PageUp, 15, 15, ">row15", " row19"},
		{Up, 14, 14, ">row14", " row18"},
		{First, 0, 0, ">row0", " row4"},
		{Up, 0, 0, ">row0", " row4"},
	} {
		l.Moves()[c.verb]("")
		lines := draw(10, 5)
		has := func(text string) bool {
			return slices.ContainsFunc(lines, func(s string) bool { return strings.HasPrefix(s, text) })
		}
		if l.At() != c.at || l.top != c.top || !has(c.also) || !strings.HasPrefix(lines[4], c.last) {
			t.Errorf("%s: at %d, top %d, want %d, %d:\n%s", Verbs[c.verb].Name, l.At(), l.top, c.at, c.top,
				strings.Join(lines, "\n"))
		}
	}
}

// A list that shrinks or is empty keeps its choice among its rows.
func TestRowsGo(t *testing.T) {
	n := 10
	l := &List{Len: func() int { return n }}
	l.Choose(8)
	if n = 3; l.At() != 2 {
		t.Errorf("at %d of 3 rows", l.At())
	}
	if n = 0; l.At() != -1 {
		t.Errorf("at %d of no rows", l.At())
	}
	l.By(1)
	c := raster.NewCanvas(10, 3)
	l.Draw(look(c), c, nil)
	if hit, _ := l.Click(1, 1); hit {
		t.Error("a click on no row hits")
	}
	if n = 5; l.At() != 0 {
		t.Errorf("at %d of 5 rows", l.At())
	}
}

// Narrowing leaves the rows that contain the text in any case, and keeps the choice if it can.
func TestNarrow(t *testing.T) {
	l, draw := names("MPI_Send", "compute", "MPI_Recv", "MPI_Send again")
	l.Choose(3)
	l.Narrow(" send")
	if lines := draw(30, 4); l.At() != 3 || lines[0] != " MPI_Send" ||
		!strings.HasPrefix(lines[1], ">MPI_Send again") ||
		!strings.Contains(lines[3], "/send: 2 of 4") {
		t.Errorf("narrowed, at %d:\n%s", l.At(), strings.Join(lines, "\n"))
	}
	if l.By(-1); l.At() != 0 {
		t.Errorf("above is %d", l.At())
	}
	if hit, same := l.Click(2, 1); !hit || same || l.At() != 3 {
		t.Errorf("a click chose %d", l.At())
	}
	if hit, same := l.Click(2, 1); !hit || !same {
		t.Error("a second click is not on the same row")
	}
	if hit, _ := l.Click(2, 3); hit {
		t.Error("a click on the text of narrowing hits")
	}
	l.Narrow("nothing has this")
	if l.At() != -1 {
		t.Errorf("at %d of no rows", l.At())
	}
	if l.Choose(1); l.Needle() != "" || l.At() != 1 {
		t.Errorf("choosing a hidden row: needle %q, at %d", l.Needle(), l.At())
	}
}

// Headings do not count as rows of a narrowed list.
func TestNarrowCountsRows(t *testing.T) {
	l, draw := names("Calls", "MPI_Send", "MPI_Recv")
	l.Heading = func(i int) bool { return i == 0 }
	l.Narrow("send")
	if lines := draw(30, 3); !strings.Contains(lines[2], "/send: 1 of 2,") {
		t.Errorf("%q", lines[2])
	}
}

// Headings are skipped, and a field at the top keeps its heading above it.
func TestHeadings(t *testing.T) {
	l, draw := names("# one", "a", "b", "# two", "c", "d", "e")
	l.Heading = func(i int) bool { return i == 0 || i == 3 }
	var way []int
	l.Moves()[First]("")
	for range 5 {
		way = append(way, l.At())
		l.By(1)
	}
	if !slices.Equal(way, []int{1, 2, 4, 5, 6}) {
		t.Errorf("down: %v", way)
	}
	draw(10, 3)
	l.By(-2)
	if lines := draw(10, 3); !strings.HasPrefix(lines[0], " # two") || !strings.HasPrefix(lines[1], ">c") {
		t.Errorf("the heading is out of sight:\n%s", strings.Join(lines, "\n"))
	}
	if hit, _ := l.Click(1, 0); hit {
		t.Error("a click on a heading hits")
	}
	if l.By(-20); l.At() != 1 {
		t.Errorf("first: %d", l.At())
	}
}

// Rows may be higher than a line: the chosen one is completely visible, and each of its lines takes a click.
func TestHighRows(t *testing.T) {
	l, draw := names(numbered(6)...)
	l.Lines = func(i int) int { return 1 + i%2*2 } // 1 3 1 3 1 3
	l.Choose(3)
	draw(10, 5)
	if l.top != 2 {
		t.Errorf("top %d", l.top)
	}
	for y, want := range []int{2, 3, 3, 3, 4} {
		if hit, _ := l.Click(0, y); !hit || l.At() != want {
			t.Errorf("line %d: row %d, want %d", y, l.At(), want)
		}
	}
	l.Show(3, 1)
	if draw(10, 5); l.top != 2 {
		t.Errorf("shown with one above: top %d", l.top)
	}
}

// Every verb has a name and keys, and no two have the same name.
func TestVerbs(t *testing.T) {
	seen := map[string]bool{}
	for v, e := range Verbs {
		if e.Name == "" || e.Doc == "" || len(e.Keys) == 0 || seen[e.Name] {
			t.Errorf("verb %d: %+v", v, e)
		}
		seen[e.Name] = true
	}
}

// The visible numbers of a column are aligned on their points: 10.5 is not in the second picture, in which the list is
// scrolled to its end.
func TestTableAlignsNumbers(t *testing.T) {
	cells := []string{"10.5 ms", "7 ms", "-"}
	tb := Table{Columns: func() []Column { return []Column{{"time", 10}} }}
	tb.Len = func() int { return len(cells) }
	look := Look{Theme: style.NewTheme(raster.Mono, raster.UTF8, true, raster.NoColor)}
	for _, c := range []struct {
		lines int
		want  string
	}{{4, "     time|  10.5 ms|   7 ms|        -"}, {3, "     time|     7 ms|        -"}} {
		canvas := raster.NewCanvas(14, c.lines)
		look.Pane = canvas
		tb.Draw(look, canvas, 1, func(row, _ int) string { return cells[row] }, func(raster.Canvas, int, raster.Style,
			raster.Style) {
		})
		var got []string
		for line := range strings.Lines(canvas.Plain()) {
			got = append(got, strings.TrimRight(line, " \n█▐│┃"))
		}
		if text := strings.Join(got, "|"); text != c.want {
			t.Errorf("%d lines: %q, want %q", c.lines, text, c.want)
		}
		tb.Choose(2)
	}
}
