package sim

// Separate networks of links for collective operations. On creation, a network copies unspecified settings from the
// network of messages.

import (
	"slices"
	"strings"
)

// OwnNetwork returns the network of a collective operation; nil if its messages take the network of messages.
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

// SetOwnNetwork gives a collective operation its own network, a copy of the network of messages, or removes it.
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

// ShapeText returns the topology for SetShape; for a graph, its name.
func (c *Interconnect) ShapeText() string {
	if c.Graph != nil {
		return c.Graph.String()
	}
	return c.Topology
}

// SetShape changes the topology, for a number of processors: which the numbers of the shape replace.
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
