package study

// The latency and the bandwidth of a network from the times of messages (thesis, section 6.2): the least-squares line
// time = latency + size/bandwidth. If a network treats short and long messages differently, no line fits both: fit one
// over the sizes that the application uses.

import (
	"errors"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"pview/prv/quantile"
)

// Line is a linear model of a network.
type Line struct {
	Latency   float64 // ns
	Bandwidth float64 // MB/s, 1 MB = 2^20 bytes; infinite if time does not grow with size
	// Fit is the coefficient of determination: 1 if all times are on the line.
	Fit float64
}

// errNoLine reports that no line can be fitted.
var errNoLine = errors.New("a line needs the times of two different sizes")

// FitNetwork fits a line to messages of the given sizes (bytes) and times (ns).
func FitNetwork(sizes, times []float64) (Line, error) {
	if len(sizes) != len(times) || len(sizes) < 2 || stat.Variance(sizes, nil) == 0 {
		return Line{}, errNoLine
	}
	latency, perByte := stat.LinearRegression(sizes, times, nil, false)
	l := Line{Latency: latency, Bandwidth: math.Inf(1), Fit: stat.RSquared(sizes, times, nil, latency, perByte)}
	if perByte != 0 {
		l.Bandwidth = 1e9 / perByte / (1 << 20)
	}
	return l, nil
}

// Plan returns the study of the messages behind a fitted line: their modelled times and errors.
func (l Line) Plan(title string, sizes, times []float64) (*Plan, error) {
	var list []Measurement
	for i := range sizes {
		e := math.NaN()
		if times[i] > 0 {
			e = l.Time(sizes[i])/times[i] - 1
		}
		list = append(list, Measurement{[]float64{sizes[i], times[i]}, []float64{l.Time(sizes[i]), e}})
	}
	return measured("fit-network", title, []Column{{Name: "size", Unit: "B"}, {Name: "measured", Unit: "ns"}},
		[]Column{{Name: "fitted", Unit: "ns"}, {Name: "error"}}, list)
}

// MedianBySize joins the times of each size into their median, which is robust against single slow messages. Sizes
// ascend.
func MedianBySize(sizes, times []float64) (s, t []float64) {
	by := map[float64][]float64{}
	for i, size := range sizes {
		by[size] = append(by[size], times[i])
	}
	for _, size := range slices.Sorted(maps.Keys(by)) {
		s, t = append(s, size), append(t, quantile.Median(by[size]))
	}
	return s, t
}

// FitRobust fits a line that resists outliers, up to nearly a third of the messages: its slope is the median of the
// slopes between all pairs (Theil-Sen). outlier marks messages more than 3 standard deviations of the others from it,
// as estimated from their median distance.
func FitRobust(sizes, times []float64) (l Line, outlier []bool, err error) {
	if l, err = FitNetwork(sizes, times); err != nil {
		return l, nil, err
	}
	x := quantile.TheilSen(sizes, times, nil, math.Inf(-1))
	l = Line{Latency: x.At0, Bandwidth: math.Inf(1)}
	if x.Slope != 0 {
		l.Bandwidth = 1e9 / x.Slope / (1 << 20)
	}
	l.Fit = stat.RSquared(sizes, times, nil, x.At0, x.Slope)
	// 1.4826 times the median distance is the standard deviation of normal errors; on an exact line, only rounding
	// errors remain.
	limit := max(3*1.4826*x.Spread(), 1e-9*slices.Max(times))
	for _, r := range x.Rests {
		outlier = append(outlier, math.Abs(r-x.At0) > limit)
	}
	return l, outlier, nil
}

// PerByte returns the time per byte, ns.
func (l Line) PerByte() float64 { return 1e9 / (1 << 20) / l.Bandwidth }

// Time returns the modelled time of a message, ns.
func (l Line) Time(bytes float64) float64 { return l.Latency + bytes*1e9/(1<<20)/l.Bandwidth }
