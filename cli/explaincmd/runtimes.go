package explaincmd

// Message-driven runs under other runtime systems; the stages of a run.

import (
	"context"
	"fmt"
	"slices"

	"pview/cli/command"
	"pview/insight/diagnose"
	"pview/prv"
	"pview/render/document"
)

// printRuntimes prints the run under other runtime systems.
func (q *diagnosis) printRuntimes(ctx context.Context, t *prv.Trace, r *diagnose.Result) error {
	list, err := r.Runtimes(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", t.Path, err)
	}
	unit := float64(t.Unit.Nanoseconds())
	out := &command.Table{Columns: []command.Column{{Key: "queue", Title: "Queue"},
		{Key: "balance", Title: "Load balancing"},
		{Key: "time_ns", Title: "Time", Show: nsCell}, {Key: "of_recorded", Title: "Of the recorded", Show: shareCell},
		{Key: "hops", Title: "Hops of tasks"}, {Key: "messages", Title: "Messages of the balancer"},
		{Key: "rounds", Title: "Rounds to quiescence"}, {Key: "control_messages", Title: "Its messages"},
		{Key: "reported_after_ns", Title: "Reported after", Show: nsCell}}}
	for i := range list {
		l := &list[i]
		out.Add(l.Queue, l.Balance, float64(l.Length)*unit, float64(l.Length)/float64(max(1, list[0].Length)), l.Hops,
			l.Messages, int64(l.Quiet.First+l.Quiet.Second), l.Quiet.Messages,
			float64(max(0, l.Quiet.At-l.Length))*unit)
	}
	return document.WriteTable(q.Out, out, q.Format.Value)
}

// printStages prints the stages of a run.
func (q *diagnosis) printStages(ctx context.Context, t *prv.Trace, r *diagnose.Result) error {
	length, _, _, err := command.TimeRange(q.stages, "", t)
	if err != nil {
		return err
	}
	list, err := r.Stages(ctx, length)
	if err != nil {
		return fmt.Errorf("%s: %w", t.Path, err)
	}
	unit := float64(t.Unit.Nanoseconds())
	out := &command.Table{Columns: []command.Column{{Key: "from_ns", Title: "From", Show: nsCell},
		{Key: "busy", Title: "Busy", Show: shareCell}, {Key: "least_busy", Title: "Least busy", Show: shareCell},
		{Key: "created", Title: "Messages created"},
		{Key: "executed", Title: "Executions"}, {Key: "grain_ns", Title: "Mean length", Show: nsCell},
		{Key: "queued", Title: "Waiting", Show: plainCell}, {Key: "arrived", Title: "Messages arrived"}}}
	for i := range list {
		s := &list[i]
		created, arrived, executed := 0, 0, 0
		for p := range s.Busy {
			created, arrived, executed = created+s.Created[p], arrived+s.Arrived[p], executed+s.Executed[p]
		}
		out.Add(float64(s.From)*unit, s.MeanBusy(), slices.Min(s.Busy), int64(created), int64(executed), s.Grain*unit,
			s.Queued, int64(arrived))
	}
	return document.WriteTable(q.Out, out, q.Format.Value)
}
