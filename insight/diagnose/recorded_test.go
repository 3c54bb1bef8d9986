package diagnose_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"pview/insight/diagnose"
	"pview/prv"
	"pview/prv/prvtest"
	"pview/prv/wide"
)

// Check 35: the losses sum to the lost time on all shared traces.
func TestLossOfRecorded(t *testing.T) {
	for _, path := range prvtest.Traces(prvtest.Shared(t, "traces"), "*") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			prvtest.SkipLarge(t, path)
			tr, err := prv.Open(context.Background(), path, prv.Options{})
			if err != nil {
				t.Fatal(err)
			}
			r, err := diagnose.Analyze(context.Background(), tr, diagnose.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var sum wide.Int
			for _, s := range r.Account.Losses() {
				sum = sum.Plus(s.NS)
			}
			if sum != r.Account.Loss() {
				t.Errorf("the losses sum to %s of %s", sum, r.Account.Loss())
			}
			for _, f := range slices.Concat(r.Findings, r.Minor) {
				if f.Title == "" || f.Title[0] == ' ' {
					t.Errorf("%s says %q", f.Rule, f.Title)
				}
			}
			for _, f := range r.Findings {
				if f.Severity > float64(r.Length) || f.Severity > r.Recoverable+1 && f.Severity > 0 {
					t.Errorf("%s: severity %f of %d, recoverable %f", f.Rule, f.Severity, r.Length, r.Recoverable)
				}
			}
		})
	}
}
