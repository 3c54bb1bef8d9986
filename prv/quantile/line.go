package quantile

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// Line is a line through points.
type Line struct {
	At0, Slope float64
	Slopes     []float64 // of all pairs of points that differ in x
	Rests      []float64 // residuals of the points: y - Slope x
}

// TheilSen returns the line of Theil and Sen: its slope is the median of the slopes between all pairs of points, but at
// least least, and At0 is the median of the residuals. It tolerates outliers up to a third of the points. With weights
// the medians are weighted; a pair's weight is the product of both.
func TheilSen(x, y, weights []float64, least float64) (l Line) {
	var pairs []float64
	for i := range x {
		for k := range i {
			if x[i] == x[k] {
				continue
			}
			l.Slopes = append(l.Slopes, (y[i]-y[k])/(x[i]-x[k]))
			if weights != nil {
				pairs = append(pairs, weights[i]*weights[k])
			}
		}
	}
	l.Slope = max(least, weighted(l.Slopes, pairs))
	l.rest(x, y)
	l.At0 = weighted(l.Rests, weights)
	return l
}

// From returns the line that starts at the point with the smallest x: its slope is the median of the slopes to the
// others, but at least least.
func From(x, y, weights []float64, least float64) (l Line) {
	for i := 1; i < len(x); i++ {
		l.Slopes = append(l.Slopes, (y[i]-y[0])/(x[i]-x[0]))
	}
	l.Slope = max(least, weighted(l.Slopes, weights[1:]))
	l.At0 = y[0] - l.Slope*x[0]
	l.rest(x, y)
	return l
}

// rest sets the residuals of the points.
func (l *Line) rest(x, y []float64) {
	l.Rests = make([]float64, len(x))
	for i := range x {
		l.Rests[i] = y[i] - l.Slope*x[i]
	}
}

// Spread returns the median distance of the points from the line.
func (l *Line) Spread() float64 {
	list := make([]float64, len(l.Rests))
	for i, r := range l.Rests {
		list[i] = math.Abs(r - l.At0)
	}
	return Median(list)
}

// weighted returns the weighted median of a list, without changing it: the value at which half of the weight is
// reached; 0 if empty.
func weighted(list, weights []float64) float64 {
	if weights == nil || len(list) == 0 {
		return Median(list)
	}
	x, w := append([]float64(nil), list...), append([]float64(nil), weights...)
	stat.SortWeighted(x, w)
	return stat.Quantile(0.5, stat.Empirical, x, w)
}
