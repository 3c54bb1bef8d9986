package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/prv"
	"pview/prv/demo"
	"pview/prv/format"
	"pview/tui"
	"pview/tui/screen"
)

// view opens the interactive viewer. Skipped records are reported there, and
// again after the terminal is restored, since the viewer's screen is gone then.
func (a *commandLine) view(cmd *cobra.Command, paths []string) error {
	if err := misspelt(cmd, paths); err != nil {
		return err
	}
	if !command.IsTerminal(a.Out) {
		return command.Usagef(
			"the viewer needs a terminal, and standard output is not one; `pview info TRACE` prints the contents of " +
				"a trace")
	}
	if err := screen.Check(os.Environ()); err != nil {
		return command.Usagef("%v; `pview info TRACE` prints the contents of a trace", err)
	}
	paths, cfgs := command.Apart(paths)
	// a saved session opens like a trace
	if len(paths) == 1 && a.session == "" && (strings.HasSuffix(paths[0], tui.SessionExt) || tui.IsSession(paths[0])) {
		a.session, paths = paths[0], nil
	}
	first, err := a.firstViewed(cmd.Context(), paths)
	if err != nil {
		return err
	}
	v := viewing{opener: a.Opener, first: first}
	o := tui.Options{
		Paths:    paths,
		Cfgs:     cfgs,
		Session:  a.session,
		Defaults: tui.Defaults{Theme: a.theme.Value, View: a.firstView, Draw: a.drawMode},
		Machine:  a.machine,
		Keys:     a.keys,
		Kept:     filepath.Join(xdg.StateHome, "pview", "last"+tui.SessionExt),
		Recent:   filepath.Join(xdg.StateHome, "pview", "recent.json"),
		Follow:   a.follow,
		Strict:   a.Strict,
		Demo:     func() (*prv.Trace, error) { return demo.Open(cmd.Context()) },
		Open:     v.open,
		Cache:    a.MemoryBytes / command.SeriesShare,
	}
	if a.ascii {
		o.ASCII = &a.ascii
	}
	if a.renderer.Value != "auto" {
		o.Renderer = a.renderer.Value
	}
	o.Graphics = a.graphics.Value
	if a.Color.Value != "auto" {
		profile := a.Profile(a.Out)
		o.Profile = &profile
	}
	err = tui.Run(cmd.Context(), o)
	for _, line := range v.told() {
		a.Say("%s", line)
	}
	if err != nil {
		return err
	}
	return cmd.Context().Err()
}

// watch shows a trace while it is written, until the user quits.
func (a *commandLine) watch(cmd *cobra.Command, path string) error {
	a.follow = true
	return a.view(cmd, []string{path})
}

// firstViewed starts reading the first trace, or checks the traces to follow, which may not exist yet.
func (a *commandLine) firstViewed(ctx context.Context, paths []string) (*ahead, error) {
	if !a.follow {
		return firstOf(ctx, paths, a.Opener)
	}
	if len(paths) == 0 {
		return nil, command.Usagef("--follow needs TRACE")
	}
	for _, path := range paths {
		if _, err := format.Follow(path); err != nil {
			return nil, command.Usagef("--follow: %w", err)
		}
	}
	return nil, nil
}

// misspelt reports a first path that looks like a mistyped command: "pview inof
// run.prv" does not name a trace inof.
func misspelt(cmd *cobra.Command, paths []string) error {
	if len(paths) == 0 || command.IsTrace(paths[0]) {
		return nil
	}
	if _, err := os.Lstat(paths[0]); err == nil {
		return nil
	}
	cmd.SuggestionsMinimumDistance = 2
	if likely := cmd.SuggestionsFor(paths[0]); len(likely) > 0 {
		return command.Usagef("%s is neither a file nor a command; did you mean %s?", paths[0],
			strings.Join(likely, " or "))
	}
	return nil
}

// viewing opens traces for the viewer and collects the remarks on them. It is safe for concurrent use.
type viewing struct {
	opener *prv.Opener
	mu     sync.Mutex
	first  *ahead // nil once taken
	lines  []string
}

func (v *viewing) open(ctx context.Context, path string, w prv.Watcher) (*prv.Trace, error) {
	t, err := v.read(ctx, path, w)
	if err == nil {
		v.mu.Lock()
		defer v.mu.Unlock()
		v.lines = append(v.lines, command.Remarks(t)...)
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
