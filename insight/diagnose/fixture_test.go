package diagnose_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/insight/account"
	"pview/insight/diagnose"
	"pview/insight/report"
	"pview/prv"
)

// late is fixture F8: task 2 waits for a message that task 1 sends at the end of its unit. received is its physical
// receive.
func late(received int) string {
	return fmt.Sprintf(`#Paraver (21/11/26 at 00:00):150_ns:1(2):1:2(1:1,1:1)
1:1:1:1:1:0:100:1
1:2:1:2:1:0:20:1
1:2:1:2:1:20:107:3
1:1:1:1:1:100:102:10
3:1:1:1:1:100:100:2:1:2:1:20:%d:1000:5
1:1:1:1:1:102:110:1
1:2:1:2:1:107:150:1
1:1:1:1:1:110:150:13
`, received)
}

// barriers is fixture F9: three iterations, in each task 1 computes 10, task 2 computes work, then both leave a barrier
// 2 later.
func barriers(work int) string {
	var b strings.Builder
	end := work + 2
	fmt.Fprintf(&b, "#Paraver (21/11/26 at 00:00):%d_ns:1(2):1:2(1:1,1:1)\n", 3*end)
	for i := range 3 {
		s := i * end
		fmt.Fprintf(&b, "1:1:1:1:1:%d:%d:1\n1:2:1:2:1:%d:%d:1\n", s, s+10, s, s+work)
		fmt.Fprintf(&b, "2:1:1:1:1:%d:60000019:1\n2:2:1:2:1:%d:60000019:1\n", s, s)
		fmt.Fprintf(&b, "1:1:1:1:1:%d:%d:13\n2:1:1:1:1:%d:60000019:0:50000002:8\n", s+10, s+end, s+10)
		fmt.Fprintf(&b, "1:2:1:2:1:%d:%d:13\n2:2:1:2:1:%d:60000019:0:50000002:8\n", s+work, s+end, s+work)
		fmt.Fprintf(&b, "2:1:1:1:1:%d:50000002:0\n2:2:1:2:1:%d:50000002:0\n", s+end, s+end)
	}
	return b.String()
}

// read opens a trace given as text.
func read(t *testing.T, text string) *prv.Trace {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fixture.prv")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	tr, err := prv.Open(context.Background(), path, prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func run(t *testing.T, tr *prv.Trace, set diagnose.Settings) *diagnose.Result {
	t.Helper()
	r, err := diagnose.Analyze(context.Background(), tr, diagnose.Options{Settings: &set})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// find looks for a rule among findings and their children.
func find(list []report.Finding, rule report.RuleID) *report.Finding {
	for i := range list {
		if list[i].Rule == rule {
			return &list[i]
		}
		if f := find(list[i].Children, rule); f != nil {
			return f
		}
	}
	return nil
}

// lost writes the lost time of an account.
func lost(a *account.Account) string {
	var parts []string
	for _, s := range a.Losses() {
		parts = append(parts, fmt.Sprint(s.Name, " ", s.NS))
	}
	return strings.Join(parts, ", ")
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-6 }

// Checks 30 to 32, 56 of projections.md: F8.
func TestLateMessage(t *testing.T) {
	r := run(t, read(t, late(107)), diagnose.Default)
	// User 108 + 63 = 171, overhead 2, idle 87 + 40 = 127: 171/300 = 57 %.
	if !near(r.Utilisation, 0.57) || !near(r.Recoverable, 64.5) || r.Phases != 1 {
		t.Errorf("utilisation %f, recoverable %f, %d phases", r.Utilisation, r.Recoverable, r.Phases)
	}
	if got := lost(r.Account); got != "wait for computation on 1.1.1 80, call group communication 40, transfer in "+
		"waiting a message 7, "+
		"transfer in immediate send 2" {
		t.Errorf("lost: %s", got)
	}
	if p := r.Parameters.Latency; p.Value != 7 || p.Source != "measured" {
		t.Errorf("latency %+v", p)
	}
	// The message was sent at 100 of [0, 110), and task 2 computed for 20 until then: min(100 - 20, 87) = 80; but task
	// 1 is busy for 110 of 150.
	tail := find(r.Findings, "R02")
	if tail == nil || tail.Severity != 40 || len(tail.Threads) != 2 || tail.Threads[0] != 0 || tail.Threads[1] != 1 {
		t.Fatalf("tail %+v", tail)
	}
	if e := tail.Evidence[0]; e.From != 0 || e.To != 107 || len(e.Messages) != 1 {
		t.Errorf("evidence %+v", e)
	}
	// User time 108 and 63: 108 - 85.5.
	if f := find(r.Findings, "R13"); f == nil || f.Severity != 22.5 {
		t.Errorf("imbalance %+v", f)
	}
	// One finding, ranked at the largest of its members.
	if f := r.Findings[0]; f.Rule != "R13" || f.Weight() != 40 || find(f.Children, "R02") == nil {
		t.Errorf("first %+v", f)
	}
	if f := find(r.Minor, "R14"); f == nil || f.Severity != 1 {
		t.Errorf("overhead imbalance %+v", f)
	}
}

// Check 36: a message received before it was sent is told first.
func TestClocks(t *testing.T) {
	r := run(t, read(t, late(95)), diagnose.Default)
	if f := r.Findings[0]; f.Rule != "R33" || !f.Warning || f.Total != 1 {
		t.Errorf("first %+v", f)
	}
	if f := find(run(t, read(t, late(107)), diagnose.Default).Findings, "R33"); f != nil {
		t.Errorf("with right clocks %+v", f)
	}
	diagnose.Noted(t, "R33", true)
	diagnose.Noted(t, "R33", false)
}

// Checks 33, 34, 38, 57: F9.
func TestBarriers(t *testing.T) {
	set := diagnose.Default
	one, none := 1.0, 0.0
	set.Latency, set.PerByte = &one, &none
	r := run(t, read(t, barriers(30)), set)
	if r.Phases != 3 || r.Groups != 1 || !near(r.Utilisation, 0.625) || !near(r.Recoverable, 36) {
		t.Errorf("%d phases in %d groups, utilisation %f, recoverable %f", r.Phases, r.Groups, r.Utilisation,
			r.Recoverable)
	}
	// In each iteration (30 - 20) x 2 / 2 = 10, at most 32 - 20 = 12.
	f := find(r.Findings, "R13")
	if f == nil || f.Severity != 30 || f.Total != 3 || !near(f.Share, 0.3125) {
		t.Fatalf("imbalance %+v", f)
	}
	if f.Threads[0] != 1 || f.Threads[1] != 0 {
		t.Errorf("threads %v", f.Threads)
	}
	// Of each iteration 20 are waiting, 2 + 2 the operation, of which its network needs 1 + 1.
	want := "wait for function 1 on 1.2.1 60, transfer in value 8 6, slow transfer in value 8 6"
	if got := lost(r.Account); got != want {
		t.Errorf("lost: %s", got)
	}
	// 2 from the last entry to the last exit, less ceil(log2 2) x 1, in each of three: 1/11 of what is found in the
	// phase is minor.
	if f := find(r.Minor, "R32"); f == nil || f.Severity != 3 {
		t.Errorf("collective cost %+v", f)
	}
	for _, id := range []report.RuleID{"R10", "R18", "R22"} {
		if !slices.Contains(r.NotApplicable, id) {
			t.Errorf("%s is not told to be not applicable", id)
		}
	}
	// With 11 against 10 the utilisation is 21/26: good enough, unless the gate is higher.
	r = run(t, read(t, barriers(11)), set)
	if !near(r.Utilisation, 21.0/26) || r.Gated != 3 || len(r.Notes) == 0 {
		t.Errorf("utilisation %f, %d phases left alone, notes %v", r.Utilisation, r.Gated, r.Notes)
	}
	set.Gate = 0.85
	if r = run(t, read(t, barriers(11)), set); r.Gated != 0 {
		t.Errorf("%d phases left alone", r.Gated)
	}
}

// Check 51: a run that is always busy has no findings.
func TestBusy(t *testing.T) {
	r := run(t,
		read(t, "#Paraver (21/11/26 at 00:00):100_ns:1(2):1:2(1:1,1:1)\n1:1:1:1:1:0:100:1\n1:2:1:2:1:0:100:1\n"),
		diagnose.Default)
	worth := 0
	for i := range r.Findings {
		if r.Findings[i].Severity != report.NoSeverity {
			worth++
		}
	}
	if worth != 0 || r.Utilisation != 1 || r.Recoverable != 0 {
		t.Errorf("%+v, utilisation %f, recoverable %f", r.Findings, r.Utilisation, r.Recoverable)
	}
}

// The simulation without a change ends when the run did; with the work of F9 levelled each iteration takes 20 + 2.
func TestVerified(t *testing.T) {
	one, none := 1.0, 0.0
	set := diagnose.Default
	set.Latency, set.PerByte = &one, &none
	r, err := diagnose.Analyze(context.Background(), read(t, barriers(30)),
		diagnose.Options{Settings: &set, Verify: 10})
	if err != nil {
		t.Fatal(err)
	}
	if f := find(r.Findings, "R13"); f == nil || f.Checked != report.Confirmed || f.Verified != 30 {
		t.Errorf("%+v", f)
	}
	// F8: 2 of 300 is overhead, 7 transfer. With the message sent at 0 task 2 computes from 20 + 7 on, until 70; task 1
	// ends at 110 instead of task 2 at 150.
	r, err = diagnose.Analyze(context.Background(), read(t, late(107)), diagnose.Options{Verify: 10})
	if err != nil {
		t.Fatal(err)
	}
	if f := find(r.Findings, "R13"); f == nil || f.Checked == report.NotChecked {
		t.Errorf("%+v", r.Findings)
	}
}
