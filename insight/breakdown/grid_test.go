package breakdown

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pview/insight/eventgraph"
	"pview/insight/runtest"
	"pview/prv"
)

// A grid of two threads and three stages: 1, 2 and 3, and 10, 20 and 30. Lengths are means of 1, 0 and 3 units, and of
// none.
func TestOf(t *testing.T) {
	values := []float64{1, 2, 3, 10, 20, 30}
	weights := []float64{1, 0, 3, 0, 0, 0}
	for _, c := range []struct {
		kind            ColumnKind
		weights         []float64
		threads, stages [2]int
		want            float64
	}{
		{Amounts, nil, [2]int{0, 2}, [2]int{1, 3}, 55},
		{Shares, nil, [2]int{0, 2}, [2]int{1, 3}, 55.0 / 4},
		{Ratios, nil, [2]int{0, 2}, [2]int{1, 3}, 55.0 / 2}, // of several threads together
		{Ratios, nil, [2]int{0, 2}, [2]int{1, 2}, 22},
		{Times, weights, [2]int{0, 2}, [2]int{0, 3}, 10.0 / 4},
		{Times, weights, [2]int{0, 2}, [2]int{1, 2}, math.NaN()},
		{Times, weights, [2]int{1, 2}, [2]int{0, 3}, math.NaN()},
		{Amounts, nil, [2]int{1, 1}, [2]int{0, 3}, 0},
		{Ratios, nil, [2]int{0, 2}, [2]int{1, 1}, math.NaN()},
	} {
		g := &Grid{Attribute: Attribute{Kind: c.kind}, Stages: 3, Threads: 2, values: values, weights: c.weights}
		got := g.Of(c.threads[0], c.threads[1], c.stages[0], c.stages[1])
		if got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%+v: %g", c, got)
		}
	}
}

// The range over the threads is drawn for shares and times of several threads. It leaves out threads without a value.
func TestRange(t *testing.T) {
	for _, c := range []struct {
		kind    ColumnKind
		threads int
		layers  int
	}{{Shares, 2, 2}, {Times, 2, 2}, {Amounts, 2, 1}, {Ratios, 2, 1}, {Shares, 1, 1}} {
		g := &Grid{Attribute: Attribute{Kind: c.kind}, Length: 10, Stages: 2, Threads: c.threads,
			values: []float64{1, 2, 3, 4}}
		f := g.OverTime(prv.Nanoseconds, 1)
		if len(f.Layers) != c.layers || !f.X.Zero || f.Rules[0].At != 15 ||
			(f.Layers[0].Name == "") != (c.layers == 1) {
			t.Errorf("%+v: %+v", c, f)
		}
	}
	nan := math.NaN()
	for _, c := range []struct{ values, want []float64 }{{[]float64{nan, 3, 5, nan, 4}, []float64{3, 5}},
		{[]float64{5, 3, 5}, []float64{3, 5}}, {[]float64{-1, 0}, []float64{-1, 0}}, {[]float64{7}, []float64{7, 7}}} {
		g := &Grid{Attribute: Attribute{Kind: Shares}, Stages: 1, Threads: len(c.values), values: c.values}
		if least, most := g.extremes(0); least != c.want[0] || most != c.want[1] {
			t.Errorf("%v: %g to %g", c.values, least, most)
		}
	}
	g := &Grid{Attribute: Attribute{Kind: Times}, Stages: 1, Threads: 2, values: []float64{1, 2},
		weights: []float64{0, 0}}
	if least, most := g.extremes(0); !math.IsNaN(least) || !math.IsNaN(most) {
		t.Errorf("%g to %g of no values", least, most)
	}
	columns := g.ByThread(runtest.Build(t, runtest.Tasks(2)), 1).Layers[0]
	if !slices.Equal(columns.Y, []float64{0, 0}) {
		t.Errorf("columns %v of no values", columns.Y)
	}
}

// A grid has less than 4 Mi cells: 2 Mi stages of two threads.
func TestMostStages(t *testing.T) {
	tr := runtest.Build(t, runtest.Tasks(2))
	for _, c := range []struct{ duration, length int64 }{{2 << 20, 1}, {4 << 20, 2}, {3 << 20, 1}} {
		tr.Duration = c.duration
		_, err := NewGrid(context.Background(), &eventgraph.Graph{T: tr}, attributes[0], c.length)
		if !errors.Is(err, ErrStages) || !strings.HasSuffix(err.Error(), "more than 2097152 of 2 threads") {
			t.Errorf("%+v: %v", c, err)
		}
	}
	tr.Duration = 2<<20 - 1
	none := Attribute{fill: func(*stageFiller) {}}
	g, err := NewGrid(context.Background(), &eventgraph.Graph{T: tr}, none, 1)
	if err != nil || g.Stages != 2<<20-1 {
		t.Errorf("%+v, %v", g.Stages, err)
	}
	for _, c := range []struct {
		duration int64
		want     int
	}{{0, 1}, {1, 1}, {10, 1}, {11, 2}, {20, 2}} {
		tr.Duration = c.duration
		g, err := NewGrid(context.Background(), &eventgraph.Graph{T: tr}, none, 10)
		if err != nil || g.Stages != c.want {
			t.Errorf("%d: %+v, %v", c.duration, g, err)
		}
	}
}

// Threads that do not execute a class count as 0, unless it is the role of at most half of them.
func TestBalance(t *testing.T) {
	for _, c := range []struct {
		use          map[int32]classThread
		threads      int
		count, grain float64
	}{
		{map[int32]classThread{0: {3, 30}}, 4, 0, 0},
		{map[int32]classThread{0: {3, 30}, 2: {1, 30}}, 4, 0, 1.5},                 // 10 and 30
		{map[int32]classThread{0: {3, 30}, 2: {1, 30}}, 3, 3 * 3.0 / 4, 1.5},       // 3 of a mean of 4/3
		{map[int32]classThread{0: {3, 30}, 2: {1, 30}, 3: {1, 5}}, 4, 12.0 / 5, 2}, // 10, 30 and 5
	} {
		k := Class{}
		for _, u := range c.use {
			k.Runs += u.runs
		}
		if k.balance(c.use, c.threads); k.Threads != len(c.use) || k.CountImbalance != c.count ||
			k.GrainImbalance != c.grain {
			t.Errorf("%+v: %+v", c, k)
		}
	}
}
