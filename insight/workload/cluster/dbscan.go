package cluster

// DBSCAN (Ester, Kriegel, Sander, Xu 1996): points with enough neighbours are core points, core points within eps of
// each other form one cluster, and other points belong to a cluster with a core point within eps.
//
// The plain algorithm visits the points in order, grows each cluster completely, and gives a border point to the first
// cluster that reaches it. So a cluster is a connected set of core points; clusters are in the order of their first
// core points; a border point belongs to the first cluster with a core point in its neighbourhood. The work can be done
// in any order:
//
//	cells      the points are put into cells with a diagonal of eps: points of one cell are neighbours
//	core       a cell with minPoints points has core points only; the points of others count their neighbours
//	clusters   the core points of a cell are one cluster; so are those of two cells of which any two are neighbours
//	border     the others look for core points in their neighbourhood
//
// Only cells that may be within eps are compared, and only if not yet connected, which saves nearly all of the work on
// dense data.

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"
	"sync/atomic"
)

// noise is the cluster of points without a cluster.
const noise = -1

// Density is the result of DBSCAN.
type Density struct {
	Of []int32 // the cluster of each point from 0, numbered in order of their first core points, or Noise
	K  int
}

// DBSCAN clusters points by density: a core point has at least minPoints points at most eps away, including itself.
func DBSCAN(ctx context.Context, p *Points, eps float64, minPoints, workers int) (*Density, error) {
	g := &grid{Points: p, eps: eps, least: max(minPoints, 1), workers: workers}
	if err := g.fill(ctx); err != nil {
		return nil, err
	}
	for _, step := range []func(context.Context) error{g.neighbours, g.findCores, g.connect} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return g.label(ctx)
}

// grid is the points in cells.
type grid struct {
	*Points
	eps     float64
	least   int
	workers int

	first  []int32 // of each cell, in members; one more at the end
	member []int32 // points by cell, in their order
	cell   []int32 // of each point
	lo, hi []float64
	near   [][]int32 // cells that may be within eps, excluding the cell itself, the nearest first
	core   []bool
	cores  [][]int32 // core points of each cell
	parent []int32   // of cells: a union-find forest
}

// slack keeps points of one cell within eps of each other, whatever the rounding.
const slack = 1e-9

// fill puts the points into cells.
func (g *grid) fill(ctx context.Context) error {
	n, d := g.Len(), g.Dim
	side := g.eps / math.Sqrt(float64(d)) * (1 - slack)
	g.cell = make([]int32, n)
	cells := map[string]int32{} // by their coordinates, as bytes
	var count []int32
	key := make([]byte, 8*d)
	for i := range n {
		if i&0xffff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		key = key[:0]
		for _, v := range g.At(i) {
			at := math.Floor(v / side)
			if !(math.Abs(at) < 1<<52) {
				at = v // eps is below the resolution of the numbers: cells hold equal points
			}
			key = binary.NativeEndian.AppendUint64(key, math.Float64bits(at+0)) // -0 is 0
		}
		c, ok := cells[string(key)]
		if !ok {
			c = int32(len(count))
			cells[string(key)], count = c, append(count, 0)
		}
		g.cell[i] = c
		count[c]++
	}
	g.arrange(count)
	return nil
}

// arrange lists the points by cell, and finds the bounds of the cells.
func (g *grid) arrange(count []int32) {
	n, d := g.Len(), g.Dim
	g.first = make([]int32, len(count)+1)
	for c, k := range count {
		g.first[c+1] = g.first[c] + k
	}
	at := slices.Clone(g.first)
	g.member = make([]int32, n)
	g.lo, g.hi = make([]float64, len(count)*d), make([]float64, len(count)*d)
	for j := range g.lo {
		g.lo[j], g.hi[j] = math.Inf(1), math.Inf(-1)
	}
	for i, c := range g.cell {
		g.member[at[c]] = int32(i)
		at[c]++
		lo, hi := g.lo[int(c)*d:][:d], g.hi[int(c)*d:][:d]
		for j, v := range g.At(i) {
			lo[j], hi[j] = min(lo[j], v), max(hi[j], v)
		}
	}
}

func (g *grid) points(c int32) []int32 { return g.member[g.first[c]:g.first[c+1]] }
func (g *grid) size(c int32) int       { return int(g.first[c+1] - g.first[c]) }
func (g *grid) cells() int             { return len(g.first) - 1 }

// apart2 returns the square of the distance of the bounds of two cells.
func (g *grid) apart2(a, b int32) (sum float64) {
	alo, ahi, blo, bhi := g.lo[int(a)*g.Dim:], g.hi[int(a)*g.Dim:], g.lo[int(b)*g.Dim:], g.hi[int(b)*g.Dim:]
	for j := range g.Dim {
		if d := max(alo[j]-bhi[j], blo[j]-ahi[j]); d > 0 {
			sum += d * d
		}
	}
	return sum
}

// neighbours finds the cells that may hold neighbours of the points of a cell.
func (g *grid) neighbours(ctx context.Context) error {
	middles := &Points{Dim: g.Dim, Values: make([]float64, len(g.lo))}
	for j := range g.lo {
		middles.Values[j] = (g.lo[j] + g.hi[j]) / 2
	}
	t := newTree(middles)
	g.near = make([][]int32, g.cells())
	// The middles of cells with neighbours are at most eps and half a diagonal of each apart.
	reach := 2 * g.eps * (1 + slack)
	return g.eachCell(ctx, func(c int32) {
		var list []int32
		t.within(middles.At(int(c)), reach, func(i int32) {
			if i != c && g.apart2(c, i) <= g.eps*g.eps {
				list = append(list, i)
			}
		})
		slices.SortFunc(list, func(a, b int32) int {
			da, db := distance2(middles.At(int(a)), middles.At(int(c))),
				distance2(middles.At(int(b)), middles.At(int(c)))
			return cmp.Or(cmp.Compare(da, db), cmp.Compare(a, b))
		})
		g.near[c] = list
	})
}

// eachCell calls f for the cells, by several workers.
func (g *grid) eachCell(ctx context.Context, f func(c int32)) error {
	return eachPiece(ctx, g.cells(), 16, g.workers, func(_, from, to int) {
		for c := from; c < to; c++ {
			f(int32(c))
		}
	})
}

// findCores finds the core points.
func (g *grid) findCores(ctx context.Context) error {
	g.core, g.cores = make([]bool, g.Len()), make([][]int32, g.cells())
	return g.eachCell(ctx, func(c int32) {
		list := g.points(c)
		if len(list) >= g.least {
			for _, i := range list {
				g.core[i] = true
			}
			g.cores[c] = list
			return
		}
		for _, i := range list {
			if g.core[i] = g.isCore(i, c); g.core[i] {
				g.cores[c] = append(g.cores[c], i)
			}
		}
	})
}

// isCore counts the neighbours of a point until they are enough.
func (g *grid) isCore(i, c int32) bool {
	found := g.size(c)
	x, square := g.At(int(i)), g.eps*g.eps
	for _, b := range g.near[c] {
		for _, k := range g.points(b) {
			if distance2(x, g.At(int(k))) <= square {
				if found++; found >= g.least {
					return true
				}
			}
		}
	}
	return found >= g.least
}

// root finds the cluster of a cell.
func (g *grid) root(c int32) int32 {
	for {
		up := atomic.LoadInt32(&g.parent[c])
		if up == c {
			return c
		}
		over := atomic.LoadInt32(&g.parent[up])
		atomic.CompareAndSwapInt32(&g.parent[c], up, over) // path halving; another worker may have done so
		c = over
	}
}

// join merges two clusters: the root with the greater number goes below the other, so that workers cannot make a cycle.
func (g *grid) join(a, b int32) {
	for {
		a, b = g.root(a), g.root(b)
		if a == b {
			return
		}
		if a < b {
			a, b = b, a
		}
		if atomic.CompareAndSwapInt32(&g.parent[a], a, b) {
			return
		}
	}
}

// connect joins cells with core points within eps of each other: the pairs of neighbouring cells first, which connects
// nearly all others.
func (g *grid) connect(ctx context.Context) error {
	g.parent = make([]int32, g.cells())
	for c := range g.parent {
		g.parent[c] = int32(c)
	}
	for _, turn := range []struct{ from, to int }{{0, 4}, {4, math.MaxInt}} {
		err := g.eachCell(ctx, func(c int32) {
			list := g.near[c]
			if len(g.cores[c]) == 0 || len(list) <= turn.from {
				return
			}
			for _, b := range list[turn.from:min(len(list), turn.to)] {
				if b < c && turn.from > 0 || len(g.cores[b]) == 0 || g.root(c) == g.root(b) {
					continue // in the second pass, a pair belongs to its first cell
				}
				if g.touch(c, b) {
					g.join(c, b)
				}
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// touch reports whether two cells have core points within eps of each other.
func (g *grid) touch(a, b int32) bool {
	square := g.eps * g.eps
	lo, hi := g.lo[int(b)*g.Dim:][:g.Dim], g.hi[int(b)*g.Dim:][:g.Dim]
	for _, i := range g.cores[a] {
		x := g.At(int(i))
		out := 0.0
		for j, v := range x {
			if d := max(lo[j]-v, v-hi[j]); d > 0 {
				out += d * d
			}
		}
		if out > square {
			continue
		}
		for _, k := range g.cores[b] {
			if distance2(x, g.At(int(k))) <= square {
				return true
			}
		}
	}
	return false
}

// label numbers the clusters in order of their first core points, and gives border points to their first cluster.
func (g *grid) label(ctx context.Context) (*Density, error) {
	out := &Density{Of: make([]int32, g.Len())}
	number := make([]int32, g.cells())
	for c := range number {
		number[c] = noise
	}
	for i := range out.Of {
		out.Of[i] = noise
		if !g.core[i] {
			continue
		}
		r := g.root(g.cell[i])
		if number[r] == noise {
			number[r] = int32(out.K)
			out.K++
		}
		out.Of[i] = number[r]
	}
	err := g.eachCell(ctx, func(c int32) {
		for _, i := range g.points(c) {
			if !g.core[i] {
				out.Of[i] = g.border(i, c, number)
			}
		}
	})
	return out, err
}

// border returns the cluster of a point that is not a core point.
func (g *grid) border(i, c int32, number []int32) int32 {
	best := int32(math.MaxInt32)
	if len(g.cores[c]) > 0 {
		best = number[g.root(c)]
	}
	x, square := g.At(int(i)), g.eps*g.eps
	for _, b := range g.near[c] {
		if number[g.root(b)] >= best {
			continue
		}
		for _, k := range g.cores[b] {
			if distance2(x, g.At(int(k))) <= square {
				best = number[g.root(b)]
				break
			}
		}
	}
	if best == math.MaxInt32 {
		return noise
	}
	return best
}

// KDistances returns, for each point, the distance to the k-th nearest other point, in descending order.
func KDistances(ctx context.Context, p *Points, k, workers int) ([]float64, error) {
	k = min(k, p.Len()-1)
	if k < 1 {
		return nil, nil
	}
	t, out := newTree(p), make([]float64, p.Len())
	err := eachChunk(ctx, p.Len(), workers, func(_, from, to int) {
		found := nearest{most: k}
		for i := from; i < to && (i&0xff != 0 || ctx.Err() == nil); i++ {
			found.heap, found.not = found.heap[:0], int32(i)
			t.find(p.At(i), &found, 0, len(t.order))
			out[i] = math.Sqrt(found.bound())
		}
	})
	if err == nil {
		err = ctx.Err()
	}
	slices.Sort(out)
	slices.Reverse(out)
	return out, err
}

// Knee returns the point of a descending curve that is furthest from the line between its ends: a choice of eps from
// k-distances.
func Knee(curve []float64) float64 {
	if len(curve) == 0 {
		return 0
	}
	last := len(curve) - 1
	best, at := -1.0, 0
	for i, v := range curve {
		// The distance from the line, up to a factor.
		if d := math.Abs((curve[last]-curve[0])*float64(i) - (v-curve[0])*float64(last)); d > best {
			best, at = d, i
		}
	}
	return curve[at]
}

// Assign gives points the cluster of the nearest of some clustered points, if that is closer than eps, else Noise.
func Assign(ctx context.Context, clustered *Points, of []int32, p *Points, eps float64, workers int) ([]int32, error) {
	t, out := newTree(clustered), make([]int32, p.Len())
	err := eachChunk(ctx, p.Len(), workers, func(_, from, to int) {
		found := nearest{most: 1, not: -1}
		for i := from; i < to && (i&0xff != 0 || ctx.Err() == nil); i++ {
			found.heap = found.heap[:0]
			t.find(p.At(i), &found, 0, len(t.order))
			if out[i] = noise; len(found.heap) > 0 && found.heap[0].square < eps*eps {
				out[i] = of[found.heap[0].point]
			}
		}
	})
	if err == nil {
		err = ctx.Err()
	}
	return out, err
}
