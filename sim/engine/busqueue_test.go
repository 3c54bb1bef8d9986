package engine_test

import (
	"context"
	"testing"

	"pview/sim"
	"pview/sim/engine"
)

// TestBusQueue: four pairs of tasks send 1 MiB at 1 MB/s each at once over a network of one bus: three messages wait at
// first, for 1, 2 and 3 s. So the queue is at most 3, and over the 4 s 6/4 = 1.5 on average; with two buses at most 2.
func TestBusQueue(t *testing.T) {
	p := &sim.Program{}
	p.AddPtask()
	for range 8 {
		p.AddTask(1)
	}
	for i := int32(0); i < 8; i += 2 {
		p.Threads[i].AddMessage(sim.Send, sim.Message{Peer: i + 1, Size: 1 << 20})
		p.Threads[i+1].AddMessage(sim.Recv, sim.Message{Peer: i, Size: 1 << 20})
	}
	if err := p.Link(); err != nil {
		t.Fatal(err)
	}
	for _, network := range []string{"buses", "together"} {
		for buses, want := range map[int]int{0: 0, 1: 3, 2: 2} {
			m := sim.IdealFor(p)
			m.Network, m.Clusters[0].Bandwidth, m.Clusters[0].Buses = network, 1, buses
			r, err := engine.Run(context.Background(), p, m, sim.Options{})
			if err != nil || r.BusQueue != want {
				t.Errorf("%s, %d buses: %d, not %d (%v)", network, buses, r.BusQueue, want, err)
			}
			waits := 0.0
			for i := range r.Tasks {
				waits += r.Tasks[i].WaitBuses
			}
			if buses == 1 && waits/float64(r.Total) != 1.5 {
				t.Errorf("%s: %g on average", network, waits/float64(r.Total))
			}
		}
	}
}
