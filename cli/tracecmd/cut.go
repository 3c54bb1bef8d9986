package tracecmd

import (
	"time"

	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/prv/tools"
)

// Cut writes a time range of a trace.
func Cut(a *command.App) *cobra.Command {
	t := &traceTool{a: a, suffix: "chop"}
	opt := tools.CutOptions{To: tools.End, BreakStates: true}
	cmd := &cobra.Command{
		Use:   "cut TRACE",
		Short: "Write a time range of a trace as a trace",
		Long: "cut writes the records of a time range, of all tasks or some, as Paraver's cutter does, in one pass " +
			"over a file of any size. " +
			"Times in the result count from its first record. Messages are kept if sent and received within the " +
			"range; calls that are open at its end are closed with events of value 0, and " +
			"the first value of each hardware counter, which counts from before the range, becomes 0. A comment in " +
			"the result records the cut.\n\n" +
			"A time is 1.2s, 300us or 10% (of the duration); a plain number is in the trace's unit.",
		Example: "pview cut run.prv --from 1.2s --to 3s -o part.prv\n" +
			"pview cut run.prv.gz --from 40% --to 60% --tasks 1-4,8 -o part.prv.gz\n" +
			"pview cut run.prv --xml cut.xml -o part.prv",
		Args:              command.Needs("TRACE"),
		ValidArgsFunction: command.CompleteTraces,
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.Var(&command.MomentFlag{At: &opt.From}, "from", "start (0)")
	f.Var(&command.MomentFlag{At: &opt.To}, "to", "end (that of the trace)")
	f.Var(&command.TasksFlag{Tasks: &opt.Tasks}, "tasks",
		"only these tasks, such as 1-4,8, or 2.3 for task 3 of ptask 2; messages to or from them are kept")
	f.BoolVar(&opt.OriginalTimes, "original-times", false, "keep the times, and keep states at the limits whole")
	f.BoolVar(&opt.BreakStates, "break-states", true, "cut states at the limits; =false keeps them whole")
	f.BoolVar(&opt.RemoveFirst, "remove-first-states", false,
		"drop states across the start, and events before a thread's first state")
	f.BoolVar(&opt.RemoveLast, "remove-last-states", false, "drop states across the end")
	f.BoolVar(&opt.KeepEvents, "keep-events", false, "keep events beyond the limits, within states kept whole")
	f.Var(&command.BytesFlag{N: &opt.MaxBytes}, "max-size", "end the result at this file size")
	t.flags(f, &opt.AsParaver, "cutter",
		"stop at the first record past the end, even if records are not in time order, and apply percentages twice "+
			"for the header")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		err := t.options(cmd, func(file *tools.OptionFile) bool {
			if file.Cut != nil {
				opt = *file.Cut
			}
			return file.Cut != nil
		})
		if err != nil {
			return err
		}
		if opt.KeepEvents && opt.BreakStates && !opt.OriginalTimes && cmd.Flags().Changed("keep-events") {
			return command.Usagef(
				"--keep-events needs --break-states=false or --original-times: states cut at the limits have no " +
					"events beyond them")
		}
		return t.do(cmd, args[0], func(src tools.Source, out string) (*tools.Result, error) {
			return tools.Cut(cmd.Context(), src, out, opt, time.Now())
		})
	}
	return cmd
}
