package diagnose

// A part of the run is analysed like a whole one: as a trace of the records in its time range.

import (
	"context"

	"pview/insight/clip"
	"pview/insight/report"
	"pview/prv"
)

// analyzeRange diagnoses the run between two times. Places in the result are those of the whole trace.
func analyzeRange(ctx context.Context, t *prv.Trace, opt Options) (*Result, error) {
	from, to := max(0, opt.From), opt.To
	if to == 0 {
		to = t.Duration
	}
	to = max(from, min(to, t.Duration))
	part, rows, err := clip.Of(ctx, t, from, to)
	if err != nil {
		return nil, err
	}
	opt.From, opt.To = 0, 0
	r, err := Analyze(ctx, part, opt)
	if err != nil {
		return nil, err
	}
	later(r.Findings, from, rows)
	later(r.Minor, from, rows)
	r.offset = from
	unit := t.Unit.Nanoseconds()
	r.Account.From, r.Account.To = r.Account.From+from*unit, r.Account.To+from*unit
	if h := r.Hosts; h != nil {
		h.From, h.To = h.From+from*unit, h.To+from*unit
	}
	return r, nil
}

// later moves the places of findings by an offset, and turns messages of the part into those of the trace.
func later(list []report.Finding, by int64, rows []int32) {
	for i := range list {
		for k := range list[i].Evidence {
			e := &list[i].Evidence[k]
			e.From, e.To = e.From+by, e.To+by
			for n, m := range e.Messages {
				e.Messages[n] = rows[m]
			}
		}
		later(list[i].Children, by, rows)
	}
}
