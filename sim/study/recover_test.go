package study_test

import (
	"context"
	"path/filepath"
	"testing"

	"pview/prv/prvtest"
	"pview/sim"
	"pview/sim/dimemas"
	"pview/sim/study"
)

// TestRecoversMachine: the machine of net.cfg (25 us, 87.5 MB/s) is found again from the times that three traces take
// on it: a program that waits for latency, one that moves much data, and one that does both. Within 10 %, the total of
// npb_lu_S_4, 154.4 ms of which 107.3 are latency, allows about 25 us x (1 +- 15.4/107.3): 21.4 to 28.6 us at 87.5
// MB/s; that of npb_ft_S_8, 91.5 ms of which 51.4 are transfers, 87.5/(1 +- 9.15/51.4): 74.3 to 106.4 MB/s at 25 us.
func TestRecoversMachine(t *testing.T) {
	if watched {
		t.Skip("the same simulations as in other tests, and many")
	}
	dir := prvtest.Shared(t, "traces")
	f := &study.Fit{Runs: 400, Tolerance: 0.1, Rounds: 8, Seed: 1, Sampling: study.SobolSampling}
	for _, name := range []string{"npb_lu_S_4", "npb_ft_S_8", "npb_cg_S_4"} {
		files, err := filepath.Glob(filepath.Join(dir, name, "*.dim*"))
		if err != nil || len(files) == 0 {
			t.Skip(name, " has no .dim")
		}
		p, err := dimemas.OpenProgram(context.Background(), files[0], 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		m, err := dimemas.OpenMachine(filepath.Join(dir, name, "net.cfg"))
		if err != nil {
			t.Fatal(err)
		}
		c := study.Case{Name: name, Program: p, Machine: m}
		r, err := c.Run(context.Background(), sim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		f.Benchmarks = append(f.Benchmarks, study.Benchmark{Case: c, Measured: float64(r.Total)})
	}
	for _, text := range []string{"latency=loguniform(2us,200us)", "bandwidth=loguniform(10,1000)"} {
		v, err := study.ParseVariable(text, &f.Benchmarks[0].Case)
		if err != nil {
			t.Fatal(err)
		}
		f.Variables = append(f.Variables, v)
	}
	r := results(t, f)[0]
	if r.Common.N < 5 || r.Conflicts != nil {
		t.Fatalf("%+v", r)
	}
	t.Logf("common %v, best %v, error %.4f %%, fixed by %v", r.Common.Ranges, r.Best, 100*r.Error, r.Fixes)
	between(t, "25 us", 25e3, r.Common.Ranges[0].Least, r.Common.Ranges[0].Most)
	between(t, "87.5 MB/s", 87.5, r.Common.Ranges[1].Least, r.Common.Ranges[1].Most)
	between(t, "least latency", r.Common.Ranges[0].Least, 20e3, 25e3)
	between(t, "greatest latency", r.Common.Ranges[0].Most, 25e3, 30e3)
	between(t, "least bandwidth", r.Common.Ranges[1].Least, 70, 87.5)
	between(t, "greatest bandwidth", r.Common.Ranges[1].Most, 87.5, 115)
	between(t, "best latency", r.Best[0], 0.97*25e3, 1.03*25e3)
	between(t, "best bandwidth", r.Best[1], 0.97*87.5, 1.03*87.5)
	if r.Fixes[0] != 0 || r.Fixes[1] != 1 {
		t.Errorf("latency is fixed by benchmark %d, bandwidth by %d", r.Fixes[0], r.Fixes[1])
	}
}
