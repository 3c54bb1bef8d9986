package diagnose

// Verification: a simulation of the run with a finding's repair replaces the estimate.

import (
	"context"
	"fmt"
	"slices"

	"pview/insight/remedy"
	"pview/insight/replay"
	"pview/insight/report"
	"pview/prv"
	"pview/prv/parallel"
	"pview/prv/quantity"
	"pview/sim/driven"
)

// Verify simulates the repairs of the first n findings of the diagnosis of a trace, and returns a new result with their
// gains, ranked again. The diagnosis is unchanged, and can be read meanwhile. A message-driven run is analysed again:
// its findings no longer have the times of the repaired clocks. The only error is ctx's.
func (r *Result) Verify(ctx context.Context, t *prv.Trace, most int) (out *Result, err error) {
	if r.analysis.Driven != nil {
		return Analyze(ctx, t, Options{Verify: most})
	}
	defer parallel.OnEnd(ctx, &err)
	if r.Hosts != nil { // nothing is simulated
		return r, ctx.Err()
	}
	own, copied := *r.analysis, *r
	copied.analysis, own.out = &own, &copied
	own.Graph = own.With(ctx)
	if err := own.verify(ctx, most); err != nil {
		return nil, err
	}
	own.Watches(context.Background())
	return &copied, nil
}

// verify simulates the repairs of the first findings, and all other changes that the run suggests, and ranks again.
func (a *analysis) verify(ctx context.Context, most int) error {
	run, err := a.computation(ctx)
	if err != nil {
		return err
	}
	reason := a.doubt(run, useless, nil)
	edits := map[aboutOf]*replay.Edit{}
	err = a.checkFirst(most, a.divide(true), func(f *report.Finding) error {
		if simulate := RuleByID(f.Rule).Simulate; simulate != nil {
			return simulate(a, ctx, f)
		}
		if f.Checked, f.Unchecked = report.CannotTell, reason; reason != "" {
			return ctx.Err()
		}
		edit := run.Changed(a.changesOf(f))
		if edit == nil {
			f.Unchecked = "no repair that can be simulated"
			return nil
		}
		f.Checked, f.Verified = report.Confirmed, float64(max(0, run.Gain(edit)))
		edit.Seal()
		edits[aboutOf{f.Rule, f.Key}] = edit
		return ctx.Err()
	})
	if err != nil || reason != "" {
		return err
	}
	err = a.enumerate(run, func(f *report.Finding, c *remedy.Candidate) bool {
		c.Edit = edits[aboutOf{f.Rule, f.Key}]
		return true
	})
	if err != nil {
		return err
	}
	if err := a.adviseByProfile(run); err != nil {
		return err
	}
	return a.settle(ctx, run)
}

// doubt notes and returns why no repair is simulated: the run cannot be replayed, or the unchanged replay is off by
// more than a share of the run; "": repairs are simulated.
func (a *analysis) doubt(run remedy.Replayed, most float64, err error) (reason string) {
	if err != nil {
		reason = err.Error()
	} else if a.out.Deviation = run.Deviation(); a.out.Deviation > most {
		reason = fmt.Sprintf("without a change the replay ends %s off", quantity.FormatPercent(a.out.Deviation))
	}
	if reason != "" {
		a.out.Notes = append(a.out.Notes, reason+": no repair is simulated")
	}
	return reason
}

// settle puts findings above those that they explain, ranks again, and tries the repairs of the remaining ones
// together. The only error is ctx's.
func (a *analysis) settle(ctx context.Context, run remedy.Replayed) error {
	a.out.Findings = a.combine(a.out.Findings)
	a.rank()
	a.together(run)
	return ctx.Err()
}

// checkFirst checks the first findings and ranks again. One whose repair gains nothing becomes minor, and frees the
// findings that it explained; one below the cut-off becomes minor unless its repair was simulated.
func (a *analysis) checkFirst(most int, doubtful map[aboutOf]bool, check func(f *report.Finding) error) error {
	list := a.out.Findings
	a.out.Findings = nil
	for i := 0; i < len(list); i++ {
		f := list[i]
		if (f.Severity != report.NoSeverity || RuleByID(f.Rule).Simulate != nil) && most > 0 {
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
		if f.Checked != report.Confirmed && doubtful[aboutOf{f.Rule, f.Key}] {
			f.Checked, f.Unchecked = report.NotChecked, ""
			a.out.Minor = append(a.out.Minor, f)
			continue
		}
		a.out.Findings = append(a.out.Findings, f)
	}
	a.rank()
	return nil
}

// rank sorts the findings. If none costs much, "bound by computation" comes first.
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

// verifyDriven simulates the repairs of the first findings, and all other changes that the run suggests, and ranks
// again.
func (a *analysis) verifyDriven(ctx context.Context, most int) error {
	run, err := remedy.NewDrivenRun(ctx, a.Graph, a.out.Length)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	reason := a.doubt(run, remedy.Reproduces, err)
	err = a.checkFirst(most, a.divide(true), func(f *report.Finding) error {
		if f.Checked, f.Unchecked = report.CannotTell, reason; reason != "" {
			return nil
		}
		edit := &replay.DrivenEdit{}
		var options func(d *replay.Driven) driven.Options
		if queues := RuleByID(f.Rule).Driven; queues != nil {
			options = func(d *replay.Driven) driven.Options { return queues(d, f) }
		} else if edit.Changes = a.changesOf(f); len(edit.Changes) == 0 {
			f.Unchecked = "no repair that can be simulated"
			return nil
		}
		if gain, err := run.Replay(edit, options); err != nil {
			f.Unchecked = "with the repair: " + err.Error()
		} else {
			f.Checked, f.Verified = report.Confirmed, float64(max(0, gain))
		}
		return ctx.Err()
	})
	if err != nil || reason != "" {
		return err
	}
	// Many rules of these runs have no repair that can be simulated: their findings stay, with their estimates.
	err = a.enumerate(run, func(f *report.Finding, c *remedy.Candidate) bool {
		if changes := a.changesOf(f); len(changes) > 0 && RuleByID(f.Rule).Driven == nil {
			c.Driven = &replay.DrivenEdit{Changes: changes}
		}
		return f.Checked == report.Confirmed
	})
	if err != nil {
		return err
	}
	return a.settle(ctx, run)
}
