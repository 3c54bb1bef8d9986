package frameworks

// Policies for handing out tasks (thesis III.2), each a sequence of chunks.

import (
	"fmt"
	"math"

	"pview/insight/frameworks/role"
)

// Policy is a way to distribute the tasks of an iteration.
type Policy struct {
	Name, Doc, Source string
	// Factored policies have a partition factor that is estimated from earlier iterations.
	Factored bool
	chunks   func(d Distribution) []int
}

// Policies is the table of policies, the recommended one last.
var policies = []Policy{
	{"one-shot", "One chunk for each worker.", "thesis III.2", false, oneShot},
	{"FSC", "Fixed size chunking: every batch holds the same part of all tasks.",
		"thesis III.2.1, after Kruskal and Weiss 1985", true, fixedSize},
	{"DPF", "Dynamic predictive factoring: every batch holds the same part of the tasks that are left.",
		"thesis III.2.2, after Flynn Hummel et al. 1992", true, factoring},
	{"DAF", "Dynamic adjusting factoring: every batch is as large as mean and spread of the tasks allow.",
		"thesis III.2.3, after Banicescu and Velusamy 2002", false, adjusting},
}

// Policies returns the table of policies.
func Policies() []Policy { return policies }

// policyByName finds a policy.
func policyByName(name string) (Policy, bool) {
	for _, p := range policies {
		if p.Name == name {
			return p, true
		}
	}
	return Policy{}, false
}

// Rules are choices that the sources of the policies leave open. The zero value of each is the default.
type Rules struct {
	// TailLastN hands out one more batch when the chunks of DAF have reached their lower limit, and the rest in one
	// chunk per worker, as in the thesis; otherwise chunks of the lower limit go out until no task is left.
	TailLastN bool
	// Independent lets the deviation of a chunk of F tasks be sigma*sqrt(F) in DAF; otherwise it is sigma*F, as in the
	// thesis: long tasks share a chunk.
	Independent bool
	// LeftoverSingle makes one chunk of a last batch with fewer tasks than workers; otherwise each task is a chunk.
	LeftoverSingle bool
}

// Distribution is the input of a policy: tasks and workers.
type Distribution struct {
	Tasks, Workers int
	Factor         float64 // FSC, DPF: share of a batch, in (0, 1]
	Mean, Sigma    float64 // DAF: time of a task
	Least          int     // minimum tasks in a chunk; 0: 1
	Rules
}

// Chunks returns the sequence of chunks, in tasks, that a policy hands out. They sum to d.Tasks.
func (p Policy) Chunks(d Distribution) ([]int, error) {
	d.Least = max(d.Least, 1)
	switch {
	case d.Workers < 1:
		return nil, fmt.Errorf("the number of workers must be >= 1, not %d", d.Workers)
	case d.Tasks < 0:
		return nil, fmt.Errorf("the number of tasks must be >= 0, not %d", d.Tasks)
	case p.Factored && !(d.Factor > 0 && d.Factor <= 1):
		return nil, fmt.Errorf("the partition factor must be > 0 and <= 1, not %g", d.Factor)
	case p.Name == "DAF" && !(d.Mean > 0 && d.Sigma >= 0):
		return nil, fmt.Errorf("the mean time of a task must be > 0 and its deviation >= 0, not %g and %g", d.Mean,
			d.Sigma)
	}
	return p.chunks(d), nil
}

// batch cuts a batch of b tasks into chunks, one per worker, the first ones a task larger if b does not divide evenly.
func (d Distribution) batch(list []int, b int) []int {
	switch {
	case b <= 0:
		return list
	case b < d.Workers && d.LeftoverSingle:
		return append(list, b)
	case b < d.Workers:
		for range b {
			list = append(list, 1)
		}
		return list
	}
	each, more := b/d.Workers, b%d.Workers
	for i := range d.Workers {
		n := each
		if i < more {
			n++
		}
		list = append(list, n)
	}
	return list
}

func oneShot(d Distribution) []int { return d.batch(nil, d.Tasks) }

func fixedSize(d Distribution) (list []int) {
	size := max(int(float64(d.Tasks)*d.Factor), d.Workers*d.Least, 1)
	left := d.Tasks
	for ; left >= size; left -= size {
		list = d.batch(list, size)
	}
	return d.batch(list, left)
}

func factoring(d Distribution) (list []int) {
	for left := d.Tasks; left > 0; {
		size := max(int(float64(left)*d.Factor), d.Workers*d.Least)
		size = min(size, left)
		list = d.batch(list, size)
		left -= size
	}
	return list
}

// firstFactor and nextFactor are x0 of (1) and xj of (2): a batch holds 1/x of the remaining tasks.
func firstFactor(mean, sigma float64, workers int) float64 {
	return (mean + sigma*math.Sqrt(float64(workers)/2)) / mean
}

// nextFactor returns the factor of the batches after the first: see firstFactor.
func nextFactor(mean, sigma float64, workers int) float64 {
	return (2*mean + sigma*math.Sqrt(float64(workers)/2)) / mean
}

// Size returns the number of tasks in each chunk of a DAF batch, with left tasks to go; it may be 0.
func (d Distribution) Size(first bool, left int) int {
	if d.Independent {
		return d.independent(first, left)
	}
	x := nextFactor(d.Mean, d.Sigma, d.Workers)
	if first {
		x = firstFactor(d.Mean, d.Sigma, d.Workers)
	}
	return floorTo(float64(left) / (float64(d.Workers) * x))
}

// independent solves k*mu*s^2 + sigma*sqrt(N/2)*s - mu*R/N = 0 for s = sqrt(F), with k = 1 for the first batch and 2
// for the others.
func (d Distribution) independent(first bool, left int) int {
	k := 2.0
	if first {
		k = 1
	}
	a, b, c := k*d.Mean, d.Sigma*math.Sqrt(float64(d.Workers)/2), d.Mean*float64(left)/float64(d.Workers)
	s := (-b + math.Sqrt(b*b+4*a*c)) / (2 * a)
	return floorTo(s * s)
}

func adjusting(d Distribution) (list []int) {
	left := d.Tasks
	for first := true; left > 0; first = false {
		size := d.Size(first, left)
		if size <= d.Least && (!first || size*d.Workers < left) {
			return d.tail(list, left)
		}
		b := min(max(size, d.Least)*d.Workers, left)
		list = d.batch(list, b)
		left -= b
	}
	return list
}

// tail distributes the remaining tasks when chunks have their least size.
func (d Distribution) tail(list []int, left int) []int {
	if d.TailLastN {
		if d.Workers*d.Least >= left {
			return d.least(list, left)
		}
		list = d.least(list, d.Workers*d.Least)
		return d.batch(list, left-d.Workers*d.Least)
	}
	return d.least(list, left)
}

func (d Distribution) least(list []int, left int) []int {
	for left > 0 {
		n := min(d.Least, left)
		list, left = append(list, n), left-n
	}
	return list
}

// leastChunk returns the least number of tasks in a chunk with which the master can feed all workers before the first
// answer comes, with s bytes sent and r bytes returned for a task of time mu (thesis III.2.3 with the managing
// capability of III.3.1). It fails if no size is enough: too many workers.
func leastChunk(l Link, workers int, s, r, mu float64) (int, error) {
	n := float64(workers)
	tooMany := fmt.Errorf("the master cannot feed %d workers with chunks of any size", workers)
	ceil := func(x float64) int { return max(1, -floorTo(-x)) }
	if l.Protocol == role.Sync {
		den := mu + l.PerByte*(s+r) - n*l.PerByte*s
		if den <= 0 {
			return 0, tooMany
		}
		return ceil((n - 2) * l.M0 / den), nil
	}
	f := 1
	if den := mu + l.PerByte*r; den > 0 {
		f = ceil((n - 2) * l.M0 / den)
	}
	if l.M0 >= l.PerByte*s*float64(f) {
		return f, nil
	}
	// Transfers outweigh start-ups: N*L*s*F <= m0 + L*(s+r)*F + mu*F.
	gap := n*l.PerByte*s - l.PerByte*(s+r) - mu
	if gap <= 0 {
		return 1, nil
	}
	if f := l.M0 / gap; f < 1 {
		return 0, tooMany
	}
	return 1, nil
}
