// Package cli is pview's command line: the tree of commands, the configuration file, the start of the viewer, signals
// and the exit status. The commands are in the packages below it: flags in, a call into the packages of the program, a
// document or table out.
//
// The contract of every command: standard output carries results only; progress goes to standard error, and only to a
// terminal; an error is one line on standard error that starts with "pview: " and, where a file is to blame, names
// file, line and reason; the exit status is one of command.Statuses.
package cli

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/prv"
	"pview/prv/mapped"
	"pview/tui/screen"
)

// grace is the time that a command has to end after a signal: to restore the terminal and remove half-written files. A
// command blocked in the system, on a FIFO or a terminal that nobody reads, gets no more.
const grace = 3 * time.Second

// Main runs the command line of the process and returns its exit status. On a signal that would end the process the
// command is cancelled, has a moment to end, and the process then dies of the signal; a second signal does not wait for
// that. Signals ignored at the start of the process (nohup, a background job of a script) stay ignored.
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
	// A file that may not grow any further is an ordinary error, not a reason to die.
	ignoreFileLimit()
	status := Run(ctx, os.Args[1:], command.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
	close(ended)
	prv.RemoveUnfinished()
	if s, ok := caught.Load().(os.Signal); ok && status != command.StatusDone {
		return dieOf(s)
	}
	return status
}

// dieOf sends the process a signal that it no longer catches. If that does not end it, it returns the status that
// shells give a process killed by the signal.
func dieOf(s os.Signal) int {
	signal.Reset(s)
	if self, err := os.FindProcess(os.Getpid()); err == nil && self.Signal(s) == nil {
		time.Sleep(time.Second)
	}
	if n, ok := s.(syscall.Signal); ok {
		return 128 + int(n)
	}
	return command.StatusFailed
}

// Run executes one command line and returns its exit status. args does not
// contain the program's name.
func Run(ctx context.Context, args []string, s command.Streams) int {
	out := &command.Outlet{Writer: s.Out}
	s.Out = out
	a := newCommandLine(s)
	err := a.run(ctx, args)
	if out.Err != nil && ctx.Err() == nil {
		err = out.Err // for example of help, whose writers do not check
	}
	if broken := a.Broken(); broken != nil && ctx.Err() == nil {
		if out.Used {
			a.Say("%v; the result is incomplete or wrong: run the command again", broken)
			return command.StatusFailed
		}
		// Nothing has been written yet: retry without the index.
		a.Say("%v; parsing the trace instead", broken)
		a = newCommandLine(s)
		a.NoIndexNow = true
		err = a.run(ctx, args)
	}
	return a.Status(err)
}

func newCommandLine(s command.Streams) *commandLine { return &commandLine{App: command.NewApp(s)} }

// run executes the command line.
func (a *commandLine) run(ctx context.Context, args []string) (err error) {
	root := a.root()
	root.SetArgs(args)
	root.SetIn(a.In)
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	defer func() {
		// Broken files may cause panics other than faults: after the first one they read as zeros.
		if r := recover(); r != nil {
			if err = a.Broken(); err == nil {
				panic(r)
			}
		}
	}()
	var cmd *cobra.Command
	err = mapped.Guard(func() (err error) {
		cmd, err = root.ExecuteContextC(ctx)
		return err
	})
	a.Settle(ctx)
	if err != nil && !a.started {
		err = command.Usagef("%w (see %s --help)", err, cmd.CommandPath())
	}
	return err
}

// commandLine is pview's command line: the commands and the settings of the viewer.
type commandLine struct {
	*command.App
	started  bool           // the command line is valid and the command runs
	renderer command.Choice // of the viewer
	graphics command.Choice // of the viewer
	theme    command.Choice // of the viewer
	ascii    bool
	session  string
	follow   bool

	machine   string              // of the viewer's first simulation
	firstView string              // ready view in which the viewer opens traces, as configured
	drawMode  string              // of the viewer's windows, as configured
	keys      map[string][]string // of the viewer's actions, as configured
	origins   map[string]string   // file and line of the settings of the configuration file, by name
}
