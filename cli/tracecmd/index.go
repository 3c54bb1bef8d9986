package tracecmd

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/insight/report"
	"pview/prv"
	"pview/prv/format"
	"pview/prv/index"
	"pview/prv/quantity"
	"pview/render/document"
)

// Index makes, checks, lists and removes the indexes of traces.
func Index(a *command.App) *cobra.Command {
	var clear bool
	cmd := &cobra.Command{
		Use:   "index [TRACE...]",
		Short: "Build the index of a trace, which opens it without parsing; list and remove indexes",
		Long: "An index is a folder TRACE.pvidx beside the trace (or in the user's cache directory if that folder is " +
			"not writable) with the records in columns: Arrow files, which Python, R and DuckDB read as well. Every " +
			"command and the viewer build it when they parse a trace of 16 MB or more (4 MB if it is compressed, or " +
			"from OTF2, Kineto or Nsight) and use it the next time. A trace that has changed gets a new index. Files " +
			"or a folder that form one run have one index.\n\nindex builds it now, whatever the trace's size, or " +
			"verifies an existing one, and prints its location and contents. Without a trace it lists the existing " +
			"indexes. --clear removes the index of each TRACE, or all: \"pview index --clear all\".",
		Example: "pview index run.prv\n" +
			"pview index\n" +
			"pview index --clear run.prv",
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: command.CompleteTraces,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case clear && len(args) == 0:
				return command.Usagef("--clear removes the index of TRACE, or all: pview index --clear all")
			case clear:
				return clearIndexes(a, args)
			case len(args) == 0:
				return listIndexes(a)
			case a.NoIndex:
				return command.Usagef("index cannot be combined with --no-index")
			}
			for _, path := range args {
				if err := makeIndex(a, cmd, path); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&clear, "clear", false, "remove the index of TRACE, or all")
	return cmd
}

// makeIndex makes the index of a trace unless it has a valid one, and prints it.
func makeIndex(a *command.App, cmd *cobra.Command, path string) error {
	ctx := cmd.Context()
	name, ok := format.IndexName(a.Opener, path)
	if !ok {
		return fmt.Errorf("%s: traces of this format have no index: pview convert %s run.prv makes one that does", path,
			path)
	}
	info, err := index.Of(name)
	if err != nil {
		return err
	}
	if info == nil || info.Why != "" {
		o, err := a.OpenerOf()
		if err != nil {
			return err
		}
		o.Least = 1
		a.Opener = o
		if _, err := a.Open(ctx, path); err != nil {
			return err
		}
		o.Wait(ctx)
		if err := ctx.Err(); err != nil {
			return err
		}
		if info, err = index.Of(name); err != nil {
			return err
		}
		if info == nil || info.Why != "" {
			return noIndexMade(a, path)
		}
	}
	return printIndex(a, path, info)
}

// noIndexMade returns the error with the opener's reason.
func noIndexMade(a *command.App, path string) error {
	said := a.TakeLater()
	if len(said) == 0 {
		return fmt.Errorf("%s: no index was made: the trace is being written, or another pview is making it", path)
	}
	return errors.New(said[len(said)-1])
}

func printIndex(a *command.App, path string, info *index.Info) error {
	t := &report.Table{Columns: []report.Column{{Key: "file", Title: "file"}, {Key: "rows", Title: "rows"},
		{Key: "bytes", Title: "size", Show: showVolume}, {Key: "columns", Title: "columns"}}}
	for _, f := range info.Files {
		t.Add(f.Name, f.Rows, f.Bytes, strings.Join(f.Columns, " "))
	}
	switch a.Format.Value {
	case "json":
		return document.WriteJSON(a.Out, report.Object{{Key: "trace", Value: path}, {Key: "index", Value: info.Dir},
			{Key: "bytes", Value: info.Bytes},
			{Key: "made", Value: info.Made.UTC().Format(time.RFC3339)},
			{Key: "states", Value: info.States}, {Key: "events", Value: info.Events},
			{Key: "communications", Value: info.Communications},
			{Key: "files", Value: t.Objects()}})
	case "table":
		_, err := fmt.Fprintf(a.Out, "%s\n  %s, made %s, all checksums hold\n\n", prv.Clean(info.Dir),
			quantity.Bytes.Format(float64(info.Bytes)), info.Made.Format(time.DateTime))
		if err == nil {
			_, err = io.WriteString(a.Out, document.TableText(t, "  ", nil))
		}
		return err
	}
	return document.WriteTable(a.Out, t, a.Format.Value)
}

func showVolume(cell any) string { return quantity.Bytes.Format(float64(cell.(int64))) }

// listIndexes lists the known indexes, the last used first.
func listIndexes(a *command.App) error {
	list := index.List()
	if len(list) == 0 && a.Format.Value == "table" {
		return fmt.Errorf("%w: no indexes", command.ErrNothing)
	}
	day := func(cell any) string {
		at, err := time.Parse(time.RFC3339, cell.(string))
		if err != nil {
			return ""
		}
		return at.Local().Format(time.DateOnly)
	}
	t := &report.Table{Columns: []report.Column{{Key: "trace", Title: "trace"},
		{Key: "bytes", Title: "size", Show: showVolume},
		{Key: "used", Title: "last used", Show: day},
		{Key: "index", Title: "index"}, {Key: "trouble", Title: "not used because"}}}
	for _, i := range list {
		t.Add(i.Trace, i.Bytes, i.Used.UTC().Format(time.RFC3339), i.Dir, i.Why)
	}
	return document.WriteTable(a.Out, t, a.Format.Value)
}

// clearIndexes removes the indexes of traces, or all.
func clearIndexes(a *command.App, paths []string) error {
	freed := int64(0)
	for _, path := range paths {
		clear := func() (int64, error) {
			name, _ := format.IndexName(a.Opener, path)
			return index.Clear(name)
		}
		if path == "all" {
			clear = index.ClearAll
		}
		n, err := clear()
		if err != nil {
			return err
		}
		freed += n
	}
	if freed == 0 {
		return fmt.Errorf("%w: no index to remove", command.ErrNothing)
	}
	if a.Format.Value == "json" {
		return document.WriteJSON(a.Out, report.Object{{Key: "freed", Value: freed}})
	}
	_, err := fmt.Fprintf(a.Out, "%s freed\n", quantity.Bytes.Format(float64(freed)))
	return err
}
