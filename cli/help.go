package cli

import (
	"fmt"
	"io"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth is the most columns of a line of help; a narrower terminal has fewer.
const helpWidth = 100

// help prints a command's help: description, usage, examples, flags.
func (a *app) help(cmd *cobra.Command, _ []string) {
	width := helpWidth
	if f, ok := fileOf(a.Out); ok {
		if columns, _, err := term.GetSize(f.Fd()); err == nil {
			width = max(40, min(columns, helpWidth))
		}
	}
	io.WriteString(a.styled(a.Out), helpText(cmd, width))
}

// helpOn is the command "help", the same as --help.
func (a *app) helpOn() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Print the help of a command",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) (names []string,
			_ cobra.ShellCompDirective) {
			if on, _, err := cmd.Root().Find(args); err == nil {
				for _, row := range commandRows(on) {
					names = append(names, row[0]+"\t"+row[1])
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			on, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return usagef("there is no command %q", strings.Join(args, " "))
			}
			on.InitDefaultHelpFlag()
			return on.Help()
		},
	}
}

// helpText is the help of a command, styled, for a terminal of the given width.
func helpText(cmd *cobra.Command, width int) string {
	heading := lipgloss.NewStyle().Bold(true)
	var b strings.Builder
	about := cmd.Long
	if about == "" {
		about = cmd.Short + "."
	}
	b.WriteString(wrap(about, width) + "\n")
	section := func(title string, rows [][2]string) {
		if len(rows) > 0 {
			fmt.Fprintf(&b, "\n%s\n%s", heading.Render(title), definitions(rows, width))
		}
	}
	use := [][2]string{{cmd.UseLine(), ""}}
	if !cmd.HasParent() {
		use = append(use, [2]string{cmd.CommandPath() + " COMMAND [flags]", ""})
	}
	section("Usage", use)
	section("Examples", lines(cmd.Example))
	section("Commands", commandRows(cmd))
	section("Flags", flagRows(cmd.LocalNonPersistentFlags()))
	common := cmd.InheritedFlags()
	if !cmd.HasParent() {
		common = cmd.PersistentFlags()
	}
	section("Flags of all commands", flagRows(common))
	return b.String()
}

func lines(text string) (rows [][2]string) {
	for line := range strings.Lines(text) {
		rows = append(rows, [2]string{strings.TrimSpace(line), ""})
	}
	return rows
}

func commandRows(cmd *cobra.Command) (rows [][2]string) {
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			rows = append(rows, [2]string{c.Name(), c.Short})
		}
	}
	return rows
}

func flagRows(flags *pflag.FlagSet) (rows [][2]string) {
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

// definitions lays out names and what they mean in two columns. A name too long for the first
// stands on a line of its own.
func definitions(rows [][2]string, total int) string {
	const longest = 28
	width := 0
	for _, r := range rows {
		if n := ansi.StringWidth(r[0]); n <= longest {
			width = max(width, n)
		}
	}
	var b strings.Builder
	for _, r := range rows {
		meaning := strings.Split(wrap(r[1], total-width-4), "\n")
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

// wrap breaks the lines of a text between words, never within one: "--all" is a word.
func wrap(text string, width int) string {
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
