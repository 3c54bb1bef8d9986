package diagnose

// Rules on the spread of work: R05, R07, R12 to R15.

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"

	"pview/insight/eventgraph"
	"pview/insight/remedy"
	"pview/insight/replay"
	"pview/insight/report"
	"pview/prv/extrae"
	"pview/prv/quantity"
)

const countImbalanceID = remedy.CountImbalanceID

var countImbalanceRule = Rule{
	ID:        countImbalanceID,
	Name:      "count",
	Doc:       "Do some threads execute a region more often?",
	Formula:   "(max N - mean N) G",
	Threshold: "max/mean > 1.2",
	Advice:    "spread the executions evenly",
	Brief:     Brief{"uneven counts", "on"},
	Needs:     regions,
	Phase:     countImbalance,
	Leads:     true,
	Under:     ofUnevenWork,
	Repair:    evenWork,
}

// countImbalance is R12.
func countImbalance(v *phaseView) []result {
	return v.ofUneven(func(who []int32) (list []result) {
		for _, c := range v.class {
			s, g := imbalanceOf(v, &c, who)
			if s.severity > 0 && s.severity >= g.severity {
				list = append(list, v.unbalanced(&c, who, s, countImbalanceID))
			}
		}
		return list
	})
}

const grainImbalanceID = remedy.GrainImbalanceID

var grainImbalanceRule = Rule{
	ID:        grainImbalanceID,
	Name:      "grainimb",
	Doc:       "Do executions of a region take longer on some threads?",
	Formula:   "(max G - mean G) N / P; without regions max - mean of user time",
	Threshold: "max/mean > 1.2",
	Advice:    "give the slowest thread less work",
	Brief:     Brief{"uneven work", "on"},
	Phase:     grainImbalance,
	Leads:     true,
	Under:     ofUnevenWork,
	Repair:    evenWork,
}

// grainImbalance is R13. Without regions it compares the user time of the threads.
func grainImbalance(v *phaseView) []result {
	return v.ofUneven(func(who []int32) (list []result) {
		if !byClass(v.analysis) {
			return v.userImbalance(who)
		}
		for _, c := range v.class {
			s, g := imbalanceOf(v, &c, who)
			if g.severity > s.severity {
				list = append(list, v.unbalanced(&c, who, g, grainImbalanceID))
			}
		}
		return list
	})
}

// ofUnevenWork reports whether a finding of uneven work is a detail of another one: of the slowest stage of a pipeline,
// or of tasks that a balancer does not spread.
func ofUnevenWork(a *analysis, c, f *report.Finding, same bool) bool {
	return same && f.Rule == SlowStageID || f.Rule == distributionID && c.Phase == f.Phase && a.dynamicClass(c.Key)
}

// uneven is an imbalance of a class: its cost, figure and threads.
type uneven struct {
	severity, most, mean float64
	at, low              int32
	lowest               float64
	grain                float64
	runs                 int64
}

// imbalanceOf compares a class over threads: by count and by grain.
func imbalanceOf(v *phaseView, c *eventgraph.ClassUse, who []int32) (count, grain uneven) {
	if v.Driven != nil && v.MatrixOf(v.Phase, c.Class).Form() == eventgraph.Reduction {
		return count, grain // depth and branching matter there
	}
	runs, time := c.Of(who)
	counts := valuesOf(who, c.N)
	var grains []float64
	var executing []int32
	for _, th := range who {
		if c.N[th] > 0 {
			grains = append(grains, float64(c.Time[th])/float64(c.N[th]))
			executing = append(executing, th)
		}
	}
	var at, low int
	count.most, count.mean, at, low = spread(counts)
	count.at, count.low = who[at], who[low]
	count.lowest, count.grain, count.runs = counts[low], float64(time)/float64(max(1, runs)), runs
	// What fewer than half of the threads execute is a role, and no imbalance.
	if count.most > v.set.Imbalance*count.mean && count.most > 1 && 2*len(grains) > len(who) &&
		!v.atEdges(c.Class, who, counts) {
		count.severity = v.limit((count.most-count.mean)*count.grain, false, v.even(), 0)
	}
	if len(grains) < 2 {
		return count, grain
	}
	grain.most, grain.mean, at, low = spread(grains)
	grain.at, grain.low, grain.lowest, grain.runs = executing[at], executing[low], grains[low], runs
	if grain.most > v.set.Imbalance*grain.mean {
		grain.severity = v.limit((grain.most-grain.mean)*float64(runs)/float64(len(who)), false, v.even(), 0)
	}
	return count, grain
}

// atEdges reports whether the counts of a class on some threads differ only because executions at the ends of a phase
// fall into its neighbours: over the whole run they are even.
func (a *analysis) atEdges(class int32, who []int32, counts []float64) bool {
	if len(a.Phases) < 2 || slices.Max(counts)-slices.Min(counts) > 2 {
		return false
	}
	most, mean, _, _ := spread(valuesOf(who, a.useOf(class).N))
	return most <= a.set.Imbalance*mean
}

// useOf has the units of a class that compute in the whole run; nil for none.
func (a *analysis) useOf(class int32) *eventgraph.ClassUse {
	if a.executions == nil {
		a.executions = a.Classes(a.Run())
	}
	i := slices.IndexFunc(a.executions, func(c eventgraph.ClassUse) bool { return c.Class == class })
	if i < 0 {
		return nil
	}
	return &a.executions[i]
}

// unbalanced makes a result from an imbalance between some threads.
func (v *phaseView) unbalanced(c *eventgraph.ClassUse, who []int32, s uneven, rule report.RuleID) result {
	name := v.ClassName(c.Class)
	var title, formula string
	span := "per execution of " + name + " on average"
	if slices.Max(c.N) == 1 {
		span = "for " + name
	}
	if rule == countImbalanceID {
		title = fmt.Sprintf("%s executes %s %.0f times, the mean of the threads is %.4g, %s %.0f",
			v.ThreadName(s.at), name, s.most, s.mean, v.ThreadName(s.low), s.lowest)
		formula = fmt.Sprintf("(%.0f - %.4g) x %s", s.most, s.mean, v.Span(s.grain))
	} else {
		title = fmt.Sprintf("%s takes %s %s, the mean of the threads is %s, %s takes %s",
			v.ThreadName(s.at), v.Span(s.most), span, v.Span(s.mean), v.ThreadName(s.low), v.Span(s.lowest))
		formula = fmt.Sprintf("(%s - %s) x %d / %d", v.Span(s.most), v.Span(s.mean), s.runs, len(who))
	}
	r := found(rule, fmt.Sprint(c.Class), s.severity, title, formula)
	r.Threads = []int32{s.at, s.low}
	each := make([]float64, len(c.N)) // execution
	for th, n := range c.N {
		each[th] = float64(c.Time[th]) / float64(max(n, 1))
	}
	if slow := v.slowNode(who, each); rule == grainImbalanceID && slow != nil {
		r.Title = fmt.Sprintf("the threads of node %d take %s %s, the others %s",
			slow.node+1, v.Span(slow.mean), span, v.Span(slow.others))
		r.Advice =
			"look for what slows that node down: frequency, memory, other programs; else give its threads less work"
		r.Threads = slow.threads
	}
	r.show(v.From, v.To, s.severity, "imbalance of "+name, r.Threads)
	return r
}

// slowNode is a node whose threads all take longer for a class than any other thread.
type slowNode struct {
	node         int32
	mean, others float64
	threads      []int32 // the slowest first
}

// slowNode finds the slow node by the times of threads (0: thread not included); nil: none. The gap between its threads
// and the others must exceed the spread within either: work that grows with the rank is no slow node.
func (a *analysis) slowNode(who []int32, times []float64) *slowNode {
	slowest := who[0]
	for _, th := range who {
		if times[th] > times[slowest] {
			slowest = th
		}
	}
	s := &slowNode{node: a.T.ThreadNode(slowest)}
	least, most, lowest, others := times[slowest], 0.0, times[slowest], 0
	for _, th := range who {
		switch g := times[th]; {
		case g == 0:
		case a.T.ThreadNode(th) == s.node:
			s.threads = append(s.threads, th)
			s.mean += g
			least = min(least, g)
		default:
			s.others += g
			others++
			most, lowest = max(most, g), min(lowest, g)
		}
	}
	if len(s.threads) < 2 || others < 2 {
		return nil
	}
	s.mean, s.others = s.mean/float64(len(s.threads)), s.others/float64(others)
	if least-most <= max(times[slowest]-least, most-lowest) {
		return nil
	}
	slices.SortStableFunc(s.threads, func(a, b int32) int { return cmp.Compare(times[b], times[a]) })
	return s
}

// userImbalance is R13 without regions.
func (v *phaseView) userImbalance(who []int32) []result {
	return v.unevenTimes(grainImbalanceID, "computes", nil, who, v.times((*eventgraph.Usage).User), v.even())
}

// callers returns an application's threads that make calls of a message library: the first thread of each of several
// tasks, or all of one.
func (v *phaseView) callers(who []int32) (list []int32) {
	for _, th := range who {
		if v.T.Tasks[v.T.ThreadTask[th]].FirstThread == th {
			list = append(list, th)
		}
	}
	if len(list) < 2 {
		return who
	}
	return list
}

// beside reports whether the tasks of some threads also have other threads.
func (v *phaseView) beside(who []int32) bool {
	return slices.ContainsFunc(who, func(th int32) bool {
		task := &v.T.Tasks[v.T.ThreadTask[th]]
		return task.Threads > 1 && !slices.Contains(who, task.FirstThread+1)
	})
}

// unevenTimes compares times of some threads. describe, if any, adds to the sentence about the slowest thread.
func (v *phaseView) unevenTimes(rule report.RuleID, verb string, describe func(thread int32) string, who []int32,
	of []float64, path float64) []result {
	times := valuesOf(who, of)
	most, mean, at, low := spread(times)
	if len(times) < 2 || most <= v.set.Imbalance*mean {
		return nil
	}
	s := v.limit(most-mean, false, path, 0)
	among := "threads"
	if v.beside(who) {
		among = "first threads of the tasks"
	}
	more := ""
	if describe != nil {
		more = describe(who[at])
	}
	r := found(rule, "", s, fmt.Sprintf("%s %s %s%s, the mean of the %s is %s, %s %s %s", v.ThreadName(who[at]),
		verb, v.Span(most), more, among, v.Span(mean), v.ThreadName(who[low]), verb, v.Span(times[low])),
		fmt.Sprintf("%s - %s", v.Span(most), v.Span(mean)))
	r.Threads = []int32{who[at], who[low]}
	r.show(v.From, v.To, s, "imbalance", r.Threads)
	return []result{r}
}

func (v *phaseView) busy() []float64 { return v.times((*eventgraph.Usage).Busy) }

// times are times of the threads.
func (v *phaseView) times(of func(*eventgraph.Usage) int64) []float64 {
	times := make([]float64, len(v.use))
	for i := range v.use {
		times[i] = float64(of(&v.use[i]))
	}
	return times
}

const overheadImbalanceID = remedy.OverheadImbalanceID

var overheadImbalanceRule = Rule{
	ID:        overheadImbalanceID,
	Name:      "ovhimb",
	Doc:       "Do some threads have more overhead?",
	Formula:   "max - mean of overhead",
	Threshold: "max/mean > 1.2",
	Advice:    "spread communication and runtime work",
	Brief:     Brief{"uneven overhead", "on"},
	Phase:     overheadImbalance,
	Leads:     true,
	Under: func(a *analysis, c, f *report.Finding, same bool) bool {
		return same && f.Rule == bottleneckID
	},
}

// overheadImbalance is R14.
func overheadImbalance(v *phaseView) []result {
	times := v.times((*eventgraph.Usage).Overhead)
	return v.ofUneven(func(who []int32) []result {
		callers := v.callers(who)
		files := false
		list := v.unevenTimes(overheadImbalanceID, "has overhead of", func(thread int32) (text string) {
			text, files = v.mainCall(thread)
			return text
		}, callers, times, v.even())
		for i := range list {
			if files {
				list[i].Kind = report.InputOutput
				list[i].Advice = "read and write on more threads, or beside the computation"
			}
			v.levels(&list[i], callers, times, extrae.PartOverhead, extrae.PartIO)
		}
		return list
	})
}

// mainCall says in which call a thread has most of its overhead in the phase, "" if none has more than half, and
// whether that is input or output.
func (v *phaseView) mainCall(thread int32) (text string, files bool) {
	times, inFiles := map[int32]int64{}, map[int32]int64{}
	for c := range v.Waits.CallsIn(thread, v.From, v.To) {
		use := v.UsageOf(thread, max(c.Enter, v.From), min(c.Exit, v.To))
		times[c.Region] += use.Overhead()
		inFiles[c.Region] += use[extrae.PartIO]
	}
	whole := v.use[thread].Overhead()
	for region, time := range times {
		if 2*time > whole {
			return fmt.Sprintf(", %s of it in %s", quantity.FormatPercent(float64(time)/float64(whole)),
				v.Waits.Regions[region].Name), 2*inFiles[region] > time
		}
	}
	return "", false
}

// areEven reports whether threads are busy for about the same total times: then they have different roles, and
// unevenness in one region or kind of time is made up for in another.
func (v *phaseView) areEven(busy []float64) bool {
	most, mean, _, _ := spread(busy)
	return most <= v.set.Imbalance*mean
}

const rolesID = remedy.RolesID

var rolesRule = Rule{
	ID:        rolesID,
	Name:      "roles",
	Doc:       "Do threads of different roles have different loads?",
	Formula:   "max - mean of user time and overhead",
	Threshold: "max/mean > 1.2, and none of R12 to R14",
	Advice:    "give the roles equal work",
	Brief:     Brief{"uneven roles", "on"},
	Phase:     roles,
	Leads:     true,
	Under: func(a *analysis, c, f *report.Finding, same bool) bool {
		return same && f.Rule == SlowStageID || f.Rule == distributionID && c.Phase == f.Phase
	},
}

// roles is R15: only if neither R12 to R14 nor a bottleneck explains it.
func roles(v *phaseView) []result {
	for _, rule := range []func(*phaseView) []result{countImbalance, grainImbalance, overheadImbalance} {
		if len(rule(v)) > 0 {
			return nil
		}
	}
	if hub := bottleneck(v); len(hub) > 0 && hub[0].Severity > 0 {
		return nil
	}
	busy := v.busy()
	return v.ofUneven(func(who []int32) []result {
		list := v.unevenTimes(rolesID, "is busy for", nil, who, busy, v.even())
		for i := range list {
			v.levels(&list[i], who, busy, extrae.PartUser, extrae.PartOverhead, extrae.PartIO)
		}
		return list
	})
}

const chainID = remedy.ChainID

var chainRule = Rule{
	ID:        chainID,
	Name:      "chain",
	Doc:       "Do the threads execute one after the other?",
	Formula:   "(P - 1)/P of the length of the chain - overlap",
	Threshold: "each thread executes the class once, let go by the one before",
	Advice:    "distribute the work, or start it everywhere at once",
	Brief:     Brief{"threads in turn", ""},
	Needs:     regions,
	Phase:     sequentialChain,
}

// sequentialChain is R05: each thread executes one unit of a class, released by another thread's.
func sequentialChain(v *phaseView) (list []result) {
	for _, who := range v.applications() {
		for i := range v.class {
			if r, ok := v.inTurn(&v.class[i], who); ok {
				list = append(list, r)
			}
		}
	}
	return list
}

// inTurn is R05 of a class on the threads of an application.
func (v *phaseView) inTurn(c *eventgraph.ClassUse, who []int32) (r result, ok bool) {
	units := v.onePerThread(c, who)
	if len(units) < 3 {
		return r, false
	}
	first, last := &v.Units[units[0]], &v.Units[units[len(units)-1]]
	length := float64(last.End - first.Begin)
	over := 0.0
	for _, i := range units {
		u := &v.Units[i]
		over = max(over, v.UserIn(u.Thread, first.Begin, last.End)-float64(u.User))
	}
	p := float64(len(units))
	_, time := c.Of(who)
	s := v.limit((p-1)/p*length-over, false, float64(time)/p, 0)
	if s <= 0 {
		return r, false
	}
	r = found(chainID, fmt.Sprint(c.Class), s, fmt.Sprintf("%s runs on %d threads one after the other, for %s",
		v.ClassName(c.Class), len(units), v.Span(length)),
		fmt.Sprintf("%d/%d x %s - %s", len(units)-1, len(units), v.Span(length), v.Span(over)))
	for _, i := range units {
		r.Threads = append(r.Threads, v.Units[i].Thread)
	}
	for _, i := range units[1:] {
		if m := v.Message(&v.Units[i]); m >= 0 {
			r.moves(replay.OfSend, m, first.Begin)
		}
	}
	r.show(first.Begin, last.End, s, "chain", r.Threads)
	return r, true
}

// onePerThread returns the units of a class in order of time, if each thread has one and each but the first was
// released by the previous one.
func (v *phaseView) onePerThread(c *eventgraph.ClassUse, who []int32) (units []int32) {
	for _, th := range who {
		if c.N[th] != 1 {
			return nil
		}
		for i := v.Firsts[th]; i < v.Ends[th]; i++ {
			v.Look()
			if v.Units[i].Class == c.Class && v.Units[i].User > 0 {
				units = append(units, i)
			}
		}
	}
	sort.Slice(units, func(x, y int) bool { return v.Units[units[x]].Begin < v.Units[units[y]].Begin })
	for k := 1; k < len(units); k++ {
		if v.LetGo(&v.Units[units[k]]) != v.Units[units[k-1]].Thread {
			return nil
		}
	}
	return units
}

// tooSmall returns the time of the messages saved if executions had a good length.
func tooSmall(cost, runs, time, ideal float64) float64 { return cost * max(0, runs-time/ideal) }

const grainID = remedy.GrainID

var grainRule = Rule{
	ID:        grainID,
	Name:      "grain",
	Doc:       "Are pieces of work too small for the cost of their messages?",
	Formula:   "c (N - T/I) / P, I = 10 c",
	Threshold: "G < I, and more overhead than idle time",
	Advice:    "do more work per message",
	Brief:     Brief{"work in small pieces", ""},
	Needs:     regions,
	Phase:     grain,
	Under: func(a *analysis, c, f *report.Finding, same bool) bool {
		return f.Rule == grainID && c.Phase == f.Phase &&
			(c.Severity < f.Severity || c.Severity == f.Severity && c.Key > f.Key)
	},
}

// grain is R07.
func grain(v *phaseView) []result { return v.ofApplications(v.grainIn) }

// grainIn is R07 of an application.
func (v *phaseView) grainIn(team []int32) (list []result) {
	cost, p := v.Params.Exchange(), float64(len(team))
	ideal, total := v.set.GrainRatio*cost, eventgraph.TotalOf(v.use, team)
	if total.Overhead() <= total.Idle() || cost <= 0 {
		return nil
	}
	for _, c := range v.class {
		runs, time := c.Of(team)
		g, remark := float64(time)/float64(max(1, runs)), ""
		if v.slowCalls() {
			remark = "; most of that is in the calls, as where threads have no core of their own"
		}
		if g >= ideal {
			continue
		}
		saved := min(tooSmall(cost, float64(runs), float64(time), ideal), total.Overhead())
		s := v.limit(saved/p, false, v.even()-saved/p, saved)
		if s <= 0 {
			continue
		}
		r := found(grainID, fmt.Sprint(c.Class), s,
			fmt.Sprintf("%s takes %s, a message costs %s: %.0f times as much work per message would be good%s",
				v.ClassName(c.Class), v.Span(g), v.Span(cost), math.Ceil(ideal/max(g, 1)), remark),
			fmt.Sprintf("%s x (%s - %s / %s) / %d; the thesis has %s", v.Span(cost),
				quantity.FormatCount(int64(runs)), v.Span(float64(time)), v.Span(ideal), len(team),
				v.Span((ideal*float64(runs)-float64(time))/p)))
		for _, th := range team {
			r.changes = append(r.changes, replay.Change{Kind: replay.OfOverhead, Thread: th, From: v.From, To: v.To,
				Factor: 1 - saved/total.Overhead()})
		}
		r.show(v.From, v.To, s, "many short units", nil)
		list = append(list, r)
	}
	return list
}
