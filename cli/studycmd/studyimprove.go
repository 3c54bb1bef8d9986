package studycmd

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/prv"
	"pview/render/document"
	"pview/sim/study"
)

// improve searches parameters that bring outputs to targets.
func improve(a *command.App) *cobra.Command {
	q := &improveQuestion{randomFlags: randomFlags{studyFlags: studyFlags{App: a}}}
	cmd := &cobra.Command{
		Use:   "improve TRACE",
		Short: "Search parameters that bring the outputs to targets",
		Long: "improve searches by stochastic design improvement: it draws points in a box around the start, moves the box to the one nearest to the targets, and so on, until the " +
			"targets are reached, --patience boxes in a row have brought no gain, or --boxes are drawn. A target is a value (total=10ms, within --tolerance), a limit (total<=12s, " +
			"utilisation>=0.8), or a direction (bandwidth=min, utilisation=max), of an output or a parameter. So it finds the cheapest machine with which a run is fast enough, or which block must become how much faster.",
		Example: "pview study improve run.prv --machine cluster.cfg --search 'latency=+-1us,0.5us..20us' --search 'bandwidth=250+-50,50..5000' --target 'total<=12s' --target bandwidth=min\n" +
			"pview study improve run.prv --search '60000019:3=1+-0.1,1..4' --target total=10s",
		Args:              command.Needs("TRACE"),
		ValidArgsFunction: command.CompletePrograms,
		RunE:              func(cmd *cobra.Command, args []string) error { return q.run(cmd.Context(), args[0]) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringArrayVar(&q.search, "search", nil,
		"parameter to search, `NAME=START+-HALF,LEAST..MOST`, where HALF is half the width of the box; without START the value of the machine; may be repeated")
	f.StringArrayVar(&q.targets, "target", nil,
		"target, `NAME=VALUE`, NAME<=VALUE, NAME>=VALUE, NAME=min or NAME=max; may be repeated")
	f.Float64Var(&q.tolerance, "tolerance", 10, "of targets that are values, `PERCENT`")
	f.IntVar(&q.points, "points", 16, "points in a box")
	f.IntVar(&q.boxes, "boxes", 100, "boxes at most")
	f.IntVar(&q.patience, "patience", 3, "boxes in a row without gain")
	f.BoolVar(&q.halve, "halve", false, "halve the box after one without gain")
	f.Uint64Var(&q.seed, "seed", 1, "of the random numbers")
	q.outputFlags(f)
	q.flags(f)
	return cmd
}

// improveQuestion is the command's flags.
type improveQuestion struct {
	randomFlags
	search, targets         []string
	tolerance               float64
	points, boxes, patience int
	halve                   bool
}

func (q *improveQuestion) run(ctx context.Context, path string) error {
	src, base, err := q.subject(ctx, path)
	if err != nil {
		return err
	}
	if q.store.shard != "" {
		return command.Usagef("--shard: a study that searches cannot be split")
	}
	m := &study.Improve{Base: base, Points: q.points, Boxes: q.boxes, Patience: q.patience,
		Tolerance: q.tolerance / 100, Halve: q.halve, Seed: q.seed}
	for _, text := range q.search {
		k, err := study.ParseKnob(text, &m.Base)
		if err != nil {
			return command.Usagef("--search: %v", err)
		}
		m.Knobs = append(m.Knobs, k)
	}
	if m.Outputs, err = q.outputList(&m.Base, q.outputs); err != nil {
		return err
	}
	m.Outputs = named(src, m.Outputs)
	for _, text := range q.targets {
		target, err := parseTarget(m, text)
		if err != nil {
			return command.Usagef("--target: %v", err)
		}
		m.Targets = append(m.Targets, target)
	}
	p, err := m.Plan()
	if err != nil {
		return command.Usagef("%w", err)
	}
	t, err := q.made(ctx, p, "improving "+path)
	if err != nil {
		return err
	}
	way := m.Path(t.Rows, t.Inputs, t.Outputs)
	if len(way.Steps) == 0 {
		return fmt.Errorf("the start could not be simulated: %s", t.Rows[0].Reason)
	}
	head := fmt.Sprintf("%s: %s in %s; ended because %s\n\n", prv.Clean(path),
		command.Plural(int64(len(t.Rows)), "run"),
		command.Plural(int64(way.Boxes), "box"), endedBecause(way.Why))
	answer := command.Passage{Text: strings.ReplaceAll(head, "boxs", "boxes"), Table: pathTable(t, &way)}
	if err := q.writePage(p, t, []command.Passage{answer}); err != nil {
		return err
	}
	switch q.Format.Value {
	case "json":
		steps := []command.Object{}
		for _, s := range way.Steps {
			steps = append(steps, command.Object{{Key: "box", Value: int64(s.Box)}, {Key: "run", Value: int64(s.Index)},
				{Key: "distance", Value: s.Distance}})
		}
		return command.WriteJSON(q.Out, studyObject(p, t, command.Field{Key: "path", Value: steps},
			command.Field{Key: "best", Value: int64(way.Steps[len(way.Steps)-1].Index)},
			command.Field{Key: "reached", Value: way.Reached}, command.Field{Key: "boxes", Value: int64(way.Boxes)},
			command.Field{Key: "why", Value: way.Why}))
	case "table":
		return q.PrintAnswer(answer)
	}
	return document.WriteTable(q.Out, runTable(t), q.Format.Value)
}

// endedBecause makes a reason part of a sentence.
func endedBecause(why string) string {
	if strings.Contains(why, "without gain") {
		return "of " + why
	}
	return why
}

// pathTable has a line for each accepted centre.
func pathTable(t *study.Table, way *study.Path) *command.Table {
	out := &command.Table{Columns: []command.Column{{Title: "Box"}, {Title: "Run"},
		{Title: "Distance", Show: command.Decimals(5)}}}
	for _, list := range [][]study.Column{t.Inputs, t.Outputs} {
		for i := range list {
			out.Columns = append(out.Columns, command.Column{Title: command.UpperFirst(list[i].Name), Right: true})
		}
	}
	for _, s := range way.Steps {
		row := []any{int64(s.Box), int64(s.Index), s.Distance}
		for i := range t.Inputs {
			row = append(row, show(&t.Inputs[i], s.Inputs[i]))
		}
		for i := range t.Outputs {
			row = append(row, show(&t.Outputs[i], s.Outputs[i]))
		}
		out.Add(row...)
	}
	return out
}

// parseTarget reads a target of an output or a parameter of the study.
func parseTarget(m *study.Improve, text string) (t study.Target, err error) {
	for _, op := range []struct {
		sign     string
		relation study.Relation
	}{{"<=", study.AtMost}, {">=", study.AtLeast}, {"=", study.Equal}} {
		name, value, ok := strings.Cut(text, op.sign)
		if !ok {
			continue
		}
		t.Name, t.Relation = strings.TrimSpace(name), op.relation
		switch value = strings.TrimSpace(value); {
		case op.relation == study.Equal && value == "min":
			t.Relation = study.Least
			return t, nil
		case op.relation == study.Equal && value == "max":
			t.Relation = study.Most
			return t, nil
		}
		unit := ""
		for i := range m.Outputs {
			if m.Outputs[i].Name == t.Name {
				unit = m.Outputs[i].Unit
			}
		}
		for i := range m.Knobs {
			if m.Knobs[i].Quantity.Name == t.Name {
				unit = m.Knobs[i].Quantity.Unit
			}
		}
		t.Value, err = parseAmount(unit, value)
		return t, err
	}
	return t, fmt.Errorf("%q is not NAME=VALUE, NAME<=VALUE, NAME>=VALUE, NAME=min or NAME=max", text)
}
