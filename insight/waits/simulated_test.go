package waits_test

// Traces of a simulator: states only, and messages with the times at which they left and arrived.

import (
	"testing"

	"pview/insight/runtest"
	"pview/insight/waits"
	"pview/prv"
	"pview/prv/extrae"
)

// States of the simulator.
const (
	running = 1
	waiting = 3
	startup = 26
)

// state is a state of a thread, from 1.
type state struct {
	thread   int32
	from, to int64
	value    uint32
}

func predicted(t *testing.T, states []state, message prv.Comm) *waits.Result {
	t.Helper()
	b := runtest.Tasks(2)
	for _, s := range states {
		b.State(s.thread-1, 0, s.from, s.to, s.value)
	}
	b.Comm(message)
	tr := runtest.Build(t, b)
	return analyze(t, tr, waits.Options{Writer: extrae.Simulator})
}

// Check 35. T1 waits [20,95) for a message that T2 sends at 70: 50. It leaves at 80, after the startup and 5 for
// resources, and arrives at 95. By rendezvous T2 sends at 20, and after its startup waits [25,60) for the receive: 35,
// not 40.
func TestPredicted(t *testing.T) {
	late := predicted(t, []state{{1, 0, 20, running}, {1, 20, 95, waiting}, {1, 95, 100, running}, {2, 0, 70, running},
		{2, 70, 75, startup}, {2, 75, 100, running}},
		prv.Comm{Send: 1, Recv: 0, Size: 8, Times: [4]int64{70, 80, 20, 95}})
	if len(late.Waits) != 1 {
		t.Fatalf("waits %+v", late.Waits)
	}
	if w := late.Waits[0]; w.Thread != 0 || w.From != 20 || w.To != 70 || w.Class != waits.LateSender || w.Cause != 1 {
		t.Errorf("late sender %+v", w)
	}
	// In the message's operation of 25 are startup 5, resources 5, transfer 15.
	if got := late.Totals[waits.Operation].Time.Int64(); got != 25 {
		t.Errorf("operation %d", got)
	}
	sync := predicted(t, []state{{1, 0, 60, running}, {1, 60, 75, waiting}, {1, 75, 100, running}, {2, 0, 20, running},
		{2, 20, 25, startup}, {2, 25, 60, waiting}, {2, 60, 100, running}},
		prv.Comm{Send: 1, Recv: 0, Size: 100_000, Times: [4]int64{20, 60, 60, 75}})
	if len(sync.Waits) != 1 {
		t.Fatalf("waits %+v", sync.Waits)
	}
	if w := sync.Waits[0]; w.Thread != 1 || w.From != 25 || w.To != 60 || w.Class != waits.LateReceiver ||
		w.Cause != 0 {
		t.Errorf("late receiver %+v", w)
	}
}
