// Package network has the messages in flight, and the networks that give them routes, links and buses.
package network

import (
	"pview/sim"
	"pview/sim/engine/clock"
)

// Network moves messages, and alone decides their routes, resources and times. The engine shows it each message when it
// is sent, and requests the message's resources when it is ready to go (later, by rendezvous); the network calls
// Transfers.depart when it has granted them, and gets them back when the transfer is over. Collective operations
// request the whole network.
type Network interface {
	// Startup returns how long a message between two tasks keeps a CPU before it goes, ns.
	Startup(from, to int32, m *sim.Message) float64
	// Plan decides the route of a message: it sets the transfer's fields for the network, its duration and its flight.
	Plan(t *Transfer, m *sim.Message)
	// Request requests the resources of a transfer.
	Request(tr int32)
	// Release returns the resources of a completed transfer.
	Release(tr int32)
	// Occupy requests the resources of a collective operation. It returns true if they are
	// free; otherwise Operations.Begin is called when they are.
	Occupy(instance int32) bool
	// Vacate returns the resources of a collective operation.
	Vacate(instance int32)
	// Hop is called when a transfer has passed a link, and needs the next one.
	Hop(tr int32)
	// Loads returns the loads of links, if the network counts them.
	Loads() []sim.LinkLoad
}

// Operations are the collective operations, as seen by networks.
type Operations interface {
	// Clusters returns the clusters that an operation spans.
	Clusters(instance int32) []int32
	// WithinNode reports whether all tasks of an operation are on one node.
	WithinNode(instance int32) bool
	// Begin starts an operation that has waited for the network.
	Begin(instance int32)
}

// Host is the part of the engine that a network uses.
type Host struct {
	*Transfers
	Machine    *sim.Machine
	Rules      *sim.Rules
	Random     *sim.Random
	Node       []int32 // by task
	Operations Operations

	LocalPerByte, NetPerByte []float64 // by node, by cluster: ns
}

// newNetworks has the constructors of networks, by their names in the table Networks.
var newNetworks = map[string]func(Host) (Network, error){
	"buses": func(h Host) (Network, error) {
		return &linksAndBuses{wiring: newWiring(h), missing: map[int32]int{}, wide: map[int32]*occupation{}}, nil
	},
	"together":          func(h Host) (Network, error) { return &takenTogether{wiring: newWiring(h)}, nil },
	"direct":            newDirect,
	"direct-contention": newContention,
}

// New creates the network of the machine, or the model's default if it names none. direct: links join the processors,
// and messages may overtake each other.
func New(h Host) (n Network, direct bool, err error) {
	name := h.Machine.Network
	if name == "" {
		name = sim.Networks()[0].Name
		if h.Rules[sim.Acquisition] == sim.AcquireTogether {
			name = "together"
		}
	}
	entry, _ := sim.NetworkByName(name)
	if n, err = newNetworks[name](h); err != nil {
		return nil, false, err
	}
	if h.Rules[sim.CollectiveResources] == sim.CollectiveNetwork {
		n = &gate{Host: h, Network: n}
	}
	return n, entry.Direct, nil
}

// port is the set of links of a node, a task or a cluster.
type port struct {
	out, in         int // number of links; half duplex: out, for both directions
	half, unlimited bool
	freeOut, freeIn int
	holder          []int32 // transfer by link: outputs, then inputs; 0: free; nil until first used
	taken           []int64 // by link: when it was last taken, as a sequence number; robbing does not count
	takings         int64
	waitOut, waitIn clock.Deque // of transfers
}

func newPort(l sim.Links) port {
	p := port{out: l.Out, in: l.In, half: l.HalfDuplex(), unlimited: l.Unlimited()}
	if p.half {
		p.out, p.in = l.Out+l.In, 0
	}
	p.freeOut, p.freeIn = p.out, p.in
	return p
}

// pool is the set of buses of a network.
type pool struct {
	buses, free int
	queue       clock.Deque // transfers, and a collective as -1-instance, once for each awaited bus
	closed      bool        // a collective waits for it: network together
}

// Values of a transfer's link other than a link.
const (
	noLink         = -1 // not taken yet
	linkless       = -2 // none needed
	noPort, noPool = -1, -1
)

// Ports are in the order: nodes, tasks, clusters, connections (two each); pools: clusters, nodes.

// wiring has the links and buses of a machine, and the routes of messages over them.
type wiring struct {
	Host
	at    []site // by task
	ports []port
	pools []pool
}

// site is the place of a task, and the latency of its messages to other nodes of the cluster.
type site struct {
	node, cluster int32
	latency       float64
}

func newWiring(h Host) wiring {
	w := wiring{Host: h, at: make([]site, len(h.Node))}
	for i, n := range h.Node {
		w.at[i] = site{n, int32(h.Machine.Nodes[n].Cluster), h.Machine.Nodes[n].Latency}
	}
	for i := range h.Machine.Nodes {
		w.ports = append(w.ports, newPort(h.Machine.Nodes[i].Links))
	}
	for _, n := range h.Node {
		w.ports = append(w.ports, newPort(h.Machine.Nodes[n].Local.Links))
	}
	for range h.Machine.Clusters {
		w.ports = append(w.ports, newPort(h.Machine.WAN.Links))
	}
	for range 2 * len(h.Machine.Connections) {
		w.ports = append(w.ports, newPort(sim.Links{In: 1, Out: 1}))
	}
	for i := range h.Machine.Clusters {
		w.pools = append(w.pools, pool{buses: h.Machine.Clusters[i].Buses, free: h.Machine.Clusters[i].Buses})
	}
	for i := range h.Machine.Nodes {
		b := h.Machine.Nodes[i].Local.Buses
		w.pools = append(w.pools, pool{buses: b, free: b})
	}
	return w
}

func (w *wiring) Hop(int32)             {}
func (w *wiring) Loads() []sim.LinkLoad { return nil }

func (w *wiring) Plan(t *Transfer, m *sim.Message) {
	a, b := &w.at[t.From], &w.at[t.To]
	t.pool = noPool
	var perByte float64
	switch {
	case a.node == b.node:
		local := &w.Machine.Nodes[a.node].Local
		t.outPort, t.inPort, t.pool = w.taskPort(t.From), w.taskPort(t.To), w.nodePool(a.node)
		if w.Rules[sim.LocalContention] == sim.LocalFree {
			t.outPort, t.inPort, t.pool = noPort, noPort, noPool
		} else if t.From == t.To {
			t.outPort, t.inPort = noPort, noPort
		}
		perByte = w.Random.PerByteOf(sim.VaryLocalBandwidth, local.Bandwidth, w.LocalPerByte[a.node])
		t.inFirst = local.Links.HalfDuplex() && t.From > t.To
	case a.cluster == b.cluster:
		t.outPort, t.inPort, t.pool = a.node, b.node, a.cluster
		t.borrows = true
		perByte = w.Random.PerByteOf(sim.VaryBandwidth, w.Machine.Clusters[a.cluster].Bandwidth,
			w.NetPerByte[a.cluster])
	default:
		if c := w.connection(a.cluster, b.cluster, m); c >= 0 {
			t.outPort, t.inPort = w.connectionPorts(c)
			perByte = sim.NsPerByte(w.Machine.Connections[c].Bandwidth)
			t.Flight = w.Machine.Connections[c].Flight
			break
		}
		t.outPort, t.inPort = w.clusterPort(int(a.cluster)), w.clusterPort(int(b.cluster))
		t.inFirst = w.Machine.WAN.Links.HalfDuplex() && a.cluster > b.cluster
		perByte = w.Random.PerByteOf(sim.VaryWANBandwidth, w.Machine.WAN.Bandwidth,
			sim.NsPerByte(w.Machine.WAN.Bandwidth))
		if f := w.Machine.Clusters[a.cluster].Flight; f != nil {
			t.Flight = f[b.cluster]
		}
	}
	t.duration = float64(t.Size) * perByte
}

// Startup returns the latency of the sender's node, or of the dedicated line.
func (w *wiring) Startup(from, to int32, m *sim.Message) float64 {
	a, b := &w.at[from], &w.at[to]
	switch {
	case a.node == b.node:
		return w.Random.Drawn(sim.VaryLocalLatency, w.Machine.Nodes[a.node].Local.Latency)
	case a.cluster == b.cluster:
		return w.Random.Drawn(sim.VaryLatency, a.latency)
	}
	if c := w.connection(a.cluster, b.cluster, m); c >= 0 {
		return w.Machine.Connections[c].Latency
	}
	return w.Random.Drawn(sim.VaryWANLatency, w.Machine.Nodes[a.node].WANLatency)
}

// connection finds the dedicated line that a message takes, or -1.
func (w *wiring) connection(from, to int32, m *sim.Message) int {
	for i := range w.Machine.Connections {
		if w.Machine.Connections[i].Takes(from, to, m) {
			return i
		}
	}
	return -1
}

func (w *wiring) taskPort(task int32) int32 { return int32(len(w.Machine.Nodes)) + task }

func (w *wiring) clusterPort(c int) int32 {
	return int32(len(w.Machine.Nodes) + len(w.Node) + c)
}

// connectionPorts: a line has one output and one input link for both directions.
func (w *wiring) connectionPorts(c int) (out, in int32) {
	p := w.clusterPort(len(w.Machine.Clusters)) + int32(2*c)
	return p, p + 1
}

func (w *wiring) nodePool(node int32) int32 { return int32(len(w.Machine.Clusters)) + node }
