package ring_test

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pview/sim"
	"pview/sim/ring"
)

// The schedulers of the policies. The preferred ring has priority 0, the other 1.
func TestPolicies(t *testing.T) {
	want := map[string]sim.Scheduler{
		"FCFS":    {Policy: "FIFO"},
		"RR":      {Policy: "RR"},
		"PF_1":    {Policy: "FIXED_PRIORITY_RR", Priorities: []float64{0, 1}},
		"PF_2":    {Policy: "FIXED_PRIORITY_RR", Priorities: []float64{1, 0}},
		"PP_1":    {Policy: "FIXED_PRIORITY_RR", Priorities: []float64{0, 1}, Preemptive: true},
		"PP_2":    {Policy: "FIXED_PRIORITY_RR", Priorities: []float64{1, 0}, Preemptive: true},
		"CP_FIFO": {Policy: "CP_FIFO", Preemptive: true},
		"CP_RR":   {Policy: "CP_RR", Preemptive: true},
		"SVR4":    {Policy: "UNIX_SVR4", Preemptive: true},
		"DECAY":   {Policy: "DECAY", Preemptive: true},
		"BOOST1":  {Policy: "BOOST1", Preemptive: true},
		"BOOST2":  {Policy: "BOOST2", Preemptive: true},
		"BOOST3":  {Policy: "BOOST3", Preemptive: true},
	}
	for i := range ring.Policies {
		p := &ring.Policies[i]
		s := p.Scheduler(2e6)
		w := sim.DefaultScheduler()
		w.Policy, w.Priorities, w.Preemptive, w.Quantum = want[p.Name].Policy, want[p.Name].Priorities,
			want[p.Name].Preemptive, 2e6
		if !reflect.DeepEqual(s, w) {
			t.Errorf("%s: %+v, not %+v", p.Name, s, w)
		}
	}
	if len(ring.Policies) != len(want) {
		t.Errorf("%d policies", len(ring.Policies))
	}
	if _, ok := ring.PolicyByName("none"); ok {
		t.Error("found a policy that is not there")
	}
}

// text writes a ring as Parse reads it.
func text(r ring.Ring) string {
	at := fmt.Sprint(r.Nodes)
	return fmt.Sprintf("(%gus,%.3g%%)%s", r.A/us, 100*r.Demand, strings.ReplaceAll(at, " ", ","))
}

// The loads of the experiments. Nodes are numbered from 0 here.
func TestExperiments(t *testing.T) {
	const (
		all   = "[0,1,2,3,4,5,6,7]"
		pairs = "[0,0,1,1,2,2,3,3]"
		turns = "[0,1,2,3,0,1,2,3]"
		first = "(4200us,60%)" + all + " "
	)
	// those of the quantity that varies: the demand of a ring of 4200 us, or the time of one of 60 %
	demands := func(percents string, before, nodes string, twice bool) (list []string) {
		for p := range strings.FieldsSeq(percents) {
			r := "(4200us," + p + "%)" + nodes
			if twice {
				before = r + " "
			}
			list = append(list, p+"%: "+before+r)
		}
		return list
	}
	lengths := func(times string, before, nodes string) (list []string) {
		for a := range strings.FieldsSeq(times) {
			list = append(list, a+" us: "+before+"("+a+"us,60%)"+nodes)
		}
		return list
	}
	for name, want := range map[string][]string{
		"E1": demands("12.5 25 50 60 75 100", "", all, true),
		"E2": demands("20 40 60 80 100", first, all, false),
		"E3": lengths("200 1000 4200 20000 42000", first, all),
		"F1": demands("20 30 50 60 80 100", "", pairs, false),
		"F2": lengths("200 1000 4200 20000 42000", "", pairs),
		"F3": demands("20 30 50 60 80 100", "", turns, false),
		"F4": lengths("200 1000 4200 20000 42000", "", turns),
	} {
		e, ok := ring.ExperimentByName(name)
		if !ok {
			t.Fatalf("no experiment %s", name)
		}
		var got []string
		for _, l := range e.Loads {
			var rings []string
			for _, r := range l.Rings {
				rings = append(rings, text(r))
			}
			got = append(got, l.X+": "+strings.Join(rings, " "))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, not %q", name, got, want)
		}
	}
	if _, ok := ring.ExperimentByName("E4"); ok || len(ring.Experiments) != 7 {
		t.Error("found an experiment that is not there")
	}
}

// The program of two rings of two tasks, one turn long: type 8100 marks the return of the token.
func TestProgram(t *testing.T) {
	rings := []ring.Ring{{A: 100, Demand: 1, Nodes: []int{0, 1}}, {A: 200, Demand: 0.75, Nodes: []int{2, 4}}}
	p, err := ring.Program(rings...)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range p.Threads {
		x := &p.Threads[i]
		line := p.ThreadName(int32(i)) + ":"
		for row, k := range x.Kinds() {
			switch {
			case k == sim.Compute:
				line += fmt.Sprintf(" %g", x.Burst(row))
			case k == sim.Event:
				typ, value := x.Event(row)
				line += fmt.Sprintf(" %d:%d", typ, value)
			default:
				line += fmt.Sprintf(" %s %d", k, x.Message(row).Peer)
			}
		}
		got = append(got, strings.ReplaceAll(line, fmt.Sprint(sim.PriorityType), "priority"))
	}
	// b = a (d N - 1): 100 (2 - 1) and 200 (1.5 - 1)
	want := []string{
		"1.1.1: priority:0 100 immediate send 1 priority:1 100 priority:0 receive 1 8100:1",
		"1.2.1: priority:0 receive 0 100 immediate send 0 priority:1 100",
		"2.1.1: priority:0 200 immediate send 3 priority:1 100 priority:0 receive 3 8100:1",
		"2.2.1: priority:0 receive 2 200 immediate send 2 priority:1 100",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
	m := ring.Machine(sim.DefaultScheduler(), rings...)
	if len(m.Nodes) != 5 || len(m.Mapping) != 2 || !slices.Equal(m.Mapping[1].Nodes, []int{2, 4}) {
		t.Errorf("%d nodes, %+v", len(m.Nodes), m.Mapping)
	}
	for text, r := range map[string]ring.Ring{
		"a ring of 1 tasks":                                           {A: 1, Demand: 1, Nodes: []int{0}},
		"a ring that computes for 0.5 ns":                             {A: 0.5, Demand: 1, Nodes: []int{0, 1}},
		"a ring that computes for 2e+15 ns":                           {A: 2e15, Demand: 1, Nodes: []int{0, 1}},
		"a ring that computes for NaN ns":                             {A: math.NaN(), Demand: 1, Nodes: []int{0, 1}},
		"a demand of 101 %: a ring of 2 tasks has from 50 % to 100 %": {A: 1, Demand: 1.01, Nodes: []int{0, 1}},
		"a demand of 49 %: a ring of 2 tasks has from 50 % to 100 %":  {A: 1, Demand: 0.49, Nodes: []int{0, 1}},
	} {
		if _, err := ring.Program(r); err == nil || err.Error() != text {
			t.Errorf("%v, not %s", err, text)
		}
	}
	for _, r := range []ring.Ring{{A: 1, Demand: 0.5, Nodes: []int{0, 1}}, {A: 1e15, Demand: 1, Nodes: []int{0, 1}}} {
		if _, err := ring.Program(r); err != nil {
			t.Errorf("%+v: %v", r, err)
		}
	}
}

// A load is measured under each policy that applies, in order; the first third of the turns does not count.
func TestStudy(t *testing.T) {
	alone := ring.Ring{A: 100 * us, Demand: 0.5, Nodes: []int{0, 1}}
	shared := ring.Ring{A: 100 * us, Demand: 1, Nodes: []int{0, 1}}
	experiments := []ring.Experiment{
		{Name: "one", Loads: []ring.Load{{X: "50%", Rings: []ring.Ring{alone}}}},
		{Name: "two", Loads: []ring.Load{{X: "100%", Rings: []ring.Ring{shared, shared}}}},
	}
	var policies []*ring.Policy
	for _, name := range []string{"FCFS", "PP_1", "PP_2"} {
		p, _ := ring.PolicyByName(name)
		policies = append(policies, p)
	}
	calls, last := 0, int64(0)
	rows, err := ring.Study(context.Background(), experiments, policies, ring.Quantum, 30, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range rows {
		var turns []string
		for k := range r.Outcome.Turn {
			turns = append(turns, fmt.Sprintf("%.4g us x %.4g", r.Outcome.Turn[k]/us, r.Outcome.Slowdown[k]))
		}
		got = append(got, r.Experiment.Name+" "+r.Load.X+" "+r.Policy.Name+": "+strings.Join(turns, ", "))
	}
	// Alone a turn takes 2 * 100 us. Two rings of 100 % take twice that in turn; the preferred one leaves nothing to
	// the other.
	want := []string{"one 50% FCFS: 200 us x 1", "two 100% FCFS: 400 us x 2, 400 us x 2",
		"two 100% PP_1: 200 us x 1, +Inf us x +Inf", "two 100% PP_2: +Inf us x +Inf, 200 us x 1"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
	_, err = ring.Study(context.Background(), experiments[:1], policies[:1], ring.Quantum, 30, func(done, all int64) {
		calls, last = calls+1, all
		if done != 1 {
			t.Errorf("%d of %d done", done, all)
		}
	})
	if err != nil || calls != 1 || last != 1 {
		t.Errorf("%d calls, the last of %d (%v)", calls, last, err)
	}
	experiments[0].Loads[0].Rings = []ring.Ring{{}}
	if _, err := ring.Study(context.Background(), experiments, policies, ring.Quantum, 30, nil); err == nil {
		t.Error("a ring without tasks")
	}
}

// The trace has the name of the event of a turn, and states by Paraver's numbers.
func TestSimulate(t *testing.T) {
	r := ring.Ring{A: 100 * us, Demand: 0.5, Nodes: []int{0, 1}}
	for _, trace := range []bool{true, false} {
		res, err := ring.Simulate(context.Background(), sim.DefaultScheduler(), 4, trace, r)
		if err != nil {
			t.Fatal(err)
		}
		if (res.Trace != nil) != trace || res.Total != 800_000 { // 4 turns of 200 us
			t.Errorf("%d ns, %+v", res.Total, res.Trace)
		}
		if trace && res.Trace.Labels.TypeName(ring.TurnType) != "The token is back" {
			t.Errorf("type %d has another name", ring.TurnType)
		}
	}
}

// Outcomes in numbers: turns of 1 and 2 ms are 1500 a second; slowdowns of 2 and 5 differ by 2.5.
func TestOutcome(t *testing.T) {
	o := ring.Outcome{Turn: []float64{1e6, 2e6}, Slowdown: []float64{2, 5}}
	if o.Throughput() != 1500 || o.Ratio() != 2.5 {
		t.Errorf("%g a second, ratio %g", o.Throughput(), o.Ratio())
	}
	o = ring.Outcome{Turn: []float64{1e6, math.Inf(1)}, Slowdown: []float64{1, math.Inf(1)}}
	if o.Throughput() != 1000 || !math.IsInf(o.Ratio(), 1) {
		t.Errorf("a ring starves: %g a second, ratio %g", o.Throughput(), o.Ratio())
	}
}
