package sim

// Messages in flight: their routes and resources, and the networks that grant them.

import (
	"fmt"
	"slices"
	"strings"
)

// network moves messages. The engine requests the resources of a message when it is ready to go; the network calls
// engine.depart when it has granted them, and gets them back when the transfer is over. Collective operations
// request the whole network.
type network interface {
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

	new func(*engine) network
}

// networkParams are the parameters of links and buses.
var networkParams = []string{"bandwidth", "buses", "input-links", "output-links", "local-bandwidth", "local-buses", "wan-bandwidth"}

// Networks returns the kinds of networks of a machine. It is a copy: the table cannot be changed.
func Networks() []Network { return slices.Clone(networks) }

var networks = []Network{
	{"buses", "Dimemas: output link, input link and bus, one after the other; a message keeps what it has while it waits for the rest", networkParams,
		func(e *engine) network { return &linksAndBuses{e: e, wiring: newWiring(e)} }},
	{"together", "the thesis: first come, first served; a message takes all that it needs at once, and passes those that wait for other things", networkParams,
		func(e *engine) network { return &takenTogether{e: e, wiring: newWiring(e)} }},
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
func (e *engine) newNetwork() network {
	name := e.m.Network
	if name == "" {
		name = networks[0].Name
		if e.rules[Acquisition] == AcquireTogether {
			name = "together"
		}
	}
	entry, _ := NetworkByName(name)
	n := entry.new(e)
	if e.rules[CollectiveResources] == CollectiveNetwork {
		n = &gate{e: e, network: n}
	}
	return n
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

// route decides the route of a message: its resources and its duration.
func (e *engine) route(t *transfer, m *Message) {
	from, to := e.tasks[t.from].node, e.tasks[t.to].node
	a, b := &e.m.Nodes[from], &e.m.Nodes[to]
	t.borrows, t.inFirst, t.flight, t.pool = false, false, 0, noPool
	var perByte float64
	switch {
	case from == to:
		t.outPort, t.inPort, t.pool = e.taskPort(t.from), e.taskPort(t.to), e.nodePool(from)
		if e.rules[LocalContention] == LocalFree {
			t.outPort, t.inPort, t.pool = noPort, noPort, noPool
		} else if t.from == t.to {
			t.outPort, t.inPort = noPort, noPort
		}
		perByte = e.perByteOf(VaryLocalBandwidth, a.Local.Bandwidth, e.localPerByte[from])
		t.inFirst = a.Local.Links.HalfDuplex() && t.from > t.to
	case a.Cluster == b.Cluster:
		t.outPort, t.inPort, t.pool = from, to, int32(a.Cluster)
		t.borrows = true
		perByte = e.perByteOf(VaryBandwidth, e.m.Clusters[a.Cluster].Bandwidth, e.netPerByte[a.Cluster])
	default:
		if c := e.connection(int32(a.Cluster), int32(b.Cluster), m); c >= 0 {
			t.outPort, t.inPort = e.connectionPorts(c)
			perByte = nsPerByte(e.m.Connections[c].Bandwidth)
			t.flight = e.m.Connections[c].Flight
			break
		}
		t.outPort, t.inPort = e.clusterPort(a.Cluster), e.clusterPort(b.Cluster)
		t.inFirst = e.m.WAN.Links.HalfDuplex() && a.Cluster > b.Cluster
		perByte = e.perByteOf(VaryWANBandwidth, e.m.WAN.Bandwidth, nsPerByte(e.m.WAN.Bandwidth))
		if f := e.m.Clusters[a.Cluster].Flight; f != nil {
			t.flight = f[b.Cluster]
		}
	}
	t.duration = float64(t.size) * perByte
}

// latency is the startup of a message between two tasks: that of the sender's node.
func (e *engine) latency(from, to int32, m *Message) float64 {
	a, b := e.tasks[from].node, e.tasks[to].node
	n := &e.m.Nodes[a]
	switch {
	case a == b:
		return e.drawn(VaryLocalLatency, n.Local.Latency)
	case n.Cluster == e.m.Nodes[b].Cluster:
		return e.drawn(VaryLatency, n.Latency)
	}
	if c := e.connection(int32(n.Cluster), int32(e.m.Nodes[b].Cluster), m); c >= 0 {
		return e.m.Connections[c].Latency
	}
	return e.drawn(VaryWANLatency, n.WANLatency)
}

// connection finds the dedicated line that a message takes, or -1.
func (e *engine) connection(from, to int32, m *Message) int {
	for i := range e.m.Connections {
		if e.m.Connections[i].takes(from, to, m) {
			return i
		}
	}
	return -1
}

// Ports are in the order: nodes, tasks, clusters, connections (two each); pools: clusters, nodes.

// wiring is the links and buses of a machine.
type wiring struct {
	ports []port
	pools []pool
}

func newWiring(e *engine) (w wiring) {
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

func (e *engine) taskPort(task int32) int32 { return int32(len(e.m.Nodes)) + task }

func (e *engine) clusterPort(c int) int32 {
	return int32(len(e.m.Nodes) + len(e.tasks) + c)
}

// connectionPorts: a line has one output and one input link for both directions.
func (e *engine) connectionPorts(c int) (out, in int32) {
	p := e.clusterPort(len(e.m.Clusters)) + int32(2*c)
	return p, p + 1
}

func (e *engine) nodePool(node int32) int32 { return int32(len(e.m.Clusters)) + node }
