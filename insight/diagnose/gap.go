package diagnose

// The causes of one gap, and the findings about it.

import (
	"slices"

	"pview/insight/report"
	"pview/prv/extrae"
)

// Gap is a stretch in which a thread is idle.
type Gap struct {
	From, To int64
	Ledger   Ledger
	Findings []*report.Finding // with evidence of that thread and time
}

// Gap returns the gap of a thread at a time; ok is false where it is not idle then.
func (r *Result) Gap(thread int32, at int64) (g Gap, ok bool) {
	a := r.analysis
	if a == nil || thread < 0 || int(thread) >= a.T.NumThreads() {
		return g, false
	}
	at -= r.offset
	begin, open := int64(0), false
	own := a.OfThread(thread)
	from, to := int64(0), a.T.Duration
	for i := range own { // between two units, which are no more than the smallest gap apart
		if own[i].End <= at {
			from = own[i].Begin
		}
		if own[i].Begin > at {
			to = own[i].End
			break
		}
	}
	a.EachPart(thread, from, to, func(from, to int64, part extrae.Part) {
		switch {
		case part != extrae.PartIdle:
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
		return g, false
	}
	g.Ledger = a.ledgerOf(thread, g.From, g.To)
	g.From, g.To = g.From+r.offset, g.To+r.offset
	for i := range r.Findings {
		if f := &r.Findings[i]; shows(f, thread, g.From, g.To) {
			g.Findings = append(g.Findings, f)
		}
	}
	return g, true
}

// shows reports whether a finding, or one that it explains, has evidence of a thread and time.
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
