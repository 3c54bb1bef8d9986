package topology

// Grids: meshes and tori of any dimension, and their special cases: lines, rings and hypercubes.

import "fmt"

// grid is a mesh or a torus. The last axis varies fastest, and is travelled first. Vertices have two ports for each
// axis, the last axis first: towards larger and towards smaller coordinates; on a mesh, ports at the border lead
// nowhere.
type grid struct {
	named
	k      []int // by axis, the fastest first
	closed bool
}

func newGrid(name string, numbers, axes []int, closed bool) (Topology, error) {
	g := &grid{named{name, numbers, 1}, nil, closed}
	for i := len(axes) - 1; i >= 0; i-- {
		g.k = append(g.k, axes[i])
		if g.vertices *= axes[i]; g.vertices > limit {
			return nil, tooMany(g.vertices)
		}
	}
	return g, nil
}

func newMesh(n []int) (Topology, error)  { return newGrid("mesh", n, n, false) }
func newTorus(n []int) (Topology, error) { return newGrid("torus", n, n, true) }
func newLine(n []int) (Topology, error)  { return newGrid("line", n, n, false) }
func newRing(n []int) (Topology, error)  { return newGrid("ring", n, n, true) }

func newHypercube(n []int) (Topology, error) {
	if n[0] > maxAxes {
		return nil, fmt.Errorf("it has at most %d dimensions", maxAxes)
	}
	axes := make([]int, n[0])
	for i := range axes {
		axes[i] = 2
	}
	return newGrid("hypercube", n, axes, false)
}

func (g *grid) Distance(a, b int) int {
	sum := 0
	for _, k := range g.k {
		d := a%k - b%k
		if d < 0 {
			d = -d
		}
		if g.closed {
			d = min(d, k-d)
		}
		sum += d
		a, b = a/k, b/k
	}
	return sum
}

func (g *grid) Diameter() int {
	sum := 0
	for _, k := range g.k {
		if g.closed {
			sum += k / 2
		} else {
			sum += k - 1
		}
	}
	return sum
}

func (g *grid) Ports() int { return 2 * len(g.k) }

// step returns the vertex next to one on an axis of a given stride, or the vertex itself at an end.
func (g *grid) step(v, stride, k int, down bool) int {
	x := v / stride % k
	switch {
	case !down && x < k-1:
		return v + stride
	case !down && g.closed:
		return v - (k-1)*stride
	case down && x > 0:
		return v - stride
	case down && g.closed:
		return v + (k-1)*stride
	}
	return v
}

// Neighbours has the vertex itself at the ports that lead nowhere, and the second of two links to the same neighbour.
func (g *grid) Neighbours(v int, list []int) []int {
	stride := 1
	for _, k := range g.k {
		list = append(list, g.step(v, stride, k, false), g.step(v, stride, k, true))
		stride *= k
	}
	return list
}

func (g *grid) Next(at, to int) (port, vertex int) {
	stride, a, b := 1, at, to
	for axis, k := range g.k {
		x, y := a%k, b%k
		if x != y {
			up := y - x
			if up < 0 && g.closed {
				up += k
			}
			down := up < 0 || g.closed && 2*up > k
			return 2*axis + one(down), g.step(at, stride, k, down)
		}
		a, b, stride = a/k, b/k, stride*k
	}
	return 0, at
}

// Axes returns the lengths of a grid's axes, the slowest first; nil for other shapes.
func Axes(t Topology) []int {
	g, ok := t.(*grid)
	if !ok {
		return nil
	}
	axes := make([]int, len(g.k))
	for i, k := range g.k {
		axes[len(axes)-1-i] = k
	}
	return axes
}
