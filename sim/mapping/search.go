package mapping

// Searches: all mappings, the balancer of PUPPET (puppet.md 8.6), simulated annealing.

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// maxAll is the maximum number of enumerated mappings: enough for 8 tasks on 8 nodes (8! is 40320).
const maxAll = 50000

// All enumerates the mappings; if all nodes of the network are equal, each only up to a renaming of nodes. spread: with
// at most ceil(n/P) tasks on a node; this also applies if there are too many otherwise, and then evenly is true.
func (b *Problem) All(spread bool) (list []Mapping, evenly bool, err error) {
	w := &enumeration{b: b, most: b.Tasks, alike: b.Network.Diameter() <= 1 &&
		slices.Max(b.Speed) == slices.Min(b.Speed), at: make(Mapping, b.Tasks), load: make([]int, b.Nodes)}
	if spread {
		w.most = perNode(b.Tasks, b.Nodes)
	}
	switch {
	case w.place(0, 0):
		return w.list, spread, nil
	case !spread:
		return b.All(true)
	}
	return nil, spread, fmt.Errorf("there are more than %d mappings of %d tasks to %d nodes: they can only be searched",
		maxAll, b.Tasks, b.Nodes)
}

// enumeration places the tasks one by one.
type enumeration struct {
	b     *Problem
	most  int // tasks on a node
	alike bool
	at    Mapping
	load  []int
	list  []Mapping
}

// place returns false if there are too many. used is the number of nodes in use: if nodes are equal, a new one is
// always the next.
func (w *enumeration) place(task, used int) bool {
	if task == w.b.Tasks {
		w.list = append(w.list, slices.Clone(w.at))
		return len(w.list) <= maxAll
	}
	nodes := w.b.Nodes
	if w.alike {
		nodes = min(nodes, used+1)
	}
	for n := range nodes {
		if w.load[n] == w.most {
			continue
		}
		w.at[task] = n
		w.load[n]++
		ok := w.place(task+1, max(used, n+1))
		w.load[n]--
		if !ok {
			return false
		}
	}
	return true
}

// Rule is the balancer's way to choose the task that it moves.
type Rule struct {
	Name, Doc string

	choose func(b *Problem, there []int, gap float64, rng *rand.Rand) int
}

// Rules are the rules of the balancer.
var Rules = []Rule{
	{"lowest", "the one with the lowest number", func(_ *Problem, there []int, _ float64, _ *rand.Rand) int {
		return there[0]
	}},
	{"fit", "the one whose CPU time is nearest to half the difference of the two nodes",
		func(b *Problem, there []int, gap float64, _ *rand.Rand) int {
			best := there[0]
			for _, t := range there {
				if math.Abs(b.CPU[t]-gap/2) < math.Abs(b.CPU[best]-gap/2) {
					best = t
				}
			}
			return best
		}},
	{"random", "any", func(_ *Problem, there []int, _ float64, rng *rand.Rand) int {
		return there[rng.IntN(len(there))]
	}},
}

// Step is a mapping of the balancer, and its predicted time, ns.
type Step struct {
	Mapping Mapping
	Total   int64
}

// Balance moves a task from the node with the highest utilisation to the one with the lowest, simulates, and repeats
// this until a mapping recurs, the utilisations are equal, or the maximum number of steps is reached. Not every step is
// an improvement: the caller keeps the best.
func (b *Problem) Balance(ctx context.Context, start Mapping, rule *Rule, seed uint64, steps int,
	simulate func(Mapping) (int64, error)) (list []Step, err error) {
	rng := rand.New(rand.NewPCG(seed, 1))
	m := slices.Clone(start)
	seen := map[string]bool{}
	for len(list) <= steps && !seen[m.String()] && ctx.Err() == nil {
		seen[m.String()] = true
		total, err := simulate(m)
		if err != nil {
			return list, err
		}
		list = append(list, Step{slices.Clone(m), total})
		busy := b.Busy(m)
		high, low := slices.Index(busy, slices.Max(busy)), slices.Index(busy, slices.Min(busy))
		if busy[high] == busy[low] {
			break
		}
		var there []int
		for t, n := range m {
			if n == high {
				there = append(there, t)
			}
		}
		m[rule.choose(b, there, busy[high]-busy[low], rng)] = low
	}
	return list, ctx.Err()
}

// Anneal searches for a mapping with few bytes times hops, from a start: two tasks change places, or one moves to a
// free place, if that is better, or sometimes if it is worse, less often as the temperature falls. A node has places
// for ceil(n/P) tasks, or as many as at the start.
func (b *Problem) Anneal(ctx context.Context, start Mapping, seed uint64) Mapping {
	rng := rand.New(rand.NewPCG(seed, 2))
	a := &annealing{b: b, at: slices.Clone(start), places: b.places(start)}
	a.where = make([]int, b.Tasks)
	a.tenant = make([]int, len(a.places))
	next := make([]int, b.Nodes)
	for p := range a.places {
		a.tenant[p] = -1
	}
	for t, n := range start { // places of a node are adjacent
		first, _ := slices.BinarySearch(a.places, n)
		a.where[t] = first + next[n]
		a.tenant[a.where[t]] = t
		next[n]++
	}
	heat := a.heat(rng)
	if heat == 0 {
		return start
	}
	best, cost, least := slices.Clone(a.at), int64(0), int64(0) // relative to the start
	const rounds = 200
	tries := min(max(400*b.Tasks, 10000), 200000)
	for round := range rounds {
		if ctx.Err() != nil {
			break
		}
		t := heat * math.Pow(1e-4, float64(round)/(rounds-1))
		for range tries {
			x, p := rng.IntN(b.Tasks), rng.IntN(len(a.places))
			if a.places[p] == a.at[x] {
				continue
			}
			d := a.move(x, p)
			if d > 0 && rng.Float64() >= math.Exp(-float64(d)/t) {
				a.undo(x)
				continue
			}
			if cost += d; cost < least {
				least = cost
				copy(best, a.at)
			}
		}
	}
	return best
}

// places returns the nodes of the places for tasks, in order.
func (b *Problem) places(start Mapping) (list []int) {
	load := make([]int, b.Nodes)
	for _, n := range start {
		load[n]++
	}
	for n := range b.Nodes {
		for range max(load[n], perNode(b.Tasks, b.Nodes)) {
			list = append(list, n)
		}
	}
	return list
}

// annealing is the state of a search.
type annealing struct {
	b      *Problem
	at     Mapping
	places []int // node of each place
	tenant []int // task of each place, or -1
	where  []int // place of each task
	from   int   // place that the last move left
}

// cost returns a task's share of bytes times hops.
func (a *annealing) cost(t int) (sum int64) {
	n := a.at[t]
	for _, e := range a.b.partners[t] {
		sum += e.bytes * a.b.between(n, a.at[e.peer])
	}
	return sum
}

// move gives a task a place, and its current tenant the task's old place. It returns the change of the cost.
func (a *annealing) move(t, p int) int64 {
	a.from = a.where[t]
	other := a.tenant[p]
	before := a.cost(t)
	if other >= 0 {
		before += a.cost(other)
	}
	a.swap(t, p)
	after := a.cost(t)
	if other >= 0 {
		after += a.cost(other) // traffic between the two counts twice, before and after
	}
	return after - before
}

func (a *annealing) swap(t, p int) {
	own, other := a.where[t], a.tenant[p]
	a.where[t], a.tenant[p], a.at[t] = p, t, a.places[p]
	if a.tenant[own] = other; other >= 0 {
		a.where[other], a.at[other] = own, a.places[own]
	}
}

func (a *annealing) undo(t int) { a.swap(t, a.from) }

// heat returns the first temperature: the average change of a move.
func (a *annealing) heat(rng *rand.Rand) float64 {
	sum := 0.0
	const tries = 1000
	for range tries {
		x, p := rng.IntN(a.b.Tasks), rng.IntN(len(a.places))
		if a.places[p] == a.at[x] {
			continue
		}
		sum += math.Abs(float64(a.move(x, p)))
		a.undo(x)
	}
	return sum / tries
}
