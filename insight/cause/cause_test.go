package cause_test

import (
	"math"
	"slices"
	"testing"

	"pview/insight/cause"
	"pview/insight/runtest"
	"pview/prv"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// Twice the cycles for the same instructions: all of the 100 is IPC. Twice the executions at half the clock, 400
// instead of 100: both factors are 2, so each has half of the 300. Four times as long in twice the executions without
// counters: half and half again, the rest without a name.
func TestDivide(t *testing.T) {
	for _, c := range []struct {
		a, b cause.Sums
		want cause.Parts
	}{
		{cause.Sums{10, 200, 1000, 400}, cause.Sums{10, 100, 1000, 200}, cause.Parts{IPC: 100}},
		{cause.Sums{2, 400, 200, 200}, cause.Sums{1, 100, 100, 100}, cause.Parts{Executions: 150, Clock: 150}},
		{cause.Sums{2, 400, 0, 0}, cause.Sums{1, 100, 0, 0}, cause.Parts{Executions: 150, Other: 150}},
		{cause.Sums{2, 100, 300, 100}, cause.Sums{2, 100, 300, 100}, cause.Parts{}},
		{cause.Sums{3, 90, 9, 9}, cause.Sums{}, cause.Parts{Executions: 90}},
	} {
		got := cause.Divide(c.a, c.b)
		if !near(got.Executions, c.want.Executions) || !near(got.Instructions, c.want.Instructions) ||
			!near(got.IPC, c.want.IPC) || !near(got.Clock, c.want.Clock) || !near(got.Other, c.want.Other) {
			t.Errorf("%v - %v: %+v, want %+v", c.a, c.b, got, c.want)
		}
		sum := got.Executions + got.Instructions + got.IPC + got.Clock + got.Other
		if !near(sum, c.a.Time-c.b.Time) {
			t.Errorf("%+v sums to %f", got, sum)
		}
	}
}

// computation returns a run of tasks that execute one function and then meet in a barrier that takes 10, four times.
// Cycles are counted, two per ns, but for the last 300 of the third execution of task 2, which takes 400 instead of
// 100.
func computation(t *testing.T) *cause.Run {
	t.Helper()
	const tasks = 4
	b := runtest.Tasks(tasks)
	pair := func(typ uint32, v int64) prv.Pair { return prv.Pair{Type: typ, Value: v} }
	from := int64(0)
	for n := range 4 {
		last := from + 100
		if n == 2 {
			last = from + 400
		}
		for th := range int32(tasks) {
			to := from + 100
			if th == 1 {
				to = last
			}
			b.State(th, 0, from, to, 1)
			b.Event(th, 0, from, pair(60000019, 1), pair(42000050, 0), pair(42000059, 0))
			b.Event(th, 0, to, pair(60000019, 0), pair(50000002, 8), pair(42000050, 100), pair(42000059, 200))
			b.State(th, 0, to, last+10, 13)
			b.Event(th, 0, last+10, pair(50000002, 0), pair(42000050, 0), pair(42000059, 0))
		}
		from = last + 10
	}
	return runtest.Computation(t, runtest.Build(t, b))
}

// One execution of one task is 300 beyond the usual 100, and has the cycles of 100: at 2 per ns the 300 were lost.
func TestExtra(t *testing.T) {
	r := computation(t)
	if !r.Counters || !near(r.Clock[1], 2) {
		t.Fatalf("counters %v, clocks %v", r.Counters, r.Clock)
	}
	for th, own := range r.ByThread {
		if len(own) != 4 {
			t.Fatalf("task %d has %d stretches", th+1, len(own))
		}
		for n := range own {
			s := &own[n]
			extra := 0.0
			if th == 1 && n == 2 {
				extra = 300
			}
			if !near(s.Expected, 100) || !near(s.Extra, extra) || !near(r.Lost(s), extra) {
				t.Errorf("task %d, execution %d: expected %f, extra %f, lost %f", th+1, n+1, s.Expected, s.Extra,
					r.Lost(s))
			}
		}
	}
}

// Of clocks of 2, 2, 1.95, 1.93 and 0, which is not known, a quarter may be higher than the usual one, 2: those below
// 0.97 of it are slow.
func TestSlowAmong(t *testing.T) {
	r := &cause.Run{Clock: []float64{2, 1.93, 1.95, 0, 2, 3}}
	for _, c := range []struct {
		threads []int32
		slow    []int32
		usual   float64
	}{{[]int32{0, 1, 2, 3, 4}, []int32{1}, 2}, {[]int32{0, 5}, []int32{0}, 3},
		{[]int32{1, 2, 5, 0}, []int32{1, 2, 0}, 3}, {[]int32{3}, nil, 0}} {
		if slow, usual := r.SlowAmong(c.threads); !slices.Equal(slow, c.slow) || usual != c.usual {
			t.Errorf("of %v: %v are slower than %g", c.threads, slow, usual)
		}
	}
}

func TestSums(t *testing.T) {
	var s cause.Sums
	s.Add(&cause.Stretch{From: 10, To: 30, Instructions: 6, Cycles: 12})
	s.Add(&cause.Stretch{From: 40, To: 45, Instructions: 2, Cycles: 4})
	if s != (cause.Sums{2, 25, 8, 16}) || s.IPC() != 0.5 || s.Scaled(4) != (cause.Sums{0.5, 6.25, 2, 4}) ||
		s.Scaled(0) != s || (&cause.Sums{}).IPC() != 0 {
		t.Errorf("%+v", s)
	}
	if m := cause.LogMean(3, 3); m != 3 {
		t.Error(m)
	}
}

// Two tasks are too few for the usual time of an iteration: for task 2 it is the median of 100, 100, 103 and 140.
func TestExtraOfTwo(t *testing.T) {
	p := runtest.NewProgram(2)
	for _, time := range []int64{100, 100, 103, 140} {
		p.Work(0, 1, 100)
		p.Work(1, 1, time)
		p.All(runtest.Step{Do: runtest.Meets})
	}
	r := runtest.Computation(t, p.Run(t))
	for n, want := range []float64{0, 0, 0, 40 - 1.5} {
		if s := &r.ByThread[1][n]; s.Expected != 101.5 || s.Extra != want {
			t.Errorf("execution %d: expected %f, extra %f", n+1, s.Expected, s.Extra)
		}
	}
}
