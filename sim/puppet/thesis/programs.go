// Package thesis has the programs on which PUPPET was validated, as far as the thesis describes their computation and
// messages, and the published figures that can be recomputed with them (E. Demaine, Efficient Simulation of
// Message-Passing in Distributed-Memory Architectures, Waterloo 1996, chapter 5 and appendix A).
package thesis

import (
	"strings"

	"pview/sim"
	"pview/sim/puppet"
)

// Costs of the programs, fitted to the published times, ns.
const (
	SortPair  = 550  // bubble sort of m items takes m^2 of them: 10,000 items on 2 processors 13.92 s
	MergeItem = 1000 // of a run
	Update    = 1300 // a multiply and an add of Cholesky: order 1000 on 2 processors 216 s
)

// itemBytes and numberBytes are the sizes of a sorted item, and of a matrix element.
const itemBytes, numberBytes = 4, 8

func newProgram(name string, ranks int) *sim.Program {
	p := &sim.Program{Name: name}
	p.AddPtask()
	for range ranks {
		p.AddTask(1)
	}
	return p
}

// MergeSort returns the program of section 8.8: ranks sort n/P items each, then half of the remaining ranks send their
// run to the other half, which merges, until rank 0 has everything. The number of ranks is a power of 2.
func MergeSort(ranks, items int) (*sim.Program, error) {
	p := newProgram("merge-sort", ranks)
	for r := range ranks {
		own := items/ranks + min(max(items%ranks-r, 0), 1)
		p.Threads[r].AddCompute(SortPair * float64(own) * float64(own))
	}
	run := make([]int, ranks)
	for r := range run {
		run[r] = items/ranks + min(max(items%ranks-r, 0), 1)
	}
	for step := 1; step < ranks; step *= 2 {
		for r := step; r < ranks; r += 2 * step {
			to := r - step
			p.Threads[r].AddMessage(sim.Send, sim.Message{Peer: int32(to), Size: itemBytes * int64(run[r])})
			p.Threads[to].AddMessage(sim.Recv, sim.Message{Peer: int32(r)})
			run[to] += run[r]
			p.Threads[to].AddCompute(MergeItem * float64(run[to]))
		}
	}
	return p, p.Link()
}

// FanIn returns the Cholesky factorisation of section 8.8: for each column every rank that owns earlier columns sends
// one combined update to the owner, which applies the updates, and normalises. Columns are distributed round-robin.
func FanIn(ranks, order int) (*sim.Program, error) {
	p := newProgram("Cholesky fan-in", ranks)
	for j := range order {
		length := float64(order - j)
		owner := j % ranks
		for r := range ranks {
			earlier := (j - r + ranks - 1) / ranks // of its columns; those are r, r+P, ...
			if r >= j {
				continue
			}
			p.Threads[r].AddCompute(Update * length * float64(earlier))
			if r == owner {
				continue
			}
			p.Threads[r].AddMessage(sim.Send, sim.Message{Peer: int32(owner), Size: int64(numberBytes * length),
				Tag: int64(j)})
			p.Threads[owner].AddMessage(sim.Recv, sim.Message{Peer: int32(r), Tag: int64(j)})
			p.Threads[owner].AddCompute(Update * length)
		}
		p.Threads[owner].AddCompute(Update * length)
	}
	return p, p.Link()
}

// Ethernet returns the machine of eight workstations, as a model: links of a shape with the measured speed.
func Ethernet(shape string, processors int) (*sim.Machine, error) {
	m, err := puppet.ReadModel("ethernet.model",
		strings.NewReader("network "+shape+
			"\nmap 0\nswitching packet\nlink-speed 1449.848e-6 1.008644e-6\npacket-size none\n"))
	if err != nil {
		return nil, err
	}
	machine, err := m.Machine(processors)
	if err != nil {
		return nil, err
	}
	machine.SetNodes(processors)
	return machine, nil
}
