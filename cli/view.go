package cli

import (
	"context"
	"sync"

	"github.com/spf13/cobra"

	"pview/prv"
	"pview/prv/demo"
	"pview/tui"
)

// view opens the interactive viewer. What was not read of the traces is shown
// there, and told again when the terminal is given back: a line that has scrolled
// away with the screen tells nobody.
func (a *app) view(cmd *cobra.Command, paths []string) error {
	if !isTerminal(a.Out) {
		return usagef("standard output is no terminal, and the viewer needs one; `pview info TRACE` prints what is in a trace")
	}
	first, err := firstOf(cmd.Context(), paths, a.strict)
	if err != nil {
		return err
	}
	v := viewing{strict: a.strict, first: first}
	o := tui.Options{
		Paths:   paths,
		Session: a.session,
		Strict:  a.strict,
		Demo:    func() (*prv.Trace, error) { return demo.Open(cmd.Context()) },
		Open:    v.open,
	}
	if a.ascii {
		o.ASCII = &a.ascii
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

// viewing opens traces for the viewer and remembers what was not read of them. The
// viewer may call it from several goroutines.
type viewing struct {
	strict bool
	mu     sync.Mutex
	first  *ahead // nil when it has been taken
	lines  []string
}

func (v *viewing) open(ctx context.Context, path string, progress tui.Progress) (*prv.Trace, error) {
	t, err := v.read(ctx, path, progress)
	if err == nil {
		v.mu.Lock()
		defer v.mu.Unlock()
		v.lines = append(v.lines, remarks(t)...)
	}
	return t, err
}

func (v *viewing) read(ctx context.Context, path string, progress tui.Progress) (*prv.Trace, error) {
	v.mu.Lock()
	first := v.first
	if first != nil && first.path == path {
		v.first = nil
	} else {
		first = nil
	}
	v.mu.Unlock()
	if first != nil {
		return first.wait(ctx, progress)
	}
	return prv.Open(ctx, path, prv.Options{Strict: v.strict, Progress: progress})
}

func (v *viewing) told() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.lines
}
