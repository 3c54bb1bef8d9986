package answer

// One gap of a thread: its account, and the findings about it.

import (
	"context"
	"slices"

	"pview/insight/account"
	"pview/insight/diagnose"
	"pview/insight/report"
	"pview/prv/extrae"
)

// Gap is a stretch in which a thread does not compute.
type Gap struct {
	From, To int64
	Account  *account.Account  // of the thread during the gap
	Findings []*report.Finding // with evidence on that thread at that time
}

// GapAt returns the gap of a thread at a time; ok is false where it computes then. The only error is ctx's.
func GapAt(ctx context.Context, r *diagnose.Result, thread int32, at int64) (g Gap, ok bool, err error) {
	run, offset := r.Recorded()
	if run == nil || thread < 0 || int(thread) >= run.T.NumThreads() {
		return g, false, nil
	}
	at -= offset
	g.To = run.T.Duration
	run.EachPart(thread, 0, g.To, func(from, to int64, part extrae.Part) {
		switch {
		case part != extrae.PartUser:
		case to <= at:
			g.From = to
		default:
			g.To = min(g.To, from)
		}
	})
	if at < g.From || at >= g.To {
		return g, false, nil
	}
	g.Account, err = account.New(ctx, run, account.Options{From: g.From, To: g.To, Threads: []int32{thread}})
	g.From, g.To = g.From+offset, g.To+offset
	for i := range r.Findings {
		if f := &r.Findings[i]; shows(f, thread, g.From, g.To) {
			g.Findings = append(g.Findings, f)
		}
	}
	return g, err == nil, err
}

// shows reports whether a finding, or one that it explains, has evidence on a thread at a time.
func shows(f *report.Finding, thread int32, from, to int64) bool {
	for _, e := range f.Evidence {
		if e.From < to && e.To > from && (len(e.Threads) == 0 || slices.Contains(e.Threads, thread)) {
			return true
		}
	}
	for i := range f.Children {
		if shows(&f.Children[i], thread, from, to) {
			return true
		}
	}
	return false
}
