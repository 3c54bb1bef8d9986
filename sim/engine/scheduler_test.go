package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"pview/prv"
	"pview/sim"
	"pview/sim/engine"
)

const ms = 1e6 // ns

// thesisRules are those of the thesis for CPUs.
var thesisRules = sim.Rules{sim.CPUTurns: sim.TurnUntilBlocked, sim.SwitchCost: sim.SwitchOnChange,
	sim.SpinTime: sim.SpinFully}

// bursts returns a program of tasks that compute, each for the given ms.
func bursts(t *testing.T, lengths ...float64) *sim.Program {
	t.Helper()
	p := &sim.Program{}
	for _, l := range lengths {
		p.AddPtask() // an application each, so that they may have priorities
		p.Threads[p.AddTask(1)].AddCompute(l * ms)
	}
	link(t, p)
	return p
}

// oneCPU returns a node of one CPU for all tasks.
func oneCPU(s sim.Scheduler) *sim.Machine {
	m := sim.Ideal(1)
	m.Mapping = []sim.Mapping{{Kind: sim.Interleaved}}
	m.Scheduler = s
	return m
}

func scheduler(policy string, change func(*sim.Scheduler)) sim.Scheduler {
	s := sim.DefaultScheduler()
	s.Policy = policy
	if change != nil {
		change(&s)
	}
	return s
}

func runThesis(t testing.TB, p *sim.Program, m *sim.Machine) *sim.Result {
	t.Helper()
	r, err := engine.Run(context.Background(), p, m, sim.Options{Trace: true, Rules: thesisRules})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// checkEnds compares when tasks end, in ms.
func checkEnds(t *testing.T, r *sim.Result, want ...float64) {
	t.Helper()
	for i, w := range want {
		if got := float64(r.Tasks[i].End) / ms; got != w {
			t.Errorf("task %d ends at %g ms, not %g", i+1, got, w)
		}
	}
}

// turns returns the intervals of a thread in a state, in ms.
func turns(r *sim.Result, thread int, state uint8) (list [][2]float64) {
	s := &r.Trace.Threads[thread].States
	for k := range s.Len() {
		if b, e := float64(s.Begin[k])/ms, float64(s.End[k])/ms; uint8(s.Value[k]) == state {
			if n := len(list); n > 0 && list[n-1][1] == b {
				list[n-1][1] = e
			} else {
				list = append(list, [2]float64{b, e})
			}
		}
	}
	return list
}

// TestRoundRobinAndFIFO (D25): two threads of 30 ms on one CPU, quantum 10 ms. By turns: X 0-10, Y 10-20, X 20-30, Y
// 30-40, X 40-50, Y 50-60. A context switch of 1 ms before each turn but the very first, which is free: five for Y's
// end at 60 + 5, four for X's at 50 + 4; first come, first served has one.
func TestRoundRobinAndFIFO(t *testing.T) {
	p := bursts(t, 30, 30)
	for _, c := range []struct {
		policy  string
		cost    float64
		x, y    float64
		switchY float64
	}{{"RR", 0, 50, 60, 0}, {"FIFO", 0, 30, 60, 0}, {"RR", 1, 54, 65, 3}, {"FIFO", 1, 30, 61, 1}} {
		r := runThesis(t, p, oneCPU(scheduler(c.policy,
			func(s *sim.Scheduler) { s.Quantum, s.ContextSwitch = 10*ms, c.cost*ms })))
		checkEnds(t, r, c.x, c.y)
		if got := float64(r.Tasks[1].States[sim.StateSwitch]) / ms; got != c.switchY {
			t.Errorf("%s: %g ms of context switches for the second, not %g", c.policy, got, c.switchY)
		}
	}
}

// TestSwitchAtEveryDispatch: the rule of Dimemas 5.5.0. Three turns each, and each costs 1 ms: X 0-11, Y 11-22, X
// 22-33, Y 33-44, X 44-55, Y 55-66.
func TestSwitchAtEveryDispatch(t *testing.T) {
	m := oneCPU(scheduler("RR", func(s *sim.Scheduler) { s.Quantum, s.ContextSwitch = 10*ms, 1*ms }))
	checkEnds(t, run(t, bursts(t, 30, 30), m), 55, 66)
}

// TestBusyWait (D26): a receiver spins for 5 ms. Its message comes after 3 ms: it goes on at once, and the other thread
// of its CPU, of 20 ms, begins when the receiver has ended its last 1 ms. Or it comes after 8 ms: the receiver sleeps
// at 5 ms, and the other has the CPU until 25 ms.
func TestBusyWait(t *testing.T) {
	for _, c := range []struct{ after, receiver, other, spins float64 }{{3, 4, 24, 3}, {8, 26, 25, 5}} {
		p := &sim.Program{}
		p.AddPtask()
		for range 3 {
			p.AddTask(1)
		}
		p.Threads[0].AddCompute(0)
		p.Threads[0].AddMessage(sim.Recv, sim.Message{Peer: 2})
		p.Threads[0].AddCompute(1 * ms)
		p.Threads[1].AddCompute(20 * ms)
		p.Threads[2].AddCompute(c.after * ms)
		p.Threads[2].AddMessage(sim.Send, sim.Message{Peer: 0})
		link(t, p)
		m := sim.Ideal(2)
		m.Mapping = []sim.Mapping{{Kind: sim.Explicit, Nodes: []int{0, 0, 1}}}
		m.Scheduler.BusyWait = 5 * ms
		r := runThesis(t, p, m)
		checkEnds(t, r, c.receiver, c.other)
		if got := turns(r, 0, sim.StateBusyWait); !reflect.DeepEqual(got, [][2]float64{{0, c.spins}}) {
			t.Errorf("the receiver spins %v ms", got)
		}
	}
}

// TestWokenSender: a sender that has waited for its receiver joins the end of the queue, as every thread that wakes.
// The receiver comes at 5 ms, when one of two threads of 10 ms runs beside the sender and the other is ready: its last
// 1 ms is from 20 on. By the rules of Dimemas 5.5.0 it goes to the front: from 10 on.
func TestWokenSender(t *testing.T) {
	p := &sim.Program{}
	p.AddPtask()
	for range 4 {
		p.AddTask(1)
	}
	p.Threads[0].AddCompute(0)
	p.Threads[0].AddMessage(sim.SendRendezvous, sim.Message{Peer: 3})
	p.Threads[0].AddCompute(1 * ms)
	p.Threads[1].AddCompute(10 * ms)
	p.Threads[2].AddCompute(10 * ms)
	p.Threads[3].AddCompute(5 * ms)
	p.Threads[3].AddMessage(sim.Recv, sim.Message{Peer: 0})
	link(t, p)
	m := sim.Ideal(2)
	m.Mapping = []sim.Mapping{{Kind: sim.Explicit, Nodes: []int{0, 0, 0, 1}}}
	checkEnds(t, runThesis(t, p, m), 21, 10, 20, 5)
	checkEnds(t, run(t, p, m), 11, 10, 21, 5)
}

// TestPreemption (D27): a thread of 100 ms runs since 0; a better one of 20 ms becomes ready at 30, when its message
// comes. Its priority is 1 against 2, or each announces how critical it is: the one of 100 ms by 2, which is a priority
// of 1/2. 4 is 1/4, which is better, 1 is 1, which is worse, and 0 is 0, the only one that preempts by SS_MPI_CP.
func TestPreemption(t *testing.T) {
	for _, c := range []struct {
		policy      string
		critical    int64
		preemptive  bool
		minimum     float64
		ready, runs [][2]float64 // of the better
		end         float64      // of the worse
	}{
		{"FIXED_PRIORITY_FIFO", 0, true, 0, nil, [][2]float64{{30, 50}}, 120},
		{"FIXED_PRIORITY_FIFO", 0, true, 40, [][2]float64{{30, 40}}, [][2]float64{{40, 60}}, 120},
		{"FIXED_PRIORITY_FIFO", 0, false, 0, [][2]float64{{30, 100}}, [][2]float64{{100, 120}}, 100},
		{"CP_FIFO", 4, false, 0, nil, [][2]float64{{30, 50}}, 120},
		{"CP_FIFO", 1, false, 0, [][2]float64{{30, 100}}, [][2]float64{{100, 120}}, 100},
		{"SS_MPI_CP", 4, false, 0, [][2]float64{{30, 100}}, [][2]float64{{100, 120}}, 100},
		{"SS_MPI_CP", 0, false, 0, nil, [][2]float64{{30, 50}}, 120},
	} {
		p := &sim.Program{}
		p.AddPtask()
		worse := p.AddTask(1)
		p.AddPtask()
		better, waker := p.AddTask(1), p.AddTask(1)
		p.Threads[worse].AddCompute(0)
		p.Threads[worse].AddEvent(sim.PriorityType, 2)
		p.Threads[worse].AddCompute(100 * ms)
		p.Threads[better].AddCompute(0)
		p.Threads[better].AddEvent(sim.PriorityType, c.critical)
		p.Threads[better].AddMessage(sim.Recv, sim.Message{Peer: waker})
		p.Threads[better].AddCompute(20 * ms)
		p.Threads[waker].AddCompute(30 * ms)
		p.Threads[waker].AddMessage(sim.Send, sim.Message{Peer: better})
		link(t, p)
		m := sim.Ideal(2)
		m.Mapping = []sim.Mapping{{Kind: sim.Explicit, Nodes: []int{0}}, {Kind: sim.Explicit, Nodes: []int{0, 1}}}
		m.Scheduler = scheduler(c.policy, func(s *sim.Scheduler) {
			s.Priorities, s.Preemptive, s.MinRun = []float64{2, 1}, c.preemptive, c.minimum*ms
		})
		r := runThesis(t, p, m)
		checkEnds(t, r, c.end, c.runs[0][1])
		if got := turns(r, int(better), sim.StateRunning); !reflect.DeepEqual(got, c.runs) {
			t.Errorf("%+v: the better runs %v ms", c, got)
		}
		if got := turns(r, int(better), sim.StateReady); !reflect.DeepEqual(got, c.ready) {
			t.Errorf("%+v: the better is ready %v ms", c, got)
		}
	}
}

// TestSVR4 (D28): levels 2, 1 and 0 of 10, 20 and 40 ms, each used-up quantum leads one down; two threads of 60 ms
// begin at level 2.
func TestSVR4(t *testing.T) {
	levels := []sim.Level{
		{Priority: 0, Quantum: 40 * ms, Expired: 0, Slept: 1, MaxWait: math.Inf(1)},
		{Priority: 1, Quantum: 20 * ms, Expired: 0, Slept: 2, MaxWait: math.Inf(1)},
		{Priority: 2, Quantum: 10 * ms, Expired: 1, Slept: 2, MaxWait: math.Inf(1)},
	}
	s := scheduler("UNIX_SVR4", func(s *sim.Scheduler) { s.Levels = levels })
	r := runThesis(t, bursts(t, 60, 60), oneCPU(s))
	checkEnds(t, r, 90, 120)
	if x := turns(r, 0, sim.StateRunning); !reflect.DeepEqual(x, [][2]float64{{0, 10}, {20, 40}, {60, 90}}) {
		t.Errorf("the first runs %v ms", x)
	}
	if y := turns(r, 1, sim.StateRunning); !reflect.DeepEqual(y, [][2]float64{{10, 20}, {40, 60}, {90, 120}}) {
		t.Errorf("the second runs %v ms", y)
	}
	// Half the quanta: X 0-5, Y 5-10, X 10-20, Y 20-30, then by 20 ms: X 30-50, Y 50-70, X 70-90, Y 90-110, X 110-115,
	// Y 115-120.
	s.QuantumFactor = 50
	checkEnds(t, runThesis(t, bursts(t, 60, 60), oneCPU(s)), 115, 120)
}

// TestSVR4Waits: a thread that uses a quantum up goes to level 1 and keeps the CPU from the other, until that has
// waited for a second and goes to level 2: X 0-1000, Y 1000-1100, X 1100-1500.
func TestSVR4Waits(t *testing.T) {
	s := scheduler("UNIX_SVR4", func(s *sim.Scheduler) {
		s.StartLevel, s.Preemptive = 0, true
		s.Levels = []sim.Level{
			{Priority: 0, Quantum: 100 * ms, Expired: 1, MaxWait: 0.25, Waited: 2},
			{Priority: 1, Quantum: 100 * ms, Expired: 1, Slept: 1, MaxWait: math.Inf(1)},
			{Priority: 2, Quantum: 2000 * ms, Expired: 1, Slept: 1, MaxWait: math.Inf(1)},
		}
	})
	checkEnds(t, runThesis(t, bursts(t, 1400, 100), oneCPU(s)), 1500, 1100)
}

// TestSolarisLevels: the table that Solaris has, at places.
func TestSolarisLevels(t *testing.T) {
	levels := sim.SolarisLevels()
	for at, want := range map[int]sim.Level{
		0:  {Priority: 0, Quantum: 200 * ms, Expired: 0, Slept: 50, Waited: 50},
		19: {Priority: 19, Quantum: 160 * ms, Expired: 9, Slept: 51, Waited: 51},
		29: {Priority: 29, Quantum: 120 * ms, Expired: 19, Slept: 52, Waited: 52},
		35: {Priority: 35, Quantum: 80 * ms, Expired: 25, Slept: 54, Waited: 54},
		44: {Priority: 44, Quantum: 40 * ms, Expired: 34, Slept: 55, Waited: 55},
		49: {Priority: 49, Quantum: 40 * ms, Expired: 39, Slept: 58, Waited: 59},
		59: {Priority: 59, Quantum: 20 * ms, Expired: 49, Slept: 59, MaxWait: 32000, Waited: 59},
	} {
		if levels[at] != want {
			t.Errorf("level %d: %+v, not %+v", at, levels[at], want)
		}
	}
}

// TestSwapPriorities: two applications of 30 ms swap priorities every 10 ms: X 0-10, Y 10-20, X 20-30, Y 30-40, X
// 40-50, Y.
func TestSwapPriorities(t *testing.T) {
	s := scheduler("FIXED_PRIORITY_FIFO", func(s *sim.Scheduler) {
		s.Priorities, s.Preemptive, s.Swap = []float64{1, 2}, true, 10*ms
	})
	checkEnds(t, runThesis(t, bursts(t, 30, 30), oneCPU(s)), 50, 60)
}

// TestDecayShares: by usage a thread that has had the CPU for a second is worse than one that has not, and both make
// progress. 20 ms of quantum, 2 s each.
func TestDecayShares(t *testing.T) {
	s := scheduler("DECAY", func(s *sim.Scheduler) { s.Quantum = 20 * ms })
	r := runThesis(t, bursts(t, 2000, 2000), oneCPU(s))
	if x, y := float64(r.Tasks[0].End)/ms, float64(r.Tasks[1].End)/ms; x < 3900 || y < 3900 {
		t.Errorf("they end at %g and %g ms: not shared", x, y)
	}
	// Without a quantum it is preemption at a tick that shares: at the first, at 10 ms, X has used one and Y none.
	s.Quantum, s.Preemptive = 0, true
	r = runThesis(t, bursts(t, 100, 100), oneCPU(s))
	if x := turns(r, 0, sim.StateRunning); x[0] != [2]float64{0, 10} {
		t.Errorf("the first runs %v ms", x)
	}
}

// TestBoostByMessages: what messages do to priorities. On one CPU a thread of 20 ms competes with one that, after 1 ms,
// does what the case says, waits for a message that comes at 5 ms, and computes 10 ms. If it is better by then it takes
// the CPU (5 to 15), and the other ends at 31; if not, it has it from 21 to 31.
func TestBoostByMessages(t *testing.T) {
	const peer = 2                                   // on a CPU of its own
	receiveEarlier := func(own, other *sim.Thread) { // a message that has come at 0
		other.AddMessage(sim.Send, sim.Message{Peer: 0, Tag: 1})
		own.AddMessage(sim.Recv, sim.Message{Peer: peer, Tag: 1})
	}
	sendLate := func(own, other *sim.Thread) { // to one that waits
		own.AddMessage(sim.Send, sim.Message{Peer: peer, Tag: 1})
		other.AddMessage(sim.Recv, sim.Message{Peer: 0, Tag: 1})
	}
	nothing := func(own, other *sim.Thread) {}
	for _, c := range []struct {
		name   string
		policy string
		change func(*sim.Scheduler)
		before func(own, other *sim.Thread)
		better bool
	}{
		{"nothing", "BOOST", func(s *sim.Scheduler) { s.RecvFirst = 0 }, nothing, false},
		{"receiver first", "BOOST", func(s *sim.Scheduler) { s.RecvFirst = -10 }, nothing, true},
		{"receiver last", "BOOST", func(s *sim.Scheduler) { s.RecvFirst, s.RecvLast = 0, -10 }, receiveEarlier, true},
		{"sender late", "BOOST", func(s *sim.Scheduler) { s.RecvFirst, s.SenderLate = 0, -10 }, sendLate, true},
		{"last, then first", "BOOST2", nil, receiveEarlier, false},       // -1, +1
		{"last, then first, later", "BOOST1", nil, receiveEarlier, true}, // -1 at the second receive
		{"sender, then receiver first", "BOOST3", nil, sendLate, false},  // -1, +1
		{"bounds", "BOOST", func(s *sim.Scheduler) { s.RecvFirst, s.Best = -10, 50 }, nothing, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &sim.Program{}
			p.AddPtask()
			for range 3 {
				p.AddTask(1)
			}
			own, other := &p.Threads[0], &p.Threads[peer]
			own.AddCompute(1 * ms)
			p.Threads[1].AddCompute(20 * ms)
			other.AddCompute(0)
			c.before(own, other)
			other.AddCompute(5 * ms)
			other.AddMessage(sim.Send, sim.Message{Peer: 0})
			own.AddMessage(sim.Recv, sim.Message{Peer: peer})
			own.AddCompute(10 * ms)
			link(t, p)
			m := sim.Ideal(2)
			m.Mapping = []sim.Mapping{{Kind: sim.Explicit, Nodes: []int{0, 0, 1}}}
			m.Scheduler = scheduler(c.policy, func(s *sim.Scheduler) {
				s.Quantum, s.Preemptive = 0, true
				if c.change != nil {
					c.change(s)
				}
			})
			wake := 5.0
			if r := runThesis(t, p, m); r.Tasks[peer].End == 6*ms {
				wake = 6 // it has waited for the message of 1 ms
			}
			ends := []float64{31, 21}
			if c.better {
				ends = []float64{wake + 10, 31}
			}
			checkEnds(t, runThesis(t, p, m), ends...)
		})
	}
}

// everyPolicy is every policy, with parameters that matter at the scale of milliseconds.
func everyPolicy() (list []sim.Scheduler) {
	for _, p := range sim.Policies() {
		for _, preemptive := range []bool{false, true} {
			list = append(list, scheduler(p.Name, func(s *sim.Scheduler) {
				s.Quantum, s.Preemptive, s.MinRun = 0.3*ms, preemptive, 0.05*ms
				s.Priorities, s.Swap = []float64{2, 1}, 7*ms
				s.UseTick, s.LoadInterval, s.Readjust = 0.1*ms, 1*ms, 1*ms
				s.QuantumFactor = 0.3
				if preemptive {
					s.ContextSwitch, s.BusyWait = 0.01*ms, 0.02*ms
				}
			}))
		}
	}
	return list
}

// twoApplications returns a stencil that marks what is critical in it, beside another of the same kind, on few nodes of
// two CPUs.
func twoApplications(t *testing.T) (*sim.Program, *sim.Machine) {
	p := &sim.Program{}
	for range 2 {
		p.AddPtask()
		first := int32(len(p.Tasks))
		for range 6 {
			p.AddTask(1)
		}
		for i := range int32(6) {
			th := &p.Threads[first+i]
			th.AddCompute(0)
			for k := range 25 {
				th.AddCompute(float64((i*7+int32(k)*13)%11+1) * 0.13 * ms)
				th.AddEvent(sim.PriorityType, 0)
				th.AddMessage(sim.Isend, sim.Message{Peer: first + (i+1)%6, Size: 4000, Tag: 1})
				th.AddMessage(sim.Recv, sim.Message{Peer: first + (i+5)%6, Tag: 1})
				th.AddEvent(sim.PriorityType, int64(1+i%3))
				th.AddEvent(1000, int64(k))
			}
		}
	}
	link(t, p)
	m := network(3)
	m.Clusters[0].Bandwidth = 1e9 / megabyte // a byte takes 1 ns: all times are whole
	for i := range m.Nodes {
		m.Nodes[i].CPUs = 1 + i%2
	}
	m.Mapping = []sim.Mapping{{Kind: sim.Interleaved}}
	return p, m
}

// TestAllPolicies: whatever the policy and the rules, the states of a task add up to its end, it computes what the
// program says (D8), no CPU idles while a thread of its node is ready, the trace is read without a bad record, and the
// result is always the same.
func TestAllPolicies(t *testing.T) {
	p, m := twoApplications(t)
	for _, s := range everyPolicy() {
		for _, rules := range []sim.Rules{{}, thesisRules, {sim.CPUTurns: sim.TurnUntilBlocked},
			{sim.SwitchCost: sim.SwitchOnChange, sim.SpinTime: sim.SpinFully}} {
			t.Run(fmt.Sprintf("%s preemptive %v %+v", s.Policy, s.Preemptive, rules), func(t *testing.T) {
				machine := *m
				machine.Scheduler = s
				opt := sim.Options{Trace: true, Rules: rules}
				r, err := engine.Run(context.Background(), p, &machine, opt)
				if err != nil {
					t.Fatal(err)
				}
				checkTimes(t, p, r, rules, s.Policy == "SHARED")
				if s.Policy != "SHARED" {
					checkWorkConserving(t, r, &machine)
				}
				checkReadable(t, r.Trace)
				again, _ := engine.Run(context.Background(), p, &machine, opt)
				if !reflect.DeepEqual(r.Tasks, again.Tasks) || prv.Equal(r.Trace, again.Trace) != nil {
					t.Error("another result the second time")
				}
				opt.Trace = false
				if totals, _ := engine.Run(context.Background(), p, &machine, opt); !reflect.DeepEqual(r.Tasks,
					totals.Tasks) {
					t.Error("another result without a trace")
				}
			})
		}
	}
}

func checkTimes(t *testing.T, p *sim.Program, r *sim.Result, rules sim.Rules, shared bool) {
	for i := range r.Tasks {
		sum := int64(0)
		for _, ns := range r.Tasks[i].States {
			sum += ns
		}
		if sum != r.Tasks[i].End {
			t.Errorf("task %d: states of %d ns, end at %d", i+1, sum, r.Tasks[i].End)
		}
		th, want := &p.Threads[i], 0.0
		for k, kind := range th.Kinds() {
			if kind == sim.Compute {
				want += th.Burst(k)
			}
		}
		s := &r.Tasks[i]
		running, startup := float64(s.States[sim.StateRunning]), float64(s.States[sim.StateStartup])
		switch {
		case shared: // elapsed time is not CPU time
		case rules == thesisRules:
			if running != want || startup != s.Startups {
				t.Errorf("task %d: runs for %g ns, not %g, and starts messages for %g, not %g", i+1, running, want,
					startup, s.Startups)
			}
		// Dimemas shows startups as running after a switch, and where a quantum ends
		case s.States[sim.StateSwitch] == 0:
			if running+startup != want+s.Startups {
				t.Errorf("task %d: runs and starts messages for %g ns, not %g", i+1, running+startup, want+s.Startups)
			}
		}
		if got := r.Tasks[i].Computation; math.Abs(got-want) > 1e-3 {
			t.Errorf("task %d: computes for %g ns, not %g", i+1, got, want)
		}
	}
}

// checkReadable writes a trace and reads it: nothing is skipped, and it is the same.
func checkReadable(t *testing.T, tr *prv.Trace) {
	var b bytes.Buffer
	if err := prv.Write(context.Background(), &b, tr); err != nil {
		t.Fatal(err)
	}
	back, err := prv.Read(context.Background(), &b, prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := back.Skipped.Total(); n > 0 {
		t.Errorf("%d records of the predicted trace are not read: %v", n, back.Skipped)
	}
	back.Labels, back.Names = tr.Labels, tr.Names // which are in files of their own
	if err := prv.Equal(tr, back); err != nil {
		t.Error(err)
	}
}

// checkWorkConserving sweeps over the predicted trace: at no time is a thread ready on a node that has a CPU free, and
// never are more threads on CPUs than there are.
func checkWorkConserving(t *testing.T, r *sim.Result, m *sim.Machine) {
	type change struct {
		at          int64
		busy, ready int
	}
	for node := range m.Nodes {
		var list []change
		for i := range r.Trace.Threads {
			if i%6%len(m.Nodes) != node { // interleaved, six tasks to each application
				continue
			}
			s := &r.Trace.Threads[i].States
			for k := range s.Len() {
				c := change{}
				switch uint8(s.Value[k]) {
				case sim.StateReady:
					c.ready = 1
				case sim.StateRunning, sim.StateStartup, sim.StateSwitch, sim.StateBusyWait:
					c.busy = 1
				}
				list = append(list, change{s.Begin[k], c.busy, c.ready}, change{s.End[k], -c.busy, -c.ready})
			}
		}
		slices.SortFunc(list, func(a, b change) int { return int(a.at - b.at) })
		busy, ready := 0, 0
		for k, c := range list {
			busy, ready = busy+c.busy, ready+c.ready
			if k+1 < len(list) && list[k+1].at == c.at {
				continue
			}
			if cpus := m.Nodes[node].CPUs; busy > cpus || busy < cpus && ready > 0 {
				t.Errorf("at %d ns node %d has %d threads on its %d CPUs and %d ready", c.at, node, busy, cpus, ready)
				return
			}
		}
	}
}
