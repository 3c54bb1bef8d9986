package cluster

// K-means as Hartigan describes it (Clustering Algorithms, 1975, chapter 4): the partition into k clusters starts from
// the one into k-1, whose widest cluster is split at its mean; then points move, one at a time and with the centroids
// updated immediately, to the cluster where they add least to the sum of squares. Centroids are sums that change by one
// point, and never recomputed for a move.
//
// A pass costs points * k * parameters. Moves become rare after the first passes of each k, so all workers examine a
// block of points with the current centroids. Up to the first point that moves, a single worker would have found the
// same; from there a single worker walks the block.

import (
	"context"
	"math"
	"slices"
)

// DefaultMost is the greatest k tried by default.
const DefaultMost = 10

// maxPasses bounds the passes of one k.
const maxPasses = 100

// tolerance is the relative gain below which a point does not move, so that rounding cannot make it move forever.
const tolerance = 1e-12

// tie is the relative difference below which two sums of squares are equal, and a point is at the mean: data often has
// ties, which rounding must not decide.
const tie = 1e-9

// Justified is the mean square ratio above which one more cluster is justified (Hartigan's rule of thumb). The ratio
// grows with the number of points, so halving a single large population also exceeds it: 1.75 n for a normal one, 3 n
// for a uniform one.
const Justified = 10

// Apart is the share of the smaller of two clusters, in points between the two, below which they are two populations.
// Between are the points in the middle half of the line that joins the centroids. The halves of a normal population
// have 0.62, those of a uniform one 0.5, and those of skewed ones, such as the exponential, more than 1; two normal
// ones whose means are 5 deviations apart have 0.2.
const Apart = 0.25

// Partition is a partition into K clusters.
type Partition struct {
	K     int
	Of    []uint8 // the cluster of each point, 0 .. K-1
	Size  []int
	Means [][]float64
	// SS is the sum of squares within clusters, and SSOf the same by parameter.
	SS   float64
	SSOf []float64
	// R is the overall mean square ratio: how much the K-th cluster reduces the mean square; ROf is the same by
	// parameter. +Inf: nothing remains; NaN for one cluster.
	R   float64
	ROf []float64
	// Ratio is the mean square between clusters over the mean square within.
	Ratio float64
	// Between is the largest number of points between two clusters, relative to the smaller one: see Apart. NaN for one
	// cluster.
	Between float64
}

// MaxK is the greatest number of clusters.
const MaxK = 255

// KMeans returns the partitions into 1 .. most clusters (0: DefaultMost), fewer if nothing remains to be split.
func KMeans(ctx context.Context, p *Points, most, workers int, progress func(k, most int)) ([]Partition, error) {
	n := p.Len()
	if most <= 0 {
		most = DefaultMost
	}
	if most = min(most, n-1, MaxK); n > 0 {
		most = max(most, 1)
	}
	m := &kmeans{Points: p, workers: workers, of: make([]uint8, n)}
	var list []Partition
	for k := 1; k <= most; k++ {
		if progress != nil {
			progress(k, most)
		}
		if k > 1 && !m.split() {
			break
		}
		if k == 1 {
			m.centroid, m.size = [][]float64{make([]float64, p.Dim)}, []int{n}
		}
		err := m.settle(ctx)
		if err != nil {
			return nil, err
		}
		list = append(list, m.partition(list))
		last := &list[len(list)-1]
		if k > 1 {
			if last.Between, err = m.between(ctx); err != nil {
				return nil, err
			}
		}
		if last.SS <= tolerance*list[0].SS {
			break
		}
	}
	return list, nil
}

// kmeans is the state of the search.
type kmeans struct {
	*Points
	workers  int
	of       []uint8
	size     []int
	centroid [][]float64
	within   [][]float64 // sums of squares by cluster and parameter
}

// between returns Partition.Between.
func (m *kmeans) between(ctx context.Context) (float64, error) {
	k := len(m.size)
	parts := make([][]int, pieces(m.Len(), chunk))
	err := eachChunk(ctx, m.Len(), m.workers, func(piece, from, to int) {
		counts := make([]int, k*k)
		for i := from; i < to; i++ {
			own, x := int(m.of[i]), m.At(i)
			for c, other := range m.centroid {
				along, length := 0.0, 0.0
				for j, v := range m.centroid[own] {
					d := other[j] - v
					along += (x[j] - v) * d
					length += d * d
				}
				if c != own && along >= length/4 && along <= length*3/4 {
					counts[min(own, c)*k+max(own, c)]++
				}
			}
		}
		parts[piece] = counts
	})
	if err != nil {
		return 0, err
	}
	most := 0.0
	for a := range k {
		for b := a + 1; b < k; b++ {
			count := 0
			for _, counts := range parts {
				count += counts[a*k+b]
			}
			most = max(most, float64(count)/float64(min(m.size[a], m.size[b])))
		}
	}
	return most, nil
}

// partition returns the current partition, with its ratios to the previous one.
func (m *kmeans) partition(before []Partition) Partition {
	n, k := m.Len(), len(m.size)
	out := Partition{K: k, Of: append([]uint8{}, m.of...), Size: append([]int{}, m.size...),
		SSOf: make([]float64, m.Dim), ROf: make([]float64, m.Dim), R: math.NaN(), Ratio: math.NaN(),
		Between: math.NaN()}
	for c := range m.centroid {
		out.Means = append(out.Means, append([]float64{}, m.centroid[c]...))
		for j, v := range m.within[c] {
			out.SSOf[j] += v
		}
	}
	for _, v := range out.SSOf {
		out.SS += v
	}
	for j := range out.ROf {
		out.ROf[j] = math.NaN()
	}
	if k == 1 {
		return out
	}
	last, first := &before[k-2], &before[0]
	out.R = ratio(last.SS, out.SS, first.SS, n-k)
	for j := range out.ROf {
		out.ROf[j] = ratio(last.SSOf[j], out.SSOf[j], first.SSOf[j], n-k)
	}
	if n > k {
		out.Ratio = ((first.SS - out.SS) / float64(k-1)) / (out.SS / float64(n-k))
	}
	return out
}

// ratio returns the mean square ratio of a sum of squares to the one with a cluster less.
func ratio(before, now, first float64, free int) float64 {
	if now <= tolerance*first {
		return math.Inf(1)
	}
	return (before/now - 1) * float64(free)
}

// split makes one more cluster: from the cluster and parameter with the greatest sum of squares, the points above the
// mean. It returns false if nothing remains to be split.
func (m *kmeans) split() bool {
	best, at, by := 0.0, 0, 0
	for c := range m.within {
		for j, v := range m.within[c] {
			if v > best*(1+tie) {
				best, at, by = v, c, j
			}
		}
	}
	if best == 0 {
		return false
	}
	limit, k, moved := m.centroid[at][by]+tie*math.Sqrt(best/float64(m.size[at])), uint8(len(m.size)), 0
	for i := range m.of {
		if m.of[i] == uint8(at) && m.Values[i*m.Dim+by] > limit {
			m.of[i] = k
			moved++
		}
	}
	m.size[at] -= moved
	m.size = append(m.size, moved)
	m.centroid = append(m.centroid, make([]float64, m.Dim))
	return moved > 0 && m.size[at] > 0
}

// settle moves points until none gains by it.
func (m *kmeans) settle(ctx context.Context) error {
	if err := m.measure(ctx); err != nil {
		return err
	}
	moved, err := len(m.size) > 1, error(nil)
	for passes := 0; moved && passes < maxPasses; passes++ {
		if moved, err = m.pass(ctx); err != nil {
			return err
		}
		if err := m.measure(ctx); err != nil {
			return err
		}
	}
	return nil
}

// block is the number of points that the workers examine before moves are made.
const block = 1 << 15

// pass gives each point one chance to move.
func (m *kmeans) pass(ctx context.Context) (moved bool, err error) {
	n, quiet := m.Len(), false
	for from := 0; from < n; {
		if err := ctx.Err(); err != nil {
			return moved, err
		}
		to := min(n, from+block)
		next := from
		if quiet && m.workers != 1 {
			if next, err = m.firstMover(ctx, from, to); err != nil {
				return moved, err
			}
		}
		quiet = true
		for i := next; i < to; i++ {
			if c := m.better(i); c >= 0 {
				m.move(i, c)
				moved, quiet = true, false
			}
		}
		from = to
	}
	return moved, nil
}

// firstMover returns the first of some points that gains by a move with the centroids as they are; to if none does.
func (m *kmeans) firstMover(ctx context.Context, from, to int) (int, error) {
	const size = block / 8
	first := slices.Repeat([]int{to}, pieces(to-from, size))
	err := eachPiece(ctx, to-from, size, m.workers, func(piece, begin, end int) {
		for i := from + begin; i < from+end; i++ {
			if m.better(i) >= 0 {
				first[piece] = i
				break
			}
		}
	})
	return slices.Min(first), err
}

// better returns the cluster that point i gains most by moving to, -1 for none.
func (m *kmeans) better(i int) int {
	own := int(m.of[i])
	if m.size[own] < 2 {
		return -1
	}
	x := m.At(i)
	n := float64(m.size[own])
	best, to := distance2(x, m.centroid[own])*n/(n-1)*(1-tolerance), -1
	for c, mean := range m.centroid {
		if c == own {
			continue
		}
		n := float64(m.size[c])
		if d := distance2(x, mean) * n / (n + 1); d < best {
			best, to = d, c
		}
	}
	return to
}

// move moves point i.
func (m *kmeans) move(i, to int) {
	from := int(m.of[i])
	x := m.At(i)
	a, b := m.centroid[from], m.centroid[to]
	na, nb := float64(m.size[from]-1), float64(m.size[to]+1)
	for j, v := range x {
		a[j] -= (v - a[j]) / na
		b[j] += (v - b[j]) / nb
	}
	m.size[from]--
	m.size[to]++
	m.of[i] = uint8(to)
}

// measure computes centroids and sums of squares from the points: this removes the rounding errors of a pass.
func (m *kmeans) measure(ctx context.Context) error {
	k, width := len(m.size), len(m.size)*m.Dim
	parts := make([][]float64, pieces(m.Len(), chunk))
	total := func(add func(sums []float64, c, i int)) ([]float64, error) {
		err := eachChunk(ctx, m.Len(), m.workers, func(piece, from, to int) {
			sums := make([]float64, width)
			for i := from; i < to; i++ {
				add(sums[int(m.of[i])*m.Dim:][:m.Dim], int(m.of[i]), i)
			}
			parts[piece] = sums
		})
		out := make([]float64, width)
		for _, sums := range parts {
			for j, v := range sums {
				out[j] += v
			}
		}
		return out, err
	}
	sums, err := total(func(sums []float64, c, i int) {
		for j, v := range m.At(i) {
			sums[j] += v
		}
	})
	if err != nil {
		return err
	}
	for c := range k {
		for j := range m.Dim {
			m.centroid[c][j] = sums[c*m.Dim+j] / float64(m.size[c])
		}
	}
	if sums, err = total(func(sums []float64, c, i int) {
		for j, v := range m.At(i) {
			d := v - m.centroid[c][j]
			sums[j] += d * d
		}
	}); err != nil {
		return err
	}
	m.within = m.within[:0]
	for c := range k {
		m.within = append(m.within, sums[c*m.Dim:][:m.Dim])
	}
	return nil
}

// Rule chooses among partitions.
type Rule struct {
	Name, Doc string
	Choose    func(list []Partition) int // k; 0: no partition is suggested
}

// Rules are the rules, the default first.
var Rules = []Rule{
	{"largest", "of the k whose mean square ratio is above 10 and whose clusters are apart, the one with the largest",
		func(list []Partition) (k int) {
			best := float64(Justified)
			for i := range list {
				if r := list[i].R; r > best && list[i].Between < Apart {
					best, k = r, list[i].K
				}
			}
			return k
		}},
	{"every",
		"the largest k up to which every mean square ratio is above 10, if the clusters of any k are apart; it " +
			"splits too much if there are many components", func(list []Partition) (k int) {
			several := slices.ContainsFunc(list, func(p Partition) bool { return p.Between < Apart })
			for i := 1; several && i < len(list) && list[i].R > Justified; i++ {
				k = list[i].K
			}
			return k
		}},
}
