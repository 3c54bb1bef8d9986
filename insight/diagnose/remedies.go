package diagnose

// Findings by enumeration: every change that the account of the run suggests is simulated (package remedy), and its
// gain decides. Rules that estimate the same losses without a simulation yield to it.

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"pview/insight/cause"
	"pview/insight/remedy"
	"pview/insight/replay"
	"pview/insight/report"
)

// The rules that only the enumeration finds.
var (
	localityRule = Rule{ID: remedy.LocalityID, Name: "locality",
		Doc:     "Do threads that talk to each other sit on different nodes?",
		Formula: "time of messages that could be local", Threshold: "0.5 % of the run",
		Advice: "place these ranks on one node", Brief: Brief{"neighbours on distant nodes", ""}, Needs: calls}
	noiseRule = Rule{ID: remedy.NoiseID, Name: "noise", Doc: "Is the core of a thread taken away?",
		Formula:   "time without cycles; without counters, beyond the usual time of the code",
		Threshold: "0.5 % of the run", Advice: "bind threads to cores of their own, look for what else runs there",
		Brief: Brief{"noise", "on"}}
	clockRule = Rule{ID: remedy.ClockID, Name: "clock", Doc: "Do some threads have a lower clock?",
		Formula: "time x (1 - clock / usual clock)", Threshold: "0.5 % of the run, 3 % of the clock",
		Advice: "look at the node: power limits, temperature, governor, neighbours", Brief: Brief{"lower clock", "on"}}
	serialCodeRule = Rule{ID: remedy.SerialID, Name: "serial", Doc: "Do few threads work while the others wait?",
		Formula: "time x (1 - threads that execute it / P)", Threshold: "0.5 % of the run",
		Advice: "spread it over all threads, or do it while the others compute", Brief: Brief{"serial work", "on"}}
	replicatedRule = Rule{ID: remedy.ReplicatedID, Name: "replicated", Doc: "Do all threads do the same work?",
		Formula:   "time x (1 - 1/P), where all executions have the same instructions on all threads",
		Threshold: "0.5 % of the run", Advice: "divide the work, exchange the results", Brief: Brief{"replicated work",
			""}}
	lateSendersRule = Rule{ID: remedy.LateSendersID, Name: "late sender",
		Doc:       "Does a thread work before it sends on what the others do afterwards?",
		Formula:   "time before the exchange, beyond the median of the threads",
		Threshold: "0.5 % of the run", Advice: "send before that work", Brief: Brief{"late sends", "of"}}
	barriersRule = Rule{ID: remedy.BarriersID, Name: "barrier", Doc: "Would the run be faster without its barriers?",
		Formula: "mean time in them", Threshold: "0.5 % of the run",
		Advice: "remove the barrier if nothing needs its order",
		Brief:  Brief{"barriers", ""}}
	startUpRule = Rule{ID: remedy.StartUpID, Name: "startup",
		Doc:       "Does the runtime system take long before anything executes?",
		Formula:   "least time of the runtime system on a processor before its first execution",
		Threshold: "0.5 % of the run", Advice: "trace from after the start on, or look for what it does there",
		Brief: Brief{"start-up", ""}}
	overlapRule = Rule{ID: remedy.OverlapID, Name: "overlap",
		Doc: "Could exchanges be hidden behind the computation that follows?", Formula: "time in Wait and Waitall",
		Threshold: "0.5 % of the run", Advice: "compute what is independent of the exchange first",
		Brief: Brief{"no overlap", ""}}
)

// useless is the deviation from which the gains of a replay mean nothing.
const useless = 0.2

// lastRank is the rank of rules that say less about a loss than package remedy does.
const lastRank = 8

// enumerate adds the candidates of a run that gain something. change adds a finding's changes to its candidate and says
// whether it is one: candidates that gain nothing become minor, other findings stay.
func (a *analysis) enumerate(run remedy.Replayed, change func(f *report.Finding, c *remedy.Candidate) bool) error {
	kept, proposed := a.proposals(change)
	list, err := run.Find(proposed)
	if err != nil {
		return err
	}
	a.tell(kept, proposed, list)
	return nil
}

// together simulates the repairs of the findings as one change: in the order shown, without those below another
// finding.
func (a *analysis) together(run remedy.Replayed) {
	var list []*remedy.Candidate
	for i := range a.out.Findings {
		if n := a.out.Findings[i].Candidate; n > 0 {
			list = append(list, a.repairs[n-1])
		}
	}
	a.repairs = nil
	two, all := run.Together(list)
	a.out.Together.Two, a.out.Together.All = float64(two), float64(all)
	for _, c := range list {
		if c.Edit != nil || c.Driven != nil {
			a.out.Together.Repairs++
		}
	}
}

// proposals turns findings with a cost into candidates with their changes, if change says that they are candidates, and
// keeps the others.
func (a *analysis) proposals(change func(f *report.Finding, c *remedy.Candidate) bool) (kept []report.Finding,
	proposed []*remedy.Candidate) {
	for i := range a.out.Findings {
		f := &a.out.Findings[i]
		c := &remedy.Candidate{Rule: f.Rule, Region: -1, Rank: cmp.Or(RuleByID(f.Rule).Rank, lastRank),
			Gain: int64(f.Verified), Of: f, Vague: f.Rule == rootCausesID}
		if f.Warning || f.Weight() == report.NoSeverity || f.Rule == SlowStageID || !change(f, c) {
			kept = append(kept, *f)
		} else {
			proposed = append(proposed, c)
		}
	}
	return kept, proposed
}

// tell turns candidates into findings; proposed ones that are not among them become minor.
func (a *analysis) tell(kept []report.Finding, proposed, list []*remedy.Candidate) {
	told := map[*report.Finding]bool{}
	for _, c := range list {
		told[c.Of] = true
		for _, x := range c.Same {
			told[x.Of] = true
		}
	}
	for _, c := range proposed {
		if !told[c.Of] {
			a.out.Minor = append(a.out.Minor, *c.Of)
		}
	}
	a.repairs = list
	for i, c := range list {
		f := a.findingOf(c)
		f.Candidate = i + 1
		kept = append(kept, f)
	}
	a.out.Findings = kept
}

// computation reads the computation of the run, for trying changes until ctx ends.
func (a *analysis) computation(ctx context.Context) (*remedy.Run, error) {
	model, err := replay.NewModel(ctx, a.Graph)
	if err != nil {
		return nil, err
	}
	run, err := cause.NewRun(ctx, model)
	if err != nil {
		return nil, err
	}
	return remedy.NewRun(ctx, run), nil
}

// Replayed returns the run for trying changes until ctx ends. The error is ctx's, or says that it cannot be replayed.
func (r *Result) Replayed(ctx context.Context) (remedy.Replayed, error) {
	if err := r.silent(); err != nil {
		return nil, err
	}
	if r.analysis.Driven != nil {
		return remedy.NewDrivenRun(ctx, r.analysis.Graph, r.Length)
	}
	return r.analysis.computation(ctx)
}

// adviseByProfile makes the finding on the critical path say what faster code would really gain.
func (a *analysis) adviseByProfile(run *remedy.Run) error {
	k := slices.IndexFunc(a.out.Findings, func(f report.Finding) bool { return f.Rule == criticalPathID })
	if k < 0 {
		return nil
	}
	name, gain, err := run.TwiceAsFast()
	if err != nil || gain == 0 {
		return err
	}
	a.out.Findings[k].Advice = fmt.Sprintf("make this code faster: %s twice as fast gains %s, by simulation "+
		"(--causal has all regions)", name, a.Span(float64(gain)))
	return nil
}

// findingOf turns a candidate into a finding.
func (a *analysis) findingOf(c *remedy.Candidate) report.Finding {
	var f report.Finding
	if c.Of != nil {
		f = *c.Of
	} else {
		f = report.Finding{Rule: c.Rule, Name: RuleByID(c.Rule).Name, Kind: c.Kind, Cause: c.Cause, When: c.When,
			Repair: c.Spec, Severity: float64(c.Estimate), Share: float64(c.Estimate) / float64(max(1, a.out.Length)),
			Checked: report.Confirmed, Verified: float64(c.Gain), Confidence: a.confidence(), Title: c.Title,
			Advice: c.Advice, Threads: c.Threads}
		for _, e := range c.Evidence {
			f.Show(e)
		}
	}
	for _, x := range c.Same {
		f.Children = append(f.Children, a.findingOf(x))
	}
	return f
}
