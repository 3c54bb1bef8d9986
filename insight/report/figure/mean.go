package figure

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"

	"pview/prv/quantity"
)

// confidence is the probability that the band of a running mean covers the mean.
const confidence = 0.95

// RunningMean returns the mean of the first n values, by n, with the band that covers the mean of all with a
// probability of 95 % (Student's t), from the third value on. It shows when a study may stop.
func RunningMean(c Column) *Figure {
	line, band := Layer{Name: "mean", Shape: Line}, Layer{
		Name: quantity.FormatValue(100*confidence, "%") + " confidence", Shape: Band, Ink: Sky}
	line.grow(len(c.Values))
	band.X, band.Y, band.Y2 = make([]float64, 0, len(c.Values)), make([]float64, 0, len(c.Values)),
		make([]float64, 0, len(c.Values))
	mean, squares, n := 0.0, 0.0, 0
	for i, v := range c.Values {
		if !finite(v) {
			continue
		}
		// Welford's recurrence: no cancellation for values that hardly differ.
		n++
		d := v - mean
		mean += d / float64(n)
		squares += d * (v - mean)
		line.X, line.Y, line.Refs = append(line.X, float64(n)), append(line.Y, mean), append(line.Refs, i)
		if n < 3 {
			continue
		}
		half := quantile(n-1) * math.Sqrt(squares/float64(n-1)/float64(n))
		band.X, band.Y, band.Y2 = append(band.X, float64(n)), append(band.Y, mean-half), append(band.Y2, mean+half)
	}
	f := &Figure{Title: "running mean of " + c.Name, X: Axis{Name: "runs"}, Y: c.axis(), Layers: []Layer{band, line}}
	// The band of the first few runs is so wide that it would hide everything else.
	if from := n / 10; n >= 20 {
		shown := slices.Concat(band.Y[from:], band.Y2[from:], line.Y[from:])
		low, high := floats.Min(shown), floats.Max(shown)
		if room := (high - low) * 0.3; room > 0 {
			f.Y.Min, f.Y.Max = low-room, high+room
		}
	}
	if n > 0 {
		f.Note = f.Y.Text(mean)
		if n >= 3 {
			f.Note += " ± " + f.Y.Text(mean-band.Y[len(band.Y)-1])
		}
		f.Note += fmt.Sprintf(" after %d", n)
	}
	return f
}

// exactFreedoms is the number of degrees of freedom up to which quantiles are exact; beyond, the series has 9 digits.
const exactFreedoms = 60

// quantiles caches the quantiles of few degrees of freedom: each takes 0.1 ms.
var quantiles = sync.OnceValue(func() (list [exactFreedoms + 1]float64) {
	for n := 1; n <= exactFreedoms; n++ {
		list[n] = distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(n)}.Quantile((1 + confidence) / 2)
	}
	return list
})

// quantile returns the half width of the band in standard errors, by degrees of freedom. Above a few dozen it uses the
// expansion in the normal quantile (Abramowitz and Stegun, 26.7.5).
func quantile(freedom int) float64 {
	if freedom <= exactFreedoms {
		return quantiles()[freedom]
	}
	n, x := float64(freedom), math.Sqrt2*math.Erfinv(confidence)
	x2 := x * x
	g1 := (x2 + 1) / 4
	g2 := ((5*x2+16)*x2 + 3) / 96
	g3 := (((3*x2+19)*x2+17)*x2 - 15) / 384
	g4 := ((((79*x2+776)*x2+1482)*x2-1920)*x2 - 945) / 92160
	return x * (1 + (g1+(g2+(g3+g4/n)/n)/n)/n)
}
