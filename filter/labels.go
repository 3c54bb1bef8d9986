package filter

import "pview/prv"

// resolveTypes replaces the labelled numbers of a criterion on event types by
// the types that carry the label in the trace; a label that the trace does not
// know leaves its number.
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

// resolveValues does the same for event values. A value's label is searched in
// the types that the filter lists, and in all types where it lists none.
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

// MissingTypes returns those of the listed event types (labels resolved) that no thread
// of the trace has an event of, and how many are listed in all. Only =
// names types.
func (f *EventFilter) MissingTypes(t *prv.Trace) (missing []uint32, listed int) {
	if f.Type.Func != Equal {
		return nil, 0
	}
	typ := resolveTypes(f.Type, t.Labels)
	for _, v := range typ.Values {
		one := newTypeSet(&Criterion{Func: Equal, Values: []float64{v}})
		if !one.none && !one.inTrace(t) {
			missing = append(missing, uint32(v))
		}
	}
	return missing, len(typ.Values)
}

func (s *typeSet) inTrace(t *prv.Trace) bool {
	for i := range t.Threads {
		for _, typ := range t.Threads[i].Events.Type {
			if s.has(typ) {
				return true
			}
		}
	}
	return false
}
