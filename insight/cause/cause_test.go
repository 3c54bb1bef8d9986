package cause_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pview/insight/cause"
	"pview/insight/runtest"
	"pview/prv"
	"pview/prv/prvtest"
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
		// Twice the instructions of 1, at the same rates.
		{cause.Sums{1, 2, 2, 2}, cause.Sums{1, 1, 1, 1}, cause.Parts{Instructions: 1}},
		{cause.Sums{1, 1, 1, 1}, cause.Sums{1, 2, 2, 2}, cause.Parts{Instructions: -1}},
		// Nothing to compare: one side has no time or no executions, or counters that read 0.
		{cause.Sums{1, 0, 9, 9}, cause.Sums{1, 50, 9, 9}, cause.Parts{Executions: -50}},
		{cause.Sums{1, 50, 9, 9}, cause.Sums{1, 0, 9, 9}, cause.Parts{Executions: 50}},
		{cause.Sums{0, 150, 9, 9}, cause.Sums{1, 100, 9, 9}, cause.Parts{Executions: 50}},
		{cause.Sums{1, 150, 9, 9}, cause.Sums{0, 100, 9, 9}, cause.Parts{Executions: 50}},
		{cause.Sums{1, 150, 0, 9}, cause.Sums{1, 100, 9, 9}, cause.Parts{Other: 50}},
		{cause.Sums{1, 150, 9, 9}, cause.Sums{1, 100, 0, 9}, cause.Parts{Other: 50}},
		{cause.Sums{1, 150, 9, 0}, cause.Sums{1, 100, 9, 9}, cause.Parts{Other: 50}},
		{cause.Sums{1, 150, 9, 9}, cause.Sums{1, 100, 9, 0}, cause.Parts{Other: 50}},
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
// 0.97 of it are slow. 1.94 is 0.97 of 2.
func TestSlowAmong(t *testing.T) {
	r := &cause.Run{Clock: []float64{2, 1.93, 1.95, 0, 2, 3, 1.94, 0.5}}
	for _, c := range []struct {
		threads []int32
		slow    []int32
		usual   float64
	}{{[]int32{0, 1, 2, 3, 4}, []int32{1}, 2}, {[]int32{0, 5}, []int32{0}, 3},
		{[]int32{1, 2, 5, 0}, []int32{1, 2, 0}, 3}, {[]int32{3}, nil, 0},
		{[]int32{0, 6, 7, 4}, []int32{7}, 2}} {
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

// Five tasks compute ten times for 100. Tasks 3 to 5 have 2 cycles per ns, tasks 1 and 2 have 1, but once more: task 1
// has the clock of the others then, so it has it always and something takes its core. Task 2 has only 1.9.
func TestClocks(t *testing.T) {
	b := runtest.Tasks(5)
	for n := range int64(10) {
		for th := range int32(5) {
			cycles := int64(200)
			switch {
			case th == 1 && n == 7:
				cycles = 190
			case th < 2 && n != 7:
				cycles = 100
			}
			from := n * 110
			b.State(th, 0, from, from+100, 1)
			b.State(th, 0, from+100, from+110, 13)
			b.Event(th, 0, from, prv.Pair{Type: 60000019, Value: 1}, prv.Pair{Type: 42000059, Value: 0})
			b.Event(th, 0, from+100, prv.Pair{Type: 60000019, Value: 0}, prv.Pair{Type: 50000002, Value: 8},
				prv.Pair{Type: 42000050, Value: 100}, prv.Pair{Type: 42000059, Value: cycles})
			b.Event(th, 0, from+110, prv.Pair{Type: 50000002, Value: 0})
		}
	}
	if r := runtest.Computation(t, runtest.Build(t, b)); !slices.Equal(r.Clock, []float64{2, 1, 2, 2, 2}) {
		t.Error(r.Clock)
	}
}

// expectations writes the expected and the extra time of the stretches of each task, which compute the given times
// between collectives; 0: not at all.
func expectations(t *testing.T, times ...[]int64) (text string) {
	t.Helper()
	p := runtest.NewProgram(len(times))
	for n := range times[0] {
		for task := range times {
			if times[task][n] > 0 {
				p.Work(task, 1, times[task][n])
			}
		}
		p.All(runtest.Step{Do: runtest.Meets})
	}
	r := runtest.Computation(t, p.Run(t))
	for _, own := range r.ByThread {
		for i := range own {
			text += fmt.Sprintf(" %.4g", own[i].Expected)
			if own[i].Extra > 0 {
				text += fmt.Sprintf("+%.4g", own[i].Extra)
			}
		}
		text += "\n"
	}
	return text
}

// From three tasks on, an iteration that takes longer on all of them is expected to. 5 % more than expected may be
// chance, 6 % is not. Tasks that compute in different iterations have their own medians between the same calls: of 100
// and 120 it is 110, and times that differ so much are no more than chance. Usual times of 1 count as they are.
func TestExpected(t *testing.T) {
	prvtest.SameText(t, expectations(t, []int64{100, 100, 140, 100, 100}, []int64{100, 100, 140, 105, 100},
		[]int64{100, 100, 140, 100, 106}), `
		 100 100 140 100 100
		 100 100 140 100 100
		 100 100 140 100 100+6
	`)
	prvtest.SameText(t, expectations(t, []int64{100, 100, 120}, []int64{100, 100, 120}, []int64{100, 0, 120}), `
		 100 110 110
		 100 110 110
		 100 120
	`)
	prvtest.SameText(t, expectations(t, []int64{1, 1}, []int64{1, 1}, []int64{1, 1}), `
		 1 1
		 1 1
		 1 1
	`)
}
