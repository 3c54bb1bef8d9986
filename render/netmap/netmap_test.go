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

// TestShapes: every task is drawn on every shape, or at least every processor where there is room for no more.
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
