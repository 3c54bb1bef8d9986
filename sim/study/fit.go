package study

// The latency and the bandwidth of a network from the times of messages (thesis, section 6.2): the least-squares line time =
// latency + size/bandwidth. Where a network treats short and long messages differently no line fits both: fit one over the
// sizes that the application uses.

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/stat"
)

// Line is a linear model of a network.
type Line struct {
	Latency   float64 // ns
	Bandwidth float64 // MB/s, 1 MB = 2^20 bytes; infinite where time does not grow with size
	// Fit is the coefficient of determination: 1 where all times are on the line.
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

// Plan is the study of the messages that a line was fitted to: their modelled times, and the errors of these.
func (l Line) Plan(title string, sizes, times []float64) (*Plan, error) {
	var list []Measurement
	for i := range sizes {
		e := math.NaN()
		if times[i] > 0 {
			e = l.Time(sizes[i])/times[i] - 1
		}
		list = append(list, Measurement{[]float64{sizes[i], times[i]}, []float64{l.Time(sizes[i]), e}})
	}
	return Measured("fit-network", title, []Column{{Name: "size", Unit: "B"}, {Name: "measured", Unit: "ns"}}, []Column{{Name: "fitted", Unit: "ns"}, {Name: "error"}}, list)
}

// Time is the modelled time of a message, ns.
func (l Line) Time(bytes float64) float64 { return l.Latency + bytes*1e9/(1<<20)/l.Bandwidth }
