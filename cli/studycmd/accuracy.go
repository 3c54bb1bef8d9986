package studycmd

// pview study accuracy: how far predictions are from measurements.

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/render/document"
	"pview/sim/study"
)

// accuracy compares predicted with measured times.
func accuracy(a *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "accuracy FILE",
		Short: "Errors of predicted against measured times",
		Long: "accuracy reads runs, a line each: a name, the measured and the predicted time (seconds, or with a unit; \"-\" is standard input), and prints the signed error of each, the mean of their absolute values, " +
			"and the worst.",
		Example: "pview study accuracy runs.txt",
		Args:    command.Needs("FILE"),
		RunE:    func(_ *cobra.Command, args []string) error { return printAccuracy(a, args[0]) },
	}
}

func printAccuracy(a *command.App, path string) error {
	in := io.Reader(a.In)
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	list, err := study.ReadCompared(path, in)
	if err != nil {
		return err
	}
	signed := func(v any) string { return fmt.Sprintf("%+.2f %%", 100*v.(float64)) }
	t := &command.Table{Columns: []command.Column{{Key: "run", Title: "Run"},
		{Key: "actual_ns", Title: "Measured", Show: command.AsTime},
		{Key: "predicted_ns", Title: "Predicted", Show: command.AsTime}, {Key: "error", Title: "Error", Show: signed}}}
	for _, c := range list {
		t.Add(c.Name, c.Actual, c.Predicted, c.Error())
	}
	e := study.SumUp(list)
	switch a.Format.Value {
	case "json":
		return command.WriteJSON(a.Out, command.Object{{Key: "mean_absolute_error", Value: e.Mean},
			{Key: "worst_error", Value: e.Worst.Error()},
			{Key: "worst_run", Value: e.Worst.Name}, {Key: "runs", Value: t.Objects()}})
	case "table":
		return a.PrintAnswer(command.Passage{Text: fmt.Sprintf(
			"Mean absolute error %.2f %%; worst %s of %s; %d of %d below 5 %%.\n\n", 100*e.Mean,
			signed(e.Worst.Error()), e.Worst.Name, e.Below[5], len(list)), Table: t})
	}
	return document.WriteTable(a.Out, t, a.Format.Value)
}
