package diagnose

// Verification: what a simulation of the run gives with the repair of a finding. It replaces the estimate.

import (
	"context"
	"fmt"
	"strconv"

	"pview/insight/finding"
	"pview/prv/extrae"
)

// reproduces is how close the simulation must come to the traced end without a repair.
const reproduces = 0.01

// fixed is the share of the threads' time that may be neither computation nor waiting: the simulation keeps it as it was, though in truth
// it may depend on what the repair changes, most of all where processes share processors.
const fixed = 0.1

// repairs makes the repair of a finding, by rule; nil where the finding has none that can be simulated.
var repairs = map[string]func(a *analysis, f *finding.Finding) *repair{
	"R02": (*analysis).sendEarly,
	"R11": (*analysis).withoutPolling,
	"R12": (*analysis).level,
	"R13": (*analysis).level,
	"R32": (*analysis).cheapCollectives,
	"R34": (*analysis).withoutExcess,
	"R36": func(*analysis, *finding.Finding) *repair { return &repair{eager: true} },
}

// verify simulates the repairs of the first findings and ranks again.
func (a *analysis) verify(ctx context.Context, most int) error {
	r := newReplay(a)
	var err error
	kept := a.kept()
	if len(a.out.Findings) > 0 && kept <= fixed {
		if r.baseline, err = r.run(ctx, &repair{}); ctx.Err() != nil {
			return ctx.Err()
		}
	}
	reason := ""
	switch {
	case kept > fixed:
		reason = fmt.Sprintf("%.0f %% of the threads' time is neither computation nor waiting, and may change with the repair", 100*kept)
	case err != nil:
		reason = err.Error()
	case r.deviation() > reproduces:
		reason = fmt.Sprintf("without a change the simulation ends %.1f %% off", 100*r.deviation())
	}
	for i := range a.out.Findings {
		if most <= 0 {
			break
		}
		f := &a.out.Findings[i]
		if f.Severity == finding.NoSeverity {
			continue
		}
		most--
		if err := r.check(ctx, f, reason); err != nil {
			return err
		}
	}
	finding.Rank(a.out.Findings)
	return ctx.Err()
}

// kept is the share of the threads' time that is neither computation nor waiting.
func (a *analysis) kept() float64 {
	whole := a.total.busy() + a.total.idle()
	return float64(whole-a.total.user()-a.waits.Waiting()-a.out.Ledger[EndOfRun]) / float64(max(1, whole))
}

// check verifies one finding.
func (r *replay) check(ctx context.Context, f *finding.Finding, reason string) error {
	f.Checked, f.Unchecked = finding.CannotTell, reason
	if reason != "" {
		return ctx.Err()
	}
	var fix *repair
	if make := repairs[f.Rule]; make != nil {
		fix = make(r.a, f)
	}
	if fix == nil {
		f.Unchecked = "no repair that can be simulated"
		return nil
	}
	end, err := r.run(ctx, fix)
	if err != nil {
		f.Unchecked = "with the repair: " + err.Error()
		return ctx.Err()
	}
	f.Checked, f.Verified, f.Unchecked = finding.Confirmed, max(0, r.baseline-end), ""
	return ctx.Err()
}

// level spreads the work of a class evenly over the threads that execute it, phase by phase. Without classes it is all computation.
func (a *analysis) level(f *finding.Finding) *repair {
	class, all := int32(-1), f.Key == ""
	if !all {
		n, err := strconv.Atoi(f.Key)
		if err != nil {
			return nil
		}
		class = int32(n)
	}
	factors := make([][]float64, len(a.phases))
	for n := range a.phases {
		factors[n] = a.levelPhase(&a.phases[n], class, all)
	}
	at := make([]int, a.t.NumThreads()) // the phase that each thread is in: times of a thread rise
	return &repair{scale: func(thread, region int32, time int64) float64 {
		if region < 0 || a.waits.Regions[region].Call || !all && region != class {
			return 1
		}
		k := &at[thread]
		if a.begins(&a.phases[*k], thread) > time {
			*k = 0
		}
		for *k+1 < len(a.phases) && a.begins(&a.phases[*k+1], thread) <= time {
			*k++
		}
		return factors[*k][thread]
	}}
}

// levelPhase is the mean of a class over the threads that execute it, relative to each.
func (a *analysis) levelPhase(ph *phase, class int32, all bool) []float64 {
	times := make([]float64, len(ph.firsts))
	sum, n := 0.0, 0
	for th := range times {
		for i := ph.firsts[th]; i < ph.ends[th]; i++ {
			if u := &a.units[i]; all || u.class == class {
				times[th] += float64(u.user)
			}
		}
		if sum += times[th]; times[th] > 0 {
			n++
		}
	}
	for th := range times {
		if times[th] > 0 {
			times[th] = sum / float64(n) / times[th]
		} else {
			times[th] = 1
		}
	}
	return times
}

// withoutExcess shortens a region on the threads that spend more time in it than the mean of the others, to that.
func (a *analysis) withoutExcess(f *finding.Finding) *repair {
	n, err := strconv.Atoi(f.Key)
	if err != nil {
		return nil
	}
	threads := a.t.NumThreads()
	times := make([]float64, threads)
	sum := 0.0
	for th := range times {
		times[th] = float64(a.waits.Profile(int32(th), 0, a.t.Duration)[n])
		sum += times[th]
	}
	factors := make([]float64, threads)
	for th := range factors {
		factors[th] = 1
		if others := (sum - times[th]) / float64(max(1, threads-1)); times[th] > others {
			factors[th] = others / times[th]
		}
	}
	return scaleRegions(func(thread, region int32) float64 {
		if region == int32(n) {
			return factors[thread]
		}
		return 1
	})
}

// scaleRegions is a repair whose factors do not depend on the time.
func scaleRegions(factor func(thread, region int32) float64) *repair {
	return &repair{scale: func(thread, region int32, _ int64) float64 { return factor(thread, region) }}
}

// regionsOf are the regions of calls of some kinds.
func (a *analysis) regionsOf(is func(k extrae.CallKind) bool) map[int32]bool {
	set := map[int32]bool{}
	for th := range a.t.NumThreads() {
		for k := range a.waits.Calls(int32(th)) {
			if c := a.waits.Call(int32(th), k); is(c.Kind) {
				set[c.Region] = true
			}
		}
	}
	return set
}

// withoutPolling takes no time for calls of Test and Iprobe.
func (a *analysis) withoutPolling(*finding.Finding) *repair {
	set := a.regionsOf(func(k extrae.CallKind) bool { return k.Call == extrae.Test || k.Call == extrae.Iprobe })
	return scaleRegions(func(_, region int32) float64 {
		if set[region] {
			return 0
		}
		return 1
	})
}

// cheapCollectives lets collective operations take the time of a tree of messages without bytes.
func (a *analysis) cheapCollectives(*finding.Finding) *repair {
	set := a.regionsOf(func(k extrae.CallKind) bool {
		return k.Is(extrae.Group) && k.Call != extrae.Init && k.Call != extrae.Finalize
	})
	cost, ideal := 0.0, 0.0
	for _, i := range a.collectivesIn(0, a.t.Duration) {
		x := &a.waits.Instances[i]
		for _, m := range a.waits.Members(x) {
			cost += float64(max(0, m.Exit-max(x.Last, m.Enter)))
			ideal += log2(float64(x.Parts)) * a.params.Latency.Value
		}
	}
	if cost <= 0 {
		return nil
	}
	factor := min(1, ideal/cost)
	return scaleRegions(func(_, region int32) float64 {
		if set[region] {
			return factor
		}
		return 1
	})
}

// sendEarly sends the late messages at the begin of their unit.
func (a *analysis) sendEarly(f *finding.Finding) *repair {
	early := map[int32]int64{}
	for _, e := range f.Evidence {
		for _, m := range e.Messages {
			early[m] = e.From
		}
	}
	if len(early) < f.Total {
		return nil // not all of its places are kept
	}
	return &repair{early: early}
}
