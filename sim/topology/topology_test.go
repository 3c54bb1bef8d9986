package topology

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// reach returns the distance of every vertex from a, by breadth-first search.
func reach(t Topology, a int) []int {
	d := make([]int, t.Vertices())
	for i := range d {
		d[i] = -1
	}
	d[a] = 0
	for queue := []int{a}; len(queue) > 0; queue = queue[1:] {
		for _, w := range t.Neighbours(queue[0], nil) {
			if d[w] < 0 {
				d[w] = d[queue[0]] + 1
				queue = append(queue, w)
			}
		}
	}
	return d
}

func parse(t *testing.T, text string) Topology {
	t.Helper()
	topo, err := Parse(text, 0)
	if err != nil {
		t.Fatal(err)
	}
	return topo
}

// TestClosedForms: distances are those of a breadth-first search, routes are that long, and consist of links of the
// network.
func TestClosedForms(t *testing.T) {
	for _, text := range []string{"complete 1", "complete 8", "bus 5", "line 5", "ring 2", "ring 5", "ring 6",
		"ring 16", "mesh 3 4", "mesh 2 1 3", "torus 3 4", "torus 4 4",
		"torus 4 4 4", "torus 2 2 2", "torus 5 2", "hypercube 3", "hypercube 8", "tree 2 3", "tree 3 2", "tree 1 4",
		"star 2", "star 5", "fat-tree 2 1", "fat-tree 2 3",
		"fat-tree 3 2", "fat-tree 4 3", "fat-tree 2 5", "dragonfly 1 2 1", "dragonfly 2 4 2", "dragonfly 1 3 2",
		"dragonfly 1 1 4", "dragonfly 3 4 1"} {
		topo := parse(t, text)
		longest := 0
		for a := range topo.Vertices() {
			want := reach(topo, a)
			for b, d := range want {
				longest = max(longest, d)
				if got := topo.Distance(a, b); got != d {
					t.Fatalf("%s: distance of %d and %d: %d, by search %d", text, a, b, got, d)
				}
				route := Route(topo, a, b, nil)
				at := a
				for _, l := range route {
					from, to := Ends(topo, l)
					if from != at {
						t.Fatalf("%s: route %d to %d: a link from %d at %d", text, a, b, from, at)
					}
					at = to
				}
				if at != b || len(route) != d {
					t.Fatalf("%s: route %d to %d has %d links and ends at %d", text, a, b, len(route), at)
				}
			}
		}
		if got := topo.Diameter(); got != longest {
			t.Errorf("%s: diameter %d, by search %d", text, got, longest)
		}
	}
}

// TestDistances: diameter and sum over ordered pairs of puppet.md, check 4.
func TestDistances(t *testing.T) {
	for _, c := range []struct {
		text          string
		diameter, sum int
		from0         string
	}{
		{"complete 8", 1, 56, ""},
		{"line 5", 4, 40, "0 1 2 3 4"},
		{"ring 6", 3, 54, "0 1 2 3 2 1"},
		{"ring 5", 2, 30, "0 1 2 2 1"},
		{"ring 16", 8, 1024, ""},
		{"mesh 3 4", 5, 308, "0 1 2 3 1 2 3 4 2 3 4 5"},
		{"torus 3 4", 3, 240, "0 1 2 1 1 2 3 2 1 2 3 2"},
		{"torus 4 4", 4, 512, ""},
		{"torus 4 4 4", 6, 12288, ""},
		{"hypercube 3", 3, 96, "0 1 1 2 1 2 2 3"},
		{"mesh 2 2 2", 3, 96, "0 1 1 2 1 2 2 3"},
		{"torus 2 2 2", 3, 96, "0 1 1 2 1 2 2 3"},
		{"hypercube 4", 4, 512, ""},
		{"tree 2 3", 6, 736, ""},
		{"tree 3 2", 4, 432, ""},
		{"star 5", 2, 32, ""},
	} {
		topo := parse(t, c.text)
		sum := 0
		var from0 []string
		for a := range topo.Vertices() {
			for b := range topo.Vertices() {
				sum += topo.Distance(a, b)
			}
			from0 = append(from0, fmt.Sprint(topo.Distance(0, a)))
		}
		if topo.Diameter() != c.diameter || sum != c.sum {
			t.Errorf("%s: diameter %d and sum %d, not %d and %d", c.text, topo.Diameter(), sum, c.diameter, c.sum)
		}
		if got := strings.Join(from0, " "); c.from0 != "" && got != c.from0 {
			t.Errorf("%s: from 0: %s, not %s", c.text, got, c.from0)
		}
	}
	tree := parse(t, "tree 2 3")
	var leaves []int
	for b := 7; b <= 14; b++ {
		leaves = append(leaves, tree.Distance(7, b))
	}
	if want := []int{0, 2, 4, 4, 6, 6, 6, 6}; !slices.Equal(leaves, want) {
		t.Errorf("leaf 7 to the leaves: %v, not %v", leaves, want)
	}
}

// TestGraph: a ring of 4 whose links lead one way: 0 to 3 takes 3 links; each processor reaches the others in 1+2+3, so
// the sum is 24.
func TestGraph(t *testing.T) {
	g, err := ReadGraph("ring.txt", strings.NewReader("# one way\n1\n2\n3\n0\n"))
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	for a := range 4 {
		for b := range 4 {
			sum += g.Distance(a, b)
		}
	}
	if g.Diameter() != 3 || sum != 24 || g.Distance(0, 3) != 3 || len(Route(g, 0, 3, nil)) != 3 {
		t.Errorf("diameter %d, sum %d, 0 to 3: %d", g.Diameter(), sum, g.Distance(0, 3))
	}
	g, err = ReadGraph("broken.txt", strings.NewReader("1\n0\n-\n"))
	if err != nil || g.Distance(0, 2) != -1 {
		t.Errorf("an isolated processor: %v", err)
	}
}

// TestParse: what is written is read back, and what is wrong is named.
func TestParse(t *testing.T) {
	for _, text := range []string{"torus 4 4", "hypercube 3", "dragonfly 2 4 2"} {
		if got := parse(t, text).String(); got != text {
			t.Errorf("%q comes back as %q", text, got)
		}
	}
	if got := parse(t, "torus 4x4x2").String(); got != "torus 4 4 2" {
		t.Errorf("4x4x2: %s", got)
	}
	for _, n := range []int{1, 2, 8, 16, 24, 30, 100, 1000} { // shapes without numbers have room
		for _, s := range shapes {
			topo, err := Parse(s.Name, n)
			if err != nil || topo.Hosts() < n {
				t.Errorf("%s for %d processors: %v, %v", s.Name, n, topo, err)
			}
		}
	}
	for text, why := range map[string]string{"": "a name", "klein 3": "no topology", "torus 4 x": `"x"`,
		"ring 4 4": "takes n", "hypercube 40": "dimensions", "torus 0": "from 1",
		"torus 1024 1024 2": "more than", "fat-tree 8 9": "more than"} {
		if _, err := Parse(text, 0); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v", text, err)
		}
	}
	for text, why := range map[string]string{"1\nx\n": "g:2", "1 1\n0\n": "second link", "7\n": "from processor 0 to 7",
		"0\n": "0 to 0", "": "0 processors"} {
		if _, err := ReadGraph("g", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("graph %q: %v", text, err)
		}
	}
}

// TestFitting: shapes for 8 processors have room for them, and are read back.
func TestFitting(t *testing.T) {
	list := Fitting(8)
	for _, want := range []string{"complete 8", "ring 8", "mesh 2 4", "mesh 4 2", "torus 2 4", "torus 2 2 2",
		"hypercube 3", "tree 2 3", "fat-tree 2 3"} {
		if !slices.Contains(list, want) {
			t.Errorf("%s is not among %q", want, list)
		}
	}
	for _, n := range []int{1, 2, 7, 8, 60, 4096} {
		for _, text := range Fitting(n) {
			if topo := parse(t, text); topo.Hosts() < n || topo.String() != text {
				t.Errorf("%s for %d: %s with %d", text, n, topo, topo.Hosts())
			}
		}
	}
}

// TestLevels: a tree from its root, a fat tree from its highest switches, a dragonfly from its routers; links between
// vertices lead to the next level, or to the same one between routers.
func TestLevels(t *testing.T) {
	for text, want := range map[string][]int{"tree 2 2": {1, 2, 4}, "fat-tree 2 3": {4, 4, 4, 8},
		"dragonfly 2 2 1": {6, 12}, "torus 2 2": nil} {
		topo := parse(t, text)
		var sizes []int
		at := map[int]int{}
		for k, level := range Levels(topo) {
			sizes = append(sizes, len(level))
			for _, v := range level {
				at[v] = k
			}
		}
		if !slices.Equal(sizes, want) {
			t.Errorf("%s: %v, not %v", text, sizes, want)
		}
		for v := range at {
			for _, w := range topo.Neighbours(v, nil) {
				if d := at[v] - at[w]; d > 1 || d < -1 || d == 0 && at[v] > 0 {
					t.Errorf("%s: a link from level %d to %d", text, at[v], at[w])
				}
			}
		}
	}
}

// An error shows what was written, not the parts of it.
func TestSidesAsTheyAreWritten(t *testing.T) {
	for text, want := range map[string]string{"ring x": `"x"`, "torus 4x": `"4x"`, "torus x4": `"x4"`,
		"torus 4xy": `"y"`} {
		if _, err := Parse(text, 1); err == nil || !strings.Contains(err.Error(), want+" must be a number") {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
