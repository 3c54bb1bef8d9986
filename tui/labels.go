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

// codes says what the values of a window are numbers of.
type codes uint8

const (
	plainNumbers codes = iota
	stateCodes
	typeCodes
	valueCodes
	switchCodes // 1 and 0
)

// codesOf tells what the values of a window stand for. Folds that add make
// numbers out of codes; functions on top of them as well.
func codesOf(w *semantic.Window) codes {
	if w.Derived != nil || !plain(w.Top1) || !plain(w.Top2) || len(w.Extra) > 0 {
		return plainNumbers
	}
	switch w.Level {
	case prv.LevelThread:
	case prv.LevelCPU:
		if !strings.HasPrefix(w.Functions[prv.LevelCPU].Name, "Active Thd") {
			return plainNumbers
		}
	default:
		if !keepsCodes[w.Functions[w.Level].Name] {
			return plainNumbers
		}
	}
	switch w.Functions[prv.LevelThread].Name {
	case "State As Is", "Given State":
		return stateCodes
	case "Last Evt Type", "Next Evt Type":
		return typeCodes
	case "Last Evt Val", "Last Evt Val w/o Bursts", "Next Evt Val", "Given Evt Val":
		return valueCodes
	case "Useful", "State Sign", "In State", "Not In State", "In Evt Val", "Not In Evt Val", "In Evt Range":
		return switchCodes
	}
	return plainNumbers
}

// keepsCodes are the folds whose result is one of the values folded.
var keepsCodes = map[string]bool{"Maximum": true, "Minimum": true, "Mode": true, "Thread i": true, "Activity": true, "Changed value": true}

// plain reports whether a compose function leaves values alone.
func plain(c semantic.Call) bool { return c.Name == "" || c.Name == "As Is" }

// valueName is what a value of a window is called, "" where it is but a number.
func (t *openTrace) valueName(w *semantic.Window, v float64) string {
	n := int64(v)
	if float64(n) != v || math.IsNaN(v) {
		return ""
	}
	switch codesOf(w) {
	case stateCodes:
		return t.tr.Labels.StateName(n)
	case typeCodes:
		if n > 0 && n <= math.MaxUint32 {
			return t.typeLabel(uint32(n))
		}
	case valueCodes:
		return t.eventValueName(w, n)
	case switchCodes:
		if n == 1 {
			return switchName(t, w)
		}
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
	if v == 0 && codesOf(w) == valueCodes {
		return "outside"
	}
	return raster.FormatValue(v, "")
}
