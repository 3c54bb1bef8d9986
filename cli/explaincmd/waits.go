package explaincmd

import (
	"context"
	"fmt"

	"pview/cli/command"
	"pview/insight/criticalpath"
	"pview/insight/eventgraph"
	"pview/insight/waits"
	"pview/insight/waits/answer"
	"pview/prv"
	"pview/prv/extrae/execution"
)

// printWaits prints the waits of a trace, and the cost of the critical path.
func (q *diagnosis) printWaits(ctx context.Context, t *prv.Trace, opt waits.Options) error {
	bar := command.NewProgress(q.Err, "waits of "+t.Path)
	bar.Plain = true
	opt.Progress = bar.Report
	r, err := waits.Analyze(ctx, t, opt)
	bar.Close()
	if err != nil {
		return err
	}
	var path []waits.Stretch
	if !execution.IsSummary(t) {
		g, err := eventgraph.Around(ctx, t, r, opt.Writer, eventgraph.Given{})
		if err != nil {
			return err
		}
		p, err := criticalpath.Find(ctx, t, criticalpath.Options{Graph: g})
		if err != nil {
			return err
		}
		path = p.Stretches()
	}
	if err := q.PrintDocument(answer.Document(r, t, q.top, path)); err != nil {
		return err
	}
	if len(r.Waits) == 0 {
		return fmt.Errorf("%w: no waits in %s", command.ErrNothing, t.Path)
	}
	return nil
}
