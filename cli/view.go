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
	var mu sync.Mutex
	var left []string
	o := tui.Options{
		Paths:  paths,
		Demo:   func() (*prv.Trace, error) { return demo.Open(cmd.Context()) },
		Strict: a.strict,
		Open: func(ctx context.Context, path string, progress tui.Progress) (*prv.Trace, error) {
			t, err := prv.Open(ctx, path, prv.Options{Strict: a.strict, Progress: progress})
			if err == nil {
				mu.Lock()
				defer mu.Unlock()
				left = append(left, remarks(t)...)
			}
			return t, err
		},
	}
	if a.ascii {
		o.ASCII = &a.ascii
	}
	if a.color.value != "auto" {
		profile := a.profile(a.Out)
		o.Profile = &profile
	}
	err := tui.Run(cmd.Context(), o)
	mu.Lock()
	defer mu.Unlock()
	for _, line := range left {
		a.say("%s", line)
	}
	if err != nil {
		return err
	}
	return cmd.Context().Err()
}
