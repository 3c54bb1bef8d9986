package breakdown_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"pview/insight/breakdown"
	"pview/insight/eventgraph"
	"pview/insight/runtest"
	"pview/prv"
)

// graph returns a run of two tasks with a function 1. Task 1 executes it in [0, 40) and [50, 70), task 2 in [0, 20);
// they are in barriers from then on, until 50 and until 80.
func graph(t *testing.T) *eventgraph.Graph {
	t.Helper()
	b := runtest.Tasks(2)
	work := func(th int32, from, to int64) {
		b.State(th, 0, from, to, 1)
		b.Event(th, 0, from, prv.Pair{Type: 60000019, Value: 1})
		b.Event(th, 0, to, prv.Pair{Type: 60000019})
	}
	barrier := func(th int32, from, to int64) {
		b.State(th, 0, from, to, 13)
		b.Event(th, 0, from, prv.Pair{Type: 50000002, Value: 8})
		b.Event(th, 0, to, prv.Pair{Type: 50000002})
	}
	work(0, 0, 40)
	barrier(0, 40, 50)
	work(0, 50, 70)
	barrier(0, 70, 80)
	work(1, 0, 20)
	barrier(1, 20, 50)
	barrier(1, 50, 80)
	g := runtest.Graph(t, runtest.Build(t, b))
	for _, step := range []func(context.Context) error{g.FindPhases} {
		if err := step(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// Three executions of 40, 20 and 20 take 80, 26.67 each. Task 1 has two of them, the mean is 1.5. Its executions take
// 30, the other's 20, the mean is 25. In [0, 20) both compute, which counts 20 in all, then one does for 20 and 20.
func TestClasses(t *testing.T) {
	list, err := breakdown.Classes(context.Background(), graph(t), 10)
	if err != nil {
		t.Fatal(err)
	}
	i := 0
	for i < len(list) && list[i].Time == 0 {
		i++
	}
	if i == len(list) {
		t.Fatalf("%+v", list)
	}
	c := &list[i]
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
	if c.Runs != 3 || c.Time != 80 || c.Min != 20 || c.Max != 40 || c.Threads != 2 || !near(c.Share, 1) ||
		!near(c.Mean(), 80.0/3) || !near(c.CountImbalance, 2/1.5) || !near(c.GrainImbalance, 30.0/25) ||
		!near(c.Normalised, 60) {
		t.Errorf("%+v", c)
	}
	if e := c.Longest[0]; e.From != 0 || e.To != 40 {
		t.Errorf("longest %+v", e)
	}
}

// In stages of 40 task 1 is in its own code for 40 and 20, task 2 for 20 and 0: shares of 1, 0.5, 0.5 and 0.
func TestGrid(t *testing.T) {
	g := graph(t)
	grid, err := breakdown.NewGrid(context.Background(), g, breakdown.Attributes(g)[0], 40)
	if err != nil || grid.Stages != 2 {
		t.Fatal(grid, err)
	}
	for _, c := range []struct {
		threads, stages [2]int
		want            float64
	}{{[2]int{0, 1}, [2]int{0, 1}, 1}, {[2]int{0, 1}, [2]int{1, 2}, 0.5}, {[2]int{1, 2}, [2]int{0, 1}, 0.5},
		{[2]int{1, 2}, [2]int{1, 2}, 0}, {[2]int{0, 2}, [2]int{0, 2}, 0.5}} {
		if got := grid.Of(c.threads[0], c.threads[1], c.stages[0], c.stages[1]); got != c.want {
			t.Errorf("threads %v, stages %v: %f, want %f", c.threads, c.stages, got, c.want)
		}
	}
	// Over time: in stage 1 a mean of 75 % between 50 % and 100 %, in stage 2 of 25 % between 0 and 50 %.
	f := grid.OverTime(g.T.Unit, 0)
	span, mean := f.Layers[0], f.Layers[1]
	if got := [...][]float64{span.Y, mean.Y, span.Y2}; !slices.EqualFunc(got[:],
		[][]float64{{50, 0}, {75, 25}, {100, 50}}, slices.Equal) {
		t.Errorf("least, mean and most over time: %v", got)
	}
	if _, err := breakdown.NewGrid(context.Background(), g, breakdown.Attributes(g)[0], 0); err == nil {
		t.Error("stages of no length")
	}
	long := *g.T
	long.Duration = 1 << 40
	_, err = breakdown.NewGrid(context.Background(), &eventgraph.Graph{T: &long}, breakdown.Attributes(g)[0], 1)
	if !errors.Is(err, breakdown.ErrStages) {
		t.Errorf("2^40 stages: %v", err)
	}
}

// Of 32 functions the 30 with most time are tried without their time in the longest chain, which is all of a thread.
func TestManyClasses(t *testing.T) {
	b := runtest.Tasks(1)
	at, all := int64(0), int64(0)
	for function := range int64(32) {
		takes := 100 - function
		b.State(0, 0, at, at+takes, 1)
		b.Event(0, 0, at, prv.Pair{Type: 60000019, Value: function + 1})
		b.Event(0, 0, at+takes, prv.Pair{Type: 60000019})
		b.State(0, 0, at+takes, at+takes+5, 13)
		b.Event(0, 0, at+takes, prv.Pair{Type: 50000002, Value: 8})
		b.Event(0, 0, at+takes+5, prv.Pair{Type: 50000002})
		at, all = at+takes+5, all+takes
	}
	g := runtest.Graph(t, runtest.Build(t, b))
	if err := g.FindPhases(context.Background()); err != nil {
		t.Fatal(err)
	}
	list, err := breakdown.Classes(context.Background(), g, 10)
	if err != nil || len(list) != 32 {
		t.Fatalf("%d classes, %v", len(list), err)
	}
	for i := range list {
		c, takes := &list[i], int64(100-i)
		want := int64(-1)
		if i < 30 {
			want = takes
		}
		if c.Time != takes || c.OnPath != takes || c.Zeroing != want || c.PathShare != float64(takes)/float64(all) ||
			c.Pattern != "" || c.Runs != 1 {
			t.Errorf("%d: %+v", i, c)
		}
		for _, column := range breakdown.ClassColumns {
			if v := column.Of(c); column.Key == "zeroing" && math.IsNaN(v) != (i >= 30) {
				t.Errorf("%d: %s %g", i, column.Key, v)
			}
		}
	}
}

// An entry that takes no time has been executed all the same.
func TestNoTime(t *testing.T) {
	b := runtest.Tasks(1)
	runtest.Executed(b, 0, 10, 20, 1, 0, 0, nil)
	runtest.Executed(b, 0, 30, 30, 2, 0, 0, nil)
	runtest.Executed(b, 0, 40, 41, 2, 0, 0, nil)
	g := runtest.Graph(t, runtest.Build(t, b))
	if err := g.FindPhases(context.Background()); err != nil {
		t.Fatal(err)
	}
	list, err := breakdown.Classes(context.Background(), g, 10)
	if err != nil || len(list) != 2 || list[0].Runs != 1 || list[1].Runs != 2 || list[1].Time != 1 || list[1].Min != 0 {
		t.Errorf("%+v, %v", list, err)
	}
}
