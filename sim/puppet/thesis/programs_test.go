package thesis_test

import (
	"context"
	"math"
	"testing"

	"pview/sim"
	"pview/sim/engine"
	"pview/sim/mapping"
	"pview/sim/puppet/thesis"
)

// TestMergeSort: 10,240 items on 4 ranks (puppet.md, check 29): each sorts 2560, 0.55 us * 2560^2 = 3.60448 s; 1 and 3
// send 10,240 bytes, which take 1449.848 + 10240*1.008644 = 11778.363 us; merging 5120 items takes 5.12 ms; 2 sends
// 20,480 bytes: 22106.877 us; merging 10,240 takes 10.24 ms: in all 3653.725 ms.
func TestMergeSort(t *testing.T) {
	p, err := thesis.MergeSort(4, 10240)
	if err != nil {
		t.Fatal(err)
	}
	m, err := thesis.Ethernet("complete 4", 4)
	if err != nil {
		t.Fatal(err)
	}
	at, _ := mapping.Named("block", 4, 4, 0)
	at.Place(m, p)
	r, err := engine.Run(context.Background(), p, m, sim.Options{})
	if err != nil || math.Abs(float64(r.Total)-3653725240) > 1500 || r.Computation != 14438400000 {
		t.Errorf("%v, %+v", err, r)
	}
}

// TestFanIn: order 3 on 2 ranks, 1300 ns an update. Column 0 is rank 0's: normalised, 3 updates. Column 1 (length 2) is
// rank 1's: rank 0 computes the update of its column 0 (2) and sends 16 bytes, rank 1 applies it (2) and normalises
// (2). Column 2 (length 1) is rank 0's: its own update (1), rank 1 sends one (1), applied (1), normalised (1). Rank 0
// computes 3+2+1+1+1 = 8 updates, rank 1 2+2+1 = 5.
func TestFanIn(t *testing.T) {
	p, err := thesis.FanIn(2, 3)
	if err != nil {
		t.Fatal(err)
	}
	for r, want := range []float64{8, 5} {
		if got := p.Threads[r].Computation(); got != want*thesis.Update {
			t.Errorf("rank %d computes %g updates, not %g", r, got/thesis.Update, want)
		}
	}
}
