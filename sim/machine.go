package sim

// The simulated machine.

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Machine is the hardware and the mapping of tasks. Times are in nanoseconds, bandwidths
// in MB/s with 1 MB = 2^20 bytes (0: infinite), limits are numbers of simultaneous
// messages (0: no limit).
type Machine struct {
	Name     string
	Clusters []Cluster
	Nodes    []Node // of all clusters, in order
	WAN      WAN
	// Network is a name of Networks; "": the default of the model.
	Network string
	// Direct has the links of a direct network, and Routines the networks of collective operations with their own.
	Direct   Interconnect
	Routines []Routine
	// Expansion turns collective operations into messages.
	Expansion Expansion
	// Connections are dedicated lines between clusters.
	Connections []Connection

	// Mapping has an entry for each ptask; the last one also applies to all later ptasks.
	Mapping []Mapping

	Scheduler Scheduler
	Modules   []Module

	// Random are the parameters that have a distribution; Seed seeds their random numbers: the same seed gives the same
	// values.
	Random []Variation
	Seed   uint64

	// EagerLimit: messages of at least this many bytes wait for their receiver (rendezvous). Negative: by the record of
	// each send.
	EagerLimit int64
	// StandardSend is the mode of sends that do not specify one; ModeStandard: by EagerLimit and the rules.
	StandardSend SendMode
	// Fault is the error in making the machine for a program; Check reports it.
	Fault error
	// EagerSends: no message waits for its receiver, regardless of EagerLimit and the records.
	EagerSends bool
}

// Cluster is a set of nodes with its own network; Dimemas calls it a machine.
type Cluster struct {
	Name        string
	Bandwidth   float64
	Buses       int // simultaneous messages on the network
	Model       CollectiveModel
	Collectives CollectiveCosts
	// Flight is the flight time of a message to each cluster, ns; nil: 0.
	Flight []float64
}

// Links are the links into and out of a node or task.
type Links struct {
	In, Out int
}

// Unlimited reports whether there is no limit.
func (l Links) Unlimited() bool { return l.In == 0 && l.Out == 0 }

// HalfDuplex reports whether each link serves both directions, one at a time: the nonzero
// direction gives their number.
func (l Links) HalfDuplex() bool { return (l.In == 0) != (l.Out == 0) }

// Node is a shared-memory computer.
type Node struct {
	Cluster      int
	Architecture string
	CPUs         int
	// Speed divides the time of computation: 2 is twice as fast, 0 is infinitely fast.
	Speed float64
	// Messages within the node; each task has its own Links.
	Local struct {
		Latency   float64
		Bandwidth float64
		Buses     int
		Links     Links
	}
	Latency    float64 // of messages to other nodes of the cluster
	Links      Links
	WANLatency float64 // of messages to other clusters
}

// WAN is the network between clusters.
type WAN struct {
	Name        string
	Bandwidth   float64
	Model       CollectiveModel
	Collectives CollectiveCosts
	Traffic     int     // how other traffic slows it down, in Dimemas' numbering; no effect (see docs)
	MaxTraffic  float64 // its maximum
	Links       Links   // of each cluster
}

// Connection is a dedicated line between two clusters, in both directions, for selected messages.
type Connection struct {
	ID        int
	From, To  int // clusters
	Bandwidth float64
	Tags      []int64
	// A message takes the line if its tag is among Tags and its size meets First And/Or Second.
	First, Second SizeCondition
	And           bool
	Communicators []int64
	Latency       float64
	Flight        float64
}

// SizeCondition compares a message's size with a number.
type SizeCondition struct {
	Relation byte // '<', '=' or '>'
	Size     int64
}

func (c SizeCondition) holds(size int64) bool {
	switch c.Relation {
	case '<':
		return size < c.Size
	case '=':
		return size == c.Size
	}
	return size > c.Size
}

func (c *Connection) Takes(from, to int32, m *Message) bool {
	if !(int(from) == c.From && int(to) == c.To || int(from) == c.To && int(to) == c.From) ||
		!slices.Contains(c.Tags, m.Tag) {
		return false
	}
	if c.And {
		return c.First.holds(m.Size) && c.Second.holds(m.Size)
	}
	return c.First.holds(m.Size) || c.Second.holds(m.Size)
}

// Module changes the speed of computation inside a block: from an event of the type with
// the value to one with value 0.
type Module struct {
	Type  uint32
	Value int64
	// Ratio divides the time: 2 is twice as fast; 0 is infinitely fast; if negative, it is minus the length in
	// nanoseconds.
	Ratio float64
	Split
}

// MappingKind is a strategy for placing tasks on nodes.
type MappingKind uint8

// The strategies, in the order of Mappings.
const (
	TasksPerNode MappingKind = iota
	FillNodes
	Interleaved
	Explicit
)

// Mappings are the strategies for placing tasks on nodes, as a configuration spells them.
var Mappings = []struct{ Name, Doc string }{
	{"TASKS_PER_NODE", "a number of tasks on each node, in order"},
	{"FILL_NODES", "as many tasks on a node as it has CPUs, in order; the rest on the last node"},
	{"INTERLEAVED", "tasks to nodes in turn"},
	{"EXPLICIT", "a node for each task"},
}

// Mapping places the tasks of an application.
type Mapping struct {
	Kind  MappingKind
	Tasks int   // per node, of TasksPerNode
	Nodes []int // by task, of Explicit; 0-based over all clusters
}

// ParseMappings reads the nodes of the tasks of one or more applications, numbered from 1, in the notation of the
// thesis: [1,1,2,2][1..4] or [1,1,2,2] [1..4].
func ParseMappings(text string) (list []Mapping, err error) {
	rest := strings.TrimSpace(text)
	for rest != "" {
		inside, after, ok := strings.Cut(strings.TrimPrefix(rest, "["), "]")
		if !ok || rest[0] != '[' {
			return nil, fmt.Errorf("the nodes of tasks are written [1,1,2,2] or [1..4], not %q", text)
		}
		m := Mapping{Kind: Explicit}
		for w := range strings.SplitSeq(inside, ",") {
			from, to, isRange := strings.Cut(w, "..")
			if !isRange {
				to = from
			}
			a, err1 := strconv.Atoi(strings.TrimSpace(from))
			b, err2 := strconv.Atoi(strings.TrimSpace(to))
			if err1 != nil || err2 != nil || a < 1 || b < a || b > maxNodes || len(m.Nodes)+b-a >= maxNodes {
				return nil, fmt.Errorf("%q is no node, or range of nodes, from 1", w)
			}
			for n := a; n <= b; n++ {
				m.Nodes = append(m.Nodes, n-1)
			}
		}
		list, rest = append(list, m), strings.TrimSpace(after)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no nodes are named")
	}
	return list, nil
}

// place returns the node of each of n tasks.
func (m *Mapping) place(n int, nodes []Node) ([]int32, error) {
	at := make([]int32, n)
	switch m.Kind {
	case TasksPerNode:
		per := m.Tasks
		if per < 1 {
			return nil, fmt.Errorf("%d tasks per node", per)
		}
		if n > per*len(nodes) {
			return nil, fmt.Errorf("%d tasks do not fit on %d nodes with %d tasks per node", n, len(nodes), per)
		}
		for i := range at {
			at[i] = int32(i / per)
		}
	case FillNodes:
		node, used := 0, 0
		for i := range at {
			for node < len(nodes)-1 && used >= nodes[node].CPUs {
				node, used = node+1, 0
			}
			at[i] = int32(node)
			used++
		}
	case Interleaved:
		for i := range at {
			at[i] = int32(i % len(nodes))
		}
	case Explicit:
		if len(m.Nodes) < n {
			return nil, fmt.Errorf("the mapping places %d tasks, the program has %d", len(m.Nodes), n)
		}
		for i := range at {
			if m.Nodes[i] < 0 || m.Nodes[i] >= len(nodes) {
				return nil, fmt.Errorf("task %d is placed on node %d, but nodes are numbered from 1 to %d", i+1,
					m.Nodes[i]+1, len(nodes))
			}
			at[i] = int32(m.Nodes[i])
		}
	}
	return at, nil
}

// Ideal returns a machine with an ideal network: no latency, infinite bandwidth, no limits,
// one CPU and one task per node.
func Ideal(tasks int) *Machine {
	m := &Machine{Name: "ideal", EagerLimit: -1, Scheduler: DefaultScheduler(),
		Mapping: []Mapping{{Kind: TasksPerNode, Tasks: 1}}}
	m.WAN = WAN{Model: ModelConstant, Collectives: DefaultCosts(), Links: Links{1, 1}}
	m.Clusters = []Cluster{{Model: ModelConstant, Collectives: DefaultCosts()}}
	m.Nodes = make([]Node, tasks)
	for i := range m.Nodes {
		m.Nodes[i] = Node{CPUs: 1, Speed: 1}
	}
	return m
}

// IdealFor returns an ideal machine with a CPU for each thread of a program. Applications share the nodes: the
// first task of each is on the first node.
func IdealFor(p *Program) *Machine {
	var threads []int32 // by node
	for _, pt := range p.Ptasks {
		for i := range pt.Tasks {
			if int(i) == len(threads) {
				threads = append(threads, 0)
			}
			threads[i] += p.Tasks[pt.FirstTask+i].Threads
		}
	}
	m := Ideal(len(threads))
	most := 1
	for _, n := range threads {
		most = max(most, int(n))
	}
	for i := range m.Nodes {
		m.Nodes[i].CPUs = most
	}
	return m
}

// maxCPUs bounds every count of a machine, so that a wrong number in a configuration does
// not exhaust memory.
const (
	maxCPUs  = 1 << 24
	maxLinks = 1 << 12
)

// Check reports impossible values of a machine.
func (m *Machine) Check() error {
	if m.Fault != nil {
		return m.Fault
	}
	if len(m.Clusters) == 0 || len(m.Nodes) == 0 {
		return fmt.Errorf("the machine has no nodes")
	}
	if len(m.Mapping) == 0 {
		return fmt.Errorf("the machine says nothing of where tasks run (mapping)")
	}
	total := 0
	for i := range m.Nodes {
		n := &m.Nodes[i]
		if err := n.check(len(m.Clusters)); err != nil {
			return fmt.Errorf("node %d: %w", i, err)
		}
		total += n.CPUs + n.Links.In + n.Links.Out
		if total > maxCPUs {
			return fmt.Errorf("node %d: more than %d CPUs and links in all", i, maxCPUs)
		}
	}
	for i := range m.Clusters {
		if err := m.Clusters[i].check(len(m.Clusters)); err != nil {
			return fmt.Errorf("machine %d: %w", i, err)
		}
	}
	if err := m.checkNetworks(); err != nil {
		return err
	}
	for i := range m.Modules {
		if err := m.Modules[i].check(); err != nil {
			return fmt.Errorf("block %d:%d: %w", m.Modules[i].Type, m.Modules[i].Value, err)
		}
	}
	if err := m.checkRandom(); err != nil {
		return err
	}
	return m.Scheduler.Check()
}

// check reports impossible values of a cluster of a machine with n clusters.
func (c *Cluster) check(n int) error {
	if c.Model > ModelLogarithmic {
		return fmt.Errorf("there is no collective model %d", c.Model)
	}
	if err := c.Collectives.check(); err != nil {
		return err
	}
	if c.Buses < 0 || !number(c.Bandwidth) {
		return fmt.Errorf("buses and bandwidth must not be negative")
	}
	if c.Flight != nil && len(c.Flight) != n {
		return fmt.Errorf("%d flight times for %d machines", len(c.Flight), n)
	}
	return nil
}

// checkNetworks reports impossible values of the networks between nodes and clusters.
func (m *Machine) checkNetworks() error {
	if err := checkNetwork(m.Network); err != nil {
		return err
	}
	if err := m.WAN.Collectives.check(); err != nil || m.WAN.Model > ModelLogarithmic {
		return fmt.Errorf("the WAN: there is no such collective model (%v)", err)
	}
	if err := m.checkDirect(); err != nil {
		return err
	}
	if !number(m.WAN.Bandwidth) {
		return fmt.Errorf("the bandwidth of the WAN must not be negative")
	}
	for _, c := range m.Connections {
		if !number(c.Bandwidth) || !number(c.Latency) || !number(c.Flight) {
			return fmt.Errorf("dedicated connection %d: negative bandwidth or time", c.ID)
		}
	}
	return nil
}

// checkDirect reports impossible values of a direct network.
func (m *Machine) checkDirect() error {
	if err := m.Direct.check(); err != nil {
		return err
	}
	if m.StandardSend > ModeReady {
		return fmt.Errorf("there is no send mode %d", m.StandardSend)
	}
	for i := range m.Routines {
		r := &m.Routines[i]
		if int(r.Op) >= len(Collectives) {
			return fmt.Errorf("there is no collective operation %d", r.Op)
		}
		if err := r.check(); err != nil {
			return fmt.Errorf("network of %s: %w", Collectives[r.Op], err)
		}
	}
	return m.Expansion.check()
}

func (n *Node) check(clusters int) error {
	switch {
	case n.Cluster < 0 || n.Cluster >= clusters:
		return fmt.Errorf("there is no machine %d", n.Cluster)
	case n.CPUs < 1:
		return fmt.Errorf("%d CPUs", n.CPUs)
	case !number(n.Speed):
		return fmt.Errorf("a CPU ratio of %g", n.Speed)
	case !number(n.Latency) || !number(n.Local.Latency) || !number(n.WANLatency):
		return fmt.Errorf("a negative latency")
	case !number(n.Local.Bandwidth):
		return fmt.Errorf("a negative bandwidth")
	case max(n.Links.In, n.Links.Out, n.Local.Links.In, n.Local.Links.Out) > maxLinks:
		return fmt.Errorf("more than %d links", maxLinks)
	case n.Links.In < 0 || n.Links.Out < 0 || n.Local.Links.In < 0 || n.Local.Links.Out < 0 || n.Local.Buses < 0:
		return fmt.Errorf("a negative number of links or buses")
	}
	return nil
}

// number reports whether a parameter is finite and >= 0.
func number(v float64) bool { return v >= 0 && !math.IsInf(v, 0) }

// NsPerByte returns the time per byte at a bandwidth in MB/s, ns.
func NsPerByte(bandwidth float64) float64 {
	if bandwidth == 0 {
		return 0
	}
	return 1e9 / (1 << 20) / bandwidth
}

// IsGrid reports whether there are several clusters.
func (m *Machine) IsGrid() bool { return len(m.Clusters) > 1 }

// maxNodes bounds the nodes that a parameter creates.
const maxNodes = 1 << 16
