package sim

// Parameters that must follow when another one changes, so that a user who changes one need not think of three.

import "fmt"

// Placement returns the node of each task of a program.
func (m *Machine) Placement(p *Program) ([]int32, error) {
	if len(m.Mapping) == 0 || len(m.Nodes) == 0 {
		return nil, m.Check()
	}
	all := make([]int32, len(p.Tasks))
	for i, pt := range p.Ptasks {
		at, err := m.Mapping[min(i, len(m.Mapping)-1)].place(int(pt.Tasks), m.Nodes)
		if err != nil {
			return nil, err
		}
		copy(all[pt.FirstTask:], at)
	}
	return all, nil
}

// Place moves a task to a node, both 0-based over the whole program and machine; the other tasks stay where they are. A
// node out of range, or a mapping that does not fit, changes nothing.
func (m *Machine) Place(p *Program, task, node int) {
	at, err := m.Placement(p)
	if err != nil || node < 0 || node >= len(m.Nodes) {
		return
	}
	at[task] = int32(node)
	m.Mapping = nil
	for _, pt := range p.Ptasks {
		nodes := make([]int, pt.Tasks)
		for i := range nodes {
			nodes[i] = int(at[int(pt.FirstTask)+i])
		}
		m.Mapping = append(m.Mapping, Mapping{Kind: Explicit, Tasks: 1, Nodes: nodes})
	}
}

// Load returns the number of threads of a program on each node.
func (m *Machine) Load(p *Program) ([]int, error) {
	at, err := m.Placement(p)
	if err != nil {
		return nil, err
	}
	load := make([]int, len(m.Nodes))
	for i, n := range at {
		load[n] += int(p.Tasks[i].Threads)
	}
	return load, nil
}

// crowded returns the largest number of threads on a node with fewer CPUs than threads, those of split blocks included;
// 0 where every thread has a CPU.
func (m *Machine) crowded(p *Program) int {
	load, err := m.Load(p)
	most, each := 0, m.widest()
	for i, n := range load {
		if n *= each; err == nil && n > m.Nodes[i].CPUs {
			most = max(most, n)
		}
	}
	return most
}

// adaptLinks gives links between processors, when a machine gets them, the latency and the bandwidth of the network
// before, unless they have their own.
func (m *Machine) adaptLinks(before *Machine) (notes []string) {
	if !m.IsDirect() || before.IsDirect() || m.Direct.Startup != 0 || m.Direct.PerByte != 0 {
		return nil
	}
	for _, pair := range [2][2]string{{"latency", "link-startup"}, {"bandwidth", "link-bandwidth"}} {
		from, to := ParameterByName(pair[0]), ParameterByName(pair[1])
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
func (m *Machine) Adapt(before *Machine, p *Program, changed string) (notes []string) {
	if changed == "network" {
		notes = m.adaptLinks(before)
	}
	if len(m.Mapping) == 0 {
		return notes
	}
	if a := &m.Mapping[0]; a.Kind == Explicit && len(a.Nodes) < len(p.Tasks) {
		if at, err := before.Placement(p); err == nil && len(p.Ptasks) == 1 {
			a.Nodes = make([]int, len(at))
			for i, n := range at {
				a.Nodes[i] = int(n)
			}
		}
	}
	if _, err := m.Placement(p); err != nil && m.Mapping[0].Kind == TasksPerNode && len(m.Nodes) > 0 {
		if changed == "nodes" {
			most := 0
			for _, pt := range p.Ptasks {
				most = max(most, int(pt.Tasks))
			}
			m.Mapping = []Mapping{{Kind: TasksPerNode, Tasks: (most + len(m.Nodes) - 1) / len(m.Nodes)}}
			notes = append(notes, fmt.Sprintf("tasks per node: %d", m.Mapping[0].Tasks))
		} else if m.Room(p); len(m.Nodes) != len(before.Nodes) {
			notes = append(notes, fmt.Sprintf("nodes: %d", len(m.Nodes)))
		}
	}
	if changed == "cpus" || before.crowded(p) > 0 {
		return notes
	}
	if most := m.crowded(p); most > 0 {
		for i := range m.Nodes {
			m.Nodes[i].CPUs = max(m.Nodes[i].CPUs, most)
		}
		notes = append(notes, fmt.Sprintf("CPUs per node: %d", most))
	}
	return notes
}
