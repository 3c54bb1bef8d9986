// Package ring is the synthetic workload of scheduling studies (S. Girona, Performance Prediction and Evaluation Tools,
// UPC 2003, 8.1.1.1): rings of tasks that pass a token, several of them on the same CPUs; and the experiments of the
// thesis with it.
package ring

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pview/prv/quantity"
	"pview/sim"
)

// Ring is N tasks: task i sends to task i+1, the last one to the first. Each receives a message, computes for A, sends,
// computes for B, and repeats; the first begins with A. The part that delays the token is critical: A, not B.
type Ring struct {
	A      float64 // ns
	Demand float64 // share of a CPU that a task uses if the ring has a CPU for each task: 1/N to 1
	Nodes  []int   // of the tasks, 0-based
}

// B returns the computation after the send, ns: a (d N - 1). The token returns after N A; of this time, a task computes
// for A + B.
func (r *Ring) B() float64 { return r.A * (r.Demand*float64(len(r.Nodes)) - 1) }

// alone returns the time of a turn of the token, ns, with a CPU for each task: the minimum.
func (r *Ring) alone() float64 { return r.A * float64(len(r.Nodes)) }

func (r *Ring) check() error {
	n := len(r.Nodes)
	switch {
	case n < 2:
		return fmt.Errorf("a ring of %d tasks", n)
	case !(r.A >= 1) || r.A > 1e15:
		return fmt.Errorf("a ring that computes for %g ns", r.A)
	case !(r.Demand*float64(n) >= 1) || r.Demand > 1:
		return fmt.Errorf("a demand of %s: a ring of %d tasks has from %s to 100 %%",
			quantity.FormatValue(100*r.Demand, "%"), n, quantity.FormatValue(100/float64(n), "%"))
	}
	return nil
}

// Parse reads a ring in the notation of the thesis: (a,d%)[nodes], such as (4200us,60%)[1,1,2,2] or (4200,60%)[1..8]. A
// time without a unit is in microseconds; nodes are numbered from 1.
func Parse(text string) (r Ring, err error) {
	fail := func() (Ring, error) {
		return r, fmt.Errorf("a ring is written (TIME,DEMAND%%)[NODES], such as (4200us,60%%)[1..8], not %q", text)
	}
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "(")
	inside, nodes, _ := strings.Cut(rest, ")") // a ring without nodes or demand fails below
	a, d, _ := strings.Cut(inside, ",")
	if !ok {
		return fail()
	}
	if r.A, err = quantity.ParseTime(strings.TrimSpace(a), 1e3); err != nil {
		return fail()
	}
	percent, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(d), "%"), 64)
	if err != nil {
		return fail()
	}
	mappings, err := sim.ParseMappings(nodes)
	if err != nil || len(mappings) != 1 {
		return fail()
	}
	r.Demand, r.Nodes = percent/100, mappings[0].Nodes
	return r, r.check()
}

// TurnType is the type of the user event (value 1) by which the first task of a ring marks the return of the token.
const TurnType = 8100

// Program returns the rings as applications of one program, one turn of the token long: each thread is the body of a
// loop (sim.RepeatThreads). The critical part lies between events sim.PriorityType: from before the receive to after
// the send.
func Program(rings ...Ring) (*sim.Program, error) {
	p := &sim.Program{Name: "ring"}
	for k := range rings {
		r := &rings[k]
		if err := r.check(); err != nil {
			return nil, err
		}
		p.AddPtask()
		first, n := int32(len(p.Tasks)), int32(len(r.Nodes))
		for range n {
			p.AddTask(1)
		}
		for i := range n {
			r.task(&p.Threads[p.Tasks[first+i].FirstThread], first+(i+n-1)%n, first+(i+1)%n, i == 0)
		}
	}
	return p, p.Link()
}

// task fills the thread of a task. The first of the ring receives at the end of its body instead of the start.
func (r *Ring) task(t *sim.Thread, from, to int32, first bool) {
	receive := func() { t.AddMessage(sim.Recv, sim.Message{Peer: from}) }
	t.AddEvent(sim.PriorityType, 0)
	if !first {
		receive()
	}
	t.AddCompute(r.A)
	t.AddMessage(sim.Isend, sim.Message{Peer: to})
	t.AddEvent(sim.PriorityType, 1)
	t.AddCompute(r.B())
	if first {
		t.AddEvent(sim.PriorityType, 0)
		receive()
		t.AddEvent(TurnType, 1)
	}
}

// Machine returns a machine of one-CPU nodes for all nodes that the rings name, with an infinitely fast network.
func Machine(s sim.Scheduler, rings ...Ring) *sim.Machine {
	nodes := 1
	var at []sim.Mapping
	for k := range rings {
		nodes = max(nodes, slices.Max(rings[k].Nodes)+1)
		at = append(at, sim.Mapping{Kind: sim.Explicit, Nodes: rings[k].Nodes})
	}
	m := sim.Ideal(nodes)
	m.Mapping, m.Scheduler = at, s
	return m
}
