package ready_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pview/insight/efficiency"
	"pview/prv"
	"pview/prv/prvtest"
	"pview/semantic"
	"pview/semantic/ready"
	"pview/semantic/series"
)

// run is two threads that compute between the readings of the counters at 10 and 30, in µs. The first counts 4000
// instructions in 2000 cycles, the second 6000 in 4000. Thread 1 receives from 30 on, but thread 2 sends only at 50.
const run = `#Paraver (01/01/03 at 00:00):100:1(2):1:2(1:1,1:1)
1:1:1:1:1:0:10:9
1:2:1:2:1:0:10:9
2:1:1:1:1:10:42000050:77:42000059:88:1001:1
2:2:1:2:1:10:42000050:77:42000059:88:1001:1
1:1:1:1:1:10:30:1
1:2:1:2:1:10:50:1
2:1:1:1:1:30:42000050:4000:42000059:2000:50000001:2
1:1:1:1:1:30:70:3
2:1:1:1:1:40:1001:2
2:2:1:2:1:50:42000050:6000:42000059:4000:50000001:1
1:2:1:2:1:50:60:4
3:2:1:2:1:50:60:1:1:1:1:30:70:1000:5
2:2:1:2:1:60:42000050:5:42000059:10:50000001:0
1:2:1:2:1:60:100:1
2:1:1:1:1:70:42000050:5:42000059:10:50000001:0:1001:0
1:1:1:1:1:70:100:1
2:2:1:2:1:100:42000050:80:42000059:40:1001:0
2:1:1:1:1:100:42000050:90:42000059:30
`

func facts(t *testing.T, text, labels string) *ready.Facts {
	t.Helper()
	tr, err := prv.Read(context.Background(), strings.NewReader(text), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if labels != "" {
		if tr.Labels, _, err = prv.ParseLabels("run.pcf", strings.NewReader(labels)); err != nil {
			t.Fatal(err)
		}
	}
	f, err := ready.Observe(context.Background(), tr)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

const iterationLabels = "EVENT_TYPE\n0    1001    Iteration of the solver\n"

// row returns the bursts of a row of a view: "10..30=2".
func row(t *testing.T, f *ready.Facts, name string, i int) string {
	t.Helper()
	v, err := f.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	w := v.Window
	e, err := semantic.Compile(f.Trace, &w)
	if err != nil {
		t.Fatal(err)
	}
	s, err := e.Series(context.Background(), i)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for k := range s.Len() {
		if begin, end, v := s.Burst(k); v != 0 && begin < end {
			list = append(list, fmt.Sprintf("%d..%d=%g", begin, end, v))
		}
	}
	return strings.Join(list, " ")
}

func TestViewsOfARun(t *testing.T) {
	f := facts(t, run, iterationLabels)
	for _, c := range []struct {
		view string
		row  int
		want string
	}{
		// 4000 / 2000 in the first computation; 90 / 30 in the second, from 70 on. None in the receive.
		{"ipc", 0, "10..30=2 70..100=3"},
		{"ipc", 1, "10..50=1.5 60..100=2"},
		// A reading belongs to the burst that it ends: 4000 to 10..30, 5 to the receive.
		{"42000050", 0, "0..10=77 10..30=4000 30..70=5 70..100=90"},
		// 4000 / 20 µs, 90 / 30 µs.
		{"mips", 0, "10..30=200 70..100=3"},
		{"counter: type 42000050 per us", 0, "0..10=7.7 10..30=200 30..70=0.125 70..100=3"},
		// 2000 cycles / 20 µs = 100 MHz; 30 / 30 µs = 1 MHz.
		{"frequency", 0, "10..30=0.1 70..100=0.001"},
		{"useful duration", 0, "10..30=20 70..100=30"},
		// Both compute in 10..30, thread 2 alone until 50, nobody in 50..60, thread 2 until 70, then both.
		{"parallel", 0, "10..30=2 30..50=1 60..70=1 70..100=2"},
		// From event 1001:1 at 10 to 1001:2 at 40, to 1001:0 at 70. Nothing from an event of 0 on.
		{"iter", 0, "10..40=30 40..70=30"},
		{"iter", 1, "10..100=90"},
		// Thread 1 is in its receive from 30, the message is sent at 50. Other records of the thread divide the wait.
		{"late sender", 0, "30..50=20"},
		{"late sender", 1, ""},
		// The receive was posted before the send.
		{"late receiver", 1, ""},
		{"bytes in flight", 1, "50..70=1000"},
	} {
		if got := row(t, f, c.view, c.row); got != c.want {
			t.Errorf("%s, row %d: %s, want %s", c.view, c.row, got, c.want)
		}
	}
}

// A sender whose receiver is late waits only in its send: here from 50 to the end of the call at 60.
func TestLateReceiver(t *testing.T) {
	f := facts(t, strings.Replace(run, "3:2:1:2:1:50:60:1:1:1:1:30:70:1000:5", "3:2:1:2:1:50:60:1:1:1:1:65:70:1000:5",
		1), "")
	if got := row(t, f, "late receiver", 1); got != "50..60=10" {
		t.Errorf("late receiver: %s, want 50..60=10", got)
	}
	if got := row(t, f, "late sender", 0); got != "" {
		t.Errorf("late sender: %s, want none", got)
	}
	if got := semantic.LateReceiver(f.Trace, 0); got != 10 {
		t.Errorf("LateReceiver: %d, want 10", got)
	}
}

// TestQueues: a message is sent logically at 10 and physically at 20, another at 12 and 30; both have arrived, at 25
// and 40, when their receives are posted at 5 and 60.
func TestQueues(t *testing.T) {
	f := facts(t,
		"#Paraver (01/01/03 at "+
			"00:00):100:1(2):1:2(1:1,1:1)\n3:1:1:1:1:10:20:2:1:2:1:5:25:100:1\n3:1:1:1:1:12:30:2:1:2:1:60:40:100:1\n", "")
	if got := row(t, f, "bus queue", 0); got != "10..12=1 12..20=2 20..30=1" {
		t.Errorf("bus queue: %s", got)
	}
	if got := row(t, f, "receive queue", 1); got != "40..60=1" {
		t.Errorf("receive queue: %s", got)
	}
}

// Views that do not fit a trace are not offered, and asking for one explains why.
func TestOffered(t *testing.T) {
	f := facts(t, prvtest.TraceA, "")
	_, err := f.Find("IPC")
	if err == nil || !strings.Contains(err.Error(), "traces with counters of instructions and cycles") {
		t.Errorf("IPC without counters: %v", err)
	}
	if _, err = f.Find("nonsense"); err == nil || !strings.Contains(err.Error(), "Late sender") {
		t.Errorf("an unknown view must be answered with the names that exist: %v", err)
	}
	for _, v := range f.Views() {
		if strings.HasPrefix(v.Name, "MPI") || strings.HasPrefix(v.Name, "Counter") {
			t.Errorf("%s is offered for a trace without such events", v.Name)
		}
	}
}

// If no event marks iterations, the calls of the most frequent collective do.
func TestTimeBetweenCollectives(t *testing.T) {
	text := "#Paraver (01/01/03 at 00:00):100:1(1):1:1(1:1)\n1:1:1:1:1:0:100:1\n"
	for _, at := range []int{10, 30, 60, 70} { // MPI_Allreduce (10) at these times, each 2 long
		text += fmt.Sprintf("2:1:1:1:1:%d:50000002:10\n2:1:1:1:1:%d:50000002:0\n", at, at+2)
	}
	f := facts(t, text, "EVENT_TYPE\n9 50000002 MPI Collective Comm\nVALUES\n10 MPI_Allreduce\n0 Outside MPI\n")
	if f.Collective != 10 {
		t.Fatalf("collective %d, want 10", f.Collective)
	}
	if got, want := row(t, f, "between", 0), "10..30=20 30..60=30 60..70=10"; got != want {
		t.Errorf("time between collectives: %s, want %s", got, want)
	}
}

func TestUserFunctionsAreStacked(t *testing.T) {
	f := facts(t, `#Paraver (01/01/03 at 00:00):100:1(1):1:1(1:1)
1:1:1:1:1:0:100:1
2:1:1:1:1:10:60000019:1
2:1:1:1:1:20:60000019:2
2:1:1:1:1:30:60000019:0
2:1:1:1:1:50:60000019:0
`, "")
	// Function 2 ends at 30, and its caller 1 goes on until 50.
	if got, want := row(t, f, "user function", 0), "10..20=1 20..30=2 30..50=1"; got != want {
		t.Errorf("user functions: %s, want %s", got, want)
	}
}

// The IPC of a real run, of its bursts weighted by their cycles, equals that of pview efficiency.
func TestIPCOfARun(t *testing.T) {
	path := prvtest.Shared(t, "traces", "epoch", "epoch_8proc.prv.gz")
	tr, err := prv.Open(context.Background(), path, prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := ready.Observe(context.Background(), tr)
	if err != nil {
		t.Fatal(err)
	}
	rows := func(name string) []*series.Series {
		v, err := f.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		e, err := semantic.Compile(tr, &v.Window)
		if err != nil {
			t.Fatal(err)
		}
		var list []*series.Series
		for i := range e.Rows() {
			s, err := e.Series(context.Background(), i)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, s)
		}
		return list
	}
	instructions, cycles := 0.0, 0.0
	count := rows("Counter: PAPI_TOT_CYC [Total cycles]")
	for i, s := range rows("IPC") {
		for k := range s.Len() {
			begin, end, v := s.Burst(k)
			if v != 0 && begin < end {
				_, _, n := count[i].Burst(count[i].At(begin))
				instructions, cycles = instructions+v*n, cycles+n
			}
		}
	}
	run, err := efficiency.Measure(context.Background(), tr, efficiency.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := instructions / cycles; math.Abs(got-1.759) > 5e-4 || math.Abs(got-run.IPC()) > 1e-9 {
		t.Errorf("IPC %.9f, the efficiency says %.9f, the run has 1.759", got, run.IPC())
	}
	// The burst of 303.7 ms of the first thread: 1,270,705,068 instructions in 636,319,705 cycles.
	s := rows("Counter: PAPI_TOT_INS [Instr completed]")[0]
	if begin, end, v := s.Burst(s.At(900_000_000)); v != 1_270_705_068 || end-begin != 303_734_901 {
		t.Errorf("burst of %d ns reads %g, want 303734901 and 1270705068", end-begin, v)
	}
	s = rows("IPC")[0]
	if _, _, v := s.Burst(s.At(900_000_000)); v != 1_270_705_068.0/636_319_705 {
		t.Errorf("its IPC is %.9f", v)
	}
}

// Of two equally frequent collectives, the one with the least value counts. 0 does not: it ends a call.
func TestCollectiveOfTies(t *testing.T) {
	calls := func(values ...int) string {
		text := "#Paraver (01/01/03 at 00:00):1000:1(1):1:1(1:1)\n1:1:1:1:1:0:1000:1\n"
		for i, v := range values {
			text += fmt.Sprintf("2:1:1:1:1:%d:50000002:%d\n2:1:1:1:1:%d:50000002:0\n", 10*i+10, v, 10*i+12)
		}
		return text
	}
	for _, c := range []struct {
		values []int
		want   int64
	}{{[]int{10, 8, 10, 8, 10, 8, 10, 8}, 8}, {[]int{8, 10, 8, 10, 10, 10, 8, 10}, 10}, {[]int{10, 10, 10, 10}, 10},
		{[]int{10, 10, 10}, 0}, {nil, 0}} {
		f := facts(t, calls(c.values...), "EVENT_TYPE\n9 50000002 MPI Collective Comm\n")
		if f.Collective != c.want {
			t.Errorf("calls %v: collective %d, want %d", c.values, f.Collective, c.want)
		}
		_, err := f.Find("between")
		if found := err == nil; found != (c.want != 0) {
			t.Errorf("calls %v: time between collectives: %v", c.values, err)
		}
	}
}

// A view is offered where the trace has the events that it needs, and only then.
func TestViewsNeedTheirEvents(t *testing.T) {
	head := "#Paraver (01/01/03 at 00:00):100:1(1):1:1(1:1)\n1:1:1:1:1:0:100:1\n"
	for event, want := range map[string]string{"90000001:3": "clust", "42000050:7": "mips"} {
		with, without := facts(t, head+"2:1:1:1:1:10:"+event+"\n", ""), facts(t, head+"2:1:1:1:1:10:77:1\n", "")
		if _, err := with.Find(want); err != nil {
			t.Errorf("%s with %s: %v", want, event, err)
		}
		if _, err := without.Find(want); err == nil {
			t.Errorf("%s is offered without %s", want, event)
		}
		// Instructions alone are no IPC.
		if _, err := with.Find("ipc"); err == nil {
			t.Errorf("IPC is offered with %s alone", event)
		}
	}
}

// The types of a trace come by the number of their events, then by number, and those that occur are found in ascending
// order. Thread 1 has the types 70000001, 5, 5 and 5, thread 2 has 70000009 three times, 5, and 70000010.
func TestObserve(t *testing.T) {
	f := facts(t, "#Paraver (01/01/2026 at 00:00):100_ns:1(2):1:1(2:1)\n"+
		"2:1:1:1:1:10:70000001:4\n2:1:1:1:1:20:5:1\n2:1:1:1:1:30:5:1\n2:1:1:1:1:40:5:1\n"+
		"2:2:1:1:2:50:70000009:4\n2:2:1:1:2:60:70000009:4\n2:2:1:1:2:70:70000009:5\n2:2:1:1:2:80:5:1\n"+
		"2:2:1:1:2:90:70000010:4\n", "")
	if got := fmt.Sprint(f.Types); got != "[{5 4} {70000009 3} {70000001 1} {70000010 1}]" {
		t.Error(got)
	}
	if got := fmt.Sprint(f.Has(70000009, 6, 5)); got != "[5 70000009]" {
		t.Error(got)
	}
}

// Views of several types have a name each: callers, of nine levels, those of their level, and annotations and
// iterations, most frequent first, those of their types, except the first. Type 9697 is no annotation, and iterations
// are not of a tracer's types.
func TestNamesOfViews(t *testing.T) {
	text, labels := "#Paraver (01/01/2026 at 00:00):1000:1(1):1:1(1:1)\n", ""
	at := 0
	for _, c := range []struct {
		typ, events int
		label       string
	}{{70000001, 1, ""}, {70000002, 1, ""}, {70000009, 1, ""}, {70000010, 1, ""}, {9599, 1, "below"},
		{9600, 2, "Phase"}, {9696, 1, "Range"}, {9697, 1, "above"}, {1001, 3, "Step"}, {1002, 2, "Iteration"},
		{50000003, 9, "Step of MPI"}} {
		for range c.events {
			at += 10
			text += fmt.Sprintf("2:1:1:1:1:%d:%d:1\n", at, c.typ)
		}
		if c.label != "" {
			labels += fmt.Sprintf("EVENT_TYPE\n0    %d    %s\n\n", c.typ, c.label)
		}
	}
	var names []string
	for _, v := range facts(t, text, labels).Views() {
		if v.Doc == "" || v.Window.Name != v.Name {
			t.Errorf("%s: %q, a window %s", v.Name, v.Doc, v.Window.Name)
		}
		for _, prefix := range []string{"MPI caller", "Annotation", "Iteration duration"} {
			if strings.HasPrefix(v.Name, prefix) {
				names = append(names, v.Name)
			}
		}
	}
	slices.Sort(names)
	const want = "Annotation, Annotation: Range, Iteration duration, Iteration duration: Iteration, MPI caller, " +
		"MPI caller, level 2, MPI caller, level 9"
	if got := strings.Join(names, ", "); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// The values of ready views that are plain numbers have a unit: one of the view, or the noun of the counter.
func TestUnitOf(t *testing.T) {
	labels := facts(t, run, "").Trace.Labels
	for name, want := range map[string]string{"IPC": "instructions per cycle", "Counter: PAPI_TOT_INS": "instructions",
		"Counter: PAPI_L1_DCM": "misses", "Counter: joules": "events", "Counter: PAPI_TOT_INS per us": "",
		"Useful": ""} {
		w := semantic.ThreadWindow("Next Evt Val")
		w.Compose[prv.LevelThread] = semantic.Call{Name: "Prod", Params: [][]float64{{1}}}
		w.Name = name
		if got := ready.UnitOf(&w, labels); got != want {
			t.Errorf("%s: %q, not %q", name, got, want)
		}
	}
	times := semantic.ThreadWindow("State Record Dur.")
	times.Name = "IPC"
	if got := ready.UnitOf(&times, labels); got != "" {
		t.Errorf("times in %q", got)
	}
}

// An event type marks iterations if its label has such a word.
func TestIterationLabels(t *testing.T) {
	for label, want := range map[string]bool{"Iteration of the solver": true, "time step": true, "TimeStep": true,
		"z-iter,a": true, "Steps": true, "stepping": false, "": false, "iterationz": false, "ziteration": false,
		"Iter2": true} {
		f := facts(t, "#Paraver (01/01/2026 at 00:00):100_ns:1(1):1:1(1:1)\n2:1:1:1:1:10:1001:4\n",
			"EVENT_TYPE\n0    1001    "+label+"\n")
		_, err := f.Find("Iteration duration")
		if (err == nil) != want {
			t.Errorf("%q: %v", label, err)
		}
	}
}
