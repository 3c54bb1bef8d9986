package diagnose_test

import (
	"testing"

	"pview/insight/diagnose"
	"pview/insight/report"
)

// Of a run of 1000: findings of 400 and 200 are 40 and 20 %; one of 19 is below 2 % and is not worth a word. Warnings
// come first and cost nothing.
func TestHeadline(t *testing.T) {
	tr := read(t, "#Paraver (01/01/03 at 00:00):1000_ns:1(2):1:2(1:1,1:1)\n1:1:1:1:1:0:260:1\n")
	h := &report.Headline{Factors: []report.Figure{{Value: 59.5}}, Lines: []report.Line{{Sentence: "from the factors"}}}
	list := []report.Finding{
		{Rule: "R33", Warning: true, Severity: report.NoSeverity},
		{Rule: "R13", Severity: 400, Threads: []int32{1, 0}},
		{Rule: "R31", Severity: 200},
		{Rule: "R34", Severity: 19, Threads: []int32{0}},
	}
	for _, c := range []struct {
		list []report.Finding
		want []string
	}{
		{list, []string{"59.5 % efficient; clocks disagree", "uneven work on 1.2.1 40 %", "slow messages 20 %"}},
		{list[1:], []string{"59.5 % efficient; lost to uneven work on 1.2.1 40 %", "slow messages 20 %"}},
		{list[3:], []string{"from the factors"}},
	} {
		got := diagnose.Headline(h, tr, c.list, 1000)
		if len(got) != len(c.want) {
			t.Fatalf("%+v, want %q", got, c.want)
		}
		for i, l := range got {
			if l.Sentence != c.want[i] || l.Opens == report.Findings && l.Finding != i {
				t.Errorf("%+v, want %q", l, c.want[i])
			}
		}
	}
}
