package tracecmd

import (
	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/prv/tools"
)

// Counters replaces the events of a trace by counts.
func Counters(a *command.App) *cobra.Command {
	t := &traceTool{a: a, suffix: "sc"}
	opt := tools.CountOptions{Interval: tools.Moment{Value: 1, Unit: tools.Percent}}
	var keep []tools.TypeRule
	cmd := &cobra.Command{
		Use:   "counters TRACE",
		Short: "Replace the events of a trace by counts",
		Long: "counters counts the events of each thread, or sums their values, and writes the sums where a Running " +
			"state begins, as Paraver's software counters do, in one pass " +
			"over a file of any size: a small trace that still shows how much happened when. Messages and states " +
			"other than Running are dropped.\n\n" +
			"With --interval the sums are written once that time has passed since the last; with --bursts at the " +
			"start and end of every Running state of at least that duration, " +
			"and only these states are kept. Counted events get new types, such as 15001003 for MPI_Isend " +
			"(50000001:3), with names in the .pcf; summed values keep the type of the event. " +
			"TYPES are as in pview filter. Without --count and --accumulate all events are counted and summed.",
		Example: "pview counters run.prv --count 50000001:1,3 --interval 10ms -o counts.prv\n" +
			"pview counters run.prv --accumulate 42000050 --bursts 1ms --keep 60000019\n" +
			"pview counters run.prv --xml counters.xml -o counts.prv",
		Args:              command.Needs("TRACE"),
		ValidArgsFunction: command.CompleteTraces,
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.Var(&command.TypesFlag{Rules: &opt.Count}, "count", "events to count")
	f.Var(&command.TypesFlag{Rules: &opt.Accumulate}, "accumulate", "events whose values are summed")
	f.Var(&command.TypesFlag{Rules: &keep}, "keep", "events to keep, by type")
	f.Var(&command.MomentFlag{At: &opt.Interval}, "interval", "time between sums (1%)")
	f.Var(&command.MomentFlag{At: &opt.MinBurst}, "bursts",
		"write sums at the start and end of Running states of at least this duration; 0: of all states")
	f.BoolVar(&opt.Global, "global", false, "one counter for all values of a type")
	f.BoolVar(&opt.OnlyInBursts, "only-in-bursts", false, "with --interval: count only events within Running states")
	f.BoolVar(&opt.RemoveStates, "remove-states", false, "with --interval: drop the states")
	f.BoolVar(&opt.Summarize, "summarize", false,
		"with --interval: turn the time in Running into a counter of type 1, and drop the states")
	t.flags(f, &opt.AsParaver, "software_counters",
		"the last sums come 10 time units before the end, although they may count later events")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if cmd.Flags().Changed("interval") && cmd.Flags().Changed("bursts") {
			return command.Usagef("--interval and --bursts are mutually exclusive")
		}
		err := t.options(cmd, func(file *tools.OptionFile) bool {
			if file.Count != nil {
				opt = *file.Count
			}
			return file.Count != nil
		})
		if err != nil {
			return err
		}
		switch changed := cmd.Flags().Changed; {
		case changed("bursts"):
			opt.ByBursts = true
		case changed("interval"):
			opt.ByBursts = false
		}
		if keep != nil {
			opt.Keep = keep
		}
		return t.do(cmd, args[0], func(src tools.Source, out string) (*tools.Result, error) {
			return tools.Count(cmd.Context(), src, out, opt)
		})
	}
	return cmd
}
