// Package command holds the shared parts of commands: one invocation with its streams and flags, the opening of traces
// and programs, the flags shared by several commands, progress, tables, and errors with an exit status.
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"pview/prv"
)

// The exit statuses. On a fatal signal the program cleans up and dies of the signal, as shells expect.
const (
	StatusDone    = 0
	StatusFailed  = 1 // one line on standard error says why
	StatusUsage   = 2 // bad command line
	StatusNothing = 3 // done, but nothing was found
)

// Statuses describes the exit statuses to users.
var Statuses = []struct {
	Status int
	Doc    string
}{
	{StatusDone, "done"},
	{StatusFailed, "failed; one line on standard error says why"},
	{StatusUsage, "bad command line"},
	{StatusNothing, "done, but nothing was found"},
}

// Streams are the standard streams of a command. Only an *os.File can be a terminal.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
}

// NewApp returns an invocation with default flags.
func NewApp(s Streams) *App { return &App{Streams: s, Format: FormatFlag(), Color: ColorFlag()} }

// Broken returns why the result may be wrong: index files of a trace have changed since it was opened.
func (a *App) Broken() error {
	for _, t := range a.opened {
		if err := t.Broken(); err != nil {
			return err
		}
	}
	return nil
}

// Outlet is standard output, and remembers whether anything was written to it.
type Outlet struct {
	io.Writer
	Used bool
	Err  error // the first
}

// Write implements io.Writer.
func (o *Outlet) Write(b []byte) (int, error) {
	o.Used = o.Used || len(b) > 0
	n, err := o.Writer.Write(b)
	if o.Err == nil {
		o.Err = err
	}
	return n, err
}

// FileOf returns the file of a stream, if it is one.
func FileOf(stream any) (*os.File, bool) {
	if o, ok := stream.(*Outlet); ok {
		stream = o.Writer
	}
	f, ok := stream.(*os.File)
	return f, ok
}

// App is one invocation: its streams, and the flags that all commands share.
type App struct {
	Streams
	Command *cobra.Command // the running command
	Format  Choice
	Color   Choice
	Units   Choice // of times
	Sizes   Choice // decimal or binary
	Strict  bool
	// SortStates reads states in the order of time.
	SortStates bool
	Separate   bool                // files of one run are separate traces
	runs       map[string][]string // see prv.Opener

	Memory, IndexLimit string // as given
	MemoryBytes        int64
	NoIndex            bool
	NoIndexNow         bool         // overrides the flags
	Opener             *prv.Opener  // nil until the command runs
	opened             []*prv.Trace // the traces behind the result

	laterMu    sync.Mutex
	laterLines []string
}

// Status reports an error on standard error, in one line, and returns its exit
// status.
func (a *App) Status(err error) int {
	var wrong usageError
	var other ProgramStatus
	switch {
	case err == nil:
		return StatusDone
	case errors.Is(err, syscall.EPIPE):
		// The reader of our output has seen enough: `pview info t.prv | head`.
		return StatusDone
	case errors.As(err, &wrong):
		a.Say("%v", wrong)
		return StatusUsage
	case errors.As(err, &other):
		return int(other)
	case errors.Is(err, ErrElsewhere):
		return StatusDone
	case errors.Is(err, ErrNothing):
		a.Say("%v", err)
		return StatusNothing
	case errors.Is(err, context.Canceled):
		a.Say("interrupted")
		return StatusFailed
	}
	a.Say("%v", err)
	return StatusFailed
}

// Say writes one line to standard error, whatever the text contains: it may come
// from a file.
func (a *App) Say(format string, args ...any) {
	lines := strings.FieldsFunc(fmt.Sprintf(format, args...), func(r rune) bool { return r == '\n' || r == '\r' })
	fmt.Fprintf(a.Err, "pview: %s\n", prv.Clean(strings.Join(lines, "; ")))
}

// usageError is a command line that cannot be executed.
type usageError struct{ error }

func Usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// ProgramStatus is the exit status of a program run by pview, which becomes pview's own.
type ProgramStatus int

func (s ProgramStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// ErrNothing marks, by errors.Is, that a command did its work and found nothing.
var ErrNothing = errors.New("nothing found")

// ErrElsewhere ends a command successfully if its process makes only part of the runs.
var ErrElsewhere = errors.New("a part of the runs is made")
