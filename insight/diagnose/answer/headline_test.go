package answer_test

import (
	"strings"
	"testing"

	"pview/insight/account"
	"pview/insight/diagnose"
	"pview/insight/diagnose/answer"
	"pview/insight/report"
	"pview/prv"
	"pview/prv/wide"
)

// Two threads of 1000: 595 of 1000 are useful, and 810 of 2000 are lost: 500 (25 %), 200 (10 %), 60 (3 %) and 50. Of
// findings, 400 and 200 are 40 and 20 %; one of 19 is below 2 % and not worth a word. Warnings cost nothing.
func TestHeadline(t *testing.T) {
	tr, err := prv.Read(t.Context(),
		strings.NewReader("#Paraver (01/01/03 at 00:00):1000_ns:1(2):1:2(1:1,1:1)\n1:1:1:1:1:0:260:1\n"), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
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
