package cli

import (
	"fmt"
	"io"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/render/document"
	"pview/render/style"
)

// help prints a command's help: description, usage, examples, flags.
func (a *commandLine) help(cmd *cobra.Command, _ []string) {
	width := document.HelpWidth
	if f, ok := command.FileOf(a.Out); ok {
		if columns, _, err := term.GetSize(f.Fd()); err == nil {
			width = max(40, min(columns, document.HelpWidth))
		}
	}
	io.WriteString(a.Styled(a.Out), helpText(cmd, width))
}

// helpOn returns the command "help", equivalent to --help.
func (a *commandLine) helpOn() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Print the help of a command",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) (names []string,
			_ cobra.ShellCompDirective) {
			if on, _, err := cmd.Root().Find(args); err == nil {
				for _, row := range command.CommandRows(on) {
					names = append(names, row[0]+"\t"+row[1])
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			on, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return command.Usagef("there is no command %q", strings.Join(args, " "))
			}
			on.InitDefaultHelpFlag()
			return on.Help()
		},
	}
}

// helpText returns the help of a command, styled, for a terminal of the given width.
func helpText(cmd *cobra.Command, width int) string {
	heading := lipgloss.NewStyle().Bold(true)
	var b strings.Builder
	about := cmd.Long
	if about == "" {
		about = cmd.Short + "."
	}
	b.WriteString(strings.Join(style.WrapWords(strings.TrimRight(about, "\n"), width), "\n") + "\n")
	section := func(title string, rows [][2]string) {
		if len(rows) > 0 {
			fmt.Fprintf(&b, "\n%s\n%s", heading.Render(title), document.Definitions(rows, width))
		}
	}
	use := [][2]string{{cmd.UseLine(), ""}}
	if !cmd.HasParent() {
		use = append(use, [2]string{cmd.CommandPath() + " COMMAND [flags]", ""})
	}
	section("Usage", use)
	section("Examples", lines(cmd.Example))
	section("Commands", command.CommandRows(cmd))
	section("Flags", command.FlagRows(cmd.LocalNonPersistentFlags()))
	common := cmd.InheritedFlags()
	if !cmd.HasParent() {
		common = cmd.PersistentFlags()
	}
	section("Flags of all commands", command.FlagRows(common))
	return b.String()
}

func lines(text string) (rows [][2]string) {
	for line := range strings.Lines(text) {
		rows = append(rows, [2]string{strings.TrimSpace(line), ""})
	}
	return rows
}
