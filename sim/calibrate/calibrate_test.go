package calibrate_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"pview/prv"
	"pview/sim"
	"pview/sim/calibrate"
	"pview/sim/engine"
	"pview/sim/parameter"
	"pview/sim/scenario"
)

// TestPredictedRuns: a run predicted on a known network shows that network again.
func TestPredictedRuns(t *testing.T) {
	for _, name := range []string{"heat2d_8/heat2d_8.prv.gz"} {
		tr, err := prv.Open(context.Background(), "../../testdata/traces/"+name, prv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		program, err := scenario.FromTrace(context.Background(), tr)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []struct{ latency, bandwidth float64 }{{20_000, 200}, {2_000, 1000}, {500_000, 10}} {
			m := sim.IdealFor(program.Program)
			parameter.ByName("latency").Set(m, want.latency)
			parameter.ByName("bandwidth").Set(m, want.bandwidth)
			r, err := engine.Run(context.Background(), program.Program, m, sim.Options{Trace: true})
			if err != nil {
				t.Fatal(err)
			}
			n, err := calibrate.Fit(r.Trace)
			t.Logf("%s: %+v", name, n)
			if err != nil || math.Abs(n.Latency/want.latency-1) > 0.05 ||
				math.Abs(n.Bandwidth/want.bandwidth-1) > 0.05 {
				t.Errorf("%s: %+v, %v; it was %g ns, %g MB/s", name, n, err, want.latency, want.bandwidth)
			}
		}
	}
}

func read(t *testing.T, lines ...string) *prv.Trace {
	t.Helper()
	text := "#Paraver (01/01/03 at 00:00):100000_ns:2(1,1):1:2(1:1,1:2)\n" + strings.Join(lines, "\n") + "\n"
	tr, err := prv.Read(context.Background(), strings.NewReader(text), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// TestByHand: 1000 bytes take 3000 ns, 2000 bytes 4000 ns: 1 ns per byte, 953.674 MB/s, after 2000 ns. The message that
// waits for its receiver, and the one that arrives before it was sent, tell nothing.
func TestByHand(t *testing.T) {
	n, err := calibrate.Fit(read(t,
		"3:1:1:1:1:0:0:2:1:2:1:3000:3000:1000:1",
		"3:1:1:1:1:10000:10000:2:1:2:1:14000:14000:2000:1",
		"3:1:1:1:1:20000:20000:2:1:2:1:90000:90000:1000:1",
		"3:1:1:1:1:30000:30000:2:1:2:1:29000:29000:1000:1"))
	if err != nil || math.Abs(n.Latency-2000) > 1e-6 || math.Abs(n.Bandwidth-1e9/(1<<20)) > 1e-6 || n.Messages != 3 ||
		n.Sizes != 2 || n.Backwards != 1 {
		t.Errorf("%+v %v", n, err)
	}
}

// TestOneSize: what is latency and what bandwidth cannot be told from one size.
func TestOneSize(t *testing.T) {
	n, err := calibrate.Fit(read(t, "3:1:1:1:1:0:0:2:1:2:1:3000:3000:1000:1"))
	if err != nil || n.Latency != 3000 || !math.IsInf(n.Bandwidth, 1) {
		t.Errorf("%+v %v", n, err)
	}
	if _, err := calibrate.Fit(read(t, "1:1:1:1:1:0:10:1")); !errors.Is(err, calibrate.ErrNoMessages) {
		t.Errorf("%v", err)
	}
}
