package engine_test

import (
	"context"
	"testing"

	"pview/sim"
	"pview/sim/engine"
)

// together returns a program in which n tasks do one operation of 960 bytes, root 0.
func together(t *testing.T, op sim.CollectiveOp, n int) *sim.Program {
	t.Helper()
	p := &sim.Program{}
	p.AddPtask()
	var all []int32
	for range n {
		all = append(all, p.AddTask(1))
	}
	world := p.AddCommunicator(0, 1, all)
	for i := range p.Threads {
		p.Threads[i].AddCollective(sim.Collective, sim.CollectiveCall{Communicator: world, Op: op, Root: i == 0,
			Sent: 960, Received: 960})
	}
	if err := p.Link(); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestAlgorithms: every algorithm of every operation ends with every send mode, for powers of two and other numbers of
// tasks, and receives what it sends.
func TestAlgorithms(t *testing.T) {
	for a := range sim.Algorithms {
		for op := range sim.Collectives {
			if _, ok := sim.AlgorithmByName(sim.Algorithms[a].Name, sim.CollectiveOp(op)); !ok {
				continue
			}
			for n := 1; n <= 17; n++ {
				p := together(t, sim.CollectiveOp(op), n)
				for mode := range sim.SendModes {
					m := linked("complete", "direct", sim.SwitchPacket, n)
					m.Expansion.Send = sim.SendMode(mode)
					m.Expansion.Algorithms[op].Small = uint8(a)
					r, err := engine.Run(context.Background(), p, m, sim.Options{})
					if err != nil || r.Unreceived > 0 || n > 1 && r.Messages == 0 {
						t.Errorf("%s by %s among %d, %s: %v, %+v", sim.Collectives[op], sim.Algorithms[a].Name, n,
							sim.SendModes[mode].Name, err, r)
					}
				}
			}
		}
	}
}

// TestAlgorithmTimes: 8 tasks, 960 bytes, 10 ns and 1 ns a byte on a complete network: a message of 960 takes 970 ns.
func TestAlgorithmTimes(t *testing.T) {
	for _, c := range []struct {
		choice string
		op     sim.CollectiveOp
		total  int64
	}{
		{"direct", 1, 970},                                       // all at once
		{"binomial", 1, 3 * 970},                                 // three generations
		{"recursive-doubling", 11, 3 * 970},                      // three exchanges of all
		{"ring", 11, 14 * (10 + 120)},                            // 7 + 7 steps of an eighth
		{"rabenseifner", 11, 2 * (490 + 250 + 130)},              // halves, quarters, eighths, and back
		{"ring", 6, 7 * 970},                                     // Allgather: each part comes around
		{"recursive-doubling", 6, 970 + 1930 + 3850},             // 1, 2, 4 parts
		{"dissemination", 0, 3 * 10},                             // Barrier: empty messages
		{"pairwise", 8, 7 * 970},                                 // one partner after the other
		{"binomial/1000/rabenseifner", 11, 6 * 970},              // below the size: up and down the tree
		{"binomial/960/rabenseifner", 11, 2 * (490 + 250 + 130)}, // from the size on
	} {
		m := linked("complete", "direct", sim.SwitchPacket, 8)
		var err error
		if m.Expansion.Algorithms[c.op], err = sim.ParseChoosing(c.choice, c.op); err != nil {
			t.Fatal(err)
		}
		r, err := engine.Run(context.Background(), together(t, c.op, 8), m, sim.Options{})
		if err != nil || r.Total != c.total {
			t.Errorf("%s by %s: %v, %v, not %d ns", sim.Collectives[c.op], c.choice, r.Total, err, c.total)
		}
	}
}
