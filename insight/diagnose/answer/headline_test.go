package answer_test

import (
	"testing"

	"pview/insight/account"
	"pview/insight/diagnose"
	"pview/insight/diagnose/answer"
	"pview/insight/report"
	"pview/insight/runtest"
	"pview/prv/wide"
)

// Two threads of 1000: 595 of 1000 are useful, and 810 of 2000 are lost: 500 (25 %), 200 (10 %), 60 (3 %) and 50. Of
// findings, 400 and 200 are 40 and 20 %; one of 19 is below 2 % and not worth a word. Warnings cost nothing.
func TestHeadline(t *testing.T) {
	tr := runtest.Build(t, runtest.Tasks(2))
	h := &report.Headline{Factors: []report.Figure{{Value: 59.5}}, Lines: []report.Line{{Sentence: "from the factors"}}}
	lost := &account.Account{To: 1000, Threads: 2, Entries: []account.Entry{{Kind: account.Computing, Of: "region=a",
		NS: wide.Of(
			1190,
		)}, {Kind: account.Wait, Of: "cause=a@1.2.1", NS: wide.Of(500)}, {Kind: account.TransferMore,
		Of: "call=MPI_Send",
		NS: wide.Of(
			200,
		)}, {Kind: account.IO, Of: "call=read", NS: wide.Of(60)}, {Kind: account.Outside, Of: "reason=init",
		NS: wide.Of(50)}}}
	lost.ByThread = make([]account.Sums, 1)
	for _, e := range lost.Entries {
		lost.ByThread[0][e.Kind] += e.NS.Int64()
	}
	list := []report.Finding{
		{Rule: "R33", Warning: true, Severity: report.NoSeverity},
		{Rule: "R13", Severity: 400, Threads: []int32{1, 0}},
		{Rule: "R31", Severity: 200},
		{Rule: "R34", Severity: 19, Threads: []int32{0}},
	}
	const first = "59.5 % efficient; lost: wait for a on 1.2.1 25.0 %, slow transfer in MPI_Send 10.0 %, " +
		"I/O in read 3.0 %, the rest 2.5 %"
	for _, c := range []struct {
		account *account.Account
		list    []report.Finding
		want    []string
	}{
		{lost, list, []string{first, "clocks disagree", "to gain: uneven work on 1.2.1 40.0 %", "slow messages 20.0 %"}},
		{lost, list[1:], []string{first, "to gain: uneven work on 1.2.1 40.0 %", "slow messages 20.0 %"}},
		{lost, list[3:], []string{first}},
		{nil, list[2:], []string{"to gain: slow messages 20.0 %", "from the factors"}},
	} {
		r := &diagnose.Result{Length: 1000, Account: c.account}
		got := answer.Headline(r, h, tr, c.list)
		if len(got) != len(c.want) {
			t.Fatalf("%+v, want %q", got, c.want)
		}
		for i, l := range got {
			if l.Sentence != c.want[i] || l.Opens == report.Findings && c.account != nil && l.Finding != i-1 {
				t.Errorf("%+v, want %q", l, c.want[i])
			}
		}
	}
	const short = "59.5 % efficient; lost: wait for a on 1.2.1 25.0 %, the rest 15.5 %"
	got := answer.Headline(&diagnose.Result{Length: 1000, Account: lost}, h, tr, nil)[0].Shorter
	if len(got) != 2 || got[1] != short {
		t.Errorf("%q, want %q last", got, short)
	}
}

// Findings in a few words: by their rule, cause and spread, with the first thread to blame.
func TestInBrief(t *testing.T) {
	tr, r := runtest.Build(t, runtest.Tasks(2)), &diagnose.Result{Length: 100}
	for _, c := range []struct {
		finding report.Finding
		want    string
	}{
		{report.Finding{Rule: "R13", Threads: []int32{1}}, "uneven work on 1.2.1"},
		{report.Finding{Rule: "R13"}, "uneven work"},
		{report.Finding{Rule: "R13", Kind: report.Imbalance, Cause: report.ByIPC, Threads: []int32{0}},
			"low IPC on 1.1.1"},
		{report.Finding{Rule: "R13", Kind: report.Imbalance, Cause: report.ByClock}, "a lower clock"},
		{report.Finding{Rule: "R13", Kind: report.Imbalance, Cause: report.ByWork}, "uneven work"},
		{report.Finding{Rule: "R13", Kind: report.Noise, Cause: report.ByIPC}, "uneven work"},
		{report.Finding{Rule: "R13", Kind: report.InputOutput, Threads: []int32{0}}, "uneven I/O on 1.1.1"},
		{report.Finding{Rule: "R13", When: report.Moving, Threads: []int32{0}}, "uneven work that moves"},
		{report.Finding{Rule: "R31", Threads: []int32{0}}, "slow messages"},
		{report.Finding{Rule: "R01", Name: "sched"}, "sched"},
		{report.Finding{Rule: "R98", Name: "a name"}, "a name"},
	} {
		c.finding.Severity = 2
		want := "to gain: " + c.want + " 2.0 %"
		got := answer.Headline(r, &report.Headline{}, tr, []report.Finding{c.finding})
		if len(got) != 1 || got[0].Sentence != want {
			t.Errorf("%+v, want %q", got, want)
		}
	}
	small := []report.Finding{{Rule: "R31", Severity: 1.99}}
	if got := answer.Headline(r, &report.Headline{}, tr, small); len(got) != 0 {
		t.Errorf("of less than 2 %%: %+v", got)
	}
}

// The account opens the headline if it loses 2 % or more, and less than half of the loss is unknown. Otherwise the
// factors do, as without factors.
func TestAccountInHeadline(t *testing.T) {
	tr := runtest.Build(t, runtest.Tasks(1))
	for _, c := range []struct {
		useful, unknown, length, factors int64
		want                             string
	}{
		{98, 0, 100, 1, "98.0 % efficient; lost: I/O in read 2.0 %"},
		{981, 0, 1000, 1, "factors"},
		{90, 4, 100, 1, "90.0 % efficient; lost: I/O in read 6.0 %, unknown: gap 4.0 %"},
		{90, 5, 100, 1, "factors"},
		{90, 0, 100, 0, "factors"},
	} {
		a := &account.Account{To: c.length, Threads: 1, Entries: []account.Entry{
			{Kind: account.Computing, NS: wide.Of(c.useful)},
			{Kind: account.IO, Of: "call=read", NS: wide.Of(c.length - c.useful - c.unknown)},
			{Kind: account.Unknown, Of: "reason=gap", NS: wide.Of(c.unknown)}},
			ByThread: []account.Sums{{account.Computing: c.useful, account.IO: c.length - c.useful - c.unknown,
				account.Unknown: c.unknown}}}
		h := &report.Headline{Factors: make([]report.Figure, c.factors), Lines: []report.Line{{Sentence: "factors"}}}
		got := answer.Headline(&diagnose.Result{Length: c.length, Account: a}, h, tr, nil)
		if len(got) != 1 || got[0].Sentence != c.want {
			t.Errorf("%+v, want %q", got, c.want)
		}
	}
}
