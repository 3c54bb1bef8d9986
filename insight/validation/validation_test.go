package validation_test

import (
	"context"
	"encoding/json"
	"maps"
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
	// Times are those of both threads, halved. All rows are more than 7.2 ns off, so there is no rest.
	const table = `value 8 | collective | 94 ns | 20 ns | -20.7 %
ended |  | 29 ns | 0 ns | -8.2 %
value 2 | point-to-point | 30 ns | 10 ns | -5.6 %
value 1 | point-to-point | 1 ns | 10 ns | +2.5 %
outside of calls |  | 205 ns | 200 ns | -1.4 %
the rest |  | 0 ns | 0 ns | 0 %
the run |  | 360 ns | 240 ns | -33.3 %
`
	if got := lines(r.Table()); got != table {
		t.Errorf("%s\nwant\n%s", got, table)
	}
}

// lines returns the cells of a table as they are shown.
func lines(table *report.Table) string {
	var text strings.Builder
	for _, row := range table.Rows {
		var cells []string
		for i, cell := range row {
			if show := table.Columns[i].Show; show != nil {
				cell = show(cell)
			}
			cells = append(cells, cell.(string))
		}
		text.WriteString(strings.Join(cells, " | ") + "\n")
	}
	return text.String()
}

// Rows of less than 1 % of the run are added up in the rest, but for the time outside of calls. The run is 2 * 1000 ns.
func TestTableOfSmallRows(t *testing.T) {
	r := &validation.Replay{Measured: 1000, Replayed: 1025, Threads: 2, Rows: []validation.Row{
		{Kind: "collective", Of: "MPI_Barrier", Measured: wide.Of(100), Replayed: wide.Of(120)}, // 1 %
		{Kind: "waiting", Measured: wide.Of(80), Replayed: wide.Of(60)},
		{Kind: "collective", Of: "MPI_Bcast", Measured: wide.Of(20), Replayed: wide.Of(38)},
		{Kind: "I/O", Of: "MPI_File_open", Measured: wide.Of(50), Replayed: wide.Of(66)},
		{Kind: "outside of calls", Measured: wide.Of(1000), Replayed: wide.Of(1016)},
	}}
	const want = `MPI_Barrier | collective | 50 ns | 60 ns | +1.0 %
waiting |  | 40 ns | 30 ns | -1.0 %
outside of calls |  | 500 ns | 508 ns | +0.8 %
the rest |  | 35 ns | 52 ns | +1.7 %
the run |  | 1 us | 1.025 us | +2.5 %
`
	if got := lines(r.Table()); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got, want := r.String(), "; most in MPI_Barrier +1.0 %, waiting -1.0 %"; !strings.HasSuffix(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
}

// Predictions are doubtful if the replay is more than a tenth off, in either direction.
func TestDoubtful(t *testing.T) {
	row := &validation.Row{Measured: wide.Of(100), Replayed: wide.Of(60)}
	for _, c := range []struct {
		measured, replayed int64
		off, share         float64 // share: -40 of 4 threads
		doubtful           bool
	}{
		{1000, 1000, 0, -0.01, false}, {1000, 1099, 0.099, -0.01, false}, {1000, 1101, 0.101, -0.01, true},
		{1000, 901, -0.099, -0.01, false}, {1000, 899, -0.101, -0.01, true}, {0, 5, 0, 0, false},
	} {
		r := &validation.Replay{Measured: c.measured, Replayed: c.replayed, Threads: 4}
		if math.Abs(r.Off()-c.off) > 1e-12 || r.Doubtful() != c.doubtful || r.Share(row) != c.share {
			t.Errorf("%d for %d: off %g, doubtful %v, share %g", c.replayed, c.measured, r.Off(), r.Doubtful(),
				r.Share(row))
		}
	}
}

// Without calls outside, what a state is counted as depends on the thread:
//
//	thread 1  absent 0-10, computing 10-30, Barrier 30-40, with a Send in it, waiting 40-50 for its team, idle 50-60,
//	          no state 60-70, computing 70-80, ended
//	thread 2  idle 0-10, computing 10-30, absent 30-40, I/O 40-50, communicating 50-60, ended
//
// The first thread of a task computes while it is idle or has no state. An OpenMP call is no MPI call.
func TestTeam(t *testing.T) {
	const text = `#Paraver (22/11/2026 at 10:00):100_ns:1(2):1:1(2:1),1
c:1:1:1:1
1:1:1:1:1:0:10:2
1:2:1:1:2:0:10:0
1:1:1:1:1:10:30:1
1:2:1:1:2:10:30:1
2:1:1:1:1:12:60000001:1
2:1:1:1:1:28:60000001:0
2:1:1:1:1:30:50000002:8
1:2:1:1:2:30:40:2
2:1:1:1:1:32:50000001:1
2:1:1:1:1:35:50000001:0
2:1:1:1:1:40:50000002:0
1:1:1:1:1:40:50:3
1:2:1:1:2:40:50:12
1:1:1:1:1:50:60:0
1:2:1:1:2:50:60:7
1:1:1:1:1:70:80:1
`
	tr, err := prv.Read(context.Background(), strings.NewReader(text), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := dimemas.FromTrace(context.Background(), tr, dimemas.TranslateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := validation.On(context.Background(), tr, p.Program, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]wide.Int{}
	for _, row := range r.Rows {
		got[row.Name()] = row.Measured
	}
	want := map[string]wide.Int{"outside of calls": wide.Of(10 + 20 + 10 + 10 + 10 + 20 + 10),
		"no work": wide.Of(10 + 10 + 10 + 10), "value 8": wide.Of(10), "ended": wide.Of(20 + 40)}
	if !maps.Equal(got, want) || r.Absent != wide.Of(10) {
		t.Errorf("%v, absent %s, want %v", got, r.Absent, want)
	}
	if !strings.Contains(r.String(), "(without messages to fit it to: an ideal network)") {
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

// The fields have all rows in times of all threads: 1000 of 2 * 1000 ns are a half.
func TestFields(t *testing.T) {
	b := &validation.Basis{Machine: "ideal"}
	for _, want := range []string{`{"machine":"ideal"}`,
		`{"machine":"ideal","fitted_replay":{"machine":"without messages to fit it to: an ideal network",` +
			`"measured_ns":1000,"replayed_ns":1500,"off":0.5,"threads":2,"rows":[` +
			`{"kind":"collective","of":"MPI_Barrier","measured_ns":0,"replayed_ns":1000,"share":0.5},` +
			`{"kind":"waiting","of":"","measured_ns":50,"replayed_ns":50,"share":0}]}}`} {
		if got, err := json.Marshal(b.Fields()); err != nil || string(got) != want {
			t.Errorf("%s, %v, want %s", got, err, want)
		}
		b.Replay = &validation.Replay{Measured: 1000, Replayed: 1500, Threads: 2, Rows: []validation.Row{
			{Kind: "collective", Of: "MPI_Barrier", Replayed: wide.Of(1000)},
			{Kind: "waiting", Measured: wide.Of(50), Replayed: wide.Of(50)}}}
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
