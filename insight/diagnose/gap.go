package diagnose

// One gap of a thread: what the account says of it, and the findings about it.

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"pview/insight/account"
	"pview/insight/report"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/quantity"
)

// Explain says what a thread of a trace waits for at a time, who caused it, what the account says of the gap, and which
// findings are about it; nil where it computes then. The error is that of ctx.
func (r *Result) Explain(ctx context.Context, t *prv.Trace, thread int32, at int64) (*report.Document, error) {
	d := &report.Document{}
	if w := r.Waits.At(thread, at); w != nil {
		d.Add(w.Passages(t)...)
	}
	g, ok, err := r.Gap(ctx, thread, at)
	if err != nil {
		return nil, err
	}
	if ok {
		var parts []string
		for _, s := range g.Account.Waterfall().Steps {
			parts = append(parts, s.Name+" "+quantity.FormatTotal(s.NS, prv.Nanoseconds))
		}
		d.Add(report.Sentence(fmt.Sprintf("%s does not compute for %s: %s", t.ShortName(prv.LevelThread, int(thread)),
			quantity.FormatDuration(g.To-g.From, t.Unit), strings.Join(parts, ", "))))
		for _, f := range g.Findings {
			e := r.Entry(t, f)
			d.Add(&e)
		}
	}
	if len(d.Sections) == 0 {
		return nil, nil
	}
	return d, nil
}

// Gap is a stretch in which a thread does not compute.
type Gap struct {
	From, To int64
	Account  *account.Account  // of the thread in that time
	Findings []*report.Finding // with evidence of that thread and time
}

// Gap returns the gap of a thread at a time; ok is false where it computes then. The error is that of ctx.
func (r *Result) Gap(ctx context.Context, thread int32, at int64) (g Gap, ok bool, err error) {
	if r.recorded == nil || thread < 0 || int(thread) >= r.recorded.T.NumThreads() {
		return g, false, nil
	}
	at -= r.offset
	from, to := int64(0), r.recorded.T.Duration
	for _, u := range r.recorded.OfThread(thread) { // between two units that compute
		switch {
		case u.User == 0:
		case u.End <= at:
			from = u.Begin
		case u.Begin > at:
			to = min(to, u.End)
		}
	}
	begin, open := int64(0), false
	r.recorded.EachPart(thread, from, to, func(from, to int64, part extrae.Part) {
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
	g.Account, err = account.New(ctx, r.recorded, account.Options{From: g.From, To: g.To, Threads: []int32{thread}})
	g.From, g.To = g.From+r.offset, g.To+r.offset
	for i := range r.Findings {
		if f := &r.Findings[i]; shows(f, thread, g.From, g.To) {
			g.Findings = append(g.Findings, f)
		}
	}
	return g, err == nil, err
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
