package cli

import (
	"github.com/spf13/cobra"

	"pview/tui"
)

// view opens the interactive viewer.
func (a *app) view(cmd *cobra.Command, paths []string) error {
	if !isTerminal(a.Out) {
		return usagef("standard output is no terminal, and the viewer needs one; `pview info TRACE` prints what is in a trace")
	}
	o := tui.Options{Paths: paths, Strict: a.strict}
	if a.ascii {
		o.ASCII = &a.ascii
	}
	if a.color.value != "auto" {
		profile := a.profile(a.Out)
		o.Profile = &profile
	}
	if err := tui.Run(cmd.Context(), o); err != nil {
		return err
	}
	return cmd.Context().Err()
}
