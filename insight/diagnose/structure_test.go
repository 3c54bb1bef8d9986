package diagnose_test

import (
	"context"
	"html"
	"math"
	"slices"
	"strings"
	"testing"

	"pview/insight/diagnose"
	"pview/insight/diagnose/answer"
	"pview/insight/frameworks"
	"pview/insight/report"
	"pview/insight/runtest"
	"pview/prv"
	"pview/render/document"
)

// passed returns a simulated pipeline: 40 items of 10,000 bytes pass stages that compute for so long.
func passed(t *testing.T, times ...float64) *prv.Trace {
	t.Helper()
	p := &frameworks.Pipeline{Link: frameworks.Link{M0: 10_000}, Acknowledgement: 4}
	for _, time := range times {
		p.Stages = append(p.Stages, frameworks.Stage{Compute: time, Bytes: 10_000})
	}
	s, _, err := p.Simulate(context.Background(), 40, true)
	if err != nil {
		t.Fatal(err)
	}
	return s.Trace
}

// served returns a simulated master with 4 workers.
func served(t *testing.T) *prv.Trace {
	t.Helper()
	f := &frameworks.Farm{Link: frameworks.Link{M0: 10_000}, Volume: 48_000, Given: 0.5, Compute: 4e6, Master: 50_000}
	s, err := f.Simulate(context.Background(), 4, true)
	if err != nil {
		t.Fatal(err)
	}
	return s.Trace
}

// R40: stage 3 needs 4 ms of an item, the others 1: with replicas it keeps up with them, and each of the 40 items is 3
// ms faster, but for the costs of its messages. A slow stage is reported once. Even stages set no pace.
func TestPace(t *testing.T) {
	r := verified(t, passed(t, 1*ms, 1*ms, 4*ms, 1*ms, 1*ms))
	f := &r.Findings[0]
	if f.Rule != "R40" || f.Threads[0] != 2 || f.Checked != report.Confirmed || math.Abs(f.Verified-120*ms) > 6*ms ||
		!strings.HasPrefix(f.Title, "stage 3 of 5 (task 3)") {
		t.Errorf("%+v", r.Findings)
	}
	for _, rule := range []report.RuleID{"R12", "R13", "R15"} {
		if slices.ContainsFunc(r.Findings, func(f report.Finding) bool { return f.Rule == rule }) {
			t.Errorf("%s stands beside R40", rule)
		}
	}
	if f := find(verified(t, passed(t, 1*ms, 1*ms, 1*ms, 1*ms, 1*ms)).Findings, "R40"); f != nil {
		t.Errorf("even stages: %+v", f)
	}
	diagnose.Noted(t, "R40", true)
	diagnose.Noted(t, "R40", false)
}

// R39: more workers would be faster, which the simulation confirms; but no time is lost on the existing processors, so
// it comes last. It is not about pipelines.
func TestMasters(t *testing.T) {
	r := verified(t, served(t))
	f := find(r.Findings, "R39")
	if f == nil || f.Severity != report.NoSeverity || !strings.Contains(f.Formula, "simulated: ") ||
		!strings.HasPrefix(f.Title, "a master has 4 workers: with ") {
		t.Errorf("%+v", r.Findings)
	}
	if f := find(run(t, passed(t, 1*ms, 1*ms, 4*ms), diagnose.Default).Findings, "R39"); f != nil {
		t.Errorf("a pipeline: %+v", f)
	}
	diagnose.Noted(t, "R39", true)
	diagnose.Noted(t, "R39", false)
}

// Stage 3 of 5 needs twice as long as the others. Spreading its work evenly is listed below R40, and is not tried
// together with the repairs next to it: together they gain no more than one by one.
func TestTogetherBesidePace(t *testing.T) {
	p := runtest.NewProgram(5)
	p.Latency = 7000
	for range 12 {
		for i := range p.Steps {
			if i > 0 {
				p.Recv(i, i-1)
			}
			p.Work(i, 1, [...]int64{300_000, 300_000, 600_000, 300_000, 300_000}[i])
			if i < 4 {
				p.Add(i, runtest.Step{Do: runtest.Sends, Peer: i + 1, Size: 20_000})
			}
		}
	}
	r := verified(t, p.Run(t))
	beside := 0.0
	for _, f := range r.Findings[1:] {
		beside += f.Verified
	}
	if r.Findings[0].Rule != "R40" || !slices.ContainsFunc(r.Findings[0].Children, func(f report.Finding) bool {
		return f.Rule == "R13"
	}) || beside == 0 || r.Together.Repairs < 2 || r.Together.Two > 1.01*beside || r.Together.All > 1.01*beside {
		t.Errorf("the repairs beside R40 gain %.0f one by one, together %+v: %+v", beside, r.Together, r.Findings)
	}
	r.Together.Repairs = 2
	pageSays(t, r, p.Run(t), "besides R40, both repairs together: ", "latency ", "not applicable: ")
	r.Together.Repairs = 3
	pageSays(t, r, p.Run(t), "the first two repairs together: ", ", all of them: ")
	r.Minor = append(r.Findings[1:len(r.Findings):len(r.Findings)],
		report.Finding{Rule: "R39", Name: "master", Severity: report.NoSeverity})
	r.Findings, r.Dismissed = nil, 1
	pageSays(t, r, p.Run(t), "minor: ", "All findings are dismissed.")
	if text := document.Text(answer.Document(r, p.Run(t), 0), nil); strings.Contains(text, "-1 ns") {
		t.Errorf("the cost of a finding without one: %s", text)
	}
}

// pageSays checks that the text of a diagnosis has sentences, and its page the same.
func pageSays(t *testing.T, r *diagnose.Result, tr *prv.Trace, wanted ...string) {
	t.Helper()
	d := answer.Document(r, tr, 0)
	lines := strings.Split(document.Text(d, nil), "\n")
	var b strings.Builder
	if err := document.WritePage(context.Background(), &b, d, 1<<20); err != nil {
		t.Fatal(err)
	}
	page := html.UnescapeString(b.String())
	for _, words := range wanted {
		i := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, words) })
		if i < 0 {
			t.Errorf("%q is not in the text:\n%q", words, lines)
		} else if !strings.Contains(page, ">"+lines[i]+"<") {
			t.Errorf("the page lacks %q", lines[i])
		}
	}
}
