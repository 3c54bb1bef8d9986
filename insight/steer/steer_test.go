package steer

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/prvtest"
	"pview/prv/record"
)

// program represents a running program: it notes new values, and adopts them at the next iteration.
type program struct {
	variable record.Tunable
	seen     int
	set      []float64
}

func (p *program) Tunables() []record.Tunable { return []record.Tunable{p.variable} }
func (p *program) Pending(int) bool           { return false }
func (p *program) Set(_ int, value float64, _ int) uint32 {
	p.set = append(p.set, value)
	p.variable.Value = value
	return uint32(p.seen) + 2 // the iteration after the one under way, from 1
}

// loopAt returns a loop that has seen iterations of these times, ns.
func loopAt(times ...int64) *Loop {
	l := New(Options{Apply: true})
	l.begins = []int64{0}
	for _, x := range times {
		l.begins = append(l.begins, l.begins[len(l.begins)-1]+x)
	}
	l.seen = len(times)
	return l
}

// T4: a change after which iterations are longer is taken back, and does not come again soon; one after which they are
// shorter is kept, whatever was predicted.
func TestJudge(t *testing.T) {
	for _, c := range []struct {
		after   int64
		outcome Outcome
		set     int
	}{{80, Kept, 0}, {102, Kept, 0}, {103, Worse, 1}, {120, Worse, 1}} {
		// Ten iterations of 100 with the value 8, then one in between, and six with the value 4.
		l := loopAt(100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 300, c.after, c.after, c.after, c.after, c.after,
			c.after)
		p := &program{seen: l.seen,
			variable: record.Tunable{Name: "partition", Whole: true, Low: 1, High: 16, Value: 4}}
		d := &Decision{Number: 1, Variable: "partition", From: "8", To: "4", Before: Typical{Value: 100, Count: 5},
			Predicted: 70, Applied: true, Growth: 1}
		l.Decisions = []*Decision{d}
		l.open = &change{Decision: d, from: 8, to: 4, since: 10}
		l.last = 10
		news, err := l.judge(context.Background(), &prv.Trace{}, p, p.Tunables())
		if err != nil || len(news) != 1+c.set || d.Outcome != c.outcome || d.After.Value != float64(c.after) {
			t.Fatalf("after %d: %v, %v, %+v", c.after, err, news, d)
		}
		if len(p.set) != c.set || c.set > 0 && p.set[0] != 8 {
			t.Errorf("after %d: set to %g", c.after, p.set)
		}
		down := (&Proposal{From: 8, To: 4}).key(p.Tunables())
		if rests := l.rested[down] > l.seen; rests != (c.set > 0) || l.open != nil {
			t.Errorf("after %d: rests: %v, open: %v", c.after, rests, l.open)
		}
	}
}

// T1: as many iterations as give the median to 5 %; some that another program made long do not count. The quartiles of
// the last five are 100 and 102: 1.96 * 2/1.349 * 1.253 / sqrt(5) = 1.6 %. Of two kinds of iterations nothing is known.
func TestTypical(t *testing.T) {
	l := loopAt(100, 102, 98, 400, 100, 102, 98, 300, 100)
	got, ok := l.typical(0)
	if !ok || got.Value != 100 || got.Count != fewest || math.Abs(got.Error-0.01629) > 1e-5 {
		t.Errorf("%+v, %v", got, ok)
	}
	l = loopAt(100, 160, 100, 160, 100, 160)
	if got, ok := l.typical(0); ok {
		t.Errorf("%+v is known", got)
	}
	for n, want := range map[int]bool{most - 1: false, most: true} { // as many as are needed at most
		times := make([]int64, n)
		for i := range times {
			times[i] = 100 + 60*int64(i%2)
		}
		if got, ok := loopAt(times...).typical(0); ok != want {
			t.Errorf("of %d uneven iterations: %+v, %v", n, got, ok)
		}
	}
	if _, ok := l.typical(3); ok {
		t.Errorf("3 iterations are enough")
	}
}

// A master with 24 tasks of 1 ms in chunks of 12 for 6 workers: chunks of 4 take a third of the time. Each look sees
// some more iterations.
func TestLook(t *testing.T) {
	var got strings.Builder
	for _, c := range []struct {
		what        string
		opt         Options
		master      master
		looks, more int
	}{
		{"applied", Options{Apply: true}, master{}, 20, 1},
		{"every 8 iterations", Options{Apply: true, Every: 8}, master{}, 20, 2},
		{"by a factor of 2", Options{Apply: true, MaxChange: 2}, master{}, 30, 1},
		{"recommended", Options{}, master{}, 60, 1},
		{"too few iterations", Options{}, master{}, 5, 1},
		{"refused twice", Options{Apply: true}, master{refuses: 2}, 20, 1},
		{"pending for two looks", Options{Apply: true}, master{pending: 2}, 20, 1},
		{"slower with chunks of 4", Options{Apply: true}, master{slow: 4}, 60, 1},
		{"no iteration is new", Options{Apply: true}, master{}, 20, 0},
		{"the first is not the rank", Options{}, master{variables: []record.Tunable{
			{Name: "partition", Whole: true, Low: 1, High: 24, Value: 12, Ranks: []int{7}}}}, 20, 1},
	} {
		m, l := c.master, New(c.opt)
		m.tasks, m.workers = slices.Repeat([]int64{ms}, 24), 6
		if m.variables == nil {
			m.variables = []record.Tunable{whole("partition", 1, 24, 12), whole("other", 0, 9, 1)}
		}
		fmt.Fprintf(&got, "=== %s\n", c.what)
		told := map[int]bool{}
		for range c.looks {
			news, err := l.Look(context.Background(), m.run(t, c.more), false, &m)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range news {
				if !told[d.Number] {
					fmt.Fprintf(&got, "%d: %s\n", d.Number, d)
				}
				if text := d.Result(); text != "" {
					fmt.Fprintf(&got, "%d at %d: %s\n", d.Number, l.Iterations(), text)
				}
				told[d.Number] = true
			}
		}
		if l.Doubt != "" {
			fmt.Fprintln(&got, "doubt:", l.Doubt)
		}
	}
	prvtest.SameFile(t, "testdata/looks.txt", got.String())
}

// T4: the user's greatest factor, and the range of the variable. An int moves by one at least.
func TestLimit(t *testing.T) {
	v := &record.Tunable{Whole: true, Low: 1, High: 40}
	for _, c := range []struct{ from, to, factor, want float64 }{
		{16, 2, 0, 2}, {16, 2, 2, 8}, {16, 100, 2, 32}, {16, 100, 0, 40}, {3, 1, 1.2, 2}, {1, 9, 1.5, 2}, {16, 0, 0, 1},
		{16, 2, 1, 2}, {3, 3, 1.1, 3}, {-4, 9, 2, 9}, {-4, 1, 2, 1}, {7, 9, 2, 9},
	} {
		if got := limit(c.from, c.to, c.factor, v); got != c.want {
			t.Errorf("from %g to %g by at most %g: %g, want %g", c.from, c.to, c.factor, got, c.want)
		}
	}
	if got := limit(0.5, 0.9, 1.5, &record.Tunable{High: 1}); math.Abs(got-0.75) > 1e-12 {
		t.Errorf("a double: %g", got)
	}
}

// What came of a change is compared with the prediction for as much computation: 90 predicted, computation up by a
// tenth, 101 measured are 2 % more than 99. Where the result prints another change than +12.2 %, from 90 to 101, it
// tells how the computation has changed.
func TestResult(t *testing.T) {
	d := Decision{Predicted: 90e6, Growth: 1.1, After: Typical{Value: 101e6, Error: 0.01, Count: 5}, Outcome: Kept}
	want := "101 ms +- 1.0 % (5 iterations) measured, +2.0 % from the prediction for their computation, which has " +
		"changed by +10.0 %: kept"
	if got := d.Result(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	d.Growth = 1.001
	want = "101 ms +- 1.0 % (5 iterations) measured, +12.1 % from the prediction for their computation, which has " +
		"changed by +0.1 %: kept"
	if got := d.Result(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	d.Growth, d.Outcome = 1.0001, Worse
	want = "101 ms +- 1.0 % (5 iterations) measured, +12.2 % from the prediction: worse, taken back"
	if got := d.Result(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if d.Outcome = Open; d.Result() != "" {
		t.Errorf("%q before it is measured", d.Result())
	}
}

// Models that miss the measured time by more than 10 % leave a reason; others leave none.
func TestDoubt(t *testing.T) {
	v := &view{}
	if !v.meets(95, 100) || v.doubt != "" {
		t.Errorf("doubt: %q", v.doubt)
	}
	if v.meets(18e6, 40e6) || v.doubt != "the models give 18 ms for the measured 40 ms" {
		t.Errorf("doubt: %q", v.doubt)
	}
}

// A restarted program begins with other iterations: what was read of the old ones is forgotten. One that has registered
// nothing is left alone.
func TestRestarted(t *testing.T) {
	m := &master{variables: []record.Tunable{whole("partition", 1, 24, 4)}, workers: 6, perChunk: 4,
		tasks: slices.Repeat([]int64{ms}, 24)}
	l := New(Options{})
	look := func(more int, restarted bool) {
		if _, err := l.Look(context.Background(), m.run(t, more), restarted, m); err != nil {
			t.Fatal(err)
		}
	}
	look(3, false)
	if len(l.begins) != 4 || l.Iterations() != 3 {
		t.Errorf("%d begins, %d iterations of 3", len(l.begins), l.Iterations())
	}
	m.dealt = nil
	look(5, true)
	if len(l.begins) != 6 || l.Iterations() != 5 {
		t.Errorf("%d begins, %d iterations of 5", len(l.begins), l.Iterations())
	}
	m.variables = nil
	if look(1, false); l.Iterations() != 5 {
		t.Errorf("%d iterations of a program without variables", l.Iterations())
	}
}

// Models advise a master with 24 tasks in one chunk for each of 6 workers, of which four take 4 ms, when the run was a
// quarter longer, and once.
func TestAdvise(t *testing.T) {
	m := &master{workers: 6, perChunk: 4, tasks: slices.Repeat([]int64{ms}, 24)}
	for i := range 4 {
		m.tasks[i] = 4 * ms
	}
	l := New(Options{})
	var got strings.Builder
	for i := range 9 {
		news, err := l.Advise(context.Background(), m.run(t, 4))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range news {
			fmt.Fprintf(&got, "%d: %s\n", i+1, text)
		}
		if i < 2 {
			fmt.Fprintf(&got, "%d: looked at %s, doubt: %s\n", i+1, short(float64(l.advised)), l.Doubt)
		}
	}
	fmt.Fprintf(&got, "looked at %s", short(float64(l.advised)))
	prvtest.SameText(t, got.String(), `
		1: looked at 64.02 ms, doubt: the model does not hold: it gives 6.015 ms for the measured 16 ms (-62.4 %)
		2: recommended: balance first: dispatch tasks by policy FSC (balance now 0.38): 9.97 ms less of an iteration `+
		`or item (62.3 %); it rests on: tasks take as long as in the traced iteration
		2: looked at 128 ms, doubt: the model does not hold: it gives 6.015 ms for the measured 16.01 ms (-62.4 %)
		looked at 576.2 ms
	`)
	l = New(Options{})
	idle := newWriting(3, 100).trace(t)
	if news, err := l.Advise(context.Background(), idle); news != nil || err != nil || l.Doubt == "" {
		t.Errorf("of a run without messages: %q, %v, %q", news, err, l.Doubt)
	}
	if news, err := l.Advise(context.Background(), &prv.Trace{}); news != nil || err != nil {
		t.Errorf("of an empty run: %q, %v", news, err)
	}
}

// A decision says what was predicted, if anything was.
func TestDecisionText(t *testing.T) {
	d := Decision{Iteration: 9, Variable: "workers", From: "3", To: "4", Why: "idle",
		Before: Typical{Value: 2e6, Error: 0.02, Count: 5}}
	want := "iteration 9: recommended: workers 3 -> 4: idle; 2 ms +- 2.0 % (5 iterations)"
	if got := d.String(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	d.Applied, d.Predicted, d.Growth = true, 1, 1
	want = "iteration 9: workers 3 -> 4: idle; 1 ns predicted (-100 %) for 2 ms +- 2.0 % (5 iterations)"
	if got := d.String(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	d.Outcome, d.After, d.Predicted = Kept, Typical{Value: 1e6, Count: 7}, 0
	if got, want := d.Result(), "1 ms +- 0 % (7 iterations) measured: kept"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
