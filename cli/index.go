package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pview/prv"
)

// index makes, checks, lists and removes the indexes of traces.
func (a *app) index() *cobra.Command {
	var clear bool
	cmd := &cobra.Command{
		Use:   "index [TRACE...]",
		Short: "Make the index of a trace, which opens it without parsing; list and remove indexes",
		Long: "An index is a folder TRACE.pvidx beside the trace (in the user's cache directory where that cannot be written) with the records in " +
			"columns: Arrow files, which Python, R and DuckDB read as well. Every command and the viewer make it when they parse a trace of 16 MB or more " +
			"(4 MB, if it is compressed) and use it the next time. A trace that has changed gets a new index.\n\n" +
			"index makes it now, whatever the trace's size, or verifies an existing one, and prints its place and contents. Without a trace it lists " +
			"the existing indexes. --clear removes that of each TRACE, or all: \"pview index --clear all\".",
		Example: "pview index run.prv\n" +
			"pview index\n" +
			"pview index --clear run.prv",
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: completeTraces,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case clear && len(args) == 0:
				return usagef("--clear removes the index of TRACE, or all: pview index --clear all")
			case clear:
				return a.clearIndexes(args)
			case len(args) == 0:
				return a.listIndexes()
			case a.noIndex:
				return usagef("index cannot be combined with --no-index")
			}
			for _, path := range args {
				if err := a.makeIndex(cmd, path); err != nil {
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
func (a *app) makeIndex(cmd *cobra.Command, path string) error {
	ctx := cmd.Context()
	info, err := prv.IndexOf(path)
	if err != nil {
		return err
	}
	if info == nil || info.Why != "" {
		o, err := a.openerOf()
		if err != nil {
			return err
		}
		o.Least = 1
		a.opener = o
		if _, err := a.open(ctx, path); err != nil {
			return err
		}
		o.Wait(ctx)
		if err := ctx.Err(); err != nil {
			return err
		}
		if info, err = prv.IndexOf(path); err != nil {
			return err
		}
		if info == nil || info.Why != "" {
			return a.noIndexMade(path)
		}
	}
	return a.printIndex(path, info)
}

// noIndexMade is the error with the opener's reason.
func (a *app) noIndexMade(path string) error {
	said := a.takeLater()
	if len(said) == 0 {
		return fmt.Errorf("%s: no index was made: the trace is being written, or another pview is making it", path)
	}
	return errors.New(said[len(said)-1])
}

func (a *app) printIndex(path string, info *prv.IndexInfo) error {
	t := &table{columns: []column{{key: "file", title: "file"}, {key: "rows", title: "rows"},
		{key: "bytes", title: "size", show: showVolume}, {key: "columns", title: "columns"}}}
	for _, f := range info.Files {
		t.add(f.Name, f.Rows, f.Bytes, strings.Join(f.Columns, " "))
	}
	switch a.format.value {
	case "json":
		return writeJSON(a.Out, object{{"trace", path}, {"index", info.Dir}, {"bytes", info.Bytes},
			{"made", info.Made.UTC().Format(time.RFC3339)},
			{"states", info.States}, {"events", info.Events}, {"communications", info.Communications},
			{"files", t.objects()}})
	case "table":
		_, err := fmt.Fprintf(a.Out, "%s\n  %s, made %s, all checksums hold\n\n", prv.Clean(info.Dir),
			volume(float64(info.Bytes)), info.Made.Format(time.DateTime))
		if err == nil {
			_, err = io.WriteString(a.Out, t.text("  ", nil))
		}
		return err
	}
	return t.write(a.Out, a.format.value)
}

func showVolume(cell any) string { return volume(float64(cell.(int64))) }

// listIndexes lists the indexes that are known, the one used last first.
func (a *app) listIndexes() error {
	list := prv.Indexes()
	if len(list) == 0 && a.format.value == "table" {
		return fmt.Errorf("%w: no indexes", errNothing)
	}
	day := func(cell any) string {
		at, err := time.Parse(time.RFC3339, cell.(string))
		if err != nil {
			return ""
		}
		return at.Local().Format(time.DateOnly)
	}
	t := &table{columns: []column{{key: "trace", title: "trace"}, {key: "bytes", title: "size", show: showVolume},
		{key: "used", title: "last used", show: day},
		{key: "index", title: "index"}, {key: "trouble", title: "not used because"}}}
	for _, i := range list {
		t.add(i.Trace, i.Bytes, i.Used.UTC().Format(time.RFC3339), i.Dir, i.Why)
	}
	return t.write(a.Out, a.format.value)
}

// clearIndexes removes the indexes of traces, or all.
func (a *app) clearIndexes(paths []string) error {
	freed := int64(0)
	for _, path := range paths {
		clear := func() (int64, error) { return prv.ClearIndex(path) }
		if path == "all" {
			clear = prv.ClearIndexes
		}
		n, err := clear()
		if err != nil {
			return err
		}
		freed += n
	}
	if freed == 0 {
		return fmt.Errorf("%w: no index to remove", errNothing)
	}
	if a.format.value == "json" {
		return writeJSON(a.Out, object{{"freed", freed}})
	}
	_, err := fmt.Fprintf(a.Out, "%s freed\n", volume(float64(freed)))
	return err
}
