// Package cli is pview's command line. Each command is a file: flags in, a call
// into the packages below, a table out.
//
// The contract of every command: standard output carries results only;
// progress goes to standard error, and only to a terminal; an error is one
// line on standard error that starts with "pview: " and, where a file is to
// blame, names file, line and reason; the exit status is one of those below.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"pview/prv"
	"pview/prv/mapped"
	"pview/tui/screen"
)

// The exit statuses. A program that a signal ends dies of that signal, after it
// has cleaned up, as shells expect.
const (
	StatusDone    = 0
	StatusFailed  = 1 // one line on standard error says why
	StatusUsage   = 2 // bad command line
	StatusNothing = 3 // done, but nothing was found
)

// statuses says the same to users.
var statuses = []struct {
	status int
	doc    string
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

// grace is the time that a command has to end after a signal: to restore the terminal and remove half-written
// files. One that is blocked in the system, on a FIFO or a terminal that nobody reads, gets no more.
const grace = 3 * time.Second

// Main runs the command line of the process and returns its exit status. On a
// signal that would end the process the command is cancelled, has a moment to end, and the process then
// dies of the signal; a second signal does not wait for that. A signal that is
// ignored when the process starts (nohup, a background job of a script) stays ignored.
func Main() int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var caught atomic.Value
	signals := make(chan os.Signal, 2)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	ended := make(chan struct{})
	go func() {
		s := <-signals
		caught.Store(s)
		cancel()
		select {
		case <-ended:
			return
		case <-signals:
		case <-time.After(grace):
		}
		screen.GiveBack()
		prv.RemoveUnfinished()
		os.Exit(dieOf(s))
	}()
	// A file that may not grow any further is an error like others, and not a reason to die.
	ignoreFileLimit()
	status := Run(ctx, os.Args[1:], Streams{os.Stdin, os.Stdout, os.Stderr})
	close(ended)
	prv.RemoveUnfinished()
	if s, ok := caught.Load().(os.Signal); ok && status != StatusDone {
		return dieOf(s)
	}
	return status
}

// dieOf sends the process a signal that it no longer catches. Where that does not
// end it, it returns the status that shells give a process that died of the signal.
func dieOf(s os.Signal) int {
	signal.Reset(s)
	if self, err := os.FindProcess(os.Getpid()); err == nil && self.Signal(s) == nil {
		time.Sleep(time.Second)
	}
	if n, ok := s.(syscall.Signal); ok {
		return 128 + int(n)
	}
	return StatusFailed
}

// Run executes one command line and returns its exit status. args does not
// contain the program's name.
func Run(ctx context.Context, args []string, s Streams) int {
	out := &outlet{Writer: s.Out}
	s.Out = out
	a := newApp(s)
	err := a.run(ctx, args)
	if out.err != nil && ctx.Err() == nil {
		err = out.err // of help, say, whose writers do not look
	}
	if broken := a.broken(); broken != nil && ctx.Err() == nil {
		if out.used {
			a.say("%v; the result is incomplete or wrong: run the command again", broken)
			return StatusFailed
		}
		// Nothing has been written yet: retry without the index.
		a.say("%v; parsing the trace instead", broken)
		a = newApp(s)
		a.noIndexNow = true
		err = a.run(ctx, args)
	}
	return a.status(err)
}

func newApp(s Streams) *app { return &app{Streams: s, format: formatFlag(), color: colorFlag()} }

// run executes the command line.
func (a *app) run(ctx context.Context, args []string) (err error) {
	root := a.root()
	root.SetArgs(args)
	root.SetIn(a.In)
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	defer func() {
		// Broken files may lead to other panics than faults: they read as zeros after the first one.
		if r := recover(); r != nil {
			if err = a.broken(); err == nil {
				panic(r)
			}
		}
	}()
	var cmd *cobra.Command
	err = mapped.Guard(func() (err error) {
		cmd, err = root.ExecuteContextC(ctx)
		return err
	})
	a.settle(ctx)
	if err != nil && !a.started {
		err = usagef("%w (see %s --help)", err, cmd.CommandPath())
	}
	return err
}

// broken returns why the result may be wrong: index files of a trace have changed since it was opened.
func (a *app) broken() error {
	for _, t := range a.opened {
		if err := t.Broken(); err != nil {
			return err
		}
	}
	return nil
}

// outlet is standard output, and remembers whether anything was written to it.
type outlet struct {
	io.Writer
	used bool
	err  error // the first
}

// Write writes.
func (o *outlet) Write(b []byte) (int, error) {
	o.used = o.used || len(b) > 0
	n, err := o.Writer.Write(b)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// fileOf returns the file that a stream is.
func fileOf(stream any) (*os.File, bool) {
	if o, ok := stream.(*outlet); ok {
		stream = o.Writer
	}
	f, ok := stream.(*os.File)
	return f, ok
}

// app is one invocation: its streams, and the flags that all commands share.
type app struct {
	Streams
	started  bool           // the command line is valid and the command runs
	command  *cobra.Command // that runs
	format   choice
	color    choice
	renderer choice // of the viewer
	graphics choice // of the viewer
	theme    choice // of the viewer
	units    choice // of times
	sizes    choice // decimal or binary
	strict   bool
	// sortStates reads states in the order of time.
	sortStates bool
	ascii      bool
	session    string
	follow     bool

	machine       string              // that simulations of the viewer begin with
	machineChosen bool                // by the configuration, rather than the last one
	firstView     string              // that the viewer opens traces with, as configured
	drawMode      string              // of the viewer's windows, as configured
	keys          map[string][]string // of the viewer's actions, as configured
	origins       map[string]string   // where settings of the configuration file stand, by name

	memory, indexLimit string // as given
	memoryBytes        int64
	noIndex            bool
	noIndexNow         bool         // whatever the flags say
	opener             *prv.Opener  // nil until the command runs
	opened             []*prv.Trace // the traces behind the result

	laterMu    sync.Mutex
	laterLines []string
}

// status reports an error on standard error, in one line, and returns its exit
// status.
func (a *app) status(err error) int {
	var wrong usageError
	switch {
	case err == nil:
		return StatusDone
	case errors.Is(err, syscall.EPIPE):
		// The reader of our output has seen enough: `pview info t.prv | head`.
		return StatusDone
	case errors.As(err, &wrong):
		a.say("%v", wrong)
		return StatusUsage
	case errors.Is(err, errShard):
		return StatusDone
	case errors.Is(err, errNothing):
		a.say("%v", err)
		return StatusNothing
	case errors.Is(err, context.Canceled):
		a.say("interrupted")
		return StatusFailed
	}
	a.say("%v", err)
	return StatusFailed
}

// say writes one line to standard error, whatever the text contains: it may come
// from a file.
func (a *app) say(format string, args ...any) {
	lines := strings.FieldsFunc(fmt.Sprintf(format, args...), func(r rune) bool { return r == '\n' || r == '\r' })
	fmt.Fprintf(a.Err, "pview: %s\n", prv.Clean(strings.Join(lines, "; ")))
}

// usageError is a command line that cannot be carried out.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// errNothing marks, by errors.Is, that a command did its work and found nothing.
var errNothing = errors.New("nothing found")
