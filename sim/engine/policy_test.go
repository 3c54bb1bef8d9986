package engine

import (
	"testing"

	"pview/sim"
)

// TestForgotten (D29): 2 load / (2 load + 1) of a CPU's use remains.
func TestForgotten(t *testing.T) {
	for _, c := range []struct{ use, load, want float64 }{{90, 1, 60}, {60, 1, 40}, {90, 0.5, 45}, {90, 0, 0}} {
		if got := forgotten(c.use, c.load); got != c.want {
			t.Errorf("of %g at a load of %g: %g is left, not %g", c.use, c.load, got, c.want)
		}
	}
}

// TestBoost (D30): base 50, +2 for a receiver that waits, -3 for one that finds its message, between 40 and 54.
func TestBoost(t *testing.T) {
	for _, c := range []struct {
		delayed bool
		want    []float64
	}{
		{false, []float64{52, 54, 54, 51, 48, 45, 42, 40}},
		{true, []float64{50, 52, 54, 54, 51, 48, 45, 42}}, // each one receive later
	} {
		e := &engine{threads: make([]thread, 1)}
		e.cpus.nodes = make([]node, 1)
		b := newBoost(e, &sim.Scheduler{Base: 50, RecvFirst: 2, RecvLast: -3, Best: 40, Worst: 54,
			Delayed: c.delayed}).(*boost)
		for i, what := range []occasion{receiverFirst, receiverFirst, receiverFirst, receiverLast, receiverLast,
			receiverLast, receiverLast, receiverLast} {
			if b.happened(0, what, 0); b.rank[0] != c.want[i] {
				t.Errorf("delayed %v: priority %g after %d receives, not %g", c.delayed, b.rank[0], i+1, c.want[i])
			}
		}
	}
}

// TestSlice: a quantum that is used up to the last nanosecond begins again; the rest of one is kept; one who has to
// give up its CPU gets a whole one.
func TestSlice(t *testing.T) {
	for _, c := range []struct {
		used, work float64
		requeue    bool
		want, left float64
	}{{0, 25, false, 10, 10}, {4, 25, false, 6, 10}, {10, 25, false, 10, 10}, {4, 25, true, 10, 10}, {4, 3, false, 3,
		7}} {
		e := &engine{}
		e.cpus.engine = e
		th := thread{used: c.used, requeue: c.requeue}
		if got := e.cpus.slice(&th, c.work, 10); got != c.want || th.used != c.left {
			t.Errorf("%+v: a slice of %g, and %g are used", c, got, th.used)
		}
	}
}

// TestConstructors: every policy and network of the tables can be made.
func TestConstructors(t *testing.T) {
	for _, p := range sim.Policies() {
		if newPolicies[p.Name] == nil {
			t.Errorf("no constructor of policy %s", p.Name)
		}
	}
	if n := len(sim.Policies()); n != len(newPolicies) {
		t.Errorf("%d policies, %d constructors", n, len(newPolicies))
	}
}
