package diagnose_test

import (
	"context"
	"strings"
	"testing"

	"pview/insight/diagnose"
	"pview/insight/report"
	"pview/prv"
	"pview/prv/prvtest"
	"pview/prv/synth"
)

// diagnosed diagnoses a shared trace.
func diagnosed(t *testing.T, name string) *diagnose.Result {
	t.Helper()
	list := prvtest.Traces(prvtest.Shared(t, "traces"), name)
	if len(list) != 1 {
		t.Skip("no trace " + name)
	}
	tr, err := prv.Open(context.Background(), list[0], prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return run(t, tr, diagnose.Default)
}

// Runs with a known fault: the first finding names it.
func TestKnownFaults(t *testing.T) {
	for _, want := range []struct {
		trace  string
		rule   report.RuleID
		thread int32 // -1: any
	}{
		{"pipeline_8", "R40", 4},       // stage 5 computes 866 ms, the others 136 to 247
		{"masterworker_8", "R31", 0},   // the master sends 400 tasks, 2 ms each instead of 32 us
		{"imbalance_8", "R13", -1},     // work grows with the rank, then drifts
		{"hybridloops_4x4", "R13", -1}, // uneven parallel loops
	} {
		r := diagnosed(t, want.trace)
		if len(r.Findings) == 0 || r.Findings[0].Rule != want.rule || want.thread >= 0 &&
			r.Findings[0].Threads[0] != want.thread {
			t.Errorf("%s: %+v", want.trace, r.Findings)
		}
	}
	r := diagnosed(t, "callmix_4_skew")
	if f := r.Findings[0]; f.Rule != "R33" || f.Total != 48 || !strings.HasPrefix(f.Title, "48 messages") {
		t.Errorf("callmix_4_skew: %+v", f)
	}
	if f := find(diagnosed(t, "callmix_4").Findings, "R33"); f != nil {
		t.Errorf("callmix_4: %+v", f)
	}
}

// A balanced program that mostly computes: nothing above 2 %.
func TestBalanced(t *testing.T) {
	for _, pattern := range []string{"stencil", "collective", "ring"} {
		g, err := synth.New(synth.Options{Pattern: pattern, Tasks: 8, Compute: 5_000_000, Iterations: 40})
		if err != nil {
			t.Fatal(err)
		}
		tr, err := g.Trace(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		r := run(t, tr, diagnose.Default)
		for _, f := range r.Findings {
			if f.Severity != report.NoSeverity && f.Share > 0.02 {
				t.Errorf("%s, utilisation %.3f: %s %.1f %% %s", pattern, r.Utilisation, f.Rule, 100*f.Share, f.Title)
			}
		}
	}
}

// The same report twice, on any number of processors.
func TestSame(t *testing.T) {
	a, b := diagnosed(t, "imbalance_8"), diagnosed(t, "imbalance_8")
	for i := range a.Findings {
		if a.Findings[i].Title != b.Findings[i].Title || a.Findings[i].Severity != b.Findings[i].Severity {
			t.Errorf("%+v, %+v", a.Findings[i], b.Findings[i])
		}
	}
}
