package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// Needs checks that a command gets exactly the named arguments.
func Needs(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < len(names) {
			return fmt.Errorf("%s needs %s", cmd.Name(), strings.Join(names[len(args):], " and "))
		}
		return AtMost(names...)(cmd, args)
	}
}

// AtMost checks a command whose arguments are optional.
func AtMost(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > len(names) {
			return fmt.Errorf("%s takes no argument %q", cmd.Name(), args[len(names)])
		}
		return nil
	}
}
