package semantic

import (
	"math"
	"strconv"
	"strings"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/device"
)

// Meaning says what the values of a function or a window stand for.
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
	Partners   // numbers (1-based) of objects of the window's level
	Bandwidths // bytes per unit of time of the window
	Named      // of the function's own: see Entry.Values
	// PassedOn is of functions whose values mean the same as those that they are
	// given. No window has it.
	PassedOn
)

// IsAmount reports whether values say how much, not which.
func (m Meaning) IsAmount() bool {
	return m == PlainNumbers || m == Times || m == Bytes || m == Bandwidths
}

// YesNo returns the thread function of a window whose values are 1 and 0, and the call of it; ok is false for other
// windows: those that make something else of the answer.
func (w *Window) YesNo() (e *Entry, c Call, ok bool) {
	c = w.Functions[prv.LevelThread]
	e, ok = Lookup(ThreadFunctions, c.Name)
	return e, c, ok && e.YesNo && w.Derived == nil && w.Level == prv.LevelThread && w.Top1.IsAsIs() &&
		w.Top2.IsAsIs() && len(w.Extra) == 0
}

// Meaning returns what the values of a window stand for, as Paraver decides it:
// from the outside in, by the first function that does not pass values on. Sums are
// plain numbers.
func (w *Window) Meaning() Meaning { return w.meaning(func(prv.Level) bool { return false }) }

// MeaningOn is Meaning where the sum over a single child, as that over the only thread
// of every task of a trace, means what the child does.
func (w *Window) MeaningOn(t *prv.Trace) Meaning {
	return w.meaning(func(l prv.Level) bool {
		levels := way(l)
		return len(levels) > 1 && w.Functions[l].Name == "Adding" && t.Count(l) == t.Count(levels[len(levels)-2])
	})
}

// meaning is Meaning; the functions of the levels for which passes is true pass their
// values on.
func (w *Window) meaning(passes func(l prv.Level) bool) Meaning {
	m := PlainNumbers
	for i, l := range w.levels() {
		switch {
		case w.Derived != nil && i == 0:
			m = w.Derived.meaning(passes)
		case !passes(l):
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
	case e.Meaning == PassedOn || c.condition() != "":
		return m
	}
	return e.Meaning
}

// meaning returns that of an operation's values: that of the first parent, whatever
// the second one's and the factors, since Paraver has it so.
func (d *Derived) meaning(passes func(l prv.Level) bool) Meaning {
	e, ok := Lookup(DerivedFunctions, d.Op.Name)
	if !ok || e.Meaning != PassedOn {
		return PlainNumbers
	}
	return d.A.Window.meaning(passes)
}

// Labels names the values of a window on a trace. It is read-only and safe for
// concurrent use.
type Labels struct {
	meaning Meaning
	trace   *prv.Trace
	level   prv.Level
	unit    Unit
	types   []*prv.EventType // in which event values are looked up
	named   map[float64]string
}

// Labels returns the names of the window's values on a trace, as Paraver prints
// them.
func (w *Window) Labels(t *prv.Trace) *Labels { return w.LabelsOf(t, w.Meaning()) }

// LabelsOf returns the names of values of the given meaning.
func (w *Window) LabelsOf(t *prv.Trace, m Meaning) *Labels {
	l := &Labels{meaning: m, trace: t, level: w.Level, unit: w.Unit}
	if m == EventValues {
		source := w
		for source.Derived != nil {
			source = source.Derived.A.Window
		}
		l.types = source.Filter.Events.Types(t.Labels)
	}
	if m == Named {
		l.named = map[float64]string{}
		for _, v := range w.ValuesOf() {
			l.named[v.Value] = v.Name
		}
	}
	return l
}

// Meaning returns the meaning of the values that are named.
func (l *Labels) Meaning() Meaning { return l.meaning }

// Unit returns the window's unit of time.
func (l *Labels) Unit() Unit { return l.unit }

// objectLevels are the levels of the objects that values are numbers of.
var objectLevels = map[Meaning]prv.Level{
	Ptasks: prv.LevelPtask, Tasks: prv.LevelTask, Threads: prv.LevelThread, Nodes: prv.LevelNode, CPUs: prv.LevelCPU,
}

// bandwidthUnits are the units of bandwidths by the window's unit of time.
var bandwidthUnits = map[Unit]string{Nanoseconds: "GB/sec", Microseconds: "MB/sec", Milliseconds: "KB/sec",
	Seconds: "bytes/sec"}

// Name returns what Paraver calls a value: "Running", "MPI_Send", "value 7",
// "64 bytes"; a plain number in digits.
func (l *Labels) Name(v float64) string {
	digits := Grouped(v, -1)
	switch l.meaning {
	case EventValues:
		return l.eventValue(v)
	case Named:
		if name, ok := l.named[v]; ok {
			return name
		}
		return "value " + digits
	case Bytes:
		return digits + " bytes"
	case Times:
		return digits + " " + l.unit.String()
	case Bandwidths:
		if unit, ok := bandwidthUnits[l.unit]; ok {
			return digits + " " + unit
		}
		return digits
	}
	n := int64(v)
	if float64(n) != v || math.Abs(v) >= 1<<63 {
		return digits
	}
	switch l.meaning {
	case StateCodes:
		return l.trace.Labels.StateName(n)
	case EventTypes:
		return l.eventType(n, digits)
	case Partners:
		return l.object(l.level, n, digits)
	}
	if level, ok := objectLevels[l.meaning]; ok {
		return l.object(level, n, digits)
	}
	return digits
}

// Shorten returns the name of a value as screens show it: that of a kernel without its arguments, those of its
// template, and its namespace.
func (l *Labels) Shorten(name string) string {
	if l.meaning == EventValues && len(l.types) == 1 && device.IsKernel(l.types[0].Type) {
		name = extrae.ShortName(name)
		if i := strings.LastIndex(name, "::"); i >= 0 {
			name = name[i+len("::"):]
		}
	}
	return name
}

// eventType returns the label of an event type.
func (l *Labels) eventType(n int64, digits string) string {
	unnamed := "type " + digits
	if n < 0 || n > math.MaxUint32 {
		return unnamed
	}
	if name := l.trace.Labels.TypeName(uint32(n)); name != "type "+strconv.FormatInt(n, 10) {
		return name
	}
	return unnamed
}

// objectNouns are the words for an object that a trace does not have.
var objectNouns = map[prv.Level]string{
	prv.LevelWorkload: "workload", prv.LevelPtask: "application", prv.LevelTask: "task", prv.LevelThread: "thread",
	prv.LevelSystem: "system", prv.LevelNode: "node", prv.LevelCPU: "CPU",
}

// object returns the name of an object by its number, counted from 1. Paraver has
// numbers below as they read in 16 bits, those of processes counted from 0, and so
// has an object 0 on the side of the resources only.
func (l *Labels) object(level prv.Level, n int64, digits string) string {
	if n > 0 && n <= int64(l.trace.Count(level)) {
		return l.trace.Name(level, int(n-1))
	}
	invalid := func(n int64) string { return "Not valid " + objectNouns[level] + ": " + strconv.FormatInt(n, 10) }
	switch {
	case level == prv.LevelWorkload || level == prv.LevelSystem:
		return digits
	case level == prv.LevelCPU && n == 0:
		return "CPU 0"
	case level == prv.LevelNode && n == 0:
		return "NODE 0"
	case level == prv.LevelCPU:
		return invalid(wrapped(n) + 1)
	case level == prv.LevelNode:
		return invalid(wrapped(n))
	}
	return invalid(wrapped(n-1) + 1)
}

// wrapped returns a negative number as it reads in 16 bits.
func wrapped(n int64) int64 {
	if n < 0 {
		return int64(uint16(n))
	}
	return n
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
	return "value " + Grouped(v, -1)
}
