package compare_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"pview/insight/compare"
	"pview/prv"
	"pview/prv/kineto"
	"pview/prv/prvtest"
)

// The devices of two runs of the kit: 4 of 4.9 ms, 2 of 75 us. All parts of a kind sum to the difference of 19.45 ms;
// kernels of 6.9 ms and waits of 2.7 ms in collectives are the first run's.
func TestDevices(t *testing.T) {
	var runs []*compare.Run
	for _, name := range []string{"c02-straggler", "c11-base"} {
		files, _ := filepath.Glob(filepath.Join(prvtest.Shared(t, "oracle", "kineto", "cases"), name, "*.json*"))
		trace, err := kineto.OpenRun(context.Background(), files, false, prv.Watcher{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := compare.Analyse(context.Background(), trace, compare.Options{})
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, r)
	}
	c, err := compare.Compare(context.Background(), runs[0], runs[1], compare.Matching{})
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Difference(); got != -19_450_000 || !strings.Contains(c.Durations(), "on 4 devices") {
		t.Errorf("%d: %s", got, c.Durations())
	}
	for k := range compare.NumKinds {
		sum, parts := int64(0), c.Of(k)
		for i := range parts {
			sum += parts[i].Difference()
			if name := parts[i].Name; name == "gemm" && parts[i].A != 6_900_000 ||
				name == "waiting" && parts[i].A != 2_700_000 {
				t.Errorf("%s: %d ns", name, parts[i].A)
			}
		}
		if len(parts) > 0 && sum != -19_450_000 {
			t.Errorf("%s: sum %d", k, sum)
		}
	}
}
