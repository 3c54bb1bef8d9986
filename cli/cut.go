package cli

import (
	"time"

	"github.com/spf13/cobra"

	"pview/prv/tools"
)

// cut writes a stretch of time of a trace.
func (a *app) cut() *cobra.Command {
	t := &traceTool{a: a, suffix: "chop"}
	opt := tools.CutOptions{To: tools.End, BreakStates: true}
	cmd := &cobra.Command{
		Use:   "cut TRACE",
		Short: "Write a stretch of time of a trace as a trace",
		Long: "cut writes the records from one time to another, of all tasks or some, as Paraver's cutter does, in one pass over a file of any size. " +
			"Times of the result count from its first record. Messages stay that are sent and received within the stretch; calls that are open at its end are closed with events of value 0, and " +
			"the first value of each hardware counter, which counts from before, becomes 0. A comment in the result tells what was cut.\n\n" +
			"Times are such as 1.2s, 300us or 10% (of the duration); a number alone is in the trace's unit.",
		Example: "pview cut run.prv --from 1.2s --to 3s -o part.prv\n" +
			"pview cut run.prv.gz --from 40% --to 60% --tasks 1-4,8 -o part.prv.gz\n" +
			"pview cut run.prv --xml cut.xml -o part.prv",
		Args:              needs("TRACE"),
		ValidArgsFunction: completeTraces,
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.Var(&momentFlag{at: &opt.From}, "from", "begin (0)")
	f.Var(&momentFlag{at: &opt.To}, "to", "end (that of the trace)")
	f.Var(&tasksFlag{tasks: &opt.Tasks}, "tasks", "only these tasks, such as 1-4,8, or 2.3 for task 3 of ptask 2; messages of which they are an end stay")
	f.BoolVar(&opt.OriginalTimes, "original-times", false, "times stay as they are; states at the limits stay whole")
	f.BoolVar(&opt.BreakStates, "break-states", true, "states that lie across a limit end there; with =false they stay whole")
	f.BoolVar(&opt.RemoveFirst, "remove-first-states", false, "states that lie across the begin are left out, and events before a thread's first state")
	f.BoolVar(&opt.RemoveLast, "remove-last-states", false, "states that lie across the end are left out")
	f.BoolVar(&opt.KeepEvents, "keep-events", false, "events stay that lie beyond the limits, within states that stay whole")
	f.Var(&bytesFlag{n: &opt.MaxBytes}, "max-size", "end the result at this size")
	t.flags(f, &opt.AsParaver, "cutter", "end at the first record past the end, also in a body that is not in the order of time, and take percentages twice for the header")
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
			return usagef("--keep-events goes with --break-states=false, or with --original-times: states that end at the limits have no events beyond")
		}
		return t.do(cmd, args[0], func(src tools.Source, out string) (*tools.Result, error) {
			return tools.Cut(cmd.Context(), src, out, opt, time.Now())
		})
	}
	return cmd
}
