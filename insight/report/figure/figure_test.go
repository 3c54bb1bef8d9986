package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"pview/prv/quantity"
)

// total is five times in ns: 10, 20, 20, 30 and 40 us.
var total = Column{Name: "total", Kind: quantity.Time, Values: []float64{10e3, 20e3, 20e3, 30e3, 40e3}}

// Half of the values lie between 20 and 30 us: 2*10/5^(1/3) = 11.7 us are more than a fifth of the range, 6 us, and the
// round width near that is 5 us.
func TestHistogram(t *testing.T) {
	f := Histogram(total)
	l := f.Layers[0]
	if got := fmt.Sprint(l.X, l.X2, l.Y); got != "[10000 15000 20000 25000 30000 35000 40000] "+
		"[15000 20000 25000 30000 35000 40000 45000] [1 0 2 0 1 0 1]" {
		t.Error(got)
	}
	// 2 of 5 values exceed 25 us: p = 0.4, its error sqrt(0.4*0.6/5) = 0.2191; 20 us itself does not exceed 20 us.
	if p, err := Exceeding(total, 25e3); p != 0.4 || math.Abs(err-0.21909) > 1e-5 {
		t.Error(p, err)
	}
	if p, _ := Exceeding(total, 20e3); p != 0.4 {
		t.Error(p)
	}
	f.Limit(total, 30e3)
	if got := fmt.Sprint(len(f.Layers[0].X), len(f.Layers[1].X),
		f.Rules[0].Name); got != "4 3P(> 30 us) = 20.0 % ± 17.9 %" {
		t.Error(got)
	}
}

// The mean of 10, 20, 20 is 16.667; sd 5.7735, standard error 3.3333, t(2, 0.975) = 4.302653: +-14.342.
func TestRunningMean(t *testing.T) {
	f := RunningMean(total)
	band, line := f.Layers[0], f.Layers[1]
	if math.Abs(line.Y[2]-16666.667) > 0.001 || math.Abs(band.Y2[0]-line.Y[2]-14342.17) > 0.02 {
		t.Error(line.Y, band.Y2)
	}
	if band.X[0] != 3 || len(line.X) != 5 || line.Y[4] != 24000 {
		t.Error(band.X, line)
	}
}

// The series of Student's quantiles has nine digits where it begins, and goes to the normal distribution's 1.959964.
func TestQuantile(t *testing.T) {
	for _, n := range []int{exactFreedoms, exactFreedoms + 1, 99, 499, 9999} {
		if want := (distuv.StudentsT{Mu: 0, Sigma: 1,
			Nu: float64(n)}).Quantile(0.975); math.Abs(quantile(n)/want-1) > 1e-9 {
			t.Errorf("%d: %.12f, want %.12f", n, quantile(n), want)
		}
	}
	if got := quantile(1e9); math.Abs(got-1.959963985) > 1e-8 {
		t.Error(got)
	}
}

// The distribution climbs by 1/5 at each value.
func TestDistribution(t *testing.T) {
	l := Distribution(total).Layers[0]
	if got := fmt.Sprint(l.X, l.Y); got != "[10000 20000 20000 30000 40000] [0.2 0.4 0.6 0.8 1]" {
		t.Error(got)
	}
}

// The output is the latency + 100 where the model is 1: over the lower tenth of the latencies (1 of 4 runs) it is 10,
// over the upper one 140; of the model, whose values come twice each, (10+20)/2 = 15 and (130+140)/2 = 135. The mean is
// 75.
func TestInfluence(t *testing.T) {
	latency := Column{Name: "latency", Values: []float64{10, 20, 30, 40}}
	model := Column{Name: "model", Values: []float64{0, 0, 1, 1}}
	f := Influence(Column{Name: "total", Values: []float64{10, 20, 130, 140}}, []Column{model, latency})
	if got := fmt.Sprint(f.Y.Names, f.Layers[0].X, f.Layers[0].X2,
		f.Layers[1].X2); got != "[latency model] [75 75] [10 15] [140 135]" {
		t.Error(got)
	}
}

// 1, 10, 100 grow by factors, 1, 2 .. 20 by steps.
func TestLogarithmic(t *testing.T) {
	steps := Column{}
	for i := range 20 {
		steps.Values = append(steps.Values, float64(i+1))
	}
	for _, c := range []struct {
		c    Column
		want bool
	}{{Column{Values: []float64{1, 10, 100}}, true}, {steps, false}, {Column{Values: []float64{0, 10, 100}}, false},
		{Column{}, false}, {Column{Values: []float64{5, 5}}, false}} {
		if got := c.c.Logarithmic(); got != c.want {
			t.Errorf("%v: %v", c.c.Values, got)
		}
	}
}

// The width of a histogram's bars is the nearest round number by ratio: from 1.5 on it is 2.
func TestNearStep(t *testing.T) {
	for step, want := range map[float64]float64{1: 1, 1.4: 1, 1.5: 2, 3.1: 2, 3.2: 5, 7: 5, 7.2: 10, 0.026: 0.02} {
		if got := nearStep(step); math.Abs(got-want) > 1e-12 {
			t.Errorf("near %v: %v, want %v", step, got, want)
		}
	}
}

// 10 - 4 - 1 = 5: each bar of a waterfall begins where the one before ends, in the category of its step.
func TestWaterfall(t *testing.T) {
	f := Waterfall("time", Axis{Max: 10}, []Step{{"all", "10", 0, 10, Grey}, {"wait", "-4", 6, 10, Vermilion},
		{"calls", "-1", 5, 6, Vermilion}, {"useful", "5", 0, 5, Blue}})
	if len(f.Layers) != 3 || strings.Join(f.Y.Names, " ") != "all wait calls useful" {
		t.Fatalf("%d layers, %v", len(f.Layers), f.Y.Names)
	}
	lost := &f.Layers[1]
	if lost.Ink != Vermilion || !slices.Equal(lost.X, []float64{6, 5}) || !slices.Equal(lost.X2, []float64{10, 6}) ||
		!slices.Equal(lost.Y, []float64{1, 2}) || !slices.Equal(lost.Text, []string{"-4", "-1"}) {
		t.Errorf("%+v", lost)
	}
}
