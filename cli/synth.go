package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"pview/prv"
	"pview/prv/synth"
)

// synth writes traces for benchmarks and stress tests. It is a hidden command for
// developers of pview.
func (a *app) synth() *cobra.Command {
	opt := synth.Options{Tasks: 64, Nodes: 4, Callers: 2}
	var size string
	cmd := &cobra.Command{
		Use:    "synth OUT",
		Short:  "Write a trace of any size and shape, for benchmarks",
		Long:   "synth writes a trace like those of Extrae, without labels; the same options give the same trace.",
		Hidden: true,
		Example: "pview synth --size 2G big.prv\n" +
			"pview synth --tasks 16384 --nodes 128 --size 500M wide.prv\n" +
			"pview synth --tasks 1 --nodes 1 --size 2G one.prv",
		Args: needs("OUT"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if opt.Bytes, err = sizeOf(size, 0); err != nil {
				return usagef("--size: %w", err)
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
	f.Uint64Var(&opt.Seed, "seed", 0, "seed of the rng: another trace of the same shape")
	return cmd
}

func writeSynth(ctx context.Context, path string, opt synth.Options) error {
	g, err := synth.New(opt)
	if err != nil {
		return err
	}
	return prv.SaveFile(path, func(w io.Writer) error {
		return g.Write(ctx, w)
	})
}
