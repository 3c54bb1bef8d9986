package diagnose_test

import (
	"context"
	"path/filepath"
	"reflect"
	"testing"

	"pview/insight/diagnose"
	"pview/insight/report"
	"pview/prv"
)

// TestVerifyGoesOn: verifying a diagnosis finds what a diagnosis with verification does, and leaves the first as it
// was, while others read it.
func TestVerifyGoesOn(t *testing.T) {
	for _, name := range []string{"heat2d_8/heat2d_8.prv.gz", "twoapps_4_4/twoapps_4_4.prv"} {
		tr, err := prv.Open(context.Background(), filepath.Join("..", "..", "testdata", "traces", name), prv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		ctx := context.Background()
		first, err := diagnose.Analyze(ctx, tr, diagnose.Options{})
		if err != nil {
			t.Fatal(err)
		}
		whole, err := diagnose.Analyze(ctx, tr, diagnose.Options{Verify: diagnose.Verified})
		if err != nil {
			t.Fatal(err)
		}
		findings, minor := report.CloneAll(first.Findings), report.CloneAll(first.Minor)
		other := make(chan error)
		go func() {
			_, err := first.Classes(ctx)
			other <- err
		}()
		verified, err := first.Verify(ctx, tr, diagnose.Verified)
		if err := <-other; err != nil {
			t.Fatal(err)
		}
		if err != nil || len(verified.Findings) == 0 {
			t.Fatal(err, len(verified.Findings))
		}
		if !reflect.DeepEqual(verified.Findings, whole.Findings) || !reflect.DeepEqual(verified.Minor, whole.Minor) {
			t.Errorf("%s: verified later: %+v\nat once: %+v", name, verified.Findings, whole.Findings)
		}
		if !reflect.DeepEqual(first.Findings, findings) || !reflect.DeepEqual(first.Minor, minor) {
			t.Errorf("%s: the diagnosis has changed", name)
		}
		if reflect.DeepEqual(first.Findings, verified.Findings) {
			t.Errorf("%s: nothing is verified", name)
		}
	}
	// It ends when it is cancelled.
	tr, err := prv.Open(context.Background(),
		filepath.Join("..", "..", "testdata", "traces", "heat2d_8", "heat2d_8.prv.gz"), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := diagnose.Analyze(context.Background(), tr, diagnose.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := r.Verify(ctx, tr, diagnose.Verified); err != context.Canceled {
		t.Error(err)
	}
}
