package answer

import (
	"context"
	"slices"
	"strings"
	"testing"

	"pview/insight/account"
	"pview/insight/diagnose"
	"pview/insight/eventgraph"
	"pview/insight/report"
	"pview/insight/runtest"
	"pview/insight/waits"
	"pview/prv/prvtest"
	"pview/prv/wide"
	"pview/render/document"
	"pview/render/document/documenttest"
)

// diagnosis is one of two threads of 1000 us, in which all figures differ. Of 2 ms 1.4 are useful, and 0.6 lost.
func diagnosis() *diagnose.Result {
	a := &account.Account{To: 1e6, Threads: 2, Title: "Where the time goes", Entries: []account.Entry{
		{Kind: account.Computing, Of: "region=a", NS: wide.Of(1.4e6)},
		{Kind: account.Wait, Of: "cause=a@1.2.1", NS: wide.Of(350_000)},
		{Kind: account.TransferMore, Of: "call=MPI_Send", NS: wide.Of(250_000)}}}
	a.ByThread = make([]account.Sums, 1)
	for _, e := range a.Entries {
		a.ByThread[0][e.Kind] = e.NS.Int64()
	}
	r := &diagnose.Result{Length: 1000, Threads: 2, Utilisation: 0.7, Recoverable: 180, Phases: 3, Groups: 1,
		Level: waits.ByFunction, Account: a, Notes: []string{"clocks disagree"}, Waits: &waits.Result{},
		Deviation:     0.04,
		NotApplicable: []report.RuleID{"R10", "R18", "R22"},
		Parameters: eventgraph.Parameters{Latency: eventgraph.Parameter{Value: 5, Source: "measured"},
			Byte: eventgraph.Parameter{Value: 0.00123456, Source: "given"}},
		Findings: []report.Finding{
			{Rule: "R33", Name: "clocks", Warning: true, Severity: report.NoSeverity, Title: "early messages"},
			{Rule: "R13", Name: "uneven", Severity: 250, Share: 0.25, Checked: report.Confirmed, Verified: 200,
				Confidence: report.High, Title: "1.2.1 computes longer", Advice: "spread it", Repair: "level a",
				Formula: "450 - 250", Assumed: "a cost", Threads: []int32{1, 0}, Total: 1234,
				Evidence: []report.Evidence{{From: 40, To: 90, Threads: []int32{1, 0, 1, 0, 1}}, {From: 500, To: 501}},
				Children: []report.Finding{{Rule: "R34", Name: "cause", Severity: 50, Share: 0.05, Title: "waits",
					Total: 1, Evidence: []report.Evidence{{From: 7, To: 8}}}}},
			{Rule: "R31", Name: "slow", Severity: 100, Share: 0.1, Checked: report.Confirmed, Verified: 9,
				Title: "slow messages", Assumed: "a cost", Total: 2, Evidence: []report.Evidence{{From: 9, To: 10}}},
			{Rule: "R02", Name: "late", Severity: 30, Share: 0.03, Checked: report.CannotTell,
				Unchecked: "no repair", Title: "late sends", Confidence: report.Medium},
		},
		Minor: []report.Finding{
			{Rule: "R36", Name: "noise", Severity: 4, Title: "a little noise"},
			{Rule: "R36", Name: "noise", Severity: 3, Title: "less noise"},
			{Rule: "R02", Name: "late", Severity: report.NoSeverity, Title: "a late send"}}}
	r.Together.Two, r.Together.All, r.Together.Repairs = 220, 230, 3
	for class, n := range map[waits.Class]int64{waits.LateSender: 300, waits.WaitBarrier: 50, waits.Operation: 70} {
		r.Waits.Totals[class] = waits.Total{Count: 1, Time: wide.Of(n)}
	}
	return r
}

// All of a diagnosis, for people and programs.
func TestWords(t *testing.T) {
	tr := twoThreads(t)
	tr.Path = "dir/two.prv"
	d := Document(diagnosis(), tr, 0)
	if d.PageHeading != "two.prv" || d.PageTitle != "two.prv: what is wrong, and what it costs" {
		t.Errorf("%q %q", d.PageHeading, d.PageTitle)
	}
	prvtest.SameFile(t, "testdata/words.txt", documenttest.Whole(t, d))
}

// What other diagnoses say instead: the lines that only they have.
func TestInstead(t *testing.T) {
	for _, c := range []struct {
		top    int
		change func(r *diagnose.Result)
		want   string
	}{
		{3, nil, `
			and 1 more (--top 0 shows all)
		`},
		{1, nil, `
			and 3 more (--top 0 shows all)
		`},
		{4, nil, ``},
		{0, func(r *diagnose.Result) { r.Findings = r.Findings[1:] }, `
			1 20.0 % 200 us 1.2.1 computes longer
			2 0.9 % 9 us slow messages
			assumed: as in 1
			3 3.0 % 30 us late sends
		`},
		{0, func(r *diagnose.Result) { r.Minor = r.Minor[1:2] }, `
			minor, by estimate: R36 noise 3 us
		`},
		{0, func(r *diagnose.Result) { r.Minor[0].Severity, r.Minor[1].Severity = 0.5, 0.5 }, `
			minor, by estimate: 2 findings of R36 noise, each at most 0.5 us, R02 late
		`},
		{0, func(r *diagnose.Result) { r.Minor[0].Severity, r.Minor[1].Severity = 0, 0 }, `
			minor: 2 findings of R36 noise without gain, R02 late
		`},
		{0, func(r *diagnose.Result) { r.Minor[1].Severity, r.Minor[1].Name = 4, "as much" }, ``},
		{0, func(r *diagnose.Result) { r.Together.Two, r.Together.All = 0.5, 0.5 }, `
			the first two repairs together: 0.5 us (0.05 %), all of them: 0.5 us (0.05 %); gains do not add up
		`},
		{0, func(r *diagnose.Result) { r.Findings = nil }, `
			Nothing found: no finding is worth a change.
		`},
		{0, func(r *diagnose.Result) { r.Findings, r.Dismissed = nil, 1 }, `
			All findings are dismissed.
		`},
		{0, func(r *diagnose.Result) { r.Together.Repairs, r.Together.All = 2, 1 }, `
			both repairs together: 1 us (0.1 %); gains do not add up
		`},
		{0, func(r *diagnose.Result) {
			r.Findings[1].Rule, r.Findings[1].Verified, r.Findings[1].Advice = diagnose.SlowStageID, 1, ""
		}, `
			besides R40, the first two repairs together: 220 us (22.0 %), all of them: 230 us (23.0 %); ` +
			`gains do not add up
			2 0.1 % 1 us 1.2.1 computes longer
			R40 uneven: 450 - 250
			simulated: 1 us shorter with the repair (estimate 250 us): not confirmed
		`},
		{0, func(r *diagnose.Result) { r.Deviation = 0.01 }, `
			simulated: 200 us shorter with the repair (estimate 250 us)
			simulated: 9 us shorter with the repair (estimate 100 us): not confirmed
		`},
		{0, func(r *diagnose.Result) { r.Parameters.One, r.Parameters.Byte.Source = 4096, "assumed" }, `
			code regions: functions message: 5 us for 4.096 kB [measured], latency and bytes together
		`},
		{0, func(r *diagnose.Result) { r.Findings[1].Total = 1; r.Findings[1].Evidence[0].Threads = nil }, `
			see: 40 .. 90 us
		`},
	} {
		r, tr := diagnosis(), twoThreads(t)
		lines := func(top int) (list []string) { // without their alignment
			for line := range strings.Lines(document.Text(Document(r, tr, top), nil)) {
				list = append(list, strings.Join(strings.Fields(line), " "))
			}
			return list
		}
		before := lines(0)
		if c.change != nil {
			c.change(r)
		}
		got := slices.DeleteFunc(lines(c.top), func(line string) bool { return slices.Contains(before, line) })
		prvtest.SameText(t, strings.Join(got, "\n"), c.want)
	}
}

// Of ten findings the first eight with evidence have a picture on a page. The fifth is confirmed.
func TestPictured(t *testing.T) {
	r := diagnosis()
	r.Findings = nil
	for i := range 10 {
		f := report.Finding{Rule: "R13", Title: "uneven"}
		if i != 2 {
			f.Evidence = []report.Evidence{{From: 1, To: 2}}
		}
		if i == 4 {
			f.Checked = report.Confirmed
		}
		r.Findings = append(r.Findings, f)
	}
	var got []bool
	for _, s := range Document(r, twoThreads(t), 0).Sections {
		for _, b := range s.Blocks {
			if e, ok := b.(*report.Entry); ok && s.Heading == "Findings" {
				got = append(got, e.Picture != nil)
				if e.Confirmed != (len(got) == 5) {
					t.Errorf("finding %d is confirmed: %v", len(got), e.Confirmed)
				}
			}
		}
	}
	if want := []bool{true, true, false, true, true, true, true, true, false, false}; !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

// A run that loses nothing has no table of losses, and is not repaired.
func TestNoLoss(t *testing.T) {
	r := diagnosis()
	r.Account.Entries, r.Account.ByThread = r.Account.Entries[:1], []account.Sums{{account.Computing: 2e6}}
	r.Findings, r.Minor, r.NotApplicable, r.Notes, r.Together.All = nil, nil, nil, nil, 0
	r.Recoverable = 0
	prvtest.SameFile(t, "testdata/no_loss.txt", document.Text(Document(r, twoThreads(t), 0), nil))
}

// The account of a run, and of one with devices, which has the host's threads too. Device 1 is idle for 200 us.
func TestAccount(t *testing.T) {
	tr := runtest.Read(t, "#Paraver (27/11/2026 at 10:00):300000_ns:1(2):1:3(1:1,1:1,1:1)\n"+
		"1:1:1:1:1:0:100000:1\n1:1:1:1:1:100000:300000:0\n1:2:1:2:1:0:300000:1\n1:2:1:3:1:0:60000:1\n")
	runtest.NameThreads(t, tr, "CUDA-D0.S7", "CUDA-D1.S7", "host")
	r, err := diagnose.Analyze(context.Background(), tr, diagnose.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tr.Path = "run.prv"
	prvtest.SameFile(t, "testdata/devices.txt",
		document.Text(Account(diagnosis(), tr), nil)+"\n"+document.Text(Account(r, tr), nil)+"\n"+
			documenttest.Whole(t, Document(r, tr, 0)))
}
