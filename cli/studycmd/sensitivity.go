package studycmd

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/prv"
	"pview/render/document"
	"pview/sim/study"
)

// sensitivity ranks parameters by their effect on the time.
func sensitivity(a *command.App) *cobra.Command {
	q := &sensitivityQuestion{randomFlags: randomFlags{studyFlags: studyFlags{App: a}}}
	cmd := &cobra.Command{
		Use:   "sensitivity TRACE",
		Short: "Rank parameters by their effect: vary each a little, in all combinations",
		Long: "sensitivity gives each parameter a low and a high value, 10 % below and above that of the machine, and simulates all combinations (2^N of N parameters, at most 10). " +
			"The time is then a mean, plus or minus an effect of each parameter and of each interaction of parameters; the share is the part " +
			"of the variation that an effect explains. A parameter with a small share need not be known exactly. --vary takes a parameter, a block of the program (TYPE:VALUE of its event, whose speed " +
			"is varied), or a parameter with both values (latency=1us,2us).\n\n" +
			"With --random it computes Sobol' indices instead: the share of each output's variance that an input explains alone (first order), and together with others (total), with 95 % confidence " +
			"intervals, over the whole space of the inputs and whatever the shape of the dependence. That takes --runs times (inputs + 2) simulations.",
		Example: "pview study sensitivity run.prv --machine cluster.cfg --vary latency --vary bandwidth\n" +
			"pview study sensitivity run.prv --machine now --vary bandwidth --vary buses=1,2 --vary 60000019:4 --by 20\n" +
			"pview study sensitivity run.prv --random 'latency=uniform(1us,30us)' --random 'bandwidth=loguniform(50,5000)' --runs 256",
		Args:              command.Needs("TRACE"),
		ValidArgsFunction: command.CompletePrograms,
		RunE:              func(cmd *cobra.Command, args []string) error { return q.run(cmd.Context(), args[0]) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringArrayVar(&q.vary, "vary", nil,
		"parameter or block to vary: `NAME`, TYPE:VALUE or NAME=LOW,HIGH; at least one")
	f.Float64Var(&q.by, "by", 10, "variation of values, `PERCENT`")
	q.randoms(f)
	q.outputFlags(f)
	q.flags(f)
	return cmd
}

// sensitivityQuestion is the command's flags.
type sensitivityQuestion struct {
	randomFlags
	vary []string
	by   float64
}

func (q *sensitivityQuestion) run(ctx context.Context, path string) error {
	switch {
	case len(q.random) > 0 && len(q.vary) > 0:
		return command.Usagef("--vary and --random are mutually exclusive: effects of two levels, or Sobol' indices")
	case len(q.random) > 0:
		return q.indices(ctx, path)
	case len(q.vary) == 0 || len(q.vary) > study.MaxFactors:
		return command.Usagef("sensitivity needs 1 to %d flags --vary NAME", study.MaxFactors)
	case !(q.by > 0 && q.by < 100):
		return command.Usagef("--by %g: must be > 0 and < 100", q.by)
	}
	opt := q.options("sensitivity", "simulating "+path)
	_, s, err := q.subject(ctx, path)
	if err != nil {
		return err
	}
	var factors []study.Factor
	for _, text := range q.vary {
		f, err := study.ParseFactor(text, s.Machine, q.by/100)
		if err != nil {
			return command.Usagef("--vary: %v", err)
		}
		if slices.ContainsFunc(factors, func(g study.Factor) bool { return g.Name == f.Name }) {
			return command.Usagef("--vary: %s is named twice", f.Name)
		}
		factors = append(factors, f)
	}
	answer, err := study.Vary(ctx, s, factors, opt)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	said := sensitivityAnswer(path, answer)
	if err := q.writePage(q.done[0].plan, q.done[0].table, said); err != nil {
		return err
	}
	switch runs := q.done[0].table; q.Format.Value {
	case "json":
		return command.WriteJSON(q.Out, studyObject(q.done[0].plan, runs,
			command.Field{Key: "effects", Value: effectTable(answer).Objects()}))
	case "table":
		return q.PrintAnswer(said...)
	default:
		return document.WriteTable(q.Out, runTable(runs), q.Format.Value)
	}
}

// effectTable has a line for each effect: the mean, then what explains most.
func effectTable(a *study.Sensitivity) *command.Table {
	signed := func(v any) string {
		ns := v.(float64)
		text := command.Nanoseconds(ns)
		if ns > 0 {
			text = "+" + text
		}
		return text
	}
	out := &command.Table{Columns: []command.Column{{Key: "effect", Title: "Of"},
		{Key: "coefficient_ns", Title: "Effect on the time", Show: signed},
		{Key: "share", Title: "Explains", Show: command.AsPercent}}}
	out.Add("mean", a.Effects[0].Q, nil)
	effects := slices.Clone(a.Effects[1:])
	slices.SortStableFunc(effects, func(x, y study.Effect) int { return cmp.Compare(y.Share, x.Share) })
	for i := range effects {
		out.Add(a.EffectName(&effects[i]), effects[i].Q, effects[i].Share)
	}
	return out
}

// sensitivityAnswer lists the varied parameters, and their effects.
func sensitivityAnswer(path string, a *study.Sensitivity) []command.Passage {
	t := &command.Table{Columns: []command.Column{{Title: "Varied"}, {Title: "Low", Right: true},
		{Title: "High", Right: true}}}
	for _, f := range a.Factors {
		t.Add(f.Name, f.Low.Text, f.High.Text)
	}
	low, high := slices.Min(a.Times), slices.Max(a.Times)
	text := fmt.Sprintf("%s: from %s to %s in %s\n\n", prv.Clean(path), command.Nanoseconds(low),
		command.Nanoseconds(high),
		command.Plural(int64(len(a.Times)), "simulation"))
	return []command.Passage{{Text: text, Table: t}, {Text: "\n", Table: effectTable(a)}}
}

// indices computes Sobol' indices.
func (q *sensitivityQuestion) indices(ctx context.Context, path string) error {
	src, base, err := q.subject(ctx, path)
	if err != nil {
		return err
	}
	if len(q.correlations) > 0 {
		return command.Usagef("--correlation: Sobol' indices need independent inputs")
	}
	d, err := q.definition(base)
	if err != nil {
		return err
	}
	m := &study.Indices{Base: base, Variables: d.Variables, Outputs: named(src, d.Outputs), Rows: q.runs, Seed: q.seed}
	p, err := m.Plan()
	if err != nil {
		return command.Usagef("%w", err)
	}
	t, err := q.made(ctx, p, "simulating "+path)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("%s: %s, seed %d\n\n", prv.Clean(path), command.Plural(int64(len(t.Rows)), "run"), q.seed)
	answer := ranked(text, t, command.Passage{Table: indexTable(m, t)})
	if err := q.writePage(p, t, answer); err != nil {
		return err
	}
	switch q.Format.Value {
	case "json":
		indices := command.Object{}
		for i := range t.Outputs {
			list, n := m.Of(t, t.Outputs[i].Name)
			rows := []command.Object{}
			for _, x := range list {
				rows = append(rows, command.Object{{Key: "input", Value: x.Input}, {Key: "first", Value: x.First},
					{Key: "first_range", Value: []float64{x.FirstRange.Least, x.FirstRange.Most}},
					{Key: "total", Value: x.Total}, {Key: "total_range",
						Value: []float64{x.TotalRange.Least, x.TotalRange.Most}}})
			}
			indices = append(indices, command.Field{Key: columnKey(&t.Outputs[i]),
				Value: command.Object{{Key: "n", Value: int64(n)}, {Key: "inputs", Value: rows}}})
		}
		return command.WriteJSON(q.Out, studyObject(p, t, command.Field{Key: "ranking", Value: rankingObjects(t)},
			command.Field{Key: "indices", Value: indices}))
	case "table":
		return q.PrintAnswer(answer...)
	}
	return document.WriteTable(q.Out, runTable(t), q.Format.Value)
}

// indexTable has a line for each output and input.
func indexTable(m *study.Indices, t *study.Table) *command.Table {
	out := &command.Table{Columns: []command.Column{{Title: "Output"}, {Title: "Input"},
		{Title: "First order", Right: true},
		{Title: "95 %", Right: true}, {Title: "Total", Right: true}, {Title: "95 %", Right: true}}}
	interval := func(r study.Range) string { return fmt.Sprintf("%.3f .. %.3f", r.Least, r.Most) }
	for i := range t.Outputs {
		list, _ := m.Of(t, t.Outputs[i].Name)
		for _, x := range list {
			out.Add(t.Outputs[i].Name, x.Input, fmt.Sprintf("%.3f", x.First), interval(x.FirstRange),
				fmt.Sprintf("%.3f", x.Total), interval(x.TotalRange))
		}
	}
	return out
}
