package driven

// Strategies of load balancing: they choose who executes a task that may execute anywhere.

import (
	"math"
	"slices"
)

// Strategy is a strategy.
type Strategy struct {
	Name, Doc string
	created   func(r *run, c *Creation, from int32, now int64)
	finished  func(r *run, p int32, now int64)
}

// Strategies are all strategies.
var Strategies = []Strategy{
	{"recorded", "where they executed in the recorded run", func(r *run, c *Creation, from int32, now int64) {
		r.move(c, from, r.Tasks[c.Task].Processor, now)
	}, nothing},
	{"random", "on any processor, all alike", func(r *run, c *Creation, from int32, now int64) {
		r.move(c, from, int32(r.below(r.Processors)), now)
	}, nothing},
	{"neighbours", "on a neighbour in a ring with less to do, up to three hops away (ACWN)", toNeighbour, nothing},
	{"manager", "one processor has all tasks and hands them to those that have less than the leash", toManager,
		fromManager},
	{"managers", "one per group of about sqrt(P) processors; one that has no tasks gets some of the one that has most",
		toGroup, fromGroup},
	{"token",
		"tasks stay where they were created, a manager has their priorities; processors say at regular times what " +
			"they have left", toToken, later},
	{"aperiodic", "as token, but processors say at once when they have finished a task", toToken, fromToken},
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

// move sends a task to a processor directly.
func (r *run) move(c *Creation, from, on int32, now int64) {
	hops := int64(0)
	if on != from {
		hops = 1
	}
	r.place(c, on, hops, now)
}

// toNeighbour sends a task on while a neighbour has less to do than its holder, at most three times.
func toNeighbour(r *run, c *Creation, from int32, now int64) {
	const most = 3
	on, hops := from, int64(0)
	for n := int32(r.Processors); hops < most; hops++ {
		to := (on + n - 1) % n
		if right := (on + 1) % n; r.load[right] < r.load[to] {
			to = right
		}
		if r.load[to]+1 >= r.load[on] {
			break
		}
		on = to
	}
	r.place(c, on, hops, now)
}

// toManager sends a task to the manager, processor 0, which hands it to the processor with least to do if that has less
// than the leash.
func toManager(r *run, c *Creation, _ int32, now int64) {
	r.out.Hops++
	r.put(&r.held, c.Task, false)
	r.handOut(least(r.load), now+c.Takes+r.opt.Hop)
}

// fromManager: a processor that has finished a task reports how much it has left, and gets more.
func fromManager(r *run, p int32, now int64) {
	r.out.Messages++
	r.handOut(p, now+r.opt.Hop)
}

// least returns the first processor with the least load.
func least(load []int) int32 { return int32(slices.Index(load, slices.Min(load))) }

func (r *run) groupSize() int { return int(math.Ceil(math.Sqrt(float64(r.Processors)))) }

// groupOf returns the group of a processor.
func (r *run) groupOf(p int32) int { return int(p) / r.groupSize() }

// leastIn returns the first processor of a group with the least load in it.
func (r *run) leastIn(group int) int32 {
	first := group * r.groupSize()
	return int32(first) + least(r.load[first:min(first+r.groupSize(), r.Processors)])
}

// toGroup sends a task to the manager of the group in which it was created. If that group has enough to do, the task
// goes on to one that has not.
func toGroup(r *run, c *Creation, from int32, now int64) {
	group := r.groupOf(from)
	if r.pools == nil {
		r.pools = make([]queue, r.groupOf(int32(r.Processors)-1)+1)
		for i := range r.pools {
			r.pools[i].before = r.before
		}
	}
	on, other := r.leastIn(group), least(r.load)
	r.out.Hops++
	now += c.Takes + r.opt.Hop
	if r.load[on] >= r.opt.Leash && r.load[other] < r.opt.Leash {
		on = other
		group = r.groupOf(other)
		r.out.Hops++
		now += r.opt.Hop
	}
	r.put(&r.pools[group], c.Task, false)
	r.handOutOf(&r.pools[group], on, now)
}

// fromGroup: a manager without tasks takes half of the tasks, at least two, of the one with most.
func fromGroup(r *run, p int32, now int64) {
	if r.pools == nil {
		return
	}
	r.out.Messages++
	own, other := &r.pools[r.groupOf(p)], &r.pools[0]
	for i := range r.pools {
		if r.pools[i].Len() > other.Len() {
			other = &r.pools[i]
		}
	}
	if own.Len() == 0 && other.Len() > 0 {
		r.out.Messages++
		for range max(2, other.Len()/2) {
			task, ok := other.take()
			if !ok {
				break
			}
			r.out.Hops++
			r.put(own, task, false)
		}
		now += 2 * r.opt.Hop
	}
	r.handOutOf(own, p, now+r.opt.Hop)
}

// toToken leaves a task where it is; the manager, which knows what processors have reported, has it sent to the one
// with least to do.
func toToken(r *run, c *Creation, from int32, now int64) {
	if r.holder == nil {
		r.holder, r.known = map[int32]int32{}, make([]int, r.Processors)
	}
	r.out.Messages++
	r.holder[c.Task] = from
	r.put(&r.held, c.Task, false)
	r.sendFor(least(r.known), now+c.Takes)
}

// fromToken: a processor reports what it has left.
func fromToken(r *run, p int32, now int64) {
	if r.holder == nil {
		return
	}
	r.out.Messages++
	r.known[p] = r.load[p]
	r.sendFor(p, now+r.opt.Hop)
}

// later: a processor that has finished a task reports it at the next regular time.
func later(r *run, p int32, now int64) {
	period := max(1, r.period)
	r.at((now/period+1)*period, event{task: report, processor: p})
}

// sendFor has tasks sent to a processor, up to the leash: tasks of others take three hops: of token, request and task.
func (r *run) sendFor(p int32, now int64) {
	for r.known[p] < r.opt.Leash {
		task, ok := r.held.take()
		if !ok {
			return
		}
		hops := int64(3)
		if r.holder[task] == p {
			hops = 0
		}
		r.known[p]++
		r.place(&Creation{Task: task}, p, hops, now)
	}
}

// handOut and handOutOf give a processor tasks from the manager, or from a group, up to the leash.
func (r *run) handOut(p int32, now int64) { r.handOutOf(&r.held, p, now) }

func (r *run) handOutOf(pool *queue, p int32, now int64) {
	for r.load[p] < r.opt.Leash {
		task, ok := pool.take()
		if !ok {
			return
		}
		r.place(&Creation{Task: task}, p, 1, now)
	}
}
