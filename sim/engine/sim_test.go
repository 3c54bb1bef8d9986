package engine_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pview/prv"
	"pview/sim"
	"pview/sim/engine"
)

const megabyte = 1 << 20

// pair returns a program of two tasks: one computes, sends a megabyte and computes on; the other computes, receives,
// and computes on. Times in microseconds.
func pair(t *testing.T, send sim.Kind, ta, tc, te, tg float64) *sim.Program {
	t.Helper()
	p := &sim.Program{}
	p.AddPtask()
	a, b := p.AddTask(1), p.AddTask(1)
	from, to := &p.Threads[a], &p.Threads[b]
	from.AddCompute(ta * 1000)
	from.AddMessage(send, sim.Message{Peer: b, Size: megabyte, Tag: 1})
	from.AddCompute(tc * 1000)
	to.AddCompute(te * 1000)
	to.AddMessage(sim.Recv, sim.Message{Peer: a, Size: megabyte, Tag: 1})
	to.AddCompute(tg * 1000)
	link(t, p)
	return p
}

func link(t testing.TB, p *sim.Program) {
	t.Helper()
	if err := p.Link(); err != nil {
		t.Fatal(err)
	}
}

// network is n nodes of one CPU, latency 25 us, 100 MB/s: a megabyte takes 10 ms.
func network(n int) *sim.Machine {
	m := sim.Ideal(n)
	m.Clusters[0].Bandwidth = 100
	for i := range m.Nodes {
		m.Nodes[i].Latency, m.Nodes[i].Links = 25_000, sim.Links{In: 1, Out: 1}
	}
	return m
}

func run(t testing.TB, p *sim.Program, m *sim.Machine) *sim.Result {
	t.Helper()
	r, err := engine.Run(context.Background(), p, m, sim.Options{Trace: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestPointToPoint: the times of one message, in microseconds. (Dimemas 5.5.0 charges the latency to the receiver,
// too.)
func TestPointToPoint(t *testing.T) {
	for _, c := range []struct {
		name           string
		send           sim.Kind
		ta, tc, te, tg float64
		times          [4]int64 // logical and physical send, logical and physical receive
		ends           [2]int64
	}{
		{"early receiver", sim.Send, 100, 200, 50, 300, [4]int64{100, 125, 50, 10125}, [2]int64{325, 10425}},
		{"late receiver", sim.Send, 100, 200, 20000, 300, [4]int64{100, 125, 20000, 10125}, [2]int64{325, 20325}},
		{"late receiver, rendezvous", sim.SendRendezvous, 100, 200, 20000, 300, [4]int64{100, 20025, 20000, 30025},
			[2]int64{20225, 30325}},
		{"late receiver, immediate rendezvous", sim.IsendRendezvous, 100, 200, 20000, 300,
			[4]int64{100, 20025, 20000, 30025}, [2]int64{325, 30325}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := run(t, pair(t, c.send, c.ta, c.tc, c.te, c.tg), network(2))
			for role := range c.times {
				if got := r.Trace.Comms.Times[role][0]; got != c.times[role]*1000 {
					t.Errorf("%s at %d ns, not %d us", prv.Role(role), got, c.times[role])
				}
			}
			for i := range c.ends {
				if got := r.Tasks[i].End; got != c.ends[i]*1000 {
					t.Errorf("task %d ends at %d ns, not %d us", i+1, got, c.ends[i])
				}
			}
		})
	}
}

// TestBuses: three pairs send at once.
func TestBuses(t *testing.T) {
	for buses, want := range map[int][]int64{0: {10025, 10025, 10025}, 1: {10025, 20025, 30025},
		2: {10025, 10025, 20025}} {
		p := &sim.Program{}
		p.AddPtask()
		for range 3 {
			a, b := p.AddTask(1), p.AddTask(1)
			p.Threads[a].AddCompute(0)
			p.Threads[a].AddMessage(sim.Send, sim.Message{Peer: b, Size: megabyte})
			p.Threads[b].AddCompute(0)
			p.Threads[b].AddMessage(sim.Recv, sim.Message{Peer: a})
		}
		link(t, p)
		m := network(6)
		m.Clusters[0].Buses = buses
		got := slices.Sorted(slices.Values(run(t, p, m).Trace.Comms.Times[prv.PhysicalRecv]))
		for i := range want {
			if got[i] != want[i]*1000 {
				t.Errorf("%d buses: arrivals %v ns, not %v us", buses, got, want)
				break
			}
		}
	}
}

// TestSteps: D12: messages one after the other of a tree over p participants on a number of buses.
func TestSteps(t *testing.T) {
	for _, c := range []struct {
		p, buses int
		want     float64
	}{{8, 0, 3}, {8, 1, 7}, {8, 2, 4}, {8, 3, 4}, {16, 5, 5}, {16, 0, 4}, {6, 2, 4}, {5, 1, 4}, {2, 1, 1}, {1, 1, 0},
		{1, 0, 0}} {
		if got := sim.CollectiveModels[sim.ModelLogarithmic].Steps(c.p, c.buses); got != c.want {
			t.Errorf("%d participants, %d buses: %g steps, not %g", c.p, c.buses, got, c.want)
		}
	}
}

// TestPipeline: a wave of n blocks over tasks in a line ends at n c + (n-1) L + (P-1) (c + L + x), and, since here the
// receiver pays the latency as well, a latency more for each block and task.
func TestPipeline(t *testing.T) {
	const tasks, blocks, c = 8, 100, 1e6 // ns
	p := &sim.Program{}
	p.AddPtask()
	for range tasks {
		p.AddTask(1)
	}
	for i := range int32(tasks) {
		th := &p.Threads[i]
		th.AddCompute(0)
		for b := range blocks {
			if i > 0 {
				th.AddMessage(sim.Recv, sim.Message{Peer: i - 1, Tag: int64(b)})
			}
			th.AddCompute(c)
			if i < tasks-1 {
				th.AddMessage(sim.Send, sim.Message{Peer: i + 1, Size: megabyte / 20, Tag: int64(b)})
			}
		}
	}
	link(t, p)
	ideal := run(t, p, sim.Ideal(tasks))
	if ideal.Total != 107_000_000 || math.Abs(ideal.Utilisation(tasks)-0.93458) > 1e-5 {
		t.Errorf("ideal: %d ns, %.5f of the time computing", ideal.Total, ideal.Utilisation(tasks))
	}
	m := network(tasks)
	for i := range m.Nodes {
		m.Nodes[i].Latency = 0
	}
	x := int64(math.Round(float64(megabyte/20) * 1e9 / megabyte / 100))
	if got, want := run(t, p, m).Total, 107_000_000+(tasks-1)*x; max(got-want, want-got) > tasks {
		t.Errorf("without latency: %d ns, not %d", got, want)
	}
	m.Clusters[0].Buses = 1
	if got := run(t, p, m).Total; got < (tasks-1)*blocks*x {
		t.Errorf("on one bus: %d ns is less than the bus needs", got)
	}
}

// TestConservation: the states of every task add up to its end, whatever the machine, and computation is that of
// the program.
func TestConservation(t *testing.T) {
	p := stencil(t, 4, 3, 20)
	for _, m := range []*sim.Machine{sim.Ideal(12), network(12), cluster(12, 2), crowded(3)} {
		r := run(t, p, m)
		if math.Abs(r.Computation-p.Computation()) > 1e-3 {
			t.Errorf("computed %g ns, not %g", r.Computation, p.Computation())
		}
		for i := range r.Tasks {
			sum := int64(0)
			for _, ns := range r.Tasks[i].States {
				sum += ns
			}
			if sum != r.Tasks[i].End {
				t.Errorf("task %d: states of %d ns, end at %d", i+1, sum, r.Tasks[i].End)
			}
		}
	}
}

// crowded returns a machine of few nodes of one CPU, by round robin.
func crowded(nodes int) *sim.Machine {
	m := cluster(nodes, 1)
	m.Mapping = []sim.Mapping{{Kind: sim.Interleaved}}
	m.Scheduler = sim.Scheduler{Policy: "RR", Quantum: 70_000}
	return m
}

// TestSame: the same arguments give the same result, with and without a trace, and also when many run at once.
func TestSame(t *testing.T) {
	p := stencil(t, 4, 4, 10)
	m := crowded(5)
	first := run(t, p, m)
	for range 3 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			again := run(t, p, m)
			if !reflect.DeepEqual(first.Tasks, again.Tasks) || prv.Equal(first.Trace, again.Trace) != nil {
				t.Error("another result")
			}
			totals, err := engine.Run(context.Background(), p, m, sim.Options{})
			if err != nil || !reflect.DeepEqual(first.Tasks, totals.Tasks) {
				t.Errorf("another result without a trace (%v)", err)
			}
		})
	}
}

// TestMonotone: without limits, less latency and more bandwidth never take longer.
func TestMonotone(t *testing.T) {
	p := stencil(t, 4, 4, 10)
	last := int64(math.MaxInt64)
	for _, k := range []float64{8, 4, 2, 1, 0.5, 0.1} {
		m := sim.Ideal(16)
		m.Clusters[0].Bandwidth = 100 / k
		for i := range m.Nodes {
			m.Nodes[i].Latency = 1000 * k
		}
		total := run(t, p, m).Total
		if total > last {
			t.Errorf("%g times the costs: %d ns, longer than with more (%d)", k, total, last)
		}
		last = total
	}
	if total := run(t, p, sim.Ideal(16)).Total; total > last {
		t.Errorf("an ideal network: %d ns, longer than a real one (%d)", total, last)
	}
}

// TestAllocations: memory does not grow with the length of the program.
func TestAllocations(t *testing.T) {
	m := cluster(16, 4)
	count := func(iterations int) float64 {
		p := stencil(t, 4, 4, iterations)
		return testing.AllocsPerRun(3, func() {
			if _, err := engine.Run(context.Background(), p, m, sim.Options{}); err != nil {
				t.Fatal(err)
			}
		})
	}
	if few, many := count(50), count(500); many > few+20 {
		t.Errorf("%g allocations for 50 iterations, %g for 500", few, many)
	}
}

// TestDeadlock: who waits for what, at which record (D44).
func TestDeadlock(t *testing.T) {
	p := &sim.Program{}
	p.AddPtask()
	a, b := p.AddTask(1), p.AddTask(1)
	for i, peer := range []int32{b, a} {
		p.Threads[i].AddCompute(1000)
		p.Threads[i].AddMessage(sim.Recv, sim.Message{Peer: peer, Tag: 7})
		p.Threads[i].AddMessage(sim.Send, sim.Message{Peer: peer, Tag: 7})
	}
	link(t, p)
	_, err := engine.Run(context.Background(), p, network(2), sim.Options{})
	var d *sim.Deadlock
	if !errors.As(err, &d) || len(d.Waits) != 2 || d.Waits[1].Thread != "1.2.1" || d.Waits[1].Record != 2 ||
		!strings.Contains(d.Waits[1].What, "tag 7 from task 1.1") {
		t.Errorf("%v", err)
	}
}

// TestTooLate: times that no longer fit into whole nanoseconds are an error, and not a wrong result: a computation of
// 300 years, a message at a byte in 300 years, a CPU that is slower by 1e300.
func TestTooLate(t *testing.T) {
	slow, message := network(2), network(2)
	slow.Nodes[0].Speed = 1e-300
	message.Clusters[0].Bandwidth = 1e-16
	for name, run := range map[string]struct {
		burst float64
		m     *sim.Machine
	}{"computation": {1e16, network(2)}, "CPU": {1, slow}, "message": {1, message}} {
		_, err := engine.Run(context.Background(), pair(t, sim.Send, run.burst, 1, 1, 1), run.m, sim.Options{})
		if err == nil || !strings.Contains(err.Error(), "it goes no further than 2.52e+08 s (8 years)") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestCancel: a simulation ends when its context does.
func TestCancel(t *testing.T) {
	p := stencil(t, 8, 8, 200)
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	_, err := engine.Run(ctx, p, cluster(64, 8), sim.Options{Progress: func(done, total int64) {
		calls++
		cancel()
	}})
	if !errors.Is(err, context.Canceled) || calls != 1 {
		t.Errorf("%v after %d reports of progress", err, calls)
	}
}

// TestOnly: of applications of 2 and 3 tasks that compute for 10 and 20 us and have two barriers, both run, or one of
// them. Barriers take no time. Each application begins on the first node, of one CPU, so that both take 10 + 20 us. The
// trace has the communicators of both, with tasks numbered from 1 in each.
func TestOnly(t *testing.T) {
	p := &sim.Program{}
	for i, n := range []int{2, 3} {
		var all []int32
		p.AddPtask()
		for range n {
			all = append(all, p.AddTask(1))
		}
		world := p.AddCommunicator(int32(i), int64(7+i), all)
		for _, task := range all {
			p.Threads[task].AddCompute(float64(10_000 * (i + 1)))
			for range 2 {
				p.Threads[task].AddCollective(sim.Collective, sim.CollectiveCall{Communicator: world})
			}
		}
	}
	link(t, p)
	for _, c := range []struct {
		only        int
		total       int64
		collectives []int64 // by task; nil: an error
	}{{-1, 0, nil}, {0, 30_000, []int64{2, 2, 2, 2, 2}}, {1, 10_000, []int64{2, 2, 0, 0, 0}},
		{2, 20_000, []int64{0, 0, 2, 2, 2}}, {3, 0, nil}} {
		r, err := engine.Run(context.Background(), p, sim.Ideal(3), sim.Options{Trace: true, Only: c.only})
		if c.collectives == nil {
			if err == nil || err.Error() != fmt.Sprintf("there is no application %d", c.only) {
				t.Errorf("only %d: %v", c.only, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		var got []int64
		for i := range r.Tasks {
			got = append(got, int64(r.Tasks[i].Collectives))
		}
		if r.Total != c.total || !slices.Equal(got, c.collectives) {
			t.Errorf("only %d: %d ns, collectives %v", c.only, r.Total, got)
		}
		if got := fmt.Sprint(r.Trace.Communicators); got != "[{c:1:7:2:1:2} {c:2:8:3:1:2:3}]" {
			t.Errorf("only %d: communicators %s", c.only, got)
		}
	}
}

// TestOpenMP: two threads meet at the start of the outlined function and at the end of a barrier; the master ends the
// region when the other has ended its function. Times in microseconds.
func TestOpenMP(t *testing.T) {
	const region, barrier, outlined = 60000001, 60000005, 60000018
	p := &sim.Program{}
	p.AddPtask()
	p.AddTask(2)
	p.Tasks[0].OpenMP = true
	master, worker := &p.Threads[0], &p.Threads[1]
	master.AddCompute(100_000)
	master.AddEvent(region, 3)
	master.AddEvent(outlined, 1)
	master.AddCompute(50_000)
	master.AddEvent(barrier, 1)
	master.AddEvent(barrier, 0)
	master.AddCompute(10_000)
	master.AddEvent(outlined, 0)
	master.AddEvent(region, 0)
	master.AddCompute(1_000)
	worker.AddCompute(0)
	worker.AddEvent(outlined, 1) // from 100 on
	worker.AddCompute(70_000)
	worker.AddEvent(barrier, 1)
	worker.AddEvent(barrier, 0) // both at 170
	worker.AddCompute(30_000)
	worker.AddEvent(outlined, 0) // at 200
	link(t, p)
	m := sim.Ideal(1)
	m.Nodes[0].CPUs = 2
	// Until 100 the worker waits for its function, not shown as a state of Dimemas; the master waits in the barrier from
	// 150 to 170, and from 180 to 200 for the end of the worker's function, which is Fork/Join. Running are the master
	// until 100, 50 + 10 in its function and 1 after the region, and the worker 70 + 30.
	for rule, want := range map[uint8][3]int64{
		sim.ConstructsShown: {161_000 + 100_000, 20_000, 20_000},
		sim.ActivityShown:   {161_000 + 100_000, 100_000 + 20_000 + 20_000, 0},
	} {
		r := runBy(t, sim.Rules{sim.ConstructStates: rule}, p, m)
		s := &r.Tasks[0].States
		got := [3]int64{s[sim.StateRunning], s[sim.StateReady], s[sim.StateFork]}
		if r.Total != 201_000 || got != want {
			t.Errorf("rule %d: ends at %d ns; Running, waiting and Fork/Join %d, want %d", rule, r.Total, got, want)
		}
	}
	// Disabled: nobody waits, and the worker takes no time. One CPU is enough then, and the worker has it after the
	// master's first computation.
	for _, cpus := range []int{2, 1} {
		m.Nodes[0].CPUs = cpus
		free, err := engine.Run(context.Background(), p, m, sim.Options{DisableOpenMP: true})
		if err != nil || free.Total != 161_000 || free.Computation != 161_000 {
			t.Errorf("disabled, %d CPUs: %d ns, %g ns of computation (%v)", cpus, free.Total, free.Computation, err)
		}
	}
	m.Nodes[0].CPUs = 2
	worker.AddEvent(barrier, 0)
	link(t, p)
	_, err := engine.Run(context.Background(), p, m, sim.Options{})
	if err == nil || !strings.Contains(err.Error(), "thread 1.1.2 waits at its record 8: the end of a barrier") ||
		!strings.Contains(err.Error(), "all threads of a task are one team") {
		t.Errorf("%v", err)
	}
}

// TestOpenMPStream: the master and a worker meet at the outlined function at 20, and end at 50; the third thread is a
// stream of an accelerator, which computes until 70 and is not waited for. Times in microseconds.
func TestOpenMPStream(t *testing.T) {
	const parallel, outlined = 60000001, 60000018
	p := &sim.Program{}
	p.AddPtask()
	p.AddTask(3)
	p.Tasks[0].OpenMP = true
	for i, before := range []float64{10_000, 20_000} {
		th := &p.Threads[i]
		th.AddCompute(before)
		if i == 0 {
			th.AddEvent(parallel, 3)
		}
		th.AddEvent(outlined, 1)
		th.AddCompute(30_000)
		th.AddEvent(outlined, 0)
		if i == 0 {
			th.AddEvent(parallel, 0)
		}
	}
	p.Threads[2].AddCompute(70_000)
	link(t, p)
	m := sim.Ideal(1)
	m.Nodes[0].CPUs = 3
	r := runBy(t, sim.Rules{sim.ConstructStates: sim.ActivityShown}, p, m)
	if r.Total != 70_000 || r.Tasks[0].States[sim.StateReady] != 10_000 {
		t.Errorf("ends at %d ns, %d ns waiting", r.Total, r.Tasks[0].States[sim.StateReady])
	}
}

// TestOpenMPTasks: the master creates two tasks, executes the second and waits for both; the worker executes the first,
// for which it waits until it is created, at 30. It ends it at 100; so the master's taskwait ends at 100, and all at
// 110. Times in microseconds.
func TestOpenMPTasks(t *testing.T) {
	const taskwait, execute, create, number = 60000022, 60000023, 60000024, 60000028
	p := &sim.Program{}
	p.AddPtask()
	p.AddTask(2)
	p.Tasks[0].OpenMP = true
	master, worker := &p.Threads[0], &p.Threads[1]
	named := func(th *sim.Thread, typ uint32, id int64) {
		th.AddEvent(typ, 5)
		th.AddEvent(number, id)
	}
	master.AddCompute(30_000)
	named(master, create, 1)
	master.AddEvent(create, 0)
	named(master, create, 2)
	master.AddEvent(create, 0)
	master.AddEvent(taskwait, 1)
	named(master, execute, 2)
	master.AddCompute(20_000)
	master.AddEvent(execute, 0)
	master.AddEvent(taskwait, 0) // at 50, until 100
	master.AddCompute(10_000)
	worker.AddCompute(5_000)
	named(worker, execute, 1) // at 5, from 30 on
	worker.AddCompute(70_000)
	worker.AddEvent(execute, 0)
	link(t, p)
	m := sim.Ideal(1)
	m.Nodes[0].CPUs = 2
	r := run(t, p, m)
	if r.Total != 110_000 || r.Tasks[0].States[sim.StateReady] != 50_000+25_000 {
		t.Errorf("ends at %d ns, %d ns waiting", r.Total, r.Tasks[0].States[sim.StateReady])
	}
	named(worker, execute, 3)
	link(t, p)
	_, err := engine.Run(context.Background(), p, m, sim.Options{})
	if err == nil || !strings.Contains(err.Error(),
		"the execution of an OpenMP task, which no thread of its team creates") {
		t.Errorf("%v", err)
	}
}
