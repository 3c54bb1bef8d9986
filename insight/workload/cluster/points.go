// Package cluster finds groups of similar points: k-means with the choice of k, and density clustering (DBSCAN). It
// only knows numbers: package workload turns the components of a trace into points.
//
// Results do not depend on the number of workers, nor on chance: there are no random numbers.
package cluster

import (
	"context"

	"pview/prv/parallel"
)

// Points are points of a space: Dim numbers each, one point after the other. None is NaN or infinite.
type Points struct {
	Dim    int
	Values []float64
}

// Len returns the number of points.
func (p *Points) Len() int {
	if p.Dim == 0 {
		return 0
	}
	return len(p.Values) / p.Dim
}

// At returns a point.
func (p *Points) At(i int) []float64 { return p.Values[i*p.Dim:][:p.Dim:p.Dim] }

// distance2 returns the square of the distance of two points.
func distance2(a, b []float64) (sum float64) {
	for j, x := range a {
		d := x - b[j]
		sum += d * d
	}
	return sum
}

// chunk is the number of points per partial sum: the result is the same for any number of workers.
const chunk = 1 << 14

// eachChunk calls f for all points in pieces, by several workers.
func eachChunk(ctx context.Context, n, workers int, f func(piece, from, to int)) error {
	return eachPiece(ctx, n, chunk, workers, f)
}

// eachPiece calls f for pieces of n things, by several workers.
func eachPiece(ctx context.Context, n, size, workers int, f func(piece, from, to int)) error {
	return parallel.Each(ctx, pieces(n, size), workers, func(_, i int) error {
		f(i, i*size, min(n, (i+1)*size))
		return nil
	})
}

// pieces returns the number of pieces of a size in n things.
func pieces(n, size int) int { return (n + size - 1) / size }
