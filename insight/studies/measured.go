package studies

import (
	"fmt"

	"pview/insight/report"
	"pview/prv/quantity"
	"pview/sim/study"
)

// Answers about times that are known: errors of predictions, their spread, programs that share processors.

// Accuracy compares predicted with measured times.
func Accuracy(list []study.Compared) *Answer {
	signed := func(v any) string { return quantity.FormatChange(v.(float64)) }
	t := &report.Table{Indent: 2, Columns: []report.Column{{Key: "run", Title: "Run"},
		{Key: "actual_ns", Title: "Measured", Show: report.ShowTime},
		{Key: "predicted_ns", Title: "Predicted", Show: report.ShowTime}, {Key: "error", Title: "Error", Show: signed}}}
	for _, c := range list {
		t.Add(c.Name, c.Actual, c.Predicted, c.Error())
	}
	e := study.SumUp(list)
	a := &Answer{Rows: t, Object: report.NewObject("mean_absolute_error", e.Mean, "worst_error", e.Worst.Error(),
		"worst_run", e.Worst.Name, "runs", t.Objects())}
	a.add(report.Sentence(fmt.Sprintf("Mean absolute error %s; worst %s of %s; %d of %d below 5 %%.",
		quantity.FormatPercent(e.Mean), signed(e.Worst.Error()), e.Worst.Name, e.Below[5], len(list))))
	a.add(t)
	return a
}

// Stability compares the spread of measured times with that of their predictions.
func Stability(names []string, elapsed, predicted []float64, measured, simulated float64) *Answer {
	t := &report.Table{Indent: 2, Columns: []report.Column{{Key: "run", Title: "Run"},
		{Key: "elapsed_ns", Title: "Elapsed", Show: report.ShowTime},
		{Key: "predicted_ns", Title: "Predicted", Show: report.ShowTime}}}
	for i, name := range names {
		t.Add(name, elapsed[i], predicted[i])
	}
	a := &Answer{Rows: t, Object: report.NewObject("kind", "stability", "elapsed_spread", measured,
		"predicted_spread", simulated, "runs", t.Objects())}
	a.add(report.Sentence(fmt.Sprintf("Spread: %s of the elapsed times, %s of the predicted ones",
		report.ShowShare(measured), report.ShowShare(simulated))))
	a.add(t)
	return a
}

// Sharing concludes from programs that share processors. Times are in seconds.
func Sharing(s *study.Sharing, names []string, alone, shared []float64) *Answer {
	programs := &report.Table{Indent: 2, Columns: []report.Column{{Key: "program", Title: "Program"},
		{Key: "alone_s", Title: "Alone (s)", Show: report.ShowDecimals(3)},
		{Key: "shared_s", Title: "Shared (s)", Show: report.ShowDecimals(3)},
		{Key: "slowdown", Title: "Slowdown", Show: report.ShowDecimals(3)},
		{Key: "speed", Title: "Speed", Show: report.ShowDecimals(3)},
		{Key: "repeats", Title: "Repeats", Show: report.ShowDecimals(2)}}}
	whole := report.NewObject("slowdown_ratio", s.SlowdownRatio, "gain", s.Gain, "unfairness", s.Unfairness,
		"fair", s.Fair, "sequential_s", s.Sequential, "batch_per_s", s.Batch, "shared_per_s", s.Shared)
	rows := &report.Table{Columns: programs.Columns[:len(programs.Columns):len(programs.Columns)]}
	for _, f := range whole {
		rows.Columns = append(rows.Columns, report.Column{Key: f.Key})
	}
	for i := range names {
		row := []any{names[i], alone[i], shared[i], s.Slowdowns[i], s.Speeds[i], s.Repeats[i]}
		programs.Add(row...)
		for _, f := range whole {
			row = append(row, f.Value)
		}
		rows.Add(row...)
	}
	fair := "no: a program has less than its share of the processors"
	if s.Fair {
		fair = fmt.Sprintf("yes: each program keeps its share of the processors, 1 of %d, or more", len(s.Speeds))
	}
	a := &Answer{Rows: rows, Fields: whole.With("programs", programs.Objects())}
	a.add(report.Pairs{
		{"Gain", fmt.Sprintf("%.4f: sum of the speeds; above 1 sharing beats running one after the other", s.Gain)},
		{"Fair", fair},
		{"Slowdown ratio", fmt.Sprintf("%.4f: greatest slowdown / least; 1 is fair", s.SlowdownRatio)},
		{"Unfairness", fmt.Sprintf("%.6f: standard deviation of the speeds; 0 is fair", s.Unfairness)},
		{"One after the other", fmt.Sprintf("%.4f s for the work done until the slowest ends", s.Sequential)},
		{"Throughput", fmt.Sprintf("%.6f programs/s one after the other, %.6f sharing", s.Batch, s.Shared)}})
	a.add(programs)
	return a
}
