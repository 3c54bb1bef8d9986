package validation_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"pview/insight/report"
	"pview/insight/validation"
	"pview/prv"
	"pview/prv/prvtest"
	"pview/prv/wide"
	"pview/sim/dimemas"
)

// of replays a trace.
func of(t *testing.T, tr *prv.Trace) *validation.Replay {
	t.Helper()
	p, err := dimemas.FromTrace(context.Background(), tr, dimemas.TranslateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := validation.Of(context.Background(), tr, p.Program, 0)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Thread 1 sends 1000 bytes to thread 2 twice, which takes 10 and 50 ns: the fastest is the fitted latency. Between
// them both are in a barrier for 90 ns, which has no reason in the trace.
//
//	thread 1  compute 0-100, Send 100-101, Barrier 101-200, compute 200-300, Send 300-301, ended 301-360
//	thread 2  compute 0-100, Recv 100-110, Barrier 110-200, compute 200-300, Recv 300-350, compute 350-360
//
// In the replay sender and receiver pay the latency at the same time, and the barrier takes it for its way in and out:
// Send and Recv 100-110, Barrier 110-130, compute 130-230, Send and Recv 230-240. Dimemas leaves out what is after the
// last call.
func TestReplay(t *testing.T) {
	const text = `#Paraver (22/11/2026 at 10:00):360_ns:1(2):1:2(1:1,1:1),1
c:1:1:2:1:2
1:1:1:1:1:0:100:1
1:2:1:2:1:0:100:1
2:1:1:1:1:100:50000001:1
2:2:1:2:1:100:50000001:2
3:1:1:1:1:100:101:2:1:2:1:100:110:1000:1
2:1:1:1:1:101:50000001:0:50000002:8:50100001:0:50100002:0:50100004:1
2:2:1:2:1:110:50000001:0:50000002:8:50100001:0:50100002:0:50100004:1
2:1:1:1:1:200:50000002:0
2:2:1:2:1:200:50000002:0
1:1:1:1:1:200:300:1
1:2:1:2:1:200:300:1
2:1:1:1:1:300:50000001:1
2:2:1:2:1:300:50000001:2
3:1:1:1:1:300:301:2:1:2:1:300:350:1000:1
2:1:1:1:1:301:50000001:0
2:2:1:2:1:350:50000001:0
1:2:1:2:1:350:360:1
`
	tr, err := prv.Read(context.Background(), strings.NewReader(text), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := of(t, tr)
	want := []validation.Row{{Kind: "collective", Of: "value 8", Measured: wide.Of(99 + 90), Replayed: wide.Of(20 + 20)},
		{Kind: "ended", Measured: wide.Of(59)},
		{Kind: "point-to-point", Of: "value 2", Measured: wide.Of(10 + 50), Replayed: wide.Of(10 + 10)},
		{Kind: "point-to-point", Of: "value 1", Measured: wide.Of(1 + 1), Replayed: wide.Of(10 + 10)},
		{Kind: "outside of calls", Measured: wide.Of(200 + 210), Replayed: wide.Of(400)}}
	if !slices.Equal(r.Rows, want) || r.Replayed != 240 {
		t.Errorf("%d ns: %+v, want %+v", r.Replayed, r.Rows, want)
	}
	const says = "the replay on the fitted machine (latency 10 ns, no limit of bandwidth, from 2 messages) is " +
		"33.3 % off: 240 ns for the measured 360 ns; most in value 8 -20.7 %, ended -8.2 %, value 2 -5.6 %"
	// -149, -59 and -40 of 720
	if r.String() != says {
		t.Error(r)
	}
}

// On the shared traces the rows sum to both runs, and their shares to the deviation; what is outside of calls is
// replayed as measured where there are no teams.
func TestSums(t *testing.T) {
	prvtest.Long(t)
	for _, path := range prvtest.Traces(prvtest.Shared(t, "traces"), "*") {
		tr, err := prv.Open(context.Background(), path, prv.Options{})
		if err != nil {
			t.Log(err)
			continue
		}
		p, err := dimemas.FromTrace(context.Background(), tr, dimemas.TranslateOptions{})
		if err != nil {
			t.Log(err)
			continue
		}
		r, err := validation.Of(context.Background(), tr, p.Program, 0)
		if err != nil {
			t.Logf("%s: %v", path, err)
			continue
		}
		var measured, replayed wide.Int
		off := 0.0
		for i := range r.Rows {
			measured, replayed = measured.Plus(r.Rows[i].Measured), replayed.Plus(r.Rows[i].Replayed)
			off += r.Share(&r.Rows[i])
		}
		n := int64(r.Threads)
		if measured != wide.Of(n*r.Measured) || replayed != wide.Of(n*r.Replayed) || math.Abs(off-r.Off()) > 1e-9 {
			t.Errorf("%s: %s, %s and %g; want %d, %d and %g", path, measured, replayed, off, n*r.Measured,
				n*r.Replayed, r.Off())
		}
	}
}

// Of several traces, the one that is replayed is named.
func TestBasis(t *testing.T) {
	b := &validation.Basis{Machine: "ideal", Replay: &validation.Replay{Measured: 4000, Replayed: 3000}}
	for of, want := range map[string]string{"": "Accuracy: the replay", "a.prv": "Accuracy of a.prv: the replay"} {
		b.Of = of
		if got := b.Section().Blocks[1].(*report.Passage).Text; !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A trace without calls: thread 1 computes until 1000 and sends at 100, thread 2 waits for the message from 300 to 700.
// Before 10 the threads are not created: that is outside of calls, as computing is, 1000 of thread 1 and 300 + 300 of
// thread 2. But the replay, of states, does not compute in it.
func TestReplayOfStates(t *testing.T) {
	const text = `#Paraver (22/11/2026 at 10:00):1000_ns:1(2):1:2(1:1,1:1)
1:1:1:1:1:0:10:2
1:1:1:1:1:10:1000:1
1:2:1:2:1:0:10:2
1:2:1:2:1:10:300:1
1:2:1:2:1:300:700:3
1:2:1:2:1:700:1000:1
3:1:1:1:1:100:100:2:1:2:1:300:700:1000:1
`
	tr, err := prv.Read(context.Background(), strings.NewReader(text), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := of(t, tr)
	if r.Absent != wide.Of(0) {
		t.Errorf("computes for %s without threads", r.Absent)
	}
	for _, row := range r.Rows {
		if want := map[string]int64{"waiting": 400, "outside of calls": 1600}[row.Kind]; row.Measured != wide.Of(want) {
			t.Errorf("%+v, want %d", row, want)
		}
	}
}
