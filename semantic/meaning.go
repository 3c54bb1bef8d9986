package semantic

import (
	"math"
	"strconv"

	"pview/prv"
)

// Meaning is what the values of a function or a window are numbers of.
type Meaning uint8

// The meanings.
const (
	PlainNumbers Meaning = iota
	StateCodes
	EventTypes
	EventValues
	Times // durations and times, in the window's unit
	Bytes
	Ptasks // numbers (1-based) of objects
	Tasks
	Threads
	Nodes
	CPUs
	// PassedOn is of functions that give back one of the values that they are given, or
	// 0. No window has it.
	PassedOn
)

// Meaning tells what the values of a window are numbers of: states or event types
// or values where its functions pass these on, plain numbers where they compute
// something else. A sum passes on, since it is one of the values wherever an
// object has one child.
func (w *Window) Meaning() Meaning {
	m := PlainNumbers
	for i, l := range w.levels() {
		if w.Derived != nil && i == 0 {
			m = w.Derived.meaning()
		} else {
			m = m.after(FamilyOf(l), &w.Functions[l])
		}
		m = m.after(ComposeFunctions, &w.Compose[l])
	}
	for _, c := range append([]Call{w.Top2, w.Top1}, w.Extra...) {
		m = m.after(ComposeFunctions, &c)
	}
	return m
}

// after returns the meaning of a function's values, given that of those it gets.
func (m Meaning) after(f Family, c *Call) Meaning {
	e, ok := Lookup(f, c.Name)
	switch {
	case !ok:
		return PlainNumbers
	case e.Meaning == PassedOn:
		return m
	}
	return e.Meaning
}

// meaning returns that of an operation's values: one that picks among the values of
// its parents passes on what both mean, one that is controlled what the data mean.
func (d *Derived) meaning() Meaning {
	e, ok := Lookup(DerivedFunctions, d.Op.Name)
	if !ok || e.Meaning != PassedOn || d.A.Factor != 1 {
		return PlainNumbers
	}
	m := d.A.Window.Meaning()
	if e.Group != "Controlled" && (d.B.Factor != 1 || d.B.Window.Meaning() != m) {
		return PlainNumbers
	}
	return m
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
		source := w
		for source.Derived != nil {
			source = source.Derived.A.Window
		}
		pass := source.Filter.TypesOnly().Compile(t, w.Level, 1)
		for i := range t.Labels.Types {
			if e := &t.Labels.Types[i]; pass.Events.Has(e.Type, 0) {
				l.types = append(l.types, e)
			}
		}
	}
	return l
}

// objectLevels are the levels of the objects that values are numbers of.
var objectLevels = map[Meaning]prv.Level{
	Ptasks: prv.LevelPtask, Tasks: prv.LevelTask, Threads: prv.LevelThread, Nodes: prv.LevelNode, CPUs: prv.LevelCPU,
}

// Name returns what Paraver calls a value: "Running", "MPI_Send", "value 7"; a plain
// number in digits.
func (l *Labels) Name(v float64) string {
	n := int64(v)
	digits := func() string { return strconv.FormatFloat(v, 'f', -1, 64) }
	if l.meaning == EventValues {
		return l.eventValue(v)
	}
	if float64(n) != v || math.Abs(v) >= 1<<63 {
		return digits()
	}
	switch l.meaning {
	case StateCodes:
		return l.trace.Labels.StateName(n)
	case EventTypes:
		if n > 0 && n <= math.MaxUint32 {
			return l.trace.Labels.TypeName(uint32(n))
		}
	}
	if level, ok := objectLevels[l.meaning]; ok && n >= 1 && n <= int64(l.trace.Count(level)) {
		return l.trace.Name(level, int(n-1))
	}
	return digits()
}

// eventValue returns the label of the first type that has one for the value.
// Labels are of unscaled values.
func (l *Labels) eventValue(v float64) string {
	for _, e := range l.types {
		n := math.Round(v / e.Factor())
		if s, ok := e.ValueLabel(int64(n)); ok && n*e.Factor() == v {
			return s
		}
	}
	return "value " + strconv.FormatFloat(v, 'f', -1, 64)
}
