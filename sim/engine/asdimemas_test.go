package engine_test

// Surprising behaviour of Dimemas that affects times.

import (
	"testing"

	"pview/sim"
)

// onOneNode returns a program of two tasks of one application, filled by f, and a machine of one node with the given
// CPUs.
func onOneNode(t *testing.T, cpus int, f func(task int32, world int32, th *sim.Thread)) (*sim.Program, *sim.Machine) {
	t.Helper()
	p := &sim.Program{}
	p.AddPtask()
	world := p.AddCommunicator(0, 1, []int32{p.AddTask(1), p.AddTask(1)})
	for i := range p.Threads {
		f(int32(i), world, &p.Threads[i])
	}
	link(t, p)
	m := sim.Ideal(1)
	m.Nodes[0].CPUs = cpus
	m.Mapping = []sim.Mapping{{Kind: sim.TasksPerNode, Tasks: 2}}
	return p, m
}

// The tracer of task 1 writes its buffer for 5 us from 10 us on. With the event at its start the task has lost the CPU,
// to task 2, which computes for 100 us: the flush ends at 115 us, and 105 us are I/O, of them 100 also Synchronization.
func TestTracerStates(t *testing.T) {
	p, m := onOneNode(t, 1, func(task, _ int32, th *sim.Thread) {
		if task == 1 {
			th.AddCompute(100e3)
			return
		}
		th.AddCompute(10e3)
		th.AddEvent(40000003, 1)
		th.AddCompute(5e3)
		th.AddEvent(40000003, 0)
		th.AddCompute(1e3)
	})
	for rule, want := range map[uint8][3]int64{sim.TracerOverlaps: {11e3, 100e3, 105e3},
		sim.TracerRuns: {11e3, 100e3, 5e3}} {
		r := runBy(t, sim.Rules{sim.TracerStates: rule}, p, m)
		s := &r.Tasks[0].States
		if got := [3]int64{s[sim.StateRunning], s[sim.StateReady], s[sim.StateIO]}; got != want || r.Total != 116e3 {
			t.Errorf("rule %d: running, ready, I/O %v, not %v; total %d", rule, got, want, r.Total)
		}
		traced := [3]int64{}
		for k, v := range r.Trace.Threads[0].States.Value {
			for i, state := range []uint8{sim.StateRunning, sim.StateReady, sim.StateIO} {
				if uint8(v) == state {
					traced[i] += r.Trace.Threads[0].States.End[k] - r.Trace.Threads[0].States.Begin[k]
				}
			}
		}
		if traced != want {
			t.Errorf("rule %d: in the trace %v, not %v", rule, traced, want)
		}
	}
}

// The participants of a Barrier on a node are those who have arrived at an operation since the last one ended. By the
// linear model it takes 2 (n - 1) latencies of 1 us. Both tasks start a non-blocking operation, which costs its latency
// and runs from 1 to 3 us: a Barrier that begins at 1 us counts n = 4 and lasts 6 us, one that begins at 11 us counts 2
// and lasts 2 us.
func TestParticipantsWhileAnotherGoesOn(t *testing.T) {
	for compute, want := range map[float64]int64{0: 7e3, 10e3: 13e3} {
		p, m := onOneNode(t, 2, func(_, world int32, th *sim.Thread) {
			th.AddCompute(0)
			th.AddCollective(sim.CollectiveStart, sim.CollectiveCall{Communicator: world})
			th.AddCompute(compute)
			th.AddCollective(sim.Collective, sim.CollectiveCall{Communicator: world})
		})
		m.Clusters[0].Model = sim.ModelLinear
		m.Nodes[0].Local.Latency = 1000
		if got := run(t, p, m).Total; got != want {
			t.Errorf("%g ns between: %d ns, not %d", compute, got, want)
		}
	}
}

// A Barrier wakes its tasks in the order in which they have come, but the root last; and where there was a Reduce
// before, its root is taken for that of the Barrier. On one CPU who is woken first ends at 10 us, the other one at 20
// us.
func TestReduceIsRemembered(t *testing.T) {
	for _, c := range []struct {
		what   string
		reduce bool
		want   [2]int64
	}{{"a Barrier", false, [2]int64{10e3, 20e3}}, {"a Barrier after a Reduce to task 1", true, [2]int64{20e3, 10e3}}} {
		p, m := onOneNode(t, 1, func(_, world int32, th *sim.Thread) {
			th.AddCompute(0)
			if c.reduce {
				th.AddCollective(sim.Reduce, sim.CollectiveCall{Communicator: world, Op: sim.OpReduce, RootTask: 0})
			}
			th.AddCollective(sim.Collective, sim.CollectiveCall{Communicator: world})
			th.AddCompute(10e3)
		})
		r := run(t, p, m)
		if got := [2]int64{r.Tasks[0].End, r.Tasks[1].End}; got != c.want {
			t.Errorf("%s: the tasks end at %v, not %v", c.what, got, c.want)
		}
	}
}

// Both tasks of a Reduce count the time from their arrival on as time in collectives. A megabyte takes 10 ms of 100
// MB/s: task 2 sends it from 0 to 10 ms, and the root, which comes after 4 ms, waits for 6 ms.
func TestTimeInReduce(t *testing.T) {
	p := &sim.Program{}
	p.AddPtask()
	world := p.AddCommunicator(0, 1, []int32{p.AddTask(1), p.AddTask(1)})
	for i := range p.Threads {
		p.Threads[i].AddCompute(float64(1-i) * 4 * ms)
		p.Threads[i].AddCollective(sim.Reduce, sim.CollectiveCall{Communicator: world, Op: sim.OpReduce, RootTask: 0,
			Sent: megabyte})
	}
	link(t, p)
	m := sim.Ideal(2)
	m.Clusters[0].Bandwidth = 100
	r := run(t, p, m)
	if got := [2]float64{r.Tasks[0].InColl, r.Tasks[1].InColl}; got != [2]float64{6 * ms, 10 * ms} {
		t.Errorf("%v ns in collectives", got)
	}
}

// A wait for a non-blocking operation ends with any that the task has started, as Dimemas counts them. Task 1 starts
// one with task 2, which comes after 50 us, and one with task 3, which comes after 20 us; its first wait ends after 20
// us, its second after 50 us.
func TestWaitTakesAnyOperation(t *testing.T) {
	p := &sim.Program{}
	p.AddPtask()
	a, b, c := p.AddTask(1), p.AddTask(1), p.AddTask(1)
	with := map[int32]int32{b: p.AddCommunicator(0, 1, []int32{a, b}), c: p.AddCommunicator(0, 2, []int32{a, c})}
	for _, peer := range []struct {
		task int32
		late float64
	}{{b, 50e3}, {c, 20e3}} {
		call := sim.CollectiveCall{Communicator: with[peer.task]}
		th := &p.Threads[peer.task]
		th.AddCompute(peer.late)
		th.AddCollective(sim.CollectiveStart, call)
		th.AddCollective(sim.CollectiveWait, call)
	}
	th := &p.Threads[a]
	th.AddCompute(0)
	for _, peer := range []int32{b, c} {
		th.AddCollective(sim.CollectiveStart, sim.CollectiveCall{Communicator: with[peer]})
	}
	for range 2 {
		th.AddCollective(sim.CollectiveWait, sim.CollectiveCall{Communicator: with[b]})
		th.AddEvent(7, 7)
	}
	link(t, p)
	r := run(t, p, sim.Ideal(3))
	if e := r.Trace.Threads[0].Events; e.Len() != 2 || e.Time[0] != 20e3 || e.Time[1] != 50e3 {
		t.Errorf("the waits end at %v", e.Time)
	}
}

// An operation over clusters is charged to the slower one, with the latency of one node of it: that of the root, or of
// the last to arrive, in its cluster, that of the first to arrive in any other. Nodes 1 and 2 are a cluster of no
// latency, 3 and 4 one with latencies of 5 and 1 us; a Barrier takes two messages in each (CTE), nothing between them,
// and begins at 10 us, when the task on node 2 arrives.
//
//	node 3 first: 10 + 2*5 us; node 4 first: 10 + 2*1 us, whoever is last in the cluster
//
// If node 4 comes last of all, at 20 us, the latency is its own.
func TestLatencyOfACluster(t *testing.T) {
	for _, c := range []struct {
		three, four float64
		want        int64
	}{{1e3, 2e3, 20e3}, {2e3, 1e3, 12e3}, {1e3, 20e3, 22e3}} {
		p := &sim.Program{}
		p.AddPtask()
		var all []int32
		for range 4 {
			all = append(all, p.AddTask(1))
		}
		world := p.AddCommunicator(0, 1, all)
		for i, at := range []float64{0, 10e3, c.three, c.four} {
			p.Threads[i].AddCompute(at)
			p.Threads[i].AddCollective(sim.Collective, sim.CollectiveCall{Communicator: world})
		}
		link(t, p)
		m := sim.Ideal(4)
		m.Clusters = append(m.Clusters, m.Clusters[0])
		m.Clusters[0].Model, m.Clusters[1].Model, m.WAN.Model = sim.ModelConstant, sim.ModelConstant, sim.ModelNone
		m.Nodes[2].Cluster, m.Nodes[3].Cluster = 1, 1
		m.Nodes[2].Latency, m.Nodes[3].Latency = 5e3, 1e3
		if got := run(t, p, m).Total; got != c.want {
			t.Errorf("node 3 at %g, node 4 at %g ns: %d ns, not %d", c.three, c.four, got, c.want)
		}
	}
}

// A task that has started a non-blocking operation goes on at once, and only then takes part in it. On one CPU task 1
// starts one at 0 and computes for 10 us: that is a new turn, behind task 2, which computes for 30 us. After a
// no-operation in between task 1 keeps its turn, and task 2 comes second.
func TestGoesOnAfterStart(t *testing.T) {
	for nop, want := range map[bool][2]int64{false: {40e3, 30e3}, true: {10e3, 40e3}} {
		p, m := onOneNode(t, 1, func(task, world int32, th *sim.Thread) {
			call := sim.CollectiveCall{Communicator: world}
			if task == 1 {
				th.AddCompute(30e3)
				th.AddCollective(sim.CollectiveStart, call)
				return
			}
			th.AddCompute(0)
			th.AddCollective(sim.CollectiveStart, call)
			if nop {
				th.AddNop()
			}
			th.AddCompute(10e3)
		})
		r := run(t, p, m)
		if got := [2]int64{r.Tasks[0].End, r.Tasks[1].End}; got != want {
			t.Errorf("no-operation %v: the tasks end at %v, not %v", nop, got, want)
		}
	}
}

// A context switch renews the quantum. With a quantum of 100 us two computations of 60 us, with a no-operation between
// them, are 2 + 60 + 2 + 60 us; where switches are free the second has 40 us of the same quantum, and the 20 that are
// left are another turn: 60 + 40 + 20.
func TestSwitchRenewsQuantum(t *testing.T) {
	for cost, want := range map[float64]int64{0: 120e3, 2e3: 124e3} {
		p, m := onOneNode(t, 1, func(task, _ int32, th *sim.Thread) {
			if task == 0 {
				th.AddCompute(60e3)
				th.AddNop()
				th.AddCompute(60e3)
			}
		})
		m.Scheduler = sim.Scheduler{Policy: "RR", Quantum: 100e3, ContextSwitch: cost}
		r := run(t, p, m)
		if r.Total != want {
			t.Errorf("switches of %g ns: %d ns, not %d", cost, r.Total, want)
		}
	}
}

// A collective operation over clusters takes a link of each to the wide area network. The message of task 1 to task 2
// has the only ones from 0 to 100 us, so that a Barrier of both at 0, which takes no time itself, ends at 100; with two
// links each it ends at once.
func TestBarrierTakesWideLinks(t *testing.T) {
	for links, want := range map[int]int64{1: 110e3, 2: 10e3} {
		p := &sim.Program{}
		p.AddPtask()
		a, b := p.AddTask(1), p.AddTask(1)
		world := p.AddCommunicator(0, 1, []int32{a, b})
		for i := range p.Threads {
			th := &p.Threads[i]
			th.AddCompute(0)
			if i == 0 {
				th.AddMessage(sim.Isend, sim.Message{Peer: b, Size: 100e3})
			}
			th.AddCollective(sim.Collective, sim.CollectiveCall{Communicator: world})
			th.AddCompute(10e3)
			if i == 1 {
				th.AddMessage(sim.Recv, sim.Message{Peer: a})
			}
		}
		link(t, p)
		m := sim.Ideal(2)
		m.Clusters = append(m.Clusters, m.Clusters[0])
		m.Nodes[1].Cluster = 1
		m.WAN = sim.WAN{Bandwidth: 1e9 / megabyte, Model: sim.ModelNone, Links: sim.Links{In: links, Out: links}}
		if got := run(t, p, m).Tasks[0].End; got != want {
			t.Errorf("%d links: task 1 ends at %d ns, not %d", links, got, want)
		}
	}
}
