package cli

import (
	"fmt"

	mango "github.com/muesli/mango-cobra"
	"github.com/muesli/roff"
	"github.com/spf13/cobra"
)

// man prints the manual page.
func (a *app) man() *cobra.Command {
	return &cobra.Command{
		Use:     "man",
		Short:   "Print the manual page",
		Long:    "man prints the manual page of pview, for man(1).",
		Example: "pview man > ~/.local/share/man/man1/pview.1",
		Args:    needs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			page, err := mango.NewManPage(1, cmd.Root())
			if err != nil {
				return fmt.Errorf("manual page: %w", err)
			}
			_, err = fmt.Fprint(a.Out, page.Build(roff.NewDocument()))
			return err
		},
	}
}
