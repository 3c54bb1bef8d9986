package parameter

// Named machines: the ideal one, and a few classes. The figures of a class are typical, for questions such as "and on
// Ethernet?"; measure them for a particular installation. Latency and bandwidth are as seen by an MPI application
// between two nodes: half the time of an empty ping-pong, and the rate of long messages.

import (
	"slices"

	"pview/sim"
)

// Preset is an entry of Presets.
type Preset struct {
	Name   string
	Doc    string
	Source string // of the figures
	// Values are the differences from the ideal machine: names of parameters, and values for Parse.
	Values [][2]string
	// OneNode puts all tasks on one node with a CPU for each thread.
	OneNode bool
}

// sharedMemory is the local communication of the classes of clusters.
var sharedMemory = [][2]string{{"local-latency", "500ns"}, {"local-bandwidth", "8GB/s"}}

// cluster returns a class of clusters: one full-duplex adapter per node, and tree-based collective operations.
func cluster(latency, bandwidth string) [][2]string {
	return append([][2]string{{"latency", latency}, {"bandwidth", bandwidth}, {"input-links", "1"},
		{"output-links", "1"}, {"collective-model", "LOG"},
		{"eager-limit", "16K"}}, sharedMemory...)
}

// Presets returns the named machines. It is a copy: the table cannot be changed.
func Presets() []Preset { return slices.Clone(presets) }

var presets = []Preset{
	{Name: "ideal", Doc: "a node for each task, a CPU for each thread, messages that take no time",
		Source: "by definition"},
	{Name: "shared-memory", Doc: "all tasks on one node",
		Source: "typical of MPI over shared memory on servers of the 2020s: half a microsecond, some 8 GB/s of " +
			"one core copying",
		Values:  append([][2]string{{"collective-model", "LOG"}, {"eager-limit", "16K"}}, sharedMemory...),
		OneNode: true},
	{Name: "ethernet-1g", Doc: "cluster on Gigabit Ethernet",
		Source: "typical of MPI over TCP; 1 Gbit/s is 119 MB/s on the line", Values: cluster("50us", "112MB/s")},
	{Name: "ethernet-10g", Doc: "cluster on 10 Gigabit Ethernet",
		Source: "typical of MPI over TCP; 10 Gbit/s is 1192 MB/s on the line", Values: cluster("15us", "1100MB/s")},
	{Name: "ethernet-100g", Doc: "cluster on 100 Gigabit Ethernet with remote memory access (RoCE)",
		Source: "typical of MPI over RoCE; 100 Gbit/s is 11.6 GB/s on the line", Values: cluster("2us", "10.8GB/s")},
	{Name: "infiniband-edr", Doc: "cluster on InfiniBand EDR",
		Source: "typical of the class: 100 Gbit/s, about a microsecond", Values: cluster("1.1us", "11.2GB/s")},
	{Name: "infiniband-hdr", Doc: "cluster on InfiniBand HDR",
		Source: "typical of the class: 200 Gbit/s, about a microsecond", Values: cluster("1us", "22.5GB/s")},
	{Name: "infiniband-ndr", Doc: "cluster on InfiniBand NDR",
		Source: "typical of the class: 400 Gbit/s, about a microsecond", Values: cluster("1us", "45GB/s")},
	{Name: "omni-path", Doc: "cluster on Omni-Path 100",
		Source: "typical of the class: 100 Gbit/s, about a microsecond", Values: cluster("1.1us", "11.3GB/s")},
	{Name: "slingshot", Doc: "cluster on Slingshot 11", Source: "typical of the class: 200 Gbit/s, about 2 us",
		Values: cluster("2us", "22GB/s")},
	{Name: "now", Doc: "the network of workstations of the thesis",
		Source: "Girona's thesis, section 8.3: 500 us, 1 MB/s, one bus",
		Values: [][2]string{{"latency", "500us"}, {"bandwidth", "1MB/s"}, {"buses", "1"}}},
	{Name: "hpc", Doc: "the parallel computer of the thesis",
		Source: "Girona's thesis, section 8.3: 50 us, 30 MB/s, no limit of buses",
		Values: [][2]string{{"latency", "50us"}, {"bandwidth", "30MB/s"}}},
}

// PresetByName finds a machine by its name; nil if none.
func PresetByName(name string) *Preset {
	for i := range presets {
		if p := presets[i]; p.Name == name {
			return &p
		}
	}
	return nil
}

// For returns the machine with enough nodes and CPUs for a program.
func (p *Preset) For(prog *sim.Program) *sim.Machine {
	m := sim.IdealFor(prog)
	m.Name = p.Name
	m.Clusters[0].Name = p.Name
	for _, v := range p.Values {
		par := ByName(v[0])
		value, err := par.Parse(v[1])
		if err != nil {
			// an error in the table; a test reads every entry
			panic("sim: preset " + p.Name + ": " + v[0] + ": " + err.Error())
		}
		par.Set(m, value)
	}
	if p.OneNode && len(m.Nodes) > 0 {
		m.Nodes = m.Nodes[:1]
		m.Nodes[0].CPUs = max(len(prog.Threads), 1)
		m.Mapping = []sim.Mapping{{Kind: sim.FillNodes, Tasks: 1}}
	}
	return m
}
