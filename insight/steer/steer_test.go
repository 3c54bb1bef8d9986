package steer

import (
	"context"
	"math"
	"testing"

	"pview/prv"
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
	}{{80, Kept, 0}, {101, Kept, 0}, {120, Worse, 1}} {
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
	if got, ok := l.typical(0); !ok || got.Value != 100 || got.Count != fewest || got.Error > sure {
		t.Errorf("%+v, %v", got, ok)
	}
	l = loopAt(100, 160, 100, 160, 100, 160)
	if got, ok := l.typical(0); ok {
		t.Errorf("%+v is known", got)
	}
	if _, ok := l.typical(3); ok {
		t.Errorf("3 iterations are enough")
	}
}

// T4: the user's greatest factor, and the range of the variable. An int moves by one at least.
func TestLimit(t *testing.T) {
	v := &record.Tunable{Whole: true, Low: 1, High: 40}
	for _, c := range []struct{ from, to, factor, want float64 }{
		{16, 2, 0, 2}, {16, 2, 2, 8}, {16, 100, 2, 32}, {16, 100, 0, 40}, {3, 1, 1.2, 2}, {1, 9, 1.5, 2}, {16, 0, 0, 1},
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
