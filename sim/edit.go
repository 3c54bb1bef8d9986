package sim

import (
	"reflect"
	"slices"
)

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

// Place moves a task to a node, both 0-based over the whole program and machine; other tasks stay. A node out of range,
// or a mapping that does not fit, changes nothing.
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

// SetNodes gives a machine n nodes: it drops the last ones, or adds copies of the last one.
func (m *Machine) SetNodes(n int) {
	n = min(n, maxNodes)
	if n < len(m.Nodes) {
		m.Nodes = m.Nodes[:max(n, 0)]
		return
	}
	last := Node{CPUs: 1, Speed: 1}
	if len(m.Nodes) > 0 {
		last = m.Nodes[len(m.Nodes)-1]
	}
	nodes := append(make([]Node, 0, n), m.Nodes...)
	for len(nodes) < n {
		nodes = append(nodes, last)
	}
	m.Nodes = nodes
}

// Clone returns a copy that shares nothing with the machine.
func (m *Machine) Clone() *Machine {
	c := *m
	c.Clusters = slices.Clone(m.Clusters)
	for i := range c.Clusters {
		c.Clusters[i].Flight = slices.Clone(c.Clusters[i].Flight)
	}
	c.Nodes, c.Modules = slices.Clone(m.Nodes), slices.Clone(m.Modules)
	c.Connections = slices.Clone(m.Connections)
	for i := range c.Connections {
		c.Connections[i].Tags = slices.Clone(c.Connections[i].Tags)
		c.Connections[i].Communicators = slices.Clone(c.Connections[i].Communicators)
	}
	c.Scheduler.Priorities, c.Scheduler.Levels = slices.Clone(m.Scheduler.Priorities), slices.Clone(m.Scheduler.Levels)
	c.Random = slices.Clone(m.Random)
	c.Direct, c.Routines = m.Direct.clone(), slices.Clone(m.Routines)
	for i := range c.Routines {
		c.Routines[i].Interconnect = m.Routines[i].clone()
	}
	c.Mapping = slices.Clone(m.Mapping)
	for i := range c.Mapping {
		c.Mapping[i].Nodes = slices.Clone(c.Mapping[i].Nodes)
	}
	return &c
}

// Equal reports whether two machines are identical.
func (m *Machine) Equal(o *Machine) bool {
	if m == o {
		return true
	}
	a, b := *m, *o
	a.Nodes, b.Nodes = nil, nil // there may be many, and they are compared faster as values
	return reflect.DeepEqual(&a, &b) && slices.Equal(m.Nodes, o.Nodes)
}

// Room gives a machine as many nodes as its mapping needs for a program: if the tasks, at that many per node, do not
// fit on the present nodes, it adds copies of the last one. It is for machines that represent a class rather than one
// installation.
func (m *Machine) Room(p *Program) {
	for _, a := range m.Mapping {
		if a.Kind != TasksPerNode || a.Tasks < 1 {
			continue
		}
		for _, pt := range p.Ptasks {
			if need := (int(pt.Tasks) + a.Tasks - 1) / a.Tasks; need > len(m.Nodes) {
				m.SetNodes(need)
			}
		}
	}
}

// Spread puts more tasks on each node, if tasks per node are too few for a program. It reports whether it did.
func (m *Machine) Spread(p *Program) bool {
	if _, err := m.Placement(p); err == nil || len(m.Nodes) == 0 || len(m.Mapping) == 0 ||
		m.Mapping[0].Kind != TasksPerNode {
		return false
	}
	most := 0
	for _, pt := range p.Ptasks {
		most = max(most, int(pt.Tasks))
	}
	m.Mapping = []Mapping{{Kind: TasksPerNode, Tasks: (most + len(m.Nodes) - 1) / len(m.Nodes)}}
	return true
}

// SetModule changes the speed of a block of the program, in place of an earlier setting; a ratio of 1, on one thread,
// restores it.
func (m *Machine) SetModule(mod Module) {
	m.Modules = slices.DeleteFunc(m.Modules, func(a Module) bool { return a.Type == mod.Type && a.Value == mod.Value })
	if mod.Threads < 2 {
		mod.Split = Split{}
	}
	if mod.Ratio != 1 || mod.Threads > 1 {
		m.Modules = append(m.Modules, mod)
	}
	if len(m.Modules) == 0 {
		m.Modules = nil
	}
}

// Block returns the setting of a block; one that was never set is as fast as measured.
func (m *Machine) Block(typ uint32, value int64) Module {
	for _, a := range m.Modules {
		if a.Type == typ && a.Value == value {
			return a
		}
	}
	return Module{Type: typ, Value: value, Ratio: 1}
}

// SetBlockSpeed changes the speed of a block, and leaves its split unchanged.
func (m *Machine) SetBlockSpeed(typ uint32, value int64, ratio float64) {
	b := m.Block(typ, value)
	b.Ratio = ratio
	m.SetModule(b)
}
