package diagnose

// Rules on message-driven runs: R01, R08, R10, R16, R18 to R22.

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pview/insight/eventgraph"
	"pview/insight/remedy"
	"pview/insight/replay"
	"pview/insight/report"
	"pview/prv"
	"pview/prv/extrae/execution"
	"pview/prv/quantity"
	"pview/sim/driven"
)

// isDriven, hasDynamic and the following are needs of rules.
func isDriven(a *analysis) bool { return a.Driven != nil }

func hasDynamic(a *analysis) bool {
	return a.Driven != nil && a.HasDynamic()
}

func hasBalancerOnly(a *analysis) bool { return a.Driven != nil && !hasDynamic(a) }

func hasPriorities(a *analysis) bool {
	return a.Driven != nil && slices.ContainsFunc(a.Driven.Created,
		func(c eventgraph.Creation) bool { return c.Priority != 0 })
}

// hasCalls reports whether the trace has calls rather than message-driven entries.
func hasCalls(a *analysis) bool { return a.Driven == nil && hasMessages(a) }

// delayed is a unit of the last event chain that was queued while others ran.
type delayed struct {
	unit, last int32 // last: the last unit of the chain that it delayed
	by         []int32
}

const schedulingID report.RuleID = "R01"

var schedulingRule = Rule{
	ID:        schedulingID,
	Name:      "sched",
	Doc:       "Could critical messages have been executed earlier?",
	Formula:   "(t_s - t_q) - overlap",
	Threshold: "a critical message waited in a queue",
	Advice:    "give its entry a higher priority than the others, or use a queue by priority",
	Needs:     queues,
	Keeps:     true,
	Phase:     scheduling,
	Driven:    firstInQueue,
	Rank:      1,
}

// scheduling is R01.
func scheduling(v *phaseView) (list []result) {
	chain := v.LastChain(v.Phase)
	slices.Reverse(chain)
	critical := map[int32]bool{}
	for _, i := range chain {
		critical[i] = true
	}
	end := len(chain) - 1 // the last unit that waited
	for end >= 0 && v.Units[chain[end]].Idle == 0 {
		end--
	}
	for k, i := range chain {
		v.Look()
		if k >= end {
			break
		}
		d := delayed{unit: i, last: chain[end], by: v.ranInstead(i, critical)}
		if len(d.by) == 0 {
			continue
		}
		if r, ok := v.reorder(&d); ok {
			list = append(list, r)
		}
	}
	return sumInto(nil, list)
}

// firstInQueue returns the repair of R01: the units of one class are executed before all others.
func firstInQueue(r *replay.Driven, f *report.Finding) driven.Options {
	class, _ := strconv.Atoi(f.Key)
	for i := range r.G.Units {
		if int(r.G.Units[i].Class) != class {
			r.Program.Tasks[i].Priority += int64(len(r.Program.Tasks))
		}
		r.Program.Tasks[i].Response = true // one queue, as recorded
	}
	return driven.Options{Queue: "priority"}
}

// ranInstead returns the non-critical units that ran on a unit's thread while it was queued.
func (v *phaseView) ranInstead(i int32, critical map[int32]bool) (by []int32) {
	queued := v.Driven.Starts[i].Queued
	// a running unit is not interrupted
	for k := i - 1; k >= v.FirstUnit[v.Units[i].Thread] && v.Units[k].Begin >= queued; k-- {
		if !critical[k] {
			by = append(by, k)
		}
	}
	return by
}

// reorder estimates the gain of executing a unit before others.
func (v *phaseView) reorder(d *delayed) (result, bool) {
	t, last := &v.Units[d.unit], &v.Units[d.last]
	delay := t.Begin - v.Driven.Starts[d.unit].Queued
	from := last.End - delay
	over := v.UserIn(last.Thread, from, last.End) - v.Caused(v.Phase, d.unit, last.Thread, from, last.End)
	s := v.limit(float64(delay)-over, true, v.path, 0)
	if s <= 0 {
		return result{}, false
	}
	var others []string
	same := false
	for _, k := range d.by {
		name := v.ClassName(v.Units[k].Class)
		same = same || v.Units[k].Class == t.Class
		if !slices.Contains(others, name) {
			others = append(others, name)
		}
	}
	slices.Sort(others)
	r := found(schedulingID, fmt.Sprint(t.Class), s, "", fmt.Sprintf("%s - %s, at most %s", v.Span(float64(delay)),
		v.Span(over), v.Span(v.limit(v.length(), true, v.path, 0))))
	r.Title = fmt.Sprintf("%s waits %s in the queue of %s while %s runs, and others wait for it", v.ClassName(t.Class),
		v.Span(float64(delay)), v.ThreadName(t.Thread), strings.Join(others, ", "))
	if same {
		r.Title += "; the same entry is both critical and not: priorities by entry cannot tell them apart"
	}
	r.Threads = []int32{t.Thread}
	r.show(v.Driven.Starts[d.unit].Queued, t.End, s, "in the queue", r.Threads)
	return r, true
}

const largeTasksID = remedy.LargeTasksID

var largeTasksRule = Rule{
	ID:        largeTasksID,
	Name:      "largetask",
	Doc:       "Do small requests wait behind long entries?",
	Formula:   "sum of the delays on the last event chain",
	Threshold: "10 x the median",
	Advice:    "split the long entry",
	Needs:     queues,
	Keeps:     true,
	Phase:     largeTasks,
}

// largeTasks is R08: messages of the last event chain that wait for a unit of ten times the usual length.
func largeTasks(v *phaseView) []result {
	const factor = 10
	res := found(largeTasksID, "", 0, "", "")
	sum, n := 0.0, 0
	longest := int32(-1)
	for _, i := range v.LastChain(v.Phase) {
		u := &v.Units[i]
		queued := v.Driven.Starts[i].Queued
		usual := v.MedianUnit(u.Thread)
		for k := i - 1; k >= v.FirstUnit[u.Thread] && v.Units[k].End > queued; k-- {
			w := &v.Units[k]
			if float64(w.End-w.Begin) <= factor*usual || k == u.Creator {
				continue
			}
			delay := float64(min(w.End, u.Begin) - max(w.Begin, queued))
			sum += delay
			n++
			if longest < 0 || w.End-w.Begin > v.Units[longest].End-v.Units[longest].Begin {
				longest = k
			}
			res.show(queued, u.Begin, delay, "waits behind a long entry", []int32{u.Thread})
		}
	}
	if n == 0 {
		return nil
	}
	w := &v.Units[longest]
	res.Severity = v.limit(sum, true, v.path, 0)
	res.Threads = []int32{w.Thread}
	res.Title = fmt.Sprintf("%s behind long entries for %s, most of all %s of %s on %s",
		countOf(n, "message of the last event chain waits", "messages of the last event chain wait"), v.Span(sum),
		v.ClassName(w.Class), v.Span(float64(w.End-w.Begin)), v.ThreadName(w.Thread))
	res.Formula = fmt.Sprintf("sum of the delays behind entries of more than %d x the median of their processor",
		factor)
	return []result{res}
}

const distributionID report.RuleID = "R18"

var distributionRule = Rule{
	ID:        distributionID,
	Name:      "ldb",
	Doc:       "Is there work, and a free processor, but not together?",
	Formula:   "integral of min(P - gamma_s, delta_d) - gamma_d, / P",
	Threshold: "effectiveness < 0.75",
	Advice:    "use another strategy of load balancing, or let it act earlier",
	Needs:     dynamicTasks,
	Phase:     distribution,
	Driven:    balancedByManager,
	Rank:      1,
}

// distribution is R18.
func distribution(v *phaseView) []result {
	const good = 0.75
	stages := v.StagesIn(v.From, v.To)
	b := eventgraph.Judge(stages, len(v.use))
	if b.Effectiveness >= good {
		return nil
	}
	s := v.limit(b.Lost/v.threads(), false, v.even(), 0)
	r := found(distributionID, "", s,
		fmt.Sprintf(
			"there is work and there are free processors, but not together: effectiveness %.2f (contribution %.2f, "+
				"distribution %.2f)", b.Effectiveness, b.Contribution, b.Distribution),
		fmt.Sprintf("%s of processors that had work / %d", v.Span(b.Lost), len(v.use)))
	for _, g := range stages {
		if idle := max(0, min(len(v.use)-g.Fixed, g.Available)-g.Running); idle > 0 {
			r.show(g.From, g.To, float64(idle)*float64(g.To-g.From)/v.threads(),
				fmt.Sprintf("%s available, %d running", countOf(g.Available, "task", "tasks"), g.Running), nil)
		}
	}
	return []result{r}
}

// balancedByManager returns the repair of R18.
func balancedByManager(*replay.Driven, *report.Finding) driven.Options {
	return driven.Options{Queue: "priority", Balance: "manager", Leash: 1}
}

const tooFewTasksID report.RuleID = "R22"

var tooFewTasksRule = Rule{
	ID:        tooFewTasksID,
	Name:      "parallelism",
	Doc:       "Is there enough work at all?",
	Formula:   "integral of max(0, P - delta), / P",
	Threshold: "delta/P < 1",
	Advice:    "make more and smaller tasks, or use fewer processors",
	Needs:     dynamicTasks,
	Phase:     tooFewTasks,
}

// tooFewTasks is R22.
func tooFewTasks(v *phaseView) []result {
	stages := v.StagesIn(v.From, v.To)
	b := eventgraph.Judge(stages, len(v.use))
	if b.Parallelism >= v.threads() {
		return nil
	}
	s := v.limit(b.Missing/v.threads(), false, v.even(), 0)
	r := found(tooFewTasksID, "", s, fmt.Sprintf("%.2f tasks on average could execute, %.2f per processor",
		b.Parallelism,
		b.Parallelism/v.threads()), fmt.Sprintf("%s of processors without a task / %d", v.Span(b.Missing), len(v.use)))
	for _, g := range stages {
		if few := len(v.use) - g.All; few > 0 {
			r.show(g.From, g.To, float64(few)*float64(g.To-g.From)/v.threads(),
				quantity.CountOf(int64(g.All), "task"), nil)
		}
	}
	return []result{r}
}

// named reports whether the name of an entry contains one of some words.
func (a *analysis) named(class int32, words ...string) bool {
	name := a.ClassName(class)
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(name, w) })
}

// balancer reports whether an entry belongs to a load balancer, detector whether it detects quiescence.
func (a *analysis) balancer(class int32) bool { return a.named(class, "LB", "alance") }
func (a *analysis) detector(class int32) bool { return a.named(class, "waitqd", "uiescence") }

// ofEntries makes a rule's result from the units of some entries.
func (v *runView) ofEntries(rule report.RuleID, what string, is func(class int32) bool) []result {
	r := found(rule, "", 0, "", "")
	n, sum := 0, int64(0)
	for i := range v.Units {
		u := &v.Units[i]
		if !is(u.Class) {
			continue
		}
		n++
		use := v.UsageOf(u.Thread, u.Begin, u.End)
		sum += use.Busy()
		r.Show(report.Evidence{From: u.Begin, To: u.End, Threads: []int32{u.Thread}, Why: v.ClassName(u.Class),
			Cost: float64(u.End-u.Begin) / v.threads()})
	}
	r.Severity = v.limit(float64(sum) / v.threads())
	if !v.significant(r.Severity) {
		return nil
	}
	r.Title = countOf(n, "execution of "+what+" takes ", "executions of "+what+" take ") + v.Span(float64(sum))
	r.Formula = fmt.Sprintf("%s / %d", v.Span(float64(sum)), v.T.NumThreads())
	return []result{r}
}

const uselessBalancerID report.RuleID = "R10"

var uselessBalancerRule = Rule{
	ID:        uselessBalancerID,
	Name:      "uselessbalancer",
	Doc:       "Does a balancer run without anything to balance?",
	Formula:   "overhead / P",
	Threshold: "no dynamic task",
	Advice:    "link without the balancer",
	Needs:     need{"balancer without dynamically mapped tasks", hasBalancerOnly},
	Keeps:     true,
	Run:       uselessBalancer,
}

// uselessBalancer is R10.
func uselessBalancer(v *runView) []result {
	return v.ofEntries(uselessBalancerID, "a load balancer, though no task is mapped dynamically,", v.balancer)
}

const hopsID report.RuleID = "R19"

var hopsRule = Rule{
	ID:        hopsID,
	Name:      "hops",
	Doc:       "Is work moved too often?",
	Formula:   "hops (alpha + beta s) N / P",
	Threshold: "1",
	Advice:    "use a strategy that places tasks at once",
	Needs:     dynamicTasks,
	Keeps:     true,
	Run:       hops,
}

// hops is R19.
func hops(v *runView) []result {
	n, sum, most := 0, 0, 0
	for i := range v.Driven.Created {
		if c := &v.Driven.Created[i]; c.Dynamic() {
			n++
			sum += int(c.Hops)
			most = max(most, int(c.Hops))
		}
	}
	if n == 0 || sum <= n {
		return nil
	}
	mean := float64(sum) / float64(n)
	s := v.limit(mean * v.Params.Transfer(0) * float64(n) / v.threads())
	r := found(hopsID, "", s, fmt.Sprintf("tasks are moved %.2f times on average, %d at most, before they execute",
		mean,
		most), fmt.Sprintf("%.2f x %s x %d / %d", mean, v.Span(v.Params.Transfer(0)), n, v.T.NumThreads()))
	r.show(0, v.T.Duration, s, "tasks on their way", nil)
	return []result{r}
}

const balancerMessagesID report.RuleID = "R20"

var balancerMessagesRule = Rule{
	ID:        balancerMessagesID,
	Name:      "ldbcost",
	Doc:       "Does the balancer send too many messages?",
	Formula:   "their overhead / P",
	Threshold: "0.2 of the user messages",
	Advice:    "let the balancer act less often, or send its data with other messages",
	Needs:     dynamicTasks,
	Keeps:     true,
	Run:       balancerMessages,
}

// balancerMessages is R20.
func balancerMessages(v *runView) []result {
	const much = 0.2
	own, others := 0, 0
	for i := range v.Driven.Created {
		switch c := &v.Driven.Created[i]; {
		case v.balancer(c.Target):
			own++
		case c.Starts < 0 || !v.Driven.Starts[c.Starts].InLibrary:
			others++
		}
	}
	if float64(own) <= much*float64(others) {
		return nil
	}
	list := v.ofEntries(balancerMessagesID, "a load balancer", v.balancer)
	for i := range list {
		list[i].Title += fmt.Sprintf(": %s for %s of the program", quantity.CountOf(int64(own), "message"),
			quantity.FormatCount(int64(others)))
	}
	return list
}

const latePrioritiesID report.RuleID = "R21"

var latePrioritiesRule = Rule{
	ID:        latePrioritiesID,
	Name:      "prio",
	Doc:       "Is urgent work picked late?",
	Formula:   "none",
	Threshold: "mean rank > P",
	Advice:    "balance priorities as well as load",
	Needs:     need{"priorities of messages", hasPriorities},
	Run:       latePriorities,
}

// latePriorities is R21: the mean rank of executed messages among all that could be executed.
func latePriorities(v *runView) []result {
	type pick struct {
		time int64
		unit int32
		step uint8 // executed, then queued
	}
	var list []pick
	ranks := map[int64]int{}
	var priorities []int64
	for i := range v.Units {
		c := v.Driven.Starts[i].Creation
		if c < 0 {
			continue
		}
		p := v.Driven.Created[c].Priority
		if ranks[p] == 0 {
			ranks[p] = 1
			priorities = append(priorities, p)
		}
		list = append(list, pick{v.Driven.Starts[i].Queued, int32(i), 0}, pick{v.Units[i].Begin, int32(i), 1})
	}
	slices.Sort(priorities)
	for k, p := range priorities {
		ranks[p] = k + 1
	}
	slices.SortFunc(list, func(x, y pick) int {
		return cmp.Or(cmp.Compare(x.time, y.time), cmp.Compare(x.step, y.step), cmp.Compare(x.unit, y.unit))
	})
	tree := make([]int, len(priorities)+1) // sums of the queued messages by priority (Fenwick)
	add := func(k, by int) {
		for ; k < len(tree); k += k & -k {
			tree[k] += by
		}
	}
	before := func(k int) (n int) {
		for ; k > 0; k -= k & -k {
			n += tree[k]
		}
		return n
	}
	sum, n := 0, 0
	for _, at := range list {
		k := ranks[v.Driven.Created[v.Driven.Starts[at.unit].Creation].Priority]
		if at.step == 0 {
			add(k, 1)
			continue
		}
		sum += before(k-1) + 1
		n++
		add(k, -1)
	}
	if mean := float64(sum) / float64(max(1, n)); mean > v.threads() {
		r := found(latePrioritiesID, "", report.NoSeverity,
			fmt.Sprintf("messages that execute have rank %.1f on average among all that could, on %d processors", mean,
				v.T.NumThreads()), fmt.Sprintf("%d / %d", sum, n))
		r.show(0, v.T.Duration, 0, "less urgent messages first", nil)
		return []result{r}
	}
	return nil
}

const memoryID report.RuleID = "R16"

var memoryRule = Rule{
	ID:        memoryID,
	Name:      "memory",
	Doc:       "Do some threads need more memory?",
	Formula:   "none",
	Threshold: "max/mean > 1.5",
	Advice:    "spread the data",
	Needs:     need{"memory counters", hasMemory},
	Run:       memory,
}

// memory is R16: the most memory that each thread had in use.
func memory(v *runView) []result {
	const uneven = 1.5
	most := make([]float64, v.T.NumThreads())
	for th := range most {
		e := &v.T.Threads[th].Events
		for k, typ := range e.Type {
			if typ == execution.MemoryInUse {
				most[th] = max(most[th], float64(e.Value.At(k)))
			}
		}
	}
	top, mean, at, _ := spread(most)
	if mean == 0 || top <= uneven*mean {
		return nil
	}
	r := found(memoryID, "", report.NoSeverity,
		fmt.Sprintf(
			"%s has %.0f bytes in use, %.2f times the mean: larger problems will not fit there while %s of the "+
				"memory is not used", v.ThreadName(int32(at)), top, top/mean, quantity.FormatPercent(1-mean/top)),
		fmt.Sprintf("%.0f / %.0f", top, mean))
	r.Threads = []int32{int32(at)}
	r.show(0, v.T.Duration, 0, "memory", r.Threads)
	return []result{r}
}

// hasMemory reports whether the trace tells how much memory is in use.
func hasMemory(a *analysis) bool {
	return slices.ContainsFunc(a.T.Threads, func(th prv.Thread) bool {
		return slices.Contains(th.Events.Type, execution.MemoryInUse)
	})
}

// drivenTachyons is R33 if the clocks were repaired.
func (a *analysis) drivenTachyons() []result {
	d := &a.Driven.Repaired
	if d.Count == 0 && d.Cycles == 0 {
		return nil
	}
	r := found(tachyonsID, "", report.NoSeverity,
		fmt.Sprintf("%s executed before created; the clocks are repaired for the analysis, by up to %s",
			countOf(d.Count, "message is", "messages are"), a.Span(float64(d.Largest))), "")
	r.Warning = true
	if d.Cycles > 0 {
		r.Title += "; left out, against the order of their processors: " + countOf(d.Cycles, "message", "messages")
	}
	var per []string
	for th, l := range d.Shifts {
		if len(l) > 0 {
			per = append(per, fmt.Sprintf("%s %s", a.ThreadName(int32(th)), a.Span(float64(l[len(l)-1].By))))
			r.Threads = append(r.Threads, int32(th))
			r.show(l[0].From, l[0].From+1, float64(l[len(l)-1].By), "moved", []int32{int32(th)})
		}
	}
	r.Formula = "moved: " + strings.Join(per, ", ")
	r.Total = d.Count
	return []result{r}
}

// pathOfEntries is R29 of a message-driven run.
func (v *runView) pathOfEntries() []result {
	length, last := v.Longest(-1, false)
	if last < 0 || 2*length < v.T.Duration {
		return nil
	}
	on := map[int32]int64{}
	r := found(criticalPathID, "", report.NoSeverity, "",
		fmt.Sprintf("%s of %s: with infinitely many processors the run could not be %.2f times as fast",
			v.Span(float64(length)), v.Span(v.length()), v.length()/float64(length)))
	v.Along(last, func(i int32, takes int64) {
		u := &v.Units[i]
		on[u.Class] += takes
		r.Show(report.Evidence{From: u.Begin, To: u.End, Threads: []int32{u.Thread}, Why: "on the critical path",
			Cost: float64(takes)})
	})
	var classes []int32
	for c := range on {
		classes = append(classes, c)
	}
	slices.SortFunc(classes, func(x, y int32) int { return cmp.Or(cmp.Compare(on[y], on[x]), cmp.Compare(x, y)) })
	var names []string
	for _, c := range classes[:min(3, len(classes))] {
		zeroed, _ := v.Longest(c, false)
		names = append(names, fmt.Sprintf("%s %s (the path is %s shorter without its time)", v.ClassName(c),
			quantity.FormatPercent(float64(on[c])/float64(length)), v.Span(float64(length-zeroed))))
	}
	r.Title = fmt.Sprintf("the critical path of computation is %s of the run: %s",
		quantity.FormatPercent(float64(length)/v.length()), strings.Join(names, ", "))
	return []result{r}
}
