package diagnose

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/insight/eventgraph"
	"pview/insight/gpu"
	"pview/insight/report"
	"pview/insight/runtest"
	"pview/prv"
	"pview/prv/kineto"
)

// Two devices without communication compute 100 and 300 us: the mean is 200 us, and the second computes 100 us more,
// which no wait explains.
func TestUnevenDevices(t *testing.T) {
	trace := runtest.Read(t, "#Paraver (27/11/2026 at 10:00):300000_ns:1(2):1:2(1:1,1:1)\n"+
		"1:1:1:1:1:0:100000:1\n1:1:1:1:1:100000:300000:0\n1:2:1:2:1:0:300000:1\n")
	runtest.NameThreads(t, trace, "CUDA-D0.S7", "CUDA-D1.S7")
	r, err := Analyze(context.Background(), trace, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []report.RuleID{lateRankID, lateLaunchID, exposedID, copiesID} {
		found := slices.ContainsFunc(r.Findings, func(f report.Finding) bool { return f.Rule == id })
		if found {
			t.Errorf("%s is found", id)
		}
		Noted(t, id, found)
	}
	for _, f := range r.Findings {
		if f.Rule == unevenWorkID {
			Noted(t, unevenWorkID, true)
			if f.Severity != 100_000 || !strings.Contains(f.Title, "CUDA-D1 computes 300 us, the mean of 2 devices is 200 us") {
				t.Errorf("%v: %s", f.Severity, f.Title)
			}
			return
		}
	}
	t.Errorf("%+v", r.Findings)
}

// The demo of two ranks, as its two files say, per device: 500 us of waiting for rank 1, whose gemm is longer; 1,700 us
// without work until the host launches; 1,800 us of all-reduce that no kernel hides; 360 us of copies. Both compute
// equally long but for what the other waits for.
func TestRanksOfDemo(t *testing.T) {
	files, _ := filepath.Glob("../../testdata/traces/ranks_2/*.json.gz")
	trace, err := kineto.OpenRun(context.Background(), files, false, prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Analyze(context.Background(), trace, Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := map[report.RuleID]float64{}
	for _, f := range r.Findings {
		got[f.Rule] = f.Severity / 1000
		const cause = "; gemm_backward takes 1.33 times as long there as on the others; 100 % of it in step 1"
		if f.Rule == lateRankID && (!strings.Contains(f.Title, cause) || !strings.Contains(f.Advice, "slower there")) {
			t.Errorf("R49 says %q, advice %q", f.Title, f.Advice)
		}
	}
	for id, want := range map[report.RuleID]float64{lateRankID: 500, lateLaunchID: 1700, exposedID: 1800, copiesID: 360,
		unevenWorkID: 0} {
		if got[id] != want {
			t.Errorf("%s: %v us, want %v", id, got[id], want)
		}
		Noted(t, id, got[id] > 0)
	}
}

// What a kernel does more on a late task: it takes longer, runs more often, does both, or runs there alone.
func TestTellSurplus(t *testing.T) {
	a := &analysis{Graph: &eventgraph.Graph{T: &prv.Trace{Unit: prv.Nanoseconds}}}
	for _, c := range []struct {
		own, other   gpu.Work
		more, advice string
	}{
		{gpu.Work{Time: 3000, Executions: 10}, gpu.Work{Time: 2000, Executions: 10.1},
			"k takes 1.51 times as long there as on the others", "slower there"}, // 300 / 198.02
		{gpu.Work{Time: 3000, Executions: 15}, gpu.Work{Time: 2000, Executions: 10},
			"k runs 15 times there, 10 times on the others", "evenly"},
		{gpu.Work{Time: 4000, Executions: 15}, gpu.Work{Time: 2000, Executions: 10},
			"k takes 2 us more there than on the others", "evenly, or"},
		{gpu.Work{Time: 4000, Executions: 15}, gpu.Work{}, "only it executes k, for 4 us", "there only"},
	} {
		more, advice := a.tellSurplus(&gpu.Surplus{Name: "k", Own: c.own, Other: c.other})
		if more != c.more || !strings.Contains(advice, c.advice) {
			t.Errorf("%+v: %q, %q", c, more, advice)
		}
	}
}

// One device is not called devices.
func TestOneDevice(t *testing.T) {
	path := "../../testdata/traces/ranks_2/rank-0.json.gz"
	trace, err := kineto.Open(context.Background(), path, false, prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Analyze(context.Background(), trace, Options{})
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(r.Findings, func(f report.Finding) bool { return f.Rule == lateLaunchID })
	if at < 0 || !strings.HasPrefix(r.Findings[at].Title, "the device has no work for 1.7 ms because") {
		t.Errorf("%+v", r.Findings)
	}
}
