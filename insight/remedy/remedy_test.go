package remedy_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"pview/insight/cause"
	"pview/insight/remedy"
	"pview/insight/report"
	"pview/insight/runtest"
	"pview/prv"
)

// The times of the runs below: an iteration computes for a millisecond, an operation takes ten microseconds.
const (
	ms    = 1_000_000
	cost  = 10_000
	clock = 2 // cycles per ns
)

// work is the work of a task in an iteration: time, instructions per cycle, and the share of the time with cycles.
type work struct {
	time      int64
	ipc, busy float64
}

// usual is an iteration without a fault.
var usual = work{ms, 1, 1}

// run makes a run of tasks that compute in one function and then meet in an operation, such as MPI_Allreduce (10) or
// MPI_Barrier (8). Each task has a number of iterations; two tasks are on a node.
func run(t *testing.T, tasks, iterations int, operation int64, of func(task, n int) work) *cause.Run {
	t.Helper()
	return runIn(t, tasks, iterations, operation, of, func(int, int) int64 { return 7 })
}

// runIn is such a run in which tasks and iterations have functions of their own.
func runIn(t *testing.T, tasks, iterations int, operation int64, of func(task, n int) work,
	function func(task, n int) int64) *cause.Run {
	t.Helper()
	return runBoth(t, tasks, 0, iterations, operation, of, function)
}

// runBoth is such a run of tasks, the last of which are a separate application: they meet no other task.
func runBoth(t *testing.T, tasks, apart, iterations int, operation int64, of func(task, n int) work,
	function func(task, n int) int64) *cause.Run {
	t.Helper()
	h := prv.Header{Unit: prv.Nanoseconds}
	for range (tasks + 1) / 2 {
		h.AddNode(2)
	}
	for i := range tasks {
		if i == 0 || i == tasks-apart {
			h.AddPtask()
		}
		h.AddTask(1, i/2)
	}
	b := prv.NewBuilder(h)
	at := make([]int64, tasks)
	for n := range iterations {
		last := int64(0)
		for i := range tasks {
			w := of(i, n)
			from, to := at[i], at[i]+w.time
			counted := float64(w.time) * clock * w.busy
			b.State(int32(i), 0, from, to, 1)
			b.Event(int32(i), 0, from, prv.Pair{Type: 60000019, Value: function(i, n)}, prv.Pair{Type: 42000050},
				prv.Pair{Type: 42000059})
			b.Event(int32(i), 0, to, prv.Pair{Type: 60000019}, prv.Pair{Type: 42000050, Value: int64(counted * w.ipc)},
				prv.Pair{Type: 42000059, Value: int64(counted)})
			if at[i] = to; i < tasks-apart {
				last = max(last, to)
			}
		}
		for i := range tasks - apart {
			b.State(int32(i), 0, at[i], last+cost, 13)
			b.Event(int32(i), 0, at[i], prv.Pair{Type: 50000002, Value: operation},
				prv.Pair{Type: 42000050}, prv.Pair{Type: 42000059})
			b.Event(int32(i), 0, last+cost, prv.Pair{Type: 50000002}, prv.Pair{Type: 42000050},
				prv.Pair{Type: 42000059})
			at[i] = last + cost
		}
	}
	return runtest.Computation(t, runtest.Build(t, b))
}

// first returns the first candidate of a run.
func first(t *testing.T, c *cause.Run) *remedy.Candidate {
	t.Helper()
	list, err := remedy.NewRun(context.Background(), c).Find(nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) == 0 {
		t.Fatal("nothing found")
	}
	return list[0]
}

// fault is a task's behaviour in an iteration, and the expected repair.
type fault struct {
	fault func(n int) work
	cause report.Cause
	when  report.When
	kind  report.Kind
	gain  float64
	spec  string
}

// faults returns faults of task 3 of 8 in 20 iterations, of kinds that counters show. Work is spread over the 8 tasks,
// which gains 7/8 of its excess; other time is removed.
func faults() map[string]fault {
	return map[string]fault{
		// 0.4 ms more work in each iteration: 20 x 0.4 x 7/8.
		"work": {func(int) work { return work{1.4 * ms, 1, 1} }, report.ByWork, report.Steady, report.Imbalance,
			7 * ms, "balance:region=function 7"},
		// The same instructions in 1.4 times as many cycles: 20 x 0.4.
		"ipc": {func(int) work { return work{1.4 * ms, 1 / 1.4, 1} }, report.ByIPC, report.Steady, report.Imbalance,
			8 * ms, "ipc-as-others:region=function 7/threads=1.4.1"},
		// The same cycles in 1.4 times the time.
		"clock": {func(int) work { return work{1.4 * ms, 1, 1 / 1.4} }, report.ByClock, report.Steady, report.Imbalance,
			8 * ms, "clock-as-others:threads=1.4.1"},
		// 0.05, 0.1, ... 1 ms more: 10.5 x 7/8.
		"growing": {func(n int) work { return work{ms + int64(n+1)*ms/20, 1, 1} }, report.ByWork, report.Growing,
			report.Imbalance, 9.1875 * ms, "balance:region=function 7"},
		// 5 ms without cycles in iteration 7.
		"once": {func(n int) work {
			if n == 7 {
				return work{6 * ms, 1, 1. / 6}
			}
			return usual
		}, report.ByPreemption, report.Once, report.Noise, 5 * ms, "own-cores:threads=1.4.1"},
		// 2 ms without cycles in every fourth iteration: 5 x 2.
		"periodic": {func(n int) work {
			if n%4 == 1 {
				return work{3 * ms, 1, 1. / 3}
			}
			return usual
		}, report.ByPreemption, report.Periodic, report.Noise, 10 * ms, "own-cores:threads=1.4.1"},
		// 0.08 ms without cycles, 7 %, in 17 of 20 iterations.
		"often, little": {func(n int) work {
			if n%7 != 3 {
				return work{1.08 * ms, 1, 1 / 1.08}
			}
			return usual
		}, report.ByPreemption, report.Periodic, report.Noise, 17 * 0.08 * ms, "own-cores:threads=1.4.1"},
		// 0.4 ms without cycles in 17 of 20 iterations. The others have the clock of the other tasks.
		"often": {func(n int) work {
			if n%7 != 3 {
				return work{1.4 * ms, 1, 1 / 1.4}
			}
			return usual
		}, report.ByPreemption, report.Periodic, report.Noise, 17 * 0.4 * ms, "own-cores:threads=1.4.1"},
	}
}

// made returns a run in which task 3 has the fault.
func (f fault) made(t *testing.T) *cause.Run {
	t.Helper()
	return run(t, 8, 20, 10, func(task, n int) work {
		if task == 3 {
			return f.fault(n)
		}
		return usual
	})
}

func TestCauses(t *testing.T) {
	for name, c := range faults() {
		made := c.made(t)
		x := first(t, made)
		changed, want := int64(0), -c.gain // of all computation: work only moves
		for node, own := range made.Own {
			changed += x.Edit.OwnAt(int32(node)) - own
		}
		if x.Cause == report.ByWork {
			want = 0
		}
		if math.Abs(float64(changed)-want) > 0.02*c.gain {
			t.Errorf("%s: all computation takes %d more, want %.0f", name, changed, want)
		}
		if x.Kind != c.kind || x.Cause != c.cause || x.When != c.when || len(x.Threads) != 1 || x.Threads[0] != 3 {
			t.Errorf("%s: %s %s %s on %v: %s", name, x.Kind, x.Cause, x.When, x.Threads, x.Title)
		}
		if math.Abs(float64(x.Gain)-c.gain) > 0.02*c.gain {
			t.Errorf("%s: gains %d instead of %.0f", name, x.Gain, c.gain)
		}
		if x.Spec != c.spec {
			t.Errorf("%s: %q", name, x.Spec)
		}
	}
}

// Another task has 0.8 ms more work in each of 16 iterations: their sums are even. Balanced, each iteration is 0.7 ms
// shorter.
func TestMoving(t *testing.T) {
	x := first(t, run(t, 8, 16, 10, func(task, n int) work {
		if n*3%8 == task {
			return work{1.8 * ms, 1, 1}
		}
		return usual
	}))
	if x.When != report.Moving || x.Gain < 11*ms || x.Gain > 11.5*ms {
		t.Errorf("%s, gains %d: %s", x.When, x.Gain, x.Title)
	}
}

// Each of 8 tasks loses its core for 0.5 ms in every fifth of 40 iterations, in turn: each iteration is longer. Where
// all lose it once and together, as programs do that read their files, no finding blames the cores.
func TestAllInterrupted(t *testing.T) {
	x := first(t, run(t, 8, 40, 10, func(task, n int) work {
		if (n+task)%5 == 0 {
			return work{1.5 * ms, 1, 1 / 1.5}
		}
		return usual
	}))
	if x.Kind != report.Noise || x.When != report.Periodic || len(x.Threads) != 8 || x.Gain != 40*ms/2 {
		t.Errorf("%s %s on %v, gains %d: %s", x.Kind, x.When, x.Threads, x.Gain, x.Title)
	}
	checkQuiet(t, run(t, 8, 40, 10, func(_, n int) work {
		if n == 0 {
			return work{11 * ms, 1, 1. / 11}
		}
		return usual
	}))
}

// Task 3 of 8 loses its core for 4 ms in every fifth of 20 iterations, task 5 for 0.8 ms in each of those after them,
// less than half as much but in others: 4 x 4 and 4 x 0.8 ms.
func TestUnequallyInterrupted(t *testing.T) {
	x := first(t, run(t, 8, 20, 10, func(task, n int) work {
		switch {
		case task == 3 && n%5 == 1:
			return work{5 * ms, 1, 1. / 5}
		case task == 5 && n%5 == 2:
			return work{1.8 * ms, 1, 1 / 1.8}
		}
		return usual
	}))
	if x.Kind != report.Noise || !slices.Equal(x.Threads, []int32{3, 5}) || x.Gain != 19.2*ms {
		t.Errorf("%s on %v, gains %d: %s", x.Kind, x.Threads, x.Gain, x.Title)
	}
}

// checkQuiet fails where a finding says that something takes a core.
func checkQuiet(t *testing.T, c *cause.Run) {
	t.Helper()
	list, err := remedy.NewRun(context.Background(), c).Find(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range list {
		if x.Kind == report.Noise {
			t.Error(x.Title)
		}
	}
}

// What a run does once has no usual ratio of cycles to time: with few, as where it reads its files in the kernel, it
// was not interrupted. The first of 20 iterations is a function of its own, of 10 ms with cycles for 1 ms.
func TestOnceIsNotInterrupted(t *testing.T) {
	checkQuiet(t, runIn(t, 2, 20, 10, func(_, n int) work {
		if n == 0 {
			return work{10 * ms, 1, 0.1}
		}
		return usual
	}, func(_, n int) int64 {
		if n == 0 {
			return 9
		}
		return 7
	}))
}

// Task 1 alone computes for 1 ms in each of 20 iterations, in one of them without its core for another ms: 21 in all.
func TestSerialWithoutCore(t *testing.T) {
	list, err := remedy.NewRun(context.Background(), runIn(t, 4, 20, 10, func(task, n int) work {
		switch {
		case task > 0:
			return work{ms / 100, 1, 1}
		case n == 3:
			return work{2 * ms, 1, 0.5}
		}
		return usual
	}, func(task, _ int) int64 {
		if task == 0 {
			return 8
		}
		return 7
	})).Find(nil)
	if err != nil {
		t.Fatal(err)
	}
	const want = "function 8 is serial: only 1.1.1 executes it, 21 ms in all, while the others wait"
	if !slices.ContainsFunc(list, func(x *remedy.Candidate) bool { return x.Title == want }) {
		for _, x := range list {
			t.Errorf("%s", x.Title)
		}
	}
}

// 4 tasks meet in 20 operations. Two leave 10 us after the last has come, the others 50 us later: the title says until
// when the 10 us last.
func TestOperationUntilFirstExit(t *testing.T) {
	b := runtest.Tasks(4)
	for n := range int64(20) {
		at := n * ms
		for th := range int32(4) {
			enter, exit := at+500*us, at+510*us
			if th > 1 {
				exit += 50 * us
			}
			b.State(th, 0, at+60*us, enter, 1)
			b.State(th, 0, enter, exit, 13)
			b.Event(th, 0, enter, prv.Pair{Type: 50000002, Value: 10})
			b.Event(th, 0, exit, prv.Pair{Type: 50000002})
		}
	}
	list, err := remedy.NewRun(context.Background(), runtest.Computation(t, runtest.Build(t, b))).Find(nil)
	if err != nil {
		t.Fatal(err)
	}
	const want = "value 10 is slow: 10 us per operation from the last arrival to the first exit"
	if !slices.ContainsFunc(list, func(x *remedy.Candidate) bool { return strings.HasPrefix(x.Title, want) }) {
		for _, x := range list {
			t.Errorf("%s", x.Title)
		}
	}
}

// Of 4 tasks two make data in a function of their own for 1 ms, and two use them in another one. Each half waits while
// the other one computes: spread over all, either function gains 0.5 ms in each of 20 iterations, in 16 parts nearly
// 15/16 of 1 ms. What only two of four threads execute, without a counterpart, is to be spread.
func TestTakeTurns(t *testing.T) {
	turns := func(uses int64) *remedy.Candidate {
		p := program(4, 500, 1*us)
		p.PerByte = 1
		r := ran(t, p, 20, func(p *runtest.Program) {
			for i := 0; i < 4; i += 2 {
				p.Send(i, i+1)
				p.Work(i+1, 3, 100*us)
				p.Recv(i+1, i)
				p.Work(i, 1, ms)
				p.Add(i, runtest.Step{Do: runtest.Sends, Peer: i + 1, Size: 10_000})
				p.Recv(i+1, i)
				if uses > 0 {
					p.Work(i+1, 2, uses)
				}
			}
		})
		list, err := r.Find(nil)
		if err != nil || len(list) == 0 {
			t.Fatal(list, err)
		}
		return list[0]
	}
	if x := turns(ms); x.Kind != report.Pipelining || x.Gain < 18*ms || x.Gain > 19*ms {
		t.Errorf("%s gains %d: %s", x.Kind, x.Gain, x.Title)
	}
	if x := turns(0); x.Kind != report.SerialWork || x.Gain < 8*ms || x.Gain > 10*ms {
		t.Errorf("%s gains %d: %s", x.Kind, x.Gain, x.Title)
	}
}

// checkCounters: in a run with the work balanced each time all tasks have two cycles per ns, as before; none waits for
// a core.
func checkCounters(t *testing.T, c *cause.Run) {
	t.Helper()
	ctx := context.Background()
	trial, err := remedy.NewRun(ctx, c).Try([]string{"balance:region=function 7:each"})
	if err != nil {
		t.Fatal(err)
	}
	changed, err := c.Trace(ctx, trial.Edit)
	if err != nil {
		t.Fatal(err)
	}
	after := runtest.Computation(t, changed)
	for th, own := range after.ByThread {
		for i := range own {
			if s := &own[i]; math.Abs(s.Cycles/float64(s.Length())-clock) > 0.01*clock {
				t.Fatalf("task %d, %d: %.0f cycles in %d ns", th+1, i, s.Cycles, s.Length())
			}
		}
	}
	checkQuiet(t, after)
}

// Two tasks of a node with a lower clock are the node.
func TestNode(t *testing.T) {
	x := first(t, run(t, 8, 20, 10, func(task, n int) work {
		if task/2 == 2 {
			return work{1.25 * ms, 1, 0.8}
		}
		return usual
	}))
	if x.Cause != report.ByClock || !strings.Contains(x.Title, "node 3 (1.5.1, 1.6.1)") ||
		x.Spec != "clock-as-others:node=3" {
		t.Errorf("%s: %s", x.Spec, x.Title)
	}
}

// The node is named as well where its tasks have more work.
func TestWorkOfANode(t *testing.T) {
	x := first(t, run(t, 8, 20, 10, func(task, n int) work {
		if task/2 == 2 {
			return work{1.25 * ms, 1, 1}
		}
		return usual
	}))
	want := "function 7 takes longer on all threads of node 3 (1.5.1, 1.6.1) than on the others: 1.25 times as many " +
		"instructions"
	if x.Title != want {
		t.Errorf("%s, want %s", x.Title, want)
	}
}

// All do the same, exactly: nothing is wrong.
func TestNothing(t *testing.T) {
	list, err := remedy.NewRun(context.Background(),
		run(t, 8, 20, 10, func(int, int) work { return usual })).Find(nil)
	if err != nil || len(list) > 0 {
		t.Errorf("%v %v", list, err)
	}
}

// What a user writes: the words of a finding give its gain again, and the changed run as a trace ends as simulated.
func TestTry(t *testing.T) {
	ctx := context.Background()
	c := run(t, 8, 20, 8, func(task, n int) work {
		if n*3%8 == task {
			return work{1.5 * ms, 1, 1}
		}
		return usual
	})
	found, err := remedy.NewRun(ctx, c).Find(nil)
	if err != nil || len(found) < 2 {
		t.Fatalf("%v %v", found, err)
	}
	for _, x := range found {
		trial, err := remedy.NewRun(ctx, c).Try([]string{x.Spec})
		if err != nil || trial.Gain() != x.Gain {
			t.Errorf("%s: %v %v instead of %d", x.Spec, trial, err, x.Gain)
		}
	}
	// Without barriers the tasks never wait: the one with most extra work has 20 / 8, rounded up, times 0.5 ms of it.
	trial, err := remedy.NewRun(ctx, c).Try([]string{"remove:call=value 8"})
	if err != nil {
		t.Fatal(err)
	}
	if want := int64(20*ms + 3*ms/2); err != nil || trial.End < want || trial.End > want+100_000 {
		t.Errorf("%v: ends at %d instead of %d", err, trial.End, want)
	}
	changed, err := c.Trace(ctx, trial.Edit)
	if err != nil || changed.Duration != trial.End {
		t.Errorf("the trace lasts %v, the simulation %d: %v", changed.Duration, trial.End, err)
	}
	checkCounters(t, c)
	// Half of the work on all tasks, and a fifth on one: as said.
	for spec, want := range map[string]int64{"faster:region=function 7:50%": (20*1.5*ms)/2 + 20*cost,
		"faster:region=function 7/threads=1.1.1:20%": 20*(1.5*ms+cost) - 3*0.3*ms} {
		trial, err := remedy.NewRun(ctx, c).Try([]string{spec})
		if err != nil || math.Abs(float64(trial.End-want)) > 0.5*ms {
			t.Errorf("%s: %v ends at %d instead of %d", spec, err, trial.End, want)
		}
	}
	for spec, want := range map[string]string{"foo:x": "no action", "faster:region=x:20%": "no such code",
		"faster:region=function 7:200%": "percentage", "remove:call=MPI_Foo": "no such operation",
		"own-cores:threads=9.9.9": "no thread", "eager:what=1": "no target", "split:threads=1.1.1:1": "parts"} {
		if _, err := remedy.NewRun(ctx, c).Try([]string{spec}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", spec, err)
		}
	}
}

// The causal profile of a run whose tasks all do the same: half of the time of the only function is half of the run.
func TestCausalProfile(t *testing.T) {
	c := run(t, 4, 10, 10, func(int, int) work { return usual })
	list, err := remedy.NewRun(context.Background(), c).CausalProfile()
	if err != nil || len(list) != 1 || list[0].Gains[2] != 5*ms || list[0].Time != 40*ms {
		t.Errorf("%+v %v", list, err)
	}
}

// Tasks 0 to 3 are in one function, 4 to 7 in another, and the last of each takes 1.4 ms instead of 1. Spread evenly in
// one function alone, all wait for the other: 0. In both, 1.1 ms each: 20 x 0.3 ms.
func TestJoint(t *testing.T) {
	c := runIn(t, 8, 20, 10, func(task, _ int) work {
		if task%4 == 3 {
			return work{1.4 * ms, 1, 1}
		}
		return usual
	}, func(task, _ int) int64 { return 7 + int64(task/4) })
	x := first(t, c)
	if x.Kind != report.Imbalance || !slices.Equal(x.Threads, []int32{3, 7}) || math.Abs(float64(x.Gain-6*ms)) > 100 {
		t.Errorf("%s on %v gains %d: %s", x.Kind, x.Threads, x.Gain, x.Title)
	}
	trial, err := remedy.NewRun(context.Background(), c).Try([]string{x.Spec})
	if err != nil || math.Abs(float64(trial.Gain()-x.Gain)) > 100 {
		t.Errorf("%q: %+v, %v", x.Spec, trial, err)
	}
	for _, spec := range strings.Split(x.Spec, "; ") {
		if trial, err := remedy.NewRun(context.Background(), c).Try([]string{spec}); err != nil || trial.Gain() > 100 {
			t.Errorf("%q alone: %+v, %v", spec, trial, err)
		}
	}
}

// Two applications of two tasks: those of the second compute for 10 ms, in a function of their own, while the first has
// nothing to do. Both of its tasks do, so that the code is not serial: the first application cannot share it.
func TestSerialOfOneApplication(t *testing.T) {
	b := runtest.Tasks(2, 2)
	for i := range int32(4) {
		from, to := int64(0), int64(ms)
		if i > 1 {
			from, to = ms, 11*ms
		}
		b.State(i, 0, from, to, 1)
		b.Event(i, 0, from, prv.Pair{Type: 60000019, Value: int64(1 + i/2)})
		b.Event(i, 0, to, prv.Pair{Type: 60000019})
		b.State(i, 0, to, 12*ms, 13)
		b.Event(i, 0, to, prv.Pair{Type: 50000002, Value: 8})
		b.Event(i, 0, 12*ms, prv.Pair{Type: 50000002})
	}
	list, err := remedy.NewRun(context.Background(), runtest.Computation(t, runtest.Build(t, b))).Find(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		if c.Kind == report.SerialWork {
			t.Errorf("%s", c.Title)
		}
	}
}

// Task 1 of 4 is in a function of its own for 12 ms. The others compute for a while, then meet it in a barrier or have
// ended. Shared out, it takes 3 ms on each, in addition to what the others compute.
func TestSharedWork(t *testing.T) {
	for _, c := range []struct {
		others  int64
		barrier bool
		gain    int64
		says    string
	}{
		{4 * ms, false, 5 * ms, "while the others compute for 33.3 % of that time"}, // 4 + 3 ms instead of 12
		{1 * ms, false, 8 * ms, "while the others have ended"},
		{1 * ms, true, 8 * ms, "while the others wait"},
	} {
		b := runtest.Tasks(4)
		for i := range int32(4) {
			to, function := c.others, int64(2)
			if i == 0 {
				to, function = 12*ms, 1
			}
			b.State(i, 0, 0, to, 1)
			b.Event(i, 0, 0, prv.Pair{Type: 60000019, Value: function})
			b.Event(i, 0, to, prv.Pair{Type: 60000019})
			if c.barrier {
				b.State(i, 0, to, 12*ms, 13)
				b.Event(i, 0, to, prv.Pair{Type: 50000002, Value: 8})
				b.Event(i, 0, 12*ms, prv.Pair{Type: 50000002})
			}
		}
		run := runtest.Computation(t, runtest.Build(t, b))
		x := first(t, run)
		if x.Kind != report.SerialWork || x.Gain != c.gain || !strings.HasSuffix(x.Title, c.says) {
			t.Errorf("gains %d instead of %d: %s", x.Gain, c.gain, x.Title)
		}
		trial, err := remedy.NewRun(context.Background(), run).Try([]string{x.Spec})
		if err != nil || trial.Gain() != c.gain {
			t.Errorf("%q: %+v, %v", x.Spec, trial, err)
		}
	}
}

// Task 1 computes for a millisecond before each message to task 2, and nothing is gained from sending them together:
// what they carry is not there before the last.
func TestMessagesBetweenWork(t *testing.T) {
	p := runtest.NewProgram(2)
	for range 8 {
		p.Work(0, 1, ms)
		p.Send(0, 1)
		p.Work(1, 2, ms*9/10)
		p.Recv(1, 0)
	}
	r := remedy.NewRun(context.Background(), runtest.Computation(t, p.Run(t)))
	list, err := r.Find(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range list {
		if x.Kind == report.SmallMessages {
			t.Errorf("gains %d: %s", x.Gain, x.Title)
		}
	}
	if trial, err := r.Try([]string{"pack"}); err == nil && trial.Gain() != 0 {
		t.Errorf("pack gains %d", trial.Gain())
	}
}
