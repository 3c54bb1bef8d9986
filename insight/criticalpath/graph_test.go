package criticalpath

import (
	"context"
	"fmt"
	"testing"

	"pview/insight/runtest"
	"pview/prv/extrae/execution"
)

// executed is an execution of an entry on a thread. Its message, which processor by (from 1) created, was queued at a
// time; in it, another message is created.
type executed struct {
	thread              int32
	begin, end          int64
	message, by, queued int64
	creates, at         int64
}

// The path comes from the message of an execution, on its way from its creation until it is queued, unless the
// processor was still busy then.
func TestInGraph(t *testing.T) {
	for _, c := range []struct {
		name string
		list []executed
		want string
	}{
		{"alone", []executed{{thread: 1, begin: 5, end: 20}}, "0 jumps, 5..20 computation of 1"},
		{"from a later thread", []executed{{thread: 1, end: 10, creates: 1, at: 4},
			{thread: 0, begin: 20, end: 30, message: 1, by: 2, queued: 12}},
			"1 jumps, 0..4 computation of 1, 4..12 transfer of 0, 12..20 waiting of 0, 20..30 computation of 0"},
		{"created when it begins", []executed{{thread: 1, end: 25, creates: 1, at: 20},
			{thread: 0, begin: 20, end: 30, message: 1, by: 2}},
			"0 jumps, 0..20 waiting of 0, 20..30 computation of 0"},
		{"busy until 10", []executed{{thread: 1, end: 8, creates: 1, at: 2}, {thread: 0, end: 10},
			{thread: 0, begin: 10, end: 20, message: 1, by: 2, queued: 9}}, "0 jumps, 0..20 computation of 0"},
		{"just free", []executed{{thread: 1, end: 8, creates: 1, at: 2}, {thread: 0, end: 10},
			{thread: 0, begin: 10, end: 20, message: 1, by: 2, queued: 10}},
			"1 jumps, 0..2 computation of 1, 2..10 transfer of 0, 10..20 computation of 0"},
		// The last one, queued at 15, waited for the second, and that, queued at 11, for its message.
		{"busy, then free", []executed{{thread: 1, end: 8, creates: 1, at: 3},
			{thread: 1, begin: 8, end: 9, creates: 2, at: 9}, {thread: 0, end: 10},
			{thread: 0, begin: 12, end: 20, message: 1, by: 2, queued: 11},
			{thread: 0, begin: 20, end: 30, message: 2, by: 2, queued: 15}},
			"1 jumps, 0..3 computation of 1, 3..11 transfer of 0, 11..12 waiting of 0, 12..30 computation of 0"},
		{"its own message", []executed{{thread: 0, end: 10, creates: 1, at: 4},
			{thread: 0, begin: 20, end: 30, message: 1, by: 1, queued: 15}},
			"0 jumps, 0..10 computation of 0, 10..20 waiting of 0, 20..30 computation of 0"},
	} {
		b := runtest.Tasks(2)
		for _, e := range c.list {
			if e.queued > 0 {
				runtest.Line(b, e.thread, e.queued, runtest.Slots{execution.Enqueue: e.message,
					execution.Creator: e.by})
			}
			runtest.Line(b, e.thread, e.begin, runtest.Slots{execution.Entry: 1, execution.Message: e.message,
				execution.Creator: e.by})
			if e.creates > 0 {
				runtest.Line(b, e.thread, e.at, runtest.Slots{execution.Created: e.creates, execution.Target: 2})
			}
			runtest.Line(b, e.thread, e.end, runtest.Slots{execution.Entry: 0})
		}
		p, err := InGraph(context.Background(), runtest.Graph(t, runtest.Build(t, b)))
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprintf("%d jumps", p.Jumps)
		for _, s := range p.Segments {
			got += fmt.Sprintf(", %d..%d %s of %d", s.Begin, s.End, Kinds[s.Kind].Key, s.Thread)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
