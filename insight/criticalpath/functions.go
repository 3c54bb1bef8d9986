package criticalpath

// The thread function of windows that shows the path.

import (
	"context"

	"pview/prv"
	"pview/prv/extrae/execution"
	"pview/semantic"
)

func init() {
	semantic.AddThreadFunction(semantic.Entry{Name: "On Critical Path", Group: "Waiting", YesNo: true,
		Doc: "1 on the critical path: from the end of the run back, from a wait to the thread that is waited for"},
		func(ctx context.Context, t *prv.Trace) ([]semantic.Steps, error) {
			steps, err := known.Of(ctx, t, findSteps)
			if err != nil {
				return nil, err
			}
			return *steps, nil
		})
}

var known semantic.Kept[[]semantic.Steps]

// findSteps returns steps by thread that are 1 on the path; 0 everywhere if the trace has no path.
func findSteps(ctx context.Context, t *prv.Trace) (*[]semantic.Steps, error) {
	list := make([]semantic.Steps, len(t.Threads))
	for i := range list {
		list[i] = semantic.Steps{Begin: []int64{0}, Value: []float64{0}}
	}
	if execution.IsSummary(t) {
		return &list, nil
	}
	p, err := Find(ctx, t, Options{})
	if err != nil {
		return nil, err
	}
	for _, s := range p.Stretches() {
		own := &list[s.Thread]
		if n := len(own.Begin) - 1; own.Begin[n] == s.From {
			own.Value[n] = 1
		} else {
			own.Begin, own.Value = append(own.Begin, s.From), append(own.Value, 1)
		}
		if s.To < t.Duration {
			own.Begin, own.Value = append(own.Begin, s.To), append(own.Value, 0)
		}
	}
	return &list, nil
}
