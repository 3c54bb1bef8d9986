package eventgraph_test

import (
	"slices"
	"testing"

	"pview/insight/eventgraph"
)

// Of 100 ns at 2 cycles, 300 at 1.5 and 600 at 1 the clock is 2 in a tenth of the time, 1.5 in four tenths. A stretch
// below a fiftieth of the longest tells nothing, nor does one without cycles.
func TestRates(t *testing.T) {
	var r eventgraph.Rates
	for _, x := range [][2]float64{{600, 600}, {450, 300}, {200, 100}, {99, 11}, {0, 50}} {
		r.Add(x[0], x[1])
	}
	if got := r.Clocks(0, 0.1, 0.11, 0.4, 0.41, 1); !slices.Equal(got, []float64{2, 2, 1.5, 1.5, 1, 1}) {
		t.Error(got)
	}
	if got := new(eventgraph.Rates).Clocks(0.5); got[0] != 0 {
		t.Error(got)
	}
}
