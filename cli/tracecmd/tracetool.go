// Package tracecmd has the commands that read, cut, count, draw and write a trace.
package tracecmd

// Shared by the trace tools (cut, filter, shift, counters): reading an option file, choosing a name for the result,
// reporting skipped records.

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pview/cli/command"
	"pview/prv"
	"pview/prv/tools"
)

// traceTool is one run of a trace tool.
type traceTool struct {
	a       *command.App
	suffix  string // for default names
	section string // in option files
	out     string
	xml     string
}

// flags adds the common flags of the tools. asParaver is the option that reproduces Paraver's errors; wrong
// describes these. A tool without a section in option files has no flag for them.
func (t *traceTool) flags(f *pflag.FlagSet, asParaver *bool, section, wrong string) {
	f.StringVarP(&t.out, "output", "o", "",
		"`FILE` to write (.prv, .prv.gz); by default a new name beside TRACE, which is printed")
	implied := ""
	if t.section = section; section != "" {
		f.StringVar(&t.xml, "xml", "", "read the <"+section+
			"> section of Paraver's option `FILE`; other flags override it")
		implied = "; --xml implies it"
	}
	f.BoolVar(asParaver, "as-paraver", false, "reproduce errors of Paraver's tool: "+wrong+implied)
}

// options reads the option file, if there is one. take takes the tool's options from it, or
// returns false if it has none; flags that are set override them.
func (t *traceTool) options(cmd *cobra.Command, take func(*tools.OptionFile) bool) error {
	if t.xml == "" {
		return nil
	}
	in, err := os.Open(t.xml)
	if err != nil {
		return command.OpenError(t.xml, err)
	}
	defer in.Close()
	file, err := tools.ReadOptions(t.xml, in)
	if err != nil {
		return err
	}
	type setFlag struct {
		value pflag.Value
		text  string
	}
	var set []setFlag
	cmd.Flags().Visit(func(f *pflag.Flag) { set = append(set, setFlag{f.Value, f.Value.String()}) })
	if !take(file) {
		return &prv.FileError{File: t.xml, Why: "no <" + t.section + "> section"}
	}
	for _, f := range set {
		if err := f.value.Set(f.text); err != nil {
			return err
		}
	}
	return nil
}

// do runs a tool on a trace and reports skipped records.
func (t *traceTool) do(cmd *cobra.Command, in string,
	tool func(src tools.Source, out string) (*tools.Result, error)) error {
	out := t.out
	if out == "" {
		out = tools.NewName(in, t.suffix)
	}
	if !command.IsTrace(out) {
		return command.Usagef("%s: the name of a trace must end in .prv or .prv.gz", out)
	}
	if command.SameFile(in, out) {
		return command.Usagef("%s: same file as TRACE, which is never overwritten", out)
	}
	if err := command.CheckOutputs(out); err != nil {
		return err
	}
	bar := command.NewProgress(t.a.Err, cmd.Name()+" "+in)
	r, err := tool(tools.Source{Path: in, Progress: bar.Report, Strict: t.a.Strict}, out)
	bar.Close()
	if err == nil {
		for _, line := range toolRemarks(in, r) {
			t.a.Say("%s", line)
		}
	}
	var wrong *tools.OptionError
	switch {
	case errors.As(err, &wrong):
		return command.Usagef("%s: %w", in, wrong)
	case errors.Is(err, tools.ErrNothing):
		return fmt.Errorf("%s: %w: %w", in, command.ErrNothing, err)
	case err != nil:
		return err
	}
	if t.out == "" {
		_, err = fmt.Fprintln(t.a.Out, out)
	}
	return err
}

// toolRemarks returns remarks on unread parts of a trace, and the notes of the tool.
func toolRemarks(path string, r *tools.Result) (lines []string) {
	lines = command.Remarks(&prv.Trace{Path: path, Skipped: r.Skipped, Cut: r.Truncated})
	for _, n := range r.Notes {
		lines = append(lines, path+": "+n)
	}
	return lines
}

// Flags of the tools keep their text, so that they can be set again to override an option file.
