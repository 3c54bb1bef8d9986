package parameter

import (
	"fmt"

	"pview/sim"
)

// crowded returns the largest number of threads on a node with fewer CPUs than threads, those of split blocks included;
// 0 where every thread has a CPU.
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

// adaptLinks gives links between processors, when a machine gets them, the latency and the bandwidth of the network
// before, unless they have their own.
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
// Where tasks per node and nodes disagree, the one that was not changed follows. Where every thread had a CPU before
// and the change was not one of CPUs, nodes get enough CPUs for their threads: oversubscription has to be asked for.
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
	if _, err := m.Placement(p); err != nil && m.Mapping[0].Kind == sim.TasksPerNode && len(m.Nodes) > 0 {
		if changed == "nodes" {
			most := 0
			for _, pt := range p.Ptasks {
				most = max(most, int(pt.Tasks))
			}
			m.Mapping = []sim.Mapping{{Kind: sim.TasksPerNode, Tasks: (most + len(m.Nodes) - 1) / len(m.Nodes)}}
			notes = append(notes, fmt.Sprintf("tasks per node: %d", m.Mapping[0].Tasks))
		} else if m.Room(p); len(m.Nodes) != len(before.Nodes) {
			notes = append(notes, fmt.Sprintf("nodes: %d", len(m.Nodes)))
		}
	}
	if changed == "cpus" || crowded(before, p) > 0 {
		return notes
	}
	if most := crowded(m, p); most > 0 {
		for i := range m.Nodes {
			m.Nodes[i].CPUs = max(m.Nodes[i].CPUs, most)
		}
		notes = append(notes, fmt.Sprintf("CPUs per node: %d", most))
	}
	return notes
}
