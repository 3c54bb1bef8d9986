package parameter

import (
	"fmt"

	"pview/sim"
)

// crowded returns the largest number of threads on a node with fewer CPUs than threads, including those of split
// blocks; 0 if every thread has a CPU.
func crowded(m *sim.Machine, p *sim.Program) int {
	load, err := m.Load(p)
	most, each := 0, m.MostSplit()
	for i, n := range load {
		if n *= each; err == nil && n > m.Nodes[i].CPUs {
			most = max(most, n)
		}
	}
	return most
}

// adaptLinks copies the latency and the bandwidth of the previous network to links between processors when a machine
// gets these, unless they have their own.
func adaptLinks(m, before *sim.Machine) (notes []string) {
	if !m.IsDirect() || before.IsDirect() || m.Direct.Startup != 0 || m.Direct.PerByte != 0 {
		return nil
	}
	for _, pair := range [2][2]string{{"latency", "link-startup"}, {"bandwidth", "link-bandwidth"}} {
		from, to := ByName(pair[0]), ByName(pair[1])
		if v, _ := from.Get(before); v > 0 {
			to.Set(m, v)
			notes = append(notes, to.Name+" "+to.Show(v))
		}
	}
	return notes
}

// Adapt makes a machine fit a program again after a change of a parameter, and returns a note on each further change.
// If tasks per node and nodes disagree, the unchanged one is adapted. If every thread had a CPU before and the change
// was not to CPUs, nodes get enough CPUs for their threads: oversubscription must be requested explicitly.
func Adapt(m, before *sim.Machine, p *sim.Program, changed string) (notes []string) {
	if changed == "network" {
		notes = adaptLinks(m, before)
	}
	if len(m.Mapping) == 0 {
		return notes
	}
	if a := &m.Mapping[0]; a.Kind == sim.Explicit && len(a.Nodes) < len(p.Tasks) {
		if at, err := before.Placement(p); err == nil && len(p.Ptasks) == 1 {
			a.Nodes = make([]int, len(at))
			for i, n := range at {
				a.Nodes[i] = int(n)
			}
		}
	}
	if changed == "nodes" {
		if m.Spread(p) {
			notes = append(notes, fmt.Sprintf("tasks per node: %d", m.Mapping[0].Tasks))
		}
	} else if had := len(m.Nodes); had > 0 {
		if m.Room(p); len(m.Nodes) != had {
			notes = append(notes, fmt.Sprintf("nodes: %d", len(m.Nodes)))
		}
	}
	if changed == "cpus" || crowded(before, p) > 0 {
		return notes
	}
	if most := relieve(m, p); most > 0 {
		notes = append(notes, fmt.Sprintf("CPUs per node: %d", most))
	}
	return notes
}

// relieve gives the nodes enough CPUs for their threads, and returns how many, 0 if they had enough.
func relieve(m *sim.Machine, p *sim.Program) int {
	most := crowded(m, p)
	for i := range m.Nodes {
		m.Nodes[i].CPUs = max(m.Nodes[i].CPUs, most)
	}
	return most
}

// Given tells which size parameters of a machine were set.
type Given struct{ Nodes, PerNode, CPUs bool }

// Note notes that a parameter was set.
func (g *Given) Note(name string) {
	switch name {
	case "nodes":
		g.Nodes = true
	case "process-per-node":
		g.PerNode = true
	case "cpus":
		g.CPUs = true
	}
}

// FitClass makes a machine that represents a class, rather than one installation, fit a program: it gets the nodes that
// its mapping needs, or, if the number of nodes was set, the tasks per node, with a CPU for each thread.
func FitClass(m *sim.Machine, p *sim.Program, set Given) {
	switch {
	case !set.Nodes:
		m.Room(p)
	case !set.PerNode && m.Spread(p) && !set.CPUs:
		relieve(m, p)
	}
}
