package tracecmd

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/insight/workload"
	"pview/prv"
	"pview/prv/synth"
)

// Synth writes traces: for benchmarks and stress tests, and from workload models.
func Synth(a *command.App) *cobra.Command {
	opt := synth.Options{Tasks: 64, Nodes: 4, Callers: 2}
	var size, model string
	cmd := &cobra.Command{
		Use:   "synth OUT",
		Short: "Write a synthetic trace: of any size and shape, or of a workload model",
		Long: "synth writes a trace like those of Extrae; the same options give the same trace. With --model it has " +
			"the statistics of a workload that was characterised: its clusters, their distributions and their order.",
		Example: "pview synth --size 2G big.prv\n" +
			"pview synth --tasks 16384 --nodes 128 --size 500M wide.prv\n" +
			"pview synth --tasks 1 --nodes 1 --size 2G one.prv\n" +
			"pview synth --model run.model.json synthetic.prv",
		Args: command.Needs("OUT"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if model != "" {
				return writeSynthetic(a, cmd.Context(), args[0], model, opt.Seed)
			}
			if opt.Bytes, err = command.SizeOf(size, 0); err != nil {
				return command.Usagef("--size: %w", err)
			}
			return writeSynth(cmd.Context(), args[0], opt)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	names := []string{}
	for _, p := range synth.Patterns {
		names = append(names, p.Name)
	}
	f.StringVar(&size, "size", "226M", "approximate `SIZE` of the .prv: 226M, 2G")
	f.StringVar(&opt.Pattern, "pattern", "stencil", fmt.Sprintf("kind of program: %v", names))
	f.IntVar(&opt.Tasks, "tasks", opt.Tasks, "tasks")
	f.IntVar(&opt.Threads, "threads", 1, "threads of each task")
	f.IntVar(&opt.Nodes, "nodes", opt.Nodes, "nodes")
	f.IntVar(&opt.Callers, "callers", opt.Callers, "levels of the call stack at MPI calls, 0 to 3")
	f.BoolVar(&opt.NoCounters, "no-counters", false, "omit hardware counters")
	f.StringVar(&model, "model", "",
		"make the trace from `FILE`, a workload model by pview workload --model; then only --seed matters")
	f.Uint64Var(&opt.Seed, "seed", 0, "seed of the rng: another trace of the same shape")
	return cmd
}

func writeSynth(ctx context.Context, path string, opt synth.Options) error {
	if err := prv.TraceReplaceable(path); err != nil { // fail early: New takes a while for long traces
		return err
	}
	g, err := synth.New(opt)
	if err != nil {
		return err
	}
	from := prv.Origin{Labels: g.Labels(), Names: g.Names()}
	return prv.Derive(ctx, path, from, func(w io.Writer) error { return g.Write(ctx, w) }, nil)
}

// writeSynthetic writes the trace of a model.
func writeSynthetic(a *command.App, ctx context.Context, path, model string, seed uint64) error {
	f, err := os.Open(model)
	if err != nil {
		return err
	}
	defer f.Close()
	m, err := workload.ReadModel(f, model)
	if err != nil {
		return err
	}
	t, err := m.Synthesize(ctx, seed)
	if err != nil {
		return err
	}
	return prv.Save(ctx, path, t)
}
