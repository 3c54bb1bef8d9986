package network

import (
	"math"
	"slices"
	"testing"
)

// Of neighbouring sizes the point that is faster for its size stands for both: 10 bytes in 20 are 2 per byte, 30 in 30
// are 1. Of equal ones the first stays, and an odd one at the end stays as it is. Weights are added.
func TestJoined(t *testing.T) {
	p := points{sizes: []float64{10, 30, 40, 50, 60, 70, 80}, times: []float64{20, 30, 40, 100, 60, 70, 1},
		weights: []float64{1, 2, 3, 4, 5, 6, 7}}
	got := p.joined()
	if !slices.Equal(got.sizes, []float64{30, 40, 60, 80}) || !slices.Equal(got.times, []float64{30, 40, 60, 1}) ||
		!slices.Equal(got.weights, []float64{3, 7, 11, 7}) {
		t.Errorf("%+v", got)
	}
}

// Points are in the order of sizes, with the fastest times. No message is slower than a larger one: 100 bytes take at
// most the 6 of 300. What one took at most counts where it is less than the exact times, and what it took at least only
// where there are none of its size.
func TestFastest(t *testing.T) {
	got := fastest([]sample{{size: 200, time: 9}, {size: 200, time: 5, either: true}, {size: 200, time: 7},
		{size: 100, time: 8}, {size: 300, time: 8}, {size: 300, time: 6, most: true},
		{size: 400, time: 9, either: true}})
	if !slices.Equal(got.sizes, []float64{100, 200, 300, 400}) || !slices.Equal(got.times, []float64{6, 6, 6, 9}) ||
		!slices.Equal(got.weights, []float64{1, 2, 1, 1}) || got.most {
		t.Errorf("%+v", got)
	}
	for n, want := range map[int64]int{mostSizes: mostSizes, mostSizes + 1: mostSizes/2 + 1, 4 * mostSizes: mostSizes} {
		var list []sample
		for i := range n {
			list = append(list, sample{size: i + 1, time: float64(i)})
		}
		if got := fastest(list); len(got.sizes) != want {
			t.Errorf("%d sizes are %d points, want %d", n, len(got.sizes), want)
		}
	}
}

// Messages of 8192 bytes take 10, and the fastest round of an operation 2: their bytes take the other 8.
func TestOneLargeSize(t *testing.T) {
	if w := fit([]sample{{size: 8192, time: 10}}, 2); w.Latency != 2 || w.PerByte != 8.0/8192 || w.One != 0 {
		t.Errorf("%+v", w)
	}
	if w := fit([]sample{{size: 8192, time: 10}}, 0); w.Latency != 10 || w.PerByte != 0 || w.One != 8192 {
		t.Errorf("without operations %+v", w)
	}
}

// Most messages have 1000 bytes and take 20, the largest take 15 more for 100,000 bytes: that line is at 19.85 for no
// bytes. Those of no bytes take 5, so the line goes from there, by 15 / 1000 as most messages say. Too few of them do
// not bend it.
func TestLatencyBound(t *testing.T) {
	p := points{sizes: []float64{0, 1000, 101_000}, times: []float64{5, 20, 35}, weights: []float64{2, 90, 8}}
	if l := p.line(); l.At0 != 5 || l.Slope != 0.015 || !slices.Equal(l.Rests, []float64{5, 5, 35 - 1515}) {
		t.Errorf("%+v", l)
	}
	p.weights[0] = 0.5
	if l := p.line(); math.Abs(l.At0-19.85) > 1e-9 {
		t.Errorf("%+v", l)
	}
}
