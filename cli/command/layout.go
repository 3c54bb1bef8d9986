package command

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// HelpWidth is the most columns of a line of help; a narrower terminal has fewer.
const HelpWidth = 100

func CommandRows(cmd *cobra.Command) (rows [][2]string) {
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			rows = append(rows, [2]string{c.Name(), c.Short})
		}
	}
	return rows
}

func FlagRows(flags *pflag.FlagSet) (rows [][2]string) {
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		name := "    --" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", --" + f.Name
		}
		value, usage := pflag.UnquoteUsage(f)
		if value != "" {
			name += " " + value
		}
		rows = append(rows, [2]string{name, usage})
	})
	return rows
}

// Definitions lays out names and what they mean in two columns. A name too long for the first
// stands on a line of its own.
func Definitions(rows [][2]string, total int) string {
	const longest = 28
	width := 0
	for _, r := range rows {
		if n := ansi.StringWidth(r[0]); n <= longest {
			width = max(width, n)
		}
	}
	var b strings.Builder
	for _, r := range rows {
		meaning := strings.Split(Wrap(r[1], total-width-4), "\n")
		if r[1] == "" {
			fmt.Fprintf(&b, "  %s\n", r[0])
			continue
		}
		if ansi.StringWidth(r[0]) > width {
			fmt.Fprintf(&b, "  %s\n", r[0])
		} else {
			fmt.Fprintf(&b, "  %-*s  %s\n", width, r[0], meaning[0])
			meaning = meaning[1:]
		}
		for _, m := range meaning {
			fmt.Fprintf(&b, "  %*s  %s\n", width, "", m)
		}
	}
	return b.String()
}

// Wrap breaks the lines of a text between words, never within one: "--all" is a word.
func Wrap(text string, width int) string {
	var out []string
	for line := range strings.Lines(text) {
		broken := ""
		for _, word := range strings.Fields(line) {
			switch {
			case broken == "":
				broken = word
			case ansi.StringWidth(broken)+1+ansi.StringWidth(word) > width:
				out = append(out, broken)
				broken = word
			default:
				broken += " " + word
			}
		}
		out = append(out, broken)
	}
	return strings.Join(out, "\n")
}
