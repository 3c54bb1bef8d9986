package waits_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pview/insight/waits"
	"pview/prv"
	"pview/prv/prvtest"
	"pview/prv/synth"
)

// Check 38: traces with little or nothing in them have no waits, and are no error.
func TestNothing(t *testing.T) {
	for _, text := range []string{"1:", "1: A[0,10)", "1: A[0,10)\n2: A[0,20)", "1: Barrier[0,10)", "1: Recv[0,10)\n2: Send[0,5)"} {
		if r := analyze(t, parse(t, text), waits.Options{}); len(r.Waits) != 0 || len(r.Delays) != 0 {
			t.Errorf("%q: %v", text, shown(r))
		}
	}
}

// Check 38: a trace that ends anywhere: no crash, and sums are exact.
func TestCut(t *testing.T) {
	path := prvtest.Traces(prvtest.Shared(t, "traces"), "callmix_4")[0]
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	flags := waits.Flags(0)
	for n := 20; n < len(lines); n += 97 {
		cut := filepath.Join(t.TempDir(), "cut.prv")
		if err := os.WriteFile(cut, []byte(strings.Join(lines[:n], "")), 0o644); err != nil {
			t.Fatal(err)
		}
		tr, err := prv.Open(context.Background(), cut, prv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range analyze(t, tr, waits.Options{}).Waits {
			flags |= w.Flags
		}
	}
	if flags&waits.Partial == 0 {
		t.Error("no operation had members missing")
	}
}

// Check 39: times a thousand times as long, and any number of processors.
func TestScaled(t *testing.T) {
	for seed := range uint64(20) {
		p := newProgram(rand.New(rand.NewPCG(seed, 39)), 4, 12)
		one := analyze(t, parse(t, p.script()), limit(1024))
		long := itemForm.ReplaceAllString(p.script(), "$1$2[${3}000,${4}000)")
		var lines []string
		for _, line := range strings.Split(long, "\n") {
			f := strings.Fields(line)
			if len(f) > 4 && strings.Contains(f[0], ">") {
				for i := 1; i < 5; i++ {
					f[i] += "000"
				}
				line = strings.Join(f, " ")
			}
			lines = append(lines, line)
		}
		many := analyze(t, parse(t, strings.Join(lines, "\n")), limit(1024))
		if len(one.Waits) != len(many.Waits) {
			t.Fatalf("seed %d: %d waits, %d", seed, len(one.Waits), len(many.Waits))
		}
		for i := range one.Waits {
			a, b := one.Waits[i], many.Waits[i]
			if 1000*a.From != b.From || 1000*a.To != b.To || a.Class != b.Class || a.Cause != b.Cause {
				t.Fatalf("seed %d: %+v, %+v", seed, a, b)
			}
		}
		before := runtime.GOMAXPROCS(1)
		again := analyze(t, parse(t, p.script()), limit(1024))
		runtime.GOMAXPROCS(before)
		if !slices.Equal(again.Waits, one.Waits) || !slices.Equal(again.Delays, one.Delays) {
			t.Fatalf("seed %d: one processor finds something else", seed)
		}
	}
}

// A context that ends stops the analysis.
func TestCancelled(t *testing.T) {
	g, err := synth.New(synth.Options{Pattern: "stencil", Tasks: 16, Iterations: 200})
	if err != nil {
		t.Fatal(err)
	}
	tr, err := g.Trace(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	begun := make(chan time.Time, 1)
	steps := 0
	_, err = waits.Analyze(ctx, tr, waits.Options{Progress: func(int64, int64) {
		if steps++; steps == 4 {
			cancel()
			begun <- time.Now()
		}
	}})
	if err != context.Canceled {
		t.Errorf("error %v", err)
	}
	t.Logf("stopped after %v", time.Since(<-begun))
}

// counted counts the looks at a context: an analysis looks at it after a number of steps, so they tell how much it does.
type counted struct {
	context.Context
	looks atomic.Int64
}

func (c *counted) Err() error {
	c.looks.Add(1)
	return nil
}

// Check 40: twice the iterations of a pipeline are at most 2.2 times the work.
func TestWorkOfIterations(t *testing.T) {
	work := func(iterations int) float64 {
		g, err := synth.New(synth.Options{Pattern: "pipeline", Tasks: 16, Iterations: iterations, Compute: 20_000})
		if err != nil {
			t.Fatal(err)
		}
		tr, err := g.Trace(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		c := &counted{Context: context.Background()}
		r, err := waits.Analyze(c, tr, waits.Options{})
		if err != nil || len(r.Waits) < iterations/10 {
			t.Fatalf("%d waits: %v", len(r.Waits), err)
		}
		return float64(c.looks.Load())
	}
	if once, twice := work(2000), work(4000); twice > 2.2*once || once < 1000 {
		t.Errorf("%.0f looks at the context, and %.0f for twice the iterations", once, twice)
	}
}

// Check 40: a message that goes round 1,000 threads ten times: each wait has the one before it as its cause, 10,000 of them down to the computation of the
// first thread. The work [0,100) of T1 causes them all; nobody else computes.
func TestDeepChain(t *testing.T) {
	const threads, rounds = 1000, 10
	h := prv.Header{Unit: prv.Nanoseconds}
	h.AddNode(threads)
	h.AddPtask()
	for range threads {
		h.AddTask(1, 0)
	}
	b := prv.NewBuilder(h)
	call := func(thread int32, from, to, value int64) {
		b.Event(thread, 0, from, prv.Pair{Type: 50000001, Value: value})
		b.Event(thread, 0, to, prv.Pair{Type: 50000001})
	}
	b.State(0, 0, 0, 100, 1)
	free := make([]int64, threads)
	at, n := int64(100), int64(0)
	for range rounds {
		for i := range int32(threads) {
			to := (i + 1) % threads
			call(i, at, at+1, 1)
			free[i] = at + 1
			begin := free[to]
			call(to, begin, at+2, 2)
			b.Comm(prv.Comm{Send: i, Recv: to, Size: 8, Times: [4]int64{at, at + 1, begin, at + 2}})
			free[to] = at + 2
			at += 2
			n += at - 2 - begin
		}
	}
	tr, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	r := analyze(t, tr, limit(1024)) // which checks the sums
	var sum int64
	for _, w := range r.Waits {
		sum += w.Length()
	}
	if len(r.Waits) != threads*rounds || sum != n {
		t.Errorf("%d waits of %d in all, want %d of %d", len(r.Waits), sum, threads*rounds, n)
	}
}
