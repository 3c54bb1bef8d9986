package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/floats"

	"pview/prv/quantity"
	"pview/sim/study"
)

// share measures how well programs share processors.
func (a *app) share() *cobra.Command {
	q := &studyFlags{app: a}
	cmd := &cobra.Command{
		Use:   "share NAME=ALONE/SHARED...",
		Short: "Measure how well programs share processors, from their times alone and shared",
		Long: "share computes the indices of multiprogrammed loads from the time of each program alone and while it shares the processors with the others: slowdowns, fairness, " +
			"and the gain over running one after the other. Times are in seconds or have a unit. The three studies in chapter 8 of the thesis (S. Girona, UPC 2003) define slowdown differently; here " +
			"slowdown is the time shared / alone, and speed the time alone / shared.",
		Example: "pview study share FFT=9.16/34.57 IS=20.8/23.3 LU=13.9/105.9",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("share needs NAME=ALONE/SHARED")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return q.shares(cmd.Context(), args) },
	}
	q.store.briefFlags(cmd.Flags())
	q.plot.flags(cmd.Flags())
	return cmd
}

func (q *studyFlags) shares(ctx context.Context, args []string) error {
	if err := q.plot.check(); err != nil {
		return err
	}
	var names []string
	var alone, shared []float64
	for _, text := range args {
		name, times, ok := strings.Cut(text, "=")
		one, both, ok2 := strings.Cut(times, "/")
		x, err1 := quantity.ParseTime(one, 1e9)
		y, err2 := quantity.ParseTime(both, 1e9)
		if !ok || !ok2 || err1 != nil || err2 != nil {
			return usagef("%q must be NAME=ALONE/SHARED, such as FFT=9.16/34.57 or FFT=12ms/40ms", text)
		}
		names, alone, shared = append(names, name), append(alone, x/1e9), append(shared, y/1e9)
	}
	s, err := study.Share(alone, shared)
	if err != nil {
		return usageError{err}
	}
	p, err := s.Plan(names, nanosecondsOf(alone), nanosecondsOf(shared))
	if err != nil {
		return usageError{err}
	}
	t, err := q.made(ctx, p, "comparing")
	if err != nil {
		return err
	}
	programs := &table{columns: []column{{key: "program", title: "Program"}, {key: "alone_s", title: "Alone (s)",
		show: decimals(3)}, {key: "shared_s", title: "Shared (s)", show: decimals(3)},
		{key: "slowdown", title: "Slowdown", show: decimals(3)}, {key: "speed", title: "Speed", show: decimals(3)},
		{key: "repeats", title: "Repeats", show: decimals(2)}}}
	for i := range names {
		programs.add(names[i], alone[i], shared[i], s.Slowdowns[i], s.Speeds[i], s.Repeats[i])
	}
	whole := object{{"slowdown_ratio", s.SlowdownRatio}, {"gain", s.Gain}, {"unfairness", s.Unfairness},
		{"fair", s.Fair}, {"sequential_s", s.Sequential},
		{"batch_per_s", s.Batch}, {"shared_per_s", s.Shared}}
	answer := []passage{{pairs: sharePairs(s)}, {text: "\n", table: programs}}
	if err := q.writePage(p, t, answer); err != nil {
		return err
	}
	switch q.format.value {
	case "json":
		return writeJSON(q.Out, studyObject(p, t, append(whole, field{"programs", programs.objects()})...))
	case "table":
		return q.printAnswer(answer...)
	}
	for _, f := range whole[:len(whole):len(whole)] {
		programs.columns = append(programs.columns, column{key: f.key})
		for i := range programs.rows {
			programs.rows[i] = append(programs.rows[i], f.value)
		}
	}
	return programs.write(q.Out, q.format.value)
}

// nanosecondsOf are times in seconds as those of a study.
func nanosecondsOf(seconds []float64) []float64 {
	list := slices.Clone(seconds)
	floats.Scale(1e9, list)
	return list
}

// sharePairs are the indices of the load, and their meaning.
func sharePairs(s *study.Sharing) [][2]string {
	fair := "no: a program has less than its share of the processors"
	if s.Fair {
		fair = "yes: each program keeps its share of the processors, 1 of " + fmt.Sprint(len(s.Speeds)) + ", or more"
	}
	return [][2]string{
		{"Gain", fmt.Sprintf("%.4f: sum of the speeds; above 1 sharing beats running one after the other", s.Gain)},
		{"Fair", fair},
		{"Slowdown ratio", fmt.Sprintf("%.4f: greatest slowdown / least; 1 is fair", s.SlowdownRatio)},
		{"Unfairness", fmt.Sprintf("%.6f: standard deviation of the speeds; 0 is fair", s.Unfairness)},
		{"One after the other", fmt.Sprintf("%.4f s for the work done until the slowest ends", s.Sequential)},
		{"Throughput", fmt.Sprintf("%.6f programs/s one after the other, %.6f sharing", s.Batch, s.Shared)},
	}
}
