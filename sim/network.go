package sim

// Messages in flight: their routes and resources, and the networks that grant them.

import (
	"fmt"
	"slices"
	"strings"
)

// network moves messages, and alone decides their way: what a message needs, and how long it takes. The engine shows it
// each message when that is sent, and requests the message's resources when it is ready to go (by rendezvous, later);
// the network calls engine.depart when it has granted them, and gets them back when the transfer is over. Collective
// operations request the whole network.
type network interface {
	// startup returns how long a message between two tasks keeps a CPU before it goes, ns.
	startup(from, to int32, m *Message) float64
	// plan decides the way of a message: it sets what the network needs in the transfer, its duration and its flight.
	plan(t *transfer, m *Message)
	// request requests the resources of a transfer.
	request(tr int32)
	// release returns the resources of a completed transfer.
	release(tr int32)
	// occupy requests the resources of a collective operation. It returns true if they are
	// free; otherwise engine.begin is called when they are.
	occupy(instance int32) bool
	// vacate returns them.
	vacate(instance int32)
}

// Network is an entry of Networks.
type Network struct {
	Name string
	Doc  string
	// Params names the machine parameters that have an effect.
	Params []string

	// Direct says that processors are joined by links (Machine.Direct); on others, by links and buses of nodes.
	Direct bool

	new func(*engine) (network, error)
}

// networkParams are the parameters of links and buses.
var networkParams = []string{"bandwidth", "buses", "input-links", "output-links", "local-bandwidth", "local-buses",
	"wan-bandwidth"}

// directParams are the parameters of links between processors.
var directParams = []string{"topology", "switching", "link-startup", "link-bandwidth", "packet-size", "control-size",
	"flit-size"}

// Networks returns the kinds of networks of a machine. It is a copy: the table cannot be changed.
func Networks() []Network { return slices.Clone(networks) }

var networks = []Network{
	{"buses",
		"Dimemas: output link, input link and bus, one after the other; a message keeps what it has while it waits for the rest", networkParams, false,
		func(e *engine) (network, error) { return &linksAndBuses{newWiring(e)}, nil }},
	{"together",
		"the thesis: first come, first served; a message takes all that it needs at once, and passes those that wait for other things", networkParams, false,
		func(e *engine) (network, error) { return &takenTogether{wiring: newWiring(e)}, nil }},
	{"direct",
		"PUPPET: links between processors (topology); each message takes the time of its way, as if it were alone",
		directParams, true, newDirect},
	{"direct-contention",
		"as direct, but a link carries one message at a time, first come first served; what a message holds depends on the switching", directParams, true, newContention},
}

// NetworkByName finds a network.
func NetworkByName(name string) (*Network, bool) {
	for i := range networks {
		if n := networks[i]; n.Name == name {
			return &n, true
		}
	}
	return nil, false
}

// checkNetwork reports an unknown network.
func checkNetwork(name string) error {
	if _, ok := NetworkByName(name); ok || name == "" {
		return nil
	}
	var names []string
	for i := range networks {
		names = append(names, networks[i].Name)
	}
	return fmt.Errorf("there is no network %q, but %s", name, strings.Join(names, ", "))
}

// networkChoices are the networks as values of a parameter: the default of the model, then those of Networks.
func networkChoices() []Choice {
	list := []Choice{{"by-model", "as the model of the simulation has it"}}
	for i := range networks {
		list = append(list, Choice{networks[i].Name, networks[i].Doc})
	}
	return list
}

func networkIndex(name string) float64 {
	for i := range networks {
		if networks[i].Name == name {
			return float64(i + 1)
		}
	}
	return 0
}

func networkName(choice int) string {
	if choice < 1 || choice > len(networks) {
		return ""
	}
	return networks[choice-1].Name
}

// newNetwork creates the network of the machine; the default of the model where it names none.
func (e *engine) newNetwork() (err error) {
	name := e.m.Network
	if name == "" {
		name = networks[0].Name
		if e.rules[Acquisition] == AcquireTogether {
			name = "together"
		}
	}
	entry, _ := NetworkByName(name)
	n, err := entry.new(e)
	if err != nil {
		return err
	}
	e.ordered = entry.Direct
	if e.rules[CollectiveResources] == CollectiveNetwork {
		n = &gate{e: e, network: n}
	}
	e.net = n
	return nil
}

// IsDirect reports whether the network of the machine joins processors.
func (m *Machine) IsDirect() bool {
	n, _ := NetworkByName(m.Network)
	return n != nil && n.Direct
}

// port is the set of links of a node, a task or a cluster.
type port struct {
	out, in         int // number of links; half duplex: out, for both directions
	half, unlimited bool
	freeOut, freeIn int
	holder          []int32 // transfer by link: outputs, then inputs; 0: free; nil before the first
	waitOut, waitIn deque   // of transfers
}

func newPort(l Links) port {
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
	e     *engine
	at    []site // by task
	ports []port
	pools []pool
}

// site is where a task runs, and the latency of its messages to other nodes of the cluster.
type site struct {
	node, cluster int32
	latency       float64
}

func newWiring(e *engine) wiring {
	w := wiring{e: e, at: make([]site, len(e.tasks))}
	for i := range e.tasks {
		n := e.tasks[i].node
		w.at[i] = site{n, int32(e.m.Nodes[n].Cluster), e.m.Nodes[n].Latency}
	}
	for i := range e.m.Nodes {
		w.ports = append(w.ports, newPort(e.m.Nodes[i].Links))
	}
	for i := range e.tasks {
		w.ports = append(w.ports, newPort(e.m.Nodes[e.tasks[i].node].Local.Links))
	}
	for range e.m.Clusters {
		w.ports = append(w.ports, newPort(e.m.WAN.Links))
	}
	for range 2 * len(e.m.Connections) {
		w.ports = append(w.ports, newPort(Links{1, 1}))
	}
	for i := range e.m.Clusters {
		w.pools = append(w.pools, pool{buses: e.m.Clusters[i].Buses, free: e.m.Clusters[i].Buses})
	}
	for i := range e.m.Nodes {
		b := e.m.Nodes[i].Local.Buses
		w.pools = append(w.pools, pool{buses: b, free: b})
	}
	return w
}

func (w *wiring) plan(t *transfer, m *Message) {
	e := w.e
	a, b := &w.at[t.from], &w.at[t.to]
	t.pool = noPool
	var perByte float64
	switch {
	case a.node == b.node:
		local := &e.m.Nodes[a.node].Local
		t.outPort, t.inPort, t.pool = w.taskPort(t.from), w.taskPort(t.to), w.nodePool(a.node)
		if e.rules[LocalContention] == LocalFree {
			t.outPort, t.inPort, t.pool = noPort, noPort, noPool
		} else if t.from == t.to {
			t.outPort, t.inPort = noPort, noPort
		}
		perByte = e.perByteOf(VaryLocalBandwidth, local.Bandwidth, e.localPerByte[a.node])
		t.inFirst = local.Links.HalfDuplex() && t.from > t.to
	case a.cluster == b.cluster:
		t.outPort, t.inPort, t.pool = a.node, b.node, a.cluster
		t.borrows = true
		perByte = e.perByteOf(VaryBandwidth, e.m.Clusters[a.cluster].Bandwidth, e.netPerByte[a.cluster])
	default:
		if c := w.connection(a.cluster, b.cluster, m); c >= 0 {
			t.outPort, t.inPort = w.connectionPorts(c)
			perByte = nsPerByte(e.m.Connections[c].Bandwidth)
			t.flight = e.m.Connections[c].Flight
			break
		}
		t.outPort, t.inPort = w.clusterPort(int(a.cluster)), w.clusterPort(int(b.cluster))
		t.inFirst = e.m.WAN.Links.HalfDuplex() && a.cluster > b.cluster
		perByte = e.perByteOf(VaryWANBandwidth, e.m.WAN.Bandwidth, nsPerByte(e.m.WAN.Bandwidth))
		if f := e.m.Clusters[a.cluster].Flight; f != nil {
			t.flight = f[b.cluster]
		}
	}
	t.duration = float64(t.size) * perByte
}

// startup is the latency of the sender's node, or of the dedicated line.
func (w *wiring) startup(from, to int32, m *Message) float64 {
	e := w.e
	a, b := &w.at[from], &w.at[to]
	switch {
	case a.node == b.node:
		return e.drawn(VaryLocalLatency, e.m.Nodes[a.node].Local.Latency)
	case a.cluster == b.cluster:
		return e.drawn(VaryLatency, a.latency)
	}
	if c := w.connection(a.cluster, b.cluster, m); c >= 0 {
		return e.m.Connections[c].Latency
	}
	return e.drawn(VaryWANLatency, e.m.Nodes[a.node].WANLatency)
}

// connection finds the dedicated line that a message takes, or -1.
func (w *wiring) connection(from, to int32, m *Message) int {
	for i := range w.e.m.Connections {
		if w.e.m.Connections[i].takes(from, to, m) {
			return i
		}
	}
	return -1
}

func (w *wiring) taskPort(task int32) int32 { return int32(len(w.e.m.Nodes)) + task }

func (w *wiring) clusterPort(c int) int32 {
	return int32(len(w.e.m.Nodes) + len(w.e.tasks) + c)
}

// connectionPorts: a line has one output and one input link for both directions.
func (w *wiring) connectionPorts(c int) (out, in int32) {
	p := w.clusterPort(len(w.e.m.Clusters)) + int32(2*c)
	return p, p + 1
}

func (w *wiring) nodePool(node int32) int32 { return int32(len(w.e.m.Clusters)) + node }
