package cli

import (
	"github.com/spf13/cobra"

	"pview/prv/tools"
)

// counters writes a trace with counts in the place of events.
func (a *app) counters() *cobra.Command {
	t := &traceTool{a: a, suffix: "sc"}
	opt := tools.CountOptions{Interval: tools.Moment{Value: 1, Unit: tools.Percent}}
	var keep []tools.TypeRule
	cmd := &cobra.Command{
		Use:   "counters TRACE",
		Short: "Write a trace with counts of events in the place of the events",
		Long: "counters counts the events of each thread, or adds up their values, and writes the sums where a Running state begins, as Paraver's software counters do, in one pass " +
			"over a file of any size: a small trace that still tells how much happened when. Messages and states other than Running do not stay.\n\n" +
			"With --interval the sums are written when so much time has passed since the last; with --bursts at the begin and end of every Running state that lasts at least so long, " +
			"and only these states stay. Counted events have new types, such as 15001003 for MPI_Isend (50000001:3), with names in the .pcf; values that are added up keep the type of the event. " +
			"TYPES are as for pview filter. Without --count and --accumulate all events are counted and added up.",
		Example: "pview counters run.prv --count 50000001:1,3 --interval 10ms -o counts.prv\n" +
			"pview counters run.prv --accumulate 42000050 --bursts 1ms --keep 60000019\n" +
			"pview counters run.prv --xml counters.xml -o counts.prv",
		Args:              needs("TRACE"),
		ValidArgsFunction: completeTraces,
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.Var(&typesFlag{rules: &opt.Count}, "count", "events to count")
	f.Var(&typesFlag{rules: &opt.Accumulate}, "accumulate", "events of which the values are added up")
	f.Var(&typesFlag{rules: &keep}, "keep", "events that stay, by type")
	f.Var(&momentFlag{at: &opt.Interval}, "interval", "time between sums (1%)")
	f.Var(&momentFlag{at: &opt.MinBurst}, "bursts", "sums at the begin and end of Running states that last so long; 0: of all states")
	f.BoolVar(&opt.Global, "global", false, "one counter for all values of a type")
	f.BoolVar(&opt.OnlyInBursts, "only-in-bursts", false, "with --interval: only events within Running states count")
	f.BoolVar(&opt.RemoveStates, "remove-states", false, "with --interval: no states stay")
	f.BoolVar(&opt.Summarize, "summarize", false, "with --interval: the time in Running becomes a counter, of type 1; no states stay")
	t.flags(f, &opt.AsParaver, "software_counters", "the last sums stand 10 before the end, although events that they count may come later")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if cmd.Flags().Changed("interval") && cmd.Flags().Changed("bursts") {
			return usagef("--interval and --bursts exclude each other")
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
