package driven

// The queue of a processor.

import "slices"

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

// queue is a binary heap of tasks.
type queue struct {
	list   []waiting
	before func(x, y *waiting) bool
}

func (q *queue) less(i, k int) bool {
	x, y := &q.list[i], &q.list[k]
	if x.response != y.response {
		return x.response
	}
	return q.before(x, y)
}

func (q *queue) put(w waiting) {
	q.list = append(q.list, w)
	for i := len(q.list) - 1; i > 0 && q.less(i, (i-1)/2); i = (i - 1) / 2 {
		q.list[i], q.list[(i-1)/2] = q.list[(i-1)/2], q.list[i]
	}
}

// take takes the first task.
func (q *queue) take() (int32, bool) {
	if len(q.list) == 0 {
		return 0, false
	}
	first := q.list[0].task
	last := len(q.list) - 1
	q.list[0] = q.list[last]
	q.list = q.list[:last]
	for i := 0; ; {
		least := i
		for _, c := range [2]int{2*i + 1, 2*i + 2} {
			if c < last && q.less(c, least) {
				least = c
			}
		}
		if least == i {
			return first, true
		}
		q.list[i], q.list[least] = q.list[least], q.list[i]
		i = least
	}
}

// remove takes a given task; false if it is not there.
func (q *queue) remove(task int32) bool {
	i := slices.IndexFunc(q.list, func(w waiting) bool { return w.task == task })
	if i < 0 {
		return false
	}
	rest := slices.Delete(q.list, i, i+1)
	q.list = nil
	for _, w := range rest {
		q.put(w)
	}
	return true
}
