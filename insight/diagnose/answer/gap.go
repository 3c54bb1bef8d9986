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
	from, to := int64(0), run.T.Duration
	for _, u := range run.OfThread(thread) { // between two units that compute
		switch {
		case u.User == 0:
		case u.End <= at:
			from = u.Begin
		case u.Begin > at:
			to = min(to, u.End)
		}
	}
	begin, open := int64(0), false
	run.EachPart(thread, from, to, func(from, to int64, part extrae.Part) {
		switch {
		case part == extrae.PartUser:
			open = false
		case !open:
			begin, open = from, true
		}
		if open && begin <= at && at < to {
			g.From, g.To, ok = begin, to, true
		} else if open && ok && begin == g.From {
			g.To = to
		}
	})
	if !ok {
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
