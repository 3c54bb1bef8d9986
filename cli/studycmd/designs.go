package studycmd

// Studies that compare designs: scattering candidates, a search for targets, faster blocks of the program.

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"pview/cli/command"
	"pview/insight/studies"
	"pview/prv"
	"pview/sim/study"
)

// robust compares candidates whose parameters scatter.
type robust struct {
	randomFlags
	candidates []string
	k          float64
	most       bool
}

func (q *robust) flags(f *pflag.FlagSet) {
	f.StringArrayVar(&q.candidates, "candidate", nil, "design, `'NAME: INPUT=DENSITY; ...'`; may be repeated")
	f.Float64Var(&q.k, "k", 2, "standard deviations that are added to the mean")
	f.BoolVar(&q.most, "most", false, "greater outputs are better: judge by the mean minus --k standard deviations")
	f.IntVar(&q.runs, "runs", 100, "number of runs of each candidate")
	f.Uint64Var(&q.seed, "seed", 1, "of the random numbers")
	q.outputFlags(f)
}

func (q *robust) answer(ctx context.Context, args []string) (*studies.Answer, error) {
	path := args[0]
	src, base, err := q.subject(ctx, path)
	if err != nil {
		return nil, err
	}
	if err := study.CheckRuns(q.runs); err != nil {
		return nil, command.Usagef("--runs: %v", err)
	}
	m := &study.Robust{Base: base, Runs: q.runs, K: q.k, Most: q.most, Seed: q.seed}
	for _, text := range q.candidates {
		name, list, ok := strings.Cut(text, ":")
		if !ok || strings.TrimSpace(name) == "" {
			return nil, command.Usagef("--candidate %q must be 'NAME: PARAMETER=DENSITY; PARAMETER=DENSITY'", text)
		}
		c := study.Candidate{Name: strings.TrimSpace(name)}
		if c.Variables, err = q.variables(&m.Base, strings.Split(list, ";")); err != nil {
			return nil, err
		}
		m.Candidates = append(m.Candidates, c)
	}
	if m.Outputs, err = q.outputList(src, &m.Base); err != nil {
		return nil, err
	}
	p, err := m.Plan()
	if err != nil {
		return nil, command.Usagef("%w", err)
	}
	t, err := q.made(ctx, p, "simulating "+path)
	if err != nil {
		return nil, err
	}
	return studies.Robust(path, m, t), nil
}

// improve searches parameters that bring outputs to targets.
type improve struct {
	randomFlags
	search, targets         []string
	tolerance               float64
	points, boxes, patience int
	halve                   bool
}

func (q *improve) flags(f *pflag.FlagSet) {
	f.StringArrayVar(&q.search, "search", nil,
		"parameter to search, `NAME=START+-HALF,LEAST..MOST`, where HALF is half the width of the box; without "+
			"START the value of the machine; may be repeated")
	f.StringArrayVar(&q.targets, "target", nil,
		"target, `NAME=VALUE`, NAME<=VALUE, NAME>=VALUE, NAME=min or NAME=max; may be repeated")
	f.Float64Var(&q.tolerance, "tolerance", 10, "of targets that are values, `PERCENT`")
	f.IntVar(&q.points, "points", 16, "points in a box")
	f.IntVar(&q.boxes, "boxes", 100, "boxes at most")
	f.IntVar(&q.patience, "patience", 3, "boxes in a row without gain")
	f.BoolVar(&q.halve, "halve", false, "halve the box after one without gain")
	f.Uint64Var(&q.seed, "seed", 1, "of the random numbers")
	q.outputFlags(f)
}

func (q *improve) answer(ctx context.Context, args []string) (*studies.Answer, error) {
	path := args[0]
	src, base, err := q.subject(ctx, path)
	if err != nil {
		return nil, err
	}
	if q.store.shard != "" {
		return nil, command.Usagef("--shard: a study that searches cannot be split")
	}
	m := &study.Improve{Base: base, Points: q.points, Boxes: q.boxes, Patience: q.patience,
		Tolerance: q.tolerance / 100, Halve: q.halve, Seed: q.seed}
	for _, text := range q.search {
		k, err := study.ParseKnob(text, &m.Base)
		if err != nil {
			return nil, command.Usagef("--search: %v", err)
		}
		m.Knobs = append(m.Knobs, k)
	}
	if m.Outputs, err = q.outputList(src, &m.Base); err != nil {
		return nil, err
	}
	for _, text := range q.targets {
		target, err := parseTarget(m, text)
		if err != nil {
			return nil, command.Usagef("--target: %v", err)
		}
		m.Targets = append(m.Targets, target)
	}
	p, err := m.Plan()
	if err != nil {
		return nil, command.Usagef("%w", err)
	}
	t, err := q.made(ctx, p, "improving "+path)
	if err != nil {
		return nil, err
	}
	way := m.Path(t.Rows, t.Inputs, t.Outputs)
	if len(way.Steps) == 0 {
		return nil, fmt.Errorf("the start could not be simulated: %s", t.Rows[0].Reason)
	}
	return studies.Improve(path, &way, t), nil
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

// modules ranks the blocks of the program by the time that a speedup of each would save.
type modules struct {
	*studyFlags
	factor float64
	blocks []uint
	top    int
}

func (q *modules) flags(f *pflag.FlagSet) {
	f.Float64Var(&q.factor, "factor", 2, "speedup of a block; below 1: slower")
	f.UintSliceVar(&q.blocks, "blocks", nil,
		"event `TYPES` whose values are blocks of the program, instead of user functions")
	f.IntVar(&q.top, "top", 20, "the `N` blocks with the most computation; 0: all")
}

func (q *modules) answer(ctx context.Context, args []string) (*studies.Answer, error) {
	path := args[0]
	if !(q.factor > 0) || q.factor > 1e6 {
		return nil, command.Usagef("--factor %g: must be > 0 and <= 1000000", q.factor)
	}
	types, err := command.EventTypes(q.blocks, study.DefaultBlocks)
	if err != nil {
		return nil, err
	}
	src, s, err := q.subject(ctx, path)
	if err != nil {
		return nil, err
	}
	m := &studies.Modules{Name: path, Labels: &prv.Labels{}, Factor: q.factor, Computed: s.Program.Computation()}
	if src.Trace != nil {
		m.Labels = src.Trace.Labels
	}
	var blocks []study.Block
	if blocks, m.Outside = study.BlocksOf(s.Program, types); len(blocks) == 0 {
		return nil, fmt.Errorf("%s: no computation within blocks of event types %s; --blocks names others: %w", path,
			strings.Trim(strings.Join(strings.Fields(fmt.Sprint(types)), ", "), "[]"), command.ErrNothing)
	}
	if m.All = len(blocks); q.top > 0 && m.All > q.top {
		blocks = blocks[:q.top]
	}
	m.Gains, m.Base, err = study.Faster(ctx, s, blocks, q.factor, q.options("modules", "simulating "+path))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m.Answer(), nil
}
