package driven

// Strategies of load balancing: who executes a task that may execute anywhere.

import "slices"

// Strategy is a strategy.
type Strategy struct {
	Name, Doc string
	created   func(r *run, c *Creation, from int32, now int64)
	finished  func(r *run, p int32, now int64)
}

// Strategies are all strategies.
var Strategies = []Strategy{
	{"recorded", "where they executed in the recorded run", func(r *run, c *Creation, from int32, now int64) {
		on, hops := r.Tasks[c.Task].Processor, int64(0)
		if on != from {
			hops = 1
		}
		r.place(c, on, hops, now)
	}, nothing},
	{"random", "on any processor, all alike", func(r *run, c *Creation, from int32, now int64) {
		on, hops := int32(r.below(r.Processors)), int64(0)
		if on != from {
			hops = 1
		}
		r.place(c, on, hops, now)
	}, nothing},
	{"neighbours", "on a neighbour in a ring with less to do, up to three hops away (ACWN)", toNeighbour, nothing},
	{"manager", "one processor has all tasks and hands them to those that have less than the leash", toManager, fromManager},
}

func nothing(*run, int32, int64) {}

// findStrategy finds a strategy; the first by default.
func findStrategy(name string) *Strategy {
	if name == "" {
		return &Strategies[0]
	}
	if i := slices.IndexFunc(Strategies, func(s Strategy) bool { return s.Name == name }); i >= 0 {
		return &Strategies[i]
	}
	return nil
}

// toNeighbour sends a task on while a neighbour has less to do than who has it, three times at most.
func toNeighbour(r *run, c *Creation, from int32, now int64) {
	const most = 3
	on, hops := from, int64(0)
	for n := int32(r.Processors); hops < most; hops++ {
		left, right := (on+n-1)%n, (on+1)%n
		to := left
		if r.load[right] < r.load[left] {
			to = right
		}
		if r.load[to]+1 >= r.load[on] && r.load[on] > 0 || r.load[on] == 0 {
			break
		}
		on = to
	}
	r.place(c, on, hops, now)
}

// toManager sends a task to the manager, processor 0, which hands it to the processor with least to do if that has less than the leash.
func toManager(r *run, c *Creation, _ int32, now int64) {
	r.out.Hops++
	r.number++
	r.held.put(waiting{c.Task, r.Tasks[c.Task].Priority, r.number, false})
	least := int32(0)
	for p := range int32(r.Processors) {
		if r.load[p] < r.load[least] {
			least = p
		}
	}
	r.handOut(least, now+c.Takes+r.opt.Hop)
}

// fromManager: a processor that has finished a task says how much it has left, and gets more.
func fromManager(r *run, p int32, now int64) {
	r.out.Messages++
	r.handOut(p, now+r.opt.Hop)
}

// handOut gives a processor tasks up to the leash.
func (r *run) handOut(p int32, now int64) {
	for r.load[p] < r.opt.Leash {
		task, ok := r.held.take()
		if !ok {
			return
		}
		r.place(&Creation{Task: task}, p, 1, now)
	}
}
