package replay

// The order of the nodes of a model: by time, and every source before the points that depend on it, even if clocks are
// slightly off.

import (
	"container/heap"
	"context"
	"slices"
)

// sorter puts points in order.
type sorter struct {
	b     *builder
	lists [][]int32 // points by thread, in order; last arrivals at operations belong to no thread
	next  []int
	ready threadHeap
	// queued threads are in ready.
	queued []bool
	// By point: the number of missing sources, and the points that wait for it.
	missing []int32
	first   []int32
	after   []int32
	done    []bool
	order   []int32
}

func newSorter(b *builder, lists [][]int32) *sorter {
	n := len(b.points)
	s := &sorter{b: b, lists: lists, next: make([]int, len(lists)), queued: make([]bool, len(lists)),
		missing: make([]int32, n),
		first:   make([]int32, n+1), after: make([]int32, len(b.edges)), done: make([]bool, n)}
	for _, e := range b.edges {
		s.missing[e.to]++
		s.first[e.from+1]++
	}
	for i := range n {
		s.first[i+1] += s.first[i]
	}
	at := slices.Clone(s.first[:n])
	for _, e := range b.edges {
		s.after[at[e.from]] = e.to
		at[e.from]++
	}
	return s
}

// threadHeap has the threads that can continue, by the time of their next point.
type threadHeap []readyThread

type readyThread struct {
	time   int64
	thread int32
}

func (h threadHeap) Len() int { return len(h) }
func (h threadHeap) Less(i, j int) bool {
	return h[i].time < h[j].time || h[i].time == h[j].time && h[i].thread < h[j].thread
}
func (h threadHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *threadHeap) Push(x any)   { *h = append(*h, x.(readyThread)) }
func (h *threadHeap) Pop() any {
	x := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return x
}

// offer queues a thread if its next point has all its sources.
func (s *sorter) offer(thread int32) {
	list := s.lists[thread]
	if k := s.next[thread]; !s.queued[thread] && k < len(list) && s.missing[list[k]] == 0 {
		s.queued[thread] = true
		heap.Push(&s.ready, readyThread{s.b.points[list[k]].time, thread})
	}
}

// run orders all points. In a circle of points that wait for each other, the earliest goes first.
func (s *sorter) run(ctx context.Context) error {
	for th := range s.lists {
		s.offer(int32(th))
	}
	for i := range s.b.points {
		if s.b.points[i].thread < 0 && s.missing[i] == 0 {
			s.emit(int32(i))
		}
	}
	for len(s.order) < len(s.b.points) {
		if len(s.order)&0xfff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if len(s.ready) == 0 {
			s.breakCircle()
			continue
		}
		th := heap.Pop(&s.ready).(readyThread).thread
		s.queued[th] = false
		i := s.lists[th][s.next[th]]
		s.next[th]++
		s.emit(i)
		s.offer(th)
	}
	return nil
}

// emit numbers a point, and checks those that waited for it.
func (s *sorter) emit(i int32) {
	s.done[i] = true
	s.order = append(s.order, i)
	for _, to := range s.after[s.first[i]:s.first[i+1]] {
		if s.missing[to]--; s.missing[to] != 0 || s.done[to] {
			continue
		}
		if th := s.b.points[to].thread; th < 0 {
			s.emit(to)
		} else if k := s.next[th]; k < len(s.lists[th]) && s.lists[th][k] == to {
			s.offer(th)
		}
	}
}

// breakCircle releases the earliest point although sources are missing.
func (s *sorter) breakCircle() {
	best := int32(-1)
	for th, list := range s.lists {
		if k := s.next[th]; k < len(list) {
			if i := list[k]; best < 0 || s.b.points[i].time < s.b.points[best].time {
				best = i
			}
		}
	}
	if best < 0 { // only last arrivals are left
		for i := range s.b.points {
			if !s.done[i] {
				s.missing[i] = 0
				s.emit(int32(i))
			}
		}
		return
	}
	s.missing[best] = 0
	s.offer(s.b.points[best].thread)
}
