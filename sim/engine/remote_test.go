package engine_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"pview/prv"
	"pview/sim"
	"pview/sim/engine"
)

// threads returns a program of one task with n threads, and a node that has a CPU for each.
func threads(n int) (*sim.Program, *sim.Machine) {
	p := &sim.Program{}
	p.AddPtask()
	p.AddTask(n)
	m := sim.Ideal(1)
	m.Nodes[0].CPUs = n
	return p, m
}

// D10: A computes 100 us and waits; B computes 250 us and signals: A is blocked (state 6 of the thesis) from 100 to
// 250. An earlier signal means no wait.
func TestSemaphore(t *testing.T) {
	p, m := threads(2)
	a, b := &p.Threads[0], &p.Threads[1]
	a.AddCompute(100_000)
	a.AddMessage(sim.SemaphoreWait, sim.Message{Tag: 1})
	a.AddCompute(10_000)
	a.AddMessage(sim.SemaphoreWait, sim.Message{Tag: 2}) // signalled at 250
	a.AddCompute(10_000)
	b.AddCompute(250_000)
	b.AddMessage(sim.SemaphoreSignal, sim.Message{Tag: 2})
	b.AddMessage(sim.SemaphoreSignal, sim.Message{Tag: 1})
	b.AddCompute(50_000)
	link(t, p)
	r := runBy(t, thesis(t), p, m)
	s := &r.Trace.Threads[0].States
	if !reflect.DeepEqual(s.Value, []uint32{1, 6, 1, 1}) && !reflect.DeepEqual(s.Value, []uint32{1, 6, 1}) ||
		s.Begin[1] != 100_000 || s.End[1] != 250_000 {
		t.Errorf("states %v from %v to %v", s.Value, s.Begin, s.End)
	}
	if got := r.Tasks[0].States[sim.StateSemaphore]; got != 150_000 || r.Total != 300_000 {
		t.Errorf("%d ns at semaphores, ends at %d", got, r.Total)
	}
}

// Waiting threads pass in order of arrival, one for each signal; a thread without a signal never does.
func TestSemaphoreOrder(t *testing.T) {
	p, m := threads(4)
	for i, at := range []float64{30_000, 10_000, 20_000} {
		p.Threads[i].AddCompute(at)
		p.Threads[i].AddMessage(sim.SemaphoreWait, sim.Message{Tag: 1})
		p.Threads[i].AddEvent(1000, int64(i+1))
	}
	s := &p.Threads[3]
	for range 3 {
		s.AddCompute(100_000)
		s.AddMessage(sim.SemaphoreSignal, sim.Message{Tag: 1})
	}
	link(t, p)
	r := runBy(t, sim.Rules{}, p, m)
	for i, want := range []int64{300_000, 100_000, 200_000} {
		if got := r.Trace.Threads[i].Events.Time[0]; got != want {
			t.Errorf("thread %d passes at %d ns, not %d", i+1, got, want)
		}
	}
	p.Threads[0].AddMessage(sim.SemaphoreWait, sim.Message{Tag: 1})
	link(t, p)
	_, err := engine.Run(context.Background(), p, m, sim.Options{})
	var d *sim.Deadlock
	if !errors.As(err, &d) || len(d.Waits) != 1 || !strings.Contains(d.Waits[0].What, "semaphore 1") {
		t.Errorf("%v", err)
	}
}

// A put costs its thread the latency (25 us), continues in the background (10000 us), and does not involve the target;
// a flush waits for it. A get brings as much and blocks.
func TestRemoteMemory(t *testing.T) {
	p := &sim.Program{}
	p.AddPtask()
	p.AddTask(1)
	p.AddTask(1)
	a, b := &p.Threads[0], &p.Threads[1]
	a.AddCompute(100_000)
	a.AddMessage(sim.Put, sim.Message{Peer: 1, Size: megabyte}) // 125 .. 10125
	a.AddCompute(75_000)                                        // .. 200
	a.AddMessage(sim.Flush, sim.Message{})
	a.AddMessage(sim.Get, sim.Message{Peer: 1, Size: megabyte / 2}) // 10150 .. 15150
	a.AddCompute(50_000)
	b.AddCompute(1_000_000)
	link(t, p)
	r := runBy(t, thesis(t), p, network(2))
	if r.Tasks[0].End != 15_200_000 || r.Tasks[1].End != 1_000_000 ||
		r.Tasks[0].States[sim.StateWaiting] != 9_925_000+5_000_000 {
		t.Errorf("ends at %d and %d ns, %d waiting", r.Tasks[0].End, r.Tasks[1].End,
			r.Tasks[0].States[sim.StateWaiting])
	}
	// The bytes of a get are sent by the task that has them.
	for i, want := range []int64{megabyte, megabyte / 2} {
		if from, to := &r.Tasks[i], &r.Tasks[1-i]; from.MessagesSent != 1 || from.BytesSent != want ||
			to.BytesRecv != want {
			t.Errorf("task %d sends %d bytes in %d, of which %d arrive", i+1, from.BytesSent, from.MessagesSent,
				to.BytesRecv)
		}
	}
	if a, b := r.Tasks[0].BlockedRecv, r.Tasks[1].BlockedRecv; a != 9_925_000+5_000_000 || b != 0 {
		t.Errorf("blocked for %g and %g ns", a, b)
	}
	c := &r.Trace.Comms
	if c.Len() != 2 || c.Recv[0] != 1 || c.Send[1] != 1 || c.Times[prv.PhysicalRecv][0] != 10_125_000 ||
		c.Times[prv.PhysicalSend][1] != 10_150_000 {
		t.Errorf("messages %v -> %v, sent at %v, there at %v", c.Send, c.Recv, c.Times[prv.PhysicalSend],
			c.Times[prv.PhysicalRecv])
	}
}

// A server of one application receives what clients of another send to its port, in order of arrival.
func TestPort(t *testing.T) {
	p := &sim.Program{}
	p.AddPtask()
	p.AddTask(1)
	p.AddPtask()
	p.AddTask(1)
	p.AddTask(1)
	server := &p.Threads[0]
	for range 2 {
		server.AddCompute(1000)
		server.AddMessage(sim.RecvPort, sim.Message{Tag: 80})
		server.AddEvent(1000, 1)
	}
	for i, at := range []float64{70_000, 20_000} {
		p.Threads[1+i].AddCompute(at)
		p.Threads[1+i].AddMessage(sim.SendPort, sim.Message{Tag: 80, Size: megabyte / 100})
	}
	link(t, p)
	m := network(3)
	m.Mapping = []sim.Mapping{{Kind: sim.Explicit, Nodes: []int{0}}, {Kind: sim.Explicit, Nodes: []int{1, 2}}}
	r := runBy(t, thesis(t), p, m)
	// 20 + 25 + 99.9..; the other 70 + 25, then waits for the link: 100 us each.
	if got := r.Trace.Threads[0].Events.Time; len(got) != 2 || got[0]/1000 != 144 || got[1]/1000 != 244 {
		t.Errorf("the server has them at %v ns", got)
	}
	if r.Trace.Comms.Send[0] != 2 || r.Trace.Comms.Send[1] != 1 {
		t.Errorf("from threads %v", r.Trace.Comms.Send)
	}
	lonely := &sim.Program{}
	lonely.AddPtask()
	lonely.AddTask(1)
	lonely.Threads[0].AddMessage(sim.SendPort, sim.Message{Tag: 80})
	link(t, lonely)
	if _, err := engine.Run(context.Background(), lonely, sim.Ideal(1), sim.Options{}); err == nil ||
		!strings.Contains(err.Error(), "port 80, at which no task receives") {
		t.Errorf("%v", err)
	}
	// Together with a program that has the server, there is one who receives.
	both, err := sim.Merge(lonely, serverOf(t, 80))
	if err != nil {
		t.Fatal(err)
	}
	m = sim.IdealFor(both)
	if r, err := engine.Run(context.Background(), both, m, sim.Options{}); err != nil || r.Messages != 1 ||
		r.Unreceived != 0 {
		t.Errorf("%v", err)
	}
}

func serverOf(t *testing.T, port int64) *sim.Program {
	p := &sim.Program{}
	p.AddPtask()
	p.AddTask(1)
	p.Threads[0].AddMessage(sim.RecvPort, sim.Message{Tag: port})
	link(t, p)
	return p
}

// A probe blocks until the message has arrived, and leaves it for the receive.
func TestProbe(t *testing.T) {
	p := messages(t, 2, [2]int32{0, 1})
	b := &p.Threads[1]
	*b = sim.Thread{}
	b.AddCompute(1000)
	b.AddMessage(sim.Probe, sim.Message{Peer: 0})
	b.AddEvent(1000, 1)
	b.AddCompute(500_000)
	b.AddMessage(sim.Recv, sim.Message{Peer: 0})
	sender := p.Threads[0]
	for name, kind := range map[string]sim.Kind{"eager": sim.Send, "rendezvous": sim.SendRendezvous} {
		a := &p.Threads[0]
		*a = sim.Thread{}
		a.AddCompute(sender.Burst(0))
		a.AddMessage(kind, *sender.Message(1))
		link(t, p)
		// The message is there at 10025 us; one that waits for its receiver announces itself at 25 us, and comes when
		// it is received.
		probed, end := int64(10_025_000), int64(10_525_000)
		if kind == sim.SendRendezvous {
			probed, end = 25_000, 525_000+10_000_000
		}
		r := runBy(t, thesis(t), p, network(2))
		if got := r.Trace.Threads[1].Events.Time[0]; got != probed || r.Total != end {
			t.Errorf("%s: probed at %d ns, ends at %d, not %d and %d", name, got, r.Total, probed, end)
		}
	}
}

// Merged programs run as if each were alone, when they share nothing.
func TestMerge(t *testing.T) {
	a, b := stencil(t, 3, 2, 10), stencil(t, 2, 2, 20)
	both, err := sim.Merge(a, b)
	if err != nil {
		t.Fatal(err)
	}
	m := cluster(10, 0)
	m.Mapping = []sim.Mapping{{Kind: sim.Explicit, Nodes: []int{0, 1, 2, 3, 4, 5}},
		{Kind: sim.Explicit, Nodes: []int{6, 7, 8, 9}}}
	alone := []*sim.Result{run(t, a, cluster(6, 0)), run(t, b, cluster(4, 0))}
	r := run(t, both, m)
	want := append(append([]sim.TaskStats{}, alone[0].Tasks...), alone[1].Tasks...)
	if !reflect.DeepEqual(r.Tasks, want) {
		t.Error("other times than alone")
	}
	if len(r.Trace.Ptasks) != 2 || r.Trace.Ptasks[1].Tasks != 4 {
		t.Errorf("applications of the trace: %v", r.Trace.Ptasks)
	}
}
