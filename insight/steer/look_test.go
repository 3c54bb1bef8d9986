package steer

import (
	"context"
	"fmt"
	"testing"

	"pview/insight/frameworks"
	"pview/prv"
	"pview/prv/record"
)

// farmTrace returns a run of a master as pview record writes it: in each iteration of 10 ms two tasks for each of 12
// workers, one after the other, of 1 to 4 ms. Calls of MPI take 1 us.
func farmTrace(tb testing.TB, iterations int) *prv.Trace {
	tb.Helper()
	const workers, period = 12, 10_000_000
	w := newWriting(workers+1, int64(iterations+1)*period)
	for i := range iterations {
		begin := int64(i)*period + period/2
		w.sync(begin)
		for round := range int64(2) {
			for task := int32(1); task <= workers; task++ {
				w.message(0, task, begin+round*4_500_000+int64(task)*10*us)
			}
			for task := int32(1); task <= workers; task++ {
				w.message(task, 0, begin+round*4_500_000+1_000_000+int64(task)*250*us)
			}
		}
	}
	return w.trace(tb)
}

// loopOf returns a loop that has read the iterations of a run, whose master has a variable.
func loopOf(t *prv.Trace) (*Loop, *program) {
	p := &program{variable: record.Tunable{Name: "partition", Ranks: []int{0}, Whole: true, Low: 1, High: 24, Value: 1}}
	l := New(Options{})
	l.read(t, p.variable.Ranks)
	return l, p
}

// lookAgain makes a loop look at the last iteration of a run as if it had just ended.
func lookAgain(tb testing.TB, l *Loop, t *prv.Trace, p *program) {
	l.seen, l.last, l.wanted, l.Decisions = len(l.begins)-2, 0, wanted{}, nil
	if _, err := l.Look(context.Background(), t, false, p); err != nil {
		tb.Fatal(err)
	}
}

// What the models say of the last iterations does not depend on how many were before.
func TestLookWindow(t *testing.T) {
	var rounds [2][]frameworks.Round
	for k, iterations := range []int{40, 160} {
		tr := farmTrace(t, iterations)
		l, p := loopOf(tr)
		lookAgain(t, l, tr, p)
		v := l.view(context.Background(), tr, Typical{Count: 10}, p.Tunables())
		var err error
		if rounds[k], err = v.farm(); err != nil || len(rounds[k]) != 10 {
			t.Fatalf("%d of 10 iterations, %v", len(rounds[k]), err)
		}
		// 24 tasks of 1 ms + w * 250 us, less 10 us for each worker before and 2 us of the message.
		if work := rounds[k][3].Work(); work != 24*(1e6-2000)+2*78*240e3 {
			t.Errorf("%d iterations: work of %g ns", iterations, work)
		}
	}
	if a, b := fmt.Sprint(rounds[0]), fmt.Sprint(rounds[1]); a != b {
		t.Errorf("%s\n%s", a, b)
	}
}

// BenchmarkLook looks at a new iteration of runs of 250, 1000 and 4000 iterations.
func BenchmarkLook(b *testing.B) {
	for _, times := range []int{1, 4, 16} {
		b.Run(fmt.Sprintf("%dx", times), func(b *testing.B) {
			tr := farmTrace(b, 250*times)
			l, p := loopOf(tr)
			for b.Loop() {
				lookAgain(b, l, tr, p)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N), "ns/iteration")
		})
	}
}
