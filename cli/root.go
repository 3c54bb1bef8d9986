package cli

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"pview/tui/screen"
)

// root is the tree of commands. Without a command it is the viewer.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "pview [TRACE...] [CFG...]",
		Short: "Look at Paraver traces in the terminal",
		Long: "pview opens Paraver traces (.prv, .prv.gz) in the terminal: a timeline to zoom into, and the what and " +
			"where of every point of it. Windows and histograms of a Paraver .cfg open on each trace. Without a trace it opens the demo trace that it carries.",
		Example: "pview run.prv\n" +
			"pview run.prv useful.cfg\n" +
			"pview info --format json run.prv.gz",
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: completeViewed,
		Version:           version(),
		RunE:              a.view,
		PersistentPreRunE: func(*cobra.Command, []string) error {
			a.started = true
			return a.prepare()
		},
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetVersionTemplate("pview {{.Version}}\n")
	root.SetHelpFunc(a.help)
	a.format.flag(root, "format", "form of the result: a table for people, the others for programs")
	a.color.flag(root, "color", "colours of the terminal; auto asks it, and obeys NO_COLOR")
	root.PersistentFlags().BoolVar(&a.strict, "strict", false, "a bad record in a trace is an error, instead of left out and counted")
	root.PersistentFlags().BoolVar(&a.sortStates, "sort-states", false, "read states in the order of time; if not given, the order of the file decides between states that meet, as in Paraver")
	root.PersistentFlags().BoolVar(&a.noIndex, "no-index", false, "neither use nor make the index of a trace")
	root.PersistentFlags().StringVar(&a.indexLimit, "index-limit", "", "most that an index may take on the disk, and all in the cache directory together: `SIZE` such as 20G; 64G if not given")
	root.PersistentFlags().StringVar(&a.memory, "memory", "", "memory to use: `SIZE` such as 800M or 4G, or 25%; half of what is free, at most 16G, if not given")
	root.PersistentFlags().BoolVar(&a.ascii, "ascii", false, "draw with ASCII characters only")

	root.Flags().BoolVar(&a.follow, "follow", false, "show the traces while they are still being written, as they grow")
	root.Flags().StringVar(&a.session, "session", "", "`FILE` that the viewer has saved with save-session: the windows and traces in it come back; also as the only argument")

	a.renderer = newChoice(append([]string{"auto"}, screen.Renderers()...)...)
	root.Flags().Var(&a.renderer, "renderer", "what sends pictures to the terminal: pview sends little when a view moves, bubbletea knows more terminals; auto obeys "+screen.RendererVariable+", else it is pview")
	if err := root.RegisterFlagCompletionFunc("renderer", a.renderer.complete); err != nil {
		panic(err) // the flag was defined a line above
	}

	root.AddCommand(a.info(), a.stat(), a.what(), a.list(), a.simulate(), a.critical(), a.study(), a.efficiency(), a.ring(), a.convert(), a.cut(), a.filter(), a.shift(), a.counters(), a.index(), a.man(), a.synth(), a.version())
	root.SetHelpCommand(a.helpOn())
	root.InitDefaultCompletionCmd()
	nameCompletion(root)
	return root
}

// nameCompletion gives cobra's command for shells our words, and an error
// where it is called without a shell.
func nameCompletion(root *cobra.Command) {
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Use = "completion SHELL"
			c.Short, c.Long = "Print the script that completes commands in a shell", ""
			c.RunE = func(*cobra.Command, []string) error {
				return usagef("completion needs one of the shells bash, fish, powershell, zsh")
			}
		}
	}
}

// needs is the check of a command that takes the named arguments, no less and no
// more.
func needs(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < len(names) {
			return fmt.Errorf("%s needs %s", cmd.Name(), strings.Join(names[len(args):], " and "))
		}
		return atMost(names...)(cmd, args)
	}
}

// atMost is the check of a command whose arguments may be left out.
func atMost(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > len(names) {
			return fmt.Errorf("%s takes no argument %q", cmd.Name(), args[len(names)])
		}
		return nil
	}
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := fileOf(stream)
	return ok && term.IsTerminal(f.Fd())
}
