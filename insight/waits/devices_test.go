package waits_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"pview/insight/waits"
	"pview/prv"
	"pview/prv/kineto"
	"pview/prv/prvtest"
)

// Rank 0 waits 1 ms in its second collective for rank 1, whose stream of collectives has no work until then: the cause
// is that it is idle. Kernels run on another stream, by name, and no stream or host computes while it is idle.
func TestDeviceRegions(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(prvtest.Root(), "testdata", "traces", "ranks_2", "*.json.gz"))
	tr, err := kineto.OpenRun(context.Background(), files, false, prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	r := analyze(t, tr, waits.Options{})
	if len(r.Delays) != 1 || r.Regions[r.Delays[0].Region].Name != "idle" || r.Delays[0].Cost() != 1_000_000 {
		t.Errorf("the delays are %+v in %+v", r.Delays, r.Regions)
	}
	time := map[string]int64{}
	for th := range tr.NumThreads() {
		for region, d := range r.Profile(int32(th)) {
			time[r.Regions[region].Name] += d
		}
	}
	for name, want := range map[string]int64{"gemm_backward": 7_000_000, "gemm_forward": 4_200_000, "adam": 900_000,
		"computation": 0, "code outside of traced functions": 0} {
		if time[name] != want {
			t.Errorf("%s: %d ns, want %d", name, time[name], want)
		}
	}
	if !slices.ContainsFunc(r.Regions, func(r waits.Region) bool { return r.Name == "cudaMemcpyAsync" && !r.Call }) {
		t.Errorf("the regions are %+v", r.Regions)
	}
}
