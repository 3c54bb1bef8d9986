package sim

// Networks of links of their own for collective operations. What a network does not say it has from that of messages,
// at the moment when it is made.

import (
	"slices"
	"strings"
)

// OwnNetwork returns the network of a collective operation; nil where its messages take that of messages.
func (m *Machine) OwnNetwork(op CollectiveOp) *Interconnect {
	for i := range m.Routines {
		if m.Routines[i].Op == op {
			return &m.Routines[i].Interconnect
		}
	}
	return nil
}

// NetworkOf returns the network that the messages of a collective operation take.
func (m *Machine) NetworkOf(op CollectiveOp) *Interconnect {
	if c := m.OwnNetwork(op); c != nil {
		return c
	}
	return &m.Direct
}

// SetOwnNetwork gives a collective operation a network of its own, a copy of that of messages, or takes it away.
func (m *Machine) SetOwnNetwork(op CollectiveOp, own bool) {
	has := m.OwnNetwork(op) != nil
	switch {
	case own && !has:
		at, _ := slices.BinarySearchFunc(m.Routines, op, func(r Routine, op CollectiveOp) int {
			return int(r.Op) - int(op)
		})
		m.Routines = slices.Insert(m.Routines, at, Routine{op, m.Direct.clone()})
	case !own && has:
		m.Routines = slices.DeleteFunc(m.Routines, func(r Routine) bool { return r.Op == op })
	}
	if len(m.Routines) == 0 {
		m.Routines = nil
	}
}

// ShapeText returns the topology as setTopology reads it; that of a graph is its name.
func (c *Interconnect) ShapeText() string {
	if c.Graph != nil {
		return c.Graph.String()
	}
	return c.Topology
}

// SetShape changes the topology, for a number of processors: those of the shape if it has numbers.
func (c *Interconnect) SetShape(text string, processors int) error {
	next := Interconnect{Topology: strings.TrimSpace(text)}
	t, err := next.Shape(processors)
	if err != nil {
		return err
	}
	c.Graph, c.Topology = nil, next.Topology
	if len(strings.Fields(text)) > 1 {
		c.Topology = t.String()
	}
	return nil
}
