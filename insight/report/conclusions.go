package report

import (
	"strconv"

	"pview/prv"
	"pview/prv/quantity"
	"pview/prv/wide"
)

// Conclusions returns findings without a place in a trace, a line for each: its share of the run and its title.
func Conclusions(list []Finding) (blocks []Block) {
	for i := range list {
		blocks = append(blocks, Sentence(quantity.FormatPercent(list[i].Share)+"  "+list[i].Title))
	}
	return blocks
}

// ConclusionObjects returns findings without a place in a trace, for programs; unit is the unit of their times, in
// nanoseconds.
func ConclusionObjects(list []Finding, unit int64) []Object {
	all := []Object{}
	for i := range list {
		f := &list[i]
		all = append(all, NewObject("rule", f.Rule, "name", f.Name, "severity_ns", f.Severity*float64(unit),
			"severity_percent", 100*f.Share, "confidence", f.Confidence.String(), "title", f.Title, "advice", f.Advice,
			"formula", f.Formula))
	}
	return all
}

// ShowDecimals shows cells of float64 with n decimals.
func ShowDecimals(n int) func(any) string {
	return func(v any) string { return strconv.FormatFloat(v.(float64), 'f', n, 64) }
}

// ShowShare shows cells of float64, shares of 1, as "23.0 %".
func ShowShare(v any) string { return quantity.FormatPercent(v.(float64)) }

// ShowDigits shows cells with three or four digits: "0.8123", "6.6G".
func ShowDigits(v any) string { return quantity.FormatShort(v.(float64)) }

// ShowTime shows cells of float64, times in ns.
func ShowTime(v any) string { return quantity.Time.Format(v.(float64)) }

// ShowDuration shows cells of int64 or wide.Int, times in ns.
func ShowDuration(v any) string {
	if sum, ok := v.(wide.Int); ok {
		return quantity.Time.Format(sum.Float())
	}
	return quantity.Time.Format(float64(v.(int64)))
}

// PositiveOrNil returns v, or nil if it is 0: the figure has no value.
func PositiveOrNil(v float64) any {
	if v == 0 {
		return nil
	}
	return v
}

// FindingObjects returns findings of a trace for programs.
func FindingObjects(t *prv.Trace, list []Finding) []Object {
	ns := float64(t.Unit.Nanoseconds())
	all := []Object{}
	for i := range list {
		f := &list[i]
		var severity, share, verified any
		if f.Severity != NoSeverity {
			severity, share = f.Severity*ns, 100*f.Share
		}
		if f.Checked == Confirmed {
			verified = f.Verified * ns
		}
		evidence := []Object{}
		for _, e := range f.Evidence {
			evidence = append(evidence, NewObject("from_ns", float64(e.From)*ns, "to_ns", float64(e.To)*ns,
				"threads", ThreadIDs(t, e.Threads), "messages", append([]int32{}, e.Messages...), "why", e.Why))
		}
		all = append(all, NewObject("rule", f.Rule, "name", f.Name, "kind", f.Kind, "cause", f.Cause, "when", f.When,
			"phase_group", f.Phase,
			"severity_ns", severity, "severity_percent", share, "estimate_ns", severity, "gain_ns", verified,
			"verified_ns", verified,
			"confirmed", f.isConfirmed(), "repair", f.Repair, "not_verifiable", f.Unchecked, "assumed", f.Assumed,
			"confidence", f.Confidence.String(),
			"title", f.Title, "advice", f.Advice, "formula", f.Formula, "threads", ThreadIDs(t, f.Threads),
			"evidence", evidence, "evidence_total", f.Total, "children", FindingObjects(t, f.Children)))
	}
	return all
}
