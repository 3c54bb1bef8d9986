package account_test

import (
	"testing"

	"pview/insight/account"
	"pview/insight/runtest"
	"pview/prv"
)

// A counter of the time on a core, in ns, against a trace in us: of 100 us the core has 60.001, which are 61 whole,
// and of the next 50 us more than all. Without a reading in a state, nothing tells.
func TestTaskClock(t *testing.T) {
	const clock = 44838979
	h := prv.Header{Unit: prv.Microseconds}
	h.AddNode(1)
	h.AddPtask()
	h.AddTask(1, 0)
	b := prv.NewBuilder(h)
	b.State(0, 0, 0, 150, 1)
	b.State(0, 0, 150, 200, 12) // I/O
	b.State(0, 0, 200, 240, 1)
	for _, x := range []struct{ at, ns int64 }{{0, 0}, {100, 60_001}, {150, 50_500}, {200, 1}} {
		b.Event(0, 0, x.at, prv.Pair{Type: clock, Value: x.ns})
	}
	tr := runtest.Build(t, b)
	tr.Labels.AddType(clock, "perf::TASK-CLOCK [PERF_COUNT_SW_TASK_CLOCK]")
	a := accountOf(t, graphOf(t, tr), account.Options{})
	checkSums(t, "task clock", a)
	if got := a.Of(account.Preempted).Int64(); got != 39_000 {
		t.Errorf("%d ns without a core, want 39,000", got)
	}
}
