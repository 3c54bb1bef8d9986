package diagnose

// Verification in message-driven runs: the run as a program of tasks and messages, with the traced times, on the
// simulator of such programs. Each processor executes its tasks in the recorded order, unless the repair is another
// order.

import (
	"context"
	"fmt"
	"math"

	"pview/insight/report"
	"pview/sim/driven"
)

// drivenReplay is the run as a program.
type drivenReplay struct {
	a       *analysis
	program *driven.Program
	order   [][]int32
	before  []int64 // work of the runtime before each unit, since the unit before
}

// newDrivenReplay makes the program, with the time of units and the send of messages as a repair has them.
func (a *analysis) newDrivenReplay(fix *repair) *drivenReplay {
	r := &drivenReplay{a: a, program: &driven.Program{Processors: a.t.NumThreads(), Tasks: make([]driven.Task,
		len(a.units))}, order: make([][]int32, a.t.NumThreads()), before: make([]int64, len(a.units))}
	for i := range a.units {
		u := &a.units[i]
		at := int64(0)
		if i > int(a.firstUnit[u.thread]) {
			at = a.units[i-1].end
		}
		r.before[i] = max(0, u.begin-at-u.idle)
		r.program.Tasks[i] = driven.Task{Processor: u.thread, Dynamic: a.isDynamic(int32(i)),
			Work: r.before[i] + r.scaled(fix, u, u.end), Priority: int64(i)}
		r.order[u.thread] = append(r.order[u.thread], int32(i))
	}
	for i := range a.units {
		r.link(fix, int32(i))
	}
	return r
}

// scaled is the time from the begin of a unit to a time in it, with a repair.
func (r *drivenReplay) scaled(fix *repair, u *unit, to int64) int64 {
	sum := 0.0
	var list []change
	if fix.stretches != nil {
		list = fix.stretches[u.thread]
	}
	for at := u.begin; at < to; {
		factor, until := factorAt(&list, at, to)
		sum += float64(until-at) * factor
		at = until
	}
	if fix.scale != nil {
		sum *= fix.scale(u.thread, u.class, u.begin)
	}
	return int64(math.Round(sum))
}

// link adds the message that starts a unit.
func (r *drivenReplay) link(fix *repair, i int32) {
	u, s := &r.a.units[i], &r.a.driven.starts[i]
	if u.creator < 0 {
		r.program.Roots = append(r.program.Roots, driven.Root{Task: i, At: u.begin - r.before[i]})
		return
	}
	y := &r.a.units[u.creator]
	created := r.a.created(i)
	at := max(created, y.begin)
	takes := max(0, min(s.queued, u.begin-r.before[i])-created)
	if sent, ok := fix.sent[u.via]; ok && u.via >= 0 {
		if sent < y.begin { // it does not depend on its creator any more
			r.program.Roots = append(r.program.Roots, driven.Root{Task: i, At: sent + takes})
			return
		}
		at = sent
	}
	t := &r.program.Tasks[u.creator]
	t.Creates = append(t.Creates, driven.Creation{Task: i, After: r.before[u.creator] + r.scaled(fix, y, at),
		Takes: takes})
}

// verifyDriven simulates the repairs of the first findings and ranks again.
func (a *analysis) verifyDriven(ctx context.Context, most int) error {
	base := a.newDrivenReplay(&repair{})
	end, reason := int64(0), ""
	for i := range a.units {
		end = max(end, a.units[i].end)
	}
	result, err := driven.Run(ctx, base.program, driven.Options{Order: base.order})
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
		r := a.newDrivenReplay(&repair{})
		return driven.Run(ctx, r.program, options(r, f))
	}
	fix := a.repairOf(f)
	if fix == nil {
		return nil, nil
	}
	r := a.newDrivenReplay(fix)
	return driven.Run(ctx, r.program, driven.Options{Order: r.order})
}
