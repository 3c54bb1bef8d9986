package replay

import (
	"context"
	"slices"
	"testing"
)

// Points of threads 0 to 2, and last arrivals at operations, which are no thread's. Of points that wait for each other
// in a circle the earliest goes first, of two at one time that of the first thread. Thread 2 is done by then.
func TestCirclesAreBroken(t *testing.T) {
	for _, c := range []struct {
		times  [2]int64 // of points 0 and 1
		points []int32
	}{{[2]int64{10, 5}, []int32{2, 1, 0, 3, 4}}, {[2]int64{5, 5}, []int32{2, 0, 1, 3, 4}},
		{[2]int64{5, 10}, []int32{2, 0, 1, 3, 4}}} {
		b := &builder{points: []point{{time: c.times[0]}, {time: c.times[1], thread: 1}, {time: 1, thread: 2},
			{time: 20, thread: -1}, {time: 20, thread: -1}},
			edges: []edge{{from: 0, to: 1}, {from: 1, to: 0}, {from: 3, to: 4}, {from: 4, to: 3}}}
		s := newSorter(b, [][]int32{{0}, {1}, {2}})
		if err := s.run(context.Background()); err != nil || !slices.Equal(s.order, c.points) {
			t.Errorf("times %v: order %v, %v, want %v", c.times, s.order, err, c.points)
		}
	}
}

// An arrival comes as soon as the last of its sources, and what waits for it follows.
func TestOrderOfArrivals(t *testing.T) {
	b := &builder{points: []point{{time: 10}, {time: 5, thread: 1}, {time: 10, thread: -1}, {time: 12, thread: 1},
		{time: 11}}, edges: []edge{{from: 0, to: 2}, {from: 1, to: 2}, {from: 2, to: 3}}}
	s := newSorter(b, [][]int32{{0, 4}, {1, 3}})
	if err := s.run(context.Background()); err != nil || !slices.Equal(s.order, []int32{1, 0, 2, 4, 3}) {
		t.Errorf("%v, %v", s.order, err)
	}
}

// Before 10 and after 30 times are shifted, between them they are stretched by half. Of two entries at one time the
// greater counts.
func TestClock(t *testing.T) {
	var c clock
	for _, x := range [][2]int64{{10, 15}, {10, 12}, {30, 45}, {25, 50}} {
		c.add(x[0], x[1])
	}
	for _, x := range [][2]int64{{9, 9}, {10, 15}, {20, 32}, {30, 50}, {31, 51}} {
		if got := c.at(x[0]); got != x[1] {
			t.Errorf("%d becomes %d, want %d", x[0], got, x[1])
		}
	}
}
