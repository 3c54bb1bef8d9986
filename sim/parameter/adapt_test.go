package parameter

import (
	"slices"
	"testing"

	"pview/sim"
)

// TestAdapt: 8 tasks of one thread on a node each; what follows from what.
func TestAdapt(t *testing.T) {
	p := &sim.Program{}
	p.AddPtask()
	for range 8 {
		p.AddTask(1)
	}
	for _, c := range []struct {
		from          func(*sim.Machine)
		name, value   string
		nodes, cpus   int
		tasksPerNode  int
		notes         []string
		sharing, fits bool
	}{
		// 4 tasks on a node need 4 CPUs; nodes beyond the second stay empty.
		{nil, "process-per-node", "4", 8, 4, 4, []string{"CPUs per node: 4"}, false, true},
		// On 3 nodes there are 3 tasks each (3, 3, 2).
		{nil, "nodes", "3", 3, 3, 3, []string{"tasks per node: 3", "CPUs per node: 3"}, false, true},
		// Who asks for fewer CPUs gets them.
		{func(m *sim.Machine) { m.SetNodes(2); m.Mapping[0].Tasks = 4; m.Nodes[0].CPUs, m.Nodes[1].CPUs = 4, 4 },
			"cpus",
			"2", 2, 2, 4, nil, true, true},
		// Back to one task per node: 8 nodes.
		{func(m *sim.Machine) { m.SetNodes(2); m.Mapping[0].Tasks = 4; m.Nodes[0].CPUs, m.Nodes[1].CPUs = 4, 4 },
			"process-per-node", "1", 8, 4, 1, []string{"nodes: 8"}, false, true},
		{nil, "mapping", "EXPLICIT", 8, 1, 1, nil, false, true},
		// sim.Links between processors are as fast as the network before.
		{func(m *sim.Machine) { m.Nodes[0].Latency = 5000; m.Clusters[0].Bandwidth = 100 }, "network", "direct", 8, 1,
			1,
			[]string{"link-startup 5 us", "link-bandwidth 100 MB/s"}, false, true},
		{nil, "network", "direct", 8, 1, 1, nil, false, true},
		{nil, "nodes", "0", 0, 0, 1, nil, false, false},
		{func(m *sim.Machine) { m.Nodes = nil }, "latency", "5us", 0, 0, 1, nil, false, false},
		// Links that are there already, or have their own startup or bandwidth, keep their speed.
		{func(m *sim.Machine) { m.Network, m.Nodes[0].Latency = "direct", 5000 }, "network", "direct-contention", 8, 1,
			1, nil, false, true},
		{func(m *sim.Machine) { m.Direct.Startup, m.Nodes[0].Latency = 1, 5000 }, "network", "direct", 8, 1, 1, nil,
			false, true},
		{func(m *sim.Machine) { m.Direct.PerByte, m.Nodes[0].Latency = 1, 5000 }, "network", "direct", 8, 1, 1, nil,
			false, true},
		{func(m *sim.Machine) { m.Nodes[0].Latency = 5000 }, "network", "by-model", 8, 1, 1, nil, false, true},
		{func(m *sim.Machine) { m.Nodes[0].Latency = 1 }, "network", "direct", 8, 1, 1, []string{"link-startup 1 ns"},
			false, true},
	} {
		before := sim.Ideal(8)
		if c.from != nil {
			c.from(before)
		}
		m := before.Clone()
		par := ByName(c.name)
		v, err := par.Parse(c.value)
		if err != nil {
			t.Fatal(err)
		}
		par.Set(m, v)
		notes := Adapt(m, before, p, c.name)
		cpus := 0
		if len(m.Nodes) > 0 {
			cpus = m.Nodes[0].CPUs
		}
		if len(m.Nodes) != c.nodes || cpus != c.cpus || m.Mapping[0].Tasks != c.tasksPerNode ||
			!slices.Equal(notes, c.notes) {
			t.Errorf("%s %s: %d nodes, %d CPUs, %d tasks per node; %q", c.name, c.value, len(m.Nodes), cpus,
				m.Mapping[0].Tasks, notes)
		}
		if _, err := m.Placement(p); (err == nil) != c.fits || (crowded(m, p) > 0) != c.sharing {
			t.Errorf("%s %s: %v, %d threads on a node without CPUs for all", c.name, c.value, err, crowded(m, p))
		}
	}
}

// An explicit placement that is too short takes the tasks where they were, if there is one application.
func TestAdaptPlacement(t *testing.T) {
	for _, c := range []struct {
		ptasks       int
		before, want []int // the nodes of an explicit placement
	}{
		{1, []int{3, 2, 1, 0}, []int{3, 2, 1, 0}}, {1, []int{3, 2, 1}, []int{0, 1, 2, 3}},
		{1, nil, []int{0, 1, 2, 3}}, {2, nil, nil},
	} {
		p := &sim.Program{}
		for range c.ptasks {
			p.AddPtask()
			for range 4 / c.ptasks {
				p.AddTask(1)
			}
		}
		before := sim.Ideal(4)
		m := before.Clone()
		m.Mapping[0].Kind, m.Mapping[0].Nodes = sim.Explicit, c.before
		Adapt(m, before, p, "mapping")
		if got := m.Mapping[0].Nodes; !slices.Equal(got, c.want) {
			t.Errorf("%d applications, %v: %v, not %v", c.ptasks, c.before, got, c.want)
		}
	}
}
