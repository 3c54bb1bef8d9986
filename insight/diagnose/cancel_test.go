package diagnose_test

// An analysis stops soon after its context has ended, wherever it is then.

import (
	"context"
	"os"
	stack "runtime"
	"sync"
	"testing"
	"time"

	"pview/insight/diagnose"
	"pview/prv"
	"pview/prv/prvtest"
	"pview/prv/synth"
)

// watched is a context that ends when it has been looked at some times, and knows how long it was not looked at.
type watched struct {
	context.Context
	mu    sync.Mutex
	done  chan struct{}
	ends  int // 0: never
	looks int
	after int // looks at the ended context
	last  time.Time
	gap   time.Duration
	where string
}

func watch(ends int) *watched {
	return &watched{Context: context.Background(), done: make(chan struct{}), ends: ends, last: time.Now()}
}

func (w *watched) Done() <-chan struct{} { return w.done }

func (w *watched) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.looks++; w.looks == w.ends {
		close(w.done)
	}
	now := time.Now()
	if gap := now.Sub(w.last); gap > w.gap {
		w.gap = gap
		var pc [12]uintptr
		n := stack.Callers(2, pc[:])
		frames := stack.CallersFrames(pc[:n])
		w.where = ""
		for range 4 {
			f, _ := frames.Next()
			w.where += f.Function + " "
		}
	}
	w.last = now
	if w.ends > 0 && w.looks >= w.ends {
		w.after++
		return context.Canceled
	}
	return nil
}

// Wherever the context ends the analysis says so, and looks at it no more than once per thread and step.
func TestCancel(t *testing.T) {
	tr := generated(t, synth.Options{Pattern: "stencil", Tasks: 16, Iterations: 100})
	whole := watch(0)
	opt := diagnose.Options{Verify: 5}
	if _, err := diagnose.Analyze(whole, tr, opt); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d looks, at most %v apart, before %s", whole.looks, whole.gap, whole.where)
	if least := 50; whole.looks < least {
		t.Errorf("looks at its context %d times", whole.looks)
	}
	for part := 1; part < 40; part++ {
		w := watch(1 + whole.looks*part/40)
		if _, err := diagnose.Analyze(w, tr, opt); err != context.Canceled {
			t.Fatalf("ended at look %d of %d: error %v", w.ends, whole.looks, err)
		}
		if w.after > 2*16+10 {
			t.Errorf("ended at look %d of %d, and looks at it %d times more", w.ends, whole.looks, w.after)
		}
	}
}

// The longest time for which an analysis does not look at its context, in ms: so long it may take to stop.
func BenchmarkCancel(b *testing.B) {
	paths := prvtest.Traces(prvtest.Shared(b, "traces"), "*")
	if one := os.Getenv("TRACE"); one != "" {
		paths = []string{one}
	}
	for range b.N {
		longest := time.Duration(0)
		for _, path := range paths {
			tr, err := prv.Open(context.Background(), path, prv.Options{})
			if err != nil {
				b.Fatal(err)
			}
			w := watch(0)
			if _, err := diagnose.Analyze(w, tr, diagnose.Options{Verify: 10}); err != nil {
				b.Fatal(err)
			}
			b.Logf("%s: %d looks, %v before %s", path, w.looks, w.gap, w.where)
			longest = max(longest, w.gap)
		}
		b.ReportMetric(longest.Seconds()*1000, "ms-apart")
	}
}
