package otf2

// Labels for the numbers of the trace.

import (
	"cmp"
	"fmt"
	"slices"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/device"
)

// makeLabels labels the states, and the event types of the trace with their values. ops is a bit set of the collective
// operations without a call around them.
func (a *archive) makeLabels(t *prv.Trace, ops uint32) *prv.Labels {
	l := &prv.Labels{}
	for _, s := range prv.DefaultStates {
		if s.Value <= stateTransfer {
			l.AddState(s.Value, s.Label)
		}
	}
	has := typesOf(t)
	end := prv.ValueLabel{Value: 0, Label: "End"}
	add := func(typ uint32, label string, values ...prv.ValueLabel) {
		if has[typ] {
			l.AddType(typ, label, values...)
		}
	}
	for _, m := range extrae.MPITypes {
		values := append([]prv.ValueLabel{{Value: 0, Label: extrae.OutsideMPI}}, a.regionLabels(m.Type)...)
		if m.Type == extrae.MPICollective {
			values = addOperations(values, ops)
		}
		add(m.Type, m.Label, values...)
	}
	add(extrae.CollectiveSent, extrae.SentLabel)
	add(extrae.CollectiveRecv, extrae.ReceivedLabel)
	add(extrae.CollectiveRoot, extrae.RootLabel)
	add(extrae.CollectiveComm, extrae.CommunicatorLabel, a.comms.labels...)
	add(typeRMABytes, "MPI One-sided size")
	add(extrae.OneSidedTarget, extrae.TargetLabel)
	add(extrae.UserFunction, "User function", append([]prv.ValueLabel{end}, a.regionLabels(extrae.UserFunction)...)...)
	add(device.Call, device.CallLabel, append([]prv.ValueLabel{end}, a.regionLabels(device.Call)...)...)
	add(device.Kernel, device.KernelLabel, append([]prv.ValueLabel{end}, a.regionLabels(device.Kernel)...)...)
	collectives := a.regionLabels(device.Collective)
	add(device.Collective, device.CollectiveLabel, append([]prv.ValueLabel{end}, collectives...)...)
	add(device.Memory, device.MemoryLabel, append([]prv.ValueLabel{end}, a.regionLabels(device.Memory)...)...)
	for _, t := range extrae.OpenMPTypes {
		add(t.Type, t.Label, t.Values...)
	}
	for _, f := range extrae.OpenMPFunctions {
		values := a.regionLabels(f.Type)
		if len(values) == 0 {
			values = []prv.ValueLabel{{Value: 1, Label: "parallel region"}}
			if f.Type != extrae.OpenMPOutlined {
				values = []prv.ValueLabel{{Value: anyTask, Label: "OpenMP task"}}
			}
		}
		add(f.Type, f.Label, append([]prv.ValueLabel{end}, values...)...)
	}
	add(extrae.TraceFlush, "Flushing Traces", end, prv.ValueLabel{Value: 1, Label: "Begin"})
	add(typeTracing, "Tracing", prv.ValueLabel{Value: 0, Label: "Disabled"}, prv.ValueLabel{Value: 1, Label: "Enabled"})
	add(typeIOBytes, "I/O bytes")
	for _, p := range a.texts.params {
		add(a.texts.types[p], a.text(a.params[p].name), numbered(a.texts.values[p])...)
	}
	a.addCallerLabels(l, has)
	a.addMetricLabels(l)
	return l
}

// typesOf returns the event types of a trace.
func typesOf(t *prv.Trace) map[uint32]bool {
	has := map[uint32]bool{}
	for i := range t.Threads {
		last := uint32(0)
		for _, typ := range t.Threads[i].Events.Type {
			if typ != last {
				has[typ], last = true, typ
			}
		}
	}
	return has
}

// regionLabels returns the names of the regions of a type, with their places in the source if names are not unique.
func (a *archive) regionLabels(typ uint32) (list []prv.ValueLabel) {
	count := map[string]int{}
	for _, k := range a.regions.labels[typ] {
		count[a.regions.list[k].name]++
	}
	for _, k := range a.regions.labels[typ] {
		g := &a.regions.list[k]
		name := g.name
		if count[name] > 1 && g.place != "" {
			name += " [" + g.place + "]"
		}
		list = append(list, prv.ValueLabel{Value: g.value, Label: name})
	}
	slices.SortFunc(list, func(x, y prv.ValueLabel) int { return cmp.Compare(x.Value, y.Value) })
	return list
}

// addOperations adds the names of operations without a call around them.
func addOperations(list []prv.ValueLabel, ops uint32) []prv.ValueLabel {
	for op, name := range collectiveNames {
		if ops>>op&1 == 0 {
			continue
		}
		value := operationValue(uint64(op))
		if !slices.ContainsFunc(list, func(v prv.ValueLabel) bool { return v.Value == value }) {
			list = append(list, prv.ValueLabel{Value: value, Label: "MPI_" + name})
		}
	}
	return list
}

// addCallerLabels names the callers of samples: all levels have the same names.
func (a *archive) addCallerLabels(l *prv.Labels, has map[uint32]bool) {
	var types []prv.EventType
	for level := range uint32(deepestCaller) {
		if typ := extrae.FirstCaller + 1 + level; has[typ] {
			types = append(types, prv.EventType{Type: typ, Label: fmt.Sprintf("Caller at level %d", level+1)})
		}
	}
	if len(types) == 0 {
		return
	}
	var list []prv.ValueLabel
	for k, n := range a.samplers {
		list = append(list, prv.ValueLabel{Value: n, Label: a.regions.list[k].name})
	}
	slices.SortFunc(list, func(x, y prv.ValueLabel) int { return cmp.Compare(x.Value, y.Value) })
	l.AddSection(types, append([]prv.ValueLabel{{Value: 0, Label: "End"}}, list...), 0)
}

func numbered(names []string) (list []prv.ValueLabel) {
	for i, name := range names {
		list = append(list, prv.ValueLabel{Value: int64(i) + 1, Label: name})
	}
	return list
}
