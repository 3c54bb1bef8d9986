package answer_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pview/insight/diagnose"
	"pview/insight/diagnose/answer"
	"pview/insight/report"
	"pview/insight/runtest"
	"pview/prv"
	"pview/prv/prvtest"
	"pview/render/document"
)

// relayed returns the diagnosis of a run of two tasks, from a time on. Task 1 computes until 10,000, is in MPI_Isend
// until 10,500, and computes until 11,000. Task 2 computes until 2,000, waits for the message until 11,500, and
// computes until 31,500. Both leave a collective operation at 34,500, and compute until 35,500.
func relayed(t *testing.T, from int64) (*prv.Trace, *diagnose.Result) {
	t.Helper()
	p := runtest.NewProgram(2)
	p.Work(0, 1, 10_000)
	p.Send(0, 1)
	p.Work(0, 2, 500)
	p.Work(1, 1, 2000)
	p.Recv(1, 0)
	p.Work(1, 3, 20_000)
	p.All(runtest.Step{Do: runtest.Meets})
	p.All(runtest.Step{Do: runtest.Computes, Function: 4, Time: 1000})
	tr := p.Run(t)
	r, err := diagnose.Analyze(context.Background(), tr, diagnose.Options{From: from})
	if err != nil {
		t.Fatal(err)
	}
	return tr, r
}

// The gaps of both threads, and the times at their ends that are in them. The analysed range ends a gap.
func TestGapAt(t *testing.T) {
	var got strings.Builder
	for _, from := range []int64{0, 5000} {
		_, r := relayed(t, from)
		r.Findings = []report.Finding{
			{Rule: "R02", Evidence: []report.Evidence{{From: 0, To: 10_000, Threads: []int32{0, 1}}}},
			{Rule: "R13", Evidence: []report.Evidence{{From: 11_500, To: 20_000}, {From: 31_499, To: 31_501}}},
			{Rule: "R31", Children: []report.Finding{{Rule: "R34",
				Evidence: []report.Evidence{{From: 10_499, To: 10_600, Threads: []int32{0}}}}}}}
		fmt.Fprintf(&got, "from %d\n", from)
		for thread := int32(-1); thread < 3; thread++ {
			last := answer.Gap{}
			for _, at := range []int64{-1, 0, 1999, 2000, 4999, 5000, 9999, 10_000, 10_499, 10_500, 11_000, 11_499,
				11_500, 31_500, 34_499, 34_500, 35_500} {
				g, ok, err := answer.GapAt(context.Background(), r, thread, at)
				if err != nil {
					t.Fatal(err)
				}
				if !ok {
					continue
				}
				if g.From != last.From {
					fmt.Fprintf(&got, "\nthread %d, %d to %d, ", thread, g.From, g.To)
					for _, f := range g.Findings {
						fmt.Fprintf(&got, "%s, ", f.Rule)
					}
					fmt.Fprintf(&got, "account of %s: at", g.Account.Whole())
				}
				fmt.Fprint(&got, " ", at)
				last = g
			}
		}
		got.WriteString("\n")
	}
	prvtest.SameText(t, got.String(), `
		from 0

		thread 0, 10000 to 10500, R31, account of 500: at 10000 10499
		thread 0, 11000 to 34500, R13, account of 23500: at 11000 11499 11500 31500 34499
		thread 1, 2000 to 11500, R02, account of 9500: at 2000 4999 5000 9999 10000 10499 10500 11000 11499
		thread 1, 31500 to 34500, R13, account of 3000: at 31500 34499
		from 5000

		thread 0, 10000 to 10500, R31, account of 500: at 10000 10499
		thread 0, 11000 to 34500, R13, account of 23500: at 11000 11499 11500 31500 34499
		thread 1, 5000 to 11500, R02, account of 6500: at 5000 9999 10000 10499 10500 11000 11499
		thread 1, 31500 to 34500, R13, account of 3000: at 31500 34499
	`)
	if _, ok, err := answer.GapAt(context.Background(), &diagnose.Result{}, 0, 0); ok || err != nil {
		t.Error("a run that was not analysed has a gap", err)
	}
}

// The text explains a wait in a gap, a gap without a wait, and computation.
func TestExplain(t *testing.T) {
	tr, r := relayed(t, 0)
	r.Findings = []report.Finding{{Rule: "R02", Name: "late", Severity: 8000, Title: "a late send",
		Evidence: []report.Evidence{{From: 2000, To: 10_000}}}}
	var got strings.Builder
	for _, c := range []struct {
		thread int32
		at     int64
	}{{1, 2000}, {0, 10_000}, {0, 9999}} {
		d, err := answer.Explain(context.Background(), r, tr, c.thread, c.at)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&got, "=== thread %d at %d\n", c.thread, c.at)
		if d != nil {
			got.WriteString(document.Text(d, nil))
		}
	}
	prvtest.SameText(t, got.String(), `
		=== thread 1 at 2000
		1.2.1 waits 8 us for 1.1.1: Late Sender
		a receive began before its message was sent
		8 us of it because 1.1.1 computed longer, 0 ns because that thread had waited itself
		message of 8 bytes, tag 0, sent at 10.000 us, received at 11.500 us

		1.2.1 does not compute for 9.5 us: wait for function 1 on 1.1.1 8 us, transfer in value 2 1.5 us

		     22.5 %  8 us  a late send
		     see: 2.000 .. 10.000 us
		=== thread 0 at 10000
		1.1.1 does not compute for 500 ns: transfer in value 3 500 ns
		=== thread 0 at 9999
	`)
}
