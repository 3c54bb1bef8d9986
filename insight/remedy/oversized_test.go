package remedy_test

import (
	"context"
	"strings"
	"testing"

	"pview/insight/remedy"
	"pview/insight/report"
	"pview/insight/runtest"
	"pview/prv"
)

// exchange returns a run of two tasks that send 40 messages to each other in turn, each when it has received one and
// computed. Two have 8 bytes, two a million, and so on. The former take 10 us, and so do the latter beside their bytes:
// the first two 110 us, the others a given time.
func exchange(t *testing.T, large int64) *remedy.Run {
	t.Helper()
	b := runtest.Tasks(2)
	call := func(th int32, from, to, value int64, state uint32) {
		b.State(th, 0, from, to, state)
		b.Event(th, 0, from, prv.Pair{Type: 50000001, Value: value})
		b.Event(th, 0, to, prv.Pair{Type: 50000001})
	}
	waits := [2]int64{} // since when
	for n := range 40 {
		from, to := int32(n%2), int32(1-n%2)
		size, took := int64(8), int64(10_000)
		switch {
		case n%4 >= 2 && n < 4:
			size, took = 1_000_000, 110_000
		case n%4 >= 2:
			size, took = 1_000_000, large
		}
		sent := waits[from] + ms/10
		b.State(from, 0, waits[from], sent, 1)
		call(from, sent, sent+1000, 1, 4)
		call(to, waits[to], sent+took, 2, 3)
		b.Comm(prv.Comm{Send: from, Recv: to, Size: size, Tag: 1, Times: [4]int64{sent, sent, waits[to], sent + took}})
		waits[from], waits[to] = sent+1000, sent+took
	}
	return remedy.NewRun(context.Background(), runtest.Computation(t, runtest.Build(t, b)))
}

// 20 large messages of which two take 110 us, 100 of them for their bytes. Where the others do so, too, that is 91 %.
// Where they take 300, it is 2000 of 5620, 35.6 %: others share the way. Where they take 2000, it is 5.5 %: they wait
// for something else.
func TestOversized(t *testing.T) {
	for large, want := range map[int64]string{110_000: "take most of their time for their bytes",
		300_000: "take 35.6 % of their time for their bytes", 2_000_000: ""} {
		list, err := exchange(t, large).Find(nil)
		if err != nil {
			t.Fatal(err)
		}
		title := ""
		for _, c := range list {
			if c.Kind == report.MessageSize {
				title = c.Title
			}
		}
		if (want == "") != (title == "") || !strings.Contains(title, want) {
			t.Errorf("%d ns: %q", large, title)
		}
	}
}
