// Package label names the values of windows, as Paraver prints them and as screens show them.
package label

import (
	"math"
	"strconv"
	"strings"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/device"
	"pview/prv/quantity"
	"pview/semantic"
)

// Set names the values of a window on a trace. It is read-only and safe for
// concurrent use.
type Set struct {
	meaning semantic.Meaning
	trace   *prv.Trace
	level   prv.Level
	unit    semantic.Unit
	types   []*prv.EventType // in which event values are looked up
	named   map[float64]string
}

// Of returns the names of a window's values on a trace, as Paraver prints them.
func Of(w *semantic.Window, t *prv.Trace) *Set { return OfMeaning(w, t, w.Meaning()) }

// OfMeaning returns the names of values of the given meaning.
func OfMeaning(w *semantic.Window, t *prv.Trace, m semantic.Meaning) *Set {
	l := &Set{meaning: m, trace: t, level: w.Level, unit: w.Unit}
	if m == semantic.EventValues {
		source := w
		for source.Derived != nil {
			source = source.Derived.A.Window
		}
		l.types = source.Filter.Events.Types(t.Labels)
	}
	if m == semantic.Named {
		l.named = map[float64]string{}
		for _, v := range w.ValuesOf() {
			l.named[v.Value] = v.Name
		}
	}
	return l
}

// Meaning returns the meaning of the values that are named.
func (l *Set) Meaning() semantic.Meaning { return l.meaning }

// Unit returns the window's unit of time.
func (l *Set) Unit() semantic.Unit { return l.unit }

// objectLevels are the levels of the objects that values are numbers of.
var objectLevels = map[semantic.Meaning]prv.Level{
	semantic.Ptasks: prv.LevelPtask, semantic.Tasks: prv.LevelTask, semantic.Threads: prv.LevelThread,
	semantic.Nodes: prv.LevelNode, semantic.CPUs: prv.LevelCPU,
}

// bandwidthUnits are the units of bandwidths by the window's unit of time.
var bandwidthUnits = map[semantic.Unit]string{
	semantic.Nanoseconds: "GB/sec", semantic.Microseconds: "MB/sec", semantic.Milliseconds: "KB/sec",
	semantic.Seconds: "bytes/sec"}

// Name returns Paraver's name of a value: "Running", "MPI_Send", "value 7", "64 bytes"; a plain number in digits.
func (l *Set) Name(v float64) string {
	switch l.meaning {
	case semantic.EventValues:
		return l.eventValue(v)
	case semantic.Named:
		if name, ok := l.named[v]; ok {
			return name
		}
		return "value " + digits(v)
	case semantic.Bytes:
		return digits(v) + " bytes"
	case semantic.Times:
		return digits(v) + " " + l.unit.String()
	case semantic.Bandwidths:
		if unit, ok := bandwidthUnits[l.unit]; ok {
			return digits(v) + " " + unit
		}
		return digits(v)
	}
	if v != math.Trunc(v) || math.Abs(v) >= 1<<63 {
		return digits(v)
	}
	n := int64(v)
	switch l.meaning {
	case semantic.StateCodes:
		return l.trace.Labels.StateName(n)
	case semantic.EventTypes:
		return l.eventType(n)
	case semantic.Partners:
		return l.object(l.level, n)
	}
	if level, ok := objectLevels[l.meaning]; ok {
		return l.object(level, n)
	}
	return digits(v)
}

func digits(v float64) string { return quantity.FormatGrouped(v, -1) }

// Shorten returns the name of a value as screens show it: that of a kernel without arguments, template arguments and
// namespace.
func (l *Set) Shorten(name string) string {
	if l.meaning == semantic.EventValues && len(l.types) == 1 && device.IsKernel(l.types[0].Type) {
		name = extrae.ShortName(name)
		if i := strings.LastIndex(name, "::"); i >= 0 {
			name = name[i+len("::"):]
		}
	}
	return name
}

// eventType returns the label of an event type.
func (l *Set) eventType(n int64) string {
	if n >= 0 && n <= math.MaxUint32 {
		if name := l.trace.Labels.TypeName(uint32(n)); name != "type "+strconv.FormatInt(n, 10) {
			return name
		}
	}
	return "type " + digits(float64(n))
}

// objectNouns are the nouns in the names of objects that a trace does not have.
var objectNouns = map[prv.Level]string{
	prv.LevelWorkload: "workload", prv.LevelPtask: "application", prv.LevelTask: "task", prv.LevelThread: "thread",
	prv.LevelSystem: "system", prv.LevelNode: "node", prv.LevelCPU: "CPU",
}

// object returns the name of an object by its number, counted from 1. As in Paraver, numbers below 1 are reduced to 16
// bits, counted from 0 on the process side, and only CPU and node have a name for number 0.
func (l *Set) object(level prv.Level, n int64) string {
	if n > 0 && n <= int64(l.trace.Count(level)) {
		return l.trace.Name(level, int(n-1))
	}
	invalid := func(n int64) string { return "Not valid " + objectNouns[level] + ": " + strconv.FormatInt(n, 10) }
	switch {
	case level == prv.LevelWorkload || level == prv.LevelSystem:
		return digits(float64(n))
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

// wrapped returns a negative number modulo 2^16.
func wrapped(n int64) int64 {
	if n < 0 {
		return int64(uint16(n))
	}
	return n
}

// eventValue returns the label of the first type that has one for the value. Labels belong to unscaled values.
func (l *Set) eventValue(v float64) string {
	for _, e := range l.types {
		n := math.Round(v / e.Factor())
		if s, ok := e.ValueLabel(int64(n)); ok && n*e.Factor() == v {
			return s
		}
	}
	return "value " + digits(v)
}
