package cli

// Message-driven runs under other runtime systems; the stages of a run.

import (
	"context"
	"fmt"
	"slices"

	"pview/insight/diagnose"
	"pview/prv"
)

// printRuntimes prints the run under other runtime systems.
func (q *diagnosis) printRuntimes(ctx context.Context, t *prv.Trace, r *diagnose.Result) error {
	list, err := r.Runtimes(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", t.Path, err)
	}
	unit := float64(t.Unit.Nanoseconds())
	out := &table{columns: []column{{key: "queue", title: "Queue"}, {key: "balance", title: "Load balancing"},
		{key: "time_ns", title: "Time", show: nsCell}, {key: "of_recorded", title: "Of the recorded", show: shareCell},
		{key: "hops", title: "Hops of tasks"}, {key: "messages", title: "Messages of the balancer"},
		{key: "rounds", title: "Rounds to quiescence"}, {key: "control_messages", title: "Its messages"},
		{key: "reported_after_ns", title: "Reported after", show: nsCell}}}
	for i := range list {
		l := &list[i]
		out.add(l.Queue, l.Balance, float64(l.Length)*unit, float64(l.Length)/float64(max(1, list[0].Length)), l.Hops,
			l.Messages, int64(l.Quiet.First+l.Quiet.Second), l.Quiet.Messages,
			float64(max(0, l.Quiet.At-l.Length))*unit)
	}
	return out.write(q.Out, q.format.value)
}

// printStages prints the stages of a run.
func (q *diagnosis) printStages(ctx context.Context, t *prv.Trace, r *diagnose.Result) error {
	length, _, _, err := timeRange(q.stages, "", t)
	if err != nil {
		return err
	}
	list, err := r.Stages(ctx, length)
	if err != nil {
		return fmt.Errorf("%s: %w", t.Path, err)
	}
	unit := float64(t.Unit.Nanoseconds())
	out := &table{columns: []column{{key: "from_ns", title: "From", show: nsCell},
		{key: "busy", title: "Busy", show: shareCell}, {key: "least_busy", title: "Least busy", show: shareCell},
		{key: "created", title: "Messages created"},
		{key: "executed", title: "Executions"}, {key: "grain_ns", title: "Mean length", show: nsCell},
		{key: "queued", title: "Waiting", show: plainCell}, {key: "arrived", title: "Messages arrived"}}}
	for i := range list {
		s := &list[i]
		created, arrived, executed := 0, 0, 0
		for p := range s.Busy {
			created, arrived, executed = created+s.Created[p], arrived+s.Arrived[p], executed+s.Executed[p]
		}
		out.add(float64(s.From)*unit, s.MeanBusy(), slices.Min(s.Busy), int64(created), int64(executed), s.Grain*unit,
			s.Queued, int64(arrived))
	}
	return out.write(q.Out, q.format.value)
}
