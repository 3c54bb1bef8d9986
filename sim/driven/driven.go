// Package driven simulates message-driven programs: tasks that run to completion once their message is taken from their
// processor's queue, and create messages for other tasks meanwhile. Options choose the order of the queues and who
// executes tasks that may execute anywhere (Sinha, PhD thesis, University of Illinois, 1994, chapters 2 and 3).
//
// A run is a pure function of its arguments. Times are in any unit.
package driven

import (
	"container/heap"
	"context"
	"fmt"
)

// Task is one execution of an entry.
type Task struct {
	Processor int32 // where it executes; if a balancer decides, where it executed in the recorded run
	Dynamic   bool  // a balancer decides
	Work      int64
	Priority  int64 // the smallest first, in queues by priority
	Response  bool  // to an existing object: taken before tasks that create objects
	Creates   []Creation
}

// Creation is a message that a task sends.
type Creation struct {
	Task  int32
	After int64 // since the start of the task
	Takes int64 // until it is queued
}

// Root is a task without a creator.
type Root struct {
	Task int32
	At   int64
}

// Program is the program to execute.
type Program struct {
	Processors int
	Tasks      []Task
	Roots      []Root
}

// Options of Run. The zero value is a first-in first-out queue, with tasks executing where they did in the recorded
// run.
type Options struct {
	Queue   string // of Queues
	Balance string // of Strategies
	// Hop is the time that a task takes from one processor to another on its way to the balancer's choice.
	Hop int64
	// Leash is the number of tasks that a manager lets a processor have; 0: 2.
	Leash int
	// Order is the recorded order of the tasks of each processor, which is followed; nil: the queue decides.
	Order [][]int32
}

// Result is a run.
type Result struct {
	Begin, End []int64 // of each task; -1: not executed
	On         []int32 // processor
	Length     int64
	Hops       int64 // of all tasks placed by the balancer
	Messages   int64 // sent by the balancer in addition to tasks
}

// event is something that happens: a task arrives, or a processor finishes or reports to the manager.
type event struct {
	time      int64
	number    int64 // in order of occurrence
	task      int32 // that arrives; or finished or report
	processor int32
}

const (
	finished = -1 - iota
	report
)

type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(i, j int) bool {
	return e[i].time < e[j].time || e[i].time == e[j].time && e[i].number < e[j].number
}
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	list := *e
	x := list[len(list)-1]
	*e = list[:len(list)-1]
	return x
}

// run is a simulation.
type run struct {
	*Program
	opt      Options
	before   func(x, y *waiting) bool
	strategy *Strategy
	events   events
	number   int64
	busy     []bool
	queues   []queue
	taken    []int           // of Order, by processor
	load     []int           // tasks on, or under way to, each processor
	held     queue           // at the manager
	pools    []queue         // at the managers of groups
	holder   map[int32]int32 // for tasks whose token the manager has: the processor with the task
	known    []int           // tasks of each processor, as far as the manager knows
	period   int64           // between two reports of a processor to the manager: the mean work of a task
	rng      uint64
	out      *Result
}

// Run simulates a program. The error is ctx's, or reports an unknown option, or tasks that cannot execute in the given
// order.
func Run(ctx context.Context, p *Program, opt Options) (*Result, error) {
	r := &run{Program: p, opt: opt, busy: make([]bool, p.Processors), queues: make([]queue, p.Processors),
		taken: make([]int, p.Processors), load: make([]int, p.Processors), rng: 1}
	if r.opt.Leash == 0 {
		r.opt.Leash = 2
	}
	if len(p.Tasks) > 0 {
		for i := range p.Tasks {
			r.period += p.Tasks[i].Work
		}
		r.period /= int64(len(p.Tasks))
	}
	q, s := findQueue(opt.Queue), findStrategy(opt.Balance)
	if q == nil || s == nil {
		return nil, fmt.Errorf("no queue %q or no strategy %q", opt.Queue, opt.Balance)
	}
	r.before, r.strategy = q.before, s
	r.out = &Result{Begin: make([]int64, len(p.Tasks)), End: make([]int64, len(p.Tasks)),
		On: make([]int32, len(p.Tasks))}
	for i := range r.out.Begin {
		r.out.Begin[i], r.out.End[i], r.out.On[i] = -1, -1, p.Tasks[i].Processor
	}
	for i := range r.queues {
		r.queues[i].before = r.before
	}
	r.held.before = r.before
	for _, root := range p.Roots {
		on := p.Tasks[root.Task].Processor
		r.load[on]++
		r.at(root.At, event{task: root.Task, processor: on})
	}
	for n := 0; len(r.events) > 0; n++ {
		if n&0xfff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		r.happen(heap.Pop(&r.events).(event))
	}
	for p := range opt.Order {
		if r.taken[p] < len(opt.Order[p]) {
			return nil, fmt.Errorf("processor %d waits for task %d, whose message does not come", p,
				opt.Order[p][r.taken[p]])
		}
	}
	return r.out, ctx.Err()
}

// at schedules an event.
func (r *run) at(time int64, e event) {
	r.number++
	e.time, e.number = time, r.number
	heap.Push(&r.events, e)
}

func (r *run) happen(e event) {
	p := e.processor
	if e.task == report {
		fromToken(r, p, e.time)
		return
	}
	if e.task == finished {
		r.busy[p] = false
		r.load[p]--
		r.strategy.finished(r, p, e.time)
	} else {
		t := &r.Tasks[e.task]
		r.put(&r.queues[p], e.task, t.Response || !t.Dynamic)
	}
	r.start(p, e.time)
}

// start begins the next task of an idle processor.
func (r *run) start(p int32, now int64) {
	if r.busy[p] {
		return
	}
	i, ok := r.next(p)
	if !ok {
		return
	}
	t := &r.Tasks[i]
	r.busy[p] = true
	r.out.Begin[i], r.out.End[i], r.out.On[i] = now, now+t.Work, p
	r.out.Length = max(r.out.Length, now+t.Work)
	for _, c := range t.Creates {
		r.send(&c, p, now+c.After)
	}
	r.at(now+t.Work, event{task: finished, processor: p})
}

// next takes a task from the queue: the next in the recorded order, or the first.
func (r *run) next(p int32) (int32, bool) {
	if r.opt.Order == nil {
		return r.queues[p].take()
	}
	order := r.opt.Order[p]
	if k := r.taken[p]; k < len(order) && r.queues[p].remove(order[k]) {
		r.taken[p]++
		return order[k], true
	}
	return 0, false
}

// send sends a message.
func (r *run) send(c *Creation, from int32, now int64) {
	t := &r.Tasks[c.Task]
	if !t.Dynamic {
		r.load[t.Processor]++
		r.at(now+c.Takes, event{task: c.Task, processor: t.Processor})
		return
	}
	r.strategy.created(r, c, from, now)
}

// place sends a task to a processor, which it reaches after some hops.
func (r *run) place(c *Creation, on int32, hops int64, now int64) {
	r.load[on]++
	r.out.Hops += hops
	r.at(now+c.Takes+hops*r.opt.Hop, event{task: c.Task, processor: on})
}

// below returns a random number below n.
func (r *run) below(n int) int {
	r.rng = r.rng*6364136223846793005 + 1442695040888963407
	return int((r.rng >> 33) % uint64(n))
}
