package diagnose

// Verification: what a simulation of the run gives with the repair of a finding. It replaces the estimate.

import (
	"context"
	"fmt"
	"math"
	"slices"

	"pview/insight/repair"
	"pview/insight/report"
	"pview/prv"
	"pview/prv/parallel"
	"pview/sim/driven"
)

// reproduces is how close the simulation must come to the traced end without a repair.
const reproduces = 0.01

// fixed is the share of the threads' time, neither computation nor waiting, up to which the simulation keeps it as it
// was. Above that it may well depend on the repair, most of all where processes share processors: then findings are
// simulated with it and without it.
const fixed = 0.1

// agrees is the difference between the two simulations, as a share of the run, up to which they say the same.
const agrees = 0.005

// Verify simulates the repairs of the first findings of the diagnosis of a trace, at most so many, and returns the
// result with what they gain, ranked again. The diagnosis stays as it is, and can be read meanwhile. A message-driven
// run is analysed anew: its findings no longer have the times of the repaired clocks. The error is that of ctx.
func (r *Result) Verify(ctx context.Context, t *prv.Trace, most int) (out *Result, err error) {
	if r.analysis.Driven != nil {
		return Analyze(ctx, t, Options{Verify: most})
	}
	defer parallel.OnEnd(ctx, &err)
	own, copied := *r.analysis, *r
	copied.analysis, own.out = &own, &copied
	copied.Findings, copied.Minor = report.CloneAll(r.Findings), report.CloneAll(r.Minor)
	own.Graph = own.With(ctx)
	if err := own.verify(ctx, most); err != nil {
		return nil, err
	}
	own.Watches(context.Background())
	return &copied, nil
}

// verify simulates the repairs of the first findings and ranks again.
func (a *analysis) verify(ctx context.Context, most int) error {
	r := repair.NewReplay(a.Graph)
	var err error
	if len(a.out.Findings) > 0 {
		if r.Baseline, err = r.Run(ctx, &repair.Repair{}); ctx.Err() != nil {
			return ctx.Err()
		}
	}
	reason := ""
	switch {
	case err != nil:
		reason = err.Error()
	case r.Deviation() > reproduces:
		reason = fmt.Sprintf("without a change the simulation ends %.1f %% off", 100*r.Deviation())
	}
	err = a.checkFirst(most, func(f *report.Finding) error {
		if simulate := ruleByID(f.Rule).Simulate; simulate != nil {
			return simulate(a, ctx, f)
		}
		return a.check(ctx, r, f, reason)
	})
	if err != nil {
		return err
	}
	return a.enumerate(ctx)
}

// checkFirst checks the first findings and ranks again. One whose repair gives nothing becomes minor; what it explained
// stands for itself then.
func (a *analysis) checkFirst(most int, check func(f *report.Finding) error) error {
	list := a.out.Findings
	a.out.Findings = nil
	for i := 0; i < len(list); i++ {
		f := list[i]
		if (f.Severity != report.NoSeverity || ruleByID(f.Rule).Simulate != nil) && most > 0 {
			most--
			if err := check(&f); err != nil {
				return err
			}
		}
		if f.Checked == report.Confirmed && f.Verified < a.set.Trifle*float64(a.out.Length) {
			list = slices.Insert(list, i+1, f.Children...)
			f.Children = nil
			a.out.Minor = append(a.out.Minor, f)
			continue
		}
		a.out.Findings = append(a.out.Findings, f)
	}
	a.rank()
	return nil
}

// rank sorts the findings. Where none of them costs much, that the run is bound by computation comes first.
func (a *analysis) rank() {
	list := a.out.Findings
	report.Rank(list)
	report.Rank(a.out.Minor)
	i := slices.IndexFunc(list, func(f report.Finding) bool { return !f.Warning })
	k := slices.IndexFunc(list, func(f report.Finding) bool { return f.Rule == criticalPathID && a.bound })
	if i >= 0 && k > i && list[i].Weight() < a.set.Significant*float64(a.out.Length) {
		f := list[k]
		copy(list[i+1:k+1], list[i:k])
		list[i] = f
	}
}

// kept is the share of the threads' time that is neither computation nor waiting.
func (a *analysis) kept() float64 {
	whole := a.total.Busy() + a.total.Idle()
	return float64(whole-a.total.User()-a.Waits.Waiting()-a.out.Ledger[EndOfRun]) / float64(max(1, whole))
}

// check verifies one finding.
func (a *analysis) check(ctx context.Context, r *repair.Replay, f *report.Finding, reason string) error {
	f.Checked, f.Unchecked = report.CannotTell, reason
	if reason != "" {
		return ctx.Err()
	}
	fix := a.repairOf(f)
	if fix == nil {
		f.Unchecked = "no repair that can be simulated"
		return nil
	}
	gain, err := r.Gain(ctx, fix)
	if err != nil {
		f.Unchecked = "with the repair: " + err.Error()
		return ctx.Err()
	}
	f.Checked, f.Verified, f.Unchecked = report.Confirmed, gain, ""
	kept := a.kept()
	if kept <= fixed {
		return nil
	}
	share := fmt.Sprintf("%.0f %% of the threads' time is in calls that wait for nobody any more", 100*kept)
	if ruleByID(f.Rule).OfCalls {
		f.Assumed = share + ": what of it is more than messages need would go"
		return nil
	}
	if r.Quick == 0 {
		r.Quick = -1
		if r.Quick, err = r.Run(ctx, &repair.Repair{Quick: true}); err != nil {
			return ctx.Err()
		}
	}
	fix.Quick = true
	other, err := r.Gain(ctx, fix)
	if err != nil {
		return ctx.Err()
	}
	f.Assumed = share + ": that stays as measured, or becomes as short as messages need"
	if math.Abs(gain-other) > agrees*float64(a.out.Length) {
		f.Checked, f.Verified, f.Least, f.Most = report.Bounded, 0, min(gain, other), max(gain, other)
	}
	return nil
}

// verifyDriven simulates the repairs of the first findings and ranks again.
func (a *analysis) verifyDriven(ctx context.Context, most int) error {
	base := repair.NewDrivenReplay(a.Graph, &repair.Repair{})
	end, reason := int64(0), ""
	for i := range a.Units {
		end = max(end, a.Units[i].End)
	}
	result, err := driven.Run(ctx, base.Program, driven.Options{Order: base.Order})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		reason = err.Error()
	case math.Abs(float64(result.Length-end)) > reproduces*float64(end):
		reason = fmt.Sprintf("without a change the simulation ends %.1f %% off",
			100*math.Abs(float64(result.Length-end))/float64(max(1, end)))
	}
	return a.checkFirst(most, func(f *report.Finding) error {
		if f.Checked, f.Unchecked = report.CannotTell, reason; reason != "" {
			return nil
		}
		repaired, err := a.repairDriven(ctx, f)
		switch {
		case err != nil:
			f.Unchecked = "with the repair: " + err.Error()
		case repaired == nil:
			f.Unchecked = "no repair that can be simulated"
		default:
			f.Checked, f.Verified, f.Unchecked = report.Confirmed, float64(max(0, result.Length-repaired.Length)), ""
		}
		return ctx.Err()
	})
}

// repairDriven simulates the repair of a finding; nil where it has none.
func (a *analysis) repairDriven(ctx context.Context, f *report.Finding) (*driven.Result, error) {
	if options := ruleByID(f.Rule).Driven; options != nil {
		r := repair.NewDrivenReplay(a.Graph, &repair.Repair{})
		return driven.Run(ctx, r.Program, options(r, f))
	}
	fix := a.repairOf(f)
	if fix == nil {
		return nil, nil
	}
	r := repair.NewDrivenReplay(a.Graph, fix)
	return driven.Run(ctx, r.Program, driven.Options{Order: r.Order})
}
