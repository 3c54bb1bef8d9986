package diagnose

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pview/insight/eventgraph"
	"pview/insight/replay"
	"pview/insight/report"
	"pview/insight/waits"
)

// ofLength returns an analysis of a run of that length in which nothing was found so far.
func ofLength(length int64) *analysis {
	return &analysis{Graph: &eventgraph.Graph{Waits: &waits.Result{}}, set: Default, tallies: map[tallyOf]tally{},
		out: &Result{Length: length}}
}

// A finding is minor if it is a trifle of the run, or at most a fifth of all findings in its group of phases. Those of
// rules that stand apart do not count there, and one without a cost is never minor. What costs nothing is left out.
func TestMinor(t *testing.T) {
	for _, c := range []struct {
		group        int
		list         []float64 // of R13
		apart        float64   // of R38
		found, minor int
	}{
		{0, []float64{100}, 0, 1, 0}, // a thousandth of the run
		{0, []float64{99}, 0, 0, 1},
		{0, []float64{0}, 0, 0, 0},
		{0, []float64{0.5}, 0, 0, 1},
		{0, []float64{report.NoSeverity}, 0, 1, 0},
		{1, []float64{report.NoSeverity}, 0, 1, 0},
		{0, []float64{8000, 2000}, 0, 2, 0}, // of the run: all that is no trifle
		{1, []float64{8000, 2000}, 0, 1, 1},
		{1, []float64{8000, 2001}, 0, 2, 0},
		{1, []float64{8000, 2001, report.NoSeverity}, 0, 3, 0},
		{1, []float64{8000, 2500}, 20_000, 3, 0},
	} {
		a := ofLength(100_000)
		var list []result
		for i, s := range c.list {
			list = append(list, found("R13", strconv.Itoa(i), s, "", ""))
		}
		if c.apart > 0 {
			list = append(list, found(missingCoresID, "", c.apart, "", ""))
		}
		a.accept(list, c.group)
		a.divide(false)
		if len(a.out.Findings) != c.found || len(a.out.Minor) != c.minor {
			t.Errorf("%+v: %d findings, %d minor", c, len(a.out.Findings), len(a.out.Minor))
		}
	}
}

// Where repairs are going to be simulated, what is 0.5 % of the run in all groups or more is a finding. The groups of
// one that no group made minor, and the trifles, are as without a simulation.
func TestDivide(t *testing.T) {
	a := ofLength(100_000)
	a.accept([]result{found("R13", "a", 8000, "", ""), found("R13", "b", 500, "", ""), found("R13", "c", 499, "", ""),
		found("R13", "d", 300, "", ""), found("R13", "e", 99, "", "")}, 1)
	a.accept([]result{found("R13", "b", 4000, "", ""), found("R13", "d", 200, "", ""),
		found("R13", "e", 450, "", ""), found("R13", "f", 600, "", "")}, 2)
	for _, c := range []struct {
		checked                bool
		found, minor, doubtful string
	}{
		{false, "a=8000 b=4000", "b=500 c=499 d=500 e=549 f=600", ""},
		{true, "a=8000 b=4500 d=500 f=600", "c=499 e=549", "d f"}, // e without the trifle is 450
	} {
		var doubtful []string
		for k := range a.divide(c.checked) {
			doubtful = append(doubtful, k.key)
		}
		slices.Sort(doubtful)
		found, minor := sizesOf(a.out.Findings), sizesOf(a.out.Minor)
		if found != c.found || minor != c.minor || strings.Join(doubtful, " ") != c.doubtful {
			t.Errorf("checked %v: found %s, minor %s, doubtful %s", c.checked, found, minor, doubtful)
		}
	}
}

// sizesOf returns the keys and severities of findings, by key.
func sizesOf(list []report.Finding) string {
	var sizes []string
	for i := range list {
		sizes = append(sizes, fmt.Sprintf("%s=%g", list[i].Key, list[i].Severity))
	}
	slices.Sort(sizes)
	return strings.Join(sizes, " ")
}

// A finding has the name and the advice of its rule, unless it has its own; its share of the run; and its changes only
// where it is no trifle.
func TestAccept(t *testing.T) {
	a := ofLength(1000)
	own := found("R13", "b", 200, "", "")
	own.Advice, own.changes = "do it otherwise", make([]replay.Change, 2)
	trifle := found("R13", "c", 0.5, "", "")
	trifle.changes = make([]replay.Change, 1)
	a.accept([]result{found("R13", "a", 100, "", ""), own, trifle}, 3)
	rule := RuleByID("R13")
	for i, want := range []report.Finding{{Key: "a", Advice: rule.Advice, Share: 0.1},
		{Key: "b", Advice: own.Advice, Share: 0.2}} {
		if f := &a.accepted[i]; f.Key != want.Key || f.Advice != want.Advice || f.Share != want.Share ||
			f.Name != rule.Name || f.Phase != 3 {
			t.Errorf("%+v", f)
		}
	}
	if len(a.changes) != 1 || len(a.changes[aboutOf{"R13", "b"}]) != 2 {
		t.Errorf("changes %v", a.changes)
	}
}

// What a rule found of the same in several groups is one finding: of the sum, with the sentence of the worse, which
// says in how many phases. One without a cost stands for itself.
func TestJoinGroups(t *testing.T) {
	a := ofLength(1000)
	in := func(key, title string, group, phases int, severity, cost float64) report.Finding {
		f := report.Finding{Rule: "R13", Key: key, Title: title, Phase: group, Phases: phases, Severity: severity,
			Share: severity / 1000}
		f.Show(report.Evidence{Cost: cost})
		return f
	}
	list := a.joinGroups([]report.Finding{
		in("a", "mild", 1, 2, 100, 5), in("b", "alone", 2, 2, 40, 1), in("a", "worse", 2, 3, 200, 9),
		in("a", "as bad", 3, 1, 10, 9), in("c", "of none", 1, 1, report.NoSeverity, 0),
		in("c", "of none again", 2, 1, report.NoSeverity, 0),
	})
	for i, want := range []report.Finding{
		{Title: "worse (in the worst of 6 phases)", Phase: 0, Severity: 310, Share: 0.31, Total: 3},
		{Title: "alone (in the worst of 2 phases)", Phase: 2, Severity: 40, Share: 0.04, Total: 1},
		{Title: "of none", Phase: 1, Severity: report.NoSeverity, Share: -0.001, Total: 1},
		{Title: "of none again", Phase: 2, Severity: report.NoSeverity, Share: -0.001, Total: 1},
	} {
		if i >= len(list) {
			t.Fatalf("only %d findings", len(list))
		}
		if f := &list[i]; f.Title != want.Title || f.Phase != want.Phase || f.Severity != want.Severity ||
			f.Share != want.Share || f.Total != want.Total || len(f.Evidence) != want.Total {
			t.Errorf("%+v, not %+v", f, want)
		}
	}
}

// A run without time has no shares.
func TestShareOfNothing(t *testing.T) {
	a := ofLength(0)
	a.accept([]result{found("R13", "a", 0.5, "", "")}, 0)
	if f := &a.accepted[0]; f.Share != 0.5 {
		t.Errorf("share %f", f.Share)
	}
	list := a.joinGroups([]report.Finding{{Rule: "R13", Severity: 0.25}, {Rule: "R13", Severity: 0.25}})
	if len(list) != 1 || list[0].Share != 0.5 {
		t.Errorf("%+v", list)
	}
}

// Confidence is high where code has names, low where nothing is known of it.
func TestConfidence(t *testing.T) {
	for level, want := range map[waits.Level]report.Confidence{
		waits.ByFunction: report.High, waits.ByCluster: report.High, waits.ByNothing: report.Low,
		waits.ByLine: report.Medium, waits.ByCall: report.Medium,
	} {
		a := ofLength(1)
		a.Waits.Level = level
		if got := a.confidence(); got != want {
			t.Errorf("level %v: %v", level, got)
		}
	}
}
