package diagnose

// Findings by enumeration: every change that the account of the run suggests is simulated (package remedy), and what
// it gains decides. Rules that estimate the same losses without a simulation step back.

import (
	"context"
	"fmt"
	"math"
	"slices"

	"pview/insight/cause"
	"pview/insight/remedy"
	"pview/insight/replay"
	"pview/insight/report"
)

// The rules that only the enumeration finds.
var (
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
	overlapRule = Rule{ID: remedy.OverlapID, Name: "overlap",
		Doc: "Could exchanges be hidden behind the computation that follows?", Formula: "time in Wait and Waitall",
		Threshold: "0.5 % of the run", Advice: "compute what is independent of the exchange first",
		Brief: Brief{"no overlap", ""}}
)

// superseded are rules whose losses the enumeration finds, with a simulated gain.
var superseded = []report.RuleID{tailEndID, pipeliningID, combiningID, grainID, chainID, bottleneckID, largeTasksID,
	initialisationID, countImbalanceID, grainImbalanceID, overheadImbalanceID, rolesID, distributionID, slowMessagesID,
	slowCollectivesID, rootCausesID, lateReceiversID, mastersID, slowStageID, localityID, wasteID, serialID}

// covers is the share of a finding's cost from which the gain of a candidate is said to cover it.
const covers = 0.6

// enumerate adds the candidates that gain something, and sets findings of superseded rules that they cover aside.
func (a *analysis) enumerate(ctx context.Context) error {
	model, err := replay.NewModel(ctx, a.Graph)
	if err != nil {
		return err
	}
	a.out.Deviation = math.Abs(float64(model.Base()-model.End)) / float64(max(1, model.End))
	if a.out.Deviation > reproduces {
		a.out.Notes = append(a.out.Notes, fmt.Sprintf("without a change the replay ends %.1f %% off",
			100*a.out.Deviation))
		return nil
	}
	run, err := cause.NewRun(ctx, model)
	if err != nil {
		return err
	}
	list, err := remedy.Find(ctx, run)
	if err != nil || len(list) == 0 {
		return err
	}
	kept := a.out.Findings[:0]
	for _, f := range a.out.Findings {
		covered := slices.ContainsFunc(list, func(c *remedy.Candidate) bool {
			return f.Checked != report.Confirmed || c.Rule == f.Rule || f.Rule == rootCausesID ||
				float64(c.Gain) >= covers*f.Weight()
		})
		if covered && slices.Contains(superseded, f.Rule) {
			a.out.Minor = append(a.out.Minor, f)
		} else {
			kept = append(kept, f)
		}
	}
	a.out.Findings = kept
	for _, c := range list {
		a.out.Findings = append(a.out.Findings, a.findingOf(c))
	}
	a.rank()
	return ctx.Err()
}

// findingOf turns a candidate into a finding.
func (a *analysis) findingOf(c *remedy.Candidate) report.Finding {
	f := report.Finding{Rule: c.Rule, Name: ruleByID(c.Rule).Name, Kind: c.Kind, Cause: c.Cause, When: c.When,
		Repair: c.Spec, Severity: float64(c.Estimate), Share: float64(c.Estimate) / float64(max(1, a.out.Length)),
		Checked: report.Confirmed, Verified: float64(c.Gain), Confidence: a.confidence(), Title: c.Title,
		Advice: c.Advice, Threads: c.Threads}
	for _, e := range c.Evidence {
		f.Show(e)
	}
	for _, x := range c.Same {
		f.Children = append(f.Children, a.findingOf(x))
	}
	return f
}
