package engine_test

import (
	"context"
	"errors"
	"testing"

	"pview/sim"
	"pview/sim/engine"
)

// What a blocked thread waits for, in words. Task 1.1 has one record that blocks for ever, after some that do not; 1.2
// only computes.
func TestBlockedInWords(t *testing.T) {
	message := sim.Message{Peer: 1, Tag: 7, Size: 1000}
	for _, c := range []struct {
		add  func(p *sim.Program, x *sim.Thread)
		want string
	}{
		{func(_ *sim.Program, x *sim.Thread) { x.AddMessage(sim.SendRendezvous, message) },
			"rendezvous send of 1,000 bytes with tag 7 to task 1.2, which has not requested it"},
		{func(_ *sim.Program, x *sim.Thread) { x.AddMessage(sim.Recv, message) },
			"receive of a message with tag 7 from task 1.2, which has not sent it"},
		{func(_ *sim.Program, x *sim.Thread) {
			x.AddMessage(sim.Irecv, message)
			x.AddMessage(sim.Wait, message)
		}, "wait of a message with tag 7 from task 1.2, which has not sent it"},
		{func(_ *sim.Program, x *sim.Thread) { x.AddMessage(sim.Probe, message) },
			"probe for a message with tag 7 from task 1.2, which has not sent it"},
		{func(_ *sim.Program, x *sim.Thread) { x.AddMessage(sim.RecvPort, sim.Message{Tag: 7}) },
			"receive at port 7, to which no task has sent"},
		{func(_ *sim.Program, x *sim.Thread) { x.AddMessage(sim.SemaphoreWait, sim.Message{Tag: 7}) },
			"semaphore 7, which no other thread of its task has signalled"},
		{func(p *sim.Program, x *sim.Thread) {
			x.AddCollective(sim.Collective,
				sim.CollectiveCall{Communicator: p.AddCommunicator(0, 9, []int32{0, 1}), Op: 1})
		}, "collective Bcast of communicator 9, which not all of its 2 tasks have reached"},
		{func(_ *sim.Program, x *sim.Thread) {
			x.AddHandled(sim.Recv, message, sim.Handling{AnySource: true})
		}, "receive of a message from any sender or with any tag, which no task has sent"},
		{func(_ *sim.Program, x *sim.Thread) {
			x.AddHandled(sim.Irecv, message, sim.Handling{Request: 3})
			x.AddHandled(sim.WaitRequest, message, sim.Handling{Request: 3})
		}, "completion of an immediate operation"},
	} {
		p := &sim.Program{}
		p.AddPtask()
		p.AddTask(1)
		p.AddTask(1)
		for i := range p.Threads {
			p.Threads[i].AddCompute(5000)
		}
		c.add(p, &p.Threads[0])
		link(t, p)
		_, err := engine.Run(context.Background(), p, sim.Ideal(2), sim.Options{})
		var d *sim.Deadlock
		if !errors.As(err, &d) {
			t.Errorf("%v, not %s", err, c.want)
			continue
		}
		if w := d.Waits[0]; len(d.Waits) != 1 || w.What != c.want || w.Thread != "1.1.1" ||
			w.Record != p.Threads[0].Len() || w.Since != 5000 || d.At != 5000 {
			t.Errorf("%+v, not %s", d.Waits, c.want)
		}
	}
}

// A barrier by networks: 25 us between nodes, 3 us within a node and 100 us between clusters, 1 ms apart. Both of its
// stages are one message long. By the default rule each network adds its own; else the widest alone counts.
func TestBarrierByNetworks(t *testing.T) {
	for _, c := range []struct {
		nodes, clusters int
		each, widest    int64 // us
	}{
		{1, 1, 2 * 3, 2 * 3},
		{2, 1, 2*3 + 2*25, 2 * 25},
		{2, 2, 2*3 + 2*100 + 2*1000, 2*100 + 2*1000}, // a node for each cluster: no network between its nodes
		{4, 2, 2*3 + 2*25 + 2*100 + 2*1000, 2*100 + 2*1000},
	} {
		m := sim.Ideal(c.nodes)
		if c.clusters == 2 {
			m.Clusters = append(m.Clusters, m.Clusters[0])
			m.Clusters[0].Flight, m.Clusters[1].Flight = []float64{0, 1e6}, []float64{1e6, 0}
		}
		for i := range m.Nodes {
			n := &m.Nodes[i]
			n.CPUs, n.Latency, n.Local.Latency, n.WANLatency = 4, 25e3, 3e3, 100e3
			n.Cluster = i * c.clusters / c.nodes
		}
		m.Mapping = []sim.Mapping{{Kind: sim.TasksPerNode, Tasks: 4 / c.nodes}}
		p := &sim.Program{}
		p.AddPtask()
		var all []int32
		for range 4 {
			all = append(all, p.AddTask(1))
		}
		world := p.AddCommunicator(0, 1, all)
		for i := range p.Threads {
			p.Threads[i].AddCompute(0)
			p.Threads[i].AddCollective(sim.Collective, sim.CollectiveCall{Communicator: world})
		}
		link(t, p)
		for rule, want := range map[uint8]int64{sim.ParticipantsTasks: c.widest, 0: c.each} {
			r := runBy(t, sim.Rules{sim.CollectiveParticipants: rule}, p, m)
			if r.Total != want*1000 {
				t.Errorf("%d nodes in %d clusters, rule %d: %d ns, not %d us", c.nodes, c.clusters, rule, r.Total, want)
			}
		}
	}
}

// A non-blocking barrier, which takes 2 * 25 us once both have started it. Starting it and waiting for it cost 25 us
// each, as does a wait for nothing. Task 1 waits for nothing until 25, starts at 50, computes until 250, and waits for
// what is over until 275. Task 2 starts at 125 and waits, from 150, until 125 + 50.
func TestStartedBarriers(t *testing.T) {
	p := &sim.Program{}
	p.AddPtask()
	a, b := p.AddTask(1), p.AddTask(1)
	world := p.AddCommunicator(0, 1, []int32{a, b})
	add := func(x *sim.Thread, k sim.Kind) { x.AddCollective(k, sim.CollectiveCall{Communicator: world}) }
	x, y := &p.Threads[a], &p.Threads[b]
	x.AddCompute(0)
	add(x, sim.CollectiveWait)
	add(x, sim.CollectiveStart)
	x.AddCompute(200e3)
	add(x, sim.CollectiveWait)
	x.AddCompute(1e3)
	y.AddCompute(100e3)
	add(y, sim.CollectiveStart)
	add(y, sim.CollectiveWait)
	y.AddCompute(1e3)
	link(t, p)
	m := sim.Ideal(2)
	m.Nodes[0].Latency, m.Nodes[1].Latency = 25e3, 25e3
	r := run(t, p, m)
	one, two := r.Tasks[0], r.Tasks[1]
	if one.End != 276e3 || one.Startups != 75e3 || one.BlockedColl != 75e3 || one.InColl != 50e3 {
		t.Errorf("task 1: %+v", one)
	}
	if two.End != 176e3 || two.Startups != 50e3 || two.BlockedColl != 0 || two.InColl != 50e3 {
		t.Errorf("task 2: %+v", two)
	}
}

// A latency of 25 us by round robin with a quantum of 10: the first quantum is shown as startup, the rest as running.
func TestSlicedStartup(t *testing.T) {
	p := &sim.Program{}
	p.AddPtask()
	p.AddTask(1)
	p.AddTask(1)
	p.Threads[0].AddCompute(0)
	p.Threads[0].AddMessage(sim.Send, sim.Message{Peer: 1})
	p.Threads[1].AddCompute(0)
	p.Threads[1].AddMessage(sim.Recv, sim.Message{Peer: 0})
	link(t, p)
	m := sim.Ideal(2)
	m.Nodes[0].Latency = 25e3
	for quantum, want := range map[float64][2]int64{10e3: {10e3, 15e3}, 25e3: {25e3, 0}, 0: {25e3, 0}} {
		m.Scheduler.Policy, m.Scheduler.Quantum = "RR", quantum
		s := run(t, p, m).Tasks[0]
		if got := [2]int64{s.States[sim.StateStartup], s.States[sim.StateRunning]}; got != want || s.Startups != 25e3 {
			t.Errorf("quantum %g: %v, %g ns of startup", quantum, got, s.Startups)
		}
	}
}
