package studycmd

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pview/cli/command"
	"pview/prv"
	"pview/render/document"
	"pview/sim"
	"pview/sim/study"
)

// monteCarlo simulates a run with random inputs.
func monteCarlo(a *command.App) *cobra.Command {
	q := &monteCarloQuestion{randomFlags: randomFlags{studyFlags: studyFlags{App: a}}}
	cmd := &cobra.Command{
		Use:   "montecarlo [TRACE]",
		Short: "Simulate with random inputs: how the outputs scatter, and which input they depend on",
		Long: "montecarlo draws a value for each --random quantity, simulates, and repeats that: --runs times, or until the averages have settled (--until). Each value is drawn once per " +
			"run, unlike the distributions that a parameter of the machine can have, which are drawn at each use within a run. It prints mean, deviation, percentiles and the " +
			"worst run of each output, and ranks the inputs by their influence: correlations, and the coefficients of a linear regression. The runs follow from --seed alone, " +
			"whatever the number of cores or interruptions. With --until the study looks after each run from run 20 on and ends after three successive successes: constant inputs end at run 22.\n\n" +
			"Instead of simulating TRACE, --solver runs a command of the shell, in a directory of its own for each run, with copies of the --input files: @NAME@ in the command and in the --template files is replaced by the value of the " +
			"input, and --extract finds the outputs in what the command prints or writes. Any name can be an input then.",
		Example: "pview study montecarlo run.prv --machine cluster.cfg --random 'latency=uniform(1us,30us)' --random 'bandwidth=normal(250,25)'\n" +
			"pview study montecarlo run.prv --machine now --random latency=+-20% --random 'buses=1,2,4*2' --until 1 --runs 10000 --store runs/\n" +
			"pview study montecarlo run.prv --random 'cpu-ratio=triangular(0.8,1,1.1)' --random 'model=dimemas,thesis' --output total --limit total=12s\n" +
			"pview study montecarlo run.prv --machine cluster.cfg --random latency=+-20% --output pop:load-balance --output 'useful=useful.cfg;THREAD 1.1.1;Running'\n" +
			"pview study montecarlo --solver './model params.txt' --input model --template params.txt --random 'alpha=normal(1,0.1)' --extract 'energy=E = ([-0-9.e+]+)'",
		Args:              q.needs,
		ValidArgsFunction: command.CompletePrograms,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return q.runExternal(cmd.Context())
			}
			return q.run(cmd.Context(), args[0])
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	q.randoms(f)
	q.outputFlags(f)
	f.Float64Var(&q.until, "until", 0,
		"end before --runs when half the width of the 95 % confidence interval of each mean is within `PERCENT` of the mean")
	f.StringArrayVar(&q.limits, "limit", nil,
		"probability that an output exceeds a value, `OUTPUT=VALUE`; may be repeated")
	f.StringVar(&q.solver.Command, "solver", "", "`COMMAND` to run instead of the simulation")
	f.StringArrayVar(&q.solver.Inputs, "input", nil,
		"`FILE` that the command needs, such as the program: copied into its directory; may be repeated")
	f.StringArrayVar(&q.templates, "template", nil,
		"file for the command, `FILE` or FILE:NAME in its directory; may be repeated")
	f.StringArrayVar(&q.extracts, "extract", nil,
		"output of the command, `NAME=PATTERN` or NAME=FILE:PATTERN, a regular expression with a group around the number; may be repeated")
	q.flags(f)
	return cmd
}

// needs checks the arguments: a trace, or a command.
func (q *monteCarloQuestion) needs(_ *cobra.Command, args []string) error {
	switch {
	case q.solver.Command == "" && len(args) != 1:
		return fmt.Errorf("montecarlo needs TRACE, or --solver COMMAND")
	case q.solver.Command != "" && len(args) > 0:
		return fmt.Errorf("montecarlo needs TRACE or --solver COMMAND, not both")
	}
	return nil
}

// randomFlags are the random variables of a study.
type randomFlags struct {
	studyFlags
	random       []string
	correlations []string
	sampling     string
	runs         int
	seed         uint64
	outputs      []string
}

func (r *randomFlags) randoms(f *pflag.FlagSet) {
	f.StringArrayVar(&r.random, "random", nil,
		"random input, `NAME=DENSITY` (pview list densities, quantities); may be repeated")
	f.IntVar(&r.runs, "runs", 100, "number of runs")
	f.Uint64Var(&r.seed, "seed", 1, "of the random numbers: the same seed, the same runs")
	f.StringVar(&r.sampling, "sampling", study.Samplings[0].Name,
		"how runs spread over the inputs: random, latin (hypercube), sobol")
	f.StringArrayVar(&r.correlations, "correlation", nil, "rank correlation of two inputs, `A:B=R`; may be repeated")
}

func (r *randomFlags) outputFlags(f *pflag.FlagSet) {
	f.StringArrayVar(&r.outputs, "output", []string{"total", "utilisation"},
		"output, `NAME` (pview list outputs); may be repeated")
}

// variables parses the random inputs for a case.
func (r *randomFlags) variables(base *study.Case, texts []string) (list []study.Variable, err error) {
	for _, text := range texts {
		v, err := study.ParseVariable(text, base)
		if err != nil {
			return nil, command.Usagef("--random: %v", err)
		}
		list = append(list, v)
	}
	return list, nil
}

// definition parses the flags for a case.
func (r *randomFlags) definition(base study.Case) (*study.MonteCarlo, error) {
	if len(r.random) == 0 {
		return nil, command.Usagef("a study of random inputs needs --random NAME=DENSITY")
	}
	if err := study.CheckRuns(r.runs); err != nil {
		return nil, command.Usagef("--runs: %v", err)
	}
	m := &study.MonteCarlo{Base: base, Runs: r.runs, Seed: r.seed, Correlations: r.correlations}
	var err error
	if m.Sampling, err = study.SamplingByName(r.sampling); err != nil {
		return nil, command.Usagef("--sampling: %v", err)
	}
	if m.Variables, err = r.variables(&m.Base, r.random); err != nil {
		return nil, err
	}
	if _, err := study.Correlations(m.Variables, r.correlations); err != nil {
		return nil, command.Usagef("--correlation: %v", err)
	}
	m.Outputs, err = r.outputList(&m.Base, r.outputs)
	return m, err
}

// monteCarloQuestion is the command's flags.
type monteCarloQuestion struct {
	randomFlags
	until               float64
	limits              []string
	solver              study.Solver
	templates, extracts []string
}

func (q *monteCarloQuestion) run(ctx context.Context, path string) error {
	if len(q.templates)+len(q.extracts)+len(q.solver.Inputs) > 0 {
		return command.Usagef("--input, --template and --extract belong to --solver")
	}
	src, base, err := q.subject(ctx, path)
	if err != nil {
		return err
	}
	m, err := q.definition(base)
	if err != nil {
		return err
	}
	m.Outputs = named(src, m.Outputs)
	if m.Stop, err = q.stop(); err != nil {
		return err
	}
	p, err := m.Plan()
	if err != nil {
		return command.Usagef("%w", err)
	}
	return q.answer(ctx, p, path)
}

// stop is the rule of --until; nil without it.
func (q *monteCarloQuestion) stop() (*study.StopRule, error) {
	if q.until == 0 {
		return nil, nil
	}
	s := study.DefaultStop(q.until / 100)
	if err := s.Check(); err != nil {
		return nil, command.Usagef("--until: %v", err)
	}
	return s, nil
}

// runExternal runs a command instead of simulations.
func (q *monteCarloQuestion) runExternal(ctx context.Context) (err error) {
	if err := q.check(); err != nil {
		return err
	}
	if err := study.CheckRuns(q.runs); err != nil {
		return command.Usagef("--runs: %v", err)
	}
	m := &study.MonteCarlo{Base: study.Case{Name: q.solver.Command, Program: &sim.Program{}, Machine: &sim.Machine{}},
		Runs: q.runs, Seed: q.seed, Correlations: q.correlations}
	if m.Sampling, err = study.SamplingByName(q.sampling); err != nil {
		return command.Usagef("--sampling: %v", err)
	}
	for _, text := range q.random {
		v, err := study.ParseFreeVariable(text)
		if err != nil {
			return command.Usagef("--random: %v", err)
		}
		m.Variables = append(m.Variables, v)
	}
	for _, text := range q.templates {
		t, err := study.ReadTemplate(text)
		if err != nil {
			return fmt.Errorf("--template: %w", err)
		}
		q.solver.Templates = append(q.solver.Templates, t)
	}
	for _, text := range q.extracts {
		e, err := study.ParseExtract(text)
		if err != nil {
			return command.Usagef("--extract: %v", err)
		}
		q.solver.Extracts = append(q.solver.Extracts, e)
	}
	if m.Stop, err = q.stop(); err != nil {
		return err
	}
	p, err := m.Plan()
	if err != nil {
		return command.Usagef("%w", err)
	}
	if err := q.solver.Use(p); err != nil {
		return command.Usagef("--solver: %v", err)
	}
	return q.answer(ctx, p, "the command")
}

// answer carries out the plan and prints the answer.
func (q *monteCarloQuestion) answer(ctx context.Context, p *study.Plan, path string) error {
	limits, err := parseLimits(p, q.limits)
	if err != nil {
		return err
	}
	t, err := q.made(ctx, p, "simulating "+path)
	if err != nil {
		return err
	}
	answer := ranked(q.heading(path, t), t, command.Passage{Text: limitText(t, limits)})
	if err := q.writePage(p, t, answer); err != nil {
		return err
	}
	switch q.Format.Value {
	case "json":
		return command.WriteJSON(q.Out, append(studyObject(p, t,
			command.Field{Key: "ranking", Value: rankingObjects(t)}),
			limitObjects(t, limits)...))
	case "table":
		return q.PrintAnswer(append(answer, command.Passage{Table: summaryTable(t)})...)
	}
	return document.WriteTable(q.Out, runTable(t), q.Format.Value)
}

// limit is a value that an output may exceed.
type limit struct {
	column study.Column
	value  float64
}

// parseLimits reads OUTPUT=VALUE.
func parseLimits(p *study.Plan, texts []string) (list []limit, err error) {
	for _, text := range texts {
		name, value, ok := strings.Cut(text, "=")
		found := false
		for _, c := range p.Outputs {
			if c.Name == strings.TrimSpace(name) {
				v, err := parseAmount(c.Unit, value)
				if err != nil {
					return nil, command.Usagef("--limit %s: %v", c.Name, err)
				}
				list, found = append(list, limit{c, v}), true
			}
		}
		if !ok || !found {
			return nil, command.Usagef("--limit %q must be OUTPUT=VALUE, of an output of the study", text)
		}
	}
	return list, nil
}

// heading says what was done.
func (q *monteCarloQuestion) heading(path string, t *study.Table) string {
	var b strings.Builder
	redraws := 0
	for i := range t.Rows {
		redraws += t.Rows[i].Redraws
	}
	fmt.Fprintf(&b, "%s: %s of %s, seed %d", prv.Clean(path), command.Plural(int64(len(t.Rows)), "run"),
		command.Count(int64(q.runs)),
		q.seed)
	if redraws > 0 {
		fmt.Fprintf(&b, "; %s drawn again, being impossible", command.Plural(int64(redraws), "value"))
	}
	b.WriteString("\n\n")
	return b.String()
}

// limitText says how probable it is that limits are exceeded.
func limitText(t *study.Table, limits []limit) string {
	var b strings.Builder
	for _, l := range limits {
		if p, err, ok := t.Exceeding(l.column.Name, l.value); ok {
			fmt.Fprintf(&b, "  %s > %s: probability %.4f +- %.4f\n", l.column.Name, show(&l.column, l.value), p, err)
		}
	}
	if len(limits) > 0 {
		b.WriteString("\n")
	}
	return b.String()
}

// ranked is an answer with the ranking of the inputs between a heading and a last passage.
func ranked(heading string, t *study.Table, last command.Passage) []command.Passage {
	return append(append([]command.Passage{{Text: heading}}, ranking(t)...), last)
}

// ranking ranks the inputs by their influence on each output.
func ranking(t *study.Table) (answer []command.Passage) {
	for i := range t.Outputs {
		list, r2 := t.Ranking(t.Outputs[i].Name)
		if len(list) == 0 {
			continue
		}
		out := &command.Table{Columns: []command.Column{{Title: "Influence on " + t.Outputs[i].Name},
			{Title: "Rank corr.",
				Show: command.Decimals(3)}, {Title: "Correlation", Show: command.Decimals(3)},
			{Title: "Standardised", Show: command.Decimals(3)}}}
		for _, in := range list {
			out.Add(in.Input, in.Rank, in.Linear, in.Standard)
		}
		answer = append(answer, command.Passage{Table: out},
			command.Passage{Text: fmt.Sprintf("  (the linear regression explains %s of the variance)\n\n",
				command.Percent(r2, 1))})
	}
	return answer
}

// rankingObjects is the ranking by output, for JSON.
func rankingObjects(t *study.Table) command.Object {
	o := command.Object{}
	for i := range t.Outputs {
		list, r2 := t.Ranking(t.Outputs[i].Name)
		rows := []command.Object{}
		for _, in := range list {
			rows = append(rows, command.Object{{Key: "input", Value: in.Input},
				{Key: "rank_correlation", Value: in.Rank}, {Key: "correlation", Value: in.Linear},
				{Key: "standardised", Value: in.Standard}})
		}
		o = append(o, command.Field{Key: columnKey(&t.Outputs[i]),
			Value: command.Object{{Key: "inputs", Value: rows}, {Key: "r2", Value: r2}}})
	}
	return o
}

func limitObjects(t *study.Table, limits []limit) command.Object {
	if len(limits) == 0 {
		return nil
	}
	rows := []command.Object{}
	for _, l := range limits {
		if p, err, ok := t.Exceeding(l.column.Name, l.value); ok {
			rows = append(rows, command.Object{{Key: "output", Value: l.column.Name}, {Key: "limit", Value: l.value},
				{Key: "probability", Value: p},
				{Key: "standard_error", Value: err}})
		}
	}
	return command.Object{{Key: "limits", Value: rows}}
}
