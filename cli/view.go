package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"pview/prv"
	"pview/prv/demo"
	"pview/prv/format"
	"pview/tui"
	"pview/tui/screen"
)

// view opens the interactive viewer. What was not read of the traces is shown
// there, and told again when the terminal is given back: a line that has scrolled
// away with the screen tells nobody.
func (a *app) view(cmd *cobra.Command, paths []string) error {
	if err := misspelt(cmd, paths); err != nil {
		return err
	}
	if !isTerminal(a.Out) {
		return usagef("standard output is no terminal, and the viewer needs one; `pview info TRACE` prints what is in a trace")
	}
	if err := screen.Check(os.Environ()); err != nil {
		return usagef("%v; `pview info TRACE` prints what is in a trace", err)
	}
	paths, cfgs := apart(paths)
	if len(paths) == 1 && a.session == "" && strings.HasSuffix(paths[0], tui.SessionExt) { // what save-session has written is opened like a trace
		a.session, paths = paths[0], nil
	}
	first, err := a.firstViewed(cmd.Context(), paths)
	if err != nil {
		return err
	}
	v := viewing{opener: a.opener, first: first}
	o := tui.Options{
		Paths:   paths,
		Cfgs:    cfgs,
		Session: a.session,
		Follow:  a.follow,
		Strict:  a.strict,
		Demo:    func() (*prv.Trace, error) { return demo.Open(cmd.Context()) },
		Open:    v.open,
		Cache:   a.memoryBytes / seriesShare,
	}
	if a.ascii {
		o.ASCII = &a.ascii
	}
	if a.renderer.value != "auto" {
		o.Renderer = a.renderer.value
	}
	if a.color.value != "auto" {
		profile := a.profile(a.Out)
		o.Profile = &profile
	}
	err = tui.Run(cmd.Context(), o)
	for _, line := range v.told() {
		a.say("%s", line)
	}
	if err != nil {
		return err
	}
	return cmd.Context().Err()
}

// firstViewed begins to read the first trace, or checks the traces that are to be followed: these may not be
// there yet.
func (a *app) firstViewed(ctx context.Context, paths []string) (*ahead, error) {
	if !a.follow {
		return firstOf(ctx, paths, a.opener)
	}
	if len(paths) == 0 {
		return nil, usagef("--follow needs TRACE")
	}
	for _, path := range paths {
		if strings.HasSuffix(path, ".gz") {
			return nil, usagef("%s: a compressed trace cannot be followed while it is written", path)
		}
	}
	return nil, nil
}

// misspelt says so when the first path looks like a command with a slip: "pview inof
// run.prv" is not about a trace called inof.
func misspelt(cmd *cobra.Command, paths []string) error {
	if len(paths) == 0 || isTrace(paths[0]) {
		return nil
	}
	if _, err := os.Lstat(paths[0]); err == nil {
		return nil
	}
	cmd.SuggestionsMinimumDistance = 2
	if likely := cmd.SuggestionsFor(paths[0]); len(likely) > 0 {
		return usagef("%s is neither a file nor a command; did you mean %s?", paths[0], strings.Join(likely, " or "))
	}
	return nil
}

// apart tells the traces among the arguments from Paraver's .cfg files.
func apart(args []string) (traces, cfgs []string) {
	for _, path := range args {
		if strings.EqualFold(filepath.Ext(path), ".cfg") {
			cfgs = append(cfgs, path)
		} else {
			traces = append(traces, path)
		}
	}
	return traces, cfgs
}

// viewing opens traces for the viewer and remembers what was not read of them. The
// viewer may call it from several goroutines.
type viewing struct {
	opener *prv.Opener
	mu     sync.Mutex
	first  *ahead // nil when it has been taken
	lines  []string
}

func (v *viewing) open(ctx context.Context, path string, w prv.Watcher) (*prv.Trace, error) {
	t, err := v.read(ctx, path, w)
	if err == nil {
		v.mu.Lock()
		defer v.mu.Unlock()
		v.lines = append(v.lines, remarks(t)...)
	}
	return t, err
}

func (v *viewing) read(ctx context.Context, path string, w prv.Watcher) (*prv.Trace, error) {
	v.mu.Lock()
	first := v.first
	if first != nil && first.path == path {
		v.first = nil
	} else {
		first = nil
	}
	v.mu.Unlock()
	if first != nil {
		return first.wait(ctx, w)
	}
	return format.Open(ctx, v.opener, path, w)
}

func (v *viewing) told() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.lines
}
