package summary_test

import (
	"testing"

	"pview/insight/finding"
	"pview/insight/summary"
)

// Of a run of 1000: findings of 400 and 200 are 40 and 20 %; one of 19 is below 2 % and is not worth a word. Warnings
// come first and cost nothing.
func TestWithFindings(t *testing.T) {
	tr := trace(t, []int{1, 260, 3, 1000}, []int{1, 930, 3, 1000})
	s := of(t, tr)
	list := []finding.Finding{
		{Rule: "R33", Warning: true, Severity: finding.NoSeverity},
		{Rule: "R13", Severity: 400, Threads: []int32{1, 0}},
		{Rule: "R31", Severity: 200},
		{Rule: "R34", Severity: 19, Threads: []int32{0}},
	}
	for _, c := range []struct {
		list []finding.Finding
		want []string
	}{
		{list, []string{"59.5 % efficient; clocks disagree", "uneven work on 1.2.1 40 %", "slow messages 20 %"}},
		{list[1:], []string{"59.5 % efficient; lost to uneven work on 1.2.1 40 %", "slow messages 20 %"}},
		{list[3:], []string{"59.5 % efficient: load balance 64 %; thread 1.2.1 useful 93 %, next 26 %",
			"Waiting for message 40 % of the time, most in thread 1.1.1 (74 %)"}},
	} {
		got := s.WithFindings(tr, c.list, 1000)
		if len(got) != len(c.want) {
			t.Fatalf("%+v, want %q", got, c.want)
		}
		for i, l := range got {
			if l.Sentence != c.want[i] || l.Opens == summary.Findings && l.Finding != i {
				t.Errorf("%+v, want %q", l, c.want[i])
			}
		}
	}
}
