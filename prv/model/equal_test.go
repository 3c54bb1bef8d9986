package model_test

import (
	"context"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/prvtest"
)

func readTrace(t testing.TB, text string) *prv.Trace {
	t.Helper()
	tr, err := prv.Read(context.Background(), strings.NewReader(text), prv.Options{Name: "x.prv"})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func TestEqualTellsTheDifference(t *testing.T) {
	for _, c := range []struct {
		old, new, want string
	}{
		{"21/11", "22/11", "date: 21/11/2026 at 00:34 and 22/11/2026 at 00:34"},
		{"1000_ns", "1000", "unit: ns and us"},
		{":1000_", ":2000_", "end in the header: 1000 and 2000"},
		{"2(1,2)", "2(2,2)", "node 0: {1 1} and {1 2}"},
		{"c:1:1:2:1:2", "c:1:1:1:1", "communicator 0: {c:1:1:2:1:2} and {c:1:1:1:1}"},
		{"# a comment", "# no comment", "comment 0: # a comment and # no comment"},
		{"0:100:1\n", "0:101:1\n", "THREAD 1.1.1: end of state 0: 100 and 101"},
		{"300:400:1\n", "300:400:2\n", "THREAD 1.2.2: state 1: 1 and 2"},
		{"1:3:1:2:2:300", "1:2:1:2:2:300", "THREAD 1.2.2: CPU of state 1: 3 and 2"},
		{"2:0:2:1:1:500", "2:0:2:1:1:501", "THREAD 2.1.1: time of event 0: 500 and 501"},
		{"\n2:1:1:1:1:0:7:", ":7:", "THREAD 1.1.1: event 2: first of its line: true and false"},
		{":4096:17", ":4096:18", "tag of message 0: 17 and 18"},
		{":4096:17", ":4097:17", "size of message 0: 4096 and 4097"},
		{":110:120:", ":110:121:", "physical receive of message 0: 120 and 121"},
		{"2:1:2:1:110", "3:1:2:1:110", "CPU at logical receive of message 0: 2 and 3"},
	} {
		changed := strings.Replace(prvtest.Canonical, c.old, c.new, 1)
		if changed == prvtest.Canonical {
			t.Fatalf("%q is not in the trace", c.old)
		}
		err := prv.Equal(readTrace(t, prvtest.Canonical), readTrace(t, changed))
		if err == nil || err.Error() != c.want {
			t.Errorf("%q for %q: got %v, want %s", c.new, c.old, err, c.want)
		}
	}
	if err := prv.Equal(readTrace(t, prvtest.Canonical), readTrace(t, prvtest.Canonical)); err != nil {
		t.Errorf("a trace differs from itself: %v", err)
	}
}
