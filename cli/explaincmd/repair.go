package explaincmd

// User-written repairs, and the causal profile.

import (
	"context"

	"pview/cli/command"
	"pview/insight/diagnose"
	"pview/insight/remedy"
	"pview/prv"
)

// printRepair simulates the changes of --repair, all at once.
func (q *diagnosis) printRepair(ctx context.Context, t *prv.Trace, r *diagnose.Result) error {
	run, err := r.Replayed(ctx)
	if err != nil {
		return err
	}
	trial, err := run.Try(q.repairs)
	if err != nil {
		return command.Usagef("%v", err)
	}
	if q.out != "" {
		repaired, err := trial.Trace(ctx)
		if err != nil {
			return command.Usagef("--output: %v", err)
		}
		if err := prv.Save(ctx, q.out, repaired); err != nil {
			return err
		}
	}
	return q.PrintDocument(trial.Document(t.Path, t.Unit))
}

// printCausal prints the causal profile.
func (q *diagnosis) printCausal(ctx context.Context, t *prv.Trace, r *diagnose.Result) error {
	run, err := r.Replayed(ctx)
	if err != nil {
		return err
	}
	list, err := run.CausalProfile()
	if err != nil {
		return err
	}
	answer := remedy.CausalDocument(list, run, t.Path, r.Length, t.Unit)
	if q.html != "" {
		if err := q.WritePage(ctx, q.html, answer); err != nil {
			return err
		}
	}
	return q.PrintDocument(answer)
}
