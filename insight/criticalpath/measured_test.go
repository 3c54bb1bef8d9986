package criticalpath_test

import (
	"context"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pview/insight/criticalpath"
	"pview/insight/eventgraph"
	"pview/insight/waits"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/execution"
)

// acts has, for each word of these tests, a state, the events at its start, and the one at its end.
var acts = map[string]struct {
	state      uint32
	begin, end []prv.Pair
}{
	"idle": {state: 0}, "run": {state: 1}, "none": {state: 2},
	"send":    {4, []prv.Pair{{Type: 50000001, Value: 1}}, []prv.Pair{{Type: 50000001}}},
	"ssend":   {4, []prv.Pair{{Type: 50000001, Value: 34}}, []prv.Pair{{Type: 50000001}}},
	"recv":    {3, []prv.Pair{{Type: 50000001, Value: 2}}, []prv.Pair{{Type: 50000001}}},
	"waitall": {8, []prv.Pair{{Type: 50000001, Value: 6}}, []prv.Pair{{Type: 50000001}}},
	"init":    {15, []prv.Pair{{Type: 50000003, Value: 31}}, []prv.Pair{{Type: 50000003}}},
	"barrier": {5, []prv.Pair{{Type: 50000002, Value: 8}}, []prv.Pair{{Type: 50000002}}},
	"allreduce": {13, []prv.Pair{{Type: 50000002, Value: 10}, {Type: 50100001, Value: 8},
		{Type: 50100002, Value: 8}, {Type: 50100004, Value: 1}}, []prv.Pair{{Type: 50000002}}},
	"hang": {13, []prv.Pair{{Type: 50000002, Value: 10}, {Type: 50100004, Value: 1}}, nil},
	"fork": {7, []prv.Pair{{Type: 60000001, Value: 3}}, nil},
	"f":    {1, []prv.Pair{{Type: 60000018, Value: 1}}, []prv.Pair{{Type: 60000018}}},
	"join": {7, nil, []prv.Pair{{Type: 60000001}}},
}

var actForm = regexp.MustCompile(`([a-z]+)\[(\d+),(\d+)\)`)

// acted builds a trace of tasks with the given numbers of threads. Each line of text has a thread's acts, as in
// "run[0,20) recv[20,100)", or a message: "2>1", and its four times in the order of the record.
func acted(t *testing.T, tasks []int, text string) *prv.Trace {
	t.Helper()
	head := prv.Header{Unit: prv.Nanoseconds}
	head.AddNode(16)
	head.AddPtask()
	for _, n := range tasks {
		head.AddTask(n, 0)
	}
	b := prv.NewBuilder(head)
	number := func(s string) int64 {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	thread := int32(0)
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if from, rest, ok := strings.Cut(strings.TrimSpace(line), ">"); ok {
			f := strings.Fields(rest)
			c := prv.Comm{Send: int32(number(from)) - 1, Recv: int32(number(f[0])) - 1, Size: 8}
			for i := range 4 {
				c.Times[i] = number(f[1+i])
			}
			b.Comm(c)
			continue
		}
		for _, m := range actForm.FindAllStringSubmatch(line, -1) {
			act, from, to := acts[m[1]], number(m[2]), number(m[3])
			b.State(thread, 0, from, to, act.state)
			if act.begin != nil {
				b.Event(thread, 0, from, act.begin...)
			}
			if act.end != nil {
				b.Event(thread, 0, to, act.end...)
			}
		}
		thread++
	}
	tr, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// The rule, worked by hand. Threads and times are those of the lines; "-" is a message in flight.
func TestMeasuredByHand(t *testing.T) {
	pair, team := []int{1, 1}, []int{2}
	for _, c := range []struct {
		name  string
		tasks []int
		text  string
		want  string
	}{
		// T1 waits [20,70): the path leaves it at 70, when T2 enters its send. 70 + (100 - 70) + (130 - 100) = 130.
		{"late sender", pair, `
			run[0,20) recv[20,100) run[100,130)
			run[0,70) send[70,90) run[90,95)
			2>1 70 90 20 100`,
			"2 0..70 computation, - 70..100 transfer, 1 100..130 computation"},
		// T2's message was sent at 10, before T1 asked at 60: nobody waits. 60 + (75 - 60) + (90 - 75) = 90.
		{"no wait", pair, `
			run[0,60) recv[60,75) run[75,90)
			run[0,10) send[10,20) run[20,50)
			2>1 10 20 60 75`,
			"1 0..60 computation, 1 60..75 mpi, 1 75..90 computation"},
		// T1's synchronous send waits [20,80) until T2 posts its receive: 80 + (100 - 80) + (150 - 100) = 150.
		{"late receiver", pair, `
			run[0,20) ssend[20,100) run[100,150)
			run[0,80) recv[80,110) run[110,115)
			1>2 20 100 80 110`,
			"2 0..80 computation, - 80..100 transfer, 1 100..150 computation"},
		// T1 waits [30,50) for T2, the last at the barrier: 50 + (55 - 50) + (80 - 55) = 80.
		{"barrier", pair, `
			run[0,30) barrier[30,55) run[55,80)
			run[0,50) barrier[50,52) run[52,70)`,
			"2 0..50 computation, 1 50..55 collective, 1 55..80 computation"},
		// The last of an Allreduce is T3, at 60; T2 ends last: 60 + (64 - 60) + (90 - 64) = 90.
		{"collective", []int{1, 1, 1}, `
			run[0,10) allreduce[10,62) run[62,70)
			run[0,30) allreduce[30,64) run[64,90)
			run[0,60) allreduce[60,65) run[65,80)`,
			"3 0..60 computation, 2 60..64 collective, 2 64..90 computation"},
		// MPI_Init is collective, whatever the messages after it cost: T2 enters it last, at 20. 20 + (80 - 20) + 10 +
		// (100 - 90) + (130 - 100) = 130.
		{"init", pair, `
			run[0,10) init[10,80) run[80,85) recv[85,100) run[100,130)
			run[0,20) init[20,80) run[80,90) send[90,95) run[95,100)
			2>1 90 95 85 100`,
			"2 0..20 computation, 2 20..80 collective, 2 80..90 computation, - 90..100 transfer, " +
				"1 100..130 computation"},
		// T1 receives what no message tells: its wait [20,90) is unknown. 20 + (90 - 20) + (100 - 90) = 100.
		{"untold", pair, `
			run[0,20) recv[20,90) run[90,100)
			run[0,80)`,
			"1 0..20 computation, 1 20..90 waiting, 1 90..100 computation"},
		// The operation is not over when the trace ends: no cost of it is known, nor for whom it waits.
		{"endless", pair, `
			run[0,20) hang[20,90)
			run[0,10) hang[10,90)`,
			"1 0..20 computation, 1 20..90 waiting"},
		// T1 forks at 20 and waits [40,60) for T2, which did nothing before: from its function at 24 the path goes back
		// to the fork. 20 + (24 - 20) + (60 - 24) + (62 - 60) + (80 - 62) = 80.
		{"fork and join", team, `
			run[0,20) fork[20,25) f[25,40) join[40,62) run[62,80)
			idle[0,24) f[24,60) idle[60,80)`,
			"1 0..20 computation, 2 20..24 runtime, 2 24..60 computation, 1 60..62 runtime, 1 62..80 computation"},
		// As before, and a second region opens at 90: T2 is idle in [60,90) and its wait is over then; 3 to get there.
		// 20 + 4 + 36 + 2 + (90 - 62) + 3 + (130 - 93) + (132 - 130) = 132.
		{"second region", team, `
			run[0,20) fork[20,25) f[25,40) join[40,62) run[62,90) fork[90,95) f[95,99) join[99,132)
			idle[0,24) f[24,60) idle[60,93) f[93,130) idle[130,132)`,
			"1 0..20 computation, 2 20..24 runtime, 2 24..60 computation, 1 60..62 runtime, 1 62..90 computation, " +
				"2 90..93 runtime, 2 93..130 computation, 1 130..132 runtime"},
		// T2 is not created until the fork at 20, and works at once.
		{"fork at once", team, `
			run[0,20) fork[20,25) f[25,40) join[40,62) run[62,80)
			none[0,20) f[20,60) idle[60,80)`,
			"1 0..20 computation, 2 20..60 computation, 1 60..62 runtime, 1 62..80 computation"},
		// T2 has computed for 5 before, so that the fork does not create it: the path stays on it. 5 + (20 - 5) +
		// (60 - 20) + (62 - 60) + (80 - 62) = 80.
		{"fork of a thread that was there", team, `
			run[0,20) fork[20,25) f[25,40) join[40,62) run[62,80)
			run[0,5) idle[5,20) f[20,60) idle[60,80)`,
			"2 0..5 computation, 2 5..20 other, 2 20..60 computation, 1 60..62 runtime, 1 62..80 computation"},
		// Each thread begins with a fork at 20: neither is made by the other.
		{"two forks", team, `
			none[0,20) fork[20,60)
			none[0,20) fork[20,50)`,
			"2 0..20 other, 1 20..60 runtime"},
		// T1 ends last, at 90, but the run does at 100; and it began at 10. 10 + (90 - 10) + (100 - 90) = 100.
		{"start and end", pair, `
			none[0,10) run[10,90) idle[90,100)
			run[0,80) idle[80,100)`,
			"1 0..10 other, 1 10..90 computation, 1 90..100 other"},
		// Clocks are wrong: T1 waits [20,60) for what T2 sends at 75, T2 [50,70) for what T1 sends at 90. At 60 each
		// waits for the other: the path stays on T2 until it did not, at 50. 50 + (60 - 50) + 30 + 5 + 5 = 100.
		{"circle", pair, `
			run[0,20) recv[20,60) run[60,90) send[90,95) run[95,100)
			run[0,50) recv[50,70) run[70,75) send[75,80) run[80,85)
			2>1 75 80 20 60
			1>2 90 95 50 70`,
			"2 0..50 computation, 2 50..60 waiting, 1 60..90 computation, - 90..95 transfer, 1 95..100 computation"},
	} {
		tr := acted(t, c.tasks, c.text)
		p := find(t, tr, criticalpath.Options{})
		checkWhole(t, tr, p)
		for i := range p.Segments { // text counts in microseconds
			p.Segments[i].Begin *= 1000
			p.Segments[i].End *= 1000
		}
		if got := strings.Join(text(p), ", "); got != c.want {
			t.Errorf("%s: the path is\n%s, not\n%s", c.name, got, c.want)
		}
	}
}

// TestPathsOfTestdata: in each measured trace the path covers the run, is never in a wait whose cause is known, but for
// circles of waits that end at one instant, and goes to another thread only where a wait for that one ends, or to the
// thread that opened the first region of one that has just begun.
func TestPathsOfTestdata(t *testing.T) {
	n, jumps := 0, 0
	err := filepath.WalkDir("../../testdata", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".prv") && !strings.HasSuffix(path, ".prv.gz") {
			return err
		}
		tr, err := prv.Open(context.Background(), path, prv.Options{})
		if err != nil || tr.NumThreads() == 0 || extrae.Recognise(tr.Labels) != extrae.Extrae ||
			execution.IsDriven(tr) || execution.IsSummary(tr) {
			return nil // a trace that tests refuse, or of another kind
		}
		n++
		t.Run(path, func(t *testing.T) { jumps += checkJumps(t, tr) })
		return nil
	})
	if err != nil || n < 30 || jumps < 200 {
		t.Errorf("%d traces with %d jumps, %v", n, jumps, err)
	}
}

// checkJumps checks the path of a measured trace and returns the number of its jumps.
func checkJumps(t *testing.T, tr *prv.Trace) (jumps int) {
	g, err := eventgraph.NewGraph(context.Background(), tr, waits.Options{}, eventgraph.Given{})
	if err != nil {
		t.Fatal(err)
	}
	r, p := g.Waits, find(t, tr, criticalpath.Options{Graph: g})
	checkWhole(t, tr, p)
	for i := range p.Segments {
		s := &p.Segments[i]
		for _, w := range r.Of(s.Thread) {
			if w.From < s.End && w.To > s.Begin && (s.Kind != criticalpath.Waiting ||
				w.Cause >= 0 && w.Flags&waits.BadClock == 0) {
				t.Fatalf("the path is in wait %+v: %+v", w, *s)
			}
		}
		if i == 0 || p.Segments[i-1].Thread == s.Thread {
			continue
		}
		jumps++
		to := p.Segments[i-1].Thread
		if opener, at := r.Fork(s.Thread, s.End); opener == to && at == s.Begin {
			continue
		}
		if !reaches(r, s.Thread, to, s.Begin) {
			t.Fatalf("thread %d does not wait for %d until %d", s.Thread, to, s.Begin)
		}
	}
	return jumps
}

// reaches reports whether waits of a chain that hold at an instant lead from a thread to another.
func reaches(r *waits.Result, from, to int32, at int64) bool {
	for range r.Trace().NumThreads() {
		cause := int32(-1)
		for _, w := range r.Of(from) {
			if w.From < at && at <= w.To {
				cause = w.Cause
			}
		}
		if from = cause; cause < 0 || cause == to {
			return cause == to
		}
	}
	return false
}
