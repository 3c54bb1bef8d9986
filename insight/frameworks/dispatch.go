package frameworks

// The cost of a distribution: chunks are handed out in order, each to the first free worker.

import (
	"fmt"
	"math"

	"pview/insight/frameworks/role"
)

// Service describes how the master serves its workers.
type Service struct {
	Link
	Given, Returned float64 // bytes of a task
	Fixed           bool    // they are the bytes of a chunk, whatever its size
	// Serving is the master's computation for each chunk, before it sends it.
	Serving float64
	// SendsFirst gives idle workers their chunk before taking waiting answers; otherwise answers come first.
	SendsFirst bool
	// Takes makes an answer hold up the master for the cost of its message; otherwise it costs only transfer time.
	Takes bool
	// Master is the time to prepare the tasks.
	Master float64
}

// Dispatched is a dispatched iteration.
type Dispatched struct {
	Time     float64 // until the last answer is in, with Service.Master
	Messages int     // to the workers
	Order    []Turn  // what the master does, in order
}

// Turn is an act of the master: it gives a chunk to a worker, or takes the answer.
type Turn struct {
	Worker, Chunk int
	Answer        bool
}

// dispatch plays an iteration: tasks are the times of the tasks in order, chunks how many of them each chunk takes.
// The earliest free worker gets the next chunk; ties go to the lowest.
func dispatch(tasks []float64, chunks []int, workers int, s Service) (*Dispatched, error) {
	sum := 0
	for _, n := range chunks {
		sum += n
	}
	if sum != len(tasks) || workers < 1 {
		return nil, fmt.Errorf("chunks of %d tasks for %d tasks on %d workers", sum, len(tasks), workers)
	}
	d := &Dispatched{}
	f := floor{d: d, s: s, free: make([]float64, workers), ready: make([]float64, workers),
		bytes: make([]float64, workers), held: make([]int, workers)}
	for i := range f.ready {
		f.ready[i] = math.Inf(1)
	}
	for next := 0; next < len(chunks) || f.waiting > 0; {
		w, answer := f.turn(next < len(chunks))
		if answer {
			f.take(w)
			continue
		}
		f.give(w, next, tasks[:chunks[next]], chunks[next])
		tasks = tasks[chunks[next]:]
		next++
	}
	d.Time = max(f.now, f.last) + s.Master
	d.Messages = len(chunks)
	return d, nil
}

// floor is the state of a dispatch.
type floor struct {
	d       *Dispatched
	s       Service
	now     float64   // the master's clock
	last    float64   // arrival of the last answer
	wire    float64   // when the master's output link is free
	in      float64   // when its input link is free
	free    []float64 // by worker: since when it is free for a chunk; +Inf while it has one
	ready   []float64 // when its answer can be taken; +Inf: none pending
	bytes   []float64 // of its answer
	held    []int     // the chunk that it has
	waiting int       // pending answers
}

// turn returns the master's next act: the worker whose answer it takes, or to which it gives a chunk. It moves the
// clock to the earliest time for that.
func (f *floor) turn(more bool) (worker int, answer bool) {
	idle, done := least(f.free), least(f.ready)
	canGive, canTake := more && f.free[idle] <= f.now, f.ready[done] <= f.now
	switch {
	case canGive && (f.s.SendsFirst || !canTake):
		return idle, false
	case canTake:
		return done, true
	}
	if more && f.free[idle] < f.ready[done] {
		f.now = f.free[idle]
		return idle, false
	}
	f.now = f.ready[done]
	return done, true
}

// least returns the index of the least value, the lowest at ties.
func least(list []float64) int {
	at := 0
	for i, v := range list {
		if v < list[at] {
			at = i
		}
	}
	return at
}

func (f *floor) give(w, chunk int, tasks []float64, n int) {
	if f.s.Fixed {
		n = 1
	}
	bytes := f.s.Given * float64(n)
	f.now += f.s.Serving + f.s.held(bytes)
	arrival := f.now
	if f.s.Protocol == role.Async {
		f.wire = max(f.wire, f.now) + f.s.PerByte*bytes
		arrival = f.wire
	}
	work := 0.0
	for _, t := range tasks {
		work += t
	}
	f.free[w] = math.Inf(1)
	f.bytes[w] = f.s.Returned * float64(n)
	f.ready[w] = arrival + work
	if !f.s.Takes {
		f.ready[w] += f.s.cost(f.bytes[w])
	}
	f.held[w] = chunk
	f.d.Order = append(f.d.Order, Turn{Worker: w, Chunk: chunk})
	f.waiting++
}

func (f *floor) take(w int) {
	if f.s.Takes {
		f.now += f.s.cost(f.bytes[w])
	} else { // answers share the master's input link
		f.in = max(f.ready[w], f.in+f.s.PerByte*f.bytes[w])
		f.now = max(f.now, f.in)
	}
	f.last = max(f.last, f.now)
	f.d.Order = append(f.d.Order, Turn{Worker: w, Chunk: f.held[w], Answer: true})
	f.free[w], f.ready[w] = f.now, math.Inf(1)
	f.waiting--
}
