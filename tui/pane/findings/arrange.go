package findings

import "math"

// Arrangements of threads on a plane, for the animation.

// spot is the place of a thread, in cells from the upper left corner.
type spot struct{ x, y int }

// arrangement places n threads on at most width by height cells; nil: they do not fit.
type arrangement struct {
	name  string
	place func(n, width, height int, lengths [3]int) []spot
}

// arrangements are the choices.
var arrangements = []arrangement{
	{"ring", ring}, {"spanning tree", tree}, {"mesh", square}, {"3-D mesh", cube},
}

// mesh3D is the row of the 3-D mesh.
const mesh3D = 3

// ring goes round a rectangle, as flat as possible.
func ring(n, width, height int, _ [3]int) (list []spot) {
	h := min(2, n)
	w := (n + 1) / h
	for ; w > width; h++ {
		w = max((n+5)/2-h-1, 1)
		if h >= height || w < 2 {
			return nil
		}
	}
	for x := 0; x < w && len(list) < n; x++ {
		list = append(list, spot{x, 0})
	}
	for y := 1; y < h-1 && len(list) < n; y++ {
		list = append(list, spot{w - 1, y})
	}
	for x := w - 1; x >= 0 && h > 1 && len(list) < n; x-- {
		list = append(list, spot{x, h - 1})
	}
	for y := h - 2; y > 0 && len(list) < n; y-- {
		list = append(list, spot{0, y})
	}
	return fits(list, n, width, height)
}

// tree returns a spanning tree of two children each: thread i has 2i+1 and 2i+2 below it. A level that is too wide
// takes several lines.
func tree(n, width, height int, _ [3]int) (list []spot) {
	y := 0
	for first, count := 0, 1; first < n; first, count = first+count, 2*count {
		for k := range min(count, n-first) {
			if count <= width {
				list = append(list, spot{(2*k + 1) * width / (2 * count), y})
			} else {
				list = append(list, spot{k % width, y + k/width})
			}
		}
		y += (min(count, n-first)-1)/width + 1
	}
	return fits(list, n, width, height)
}

// square returns a mesh about as wide as high.
func square(n, width, height int, _ [3]int) (list []spot) {
	cols := int(math.Ceil(math.Sqrt(float64(n))))
	cols = min(max(cols, (n+height-1)/height), width)
	for i := range n {
		list = append(list, spot{i % cols, i / cols})
	}
	return fits(list, n, width, height)
}

// cube is planes side by side, with a gap; in several rows if they do not fit side by side.
func cube(n, width, height int, lengths [3]int) (list []spot) {
	if lengths[0] == 0 {
		lengths = cubeOf(n)
	}
	perRow := max((width+1)/(lengths[0]+1), 1)
	for i := range n {
		plane, in := i/(lengths[0]*lengths[1]), i%(lengths[0]*lengths[1])
		list = append(list, spot{plane%perRow*(lengths[0]+1) + in%lengths[0],
			plane/perRow*(lengths[1]+1) + in/lengths[0]})
	}
	return fits(list, n, width, height)
}

// cubeOf returns the lengths of the smallest mesh with nearly equal lengths.
func cubeOf(n int) [3]int {
	side := max(int(math.Ceil(math.Cbrt(float64(n))-1e-9)), 1)
	return [3]int{side, side, (n + side*side - 1) / (side * side)}
}

// fits returns the list if all of it fits on the plane.
func fits(list []spot, n, width, height int) []spot {
	if len(list) < n {
		return nil
	}
	for _, s := range list {
		if s.x >= width || s.y >= height {
			return nil
		}
	}
	return list
}
