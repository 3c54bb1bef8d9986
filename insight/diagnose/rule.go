package diagnose

// The table of rules, and the order in which they are asked.

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"pview/insight/finding"
	"pview/insight/waits"
)

// Rule is a kind of conclusion.
type Rule struct {
	ID, Name  string
	Doc       string // the question that it answers
	Formula   string // of the severity, before the limit
	Threshold string
	Advice    string
	// Keeps is true where the repair leaves the work on its thread; else it spreads it. The limit differs: see
	// phaseView.limit.
	Keeps bool
	// Phase looks at a phase that uses its processors badly, Run at the whole run.
	Phase func(v *phaseView) []result
	Run   func(v *runView) []result
	// Needs is what a trace must have; Applies reports whether this one does. nil: every trace.
	Needs   string
	Applies func(a *analysis) bool
	// Apart findings do not count when the minor ones are told from the others.
	Apart bool
}

// result is what a rule found in one phase. Results of one rule and key are summed over a group of phases.
type result struct {
	finding.Finding
	key     string
	changes []change // at its places, if the rule were followed
	tally   tally
}

// byClass reports whether the trace has code regions.
func byClass(a *analysis) bool { return a.driven != nil || a.waits.Level != waits.ByNothing }

// hasMessages reports whether the trace has messages.
func hasMessages(a *analysis) bool { return a.waits.Messages > 0 }

const (
	needsClasses  = "code regions"
	needsMessages = "messages"
	needsDynamic  = "dynamically mapped tasks"
	needsShared   = "shared-variable events"
	needsQueues   = "queues of messages, as in message-driven programs"
)

// Rules are all rules, by number. R01 to R33 are those of the thesis and its companion document; the others come from
// the waits.
var Rules = []Rule{
	{ID: "R01", Name: "sched", Doc: "Could critical messages have been executed earlier?",
		Formula: "(t_s - t_q) - overlap", Threshold: "a critical message waited in a queue",
		Advice: "give its entry a higher priority than the others, or use a queue by priority", Keeps: true,
		Phase: scheduling, Needs: needsQueues, Applies: isDriven},
	{ID: "R02", Name: "tail", Doc: "Was an awaited message sent at the end of a long unit?",
		Formula:   "(x_c - y_s) - overlap(y_s, x_c), at most the idle time before x",
		Threshold: "sent in the last fifth of the unit",
		Advice:    "send it earlier, as soon as its data is ready", Keeps: true, Phase: tailEnd, Needs: needsMessages,
		Applies: hasMessages},
	{ID: "R03", Name: "pipe", Doc: "Would a large message be better sent in parts?",
		Formula:   "(sqrt(A) - sqrt(c))^2, A = beta s + g",
		Threshold: "beta s > alpha, idle >= beta s / 2, two parts or more",
		Advice:    "send it in parts, so that transfer and computation overlap", Keeps: true, Phase: pipelining,
		Needs: needsMessages, Applies: hasMessages},
	{ID: "R04", Name: "combine", Doc: "Are there many small messages in a row to the same thread?",
		Formula: "(k - 1)(m + alpha) per row", Threshold: "4 in a row, beta s < alpha",
		Advice: "combine them, if the receiver has other work meanwhile", Phase: combining, Needs: needsMessages,
		Applies: hasMessages},
	{ID: "R05", Name: "chain", Doc: "Do the threads execute one after the other?",
		Formula:   "(P - 1)/P of the length of the chain - overlap",
		Threshold: "each thread executes the class once, let go by the one before",
		Advice:    "distribute the work, or start it everywhere at once", Phase: sequentialChain, Needs: needsClasses,
		Applies: byClass},
	{ID: "R06", Name: "bottleneck", Doc: "Does one thread serve all others?",
		Formula:   "(N - ceil(log2 P)) (G + q), at most the mean idle time of the others",
		Threshold: "all messages go from or to one thread; undecided below 8 threads",
		Advice:    "use a tree, several masters, or larger pieces of work", Phase: bottleneck, Needs: needsMessages,
		Applies: hasMessages},
	{ID: "R07", Name: "grain", Doc: "Are pieces of work too small for the cost of their messages?",
		Formula: "c (N - T/I) / P, I = 10 c", Threshold: "G < I, and more overhead than idle time",
		Advice: "do more work per message", Phase: grain, Needs: needsClasses, Applies: byClass},
	{ID: "R08", Name: "largetask", Doc: "Do small requests wait behind long entries?",
		Formula: "sum of the delays on the last event chain", Threshold: "10 x the median",
		Advice: "split the long entry", Keeps: true, Phase: largeTasks, Needs: needsQueues, Applies: isDriven},
	{ID: "R09", Name: "init", Doc: "Does one thread work alone at the start?", Formula: "G (1 - 1/P)",
		Threshold: "1 % of the run",
		Advice:    "distribute the initialisation", Run: initialisation},
	{ID: "R10", Name: "uselessbalancer", Doc: "Does a balancer run without anything to balance?",
		Formula: "overhead / P", Threshold: "no dynamic task",
		Advice: "link without the balancer", Keeps: true, Run: uselessBalancer,
		Needs: "balancer without dynamically mapped tasks", Applies: hasBalancerOnly},
	{ID: "R11", Name: "polling", Doc: "How much time goes into tests and probes?", Formula: "their time / P",
		Threshold: "1 % of the run",
		Advice:    "wait instead of testing, or test less often", Keeps: true, Run: polling},
	{ID: "R12", Name: "count", Doc: "Do some threads execute a region more often?", Formula: "(max N - mean N) G",
		Threshold: "max/mean > 1.2",
		Advice:    "spread the executions evenly", Phase: countImbalance, Needs: needsClasses, Applies: byClass},
	{ID: "R13", Name: "grainimb", Doc: "Do executions of a region take longer on some threads?",
		Formula: "(max G - mean G) N / P; without regions max - mean of user time", Threshold: "max/mean > 1.2",
		Advice: "give the slowest thread less work", Phase: grainImbalance},
	{ID: "R14", Name: "ovhimb", Doc: "Do some threads have more overhead?", Formula: "max - mean of overhead",
		Threshold: "max/mean > 1.2",
		Advice:    "spread communication and runtime work", Phase: overheadImbalance},
	{ID: "R15", Name: "roles", Doc: "Do threads of different roles have different loads?",
		Formula: "max - mean of user time and overhead", Threshold: "max/mean > 1.2, and none of R12 to R14",
		Advice: "give the roles equal work", Phase: roles},
	{ID: "R16", Name: "memory", Doc: "Do some threads need more memory?", Formula: "none", Threshold: "max/mean > 1.5",
		Advice: "spread the data", Run: memory, Needs: "memory counters", Applies: hasMemory},
	{ID: "R17", Name: "locality", Doc: "Do threads that talk to each other sit on different nodes?",
		Formula: "time of messages that could be local / P", Threshold: "1 % of the run",
		Advice: "place these ranks on one node", Run: locality, Needs: needsMessages, Applies: hasCalls},
	{ID: "R18", Name: "ldb", Doc: "Is there work, and a free processor, but not together?",
		Formula: "integral of min(P - gamma_s, delta_d) - gamma_d, / P", Threshold: "effectiveness < 0.75",
		Advice: "use another strategy of load balancing, or let it act earlier", Phase: distribution,
		Needs: needsDynamic, Applies: hasDynamic},
	{ID: "R19", Name: "hops", Doc: "Is work moved too often?", Formula: "hops (alpha + beta s) N / P", Threshold: "1",
		Advice: "use a strategy that places tasks at once", Keeps: true, Run: hops, Needs: needsDynamic,
		Applies: hasDynamic},
	{ID: "R20", Name: "ldbcost", Doc: "Does the balancer send too many messages?", Formula: "their overhead / P",
		Threshold: "0.2 of the user messages",
		Advice:    "let the balancer act less often, or send its data with other messages", Keeps: true,
		Run: balancerMessages, Needs: needsDynamic, Applies: hasDynamic},
	{ID: "R21", Name: "prio", Doc: "Is urgent work picked late?", Formula: "none", Threshold: "mean rank > P",
		Advice: "balance priorities as well as load", Run: latePriorities, Needs: "priorities of messages",
		Applies: hasPriorities},
	{ID: "R22", Name: "parallelism", Doc: "Is there enough work at all?", Formula: "integral of max(0, P - delta), / P",
		Threshold: "delta/P < 1",
		Advice:    "make more and smaller tasks, or use fewer processors", Phase: tooFewTasks, Needs: needsDynamic,
		Applies: hasDynamic},
	{ID: "R23", Name: "rarelyread", Doc: "Is a replicated variable hardly read?", Formula: "(installation - reads) / P",
		Threshold: "reads < P",
		Advice:    "keep the variable in one place, or replicate it only where it is read", Run: rarelyRead,
		Needs: needsShared, Applies: hasShared},
	{ID: "R24", Name: "monotonic", Doc: "Is a monotonic variable implemented the dear way?",
		Formula:   "difference of messages (m + q) / P; combined on a tree 2 (P - 1) per interval, to neighbours P ceil(log2 P) / 2 per update",
		Threshold: "2 x the messages",
		Advice:    "combine its updates on a tree if they are frequent, pass each on to the neighbours if they are rare", Keeps: true, Run: dearUpdates, Needs: needsShared, Applies: hasShared},
	{ID: "R25", Name: "hotentry", Doc: "Is one entry read by all?", Formula: "(finds - P)(2 alpha + beta s) / P",
		Threshold: "P/2 readers",
		Advice:    "make it a write-once variable, with a copy on each processor", Run: hotElements, Needs: needsShared,
		Applies: hasShared},
	{ID: "R26", Name: "onceentry", Doc: "Are entries read once, from elsewhere?", Formula: "n (2 alpha + beta s) / P",
		Threshold: "half of the entries",
		Advice:    "insert it where it is read", Run: usedOnce, Needs: needsShared, Applies: hasShared},
	{ID: "R27", Name: "cache", Doc: "Are entries read again and again?", Formula: "repeats (2 alpha + beta s) / P",
		Threshold: "a quarter of the finds",
		Advice:    "keep a copy on the processor that reads it", Run: repeatedFinds, Needs: needsShared,
		Applies: hasShared},
	{ID: "R28", Name: "tableimb", Doc: "Are the owners of a table loaded unevenly?", Formula: "as R12",
		Threshold: "max/mean > 1.2",
		Advice:    "use a better hash, and spread the inserts", Run: unevenTables, Needs: needsShared,
		Applies: hasShared},
	{ID: "R29", Name: "critpath", Doc: "Which code on the critical path is worth making faster?",
		Formula:   "none; gain of a region made twice as fast: its time on the path / 2",
		Threshold: "computation is half of the path after MPI_Init",
		Advice:    "make these regions faster", Run: criticalPath},
	{ID: "R30", Name: "waste", Doc: "Is work done that turns out useless?",
		Formula: "time of useless tasks before the best solution / P", Threshold: "1 % of the run",
		Advice: "execute promising tasks first, on all processors alike, and bound the search with the best solution so far", Run: waste, Needs: "events of useful and useless tasks", Applies: hasOutcomes, Apart: true},
	{ID: "R31", Name: "contention", Doc: "Do messages on the critical path take longer than the network needs?",
		Formula: "transfer beyond alpha + beta s", Threshold: "5 % of the phase",
		Advice: "look at what else uses the network and the nodes then", Keeps: true, Phase: contention,
		Needs: needsMessages, Applies: hasCalls},
	{ID: "R32", Name: "collective", Doc: "Do collective operations take longer than they need?",
		Formula: "last exit - last entry - ceil(log2 P) alpha", Threshold: "5 % of the phase",
		Advice: "use fewer or cheaper operations, or overlap them", Keeps: true, Phase: collectiveCost},
	{ID: "R33", Name: "tachyon", Doc: "Do the clocks of the nodes agree?", Formula: "none",
		Threshold: "a message received before it was sent",
		Advice:    "synchronise the clocks when merging the trace; times between nodes cannot be trusted",
		Run:       tachyons},
	{ID: "R34", Name: "cause", Doc: "Which code makes others wait?",
		Formula: "waiting that it causes, at once and further down, / P", Threshold: "1 % of the run",
		Advice: "shorten it on the threads named, or give others something to do meanwhile", Run: rootCauses,
		Apart: true},
	{ID: "R35", Name: "order", Doc: "Are messages received in another order than they are sent?",
		Formula: "waits in the wrong order / P", Threshold: "1 % of the run",
		Advice: "receive the message that was sent first, or post both receives and wait for any", Keeps: true,
		Run: wrongOrder, Needs: needsMessages, Applies: hasMessages, Apart: true},
	{ID: "R36", Name: "receiver", Doc: "Do sends wait for their receives?", Formula: "waits for late receivers / P",
		Threshold: "1 % of the run",
		Advice:    "post receives earlier, send without blocking, or raise the eager limit", Keeps: true,
		Run: lateReceivers, Needs: needsMessages, Applies: hasMessages, Apart: true},
	{ID: "R37", Name: "serial", Doc: "How long do OpenMP threads have nothing to do between parallel regions?",
		Formula: "idle time of workers / threads", Threshold: "1 % of the run",
		Advice: "make more of the program parallel, or use fewer threads", Run: serial, Apart: true},
	{ID: "R38", Name: "cores", Doc: "Do threads share processor cores?",
		Formula: "computing time - time on a core, / P", Threshold: "1 % of the run",
		Advice: "give each thread a core of its own: fewer processes per node, or bind them", Keeps: true,
		Run: missingCores, Needs: "counter TASK-CLOCK", Applies: hasTaskClock, Apart: true},
	{ID: "R39", Name: "master",
		Doc:       "Would a master with workers do better with other workers, or tasks handed out otherwise?",
		Formula:   "gain of an iteration x iterations; none for more workers",
		Threshold: "1 % of the run, and a model that gives the measured time within 10 %",
		Advice:    "see pview frameworks", Run: masters, Needs: "master with workers", Applies: hasStructure("R39"),
		Apart: true},
	{ID: "R40", Name: "stage", Doc: "Does one stage set the pace of a pipeline?",
		Formula:   "(pace - pace with replicas) x items",
		Threshold: "1 % of the run, and a model that gives the measured time within 10 %",
		Advice:    "replicate the stage", Run: paces, Needs: "pipeline", Applies: hasStructure("R40"), Apart: true},
}

// found makes a result of a rule. Its name and advice come from the table.
func found(rule, key string, severity float64, title, formula string) result {
	return result{Finding: finding.Finding{Rule: rule, Severity: severity, Title: title, Formula: formula}, key: key}
}

// ruleByID finds a rule.
func ruleByID(id string) *Rule {
	for i := range Rules {
		if Rules[i].ID == id {
			return &Rules[i]
		}
	}
	return nil
}

// runRules asks all rules, and combines and ranks what they found.
func (a *analysis) runRules(ctx context.Context) error {
	var groups = make([][]result, a.groups+1)
	for n := range a.phases {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		v := a.viewOf(n)
		if v.total.utilisation() >= a.set.Gate {
			a.out.Gated++
			continue
		}
		v.complete()
		for i := range Rules {
			if r := &Rules[i]; r.Phase != nil && (r.Applies == nil || r.Applies(a)) {
				found := r.Phase(v)
				if ctx.Err() != nil {
					return ctx.Err()
				}
				for k := range found {
					found[k].Phases = 1
				}
				groups[v.group] = sumInto(groups[v.group], found)
			}
		}
	}
	a.out.Phases, a.out.Groups = len(a.phases), a.groups
	if a.out.Gated == len(a.phases) {
		a.out.Notes = append(a.out.Notes,
			fmt.Sprintf("utilisation is %.1f %%, above %.0f %%: good enough that phases are not analysed",
				100*a.out.Utilisation, 100*a.set.Gate))
	}
	for g := range groups {
		a.accept(groups[g], g)
	}
	whole := &runView{a}
	for i := range Rules {
		r := &Rules[i]
		switch {
		case r.Applies != nil && !r.Applies(a):
			a.out.NotApplicable = append(a.out.NotApplicable, r.ID)
		case r.Run != nil:
			list := r.Run(whole)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			a.accept(list, 0)
		}
	}
	a.out.Findings = a.combine(a.joinGroups(a.out.Findings))
	a.out.Minor = a.joinGroups(a.out.Minor)
	a.rank()
	return ctx.Err()
}

// sumInto adds the results of a phase to those of its group.
func sumInto(list, more []result) []result {
	for _, r := range more {
		i := slices.IndexFunc(list, func(x result) bool { return x.Rule == r.Rule && x.key == r.key })
		if i < 0 {
			list = append(list, r)
			continue
		}
		x := &list[i]
		if worst := max(0, x.worst()); len(r.Evidence) > 0 && r.Evidence[0].Cost > worst {
			x.Title, x.Formula, x.Threads = r.Title, r.Formula, r.Threads
		}
		x.Severity += r.Severity
		x.Phases += r.Phases
		x.changes = append(x.changes, r.changes...)
		x.tally.add(&r.tally)
		for _, e := range r.Evidence {
			x.Show(e)
		}
	}
	return list
}

// worst is the cost of the strongest evidence so far.
func (r *result) worst() (cost float64) {
	for i := range r.Evidence {
		cost = max(cost, r.Evidence[i].Cost)
	}
	return cost
}

// accept turns the results of a group of phases, or of the run, into findings, major or minor.
func (a *analysis) accept(list []result, group int) {
	sum := 0.0
	for i := range list {
		if r := ruleByID(list[i].Rule); !r.Apart {
			sum += max(0, list[i].Severity)
		}
	}
	for i := range list {
		f := list[i].Finding
		f.Key = list[i].key
		rule := ruleByID(f.Rule)
		f.Name, f.Advice, f.Phase = rule.Name, cmp.Or(f.Advice, rule.Advice), group
		f.Share = f.Severity / float64(max(1, a.out.Length))
		f.Confidence = a.confidence()
		if t := list[i].tally; t.n > 0 {
			a.tallies[tallyOf{aboutOf{f.Rule, f.Key}, group}] = t
		}
		minor := f.Severity != finding.NoSeverity &&
			(f.Severity <= 0 || f.Share < a.set.Trifle || group > 0 && sum > 0 && f.Severity/sum <= a.set.CutOff)
		if minor {
			if f.Severity > 0 {
				a.out.Minor = append(a.out.Minor, f)
			}
			continue
		}
		a.keepChanges(&list[i])
		a.out.Findings = append(a.out.Findings, f)
	}
}

// joinGroups sums what one rule found of the same in several groups of phases.
func (a *analysis) joinGroups(list []finding.Finding) (out []finding.Finding) {
	at := map[aboutOf]int{}
	parts := map[aboutOf]int{}
	tallies := map[aboutOf]*tally{}
	for _, f := range list {
		k := aboutOf{f.Rule, f.Key}
		if t, ok := a.tallies[tallyOf{k, f.Phase}]; ok {
			if tallies[k] == nil {
				tallies[k] = &tally{}
			}
			tallies[k].add(&t)
		}
		i, ok := at[k]
		parts[k]++
		if !ok || f.Severity == finding.NoSeverity {
			at[k] = len(out)
			out = append(out, f)
			continue
		}
		x := &out[i]
		if f.Severity > x.Severity/float64(parts[k]-1) {
			x.Title, x.Formula, x.Threads = f.Title, f.Formula, f.Threads
		}
		x.Severity += f.Severity
		x.Phases += f.Phases
		x.Share = x.Severity / float64(max(1, a.out.Length))
		x.Phase = 0
		for _, e := range f.Evidence {
			x.Show(e)
		}
		x.Total += f.Total - len(f.Evidence)
	}
	for i := range out {
		f := &out[i]
		if t := tallies[aboutOf{f.Rule, f.Key}]; t != nil {
			title, advice := sentences[f.Rule](a, t)
			f.Title, f.Advice = title, cmp.Or(advice, f.Advice)
		} else if f.Phases > 1 {
			f.Title += fmt.Sprintf(" (in the worst of %d phases)", f.Phases)
		}
	}
	return out
}

// confidence depends on how code is named.
func (a *analysis) confidence() finding.Confidence {
	if a.driven != nil {
		return finding.High
	}
	switch a.waits.Level {
	case waits.ByFunction, waits.ByCluster:
		return finding.High
	case waits.ByNothing:
		return finding.Low
	}
	return finding.Medium
}

// balanced are the rules whose findings take others of the same threads as children: a late message of a thread with
// too much work is late because of that.
var balanced = []string{"R40", "R12", "R13", "R06", "R15", "R14"}

// belongs reports whether a finding says more about another one, if their threads are the same.
func belongs(c, f *finding.Finding) bool {
	switch c.Rule {
	case "R12", "R13", "R15":
		return f.Rule == "R40"
	case "R02", "R03":
		return c.Phase == f.Phase
	case "R34":
		return f.Key == c.Key || f.Rule == "R06" || f.Rule == "R40" || f.Key == ""
	case "R14":
		return f.Rule == "R06"
	}
	return false
}

// ofBalancer reports whether a finding says more about tasks that the balancer does not spread: a load that differs
// because of them, or the search for work.
func (a *analysis) ofBalancer(c, f *finding.Finding) bool {
	if f.Rule != "R18" {
		return false
	}
	switch c.Rule {
	case "R11":
		return true
	case "R12", "R13":
		return c.Phase == f.Phase && a.dynamicClass(c.Key)
	case "R15":
		return c.Phase == f.Phase
	}
	return false
}

// dynamicClass reports whether the units of a class are placed by a balancer.
func (a *analysis) dynamicClass(key string) bool {
	for i := range a.units {
		if a.isDynamic(int32(i)) && fmt.Sprint(a.units[i].class) == key {
			return true
		}
	}
	return false
}

// sameGrain reports whether two findings are about the cost of the same messages, between pieces of work of two
// regions: the one that costs more leads.
func sameGrain(c, f *finding.Finding) bool {
	return c.Rule == "R07" && f.Rule == "R07" && c.Phase == f.Phase &&
		(c.Severity < f.Severity || c.Severity == f.Severity && c.Key > f.Key)
}

// combine puts findings that say the same of the same threads together.
func (a *analysis) combine(list []finding.Finding) (out []finding.Finding) {
	taken := make([]bool, len(list))
	for i := range list {
		f := &list[i]
		same := slices.Contains(balanced, f.Rule) && len(f.Threads) > 0
		for k := range list {
			c := &list[k]
			if taken[k] || k == i || taken[i] {
				continue
			}
			if a.ofBalancer(c, f) || sameGrain(c, f) || same && belongs(c, f) && len(c.Threads) > 0 &&
				c.Threads[0] == f.Threads[0] {
				f.Children = append(f.Children, *c)
				taken[k] = true
			}
		}
	}
	for i := range list {
		if !taken[i] {
			out = append(out, list[i])
		}
	}
	return out
}

// NotApplicableText groups the rules that had nothing to look at by what they need.
func (r *Result) NotApplicableText() string {
	var needs []string
	by := map[string][]string{}
	for _, id := range r.NotApplicable {
		n := ruleByID(id).Needs
		if by[n] == nil {
			needs = append(needs, n)
		}
		by[n] = append(by[n], id)
	}
	var parts []string
	for _, n := range needs {
		parts = append(parts, strings.Join(by[n], " ")+" (no "+n+")")
	}
	return strings.Join(parts, ", ")
}

// Needs is what a rule needs of a trace; empty where it fits every trace.
func Needs(rule string) string { return ruleByID(rule).Needs }
