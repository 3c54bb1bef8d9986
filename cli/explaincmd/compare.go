package explaincmd

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/insight/compare"
	"pview/insight/report"
	"pview/prv"
)

// Compare accounts for the difference between runs.
func Compare(a *command.App) *cobra.Command {
	q := &compareQuestion{App: a}
	var names []string
	for k := range compare.NumKinds {
		names = append(names, k.String())
	}
	q.by = command.NewChoice(append([]string{"all"}, names...)...)
	cmd := &cobra.Command{
		Use:   "compare A B [TRACE...]",
		Short: "Compare runs: where the second differs from the first, in parts that add up to the difference",
		Long: "compare explains how runs differ from the first one. Each run is divided into phases, which end " +
			"at collective operations of all processes (or begin at events of --iterations); phases that do the " +
			"same are matched, and the time of every thread is accounted for, by the entries of the account that " +
			"diagnose prints. The parts of each kind (phase, category, call, function, wait, cause, ranks) " +
			"add up to the difference of the run times to the ns. With different numbers of threads the account is " +
			"in core time: run time times threads, whose difference would be 0 with perfect scaling.\n\n" +
			"A predicted trace (pview sim -o) is a run like any other: compared with the measured one, it shows " +
			"where the simulation is wrong.",
		Example: "pview compare before.prv after.prv\n" +
			"pview compare run_8.prv run_16.prv --format json\n" +
			"pview compare nightly.prv new.prv --fail-above 5%\n" +
			"pview compare before.prv after.prv --html report.html\n" +
			"pview compare a1.prv b1.prv --base a2.prv,a3.prv,a4.prv --repeats b2.prv,b3.prv,b4.prv\n" +
			"pview compare nightly.prv new.prv --fail-above 5%,parallel-efficiency:-2,region:spmv:+5%",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return fmt.Errorf("compare needs two traces: A and B")
			}
			return nil
		},
		ValidArgsFunction: command.CompleteTraces,
		RunE:              func(cmd *cobra.Command, args []string) error { return q.answer(cmd.Context(), args) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.Var(&q.by, "by", "kind of parts to print")
	f.IntVar(&q.top, "top", 10, "print the first `N` parts of each kind in tables; 0: all")
	f.StringVar(&q.html, "html", "", "write the comparison, with both runs on one time axis, as a page to `FILE`")
	f.StringSliceVar(&q.failAbove, "fail-above", nil,
		"exit with status 1 if a run is worse than A by more than `SHARE`, such as 5% (of the time), "+
			"parallel-efficiency:-2 (points), region:NAME:+5%, wait:+10% (repeatable); with repeated runs only "+
			"beyond noise")
	f.StringSliceVar(&q.base, "base", nil,
		"more runs of A's configuration (`TRACES`): differences within twice their spread are marked")
	f.StringSliceVar(&q.repeats, "repeats", nil,
		"more runs of B's configuration (`TRACES`): with these and --base, whether the difference is more than noise")
	f.UintVar(&q.marker, "iterations", 0,
		"event `TYPE` whose values other than 0 begin an iteration, instead of collective operations")
	f.StringSliceVar(&q.pins, "pin", nil, "match phase N of A with phase M of B, from 1 (`N=M`; repeatable)")
	f.StringVar(&q.threads, "map", "", "thread of B for each of A: their numbers from 1 (`LIST`), such as 2,1,3,4")
	f.IntVar(&q.ptask, "ptask", 0, "only application `N` (from 1) of the traces")
	if err := cmd.RegisterFlagCompletionFunc("by", q.by.Complete); err != nil {
		panic(err) // the flag was defined above
	}
	return cmd
}

// compareQuestion is the command's flags.
type compareQuestion struct {
	*command.App
	by                 command.Choice
	top, ptask         int
	threads            string
	failAbove, repeats []string
	html               string
	traces             map[*compare.Run]*prv.Trace // of the runs, for the page
	base, pins         []string
	marker             uint
	conditions         []compare.Condition
	matching           compare.Matching
}

func (q *compareQuestion) answer(ctx context.Context, paths []string) error {
	if err := q.check(); err != nil {
		return err
	}
	if err := command.CheckOutputs(q.html); err != nil {
		return err
	}
	if len(q.repeats) > 0 && len(paths) > 2 {
		return command.Usagef("--repeats: only with one run beside A")
	}
	first, err := q.analyse(ctx, paths[0])
	if err != nil {
		return err
	}
	others, err := q.analyseAll(ctx, q.base)
	if err != nil {
		return err
	}
	runs, err := q.analyseAll(ctx, paths[1:])
	if err != nil {
		return err
	}
	repeats, err := q.analyseAll(ctx, q.repeats)
	if err != nil {
		return err
	}
	var list []*compare.Result
	for _, run := range runs {
		c, err := compare.Compare(ctx, first, run, q.matching)
		if err != nil {
			return fmt.Errorf("%s and %s: %w", prv.Clean(first.Path), prv.Clean(run.Path), err)
		}
		if err := c.SetNoise(ctx, others); err != nil {
			return err
		}
		if len(others)+len(repeats) > 0 {
			c.SetRepeats(others, repeats)
		}
		list = append(list, c)
	}
	d := q.document(list)
	if q.html != "" {
		if err := q.WritePage(ctx, q.html, d); err != nil {
			return err
		}
	}
	if err := q.PrintDocument(d); err != nil {
		return err
	}
	return q.judge(list)
}

// check reads the flags.
func (q *compareQuestion) check() error {
	for _, text := range q.failAbove {
		x, err := compare.ParseCondition(text)
		if err != nil {
			return command.Usagef("--fail-above %s: %v", text, err)
		}
		q.conditions = append(q.conditions, x)
	}
	if q.marker > 1<<32-1 {
		return command.Usagef("--iterations %d: must be an event type", q.marker)
	}
	for _, pin := range q.pins {
		a, b, ok := strings.Cut(pin, "=")
		n, errA := strconv.Atoi(a)
		m, errB := strconv.Atoi(b)
		if !ok || errA != nil || errB != nil || n < 1 || m < 1 {
			return command.Usagef("--pin %s: must be two phases, such as 3=4", pin)
		}
		q.matching.Pins = append(q.matching.Pins, compare.Pair{A: n - 1, B: m - 1})
	}
	for _, s := range strings.FieldsFunc(q.threads, func(r rune) bool { return r == ',' || r == ' ' }) {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 {
			return command.Usagef("--map %s: must be numbers of threads >= 1, with commas between", q.threads)
		}
		q.matching.Threads = append(q.matching.Threads, n-1)
	}
	return nil
}

func (q *compareQuestion) analyseAll(ctx context.Context, paths []string) (runs []*compare.Run, err error) {
	for _, path := range paths {
		run, err := q.analyse(ctx, path)
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	return runs, nil
}

// analyse accounts for a run; its trace is only kept for a page.
func (q *compareQuestion) analyse(ctx context.Context, path string) (*compare.Run, error) {
	t, err := q.OpenNamed(ctx, path)
	if err != nil {
		return nil, err
	}
	run, err := compare.Analyse(ctx, t, compare.Options{Ptask: q.ptask, Marker: uint32(q.marker)})
	if err != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("%s: %w", prv.Clean(path), err)
	}
	if q.html != "" && err == nil {
		if q.traces == nil {
			q.traces = map[*compare.Run]*prv.Trace{}
		}
		q.traces[run] = t
	}
	return run, err
}

// judge fails if a run is worse than A by more than a condition permits.
func (q *compareQuestion) judge(list []*compare.Result) error {
	var crossed []string
	for _, c := range list {
		for i := range q.conditions {
			if worse, how := q.conditions[i].Crossed(c); worse {
				crossed = append(crossed, fmt.Sprintf("%s crosses %s: %s", prv.Clean(c.B.Path), &q.conditions[i], how))
			}
		}
	}
	if crossed == nil {
		return nil
	}
	return errors.New(strings.Join(crossed, "\n"))
}

// document returns the answer.
func (q *compareQuestion) document(list []*compare.Result) *report.Document {
	by := compare.NumKinds
	for k := range compare.NumKinds {
		if k.String() == q.by.Value {
			by = k
		}
	}
	return compare.Document(list, compare.Selection{By: by, Top: q.top, Noise: len(q.base) > 0, Traces: q.traces})
}
