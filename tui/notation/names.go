package notation

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"pview/prv"
)

// Things with names: event types, their values and states, by number, label or a part of a label.

// StateList lists states in the form of a function's parameter.
func StateList(states map[int64]bool) []float64 {
	var list []float64
	for s := range states {
		list = append(list, float64(s))
	}
	slices.Sort(list)
	return list
}

type TypeValue struct {
	Type  uint32
	Value int64
}

// TypesNamed returns the event types of a list of numbers, or those with a label.
func TypesNamed(text string, labels *prv.Labels) ([]uint32, error) {
	if list, err := parseNumbers(text); err == nil {
		var types []uint32
		for _, v := range list {
			if v < 0 || v > math.MaxUint32 || v != math.Trunc(v) {
				return nil, fmt.Errorf("%g is not an event type", v)
			}
			types = append(types, uint32(v))
		}
		return types, nil
	}
	var exact, part []uint32
	for _, t := range KnownTypes(labels) {
		switch {
		case strings.EqualFold(t.Label, text):
			exact = append(exact, t.Type)
		case ContainsFold(t.Label, text):
			part = append(part, t.Type)
		}
	}
	if exact == nil {
		exact = part
	}
	if exact == nil {
		return nil, fmt.Errorf("unknown event type %q", text)
	}
	return exact, nil
}

// KnownTypes and knownStates have a label: in the .pcf, or without one by
// convention.
func KnownTypes(labels *prv.Labels) []prv.EventType {
	if len(labels.Types) == 0 {
		return prv.DefaultTypes
	}
	return labels.Types
}

func KnownStates(labels *prv.Labels) []prv.ValueLabel {
	if len(labels.States) == 0 {
		return prv.DefaultStates
	}
	return labels.States
}

// PairsNamed returns the values with a label, of all types; nil for none.
func PairsNamed(text string, labels *prv.Labels) map[TypeValue]bool {
	var exact, part map[TypeValue]bool
	put := func(m *map[TypeValue]bool, p TypeValue) {
		if *m == nil {
			*m = map[TypeValue]bool{}
		}
		(*m)[p] = true
	}
	for i := range labels.Types {
		t := &labels.Types[i]
		for _, v := range t.Values {
			switch {
			case strings.EqualFold(v.Label, text):
				put(&exact, TypeValue{t.Type, v.Value})
			case ContainsFold(v.Label, text):
				put(&part, TypeValue{t.Type, v.Value})
			}
		}
	}
	if exact != nil {
		return exact
	}
	return part
}

func StatesNamed(text string, labels *prv.Labels) (map[int64]bool, error) {
	found := map[int64]bool{}
	if list, err := parseNumbers(text); err == nil {
		for _, v := range list {
			found[int64(v)] = true
		}
		return found, nil
	}
	for _, s := range KnownStates(labels) {
		if ContainsFold(s.Label, text) {
			found[s.Value] = true
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("unknown state %q", text)
	}
	return found, nil
}
