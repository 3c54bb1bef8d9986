package cluster

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
)

// One population is one cluster, whatever its form and however many points it has; two that are apart are two, one
// point far from the others included.
func TestOnePopulation(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct {
		name string
		want int // 0: no partition
		of   func(i int) []float64
	}{
		{"normal", 0, func(int) []float64 { return []float64{rng.NormFloat64()} }},
		{"uniform", 0, func(int) []float64 { return []float64{rng.Float64()} }},
		{"exponential", 0, func(int) []float64 { return []float64{rng.ExpFloat64()} }},
		{"lognormal", 0, func(int) []float64 { return []float64{math.Exp(0.8 * rng.NormFloat64())} }},
		{"round", 0, func(int) []float64 { return []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()} }},
		{"correlated", 0, func(int) []float64 {
			x := rng.NormFloat64()
			return []float64{x, x + 0.1*rng.NormFloat64()}
		}},
		{"two, 8 deviations apart", 2, func(i int) []float64 { return []float64{rng.NormFloat64() + 8*float64(i&1)} }},
		{"a tenth apart", 2, func(i int) []float64 {
			if i%10 == 0 {
				return []float64{rng.NormFloat64() + 10, 0}
			}
			return []float64{rng.NormFloat64(), 0}
		}},
		{"one of all", 2, func(i int) []float64 {
			if i == 7 {
				return []float64{100}
			}
			return []float64{rng.Float64()}
		}},
		{"three", 3, func(i int) []float64 { return []float64{rng.NormFloat64() + 9*float64(i%3), rng.NormFloat64()} }},
	} {
		for _, n := range []int{50, 400, 4000} {
			p := &Points{}
			for i := range n {
				x := c.of(i)
				p.Dim, p.Values = len(x), append(p.Values, x...)
			}
			list := kmeansOf(t, p, 0, 0)
			if got := Rules[0].Choose(list); got != c.want && !(c.name == "one of all" && n > 400) {
				t.Errorf("%s, %d points: %d clusters, want %d; R %.3g, between %.3g", c.name, n, got, c.want, list[1].R,
					list[1].Between)
			}
		}
	}
}

// Of 0, 1, 2, 9, 10, 11 and 5 the centroids of the halves are 2 (0, 1, 2, 5) and 10: the middle half of the line is
// from 4 to 8 and has the point 5, a third of the three of the smaller cluster.
func TestBetween(t *testing.T) {
	list := kmeansOf(t, points(1, 0, 1, 2, 9, 10, 11, 5), 0, 0)
	if got := list[1].Between; !about(got, 1.0/3) || !math.IsNaN(list[0].Between) {
		t.Errorf("%v", got)
	}
	if k := Rules[0].Choose(list[:2]); k != 0 {
		t.Errorf("k %d", k)
	}
	if list = kmeansOf(t, points(1, 0, 1, 2, 9, 10, 11), 0, 0); list[1].Between != 0 || Rules[0].Choose(list[:2]) != 2 {
		t.Errorf("%+v", list[1])
	}
}

// The middle half of the line from 0 to 8 is from 2 to 6, ends included: 2, 6, 5 and 3 are twice the two points of the
// smaller cluster.
func TestMiddleHalf(t *testing.T) {
	m := &kmeans{Points: points(1, 1.9, 2, 6, 6.1, 5, 3), of: []uint8{0, 0, 0, 0, 1, 1}, size: []int{4, 2},
		centroid: [][]float64{{0}, {8}}}
	if got, err := m.between(context.Background()); err != nil || got != 2 {
		t.Errorf("%g, %v", got, err)
	}
}
