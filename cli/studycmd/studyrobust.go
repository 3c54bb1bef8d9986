package studycmd

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/prv"
	"pview/prv/quantity"
	"pview/render/document"
	"pview/sim/study"
)

// robust compares candidates whose parameters scatter.
func robust(a *command.App) *cobra.Command {
	q := &robustQuestion{randomFlags: randomFlags{studyFlags: studyFlags{App: a}}}
	cmd := &cobra.Command{
		Use:   "robust TRACE",
		Short: "Compare designs by what they do when their parameters scatter",
		Long: "robust simulates each --candidate with its nominal values (the medians), and --runs times with values that scatter. It judges a candidate by the mean plus --k standard deviations " +
			"of the first output, not by its nominal value: a design that is a little slower but depends less on what cannot be controlled is the better one. All candidates use the same random numbers.",
		Example: "pview study robust run.prv --candidate 'A: bandwidth=100+-50%' --candidate 'B: bandwidth=95+-5%'\n" +
			"pview study robust run.prv --machine cluster.cfg --candidate 'fat: bandwidth=5000+-20%; latency=2us+-50%' --candidate 'thin: bandwidth=2500+-5%; latency=1us+-10%' --k 3",
		Args:              command.Needs("TRACE"),
		ValidArgsFunction: command.CompletePrograms,
		RunE:              func(cmd *cobra.Command, args []string) error { return q.run(cmd.Context(), args[0]) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringArrayVar(&q.candidates, "candidate", nil, "design, `'NAME: INPUT=DENSITY; ...'`; may be repeated")
	f.Float64Var(&q.k, "k", 2, "standard deviations that are added to the mean")
	f.BoolVar(&q.most, "most", false, "greater outputs are better: judge by the mean minus --k standard deviations")
	f.IntVar(&q.runs, "runs", 100, "number of runs of each candidate")
	f.Uint64Var(&q.seed, "seed", 1, "of the random numbers")
	q.outputFlags(f)
	q.flags(f)
	return cmd
}

// robustQuestion is the command's flags.
type robustQuestion struct {
	randomFlags
	candidates []string
	k          float64
	most       bool
}

func (q *robustQuestion) run(ctx context.Context, path string) error {
	src, base, err := q.subject(ctx, path)
	if err != nil {
		return err
	}
	if err := study.CheckRuns(q.runs); err != nil {
		return command.Usagef("--runs: %v", err)
	}
	m := &study.Robust{Base: base, Runs: q.runs, K: q.k, Most: q.most, Seed: q.seed}
	for _, text := range q.candidates {
		name, list, ok := strings.Cut(text, ":")
		if !ok || strings.TrimSpace(name) == "" {
			return command.Usagef("--candidate %q must be 'NAME: PARAMETER=DENSITY; PARAMETER=DENSITY'", text)
		}
		c := study.Candidate{Name: strings.TrimSpace(name)}
		if c.Variables, err = q.variables(&m.Base, strings.Split(list, ";")); err != nil {
			return err
		}
		m.Candidates = append(m.Candidates, c)
	}
	if m.Outputs, err = q.outputList(&m.Base, q.outputs); err != nil {
		return err
	}
	m.Outputs = named(src, m.Outputs)
	p, err := m.Plan()
	if err != nil {
		return command.Usagef("%w", err)
	}
	t, err := q.made(ctx, p, "simulating "+path)
	if err != nil {
		return err
	}
	list, best, nominal := m.Verdicts(t)
	answer := q.verdict(path, m, list, best, nominal)
	if err := q.writePage(p, t, []command.Passage{answer}); err != nil {
		return err
	}
	switch q.Format.Value {
	case "json":
		name := func(i int) any {
			if i < 0 {
				return nil
			}
			return list[i].Candidate
		}
		out := []command.Object{}
		for _, v := range list {
			out = append(out, command.Object{{Key: "candidate", Value: v.Candidate},
				{Key: "nominal", Value: command.FiniteOrNone(v.Nominal)}, {Key: "n",
					Value: int64(v.N)}, {Key: "of", Value: int64(v.Of)}, {Key: "mean", Value: v.Mean},
				{Key: "sd", Value: v.SD}, {Key: "judged", Value: command.FiniteOrNone(v.Judged)}})
		}
		return command.WriteJSON(q.Out, studyObject(p, t, command.Field{Key: "candidates", Value: out},
			command.Field{Key: "best", Value: name(best)},
			command.Field{Key: "best_nominal", Value: name(nominal)}))
	case "table":
		return q.PrintAnswer(answer)
	}
	return document.WriteTable(q.Out, runTable(t), q.Format.Value)
}

// verdict names the best candidate above the table of all.
func (q *robustQuestion) verdict(path string, m *study.Robust, list []study.Verdict, best,
	nominal int) command.Passage {
	text := fmt.Sprintf("%s: %s", prv.Clean(path), command.UpperFirst(m.Outputs[0].Name))
	if best >= 0 {
		text += fmt.Sprintf("; the best is %s", list[best].Candidate)
	}
	if nominal >= 0 && nominal != best {
		text += fmt.Sprintf(", by nominal values it would be %s", list[nominal].Candidate)
	}
	return command.Passage{Text: text + "\n\n", Table: q.verdictTable(m, list)}
}

func (q *robustQuestion) verdictTable(m *study.Robust, list []study.Verdict) *command.Table {
	sign := "+"
	if m.Most {
		sign = "-"
	}
	t := &command.Table{Columns: []command.Column{{Title: "Candidate"}, {Title: "Nominal", Right: true},
		{Title: "Runs", Right: true},
		{Title: "Mean", Right: true}, {Title: "SD", Right: true},
		{Title: fmt.Sprintf("Mean %s %g SD", sign, m.K), Right: true}}}
	say := func(v float64) string { return show(&m.Outputs[0].Column, v) }
	for _, v := range list {
		t.Add(v.Candidate, say(v.Nominal), fmt.Sprintf("%d of %d", v.N, v.Of), say(v.Mean), say(v.SD), say(v.Judged))
	}
	return t
}

// stability compares the spread of measured times with that of their predictions.
func stability(a *command.App) *cobra.Command {
	q := &stabilityQuestion{studyFlags: studyFlags{App: a}}
	cmd := &cobra.Command{
		Use:   "stability TRACE|ELAPSED/PREDICTED...",
		Short: "How much predictions of repeated measurements of a program differ, and the measurements themselves",
		Long: "stability takes several traces of the same program, measured on a machine with other load for example, predicts each on the same machine, and compares the spread, (greatest - " +
			"least) / least, of the measured times with that of the predicted ones. Times that are known can be given as ELAPSED/PREDICTED.",
		Example: "pview study stability run_1.prv run_2.prv run_3.prv --machine cluster.cfg\n" +
			"pview study stability 10/9.0 31/9.36",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("stability needs TRACE or ELAPSED/PREDICTED")
			}
			return nil
		},
		ValidArgsFunction: command.CompletePrograms,
		RunE:              func(cmd *cobra.Command, args []string) error { return q.run(cmd.Context(), args) },
	}
	q.flags(cmd.Flags())
	return cmd
}

// stabilityQuestion is the command's flags.
type stabilityQuestion struct{ studyFlags }

func (q *stabilityQuestion) run(ctx context.Context, args []string) error {
	elapsed, predicted := make([]float64, len(args)), make([]float64, len(args))
	var cases []study.Case
	var at []int
	for i, arg := range args {
		one, two, ok := strings.Cut(arg, "/")
		x, err1 := quantity.ParseTime(one, 1e9)
		y, err2 := quantity.ParseTime(two, 1e9)
		if ok && err1 == nil && err2 == nil {
			elapsed[i], predicted[i] = x, y
			continue
		}
		src, c, err := q.subject(ctx, arg)
		if err != nil {
			return err
		}
		ns, known := src.Baseline.(int64)
		if !known {
			return command.Usagef("%s: a .dim has no measured time", arg)
		}
		elapsed[i], cases, at = float64(ns), append(cases, c), append(at, i)
	}
	if len(cases) > 0 {
		outcomes, err := study.Run(ctx, cases, q.options("stability", "simulating"))
		if err != nil {
			return err
		}
		for k, o := range outcomes {
			if o.Err != nil {
				return fmt.Errorf("%s: %w", args[at[k]], o.Err)
			}
			predicted[at[k]] = float64(o.Total)
		}
	}
	measured, err := study.Spread(elapsed)
	if err != nil {
		return command.Usagef("elapsed times: %v", err)
	}
	simulated, err := study.Spread(predicted)
	if err != nil {
		return fmt.Errorf("predicted times: %w", err)
	}
	t := &command.Table{Columns: []command.Column{{Key: "run", Title: "Run"},
		{Key: "elapsed_ns", Title: "Elapsed", Show: command.AsTime},
		{Key: "predicted_ns", Title: "Predicted", Show: command.AsTime}}}
	for i, arg := range args {
		t.Add(arg, elapsed[i], predicted[i])
	}
	answer := command.Passage{Text: fmt.Sprintf("Spread: %s of the elapsed times, %s of the predicted ones\n\n",
		command.Percent(measured, 1), command.Percent(simulated, 1)), Table: t}
	runs := carried{&study.Plan{Kind: "stability", Title: "measured times"}, &study.Table{}} // all times are known
	if len(q.done) > 0 {
		runs = q.done[0]
	}
	if err := q.writePage(runs.plan, runs.table, []command.Passage{answer}); err != nil {
		return err
	}
	switch q.Format.Value {
	case "json":
		return command.WriteJSON(q.Out, command.Object{{Key: "kind", Value: "stability"},
			{Key: "elapsed_spread", Value: measured},
			{Key: "predicted_spread", Value: simulated}, {Key: "runs", Value: t.Objects()}})
	case "table":
		return q.PrintAnswer(answer)
	}
	return document.WriteTable(q.Out, t, q.Format.Value)
}
