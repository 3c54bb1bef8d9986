package engine_test

// Properties of every simulation, for any program and machine.

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"pview/prv"
	"pview/sim"
	"pview/sim/engine"
	"pview/sim/parameter"
)

// chance returns a program of messages of all kinds among tasks, and of collective operations, made at random from a
// seed. It cannot deadlock: of two partners the lower one sends first, and receives of many are posted before anybody
// sends.
func chance(t testing.TB, seed uint64, tasks, steps int) *sim.Program {
	t.Helper()
	rnd := rand.New(rand.NewPCG(seed, 1))
	p := &sim.Program{}
	p.AddPtask()
	var all []int32
	for range tasks {
		all = append(all, p.AddTask(1))
	}
	world := p.AddCommunicator(0, 1, all)
	for i := range p.Threads {
		p.Threads[i].AddCompute(0)
	}
	match := int64(0)
	for range steps {
		for i := range p.Threads {
			p.Threads[i].AddCompute(float64(rnd.IntN(200_000)))
			p.Threads[i].AddEvent(1000, int64(rnd.IntN(5)))
		}
		switch rnd.IntN(4) {
		case 0:
			op := sim.CollectiveOp(rnd.IntN(len(sim.Collectives)))
			kind, root := sim.Collective, all[rnd.IntN(tasks)]
			if op == sim.OpReduce {
				kind = sim.Reduce
			}
			for i := range p.Threads {
				p.Threads[i].AddCollective(kind, sim.CollectiveCall{Communicator: world, Op: op, Root: int32(i) == root,
					RootTask: root,
					Sent:     int64(rnd.IntN(100_000)), Received: int64(rnd.IntN(100_000))})
			}
		case 1: // a permutation, with receives posted ahead
			to := rnd.Perm(tasks)
			for i, j := range to {
				p.Threads[j].AddMessage(sim.Irecv, sim.Message{Peer: int32(i), Match: match + int64(i)})
			}
			for i, j := range to {
				kind := []sim.Kind{sim.Send, sim.SendRendezvous, sim.Isend, sim.IsendRendezvous}[rnd.IntN(4)]
				p.Threads[i].AddMessage(kind,
					sim.Message{Peer: int32(j), Size: int64(rnd.IntN(300_000)), Match: match + int64(i)})
			}
			for i, j := range to {
				p.Threads[j].AddMessage(sim.Wait, sim.Message{Peer: int32(i), Match: match + int64(i)})
			}
		default: // pairs
			order := rnd.Perm(tasks)
			for k := 0; k+1 < tasks; k += 2 {
				a, b := order[k], order[k+1]
				kind := []sim.Kind{sim.Send, sim.SendRendezvous}[rnd.IntN(2)]
				m := sim.Message{Size: int64(rnd.IntN(300_000)), Match: match + int64(k)}
				m.Peer = int32(b)
				p.Threads[a].AddMessage(kind, m)
				m.Peer = int32(a)
				p.Threads[b].AddMessage(sim.Recv, m)
			}
		}
		match += int64(tasks)
	}
	link(t, p)
	return p
}

// machines are of all kinds, for the number of tasks.
func machines(tasks int) map[string]*sim.Machine {
	half := cluster(tasks, 2)
	for i := range half.Nodes {
		half.Nodes[i].Links = sim.Links{In: 0, Out: 1}
	}
	shared := crowded((tasks + 2) / 3)
	for i := range shared.Nodes {
		shared.Nodes[i].CPUs = 2
		shared.Nodes[i].Local.Latency, shared.Nodes[i].Local.Bandwidth, shared.Nodes[i].Local.Buses = 700, 3000, 1
	}
	lucky := cluster(tasks, 3)
	lucky.Vary(sim.Variation{Parameter: "latency",
		Distribution: sim.Distribution{Kind: "lognormal", Params: [3]float64{9000, 4000}}})
	lucky.Vary(sim.Variation{Parameter: "cpu-ratio",
		Distribution: sim.Distribution{Kind: "uniform", Params: [3]float64{0.8, 1.2}}})
	lucky.Seed = 11
	return map[string]*sim.Machine{"ideal": sim.Ideal(tasks), "cluster": cluster(tasks, 0),
		"one bus": cluster(tasks, 1), "half duplex": half, "shared": shared, "random": lucky}
}

// Every task's times sum to its end, computation equals the program's, all messages are present and go forward in time,
// on every machine and by both models (D8).
func TestAccounts(t *testing.T) {
	for seed := range uint64(6) {
		p := chance(t, seed, 7, 40)
		for name, m := range machines(7) {
			for _, model := range sim.Models {
				r := runBy(t, model.Rules, p, m)
				for i := range r.Tasks {
					sum := int64(0)
					for _, ns := range r.Tasks[i].States {
						sum += ns
					}
					if sum != r.Tasks[i].End {
						t.Errorf("seed %d, %s, %s: task %d: states of %d ns, end at %d", seed, name, model.Name, i+1,
							sum, r.Tasks[i].End)
					}
				}
				if math.Abs(r.Computation-p.Computation()) > 1e-3 && name != "random" {
					t.Errorf("seed %d, %s, %s: computed %g ns, not %g", seed, name, model.Name, r.Computation,
						p.Computation())
				}
				c := &r.Trace.Comms
				if int64(c.Len()) != r.Messages || r.Unreceived != 0 {
					t.Errorf("seed %d, %s, %s: %d messages in the trace, %d sent, %d not received", seed, name,
						model.Name, c.Len(), r.Messages, r.Unreceived)
				}
				for k := range c.Send {
					if !(c.Times[prv.LogicalSend][k] <= c.Times[prv.PhysicalSend][k] &&
						c.Times[prv.PhysicalSend][k] <= c.Times[prv.PhysicalRecv][k]) {
						t.Fatalf("seed %d, %s, %s: message %d goes back in time", seed, name, model.Name, k)
					}
				}
			}
		}
	}
}

// D8: on an ideal network a message arrives when it is sent.
func TestIdealNetwork(t *testing.T) {
	p := stencil(t, 3, 3, 10)
	c := &runBy(t, thesis(t), p, sim.Ideal(9)).Trace.Comms
	if !slices.Equal(c.Times[prv.LogicalSend], c.Times[prv.PhysicalRecv]) {
		t.Error("messages take time")
	}
}

// No more messages are on a link or on the buses at a time than there are.
func TestLimits(t *testing.T) {
	for seed := range uint64(4) {
		p := chance(t, seed, 6, 40)
		for _, network := range sim.Networks() {
			m := cluster(6, 2)
			m.Network = network.Name
			c := &runBy(t, sim.Rules{}, p, m).Trace.Comms
			type change struct {
				at int64
				by int
			}
			most := func(of func(k int) bool) int {
				var changes []change
				for k := range c.Send {
					if c.Send[k] != c.Recv[k] && of(k) { // to oneself is within the node
						changes = append(changes, change{c.Times[prv.PhysicalSend][k], 1},
							change{c.Times[prv.PhysicalRecv][k], -1})
					}
				}
				slices.SortFunc(changes, func(a, b change) int {
					if a.at != b.at {
						return int(a.at - b.at)
					}
					return a.by - b.by
				})
				n, most := 0, 0
				for _, ch := range changes {
					n += ch.by
					most = max(most, n)
				}
				return most
			}
			if got := most(func(int) bool { return true }); got > 2 {
				t.Errorf("seed %d, network %s: %d messages on two buses", seed, network.Name, got)
			}
			for task := range int32(6) {
				if got := most(func(k int) bool { return c.Send[k] == task }); got > 1 {
					t.Errorf("seed %d, network %s: %d messages leave node %d at once", seed, network.Name, got, task)
				}
				if got := most(func(k int) bool { return c.Recv[k] == task }); got > 1 {
					t.Errorf("seed %d, network %s: %d messages enter node %d at once", seed, network.Name, got, task)
				}
			}
		}
	}
}

// D17: without contention, time does not fall when the latency rises or the bandwidth falls. Under contention it may.
func TestMonotoneAtRandom(t *testing.T) {
	for seed := range uint64(5) {
		p := chance(t, seed, 6, 30)
		for _, model := range sim.Models {
			last := int64(0)
			for _, k := range []float64{0, 0.1, 0.5, 1, 2, 4, 8} {
				m := sim.Ideal(6)
				if k > 0 {
					m.Clusters[0].Bandwidth = 200 / k
				}
				for i := range m.Nodes {
					m.Nodes[i].Latency = 10_000 * k
				}
				total := runTotals(t, model.Rules, p, m).Total
				if total < last {
					t.Errorf("seed %d, %s: %g times the costs: %d ns, with less %d", seed, model.Name, k, total, last)
				}
				last = total
			}
		}
	}
}

// The same arguments give the same bytes: on one core and on all, with totals only and with the trace.
func TestSameOnAnyCores(t *testing.T) {
	p := chance(t, 3, 7, 60)
	for name, m := range machines(7) {
		text := func() []byte {
			var b bytes.Buffer
			if err := prv.Write(context.Background(), &b, runBy(t, sim.Rules{}, p, m).Trace); err != nil {
				t.Fatal(err)
			}
			_, records, _ := bytes.Cut(b.Bytes(), []byte("\n"))
			return records
		}
		first := text()
		cores := runtime.GOMAXPROCS(1)
		again := text()
		runtime.GOMAXPROCS(cores)
		if !bytes.Equal(first, again) {
			t.Errorf("%s: another trace on one core", name)
		}
	}
}

// D43: a parameter that is changed and changed back leaves no trace; each parameter of the table that matters.
func TestEditAndBack(t *testing.T) {
	p := chance(t, 4, 6, 30)
	m := cluster(6, 3)
	first := run(t, p, m)
	for i := range parameter.All {
		param := &parameter.All[i]
		if param.Applies != nil && !param.Applies(m) {
			continue
		}
		edited := m.Clone()
		was, _ := param.Setting(edited)
		other := parameter.Setting{Value: was.Value + 1}
		if param.Kind == parameter.KindChoice {
			other.Value = float64((int(was.Value) + 1) % len(param.Choices))
		}
		param.Apply(edited, other)
		param.Apply(edited, was)
		if param.Name == "mapping" || param.Name == "process-per-node" {
			continue // the one is set through the other
		}
		again := run(t, p, edited)
		if !reflect.DeepEqual(first.Tasks, again.Tasks) || prv.Equal(first.Trace, again.Trace) != nil {
			t.Errorf("%s: changed and changed back, another result", param.Name)
		}
	}
}

// A program is a set of threads: neither the order in which they were filled nor earlier simulations matter.
func TestOrderOfFilling(t *testing.T) {
	fill := func(order []int32) *sim.Program {
		p := &sim.Program{}
		p.AddPtask()
		for range 4 {
			p.AddTask(1)
		}
		for _, i := range order {
			th := &p.Threads[i]
			th.AddCompute(float64(1000 * (i + 1)))
			th.AddMessage(sim.Irecv, sim.Message{Peer: (i + 3) % 4})
			th.AddMessage(sim.Isend, sim.Message{Peer: (i + 1) % 4, Size: 50_000})
			th.AddMessage(sim.Wait, sim.Message{Peer: (i + 3) % 4})
		}
		link(t, p)
		return p
	}
	m := cluster(4, 1)
	first := run(t, fill([]int32{0, 1, 2, 3}), m)
	for _, order := range [][]int32{{3, 2, 1, 0}, {1, 3, 0, 2}} {
		if again := run(t, fill(order), m); !reflect.DeepEqual(first.Tasks, again.Tasks) ||
			prv.Equal(first.Trace, again.Trace) != nil {
			t.Errorf("filled in the order %v, another result", order)
		}
	}
}

// A predicted trace is the same whether its columns are written or its records are put on a tape, which a window of all
// time asks for, and little memory.
func TestColumnsAndTapeAgree(t *testing.T) {
	for seed := range uint64(30) {
		p := chance(t, seed, 2+int(seed%5), 40)
		for name, m := range map[string]*sim.Machine{"own CPUs": cluster(8, 2), "shared CPUs": shared(2)} {
			var traces []*prv.Trace
			for _, opt := range []sim.Options{{Trace: true}, {Trace: true, To: math.MaxInt64 - 1},
				{Trace: true, Memory: 1000}} {
				r, err := engine.Run(t.Context(), p, m, opt)
				if err != nil {
					t.Fatal(err)
				}
				traces = append(traces, r.Trace)
			}
			for _, other := range traces[1:] {
				if err := prv.Equal(traces[0], other); err != nil {
					t.Errorf("seed %d, %s: %v", seed, name, err)
				}
			}
		}
	}
}

// shared returns a machine whose nodes have two CPUs for more tasks.
func shared(nodes int) *sim.Machine {
	m := cluster(nodes, 1)
	for i := range m.Nodes {
		m.Nodes[i].CPUs = 2
	}
	m.Scheduler.ContextSwitch = 3000
	m.Mapping = []sim.Mapping{{Kind: sim.TasksPerNode, Tasks: 4}}
	return m
}

// A thread that keeps its CPU between two activities behaves as if it left the CPU for the queue, as it does in a
// closed workload: one run of that takes the same time, and the same number of receives find their message. Tasks share
// CPUs, and latencies are 0, so that much happens at once.
func TestKeepingTheCPUChangesNothing(t *testing.T) {
	for seed := range uint64(60) {
		p := chance(t, seed, 2+int(seed%9), 30)
		for busy := range 2 {
			for shape := range 6 {
				m := cluster(12, shape%3)
				m.Mapping = []sim.Mapping{{Kind: sim.TasksPerNode, Tasks: 1 + shape/2}}
				m.Scheduler.BusyWait = 5000 * float64(busy)
				for i := range m.Nodes {
					m.Nodes[i].CPUs = 1 + shape%2
					if shape < 4 {
						m.Nodes[i].Latency = 0
					}
				}
				rules := sim.Rules{sim.SpinTime: sim.SpinFully}
				one, err := engine.Run(t.Context(), p, m, sim.Options{Rules: rules})
				if err != nil {
					t.Fatal(err)
				}
				queued, err := engine.Run(t.Context(), p, m,
					sim.Options{Rules: rules, Repeat: sim.Repeat{What: sim.RepeatApplications, Runs: 1}})
				if err != nil {
					t.Fatal(err)
				}
				if one.Total != queued.Total {
					t.Errorf("seed %d, shape %d: %d ns, not %d", seed, shape, one.Total, queued.Total)
				}
				for i := range one.Tasks {
					a, b := &one.Tasks[i], &queued.Tasks[i]
					if a.ImmediateRecvs != b.ImmediateRecvs || a.WaitingRecvs != b.WaitingRecvs ||
						a.BlockedRecv != b.BlockedRecv || a.WaitLinks != b.WaitLinks || a.WaitBuses != b.WaitBuses {
						t.Errorf("seed %d, shape %d, task %d: %+v, not %+v", seed, shape, i, a, b)
					}
				}
			}
		}
	}
}
