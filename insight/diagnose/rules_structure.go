package diagnose

// Rules on master/worker programs and pipelines: R39, R40. Their models and simulations are those of package
// frameworks.

import (
	"context"
	"fmt"
	"slices"

	"pview/insight/frameworks"
	"pview/insight/frameworks/role"
	"pview/insight/remedy"
	"pview/insight/report"
	"pview/prv/quantity"
)

// structures returns the models of the ptasks that have a structure, on first use.
func (a *analysis) structures(simulate bool) (list []*frameworks.Report) {
	for p := range a.T.Ptasks {
		w := role.Window{Ptask: p}
		if a.Driven != nil || a.Ctx.Err() != nil || !role.Possible(a.T, w) {
			continue
		}
		r, err := frameworks.Analyse(a.Ctx, a.T, frameworks.Options{Window: w, Free: -1, Simulate: simulate})
		if err == nil && len(r.Structure) > 0 {
			list = append(list, r)
		}
	}
	return list
}

// structuresOnce returns the structures without simulation.
func (a *analysis) structuresOnce() []*frameworks.Report {
	if !a.looked {
		a.found, a.looked = a.structures(false), true
	}
	return a.found
}

// ruleOf returns the rule about a structure.
func ruleOf(r *frameworks.Report) report.RuleID {
	if r.Pipeline != nil {
		return SlowStageID
	}
	return mastersID
}

// hasStructure reports whether the messages of a ptask have a structure.
func hasStructure(rule report.RuleID) func(a *analysis) bool {
	return func(a *analysis) bool {
		return slices.ContainsFunc(a.structuresOnce(), func(r *frameworks.Report) bool { return ruleOf(r) == rule })
	}
}

const mastersID = remedy.MastersID

var mastersRule = Rule{
	ID:        mastersID,
	Name:      "master",
	Doc:       "Would a master with workers do better with other workers, or tasks handed out otherwise?",
	Formula:   "gain of an iteration x iterations; none for more workers",
	Threshold: "1 % of the run, and a model that gives the measured time within 10 %",
	Advice:    "see pview frameworks",
	Brief:     Brief{"tasks handed out", "by"},
	Needs:     need{"master with workers", hasStructure(mastersID)},
	Apart:     true,
	Run:       masters,
	Simulate:  (*analysis).checkStructure,
}

// masters is R39, paces is R40.
func masters(v *runView) []result { return v.ofStructure(mastersID) }

const SlowStageID report.RuleID = "R40"

var slowStageRule = Rule{
	ID:        SlowStageID,
	Name:      "stage",
	Doc:       "Does one stage set the pace of a pipeline?",
	Formula:   "(pace - pace with replicas) x items",
	Threshold: "1 % of the run, and a model that gives the measured time within 10 %",
	Advice:    "replicate the stage",
	Brief:     Brief{"slowest stage", "on"},
	Needs:     need{"pipeline", hasStructure(SlowStageID)},
	Apart:     true,
	Run:       paces,
	Leads:     true,
	Simulate:  (*analysis).checkStructure,
}

func paces(v *runView) []result { return v.ofStructure(SlowStageID) }

// ofStructure returns the recommendations for structures whose models reproduce the measured time.
func (v *runView) ofStructure(rule report.RuleID) (list []result) {
	for _, r := range v.structuresOnce() {
		if ruleOf(r) != rule {
			continue
		}
		if !r.Fit.Holds {
			v.out.Notes = append(v.out.Notes,
				fmt.Sprintf(
					"ptask %d looks like a %s, but the model of one takes %s for the measured %s: no "+
						"conclusion drawn (see pview frameworks)", r.Ptask, r.Kind,
					v.Span(r.Fit.Model/float64(v.T.Unit.Nanoseconds())),
					v.Span(r.Fit.Measured/float64(v.T.Unit.Nanoseconds()))))
		}
		for i := range r.Advice {
			f, ok := r.Finding(i)
			if !ok || !v.significant(f.Severity) {
				continue
			}
			f.Rule, f.Key, f.Assumed, f.Checked, f.Unchecked = rule, structureKey(r, i), "", report.NotChecked, ""
			if rule == mastersID {
				f.Threads = []int32{v.T.Tasks[r.Roles.Master].FirstThread}
			}
			if rule == mastersID && r.Advice[i].Processors > 0 {
				f.Severity, f.Share = report.NoSeverity, 0 // no time is lost on these processors
			} else {
				v.out.Recoverable = min(v.length(), max(v.out.Recoverable, f.Severity))
			}
			list = append(list, result{Finding: f, key: f.Key})
		}
	}
	return list
}

// structureKey identifies a recommendation for a structure.
func structureKey(r *frameworks.Report, i int) string { return fmt.Sprintf("%d.%d", r.Ptask, i) }

// checkStructure verifies a recommendation for a structure. One that the simulation refutes gains nothing.
func (a *analysis) checkStructure(ctx context.Context, f *report.Finding) error {
	if a.simulated == nil {
		a.simulated = a.structures(true)
	}
	f.Checked, f.Unchecked = report.CannotTell, "no simulation"
	for _, r := range a.simulated {
		for i := range r.Advice {
			if structureKey(r, i) != f.Key || ruleOf(r) != f.Rule {
				continue
			}
			s, _ := r.Finding(i)
			f.Assumed = s.Assumed
			switch {
			case s.Checked == report.NotChecked:
			case r.Verdict.Verdict == "refuted":
				f.Checked, f.Verified, f.Unchecked = report.Confirmed, 0, ""
			default:
				f.Checked, f.Verified, f.Unchecked = s.Checked, s.Verified, s.Unchecked
			}
			if f.Severity == report.NoSeverity && f.Checked == report.Confirmed && f.Verified > 0 {
				gain := quantity.FormatDuration(int64(f.Verified), a.T.Unit)
				f.Checked, f.Verified, f.Formula = report.NotChecked, 0,
					fmt.Sprintf("%s; simulated: %s shorter", f.Formula, gain)
			}
		}
	}
	return ctx.Err()
}
