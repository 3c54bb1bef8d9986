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

// draw draws a network without colours: of the links, the glyphs are the load.
func draw(t *testing.T, shape string, tasks, w, h int, loads ...traffic.Load) string {
	t.Helper()
	net, err := topology.Parse(shape, tasks)
	if err != nil {
		t.Fatal(err)
	}
	n := &traffic.Network{Topology: net}
	for i := range tasks {
		n.At = append(n.At, int32(net.Host(i)))
	}
	look := raster.Look{Profile: raster.Mono, Glyphs: raster.ASCII, Theme: raster.DarkTheme}
	c := raster.NewCanvas(w, h)
	c.Clear()
	netmap.New(n, loads).Draw(c, look, style.NewTheme(raster.Mono, raster.ASCII, true, raster.NoColor))
	var lines []string
	for y := range h {
		var b strings.Builder
		for x := range w {
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
