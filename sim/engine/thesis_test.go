package engine_test

// The checks of the thesis (3.5, 3.7, table 9) that are about messages and collective operations. Unless said: nodes of
// one CPU, one link in and one out, no limit of buses, latency 25 us, 100 MB/s, a megabyte, which takes 10000 us.

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"pview/prv"
	"pview/sim"
	"pview/sim/engine"
)

// thesis returns the rules of the thesis, with changes NAME=VALUE.
func thesis(t testing.TB, changes ...string) sim.Rules {
	t.Helper()
	r, err := sim.ModelRules("thesis")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		name, value, _ := strings.Cut(c, "=")
		if err := r.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func runBy(t testing.TB, rules sim.Rules, p *sim.Program, m *sim.Machine) *sim.Result {
	t.Helper()
	r, err := engine.Run(context.Background(), p, m, sim.Options{Trace: true, Rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// arrivals returns the times of physical receives, us, in order.
func arrivals(r *sim.Result) (us []int64) {
	for _, ns := range r.Trace.Comms.Times[prv.PhysicalRecv] {
		us = append(us, ns/1000)
	}
	slices.Sort(us)
	return us
}

// D1, D2, D7: one message. The receiver pays no latency; so a late receiver finds its message, and a rendezvous starts
// when the receive is reached.
func TestThesisMessage(t *testing.T) {
	for _, c := range []struct {
		name   string
		rules  []string
		send   sim.Kind
		te     float64
		speed  float64 // of the sender
		times  [4]int64
		sender int64
		end    int64
	}{
		// 100 + 25 = 125, + 10000 = 10125; 10125 + 300; tf = 10125 - 50 = 10075
		{"D1", nil, sim.Send, 50, 1, [4]int64{100, 125, 50, 10125}, 325, 10425},
		// the message is there at 10125: 20000 + 300
		{"D2", nil, sim.Send, 20000, 1, [4]int64{100, 125, 20000, 10125}, 325, 20300},
		{"D2 rendezvous", nil, sim.SendRendezvous, 20000, 1, [4]int64{100, 20000, 20000, 30000}, 20200, 30300},
		// the sender is blocked until 10125, then computes 200
		{"D2 synchronous", []string{"blocking-send=synchronous"}, sim.Send, 20000, 1, [4]int64{100, 125, 20000, 10125},
			10325, 20300},
		// a synchronous rendezvous: blocked until 30000
		{"D2 both", []string{"blocking-send=synchronous"}, sim.SendRendezvous, 20000, 1,
			[4]int64{100, 20000, 20000, 30000}, 30200, 30300},
		// twice the speed: 50 + 25 + 100, the latency is not scaled
		{"D7", nil, sim.Send, 50, 2, [4]int64{50, 75, 50, 10075}, 175, 10375},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := network(2)
			m.Nodes[0].Speed = c.speed
			r := runBy(t, thesis(t, c.rules...), pair(t, c.send, 100, 200, c.te, 300), m)
			for role := range c.times {
				if got := r.Trace.Comms.Times[role][0]; got != c.times[role]*1000 {
					t.Errorf("%s at %d ns, not %d us", prv.Role(role), got, c.times[role])
				}
			}
			if r.Tasks[0].End != c.sender*1000 || r.Tasks[1].End != c.end*1000 {
				t.Errorf("ends at %d and %d ns, not %d and %d us", r.Tasks[0].End, r.Tasks[1].End, c.sender, c.end)
			}
		})
	}
}

// messages returns a program of n tasks where each pair is a message of a megabyte, sent at the start.
func messages(t *testing.T, n int, pairs ...[2]int32) *sim.Program {
	p := &sim.Program{}
	p.AddPtask()
	for i := range n {
		p.AddTask(1)
		p.Threads[i].AddCompute(0)
	}
	for i, q := range pairs {
		p.Threads[q[0]].AddMessage(sim.Send, sim.Message{Peer: q[1], Size: megabyte, Match: int64(i)})
	}
	for i, q := range pairs {
		p.Threads[q[1]].AddMessage(sim.Recv, sim.Message{Peer: q[0], Match: int64(i)})
	}
	link(t, p)
	return p
}

// D3 to D5: messages that wait for one another, taken in turn and together.
func TestThesisContention(t *testing.T) {
	for _, c := range []struct {
		name   string
		pairs  [][2]int32
		change func(m *sim.Machine)
		want   []int64
	}{
		{"D3 one bus", [][2]int32{{0, 1}, {2, 3}, {4, 5}}, func(m *sim.Machine) { m.Clusters[0].Buses = 1 },
			[]int64{10025, 20025, 30025}},
		{"D3 two buses", [][2]int32{{0, 1}, {2, 3}, {4, 5}}, func(m *sim.Machine) { m.Clusters[0].Buses = 2 },
			[]int64{10025, 10025, 20025}},
		{"D3 no limit", [][2]int32{{0, 1}, {2, 3}, {4, 5}}, func(m *sim.Machine) {}, []int64{10025, 10025, 10025}},
		// The second is ready at 50 and waits 9975 for the one output link.
		{"D4 one link", [][2]int32{{0, 1}, {0, 2}}, func(m *sim.Machine) {}, []int64{10025, 20025}},
		{"D4 two links", [][2]int32{{0, 1}, {0, 2}}, func(m *sim.Machine) { m.Nodes[0].Links.Out = 2 },
			[]int64{10025, 10050}},
		{"D5 full duplex", [][2]int32{{0, 1}, {1, 0}}, func(m *sim.Machine) {}, []int64{10025, 10025}},
		{"D5 half duplex", [][2]int32{{0, 1}, {1, 0}}, func(m *sim.Machine) {
			for i := range m.Nodes {
				m.Nodes[i].Links = sim.Links{In: 0, Out: 1}
			}
		}, []int64{10025, 20025}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, m := messages(t, 6, c.pairs...), network(6)
			c.change(m)
			for _, rules := range []sim.Rules{thesis(t), thesis(t, "acquisition=in-turn")} {
				if got := arrivals(runBy(t, rules, p, m)); !slices.Equal(got, c.want) {
					t.Errorf("acquisition %s: arrivals %v, not %v us", rules.Value(sim.Acquisition), got, c.want)
				}
			}
		})
	}
}

// Where the ways of waiting differ: 0 sends a megabyte to 1 (until 10025), 4 half of one to 5 (until 5025). 2 sends to
// 1, ready at 25, and to 5, ready at 50. Together: at 5025 the second has all it needs, arrives at 15025, and the first
// at 25025. In turn: the first keeps the output link until it has arrived, at 20025; the second arrives at 30025.
func TestTogetherPasses(t *testing.T) {
	p := messages(t, 6, [2]int32{0, 1}, [2]int32{4, 5}, [2]int32{2, 1}, [2]int32{2, 5})
	p.Threads[4].Messages[0].Size = megabyte / 2
	m := network(6)
	for value, want := range map[string][]int64{"together": {5025, 10025, 15025, 25025},
		"in-turn": {5025, 10025, 20025, 30025}} {
		if got := arrivals(runBy(t, thesis(t, "acquisition="+value), p, m)); !slices.Equal(got, want) {
			t.Errorf("%s: arrivals %v, not %v us", value, got, want)
		}
	}
	m.Network = "buses" // a machine that names its network has it by any model
	if got := arrivals(runBy(t, thesis(t), p, m)); got[3] != 30025 {
		t.Errorf("network buses: arrivals %v", got)
	}
	m.Network = "hypercube"
	if err := m.Check(); err == nil || !strings.Contains(err.Error(), "buses, together") {
		t.Errorf("%v", err)
	}
}

// D6: within a node, a message uses no link and no bus. Two tasks of node 0 while a third message keeps the one bus
// busy.
func TestThesisLocal(t *testing.T) {
	p := messages(t, 4, [2]int32{0, 1}, [2]int32{2, 3})
	m := network(3)
	m.Clusters[0].Buses = 1
	m.Mapping = []sim.Mapping{{Kind: sim.Explicit, Nodes: []int{0, 0, 1, 2}}}
	m.Nodes[0].CPUs = 2
	m.Nodes[0].Local.Latency, m.Nodes[0].Local.Bandwidth, m.Nodes[0].Local.Links = 5000, 400, sim.Links{In: 1, Out: 1}
	if got, want := arrivals(runBy(t, thesis(t), p, m)), []int64{2505, 10025}; !slices.Equal(got, want) {
		t.Errorf("arrivals %v, not %v us", got, want)
	}
}

// D9: 1000 round trips of no computation take 2 n (L + S/W) = 20.05 s.
func TestThesisPingPong(t *testing.T) {
	const n = 1000
	p := &sim.Program{}
	p.AddPtask()
	for i := range int32(2) {
		p.AddTask(1)
		th := &p.Threads[i]
		th.AddCompute(0)
		for k := range int64(n) {
			to, from := sim.Message{Peer: 1 - i, Size: megabyte, Match: 2*k + int64(i)},
				sim.Message{Peer: 1 - i, Match: 2*k + int64(1-i)}
			if i == 0 {
				th.AddMessage(sim.Send, to)
				th.AddMessage(sim.Recv, from)
			} else {
				th.AddMessage(sim.Recv, from)
				th.AddMessage(sim.Send, to)
			}
		}
	}
	link(t, p)
	if got := runBy(t, thesis(t), p, network(2)).Total; got != 20_050_000_000 {
		t.Errorf("%d ns, not 20.05 s", got)
	}
}

// together8 returns an operation of 8 tasks that arrive at the given times (us), each with the same sizes.
func together8(t *testing.T, op sim.CollectiveOp, sent, received int64, arrive func(task int) float64) *sim.Program {
	p := &sim.Program{}
	p.AddPtask()
	var all []int32
	for range 8 {
		all = append(all, p.AddTask(1))
	}
	world := p.AddCommunicator(0, 1, all)
	kind := sim.Collective
	if op == sim.OpReduce {
		kind = sim.Reduce
	}
	for i := range p.Threads {
		p.Threads[i].AddCompute(arrive(i) * 1000)
		p.Threads[i].AddCollective(kind, sim.CollectiveCall{Communicator: world, Op: op, Root: i == 0, Sent: sent,
			Received: received})
	}
	link(t, p)
	return p
}

func at1000(int) float64 { return 1000 }

// D11: the simple model: 25 + 10000 us once, times 8, times log2 8 = 3. All leave together.
func TestThesisSimpleCollective(t *testing.T) {
	p := together8(t, 11, megabyte, megabyte, at1000)
	for model, want := range map[sim.CollectiveModel]int64{sim.ModelConstant: 11025, sim.ModelLinear: 81200,
		sim.ModelLogarithmic: 31075} {
		m := network(8)
		m.Clusters[0].Model = model
		r := runBy(t, thesis(t, "collective-charge=one-phase"), p, m)
		for i := range r.Tasks {
			if r.Tasks[i].End != want*1000 {
				t.Errorf("model %d: task %d leaves at %d ns, not %d us", model, i+1, r.Tasks[i].End, want)
			}
		}
	}
}

// D13: the models of each call. With L = 25 and S/W = 10000 us: Barrier 8 x 25; Bcast 3 x 10025, on two buses 4 steps;
// Allreduce 2 x 3 x 10025; Gatherv 2 x 10025; Alltoall 2 x 8 x 10025; Reduce_scatter 3 x 10025 + 8 x 10025; Gather of
// nothing sent and S received: S/2, 3 x 5025; Reduce as Bcast.
func TestThesisCollectives(t *testing.T) {
	for _, c := range []struct {
		op             string
		buses          int
		sent, received int64
		want           int64
	}{
		{"Barrier", 0, 0, 0, 200},
		{"Bcast", 0, megabyte, megabyte, 30075},
		{"Bcast", 2, megabyte, megabyte, 40100},
		{"Allreduce", 0, megabyte, megabyte, 60150},
		{"Gatherv", 0, megabyte, megabyte, 20050},
		{"Alltoall", 0, megabyte, megabyte, 160400},
		{"Reduce_scatter", 0, megabyte, megabyte, 110275},
		{"Gather", 0, 0, megabyte, 15075},
		{"Reduce", 0, megabyte, 0, 30075},
	} {
		m := network(8)
		m.Clusters[0].Buses = c.buses
		op := slices.Index(sim.Collectives, c.op)
		got := runBy(t, thesis(t), together8(t, sim.CollectiveOp(op), c.sent, c.received, at1000), m).Total
		if got != (1000+c.want)*1000 {
			t.Errorf("%s on %d buses: ends at %d ns, not %d us", c.op, c.buses, got, 1000+c.want)
		}
	}
}

// D14: one is late: the others are in state 13 until it comes, then all in the operation.
func TestThesisLateArrival(t *testing.T) {
	p := together8(t, 11, megabyte, megabyte, func(task int) float64 {
		if task == 3 {
			return 5000
		}
		return 1000
	})
	r := runBy(t, thesis(t), p, network(8))
	if r.Total != (5000+60150)*1000 {
		t.Errorf("ends at %d ns", r.Total)
	}
	s := &r.Trace.Threads[0].States
	at := slices.Index(s.Value, 13)
	if at < 0 || s.Begin[at] != 1_000_000 || s.End[at] != 5_000_000 {
		t.Errorf("states %v from %v to %v", s.Value, s.Begin, s.End)
	}
}

// D15, D16: the pipeline: end = n c + (n-1) L + (P-1) (c + L + x), with 8 tasks, 100 blocks, c = 1000 us.
func TestThesisPipeline(t *testing.T) {
	const tasks, blocks = 8, 100
	ideal := 107000.0
	for _, c := range []struct{ latency, x, want, slowdown float64 }{
		{0, 0, 107000, 1}, {100, 0, 117600, 0.9099}, {100, 500, 121100, 0.8836}, {10000, 0, 1167000, 0.0917},
	} {
		m := sim.Ideal(tasks)
		if c.x > 0 {
			m.Clusters[0].Bandwidth = 1e6 / c.x // of a megabyte in x us
		}
		for i := range m.Nodes {
			m.Nodes[i].Latency = c.latency * 1000
		}
		r := runBy(t, thesis(t), wavefront(t, tasks, blocks, 1000), m)
		if got := float64(r.Total) / 1000; math.Abs(got-c.want) > 1e-3 {
			t.Errorf("L %g, x %g: %g us, not %g", c.latency, c.x, got, c.want)
		}
		if got := ideal / (float64(r.Total) / 1000); math.Abs(got-c.slowdown) > 5e-5 {
			t.Errorf("L %g, x %g: slowdown %.4f, not %.4f", c.latency, c.x, got, c.slowdown)
		}
	}
	// D16: one bus. 700 messages of 500 us need 350 ms of it, and no two are on it at once.
	m := sim.Ideal(tasks)
	m.Clusters[0].Bandwidth, m.Clusters[0].Buses = 2000, 1
	r := runBy(t, thesis(t), wavefront(t, tasks, blocks, 1000), m)
	if r.Total < 350_000_000 {
		t.Errorf("%d ns is less than the bus needs", r.Total)
	}
	sent, recv := r.Trace.Comms.Times[prv.PhysicalSend], r.Trace.Comms.Times[prv.PhysicalRecv]
	order := make([]int, len(sent))
	queue := int64(0)
	for i := range order {
		order[i] = i
		queue += sent[i] - r.Trace.Comms.Times[prv.LogicalSend][i]
	}
	slices.SortFunc(order, func(a, b int) int { return int(sent[a] - sent[b]) })
	for i := 1; i < len(order); i++ {
		if recv[order[i-1]] > sent[order[i]] {
			t.Fatalf("two messages on the bus at %d ns", sent[order[i]])
		}
	}
	if len(order) != 700 || queue <= 0 {
		t.Errorf("%d messages, which waited %d ns", len(order), queue)
	}
}

// wavefront returns a line of tasks that each receive a block from the left, compute, and send it to the right. Times
// in us.
func wavefront(t *testing.T, tasks, blocks int, compute float64) *sim.Program {
	p := &sim.Program{}
	p.AddPtask()
	for range tasks {
		p.AddTask(1)
	}
	for i := range int32(tasks) {
		th := &p.Threads[i]
		th.AddCompute(0)
		for b := range int64(blocks) {
			if i > 0 {
				th.AddMessage(sim.Recv, sim.Message{Peer: i - 1, Tag: b})
			}
			th.AddCompute(compute * 1000)
			if int(i) < tasks-1 {
				th.AddMessage(sim.Send, sim.Message{Peer: i + 1, Size: megabyte, Tag: b})
			}
		}
	}
	link(t, p)
	return p
}

// A collective operation that takes the network: 2 sends a megabyte at 0, which arrives at 10025; the barrier of 0 and
// 1, complete at 1000, waits for that; what 3 sends at 2000 waits for the barrier (2 x 25 us), and arrives at 10025 +
// 50 + 10000.
func TestCollectiveTakesNetwork(t *testing.T) {
	p := &sim.Program{}
	p.AddPtask()
	for range 6 {
		p.AddTask(1)
	}
	two := p.AddCommunicator(0, 1, []int32{0, 1})
	for i := range 2 {
		p.Threads[i].AddCompute(1_000_000)
		p.Threads[i].AddCollective(sim.Collective, sim.CollectiveCall{Communicator: two})
	}
	for i, start := range map[int32]float64{2: 0, 3: 2_000_000} {
		p.Threads[i].AddCompute(start)
		p.Threads[i].AddMessage(sim.Send, sim.Message{Peer: i + 2, Size: megabyte})
		p.Threads[i+2].AddCompute(0)
		p.Threads[i+2].AddMessage(sim.Recv, sim.Message{Peer: i})
	}
	link(t, p)
	for value, want := range map[string][3]int64{"network": {10075, 10025, 20075}, "buses": {1050, 10025, 12025}} {
		r := runBy(t, thesis(t, "collective-resources="+value), p, network(6))
		if got := [3]int64{r.Tasks[0].End / 1000, arrivals(r)[0], arrivals(r)[1]}; got != want {
			t.Errorf("%s: %v us, not %v", value, got, want)
		}
	}
}

// Among tasks of one node an operation needs no network: the barrier of two tasks of node 0 at 1000 does not wait for
// the message from node 1 to node 2, which takes until 10025.
func TestCollectiveWithinNode(t *testing.T) {
	p := messages(t, 4, [2]int32{2, 3})
	two := p.AddCommunicator(0, 1, []int32{0, 1})
	for i := range 2 {
		p.Threads[i].AddCompute(1_000_000)
		p.Threads[i].AddCollective(sim.Collective, sim.CollectiveCall{Communicator: two})
	}
	link(t, p)
	m := network(3)
	m.Nodes[0].CPUs = 2
	m.Mapping = []sim.Mapping{{Kind: sim.Explicit, Nodes: []int{0, 0, 1, 2}}}
	if r := runBy(t, thesis(t), p, m); r.Tasks[0].End != 1_000_000 || r.Total != 10_025_000 {
		t.Errorf("the barrier ends at %d ns, the run at %d", r.Tasks[0].End, r.Total)
	}
}

// D41: a block that holds 40 % of 10 s, twice as fast: 8 s; half as fast: 14 s. The rest is as long as it was.
func TestModuleFactor(t *testing.T) {
	p := &sim.Program{}
	p.AddPtask()
	p.AddTask(1)
	th := &p.Threads[0]
	th.AddCompute(2e9)
	th.AddEvent(40, 7)
	th.AddCompute(3e9)
	th.AddEvent(40, 8) // another block inside
	th.AddCompute(2e9)
	th.AddEvent(40, 0)
	th.AddCompute(1e9)
	th.AddEvent(40, 0)
	th.AddCompute(2e9)
	link(t, p)
	for ratio, want := range map[float64]int64{2: 8e9, 0.5: 14e9, 1: 10e9} {
		m := sim.Ideal(1)
		m.Modules = []sim.Module{{Type: 40, Value: 7, Ratio: ratio}}
		r := runBy(t, thesis(t), p, m)
		if r.Total != want || r.Tasks[0].States[sim.StateRunning] != want {
			t.Errorf("factor %g: %d ns, not %d", ratio, r.Total, want)
		}
	}
	// The innermost block decides: 2 + 0 + 2/2 + 0 + 2 s with the outer taking no time and the inner twice as fast.
	m := sim.Ideal(1)
	m.Modules = []sim.Module{{Type: 40, Value: 7, Ratio: 0}, {Type: 40, Value: 8, Ratio: 2}}
	if got := runBy(t, thesis(t), p, m).Total; got != 5e9 {
		t.Errorf("nested: %d ns, not 5 s", got)
	}
}

// Rules are set by name; unknown names are told.
func TestRules(t *testing.T) {
	var r sim.Rules
	for i := range sim.RuleTable {
		entry := &sim.RuleTable[i]
		for _, v := range entry.Values {
			if err := r.Set(entry.Name, v.Name); err != nil || r.Value(sim.Rule(i)) != v.Name {
				t.Errorf("%s=%s: %v, is %s", entry.Name, v.Name, err, r.Value(sim.Rule(i)))
			}
		}
	}
	for _, c := range []struct{ name, value, want string }{
		{"nothing", "1", `there is no rule "nothing"`},
		{"reduce", "both", `rule reduce is one of messages, collective, not "both"`},
	} {
		if err := r.Set(c.name, c.value); err == nil || err.Error() != c.want {
			t.Errorf("%v, not %s", err, c.want)
		}
	}
	if _, err := sim.ModelRules("venus"); err == nil || !strings.Contains(err.Error(), "dimemas, thesis") {
		t.Errorf("%v", err)
	}
	r[sim.ReduceKind] = 9
	if _, err := engine.Run(context.Background(), pair(t, sim.Send, 1, 1, 1, 1), network(2),
		sim.Options{Rules: r}); err == nil {
		t.Error("a choice that there is not")
	}
}
