package extrae

// Names of MPI calls in a trace whose .pcf is missing or does not name them.

import (
	"slices"

	"pview/prv"
)

// callTypes are the other event types that Extrae writes with MPI calls, with its labels.
var callTypes = []prv.EventType{
	{Type: CollectiveSent, Label: SentLabel},
	{Type: CollectiveRecv, Label: ReceivedLabel},
	{Type: CollectiveRoot, Label: RootLabel},
	{Type: CollectiveComm, Label: CommunicatorLabel},
	{Type: OneSidedTarget, Label: TargetLabel},
}

// NameCalls returns a trace with Extrae's names of MPI calls and of their event types. It is t itself if the .pcf names
// any call, or t has none: a writer that names some calls may number the others differently.
func NameCalls(t *prv.Trace) *prv.Trace {
	v := Of(t.Labels)
	types := v.Family(MPI)
	named := func(typ uint32) bool {
		e, ok := t.Labels.Type(typ)
		return ok && len(e.Values) > 0
	}
	if len(types) == 0 || slices.ContainsFunc(types, named) || !hasEvents(t, types) {
		return t
	}
	l := t.Labels.Clone()
	if len(l.Types) == 0 { // a type added below would otherwise replace the default types
		for _, e := range prv.DefaultTypes {
			l.AddType(e.Type, e.Label)
		}
	}
	for _, m := range MPITypes {
		if typ, ok := v.Type(m.Type); ok {
			addNames(l, typ, m.Label, callNames(m.Type)...)
		}
	}
	for _, e := range callTypes {
		addNames(l, e.Type, e.Label)
	}
	l.CallsAssumed = true
	return t.WithLabels(l)
}

// addNames adds the labels of a type's values, and the type's unless it has one.
func addNames(l *prv.Labels, typ uint32, label string, values ...prv.ValueLabel) {
	if e, ok := l.Type(typ); ok && e.Label != "" {
		label = e.Label
	}
	l.AddType(typ, label, values...)
}

// callNames returns the labels of the calls of a type by Extrae's number, in the order of their values.
func callNames(typ uint32) []prv.ValueLabel {
	list := []prv.ValueLabel{{Value: 0, Label: OutsideMPI}}
	for name, c := range MPICalls {
		if c.Type == typ {
			list = append(list, prv.ValueLabel{Value: c.Value, Label: "MPI_" + name})
		}
	}
	slices.SortFunc(list, func(a, b prv.ValueLabel) int { return int(a.Value - b.Value) })
	return list
}

// hasEvents reports whether a trace has an event of some types.
func hasEvents(t *prv.Trace, types []uint32) bool {
	for i := range t.Threads {
		for _, typ := range t.Threads[i].Events.Type {
			if slices.Contains(types, typ) {
				return true
			}
		}
	}
	return false
}
