package remedy

import (
	"slices"
	"testing"

	"pview/insight/cause"
	"pview/insight/eventgraph"
	"pview/insight/replay"
	"pview/insight/runtest"
	"pview/prv"
)

// Threads take longer in a region if there is a gap to the others: of 25 at least, a quarter of a percent of a run of
// 10,000; of three standard deviations of the others; and of 0.8 % of their median. The others are a third at least.
func TestExcess(t *testing.T) {
	for _, c := range []struct {
		times        []float64
		group        []int32
		mine, theirs float64 // means
	}{
		{[]float64{100}, nil, 0, 0}, {[]float64{100, 0}, nil, 0, 0}, {[]float64{100, 100}, nil, 0, 0},
		{[]float64{100, 100, 125}, []int32{2}, 125, 100}, {[]float64{100, 100, 124}, nil, 0, 0},
		{[]float64{0, 130, 100}, []int32{1}, 130, 100}, // thread 1 is not there
		{[]float64{130, 100, 130}, []int32{0, 2}, 130, 100}, {[]float64{130, 100, 130, 130}, nil, 0, 0},
		{[]float64{200, 100, 160, 100}, []int32{0, 2}, 180, 100}, // gaps of 60 and 40
		// Deviations of 10 from the median of 110.
		{[]float64{100, 120, 150}, []int32{2}, 150, 110}, {[]float64{100, 120, 149}, nil, 0, 0},
		{[]float64{5000, 5000, 5040}, []int32{2}, 5040, 5000}, {[]float64{5000, 5000, 5039}, nil, 0, 0},
	} {
		of := func(region, ptask int32) cause.Class {
			k := cause.Class{Region: region, Ptask: ptask, Of: make([][]*cause.Stretch, len(c.times))}
			for th, time := range c.times {
				if time > 0 { // in two executions
					k.Threads = append(k.Threads, int32(th))
					k.Of[th] = []*cause.Stretch{{To: int64(time) - 40}, {From: 1000, To: 1040}}
				}
			}
			return k
		}
		r := cause.Run{Model: &replay.Model{End: 10_000}, Places: []cause.Class{of(7, 0), of(8, 0), of(7, 1)}}
		x := (&Run{Run: &r, threads: len(c.times)}).excessIn(7, 0)
		if x == nil {
			if c.group != nil {
				t.Errorf("%v: nothing is uneven", c.times)
			}
			continue
		}
		if !slices.Equal(x.group, c.group) || x.mine.Time != c.mine || x.theirs.Time != c.theirs {
			t.Errorf("%v: %v take %g instead of %g, want %+v", c.times, x.group, x.mine.Time, x.theirs.Time, c)
		}
	}
}

// Without counters, what is beyond the usual time is work if more than half of it is in neighbouring executions or in
// four that are equally far apart to both ends, or more than 0.9 of it in one region, on more than two threads that are
// not those of a node (threads 0, 2, 4, 6 are). Region 1 takes half as long as region 0: equal extras of a thread in
// both, to a tenth in four of five, are noise.
func TestExtrasAreWork(t *testing.T) {
	type extras [][]float64 // of the executions of each thread
	h := prv.Header{Unit: prv.Nanoseconds}
	h.AddNode(4)
	h.AddNode(4)
	h.AddPtask()
	for task := range 8 {
		h.AddTask(1, task%2)
	}
	trace := runtest.Build(t, prv.NewBuilder(h))
	for _, c := range []struct {
		name       string
		one, other extras // region
		want       bool
	}{
		{"none", extras{{0, 0}}, nil, false},
		{"apart", extras{{10, 0, 10}}, nil, false},
		{"together", extras{{10, 10, 0}}, nil, true},
		{"half together", extras{{10, 10, 0, 20}}, nil, false},
		{"more than half", extras{{0, 10, 11, 0, 20}}, nil, true},
		{"three threads", extras{{10, 0}, {0, 10}, {10}}, nil, true},
		{"the threads of a node", extras{{10, 0}, {}, {0, 10}, {}, {10}, {}, {10}, {}}, nil, false},
		{"all but one of a node", extras{{10, 0}, {}, {0, 10}, {}, {10}, {}, {0}, {}}, nil, true},
		{"two threads", extras{{10, 0}, {0, 10}, {0}}, nil, false},
		{"0.9 in a region", extras{{45}, {45}, {0}}, extras{{0}, {0}, {10}}, false},
		{"more in a region", extras{{0}, {0}, {9}}, extras{{45}, {46}, {0}}, true},
		{"every second", extras{{0, 10, 0, 12, 0, 10, 0, 11, 0}}, nil, true},
		{"three of them", extras{{0, 10, 0, 10, 0, 10, 0}}, nil, false},
		{"not at the begin", extras{{0, 0, 10, 0, 10, 0, 10, 0, 10}}, nil, false},
		{"not at the end", extras{{0, 10, 0, 10, 0, 10, 0, 10, 0, 0}}, nil, false},
		{"one is missing", extras{{10, 0, 10, 0, 10, 0, 0, 0, 10}}, nil, false},
		{"as long in both", extras{{10, 11, 10, 20, 0, 9}}, extras{{0, 10, 0, 0, 10, 0}}, false},
		{"longer in one", extras{{20, 20, 20, 20, 0, 0}}, extras{{0, 10, 0, 0, 10, 0}}, true},
	} {
		var places []cause.Class
		for region, list := range []extras{c.one, c.other} {
			k := cause.Class{Region: int32(region), Of: make([][]*cause.Stretch, len(list))}
			for th, executions := range list {
				k.Threads = append(k.Threads, int32(th))
				for _, x := range executions {
					k.Of[th] = append(k.Of[th], &cause.Stretch{Expected: 100 / float64(1+region), Extra: x})
				}
			}
			places = append(places, k)
		}
		run := &cause.Run{Model: &replay.Model{Graph: &eventgraph.Graph{T: trace}}, Places: places}
		if got := (&Run{Run: run, threads: 8}).extrasAreWork(); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// What takes longer moves if it does so on three threads or more, in half of three executions or more, and on none for
// more than 0.6 of it.
func TestMoves(t *testing.T) {
	for name, c := range map[string]struct {
		extra [][]float64 // by thread
		want  bool
	}{
		"in turn":         {[][]float64{{9, 0, 0}, {0, 9, 0}, {0, 0, 9}}, true},
		"two threads":     {[][]float64{{9, 0, 0}, {0, 9, 0}, {0, 0, 0}}, false},
		"two executions":  {[][]float64{{9, 0}, {0, 9}, {9, 0}}, false},
		"two of them":     {[][]float64{{9, 0, 0}, {0, 9, 0}}, false},
		"0.6 on one":      {[][]float64{{12, 0, 0}, {0, 4, 0}, {0, 0, 4}}, true},
		"more on one":     {[][]float64{{13, 0, 0}, {0, 4, 0}, {0, 0, 4}}, false},
		"half of them":    {[][]float64{{9, 0, 0, 0, 0, 0}, {0, 9, 0, 0, 0, 0}, {0, 0, 9, 0, 0, 0}}, true},
		"fewer than half": {[][]float64{{9, 0, 0, 0, 0, 0}, {0, 9, 0, 0, 0, 0}, {0, 9, 0, 0, 0, 0}}, false},
	} {
		k := &cause.Class{Count: len(c.extra[0]), Total: 1000, Of: make([][]*cause.Stretch, len(c.extra))}
		for th, list := range c.extra {
			k.Threads = append(k.Threads, int32(th))
			for _, x := range list {
				k.Of[th] = append(k.Of[th], &cause.Stretch{Extra: x})
			}
		}
		r := &Run{Run: &cause.Run{Model: &replay.Model{End: 1000}}}
		if got := r.moves(k); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// The time by which threads 0 and 3 are longer than the medians of 1 and 2, by execution; or than an equal part of the
// median of their sums, where executions cannot be aligned.
func TestOver(t *testing.T) {
	of := func(lengths ...int64) (list []*cause.Stretch) {
		for _, length := range lengths {
			list = append(list, &cause.Stretch{From: 100, To: 100 + length})
		}
		return list
	}
	for name, c := range map[string]struct {
		count int
		of    [4][]*cause.Stretch
		want  []float64
	}{
		"one":           {2, [4][]*cause.Stretch{of(30, 50), of(10, 20), of(20, 20)}, []float64{15, 30}},
		"two":           {2, [4][]*cause.Stretch{of(30, 50), of(10, 20), of(20, 20), of(10)}, []float64{5, 30}},
		"others fewer":  {2, [4][]*cause.Stretch{of(30, 50), of(10), of(20, 40)}, []float64{15, 10}},
		"shorter":       {1, [4][]*cause.Stretch{of(10), of(30), of(30)}, []float64{-20}},
		"not aligned":   {0, [4][]*cause.Stretch{of(30, 50), of(10, 20), of(40)}, []float64{12.5, 32.5}},
		"not there":     {2, [4][]*cause.Stretch{nil, of(10, 20), of(20, 20)}, nil},
		"others absent": {1, [4][]*cause.Stretch{of(30)}, []float64{30}},
	} {
		r := leveller{Run: &Run{Run: &cause.Run{}}, excess: &excess{group: []int32{0, 3}, others: []int32{1, 2}}}
		k := &cause.Class{Count: c.count, Of: c.of[:]}
		if got := r.over(k); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
