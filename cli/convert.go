package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/spf13/cobra"

	"pview/prv"
	"pview/prv/format"
	"pview/prv/perfetto"
	"pview/prv/picl"
	"pview/prv/tabular"
	"pview/sim/dimemas"
	"pview/sim/puppet"
)

// targets are the formats that convert writes, by extension.
var targets = []struct{ ext, doc string }{
	{".prv", "Paraver trace"},
	{".prv.gz", "Paraver trace, compressed"},
	{".dim", "Dimemas trace: what the simulator needs"},
	{".log", "MPI calls with the computation before each, for simulations (PUPPET)"},
	{".json", "Chrome trace events, for ui.perfetto.dev"},
	{".json.gz", "the same, compressed"},
	{".trf", "PICL, new format: calls and messages, for ParaGraph"},
	{".trf.gz", "the same, compressed"},
	{".parquet", "folder of tables for DuckDB, pandas, polars, Spark"},
	{".arrow", "folder of tables that any reader of Arrow can map"},
}

// convert writes a trace in another format.
func (a *app) convert() *cobra.Command {
	var translation translationFlags
	cmd := &cobra.Command{
		Use:   "convert IN OUT",
		Short: "Write a trace in another format: .prv, .dim, .log, .json (Perfetto), .trf (PICL), .parquet, .arrow",
		Long: "convert reads a trace and writes it in the format of OUT's extension: .prv, .prv.gz, .dim, .log, .json, .json.gz, .trf, .trf.gz, .parquet or .arrow. The .pcf and the " +
			".row go with a .prv. A .json opens in ui.perfetto.dev: tasks are processes, messages flows. A .trf is for ParaGraph: states and messages become calls. A .parquet or .arrow is a folder of tables: threads, states, events, calls, messages; " +
			"one that holds anything else is never replaced. A .dim is what prv2dim makes: computation, events and MPI calls without their times, for Dimemas; a .log the same without the events, for any machine. OUT appears when it is complete; an older one is replaced, but never IN itself. States and events come out " +
			"in the order of time, messages in that of the file; bad records are left out, and said to be, unless --strict makes them an error.",
		Example: "pview convert run.prv run.prv.gz\n" +
			"pview convert run.prv.gz /scratch/run.prv\n" +
			"pview convert run.prv run.dim\n" +
			"pview convert run.prv run.json.gz\n" +
			"pview convert run.prv run.parquet",
		Args:              needs("IN", "OUT"),
		ValidArgsFunction: completeTraces,
		RunE: func(cmd *cobra.Command, args []string) error {
			in, out := args[0], args[1]
			if !canWrite(out) {
				return usagef("%s: unknown format; the name of OUT must end in one of %s", out,
					strings.Join(outputNames(), ", "))
			}
			if sameFile(in, out) {
				return usagef("%s: same file as IN, which is never overwritten", out)
			}
			if err := translation.check(); err != nil {
				return err
			}
			if strings.HasSuffix(out, ".dim") {
				return a.convertToDim(cmd.Context(), in, out, translation.opt)
			}
			if strings.HasSuffix(out, ".log") {
				return a.convertToLog(cmd.Context(), in, out, translation.opt)
			}
			if format.Of(in).IsProgram() {
				return usagef("%s: a program has no times; pview sim predicts them, and writes them with -o", in)
			}
			a.opener.SortStates = true
			t, err := a.open(cmd.Context(), in)
			if err != nil {
				return err
			}
			return convertTrace(cmd.Context(), t, out)
		},
	}
	translation.flags(cmd.Flags())
	return cmd
}

// streams are the formats of one file, which may be compressed.
var streams = []struct {
	ext   string
	write func(context.Context, io.Writer, *prv.Trace) error
}{{".json", perfetto.Write}, {".trf", picl.Write}}

// convertTrace writes a trace in the format of a name.
func convertTrace(ctx context.Context, t *prv.Trace, out string) error {
	base, packed := strings.CutSuffix(out, ".gz")
	for _, f := range streams {
		if !strings.HasSuffix(base, f.ext) {
			continue
		}
		return prv.SaveFile(out, func(w io.Writer) error {
			if !packed {
				return f.write(ctx, w, t)
			}
			z := gzip.NewWriter(w)
			if err := f.write(ctx, z, t); err != nil {
				return err
			}
			return z.Close()
		})
	}
	for i := range tabular.Formats {
		if f := &tabular.Formats[i]; strings.HasSuffix(strings.TrimRight(out, "/"), f.Ext) {
			return tabular.Save(ctx, out, f, t)
		}
	}
	return prv.Convert(ctx, out, t)
}

// convertToLog writes the MPI calls of a trace or program, and the computation between them.
func (a *app) convertToLog(ctx context.Context, in, out string, opt dimemas.TranslateOptions) error {
	src, err := a.openProgram(ctx, in, opt)
	if err != nil {
		return err
	}
	if err := prv.SaveFile(out, func(w io.Writer) error { return puppet.WriteLog(w, src.program) }); err != nil {
		return fmt.Errorf("%s: %w", in, err)
	}
	return nil
}

// convertToDim writes the program that the simulator reads from a trace.
func (a *app) convertToDim(ctx context.Context, in, out string, opt dimemas.TranslateOptions) error {
	src, err := a.openProgram(ctx, in, opt)
	if err != nil {
		return err
	}
	return prv.SaveFile(out, func(w io.Writer) error {
		return dimemas.WriteProgram(w, src.program, filepath.Base(out))
	})
}

func outputNames() (names []string) {
	for _, o := range targets {
		names = append(names, o.ext)
	}
	return names
}

func canWrite(path string) bool {
	for _, ext := range outputNames() {
		if strings.HasSuffix(strings.TrimRight(path, "/"), ext) {
			return true
		}
	}
	return false
}

// sameFile reports whether two paths lead to one file.
func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}
