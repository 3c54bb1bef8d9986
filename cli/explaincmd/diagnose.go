package explaincmd

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/insight/breakdown"
	"pview/insight/diagnose"
	"pview/insight/diagnose/answer"
	"pview/insight/efficiency"
	"pview/insight/replay"
	"pview/insight/waits"
	"pview/prv"
	"pview/prv/quantity"
)

// Diagnose finds what is wrong with a run.
func Diagnose(a *command.App) *cobra.Command {
	q := &diagnosis{App: a, set: diagnose.Default}
	cmd := &cobra.Command{
		Use:   "diagnose TRACE",
		Short: "Find what is wrong, ranked by the time that it costs",
		Long: "diagnose applies an expert's rules to a run (pview list diagnosis-rules) and ranks the findings by " +
			"how much shorter the run would be without them. Each finding has its formula with the numbers, advice, " +
			"and the places in the trace that show it. A simulation of the run with the repair confirms or corrects " +
			"the estimate. Idle time is divided among its causes, exactly.\n\nWith --waits it prints the wait states " +
			"instead: receives before their message was sent, sends before their receive was posted, collective " +
			"operations before the last had arrived, idle OpenMP threads; and what caused the waiting, as Scalasca " +
			"does: the code in which the other thread spent more time than the one that waited and, if that thread " +
			"had waited itself, the cause of that wait, back to the root. The costs of all causes sum to the waiting " +
			"time. Last come the regions on the critical path: how much longer each takes there than on the mean of " +
			"the threads; the threads' time in it, up to its time on the path and beyond that; and the rest of their " +
			"time, lost where the path takes longer. Over all regions, the last three sum to the time of all " +
			"threads.\n\nWith --classes it prints a table of the regions of code: an execution is a stretch of a " +
			"region without idle time; imbalance is the largest number of executions, or their largest mean length, " +
			"divided by the mean of the threads; zeroing is by how much the longest chain of computation would be " +
			"shorter if the region took no time, slack by how much shorter the longest chain without it is.\n\nWith " +
			"--runtimes it prints how a message-driven run would fare under other runtime systems: orders of the " +
			"queues, strategies of load balancing, and the detection of quiescence.\n\nWith --repair it simulates " +
			"changes that you write, in the notation of the findings' own repairs, and prints their joint gain: " +
			"remove:call=MPI_Barrier, faster:region=spmv/threads=1.4.1:20%, balance:region=stencil. With --causal it " +
			"prints what the run gains when a region is 10, 20 and 50 % faster on all threads.\n\nA send waits for " +
			"its receiver only above the eager limit: --eager, or the largest size that the trace shows to be sent " +
			"without waiting. The exit status is 3 if nothing was found.",
		Example: "pview diagnose run.prv\n" +
			"pview diagnose run.prv --gate 85 --top 5\n" +
			"pview diagnose run.prv --waits\n" +
			"pview diagnose run.prv --classes --top 0\n" +
			"pview diagnose run.prv --html report.html\n" +
			"pview diagnose run.prv --repair remove:call=MPI_Barrier --repair balance:region=stencil -o " +
			"repaired.prv\n" +
			"pview diagnose run.prv --causal\n" +
			"pview diagnose run.sts --runtimes\n" +
			"pview diagnose run.prv --format json",
		Args:              command.Needs("TRACE"),
		ValidArgsFunction: command.CompleteTraces,
		RunE:              func(cmd *cobra.Command, args []string) error { return q.run(cmd.Context(), args[0]) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&q.html, "html", "", "write the findings, with pictures of their evidence, as a page to `FILE`")
	f.BoolVar(&q.waits, "waits", false, "print wait states and their causes")
	f.BoolVar(&q.classes, "classes", false,
		"print what each region of code contributes: executions, imbalance, part in the critical path")
	f.IntVar(&q.top, "top", 10, "the first `N` findings, causes (--waits) or regions (--classes); 0: all")
	f.BoolVar(&q.runtimes, "runtimes", false,
		"message-driven runs: print the predicted time with each order of the queues and strategy of load balancing")
	f.StringVar(&q.stages, "stages", "", "print what threads and messages do in each stage of a `TIME`")
	f.StringVar(&q.from, "from", "", "diagnose the run from a `TIME` on: 12.5ms, 10%, or a number in the trace's unit")
	f.StringVar(&q.to, "to", "", "diagnose the run up to a `TIME`")
	f.Float64Var(&q.gate, "gate", 100*diagnose.Default.Gate,
		"skip phases with at least this `PERCENT` of utilisation")
	f.Float64Var(&q.cut, "cut-off", 100*diagnose.Default.CutOff,
		"findings below this `PERCENT` of those of their phase are minor")
	f.IntVar(&q.verify, "verify", diagnose.Verified, "simulate the repairs of the first `N` findings")
	f.StringArrayVar(&q.repairs, "repair", nil,
		"simulate a change of the program, `ACTION:TARGET[:PARAMETER]` (repeatable, or with ; between, all at once): "+
			"pview list repairs")
	f.StringVarP(&q.out, "output", "o", "", "with --repair: write the changed run as a trace to `FILE` (.prv, .prv.gz)")
	f.BoolVar(&q.causal, "causal", false,
		"print what the run gains when a region of code is faster on all threads")
	f.StringVar(&q.eager, "eager", "",
		"eager limit: sends up to `SIZE` never wait for their receiver, such as 64K (default: inferred from the trace)")
	f.UintSliceVar(&q.regions, "regions", nil,
		"event `TYPES` whose values are regions of the program, instead of user functions")
	f.BoolVar(&q.noIdle, "no-idle-workers", false,
		"do not count OpenMP threads between two parallel regions as waiting")
	return cmd
}

// diagnosis is the command's flags.
type diagnosis struct {
	*command.App
	waits     bool
	classes   bool
	runtimes  bool
	stages    string
	html      string
	from, to  string
	top       int
	gate, cut float64
	verify    int
	eager     string
	regions   []uint
	noIdle    bool
	repairs   []string
	out       string
	causal    bool
	set       diagnose.Settings
}

// options returns the options of the search for waits.
func (q *diagnosis) options() (opt waits.Options, err error) {
	opt.NoIdleWorkers = q.noIdle
	if q.eager != "" {
		size, err := command.SizeOf(q.eager, 0)
		if err != nil {
			return opt, command.Usagef("--eager %s: must be a size such as 4096 or 64K", q.eager)
		}
		opt.Eager = &size
	}
	opt.Regions, err = command.EventTypes(q.regions, nil)
	return opt, err
}

func (q *diagnosis) run(ctx context.Context, path string) error {
	opt, err := q.options()
	if err == nil {
		err = q.check()
	}
	if err != nil {
		return err
	}
	q.set.Gate, q.set.CutOff = q.gate/100, q.cut/100
	t, err := q.OpenNamed(ctx, path)
	if err != nil {
		return err
	}
	if q.waits {
		return q.printWaits(ctx, t, opt)
	}
	from, to, _, err := command.TimeRange(q.from, q.to, t)
	if err != nil {
		return err
	}
	bar := command.NewProgress(q.Err, "diagnosis of "+path)
	bar.Plain = true
	r, err := diagnose.Analyze(ctx, t, diagnose.Options{Waits: opt, Settings: &q.set, From: from, To: to,
		Verify: q.verified(), Progress: bar.Report})
	bar.Close()
	if err != nil {
		return err
	}
	if q.classes {
		return q.printClasses(ctx, t, r)
	}
	if q.runtimes {
		list, err := r.Runtimes(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", t.Path, err)
		}
		return q.PrintDocument(replay.RuntimeDocument(list, t.Unit))
	}
	if len(q.repairs) > 0 {
		return q.printRepair(ctx, t, r)
	}
	if q.causal {
		return q.printCausal(ctx, t, r)
	}
	if q.stages != "" {
		return q.printStages(ctx, t, r)
	}
	d := answer.Document(r, t, q.top)
	if q.html != "" {
		run, err := efficiency.Measure(ctx, t, efficiency.Options{})
		if err != nil {
			return err
		}
		d.Sections = append(d.Sections,
			efficiency.Compare([]*efficiency.Run{run}, efficiency.Auto).PageSection())
		if err := q.WritePage(ctx, q.html, d); err != nil {
			return err
		}
	}
	if err := q.PrintDocument(d); err != nil {
		return err
	}
	if len(r.Findings) == 0 {
		return fmt.Errorf("%w: no rule has a finding for %s, whose parallel efficiency is %s", command.ErrNothing,
			path, quantity.FormatPercent(r.Account.Efficiency()))
	}
	return nil
}

// check reports flags that exclude each other, and invalid shares.
func (q *diagnosis) check() error {
	switch {
	case q.waits && (q.from != "" || q.to != ""):
		return command.Usagef("--from and --to are for findings, not for --waits")
	case q.out != "" && len(q.repairs) == 0:
		return command.Usagef("--output is for the trace of --repair")
	case q.answers() > 1 && !(q.causal && q.html != "" && q.answers() == 2):
		return command.Usagef("only one of --waits, --classes, --runtimes, --stages, --repair, --causal and --html " +
			"can be given")
	case q.gate < 0 || q.gate > 100 || q.cut < 0 || q.cut > 100:
		return command.Usagef("--gate and --cut-off must be between 0 and 100")
	}
	return command.CheckOutputs(q.out, q.html)
}

// verified returns the number of findings to verify: 0 if none are printed.
func (q *diagnosis) verified() int {
	if q.classes || q.runtimes || q.stages != "" || q.causal || len(q.repairs) > 0 {
		return 0
	}
	return q.verify
}

// answers counts the requested answers.
func (q *diagnosis) answers() (n int) {
	for _, asked := range []bool{q.waits, q.classes, q.runtimes, q.stages != "", q.html != "",
		q.causal, len(q.repairs) > 0} {
		if asked {
			n++
		}
	}
	return n
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
	return q.PrintDocument(breakdown.StageDocument(list, t.Unit))
}

// printClasses prints the class table.
func (q *diagnosis) printClasses(ctx context.Context, t *prv.Trace, r *diagnose.Result) error {
	list, err := r.Classes(ctx)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return fmt.Errorf("%w: no thread computes in %s", command.ErrNothing, t.Path)
	}
	return q.PrintDocument(breakdown.ClassDocument(list, r.Level, t.Unit, q.top))
}
