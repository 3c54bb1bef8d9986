package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pview/cli/command"
	"pview/tui/screen"
)

// man prints the manual page.
func (a *commandLine) man() *cobra.Command {
	return &cobra.Command{
		Use:     "man",
		Short:   "Print the manual page",
		Long:    "man prints the manual page of pview, for man(1).",
		Example: "pview man > ~/.local/share/man/man1/pview.1",
		Args:    command.Needs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := io.WriteString(a.Out, manPage(cmd.Root()))
			return err
		},
	}
}

// environment lists the variables that users may set.
var environment = [][2]string{
	{"NO_COLOR", "if set and not empty: no colours"},
	{"COLORTERM, TERM", "colours of the terminal"},
	{"LC_ALL, LC_CTYPE, LANG", "character set of the terminal: UTF-8, or ASCII only"},
	{"XDG_CONFIG_HOME, XDG_CACHE_HOME, XDG_STATE_HOME", "folders whose subfolder pview has the configuration file, " +
		"indexes, and what was open"},
	{configVariable, "another path of the configuration file"},
	{screen.RendererVariable, "renderer of the viewer, unless --renderer is given"},
}

// manPage writes the commands and flags in man(7) format.
func manPage(root *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH PVIEW 1 \"\" %s\n", roffQuoted("pview "+version()))
	fmt.Fprintf(&b, ".SH NAME\npview \\- %s\n", roff(lowerFirst(root.Short)))
	b.WriteString(".SH SYNOPSIS\n")
	for _, c := range append([]*cobra.Command{root}, manCommands(root)...) {
		fmt.Fprintf(&b, ".B %s\n.br\n", roff(strings.TrimSuffix(c.UseLine(), " [flags]")))
	}
	fmt.Fprintf(&b, ".SH DESCRIPTION\n%s\n", roff(root.Long))
	b.WriteString(roffFlags(root.LocalNonPersistentFlags()))
	for _, c := range manCommands(root) {
		manCommand(&b, c)
	}
	b.WriteString(".SH FLAGS OF ALL COMMANDS\n" + roffFlags(root.PersistentFlags()))
	b.WriteString(".SH EXIT STATUS\n")
	for _, s := range command.Statuses {
		b.WriteString(roffItem(fmt.Sprint(s.Status), s.Doc))
	}
	b.WriteString(".SH ENVIRONMENT\n")
	for _, e := range environment {
		b.WriteString(roffItem(e[0], e[1]))
	}
	return b.String()
}

// manCommands returns the commands that the page describes.
func manCommands(root *cobra.Command) (list []*cobra.Command) {
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			list = append(list, c)
			if c.Name() == "study" {
				list = append(list, c.Commands()...)
			}
		}
	}
	return list
}

func manCommand(b *strings.Builder, c *cobra.Command) {
	about := c.Long
	if about == "" {
		about = c.Short + "."
	}
	fmt.Fprintf(b, ".SH %s\n%s\n", roffQuoted(strings.ToUpper(c.CommandPath())), roff(about))
	b.WriteString(roffFlags(c.LocalNonPersistentFlags()))
	if c.Example != "" {
		fmt.Fprintf(b, ".PP\nFor example:\n.PP\n.nf\n.RS\n%s\n.RE\n.fi\n", roff(c.Example))
	}
}

func roffFlags(flags *pflag.FlagSet) string {
	var b strings.Builder
	for _, row := range command.FlagRows(flags) {
		if name := strings.TrimSpace(row[0]); name != "-h, --help" {
			b.WriteString(roffItem(name, row[1]))
		}
	}
	return b.String()
}

// roffItem returns a word and its meaning.
func roffItem(word, meaning string) string {
	return fmt.Sprintf(".TP\n.B %s\n%s\n", roff(word), roff(meaning))
}

// roff escapes anything that man(7) would read as a request: backslashes, and dots and quotes at the start of a line. A
// blank line is a new paragraph.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "`", `\(ga`, "\n\n", "\n.PP\n").Replace(s)
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if line != ".PP" && (strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'")) {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}

func roffQuoted(s string) string { return `"` + strings.ReplaceAll(roff(s), `"`, `\(dq`) + `"` }

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }
