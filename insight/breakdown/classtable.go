// Package breakdown divides a run by class of code and by stages of one length: as tables, and as attributes by thread
// and stage.
package breakdown

// The class table: what each region of code contributes to a run (Sinha's thesis, 6.7). The classes are those of the
// rules: entries of message-driven programs, user functions, computation between two calls.

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
	"strings"

	"pview/insight/eventgraph"
	"pview/insight/report"
	"pview/prv/parallel"
)

// Class is a region of code. Its executions are the region's units of work, which are stretches without idle time, or
// the executions of an entry method. Times are in the trace's unit.
type Class struct {
	Name     string
	Runs     int64
	Time     int64 // user time, of all threads
	Min, Max int64 // of one execution
	Threads  int   // executing it
	// Share of the user time of all classes, and of the longest chain of computation; the latter's time as well.
	Share, PathShare float64
	OnPath           int64
	// CountImbalance and GrainImbalance are those of rules R12 and R13: the largest number of executions of a thread,
	// and their largest mean length on a thread, divided by the mean over the threads. 0 if fewer than two threads
	// execute the class.
	CountImbalance, GrainImbalance float64
	// Pattern tells how executions follow from one another in the phase with most of them (rules R05 and R06); "" if
	// none, or if there are too many executions.
	Pattern string
	// Grain is the mean length of an execution divided by the length at which messages would not matter (rule R07).
	Grain float64
	// Zeroing is how much shorter the longest chain of computation gets if the class takes no time, and Slack how much
	// shorter the longest chain without the class is. -1 for classes beyond the largest ones.
	Zeroing, Slack int64
	// Normalised is the user time, divided at each moment by the number of threads that compute then. It sums to the
	// time in which any thread computes.
	Normalised float64
	// Longest are the longest executions.
	Longest []report.Evidence

	class int32
}

// Mean returns the mean length of an execution.
func (c *Class) Mean() float64 { return float64(c.Time) / float64(max(1, c.Runs)) }

// ColumnKind is the unit of a column of the class table.
type ColumnKind uint8

// The kinds of columns.
const (
	Amounts ColumnKind = iota
	Times              // in the trace's unit
	Shares             // of 1
	Ratios
)

// ClassColumns are the columns of the class table after the name. NaN: no value.
var ClassColumns = []struct {
	Key, Title, Doc string
	Kind            ColumnKind
	Of              func(c *Class) float64
}{
	{"runs", "N", "executions", Amounts, func(c *Class) float64 { return float64(c.Runs) }},
	{"time", "time", "user time, of all threads", Times, func(c *Class) float64 { return float64(c.Time) }},
	{"share", "share", "part of all user time", Shares, func(c *Class) float64 { return c.Share }},
	{"mean", "mean", "length of an execution", Times, func(c *Class) float64 { return c.Mean() }},
	{"min", "min", "shortest execution", Times, func(c *Class) float64 { return float64(c.Min) }},
	{"max", "max", "longest execution", Times, func(c *Class) float64 { return float64(c.Max) }},
	{"threads", "threads", "threads that execute it", Amounts, func(c *Class) float64 { return float64(c.Threads) }},
	{"count_imbalance", "N max/mean", "most executions of a thread, by the mean of the threads", Ratios,
		func(c *Class) float64 { return positive(c.CountImbalance) }},
	{"grain_imbalance", "mean max/mean", "longest mean execution of a thread, by the mean of the threads", Ratios,
		func(c *Class) float64 { return positive(c.GrainImbalance) }},
	{"grain", "grain", "mean length, by that with which messages do not matter", Ratios, func(c *Class) float64 {
		return positive(c.Grain)
	}},
	{"path_share", "of chain", "part of the longest chain of computation", Shares, func(c *Class) float64 {
		return c.PathShare
	}},
	{"zeroing", "zeroing", "by how much the chain is shorter if the class takes no time", Times,
		func(c *Class) float64 { return known(c.Zeroing) }},
	{"slack", "slack",
		"by how much the longest chain without the class is shorter: if small, the class matters little",
		Times, func(c *Class) float64 { return known(c.Slack) }},
	{"normalised", "normalised", "user time, divided at each moment by the number of threads that compute", Times,
		func(c *Class) float64 { return c.Normalised }},
}

// FormatRatio writes a ratio with three digits, without an exponent.
func FormatRatio(v float64) string {
	if v >= 1000 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}

func positive(v float64) float64 {
	if v <= 0 {
		return math.NaN()
	}
	return v
}

func known(v int64) float64 {
	if v < 0 {
		return math.NaN()
	}
	return float64(v)
}

// Limits of the analysis of classes.
const (
	mostChained  = 30      // classes whose part in the longest chain is found
	mostPatterns = 200_000 // units of a phase in which patterns are looked for
	mostLongest  = 100     // executions of a class kept
)

// Classes returns the class table of a run, the classes with most time first. good is the ratio of an execution's
// length to the cost of a message at which messages do not matter. The only error is ctx's.
func Classes(ctx context.Context, g *eventgraph.Graph, good float64) (list []Class, err error) {
	t := &classTable{Graph: g.With(ctx), good: good, row: map[int32]int{}}
	defer parallel.OnEnd(ctx, &err)
	t.count()
	t.sort()
	t.chain()
	t.patterns()
	return t.list, ctx.Err()
}

// classTable builds a class table.
type classTable struct {
	*eventgraph.Graph
	good float64
	list []Class
	row  map[int32]int           // of list, by class
	use  []map[int32]classThread // by row and thread
}

// classThread is the part of a thread in a class.
type classThread struct{ runs, time int64 }

// count sums the units.
func (t *classTable) count() {
	for i, length := range t.Executions() {
		t.Look()
		u := &t.Units[i]
		if length < 0 || length == 0 && t.Driven == nil {
			continue
		}
		k, ok := t.row[u.Class]
		if !ok {
			k = len(t.list)
			t.row[u.Class] = k
			t.list = append(t.list, Class{Name: shortName(t.ClassName(u.Class)), class: u.Class, Min: length,
				Zeroing: -1, Slack: -1})
			t.use = append(t.use, map[int32]classThread{})
		}
		c := &t.list[k]
		c.Runs, c.Time, c.Min, c.Max = c.Runs+1, c.Time+length, min(c.Min, length), max(c.Max, length)
		own := t.use[k][u.Thread]
		t.use[k][u.Thread] = classThread{own.runs + 1, own.time + length}
		c.keep(u)
	}
	all := int64(0)
	for i := range t.list {
		all += t.list[i].Time
	}
	cost := t.Params.Exchange()
	for i := range t.list {
		c := &t.list[i]
		c.Share = float64(c.Time) / float64(max(1, all))
		if cost > 0 {
			c.Grain = c.Mean() / (t.good * cost)
		}
		c.balance(t.use[i], t.T.NumThreads())
	}
}

// shortName removes the mangled name in brackets from a name, but keeps the number of an outlined part.
func shortName(name string) string {
	short, rest, _ := strings.Cut(name, " [")
	if _, clone, ok := strings.Cut(rest, "[clone "); ok {
		short += " " + strings.TrimRight(clone, "]")
	}
	return short
}

// keep keeps the longest executions, ordered.
func (c *Class) keep(u *eventgraph.Unit) {
	cost := float64(u.User)
	at := sort.Search(len(c.Longest), func(i int) bool { return c.Longest[i].Cost < cost }) // the earlier one first
	if at == mostLongest {
		return
	}
	e := report.Evidence{From: u.Begin, To: u.End, Threads: []int32{u.Thread}, Why: c.Name, Cost: cost}
	c.Longest = slices.Insert(c.Longest[:min(len(c.Longest), mostLongest-1)], at, e)
}

// balance compares the threads. The counts of threads that do not execute the class count as 0, unless the class is the
// role of fewer than half of them.
func (c *Class) balance(use map[int32]classThread, threads int) {
	if c.Threads = len(use); c.Threads < 2 {
		return
	}
	most, longest, sum := int64(0), 0.0, 0.0
	for _, th := range slices.Sorted(maps.Keys(use)) { // sums of floats depend on the order
		u := use[th]
		grain := float64(u.time) / float64(u.runs)
		most, longest, sum = max(most, u.runs), max(longest, grain), sum+grain
	}
	if 2*c.Threads > threads {
		c.CountImbalance = float64(most) * float64(threads) / float64(c.Runs)
	}
	c.GrainImbalance = longest * float64(c.Threads) / sum
}

// sort puts the classes with most time first.
func (t *classTable) sort() {
	slices.SortStableFunc(t.list, func(a, b Class) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Name, b.Name))
	})
	for i := range t.list {
		t.row[t.list[i].class] = i
	}
	t.use = nil
}

// chain finds the part of the classes in the longest chain of computation.
func (t *classTable) chain() {
	order := slices.Collect(t.InOrder(t.Run()))
	length, last := t.LongestIn(slices.Values(order), -2, false)
	t.Along(last, func(i int32, takes int64) {
		if k, ok := t.row[t.Units[i].Class]; ok {
			t.list[k].OnPath += takes
		}
	})
	normalised := t.Normalised()
	for i := range t.list {
		c := &t.list[i]
		c.PathShare, c.Normalised = float64(c.OnPath)/float64(max(1, length)), normalised[c.class]
		if i < mostChained {
			zeroed, _ := t.LongestIn(slices.Values(order), c.class, false)
			without, _ := t.LongestIn(slices.Values(order), c.class, true)
			c.Zeroing, c.Slack = length-zeroed, length-without
		}
	}
}

// patternNames are the patterns in words.
var patternNames = [...]string{
	eventgraph.NoPattern:       "",
	eventgraph.Reduction:       "reduction",
	eventgraph.RingOfAll:       "ring",
	eventgraph.ChainOfAll:      "chain",
	eventgraph.BottleneckOfAll: "bottleneck",
	eventgraph.BroadcastToAll:  "broadcast",
}

// patterns finds the patterns of the classes, each in the phase that has most of its time.
func (t *classTable) patterns() {
	most := make([]int64, len(t.list))
	in := make([]int, len(t.list))
	for n := range t.Phases {
		sums := map[int32]int64{}
		t.Phases[n].Each(t.Graph, func(u *eventgraph.Unit) { sums[u.Class] += u.User })
		for class, time := range sums {
			if k, ok := t.row[class]; ok && time > most[k] {
				most[k], in[k] = time, n
			}
		}
	}
	for k := range t.list[:min(len(t.list), mostChained)] {
		ph, units := &t.Phases[in[k]], 0
		ph.Each(t.Graph, func(*eventgraph.Unit) { units++ })
		if units > mostPatterns || t.T.NumThreads() < 2 {
			continue
		}
		t.list[k].Pattern = patternNames[t.MatrixOf(ph, t.list[k].class).Form()]
	}
}
