package cli

import (
	"github.com/spf13/cobra"

	"pview/prv/quantity"
	"pview/tui"
	"pview/tui/screen"
)

// root is the tree of commands. Without a command it is the viewer.
func (a *commandLine) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "pview [TRACE...] [CFG...]",
		Short: "View Paraver traces in the terminal",
		Long: "pview opens Paraver traces (.prv, .prv.gz) in the terminal: a timeline to zoom into, and the records behind " +
			"every point of it. Windows and histograms of a Paraver .cfg open on each trace. Without a trace it opens a built-in demo trace.",
		Example: "pview run.prv\n" +
			"pview run.prv useful.cfg\n" +
			"pview info --format json run.prv.gz",
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: completeViewed,
		Version:           version(),
		RunE:              a.view,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			a.started, a.command = true, cmd
			if err := a.configure(cmd.Root()); err != nil {
				return err
			}
			return a.prepare()
		},
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetVersionTemplate("pview {{.Version}}\n")
	root.SetHelpFunc(a.help)
	a.format.flag(root, "format", "output format: table for people, the others for programs")
	a.color.flag(root, "color", "colours to use; auto detects what the terminal has, and obeys NO_COLOR")
	root.PersistentFlags().BoolVar(&a.strict, "strict", false,
		"fail on a bad record instead of skipping and counting it")
	root.PersistentFlags().BoolVar(&a.sortStates, "sort-states", false,
		"sort states by time (by default file order decides where states meet, as in Paraver)")
	root.PersistentFlags().BoolVar(&a.noIndex, "no-index", false, "neither use nor write trace indexes")
	root.PersistentFlags().StringVar(&a.indexLimit, "index-limit", "",
		"largest `SIZE` of an index on disk, and of all indexes in the cache directory together, such as 20G (default 64G)")
	root.PersistentFlags().StringVar(&a.memory, "memory", "",
		"memory to use: `SIZE` such as 800M or 4G, or 25% (default half of the available memory, at most 16G)")
	a.units, a.sizes = newChoice(quantity.TimeUnits...), newChoice(quantity.SizeUnits...)
	a.units.flag(root, "units",
		"unit of times that people read, on screen and in tables; auto takes the most readable one")
	a.sizes.flag(root, "sizes", "units of sizes that people read: decimal kB and MB, or binary KiB and MiB")
	root.PersistentFlags().BoolVar(&a.ascii, "ascii", false, "draw with ASCII characters only")

	root.Flags().BoolVar(&a.follow, "follow", false, "follow traces that are still being written")
	root.Flags().StringVar(&a.session, "session", "",
		"restore windows and traces from `FILE`, written by save-session; FILE may also be the only argument")

	a.renderer = newChoice(append([]string{"auto"}, screen.Renderers()...)...)
	root.Flags().Var(&a.renderer, "renderer",
		"writer of frames to the terminal: pview sends fewer bytes when a view moves, bubbletea supports more terminals; auto obeys "+screen.RendererVariable+" (default pview)")
	a.graphics = newChoice(screen.GraphicsNames()...)
	root.Flags().Var(&a.graphics, "graphics",
		"how timelines, plots and heat maps are drawn: in pixels with kitty's graphics or sixels, or in cells; auto asks the terminal")
	a.theme = newChoice(append([]string{tui.Auto}, tui.ThemeNames()...)...)
	root.Flags().Var(&a.theme, "theme",
		"colours of the viewer to begin with: a dark or light background; calm: one colour per meaning, paraver: the colours of the .pcf; auto asks the terminal for its background")
	if err := root.RegisterFlagCompletionFunc("theme", a.theme.complete); err != nil {
		panic(err) // as below
	}
	if err := root.RegisterFlagCompletionFunc("graphics", a.graphics.complete); err != nil {
		panic(err) // as below
	}
	if err := root.RegisterFlagCompletionFunc("renderer", a.renderer.complete); err != nil {
		panic(err) // the flag was defined a line above
	}

	root.AddCommand(a.info(), a.stat(), a.what(), a.list(), a.simulate(), a.critical(), a.diagnose(), a.compare(),
		a.frameworks(), a.study(), a.efficiency(), a.ring(), a.convert(), a.cut(), a.filter(), a.shift(), a.counters(),
		a.index(), a.man(), a.synth(), a.version())
	root.AddCommand(a.export(), a.config(), a.workload())
	root.SetHelpCommand(a.helpOn())
	root.InitDefaultCompletionCmd()
	nameCompletion(root)
	return root
}

// Command returns the tree of commands, to be described rather than run.
func Command() *cobra.Command { return newCommandLine(Streams{}).root() }

// nameCompletion rewords cobra's command for shells, and makes it an error
// to call it without one.
func nameCompletion(root *cobra.Command) {
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Use = "completion SHELL"
			c.Short, c.Long = "Print the completion script of a shell", ""
			c.RunE = func(*cobra.Command, []string) error {
				return usagef("completion needs SHELL: bash, fish, powershell, zsh")
			}
		}
	}
}
