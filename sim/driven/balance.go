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

// toNeighbour sends a task on while a neighbour has less to do than its holder, at most three times.
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

// toManager sends a task to the manager, processor 0, which hands it to the processor with least to do if that has less
// than the leash.
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

// fromManager: a processor that has finished a task reports how much it has left, and gets more.
func fromManager(r *run, p int32, now int64) {
	r.out.Messages++
	r.handOut(p, now+r.opt.Hop)
}

// groupOf returns the group of a processor, and the number of groups.
func (r *run) groupOf(p int32) (group, groups int) {
	size := int(math.Ceil(math.Sqrt(float64(r.Processors))))
	return int(p) / size, (r.Processors + size - 1) / size
}

// toGroup sends a task to the manager of the group in which it was created. If that group has enough to do, the task
// goes on to one that has not.
func toGroup(r *run, c *Creation, from int32, now int64) {
	group, groups := r.groupOf(from)
	if r.pools == nil {
		r.pools = make([]queue, groups)
		for i := range r.pools {
			r.pools[i].before = r.before
		}
	}
	least, other := int32(-1), int32(0) // in the group, and overall
	for p := range int32(r.Processors) {
		if g, _ := r.groupOf(p); g == group && (least < 0 || r.load[p] < r.load[least]) {
			least = p
		}
		if r.load[p] < r.load[other] {
			other = p
		}
	}
	r.out.Hops++
	now += c.Takes + r.opt.Hop
	if r.load[least] >= r.opt.Leash && r.load[other] < r.opt.Leash {
		least = other
		group, _ = r.groupOf(other)
		r.out.Hops++
		now += r.opt.Hop
	}
	r.number++
	r.pools[group].put(waiting{c.Task, r.Tasks[c.Task].Priority, r.number, false})
	r.handOutOf(&r.pools[group], least, now)
}

// fromGroup: a manager without tasks takes half of the tasks, at least two, of the one with most.
func fromGroup(r *run, p int32, now int64) {
	if r.pools == nil {
		return
	}
	r.out.Messages++
	group, _ := r.groupOf(p)
	own, most := &r.pools[group], 0
	for i := range r.pools {
		if len(r.pools[i].list) > len(r.pools[most].list) {
			most = i
		}
	}
	if other := &r.pools[most]; len(own.list) == 0 && len(other.list) > 0 {
		r.out.Messages++
		for range max(2, len(other.list)/2) {
			task, ok := other.take()
			if !ok {
				break
			}
			r.out.Hops++
			r.number++
			own.put(waiting{task, r.Tasks[task].Priority, r.number, false})
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
	r.number++
	r.holder[c.Task] = from
	r.held.put(waiting{c.Task, r.Tasks[c.Task].Priority, r.number, false})
	least := int32(0)
	for p := range int32(r.Processors) {
		if r.known[p] < r.known[least] {
			least = p
		}
	}
	r.sendFor(least, now+c.Takes)
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
