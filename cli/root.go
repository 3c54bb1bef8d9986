package cli

import (
	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/cli/explaincmd"
	"pview/cli/listcmd"
	"pview/cli/simcmd"
	"pview/cli/studycmd"
	"pview/cli/tracecmd"
	"pview/prv/quantity"
	"pview/tui"
	"pview/tui/screen"
)

// root returns the tree of commands. Without a command, it opens the viewer.
func (a *commandLine) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "pview [TRACE...] [CFG...]",
		Short: "View traces of parallel programs in the terminal",
		Long: "pview opens traces of parallel programs in the terminal (Paraver's .prv, OTF2, PyTorch, Nsight " +
			"Systems, Charm++, PICL): a timeline to zoom into, and the records behind every point of it. Windows and " +
			"histograms of a Paraver .cfg open on each trace. Without a trace it opens a built-in demo trace.",
		Example: "pview run.prv\n" +
			"pview run.prv useful.cfg\n" +
			"pview info --format json run.prv.gz",
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: command.CompleteViewed,
		Version:           version(),
		RunE:              a.view,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			a.started, a.Command = true, cmd
			if err := a.configure(cmd.Root()); err != nil {
				return err
			}
			return a.Prepare()
		},
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetVersionTemplate("pview {{.Version}}\n")
	root.SetHelpFunc(a.help)
	a.Format.Flag(root, "format",
		"output format: table for people, sheet for spreadsheets (csv without formulas), the others for programs")
	a.Color.Flag(root, "color", "colours to use; auto detects what the terminal has, and obeys NO_COLOR")
	root.PersistentFlags().BoolVar(&a.Strict, "strict", false,
		"fail on a bad record instead of skipping and counting it")
	root.PersistentFlags().BoolVar(&a.SortStates, "sort-states", false,
		"sort states by time (by default file order decides where states meet, as in Paraver)")
	root.PersistentFlags().BoolVar(&a.Separate, "separate", false,
		"open files of the ranks of one run as traces of their own (by default they are one trace)")
	root.PersistentFlags().BoolVar(&a.NoIndex, "no-index", false, "neither use nor write trace indexes")
	root.PersistentFlags().StringVar(&a.IndexLimit, "index-limit", "",
		"largest `SIZE` of an index on disk, and of all indexes in the cache directory together, such as 20G "+
			"(default 64G)")
	root.PersistentFlags().StringVar(&a.Memory, "memory", "",
		"memory to use: `SIZE` such as 800M or 4G, or 25% (default half of the available memory, at most 16G)")
	a.Units, a.Sizes = command.NewChoice(quantity.TimeUnits...), command.NewChoice(quantity.SizeUnits...)
	a.Units.Flag(root, "units",
		"unit of times that people read, on screen and in tables; auto takes the most readable one")
	a.Sizes.Flag(root, "sizes", "units of sizes that people read: decimal kB and MB, or binary KiB and MiB")
	root.PersistentFlags().BoolVar(&a.ascii, "ascii", false, "draw with ASCII characters only")

	root.Flags().BoolVar(&a.follow, "follow", false, "follow traces that are still being written")
	root.Flags().StringVar(&a.session, "session", "",
		"restore windows and traces from `FILE`, written by save-session; FILE may also be the only argument")

	a.renderer = command.NewChoice(append([]string{"auto"}, screen.Renderers()...)...)
	root.Flags().Var(&a.renderer, "renderer",
		"writer of frames to the terminal: pview sends fewer bytes when a view moves, bubbletea supports more "+
			"terminals; auto obeys "+screen.RendererVariable+" (default pview)")
	a.graphics = command.NewChoice(screen.GraphicsNames()...)
	root.Flags().Var(&a.graphics, "graphics",
		"how timelines, plots and heat maps are drawn: in pixels with kitty's graphics or sixels, or in cells; auto "+
			"asks the terminal")
	a.theme = command.NewChoice(append([]string{tui.Auto}, tui.ThemeNames()...)...)
	root.Flags().Var(&a.theme, "theme",
		"colours of the viewer to begin with: a dark or light background; calm: one colour per meaning, paraver: the "+
			"colours of the .pcf; auto asks the terminal for its background")
	if err := root.RegisterFlagCompletionFunc("theme", a.theme.Complete); err != nil {
		panic(err) // as below
	}
	if err := root.RegisterFlagCompletionFunc("graphics", a.graphics.Complete); err != nil {
		panic(err) // as below
	}
	if err := root.RegisterFlagCompletionFunc("renderer", a.renderer.Complete); err != nil {
		panic(err) // the flag was defined a line above
	}

	root.AddCommand(tracecmd.Info(a.App), tracecmd.Stat(a.App), tracecmd.What(a.App), listcmd.List(a.App),
		simcmd.Simulate(a.App), explaincmd.Critical(a.App), explaincmd.Diagnose(a.App), explaincmd.Compare(a.App),
		explaincmd.Frameworks(a.App), studycmd.Study(a.App), explaincmd.Efficiency(a.App), simcmd.Ring(a.App),
		tracecmd.Convert(a.App), tracecmd.Cut(a.App), tracecmd.Filter(a.App), tracecmd.Shift(a.App),
		tracecmd.Counters(a.App),
		tracecmd.Record(a.App, a.watch), tracecmd.Steer(a.App, a.watch), tracecmd.Index(a.App), a.man(),
		tracecmd.Synth(a.App), a.version())
	root.AddCommand(tracecmd.Export(a.App, simcmd.PredictTrace), a.config(), explaincmd.Workload(a.App),
		explaincmd.Devices(a.App))
	root.SetHelpCommand(a.helpOn())
	root.InitDefaultCompletionCmd()
	nameCompletion(root)
	a.joinRuns(root)
	return root
}

// joinRuns makes every command treat the files of one run's ranks as one trace, except commands that compare.
func (a *commandLine) joinRuns(cmd *cobra.Command) {
	for _, c := range cmd.Commands() {
		a.joinRuns(c)
	}
	check, run := cmd.Args, cmd.RunE
	if run == nil || check == nil || cmd.Name() == "compare" {
		return
	}
	outputs := 0
	if cmd.Name() == "convert" {
		outputs = 1
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error { return check(cmd, a.JoinRuns(args, outputs)) }
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return run(cmd, a.JoinRuns(args, outputs)) }
}

// Command returns the tree of commands, to be described rather than run.
func Command() *cobra.Command { return newCommandLine(command.Streams{}).root() }

// nameCompletion rewords cobra's command for shells, and makes it an error without a shell.
func nameCompletion(root *cobra.Command) {
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Use = "completion SHELL"
			c.Short, c.Long = "Print the completion script of a shell", ""
			c.RunE = func(*cobra.Command, []string) error {
				return command.Usagef("completion needs SHELL: bash, fish, powershell, zsh")
			}
		}
	}
}
