// Package calls finds the calls of a trace's threads: MPI calls, user functions and OpenMP constructs, each with its
// begin and end. In a trace they are events: a value other than 0 begins a call, 0 ends the innermost one.
package calls

import (
	"slices"

	"pview/prv"
	"pview/prv/extrae"
)

// Families are the families of event types that begin and end calls.
var Families = []struct {
	Family extrae.Family
	Name   string
}{
	{extrae.MPI, "MPI calls"},
	{extrae.Functions, "functions"},
	{extrae.OpenMP, "OpenMP"},
}

// Types returns the event types of a trace that begin and end calls.
type Types struct{ family map[uint32]int }

// TypesOf returns the types of a trace with the given labels.
func TypesOf(l *prv.Labels) *Types {
	t := &Types{map[uint32]int{}}
	words := extrae.Of(l)
	for i := range Families {
		for _, typ := range words.Family(Families[i].Family) {
			t.family[typ] = i
		}
	}
	return t
}

// Family returns the position of a type's family in Families; ok is false for other types.
func (t *Types) Family(typ uint32) (i int, ok bool) {
	i, ok = t.family[typ]
	return i, ok
}

// Call is a call of a thread.
type Call struct {
	Family     int // position in Families
	Type       uint32
	Value      int64
	Begin, End int64
	Depth      int // number of enclosing calls of the family
}

// Each calls begin when a call begins and end when it ends, in time order; calls of one family are nested. A call that
// is open at the end of the trace ends there, and an end without a begin is ignored. Either function may be nil; begin
// gets an End of -1.
func (t *Types) Each(tr *prv.Trace, thread int, begin, end func(c Call) error) error {
	return t.EachFrom(tr, thread, 0, begin, end)
}

// Last returns the last event of a family before a time from which EachFrom finds all calls of that family, except
// nested ones; 0 if none.
func (t *Types) Last(tr *prv.Trace, thread int, before int64, family extrae.Family) int {
	ev := &tr.Threads[thread].Events
	at, _ := slices.BinarySearch(ev.Time, before)
	for at--; at > 0; at-- {
		if f, ok := t.family[ev.Type[at]]; ok && Families[f].Family == family {
			return at
		}
	}
	return 0
}

// EachFrom is Each for the events from first on, as if there were none before.
func (t *Types) EachFrom(tr *prv.Trace, thread, first int, begin, end func(c Call) error) error {
	open := make([][]Call, len(Families))
	ev := &tr.Threads[thread].Events
	finish := func(f int, at int64) error {
		last := len(open[f]) - 1
		c := open[f][last]
		open[f] = open[f][:last]
		c.End = at
		if end == nil {
			return nil
		}
		return end(c)
	}
	for i := first; i < ev.Len(); i++ {
		typ := ev.Type[i]
		f, ok := t.family[typ]
		if !ok {
			continue
		}
		if ev.Value.At(i) == 0 {
			if len(open[f]) > 0 {
				if err := finish(f, ev.Time[i]); err != nil {
					return err
				}
			}
			continue
		}
		c := Call{Family: f, Type: typ, Value: ev.Value.At(i), Begin: ev.Time[i], End: -1, Depth: len(open[f])}
		if len(open[f]) < deepest {
			open[f] = append(open[f], c)
			if begin != nil {
				if err := begin(c); err != nil {
					return err
				}
			}
		}
	}
	for f := range open {
		for len(open[f]) > 0 {
			if err := finish(f, tr.Duration); err != nil {
				return err
			}
		}
	}
	return nil
}

// deepest bounds the memory for a trace that never ends its calls.
const deepest = 100_000
