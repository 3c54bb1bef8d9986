package calibrate

import (
	"math"
	"slices"
	"testing"
)

// Of neighbouring sizes the point that is faster for its size stands for both: 10 bytes in 20 are 2 per byte, 30 in 30
// are 1. Of equal ones the first stays, and an odd one at the end stays as it is. Weights are added.
func TestJoined(t *testing.T) {
	list := []point{{10, 20, 1}, {30, 30, 2}, {40, 40, 3}, {50, 100, 4}, {60, 60, 5}, {70, 70, 6}, {80, 1, 7}}
	want := []point{{30, 30, 3}, {40, 40, 7}, {60, 60, 11}, {80, 1, 7}}
	if got := joined(list); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Points are in the order of sizes, each with the fastest times and as many as were measured; there are at most as many
// as are compared.
func TestPoints(t *testing.T) {
	got := points(map[int64][]float64{200: {9, 7}, 100: {5}, 300: {8, 6, 7}})
	if want := []point{{100, 5, 1}, {200, 7, 2}, {300, 6, 3}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for n, want := range map[int64]int{mostSizes: mostSizes, mostSizes + 1: mostSizes/2 + 1, 4 * mostSizes: mostSizes} {
		times := map[int64][]float64{}
		for i := range n {
			times[i+1] = []float64{float64(i)}
		}
		if got := points(times); len(got) != want {
			t.Errorf("%d sizes are %d points, want %d", n, len(got), want)
		}
	}
}

// The weighted median is reached at half of the weight: of 1, 2 and 9 with weights 1, 1 and 3 that is 9.
func TestMedian(t *testing.T) {
	for _, c := range []struct {
		list, weights []float64
		want          float64
	}{{nil, nil, 0}, {[]float64{5}, []float64{1}, 5}, {[]float64{9, 1, 2}, []float64{3, 1, 1}, 9},
		{[]float64{9, 1, 2}, []float64{1, 1, 1}, 2}, {[]float64{1, 9}, []float64{1, 1}, 1},
		{[]float64{3, 1}, []float64{2, 3}, 1}} {
		if got := median(c.list, c.weights); got != c.want {
			t.Errorf("%v has the median %g, want %g", c.list, got, c.want)
		}
	}
}

// Three points on the line 2000 + 0.5 n: 0.5 ns per byte are 1e9 / 0.5 / 2^20 MB/s. Points that fall have no bandwidth,
// and are all latency: their median is 50.
func TestLine(t *testing.T) {
	latency, bandwidth := line([]point{{1000, 2500, 1}, {2000, 3000, 1}, {8000, 6000, 1}})
	if latency != 2000 || math.Abs(bandwidth-2e9/(1<<20)) > 1e-9 {
		t.Errorf("%g ns, %g MB/s", latency, bandwidth)
	}
	latency, bandwidth = line([]point{{1000, 60, 1}, {2000, 50, 1}, {3000, 40, 1}})
	if latency != 50 || !math.IsInf(bandwidth, 1) {
		t.Errorf("%g ns, %g MB/s", latency, bandwidth)
	}
}
