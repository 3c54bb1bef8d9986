package waits_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"pview/insight/runtest"
	"pview/insight/waits"
	"pview/insight/waits/answer"
	"pview/prv"
	"pview/prv/prvtest"
	"pview/prv/synth"
)

// Check 38: traces with little or nothing in them have no waits, and are no error.
func TestNothing(t *testing.T) {
	for _, text := range []string{"1:", "1: A[0,10)", "1: A[0,10)\n2: A[0,20)", "1: Barrier[0,10)",
		"1: Recv[0,10)\n2: Send[0,5)"} {
		if r := analyze(t, parse(t, text), waits.Options{}); len(r.Waits) != 0 || len(r.Delays) != 0 {
			t.Errorf("%q: %v", text, shown(r))
		}
	}
}

// A task of whose messages none is recorded may wait in its calls for what is not known; one that receives nothing, or
// that has a message, does not. What links a call with the work of a device (tag 55001) is no message.
func TestUntold(t *testing.T) {
	const note = "no message to 1 task is in the trace: what calls that receive wait for is unknown there"
	for text, want := range map[string][]bool{
		"1: Recv[0,10)\n2: Send[0,5)":                                                 {true, false},
		"1: Irecv[0,1) Waitall[1,10)\n2: Isend[0,1) Waitall[1,2)":                     {true, false},
		"1: Irecv[0,1) Test[1,10)\n2: Isend[0,1) Waitall[1,2)":                        {false, false},
		"1: Recv[0,10)\n2: Send[0,5)\n2>1 0 5 0 10":                                   {false, false},
		"tasks 2 1\n1: Recv[0,10)\n2: Send[0,1)\n3: Send[0,5)\n1>2 0 0 5 5 tag 55001": {true, false, false},
	} {
		r := analyze(t, parse(t, text), waits.Options{})
		for thread, want := range want {
			c := r.Call(int32(thread), r.Calls(int32(thread))-1)
			if got := r.Untold(int32(thread), &c); got != want {
				t.Errorf("%q: thread %d: %v", text, thread+1, got)
			}
		}
		if got := slices.Contains(r.Notes, note); got == strings.Contains(text, "2>1") {
			t.Errorf("%q: notes %q", text, r.Notes)
		}
	}
}

// Records of one node may contradict its clock: T1 leaves the barrier at 20, before T2 enters it at 50.
func TestClockNotes(t *testing.T) {
	r := analyze(t, parse(t, "1: Barrier[10,20)\n2: Barrier[50,60)"), waits.Options{})
	want := "records contradict the one clock of node 1: 1 collective operation left too early, by up to 30 ns"
	if got := answer.ClockNotes(r); len(got) != 1 || got[0] != want {
		t.Errorf("%q, want %q", got, want)
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

// movedScript returns a script with every time at of thread i (from 0) as 8 at + i + later, so that no two threads do
// anything at once, and with the threads in another order: place[i] is the place of thread i.
func movedScript(text string, place []int, later int64) string {
	moved := func(text string, thread int) int64 { return 8*number(text) + int64(thread) + later }
	threads, messages := make([]string, len(place)), []string{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		if from, to, ok := strings.Cut(f[0], ">"); ok {
			a, b := int(number(from))-1, int(number(to))-1
			for i, thread := range []int{a, a, b, b} {
				f[1+i] = fmt.Sprint(moved(f[1+i], thread))
			}
			f[0] = fmt.Sprintf("%d>%d", place[a]+1, place[b]+1)
			messages = append(messages, strings.Join(f, " "))
			continue
		}
		i := int(number(strings.TrimSuffix(f[0], ":"))) - 1
		calls := itemForm.ReplaceAllStringFunc(strings.Join(f[1:], " "), func(item string) string {
			m := itemForm.FindStringSubmatch(item)
			return fmt.Sprintf("%s%s[%d,%d)", m[1], m[2], moved(m[3], i), moved(m[4], i))
		})
		threads[place[i]] = fmt.Sprintf("%d: %s", place[i]+1, calls)
	}
	return strings.Join(append(threads, messages...), "\n")
}

// Check 39: threads in another order are the same waits and delays of other threads; so are they where all happens
// later. Of scans the order of ranks is the meaning, so that they are not in it.
func TestRenamed(t *testing.T) {
	found := 0
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 39))
		const threads = 4
		text := strings.ReplaceAll(newProgram(rng, threads, 12).script(), "Scan", "Allreduce")
		same := []int{0, 1, 2, 3}
		one := analyze(t, parse(t, movedScript(text, same, 0)), limit(1024))
		found += len(one.Waits)
		for _, c := range []struct {
			place []int
			later int64
		}{{rng.Perm(threads), 0}, {same, 8000}} {
			other := analyze(t, parse(t, movedScript(text, c.place, c.later)), limit(1024))
			// What the other run should be, in the order of its threads.
			var want, got []string
			name := func(r *waits.Result, d waits.Delay, thread int) string {
				return fmt.Sprintf("%d %s %d+%d in %d", thread, r.Regions[d.Region].Name, d.Short, d.Long, d.Waits)
			}
			for _, w := range one.Waits {
				want = append(want, fmt.Sprint(c.place[w.Thread], c.place[w.Cause], w.From+c.later, w.To+c.later,
					w.Class, w.Flags, w.Direct, w.L, w.Spread))
			}
			for _, w := range other.Waits {
				got = append(got, fmt.Sprint(w.Thread, w.Cause, w.From, w.To, w.Class, w.Flags, w.Direct, w.L,
					w.Spread))
			}
			for _, d := range one.Delays {
				want = append(want, name(one, d, c.place[d.Thread]))
			}
			for _, d := range other.Delays {
				got = append(got, name(other, d, int(d.Thread)))
			}
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d, threads at %v, later by %d:\n%s\n\nis\n%s\n\nnot\n%s", seed, c.place, c.later, text,
					strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	}
	if found < 100 {
		t.Errorf("%d waits", found)
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

// Check 40: twice the iterations of a pipeline are at most 2.2 times the work, and so is the memory: four times the
// iterations at most 4.84 times.
func TestWorkOfIterations(t *testing.T) {
	prvtest.Long(t)
	work := func(iterations int) (looks, bytes float64) {
		g, err := synth.New(synth.Options{Pattern: "pipeline", Tasks: 16, Iterations: iterations, Compute: 20_000})
		if err != nil {
			t.Fatal(err)
		}
		tr, err := g.Trace(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return prvtest.Work(func(ctx context.Context) {
			r, err := waits.Analyze(ctx, tr, waits.Options{})
			if err != nil || len(r.Waits) < iterations/10 {
				t.Fatalf("%d waits: %v", len(r.Waits), err)
			}
		})
	}
	looks, bytes := work(2000)
	looks4, bytes4 := work(8000)
	if looks4 > 2.2*2.2*looks || looks < 1000 {
		t.Errorf("%.0f looks at the context, and %.0f for four times the iterations", looks, looks4)
	}
	if bytes4 > 2.2*2.2*bytes {
		t.Errorf("%.0f bytes are allocated, and %.0f for four times the iterations", bytes, bytes4)
	}
}

// Check 40: a message that goes round 1,000 threads ten times: each wait has the one before it as its cause, 10,000 of
// them down to the computation of the first thread. The work [0,100) of T1 causes them all; nobody else computes.
func TestDeepChain(t *testing.T) {
	const threads, rounds = 1000, 10
	b := runtest.Tasks(threads)
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
	tr := runtest.Build(t, b)
	r := analyze(t, tr, limit(1024)) // which checks the sums
	var sum int64
	for _, w := range r.Waits {
		sum += w.Length()
	}
	if len(r.Waits) != threads*rounds || sum != n {
		t.Errorf("%d waits of %d in all, want %d of %d", len(r.Waits), sum, threads*rounds, n)
	}
}
