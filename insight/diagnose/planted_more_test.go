package diagnose_test

// Planted faults that are not alone, not everywhere, or not of one thread.

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pview/insight/diagnose"
	"pview/insight/report"
	"pview/insight/runtest"
	"pview/prv"
)

// both has an uneven function and a slow Allreduce in each of 20 iterations.
func both(one, collective int64) *program {
	p := iterate(func(p *program) { uneven(p, 1*ms, one) })
	p.Collective = collective
	return p
}

// Two faults at once: the larger comes first, and each has the gain of its own repair. Task 4 computes 2.4 ms, where
// 1.175 would be even; Allreduce takes 700 us, where 3 would do: 24.5 and 13.9 ms. With 1.4 ms, where 1.05 would be
// even, it is 7 ms.
func TestPlantedTwo(t *testing.T) {
	for _, c := range []struct {
		one, even int64
		first     report.RuleID
	}{{2400 * us, 1175 * us, "R13"}, {1400 * us, 1050 * us, "R32"}} {
		faulty := both(c.one, 700*us).Run(t)
		truth := map[report.RuleID]float64{
			"R13": float64(faulty.Duration - iterateEven(c.even, 700*us).Run(t).Duration),
			"R32": float64(faulty.Duration - both(c.one, 3*us).Run(t).Duration),
		}
		r := verified(t, faulty)
		if len(r.Findings) < 2 || r.Findings[0].Rule != c.first {
			t.Fatalf("%d: %+v", c.one, r.Findings)
		}
		for rule, want := range truth {
			if f := find(r.Findings[:2], rule); f == nil || f.Checked != report.Confirmed ||
				math.Abs(f.Verified-want) > want/20 {
				t.Errorf("%d: %s gives %.0f: %+v", c.one, rule, want, f)
			}
		}
	}
}

// iterateEven has even work.
func iterateEven(time, collective int64) *program {
	p := iterate(func(p *program) { uneven(p, time, time) })
	p.Collective = collective
	return p
}

// A fault in one part of the run only: of 40 iterations 10 to 13 have another function, for which task 6 needs 4 ms and
// the others 1; 1.375 would be even, 10.5 ms less.
func TestPlantedInPart(t *testing.T) {
	build := func(others, one int64) *program {
		p := runtest.NewProgram(8)
		for n := range 40 {
			for i := range p.Steps {
				switch {
				case n < 10 || n > 13:
					p.Work(i, 1, 1*ms)
				case i == 5:
					p.Work(i, 2, one)
				default:
					p.Work(i, 2, others)
				}
			}
			p.All(runtest.Step{Do: runtest.Meets})
		}
		return p
	}
	faulty := build(1*ms, 4*ms).Run(t)
	truth := float64(faulty.Duration - build(1375*us, 1375*us).Run(t).Duration)
	r := verified(t, faulty)
	f := &r.Findings[0]
	if f.Rule != "R13" || f.Threads[0] != 5 || math.Abs(f.Verified-truth) > truth/20 {
		t.Fatalf("%.0f: %+v", truth, r.Findings)
	}
	// The first ten iterations end at 10 x 1.003 ms, the next four take 4.003 ms each.
	from, to := int64(10*1003*us), int64(10*1003*us+4*4003*us)
	for _, e := range f.Evidence {
		if e.From < from || e.To > to {
			t.Errorf("evidence at %d .. %d, outside of %d .. %d", e.From, e.To, from, to)
		}
	}
}

// A slow node: on node 2 all four tasks need 2.4 ms instead of 1; 1.7 would be even. It is named, not one of its
// threads; also where the others wait little: 1.2 ms instead of 1.
func TestPlantedNode(t *testing.T) {
	build := func(slow int64) *program {
		p := iterate(func(p *program) {
			for i := range p.Steps {
				p.Work(i, 1, map[bool]int64{true: slow, false: 1 * ms}[i >= 4])
			}
		})
		p.Nodes = 2
		return p
	}
	even := iterateEven(1700*us, 3*us)
	even.Nodes = 2
	faulty := build(2400 * us).Run(t)
	truth := float64(faulty.Duration - even.Run(t).Duration)
	r := verified(t, faulty)
	f := &r.Findings[0]
	if f.Rule != "R13" || len(f.Threads) != 4 || f.Threads[0] != 4 || math.Abs(f.Verified-truth) > truth/20 ||
		!strings.Contains(f.Title, "takes longer on all threads of node 2 (1.5.1, 1.6.1, 1.7.1, 1.8.1)") ||
		!strings.Contains(f.Title, "48 ms per thread instead of 20 ms") {
		t.Errorf("%.0f: %+v", truth, r.Findings)
	}
	r = verified(t, build(1200*us).Run(t))
	if f := &r.Findings[0]; f.Rule != "R13" || !strings.Contains(f.Title, "all threads of node 2") ||
		!strings.Contains(f.Title, "24 ms per thread instead of 20 ms") {
		t.Errorf("%+v", r.Findings)
	}
	// One slow thread is no slow node.
	one := iterate(func(p *program) { uneven(p, 1*ms, 2400*us) })
	one.Nodes = 2
	if f := &verified(t, one.Run(t)).Findings[0]; strings.Contains(fmt.Sprint(f.Title), "node") {
		t.Errorf("%+v", f)
	}
}

// Two applications of two tasks each. In the first, task 1 computes for 2 ms in 6 of 10 iterations and for 200 us in
// the others, task 2 the other way round: 12.8 and 9.2 ms. Task 1 could give 1.8 ms to task 2, and 6 iterations would
// be 2 x 1.8/12.8 ms shorter. Those of the second compute for 15 ms in the same function, which nobody waits for.
func TestOthersWaitInOneApplication(t *testing.T) {
	b := runtest.Tasks(2, 2)
	for n := range int64(10) {
		begin, end := n*2_000_000, (n+1)*2_000_000
		for i := range 2 {
			to := begin + 200_000
			if (n%5 < 3) == (i == 0) {
				to = end
			}
			b.State(int32(i), 0, begin, to, 1)
			b.Event(int32(i), 0, begin, prv.Pair{Type: 60000019, Value: 1})
			b.Event(int32(i), 0, to, prv.Pair{Type: 60000019})
			b.State(int32(i), 0, to, end, 13)
			b.Event(int32(i), 0, to, prv.Pair{Type: 50000002, Value: 8})
			b.Event(int32(i), 0, end, prv.Pair{Type: 50000002})
		}
	}
	for i := range int32(2) {
		b.State(2+i, 0, 0, 15_000_000, 1)
		b.Event(2+i, 0, 0, prv.Pair{Type: 60000019, Value: 1})
		b.Event(2+i, 0, 15_000_000, prv.Pair{Type: 60000019})
	}
	tr, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	r := verified(t, tr)
	var all []report.Finding
	for list := slices.Concat(r.Findings, r.Minor); len(list) > 0; list = list[1:] {
		all = append(all, list[0])
		list = append(list, list[0].Children...)
	}
	if f := find(all, "R34"); f == nil || math.Abs(f.Verified-6*2_000_000*1.8/12.8) > 1000 {
		t.Errorf("%+v in %+v", f, all)
	}
}

// apart returns a run of applications that compute in the same function, without a call: the ms of each thread.
func apart(t *testing.T, applications ...[]int64) *prv.Trace {
	t.Helper()
	var tasks []int
	for _, threads := range applications {
		tasks = append(tasks, len(threads))
	}
	b := runtest.Tasks(tasks...)
	for i, time := range slices.Concat(applications...) {
		b.State(int32(i), 0, 0, time*1_000_000, 1)
		b.Event(int32(i), 0, 0, prv.Pair{Type: 60000019, Value: 1})
		b.Event(int32(i), 0, time*1_000_000, prv.Pair{Type: 60000019})
	}
	return runtest.Build(t, b)
}

// Work is compared within an application. Two of one thread each have nothing to balance, whatever they compute. Of two
// with 1 and 1, 1 and 3 ms, the second can end at 2 ms: 1 ms earlier, not at the mean of all, 1.5 ms.
func TestImbalanceInOneApplication(t *testing.T) {
	for _, verify := range []int{0, 10} {
		analyze := func(tr *prv.Trace) *diagnose.Result {
			r, err := diagnose.Analyze(t.Context(), tr, diagnose.Options{Verify: verify})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		r := analyze(apart(t, []int64{1}, []int64{3}))
		for _, f := range slices.Concat(r.Findings, r.Minor) {
			if f.Weight() > 0 {
				t.Errorf("verify %d: %+v", verify, f)
			}
		}
		if r.Recoverable != 0 {
			t.Errorf("verify %d: %f of single threads can be recovered", verify, r.Recoverable)
		}
		r = analyze(apart(t, []int64{1, 1}, []int64{1, 3}))
		f := find(r.Findings, "R13")
		if f == nil || f.Weight() != 1_000_000 || f.Threads[0] != 3 || r.Recoverable != 1_000_000 {
			t.Fatalf("verify %d: %f, %+v", verify, r.Recoverable, r.Findings)
		}
		if verify > 0 && !strings.Contains(f.Title, "than on the others of ptask 2: 3 ms per thread instead of 1 ms") {
			t.Error(f.Title)
		}
	}
}

// beside adds an application of twice as many tasks to a program, each of which computes for 1 ms.
func beside(p *program) *program {
	p.Apart = 2 * len(p.Steps)
	for range p.Apart {
		p.Steps = append(p.Steps, []runtest.Step{{Do: runtest.Computes, Function: 50, Time: 1_000_000}})
	}
	if !p.RoundRobin {
		p.Nodes *= 3
	}
	return p
}

// Another application takes no part in a fault: its finding names the same threads and gains as much.
func TestFaultsOfOneApplication(t *testing.T) {
	for _, c := range plants {
		alone, with := find(verified(t, c.faulty().Run(t)).Findings, c.rule),
			find(verified(t, beside(c.faulty()).Run(t)).Findings, c.rule)
		if alone == nil || with == nil {
			t.Errorf("%s: %v alone, %v beside another application", c.rule, alone != nil, with != nil)
			continue
		}
		if !slices.Equal(alone.Threads, with.Threads) || math.Abs(alone.Verified-with.Verified) > 0.01*alone.Verified {
			t.Errorf("%s: %s gains %.0f\nbeside another application %s gains %.0f", c.rule, alone.Title, alone.Verified,
				with.Title, with.Verified)
		}
	}
}
