package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/format"
	"pview/prv/quantity"
	"pview/semantic/cfg"
)

// OpenerOf makes the opener of traces for all commands and the viewer, by the flags.
func (a *App) OpenerOf() (*prv.Opener, error) {
	o := &prv.Opener{Strict: a.Strict, SortStates: a.SortStates, Memory: a.MemoryBytes, NoIndex: a.NoIndex ||
		a.NoIndexNow, Tell: a.later, Runs: a.runs}
	if a.IndexLimit != "" {
		n, err := SizeOf(a.IndexLimit, 0)
		if err != nil || n == 0 {
			return nil, Usagef("--index-limit %s: must be a size such as 500M or 20G; --no-index turns indexes off",
				a.IndexLimit)
		}
		o.Limit = n
	}
	return o, nil
}

// JoinRuns replaces files of the ranks of one run, if they are adjacent arguments, by the first of them, which opens
// all. The last keep arguments are outputs.
func (a *App) JoinRuns(args []string, keep int) (joined []string) {
	if keep = len(args) - keep; a.Separate || keep < 2 {
		return args
	}
	for _, files := range format.Join(args[:keep]) {
		if joined = append(joined, files[0]); len(files) > 1 {
			if a.runs == nil {
				a.runs = map[string][]string{}
			}
			a.runs[files[0]] = files
		}
	}
	return append(joined, args[keep:]...)
}

// Prepare reads the flags that all commands share.
func (a *App) Prepare() (err error) {
	if err := errors.Join(quantity.UseTimeUnit(a.Units.Value), quantity.UseSizeUnit(a.Sizes.Value),
		a.setMemory()); err != nil {
		return err
	}
	a.Opener, err = a.OpenerOf()
	return err
}

// later queues a line for the end of the command: the index is written in the background,
// while the result is printed or the viewer has the screen.
func (a *App) later(line string) {
	a.laterMu.Lock()
	defer a.laterMu.Unlock()
	a.laterLines = append(a.laterLines, line)
}

// Settle waits until the indexes are written, which cannot take much longer than it took to
// open the traces, and prints the queued lines.
func (a *App) Settle(ctx context.Context) {
	if a.Opener == nil {
		return
	}
	if a.Opener.Making() && IsTerminal(a.Err) {
		done := make(chan struct{})
		defer close(done)
		go func() {
			select {
			case <-done:
			case <-time.After(time.Second):
				a.Say("writing the index, so that the trace opens instantly next time; Ctrl-C skips it")
			}
		}()
	}
	a.Opener.Wait(ctx)
	for _, line := range a.TakeLater() {
		a.Say("%s", line)
	}
}

// TakeLater removes and returns the queued lines.
func (a *App) TakeLater() []string {
	a.laterMu.Lock()
	defer a.laterMu.Unlock()
	lines := a.laterLines
	a.laterLines = nil
	return lines
}

// Open reads a trace, shows the progress, and reports skipped records on standard
// error.
func (a *App) Open(ctx context.Context, path string) (*prv.Trace, error) {
	bar := NewProgress(a.Err, "reading "+path)
	t, err := format.Open(ctx, a.Opener, path, prv.Watcher{Progress: bar.Report})
	bar.Close()
	if err != nil {
		return nil, err
	}
	a.opened = append(a.opened, t)
	for _, line := range Remarks(t) {
		a.Say("%s", line)
	}
	return t, nil
}

// OpenNamed is Open for commands that name MPI calls: if the .pcf does not name them, it uses Extrae's names, and says
// so.
func (a *App) OpenNamed(ctx context.Context, path string) (*prv.Trace, error) {
	t, err := a.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	if t = extrae.NameCalls(t); t.Labels.CallsAssumed {
		a.Say("%s: %s", path, extrae.Remark(t))
	}
	return t, nil
}

// Remarks reports the parts of a trace that were not read, a line for each kind: bad records, the missing end of the
// file, bad lines of the .pcf or .row.
func Remarks(t *prv.Trace) (lines []string) {
	if n := t.Skipped.Total(); n > 0 {
		first := t.Skipped.First
		lines = append(lines, fmt.Sprintf("%s:%d: %s (%s skipped)", t.Path, first.Line, first,
			quantity.CountOf(n, "bad record")))
	}
	if t.Cut != nil {
		lines = append(lines, prv.Note{File: t.Path, Line: t.Cut.Line,
			Text: t.Cut.Why + "; everything before it was read"}.String())
	}
	if t.CPUTime() {
		lines = append(lines, t.Path+": times are CPU times, without waits; pview sim predicts the run")
	}
	for _, n := range t.Doubtful() {
		lines = append(lines, n.String())
	}
	if n := len(t.Notes); n > 1 {
		lines = append(lines, fmt.Sprintf("%s (and %s more)", t.Notes[0], quantity.CountOf(int64(n-1), "remark")))
	} else if n == 1 {
		lines = append(lines, t.Notes[0].String())
	}
	return lines
}

// OpenCfg reads a configuration and reports its unused parts.
func (a *App) OpenCfg(path string) (*cfg.File, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, OpenError(path, err)
	}
	defer in.Close()
	f, notes, err := cfg.Read(path, in)
	if err != nil {
		return nil, err
	}
	a.Tell(notes)
	return f, nil
}

// Tell prints the first of some notes, and their number.
func (a *App) Tell(notes []prv.Note) {
	if n := len(notes); n > 1 {
		a.Say("%s (and %s more)", notes[0], quantity.CountOf(int64(n-1), "remark"))
	} else if n == 1 {
		a.Say("%s", notes[0])
	}
}
