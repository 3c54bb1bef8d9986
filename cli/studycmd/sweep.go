package studycmd

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/prv"
	"pview/render/document"
	"pview/sim"
	"pview/sim/study"
)

// sweep simulates runs over a range of values.
func sweep(a *command.App) *cobra.Command {
	q := &sweepQuestion{studyFlags: studyFlags{App: a}}
	cmd := &cobra.Command{
		Use:   "sweep TRACE...",
		Short: "Simulate with each of several values of parameters",
		Long: "sweep simulates each TRACE with every combination of the values of --vary, and prints for each its time, the shares of the threads' time spent " +
			"computing and occupying a CPU (also by latency, context switches and busy waits), the slowdown (time on the baseline machine / time: 1 is as fast), and, for several traces, " +
			"the speedup (time of the first trace / time of this one, with the same values). Values are a list (0,25us,1ms), a range with a step (0..100us+10us) or a factor (1us..10ms*10); " +
			"the parameter \"machine\" takes configurations and names of machines.",
		Example: "pview study sweep run.prv --vary latency=1us..10ms*10\n" +
			"pview study sweep run.prv --machine cluster.cfg --vary bandwidth=64..16GB/s*2 --vary buses=0,1,8\n" +
			"pview study sweep run_8.prv run_32.prv --vary machine=ideal,now,hpc,cluster.cfg\n" +
			"pview study sweep run.prv --vary policy=FIFO,RR --set cpus=2 --set process-per-node=4",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("sweep needs TRACE")
			}
			return nil
		},
		ValidArgsFunction: command.CompletePrograms,
		RunE:              func(cmd *cobra.Command, args []string) error { return q.run(cmd.Context(), args) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringArrayVar(&q.vary, "vary", nil, "parameter and its values, `NAME=VALUES`; repeat it for all combinations")
	f.StringVar(&q.baseline, "baseline", "ideal",
		"reference machine of slowdowns: a configuration (.cfg), a name, or \"machine\" for that of --machine")
	q.flags(f)
	return cmd
}

// sweepQuestion is the command's flags.
type sweepQuestion struct {
	studyFlags
	vary     []string
	baseline string
}

func (q *sweepQuestion) run(ctx context.Context, paths []string) error {
	if len(q.vary) == 0 {
		return command.Usagef("sweep needs --vary NAME=VALUES")
	}
	var axes []study.Axis
	for _, text := range q.vary {
		a, err := q.axis(text)
		if err != nil {
			return err
		}
		axes = append(axes, a)
	}
	// A machine comes first, as it is what the others change.
	slices.SortStableFunc(axes, func(a, b study.Axis) int {
		return btoi(b.Name == "machine") - btoi(a.Name == "machine")
	})
	base := func(s study.Case) *sim.Machine { return s.Machine }
	if q.baseline != "machine" {
		machine, _, err := command.MachineFor(q.baseline)
		if err != nil {
			return err
		}
		base = func(s study.Case) *sim.Machine { return machine(s.Program) }
	}
	opt := q.options("sweep", "simulating")
	var subjects []study.Case
	for _, path := range paths {
		_, s, err := q.subject(ctx, path)
		if err != nil {
			return err
		}
		subjects = append(subjects, s)
	}
	points, bases, err := study.Sweep(ctx, subjects, axes, base, opt)
	if err != nil {
		return err
	}
	q.tell(subjects, points, bases)
	if !slices.ContainsFunc(points, func(p study.Point) bool { return p.Err == nil }) {
		return errors.New("none of the simulations succeeded")
	}
	answer := command.Passage{Text: baselineText(subjects, bases, q.baselineName()),
		Table: sweepTable(subjects, axes, points, true)}
	if err := q.writePage(q.done[0].plan, q.done[0].table, []command.Passage{answer}); err != nil {
		return err
	}
	switch out := sweepTable(subjects, axes, points, false); q.Format.Value {
	case "json":
		return command.WriteJSON(q.Out, studyObject(q.done[0].plan, q.done[0].table,
			command.Field{Key: "points", Value: out.Objects()}))
	case "tsv", "csv":
		return document.WriteTable(q.Out, out, q.Format.Value)
	}
	return q.PrintAnswer(answer)
}

func (q *sweepQuestion) baselineName() string {
	if q.baseline == "machine" {
		return q.machine
	}
	return q.baseline
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// tell reports failed simulations on standard error, once per reason.
func (q *sweepQuestion) tell(subjects []study.Case, points []study.Point, bases []study.Outcome) {
	told := map[string]bool{}
	say := func(subject int, err error) {
		if err == nil {
			return
		}
		if text := fmt.Sprintf("%s: %v", subjects[subject].Name, err); !told[text] {
			told[text] = true
			q.Say("%s", text)
		}
	}
	for i := range bases {
		if bases[i].Err != nil {
			say(i, fmt.Errorf("baseline: %w", bases[i].Err))
		}
	}
	for i := range points {
		say(points[i].Subject, points[i].Err)
	}
}

// sweepTable has a line for each point: text and bars for people, numbers for programs.
func sweepTable(subjects []study.Case, axes []study.Axis, points []study.Point, person bool) *command.Table {
	out := &command.Table{Columns: []command.Column{{Key: "trace", Title: "Trace", Known: true},
		{Key: "tasks", Title: "Tasks", Known: true}}}
	for i := range axes {
		out.Columns = append(out.Columns, command.Column{Key: axisKey(&axes[i]),
			Title: command.UpperFirst(axes[i].Name),
			Right: !axes[i].Names})
	}
	out.Columns = append(out.Columns, command.Column{Key: "time_ns", Title: "Time", Show: command.AsDuration})
	if person {
		out.Columns = append(out.Columns, command.Column{})
	}
	out.Columns = append(out.Columns, command.Column{Key: "computing", Title: "Computing", Show: command.AsPercent},
		command.Column{Key: "occupied", Title: "Occupied", Show: command.AsPercent},
		command.Column{Key: "slowdown", Title: "Slowdown", Show: command.Decimals(3)},
		command.Column{Key: "speedup", Title: "Speedup", Show: command.Decimals(2), Known: len(subjects) == 1})
	if !person {
		out.Columns = append(out.Columns, command.Column{Key: "messages"}, command.Column{Key: "bytes"},
			command.Column{Key: "problem"})
	}
	most := int64(0)
	for i := range points {
		most = max(most, points[i].Total)
	}
	for i := range points {
		out.Rows = append(out.Rows, sweepRow(subjects, axes, &points[i], most, person))
	}
	return out
}

func sweepRow(subjects []study.Case, axes []study.Axis, p *study.Point, most int64, person bool) []any {
	name := subjects[p.Subject].Name
	if person {
		name = filepath.Base(name)
	}
	row := []any{name, int64(len(subjects[p.Subject].Program.Tasks))}
	for k, at := range p.At {
		if v := &axes[k].Values[at]; person || axes[k].Names {
			row = append(row, v.Text)
		} else if n := int64(v.Number); float64(n) == v.Number {
			row = append(row, n)
		} else {
			row = append(row, v.Number)
		}
	}
	failed := p.Err != nil
	cell := func(v any) any {
		if failed {
			return nil
		}
		return v
	}
	row = append(row, cell(p.Total))
	if person {
		row = append(row, command.Bar(float64(p.Total), float64(most), 20))
	}
	row = append(row, cell(p.Computing), cell(p.Occupied), command.OrNone(p.Slowdown), command.OrNone(p.Speedup))
	if person {
		return row
	}
	row = append(row, cell(p.Messages), cell(p.Bytes), nil)
	if failed {
		row[len(row)-1] = p.Err.Error()
	}
	return row
}

// axisKey is the key of an axis for programs: times are in ns, bandwidths in MB/s of 2^20 bytes, sizes in bytes.
func axisKey(a *study.Axis) string {
	if a.Unit == "ns" {
		return a.Name + "_ns"
	}
	return a.Name
}

// baselineText names the reference of slowdowns.
func baselineText(subjects []study.Case, bases []study.Outcome, name string) string {
	var b strings.Builder
	for i, s := range subjects {
		if bases[i].Err == nil {
			fmt.Fprintf(&b, "%s: %s on the baseline machine (%s), %s\n", prv.Clean(s.Name),
				command.Duration(bases[i].Total, prv.Nanoseconds), name,
				command.Plural(bases[i].Messages, "message"))
		}
	}
	return b.String() + "\n"
}
