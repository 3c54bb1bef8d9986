package sim

// Networks of links of their own for collective operations. What a network does not say it has from that of messages,
// at the moment when it is made.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// OwnNetwork is the network of a collective operation; nil where its messages take that of messages.
func (m *Machine) OwnNetwork(op CollectiveOp) *Interconnect {
	for i := range m.Routines {
		if m.Routines[i].Op == op {
			return &m.Routines[i].Interconnect
		}
	}
	return nil
}

// NetworkOf is the network that the messages of a collective operation take.
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

// LinkParameters are the parameters of the network of a collective operation. Setting one gives it a network of its
// own.
func LinkParameters(op CollectiveOp) []Parameter {
	return linkParameters(func(m *Machine) *Interconnect { return m.NetworkOf(op) }, func(m *Machine) *Interconnect {
		m.SetOwnNetwork(op, true)
		return m.OwnNetwork(op)
	})
}

// ShapeText is the topology as setTopology reads it; that of a graph is its name.
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

// byMessages is the word for no network of its own.
const byMessages = "messages"

// routinesOf writes the networks of operations: the topology, and what differs from the network of messages.
func routinesOf(m *Machine) string {
	var words []string
	for _, r := range m.Routines {
		shape := r.ShapeText()
		if shape == "" {
			shape = "complete"
		}
		words = append(words, Collectives[r.Op]+"="+shape)
		own, main := LinkParameters(r.Op), directParameters()
		for i := range own {
			if !own[i].Applies(m) {
				continue
			}
			v, _ := own[i].Get(m)
			if base, _ := main[i].Get(m); v != base || !main[i].Applies(m) {
				words = append(words, own[i].Name+"="+own[i].Format(v))
			}
		}
		if r.Map != nil {
			var at []string
			for _, p := range r.Map {
				at = append(at, strconv.Itoa(int(p)))
			}
			words = append(words, "map="+strings.Join(at, "/"))
		}
	}
	return strings.Join(words, " ")
}

// setRoutines takes OPERATION=SHAPE NUMBERS and, for the operation before, PARAMETER=VALUE and
// map=PROCESSOR/PROCESSOR/...; words without "=" belong to the value before them.
func setRoutines(m *Machine, text string) error {
	op := CollectiveOp(len(Collectives))
	next := m.Clone()
	for _, a := range assignments(text) {
		name, value := a[0], a[1]
		if at := slices.IndexFunc(Collectives, func(s string) bool {
			return strings.EqualFold(s, name)
		}); at >= 0 && value != "" {
			op = CollectiveOp(at)
			next.SetOwnNetwork(op, false)
			if value == byMessages {
				continue
			}
			next.SetOwnNetwork(op, true)
			if err := next.OwnNetwork(op).SetShape(value, len(next.Nodes)); err != nil {
				return fmt.Errorf("%s: %w", Collectives[op], err)
			}
			continue
		}
		c := next.OwnNetwork(op)
		if c == nil {
			return fmt.Errorf("%q: must begin with OPERATION=SHAPE, such as Bcast=ring 8", text)
		}
		if err := setLink(next, op, c, name, value); err != nil {
			return fmt.Errorf("%s: %s: %w", Collectives[op], name, err)
		}
	}
	m.Routines = next.Routines
	return nil
}

// assignments divides a text into names and values.
func assignments(text string) (list [][2]string) {
	for _, w := range strings.Fields(strings.ReplaceAll(text, ";", " ")) {
		name, value, ok := strings.Cut(w, "=")
		switch {
		case ok:
			list = append(list, [2]string{name, value})
		case len(list) == 0:
			list = append(list, [2]string{w, ""})
		default:
			list[len(list)-1][1] = strings.TrimSpace(list[len(list)-1][1] + " " + w)
		}
	}
	return list
}

// setLink sets a parameter of the network of an operation.
func setLink(m *Machine, op CollectiveOp, c *Interconnect, name, value string) error {
	if name == "map" {
		c.Map = nil
		for w := range strings.SplitSeq(value, "/") {
			n, err := strconv.ParseInt(w, 10, 32)
			if err != nil || n < 0 {
				return fmt.Errorf("%q: must be a processor >= 0", w)
			}
			c.Map = append(c.Map, int32(n))
		}
		return nil
	}
	for _, p := range LinkParameters(op) {
		if p.Name == name {
			v, err := p.Parse(value)
			if err == nil {
				p.Set(m, v)
			}
			return err
		}
	}
	return fmt.Errorf("there is no such parameter of links")
}
