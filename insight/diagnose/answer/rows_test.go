package answer

import (
	"strings"
	"testing"

	"pview/insight/diagnose"
	"pview/insight/report"
	"pview/prv"
	"pview/prv/prvtest"
	"pview/render/document"
)

// twoThreads is a trace of two tasks, of 1000 us, with a message from the first to the second.
func twoThreads(t *testing.T) *prv.Trace {
	tr, err := prv.Read(t.Context(), strings.NewReader("#Paraver (01/01/03 at 00:00):1000:1(2):1:2(1:1,1:1)\n"+
		"1:1:1:1:1:0:260:1\n3:1:1:1:1:100:100:2:1:2:1:200:200:8:0\n"), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// The table for programs has a row for each finding, in ns, and one for each child after it, with the rank of its
// parent. Columns without a value are empty.
func TestRows(t *testing.T) {
	w := &writer{t: twoThreads(t), r: &diagnose.Result{Length: 1000, Findings: []report.Finding{
		{Rule: "R13", Name: "grainimb", Severity: 250, Share: 0.25, Checked: report.Confirmed, Verified: 200,
			Title: "uneven", Advice: "spread", Threads: []int32{1, 0},
			Evidence: []report.Evidence{{From: 40, To: 90}, {From: 500, To: 501}},
			Children: []report.Finding{{Rule: "R34", Name: "cause", Severity: 50, Share: 0.05, Title: "waits"}}},
		{Rule: "R29", Name: "critpath", Severity: report.NoSeverity, Title: "bound"},
	}}}
	var got strings.Builder
	if err := document.WriteTable(&got, w.rows(), "csv"); err != nil {
		t.Fatal(err)
	}
	prvtest.SameText(t, got.String(), `
		rank,rule,name,severity_ns,severity_percent,verified_ns,confidence,title,advice,threads,from_ns,to_ns
		1,R13,grainimb,250000,25,200000,low,uneven,spread,1.2.1 1.1.1,40000,90000
		1,R34,cause,50000,5,,low,waits,,,,
		2,R29,critpath,,,,low,bound,,,,
	`)
}

// A picture has the threads of the evidence and of its messages, once each, and a tenth of the time before and after,
// as far as the run goes.
func TestPicture(t *testing.T) {
	w := &writer{t: twoThreads(t)}
	for _, c := range []struct{ from, to, wantFrom, wantTo int64 }{
		{100, 200, 90, 210}, {5, 105, 0, 115}, {900, 995, 891, 1000}, {300, 300, 299, 301}} {
		p := w.picture(&report.Evidence{From: c.from, To: c.to, Threads: []int32{0}, Messages: []int32{0}}).Panels[0]
		if p.From != c.wantFrom || p.To != c.wantTo || len(p.Threads) != 2 || p.Threads[0] != 0 || p.Threads[1] != 1 {
			t.Errorf("%+v: %d to %d of %v", c, p.From, p.To, p.Threads)
		}
	}
}
