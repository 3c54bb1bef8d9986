package remedy

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pview/insight/traffic"
)

// Six tasks on nodes with room for 2, 0, 3 and 1. 1 and 6 exchange 60 bytes, 2 and 4 50, 4 and 6 30, 1 and 2 10.
func TestPlaces(t *testing.T) {
	sent := &traffic.Traffic{Tasks: 6, Pairs: []traffic.Pair{{From: 0, To: 5, Bytes: 20}, {From: 5, To: 0, Bytes: 40},
		{From: 1, To: 3, Bytes: 50}, {From: 5, To: 3, Bytes: 30}, {From: 0, To: 1, Bytes: 10}}}
	room := []int{2, 0, 3, 1}
	for name, c := range map[string]struct {
		place, want  []int32
		far, busiest float64
	}{
		"blocks": {blocks(6, room), []int32{0, 0, 2, 2, 2, 3}, 140, 80}, // 20 + 40 + 50 + 30 between nodes
		// 1 and 6; then 2, with 4, which exchanges 50 with it, and 3, the first of the others; 5 is left.
		"clustered": {clustered(sent, room), []int32{0, 2, 2, 2, 3, 0}, 40, 40},
		"one node":  {make([]int32, 6), make([]int32, 6), 0, 1},
	} {
		if !slices.Equal(c.place, c.want) {
			t.Errorf("%s: %v, want %v", name, c.place, c.want)
		}
		far, all := between(sent, c.place)
		if most := busiest(sent, c.place); far != c.far || all != 150 || most != c.busiest {
			t.Errorf("%s: %g of %g between nodes, %g at the busiest", name, far, all, most)
		}
	}
}

// A farm with two workers, as in TestPlay. The task that ends last is handed out first, if it is not alone; of two that
// end together the first.
func TestLongestFirst(t *testing.T) {
	f := &farm{serve: 1, travel: 4, active: []int32{1, 2}, workers: []int32{1, 2}}
	for _, c := range []struct {
		tasks       []task
		plain, long float64
	}{
		{[]task{{time: 100, to: 9}}, 110, 110 - 5}, // and the other is told at 6
		// 10 and 20 on one, 100 on the other, from 6 on, or from 5.
		{[]task{{time: 10, to: 1}, {time: 100, to: 9}, {time: 20, to: 5}}, 111, 110},
		{[]task{{time: 10, to: 9}, {time: 100, to: 9}}, 111, 111},
		{[]task{{time: 100, to: 9}, {time: 10, to: 1}}, 110, 110},
	} {
		x := &round{tasks: c.tasks}
		was := slices.Clone(c.tasks)
		plain, long := f.play(x, plan{}), f.play(x, plan{lastFirst: true})
		if len(c.tasks) == 1 {
			c.long = c.plain
		}
		if plain != c.plain || long != c.long || !slices.Equal(was, c.tasks) {
			t.Errorf("%+v: %g and %g", c, plain, long)
		}
	}
	if m := (&farm{}).meanTask(); m != 0 {
		t.Errorf("the mean of no task is %g", m)
	}
}

// Two tasks of 100 take 111 if the master serves a request in 1, 117 in 3. They took from 1000 on, or more than the
// model tells.
func TestCalibrate(t *testing.T) {
	for _, c := range []struct {
		took  int64
		serve float64
		ok    bool
	}{{111, 1, true}, {114, 2, true}, {117, 3, true}, {120, 4, true}, {133, 4, true}, {134, 4, false}, {60, 1, false}} {
		f := &farm{serve: 1, travel: 4, active: []int32{1, 2}, workers: []int32{1, 2}, rounds: []round{{from: 1000,
			to: 1000 + c.took, tasks: []task{{time: 100}, {time: 100}}}}}
		if ok := f.calibrate(); ok != c.ok || max(f.serve-c.serve, c.serve-f.serve) > 0.002 {
			t.Errorf("%+v: %g, %v", c, f.serve, ok)
		}
	}
}

// The round that gains most with its last task first tells the task: in the second 4 workers have tasks of 10, and then
// one of 100 is left.
func TestLongTask(t *testing.T) {
	r := runOf(t, 6)
	f := &farm{serve: 1, travel: 4, active: []int32{1, 2}, workers: []int32{1, 2}}
	list := func(from int64, times ...float64) (x round) {
		x.from = from
		for i, time := range times {
			x.tasks = append(x.tasks, task{time: time, worker: int32(1 + i%2), from: from + int64(i),
				to: from + int64(10*i)})
		}
		return x
	}
	for _, c := range []struct {
		rounds []round
		want   string
	}{
		{[]round{list(0, 10, 10, 20), list(100, 10, 10, 10, 100), list(200, 10, 10, 30)}, "100 us of f on 1.3.1"},
		{[]round{list(0, 10, 10, 100)}, "100 us of f on 1.2.1"},
		{[]round{list(0, 10)}, ""},
	} {
		f.rounds = c.rounds
		x := &Candidate{}
		r.wordLong(x, f, "f")
		if (c.want == "") != (x.Title == "") || !strings.Contains(x.Title, c.want) {
			t.Errorf("%+v: %s", fmt.Sprint(c), x.Title)
		}
	}
}
