package network_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"pview/insight/network"
	"pview/insight/waits"
	"pview/prv"
	"pview/sim"
	"pview/sim/engine"
	"pview/sim/parameter"
	"pview/sim/scenario"
)

func of(t *testing.T, tr *prv.Trace) *network.Network {
	t.Helper()
	n, err := network.Of(context.Background(), tr)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// A run predicted on a known network shows that network again, to 1 %.
func TestPredictedRuns(t *testing.T) {
	const path = "../../testdata/traces/heat2d_8/heat2d_8.prv.gz"
	tr, err := prv.Open(context.Background(), path, prv.Options{})
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
		f := of(t, r.Trace).Fit()
		if f == nil || math.Abs(f.Latency/want.latency-1) > 0.01 || math.Abs(f.Bandwidth/want.bandwidth-1) > 0.01 {
			t.Errorf("%+v; it was %g ns, %g MB/s", f, want.latency, want.bandwidth)
		}
	}
}

// run returns a run of two tasks on two nodes, with Running from 0 to 100 us. Call 1 is MPI_Send, 2 MPI_Recv.
func run(t *testing.T, lines ...string) *prv.Trace {
	t.Helper()
	text := "#Paraver (01/01/03 at 00:00):100000_ns:2(1,1):1:2(1:1,1:2)\n" +
		"1:1:1:1:1:0:100000:1\n1:2:1:2:1:0:100000:1\n" + strings.Join(lines, "\n") + "\n"
	tr, err := prv.Read(context.Background(), strings.NewReader(text), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// 1000 bytes take 3200, 2000 bytes 4200: 1 ns per byte, 953.674 MB/s, after 2200 ns. A receive that waits ends 200
// after the message is there, as the one at 50000 shows, whose message was sent long before. The send of 1000 bytes at
// 30000 tells no more: its receive begins late, and ends 20000 later.
func TestByHand(t *testing.T) {
	tr := run(t,
		"2:1:1:1:1:0:50000001:1", "2:1:1:1:1:150:50000001:0",
		"3:1:1:1:1:0:0:2:1:2:1:0:3200:1000:1",
		"2:2:1:2:1:0:50000001:2", "2:2:1:2:1:3200:50000001:0",
		"2:1:1:1:1:10000:50000001:1", "2:1:1:1:1:10150:50000001:0",
		"3:1:1:1:1:10000:10000:2:1:2:1:9000:14200:2000:1",
		"2:2:1:2:1:9000:50000001:2", "2:2:1:2:1:14200:50000001:0",
		"2:1:1:1:1:30000:50000001:1", "2:1:1:1:1:30150:50000001:0",
		"3:1:1:1:1:30000:30000:2:1:2:1:50000:50200:1000:1",
		"2:2:1:2:1:50000:50000001:2", "2:2:1:2:1:50200:50000001:0")
	n := of(t, tr)
	way := n.Ways[waits.DifferentNodes]
	if n.Starting != 150 || way.Latency != 2200 || way.Call != 200 || way.PerByte != 1 || way.AtMost || way.One != 0 {
		t.Errorf("%+v, starting %d", way, n.Starting)
	}
	f := n.Fit()
	if f.Latency != 2200 || math.Abs(f.Bandwidth-1e9/(1<<20)) > 1e-6 {
		t.Errorf("%+v", f)
	}
	tr.Unit = prv.Microseconds
	if f := of(t, tr).Fit(); f.Latency != 2_200_000 || math.Abs(f.Bandwidth-1e6/(1<<20)) > 1e-9 || f.Messages != 3 {
		t.Errorf("in us: %+v", f)
	}
	if got := n.Takes(waits.SameNode, 500); got != 2500 { // no message stays on a node: those between nodes tell
		t.Errorf("500 bytes take %d", got)
	}
}

// Without calls messages arrive when they are received. What of one size is latency, and what its bytes, is not known.
func TestOneSize(t *testing.T) {
	n := of(t, run(t, "3:1:1:1:1:0:0:2:1:2:1:3000:3000:1000:1"))
	if way := n.Ways[waits.DifferentNodes]; way.Latency != 3000 || way.PerByte != 0 || way.One != 1000 {
		t.Errorf("%+v", way)
	}
	if f := n.Fit(); f.Latency != 3000 || !math.IsInf(f.Bandwidth, 1) {
		t.Errorf("%+v", f)
	}
	if f := of(t, run(t)).Fit(); f != nil {
		t.Errorf("without messages: %+v", f)
	}
}

// A receive at 50000 finds its message of 20000: it took at most 30200.
func TestAtMost(t *testing.T) {
	n := of(t, run(t,
		"2:1:1:1:1:20000:50000001:1", "2:1:1:1:1:20150:50000001:0",
		"3:1:1:1:1:20000:20000:2:1:2:1:50000:50200:1000:1",
		"2:2:1:2:1:50000:50000001:2", "2:2:1:2:1:50200:50000001:0"))
	if way := n.Ways[waits.DifferentNodes]; !way.AtMost || way.Latency != 30_200 {
		t.Errorf("%+v", way)
	}
}

// A tree over 5 threads has 3 steps, over one none.
func TestRounds(t *testing.T) {
	for n, want := range map[float64]float64{0: 0, 1: 0, 2: 1, 5: 3, 8: 3, 9: 4} {
		if got := network.Rounds(n); got != want {
			t.Errorf("%f threads: %f steps, want %f", n, got, want)
		}
	}
}

// Without calls all messages count but those to oneself and those that take no time.
func TestArrived(t *testing.T) {
	n := of(t, run(t, "3:1:1:1:1:0:0:1:1:1:1:0:4000:10:1", "3:1:1:1:1:0:0:2:1:2:1:0:0:20:1",
		"3:1:1:1:1:5:5:2:1:2:1:0:6:30:1", "3:1:1:1:1:9:9:2:1:2:1:0:12:40:1"))
	if w := n.Ways[waits.DifferentNodes]; w.Messages != 2 || w.Latency != 0 || w.PerByte != 0.2 ||
		n.Ways[waits.SameNode].Messages != 0 {
		t.Errorf("%+v", n.Ways)
	}
	// Takes of the way with messages, also on the other one.
	if got := n.Transfer(3); got != 8 { // 40 x 0.2
		t.Errorf("40 bytes take %d", got)
	}
}

// A start takes 1,500 ns if no call shows it, but no less than the unit.
func TestUsualStart(t *testing.T) {
	for unit, want := range map[prv.Unit]int64{prv.Nanoseconds: 1500, prv.Microseconds: 1} {
		tr := run(t, "2:2:1:2:1:0:50000001:2", "3:1:1:1:1:0:0:2:1:2:1:0:3200:1000:1", "2:2:1:2:1:3200:50000001:0")
		tr.Unit = unit
		if n := of(t, tr); n.Starting != want {
			t.Errorf("%v: %d, want %d", unit, n.Starting, want)
		}
	}
}
