package tracecmd

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/prv"
	"pview/prv/format"
	"pview/sim"
	"pview/sim/dimemas"
	"pview/sim/puppet"
)

// Convert writes a trace in another format.
func Convert(a *command.App) *cobra.Command {
	var translation command.TranslationFlags
	cmd := &cobra.Command{
		Use:   "convert IN OUT",
		Short: "Write a trace in another format: .prv, .dim, .log, .json (Perfetto), .trf (PICL), .parquet, .arrow",
		Long: "convert reads a trace and writes it in the format of OUT's extension: .prv, .prv.gz, .dim, .log, " +
			".json, .json.gz, .trf, .trf.gz, .parquet or .arrow. The .pcf and the " +
			".row go with a .prv. A .json opens in ui.perfetto.dev: tasks are processes, messages flows. A .trf is " +
			"for ParaGraph: states and messages become calls. A .parquet or .arrow is a folder of tables: threads, " +
			"states, events, calls, messages; " +
			"one that holds anything else is never replaced. A .dim is what prv2dim makes: computation, events and " +
			"MPI calls without their times, for Dimemas; a .log the same without the events, for any machine. OUT " +
			"appears when it is complete; an older one is replaced, but never IN itself. States and events come out " +
			"in the order of time, messages in that of the file; bad records are left out and reported, unless " +
			"--strict makes them an error.",
		Example: "pview convert run.prv run.prv.gz\n" +
			"pview convert run.prv.gz /scratch/run.prv\n" +
			"pview convert run.prv run.dim\n" +
			"pview convert run.prv run.json.gz\n" +
			"pview convert run.prv run.parquet",
		Args:              command.Needs("IN", "OUT"),
		ValidArgsFunction: command.CompleteTraces,
		RunE: func(cmd *cobra.Command, args []string) error {
			in, out := args[0], args[1]
			target := format.ForOutput(out)
			if target == nil {
				return command.Usagef("%s: unknown format; the name of OUT must end in one of %s", out,
					strings.Join(format.Outputs(), ", "))
			}
			if command.SameFile(in, out) {
				return command.Usagef("%s: same file as IN, which is never overwritten", out)
			}
			if err := command.CheckOutputs(out); err != nil {
				return err
			}
			if err := translation.Check(); err != nil {
				return err
			}
			if target.IsProgram() {
				return convertToProgram(a, cmd.Context(), target, in, out, translation.Opt)
			}
			if format.Of(in).IsProgram() {
				return command.Usagef("%s: a program has no times; pview sim predicts them, and writes them with -o",
					in)
			}
			a.Opener.SortStates = true
			t, err := a.Open(cmd.Context(), in)
			if err != nil {
				return err
			}
			return target.Save(cmd.Context(), out, t)
		},
	}
	translation.Flags(cmd.Flags())
	return cmd
}

// programWriters write the program of a trace, by format.
var programWriters = map[string]func(w io.Writer, p *sim.Program, name string) error{
	format.Dimemas: dimemas.WriteProgram,
	format.Puppet:  func(w io.Writer, p *sim.Program, _ string) error { return puppet.WriteLog(w, p) },
}

// convertToProgram writes the program of a trace, which may already be a program. A .dim is written while the trace is
// translated.
func convertToProgram(a *command.App, ctx context.Context, f *format.Format, in, out string,
	opt dimemas.TranslateOptions) error {
	if f.Name == format.Dimemas && !format.Of(in).IsProgram() {
		t, err := a.Open(ctx, in)
		if err != nil {
			return err
		}
		var tr *dimemas.Translation
		err = prv.SaveFile(out, func(w io.Writer) (err error) {
			tr, err = dimemas.WriteTrace(ctx, w, t, opt, filepath.Base(out))
			return err
		})
		if err != nil {
			return err
		}
		a.Remark(&command.Source{Path: in}, tr.Remarks()...)
		return nil
	}
	src, err := a.OpenProgram(ctx, in, opt)
	if err != nil {
		return err
	}
	return prv.SaveFile(out, func(w io.Writer) error {
		return programWriters[f.Name](w, src.Program, filepath.Base(out))
	})
}
