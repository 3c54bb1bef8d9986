package diagnose_test

import (
	"context"
	"math"
	"testing"

	"pview/insight/diagnose"
	"pview/insight/finding"
	"pview/prv"
	"pview/prv/synth"
)

// generated is a run of the generator.
func generated(t *testing.T, o synth.Options) *prv.Trace {
	t.Helper()
	g, err := synth.New(o)
	if err != nil {
		t.Fatal(err)
	}
	tr, err := g.Trace(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// A planted imbalance ranks first, and what the simulation says that it costs is what the generator says: the run without it is the truth.
func TestPlantedImbalance(t *testing.T) {
	for _, pattern := range []string{"collective", "stencil"} {
		o := synth.Options{Pattern: pattern, Tasks: 8, Compute: 5_000_000, Iterations: 30}
		even := generated(t, o).Duration
		o.Imbalance = 60
		tr := generated(t, o)
		r, err := diagnose.Analyze(context.Background(), tr, diagnose.Options{Verify: 5})
		if err != nil {
			t.Fatal(err)
		}
		truth := float64(tr.Duration - even)
		sum := 0.0
		for i := range r.Findings {
			f := &r.Findings[i]
			if f.Rule == "R13" && f.Checked == finding.Confirmed {
				sum += f.Verified
			}
		}
		// The generator's even run has a jitter of some percent, which the repair takes away as well.
		if len(r.Findings) == 0 || r.Findings[0].Rule != "R13" || math.Abs(sum-truth) > truth/20 {
			t.Errorf("%s: verified %.0f of %.0f, %+v", pattern, sum, truth, r.Findings)
		}
	}
}
