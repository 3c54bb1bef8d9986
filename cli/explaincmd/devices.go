package explaincmd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/insight/gpu"
)

// Devices explains the work of accelerators.
func Devices(a *command.App) *cobra.Command {
	var questions []string
	cmd := &cobra.Command{
		Use:   "devices TRACE",
		Short: "Explain the work of GPUs: where their time goes, idle causes, launches, collectives, stragglers",
		Long: "devices divides the time of each GPU into computation, exposed communication (not hidden behind " +
			"computation), exposed copies, and idle time, and explains it: the gaps of each stream by their cause, " +
			"how long launched kernels wait, how much of the time in collectives is waiting for the last rank to begin " +
			"and how much is transfer, which rank the others wait for, and the steps by rank. TRACE is the file of " +
			"a rank, the files of all ranks, or their folder: waits are known only between recorded ranks.\n\n" +
			"A stream is a thread named CUDA-D0.S7, as in traces of PyTorch's profiler, Extrae and nsys2prv. Exit " +
			"status 3 means that the trace has no work of devices.\n\n" +
			"--what-if replays the run with other times of some operations. Host calls and operations keep their lag " +
			"after what they depend on: the previous call, the launch, the previous operation on the stream, the " +
			"event waited for, the last member of a collective.",
		Example: "pview devices ranks/*.json.gz\n" +
			"pview devices ranks/*.json.gz --what-if as-others='rank 2' --what-if collectives:0.5\n" +
			"pview devices run.prv --format json",
		Args:              command.Needs("TRACE"),
		ValidArgsFunction: command.CompleteTraces,
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := a.Open(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			analysis, err := gpu.Analyze(cmd.Context(), t)
			if errors.Is(err, gpu.ErrNoDevice) {
				return fmt.Errorf("%w: %s: %w", command.ErrNothing, args[0], err)
			}
			if err != nil {
				return err
			}
			if len(questions) > 0 {
				if err := analysis.Ask(t, questions); err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
			}
			return a.PrintDocument(analysis.Document(t))
		},
	}
	forms := make([]string, len(gpu.Questions))
	for i, q := range gpu.Questions {
		forms[i] = q.Form + ": " + q.Doc
	}
	cmd.Flags().StringArrayVar(&questions, "what-if", nil, "replay the run with a `CHANGE`, repeatable: "+
		strings.Join(forms, "; "))
	return cmd
}
