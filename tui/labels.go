package tui

import (
	"math"
	"strconv"
	"strings"

	"pview/filter"
	"pview/prv"
	"pview/semantic"
	"pview/tui/raster"
)

// What the numbers on the screen are called.

// compileFilter prepares a window's filter for a trace.
func compileFilter(t *prv.Trace, w *semantic.Window) *filter.Pass {
	perUnit := float64(semantic.Units[w.Unit].Nanoseconds) / float64(t.Unit.Nanoseconds())
	return w.Filter.Compile(t, w.Level, perUnit)
}

// meaning is what the values of a window on a trace are numbers of. A sum of codes
// is one only where every object has a single thread.
func (t *openTrace) meaning(w *semantic.Window) semantic.Meaning {
	m := w.Meaning()
	if isAmount(m) || w.Level == prv.LevelThread || w.Level == prv.LevelCPU {
		return m
	}
	for _, l := range prv.Levels {
		if l.IsResource() == w.Level.IsResource() && l >= w.Level && w.Functions[l].Name == "Adding" && t.tr.Count(w.Level) != t.tr.NumThreads() {
			return semantic.PlainNumbers
		}
	}
	return m
}

// isAmount reports whether values tell how much, not which.
func isAmount(m semantic.Meaning) bool {
	return m == semantic.PlainNumbers || m == semantic.Times || m == semantic.Bytes
}

// isSwitch reports whether a window's values are yes or no.
func isSwitch(w *semantic.Window) bool {
	switch w.Functions[prv.LevelThread].Name {
	case "Useful", "State Sign", "In State", "Not In State", "In Evt Val", "Not In Evt Val", "In Evt Range":
		return w.Level == prv.LevelThread && plain(w.Top1) && plain(w.Top2) && len(w.Extra) == 0
	}
	return false
}

// plain reports whether a compose function leaves values alone.
func plain(c semantic.Call) bool { return c.Name == "" || c.Name == "As Is" }

// valueName is what a value of a window is called, "" where it is but a number.
func (w *window) valueName(v float64) string {
	if v == 1 && isSwitch(&w.sem) {
		return w.switchName()
	}
	m := w.trace.meaning(&w.sem)
	if isAmount(m) || w.values.labels == nil {
		return ""
	}
	name := w.values.labels.Name(v)
	if m == semantic.EventValues && strings.HasPrefix(name, "value ") || name == strconv.FormatFloat(v, 'f', -1, 64) {
		return ""
	}
	return name
}

// switchName is what the value 1 of a function that answers yes or no stands for.
func (w *window) switchName() string {
	call, labels := w.sem.Functions[prv.LevelThread], w.trace.tr.Labels
	if call.Name == "Useful" {
		return labels.StateName(1)
	}
	if len(call.Params) == 0 || len(call.Params[0]) > 3 {
		return ""
	}
	var names []string
	for _, v := range call.Params[0] {
		switch call.Name {
		case "In State":
			names = append(names, labels.StateName(int64(v)))
		case "In Evt Val":
			names = append(names, eventLabel(labels, listedTypes(&w.sem.Filter), v))
		}
	}
	return strings.Join(names, " or ")
}

// eventLabel is the label of a value in the first of some types that has one, else
// the number.
func eventLabel(labels *prv.Labels, types []uint32, v float64) string {
	for _, typ := range types {
		if e, ok := labels.Type(typ); ok {
			if s, ok := e.ValueLabel(int64(math.Round(v / e.Factor()))); ok {
				return s
			}
		}
	}
	return raster.FormatValue(v, "")
}

// valueNumber is a value in digits, with its unit.
func (w *window) valueNumber(v float64) string {
	switch w.trace.meaning(&w.sem) {
	case semantic.Times:
		return raster.FormatValue(v, w.sem.Unit.String())
	case semantic.Bytes:
		return raster.FormatValue(v, "bytes")
	}
	return raster.FormatValue(v, "")
}

// valueText is a value for a person: its name and number, or the number alone.
func (w *window) valueText(v float64) string {
	if name := w.valueName(v); name != "" {
		return name + " (" + raster.FormatValue(v, "") + ")"
	}
	return w.valueNumber(v)
}

// legendText is what the legend calls a value.
func (w *window) legendText(v float64) string {
	if name := w.valueName(v); name != "" {
		return name
	}
	if v == 0 && w.trace.meaning(&w.sem) == semantic.EventValues {
		return "outside"
	}
	return w.valueNumber(v)
}
