package tui

import (
	"math"
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
	if m == semantic.PlainNumbers || w.Level == prv.LevelThread || w.Level == prv.LevelCPU {
		return m
	}
	for _, l := range prv.Levels {
		if l.IsResource() == w.Level.IsResource() && l >= w.Level && w.Functions[l].Name == "Adding" && t.tr.Count(w.Level) != t.tr.NumThreads() {
			return semantic.PlainNumbers
		}
	}
	return m
}

// isSwitch reports whether a window's values are yes or no.
func isSwitch(w *semantic.Window) bool {
	switch w.Functions[prv.LevelThread].Name {
	case "Useful", "In State":
		return w.Level == prv.LevelThread && plain(w.Top1) && plain(w.Top2) && len(w.Extra) == 0
	}
	return false
}

// plain reports whether a compose function leaves values alone.
func plain(c semantic.Call) bool { return c.Name == "" || c.Name == "As Is" }

// valueName is what a value of a window is called, "" where it is but a number.
func (t *openTrace) valueName(w *semantic.Window, v float64) string {
	n := int64(v)
	if float64(n) != v || math.IsNaN(v) {
		return ""
	}
	switch t.meaning(w) {
	case semantic.StateCodes:
		return t.tr.Labels.StateName(n)
	case semantic.EventTypes:
		if n > 0 && n <= math.MaxUint32 {
			return t.typeLabel(uint32(n))
		}
	case semantic.EventValues:
		return t.eventValueName(w, n)
	}
	if n == 1 && isSwitch(w) {
		return switchName(t, w)
	}
	return ""
}

// eventValueName looks a value up in the types that the window's filter lists; 0
// is the end of whatever the value says, unless it has a name of its own.
func (t *openTrace) eventValueName(w *semantic.Window, n int64) string {
	for _, typ := range listedTypes(&w.Filter) {
		if e, ok := t.tr.Labels.Type(typ); ok {
			if s, ok := e.ValueLabel(n); ok {
				return s
			}
		}
	}
	return ""
}

// switchName is what the value 1 of a function that answers yes or no stands for.
func switchName(t *openTrace, w *semantic.Window) string {
	call := w.Functions[prv.LevelThread]
	if call.Name == "Useful" {
		return t.tr.Labels.StateName(1)
	}
	if call.Name == "In State" && len(call.Params) > 0 {
		var names []string
		for _, v := range call.Params[0] {
			names = append(names, t.tr.Labels.StateName(int64(v)))
		}
		return strings.Join(names, " or ")
	}
	return ""
}

// valueText is a value for a person: its name and number, or the number alone.
func (t *openTrace) valueText(w *semantic.Window, v float64) string {
	number := raster.FormatValue(v, "")
	if name := t.valueName(w, v); name != "" {
		return name + " (" + number + ")"
	}
	return number
}

// legendText is what the legend calls a value.
func (t *openTrace) legendText(w *semantic.Window, v float64) string {
	if name := t.valueName(w, v); name != "" {
		return name
	}
	if v == 0 && t.meaning(w) == semantic.EventValues {
		return "outside"
	}
	return raster.FormatValue(v, "")
}
