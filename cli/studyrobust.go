package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"pview/prv"
	"pview/prv/quantity"
	"pview/sim/study"
)

// robust compares candidates whose parameters scatter.
func (a *app) robust() *cobra.Command {
	q := &robustQuestion{randomFlags: randomFlags{studyFlags: studyFlags{app: a}}}
	cmd := &cobra.Command{
		Use:   "robust TRACE",
		Short: "Compare designs by what they do when their parameters scatter",
		Long: "robust simulates each --candidate with its nominal values (the medians), and --runs times with values that scatter. It judges a candidate by the mean plus --k standard deviations " +
			"of the first output, not by its nominal value: a design that is a little slower but depends less on what cannot be controlled is the better one. All candidates use the same random numbers.",
		Example: "pview study robust run.prv --candidate 'A: bandwidth=100+-50%' --candidate 'B: bandwidth=95+-5%'\n" +
			"pview study robust run.prv --machine cluster.cfg --candidate 'fat: bandwidth=5000+-20%; latency=2us+-50%' --candidate 'thin: bandwidth=2500+-5%; latency=1us+-10%' --k 3",
		Args:              needs("TRACE"),
		ValidArgsFunction: completePrograms,
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
		return usagef("--runs: %v", err)
	}
	m := &study.Robust{Base: base, Runs: q.runs, K: q.k, Most: q.most, Seed: q.seed}
	for _, text := range q.candidates {
		name, list, ok := strings.Cut(text, ":")
		if !ok || strings.TrimSpace(name) == "" {
			return usagef("--candidate %q must be 'NAME: PARAMETER=DENSITY; PARAMETER=DENSITY'", text)
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
		return usageError{err}
	}
	t, err := q.made(ctx, p, "simulating "+path)
	if err != nil {
		return err
	}
	list, best, nominal := m.Verdicts(t)
	answer := q.verdict(path, m, list, best, nominal)
	if err := q.writePage(p, t, []passage{answer}); err != nil {
		return err
	}
	switch q.format.value {
	case "json":
		name := func(i int) any {
			if i < 0 {
				return nil
			}
			return list[i].Candidate
		}
		out := []object{}
		for _, v := range list {
			out = append(out, object{{"candidate", v.Candidate}, {"nominal", finiteOrNone(v.Nominal)}, {"n",
				int64(v.N)}, {"of", int64(v.Of)}, {"mean", v.Mean}, {"sd", v.SD}, {"judged", finiteOrNone(v.Judged)}})
		}
		return writeJSON(q.Out, studyObject(p, t, field{"candidates", out}, field{"best", name(best)},
			field{"best_nominal", name(nominal)}))
	case "table":
		return q.printAnswer(answer)
	}
	return runTable(t).write(q.Out, q.format.value)
}

// verdict names the best candidate above the table of all.
func (q *robustQuestion) verdict(path string, m *study.Robust, list []study.Verdict, best, nominal int) passage {
	text := fmt.Sprintf("%s: %s", prv.Clean(path), upperFirst(m.Outputs[0].Name))
	if best >= 0 {
		text += fmt.Sprintf("; the best is %s", list[best].Candidate)
	}
	if nominal >= 0 && nominal != best {
		text += fmt.Sprintf(", by nominal values it would be %s", list[nominal].Candidate)
	}
	return passage{text: text + "\n\n", table: q.verdictTable(m, list)}
}

func (q *robustQuestion) verdictTable(m *study.Robust, list []study.Verdict) *table {
	sign := "+"
	if m.Most {
		sign = "-"
	}
	t := &table{columns: []column{{title: "Candidate"}, {title: "Nominal", right: true}, {title: "Runs", right: true},
		{title: "Mean", right: true}, {title: "SD", right: true},
		{title: fmt.Sprintf("Mean %s %g SD", sign, m.K), right: true}}}
	say := func(v float64) string { return show(&m.Outputs[0].Column, v) }
	for _, v := range list {
		t.add(v.Candidate, say(v.Nominal), fmt.Sprintf("%d of %d", v.N, v.Of), say(v.Mean), say(v.SD), say(v.Judged))
	}
	return t
}

// stability compares the spread of measured times with that of their predictions.
func (a *app) stability() *cobra.Command {
	q := &stabilityQuestion{studyFlags: studyFlags{app: a}}
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
		ValidArgsFunction: completePrograms,
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
		ns, known := src.baseline.(int64)
		if !known {
			return usagef("%s: a .dim has no measured time", arg)
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
		return usagef("elapsed times: %v", err)
	}
	simulated, err := study.Spread(predicted)
	if err != nil {
		return fmt.Errorf("predicted times: %w", err)
	}
	t := &table{columns: []column{{key: "run", title: "Run"}, {key: "elapsed_ns", title: "Elapsed", show: asTime},
		{key: "predicted_ns", title: "Predicted", show: asTime}}}
	for i, arg := range args {
		t.add(arg, elapsed[i], predicted[i])
	}
	answer := passage{text: fmt.Sprintf("Spread: %s of the elapsed times, %s of the predicted ones\n\n",
		percent(measured, 1), percent(simulated, 1)), table: t}
	runs := carried{&study.Plan{Kind: "stability", Title: "measured times"}, &study.Table{}} // all times are known
	if len(q.done) > 0 {
		runs = q.done[0]
	}
	if err := q.writePage(runs.plan, runs.table, []passage{answer}); err != nil {
		return err
	}
	switch q.format.value {
	case "json":
		return writeJSON(q.Out, object{{"kind", "stability"}, {"elapsed_spread", measured},
			{"predicted_spread", simulated}, {"runs", t.objects()}})
	case "table":
		return q.printAnswer(answer)
	}
	return t.write(q.Out, q.format.value)
}
