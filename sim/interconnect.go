package sim

// Direct networks: links between processors, and the time of a message over them without other traffic (E. Demaine,
// Efficient Simulation of Message-Passing in Distributed-Memory Architectures, Waterloo 1996, chapter 3).

import (
	"fmt"
	"math"
	"slices"

	"pview/sim/topology"
)

// Interconnect is a network of links between processors. Times are in ns, sizes in bytes. A node of the machine is the
// processor of the same number.
type Interconnect struct {
	// Topology is a shape and its numbers, as topology.Parse reads them; "": complete. Graph replaces it unless nil.
	Topology string
	Graph    *topology.Graph
	// Switching is an index of Switchings.
	Switching uint8

	Startup, PerByte float64 // of a link: for each packet, and each byte
	Packet           int64   // size of a packet; 0: messages are not divided
	// Control is the size of the header, or of the control packet, that goes ahead; Flit the size of a flit of wormhole
	// switching (0: 1). Without their own speed they have the link's.
	Control, Flit                  int64
	ControlOwn, FlitOwn            bool
	ControlStartup, ControlPerByte float64
	FlitStartup, FlitPerByte       float64
	// Local is the cost of a message within a processor.
	LocalStartup, LocalPerByte float64

	// Map is the processor of each task, repeating from the first if there are more tasks; nil: its node's processor.
	Map []int32
}

// Switching is an entry of Switchings.
type Switching struct {
	Name, Doc string
	// Formula is the time over d links without other messages, for the documentation.
	Formula string

	time func(c *Interconnect, d, size float64) float64
}

// The techniques, in the order of Switchings.
const (
	SwitchPacket = iota
	SwitchCutThrough
	SwitchCircuit
	SwitchWormhole
)

// Switchings are the switching techniques (table 3.1 of the thesis).
var Switchings = []Switching{
	{"packet", "store and forward: each processor on the way receives the whole message before it sends it on",
		"d t(s)",
		func(c *Interconnect, d, size float64) float64 { return d * c.LinkTime(size) }},
	{"cut-through", "a header opens the way, and the message follows it", "d t0(h) + t(s)", ahead},
	{"circuit", "a control packet reserves the way, then the message passes", "d t0(c) + t(s)", ahead},
	{"wormhole", "a pipeline of flits", "(d - 1 + ceil(s/f)) t(f)",
		func(c *Interconnect, d, size float64) float64 { return (d - 1 + c.flits(size)) * c.flit() }},
}

func ahead(c *Interconnect, d, size float64) float64 { return d*c.ControlTime() + c.LinkTime(size) }

// SwitchingByName finds a technique.
func SwitchingByName(name string) (uint8, bool) {
	i := slices.IndexFunc(Switchings, func(s Switching) bool { return s.Name == name })
	return uint8(max(i, 0)), i >= 0
}

// LinkTime returns the time of a message over one link. An empty message is still a packet.
func (c *Interconnect) LinkTime(size float64) float64 {
	packets := 1.0
	if c.Packet > 0 {
		packets = max(1, math.Ceil(size/float64(c.Packet)))
	}
	return c.Startup*packets + size*c.PerByte
}

// ControlTime returns the time of a header or control packet over one link.
func (c *Interconnect) ControlTime() float64 {
	own := *c
	if c.ControlOwn {
		own.Startup, own.PerByte = c.ControlStartup, c.ControlPerByte
	}
	return own.LinkTime(float64(c.Control))
}

// flits returns the number of flits of a message.
func (c *Interconnect) flits(size float64) float64 {
	return max(1, math.Ceil(size/float64(max(c.Flit, 1))))
}

// flit returns the time of a flit over one link.
func (c *Interconnect) flit() float64 {
	size := float64(max(c.Flit, 1))
	if c.FlitOwn {
		return c.FlitStartup + size*c.FlitPerByte
	}
	return c.Startup + size*c.PerByte
}

// Time returns the time of a message over a number of links, if there is no other message on them.
func (c *Interconnect) Time(distance int, size int64) float64 {
	if distance == 0 {
		return c.LocalStartup + float64(size)*c.LocalPerByte
	}
	return Switchings[c.Switching].time(c, float64(distance), float64(size))
}

// Warning returns a doubt about the parameters of a direct network, or "": a wormhole that charges the startup of the
// link for each flit.
func (m *Machine) Warning() string {
	c := &m.Direct
	if !m.IsDirect() {
		return ""
	}
	packet := *c
	packet.Switching = SwitchPacket
	const size = 1024
	if c.Switching == SwitchWormhole && c.Time(1, size) > 2*packet.Time(1, size) {
		return "wormhole switching takes more than twice the time of packet switching over one link: flits should " +
			"have a startup of their own (--flit-startup, or flit-speed in a model)"
	}
	return ""
}

// Shape returns the topology for a number of processors.
func (c *Interconnect) Shape(processors int) (topology.Topology, error) {
	if c.Graph != nil {
		return c.Graph, nil
	}
	text := c.Topology
	if text == "" {
		text = "complete"
	}
	return topology.Parse(text, processors)
}

// check reports impossible values.
func (c *Interconnect) check() error {
	for _, v := range []struct {
		name  string
		value float64
	}{{"startup", c.Startup}, {"time per byte", c.PerByte}, {"local startup", c.LocalStartup},
		{"local time per byte", c.LocalPerByte}, {"packet size", float64(c.Packet)},
		{"control size", float64(c.Control)}, {"control startup", c.ControlStartup},
		{"control time per byte", c.ControlPerByte},
		{"flit size", float64(c.Flit)}, {"flit startup", c.FlitStartup}, {"flit time per byte", c.FlitPerByte}} {
		if !number(v.value) {
			return fmt.Errorf("the %s of links must be >= 0", v.name)
		}
	}
	if int(c.Switching) >= len(Switchings) {
		return fmt.Errorf("there is no switching technique %d", c.Switching)
	}
	return nil
}

// Routine is a separate network for the messages of a collective operation.
type Routine struct {
	Op CollectiveOp
	Interconnect
}

// clone copies the parts that are not shared.
func (c *Interconnect) clone() Interconnect {
	d := *c
	d.Map = slices.Clone(c.Map)
	return d
}

// Placed returns the topology for a number of nodes, and the vertex of each task, given its node.
func (c *Interconnect) Placed(node []int32, nodes int) (topology.Topology, []int32, error) {
	t, err := c.Shape(nodes)
	if err != nil {
		return nil, nil, err
	}
	list := make([]int32, len(node))
	for i, at := range node {
		if c.Map != nil {
			at = c.Map[i%len(c.Map)]
		}
		if at < 0 || int(at) >= t.Vertices() {
			return nil, nil, fmt.Errorf("task %d runs on processor %d, but %s has processors 0 to %d", i+1, at, t,
				t.Vertices()-1)
		}
		if c.Map == nil && int(at) < t.Hosts() {
			at = int32(t.Host(int(at)))
		}
		list[i] = at
	}
	return t, list, nil
}

// Processors returns the network of the machine's messages, and the processor of each task of a program; without links
// between processors, a network in which every node is linked to every other.
func (m *Machine) Processors(p *Program) (topology.Topology, []int32, error) {
	at, err := m.Placement(p)
	if err != nil {
		return nil, nil, err
	}
	c := &m.Direct
	if !m.IsDirect() {
		c = &Interconnect{}
	}
	return c.Placed(at, len(m.Nodes))
}

// ProcessorsOf is Processors for the messages of a collective operation.
func (m *Machine) ProcessorsOf(p *Program, op CollectiveOp) (topology.Topology, []int32, error) {
	at, err := m.Placement(p)
	if err != nil {
		return nil, nil, err
	}
	return m.NetworkOf(op).Placed(at, len(m.Nodes))
}
