// Package topology has the shapes of direct networks: which processors a link joins, how far two processors are from
// each other, and the route of a message between them.
//
// A network is a connected graph. Its vertices are processors, or relays that run no process (inner nodes of a tree,
// switches of a fat tree, routers of a dragonfly); an edge is a pair of links, one in each direction. Distances of the
// built-in shapes have a closed form, so no table of all pairs is needed; tests compare them with a breadth-first
// search.
package topology

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Topology is a network. Vertices are numbered from 0, processors before relays unless the shape says otherwise. It is
// immutable, and safe for concurrent use.
type Topology interface {
	// String is the text that Parse reads.
	String() string
	// Vertices is the number of processors and relays.
	Vertices() int
	// Distance is the number of links on a shortest route; -1: none.
	Distance(a, b int) int
	// Neighbours appends the other ends of the links out of a vertex, in the order of its ports.
	Neighbours(v int, list []int) []int
	// Ports is the largest number of links out of a vertex.
	Ports() int
	// Next is the first link of the route from a vertex to another one: a port, and the vertex behind it. Routes are
	// shortest and fixed: dimension by dimension on meshes and tori.
	Next(at, to int) (port, vertex int)
	// Diameter is the longest distance.
	Diameter() int
	// Host is the vertex of the n-th processor that can run processes.
	Host(n int) int
	// Hosts is the number of processors that can run processes.
	Hosts() int
}

// limit is the largest number of vertices.
const limit = 1 << 20

// link returns the number of a link: vertices have Ports numbers each.
func link(t Topology, vertex, port int) int { return vertex*t.Ports() + port }

// Ends returns the vertices that a link joins.
func Ends(t Topology, link int) (from, to int) {
	from = link / t.Ports()
	return from, t.Neighbours(from, nil)[link%t.Ports()]
}

// Route appends the links of the route from a to b.
func Route(t Topology, a, b int, list []int) []int {
	for a != b {
		port, next := t.Next(a, b)
		list = append(list, link(t, a, port))
		a = next
	}
	return list
}

// Shape is an entry of Shapes.
type Shape struct {
	Name string
	// Args names its numbers; "..." after the last: any number.
	Args []string
	Doc  string
	// Distance is the closed form, for the documentation.
	Distance string

	make func(n []int) (Topology, error)
	fit  func(n int) []int // the numbers of the most even network with at least n processors
}

// Shapes returns the built-in shapes. It is a copy: the table cannot be changed.
func Shapes() []Shape { return slices.Clone(shapes) }

var shapes = []Shape{
	{"complete", []string{"n"}, "every processor is joined to every other", "1", newComplete, func(n int) []int {
		return []int{n}
	}},
	{"bus", []string{"n"}, "a single bus: as complete", "1", newComplete, func(n int) []int { return []int{n} }},
	{"line", []string{"n"}, "a row of processors", "|a-b|", newLine, func(n int) []int { return []int{n} }},
	{"ring", []string{"n"}, "a closed row", "min(D, n-D), D = |a-b|", newRing, func(n int) []int { return []int{n} }},
	{"mesh", []string{"k1", "..."}, "a grid of any dimension; the last index counts fastest",
		"sum over axes of |xa-xb|", newMesh, squarish},
	{"torus", []string{"k1", "..."}, "a grid whose axes are closed", "sum over axes of min(D, k-D)", newTorus,
		squarish},
	{"hypercube", []string{"m"}, "2^m processors", "number of ones in a xor b", newHypercube, func(n int) []int {
		return []int{max(1, log(n))}
	}},
	{"tree", []string{"k", "levels"},
		"k-ary, breadth first from root 0, with that many levels of links; every vertex can run processes",
		"depth(a) + depth(b) - 2 depth(lowest common ancestor)", newTree,
		func(n int) []int { return []int{2, max(1, log(n+1)-1)} }},
	{"star", []string{"n"}, "n-1 processors around processor 0", "1 from and to 0, else 2", newStar, func(n int) []int {
		return []int{max(n, 2)}
	}},
	{"fat-tree", []string{"k", "n"}, "k-ary n-tree: k^n processors, then n levels of k^(n-1) switches",
		"2h to a processor under the same switch of level h", newFatTree,
		func(n int) []int { return []int{2, max(1, log(n))} }},
	{"dragonfly", []string{"p", "a", "h"},
		"groups of a routers, all joined; p processors and h links to other groups a router; a*h+1 groups",
		"at most 5: router, gateway, group, gateway, router", newDragonfly,
		func(n int) []int {
			h := 1
			for h*2*h*(2*h*h+1) < n {
				h++
			}
			return []int{h, 2 * h, h}
		}},
}

// Fitting lists shapes with room for n processors: all meshes and tori of two axes with exactly that many, and the most
// even one of each shape.
func Fitting(n int) (list []string) {
	add := func(t Topology, err error) {
		if err == nil && t.Hosts() >= n && !slices.Contains(list, t.String()) {
			list = append(list, t.String())
		}
	}
	for i := range shapes {
		s := &shapes[i]
		if s.Name == "bus" {
			continue
		}
		if s.Args[len(s.Args)-1] == "..." {
			for a := 2; a <= n/2; a++ {
				if n%a == 0 {
					add(s.make([]int{a, n / a}))
				}
			}
			add(s.make(cubic(n)))
		}
		add(s.make(s.fit(max(n, 1))))
	}
	return list
}

// cubic factors n into three numbers as even as possible.
func cubic(n int) []int {
	best := []int{n, 1, 1}
	for a := 1; a*a*a <= n; a++ {
		for b := a; n%a == 0 && a*b*b <= n; b++ {
			if n/a%b == 0 && n/a/b < best[0] {
				best = []int{n / a / b, b, a}
			}
		}
	}
	return best
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// log returns the least m with 2^m >= n.
func log(n int) int {
	m := 0
	for k := 1; k < n; k *= 2 {
		m++
	}
	return m
}

// squarish factors n into two numbers as even as possible.
func squarish(n int) []int {
	for a := 1; ; a++ {
		if b := (n + a - 1) / a; b <= a {
			for c := a; c >= 1; c-- {
				if n%c == 0 && n/c <= 2*c {
					return []int{n / c, c}
				}
			}
			return []int{a, b}
		}
	}
}

// Parse reads a shape and its numbers: "torus 4 4". A shape without numbers gets those of the most even network with at
// least n processors.
func Parse(text string, n int) (Topology, error) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return nil, fmt.Errorf("a topology is a name and numbers, such as torus 4 4")
	}
	if len(words) == 2 {
		if sides := strings.Split(words[1], "x"); !slices.Contains(sides, "") {
			words = append(words[:1], sides...)
		}
	}
	for i := range shapes {
		if s := &shapes[i]; s.Name == words[0] {
			return s.parse(words[1:], n)
		}
	}
	var names []string
	for i := range shapes {
		names = append(names, shapes[i].Name)
	}
	return nil, fmt.Errorf("there is no topology %q, but %s, custom", words[0], strings.Join(names, ", "))
}

func (s *Shape) parse(words []string, n int) (Topology, error) {
	var numbers []int
	for _, w := range words {
		v, err := strconv.Atoi(w)
		if err != nil || v < 1 || v > limit {
			return nil, fmt.Errorf("%s: %q must be a number from 1 to %d", s.Name, w, limit)
		}
		numbers = append(numbers, v)
	}
	if len(numbers) == 0 {
		numbers = s.fit(max(n, 1))
	}
	many := s.Args[len(s.Args)-1] == "..."
	if !many && len(numbers) != len(s.Args) || len(numbers) > maxAxes {
		return nil, fmt.Errorf("%s takes %s, not %s", s.Name, strings.Join(s.Args, " "), strings.Join(words, " "))
	}
	t, err := s.make(numbers)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	return t, nil
}

const maxAxes = 20

// power returns base^m, or limit+1 if that exceeds limit.
func power(base, m int) int {
	n := 1
	for range m {
		if n *= base; n > limit {
			return limit + 1
		}
	}
	return n
}

func tooMany(n int) error {
	if n > limit {
		return fmt.Errorf("more than %d processors and relays", limit)
	}
	return nil
}

// named is the common part of shapes: their text, and processors that are the first vertices.
type named struct {
	name     string
	numbers  []int
	vertices int
}

func (n *named) String() string {
	text := n.name
	for _, k := range n.numbers {
		text += " " + strconv.Itoa(k)
	}
	return text
}

func (n *named) Vertices() int  { return n.vertices }
func (n *named) Host(i int) int { return i }
func (n *named) Hosts() int     { return n.vertices }

// Levels returns the vertices of a tree, fat tree or dragonfly from the top to the bottom; nil for other shapes.
func Levels(t Topology) (levels [][]int) {
	l, ok := t.(interface{ level(v int) int })
	if !ok {
		return nil
	}
	for v := range t.Vertices() {
		k := l.level(v)
		for len(levels) <= k {
			levels = append(levels, nil)
		}
		levels[k] = append(levels[k], v)
	}
	return levels
}

// closer returns the first neighbour that is nearer to the target.
func closer(t Topology, at, to int, buf []int) (port, vertex int) {
	d := t.Distance(at, to)
	for p, v := range t.Neighbours(at, buf[:0]) {
		if t.Distance(v, to) == d-1 {
			return p, v
		}
	}
	return 0, to
}

// complete is the graph of all edges. The port of a vertex is the other end, counted without itself.
type complete struct{ named }

func newComplete(k []int) (Topology, error) {
	return &complete{named{"complete", k, k[0]}}, tooMany(k[0])
}

func (c *complete) Distance(a, b int) int { return one(a != b) }
func (c *complete) Diameter() int         { return one(c.vertices > 1) }
func (c *complete) Ports() int            { return max(c.vertices-1, 1) }

func (c *complete) Neighbours(v int, list []int) []int {
	for w := range c.vertices {
		if w != v {
			list = append(list, w)
		}
	}
	return list
}

func (c *complete) Next(at, to int) (port, vertex int) {
	if to > at {
		return to - 1, to
	}
	return to, to
}

// star is a hub with processors around it.
type star struct{ named }

func newStar(k []int) (Topology, error) {
	if k[0] < 2 {
		return nil, fmt.Errorf("it has at least 2 processors")
	}
	return &star{named{"star", k, k[0]}}, tooMany(k[0])
}

func (s *star) Distance(a, b int) int {
	return one(a != b) + one(a != b && a != 0 && b != 0)
}
func (s *star) Diameter() int { return 1 + one(s.vertices > 2) }
func (s *star) Ports() int    { return s.vertices - 1 }

func (s *star) Neighbours(v int, list []int) []int {
	if v != 0 {
		return append(list, 0)
	}
	for w := 1; w < s.vertices; w++ {
		list = append(list, w)
	}
	return list
}

func (s *star) Next(at, to int) (port, vertex int) {
	if at != 0 {
		return 0, 0
	}
	return to - 1, to
}

// tree is a complete k-ary tree. Port 0 of every vertex except the root leads up.
type tree struct {
	named
	k, levels int
}

func newTree(n []int) (Topology, error) {
	vertices := 1
	for l := 1; l <= n[1]; l++ {
		if vertices += power(n[0], l); vertices > limit {
			break
		}
	}
	return &tree{named{"tree", n, vertices}, n[0], n[1]}, tooMany(vertices)
}

func (t *tree) Distance(a, b int) int {
	d := 0
	for a != b { // in breadth-first order the larger number is never higher up
		if a < b {
			a, b = b, a
		}
		a = (a - 1) / t.k
		d++
	}
	return d
}

func (t *tree) level(v int) int { return t.Distance(0, v) }

func (t *tree) Diameter() int {
	if t.k == 1 {
		return t.levels
	}
	return 2 * t.levels
}
func (t *tree) Ports() int { return t.k + 1 }

func (t *tree) Neighbours(v int, list []int) []int {
	if v > 0 {
		list = append(list, (v-1)/t.k)
	}
	if first := t.k*v + 1; first < t.vertices {
		for c := range t.k {
			list = append(list, first+c)
		}
	}
	return list
}

func (t *tree) Next(at, to int) (port, vertex int) {
	up := to
	for up > at {
		parent := (up - 1) / t.k
		if parent == at {
			return up - (t.k*at + 1) + one(at > 0), up
		}
		up = parent
	}
	return 0, (at - 1) / t.k
}
