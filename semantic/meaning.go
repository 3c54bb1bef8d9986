package semantic

import (
	"math"
	"strconv"

	"pview/filter"
	"pview/prv"
)

// Meaning is what the values of a window are numbers of.
type Meaning uint8

// The meanings.
const (
	PlainNumbers Meaning = iota
	StateCodes
	EventTypes
	EventValues
)

// Meaning tells what the values of a window are numbers of: states or event types
// or values where its functions pass these on, plain numbers where they compute
// something else.
func (w *Window) Meaning() Meaning {
	if w.Derived != nil {
		return PlainNumbers
	}
	for _, l := range way(w.Level) {
		if l != prv.LevelThread && !passesOn[w.Functions[l].Name] || !passesOn[w.Compose[l].Name] {
			return PlainNumbers
		}
	}
	for _, c := range append([]Call{w.Top2, w.Top1}, w.Extra...) {
		if !passesOn[c.Name] {
			return PlainNumbers
		}
	}
	switch w.Functions[prv.LevelThread].Name {
	case "State As Is", "Given State":
		return StateCodes
	case "Last Evt Type", "Next Evt Type":
		return EventTypes
	case "Last Evt Val", "Last Evt Val w/o Bursts", "Next Evt Val", "Given Evt Val":
		return EventValues
	}
	return PlainNumbers
}

// passesOn are the functions whose result is one of the values that they are
// given, or 0.
var passesOn = map[string]bool{
	"": true, "As Is": true, "Select Range": true, "Select Range [)": true, "Is Equal": true, "Stacked Val": true, "In Stacked Val": true,
	"Join Bursts": true, "Timer": true,
	"Active Thd": true, "Active Thd Val": true,
	"Adding": true, "Maximum": true, "Minimum": true, "Activity": true, "Mode": true, "Thread i": true, "Changed value": true,
}

// Labels names the values of a window on a trace. It is read-only and safe for
// concurrent use.
type Labels struct {
	meaning Meaning
	trace   *prv.Trace
	types   []*prv.EventType // in which event values are looked up
}

// Labels returns the names of the window's values on a trace.
func (w *Window) Labels(t *prv.Trace) *Labels {
	l := &Labels{meaning: w.Meaning(), trace: t}
	if l.meaning == EventValues {
		c := &w.Filter.Events.Type
		for i := range t.Labels.Types {
			if e := &t.Labels.Types[i]; c.Func != filter.Equal || c.Test(float64(e.Type)) {
				l.types = append(l.types, e)
			}
		}
	}
	return l
}

// Name returns what Paraver calls a value: "Running", "MPI_Send", "value 7"; a plain
// number in digits.
func (l *Labels) Name(v float64) string {
	n := int64(v)
	if l.meaning == PlainNumbers || float64(n) != v || math.Abs(v) >= 1<<63 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	switch l.meaning {
	case StateCodes:
		return l.trace.Labels.StateName(n)
	case EventTypes:
		if n >= 0 && n <= math.MaxUint32 {
			return l.trace.Labels.TypeName(uint32(n))
		}
	}
	for _, e := range l.types {
		if s, ok := e.ValueLabel(n); ok {
			return s
		}
	}
	return "value " + strconv.FormatInt(n, 10)
}
