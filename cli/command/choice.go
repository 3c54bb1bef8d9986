package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pview/render/document"
)

// Choice is a flag that takes one of a few words; the first is the default.
type Choice struct {
	Value string
	Of    []string
}

func NewChoice(of ...string) Choice { return Choice{of[0], of} }

// FormatFlag returns the choice of formats of an answer.
func FormatFlag() Choice { return NewChoice(document.Formats...) }

// String, Set and Type make a choice a flag value.
func (c *Choice) String() string { return c.Value }

// Set takes one of the words.
func (c *Choice) Set(s string) error {
	if !slices.Contains(c.Of, s) {
		return fmt.Errorf("must be one of %s", strings.Join(c.Of, ", "))
	}
	c.Value = s
	return nil
}

// Type names the words, for the help.
func (c *Choice) Type() string { return strings.Join(c.Of, "|") }

// Complete completes the words in the shell.
func (c *Choice) Complete(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return c.Of, cobra.ShellCompDirectiveNoFileComp
}

// Flag adds a choice to a command's flags and the command's descendants'.
func (c *Choice) Flag(cmd *cobra.Command, name, usage string) {
	cmd.PersistentFlags().Var(c, name, usage)
	if err := cmd.RegisterFlagCompletionFunc(name, c.Complete); err != nil {
		panic(err) // the flag was defined a line above
	}
}
