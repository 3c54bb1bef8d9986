package study

import (
	"context"
	"testing"

	"pview/prv/prvtest"
	"pview/sim"
)

// The tasks of an 8x8 mesh exchange 100 bytes with their neighbours, ten times, on a hypercube of six dimensions whose
// links take 1 us and 10 ns per byte: 2 us for a message over one link. The Gray codes of row and column place all
// neighbours one link apart: the rounds of a task with four neighbours take the 2 us of its messages, since they leave
// over different links, so ten rounds take 20 us and no mapping is faster. Random starts alone find one of twice that.
func TestMappingsOfMesh(t *testing.T) {
	prvtest.Long(t)
	p := &sim.Program{}
	p.AddPtask()
	for range 64 {
		p.AddTask(1)
	}
	for i := range p.Threads {
		var near []int32
		for _, d := range []struct {
			ok bool
			by int
		}{{i%8 > 0, -1}, {i%8 < 7, 1}, {i >= 8, -8}, {i < 56, 8}} {
			if d.ok {
				near = append(near, int32(i+d.by))
			}
		}
		for range 10 {
			for _, peer := range near {
				p.Threads[i].AddMessage(sim.Isend, sim.Message{Peer: peer, Size: 100})
			}
			for _, peer := range near {
				p.Threads[i].AddMessage(sim.Recv, sim.Message{Peer: peer})
			}
		}
	}
	if err := p.Link(); err != nil {
		t.Fatal(err)
	}
	m := sim.Ideal(64)
	m.Network, m.EagerSends = "direct-contention", true
	m.Direct = sim.Interconnect{Topology: "hypercube 6", Startup: 1000, PerByte: 10}
	total := *OutputByName("total")
	plan, err := (&Mappings{Base: Case{Name: "mesh", Program: p, Machine: m}, Outputs: []Output{total}, Attempts: 1,
		Seed: 1}).Plan(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	table, err := NewRunner(plan, RunOptions{}).Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	best := table.Rows[0]
	for _, r := range table.Rows {
		if r.Outputs[0] < best.Outputs[0] {
			best = r
		}
	}
	if best.Outputs[0] != 20_000 {
		t.Errorf("%v", best)
	}
}
