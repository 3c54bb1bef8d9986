package cli

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/render/document"
)

// every calls f for a command and all below it.
func every(c *cobra.Command, f func(*cobra.Command)) {
	f(c)
	for _, sub := range c.Commands() {
		every(sub, f)
	}
}

// The help of each of our commands says what it does, its usage and its flags, and, except for the examples, fits the
// terminal.
func TestHelpFits(t *testing.T) {
	a := newCommandLine(command.Streams{})
	root := a.root()
	every(root, func(c *cobra.Command) {
		if c.HasParent() && c.Parent().Name() == "completion" {
			return // cobra's own
		}
		for _, width := range []int{60, 80, document.HelpWidth} {
			text := helpText(c, width)
			for _, want := range []string{"\x1b[1mUsage\x1b[m\n  " + strings.TrimSuffix(c.UseLine(), " [flags]"),
				"--strict"} {
				if !strings.Contains(text, want) {
					t.Errorf("%s: there is no %q in\n%s", c.CommandPath(), want, text)
				}
			}
			for line := range strings.Lines(text) {
				line = strings.TrimRight(line, "\n")
				if ansi.StringWidth(line) > width && !strings.Contains(c.Example, strings.TrimSpace(line)) {
					t.Errorf("%s: the line %q is %d columns wide, of %d", c.CommandPath(), line, ansi.StringWidth(line),
						width)
				}
			}
		}
	})
}
