package mapping_test

import (
	"strings"
	"testing"

	"pview/sim"
)

// TestStructured: an 8x8 periodic stencil embeds in a hypercube of 6 dimensions with all neighbours one link apart, by
// the Gray code of row and column. Every structured mapping puts one task on each node.
func TestStructured(t *testing.T) {
	m := sim.Ideal(64)
	m.Network = "direct-contention"
	m.Direct = sim.Interconnect{Topology: "hypercube 6", Startup: 100, PerByte: 1}
	b, simulate := problem(t, stencil(t, 8), m)
	l := b.ByRule(make([]int32, 64), 1)
	rules := len(l.Candidates)
	best := b.AddStructured(l)
	if w := b.Weigh(best.Mapping); w.Hops != 3*4*64 {
		t.Errorf("the best takes %d hops, not one per message (%d)", w.Hops, 3*4*64)
	}
	gray := false
	fast, err := simulate(best.Mapping)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range l.Candidates[rules:] {
		gray = gray || strings.HasPrefix(c.From, "gray ")
		seen := map[int]bool{}
		for _, n := range c.Mapping {
			seen[n] = true
		}
		if len(seen) != 64 {
			t.Errorf("%s uses %d of 64 nodes", c.From, len(seen))
		}
		if total, err := simulate(c.Mapping); err != nil || total < fast {
			t.Errorf("%s takes %d ns, the best by weight %d ns, %v", c.From, total, fast, err)
		}
	}
	if at := b.Anneal(t.Context(), best.Mapping, 1); b.Weigh(at).ByteHops > b.Weigh(best.Mapping).ByteHops {
		t.Error("annealing made the best worse")
	}
	if !gray {
		t.Error("no mapping by Gray code")
	}
}

// TestAllOfEight: 8 tasks on 8 nodes that are not alike have 8! mappings, one task on each node.
func TestAllOfEight(t *testing.T) {
	p := &sim.Program{}
	p.AddPtask()
	for range 8 {
		p.AddTask(1)
	}
	if err := p.Link(); err != nil {
		t.Fatal(err)
	}
	m := sim.Ideal(8)
	m.Network = "direct-contention"
	m.Direct = sim.Interconnect{Topology: "hypercube 3"}
	b, _ := problem(t, p, m)
	for _, spread := range []bool{true, false} { // of 8^8 mappings in all, those are tried
		if list, evenly, err := b.All(spread); err != nil || len(list) != 40320 || !evenly {
			t.Errorf("%d permutations of 8 tasks, evenly %v: %v", len(list), evenly, err)
		}
	}
}
