package topology

import (
	"fmt"
	"strings"
	"testing"

	"pview/prv/prvtest"
)

// way is the vertices from one to another, each with the port that leads on.
func way(t Topology, from, to int) string {
	var b strings.Builder
	fmt.Fprint(&b, from)
	for at, n := from, 0; at != to && n < 20; n++ {
		port, next := t.Next(at, to)
		fmt.Fprintf(&b, " -%d-> %d", port, next)
		at = next
	}
	return b.String()
}

// The shapes for some numbers of processors: what they are called, how large they are, and the way from the first to
// the last and back.
func TestShapesInWords(t *testing.T) {
	var b strings.Builder
	for _, s := range Shapes() {
		for _, n := range []int{1, 5, 8, 27, 100} {
			shape, err := Parse(s.Name, n)
			if err != nil {
				fmt.Fprintf(&b, "%s for %d: %v\n", s.Name, n, err)
				continue
			}
			last := shape.Host(shape.Hosts() - 1)
			fmt.Fprintf(&b, "%s for %d: %s, %d vertices, %d ports, diameter %d, axes %v, %s, %s\n", s.Name, n, shape,
				shape.Vertices(), shape.Ports(), shape.Diameter(), Axes(shape), way(shape, shape.Host(0), last),
				way(shape, last, shape.Host(0)))
		}
	}
	for _, text := range []string{"mesh 2 3 4", "torus 5", "torus 2 3", "tree 3 2", "fat-tree 2 3", "dragonfly 2 4 2",
		"ring 0", "ring 2 3", "ring x", "mesh", "torus 0 3", "hypercube 20", "hypercube 40", "tree 1 3", "star 1",
		"fat-tree 1 2",
		"dragonfly 0 4 2", "other 3", "", "complete 1048577"} {
		shape, err := Parse(text, 6)
		if err != nil {
			fmt.Fprintf(&b, "%q: %v\n", text, err)
			continue
		}
		fmt.Fprintf(&b, "%q: %s, %d hosts of %d vertices\n", text, shape, shape.Hosts(), shape.Vertices())
	}
	for _, n := range []int{1, 2, 12, 16} {
		fmt.Fprintf(&b, "fitting %d: %s\n", n, strings.Join(Fitting(n), ", "))
	}
	prvtest.SameFile(t, "testdata/shapes.txt", b.String())
}

// Links of graphs lead one way: from 0 to 1 and 2, and on to 3. Nothing leads back to 0.
func TestOneWay(t *testing.T) {
	g, err := ReadGraph("x", strings.NewReader("1 2 # first\n\n3\n3\n1\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(g.Neighbours(0, nil), g.Neighbours(3, []int{9}), g.Ports(), g.Diameter(), g.Distance(0, 3),
		g.Distance(3, 0), g.Distance(2, 1)); got != "[1 2] [9 1] 2 2 2 -1 2" {
		t.Error(got)
	}
	if got := way(g, 0, 3); got != "0 -0-> 1 -0-> 3" {
		t.Error(got)
	}
	alone, err := ReadGraph("x", strings.NewReader("-\n"))
	if err != nil || alone.Diameter() != 0 || alone.Vertices() != 1 || alone.Ports() != 1 {
		t.Errorf("%+v, %v", alone, err)
	}
	for text, want := range map[string]string{"": "x: 0 processors; there must be 1 to",
		"1 1\n-\n": "x:1: a second link to processor 1", "0\n": "x: a link leads from processor 0 to 0",
		"2\n-\n": "x: a link leads from processor 0 to 2",
		"-\na\n": `x:2: "a" is no processor`} {
		if _, err := ReadGraph("x", strings.NewReader(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
