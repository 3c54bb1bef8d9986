package studycmd

// Studies of random inputs, and of the influence of inputs.

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"pview/cli/command"
	"pview/insight/efficiency"
	"pview/insight/studies"
	"pview/prv/quantity"
	"pview/semantic/cfg"
	"pview/sim"
	"pview/sim/study"
	"pview/sim/study/external"
)

// randomFlags are the random variables of a study.
type randomFlags struct {
	*studyFlags
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

// definition opens a trace and parses the flags for it.
func (r *randomFlags) definition(ctx context.Context, path string) (*study.MonteCarlo, error) {
	src, base, err := r.subject(ctx, path)
	if err != nil {
		return nil, err
	}
	if len(r.random) == 0 {
		return nil, command.Usagef("a study of random inputs needs --random NAME=DENSITY")
	}
	if err := study.CheckRuns(r.runs); err != nil {
		return nil, command.Usagef("--runs: %v", err)
	}
	m := &study.MonteCarlo{Base: base, Runs: r.runs, Seed: r.seed, Correlations: r.correlations}
	if m.Sampling, err = study.SamplingByName(r.sampling); err != nil {
		return nil, command.Usagef("--sampling: %v", err)
	}
	if m.Variables, err = r.variables(&m.Base, r.random); err != nil {
		return nil, err
	}
	if _, err := study.Correlations(m.Variables, r.correlations); err != nil {
		return nil, command.Usagef("--correlation: %v", err)
	}
	m.Outputs, err = r.outputList(src, &m.Base)
	return m, err
}

// outputList parses the outputs of a study of a case: figures of every simulation, POP factors, and cells of pview stat
// on the predicted trace, which has the names of the measured one.
func (r *randomFlags) outputList(src *command.Source, base *study.Case) ([]study.Output, error) {
	var unread error
	list, err := efficiency.ParseOutputs(r.outputs, base, func(path string) (f *cfg.File, text []byte, err error) {
		f, text, err = readCfg(r.App, path)
		unread = err
		return f, text, err
	})
	if err != nil && unread == nil {
		err = command.Usagef("--output: %v", err)
	}
	return efficiency.NameOutputs(src.Trace, list), err
}

// readCfg opens a configuration, and returns its text as well.
func readCfg(a *command.App, path string) (*cfg.File, []byte, error) {
	f, err := a.OpenCfg(path)
	if err != nil {
		return nil, nil, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, command.OpenError(path, err)
	}
	return f, text, nil
}

// limitFlag adds --limit.
func limitFlag(f *pflag.FlagSet, limits *[]string) {
	f.StringArrayVar(limits, "limit", nil,
		"probability that an output exceeds a value, `OUTPUT=VALUE`; may be repeated")
}

// parseLimits reads OUTPUT=VALUE.
func parseLimits(p *study.Plan, texts []string) (list []studies.Limit, err error) {
	for _, text := range texts {
		name, value, ok := strings.Cut(text, "=")
		found := false
		for _, c := range p.Outputs {
			if c.Name == strings.TrimSpace(name) {
				v, err := parseAmount(c.Unit, value)
				if err != nil {
					return nil, command.Usagef("--limit %s: %v", c.Name, err)
				}
				list, found = append(list, studies.Limit{Column: c, Value: v}), true
			}
		}
		if !ok || !found {
			return nil, command.Usagef("--limit %q must be OUTPUT=VALUE, of an output of the study", text)
		}
	}
	return list, nil
}

// monteCarlo simulates a run with random inputs.
type monteCarlo struct {
	randomFlags
	until               float64
	limits              []string
	solver              external.Solver
	templates, extracts []string
}

func (q *monteCarlo) flags(f *pflag.FlagSet) {
	q.randoms(f)
	q.outputFlags(f)
	f.Float64Var(&q.until, "until", 0, "end before --runs when half the width of the 95 % confidence interval of "+
		"each mean is within `PERCENT` of the mean")
	limitFlag(f, &q.limits)
	f.StringVar(&q.solver.Command, "solver", "", "`COMMAND` to run instead of the simulation")
	f.StringArrayVar(&q.solver.Inputs, "input", nil,
		"`FILE` that the command needs, such as the program: copied into its directory; may be repeated")
	f.StringArrayVar(&q.templates, "template", nil,
		"file for the command, `FILE` or FILE:NAME in its directory; may be repeated")
	f.StringArrayVar(&q.extracts, "extract", nil,
		"output of the command, `NAME=PATTERN` or NAME=FILE:PATTERN, a regular expression with a group around the "+
			"number; may be repeated")
}

// needs checks the arguments: a trace, or a command.
func (q *monteCarlo) needs(args []string) error {
	switch {
	case q.solver.Command == "" && len(args) != 1:
		return fmt.Errorf("montecarlo needs TRACE, or --solver COMMAND")
	case q.solver.Command != "" && len(args) > 0:
		return fmt.Errorf("montecarlo needs TRACE or --solver COMMAND, not both")
	}
	return nil
}

func (q *monteCarlo) answer(ctx context.Context, args []string) (*studies.Answer, error) {
	if len(args) == 0 {
		return q.runExternal(ctx)
	}
	path := args[0]
	if len(q.templates)+len(q.extracts)+len(q.solver.Inputs) > 0 {
		return nil, command.Usagef("--input, --template and --extract belong to --solver")
	}
	m, err := q.definition(ctx, path)
	if err != nil {
		return nil, err
	}
	if m.Stop, err = q.stop(); err != nil {
		return nil, err
	}
	p, err := m.Plan()
	if err != nil {
		return nil, command.Usagef("%w", err)
	}
	return q.conclude(ctx, p, path)
}

// stop returns the rule of --until; nil without it.
func (q *monteCarlo) stop() (*study.StopRule, error) {
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
func (q *monteCarlo) runExternal(ctx context.Context) (a *studies.Answer, err error) {
	if err := study.CheckRuns(q.runs); err != nil {
		return nil, command.Usagef("--runs: %v", err)
	}
	m := &study.MonteCarlo{Base: study.Case{Name: q.solver.Command, Program: &sim.Program{}, Machine: &sim.Machine{}},
		Runs: q.runs, Seed: q.seed, Correlations: q.correlations}
	if m.Sampling, err = study.SamplingByName(q.sampling); err != nil {
		return nil, command.Usagef("--sampling: %v", err)
	}
	for _, text := range q.random {
		v, err := study.ParseFreeVariable(text)
		if err != nil {
			return nil, command.Usagef("--random: %v", err)
		}
		m.Variables = append(m.Variables, v)
	}
	for _, text := range q.templates {
		t, err := external.ReadTemplate(text)
		if err != nil {
			return nil, fmt.Errorf("--template: %w", err)
		}
		q.solver.Templates = append(q.solver.Templates, t)
	}
	for _, text := range q.extracts {
		e, err := external.ParseExtract(text)
		if err != nil {
			return nil, command.Usagef("--extract: %v", err)
		}
		q.solver.Extracts = append(q.solver.Extracts, e)
	}
	if m.Stop, err = q.stop(); err != nil {
		return nil, err
	}
	p, err := m.Plan()
	if err != nil {
		return nil, command.Usagef("%w", err)
	}
	if err := q.solver.Use(p); err != nil {
		return nil, command.Usagef("--solver: %v", err)
	}
	return q.conclude(ctx, p, "the command")
}

// conclude carries out the plan.
func (q *monteCarlo) conclude(ctx context.Context, p *study.Plan, path string) (*studies.Answer, error) {
	limits, err := parseLimits(p, q.limits)
	if err != nil {
		return nil, err
	}
	t, err := q.made(ctx, p, "simulating "+path)
	if err != nil {
		return nil, err
	}
	heading, redraws := fmt.Sprintf("%s: %s of %s, seed %d", path, quantity.CountOf(int64(len(t.Rows)), "run"),
		quantity.FormatCount(int64(q.runs)), q.seed), 0
	for i := range t.Rows {
		redraws += t.Rows[i].Redraws
	}
	if redraws > 0 {
		heading += fmt.Sprintf("; %s drawn again, being impossible", quantity.CountOf(int64(redraws), "value"))
	}
	return studies.Random(heading, t, limits), nil
}

// sensitivity ranks parameters by their effect on the time.
type sensitivity struct {
	randomFlags
	vary []string
	by   float64
}

func (q *sensitivity) flags(f *pflag.FlagSet) {
	f.StringArrayVar(&q.vary, "vary", nil,
		"parameter or block to vary: `NAME`, TYPE:VALUE or NAME=LOW,HIGH; at least one")
	f.Float64Var(&q.by, "by", 10, "variation of values, `PERCENT`")
	q.randoms(f)
	q.outputFlags(f)
}

func (q *sensitivity) answer(ctx context.Context, args []string) (*studies.Answer, error) {
	path := args[0]
	switch {
	case len(q.random) > 0 && len(q.vary) > 0:
		return nil, command.Usagef(
			"--vary and --random are mutually exclusive: effects of two levels, or Sobol' indices")
	case len(q.random) > 0:
		return q.indices(ctx, path)
	case len(q.vary) == 0 || len(q.vary) > study.MaxFactors:
		return nil, command.Usagef("sensitivity needs 1 to %d flags --vary NAME", study.MaxFactors)
	case !(q.by > 0 && q.by < 100):
		return nil, command.Usagef("--by %g: must be > 0 and < 100", q.by)
	}
	_, s, err := q.subject(ctx, path)
	if err != nil {
		return nil, err
	}
	var factors []study.Factor
	for _, text := range q.vary {
		f, err := study.ParseFactor(text, s.Machine, q.by/100)
		if err != nil {
			return nil, command.Usagef("--vary: %v", err)
		}
		if slices.ContainsFunc(factors, func(g study.Factor) bool { return g.Name == f.Name }) {
			return nil, command.Usagef("--vary: %s is named twice", f.Name)
		}
		factors = append(factors, f)
	}
	effects, err := study.Vary(ctx, s, factors, q.options("sensitivity", "simulating "+path))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return studies.Effects(path, effects), nil
}

// indices computes Sobol' indices.
func (q *sensitivity) indices(ctx context.Context, path string) (*studies.Answer, error) {
	if len(q.correlations) > 0 {
		return nil, command.Usagef("--correlation: Sobol' indices need independent inputs")
	}
	d, err := q.definition(ctx, path)
	if err != nil {
		return nil, err
	}
	m := &study.Indices{Base: d.Base, Variables: d.Variables, Outputs: d.Outputs, Rows: q.runs, Seed: q.seed}
	p, err := m.Plan()
	if err != nil {
		return nil, command.Usagef("%w", err)
	}
	t, err := q.made(ctx, p, "simulating "+path)
	if err != nil {
		return nil, err
	}
	return studies.Indices(fmt.Sprintf("%s: %s, seed %d", path, quantity.CountOf(int64(len(t.Rows)), "run"), q.seed),
		m, t), nil
}
