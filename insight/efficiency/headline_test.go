package efficiency_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pview/insight/efficiency"
	"pview/insight/report"
	"pview/prv"
	"pview/prv/prvtest"
)

// trace reads a trace of 1000 ns with a thread for each list of states: state, until, state, until, ...
func trace(t *testing.T, threads ...[]int) *prv.Trace {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "#Paraver (01/01/03 at 00:00):1000_ns:1(%d):1:%d(%s)\n", len(threads), len(threads),
		strings.TrimSuffix(strings.Repeat("1:1,", len(threads)), ","))
	for th, states := range threads {
		begin := 0
		for i := 0; i < len(states); i += 2 {
			fmt.Fprintf(&b, "1:%d:1:%d:1:%d:%d:%d\n", th+1, th+1, begin, states[i+1], states[i])
			begin = states[i+1]
		}
	}
	tr, err := prv.Read(context.Background(), strings.NewReader(b.String()), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func of(t *testing.T, tr *prv.Trace) *report.Headline {
	t.Helper()
	s, err := efficiency.Headline(context.Background(), tr, true)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// One thread computes 930 of 1000, the others 260: average (930 + 3*260)/4 = 427.5, load balance 427.5/930 = 46.0 %,
// communication efficiency 93.0 %, parallel efficiency 42.75 %.
func TestLoadBalance(t *testing.T) {
	least := []int{1, 260, 3, 1000}
	s := of(t, trace(t, least, least, []int{1, 930, 3, 1000}, least))
	want := "42.8 % efficient: load balance 46.0 %; thread 1.3.1 useful 93.0 %, next 26.0 %"
	if len(s.Lines) == 0 || s.Lines[0].Sentence != want || s.Lines[0].Opens != report.Efficiency {
		t.Fatalf("%+v, want %q", s.Lines, want)
	}
	if e := s.Lines[0].Evidence; len(e.Threads) == 0 || e.Threads[0] != 2 {
		t.Errorf("the evidence is %+v", e)
	}
	// Waiting: (3*740 + 70)/4000 = 57.25 %.
	if want := "Waiting a message 57.2 % of the time, most in thread 1.1.1 (74.0 %)"; len(s.Lines) < 2 ||
		s.Lines[1].Sentence != want {
		t.Errorf("%+v, want %q", s.Lines, want)
	}
}

// The thread that computes longest is named, with the next if that computes two thirds at most, else with the least.
func TestExtremes(t *testing.T) {
	for next, want := range map[int]string{
		600: "63.3 % efficient: load balance 70.4 %; thread 1.1.1 useful 90.0 %, next 60.0 %",
		601: "63.4 % efficient: load balance 70.4 %; thread 1.1.1 useful 90.0 %, thread 1.3.1 only 40.0 %"} {
		s := of(t, trace(t, []int{1, 900, 3, 1000}, []int{1, next, 3, 1000}, []int{1, 400, 3, 1000}))
		if s.Lines[0].Sentence != want {
			t.Errorf("next %d: %q, want %q", next, s.Lines[0].Sentence, want)
		}
	}
}

// All compute 200 of 1000 and are in state 4 for 500 and 600: balance 100 %, communication 20 %.
func TestCommunication(t *testing.T) {
	s := of(t, trace(t, []int{1, 200, 4, 700, 3, 1000}, []int{1, 200, 4, 800, 3, 1000}))
	want := "20.0 % efficient: communication 20.0 %; Blocking Send 55.0 % of the time, most in thread 1.2.1 (60.0 %)"
	if len(s.Lines) != 1 || s.Lines[0].Sentence != want {
		t.Errorf("%+v, want only %q", s.Lines, want)
	}
	if e := s.Lines[0].Evidence; len(e.Threads) != 1 || e.Threads[0] != 1 {
		t.Errorf("the evidence is %+v", e)
	}
}

// A thread alone has neither balance nor communication, whatever it does in the other 400 of 1000.
func TestOneThread(t *testing.T) {
	s := of(t, trace(t, []int{1, 600, 4, 1000}))
	if want := "60.0 % efficient; Blocking Send 40.0 % of the time"; len(s.Lines) != 1 || s.Lines[0].Sentence != want {
		t.Errorf("%+v, want only %q", s.Lines, want)
	}
}

// Where both are good, both are named; 1 % of waiting is not worth a sentence.
func TestGoodRun(t *testing.T) {
	s := of(t, trace(t, []int{1, 990, 3, 1000}, []int{1, 990, 3, 1000}))
	if want := "99.0 % efficient: load balance 100 %, communication 99.0 %"; len(s.Lines) != 1 ||
		s.Lines[0].Sentence != want {
		t.Errorf("%+v, want only %q", s.Lines, want)
	}
}

// Of a thread that was never created there is nothing to say, and of one that only waits no more than that.
func TestNoFactors(t *testing.T) {
	if s := of(t, trace(t, []int{2, 1000})); len(s.Lines) != 0 || len(s.Factors) != 0 {
		t.Errorf("%+v of a thread that is never created", s)
	}
	if s := of(t, trace(t, []int{3, 1000})); len(s.Lines) != 1 ||
		s.Lines[0].Sentence != "Waiting a message 100 % of the time" {
		t.Errorf("%+v of a thread that waits", s)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if s, err := efficiency.Headline(ctx, trace(t, []int{1, 1000}), false); err == nil {
		t.Errorf("%+v", s)
	}
}

// The numbers of a real run: npb_lu_W_8 is bound by its blocking sends, 46 % of the time (pview stat says 45.9).
func TestRealRun(t *testing.T) {
	tr, err := prv.Open(context.Background(),
		prvtest.Shared(t, "traces", "npb_lu_W_8_nocallers", "npb_lu_W_8_nocallers.prv.gz"), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := of(t, tr)
	if len(s.Lines) == 0 || !strings.Contains(s.Lines[0].Sentence, "Blocking Send 46.3 % of the time") {
		t.Errorf("%+v", s.Lines)
	}
}
