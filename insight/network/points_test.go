package network

import (
	"math"
	"slices"
	"testing"

	"pview/insight/waits"
	"pview/prv/extrae"
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

// Of two points, 10 at 10 and 1000 at 20, that have too few messages each, the second bounds the latency: 6 + 14 by 990
// bytes. Of no other, the line stays.
func TestFewMessages(t *testing.T) {
	p := points{sizes: []float64{0, 10, 1000, 101_000}, times: []float64{5, 6, 20, 35},
		weights: []float64{0.6, 0.6, 90, 8.8}}
	if l := p.line(); math.Abs(l.Slope-14.0/990) > 1e-12 || math.Abs(l.At0-(6-140.0/990)) > 1e-12 {
		t.Errorf("%+v", l)
	}
	p.weights = []float64{0.4, 0.4, 90, 9.2}
	if l := p.line(); math.Abs(l.At0-19.85) > 1e-9 {
		t.Errorf("%+v", l)
	}
	p = points{sizes: []float64{0, 1000}, times: []float64{5, 20}, weights: []float64{0.001, 1}}
	if l := p.line(); l.At0 != 5 || l.Slope != 0.015 {
		t.Errorf("%+v", l)
	}
}

// Messages of about one size that all take as long are latency; large ones are bytes beyond a round of an operation.
func TestFit(t *testing.T) {
	type sizes map[int64]float64
	for _, c := range []struct {
		times            sizes
		round            float64
		latency, perByte float64
		one              int64
	}{
		{sizes{1000: 10, 2064: 10}, 0, 10, 0, 2064},
		{sizes{1000: 10, 2065: 10}, 0, 10, 0, 0},
		{sizes{1000: 10, 2000: 20}, 0, 0, 0.01, 0},
		{sizes{1000: 10, 2000: 11}, 0, 9, 0.001, 0},
		{sizes{1000: 1, 5000: 9}, 0, 0, 0.002, 0}, // -1 for no bytes
		{sizes{4096: 10}, 2, 2, 8.0 / 4096, 0},
		{sizes{4095: 10}, 2, 10, 0, 4095},
		{sizes{4096: 10}, 10, 10, 0, 4096},
		{sizes{4096: 10}, 0.5, 0.5, 9.5 / 4096, 0},
		{sizes{4096: 10}, 0, 10, 0, 4096},
	} {
		for _, call := range []float64{0.25, 30} {
			var list []sample
			for size, time := range c.times {
				list = append(list, sample{size: size, time: time, call: call})
			}
			w := fit(list, c.round)
			if math.Abs(w.Latency-c.latency) > 1e-9 || math.Abs(w.PerByte-c.perByte) > 1e-12 || w.One != c.one ||
				w.Call != min(call, w.Latency) || w.Messages != len(list) {
				t.Errorf("%v, round %g: %+v", c.times, c.round, w)
			}
		}
	}
}

// Per round of a tree operations take 10 / 2, 9 / 3 and 4 / 1, from the last arrival to the first exit. Others do not
// count: of one member, left before the last arrived, those of the start and end, and barriers of OpenMP.
func TestPerRound(t *testing.T) {
	for _, c := range []struct {
		list []waits.Instance
		want float64
	}{
		{[]waits.Instance{{Class: waits.WaitBarrier, Parts: 4, Last: 100, Left: 110}, {Parts: 8, Last: 200, Left: 209},
			{Parts: 2, Last: 5, Left: 9}}, 3},
		{[]waits.Instance{{Parts: 2, Last: 100, Left: 101}}, 1},
		{[]waits.Instance{{Parts: 1, Last: 100, Left: 101}, {Parts: 2, Last: 100, Left: 100},
			{Parts: 2, Last: 100, Left: 101, Class: waits.InitCompletion},
			{Parts: 2, Last: 100, Left: 101, Class: waits.WaitFinalize},
			{Parts: 2, Last: 100, Left: 101, Class: waits.TeamExplicit, Comm: -1}}, 0},
	} {
		if got := (&Network{w: &waits.Result{Instances: c.list}}).perRound(); got != c.want {
			t.Errorf("%+v: %g, want %g", c.list, got, c.want)
		}
	}
}

func TestAnyOf(t *testing.T) {
	for _, call := range []extrae.Call{extrae.Test, extrae.Iprobe, extrae.Waitany, extrae.Waitsome} {
		if !AnyOf(call) {
			t.Errorf("call %d need not wait for all", call)
		}
	}
	if AnyOf(extrae.Waitall) || AnyOf(extrae.Recv) {
		t.Error("Waitall and Recv wait for all")
	}
}
