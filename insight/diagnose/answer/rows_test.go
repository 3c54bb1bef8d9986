package answer

import (
	"strings"
	"testing"

	"pview/insight/report"
	"pview/prv"
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

// A picture has the threads of the evidence and of its messages, once each, and a tenth of the time before and after,
// as far as the run goes.
func TestPicture(t *testing.T) {
	w := &writer{t: twoThreads(t)}
	for _, c := range []struct{ from, to, wantFrom, wantTo int64 }{
		{100, 200, 90, 210}, {5, 105, 0, 115}, {900, 995, 891, 1000}, {300, 300, 299, 301}, {0, 19, 0, 20}} {
		p := w.picture(&report.Evidence{From: c.from, To: c.to, Threads: []int32{0}, Messages: []int32{0}}).Panels[0]
		if p.From != c.wantFrom || p.To != c.wantTo || len(p.Threads) != 2 || p.Threads[0] != 0 || p.Threads[1] != 1 {
			t.Errorf("%+v: %d to %d of %v", c, p.From, p.To, p.Threads)
		}
	}
}
