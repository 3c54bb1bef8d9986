package semantic

import (
	"context"
	"math"
	"slices"
)

// foldFunc computes the value of an object from the values of its children at
// one time, in their order. changed is the child that changed last.
type foldFunc func(children []float64, changed int, p params) float64

// foldTable lists the functions of tasks, ptasks, workload, nodes and the
// system over their children.
var foldTable = []Entry{
	{Name: "Adding", Doc: "sum of the children", fold: foldSum(func(sum float64, _ int) float64 { return sum })},
	{Name: "AddingSign", Aliases: []string{"Adding Sign"},
		Doc:  "1 if the sum of the children is greater than 0, else 0",
		fold: foldSum(func(sum float64, _ int) float64 { return truth(sum > 0) })},
	{Name: "Average", Doc: "sum over the number of children", fold: foldSum(func(sum float64, n int) float64 {
		return sum / float64(n)
	})},
	{Name: "Maximum", Meaning: PassedOn, Doc: "maximum of the children, at least 0", fold: foldAll(maximumOf)},
	{Name: "Minimum", Meaning: PassedOn,
		Doc:  "minimum of the children; a 0 is treated as not set by the next child (as in Paraver)",
		fold: foldAll(minimumOf)},
	{Name: "Activity", Doc: "the common value of all children, if they agree and it is listed, else 0",
		Params: listedValues,
		fold:   foldAll(func(c []float64, _ int, p params) float64 { return commonOf(c, p) })},
	{Name: "In Activity", Doc: "1 if all children have the same, listed value, else 0", Params: listedValues,
		fold: foldAll(func(c []float64, _ int, p params) float64 { return truth(commonOf(c, p) != 0) })},
	{Name: "Mode", Meaning: PassedOn, Doc: "most frequent value of the children", fold: foldAll(modeOf)},
	{Name: "Thread i", Meaning: PassedOn, Doc: "value of one child, counted from 1; 0 if there is no such child",
		Params: []Param{{Name: "Object", Default: []float64{1}}},
		fold:   foldAll(func(c []float64, _ int, p params) float64 { return childAt(c, p.one(0)-1) })},
	{Name: "Add Tasks", Doc: "sum of the listed children, counted from 0 (as in Paraver)",
		Params: []Param{{Name: "Objects", Default: []float64{0}, List: true}},
		fold: foldAll(func(c []float64, _ int, p params) float64 {
			sum := 0.0
			for _, i := range p[0] {
				sum += childAt(c, i)
			}
			return sum
		})},
	{Name: "Changed value", Meaning: PassedOn, Doc: "value of the child that changed last", History: true,
		fold: foldAll(func(c []float64, changed int, _ params) float64 { return c[changed] })},

	{Name: "Maximum (signed)", Meaning: PassedOn, Group: "Thesis", Doc: "maximum of the children, may be negative",
		fold: foldAll(func(c []float64, _ int, _ params) float64 { return slices.Max(c) })},
	{Name: "Minimum (with 0)", Meaning: PassedOn, Group: "Thesis", Doc: "minimum of the children, including 0",
		fold: foldAll(func(c []float64, _ int, _ params) float64 { return slices.Min(c) })},

	userFold,
}

func foldAll(f foldFunc) fold { return fold{all: f} }

func maximumOf(c []float64, _ int, _ params) float64 {
	best := 0.0
	for _, v := range c {
		if v > best {
			best = v
		}
	}
	return best
}

// minimumOf treats 0 as "not set yet": it skips a leading 0, while a later 0 replaces the minimum so far and is itself
// dropped if a child follows.
func minimumOf(c []float64, _ int, _ params) float64 {
	best := 0.0
	for _, v := range c {
		if best == 0 || v < best {
			best = v
		}
	}
	return best
}

// commonOf returns the value of all children if they agree and it is listed.
func commonOf(c []float64, p params) float64 {
	if !p.lists(0, c[0]) {
		return 0
	}
	for _, v := range c[1:] {
		if v != c[0] {
			return 0
		}
	}
	return c[0]
}

// modeOf returns the most frequent value; of several, the one that reaches this count first.
func modeOf(c []float64, _ int, _ params) float64 {
	// Children share few values: a short list is searched faster than a map.
	var value [32]float64
	var count [32]int
	best, most, n := 0.0, 0, 0
	for _, v := range c {
		k := 0
		for k < n && value[k] != v {
			k++
		}
		if k == n {
			if n == len(value) {
				return modeOfMany(c)
			}
			value[n], count[n] = v, 0
			n++
		}
		if count[k]++; count[k] > most {
			best, most = v, count[k]
		}
	}
	return best
}

func modeOfMany(c []float64) float64 {
	counts := make(map[float64]int, len(c))
	best, most := 0.0, 0
	for _, v := range c {
		counts[v]++
		if n := counts[v]; n > most {
			best, most = v, n
		}
	}
	return best
}

// childAt returns the value of child i; 0 if none.
func childAt(c []float64, i float64) float64 {
	if i >= 0 && i < float64(len(c)) {
		return c[int(i)]
	}
	return 0
}

// fold is a function over children. ofSum, if any, computes the same from the children's sum.
type fold struct {
	all   foldFunc
	ofSum func(sum float64, n int) float64
}

// foldSum makes a fold from a function of the children's sum.
func foldSum(f func(sum float64, n int) float64) fold {
	return fold{
		all: func(c []float64, _ int, _ params) float64 {
			sum := 0.0
			for _, v := range c {
				sum += v
			}
			return f(sum, len(c))
		},
		ofSum: f,
	}
}

// manyChildren is the number of children from which a running sum is faster than adding them all up at each burst.
const manyChildren = 8

// merge walks the bursts of several rows in order of time.
//
// A burst of the parent begins whenever one begins in any child; children that begin one at the same time give the
// parent one together. As in Paraver, one burst takes in at most as many records of that time as there are children,
// counted over all children. So a child with two records at one time gives a lone parent two bursts, one of them of
// length zero, but a parent of two children only one, unless the other has records at that time as well. Children that
// are due at the same time take turns in the order in which they had their last.
type merge struct {
	rows  []bursts
	at    []int // current burst of each child
	queue []due // binary heap: the child whose burst ends first on top
	turn  int64
}

// due is the time when a child's current burst ends.
type due struct {
	time  int64
	turn  int64 // order within one time
	child int32
}

func (d due) before(e due) bool {
	return d.time < e.time || d.time == e.time && d.turn < e.turn
}

func newMerge(rows []bursts) *merge {
	m := &merge{rows: rows, at: make([]int, len(rows)), queue: make([]due, len(rows))}
	for k := range rows {
		m.queue[k] = due{rows[k].until(0), int64(k), int32(k)}
	}
	m.turn = int64(len(rows))
	m.order()
	return m
}

// order makes a heap of the queue.
func (m *merge) order() {
	for i := len(m.queue)/2 - 1; i >= 0; i-- {
		m.sink(i)
	}
}

// sink restores the heap below i.
func (m *merge) sink(i int) {
	q := m.queue
	d := q[i]
	for {
		c := 2*i + 1
		if c >= len(q) {
			break
		}
		if c+1 < len(q) && q[c+1].before(q[c]) {
			c++
		}
		if !q[c].before(d) {
			break
		}
		q[i] = q[c]
		i = c
	}
	q[i] = d
}

// next returns the time of the next change.
func (m *merge) next() int64 { return m.queue[0].time }

// step moves the child that is due to its next burst and returns that child.
func (m *merge) step() int {
	k := int(m.queue[0].child)
	m.at[k]++
	m.queue[0] = due{m.rows[k].until(m.at[k]), m.turn, int32(k)}
	m.turn++
	m.sink(0)
	return k
}

// foldRows combines the rows of an object's children, which it may overwrite.
func foldRows(ctx context.Context, rows []bursts, end int64, f bound) (bursts, error) {
	if len(rows) == 0 {
		return newBursts(end, 0, 0), nil
	}
	if len(rows) == 1 {
		return foldOne(rows[0], f), nil
	}
	values := make([]float64, len(rows))
	for k := range rows {
		values[k] = rows[k].value[0]
	}
	b := newBursts(end, f.fold.all(values, 0, f.p), roomFor(rows))
	if f.fold.ofSum != nil && len(rows) >= manyChildren && sumsExactly(rows) {
		return b, foldBySum(ctx, &b, newMerge(rows), values, f)
	}
	return b, foldByAll(ctx, &b, newMerge(rows), values, f)
}

// foldOne is foldRows for an only child, whose bursts are the parent's.
func foldOne(row bursts, f bound) bursts {
	var child [1]float64
	for i, v := range row.value {
		child[0] = v
		row.value[i] = f.fold.all(child[:], 0, f.p)
	}
	row.cpu = nil
	return row
}

// roomFor returns the number of bursts to allocate for: not much more than needed if children change together.
func roomFor(rows []bursts) int {
	n, most := 0, 0
	for k := range rows {
		n += len(rows[k].begin)
		most = max(most, len(rows[k].begin))
	}
	return max(most, n/2)
}

// pauseEvery is the number of bursts after which a loop checks whether it is cancelled.
const pauseEvery = 1 << 14

func foldByAll(ctx context.Context, b *bursts, m *merge, values []float64, f bound) error {
	for t := m.next(); t < b.end; t = m.next() {
		k := 0
		for n := 0; n < len(values) && m.next() == t; n++ {
			k = m.step()
			values[k] = m.rows[k].value[m.at[k]]
		}
		b.add(t, f.fold.all(values, k, f.p))
		if len(b.begin)%pauseEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// foldBySum is foldByAll for functions of the sum, where sums are exact.
func foldBySum(ctx context.Context, b *bursts, m *merge, values []float64, f bound) error {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	for t := m.next(); t < b.end; t = m.next() {
		for n := 0; n < len(values) && m.next() == t; n++ {
			k := m.step()
			v := m.rows[k].value[m.at[k]]
			sum += v - values[k]
			values[k] = v
		}
		b.add(t, f.fold.ofSum(sum, len(values)))
		if len(b.begin)%pauseEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// sumsExactly reports whether sums of the rows' values are exact in any order:
// all are integers, small enough that no sum of one per row exceeds 2^53.
func sumsExactly(rows []bursts) bool {
	limit := float64(1<<53) / float64(len(rows))
	for k := range rows {
		for _, v := range rows[k].value {
			if v != math.Trunc(v) || v > limit || v < -limit { // a NaN is unequal to itself
				return false
			}
		}
	}
	return true
}
