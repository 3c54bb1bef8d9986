package steer

// The typical time of an iteration: the median, since a machine that other programs use makes some iterations long, and
// of as many iterations that its error is small.

import (
	"math"

	"pview/prv/quantile"
)

// Typical is the median of the last iterations, ns.
type Typical struct {
	Value float64
	Error float64 // half of the 95 % interval, as a part of the median
	Count int     // iterations
}

// typical returns the median of the last iterations from one on: of as few as give a small error; not ok: that takes
// more than there are.
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
// 1.349 deviations of a normal distribution; a median spreads by sqrt(pi/2) times as much as a mean.
func (l *Loop) typicalOf(k int) Typical {
	times := make([]float64, k)
	for i := range times {
		times[i] = float64(l.begins[l.seen-i] - l.begins[l.seen-i-1])
	}
	value := quantile.Median(times)
	deviation := (quantile.Of(times, 0.75) - quantile.Of(times, 0.25)) / 1.349 * math.Sqrt(math.Pi/2)
	return Typical{Value: value, Error: 1.96 * deviation / math.Sqrt(float64(k)) / value, Count: k}
}
