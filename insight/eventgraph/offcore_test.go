package eventgraph_test

import (
	"context"
	"testing"

	"pview/insight/eventgraph"
	"pview/insight/runtest"
	"pview/prv"
)

// counted returns a run of 4 tasks that execute function 1 for 1000 ns and function 2 for 500, ten times, with two
// cycles per ns. busy is the share of the time with cycles.
func counted(t *testing.T, busy func(task, n int, function int64) float64) *eventgraph.Graph {
	t.Helper()
	b := runtest.Tasks(4)
	for task := range 4 {
		at := int64(0)
		read := func(values ...prv.Pair) { b.Event(int32(task), 0, at, values...) }
		b.State(int32(task), 0, 0, 15_000, 1)
		for n := range 10 {
			for function, took := range []int64{1: 1000, 2: 500} {
				if took == 0 {
					continue
				}
				read(prv.Pair{Type: 60000019, Value: int64(function)}, prv.Pair{Type: 42000050},
					prv.Pair{Type: 42000059})
				at += took
				cycles := int64(2 * float64(took) * busy(task, n, int64(function)))
				read(prv.Pair{Type: 60000019}, prv.Pair{Type: 42000050, Value: cycles},
					prv.Pair{Type: 42000059, Value: cycles})
			}
		}
	}
	g := runtest.Graph(t, runtest.Build(t, b))
	if err := g.FindOffCore(context.Background()); err != nil {
		t.Fatal(err)
	}
	return g
}

func TestOffCore(t *testing.T) {
	for name, c := range map[string]struct {
		busy func(task, n int, function int64) float64
		want int64 // of task 3
	}{
		"always": {func(int, int, int64) float64 { return 1 }, 0},
		"once": {func(task, n int, function int64) float64 {
			if task == 2 && n == 4 && function == 1 {
				return 0.4
			}
			return 1
		}, 600},
		// In most executions: the other tasks show the usual rate, as task 3 has their clock in
		// function 2.
		"most": {func(task, n int, function int64) float64 {
			if task == 2 && n < 8 && function == 1 {
				return 0.75
			}
			return 1
		}, 8 * 250},
		// Briefly in each execution but two, more often than a counter errs.
		"most, little": {func(task, n int, function int64) float64 {
			if task == 2 && n < 8 && function == 1 {
				return 0.93
			}
			return 1
		}, 8 * 70},
		// In all code: a lower clock.
		"clock": {func(task, n int, function int64) float64 {
			if task == 2 {
				return 0.75
			}
			return 1
		}, 0},
		// On all tasks alike: this code always has fewer cycles, as where it calls the kernel.
		"kernel": {func(_, _ int, function int64) float64 {
			if function == 1 {
				return 0.75
			}
			return 1
		}, 0},
		// 5 % fewer may be the counter.
		"little": {func(task, n int, function int64) float64 {
			if task == 2 && n == 4 {
				return 0.95
			}
			return 1
		}, 0},
		// A tenth fewer may be the counter as well.
		"a tenth": {func(task, n int, function int64) float64 {
			if task == 2 && n == 4 && function == 1 {
				return 0.9
			}
			return 1
		}, 0},
		"more than a tenth": {func(task, n int, function int64) float64 {
			if task == 2 && n == 4 && function == 1 {
				return 0.89
			}
			return 1
		}, 110},
		// 0.97 of the usual clock is the same clock, so that the rate of the other tasks counts in function 1.
		"same clock": {func(task, n int, function int64) float64 {
			switch {
			case task != 2:
				return 1
			case n < 8 && function == 1:
				return 0.75
			}
			return 0.97
		}, 8 * 250},
		"lower clock": {func(task, n int, function int64) float64 {
			switch {
			case task != 2:
				return 1
			case n < 8 && function == 1:
				return 0.75
			}
			return 0.96
		}, 0},
	} {
		g := counted(t, c.busy)
		if got := g.Without(2, 0, 15_000); got != c.want {
			t.Errorf("%s: %d ns without a core, want %d", name, got, c.want)
		}
		if got := g.Without(1, 0, 15_000); got != 0 {
			t.Errorf("%s: %d ns of task 2", name, got)
		}
	}
	// Function 1 is executed from 6000 on for the fifth time; the time without a core is put first.
	g := counted(t, func(task, n int, function int64) float64 {
		if task == 2 && n == 4 && function == 1 {
			return 0.4
		}
		return 1
	})
	for _, c := range [][3]int64{{0, 6000, 0}, {6000, 6500, 500}, {6500, 15_000, 100}} {
		if got := g.Without(2, c[0], c[1]); got != c[2] {
			t.Errorf("%d ns from %d to %d, want %d", got, c[0], c[1], c[2])
		}
	}
}

// A counter of the time on a core, in ns, against times in us: of the 100 us from 0 it has 60.001, 61 in whole us, and
// of the 50 from 100 all.
func TestTaskClockTells(t *testing.T) {
	const clock = 44838979
	h := prv.Header{Unit: prv.Microseconds}
	h.AddNode(1)
	h.AddPtask()
	h.AddTask(1, 0)
	b := prv.NewBuilder(h)
	b.State(0, 0, 0, 150, 1)
	for _, x := range [][2]int64{{0, 0}, {100, 60_001}, {150, 50_000}} {
		b.Event(0, 0, x[0], prv.Pair{Type: clock, Value: x[1]})
	}
	tr := runtest.Build(t, b)
	tr.Labels.AddType(clock, "perf::TASK-CLOCK [PERF_COUNT_SW_TASK_CLOCK]")
	g := runtest.Graph(t, tr)
	if err := g.FindOffCore(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, c := range [][3]int64{{0, 150, 39}, {0, 39, 39}, {39, 150, 0}, {10, 20, 10}} {
		if got := g.Without(0, c[0], c[1]); got != c[2] {
			t.Errorf("%d us without a core from %d to %d, want %d", got, c[0], c[1], c[2])
		}
	}
}
