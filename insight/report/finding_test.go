package report

import (
	"fmt"
	"slices"
	"testing"
)

// A simulated gain confirms an estimate of 100 from 75 to 125, and refutes it below 10.
func TestConfirmedAndRefuted(t *testing.T) {
	for verified, want := range map[float64]string{74: "false false", 75: "true false", 125: "true false",
		126: "false false", 10: "false false", 9: "false true"} {
		f := Finding{Severity: 100, Verified: verified, Checked: Confirmed}
		if got := fmt.Sprint(f.isConfirmed(), f.Refuted()); got != want {
			t.Errorf("a gain of %g: confirmed, refuted: %s, want %s", verified, got, want)
		}
		if f.Checked = NotChecked; f.isConfirmed() || f.Refuted() {
			t.Errorf("what was not simulated is confirmed or refuted")
		}
	}
}

// The strongest 100 pieces of evidence are kept, of equal ones the earlier; all are counted.
func TestEvidenceIsTrimmed(t *testing.T) {
	var f Finding
	for i := range 4*MaxEvidence - 1 {
		f.Show(Evidence{From: int64(1000 - i), Cost: float64(i / 2)})
	}
	if f.Total != 399 || len(f.Evidence) != 399 {
		t.Errorf("%d of %d are kept", len(f.Evidence), f.Total)
	}
	f.Show(Evidence{From: 5, Cost: 1000})
	if f.Total != 400 || len(f.Evidence) != MaxEvidence {
		t.Errorf("%d of %d are kept", len(f.Evidence), f.Total)
	}
	// After the one of 1000 come 398 with the cost 199, then 397 and 396 with 198, the later of which began earlier.
	for i, want := range []int64{5, 1000 - 398, 1000 - 397, 1000 - 396} {
		if f.Evidence[i].From != want {
			t.Errorf("piece %d begins at %d, want %d", i, f.Evidence[i].From, want)
		}
	}
}

// The weight is the verified time, or the estimate within its bounds, or the largest estimate of the children.
func TestWeight(t *testing.T) {
	children := []Finding{{Severity: 30}, {Severity: 10}}
	for _, c := range []struct {
		f    Finding
		want float64
	}{
		{Finding{Severity: 20, Children: children}, 30},
		{Finding{Severity: 40, Children: children}, 40},
		{Finding{Severity: 20, Verified: 15, Checked: Confirmed, Children: children}, 15},
		{Finding{Severity: 20, Checked: CannotTell}, 20},
	} {
		if got := c.f.Weight(); got != c.want {
			t.Errorf("%+v weighs %g, want %g", c.f, got, c.want)
		}
	}
}

// Warnings come first; then the heaviest, of equal ones the one with the earlier evidence, then the rule; then what was
// refuted, and last what has no severity.
func TestRank(t *testing.T) {
	at := func(from ...int64) (list []Evidence) {
		for _, f := range from {
			list = append(list, Evidence{From: f})
		}
		return list
	}
	list := []Finding{
		{Rule: "none", Severity: NoSeverity, Evidence: at(1)},
		{Rule: "refuted", Severity: 1000, Verified: 1, Checked: Confirmed},
		{Rule: "refuted less", Severity: 1000, Verified: 2, Checked: Confirmed},
		{Rule: "late", Severity: 50, Evidence: at(70, 20)},
		{Rule: "early", Severity: 50, Evidence: at(80, 10)},
		{Rule: "b", Severity: 40, Evidence: at(5)}, {Rule: "a", Severity: 40, Evidence: at(5)},
		{Rule: "heavy", Severity: 60},
		{Rule: "warns less", Warning: true, Severity: 2}, {Rule: "warns", Warning: true, Severity: 1},
	}
	Rank(list)
	var got []string
	for _, f := range list {
		got = append(got, string(f.Rule))
	}
	want := []string{"warns", "warns less", "heavy", "early", "late", "a", "b", "refuted less", "refuted", "none"}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// A clone has evidence and children of its own.
func TestClone(t *testing.T) {
	f := Finding{Evidence: []Evidence{{Why: "a"}}, Children: []Finding{{Title: "b"}}}
	c := f.Clone()
	c.Evidence[0].Why, c.Children[0].Title = "x", "x"
	if f.Evidence[0].Why != "a" || f.Children[0].Title != "b" {
		t.Errorf("a change of the clone is seen: %+v", f)
	}
}
