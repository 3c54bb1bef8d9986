package diagnose

// The table of rules, and the order in which they are asked.

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"pview/insight/remedy"
	"pview/insight/replay"
	"pview/insight/report"
	"pview/insight/waits"
	"pview/prv/quantity"
	"pview/sim/driven"
)

// Rule is a kind of conclusion: its entry has everything about it.
type Rule struct {
	ID        report.RuleID
	Name      string
	Doc       string // the question that it answers
	Formula   string // of the severity, before the limit
	Threshold string
	Advice    string
	Brief     Brief // for the headline; zero: the name
	Needs     need  // zero: any trace
	// Keeps: the repair leaves the work on its thread, else it spreads it; see phaseView.limit.
	Keeps bool
	// Apart findings do not count in the total that decides which are minor.
	Apart bool
	// Phase looks at a phase that uses its processors badly, Run at the whole run.
	Phase func(v *phaseView) []result
	Run   func(v *runView) []result
	// Sentence writes the title and the advice of a finding from its tally; advice "": that of the rule.
	Sentence func(a *analysis, t *tally) (title, advice string)

	// Leads: findings of other rules on the same threads may become details of this rule's. For example, a thread's
	// message is late because of its excess work.
	Leads bool
	// Under reports whether a finding c of this rule is a detail of f; same: f leads, and is on the same threads.
	Under func(a *analysis, c, f *report.Finding, same bool) bool

	// Repair returns the changes that are simulated; nil: those at the places of the finding.
	Repair func(a *analysis, f *report.Finding) []replay.Change
	// Tried: in a run of calls, package remedy tries this repair better than the places of the finding would.
	Tried bool
	// Rank orders its candidates among package remedy's for the same loss; 0: after all others.
	Rank int
	// Driven changes how a message-driven run is replayed, in place of Repair.
	Driven func(r *replay.Driven, f *report.Finding) driven.Options
	// Simulate verifies a finding in a simulation of its own, in place of Repair.
	Simulate func(a *analysis, ctx context.Context, f *report.Finding) error
}

// Brief is a finding in a few words, and the word before the thread to blame, "" if none: "uneven work", "on".
type Brief struct{ What, Before string }

// need is a property that a rule needs in a trace.
type need struct {
	what string
	met  func(a *analysis) bool
}

func (n *need) String() string { return n.what }

// isMet reports whether a trace has it.
func (n *need) isMet(a *analysis) bool { return n.met == nil || n.met(a) }

// The needs of several rules.
var (
	regions         = need{"code regions", byClass}
	messages        = need{"messages between threads", hasMessages}
	calls           = need{"messages in calls", hasCalls}
	dynamicTasks    = need{"dynamically mapped tasks", hasDynamic}
	sharedVariables = need{"shared-variable events", hasShared}
	queues          = need{"queues of messages, as in message-driven programs", isDriven}
)

// result is a result of a rule in one phase. Results of one rule and key are summed over a group of phases.
type result struct {
	report.Finding
	key     string
	changes []replay.Change // at its places if the rule were followed
	tally   tally
}

// byClass reports whether the trace has code regions.
func byClass(a *analysis) bool { return a.Driven != nil || a.Waits.Level != waits.ByNothing }

// hasMessages reports whether threads send each other messages; messages to oneself do not count.
func hasMessages(a *analysis) bool { return a.Waits.Messages > 0 }

// Rules are all rules, by number. R01 to R33 are those of the thesis and its companion document; the others come from
// the waits.
var Rules = []*Rule{
	&schedulingRule, &tailEndRule, &pipeliningRule, &combiningRule, &chainRule, &bottleneckRule, &grainRule,
	&largeTasksRule, &initialisationRule, &uselessBalancerRule, &pollingRule, &countImbalanceRule,
	&grainImbalanceRule, &overheadImbalanceRule, &rolesRule, &memoryRule, &localityRule, &distributionRule,
	&hopsRule, &balancerMessagesRule, &latePrioritiesRule, &tooFewTasksRule, &rarelyReadRule, &costlyUpdatesRule,
	&hotElementsRule, &usedOnceRule, &repeatedFindsRule, &unevenTablesRule, &criticalPathRule, &wasteRule,
	&slowMessagesRule, &slowCollectivesRule, &tachyonsRule, &rootCausesRule, &wrongOrderRule, &lateReceiversRule,
	&serialRule, &missingCoresRule, &mastersRule, &slowStageRule, &noiseRule, &clockRule, &serialCodeRule,
	&replicatedRule, &lateSendersRule, &barriersRule, &overlapRule, &startUpRule,
	&lateRankRule, &lateLaunchRule, &exposedRule, &copiesRule, &unevenWorkRule,
}

// found makes a rule's result, with name and advice from the table.
func found(rule report.RuleID, key string, severity float64, title, formula string) result {
	return result{Finding: report.Finding{Rule: rule, Severity: severity, Title: title, Formula: formula}, key: key}
}

// RuleByID returns a rule, nil if there is none with that ID.
func RuleByID(id report.RuleID) *Rule {
	if i := slices.IndexFunc(Rules, func(r *Rule) bool { return r.ID == id }); i >= 0 {
		return Rules[i]
	}
	return nil
}

// runRules asks all rules, and combines and ranks what they found.
func (a *analysis) runRules(ctx context.Context) error {
	var groups = make([][]result, a.Groups+1)
	for n := range a.Phases {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		v := a.viewOf(n)
		if v.utilisation() >= a.set.Gate {
			a.out.Gated++
			continue
		}
		v.complete()
		for _, r := range Rules {
			if r.Phase != nil && r.Needs.isMet(a) {
				found := r.Phase(v)
				if ctx.Err() != nil {
					return ctx.Err()
				}
				for k := range found {
					found[k].Phases = 1
				}
				groups[v.Group] = sumInto(groups[v.Group], found)
			}
		}
	}
	a.out.Phases, a.out.Groups = len(a.Phases), a.Groups
	if a.out.Gated == len(a.Phases) {
		a.out.Notes = append(a.out.Notes,
			fmt.Sprintf("utilisation is %s while threads are traced, above %s: good enough that phases are not "+
				"analysed", quantity.FormatPercent(a.out.Utilisation), quantity.FormatValue(100*a.set.Gate, "%")))
	}
	for g := range groups {
		a.accept(groups[g], g)
	}
	whole := &runView{a}
	for _, r := range Rules {
		switch {
		case r.Needs.what == workOfDevices.what: // only these rules apply to such runs
		case !r.Needs.isMet(a):
			a.out.NotApplicable = append(a.out.NotApplicable, r.ID)
		case r.Run != nil:
			list := r.Run(whole)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			a.accept(list, 0)
		}
	}
	a.divide(false)
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
		addTo(&x.Finding, &r.Finding)
		x.changes = append(x.changes, r.changes...)
		x.tally.add(&r.tally)
	}
	return list
}

// addTo adds a rule's finding on the same subject elsewhere. The worse one's sentence stays.
func addTo(x, f *report.Finding) {
	if worst(f.Evidence) > worst(x.Evidence) {
		x.Title, x.Formula, x.Threads = f.Title, f.Formula, f.Threads
	}
	x.Severity += f.Severity
	x.Phases += f.Phases
	for _, e := range f.Evidence {
		x.Show(e)
	}
	x.Total += f.Total - len(f.Evidence)
}

// worst returns the cost of the strongest evidence.
func worst(list []report.Evidence) (cost float64) {
	for i := range list {
		cost = max(cost, list[i].Cost)
	}
	return cost
}

// accept turns the results of a group of phases, or of the run, into findings, major or minor.
func (a *analysis) accept(list []result, group int) {
	sum := 0.0
	for i := range list {
		if r := RuleByID(list[i].Rule); !r.Apart {
			sum += max(0, list[i].Severity)
		}
	}
	for i := range list {
		f := list[i].Finding
		f.Key = list[i].key
		rule := RuleByID(f.Rule)
		f.Name, f.Advice, f.Phase = rule.Name, cmp.Or(f.Advice, rule.Advice), group
		f.Share = f.Severity / float64(max(1, a.out.Length))
		f.Confidence = a.confidence()
		if t := list[i].tally; t.n > 0 {
			a.tallies[tallyOf{aboutOf{f.Rule, f.Key}, group}] = t
		}
		costs := f.Severity != report.NoSeverity
		if costs && f.Severity <= 0 {
			continue
		}
		x := accepted{Finding: f, trifle: costs && f.Share < a.set.Trifle,
			minor: costs && group > 0 && sum > 0 && f.Severity/sum <= a.set.CutOff}
		if !x.trifle {
			a.keepChanges(&list[i])
		}
		a.accepted = append(a.accepted, x)
	}
}

// accepted is a rule's finding in a group of phases or in the run.
type accepted struct {
	report.Finding
	trifle bool
	minor  bool // the estimate is below the cut-off
}

// divide sorts what was accepted into findings and minor ones. If repairs will be simulated, the cut-off, which
// compares estimates, spares those that may gain enough; it returns these.
func (a *analysis) divide(checked bool) (doubtful map[aboutOf]bool) {
	share, major := map[aboutOf]float64{}, map[aboutOf]bool{}
	for i := range a.accepted {
		f := &a.accepted[i]
		if k := (aboutOf{f.Rule, f.Key}); !f.trifle {
			share[k] += f.Share
			major[k] = major[k] || !f.minor
		}
	}
	doubtful = map[aboutOf]bool{}
	var findings, unsure, minor []report.Finding
	for i := range a.accepted {
		f := &a.accepted[i]
		switch k := (aboutOf{f.Rule, f.Key}); {
		case f.trifle || f.minor && !(checked && share[k] >= remedy.Smallest):
			minor = append(minor, f.Finding)
		case major[k]:
			findings = append(findings, f.Finding)
		default:
			unsure = append(unsure, f.Finding)
			doubtful[k] = true
		}
	}
	a.out.Findings = append(a.combine(a.joinGroups(report.CloneAll(findings))),
		a.joinGroups(report.CloneAll(unsure))...)
	a.out.Minor = a.joinGroups(report.CloneAll(minor))
	a.rank()
	return doubtful
}

// joinGroups sums a rule's findings on the same subject in several groups of phases.
func (a *analysis) joinGroups(list []report.Finding) (out []report.Finding) {
	at := map[aboutOf]int{}
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
		if !ok || f.Severity == report.NoSeverity {
			at[k] = len(out)
			out = append(out, f)
			continue
		}
		x := &out[i]
		addTo(x, &f)
		x.Share, x.Phase = x.Severity/float64(max(1, a.out.Length)), 0
	}
	for i := range out {
		f := &out[i]
		if t := tallies[aboutOf{f.Rule, f.Key}]; t != nil {
			title, advice := RuleByID(f.Rule).Sentence(a, t)
			f.Title, f.Advice = title, cmp.Or(advice, f.Advice)
		} else if f.Phases > 1 {
			f.Title += fmt.Sprintf(" (in the worst of %d phases)", f.Phases)
		}
	}
	return out
}

// confidence depends on how code is named.
func (a *analysis) confidence() report.Confidence {
	if a.Driven != nil {
		return report.High
	}
	switch a.Waits.Level {
	case waits.ByFunction, waits.ByCluster:
		return report.High
	case waits.ByNothing:
		return report.Low
	}
	return report.Medium
}

// dynamicClass reports whether the units of a class are placed by a balancer.
func (a *analysis) dynamicClass(key string) bool {
	for i := range a.Units {
		if a.IsDynamic(int32(i)) && fmt.Sprint(a.Units[i].Class) == key {
			return true
		}
	}
	return false
}

// combine joins findings that say the same about the same threads.
func (a *analysis) combine(list []report.Finding) (out []report.Finding) {
	taken := make([]bool, len(list))
	for i := range list {
		f := &list[i]
		leads := RuleByID(f.Rule).Leads && len(f.Threads) > 0
		for k := range list {
			c := &list[k]
			if taken[k] || k == i || taken[i] {
				continue
			}
			same := leads && len(c.Threads) > 0 && c.Threads[0] == f.Threads[0]
			if under := RuleByID(c.Rule).Under; under != nil && under(a, c, f, same) {
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

// Needs returns the requirements of a rule on a trace; empty if any will do.
func Needs(rule report.RuleID) string { return RuleByID(rule).Needs.what }
