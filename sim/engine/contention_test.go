package engine_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pview/sim"
	"pview/sim/engine"
)

// parcel is a message of a test: task from sends it at a time (ns), and task to receives it immediately.
type parcel struct {
	from, to int32
	at       float64
	size     int64
}

// traffic returns a program of messages, in the order of their times by sender; receivers post all receives first. The
// end of a receiver is the last arrival.
func traffic(t testing.TB, tasks int, list []parcel) *sim.Program {
	t.Helper()
	p := &sim.Program{}
	p.AddPtask()
	for range tasks {
		p.AddTask(1)
	}
	now := make([]float64, tasks)
	for i, m := range list {
		th := &p.Threads[m.from]
		th.AddCompute(m.at - now[m.from])
		now[m.from] = m.at
		th.AddMessage(sim.Isend, sim.Message{Peer: m.to, Size: m.size, Tag: int64(i)})
	}
	for i, m := range list {
		p.Threads[m.to].AddMessage(sim.Recv, sim.Message{Peer: m.from, Tag: int64(i)})
	}
	if err := p.Link(); err != nil {
		t.Fatal(err)
	}
	return p
}

// linked returns a machine of processors joined by links of 10 ns and 1 ns a byte: 90 bytes take 100 ns.
func linked(topology, network string, switching uint8, tasks int) *sim.Machine {
	m := sim.Ideal(tasks)
	m.Network = network
	m.Direct = sim.Interconnect{Topology: topology, Switching: switching, Startup: 10, PerByte: 1}
	return m
}

// linkArrivals returns the arrivals of the messages of a program, in the order of their tags.
func linkArrivals(t *testing.T, p *sim.Program, m *sim.Machine) ([]int64, *sim.Result) {
	t.Helper()
	r, err := engine.Run(context.Background(), p, m, sim.Options{Trace: true})
	if err != nil {
		t.Fatal(err)
	}
	c := &r.Trace.Comms
	at := make([]int64, c.Len())
	for i := range at {
		at[c.Tag[i]] = c.Times[3][i]
	}
	return at, r
}

// TestTwoMessagesOneLink: on a ring of 4, 0 sends to 2 at 0, by way of 1; 1 sends to 2 at 50. Each has 90 bytes.
//
//	packet: 0-1 from 0 to 100; 1-2 is held from 50 to 150 by the other, then until 250.
//	cut-through: the header is on 1-2 at 10 and holds it until 10+10+100; the other has it from 120 to 230.
//	circuit: both links from 0 to 2*10+100 = 120; the other 1-2 from 120 to 120+10+100.
func TestTwoMessagesOneLink(t *testing.T) {
	p := traffic(t, 4, []parcel{{0, 2, 0, 90}, {1, 2, 50, 90}})
	for _, c := range []struct {
		switching uint8
		want      []int64
	}{
		{sim.SwitchPacket, []int64{250, 150}},
		{sim.SwitchCutThrough, []int64{120, 230}},
		{sim.SwitchCircuit, []int64{120, 230}},
	} {
		if got, _ := linkArrivals(t, p, linked("ring 4", "direct-contention", c.switching, 4)); !slices.Equal(got,
			c.want) {
			t.Errorf("%s: arrivals %v, not %v", sim.Switchings[c.switching].Name, got, c.want)
		}
	}
}

// TestAllToAllTorus: on a 4x4 torus each sends to each. On an axis of 4 a processor sends to the next (1 link up), to
// the one opposite (2 up, since ties go up) and to the one before (1 down): a link up carries 3 of the messages of its
// ring, one down 1. There are 4 messages for each pair of coordinates of the other axis: 12 up, 4 down, on both axes.
// So the busiest link, which is every link up, is held for 12*100 ns, and no schedule can end before.
func TestAllToAllTorus(t *testing.T) {
	var list []parcel
	for a := range int32(16) {
		for b := range int32(16) {
			if a != b {
				list = append(list, parcel{a, b, 0, 90})
			}
		}
	}
	_, r := linkArrivals(t, traffic(t, 16, list), linked("torus 4 4", "direct-contention", sim.SwitchPacket, 16))
	count := map[int64]int{}
	for _, l := range r.Links {
		count[l.Messages]++
		if l.Busy != float64(100*l.Messages) || l.Bytes != 90*l.Messages {
			t.Errorf("link %d-%d: %d messages, %d bytes, held for %g ns", l.From, l.To, l.Messages, l.Bytes, l.Busy)
		}
	}
	if len(r.Links) != 64 || count[12] != 32 || count[4] != 32 {
		t.Errorf("links by their messages: %v", count)
	}
	if r.Total < 1200 || r.Hops != 512 {
		t.Errorf("ends at %d ns, %d hops", r.Total, r.Hops)
	}
}

// TestHotSpot: on a star, 2, 3 and 4 send to 1 by way of 0, whose link to 1 passes one after the other: 200, 300, 400.
func TestHotSpot(t *testing.T) {
	p := traffic(t, 5, []parcel{{2, 1, 0, 90}, {3, 1, 0, 90}, {4, 1, 0, 90}})
	got, r := linkArrivals(t, p, linked("star 5", "direct-contention", sim.SwitchPacket, 5))
	if want := []int64{200, 300, 400}; !slices.Equal(got, want) {
		t.Errorf("arrivals %v, not %v", got, want)
	}
	if got := []float64{r.Tasks[2].WaitLinks, r.Tasks[3].WaitLinks, r.Tasks[4].WaitLinks}; !slices.Equal(got,
		[]float64{0, 100, 200}) {
		t.Errorf("waits for links: %v", got)
	}
}

// TestDragonfly: 3 groups of 2 routers with 2 processors each, and a link between any two groups: that of group 0 to
// group 1 leads from its router 0 to router 1 of group 1.
//
// Adversarial: 0..3 of group 0 send to 4..7 of group 1, all over that link. 0 and 1 are at router 0 at 100, and have it
// from 100 and 200; 2 and 3 come from router 1 at 200 and 300, since they share the link to router 0, and have it from
// 300 and 400. So they are at group 1 at 200, 300, 400, 500; 4 and 5 are a router further, where 0's takes 200-300 and
// 1's 300-400: 400, 500, 500, 600.
//
// Uniform: 0 and 2 send to group 1, 1 and 3 to group 2, so that each link between groups has half of the messages: 0 to
// 4: router 0 at 100, group 1 at 200, its router 0 at 300: 400. 2 to 6: router 1 at 100, router 0 at 200, group 1 at
// 300: 400. 1 to 8 (group 2, over router 1 of group 0): router 0 at 100, router 1 at 200, group 2 (its router 0) at
// 300: 400. 3 to 10: router 1 at 100, group 2 at 200, its router 1 at 300: 400.
func TestDragonfly(t *testing.T) {
	m := linked("dragonfly 2 2 1", "direct-contention", sim.SwitchPacket, 12)
	got, r := linkArrivals(t, traffic(t, 12, []parcel{{0, 4, 0, 90}, {1, 5, 0, 90}, {2, 6, 0, 90}, {3, 7, 0, 90}}), m)
	if want := []int64{400, 500, 500, 600}; !slices.Equal(got, want) {
		t.Errorf("adversarial: arrivals %v, not %v", got, want)
	}
	if most := mostMessages(r); most != 4 {
		t.Errorf("adversarial: %d messages on the busiest link, not 4", most)
	}
	got, r = linkArrivals(t, traffic(t, 12, []parcel{{0, 4, 0, 90}, {2, 6, 0, 90}, {1, 8, 0, 90}, {3, 10, 0, 90}}), m)
	if want := []int64{400, 400, 400, 400}; !slices.Equal(got, want) {
		t.Errorf("uniform: arrivals %v, not %v", got, want)
	}
	if most := mostMessages(r); most != 2 {
		t.Errorf("uniform: %d messages on the busiest link, not 2", most)
	}
}

func mostMessages(r *sim.Result) (most int64) {
	for _, l := range r.Links {
		most = max(most, l.Messages)
	}
	return most
}

// TestAlone: with one message in flight at a time, both direct networks agree exactly, whatever the shape and the
// switching.
func TestAlone(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, shape := range []string{"complete 16", "ring 16", "torus 4 4", "mesh 2 8", "hypercube 4", "tree 2 3",
		"star 16", "fat-tree 2 4", "dragonfly 2 2 2"} {
		for s := range sim.Switchings {
			const tasks = 15
			p := &sim.Program{}
			p.AddPtask()
			for range tasks {
				p.AddTask(1)
			}
			at := int32(0)
			for k := range 200 { // a token on a random walk
				next := rng.Int32N(tasks)
				p.Threads[at].AddCompute(float64(rng.IntN(100)))
				p.Threads[at].AddMessage(sim.Isend, sim.Message{Peer: next, Size: rng.Int64N(3000), Tag: int64(k)})
				p.Threads[next].AddMessage(sim.Recv, sim.Message{Peer: at, Tag: int64(k)})
				at = next
			}
			if err := p.Link(); err != nil {
				t.Fatal(err)
			}
			var results []*sim.Result
			for _, network := range []string{"direct", "direct-contention"} {
				m := linked(shape, network, uint8(s), tasks)
				m.Direct.Packet, m.Direct.Control, m.Direct.Flit = 512, 8, 16
				r, err := engine.Run(context.Background(), p, m, sim.Options{})
				if err != nil {
					t.Fatal(err)
				}
				results = append(results, r)
			}
			for i := range tasks {
				if a, b := results[0].Tasks[i].End, results[1].Tasks[i].End; a != b {
					t.Errorf("%s, %s: task %d ends at %d and, with contention, at %d", shape, sim.Switchings[s].Name, i,
						a, b)
				}
			}
		}
	}
}

// permutations returns a program of rounds in each of which every task sends to another one, at random.
func permutations(b testing.TB, tasks, rounds int) *sim.Program {
	p := &sim.Program{}
	p.AddPtask()
	for range tasks {
		p.AddTask(1)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for k := range rounds {
		to := rng.Perm(tasks)
		for from, peer := range to {
			p.Threads[from].AddCompute(1000)
			p.Threads[from].AddMessage(sim.Isend, sim.Message{Peer: int32(peer), Size: 1000, Tag: int64(k)})
		}
		for from, peer := range to {
			p.Threads[peer].AddMessage(sim.Recv, sim.Message{Peer: int32(from), Tag: int64(k)})
		}
	}
	if err := p.Link(); err != nil {
		b.Fatal(err)
	}
	return p
}

// BenchmarkTorus: a million messages between 4,096 tasks, on buses and on a torus of 16x16x16, and half and a quarter
// of them.
func BenchmarkTorus(b *testing.B) {
	for _, rounds := range []int{61, 122, 244} {
		p := permutations(b, 4096, rounds)
		for _, network := range []string{"buses", "direct", "direct-contention"} {
			for s := range sim.Switchings {
				if network == "buses" && s > 0 {
					continue
				}
				b.Run(fmt.Sprintf("%d/%s/%s", rounds*4096, network, sim.Switchings[s].Name), func(b *testing.B) {
					m := linked("torus 16 16 16", network, uint8(s), 4096)
					if network == "buses" {
						m.Clusters[0].Bandwidth, m.Clusters[0].Buses = 1000, 512
						for i := range m.Nodes {
							m.Nodes[i].Latency, m.Nodes[i].Links = 1000, sim.Links{In: 1, Out: 1}
						}
					}
					for range b.N {
						if _, err := engine.Run(context.Background(), p, m, sim.Options{}); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}

// TestRobbedLink: of several output links whose messages wait for their input link, a message gets the one that has not
// been free for longest. Node 0 has two output links, every node one input link; a byte takes 1 ns. The input links of
// nodes 1 and 2 are taken until 100 and 50. Node 0 sends at
//
//	1: 10 bytes to 3, by its first link, until 11
//	2: 10 bytes to 1, which holds the second link and waits
//	12: 10 bytes to 2, which holds the first link and waits
//	20: 60 bytes to 3, which finds no link free: it robs the second, which was taken before the first
//
// So the last one arrives at 80; that to 2 at 50+10, when it leaves its link to that to 1, which arrives at 100+10.
func TestRobbedLink(t *testing.T) {
	p := traffic(t, 6, []parcel{{4, 1, 0, 100}, {5, 2, 0, 50}, {0, 3, 1, 10}, {0, 1, 2, 10}, {0, 2, 12, 10},
		{0, 3, 20, 60}})
	m := network(6)
	m.Clusters[0].Bandwidth = 1e9 / megabyte
	for i := range m.Nodes {
		m.Nodes[i].Latency, m.Nodes[i].Links = 0, sim.Links{In: 1, Out: 2}
	}
	if got, _ := linkArrivals(t, p, m); !slices.Equal(got, []int64{100, 50, 11, 110, 60, 80}) {
		t.Errorf("arrivals %v", got)
	}
}
