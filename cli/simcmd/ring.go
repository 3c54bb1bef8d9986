package simcmd

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/insight/report"
	"pview/prv"
	"pview/prv/quantity"
	"pview/render/document"
	"pview/sim/ring"
)

// Ring measures scheduling policies with the thesis' synthetic workload.
func Ring(a *command.App) *cobra.Command {
	q := &ringQuestion{App: a, quantum: simTime{ring.Quantum}}
	cmd := &cobra.Command{
		Use:   "ring [RING...]",
		Short: "Compare scheduling policies with rings of tasks that share CPUs",
		Long: "ring measures how scheduling policies share CPUs among applications that wait for messages. The load " +
			"is one or two rings: each of N tasks " +
			"receives a message from its neighbour, computes for a time A, sends it on, and computes for a time B " +
			"such that a task with its own CPU uses the share DEMAND " +
			"of it. The network takes no time, and the rings turn for ever. Results are the time of a turn of the " +
			"token, its ratio to that of the ring alone (slowdown), the turns per second of all rings, and the ratio " +
			"of the slowdowns (1: fair).\n\n" +
			"A RING is written as in the thesis that defines this benchmark (S. Girona, UPC 2003, chapter 8): " +
			"(A,DEMAND)[CPUS], with the CPU of each task, from 1. Without " +
			"RING the experiments of that chapter are run; docs/scheduling.md has their results.",
		Example: "pview ring --experiment E1\n" +
			"pview ring '(4200us,60%)[1..8]' '(200us,60%)[1..8]'\n" +
			"pview ring '(4200us,60%)[1,1,2,2,3,3,4,4]' --policy RR,CP_RR --quantum 100us\n" +
			"pview ring '(4200us,60%)[1..8]' '(4200us,75%)[1..8]' --policy PP_1 -o ring.prv",
		RunE: func(cmd *cobra.Command, args []string) error { return q.run(cmd.Context(), args) },
	}
	var policies, experiments []string
	for _, p := range ring.Policies {
		policies = append(policies, p.Name)
	}
	for _, e := range ring.Experiments {
		experiments = append(experiments, e.Name)
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringSliceVar(&q.experiments, "experiment", nil,
		"only the experiments `NAMES`: "+strings.Join(experiments, ", "))
	f.StringSliceVar(&q.policies, "policy", nil, "only the policies `NAMES`: "+strings.Join(policies, ", "))
	f.Var(&q.quantum, "quantum", "time slice of the policies (1ms)")
	f.IntVar(&q.turns, "turns", ring.Turns, "minimum turns of each ring; the first third is not measured")
	f.StringVarP(&q.out, "output", "o", "",
		"write the trace of the rings under one policy, --turns long, to `FILE` (.prv, .prv.gz)")
	return cmd
}

// ringQuestion is the command's flags.
type ringQuestion struct {
	*command.App
	experiments, policies []string
	quantum               simTime
	turns                 int
	out                   string
}

func (q *ringQuestion) run(ctx context.Context, args []string) error {
	if q.turns < 4 || q.turns > 1e6 {
		return command.Usagef("--turns must be from 4 to 1000000, not %d", q.turns)
	}
	if q.quantum.ns < 1e3 {
		return command.Usagef("--quantum must be >= 1us")
	}
	experiments, err := q.chosen(args)
	if err != nil {
		return err
	}
	policies, err := q.chosenPolicies()
	if err != nil {
		return err
	}
	if q.out != "" {
		if err := q.save(ctx, args, experiments[0].Loads[0], policies); err != nil {
			return err
		}
	}
	bar := command.NewProgress(q.Err, "simulating rings")
	bar.Plain = true
	rows, err := ring.Study(ctx, experiments, policies, q.quantum.ns, q.turns, bar.Report)
	bar.Close()
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		return fmt.Errorf("%w: none of these policies applies to this number of rings", command.ErrNothing)
	}
	return document.WriteTable(q.Out, ringTable(rows), q.Format.Value)
}

// chosen returns the selected experiments, or one with the rings of the arguments.
func (q *ringQuestion) chosen(args []string) (list []ring.Experiment, err error) {
	if len(args) > 0 {
		if q.experiments != nil {
			return nil, command.Usagef("--experiment and RING are mutually exclusive")
		}
		own := ring.Experiment{Loads: make([]ring.Load, 1)}
		for _, text := range args {
			r, err := ring.Parse(text)
			if err != nil {
				return nil, command.Usagef("%v", err)
			}
			own.Loads[0].Rings = append(own.Loads[0].Rings, r)
		}
		return []ring.Experiment{own}, nil
	}
	if q.experiments == nil {
		return ring.Experiments, nil
	}
	for _, name := range q.experiments {
		e, ok := ring.ExperimentByName(strings.ToUpper(name))
		if !ok {
			return nil, command.Usagef("--experiment: there is no experiment %q", name)
		}
		list = append(list, *e)
	}
	return list, nil
}

func (q *ringQuestion) chosenPolicies() (list []*ring.Policy, err error) {
	if q.policies == nil {
		for i := range ring.Policies {
			list = append(list, &ring.Policies[i])
		}
	}
	for _, name := range q.policies {
		p, ok := ring.PolicyByName(strings.ToUpper(name))
		if !ok {
			return nil, command.Usagef("--policy: there is no policy %q", name)
		}
		list = append(list, p)
	}
	return list, nil
}

// save writes the trace of the rings of the arguments.
func (q *ringQuestion) save(ctx context.Context, args []string, load ring.Load, policies []*ring.Policy) error {
	if len(args) == 0 || len(policies) != 1 || !policies[0].Applies(len(load.Rings)) {
		return command.Usagef("--output needs RING, and one --policy that applies to this number of rings")
	}
	if !strings.HasSuffix(q.out, ".prv") && !strings.HasSuffix(q.out, ".prv.gz") {
		return command.Usagef("%s: the name of a trace must end in .prv or .prv.gz", q.out)
	}
	if err := command.CheckOutputs(q.out); err != nil {
		return err
	}
	r, err := ring.Simulate(ctx, policies[0].Scheduler(q.quantum.ns), q.turns, true, load.Rings...)
	if err != nil {
		return err
	}
	return prv.Save(ctx, q.out, r.Trace)
}

// endless is an infinite time.
type endless struct{}

// String returns the value in tables for programs.
func (endless) String() string { return "inf" }

// MarshalJSON writes null: JSON has no infinite numbers.
func (endless) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

func finite(v float64) any {
	if math.IsInf(v, 1) {
		return endless{}
	}
	return v
}

// ringTable has a line for each load and policy, with columns for as many rings as a load has.
func ringTable(rows []ring.Row) *report.Table {
	number := func(show func(float64) string) func(any) string {
		return func(v any) string {
			if v, ok := v.(float64); ok {
				return show(v)
			}
			return "never"
		}
	}
	digits := number(func(v float64) string { return fmt.Sprintf("%.2f", v) })
	duration := number(func(v float64) string { return quantity.Time.Format(v) })
	t := &report.Table{Columns: []report.Column{{Key: "experiment", Title: "Experiment"}, {Key: "load", Title: "X"},
		{Key: "policy", Title: "Policy"},
		{Key: "turns_per_s", Title: "Turns/s", Show: digits}, {Key: "slowdown_ratio", Title: "Ratio", Show: digits}}}
	most := 0
	for _, r := range rows {
		most = max(most, len(r.Outcome.Turn))
	}
	for i := range most {
		t.Columns = append(t.Columns, report.Column{Key: fmt.Sprintf("turn_%d_ns", i+1),
			Title: fmt.Sprintf("Turn of ring %d", i+1), Show: duration, Right: true},
			report.Column{Key: fmt.Sprintf("slowdown_%d", i+1), Title: "Slowdown", Show: digits, Right: true})
	}
	for _, r := range rows {
		o := r.Outcome
		line := []any{r.Experiment.Name, r.Load.X, r.Policy.Name, o.Throughput(), finite(o.Ratio())}
		for i := range most {
			if i < len(o.Turn) {
				line = append(line, finite(o.Turn[i]), finite(o.Slowdown[i]))
			} else {
				line = append(line, nil, nil)
			}
		}
		t.Add(line...)
	}
	return t
}
