package parameter

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pview/sim"
)

// OfLinks returns the parameters of the network of a collective operation. Setting one gives the operation its own
// network.
func OfLinks(op sim.CollectiveOp) []Parameter {
	return linkParameters(func(m *sim.Machine) *sim.Interconnect { return m.NetworkOf(op) },
		func(m *sim.Machine) *sim.Interconnect {
			m.SetOwnNetwork(op, true)
			return m.OwnNetwork(op)
		})
}

// byMessages is the word for an operation without its own network.
const byMessages = "messages"

// routinesOf writes the networks of operations: the topology, and the differences from the network of messages.
func routinesOf(m *sim.Machine) string {
	var words []string
	for _, r := range m.Routines {
		shape := r.ShapeText()
		if shape == "" {
			shape = "complete"
		}
		words = append(words, sim.Collectives[r.Op]+"="+shape)
		own, main := OfLinks(r.Op), directParameters()
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

// setRoutines takes OPERATION=SHAPE NUMBERS and, for the previous operation, PARAMETER=VALUE and
// map=PROCESSOR/PROCESSOR/...; words without "=" belong to the previous value.
func setRoutines(m *sim.Machine, text string) error {
	op := sim.CollectiveOp(len(sim.Collectives))
	next := m.Clone()
	for _, a := range assignments(text) {
		name, value := a[0], a[1]
		if at := slices.IndexFunc(sim.Collectives, func(s string) bool {
			return strings.EqualFold(s, name)
		}); at >= 0 && value != "" {
			op = sim.CollectiveOp(at)
			next.SetOwnNetwork(op, false)
			if value == byMessages {
				continue
			}
			next.SetOwnNetwork(op, true)
			if err := next.OwnNetwork(op).SetShape(value, len(next.Nodes)); err != nil {
				return fmt.Errorf("%s: %w", sim.Collectives[op], err)
			}
			continue
		}
		c := next.OwnNetwork(op)
		if c == nil {
			return fmt.Errorf("%q: must begin with OPERATION=SHAPE, such as Bcast=ring 8", text)
		}
		if err := setLink(next, op, c, name, value); err != nil {
			return fmt.Errorf("%s: %s: %w", sim.Collectives[op], name, err)
		}
	}
	m.Routines = next.Routines
	return nil
}

// assignments splits a text into names and values.
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
func setLink(m *sim.Machine, op sim.CollectiveOp, c *sim.Interconnect, name, value string) error {
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
	for _, p := range OfLinks(op) {
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
