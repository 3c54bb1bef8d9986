package replay_test

import (
	"testing"

	"pview/insight/replay"
	"pview/prv"
	"pview/prv/extrae"
)

// Thread 1 opens a parallel region at 20 in which thread 2 of its team computes from 20 to 60. If it opens it at 10 the
// run ends at 50. Where no region is opened thread 2 does not depend on it.
func TestFork(t *testing.T) {
	for _, opens := range []bool{true, false} {
		h := prv.Header{Unit: prv.Nanoseconds}
		h.AddNode(4)
		h.AddPtask()
		h.AddTask(2, 0)
		r := &run{prv.NewBuilder(h)}
		r.work(0, 0, 20)
		if opens {
			r.b.Event(0, 0, 20, prv.Pair{Type: extrae.OpenMPParallel, Value: 1})
			r.b.Event(0, 0, 40, prv.Pair{Type: extrae.OpenMPParallel})
		}
		r.work(0, 20, 40)
		r.b.Event(0, 0, 45, prv.Pair{Type: extrae.UserFunction})
		r.work(1, 20, 60)
		m := r.model(t)
		want := int64(0)
		if opens {
			want = 10
		}
		if gain := m.Gain(m.Changed([]replay.Change{{To: 20, Factor: 0.5}})); m.Base() != 60 || gain != want {
			t.Errorf("opens %v: ends at %d, gains %d, want %d", opens, m.Base(), gain, want)
		}
		// The thread that opens it is not the last.
		if gain := m.Gain(m.Changed([]replay.Change{{From: 20, To: 40, Factor: 0.5}})); gain != 0 {
			t.Errorf("opens %v: faster code after it gains %d", opens, gain)
		}
	}
}
