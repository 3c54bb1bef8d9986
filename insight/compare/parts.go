package compare

// The parts of the difference between two runs.

import (
	"cmp"
	"fmt"
	"slices"

	"pview/insight/account"
	"pview/prv/wide"
)

// Kind is a way to divide the difference.
type Kind uint8

// The kinds.
const (
	ByPhase Kind = iota
	ByCategory
	ByCall
	ByFunction
	ByWait
	ByCause
	ByRanks

	NumKinds
)

var kinds = [NumKinds]struct{ name, doc string }{
	{"phase", "phases by their activity"},
	{"category", "entries of the account"},
	{"call", "calls of MPI"},
	{"function", "user functions, the innermost"},
	{"wait", "classes of waits"},
	{"cause", "threads, each wait with the thread that is its root cause"},
	{"ranks", "threads whose differences agree, by category"},
}

// String returns the kind's name.
func (k Kind) String() string { return kinds[k].name }

// Doc returns an explanation.
func (k Kind) Doc() string { return kinds[k].doc }

// Part is a part of the difference. The parts of one kind add up to the whole, exactly. Times are ns: means over the
// threads, or, with different numbers of threads, sums.
type Part struct {
	Kind Kind
	Name string
	A, B wide.Int
	// Count is the number of phases, of both runs together.
	Count int
	// Noise is twice the spread of the part over the runs of A's configuration; 0 if there is only one.
	Noise wide.Int
	// Threads are threads of A, for a part by ranks.
	Threads []int

	category Category // for a part by ranks
}

// Difference is B - A.
func (p *Part) Difference() wide.Int { return p.B.Minus(p.A) }

// Noisy reports whether the difference is within the noise.
func (p *Part) Noisy() bool { return p.Noise.Sign() > 0 && p.Difference().Abs().Compare(p.Noise) <= 0 }

// times are the sums of one criterion in both runs, in units of each.
type times struct{ a, b map[string]wide.Int }

// parts makes the parts of a kind: means that add up to the run times, or sums.
func (c *Result) parts(k Kind, t times) {
	var names []string
	for n := range t.a {
		names = append(names, n)
	}
	for n := range t.b {
		if _, ok := t.a[n]; !ok {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	sums := func(m map[string]wide.Int) []wide.Int {
		list := make([]wide.Int, len(names))
		for i, n := range names {
			list[i] = m[n]
		}
		return list
	}
	a, b := c.amounts(sums(t.a), sums(t.b))
	list := make([]Part, 0, len(names))
	for i, n := range names {
		if a[i].Sign() != 0 || b[i].Sign() != 0 {
			list = append(list, Part{Kind: k, Name: n, A: a[i], B: b[i]})
		}
	}
	c.add(list)
}

// add adds parts of a kind, the largest differences first.
func (c *Result) add(list []Part) {
	slices.SortStableFunc(list, func(x, y Part) int {
		return y.Difference().Abs().Compare(x.Difference().Abs())
	})
	c.Parts = append(c.Parts, list...)
}

// amounts converts sums in the units of the runs to means over the threads in ns, or with different numbers of threads
// to sums in ns. It divides the differences, not the times of B, so that equal sums have equal means.
func (c *Result) amounts(a, b []wide.Int) (ma, mb []wide.Int) {
	change := make([]wide.Int, len(a))
	for i := range a {
		a[i], b[i] = a[i].Times(c.A.unit), b[i].Times(c.B.unit)
		change[i] = b[i].Minus(a[i])
	}
	if c.Scaled {
		return a, b
	}
	ma, mb = means(a, int64(c.A.Threads)), means(change, int64(c.A.Threads))
	for i := range mb {
		mb[i] = mb[i].Plus(ma[i])
	}
	settle(b, mb, change)
	return ma, mb
}

// settle corrects means of B that its sums rule out: 0 if the sum is 0, and never negative. The largest part that
// changes, or else the largest, takes the ns that rounding had put there, so the means still add up.
func settle(sums, means, change []wide.Int) {
	better := func(i, than int) bool {
		if (change[i].Sign() == 0) != (change[than].Sign() == 0) {
			return change[i].Sign() != 0
		}
		return sums[i].Compare(sums[than]) > 0
	}
	largest, over := -1, wide.Int{}
	for i, s := range sums {
		switch {
		case s.Sign() == 0 || s.Sign() > 0 && means[i].Sign() < 0:
			over = over.Plus(means[i])
			means[i] = wide.Int{}
		case largest < 0 || better(i, largest):
			largest = i
		}
	}
	if largest >= 0 {
		means[largest] = means[largest].Plus(over)
	}
}

// means divides sums by n so that the results add up to the total divided by n: the remainders go to the largest.
func means(sums []wide.Int, n int64) []wide.Int {
	out, rest, order := make([]wide.Int, len(sums)), make([]int64, len(sums)), make([]int, len(sums))
	left := int64(0)
	for i, s := range sums {
		out[i], order[i] = s.Quotient(n), i
		if rest[i] = s.Minus(out[i].Times(n)).Int64(); rest[i] < 0 {
			out[i], rest[i] = out[i].Add(-1), rest[i]+n
		}
		left += rest[i]
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rest[b], rest[a]) })
	for i := range left / n {
		out[order[i]] = out[order[i]].Add(1)
	}
	return out
}

// phaseParts returns the pairs of phases by their signature.
func (c *Result) phaseParts() {
	if !c.Alike {
		whole := "entire run"
		c.add([]Part{{Kind: ByPhase, Name: whole, A: c.scale(c.A, c.A.Duration), B: c.scale(c.B, c.B.Duration),
			Count: len(c.A.phases) + len(c.B.phases)}})
		return
	}
	at := map[string]int{}
	var list []Part
	for _, p := range c.Pairs {
		name, a, b := c.describe(p)
		i, ok := at[name]
		if !ok {
			i = len(list)
			at[name] = i
			list = append(list, Part{Kind: ByPhase, Name: name})
		}
		list[i].A, list[i].B = list[i].A.Plus(c.scale(c.A, a)), list[i].B.Plus(c.scale(c.B, b))
		if list[i].Count++; p.A >= 0 && p.B >= 0 {
			list[i].Count++
		}
	}
	c.add(list)
}

// describe names a pair of phases, with its durations in ns.
func (c *Result) describe(p Pair) (name string, a, b int64) {
	nameOf := func(r *Run, i int) string {
		if name := r.phases[i].Name; name != "" {
			return name
		}
		g := r.phases[i].Group
		return fmt.Sprintf("%s {%d}", r.groups[g].Name(), g+1)
	}
	if p.A >= 0 {
		a = c.A.phases[p.A].Duration() * c.A.unit
		name = nameOf(c.A, p.A)
	}
	if p.B >= 0 {
		b = c.B.phases[p.B].Duration() * c.B.unit
		if other := c.B.phases[p.B].Name; p.A >= 0 && other != "" && other != name {
			name += " (B: " + other + ")"
		}
	}
	switch {
	case p.A < 0:
		name = "only in B: " + nameOf(c.B, p.B)
	case p.B < 0:
		name = "only in A: " + name
	}
	return name, a, b
}

// scale multiplies a time of a run by its threads if the runs have different numbers of threads.
func (c *Result) scale(r *Run, time int64) wide.Int {
	if c.Scaled {
		return wide.Product(time, int64(r.Threads))
	}
	return wide.Of(time)
}

// byCategory returns the times of all threads by category.
func (r *Run) byCategory() map[string]wide.Int {
	m := map[string]wide.Int{}
	for i := range r.thread {
		for cat, v := range r.thread[i] {
			grow(m, Category(cat).String(), v)
		}
	}
	return m
}

// agreement is the largest difference within a group of threads, relative to the largest of all.
const agreement = 10 // percent

// rankParts groups the threads by their differences.
func (c *Result) rankParts(partner []int) {
	if c.Scaled {
		return
	}
	groups := c.rankGroups(partner)
	var a, b []wide.Int
	for _, g := range groups {
		for cat := range account.NumKinds {
			var sa, sb wide.Int
			for _, i := range g {
				sa, sb = sa.Add(c.A.thread[i][cat]), sb.Add(c.B.thread[partner[i]][cat])
			}
			a, b = append(a, sa), append(b, sb)
		}
	}
	a, b = c.amounts(a, b)
	var list []Part
	for i, g := range groups {
		for cat := range Category(account.NumKinds) {
			if k := i*int(account.NumKinds) + int(cat); a[k].Sign() != 0 || b[k].Sign() != 0 {
				list = append(list, Part{Kind: ByRanks, Name: c.A.threadList(g) + " " + cat.String(), A: a[k], B: b[k],
					Threads: g, category: cat})
			}
		}
	}
	c.add(list)
}

// rankGroups returns lists of threads: each thread joins the first group whose first thread has similar differences.
func (c *Result) rankGroups(partner []int) (groups [][]int) {
	change := func(i int, cat account.Kind) int64 {
		return c.B.thread[partner[i]][cat]*c.B.unit - c.A.thread[i][cat]*c.A.unit
	}
	alike := func(i, k int) bool {
		for cat := range account.NumKinds {
			x, y := change(i, cat), change(k, cat)
			apart, largest := wide.Of(x).Add(-y).Abs(), wide.Of(max(x, -x, y, -y))
			if apart.Times(100).Compare(largest.Times(agreement)) > 0 && apart.Compare(wide.Of(c.A.Duration/1000)) > 0 {
				return false
			}
		}
		return true
	}
next:
	for i := range c.A.thread {
		for g := range groups {
			if alike(groups[g][0], i) {
				groups[g] = append(groups[g], i)
				continue next
			}
		}
		groups = append(groups, []int{i})
	}
	return groups
}

// threadList names threads, with ranges for neighbours.
func (r *Run) threadList(list []int) string {
	s := ""
	for i := 0; i < len(list); {
		n := i
		for n+1 < len(list) && list[n+1] == list[n]+1 {
			n++
		}
		if s != "" {
			s += ","
		}
		if s += r.names[list[i]]; n > i {
			s += "-" + r.names[list[n]]
		}
		i = n + 1
	}
	return s
}

// atLeast reports whether a part is at least this percentage of a whole, whatever the sign of the whole.
func atLeast(percent int64, part, whole wide.Int) bool {
	if whole.Sign() < 0 {
		part, whole = part.Negated(), whole.Negated()
	}
	return part.Times(100).Compare(whole.Times(percent)) >= 0
}

// sameSign reports whether both are positive, or neither is.
func sameSign(a, b wide.Int) bool { return (a.Sign() > 0) == (b.Sign() > 0) }
