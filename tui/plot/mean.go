package plot

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// confidence is the probability that the band of a running mean covers the mean.
const confidence = 0.95

// RunningMean is the mean of the first n values, by n, with the band that covers the mean of all with a probability of 95 %
// (Student's t), from the third value on. It shows when a study may stop.
func RunningMean(c Column) *Figure {
	line, band := Layer{Name: "mean", Shape: Line}, Layer{Name: fmt.Sprintf("%.0f %% confidence", 100*confidence), Shape: Band, Ink: Sky}
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
	// The band of the first few runs is so wide that nothing else would be seen.
	if from := n / 10; n >= 20 {
		var e extent
		for i := from; i < n-2; i++ {
			e.add(band.Y[i])
			e.add(band.Y2[i])
		}
		for _, v := range line.Y[from:] {
			e.add(v)
		}
		if room := (e.max - e.min) * 0.3; room > 0 {
			f.Y.Min, f.Y.Max = e.min-room, e.max+room
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

// quantile is how many standard errors the band is wide on each side, for so many degrees of freedom.
func quantile(freedom int) float64 {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(freedom)}.Quantile((1 + confidence) / 2)
}
