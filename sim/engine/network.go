package engine

// Messages in flight: their routes and resources, and the networks that grant them.

import "pview/sim"

// network moves messages, and alone decides their way: what a message needs, and how long it takes. The engine shows it
// each message when that is sent, and requests the message's resources when it is ready to go (by rendezvous, later);
// the network calls engine.depart when it has granted them, and gets them back when the transfer is over. Collective
// operations request the whole network.
type network interface {
	// startup returns how long a message between two tasks keeps a CPU before it goes, ns.
	startup(from, to int32, m *sim.Message) float64
	// plan decides the way of a message: it sets what the network needs in the transfer, its duration and its flight.
	plan(t *transfer, m *sim.Message)
	// request requests the resources of a transfer.
	request(tr int32)
	// release returns the resources of a completed transfer.
	release(tr int32)
	// occupy requests the resources of a collective operation. It returns true if they are
	// free; otherwise engine.begin is called when they are.
	occupy(instance int32) bool
	// vacate returns them.
	vacate(instance int32)
	// hop is called when a transfer has passed a link, and needs the next one.
	hop(tr int32)
	// loads returns the loads of links, if the network counts them.
	loads() []sim.LinkLoad
}

// operations are the collective operations, as networks see them.
type operations interface {
	// clusters returns those that an operation spans.
	clusters(instance int32) []int32
	// withinNode reports whether all tasks of an operation are on one node.
	withinNode(instance int32) bool
	// begin starts an operation that has waited for the network.
	begin(instance int32)
}

// host is what a network shares with the engine.
type host struct {
	*transfers
	m     *sim.Machine
	rules *sim.Rules
	rng   *rng
	node  []int32 // by task
	ops   operations

	localPerByte, netPerByte []float64 // by node, by cluster: ns
}

// newNetworks make the networks, by their names in the table Networks.
var newNetworks = map[string]func(host) (network, error){
	"buses":             func(h host) (network, error) { return &linksAndBuses{newWiring(h), map[int32]int{}}, nil },
	"together":          func(h host) (network, error) { return &takenTogether{wiring: newWiring(h)}, nil },
	"direct":            newDirect,
	"direct-contention": newContention,
}

// newNetwork creates the network of the machine; the default of the model if it names none. direct: its processors are
// joined by links, on which messages may overtake each other.
func newNetwork(h host) (n network, direct bool, err error) {
	name := h.m.Network
	if name == "" {
		name = sim.Networks()[0].Name
		if h.rules[sim.Acquisition] == sim.AcquireTogether {
			name = "together"
		}
	}
	entry, _ := sim.NetworkByName(name)
	if n, err = newNetworks[name](h); err != nil {
		return nil, false, err
	}
	if h.rules[sim.CollectiveResources] == sim.CollectiveNetwork {
		n = &gate{host: h, network: n}
	}
	return n, entry.Direct, nil
}

// port is the set of links of a node, a task or a cluster.
type port struct {
	out, in         int // number of links; half duplex: out, for both directions
	half, unlimited bool
	freeOut, freeIn int
	holder          []int32 // transfer by link: outputs, then inputs; 0: free; nil before the first
	waitOut, waitIn deque   // of transfers
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
	queue       deque // transfers, and a collective as -1-instance, once for each bus that it waits for
	closed      bool  // a collective waits for it: network together
}

// Values of a transfer's link other than a link.
const (
	noLink         = -1 // not taken yet
	linkless       = -2 // none is needed
	noPort, noPool = -1, -1
)

// Ports are in the order: nodes, tasks, clusters, connections (two each); pools: clusters, nodes.

// wiring is the links and buses of a machine, and the ways of messages over them.
type wiring struct {
	host
	at    []site // by task
	ports []port
	pools []pool
}

// site is where a task runs, and the latency of its messages to other nodes of the cluster.
type site struct {
	node, cluster int32
	latency       float64
}

func newWiring(h host) wiring {
	w := wiring{host: h, at: make([]site, len(h.node))}
	for i, n := range h.node {
		w.at[i] = site{n, int32(h.m.Nodes[n].Cluster), h.m.Nodes[n].Latency}
	}
	for i := range h.m.Nodes {
		w.ports = append(w.ports, newPort(h.m.Nodes[i].Links))
	}
	for _, n := range h.node {
		w.ports = append(w.ports, newPort(h.m.Nodes[n].Local.Links))
	}
	for range h.m.Clusters {
		w.ports = append(w.ports, newPort(h.m.WAN.Links))
	}
	for range 2 * len(h.m.Connections) {
		w.ports = append(w.ports, newPort(sim.Links{In: 1, Out: 1}))
	}
	for i := range h.m.Clusters {
		w.pools = append(w.pools, pool{buses: h.m.Clusters[i].Buses, free: h.m.Clusters[i].Buses})
	}
	for i := range h.m.Nodes {
		b := h.m.Nodes[i].Local.Buses
		w.pools = append(w.pools, pool{buses: b, free: b})
	}
	return w
}

func (w *wiring) hop(int32)             {}
func (w *wiring) loads() []sim.LinkLoad { return nil }

func (w *wiring) plan(t *transfer, m *sim.Message) {
	a, b := &w.at[t.from], &w.at[t.to]
	t.pool = noPool
	var perByte float64
	switch {
	case a.node == b.node:
		local := &w.m.Nodes[a.node].Local
		t.outPort, t.inPort, t.pool = w.taskPort(t.from), w.taskPort(t.to), w.nodePool(a.node)
		if w.rules[sim.LocalContention] == sim.LocalFree {
			t.outPort, t.inPort, t.pool = noPort, noPort, noPool
		} else if t.from == t.to {
			t.outPort, t.inPort = noPort, noPort
		}
		perByte = w.rng.perByteOf(sim.VaryLocalBandwidth, local.Bandwidth, w.localPerByte[a.node])
		t.inFirst = local.Links.HalfDuplex() && t.from > t.to
	case a.cluster == b.cluster:
		t.outPort, t.inPort, t.pool = a.node, b.node, a.cluster
		t.borrows = true
		perByte = w.rng.perByteOf(sim.VaryBandwidth, w.m.Clusters[a.cluster].Bandwidth, w.netPerByte[a.cluster])
	default:
		if c := w.connection(a.cluster, b.cluster, m); c >= 0 {
			t.outPort, t.inPort = w.connectionPorts(c)
			perByte = sim.NsPerByte(w.m.Connections[c].Bandwidth)
			t.flight = w.m.Connections[c].Flight
			break
		}
		t.outPort, t.inPort = w.clusterPort(int(a.cluster)), w.clusterPort(int(b.cluster))
		t.inFirst = w.m.WAN.Links.HalfDuplex() && a.cluster > b.cluster
		perByte = w.rng.perByteOf(sim.VaryWANBandwidth, w.m.WAN.Bandwidth, sim.NsPerByte(w.m.WAN.Bandwidth))
		if f := w.m.Clusters[a.cluster].Flight; f != nil {
			t.flight = f[b.cluster]
		}
	}
	t.duration = float64(t.size) * perByte
}

// startup is the latency of the sender's node, or of the dedicated line.
func (w *wiring) startup(from, to int32, m *sim.Message) float64 {
	a, b := &w.at[from], &w.at[to]
	switch {
	case a.node == b.node:
		return w.rng.drawn(sim.VaryLocalLatency, w.m.Nodes[a.node].Local.Latency)
	case a.cluster == b.cluster:
		return w.rng.drawn(sim.VaryLatency, a.latency)
	}
	if c := w.connection(a.cluster, b.cluster, m); c >= 0 {
		return w.m.Connections[c].Latency
	}
	return w.rng.drawn(sim.VaryWANLatency, w.m.Nodes[a.node].WANLatency)
}

// connection finds the dedicated line that a message takes, or -1.
func (w *wiring) connection(from, to int32, m *sim.Message) int {
	for i := range w.m.Connections {
		if w.m.Connections[i].Takes(from, to, m) {
			return i
		}
	}
	return -1
}

func (w *wiring) taskPort(task int32) int32 { return int32(len(w.m.Nodes)) + task }

func (w *wiring) clusterPort(c int) int32 {
	return int32(len(w.m.Nodes) + len(w.node) + c)
}

// connectionPorts: a line has one output and one input link for both directions.
func (w *wiring) connectionPorts(c int) (out, in int32) {
	p := w.clusterPort(len(w.m.Clusters)) + int32(2*c)
	return p, p + 1
}

func (w *wiring) nodePool(node int32) int32 { return int32(len(w.m.Clusters)) + node }
