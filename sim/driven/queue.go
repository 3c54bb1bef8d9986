package driven

// The queue of a processor.

import (
	"container/heap"
	"slices"
)

// waiting is a task in a queue.
type waiting struct {
	task     int32
	priority int64
	number   int64 // in order of arrival
	response bool
}

// Queue is an order in which tasks are taken.
type Queue struct {
	Name, Doc string
	before    func(x, y *waiting) bool
}

// Queues are all orders. In each, messages to existing objects come before those that create objects.
var Queues = []Queue{
	{"fifo", "in the order of arrival", func(x, y *waiting) bool { return x.number < y.number }},
	{"lifo", "the last that arrived first", func(x, y *waiting) bool { return x.number > y.number }},
	{"priority", "the smallest priority first, then in the order of arrival", func(x, y *waiting) bool {
		return x.priority < y.priority || x.priority == y.priority && x.number < y.number
	}},
}

// findQueue finds an order; the first by default.
func findQueue(name string) *Queue {
	if name == "" {
		return &Queues[0]
	}
	if i := slices.IndexFunc(Queues, func(q Queue) bool { return q.Name == name }); i >= 0 {
		return &Queues[i]
	}
	return nil
}

// queue is a heap of tasks.
type queue struct {
	list   []waiting
	before func(x, y *waiting) bool
}

func (q *queue) Len() int { return len(q.list) }
func (q *queue) Less(i, k int) bool {
	x, y := &q.list[i], &q.list[k]
	if x.response != y.response {
		return x.response
	}
	return q.before(x, y)
}
func (q *queue) Swap(i, k int) { q.list[i], q.list[k] = q.list[k], q.list[i] }
func (q *queue) Push(x any)    { q.list = append(q.list, x.(waiting)) }
func (q *queue) Pop() any {
	last := q.list[len(q.list)-1]
	q.list = q.list[:len(q.list)-1]
	return last
}

// put appends a task, which has the next number.
func (r *run) put(q *queue, task int32, response bool) {
	r.number++
	heap.Push(q, waiting{task, r.Tasks[task].Priority, r.number, response})
}

// take takes the first task.
func (q *queue) take() (int32, bool) {
	if len(q.list) == 0 {
		return 0, false
	}
	return heap.Pop(q).(waiting).task, true
}

// remove takes a given task; false if it is not there.
func (q *queue) remove(task int32) bool {
	i := slices.IndexFunc(q.list, func(w waiting) bool { return w.task == task })
	if i < 0 {
		return false
	}
	heap.Remove(q, i)
	return true
}
