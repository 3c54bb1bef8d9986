package steer

import (
	"fmt"
	"math"

	"pview/prv"
	"pview/prv/quantity"
)

// short returns a time in ns, as users read it.
func short(ns float64) string { return quantity.FormatDuration(int64(math.Round(ns)), prv.Nanoseconds) }

// String says how long iterations take, and how sure that is.
func (m Typical) String() string {
	return fmt.Sprintf("%s +- %s (%d iterations)", short(m.Value), quantity.FormatPercent(m.Error), m.Count)
}

// String says what is changed, why, and what was predicted.
func (d *Decision) String() string {
	verb := ""
	if !d.Applied {
		verb = "recommended: "
	}
	text := fmt.Sprintf("iteration %d: %s%s %s -> %s: %s; ", d.Iteration, verb, d.Variable, d.From, d.To, d.Why)
	if d.Predicted > 0 {
		text += fmt.Sprintf("%s predicted (%s) for ", short(d.Predicted),
			quantity.FormatChange(d.Predicted/d.Before.Value-1))
	}
	return text + d.Before.String()
}

// missed returns the relative excess of iterations over the prediction. The prediction is for the computation of the
// iterations before, and scales with it.
func (d *Decision) missed() float64 {
	return d.After.Value/(d.Predicted*d.Growth) - 1
}

// Result describes the effect of a change; "" if not yet known. It mentions a change of the computation if the figures
// would not agree without it.
func (d *Decision) Result() string {
	if d.Outcome == Open {
		return ""
	}
	text := d.After.String() + " measured"
	if d.Predicted > 0 {
		missed := quantity.FormatChange(d.missed())
		text += ", " + missed + " from the prediction"
		if missed != quantity.FormatChange(d.After.Value/d.Predicted-1) {
			text += fmt.Sprintf(" for their computation, which has changed by %s", quantity.FormatChange(d.Growth-1))
		}
	}
	if d.Outcome == Worse {
		return text + ": worse, taken back"
	}
	return text + ": kept"
}
