package cause_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pview/insight/cause"
	"pview/insight/runtest"
	"pview/prv"
	"pview/prv/prvtest"
)

// classes writes classes, a line each: the region, those of the calls around it, the number of stretches of each thread
// that has them, and the begins of those of each thread.
func classes(r *cause.Run, list []cause.Class) string {
	name := func(region int32) string {
		if region < 0 {
			return "-"
		}
		return r.RegionName(region)
	}
	var b strings.Builder
	for i := range list {
		c := &list[i]
		fmt.Fprint(&b, name(c.Region), ", ", name(c.Before), ", ", name(c.After), ": ", c.Count, " of ", c.Threads,
			" in ", c.Total)
		for _, own := range c.Of {
			b.WriteString(",")
			for _, s := range own {
				fmt.Fprint(&b, " ", s.From)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// Two tasks execute functions 1, 2 and 1 again for 10, 20 and 30, and meet for 3 from 60 on; then task 1 executes
// them for 10 each. Between two calls the first and the second stretch of a function are different sites. Functions
// that tasks do not execute equally often have no places but the sites.
func TestSites(t *testing.T) {
	p := runtest.NewProgram(2)
	for task := range 2 {
		p.Work(task, 1, 10)
		p.Work(task, 2, 20)
		p.Work(task, 1, 30)
	}
	p.Collective = 3
	p.All(runtest.Step{Do: runtest.Meets})
	for _, function := range []int64{1, 2, 1} {
		p.Work(0, function, 10)
	}
	r := runtest.Computation(t, p.Run(t))
	prvtest.SameText(t, classes(r, r.Sites), `
		function 1, -, value 10: 1 of [0 1] in 20, 0, 0
		function 2, -, value 10: 1 of [0 1] in 40, 10, 10
		function 1, -, value 10: 1 of [0 1] in 60, 30, 30
		function 1, value 10, -: 1 of [0] in 10, 63,
		function 2, value 10, -: 1 of [0] in 10, 73,
		function 1, value 10, -: 1 of [0] in 10, 83,
	`)
	prvtest.SameText(t, classes(r, r.Places), `
		function 1, -, value 10: 1 of [0 1] in 20, 0, 0
		function 1, -, value 10: 1 of [0 1] in 60, 30, 30
		function 1, value 10, -: 1 of [0] in 10, 63,
		function 1, value 10, -: 1 of [0] in 10, 83,
		function 2, -, value 10: 1 of [0 1] in 40, 10, 10
		function 2, value 10, -: 1 of [0] in 10, 73,
	`)
}

// A function takes 10, 100, 15 and 23 in each of two iterations, and operations 1. 15 is no other place than 10, as it
// is not more than half longer; 23 is one, and 100.
func TestPlacesBySize(t *testing.T) {
	p := runtest.NewProgram(2)
	p.Collective = 1
	for range 2 {
		for _, time := range []int64{10, 100, 15, 23} {
			p.All(runtest.Step{Do: runtest.Computes, Function: 1, Time: time})
			p.All(runtest.Step{Do: runtest.Meets})
		}
	}
	r := runtest.Computation(t, p.Run(t))
	prvtest.SameText(t, classes(r, r.Places), `
		function 1, -, -: 4 of [0 1] in 100, 0 112 152 264, 0 112 152 264
		function 1, -, -: 2 of [0 1] in 92, 128 280, 128 280
		function 1, -, -: 2 of [0 1] in 400, 11 163, 11 163
	`)
}

// Counters are read at 0, 40 and 100: 40 and 80 until 40, 120 and 60 from then on. Functions change at 20 and 70, where
// nothing is read: half of the first and half of the second reading.
func TestCountersBetweenReadings(t *testing.T) {
	const instructions, cycles = 42000050, 42000059
	b := runtest.Tasks(1)
	b.State(0, 0, 0, 120, 1)
	for _, x := range []struct{ at, function int64 }{{0, 1}, {20, 2}, {70, 3}, {100, 4}, {120, 0}} {
		b.Event(0, 0, x.at, prv.Pair{Type: 60000019, Value: x.function})
	}
	for _, x := range [][3]int64{{0, 5, 5}, {40, 40, 80}, {100, 120, 60}, {100, -1, -1}} {
		b.Event(0, 0, x[0], prv.Pair{Type: instructions, Value: x[1]})
		b.Event(0, 0, x[0], prv.Pair{Type: cycles, Value: x[2]})
	}
	r := runtest.Computation(t, runtest.Build(t, b))
	var got []float64
	for i := range r.ByThread[0] {
		s := &r.ByThread[0][i]
		got = append(got, float64(s.From), s.Instructions, s.Cycles)
	}
	if !r.Counters || !slices.Equal(got, []float64{0, 20, 40, 20, 20 + 60, 40 + 30, 70, 60, 30, 100, 0, 0}) {
		t.Error(got)
	}
}

// A function between calls is the same site each time. Executed equally often by all tasks, it is one place.
func TestSitesRecur(t *testing.T) {
	p := runtest.NewProgram(2)
	p.Collective = 1
	for range 3 {
		p.All(runtest.Step{Do: runtest.Computes, Function: 1, Time: 10})
		p.All(runtest.Step{Do: runtest.Meets})
	}
	p.All(runtest.Step{Do: runtest.Computes, Function: 2, Time: 7})
	r := runtest.Computation(t, p.Run(t))
	prvtest.SameText(t, classes(r, r.Sites), `
		function 1, -, value 10: 1 of [0 1] in 20, 0, 0
		function 1, value 10, value 10: 2 of [0 1] in 40, 11 22, 11 22
		function 2, value 10, -: 1 of [0 1] in 14, 33, 33
	`)
	prvtest.SameText(t, classes(r, r.Places), `
		function 1, -, -: 3 of [0 1] in 60, 0 11 22, 0 11 22
		function 2, -, -: 1 of [0 1] in 14, 33, 33
	`)
	for i := range r.ByThread[0] {
		if s := &r.ByThread[0][i]; i < 3 && r.Time[s.Node] != s.To {
			t.Errorf("stretch %d until %d: the next node is at %d", i+1, s.To, r.Time[s.Node])
		}
	}
}

// 3 is another place than 1: times below 1.5 of the usual one are the same.
func TestShortPlaces(t *testing.T) {
	p := runtest.NewProgram(2)
	p.Collective = 1
	for _, time := range []int64{1, 3} {
		p.All(runtest.Step{Do: runtest.Computes, Function: 1, Time: time})
		p.All(runtest.Step{Do: runtest.Meets})
	}
	r := runtest.Computation(t, p.Run(t))
	prvtest.SameText(t, classes(r, r.Places), `
		function 1, -, -: 1 of [0 1] in 2, 0, 0
		function 1, -, -: 1 of [0 1] in 6, 2, 2
	`)
}

// States that follow each other in a function are one stretch; another function begins one.
func TestStatesInARow(t *testing.T) {
	b := runtest.Tasks(1)
	for _, x := range [][2]int64{{0, 20}, {20, 50}, {50, 60}, {60, 90}, {90, 100}} {
		b.State(0, 0, x[0], x[1], 1)
	}
	for _, x := range [][2]int64{{0, 1}, {50, 2}, {100, 0}} {
		b.Event(0, 0, x[0], prv.Pair{Type: 60000019, Value: x[1]})
	}
	r := runtest.Computation(t, runtest.Build(t, b))
	prvtest.SameText(t, classes(r, r.Sites), `
		function 1, -, -: 1 of [0] in 50, 0
		function 2, -, -: 1 of [0] in 50, 50
	`)
}

// Counters need two readings. What was counted before the first one is not known.
func TestReadings(t *testing.T) {
	const instructions, cycles = 42000050, 42000059
	for _, c := range []struct {
		at       []int64
		counters bool
		want     float64
	}{
		{[]int64{0, 100}, true, 7}, {[]int64{50, 100}, true, 7}, {[]int64{100}, false, 0}, {nil, false, 0},
	} {
		b := runtest.Tasks(1)
		b.State(0, 0, 0, 100, 1)
		b.Event(0, 0, 0, prv.Pair{Type: 60000019, Value: 1})
		for _, at := range c.at {
			b.Event(0, 0, at, prv.Pair{Type: instructions, Value: 7}, prv.Pair{Type: cycles, Value: 7})
		}
		b.Event(0, 0, 100, prv.Pair{Type: 60000019, Value: 0})
		r := runtest.Computation(t, runtest.Build(t, b))
		s := &r.ByThread[0][0]
		if r.Counters != c.counters || s.Instructions != c.want || s.Cycles != c.want {
			t.Errorf("read at %v: %v, %v and %v", c.at, r.Counters, s.Instructions, s.Cycles)
		}
	}
}
