package studycmd

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/floats"

	"pview/cli/command"
	"pview/prv/quantity"
	"pview/render/document"
	"pview/sim/study"
)

// share measures how well programs share processors.
func share(a *command.App) *cobra.Command {
	q := &studyFlags{App: a}
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
	if err := q.plot.Check(); err != nil {
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
			return command.Usagef("%q must be NAME=ALONE/SHARED, such as FFT=9.16/34.57 or FFT=12ms/40ms", text)
		}
		names, alone, shared = append(names, name), append(alone, x/1e9), append(shared, y/1e9)
	}
	s, err := study.Share(alone, shared)
	if err != nil {
		return command.Usagef("%w", err)
	}
	p, err := s.Plan(names, nanosecondsOf(alone), nanosecondsOf(shared))
	if err != nil {
		return command.Usagef("%w", err)
	}
	t, err := q.made(ctx, p, "comparing")
	if err != nil {
		return err
	}
	programs := &command.Table{Columns: []command.Column{{Key: "program", Title: "Program"},
		{Key: "alone_s", Title: "Alone (s)",
			Show: command.Decimals(3)}, {Key: "shared_s", Title: "Shared (s)", Show: command.Decimals(3)},
		{Key: "slowdown", Title: "Slowdown", Show: command.Decimals(3)},
		{Key: "speed", Title: "Speed", Show: command.Decimals(3)},
		{Key: "repeats", Title: "Repeats", Show: command.Decimals(2)}}}
	for i := range names {
		programs.Add(names[i], alone[i], shared[i], s.Slowdowns[i], s.Speeds[i], s.Repeats[i])
	}
	whole := command.Object{{Key: "slowdown_ratio", Value: s.SlowdownRatio}, {Key: "gain", Value: s.Gain},
		{Key: "unfairness", Value: s.Unfairness},
		{Key: "fair", Value: s.Fair}, {Key: "sequential_s", Value: s.Sequential},
		{Key: "batch_per_s", Value: s.Batch}, {Key: "shared_per_s", Value: s.Shared}}
	answer := []command.Passage{{Pairs: sharePairs(s)}, {Text: "\n", Table: programs}}
	if err := q.writePage(p, t, answer); err != nil {
		return err
	}
	switch q.Format.Value {
	case "json":
		return command.WriteJSON(q.Out, studyObject(p, t, append(whole,
			command.Field{Key: "programs", Value: programs.Objects()})...))
	case "table":
		return q.PrintAnswer(answer...)
	}
	for _, f := range whole[:len(whole):len(whole)] {
		programs.Columns = append(programs.Columns, command.Column{Key: f.Key})
		for i := range programs.Rows {
			programs.Rows[i] = append(programs.Rows[i], f.Value)
		}
	}
	return document.WriteTable(q.Out, programs, q.Format.Value)
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
