package ring_test

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"testing"

	"pview/prv"
	"pview/sim"
	"pview/sim/engine"
	"pview/sim/ring"
)

const us = 1e3 // ns

var (
	apart       = []int{0, 1, 2, 3, 4, 5, 6, 7}
	folded      = []int{0, 0, 1, 1, 2, 2, 3, 3}
	interleaved = []int{0, 1, 2, 3, 0, 1, 2, 3}
)

// measure runs rings by one of the thesis' policies.
func measure(t testing.TB, policy string, rings ...ring.Ring) *ring.Outcome {
	t.Helper()
	p, ok := ring.PolicyByName(policy)
	if !ok {
		t.Fatalf("there is no policy %s", policy)
	}
	o, err := ring.Measure(context.Background(), p.Scheduler(ring.Quantum), ring.Turns, rings...)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// near reports whether two numbers differ by no more than a share of the second.
func near(got, want, share float64) bool {
	return got == want || math.Abs(got-want) <= share*math.Abs(want)
}

// TestRest (D31): b = a (d N - 1), and a task alone on its CPU turns the token in a N = 33600 us (29.76 a second), for
// d of which it computes.
func TestRest(t *testing.T) {
	for d, b := range map[float64]float64{12.5: 0, 25: 4200, 50: 12600, 60: 15960, 100: 29400} {
		r := ring.Ring{A: 4200 * us, Demand: d / 100, Nodes: apart}
		if got := r.B(); !near(got, b*us, 1e-12) {
			t.Errorf("at %g%% the rest is %g us, not %g", d, got/us, b)
		}
		o := measure(t, "FCFS", r)
		if !near(o.Turn[0], 33600*us, 1e-9) || !near(o.Throughput(), 29.76, 1e-4) {
			t.Errorf("at %g%% a turn takes %g us", d, o.Turn[0]/us)
		}
	}
	// figure 75 of the thesis
	if r := (ring.Ring{A: 4200 * us, Demand: 0.5, Nodes: []int{0, 1, 2, 3}}); r.B() != 4200*us {
		t.Errorf("of four tasks at 50%% the rest is %g us, not 4200", r.B()/us)
	}
}

// TestEvents: the first task tells by an event that the token is back; so it can be seen in the trace, and the share of
// its CPU that the task computes for.
func TestEvents(t *testing.T) {
	r := ring.Ring{A: 4200 * us, Demand: 0.6, Nodes: apart}
	p, err := ring.Program(r)
	if err != nil {
		t.Fatal(err)
	}
	rules, _ := sim.ModelRules("thesis")
	res, err := engine.Run(context.Background(), p, ring.Machine(sim.DefaultScheduler(), r),
		sim.Options{Trace: true, Rules: rules, Repeat: sim.Repeat{What: sim.RepeatThreads, Runs: 30}})
	if err != nil {
		t.Fatal(err)
	}
	e := &res.Trace.Threads[0].Events
	turns := 0
	for k := range e.Len() {
		if e.Type[k] != ring.TurnType {
			t.Fatalf("an event of type %d", e.Type[k])
		}
		if turns++; e.Time[k] != int64(float64(turns)*33600*us) {
			t.Errorf("the token is back for the %dth time at %d ns", turns, e.Time[k])
		}
	}
	if turns != 30 {
		t.Errorf("%d turns", turns)
	}
	// 30 turns of 33600 us, in each of which the first task computes for 4200 + 15960 us; and the last task's 15960
	// after the 30th, when the first computes, too.
	if got := res.Tasks[0].Computation; !near(got, (30*20160+15960)*us, 1e-9) || res.Total != (30*33600+15960)*1000 {
		t.Errorf("computes for %g us of %d ns", got/us, res.Total)
	}
}

// pair is two rings on eight CPUs.
func pair(a1, d1, a2, d2 float64) []ring.Ring {
	return []ring.Ring{{A: a1 * us, Demand: d1 / 100, Nodes: apart}, {A: a2 * us, Demand: d2 / 100, Nodes: apart}}
}

// check compares the throughput (turns a second of all rings) and the slowdown ratio with what they should be.
func check(t *testing.T, o *ring.Outcome, throughput, ratio float64, name string, args ...any) {
	t.Helper()
	if !near(o.Throughput(), throughput, 0.01) || !near(o.Ratio(), ratio, 0.01) {
		t.Errorf("%s: %.2f turns a second, not %g; slowdown ratio %.3f, not %g", fmt.Sprintf(name, args...),
			o.Throughput(), throughput, o.Ratio(), ratio)
	}
}

// TestEqualRings (D32, experiment E1): fair policies give each ring turns of 33600 max(1, 2d) us. PP lets the preferred
// one turn as if alone, and the other in 33600 d/(1-d). CP_RR keeps both in step: the tokens of both meet on each CPU,
// and by quanta of 1000 us a hop takes 2 * 4 * 1000 + 200 = 8200 us: 65600 a turn, 2/65600 us = 30.49 turns a second,
// unless CPUs do not allow even that.
func TestEqualRings(t *testing.T) {
	for _, c := range []struct{ d, fair, ppRatio, cp float64 }{
		{25, 59.52, 1, 30.49}, {50, 59.52, 1, 30.49}, {60, 49.60, 1.5, 30.49}, {75, 39.68, 3, 30.49},
		{100, 29.76, math.Inf(1), 29.76},
	} {
		load := pair(4200, c.d, 4200, c.d)
		check(t, measure(t, "FCFS", load...), c.fair, 1, "FCFS %g%%", c.d)
		check(t, measure(t, "RR", load...), c.fair, 1, "RR %g%%", c.d)
		check(t, measure(t, "CP_RR", load...), c.cp, 1, "CP_RR %g%%", c.d)
		pp := measure(t, "PP_1", load...)
		check(t, pp, c.fair, c.ppRatio, "PP %g%%", c.d)
		pf := measure(t, "PF_1", load...)
		if !near(pf.Throughput(), c.fair, 0.005) || pf.Ratio() < 0.999 || pf.Ratio() > pp.Ratio()*1.001 {
			t.Errorf("PF %g%%: %.2f turns a second, slowdown ratio %.3f; PP has %.3f", c.d, pf.Throughput(), pf.Ratio(),
				pp.Ratio())
		}
		if c.d == 75 { // the value that others found by the same rules
			check(t, pf, c.fair, 2, "PF %g%%", c.d)
		}
	}
}

// TestUnequalDemands (D33, experiment E2, d1 = 60%): FCFS and RR give both turns of 33600 (d1 + d2); PP the preferred
// one 33600, the other 33600 d/(1 - d of the preferred): favouring the less demanding ring is better and fairer.
// CP_FIFO is as if the second were preferred.
func TestUnequalDemands(t *testing.T) {
	for _, c := range []struct{ d2, fair, pp1, sr1, pp2, sr2 float64 }{
		{80, 42.52, 44.64, 2, 39.68, 3}, {100, 37.20, 41.67, 2.5, 29.76, math.Inf(1)},
		{20, 59.52, 59.52, 1, 59.52, 1}, {40, 59.52, 59.52, 1, 59.52, 1},
	} {
		load := pair(4200, 60, 4200, c.d2)
		fcfs := measure(t, "FCFS", load...)
		check(t, fcfs, c.fair, 1, "FCFS %g%%", c.d2)
		check(t, measure(t, "RR", load...), c.fair, 1, "RR %g%%", c.d2)
		check(t, measure(t, "CP_RR", load...), 30.49, 1, "CP_RR %g%%", c.d2)
		pp1, pp2 := measure(t, "PP_1", load...), measure(t, "PP_2", load...)
		check(t, pp1, c.pp1, c.sr1, "PP_1 %g%%", c.d2)
		check(t, pp2, c.pp2, c.sr2, "PP_2 %g%%", c.d2)
		if cp := measure(t, "CP_FIFO", load...); cp.Throughput() < pp2.Throughput()*0.99 {
			t.Errorf("CP_FIFO %g%%: %.2f turns a second, PP_2 has %.2f", c.d2, cp.Throughput(), pp2.Throughput())
		}
		for pf, pp := range map[string]*ring.Outcome{"PF_1": pp1, "PF_2": pp2} {
			if o := measure(t, pf, load...); o.Ratio() < fcfs.Ratio()*0.999 || o.Ratio() > pp.Ratio()*1.001 {
				t.Errorf("%s %g%%: slowdown ratio %.3f is not between FCFS's and PP's (%.3f)", pf, c.d2, o.Ratio(),
					pp.Ratio())
			}
		}
	}
}

// TestUnequalLengths (D34, experiment E3): by FCFS and CP_FIFO both rings turn at the pace of the longer, 8 max(a); so
// does PP when it favours that. Favouring the shorter one gives it turns as if alone, 8 * 200 us = 625 a second, of
// over ten times the throughput.
func TestUnequalLengths(t *testing.T) {
	for _, c := range []struct {
		a2, throughput, ratio float64
		longer                string
	}{{200, 59.52, 21, "PP_1"}, {1000, 59.52, 4.2, "PP_1"}, {20000, 12.50, 20000.0 / 4200, "PP_2"},
		{42000, 5.95, 10, "PP_2"}} {
		for _, policy := range []string{"FCFS", "CP_FIFO", c.longer} {
			check(t, measure(t, policy, pair(4200, 60, c.a2, 60)...), c.throughput, c.ratio, "%s %g us", policy, c.a2)
		}
	}
	within := func(policy string, a2, throughput, share, least, most float64) {
		t.Helper()
		o := measure(t, policy, pair(4200, 60, a2, 60)...)
		if !near(o.Throughput(), throughput, share) || o.Ratio() < least || o.Ratio() > most {
			t.Errorf("%s %g us: %.2f turns a second, not %g; slowdown ratio %.3f", policy, a2, o.Throughput(),
				throughput, o.Ratio())
		}
	}
	within("PP_2", 200, 637, 0.01, 2.46*0.97, 2.46*1.03)
	within("RR", 200, 189, 0.15, 2, 4)
	within("CP_RR", 200, 284, 0.15, 2, 4)
	within("RR", 42000, 20, 0.15, 1, 2.1)
	within("CP_RR", 42000, 17, 0.15, 1, 2.1)
}

// TestFolded (D35, F1 and F2): neighbours share a CPU. FCFS: (N/2) (2a + b). RR at 30 to 60%: on each CPU the first
// task computes alone for 4.2 ms, the second beside the rest of the first, for 5 quanta of which it needs 4.2, and 4.8
// of the other: 9.0; 13.2 ms on each of 4 CPUs. Preferring what is critical: 33600 max(1, 2d).
func TestFolded(t *testing.T) {
	for _, c := range []struct{ a, d, fcfs, rr, cp float64 }{
		{4200, 20, 43680, 43680, 33600},
		{4200, 30, 57120, 52800, 33600},
		{4200, 50, 84000, 52800, 33600},
		{4200, 60, 97440, 52800, 40320},
		{4200, 80, 124320, 53760, 53760},
		{4200, 100, 151200, 67200, 67200},
		{200, 60, 4640, 4640, 1920},
		{20000, 60, 464000, 236000, 192000},
	} {
		r := ring.Ring{A: c.a * us, Demand: c.d / 100, Nodes: folded}
		for policy, want := range map[string]float64{"FCFS": c.fcfs, "RR": c.rr, "CP_FIFO": c.cp, "CP_RR": c.cp} {
			if got := measure(t, policy, r).Turn[0] / us; !near(got, want, 1e-6) {
				t.Errorf("%s (%g, %g%%): a turn takes %.1f us, not %g", policy, c.a, c.d, got, want)
			}
		}
	}
}

// TestInterleaved (D36, F3 and F4): when neighbours are on different CPUs every policy of the thesis gives turns of
// 33600 max(1, 2d).
func TestInterleaved(t *testing.T) {
	for d, want := range map[float64]float64{30: 33600, 60: 40320, 80: 53760, 100: 67200} {
		for _, policy := range []string{"FCFS", "RR", "CP_FIFO", "CP_RR"} {
			r := ring.Ring{A: 4200 * us, Demand: d / 100, Nodes: interleaved}
			if got := measure(t, policy, r).Turn[0] / us; !near(got, want, 1e-6) {
				t.Errorf("%s %g%%: a turn takes %.1f us, not %g", policy, d, got, want)
			}
		}
	}
}

// TestInStep (D37): of two equal rings CP_RR makes half the throughput of the others; and a quantum far below the time
// between messages keeps rings in step for long, each slowed down by the other.
func TestInStep(t *testing.T) {
	load := pair(4200, 50, 4200, 50)
	fcfs, cp := measure(t, "FCFS", load...).Throughput(), measure(t, "CP_RR", load...).Throughput()
	if !near(cp, fcfs/2, 0.03) {
		t.Errorf("CP_RR makes %.2f turns a second, FCFS %.2f", cp, fcfs)
	}
	// The critical part is all of these rings. The first token gains a quantum at each of 8 CPUs: with 10 us, 80 us a
	// turn of the 4200 that make it free of the other; with 100 us it is free after 6 turns.
	all := pair(4200, 12.5, 4200, 12.5)
	if slow, fast := turn(t, 10*us, 11, all), turn(t, 100*us, 11, all); slow < 55000*us || fast != 33600*us {
		t.Errorf("the 11th turn takes %g us with quanta of 10 us, %g with 100", slow/us, fast/us)
	}
}

// turn returns the length of the n-th turn of the first ring by round robin, ns.
func turn(t *testing.T, quantum float64, n int, rings []ring.Ring) float64 {
	p, err := ring.Program(rings...)
	if err != nil {
		t.Fatal(err)
	}
	rules, _ := sim.ModelRules("thesis")
	rr, _ := ring.PolicyByName("RR")
	r, err := engine.Run(context.Background(), p, ring.Machine(rr.Scheduler(quantum), rings...),
		sim.Options{Trace: true, Rules: rules, Repeat: sim.Repeat{What: sim.RepeatThreads, Runs: n + 1}})
	if err != nil {
		t.Fatal(err)
	}
	e := &r.Trace.Threads[0].Events
	return float64(e.Time[n-1] - e.Time[n-2])
}

// TestParse: a ring as the thesis writes it.
func TestParse(t *testing.T) {
	for text, want := range map[string]ring.Ring{
		"(4200us,60%)[1..8]":            {A: 4200 * us, Demand: 0.6, Nodes: apart},
		"(200us,60%)[1,1,2,2,3,3,4,4]":  {A: 200 * us, Demand: 0.6, Nodes: folded},
		"(4200us,50%)[1..4,1..4]":       {A: 4200 * us, Demand: 0.5, Nodes: interleaved},
		"(1.5us,100%)[3,2]":             {A: 1.5 * us, Demand: 1, Nodes: []int{2, 1}},
		" ( 4200 , 60 ) [1,2, 3 ..8] ":  {A: 4200 * us, Demand: 0.6, Nodes: apart},
		"(4.2ms,60%)[1,2,3,4,5,6,7,8] ": {A: 4200 * us, Demand: 0.6, Nodes: apart},
	} {
		got, err := ring.Parse(text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v (%v)", text, got, err)
		}
	}
	for _, text := range []string{"", "4200,60%)[1,2]", "(4200,60%[1,2]", "(4200 60%)[1,2]", "(4200,60)",
		"(4200,60%)[1..8", "(4200,5%)[1..8]", "(4200,101%)[1..8]",
		"(4200,60%)[0,1]", "(0,60%)[1,2]", "(1 parsec,60%)[1,2]", "(4200,60%)[1]", "(1,60%)[1,2][3]"} {
		if r, err := ring.Parse(text); err == nil {
			t.Errorf("%q is read as %+v", text, r)
		}
	}
}

// TestSame: the same load gives the same outcome and the same trace.
func TestSame(t *testing.T) {
	load := pair(4200, 60, 1300, 60)
	var first *sim.Result
	for range 2 {
		p, err := ring.Program(load...)
		if err != nil {
			t.Fatal(err)
		}
		rules, _ := sim.ModelRules("thesis")
		cp, _ := ring.PolicyByName("CP_RR")
		r, err := engine.Run(context.Background(), p, ring.Machine(cp.Scheduler(ring.Quantum), load...),
			sim.Options{Trace: true, Rules: rules, Repeat: sim.Repeat{What: sim.RepeatThreads, Runs: 20}})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = r
		} else if !reflect.DeepEqual(first.Runs, r.Runs) || prv.Equal(first.Trace, r.Trace) != nil {
			t.Error("another result the second time")
		}
	}
}

// A policy that favours no ring makes sense for any number of rings; one that favours the second needs two.
func TestApplies(t *testing.T) {
	for _, c := range []struct {
		favoured, rings int
		want            bool
	}{{0, 1, true}, {0, 2, true}, {1, 1, false}, {1, 2, true}, {2, 1, false}, {2, 2, true}, {3, 2, false}} {
		p := ring.Policy{Favoured: c.favoured}
		if got := p.Applies(c.rings); got != c.want {
			t.Errorf("ring %d of %d favoured: %v", c.favoured, c.rings, got)
		}
	}
}
