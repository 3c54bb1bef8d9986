package scenario

// Compound settings of a machine: of some nodes, a collective operation, a block of the program.

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pview/sim"
	"pview/sim/parameter"
)

// ParseModule reads TYPE:VALUE=RATIO.
func ParseModule(text string) (mod sim.Module, err error) {
	var value uint64
	block, ratio, _ := strings.Cut(text, "=") // what is missing is no number
	typ, val, _ := strings.Cut(block, ":")
	t, err1 := strconv.ParseUint(strings.TrimSpace(typ), 10, 32)
	value, err2 := strconv.ParseUint(strings.TrimSpace(val), 10, 63)
	r, err3 := strconv.ParseFloat(strings.TrimSpace(ratio), 64)
	if t == 0 || value == 0 || !(r >= 0) || errors.Join(err1, err2, err3) != nil {
		return mod, fmt.Errorf("must be TYPE:VALUE=RATIO, such as 60000019:3=2, not %q", text)
	}
	return sim.Module{Type: uint32(t), Value: int64(value), Ratio: r}, nil
}

// SetNode takes N:PARAMETER=VALUE or FIRST-LAST:PARAMETER=VALUE; nodes are numbered from 1.
func SetNode(m *sim.Machine, text string) error {
	which, value, ok := strings.Cut(text, "=")
	n, isNode := ParseNodeParameter(which)
	if !ok || !isNode {
		return fmt.Errorf("must be NODE:PARAMETER=VALUE, such as 3:cpu-ratio=0.5 or 1-4:latency=2us, not %q", text)
	}
	if err := n.Check(m); err != nil {
		return err
	}
	v, err := n.Parse(value)
	if err != nil {
		return fmt.Errorf("%s: %w", n.Name, err)
	}
	n.Set(m, v)
	return nil
}

// NodeParameter is a parameter of some nodes.
type NodeParameter struct {
	*parameter.Parameter     // restricted to First
	First, Last          int // from 0
	name                 string
}

// ParseNodeParameter reads NODE:PARAMETER or FIRST-LAST:PARAMETER; ok is false for any other text.
func ParseNodeParameter(text string) (n NodeParameter, ok bool) {
	which, name, ok := strings.Cut(text, ":")
	first, last, isRange := strings.Cut(which, "-")
	if !isRange {
		last = first
	}
	from, err := strconv.Atoi(strings.TrimSpace(first))
	to, err2 := strconv.Atoi(strings.TrimSpace(last))
	if !ok || err != nil || err2 != nil {
		return n, false
	}
	n.First, n.Last, n.name = from-1, to-1, strings.TrimSpace(name)
	n.Parameter = parameter.ByName(n.name)
	return n, true
}

// Check reports a missing node, or a parameter that nodes do not have.
func (n *NodeParameter) Check(m *sim.Machine) error {
	if n.First < 0 || n.Last < n.First || n.Last >= len(m.Nodes) {
		return fmt.Errorf("nodes must be from 1 to %d", len(m.Nodes))
	}
	if n.Parameter == nil || n.Node == nil {
		return fmt.Errorf("%q is not a parameter of a node", n.name)
	}
	return nil
}

// Set sets the parameter on those of the nodes that the machine has.
func (n *NodeParameter) Set(m *sim.Machine, v float64) {
	for i := n.First; i <= n.Last && i < len(m.Nodes); i++ {
		n.Node.Set(&m.Nodes[i], v)
	}
}

// SetCollective takes OP=MODEL:SIZE,MODEL:SIZE, on all networks; the default size is the call's.
func SetCollective(m *sim.Machine, text string) error {
	name, stages, ok := strings.Cut(text, "=")
	if !ok {
		return fmt.Errorf("must be OPERATION=MODEL:SIZE,MODEL:SIZE, such as Bcast=0,LOG:MAX, not %q", text)
	}
	op := CollectiveByName(name)
	if op < 0 {
		return fmt.Errorf("there is no collective operation %q; operations: %s", name,
			strings.Join(sim.Collectives, ", "))
	}
	cost, err := ParseCost(stages)
	if err == nil {
		SetCost(m, op, cost)
	}
	return err
}

// CollectiveByName finds an operation of sim.Collectives; -1 if none.
func CollectiveByName(name string) int {
	return slices.IndexFunc(sim.Collectives, func(s string) bool {
		return strings.EqualFold(s, strings.TrimSpace(name))
	})
}

// ParseCost reads the cost of a collective operation: MODEL:SIZE,MODEL:SIZE of its fan-in and its fan-out.
func ParseCost(text string) (cost sim.CollectiveCost, err error) {
	list := strings.Split(text, ",")
	if len(list) != 2 {
		return cost, fmt.Errorf("must be MODEL:SIZE,MODEL:SIZE, such as 0,LOG:MAX, not %q", text)
	}
	for i, s := range []*sim.Stage{&cost.FanIn, &cost.FanOut} {
		if *s, err = parseStage(list[i]); err != nil {
			return cost, err
		}
	}
	return cost, nil
}

// SetCost sets the cost of a collective operation on all networks.
func SetCost(m *sim.Machine, op int, cost sim.CollectiveCost) {
	for i := range m.Clusters {
		m.Clusters[i].Collectives[op] = cost
	}
	m.WAN.Collectives[op] = cost
}

// parseStage reads MODEL or MODEL:SIZE.
func parseStage(text string) (st sim.Stage, err error) {
	model, size, _ := strings.Cut(strings.TrimSpace(text), ":")
	found := false
	var models, sizes []string
	for i, m := range sim.CollectiveModels {
		models = append(models, m.Name)
		if strings.EqualFold(m.Name, model) {
			st.Model, found = sim.CollectiveModel(i), true
		}
	}
	if strings.EqualFold(model, "default") {
		st.Model, found = sim.ModelDefault, true
	}
	if !found {
		return st, fmt.Errorf("model %q must be one of %s, default", model, strings.Join(models, ", "))
	}
	for i, z := range sim.CollectiveSizes[1:] {
		sizes = append(sizes, z.Name)
		if strings.EqualFold(z.Name, size) {
			st.Size, size = sim.CollectiveSize(i+1), ""
		}
	}
	if size != "" {
		return st, fmt.Errorf("size %q must be one of %s", size, strings.Join(sizes, ", "))
	}
	return st, nil
}
