package diagnose_test

// An analysis stops soon after its context has ended, wherever it is then.

import (
	"context"
	"os"
	stack "runtime"
	"strings"
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

// Check 54: wherever the context ends the analysis says so, and looks at it no more than once per thread and step.
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

// Check 54: the time for ten million units follows from that for a few where the work and the memory grow as the units
// do: twice as many take at most 2.2 times as much, so four times as many 4.84.
func TestCheck54(t *testing.T) {
	prvtest.Long(t)
	work := func(iterations int) (messages, steps, bytes float64) { // a message begins a unit
		tr := generated(t, synth.Options{Pattern: "stencil", Tasks: 16, Iterations: iterations, Compute: 50 * us})
		steps, bytes = prvtest.Work(func(ctx context.Context) {
			if _, err := diagnose.Analyze(ctx, tr, diagnose.Options{}); err != nil {
				t.Fatal(err)
			}
		})
		return float64(tr.Comms.Len()), steps, bytes
	}
	messages, steps, bytes := work(400)
	messages4, steps4, bytes4 := work(1600)
	if messages < 10_000 || messages4 < 3.8*messages {
		t.Errorf("%.0f messages, then %.0f", messages, messages4)
	}
	if steps < 1000 || steps4 > 2.2*2.2*steps {
		t.Errorf("%.0f looks at the context, and %.0f for four times the units", steps, steps4)
	}
	if bytes4 > 2.2*2.2*bytes {
		t.Errorf("%.0f bytes are allocated, and %.0f for four times the units", bytes, bytes4)
	}
}

// counted is a context that counts the looks at it by the functions that they were under.
type counted struct {
	context.Context
	mu    sync.Mutex
	under map[string]int
}

func (c *counted) Done() <-chan struct{} { return nil }

func (c *counted) Err() error {
	var pc [24]uintptr
	frames := stack.CallersFrames(pc[:stack.Callers(2, pc[:])])
	c.mu.Lock()
	defer c.mu.Unlock()
	for more := true; more; {
		var f stack.Frame
		f, more = frames.Next()
		_, name, _ := strings.Cut(f.Function[strings.LastIndex(f.Function, "/")+1:], ".")
		name, _, _ = strings.Cut(name, ".func") // a part of it that runs on several goroutines
		c.under[strings.NewReplacer("(*", "", ")", "").Replace(name)]++
	}
	return nil
}

// Each pass and sort over the records, waits, messages or units of a run looks at the context itself: between two looks
// it handles no more than 4096 of them, which at 1 us each are 4 ms.
func TestWorkBetweenLooks(t *testing.T) {
	prvtest.Long(t)
	const most = 4096
	tr := generated(t, synth.Options{Pattern: "stencil", Tasks: 6, Threads: 2, Iterations: 3000, Compute: 50 * us})
	c := &counted{Context: context.Background(), under: map[string]int{}}
	r, err := diagnose.Analyze(c, tr, diagnose.Options{Verify: 3})
	if err != nil {
		t.Fatal(err)
	}
	events := 0
	for i := range tr.Threads {
		events += tr.Threads[i].Events.Len()
	}
	waits, messages := len(r.Waits.Waits), tr.Comms.Len()
	t.Logf("%d events, %d waits, %d messages, %d operations", events, waits, messages, len(r.Waits.Instances))
	for _, pass := range []struct {
		function string
		handles  int
	}{
		{"analysis.survey", events}, {"analysis.read", events}, {"analysis.findCalls", 3 * messages},
		{"instances.match", messages / 10}, {"analysis.joinInstances", len(r.Waits.Instances)},
		{"analysis.groupCandidates", len(r.Waits.Instances)},
		{"analysis.candidatesOf", len(r.Waits.Instances)}, {"finder.begin", 3 * messages}, {"finder.run", 2 * messages},
		{"wrongOrder.build", 2 * messages}, {"analysis.idleWaits", waits / 10}, {"analysis.collect", waits},
		{"newSteps", 3 * waits},
		{"causedWaits.build", waits}, {"analysis.gatherSteps", len(r.Waits.Instances)}, {"Sort", waits},
		{"analysis.rankWaits", 2 * waits}, {"analysis.findIntervals", waits}, {"analysis.share", 2 * waits},
		{"analysis.operationEnds", messages}, {"analysis.sum", waits}, {"Graph.unitsOf", waits},
		{"Graph.link", waits}, {"finder.readThread", events},
		{"finder.passed", messages}, {"markAt", waits / 10},
		{"builder.messages", 2 * messages}, {"builder.findExchanges", messages}, {"builder.otherWaits", waits},
	} {
		if got := c.under[pass.function]; got*most < pass.handles {
			t.Errorf("%s looks %d times at its context while it handles %d records", pass.function, got, pass.handles)
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
