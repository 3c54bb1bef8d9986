package topology

// Graphs given by their links. Distances come from a breadth-first search, from each target on first use.

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Graph is a network given by its links, which may lead one way only.
type Graph struct {
	Name string
	// Out are the vertices to which each vertex has a link.
	Out [][]int32

	ports int
	in    [][]int32
	rows  rows
}

// rows are the distances to a target, by vertex. At most keep of them are cached, to avoid a table of all pairs of a
// large graph.
type rows struct {
	sync.Mutex
	by    map[int][]int32
	order []int
}

const keepRows = 4096

// newGraph returns the graph of the links out of each vertex.
func newGraph(name string, out [][]int32) (*Graph, error) {
	g := &Graph{Name: name, Out: out, ports: 1, in: make([][]int32, len(out))}
	if len(out) == 0 || len(out) > limit {
		return nil, fmt.Errorf("%d processors; there must be 1 to %d", len(out), limit)
	}
	for v, list := range out {
		g.ports = max(g.ports, len(list))
		for _, w := range list {
			if w < 0 || int(w) >= len(out) || int(w) == v {
				return nil, fmt.Errorf("a link leads from processor %d to %d", v, w)
			}
			g.in[w] = append(g.in[w], int32(v))
		}
	}
	if len(out)*g.ports > 64*limit {
		return nil, fmt.Errorf("more than %d links", 64*limit)
	}
	g.rows.by = map[int][]int32{}
	return g, nil
}

// ReadGraph reads incidence lists: a line for each processor, from 0, with the processors to which it has a link; #
// starts a comment, and a line with only "-" is a processor without links.
func ReadGraph(name string, r io.Reader) (*Graph, error) {
	var out [][]int32
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<24)
	line := 0
	for in.Scan() {
		line++
		text, _, _ := strings.Cut(in.Text(), "#")
		words := strings.Fields(text)
		if len(words) == 0 {
			continue
		}
		if slices.Equal(words, []string{"-"}) {
			words = nil
		}
		list := []int32{}
		for _, w := range words {
			v, err := strconv.ParseUint(w, 10, 20)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %q is no processor", name, line, w)
			}
			if slices.Contains(list, int32(v)) {
				return nil, fmt.Errorf("%s:%d: a second link to processor %d", name, line, v)
			}
			list = append(list, int32(v))
		}
		out = append(out, list)
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, line+1, err)
	}
	g, err := newGraph(name, out)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return g, nil
}

// String returns "custom" and the name of the file.
func (g *Graph) String() string { return "custom " + g.Name }

// Vertices returns the number of processors.
func (g *Graph) Vertices() int { return len(g.Out) }

// Hosts returns the number of processors.
func (g *Graph) Hosts() int { return len(g.Out) }

// Host returns n.
func (g *Graph) Host(n int) int { return n }

// Ports returns the largest number of links out of a processor.
func (g *Graph) Ports() int { return g.ports }

// Neighbours returns the ends of the links out of a processor.
func (g *Graph) Neighbours(v int, list []int) []int {
	for _, w := range g.Out[v] {
		list = append(list, int(w))
	}
	return list
}

// Distance searches from b, and caches the result.
func (g *Graph) Distance(a, b int) int { return int(g.to(b)[a]) }

// Next returns the first link, in the order of the file, that leads nearer.
func (g *Graph) Next(at, to int) (port, vertex int) {
	row := g.to(to)
	for p, v := range g.Out[at] {
		if row[v] == row[at]-1 {
			return p, int(v)
		}
	}
	return 0, to
}

// Diameter returns the longest distance between processors with a route between them.
func (g *Graph) Diameter() int {
	longest := int32(0)
	for b := range g.Out {
		longest = max(longest, slices.Max(g.search(b)))
	}
	return int(longest)
}

func (g *Graph) to(b int) []int32 {
	g.rows.Lock()
	defer g.rows.Unlock()
	if row, ok := g.rows.by[b]; ok {
		return row
	}
	if limit := keepRows * keepRows / max(len(g.Out), keepRows); len(g.rows.order) >= limit {
		delete(g.rows.by, g.rows.order[0])
		g.rows.order = g.rows.order[1:]
	}
	row := g.search(b)
	g.rows.by[b] = row
	g.rows.order = append(g.rows.order, b)
	return row
}

// search finds the distances of all processors to b; -1: no route.
func (g *Graph) search(b int) []int32 {
	row := make([]int32, len(g.Out))
	for i := range row {
		row[i] = -1
	}
	row[b] = 0
	queue := []int32{int32(b)}
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		for _, w := range g.in[v] {
			if row[w] < 0 {
				row[w] = row[v] + 1
				queue = append(queue, w)
			}
		}
	}
	return row
}
