package network_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"pview/sim"
	"pview/sim/engine/clock"
	"pview/sim/engine/network"
	"pview/sim/topology"
)

// parcel is a message of a test: it requests its way at a time, and takes 1 ns per byte by default.
type parcel struct {
	at       float64
	from, to int32
	size     int64
	tag      int64
}

// operation is a collective operation of a test.
type operation struct {
	at, long float64
	clusters []int32
	within   bool // within a node
}

// span is the time that a message or an operation has its resources.
type span struct{ begin, end float64 }

// trial plays messages and operations on a network, as the engine does.
type trial struct {
	network.Transfers
	ops  []operation
	runs []span // of the operations
}

func (r *trial) Clusters(in int32) []int32 { return r.ops[in].clusters }
func (r *trial) WithinNode(in int32) bool  { return r.ops[in].within }
func (r *trial) Begin(in int32) {
	r.runs[in].begin = r.Now
	r.Schedule(r.Now+r.ops[in].long, clock.CollectiveDone, in)
}

// machine has nodes with one task each, in clusters of the given sizes. Local latencies are 1, those of a cluster 2, of
// the wide area network 3; a byte takes 1 ns.
func machine(clusters ...int) *sim.Machine {
	const perByte = 1e9 / (1 << 20) // MB/s
	m := &sim.Machine{WAN: sim.WAN{Bandwidth: perByte}}
	for c, n := range clusters {
		m.Clusters = append(m.Clusters, sim.Cluster{Bandwidth: perByte})
		for range n {
			node := sim.Node{Cluster: c, Latency: 2, WANLatency: 3}
			node.Local.Bandwidth, node.Local.Latency = perByte, 1
			m.Nodes = append(m.Nodes, node)
		}
	}
	return m
}

// links gives all nodes the same links.
func links(m *sim.Machine, l sim.Links) *sim.Machine {
	for i := range m.Nodes {
		m.Nodes[i].Links = l
	}
	return m
}

// newNetwork makes the network of a machine, with one task per node, or those at the given nodes.
func (r *trial) newNetwork(t *testing.T, m *sim.Machine, rules sim.Rules, node []int32) network.Network {
	t.Helper()
	if node == nil {
		for i := range m.Nodes {
			node = append(node, int32(i))
		}
	}
	timers := clock.NewTimers()
	r.Transfers = network.Transfers{Timers: &timers, List: make([]network.Transfer, 1),
		Waits: make([]network.Wait, len(node))}
	h := network.Host{Transfers: &r.Transfers, Machine: m, Rules: &rules, Node: node, Operations: r}
	for range m.Nodes {
		h.LocalPerByte = append(h.LocalPerByte, 1)
	}
	for range m.Clusters {
		h.NetPerByte = append(h.NetPerByte, 1)
	}
	n, _, err := network.New(h)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// play returns the spans of the messages.
func (r *trial) play(n network.Network, list []parcel, ops ...operation) []span {
	r.ops, r.runs = ops, make([]span, len(ops))
	for _, p := range list {
		tr := r.Add()
		r.List[tr] = network.Transfer{From: p.from, To: p.to, Size: p.size, Linked: -1}
		r.ScheduleFirst(p.at+1, clock.CPUDone, tr) // times of the test begin at 1
	}
	for i, o := range ops {
		r.ScheduleFirst(o.at+1, clock.PolicyTick, int32(i))
	}
	got := make([]span, len(list))
	for {
		e, ok := r.Next()
		if !ok {
			break
		}
		switch e.What {
		case clock.CPUDone:
			n.Plan(&r.List[e.Who], &sim.Message{Tag: list[e.Who-1].tag, Size: list[e.Who-1].size})
			n.Request(e.Who)
		case clock.LinkPassed:
			n.Hop(e.Who)
		case clock.TransferDone:
			n.Release(e.Who)
			got[e.Who-1] = span{r.List[e.Who].PhysicalSend - 1, r.Now - 1}
		case clock.PolicyTick:
			if n.Occupy(e.Who) {
				r.Begin(e.Who)
			}
		case clock.CollectiveDone:
			n.Vacate(e.Who)
			r.runs[e.Who] = span{r.runs[e.Who].begin - 1, r.Now - 1}
		}
	}
	return got
}

func buses(m *sim.Machine, n int) *sim.Machine {
	for i := range m.Clusters {
		m.Clusters[i].Buses = n
	}
	return m
}

func local(m *sim.Machine, l sim.Links, buses int) *sim.Machine {
	for i := range m.Nodes {
		m.Nodes[i].Local.Links, m.Nodes[i].Local.Buses = l, buses
	}
	return m
}

// Each message holds its links and its bus for as many ns as it has bytes; who waits, and for whom, decides the times.
func TestMessages(t *testing.T) {
	one := sim.Links{In: 1, Out: 1}
	together := sim.Rules{sim.Acquisition: sim.AcquireTogether}
	for _, c := range []struct {
		name    string
		machine *sim.Machine
		rules   sim.Rules
		node    []int32
		list    []parcel
		want    []span
		waits   []network.Wait // by task
		queue   int            // of messages that wait for a bus
	}{
		{name: "no limits", machine: machine(3),
			list: []parcel{{0, 0, 1, 10, 0}, {0, 0, 1, 10, 0}, {0, 0, 2, 5, 0}},
			want: []span{{0, 10}, {0, 10}, {0, 5}}},
		{name: "one output link", machine: links(machine(3), sim.Links{In: 2, Out: 1}),
			list:  []parcel{{0, 0, 1, 10, 0}, {1, 0, 2, 5, 0}},
			want:  []span{{0, 10}, {10, 15}},
			waits: []network.Wait{{Links: 9}}},
		{name: "one input link", machine: links(machine(3), sim.Links{In: 1, Out: 2}),
			list:  []parcel{{0, 1, 0, 10, 0}, {1, 2, 0, 5, 0}, {1, 1, 0, 5, 0}},
			want:  []span{{0, 10}, {10, 15}, {15, 20}},
			waits: []network.Wait{{}, {Links: 14}, {Links: 9}}},
		{name: "two buses for four", machine: buses(machine(6), 2),
			list:  []parcel{{0, 0, 1, 10, 0}, {0, 1, 2, 20, 0}, {1, 2, 3, 20, 0}, {2, 3, 4, 5, 0}},
			want:  []span{{0, 10}, {0, 20}, {10, 30}, {20, 25}},
			waits: []network.Wait{2: {Buses: 9}, 3: {Buses: 18}}, queue: 2},
		// 2 -> 0 holds the output link of 2 and waits for 0: 2 -> 3 robs it, and goes. 2 -> 1 finds it in use, and is
		// behind the robbed one, which then waits for 0 again, with the link.
		{name: "robbed of the output link", machine: links(machine(4), one),
			list: []parcel{{0, 1, 0, 10, 0}, {1, 2, 0, 10, 0}, {2, 2, 3, 5, 0}, {3, 2, 1, 5, 0}},
			want: []span{{0, 10}, {10, 20}, {2, 7}, {20, 25}},
			// Not counted: what it had waited when it was robbed at 2.
			waits: []network.Wait{2: {Links: 5 + 3 + 17}}},
		// Of the two that hold output links of 2, the one that has held it for longest loses it, and its turn for 0.
		{name: "the longest held link is robbed", machine: links(machine(4), sim.Links{In: 1, Out: 2}),
			list: []parcel{{0, 1, 0, 100, 0}, {1, 2, 0, 10, 0}, {2, 2, 0, 10, 0}, {3, 2, 3, 10, 0}},
			want: []span{{0, 100}, {110, 120}, {100, 110}, {3, 13}}},
		{name: "the first message is robbed", machine: links(machine(4), one),
			list: []parcel{{1, 2, 0, 10, 0}, {0, 1, 0, 10, 0}, {2, 2, 3, 5, 0}},
			want: []span{{10, 20}, {0, 10}, {2, 7}}},
		// 2 -> 3 leaves 2 -> 0 its output link, since 3 receives from 4 until 20.
		{name: "nobody is robbed for a link that is in use", machine: links(machine(5), one),
			list:  []parcel{{0, 1, 0, 10, 0}, {0, 4, 3, 20, 0}, {1, 2, 0, 5, 0}, {2, 2, 3, 5, 0}},
			want:  []span{{0, 10}, {0, 20}, {10, 15}, {20, 25}},
			waits: []network.Wait{2: {Links: 9 + 18}}},
		{name: "taken together, one input link", machine: links(machine(4), sim.Links{In: 1, Out: 2}), rules: together,
			list: []parcel{{0, 1, 0, 10, 0}, {1, 2, 0, 5, 0}, {1, 3, 0, 5, 0}},
			want: []span{{0, 10}, {10, 15}, {15, 20}}},
		{name: "taken together, nobody is robbed", machine: links(machine(4), one), rules: together,
			list:  []parcel{{0, 1, 0, 10, 0}, {1, 2, 0, 10, 0}, {2, 2, 3, 5, 0}, {3, 2, 1, 5, 0}},
			want:  []span{{0, 10}, {12, 22}, {2, 7}, {7, 12}}, // 2 -> 1 has the link of 2 when 0 is free
			waits: []network.Wait{2: {Links: 11 + 4}}},
		{name: "taken together, buses", machine: buses(machine(4), 1), rules: together,
			list:  []parcel{{0, 0, 1, 10, 0}, {1, 1, 2, 10, 0}, {2, 2, 3, 5, 0}},
			want:  []span{{0, 10}, {10, 20}, {20, 25}},
			waits: []network.Wait{1: {Buses: 9}, 2: {Buses: 18}}, queue: 2},
		{name: "half duplex", machine: links(machine(3), sim.Links{Out: 1}),
			list: []parcel{{0, 0, 1, 10, 0}, {1, 2, 0, 5, 0}, {2, 1, 2, 5, 0}},
			// 2 -> 0 holds the link of 2 from 1 on. 1 -> 2 waits for that of 1 until 10, then for that of 2.
			want: []span{{0, 10}, {10, 15}, {15, 20}}},
		{name: "half duplex, given by the inputs", machine: links(machine(3), sim.Links{In: 1}),
			list: []parcel{{0, 0, 1, 10, 0}, {1, 2, 0, 5, 0}},
			want: []span{{0, 10}, {10, 15}}},
		// 0 -> 1 holds the link of 0, and waits for 1: 3 -> 0 robs it.
		{name: "half duplex, robbed by an input", machine: links(machine(4), sim.Links{Out: 1}),
			list: []parcel{{0, 1, 2, 10, 0}, {1, 0, 1, 5, 0}, {2, 3, 0, 6, 0}},
			want: []span{{0, 10}, {10, 15}, {2, 8}}},
		{name: "half duplex, taken together", machine: links(machine(3), sim.Links{Out: 1}), rules: together,
			list: []parcel{{0, 0, 1, 10, 0}, {1, 2, 0, 5, 0}, {2, 2, 1, 5, 0}},
			want: []span{{0, 10}, {10, 15}, {15, 20}}},
		// In a node: links of tasks, buses of the node. Task 3 is alone on its node.
		{name: "within a node", machine: local(machine(2), one, 0), node: []int32{0, 0, 0, 1},
			list: []parcel{{0, 0, 1, 10, 0}, {1, 0, 2, 5, 0}, {2, 2, 2, 7, 0}, {3, 1, 3, 5, 0}},
			want: []span{{0, 10}, {10, 15}, {2, 9}, {3, 8}}},
		{name: "a local bus", machine: local(machine(2), sim.Links{}, 1), node: []int32{0, 0, 1, 1},
			list: []parcel{{0, 0, 1, 10, 0}, {1, 1, 1, 5, 0}, {2, 2, 3, 5, 0}},
			want: []span{{0, 10}, {10, 15}, {2, 7}}, queue: 1},
		{name: "local messages free of limits", machine: local(machine(1), one, 1), node: []int32{0, 0, 0},
			rules: sim.Rules{sim.LocalContention: sim.LocalFree},
			list:  []parcel{{0, 0, 1, 10, 0}, {1, 0, 1, 5, 0}},
			want:  []span{{0, 10}, {1, 6}}},
		// 1 -> 0 takes the link of 0 first, and so does not keep that of 1 from 2 -> 1 while it waits.
		{name: "local half duplex, the lower task first", machine: local(machine(1), sim.Links{Out: 1}, 0),
			node: []int32{0, 0, 0, 0},
			list: []parcel{{0, 0, 2, 10, 0}, {1, 1, 0, 10, 0}, {2, 3, 1, 5, 0}},
			want: []span{{0, 10}, {10, 20}, {2, 7}}},
		// 1 -> 0 keeps the output link of 1 from 1 -> 2 while it waits: only with half duplex it takes its input first.
		{name: "local full duplex, the output link first", machine: local(machine(1), one, 0), node: []int32{0, 0, 0},
			list: []parcel{{0, 2, 0, 10, 0}, {1, 1, 0, 10, 0}, {2, 1, 2, 5, 0}},
			want: []span{{0, 10}, {10, 20}, {20, 25}}},
		{name: "between clusters, taken together", rules: together, machine: func() *sim.Machine {
			m := machine(2, 1)
			m.WAN.Links = one
			return m
		}(),
			list: []parcel{{0, 0, 2, 10, 0}, {1, 1, 2, 5, 0}, {2, 2, 0, 5, 0}},
			want: []span{{0, 10}, {10, 15}, {2, 7}}},
		{name: "a line has links of its own", machine: func() *sim.Machine {
			m := machine(2, 1)
			m.WAN.Links = one
			m.Connections = []sim.Connection{{From: 0, To: 1, Bandwidth: 1e9 / (1 << 20), Tags: []int64{7}, And: true,
				First: sim.SizeCondition{Relation: '>'}}}
			return m
		}(),
			list: []parcel{{0, 0, 2, 50, 7}, {1, 0, 2, 10, 6}, {2, 2, 1, 10, 6}},
			want: []span{{0, 50}, {1, 11}, {2, 12}}},
		{name: "between clusters", machine: func() *sim.Machine {
			m := buses(links(machine(2, 1), one), 1) // which these do not need
			m.WAN.Links = one
			return m
		}(),
			list: []parcel{{0, 0, 2, 10, 0}, {1, 1, 2, 5, 0}, {2, 2, 0, 5, 0}, {3, 0, 1, 5, 0}},
			want: []span{{0, 10}, {10, 15}, {2, 7}, {3, 8}}},
		{name: "a line between clusters, for tag 7 and 100 bytes or more", machine: func() *sim.Machine {
			m := machine(2, 1)
			m.WAN.Links = one
			m.Connections = []sim.Connection{{From: 1, To: 1}, {From: 0, To: 1, Bandwidth: 2e9 / (1 << 20),
				Tags: []int64{7}, And: true, First: sim.SizeCondition{Relation: '>', Size: 99}}}
			return m
		}(),
			// The first and the third have the line of half a ns per byte, one after the other.
			list: []parcel{{0, 0, 2, 100, 7}, {1, 0, 2, 10, 7}, {2, 1, 2, 200, 7}, {3, 2, 0, 300, 7}},
			want: []span{{0, 50}, {1, 11}, {50, 150}, {150, 300}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &trial{}
			got := r.play(r.newNetwork(t, c.machine, c.rules, c.node), c.list)
			if !slices.Equal(got, c.want) {
				t.Errorf("messages %v, want %v", got, c.want)
			}
			for i, w := range c.waits {
				if r.Waits[i] != w {
					t.Errorf("task %d waits %v, want %v", i, r.Waits[i], w)
				}
			}
			if r.MostBusQueue != c.queue {
				t.Errorf("%d wait for a bus, want %d", r.MostBusQueue, c.queue)
			}
		})
	}
}

// The startup and the flight of a message depend on its route.
func TestStartupAndFlight(t *testing.T) {
	m := machine(2, 1)
	m.Clusters[1].Flight = []float64{40, 50}
	m.Connections = []sim.Connection{{From: 0, To: 1, Tags: []int64{7}, Latency: 4, Flight: 60,
		First: sim.SizeCondition{Relation: '>'}}}
	r := &trial{}
	n := r.newNetwork(t, m, sim.Rules{}, []int32{0, 0, 1, 2})
	for _, c := range []struct {
		from, to        int32
		tag             int64
		startup, flight float64
	}{
		{0, 1, 7, 1, 0}, {1, 2, 7, 2, 0}, {2, 3, 6, 3, 0}, {3, 1, 6, 3, 40}, {2, 3, 7, 4, 60}, {3, 0, 7, 4, 60},
	} {
		message := &sim.Message{Tag: c.tag, Size: 1}
		tr := network.Transfer{From: c.from, To: c.to, Size: 1}
		n.Plan(&tr, message)
		if got := n.Startup(c.from, c.to, message); got != c.startup || tr.Flight != c.flight {
			t.Errorf("%d -> %d, tag %d: startup %g, flight %g, want %g, %g", c.from, c.to, c.tag, got, tr.Flight,
				c.startup, c.flight)
		}
	}
}

// A collective operation waits for its network resources, and holds them to its end.
func TestOperations(t *testing.T) {
	one := sim.Links{In: 1, Out: 1}
	wan := func(l sim.Links) *sim.Machine {
		m := buses(machine(2, 2), 1)
		m.WAN.Links = l
		return m
	}
	whole := sim.Rules{sim.CollectiveResources: sim.CollectiveNetwork}
	together := sim.Rules{sim.Acquisition: sim.AcquireTogether}
	for _, c := range []struct {
		name    string
		machine *sim.Machine
		rules   sim.Rules
		node    []int32
		list    []parcel
		ops     []operation
		want    []span         // messages
		runs    []span         // operations
		waits   []network.Wait // by task
		queue   int            // of messages that wait for a bus
	}{
		{name: "no buses: nothing to wait for", machine: machine(2),
			list: []parcel{{0, 0, 1, 10, 0}},
			ops:  []operation{{at: 5, long: 10, clusters: []int32{0}}, {at: 20, long: 5, clusters: []int32{0}}},
			want: []span{{0, 10}}, runs: []span{{5, 15}, {20, 25}}},
		{name: "one bus, which it gives back", machine: buses(machine(2), 1),
			list: []parcel{{3, 0, 1, 5, 0}}, ops: []operation{{at: 0, long: 10, clusters: []int32{0}}},
			want: []span{{10, 15}}, runs: []span{{0, 10}}, waits: []network.Wait{{Buses: 7}}, queue: 1},
		{name: "in one cluster, without its link to the others", machine: wan(one),
			list: []parcel{{0, 0, 2, 20, 0}}, ops: []operation{{at: 5, long: 10, clusters: []int32{0}}},
			want: []span{{0, 20}}, runs: []span{{5, 15}}},
		// It has the second link out of cluster 0 and the second into cluster 1, and gives back these two.
		{name: "over two clusters, beside a message", machine: func() *sim.Machine {
			m := machine(2, 2)
			m.WAN.Links = sim.Links{In: 2, Out: 2}
			return m
		}(),
			list: []parcel{{0, 0, 2, 50, 0}, {60, 0, 2, 5, 0}, {60, 1, 3, 5, 0}, {60, 2, 0, 5, 0}, {60, 3, 1, 5, 0}},
			ops:  []operation{{at: 5, long: 10, clusters: []int32{0, 1}}},
			want: []span{{0, 50}, {60, 65}, {60, 65}, {60, 65}, {60, 65}}, runs: []span{{5, 15}}},
		{name: "all buses, each when it is free", machine: buses(machine(4), 3),
			list: []parcel{{0, 0, 1, 10, 0}, {0, 2, 3, 30, 0}, {12, 1, 0, 5, 0}},
			ops:  []operation{{at: 5, long: 10, clusters: []int32{0}}, {at: 35, long: 5, clusters: []int32{0}}},
			want: []span{{0, 10}, {0, 30}, {40, 45}}, runs: []span{{30, 40}, {45, 50}}, queue: 1},
		{name: "all buses together", machine: buses(machine(4), 3), rules: together,
			list: []parcel{{0, 0, 1, 10, 0}, {0, 2, 3, 30, 0}, {12, 1, 0, 5, 0}},
			ops:  []operation{{at: 5, long: 10, clusters: []int32{0}}, {at: 35, long: 5, clusters: []int32{0}}},
			want: []span{{0, 10}, {0, 30}, {40, 45}}, runs: []span{{30, 40}, {45, 50}}, queue: 1},
		{name: "of two clusters together: neither has a bus until both are free", machine: wan(one), rules: together,
			list: []parcel{{0, 0, 1, 10, 0}, {6, 2, 3, 5, 0}},
			ops:  []operation{{at: 5, long: 10, clusters: []int32{0, 1}}},
			want: []span{{0, 10}, {20, 25}}, runs: []span{{10, 20}}, queue: 1},
		{name: "together, one cluster without limit stays open", rules: together, machine: func() *sim.Machine {
			m := machine(2, 2)
			m.Clusters[0].Buses = 1
			return m
		}(),
			list: []parcel{{0, 0, 1, 10, 0}, {6, 2, 3, 5, 0}},
			ops:  []operation{{at: 5, long: 10, clusters: []int32{0, 1}}},
			want: []span{{0, 10}, {6, 11}}, runs: []span{{10, 20}}},
		// The operation has the bus of cluster 1 from 5 on, that of 0 from 10 on, and the links to both from 20 on. The
		// link out of 0, which it has from 10 on, and that out of 1, for which it is first, are kept from others.
		{name: "over two clusters", machine: wan(one),
			list: []parcel{{0, 0, 1, 10, 0}, {0, 2, 0, 20, 0}, {6, 2, 3, 5, 0}, {12, 3, 1, 5, 0}, {13, 0, 3, 5, 0}},
			ops:  []operation{{at: 5, long: 10, clusters: []int32{1, 0}}},
			want: []span{{0, 10}, {0, 20}, {30, 35}, {30, 35}, {30, 35}}, runs: []span{{20, 30}}, queue: 1},
		{name: "over two clusters, one after the other", machine: wan(one),
			list: []parcel{{0, 0, 2, 3, 0}},
			ops: []operation{{at: 5, long: 10, clusters: []int32{0, 1}}, {at: 6, long: 10, clusters: []int32{0, 1}},
				{at: 7, long: 10, clusters: []int32{0}}},
			want: []span{{0, 3}}, runs: []span{{5, 15}, {15, 25}, {25, 35}}},
		{name: "over two clusters, one of whose inputs is in use", machine: wan(sim.Links{In: 1, Out: 2}),
			list: []parcel{{0, 2, 0, 20, 0}, {6, 3, 1, 5, 0}},
			ops:  []operation{{at: 5, long: 10, clusters: []int32{0, 1}}},
			want: []span{{0, 20}, {30, 35}}, runs: []span{{20, 30}}},
		{name: "over two clusters, half duplex", machine: wan(sim.Links{Out: 1}),
			list: []parcel{{0, 2, 0, 20, 0}, {22, 1, 3, 5, 0}},
			ops:  []operation{{at: 5, long: 10, clusters: []int32{0, 1}}},
			want: []span{{0, 20}, {30, 35}}, runs: []span{{20, 30}}},
		{name: "over two clusters without limits", machine: wan(sim.Links{}),
			list: []parcel{{0, 2, 0, 20, 0}, {6, 0, 1, 5, 0}},
			ops:  []operation{{at: 5, long: 10, clusters: []int32{0, 1}}},
			want: []span{{0, 20}, {15, 20}}, runs: []span{{5, 15}}, queue: 1},
		// The operation waits for the message before it and holds up those after it, but for that within a node.
		{name: "the whole network", machine: machine(4), rules: whole, node: []int32{0, 1, 2, 3, 3},
			list: []parcel{{0, 0, 1, 10, 0}, {6, 2, 3, 5, 0}, {7, 3, 4, 5, 0}, {26, 0, 1, 5, 0}},
			ops: []operation{{at: 5, long: 10, clusters: []int32{0}}, {at: 12, long: 10, clusters: []int32{0}},
				{at: 8, long: 3, clusters: []int32{0}, within: true}},
			want: []span{{0, 10}, {20, 25}, {7, 12}, {35, 40}}, runs: []span{{10, 20}, {25, 35}, {8, 11}},
			waits: []network.Wait{0: {Buses: 9}, 2: {Buses: 14}}, queue: 1},
		{name: "the whole network, which is free", machine: machine(2), rules: whole,
			list: []parcel{{3, 0, 1, 5, 0}, {4, 1, 0, 5, 0}},
			ops:  []operation{{at: 0, long: 10, clusters: []int32{0}}, {at: 20, long: 5, clusters: []int32{0}}},
			want: []span{{10, 15}, {10, 15}}, runs: []span{{0, 10}, {20, 25}},
			waits: []network.Wait{{Buses: 7}, {Buses: 6}}, queue: 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &trial{}
			got := r.play(r.newNetwork(t, c.machine, c.rules, c.node), c.list, c.ops...)
			if !slices.Equal(got, c.want) || !slices.Equal(r.runs, c.runs) {
				t.Errorf("messages %v, operations %v, want %v, %v", got, r.runs, c.want, c.runs)
			}
			for i, w := range c.waits {
				if r.Waits[i] != w {
					t.Errorf("task %d waits %v, want %v", i, r.Waits[i], w)
				}
			}
			if r.MostBusQueue != c.queue {
				t.Errorf("%d wait for a bus, want %d", r.MostBusQueue, c.queue)
			}
		})
	}
}

// A link of the ring 0 - 1 - 2 - 3 takes 10 ns, and 1 ns per byte. 0 sends 90 bytes to 2 by way of 1; 1 sends 40 to 2
// at 5, which the first overtakes where its header is there by 10.
//
//	packet: 1-2 carries the second from 5 to 55, the first from 100 to 200.
//	cut-through: the header is on 1-2 at 55, when the second has left it, for 10 + 100. It leaves 0-1 at 110.
//	circuit: the first has both links for 2*10 + 100, then the second 1-2 for 10 + 50.
func TestLinks(t *testing.T) {
	list := []parcel{{0, 0, 2, 90, 0}, {5, 1, 2, 40, 0}}
	load := func(from, to int32, messages, bytes int64, busy float64) sim.LinkLoad {
		return sim.LinkLoad{From: from, To: to, Messages: messages, Bytes: bytes, Busy: busy}
	}
	for _, c := range []struct {
		network   string
		switching uint8
		want      []span
		waits     []float64
		loads     []sim.LinkLoad
	}{
		{"direct", sim.SwitchPacket, []span{{0, 200}, {5, 55}}, []float64{0, 0}, nil},
		{"direct-contention", sim.SwitchPacket, []span{{0, 200}, {5, 55}}, []float64{0, 0},
			[]sim.LinkLoad{load(0, 1, 1, 90, 100), load(1, 2, 2, 130, 150)}},
		// The second has 1-2 for 10 + 50, until 65.
		{"direct-contention", sim.SwitchCutThrough, []span{{0, 65 + 110}, {5, 65}}, []float64{55, 0},
			[]sim.LinkLoad{load(0, 1, 1, 90, 110), load(1, 2, 2, 130, 110+60)}},
		{"direct-contention", sim.SwitchCircuit, []span{{0, 120}, {120, 180}}, []float64{0, 115},
			[]sim.LinkLoad{load(0, 1, 1, 90, 120), load(1, 2, 2, 130, 120+60)}},
	} {
		m := machine(4)
		m.Network = c.network
		m.Direct = sim.Interconnect{Topology: "ring 4", Switching: c.switching, Startup: 10, PerByte: 1,
			LocalStartup: 3}
		r := &trial{}
		n := r.newNetwork(t, m, sim.Rules{}, nil)
		got := r.play(n, append(list, parcel{20, 3, 3, 5, 0})) // the last one needs no link
		if !slices.Equal(got, append(c.want, span{20, 23})) || !slices.Equal(n.Loads(), c.loads) {
			t.Errorf("%s, %s: %v, loads %v", c.network, sim.Switchings[c.switching].Name, got, n.Loads())
		}
		if r.Waits[0].Links != c.waits[0] || r.Waits[1].Links != c.waits[1] || r.Hops != 3 || r.ByteHops != 2*90+40 {
			t.Errorf("%s, %s: waits %v, %d hops, %d byte hops", c.network, sim.Switchings[c.switching].Name, r.Waits,
				r.Hops, r.ByteHops)
		}
	}
}

// A collective operation's own network has its own links; it must place the tasks together as the network of messages
// does.
func TestOwnNetworkOfAnOperation(t *testing.T) {
	m := machine(3)
	m.Network = "direct-contention"
	m.Direct = sim.Interconnect{Topology: "ring 3", PerByte: 1}
	for _, c := range []struct{ own, shared sim.CollectiveOp }{{sim.OpReduce, 0}, {0, sim.OpReduce}} {
		m.Routines = []sim.Routine{{Op: c.own, Interconnect: sim.Interconnect{Topology: "complete 3", PerByte: 2}}}
		r := &trial{}
		n := r.newNetwork(t, m, sim.Rules{}, nil)
		for i, routine := range []uint8{0, 1 + uint8(c.own), 1 + uint8(c.shared)} {
			tr := r.Add()
			r.List[tr] = network.Transfer{From: 0, To: 1, Size: 10, Routine: routine}
			n.Plan(&r.List[tr], nil)
			n.Request(tr)
			if got, want := r.List[tr].PhysicalSend, []float64{0, 0, 10}[i]; got != want {
				t.Errorf("routine %d begins at %g, want %g", routine, got, want)
			}
		}
		want := []sim.LinkLoad{{From: 0, To: 1, Messages: 2, Bytes: 20, Busy: 20},
			{From: 0, To: 1, Routine: 1 + uint8(c.own), Messages: 1, Bytes: 10, Busy: 20}}
		if got := n.Loads(); !slices.Equal(got, want) {
			t.Errorf("loads %v, want %v", got, want)
		}
	}

	for _, c := range []struct{ own []int32 }{{[]int32{0, 0, 2}}, {[]int32{1, 2, 0}}} {
		m.Direct.Map, m.Routines[0].Map = []int32{0, 1, 2}, c.own
		_, _, err := network.New(host(m))
		if same := c.own[0] != c.own[1]; same != (err == nil) {
			t.Errorf("tasks on 0, 1, 2, of the operation on %v: %v", c.own, err)
		}
		if err != nil && !strings.Contains(err.Error(), "tasks 1 and 2 share a processor") {
			t.Error(err)
		}
		m.Direct.Map, m.Routines[0].Map = c.own, []int32{0, 1, 2}
		if _, _, err := network.New(host(m)); (c.own[0] != c.own[1]) != (err == nil) {
			t.Errorf("tasks on %v, of the operation on 0, 1, 2: %v", c.own, err)
		}
	}
}

func host(m *sim.Machine) network.Host {
	timers := clock.NewTimers()
	h := network.Host{Transfers: &network.Transfers{Timers: &timers}, Machine: m, Rules: &sim.Rules{}}
	for i := range m.Nodes {
		h.Node = append(h.Node, int32(i))
	}
	return h
}

// On a graph of one-way links every task needs a route to the first and back.
func TestNoWay(t *testing.T) {
	for text, want := range map[string]string{"1\n2\n0\n": "", "1 2\n0\n0\n": "",
		"1\n2\n-\n": "there is no way from processor 1 to processor 0, where task 2 runs",
		"1\n0\n0\n": "there is no way from processor 0 to processor 2, where task 3 runs"} {
		g, err := topology.ReadGraph("g", strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		m := machine(3)
		m.Network, m.Direct.Graph = "direct", g
		n, direct, err := network.New(host(m))
		switch {
		case want != "" && (err == nil || !strings.HasSuffix(err.Error(), want)):
			t.Errorf("%q: %v, want %q", text, err, want)
		case want == "" && (err != nil || !direct || n.Startup(0, 1, nil) != 0):
			t.Errorf("%q: direct %v, %v", text, direct, err)
		}
	}
}

// A complete graph of 40 has 40 * 39 links, more than a page of the table, each of which carries its own messages.
func TestManyLinks(t *testing.T) {
	m := machine(40)
	m.Network = "direct-contention"
	m.Direct = sim.Interconnect{Topology: "complete 40", PerByte: 1}
	r := &trial{}
	n := r.newNetwork(t, m, sim.Rules{}, nil)
	r.play(n, []parcel{{0, 39, 38, 5, 0}, {0, 39, 0, 4, 0}, {0, 20, 30, 3, 0}, {0, 0, 39, 2, 0}, {0, 0, 2, 1, 0}})
	ends := map[[2]int32]int64{}
	for _, l := range n.Loads() {
		ends[[2]int32{l.From, l.To}] = l.Bytes
	}
	want := map[[2]int32]int64{{39, 38}: 5, {39, 0}: 4, {20, 30}: 3, {0, 39}: 2, {0, 2}: 1}
	if !maps.Equal(ends, want) {
		t.Errorf("%v, want %v", ends, want)
	}
}

// Transfers in a ring, of which a list keeps the last, come out in the order of Push; numbers are reused.
func TestListsOfTransfers(t *testing.T) {
	ts := network.Transfers{List: make([]network.Transfer, 1)}
	var list int32
	for want := range int32(40) {
		tr := ts.Add()
		if tr != want+1 {
			t.Fatalf("transfer %d is number %d", want, tr)
		}
		ts.Push(&list, tr)
	}
	for want := int32(1); want <= 40; want++ {
		if tr := ts.Pop(&list); tr != want {
			t.Fatalf("got %d, want %d", tr, want)
		}
	}
	if list != 0 {
		t.Error("the empty list is", list)
	}
	ts.List[3].Size = 5
	ts.Free = []int32{4, 3}
	if tr := ts.Add(); tr != 3 || ts.List[3] != (network.Transfer{}) || ts.Add() != 4 || ts.Add() != 41 {
		t.Errorf("reused: %d, %+v", tr, ts.List[3])
	}
}
