package frameworks

// The conclusions of a report, as findings with a place in the trace.

import (
	"fmt"
	"slices"

	"pview/insight/report"
	"pview/prv/quantity"
)

// Findings returns the recommendations with a gain: a severity is the gain over all traced iterations or items. A
// recommendation that the simulator confirmed has the simulated gain; one that it refuted says so.
func (r *Report) Findings() (list []report.Finding) {
	for i := range r.Advice {
		if f, ok := r.Finding(i); ok {
			list = append(list, f)
		}
	}
	report.Rank(list)
	return list
}

// Finding returns a recommendation as a finding; ok is false if it gains nothing.
func (r *Report) Finding(i int) (f report.Finding, ok bool) {
	a := &r.Advice[i]
	if r.study == nil || a.Gain <= 0 {
		return f, false
	}
	t := r.study.t
	unit := float64(t.Unit.Nanoseconds())
	times := float64(r.times())
	f = report.Finding{Rule: "FRAME", Name: r.Kind, Key: fmt.Sprintf("%s %d", r.Kind, i),
		Severity: a.Gain * times / unit, Title: r.fault(a),
		Advice:  a.What + a.more() + "; safe " + a.When,
		Formula: fmt.Sprintf("%s per iteration or item, %g of them", short(a.Gain), times),
		Assumed: a.Rests, Confidence: report.Medium}
	if len(r.Warnings) > r.told {
		f.Confidence = report.Low // the model is off, or its result depends on one input
	}
	if t.Duration > 0 {
		f.Share = f.Severity / float64(t.Duration)
	}
	if a.main() {
		r.verified(&f, times/unit)
	}
	for _, e := range r.evidence() {
		f.Threads = e.Threads
		f.Show(e)
	}
	return f, true
}

// more says what a recommendation requires.
func (a *Advice) more() string {
	switch {
	case a.Processors > 1:
		return fmt.Sprintf(", on %d more processors", a.Processors)
	case a.Processors == 1:
		return ", on one more processor"
	}
	return ""
}

// fault returns the problem behind a recommendation.
func (r *Report) fault(a *Advice) string {
	switch {
	case r.Pipeline != nil && a.Replicas != nil:
		slow, next := &r.Pipeline.Stages[0], 0.0
		for i := range r.Pipeline.Stages {
			if s := &r.Pipeline.Stages[i]; s.Slowest {
				slow = s
			}
		}
		for i := range r.Pipeline.Stages {
			if s := &r.Pipeline.Stages[i]; s != slow {
				next = max(next, s.Own)
			}
		}
		return fmt.Sprintf(
			"stage %d of %d (task %s) sets the pace of a pipeline: %s per item, no other stage more than %s (medians)",
			slow.Stage, len(r.Pipeline.Stages), slow.Tasks, short(slow.Own), short(next))
	case r.Farm != nil && a.Workers > 0:
		now, then := r.Farm.Model.Time(r.Farm.Workers), r.Farm.Model.Time(a.Workers)
		return fmt.Sprintf("a master has %s: with %d an iteration would take %s instead of %s",
			quantity.CountOf(int64(r.Farm.Workers), "worker"), a.Workers, short(then), short(now))
	case r.Farm != nil:
		return fmt.Sprintf("a master hands tasks out unevenly: an iteration takes %s, balance %.2f",
			short(r.Farm.Measured), r.Farm.Balance)
	}
	return a.What
}

// main reports whether the simulator checks this recommendation.
func (a *Advice) main() bool { return a.Workers > 0 || a.Replicas != nil }

// times returns the number of iterations or items to which a gain applies.
func (r *Report) times() int {
	switch {
	case r.Farm != nil:
		return r.Farm.Iterations
	case r.Pipeline != nil:
		return r.Pipeline.Items
	}
	return 1
}

// verified adds the simulator's verdict.
func (r *Report) verified(f *report.Finding, times float64) {
	switch v := r.Verdict; {
	case v == nil:
	case v.Verdict == "confirmed" && len(v.Points) > 1:
		f.Checked, f.Verified = report.Confirmed, v.gain(r)*times
	default:
		f.Checked, f.Unchecked = report.CannotTell, v.Verdict+": "+v.Why.String()
	}
}

// gain returns the simulated gain, ns.
func (v *Verdict) gain(r *Report) float64 {
	now, then := &v.Points[0], &v.Points[len(v.Points)-1]
	if r.Farm != nil {
		now, then = v.at(r.Farm.Workers), v.at(r.Farm.Worth)
	}
	return now.Simulated - then.Simulated
}

// evidence returns the iterations of a master, or the stretch in which the slowest stage works.
func (r *Report) evidence() (list []report.Evidence) {
	t := r.study.t
	switch {
	case r.Farm != nil:
		var threads []int32
		for task := range r.Roles.Members() {
			threads = append(threads, t.Tasks[task].FirstThread)
		}
		slices.Sort(threads)
		for i := range r.Farm.run.Iterations {
			it := &r.Farm.run.Iterations[i]
			list = append(list, report.Evidence{From: it.From, To: it.To, Threads: threads,
				Why: fmt.Sprintf("iteration %d: %d chunks", i+1, len(it.Chunks)), Cost: it.Time()})
		}
	case r.Pipeline != nil:
		for i := range r.Pipeline.Stages {
			if s := &r.Pipeline.Stages[i]; s.Slowest {
				role := r.Roles.Stages[i]
				threads := []int32{t.Tasks[role.Task].FirstThread}
				for _, x := range role.Replicas {
					threads = append(threads, t.Tasks[x].FirstThread)
				}
				w := r.study.opt.Window
				list = append(list, report.Evidence{From: w.From, To: min(w.End(t), t.Duration), Threads: threads,
					Why: fmt.Sprintf("stage %d sets the pace: %s per item", i+1, short(s.Own))})
			}
		}
	case r.Nested != nil:
		w := r.study.opt.Window
		list = append(list, report.Evidence{From: w.From, To: min(w.End(t), t.Duration),
			Threads: []int32{t.Tasks[r.Roles.Master].FirstThread}, Why: "the master of the pipelines"})
	}
	return list
}
