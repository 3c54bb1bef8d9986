package compare_test

import (
	"slices"
	"strings"
	"testing"

	"pview/insight/compare"
	"pview/prv"
	"pview/render/document"
)

// Counters of Extrae.
const (
	instructions = 42000050
	cycles       = 42000059
)

// counted returns a run of four threads that solve again and again, for times and cycles that a change gives.
func counted(t *testing.T, iterations int, of func(th, n int) (time, cycles int64)) *compare.Run {
	return countedOn(t, 4, iterations, of, func(int) int64 { return 2 })
}

func countedOn(t *testing.T, threads, iterations int, of func(th, n int) (time, cycles int64),
	function func(n int) int64) *compare.Run {
	s := newScript(threads, prv.Nanoseconds)
	for n := range iterations {
		for th := range threads {
			time, spent := of(th, n)
			s.b.Event(int32(th), 0, s.now[th], prv.Pair{Type: userFunction, Value: function(n)},
				prv.Pair{Type: instructions, Value: 0}, prv.Pair{Type: cycles, Value: 0})
			s.state(th, running, time)
			s.b.Event(int32(th), 0, s.now[th], prv.Pair{Type: userFunction, Value: 0}, prv.Pair{Type: instructions,
				Value: 200_000}, prv.Pair{Type: cycles, Value: spent})
		}
		s.meet(10)
	}
	tr := s.trace(t)
	tr.Labels.AddType(instructions, "PAPI_TOT_INS [Instr completed]")
	tr.Labels.AddType(cycles, "PAPI_TOT_CYC [Total cycles]")
	return analyse(t, tr)
}

func even(int, int) (time, cycles int64) { return 100_000, 200_000 }

// The reasons in the sentence are those of the region on the threads that it names, and of whole iterations. A run
// takes 20 times 100,001 ns; thread 1.2 has 200,000 instructions at 2 GHz.
func TestReasons(t *testing.T) {
	base := counted(t, 20, even)
	for _, c := range []struct {
		change string
		of     func(th, n int) (time, cycles int64)
		want   string
	}{
		{"twice the cycles", func(th, _ int) (int64, int64) {
			if th == 1 {
				return 200_000, 400_000
			}
			return 100_000, 200_000
		}, "computing in solve on thread 1.2 (IPC 1.00 -> 0.50: +2 ms), +75.0 % waiting for it"},
		{"half the clock", func(th, _ int) (int64, int64) {
			if th == 1 {
				return 200_000, 200_000
			}
			return 100_000, 200_000
		}, "computing in solve on thread 1.2 (2.00 -> 1.00 GHz: +2 ms), +75.0 % waiting for it"},
		{"a core taken away", func(th, n int) (int64, int64) {
			if th == 1 && n == 12 {
				return 500_000, 200_000
			}
			return 100_000, 200_000
		}, "execution 13 of solve on 1.2 took 400 us longer, without cycles"},
		// Each stretch takes 30 or 60 us longer, which makes 20 times 45 in all: no lower clock does that.
		{"a core taken away in each stretch, once or twice", func(th, n int) (int64, int64) {
			if th == 1 {
				return 130_000 + 30_000*int64(n%2), 200_000
			}
			return 100_000, 200_000
		}, "computing in solve on thread 1.2 (without cycles: +900 us)"},
	} {
		r := compared(t, base, counted(t, 20, c.of), compare.Matching{})
		if !strings.Contains(r.Headline(), c.want) {
			t.Errorf("%s: %q does not say %q", c.change, r.Headline(), c.want)
		}
	}
	r := compared(t, base, counted(t, 21, even), compare.Matching{})
	if want := ": one iteration more: 100 us"; !strings.HasSuffix(r.Headline(), want) {
		t.Errorf("%q does not say %q", r.Headline(), want)
	}
	if want := "A 2 ms, B 2.1 ms: +100 us (+5.0 %)"; r.Durations() != want {
		t.Errorf("%q, want %q", r.Durations(), want)
	}
}

// A figure belongs to the region and threads next to it, or mostly so. Solve takes 20 times 80 us longer on thread 1.2
// and 7 us on the other three, 79 % of it on 1.2.
func TestMostly(t *testing.T) {
	got := compared(t, counted(t, 20, even), counted(t, 20, func(th, _ int) (int64, int64) {
		if th == 1 {
			return 180_000, 360_000
		}
		return 107_000, 214_000
	}), compare.Matching{}).Headline()
	if want := "+25.2 % computing in solve, mostly on thread 1.2 ("; !strings.Contains(got, want) {
		t.Errorf("%q does not say %q", got, want)
	}
}

// Without functions, the code between two calls is a region. All compute 60 longer after Bcast and 30 after Reduce, in
// ten iterations of 202.
func TestMostlyInRegion(t *testing.T) {
	after := func(s *script, operation, time int64) {
		s.meet(operation)
		for th := range s.now {
			s.state(th, running, time)
		}
	}
	run := func(first, second int64) *compare.Run {
		s := newScript(4, prv.Nanoseconds)
		for range 10 {
			after(s, 7, first)
			after(s, 9, second)
		}
		return analyse(t, s.trace(t))
	}
	got := compared(t, run(100, 100), run(160, 130), compare.Matching{}).Headline()
	if want := "+44.6 % computing, mostly in MPI_Bcast to MPI_Reduce"; !strings.Contains(got, want) {
		t.Errorf("%q does not say %q", got, want)
	}
}

// Time in no function is not all of its category. Twenty iterations of 101: in A 100 of each are solve, B computes 160
// outside of functions: 20 * 160 / 2020 and -20 * 100 / 2020.
func TestInNoFunction(t *testing.T) {
	run := func(function, time int64) *compare.Run {
		s := newScript(2, prv.Nanoseconds)
		for range 20 {
			for th := range s.now {
				if function > 0 {
					s.b.Event(int32(th), 0, s.now[th], prv.Pair{Type: userFunction, Value: function})
				}
				s.state(th, running, time)
				if function > 0 {
					s.b.Event(int32(th), 0, s.now[th], prv.Pair{Type: userFunction, Value: 0})
				}
			}
			s.meet(10)
		}
		return analyse(t, s.trace(t))
	}
	got := compared(t, run(2, 100), run(0, 160), compare.Matching{}).Headline()
	for _, want := range []string{": +158 % computing in no function, in MPI_Allreduce to MPI_Allreduce (",
		", -99.0 % computing in solve ("} {
		if !strings.Contains(got, want) {
			t.Errorf("%q does not say %q", got, want)
		}
	}
	got = compared(t, run(0, 100), run(0, 160), compare.Matching{}).Headline()
	if want := "+59.4 % computing in MPI_Allreduce to MPI_Allreduce"; !strings.HasSuffix(got, want) {
		t.Errorf("%q does not say %q", got, want)
	}
}

// Each thread starts for a millisecond, of which it has a core for 200 us, and then shares 16 times 100 us with the
// others: on 4 threads instead of 2 all starts have twice the instructions, and without cycles is as large a share of
// them as before. 2 x (1,000 + 8 x 100) us become 4 x (1,000 + 4 x 100) us, all of it more in init.
func TestScaledReasons(t *testing.T) {
	run := func(threads int) *compare.Run {
		return countedOn(t, threads, 1+16/threads, func(_, n int) (int64, int64) {
			if n == 0 {
				return 1_000_000, 400_000
			}
			return 100_000, 200_000
		}, func(n int) int64 { return int64(min(2, n+1)) })
	}
	got := compared(t, run(2), run(4), compare.Matching{}).Headline()
	if want := " in init (2.00 times the instructions: +2 ms)"; !strings.Contains(got, want) {
		t.Errorf("%q", got)
	}
}

// A small difference in computing is no reason for a large one in waiting. In B threads 1.1 and 1.2 take turns in
// writing 100,000 ten times, for which three of four wait, 750,000 on average; that they are 10,000 longer in init lets
// nobody wait for more than 20,000.
func TestSmallCulprit(t *testing.T) {
	run := func(writes bool) *compare.Run {
		s := newScript(4, prv.Nanoseconds)
		for th := range 4 {
			time := int64(10_000)
			if writes && th < 2 {
				time *= 2
			}
			s.work(th, 1, time)
		}
		s.meet(10)
		for n := range 10 {
			for th := range 4 {
				s.work(th, 2, 100_000)
				if writes && n%2 == th {
					s.event(th, userFunction, 4)
					s.state(th, 12, 100_000) // I/O
					s.event(th, userFunction, 0)
				}
			}
			s.meet(10)
		}
		return analyse(t, s.trace(t))
	}
	got := compared(t, run(false), run(true), compare.Matching{}).Headline()
	if strings.Contains(got, "init") || !strings.Contains(got, "waiting for other on threads 1.1-1.2") {
		t.Errorf("%q", got)
	}
}

// Both threads compute 30 and 10 in turn, which evens out over a pair of iterations but for a barrier in each: 10 pairs
// take 40 + 1 without barriers, and 30 + 1 + 30 + 1 with them.
func TestCalledOtherwise(t *testing.T) {
	run := func(barriers int) *compare.Run {
		s := newScript(2, prv.Nanoseconds)
		for n := range 20 {
			for th := range 2 {
				s.work(th, 2, [...]int64{30, 10}[(n+th)%2])
			}
			if n < barriers {
				s.meet(8)
			}
			if n%2 == 1 {
				s.meet(10)
			}
		}
		return analyse(t, s.trace(t))
	}
	without, with, few := run(0), run(20), run(11)
	for _, c := range []struct {
		a, b *compare.Run
		want string
	}{
		{without, with, "; only B calls MPI_Barrier (20 times per thread)"},
		{with, without, "; only A calls MPI_Barrier (20 times per thread)"},
		{with, with, ""},
		{few, with, ""}, // less than twice as often
	} {
		r := compared(t, c.a, c.b, compare.Matching{})
		if got := r.Headline(); c.want != "" && !strings.Contains(got, c.want) ||
			c.want == "" && strings.Contains(got, "MPI_Barrier (") {
			t.Errorf("%q does not say %q", got, c.want)
		}
	}
}

// Of 8 runs there are 70 divisions in halves; two of them have means as far apart as 1-4 and 11-14.
func TestChance(t *testing.T) {
	s := compare.Sample{A: []float64{1, 2, 3, 4}, B: []float64{11, 12, 13, 14}}
	if p, least := s.Chance(); p != 2.0/70 || least > p*1.001 {
		t.Errorf("p = %g, at least %g", p, least)
	}
	if beyond, how := s.Beyond(); !beyond {
		t.Error(how)
	}
	s = compare.Sample{A: []float64{1, 5, 9, 13}, B: []float64{2, 6, 10, 14}}
	// The spread is 5.164, the difference 1: 2 (2.8 x 5.164)^2 = 418.1.
	if beyond, how := s.Beyond(); beyond || !strings.Contains(how, "419 runs") {
		t.Error(how)
	}
}

func TestConditions(t *testing.T) {
	slow := func(th, _ int) (int64, int64) {
		if th == 1 {
			return 200_000, 400_000
		}
		return 100_000, 200_000
	}
	a, b := counted(t, 20, even), counted(t, 20, slow)
	r := compared(t, a, b, compare.Matching{})
	crossed := map[string]bool{"5%": true, "110%": false, "parallel-efficiency:-2": true,
		"parallel-efficiency:-40": false,
		"region:solve:+5%":        true, "region:solve:+30%": false, "region:other:1%": false, "wait:+10%": true,
		// Without a margin any loss is too much: B has the lower efficiency and takes longer.
		"0%": true, "parallel-efficiency:0": true, "parallel-efficiency:0%": true, "region:other:0%": false}
	for text, want := range crossed {
		x, err := compare.ParseCondition(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, how := x.Crossed(r); got != want {
			t.Errorf("%s: crossed %v: %s", text, got, how)
		}
	}
	for _, text := range []string{"0%", "parallel-efficiency:0", "parallel-efficiency:0%", "region:solve:0%",
		"wait:0%"} {
		x, err := compare.ParseCondition(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, how := x.Crossed(compared(t, b, a, compare.Matching{})); got {
			t.Errorf("%s: the faster run is worse: %s", text, how)
		}
	}
	// Half of the runs of B are like A: too few to be sure.
	r.SetRepeats([]*compare.Run{a, a, a}, []*compare.Run{a, b, a})
	x, _ := compare.ParseCondition("5%")
	if got, how := x.Crossed(r); got || !strings.Contains(how, "not more than noise") {
		t.Error(how)
	}
	for _, text := range []string{"fast:5%", "region:5%", "wait:much", "parallel-efficiency:2", "-5%"} {
		if _, err := compare.ParseCondition(text); err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
}

// How sure a difference of a few runs is. The spread of 100 and 104 is sqrt(8): to see a difference of 1 takes 2 x (2.8
// sqrt(8))^2 = 125.44 runs. Of 4 and 4 runs each division has a chance of 2 / 70.
func TestBeyond(t *testing.T) {
	for _, c := range []struct {
		a, b   []float64
		beyond bool
		how    string
	}{
		{[]float64{100, 104}, []float64{200}, true,
			"beyond twice the spread, but too few runs for a test: it would take 4 runs of each side"},
		{[]float64{100, 104}, []float64{103}, false, "within twice the spread: it would take 126 runs of each side"},
		{[]float64{5, 5}, []float64{5}, false, "within twice the spread: no number of runs would tell"},
		{[]float64{1, 2, 3, 4}, []float64{11, 12, 13, 14}, true, "more than noise (permutation test: p = 0.029)"},
		{[]float64{1, 5, 9, 13}, []float64{2, 6, 10, 14}, false,
			"not more than noise (permutation test: p = 0.77): it would take 419 runs of each side"},
	} {
		s := compare.Sample{A: c.a, B: c.b}
		if beyond, how := s.Beyond(); beyond != c.beyond || how != c.how {
			t.Errorf("%v and %v: %v, %s", c.a, c.b, beyond, how)
		}
	}
}

// A document says how sure the difference of repeated runs is. A takes 200 and 300 us, B 400 and 500.
func TestSureness(t *testing.T) {
	of := func(time int64) *compare.Run {
		return counted(t, 2, func(int, int) (int64, int64) { return time, 200_000 })
	}
	a, b := of(100_000), of(200_000)
	r := compared(t, a, b, compare.Matching{})
	r.SetRepeats([]*compare.Run{of(150_000)}, []*compare.Run{of(250_000)})
	text := document.Text(compare.Document([]*compare.Result{r}, compare.Selection{By: compare.ByCall}), nil)
	want := "Means: A 250 us (2 runs, spread 70.71 us), B 450 us (2 runs, spread 70.71 us): +200 us (+80.0 %), " +
		"beyond twice the spread, but too few runs for a test: it would take 4 runs of each side\n"
	if !strings.Contains(text, want) {
		t.Error(text)
	}
}

// The phase in which a part differs most: B has 60 more in the first, and 5 more in the third. Calls and functions have
// no place of their own.
func TestWhere(t *testing.T) {
	c := compared(t, analyse(t, iterations(10, 10, 10).trace(t)), analyse(t, iterationsAfter(110, 10, 15, 10).trace(t)),
		compare.Matching{})
	for name, want := range map[string]compare.Pair{"init {1}": {A: 0, B: 0}, "solve {2}": {A: 2, B: 2},
		"finish {3}": {A: 4, B: 4}, "computing": {A: 0, B: 0}, "1.1-1.2 computing": {A: 0, B: 0}} {
		k := slices.IndexFunc(c.Parts, func(p compare.Part) bool { return p.Name == name })
		if where, ok := c.Where(&c.Parts[k]); !ok || where != want {
			t.Errorf("%s differs most in %v", name, where)
		}
	}
	for _, kind := range []compare.Kind{compare.ByCall, compare.ByFunction, compare.ByWait, compare.ByCause} {
		if where, ok := c.Where(&c.Of(kind)[0]); ok {
			t.Errorf("%v is in %v", kind, where)
		}
	}
}
