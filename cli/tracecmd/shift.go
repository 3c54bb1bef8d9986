package tracecmd

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/prv"
	"pview/prv/tools"
)

// shiftLevels are the objects that can be shifted, the default first.
var shiftLevels = []prv.Level{prv.LevelWorkload, prv.LevelPtask, prv.LevelTask, prv.LevelThread}

// Shift shifts the records of a trace in time.
func Shift(a *command.App) *cobra.Command {
	t := &traceTool{a: a, suffix: "shift"}
	var opt tools.ShiftOptions
	by := &timesFlag{times: &opt.Times}
	var file string
	level := command.NewChoice("workload", "ptask", "task", "thread")
	cmd := &cobra.Command{
		Use:   "shift TRACE",
		Short: "Shift a trace, or its ptasks, tasks or threads, in time",
		Long: "shift adds a time to all times of a trace, or one to each of its ptasks, tasks or threads in order, " +
			"as Paraver's shifter does, in one pass over a file of any size: " +
			"to align clocks, or to overlay two phases. Objects beyond the list are not shifted; nothing can move " +
			"before 0. " +
			"Records stay in file order.\n\n" +
			"A time is 1.2ms, or a plain number in the trace's unit. Paraver's option file has one number per line; " +
			"lines that start with # are comments.",
		Example: "pview shift run.prv --by 1ms -o later.prv\n" +
			"pview shift run.prv --level task --by 0,250us,-10us,0 -o aligned.prv\n" +
			"pview shift run.prv --level thread --times shifts.txt -o aligned.prv",
		Args:              command.Needs("TRACE"),
		ValidArgsFunction: command.CompleteTraces,
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.Var(by, "by", "times to add, comma-separated")
	f.StringVar(&file, "times", "", "Paraver's `FILE` of times")
	f.Var(&level, "level", "objects to shift, in order")
	if err := cmd.RegisterFlagCompletionFunc("level", level.Complete); err != nil {
		panic(err) // the flag was defined a line above
	}
	t.flags(f, &opt.AsParaver, "", "shift both ends of a message with its sender; --times implies it")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if (by.text == "") == (file == "") {
			return command.Usagef("shift needs --by TIMES or --times FILE")
		}
		opt.Level = shiftLevels[slices.Index(level.Of, level.Value)]
		if file != "" {
			in, err := os.Open(file)
			if err != nil {
				return command.OpenError(file, err)
			}
			defer in.Close()
			if opt.Times, err = tools.ParseShiftTimes(file, in); err != nil {
				return err
			}
			if !cmd.Flags().Changed("as-paraver") {
				opt.AsParaver = true
			}
		}
		return t.do(cmd, args[0], func(src tools.Source, out string) (*tools.Result, error) {
			return tools.Shift(cmd.Context(), src, out, opt)
		})
	}
	return cmd
}

// timesFlag takes comma-separated times.
type timesFlag struct {
	times *[]tools.Moment
	text  string
}

// String, Set and Type make it a flag value.
func (t *timesFlag) String() string { return t.text }

// Set takes the times.
func (t *timesFlag) Set(text string) error {
	t.text, *t.times = text, nil
	for _, word := range strings.Split(text, ",") {
		m, err := tools.ParseMoment(word)
		if err != nil {
			return err
		}
		*t.times = append(*t.times, m)
	}
	return nil
}

// Type names the value, for the help.
func (t *timesFlag) Type() string { return "TIMES" }
