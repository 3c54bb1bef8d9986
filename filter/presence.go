package filter

// Which of the event types that filters name occur in a trace.

import (
	"math"
	"slices"

	"pview/prv"
)

// Presence knows which of the event types that some filters name occur in a trace.
type Presence struct {
	trace *prv.Trace
	types []uint32 // named one by one, sorted
	found []bool
}

// PresenceOf looks for the event types that filters name. It reads the events of the trace once and stops when it has
// found all.
func PresenceOf(t *prv.Trace, filters ...*EventFilter) *Presence {
	p := &Presence{trace: t}
	for _, f := range filters {
		if !f.Type.names() {
			continue
		}
		for _, v := range resolveTypes(f.Type, t.Labels).Values {
			if typ, ok := typeOf(v); ok {
				p.types = append(p.types, typ)
			}
		}
	}
	slices.Sort(p.types)
	p.types = slices.Compact(p.types)
	p.found = make([]bool, len(p.types))
	p.look()
	return p
}

// names reports whether a criterion on event types names them one by one.
func (c *Criterion) names() bool { return c.Func != All && c.Func != None && c.Func != Range }

// typeOf returns the event type of a number in a filter.
func typeOf(v float64) (typ uint32, ok bool) {
	if v < 0 || v > math.MaxUint32 || v != math.Trunc(v) {
		return 0, false
	}
	return uint32(v), true
}

// look marks the types that occur.
func (p *Presence) look() {
	left := len(p.types)
	if left == 0 {
		return
	}
	set := listSet(p.types)
	for i := range p.trace.Threads {
		last := uint32(0)
		for k, typ := range p.trace.Threads[i].Events.Type {
			if k > 0 && typ == last || !set.has(typ) {
				continue
			}
			last = typ
			j, _ := slices.BinarySearch(p.types, typ)
			if p.found[j] {
				continue
			}
			p.found[j] = true
			if left--; left == 0 {
				return
			}
		}
	}
}

// Of reports whether the trace has an event of any of the types that a filter names, and which of them are missing.
// Each type counts by itself, whatever the function (=, !=, <, >); the types of a range count together. All and None
// name no type and miss none; a function without types has none. The filter must be one of those given to PresenceOf.
func (p *Presence) Of(f *EventFilter) (some bool, missing []uint32) {
	typ := resolveTypes(f.Type, p.trace.Labels)
	if !typ.names() && typ.Func != Range {
		return true, nil
	}
	if typ.Func == Range {
		if set := newTypeSet(&typ); !set.none && set.inTrace(p.trace) {
			return true, nil
		}
	}
	for _, v := range typ.Values {
		n, ok := typeOf(v)
		if !ok {
			continue
		}
		if i, listed := slices.BinarySearch(p.types, n); listed && p.found[i] {
			some = true
		} else {
			missing = append(missing, n)
		}
	}
	return some, missing
}

func (s *typeSet) inTrace(t *prv.Trace) bool {
	for i := range t.Threads {
		if slices.ContainsFunc(t.Threads[i].Events.Type, s.has) {
			return true
		}
	}
	return false
}
