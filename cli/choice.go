package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// choice is a flag that takes one of a few words; the first is the default.
type choice struct {
	value string
	of    []string
}

func newChoice(of ...string) choice { return choice{of[0], of} }

// String, Set and Type make a choice a flag's value.
func (c *choice) String() string { return c.value }

// Set takes one of the words.
func (c *choice) Set(s string) error {
	if !slices.Contains(c.of, s) {
		return fmt.Errorf("must be one of %s", strings.Join(c.of, ", "))
	}
	c.value = s
	return nil
}

// Type names the words, for the help.
func (c *choice) Type() string { return strings.Join(c.of, "|") }

// complete completes the words in the shell.
func (c *choice) complete(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return c.of, cobra.ShellCompDirectiveNoFileComp
}

// flag adds a choice to a command's flags and the command's descendants'.
func (c *choice) flag(cmd *cobra.Command, name, usage string) {
	cmd.PersistentFlags().Var(c, name, usage)
	if err := cmd.RegisterFlagCompletionFunc(name, c.complete); err != nil {
		panic(err) // the flag was defined a line above
	}
}
