package cluster

// A k-d tree: points in a balanced binary tree, each node split at the median of the dimension in which its points
// spread most. The tree is just an order of the points; a node is a range, with its root in the middle.

import "math"

// tree finds the points near a point.
type tree struct {
	*Points
	order []int32 // points by position in the tree
	axis  []uint8 // by position of the root of a node
}

// leaf is the number of points below which a node is not split.
const leaf = 8

func newTree(p *Points) *tree {
	t := &tree{Points: p, order: make([]int32, p.Len()), axis: make([]uint8, p.Len())}
	for i := range t.order {
		t.order[i] = int32(i)
	}
	t.build(0, len(t.order))
	return t
}

func (t *tree) build(from, to int) {
	if to-from <= leaf {
		return
	}
	axis := t.widest(from, to)
	mid := (from + to) / 2
	t.choose(from, to, mid, axis)
	t.axis[mid] = uint8(axis)
	t.build(from, mid)
	t.build(mid+1, to)
}

// widest returns the dimension in which some points spread most.
func (t *tree) widest(from, to int) (axis int) {
	best := -1.0
	for j := range min(t.Dim, math.MaxUint8) {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, i := range t.order[from:to] {
			v := t.Values[int(i)*t.Dim+j]
			lo, hi = min(lo, v), max(hi, v)
		}
		if hi-lo > best {
			best, axis = hi-lo, j
		}
	}
	return axis
}

// choose puts the point with the k-th smallest coordinate at its place, smaller ones before it and larger ones after it
// (Hoare's quickselect).
func (t *tree) choose(from, to, k, axis int) {
	at := func(i int) float64 { return t.Values[int(t.order[i])*t.Dim+axis] }
	for lo, hi := from, to-1; lo < hi; {
		pivot := median(at(lo), at((lo+hi)/2), at(hi))
		i, j := lo, hi
		for i <= j {
			for at(i) < pivot {
				i++
			}
			for at(j) > pivot {
				j--
			}
			if i <= j {
				t.order[i], t.order[j] = t.order[j], t.order[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return
		}
	}
}

func median(a, b, c float64) float64 { return max(min(a, b), min(max(a, b), c)) }

// within calls f for the points at most a distance away from x.
func (t *tree) within(x []float64, distance float64, f func(i int32)) {
	t.search(x, distance, distance*distance, 0, len(t.order), f)
}

func (t *tree) search(x []float64, distance, square float64, from, to int, f func(i int32)) {
	if to-from <= leaf {
		for _, i := range t.order[from:to] {
			if distance2(x, t.At(int(i))) <= square {
				f(i)
			}
		}
		return
	}
	mid := (from + to) / 2
	root := t.order[mid]
	d := x[t.axis[mid]] - t.Values[int(root)*t.Dim+int(t.axis[mid])]
	if d <= distance {
		t.search(x, distance, square, from, mid, f)
	}
	if distance2(x, t.At(int(root))) <= square {
		f(root)
	}
	if d >= -distance {
		t.search(x, distance, square, mid+1, to, f)
	}
}

// near is a point and the square of its distance.
type near struct {
	square float64
	point  int32
}

// nearest keeps the nearest points found so far, the furthest first (a heap).
type nearest struct {
	heap []near
	most int
	not  int32 // a point that does not count
}

func (n *nearest) bound() float64 {
	if len(n.heap) < n.most {
		return math.Inf(1)
	}
	return n.heap[0].square
}

func (n *nearest) add(c near) {
	if c.point == n.not || c.square >= n.bound() {
		return
	}
	if len(n.heap) < n.most {
		n.heap = append(n.heap, c)
		for i := len(n.heap) - 1; i > 0; {
			up := (i - 1) / 2
			if n.heap[up].square >= n.heap[i].square {
				break
			}
			n.heap[up], n.heap[i] = n.heap[i], n.heap[up]
			i = up
		}
		return
	}
	n.heap[0] = c
	for i := 0; ; {
		next := i
		for _, down := range [2]int{2*i + 1, 2*i + 2} {
			if down < len(n.heap) && n.heap[down].square > n.heap[next].square {
				next = down
			}
		}
		if next == i {
			return
		}
		n.heap[next], n.heap[i] = n.heap[i], n.heap[next]
		i = next
	}
}

// find finds the nearest points of x.
func (t *tree) find(x []float64, n *nearest, from, to int) {
	if to-from <= leaf {
		for _, i := range t.order[from:to] {
			n.add(near{distance2(x, t.At(int(i))), i})
		}
		return
	}
	mid := (from + to) / 2
	root := t.order[mid]
	d := x[t.axis[mid]] - t.Values[int(root)*t.Dim+int(t.axis[mid])]
	n.add(near{distance2(x, t.At(int(root))), root})
	if d <= 0 {
		t.find(x, n, from, mid)
		if d*d <= n.bound() {
			t.find(x, n, mid+1, to)
		}
		return
	}
	t.find(x, n, mid+1, to)
	if d*d <= n.bound() {
		t.find(x, n, from, mid)
	}
}
