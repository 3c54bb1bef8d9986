package sim

// Parameters that must follow when another one changes, so users who change one need not remember the others.

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
