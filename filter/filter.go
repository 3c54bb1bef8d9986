// Package filter decides which events and communications of a trace a window
// sees. State records always pass.
//
// A Filter is a plain value: what the user chose, independent of any trace. To
// use it on a trace it is compiled into a Pass, which resolves labels, object
// numbers and units once, and answers per record without maps or interface
// calls.
package filter

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Filter selects the events and communications that a window sees.
type Filter struct {
	Events EventFilter
	Comms  CommFilter
}

// EventFilter selects events by type and by value.
type EventFilter struct {
	Type  Criterion
	Value Criterion
	// Or: one match is enough; otherwise type and value must both pass.
	Or bool
}

// CommFilter selects communications. The criteria are checked in the order of the fields, with Paraver's short cuts:
// see CommPass.Has.
type CommFilter struct {
	Logical, Physical bool // the program's times, the network's times
	Intra, Inter      bool // both ends on one node, on two

	// From and To are numbers (1-based) of objects of the window's level.
	From, To Criterion
	FromToOr bool // one of From and To is enough
	// Partner is the number of the object at the other end, seen from the row that counts the message; a message
	// outside of a row passes by either end. Paraver has no such criterion: a .cfg cannot hold it.
	Partner Criterion

	Tag       Criterion
	Size      Criterion // bytes
	TagSizeOr bool      // one of Tag and Size is enough

	// Bandwidth is the size over the duration in the window's unit of time.
	Bandwidth Criterion
}

// Criterion compares a number of a record with a list of numbers.
type Criterion struct {
	Func   Func
	Values []float64
	// Labels, if not nil, parallels Values: Labels[i], if in the trace's .pcf, replaces Values[i] by all numbers with
	// this label. Only event types and values have labels.
	Labels []string
}

// Default returns the filter of a new window: logical communications on,
// physical ones off, everything else passes.
func Default() Filter {
	return Filter{Comms: CommFilter{Logical: true, Intra: true, Inter: true}}
}

// Only returns the default filter, restricted to events of the given types.
func Only(types ...uint32) Filter {
	f := Default()
	f.Events.Type.Func = Equal
	for _, t := range types {
		f.Events.Type.Values = append(f.Events.Type.Values, float64(t))
	}
	return f
}

// Equal reports whether two filters select the same.
func (f *Filter) Equal(g *Filter) bool {
	a, b := &f.Comms, &g.Comms
	return f.Events.Equal(&g.Events) &&
		a.Logical == b.Logical && a.Physical == b.Physical && a.Intra == b.Intra && a.Inter == b.Inter &&
		a.FromToOr == b.FromToOr && a.TagSizeOr == b.TagSizeOr &&
		a.From.Equal(&b.From) && a.To.Equal(&b.To) && a.Partner.Equal(&b.Partner) && a.Tag.Equal(&b.Tag) &&
		a.Size.Equal(&b.Size) && a.Bandwidth.Equal(&b.Bandwidth)
}

// Equal reports whether two filters select the same events.
func (f *EventFilter) Equal(g *EventFilter) bool {
	return f.Or == g.Or && f.Type.Equal(&g.Type) && f.Value.Equal(&g.Value)
}

// Clone returns a filter that shares no memory with f.
func (f *Filter) Clone() Filter {
	g := *f
	for _, c := range g.criteria() {
		c.Values = slices.Clone(c.Values)
		c.Labels = slices.Clone(c.Labels)
	}
	return g
}

// Key returns a text that two filters share if and only if they select the same.
func (f *Filter) Key() string {
	var b strings.Builder
	c := &f.Comms
	fmt.Fprintf(&b, "|%t%t%t%t%t%t%t", f.Events.Or, c.Logical, c.Physical, c.Intra, c.Inter, c.FromToOr, c.TagSizeOr)
	for _, cr := range f.criteria() {
		fmt.Fprintf(&b, "|%d:", cr.Func)
		for _, v := range cr.Values {
			b.WriteString(strconv.FormatFloat(v, 'g', -1, 64))
			b.WriteByte(' ')
		}
		for _, l := range cr.Labels {
			b.WriteString(strconv.Quote(l))
		}
	}
	return b.String()
}

// Equal reports whether two criteria select the same.
func (c *Criterion) Equal(d *Criterion) bool {
	return c.Func == d.Func && slices.Equal(c.Values, d.Values) && slices.Equal(c.Labels, d.Labels)
}

func (f *Filter) criteria() []*Criterion {
	return []*Criterion{
		&f.Events.Type, &f.Events.Value,
		&f.Comms.From, &f.Comms.To, &f.Comms.Partner, &f.Comms.Tag, &f.Comms.Size, &f.Comms.Bandwidth,
	}
}
