package engine_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pview/sim"
	"pview/sim/engine"
)

func runRepeated(t *testing.T, p *sim.Program, m *sim.Machine, rules sim.Rules, r sim.Repeat) *sim.Result {
	t.Helper()
	res, err := engine.Run(context.Background(), p, m, sim.Options{Trace: true, Rules: rules, Repeat: r})
	if err != nil {
		t.Fatal(err)
	}
	for i := range res.Tasks {
		sum := int64(0)
		for _, ns := range res.Tasks[i].States {
			sum += ns
		}
		if sum != res.Tasks[i].End || sum != res.Total {
			t.Errorf("task %d: states of %d ns, end at %d, in all %d", i+1, sum, res.Tasks[i].End, res.Total)
		}
	}
	return res
}

// TestRepeatApplications: an application of 10 ms and one of two tasks of 20 and 30 ms, each task with a CPU of its
// own, until each has run three times: at 30, 60 and 90 ms the second has; the first has run nine times by then. The
// task of 20 ms waits for the other, a third of the time.
func TestRepeatApplications(t *testing.T) {
	p := &sim.Program{}
	p.AddPtask()
	p.Threads[p.AddTask(1)].AddCompute(10 * ms)
	p.AddPtask()
	p.Threads[p.AddTask(1)].AddCompute(20 * ms)
	p.Threads[p.AddTask(1)].AddCompute(30 * ms)
	link(t, p)
	m := sim.Ideal(3)
	m.Mapping = []sim.Mapping{{Kind: sim.Explicit, Nodes: []int{0}}, {Kind: sim.Explicit, Nodes: []int{1, 2}}}
	for _, rules := range []sim.Rules{{}, thesisRules} {
		r := runRepeated(t, p, m, rules, sim.Repeat{What: sim.RepeatApplications, Runs: 3})
		if !reflect.DeepEqual(r.Runs[1], []int64{30 * ms, 60 * ms, 90 * ms}) || len(r.Runs[0]) != 9 ||
			r.Total != 90*ms {
			t.Errorf("the runs end at %v, all at %d ns", r.Runs, r.Total)
		}
		if first, second := r.RunTime(0, 1), r.RunTime(1, 1); first != 10*ms || second != 30*ms {
			t.Errorf("a run takes %g and %g ns", first, second)
		}
		if s := r.Tasks[1].States; s[sim.StateRunning] != 60*ms || s[sim.StateIdle] != 30*ms {
			t.Errorf("the task of 20 ms has run for %d ns and waited for %d", s[sim.StateRunning], s[sim.StateIdle])
		}
	}
}

// TestRepeatShares: on one CPU, batch would run X and Y, of 10 and 30 ms, each once in 40 ms. By round robin of 1 ms X,
// which is alone again and again for what Y still has to do, takes 20 ms for a run, and Y 60: both are slowed down by
// two.
func TestRepeatShares(t *testing.T) {
	m := oneCPU(scheduler("RR", func(s *sim.Scheduler) { s.Quantum = 1 * ms }))
	r := runRepeated(t, bursts(t, 10, 30), m, thesisRules, sim.Repeat{What: sim.RepeatApplications, Runs: 10})
	if x, y := r.RunTime(0, 0.9), r.RunTime(1, 0.9); x < 19*ms || x > 21*ms || y < 59*ms || y > 61*ms {
		t.Errorf("a run takes %g and %g ms", x/ms, y/ms)
	}
}

// TestRepeatUntil: the simulation ends at 25 ms, in the middle of a third run of 10 ms, whose computation so far
// counts.
func TestRepeatUntil(t *testing.T) {
	for _, what := range []sim.Repetition{sim.RepeatApplications, sim.RepeatThreads} {
		r := runRepeated(t, bursts(t, 10), oneCPU(sim.DefaultScheduler()), sim.Rules{},
			sim.Repeat{What: what, Until: 25 * ms})
		if r.Total != 25*ms || r.Tasks[0].Computation != 25*ms ||
			!reflect.DeepEqual(r.Runs[0], []int64{10 * ms, 20 * ms}) {
			t.Errorf("ends at %d ns, has computed for %g ns, runs end at %v", r.Total, r.Tasks[0].Computation, r.Runs)
		}
	}
}

// TestRepeatAllPolicies: closed workloads by every policy: conservation, and the same with and without a trace.
func TestRepeatAllPolicies(t *testing.T) {
	p, m := twoApplications(t)
	for _, s := range everyPolicy() {
		for _, rules := range []sim.Rules{{}, thesisRules} {
			for _, what := range []sim.Repetition{sim.RepeatApplications, sim.RepeatThreads} {
				t.Run(fmt.Sprintf("%s preemptive %v %+v %d", s.Policy, s.Preemptive, rules, what), func(t *testing.T) {
					machine := *m
					machine.Scheduler = s
					repeat := sim.Repeat{What: what, Runs: 2, Until: 500 * ms}
					r := runRepeated(t, p, &machine, rules, repeat)
					totals, err := engine.Run(context.Background(), p, &machine,
						sim.Options{Rules: rules, Repeat: repeat})
					if err != nil || !reflect.DeepEqual(r.Tasks, totals.Tasks) ||
						!reflect.DeepEqual(r.Runs, totals.Runs) {
						t.Errorf("another result without a trace (%v)", err)
					}
				})
			}
		}
	}
}

// TestRepeatErrors: closed workloads that are invalid.
func TestRepeatErrors(t *testing.T) {
	empty := &sim.Program{}
	empty.AddPtask()
	empty.AddTask(1)
	link(t, empty)
	for _, c := range []struct {
		p   *sim.Program
		r   sim.Repeat
		why string
	}{
		{bursts(t, 1), sim.Repeat{What: sim.RepeatThreads}, "without end"},
		{bursts(t, 0), sim.Repeat{What: sim.RepeatThreads, Runs: 2}, "takes no time"},
		{empty, sim.Repeat{What: sim.RepeatApplications, Runs: 2}, "without records"},
	} {
		for _, rules := range []sim.Rules{{}, thesisRules} {
			if _, err := engine.Run(context.Background(), c.p, oneCPU(sim.DefaultScheduler()),
				sim.Options{Rules: rules, Repeat: c.r}); err == nil || !strings.Contains(err.Error(), c.why) {
				t.Errorf("%v", err)
			}
		}
	}
}
