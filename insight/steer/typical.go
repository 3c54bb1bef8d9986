package steer

// The typical time of an iteration: the median, since other programs on the machine make some iterations long, over
// enough iterations for a small error.

import (
	"math"

	"pview/prv/quantile"
)

// Typical is the median of the last iterations, ns.
type Typical struct {
	Value float64
	Error float64 // half of the 95 % interval, relative to the median
	Count int     // iterations
}

// typical returns the median of the last iterations since a given one: over as few as give a small error; ok is false
// if there are too few.
func (l *Loop) typical(from int) (m Typical, ok bool) {
	from = max(from, 0)
	for k := fewest; k <= min(most, l.seen-from); k++ {
		if m = l.typicalOf(k); m.Error <= sure {
			return m, true
		}
	}
	return m, m.Count >= most
}

// typicalOf returns the median of the last k iterations. Its error follows from the distance of the quartiles, which is
// 1.349 deviations of a normal distribution; a median spreads sqrt(pi/2) times as much as a mean.
func (l *Loop) typicalOf(k int) Typical {
	times := make([]float64, k)
	for i := range times {
		times[i] = float64(l.begins[l.seen-i] - l.begins[l.seen-i-1])
	}
	value := quantile.Median(times)
	deviation := (quantile.Of(times, 0.75) - quantile.Of(times, 0.25)) / 1.349 * math.Sqrt(math.Pi/2)
	return Typical{Value: value, Error: 1.96 * deviation / math.Sqrt(float64(k)) / value, Count: k}
}
