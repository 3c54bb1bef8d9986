package tracecmd

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/prv/tools"
)

// Filter writes selected records of a trace.
func Filter(a *command.App) *cobra.Command {
	t := &traceTool{a: a, suffix: "filter"}
	opt := tools.FilterOptions{States: true, Events: true, Comms: true}
	var discard []tools.TypeRule
	cmd := &cobra.Command{
		Use:   "filter TRACE",
		Short: "Write selected records of a trace as a trace",
		Long: "filter writes selected states, events and messages of a trace, as Paraver's filter does, in one pass " +
			"over a file of any size. " +
			"Without flags it keeps everything.\n\n" +
			"TYPES are event types, ranges of them, and types with values: " +
			"\"50000001:1,3;50000002;42000050-42000059\". States are named as in the .pcf, or by number.",
		Example: "pview filter run.prv --no-comms --types 50000001-50000003 -o mpi.prv\n" +
			"pview filter run.prv --no-events --states Running --min-state-time 10us\n" +
			"pview filter run.prv --discard-types \"60000019:2\" --min-size 64K\n" +
			"pview filter run.prv --xml filter.xml -o part.prv",
		Args:              command.Needs("TRACE"),
		ValidArgsFunction: command.CompleteTraces,
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.Var(&notFlag{of: &opt.States}, "no-states", "drop states")
	f.Var(&notFlag{of: &opt.Events}, "no-events", "drop events")
	f.Var(&notFlag{of: &opt.Comms}, "no-comms", "drop messages")
	for _, name := range []string{"no-states", "no-events", "no-comms"} {
		f.Lookup(name).NoOptDefVal = "true"
	}
	f.Var(&namesFlag{names: &opt.StateNames}, "states", "only these states, comma-separated")
	f.Var(&command.MomentFlag{At: &opt.MinStateTime}, "min-state-time", "only states of at least this duration")
	f.Var(&command.TypesFlag{Rules: &opt.Types}, "types", "only these events")
	f.Var(&command.MomentFlag{At: &opt.MinCallTime}, "min-call-time",
		"of --types, only calls of at least this duration: from an event with a value to the next of its type with "+
			"value 0")
	f.Var(&command.TypesFlag{Rules: &discard}, "discard-types", "all events except these")
	f.Var(&command.BytesFlag{N: &opt.MinSize}, "min-size", "only messages of at least this size")
	t.flags(f, &opt.AsParaver, "filter", "ignore the minimum duration of calls in its option file")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if cmd.Flags().Changed("types") && cmd.Flags().Changed("discard-types") {
			return command.Usagef("--types and --discard-types are mutually exclusive")
		}
		err := t.options(cmd, func(file *tools.OptionFile) bool {
			if file.Filter != nil {
				opt = *file.Filter
			}
			return file.Filter != nil
		})
		if err != nil {
			return err
		}
		switch {
		case discard != nil:
			opt.Types, opt.DiscardTypes = discard, true
		case cmd.Flags().Changed("types"):
			opt.DiscardTypes = false
		}
		return t.do(cmd, args[0], func(src tools.Source, out string) (*tools.Result, error) {
			return tools.Filter(cmd.Context(), src, out, opt)
		})
	}
	return cmd
}

// notFlag is a switch that turns something off.
type notFlag struct{ of *bool }

// String, Set and Type make it a flag value.
func (n *notFlag) String() string {
	if n.of == nil || *n.of {
		return "false"
	}
	return "true"
}

// Set turns it off.
func (n *notFlag) Set(text string) error {
	v, err := strconv.ParseBool(text)
	*n.of = !v
	return err
}

// Type names the value, for the help.
func (n *notFlag) Type() string { return "bool" }

// namesFlag takes comma-separated names.
type namesFlag struct {
	names *[]string
	text  string
}

// String, Set and Type make it a flag value.
func (n *namesFlag) String() string { return n.text }

// Set takes the names.
func (n *namesFlag) Set(text string) error {
	n.text = text
	*n.names = nil
	for _, name := range strings.Split(text, ",") {
		if name = strings.TrimSpace(name); name != "" {
			*n.names = append(*n.names, name)
		}
	}
	return nil
}

// Type names the value, for the help.
func (n *namesFlag) Type() string { return "NAMES" }
