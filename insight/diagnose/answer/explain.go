package answer

import (
	"context"
	"fmt"
	"strings"

	"pview/insight/diagnose"
	"pview/insight/report"
	"pview/insight/waits/answer"
	"pview/prv"
	"pview/prv/quantity"
)

// Explain says what a thread of a trace waits for at a time, who caused it, what the account says about the gap, and
// which findings are about it; nil where it computes then. The only error is ctx's.
func Explain(ctx context.Context, r *diagnose.Result, t *prv.Trace, thread int32, at int64) (*report.Document, error) {
	w, d := &writer{t, r}, &report.Document{}
	if wait := r.Waits.At(thread, at); wait != nil {
		d.Add(answer.Passages(wait, t)...)
	}
	g, ok, err := GapAt(ctx, r, thread, at)
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
			e := w.entry(f)
			d.Add(&e)
		}
	}
	if len(d.Sections) == 0 {
		return nil, nil
	}
	return d, nil
}
