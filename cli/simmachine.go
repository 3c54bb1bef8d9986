package cli

// Flags of pview sim that set more than one parameter of the whole machine: some nodes, a collective operation, a block of the program.

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pview/sim"
)

// parseModule reads TYPE:VALUE=RATIO.
func parseModule(text string) (mod sim.Module, err error) {
	var value uint64
	block, ratio, ok := strings.Cut(text, "=")
	typ, val, ok2 := strings.Cut(block, ":")
	t, err1 := strconv.ParseUint(strings.TrimSpace(typ), 10, 32)
	value, err2 := strconv.ParseUint(strings.TrimSpace(val), 10, 63)
	r, err3 := strconv.ParseFloat(strings.TrimSpace(ratio), 64)
	if !ok || !ok2 || t == 0 || value == 0 || !(r >= 0) || errors.Join(err1, err2, err3) != nil {
		return mod, fmt.Errorf("must be TYPE:VALUE=RATIO, such as 60000019:3=2, not %q", text)
	}
	return sim.Module{Type: uint32(t), Value: int64(value), Ratio: r}, nil
}

// setNode takes N:PARAMETER=VALUE; nodes are numbered from 1.
func setNode(m *sim.Machine, text string) error {
	usage := fmt.Errorf("must be NODE:PARAMETER=VALUE, such as 3:cpu-ratio=0.5 or 1-4:latency=2us, not %q", text)
	which, rest, ok := strings.Cut(text, ":")
	name, value, ok2 := strings.Cut(rest, "=")
	first, last, isRange := strings.Cut(which, "-")
	if !isRange {
		last = first
	}
	from, err := strconv.Atoi(strings.TrimSpace(first))
	to, err2 := strconv.Atoi(strings.TrimSpace(last))
	if !ok || !ok2 || err != nil || err2 != nil {
		return usage
	}
	if from < 1 || to < from || to > len(m.Nodes) {
		return fmt.Errorf("nodes must be from 1 to %d", len(m.Nodes))
	}
	p := sim.ParameterByName(strings.TrimSpace(name))
	if p == nil || p.Node == nil {
		return fmt.Errorf("%q is not a parameter of a node", name)
	}
	v, err := p.Parse(value)
	if err != nil {
		return fmt.Errorf("%s: %w", p.Name, err)
	}
	for i := from - 1; i < to; i++ {
		p.Node.Set(&m.Nodes[i], v)
	}
	return nil
}

// setCollective takes OP=MODEL:SIZE,MODEL:SIZE, on all networks; the default size is that of the call.
func setCollective(m *sim.Machine, text string) error {
	name, stages, ok := strings.Cut(text, "=")
	op := slices.IndexFunc(sim.Collectives, func(s string) bool { return strings.EqualFold(s, strings.TrimSpace(name)) })
	list := strings.Split(stages, ",")
	if !ok || len(list) != 2 {
		return fmt.Errorf("must be OPERATION=MODEL:SIZE,MODEL:SIZE, such as Bcast=0,LOG:MAX, not %q", text)
	}
	if op < 0 {
		return fmt.Errorf("there is no collective operation %q; operations: %s", name, strings.Join(sim.Collectives, ", "))
	}
	var cost sim.CollectiveCost
	for i, s := range []*sim.Stage{&cost.FanIn, &cost.FanOut} {
		var err error
		if *s, err = parseStage(list[i]); err != nil {
			return err
		}
	}
	for i := range m.Clusters {
		m.Clusters[i].Collectives[op] = cost
	}
	m.WAN.Collectives[op] = cost
	return nil
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
