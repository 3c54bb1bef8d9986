package answer

import (
	"testing"

	"pview/insight/diagnose"
	"pview/insight/report"
	"pview/prv"
	"pview/prv/prvtest"
	"pview/render/document"
)

// The sum of the minor findings has the largest of each rule, and says where a figure is an estimate and where a
// simulation's.
func TestMinorSentence(t *testing.T) {
	finding := func(rule report.RuleID, estimate, gain float64, checked report.Check) report.Finding {
		f := report.Finding{Rule: rule, Name: "name", Severity: estimate, Verified: gain, Checked: checked}
		if checked == report.CannotTell {
			f.Unchecked = "no repair that can be simulated"
		}
		return f
	}
	for _, c := range []struct {
		minor []report.Finding
		want  string
	}{
		{[]report.Finding{finding("R02", 9000, 2000, report.Confirmed)}, "minor: R02 name 2 us by simulation"},
		{[]report.Finding{finding("R36", 9000, 0, report.Confirmed), finding("R13", 1000, 0, report.NotChecked),
			finding("R13", 3000, 0, report.NotChecked)},
			"minor, by estimate: R36 name without gain, 2 findings of R13 name, each at most 3 us"},
		{[]report.Finding{finding("R06", 5000, 0, report.CannotTell)},
			"minor, by estimate: R06 name 5 us (no repair that can be simulated)"},
	} {
		w := writer{r: &diagnose.Result{Minor: c.minor}, t: &prv.Trace{Unit: prv.Nanoseconds}}
		d := &report.Document{}
		d.Add(w.minorSentence())
		prvtest.SameText(t, document.Text(d, nil), c.want)
	}
}
