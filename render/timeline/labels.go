package timeline

import (
	"math"
	"strings"

	"pview/prv"
	"pview/prv/quantity"
	"pview/render/raster"
	"pview/semantic"
)

// Names of values.

// Meaning returns the meaning of the values of a window on a trace. Values of a window that answers yes or no are plain
// numbers, whatever their names.
func (t *Trace) Meaning(w *semantic.Window) semantic.Meaning {
	if IsSwitch(w) {
		return semantic.PlainNumbers
	}
	return w.MeaningOn(t.Data)
}

// IsSwitch reports whether a window's values are yes or no.
func IsSwitch(w *semantic.Window) bool {
	_, _, ok := w.YesNo()
	return ok
}

// valueName returns the name of a value of a window; "" for plain numbers.
func valueName(w *View, v float64) string {
	if IsSwitch(&w.Sem) {
		return SwitchName(w.Trace.Data.Labels, &w.Sem, v)
	}
	m := w.Trace.Meaning(&w.Sem)
	if m.IsAmount() || w.Values.labels == nil {
		return ""
	}
	name := w.Values.labels.Shorten(w.Values.labels.Name(v))
	if m == semantic.EventValues && strings.HasPrefix(name, "value ") || strings.HasPrefix(name, "Not valid ") ||
		name == quantity.FormatGrouped(v, -1) {
		return ""
	}
	return name
}

// SwitchName names the value 1 of a window that answers yes or no, and 0 as "not ..."; "" for other values, and if
// there is no short name.
func SwitchName(labels *prv.Labels, sem *semantic.Window, v float64) string {
	yes := switchName(labels, sem)
	switch {
	case yes == "" || v != 0 && v != 1:
		return ""
	case v == 0:
		return "not " + yes
	}
	return yes
}

func switchName(labels *prv.Labels, sem *semantic.Window) string {
	e, call, _ := sem.YesNo()
	name := func(v float64) string { return "" }
	switch {
	case e.Meaning == semantic.StateCodes && len(call.Params) == 0:
		return labels.StateName(1) // Useful
	case e.Asks == semantic.StateCodes:
		name = func(v float64) string { return labels.StateName(int64(v)) }
	case e.Asks == semantic.EventValues:
		name = func(v float64) string { return eventLabel(labels, ListedTypes(&sem.Filter), v) }
	}
	if len(call.Params) == 0 || len(call.Params[0]) > 3 || e.Asks == semantic.PlainNumbers {
		return ""
	}
	var names []string
	for _, v := range call.Params[0] {
		names = append(names, name(v))
	}
	return strings.Join(names, " or ")
}

// eventLabel returns the label of a value in the first type that has one, else its number.
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

// valueNumber writes a value in digits, with its unit.
func valueNumber(v float64, unit string) string {
	if v == 1 && len(unit) > len("us") { // one thread
		unit = strings.TrimSuffix(unit, "s")
	}
	return raster.FormatValue(v, unit)
}

// ValueText writes a value: its name and number, or the number alone.
func (w *View) ValueText(v float64) string {
	if name := valueName(w, v); name != "" {
		return name + " (" + raster.FormatValue(v, "") + ")"
	}
	return valueNumber(v, w.ValueUnit())
}

// LegendText returns the name of a value in the legend.
func (w *View) LegendText(v float64) string {
	if name := valueName(w, v); name != "" {
		return name
	}
	if v == 0 && w.Trace.Meaning(&w.Sem) == semantic.EventValues {
		return "outside"
	}
	return valueNumber(v, w.ValueUnit())
}
