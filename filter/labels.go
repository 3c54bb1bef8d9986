package filter

import (
	"cmp"
	"slices"

	"pview/prv"
)

// resolveTypes replaces the labelled numbers of a criterion on event types by the types that carry the label in the
// trace; a label that the trace does not have leaves its number.
func resolveTypes(c Criterion, labels *prv.Labels) Criterion {
	return resolve(c, func(label string) (found []float64) {
		if labels == nil {
			return nil
		}
		for i := range labels.Types {
			if labels.Types[i].Label == label {
				found = append(found, float64(labels.Types[i].Type))
			}
		}
		return found
	})
}

// resolveValues does the same for event values. A value's label is looked up in the types that the filter lists, in all
// types if it lists none.
func resolveValues(f *EventFilter, labels *prv.Labels) Criterion {
	typ := resolveTypes(f.Type, labels)
	return resolve(f.Value, func(label string) (found []float64) {
		if labels == nil {
			return nil
		}
		seen := map[int64]bool{}
		for i := range labels.Types {
			t := &labels.Types[i]
			if typ.Func == Equal && !typ.Test(float64(t.Type)) {
				continue
			}
			for _, v := range t.Values {
				if v.Label == label && !seen[v.Value] {
					seen[v.Value] = true
					found = append(found, float64(v.Value))
				}
			}
		}
		return found
	})
}

func resolve(c Criterion, find func(label string) []float64) Criterion {
	if len(c.Labels) == 0 {
		return c
	}
	var values []float64
	for i, label := range c.Labels {
		if label != "" {
			if found := find(label); found != nil {
				values = append(values, found...)
				continue
			}
		}
		if i < len(c.Values) {
			values = append(values, c.Values[i])
		}
	}
	if len(c.Values) > len(c.Labels) {
		values = append(values, c.Values[len(c.Labels):]...)
	}
	c.Values, c.Labels = values, nil
	return c
}

// Types returns the event types of the .pcf in which a filter's values are looked up: the types listed by =, in that
// order, or all types if the .pcf has none of these; for other functions, the types that pass. Types that are not
// listed come by number.
func (f *EventFilter) Types(labels *prv.Labels) []*prv.EventType {
	if labels == nil {
		return nil
	}
	var types []*prv.EventType
	typ := resolveTypes(f.Type, labels)
	set := newTypeSet(&typ)
	if typ.Func == Equal {
		for _, v := range typ.Values {
			if n, ok := typeOf(v); ok {
				if e, ok := labels.Type(n); ok {
					types = append(types, e)
				}
			}
		}
		if types != nil {
			return types
		}
		set = typeSet{all: true}
	}
	for i := range labels.Types {
		if e := &labels.Types[i]; set.has(e.Type) {
			types = append(types, e)
		}
	}
	slices.SortFunc(types, func(a, b *prv.EventType) int { return cmp.Compare(a.Type, b.Type) })
	return types
}
