package cli

// pview study accuracy: how far predictions are from measurements.

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"pview/sim/study"
)

// accuracy compares predicted with measured times.
func (a *app) accuracy() *cobra.Command {
	return &cobra.Command{
		Use:   "accuracy FILE",
		Short: "Errors of predicted against measured times",
		Long: "accuracy reads runs, a line each: a name, the measured and the predicted time (seconds, or with a unit; \"-\" is standard input), and prints the signed error of each, the mean of their absolute values, " +
			"and the worst.",
		Example: "pview study accuracy runs.txt",
		Args:    needs("FILE"),
		RunE:    func(_ *cobra.Command, args []string) error { return a.printAccuracy(args[0]) },
	}
}

func (a *app) printAccuracy(path string) error {
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
	t := &table{columns: []column{{key: "run", title: "Run"}, {key: "actual_ns", title: "Measured", show: asTime},
		{key: "predicted_ns", title: "Predicted", show: asTime}, {key: "error", title: "Error", show: signed}}}
	for _, c := range list {
		t.add(c.Name, c.Actual, c.Predicted, c.Error())
	}
	e := study.SumUp(list)
	switch a.format.value {
	case "json":
		return writeJSON(a.Out, object{{"mean_absolute_error", e.Mean}, {"worst_error", e.Worst.Error()},
			{"worst_run", e.Worst.Name}, {"runs", t.objects()}})
	case "table":
		return a.printAnswer(passage{text: fmt.Sprintf(
			"Mean absolute error %.2f %%; worst %s of %s; %d of %d below 5 %%.\n\n", 100*e.Mean,
			signed(e.Worst.Error()), e.Worst.Name, e.Below[5], len(list)), table: t})
	}
	return t.write(a.Out, a.format.value)
}
