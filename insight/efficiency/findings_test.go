package efficiency_test

import (
	"context"
	"math"
	"testing"

	"pview/insight/efficiency"
	"pview/prv"
	"pview/prv/prvtest"
)

// Eight processes compute 1000, 900, ... 300 us of 1000: load balance is 650/1000, so with an even load the run takes
// 650 us. Of three it is 90 %: good.
func TestFindings(t *testing.T) {
	for processes, lost := range map[int]float64{8: 350_000, 3: 0} {
		tr, err := prv.Open(context.Background(), prvtest.Stairs(t, t.TempDir(), processes), prv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		run, err := efficiency.Measure(context.Background(), tr, efficiency.Options{})
		if err != nil {
			t.Fatal(err)
		}
		list := efficiency.Compare([]*efficiency.Run{run}, efficiency.Auto).Findings(0)
		if (len(list) > 0) != (lost > 0) || lost > 0 &&
			(list[0].Name != "Load balance" || math.Abs(list[0].Severity-lost) > 1) {
			t.Errorf("%d processes: %+v", processes, list)
		}
	}
}
