// Package workload characterises the load that a program puts on a machine, as MEDEA did (Merlo & Worley, Analyzing
// PICL Trace Data with MEDEA, 1993) and as the clustering of CPU bursts does: a trace is cut into components (runs,
// tasks, bursts, messages, collectives, events of the user), each with some parameters; groups of similar components
// are clusters; a cluster has a share, means and distributions. The result is a model of the workload that is far
// smaller than the trace.
//
//	components   Extract: Set, a table of components and parameters
//	points       Settings: filters, logarithms, scaling
//	method       k-means or density (package cluster)
//	result       Result: clusters by time, with the cluster of each component
package workload

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"pview/insight/report"
	"pview/prv"
	"pview/prv/quantity"
)

// Column is a parameter of components: one value each, NaN where it is missing. Times are in ns.
type Column struct {
	Name, Doc string
	Unit      string // "ns", "B" or ""
	Values    []float64
}

// Set is the components of a kind.
type Set struct {
	Kind    *Kind
	Columns []Column
	// Thread, Begin and End (in the trace's unit) are the place of a component; Thread is -1 for a component on
	// several, and all three are nil for runs.
	Thread     []int32
	Begin, End []int64
	// Key is a number that depends on the kind: the type of a user event (with Value), the call of a collective. nil:
	// none.
	Key   []int64
	Value []int64
	// Names are the names of components, nil if they are named by thread and time.
	Names []string
	Trace *prv.Trace
	Notes []string
	n     int
}

// Len returns the number of components.
func (s *Set) Len() int { return s.n }

// Column returns a column by its name, nil for none.
func (s *Set) Column(name string) *Column {
	for i := range s.Columns {
		if s.Columns[i].Name == name {
			return &s.Columns[i]
		}
	}
	return nil
}

// Copy returns a set with the same components. Columns measured for it are not added to s, which others may read
// meanwhile.
func (s *Set) Copy() *Set {
	c := *s
	c.Columns = slices.Clone(s.Columns)
	return &c
}

// Time returns the parameter by whose sum clusters are ordered.
func (s *Set) Time() *Column { return s.Column(s.Kind.Time) }

// Name names a component.
func (s *Set) Name(i int) string {
	if s.Names != nil {
		return s.Names[i]
	}
	name := quantity.NewTimeFormat(s.Trace.Unit, s.End[i], 1).Range(s.Begin[i], s.End[i])
	if s.Thread[i] >= 0 {
		name = report.ObjectID(s.Trace, prv.LevelThread, int(s.Thread[i])) + " " + name
	}
	return name
}

// add adds an empty column.
func (s *Set) add(name, unit, doc string) *Column {
	s.Columns = append(s.Columns, Column{Name: name, Unit: unit, Doc: doc, Values: make([]float64, s.n)})
	return &s.Columns[len(s.Columns)-1]
}

// Kind is a kind of components.
type Kind struct {
	Name, Doc string
	// Time is the parameter that is the time of a component.
	Time string
	// Method is the default method for several parameters.
	Method string
	// Default has the names of the default parameters for clustering.
	Default []string
	extract func(ctx context.Context, t *prv.Trace, opt Options) (*Set, error)
}

// Kinds are the kinds of components.
var Kinds = []Kind{
	{"burst", "a stretch of computation: a state of useful work", "duration", "dbscan", nil, extractBursts},
	{"task", "a thread of a task", "extime", "kmeans", []string{"extime", "cptime", "cmtime"}, extractTasks},
	{"run", "a trace", "extime", "kmeans", []string{"extime", "cptime", "cmtime"}, extractRun},
	{"message", "a communication", "transfer", "kmeans", []string{"size", "transfer"}, extractMessages},
	{"collective", "a collective operation, of all its tasks", "duration", "kmeans", []string{"duration", "spread"},
		extractCollectives},
	{"event", "a kind of user event or user function on a thread", "ctime", "kmeans",
		[]string{"ctime", "stime", "utime"}, extractEvents},
}

// KindByName returns a kind.
func KindByName(name string) (*Kind, error) {
	var names []string
	for i := range Kinds {
		if strings.EqualFold(Kinds[i].Name, name) {
			return &Kinds[i], nil
		}
		names = append(names, Kinds[i].Name)
	}
	return nil, fmt.Errorf("unknown component %q: must be one of %s", name, strings.Join(names, ", "))
}

// Options limit the extraction.
type Options struct {
	// From and To limit components to those within a part of the run, in the trace's unit; To 0: its end.
	From, To int64
	// Threads limits components to some threads; nil: all.
	Threads []int32
	// Types are the event types whose values are regions: bursts of them instead of states, or user events.
	Types   []uint32
	Workers int
}

// window returns the part of the run.
func (o *Options) window(t *prv.Trace) (from, to int64) {
	if o.To == 0 {
		return o.From, math.MaxInt64
	}
	return o.From, o.To
}

// has reports whether a thread is asked for.
func (o *Options) has(thread int32) bool {
	return o.Threads == nil || slices.Contains(o.Threads, thread)
}

// Extract finds the components of a kind in a trace, with the kind's parameters.
func Extract(ctx context.Context, t *prv.Trace, kind *Kind, opt Options) (*Set, error) {
	s, err := kind.extract(ctx, t, opt)
	if err != nil {
		return nil, err
	}
	s.Kind, s.Trace = kind, t
	return s, nil
}
