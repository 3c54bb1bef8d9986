package waits_test

import (
	"context"
	"path/filepath"
	"testing"

	"pview/insight/waits"
	"pview/prv"
	"pview/prv/prvtest"
)

// open reads a shared trace.
func open(t testing.TB, name string) *prv.Trace {
	t.Helper()
	list := prvtest.Traces(prvtest.Shared(t, "traces"), name)
	if len(list) != 1 {
		t.Skipf("no trace %s", name)
	}
	tr, err := prv.Open(context.Background(), list[0], prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// Check 37: waits of recorded traces, as a model of the definitions counts them.
func TestRecorded(t *testing.T) {
	for _, want := range []struct {
		name         string
		count, time  int64 // classes 1 to 3
		eager        [2]int64
		sends, inall int64 // class 4 of Send
	}{
		{"masterworker_8", 414, 4_141_472_683, [2]int64{32, -1}, 3, 5_262_369},
		{"npb_lu_S_4", 508, 50_779_619, [2]int64{200, -1}, 210, 10_809_285},
		{"npb_cg_S_4", 1604, 45_238_167, [2]int64{16, -1}, 1233, 27_729_804},
	} {
		t.Run(want.name, func(t *testing.T) {
			tr := open(t, want.name)
			r := analyze(t, tr, waits.Options{})
			var count, time, sends, inall int64
			for c := waits.LateSender; c <= waits.WrongOrderDifferent; c++ {
				count += r.Totals[c].Count
				time += r.Totals[c].Time.Int64()
			}
			for i := range r.Waits {
				if w := &r.Waits[i]; w.Class == waits.LateReceiver && r.Regions[w.Region].Name == "MPI_Send" {
					sends++
					inall += w.Length()
				}
			}
			if count != want.count || time != want.time {
				t.Errorf("late senders: %d, %d", count, time)
			}
			if eager := [2]int64{r.Eager[0].Size, r.Eager[1].Size}; eager != want.eager {
				t.Errorf("eager limits %v", eager)
			}
			if sends != want.sends || inall != want.inall {
				t.Errorf("late receivers of Send: %d, %d", sends, inall)
			}
		})
	}
}

// Check 37: messages received before they were sent.
func TestRecordedClocks(t *testing.T) {
	for name, want := range map[string]int64{"callmix_4": 0, "callmix_4_skew": 48} {
		messages := int64(0)
		for _, c := range analyze(t, open(t, name), waits.Options{}).Clocks {
			messages += c.Messages
		}
		if messages != want {
			t.Errorf("%s: %d, want %d", name, messages, want)
		}
	}
}

// Invariants on all shared traces.
func TestSumsOfRecorded(t *testing.T) {
	for _, path := range prvtest.Traces(prvtest.Shared(t, "traces"), "*") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			prvtest.SkipLarge(t, path)
			tr, err := prv.Open(context.Background(), path, prv.Options{})
			if err != nil {
				t.Fatal(err)
			}
			r := analyze(t, tr, waits.Options{})
			for i := range r.Waits {
				if w := &r.Waits[i]; w.From < 0 || w.To > tr.Duration {
					t.Fatalf("wait %+v", *w)
				}
			}
			messages := int64(0)
			for _, c := range r.Clocks {
				messages += c.Messages
			}
			t.Logf("%s, unknown %d, waiting %.1f %%, clocks %d", r, r.Unknown,
				100*r.Waiting().Float()/float64(tr.Duration*int64(tr.NumThreads())), messages)
		})
	}
}
