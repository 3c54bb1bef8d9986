package remedy_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/insight/remedy"
	"pview/insight/report"
	"pview/insight/runtest"
	"pview/prv"
	"pview/render/document"
)

// turns returns a run of two tasks in 8 iterations: in 4 task 1 computes for 2 ms and task 2 for 1, in 4 it is the
// other way round. Each iteration takes 2.01 ms.
func turns(t *testing.T) *remedy.Run {
	return remedy.NewRun(context.Background(), run(t, 2, 8, 10, func(task, n int) work {
		if n < 4 == (task == 0) {
			return work{2 * ms, 1, 1}
		}
		return usual
	}))
}

// halfSlow returns a run of 4 tasks, of which those on node 2 need twice as many cycles, or have half of the clock.
func halfSlow(t *testing.T, ipc, busy float64) *remedy.Run {
	return remedy.NewRun(context.Background(), run(t, 4, 10, 10, func(task, _ int) work {
		if task > 1 {
			return work{2 * ms, ipc, busy}
		}
		return usual
	}))
}

// User-written changes, on runs with known times.
func TestSpecs(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	far, slowCode, slowClock := swaps(t, 2, false), halfSlow(t, 0.5, 1), halfSlow(t, 1, 0.5)
	for _, c := range []struct {
		run  *remedy.Run
		spec string
		gain int64
	}{
		// Without the operations each task computes for 12 ms: 8 x 2.01 less 12.
		{turns(t), "remove:call=value 10", 8*2010*us - 12*ms},
		// Task 1 begins the operations at 2, 4, 6, 8 ms and task 2 can begin each once the one before is done, 10 us
		// later: 8.01 before 4 x 2 ms begin, but the last computation of task 1 waits for the 7th.
		{turns(t), "nonblocking:call=value 10", 8*2010*us - 14_010*us},
		{turns(t), "nonblocking:", 8*2010*us - 14_010*us},
		// One of two tasks does the work of both: half of it is 1 ms in each iteration.
		{turns(t), "share:region=function 7", 8 * ms},
		// Half of task 1's time goes to the other: it takes 2 ms in 4 iterations, and 2.5 in 4.
		{turns(t), "share:region=function 7/threads=1.1.1", -2 * ms},
		// The sums are even; the executions are not: 1.5 ms each instead of 2.
		{turns(t), "balance:region=function 7", 0},
		{turns(t), "balance:region=function 7:each", 4 * ms},
		// Two changes at once: a tenth less of 2 ms in 4 iterations, and a fifth less in 4 others.
		{turns(t), "faster:threads=1.1.1:10%; faster:threads=1.2.1:20%", 4*200*us + 4*400*us},
		{turns(t), "faster:node=1:10", 8 * 200 * us},
		// Node 2 has half of the rate of the others: 1 ms less in each of 10 iterations.
		{slowCode, "ipc-as-others:node=2", 10 * ms},
		{slowCode, "clock-as-others:node=2", 0},
		{slowClock, "clock-as-others:node=2", 10 * ms},
		{slowClock, "ipc-as-others:node=2", 0},
		// One of the two is repaired, the other keeps its time.
		{slowClock, "clock-as-others:threads=1.3.1", 0},
		{far, "map:" + write("even", "1 2\n1,2\n"), 200 * (200*us - 1001)},
		{far, "map:" + write("same", "1 1 2 2"), 0},
		// A send that waits 1 ms for its receive, before another ms; in 20 iterations, and the message takes 1 us.
		{rendezvous(t), "eager", 20 * ms},
		// In 4 parts: data are made in 50 us, take 4 x 0.5 ms, and the last is used in 0.5 ms; 4 calls receive.
		{largeMessages(t), "split:threads=1.1.1:4", 20 * (4200*us - 50*us - 2000*us - 500*us)},
	} {
		trial, err := c.run.Try([]string{c.spec})
		if err != nil {
			t.Errorf("%s: %v", c.spec, err)
			continue
		}
		if off := trial.Gain() - c.gain; max(off, -off)*200 > max(c.gain, -c.gain, 200*10) || trial.Deviation() != 0 {
			t.Errorf("%s gains %d, not %d; off by %f", c.spec, trial.Gain(), c.gain, trial.Deviation())
		}
	}
	farm := farmRun(t, 5, 2, 2*us, tasks(24, ms))
	for _, c := range []struct {
		run         *remedy.Run
		specs, want string
	}{
		{far, "map:" + write("third", "1 2\n3 1"), `third:2: "3" must be a node from 1 to 2`},
		{far, "map:" + write("few", "1 2 1"), "has nodes for 3 tasks, the run has 4"},
		{far, "map:" + filepath.Join(dir, "none"), "none"},
		{far, "clock-as-others:threads=1.1.1", "no counters"},
		{far, "split:threads=1.1.1:1", "parts from 2 to 1024"},
		{far, "split:threads=1.1.1:1025", "parts from 2 to 1024"},
		{turns(t), "split:threads=1.1.1:2", "no message between computation"},
		{turns(t), "remove:site=a.c:3", "no such operation: site=a.c:3"},
		{turns(t), "balance:region=function 9", `no region "function 9" on several threads`},
		{turns(t), "pack:threads=1.1.1:4", "nothing in this run to pack"},
		{farm, "workers:threads=1.4.1-1.5.1; faster:threads=1.1.1:1%", "simulated alone"},
	} {
		if _, err := c.run.Try([]string{c.specs}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.specs, err, c.want)
		}
	}
	trial, err := farm.Try([]string{"workers:threads=1.4.1-1.5.1"})
	if err == nil {
		_, err = trial.Trace(context.Background())
	}
	if err == nil || !strings.Contains(err.Error(), "simulated without a trace") {
		t.Errorf("%v", err)
	}
}

// The file and line of a call: task 1 calls the operation of each second iteration from another line.
func TestSite(t *testing.T) {
	b := runtest.Tasks(2)
	at := int64(0)
	for n := range int64(4) {
		for i := range int32(2) {
			// Task 1 computes for 1 and 2 ms in turn, task 2 the other way round.
			end := at + ms*(1+(n+int64(i))%2)
			b.State(i, 0, at, end, 1)
			b.Event(i, 0, end, prv.Pair{Type: 50000002, Value: 10}, prv.Pair{Type: 80000001, Value: 1 + n%2})
			b.State(i, 0, end, at+2*ms+cost, 13)
			b.Event(i, 0, at+2*ms+cost, prv.Pair{Type: 50000002})
		}
		at += 2*ms + cost
	}
	tr := runtest.Build(t, b)
	tr.Labels = &prv.Labels{}
	tr.Labels.AddType(80000001, "Caller line", prv.ValueLabel{Value: 1, Label: "a.c:3 (main)"},
		prv.ValueLabel{Value: 2, Label: "b.c:4"})
	r := remedy.NewRun(context.Background(), runtest.Computation(t, tr))
	for spec, gain := range map[string]int64{
		// The first and the third are left out: two iterations together take 3 ms, and 10 us.
		"remove:site=a.c:3": 2 * (ms + cost),
		// Without the second two of them do, without the last it ends after 2 ms, too.
		"remove:site=b.c:4": ms + 2*cost,
		"remove:site=a.c:":  -1,
	} {
		switch trial, err := r.Try([]string{spec}); {
		case gain < 0:
			if err == nil {
				t.Errorf("%s gains %d", spec, trial.Gain())
			}
		case err != nil || trial.Gain() != gain:
			t.Errorf("%s: %+v, %v, not %d", spec, trial, err, gain)
		}
	}
}

// All 8 tasks execute a function with the same instructions to the last one, in every second iteration, and another one
// with more instructions the later the task is. 1 ms of the former, 10 times, of which an eighth is enough.
func TestReplicated(t *testing.T) {
	for name, differ := range map[string]int64{"another differs": us, "all alike": 0} {
		c := runIn(t, 8, 20, 10, func(task, n int) work {
			return work{ms + int64(n%2)*int64(task)*differ, 1, 1}
		}, func(_, n int) int64 { return 7 + int64(n%2) })
		list, err := remedy.NewRun(context.Background(), c).Find(nil)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(list, func(x *remedy.Candidate) bool { return x.Kind == report.Replicated })
		switch {
		case differ == 0:
			if i >= 0 {
				t.Errorf("%s: %s", name, list[i].Title)
			}
		case i < 0 || list[i].Gain != 8750*us || list[i].Spec != "share:region=function 7":
			t.Errorf("%s: %+v", name, list)
		}
	}
}

// The first thread of a team computes alone for 0.8 ms after each parallel region: four could do it in 0.2.
func TestSerialInTeam(t *testing.T) {
	h := prv.Header{Unit: prv.Nanoseconds}
	h.AddNode(4)
	h.AddPtask()
	h.AddTask(4, 0)
	b := prv.NewBuilder(h)
	at := int64(0)
	for range 20 {
		b.Event(0, 0, at, prv.Pair{Type: 60000001, Value: 3})
		for th := range int32(4) {
			b.Event(th, 0, at, prv.Pair{Type: 60000018, Value: 1})
			b.State(th, 0, at, at+ms, 1)
			b.Event(th, 0, at+ms, prv.Pair{Type: 60000018})
		}
		at += ms
		b.Event(0, 0, at, prv.Pair{Type: 60000001}, prv.Pair{Type: 60000019, Value: 2})
		b.State(0, 0, at, at+800*us, 1)
		at += 800 * us
		b.Event(0, 0, at, prv.Pair{Type: 60000019})
	}
	x := first(t, runtest.Computation(t, runtest.Build(t, b)))
	if x.Rule != remedy.TeamSerialID || x.Gain != 20*600*us || !slices.Equal(x.Threads, []int32{0}) {
		t.Errorf("%+v", x)
	}
}

// Two repairs as one: task 3 of 4 needs 1.4 ms instead of 1 in one function, task 2 in the next. Each gains 4 ms of 10
// iterations, both 8; a third one that is the first again adds nothing.
func TestTogether(t *testing.T) {
	c := runIn(t, 4, 20, 10, func(task, n int) work {
		if task == 2-n%2 {
			return work{1.4 * ms, 1, 1 / 1.4}
		}
		return usual
	}, func(_, n int) int64 { return 7 + int64(n%2) })
	r := remedy.NewRun(context.Background(), c)
	edit := func(spec string) *remedy.Candidate {
		trial, err := r.Try([]string{spec})
		if err != nil {
			t.Fatal(err)
		}
		return &remedy.Candidate{Edit: trial.Edit}
	}
	one, two := edit("clock-as-others:region=function 7/threads=1.3.1"),
		edit("clock-as-others:region=function 8/threads=1.2.1")
	for _, x := range []struct {
		list     []*remedy.Candidate
		two, all int64
	}{
		{nil, 0, 0},
		{[]*remedy.Candidate{one}, 0, 0},
		{[]*remedy.Candidate{one, {}}, 0, 0},
		{[]*remedy.Candidate{one, two}, 8 * ms, 8 * ms},
		{[]*remedy.Candidate{one, {Edit: r.NewEdit()}, two}, 4 * ms, 8 * ms},
	} {
		two, all := r.Together(x.list)
		if max(two-x.two, x.two-two) > 20 || max(all-x.all, x.all-all) > 20 {
			t.Errorf("%d of them gain %d and %d, not %d and %d", len(x.list), two, all, x.two, x.all)
		}
	}
}

// What a trial and the causal profile print. A tenth less of 8 x 2 ms is 1.6 of 16.08 ms.
func TestDocuments(t *testing.T) {
	r := turns(t)
	trial, err := r.Try([]string{"faster:threads=1.1.1:10%", "faster:threads=1.2.1:10%"})
	if err != nil {
		t.Fatal(err)
	}
	plain := func(s string) string { return s }
	said := "1.6 ms shorter: 14.48 ms instead of 16.08 ms, 10.0 %\n\n  faster:threads=1.1.1:10%\n"
	if got := document.Text(trial.Document("a.prv", prv.Nanoseconds), plain); !strings.Contains(got, said) {
		t.Errorf("%q, want %q", got, said)
	}
	// A change that takes longer, in a run whose replay ends 8 % early.
	worse := &remedy.Trial{Specs: []string{"map"}, Base: 92, End: 115, Measured: 100}
	said = "23 ns longer: 115 ns instead of 92 ns, -25.0 % (the replay is 8.0 % off)"
	if got := document.Text(worse.Document("a.prv", prv.Nanoseconds), plain); !strings.Contains(got, said) {
		t.Errorf("%q, want %q", got, said)
	}
	// In microseconds the times are a thousand times as long.
	row := trial.Document("a.prv", prv.Microseconds).Rows().Rows[0]
	if want := []any{"faster:threads=1.1.1:10% faster:threads=1.2.1:10%", 16.08e9, 14.48e9, 1.6e9}; !slices.Equal(row,
		want) {
		t.Errorf("%v, want %v", row, want)
	}
	object, err := json.Marshal(worse.Document("a.prv", prv.Microseconds).Object())
	said = `{"path":"a.prv","repairs":["map"],"base_ns":92000,"total_ns":115000,"gain_ns":-23000,` +
		`"replay":{"deviation_percent":8}}`
	if err != nil || string(object) != said {
		t.Errorf("%s, %v, want %s", object, err, said)
	}
	profile, err := r.CausalProfile()
	if err != nil {
		t.Fatal(err)
	}
	d := remedy.CausalDocument(profile, r, "a.prv", r.End, prv.Nanoseconds)
	// The function takes 12 ms on each task; a tenth less of it is 0.2 ms in each iteration.
	want := []any{"function 7", 24e6, 1.6e6, 3.2e6, 8e6}
	if row := d.Rows().Rows[0]; !slices.Equal(row, want) {
		t.Errorf("%v, want %v", row, want)
	}
	got := document.Text(d, plain)
	for _, want := range []string{"Region", "10 % faster", "function 7", "24 ms", "1.6 ms  10.0 %", "3.2 ms  19.9 %",
		"8 ms  49.8 %"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	name, gain, err := r.TwiceAsFast()
	if err != nil || name != "function 7" || gain != 8*ms {
		t.Errorf("%s gains %d: %v", name, gain, err)
	}
}
