package netmap_test

import (
	"strings"
	"testing"

	"pview/insight/traffic"
	"pview/render/netmap"
	"pview/render/raster"
	"pview/render/style"
	"pview/sim/topology"
)

// network returns a network with a task on each of its first processors.
func network(t *testing.T, shape string, tasks int) *traffic.Network {
	t.Helper()
	net, err := topology.Parse(shape, tasks)
	if err != nil {
		t.Fatal(err)
	}
	n := &traffic.Network{Topology: net}
	for i := range tasks {
		n.At = append(n.At, int32(net.Host(i)))
	}
	return n
}

// Without colours the glyphs of links are their loads.
var (
	mono      = raster.Look{Profile: raster.Mono, Glyphs: raster.ASCII, Theme: raster.DarkTheme}
	monoTheme = style.NewTheme(raster.Mono, raster.ASCII, true, raster.NoColor)
)

// draw draws a network without colours.
func draw(t *testing.T, shape string, tasks, w, h int, loads ...traffic.Load) string {
	t.Helper()
	c := raster.NewCanvas(w, h)
	c.Clear()
	netmap.New(network(t, shape, tasks), loads).Draw(c, mono, monoTheme)
	return text(c)
}

// text returns the characters of a canvas, without blanks at the ends of lines.
func text(c raster.Canvas) string {
	var lines []string
	for y := range c.H {
		var b strings.Builder
		for x := range c.W {
			b.WriteRune(c.At(x, y).Rune)
		}
		lines = append(lines, strings.TrimRight(b.String(), " "))
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// TestGrid: a mesh of 2 x 2, whose link from 0 to 1 carries everything; the others are lines.
func TestGrid(t *testing.T) {
	got := draw(t, "mesh 2 2", 4, 9, 3, traffic.Load{From: 0, To: 1, Bytes: 10})
	want := "1###2\n|   |\n3 - 4"
	if got = strings.NewReplacer("@", "#", "%", "#").Replace(got); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for w := 9; w < 64; w++ { // a grid wherever it fits
		if first, _, _ := strings.Cut(draw(t, "torus 2 4", 8, w, 4), "\n"); !strings.Contains(first, "4") ||
			strings.Contains(first, "5") {
			t.Errorf("in %d columns the first row is %q", w, first)
		}
	}
}

// TestShapes: every shape shows every task, or at least every processor if tasks do not fit.
func TestShapes(t *testing.T) {
	for _, shape := range []string{"complete 8", "ring 8", "torus 2 4", "torus 2 2 2", "hypercube 3", "tree 2 3",
		"star 8", "fat-tree 2 3", "dragonfly 2 2 1"} {
		for _, size := range [][2]int{{20, 3}, {60, 5}, {100, 20}} {
			text := draw(t, shape, 8, size[0], size[1])
			for _, task := range "12345678" {
				if size[0] > 20 && !strings.ContainsRune(text, task) {
					t.Errorf("%s in %v has no task %c:\n%s", shape, size, task, text)
				}
			}
			if text == "" {
				t.Errorf("%s in %v: nothing is drawn", shape, size)
			}
		}
	}
}

// TestBrokenRows: a ring of 8 takes 2 columns for each processor and its link: in 8 columns a line has 7 / 2 = 3
// processors, in 9 columns 4. A link at the end of a line leads to the next one.
func TestBrokenRows(t *testing.T) {
	for _, c := range []struct {
		w, h int
		want string
	}{{8, 3, "1-2-3-\n4-5-6-\n7-8"}, {9, 3, "1-2-3-4-\n5-6-7-8"}, {30, 1, "1-2-3-4-5-6-7-8-"}} {
		if got := draw(t, "ring 8", 8, c.w, c.h); got != c.want {
			t.Errorf("in %d x %d\n%s\nwant\n%s", c.w, c.h, got, c.want)
		}
	}
}

// TestTorus: a link at the border closes a row or a column of more than two; planes stand side by side.
func TestTorus(t *testing.T) {
	for _, c := range []struct {
		shape   string
		n, w, h int
		want    string
	}{
		{"torus 2 3", 6, 12, 4, "1-2-3-\n| | |\n4-5-6-"},
		{"torus 3 3", 9, 12, 6, "1-2-3-\n| | |\n4-5-6-\n| | |\n7-8-9-\n| | |"},
		{"torus 2 2 2", 8, 20, 8, "plane 0   plane 1\n1 - 2     5 - 6\n|   |     |   |\n3 - 4     7 - 8"},
	} {
		if got := draw(t, c.shape, c.n, c.w, c.h); got != c.want {
			t.Errorf("%s in %d x %d\n%s\nwant\n%s", c.shape, c.w, c.h, got, c.want)
		}
	}
}

// TestCrowd: if the shape is unknown, or does not fit, the processors form rows: with a blank between them if they all
// fit, else without.
func TestCrowd(t *testing.T) {
	for _, c := range []struct {
		w, h int
		want string
	}{{8, 3, "1 2 3 4\n5 6 7 8"}, {8, 2, "1 2 3 4\n5 6 7 8"}, {16, 1, "1 2 3 4 5 6 7 8"}, {8, 1, "12345678"},
		{4, 2, "1234\n5678"}, {4, 4, "1 2\n3 4\n5 6\n7 8"}, {3, 2, "123\n456"}} {
		if got := draw(t, "complete 8", 8, c.w, c.h); got != c.want {
			t.Errorf("in %d x %d\n%s\nwant\n%s", c.w, c.h, got, c.want)
		}
	}
}

// TestPlanes: a plane of 2 x 2 takes 9 columns and, with its title, 4 lines. Two stand side by side in 19 columns, else
// one below the other with a line between them. Links take up to 8 columns and 3 lines where there is room.
func TestPlanes(t *testing.T) {
	const beside, below = "plane 0   plane 1\n1 - 2     5 - 6\n|   |     |   |\n3 - 4     7 - 8",
		"plane 0\n1 - 2\n|   |\n3 - 4\n\nplane 1\n5 - 6\n|   |\n7 - 8"
	for _, c := range []struct {
		shape   string
		n, w, h int
		want    string
	}{
		{"mesh 2 2 2", 8, 19, 4, beside},
		{"mesh 2 2 2", 8, 19, 3, "1 2 3 4 5 6 7 8"},
		{"mesh 2 2 2", 8, 18, 9, below},
		{"mesh 2 2 2", 8, 9, 9, below},
		{"mesh 2 2 2", 8, 9, 8, "1 2 3 4\n5 6 7 8"},
		{"mesh 3 2", 6, 30, 20, "1    -   2\n|        |\n|        |\n|        |\n3    -   4\n|        |\n|        |\n" +
			"|        |\n5    -   6"},
		{"mesh 3 2", 6, 13, 8, "1  -  2\n|     |\n3  -  4\n|     |\n5  -  6"}, // (13 - 1) / 2 - 1 = 5 columns
		{"mesh 3", 3, 30, 1, "1    -   2    -   3"},
		{"ring 3", 3, 30, 1, "1    -   2    -   3    -"},
	} {
		if got := draw(t, c.shape, c.n, c.w, c.h); got != c.want {
			t.Errorf("%s in %d x %d\n%s\nwant\n%s", c.shape, c.w, c.h, got, c.want)
		}
	}
}

// TestLevels: each level has a line, and its vertices share the line's width; from 40 columns on it has a title. The
// rest has 32: 16 for each of two, 8 for each of four. With fewer lines than levels there is no tree.
func TestLevels(t *testing.T) {
	for _, c := range []struct {
		shape   string
		n, w, h int
		want    string
	}{
		{"tree 2 2", 4, 40, 3, "level 0                1\nlevel 1        2               3\n" +
			"level 2    4       .       .       ."},
		{"tree 2 2", 4, 39, 3, "                  1\n        2                   3\n" +
			"   4         .         .         ."},
		{"tree 2 2", 4, 8, 3, "   1\n 2   3\n4 . . ."},
		{"tree 2 2", 4, 4, 3, " 1\n2 3\n4..."},
		{"tree 2 2", 4, 40, 2, "1 2 3 4 . . ."},
	} {
		if got := draw(t, c.shape, c.n, c.w, c.h); got != c.want {
			t.Errorf("%s in %d x %d\n%s\nwant\n%s", c.shape, c.w, c.h, got, c.want)
		}
	}
	// The links of vertices to the level above: that of task 2 is full, and that of task 3 empty; the link from 6 to 3
	// is 6's. A vertex has 3 of 4 columns, or both of 2.
	got := draw(t, "tree 2 2", 7, 8, 3, traffic.Load{From: 1, To: 0, Bytes: 8}, traffic.Load{From: 5, To: 2, Bytes: 8})
	if want := "   1\n@@@  3\n4 5 @@7"; got != want {
		t.Errorf("\n%s\nwant\n%s", got, want)
	}
}

// TestLoads: the busier direction of a link counts, also of links downwards and of those that close a torus.
func TestLoads(t *testing.T) {
	for _, c := range []struct {
		shape string
		n     int
		loads []traffic.Load
		want  string
	}{
		{"mesh 2 2", 4, []traffic.Load{{From: 2, To: 0, Bytes: 8}, {From: 0, To: 2, Bytes: 1}}, "1 - 2\n@   |\n3 - 4"},
		{"mesh 2 2", 4, []traffic.Load{{From: 3, To: 1, Bytes: 8}}, "1 - 2\n|   @\n3 - 4"},
		{"torus 1 3", 3, []traffic.Load{{From: 2, To: 0, Bytes: 8}}, "1-2-3@"},
		{"torus 3 1", 3, []traffic.Load{{From: 0, To: 2, Bytes: 8}}, "1\n|\n2\n|\n3\n@"},
		{"complete 3", 3, []traffic.Load{{From: 0, To: 2, Bytes: 8}}, "@ 2 @"},
	} {
		h := strings.Count(c.want, "\n") + 1
		if got := draw(t, c.shape, c.n, 9, h, c.loads...); got != c.want {
			t.Errorf("%s, %v:\n%s\nwant\n%s", c.shape, c.loads, got, c.want)
		}
	}
}

// TestNames: a vertex is named by its first task, with a mark if it has several.
func TestNames(t *testing.T) {
	n := network(t, "complete 4", 4)
	n.At = []int32{1, 0, 1, 1}
	m := netmap.New(n, []traffic.Load{{From: 0, To: 1, Bytes: 8}, {From: 1, To: 0, Bytes: 5}})
	for vertex, want := range []string{"task 2", "task 1+", "vertex 2"} {
		if got := m.Name(vertex); got != want {
			t.Errorf("%d: %s", vertex, got)
		}
	}
	if got, none := m.Most(), netmap.New(n, nil).Most(); got != 8 || none != 0 {
		t.Errorf("at most %g, and %g without loads", got, none)
	}
	c := raster.NewCanvas(12, 1)
	c.Clear()
	netmap.New(n, nil).Draw(c, mono, monoTheme)
	if got := text(c); got != "2  1+ .  ." {
		t.Errorf("%q", got)
	}
}

// TestScale: the colours of an eighth of the greatest load, two eighths and so on, from column 5 on.
func TestScale(t *testing.T) {
	look := raster.Look{Profile: raster.TrueColor, Glyphs: raster.ASCII, Theme: raster.DarkTheme}
	th := style.NewTheme(raster.TrueColor, raster.ASCII, true, raster.NoColor)
	loads := []traffic.Load{{From: 0, To: 1, Bytes: 80}, {From: 1, To: 2, Bytes: 40}, {From: 2, To: 3, Bytes: 10}}
	m := netmap.New(network(t, "mesh 4", 4), loads)
	scale, links := raster.NewCanvas(20, 1), raster.NewCanvas(20, 1)
	if x := m.DrawScale(scale, look, th, 3); x != 13 {
		t.Errorf("it ends before column %d", x)
	}
	if scale.At(3, 0).Rune != '0' || scale.At(13, 0).BG.IsSet() {
		t.Errorf("%+v", scale.Line(0))
	}
	m.Draw(links, look, th) // links of (19 / 4) - 1 = 3 columns after 1: at 1, 5 and 9
	for x, eighths := range map[int]int{1: 8, 5: 4, 9: 1} {
		if got, want := links.At(x, 0).BG, scale.At(4+eighths, 0).BG; got != want || !want.IsSet() {
			t.Errorf("%d eighths: %v, not %v", eighths, got, want)
		}
	}
	// In colours a loaded vertex keeps its task.
	crowd := raster.NewCanvas(8, 1)
	netmap.New(network(t, "complete 4", 4), loads).Draw(crowd, look, th)
	if got := crowd.At(0, 0); got.Rune != '1' || got.BG != scale.At(12, 0).BG {
		t.Errorf("%+v", got)
	}
}
