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

// fitParameters fits parameters to measured times.
func fitParameters(a *command.App) *cobra.Command {
	q := &fitStudyQuestion{randomFlags: randomFlags{studyFlags: studyFlags{App: a}}}
	cmd := &cobra.Command{
		Use:   "fit TRACE=TIME...",
		Short: "Fit parameters of the machine to measured times of several traces",
		Long: "fit finds the parameters of the machine with which the simulation takes the times that were measured. It draws values of the --random parameters, simulates " +
			"every TRACE with each, and keeps the draws whose predicted time is within --tolerance of TIME. For each trace it prints how many were kept and the range of every parameter among " +
			"them, for all traces together the common region, the traces that contradict each other, which trace fixes which parameter, and the best fit. Models are compared side by side with " +
			"--variant. TIME without a unit is in seconds; without =TIME it is the duration of the trace.",
		Example: "pview study fit pingpong_1M.prv=12.2ms pingpong_1K.prv=31us --random 'latency=uniform(5us,40us)' --random 'bandwidth=uniform(40,160)'\n" +
			"pview study fit a.prv b.prv c.prv --random 'latency=loguniform(1us,100us)' --random 'bandwidth=loguniform(50,5000)' --variant buses=0 --variant buses=8 --variant buses=1\n" +
			"pview study fit bench.dim=3.1 --random 'latency=uniform(1us,50us)' --variant collective-model=LOG --variant 'collective-model=LIN Barrier=LIN:MAX+0' --rounds 5",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("fit needs TRACE=TIME")
			}
			return nil
		},
		ValidArgsFunction: command.CompletePrograms,
		RunE:              func(cmd *cobra.Command, args []string) error { return q.run(cmd.Context(), args) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	q.randoms(f)
	f.Float64Var(&q.tolerance, "tolerance", 10, "error of a kept draw, `PERCENT`")
	f.StringArrayVar(&q.variants, "variant", nil,
		"changes to compare side by side, `'NAME=VALUE NAME=VALUE'`; may be repeated")
	f.IntVar(&q.rounds, "rounds", 3, "further rounds of draws around the best one")
	f.BoolVar(&q.absolute, "absolute", false, "best fit by the sum of squared errors in seconds, not of relative ones")
	q.flags(f)
	return cmd
}

// fitStudyQuestion is the command's flags.
type fitStudyQuestion struct {
	randomFlags
	tolerance float64
	variants  []string
	rounds    int
	absolute  bool
}

func (q *fitStudyQuestion) run(ctx context.Context, args []string) error {
	f := &study.Fit{Runs: q.runs, Tolerance: q.tolerance / 100, Absolute: q.absolute, Rounds: q.rounds, Seed: q.seed}
	var err error
	if f.Sampling, err = study.SamplingByName(q.sampling); err != nil {
		return command.Usagef("--sampling: %v", err)
	}
	if err := study.CheckRuns(q.runs); err != nil {
		return command.Usagef("--runs: %v", err)
	}
	if len(q.random) == 0 || len(q.correlations) > 0 {
		return command.Usagef("fit needs --random NAME=DENSITY, and takes no --correlation")
	}
	for _, arg := range args {
		b, err := q.benchmark(ctx, arg)
		if err != nil {
			return err
		}
		f.Benchmarks = append(f.Benchmarks, b)
	}
	if f.Variables, err = q.variables(&f.Benchmarks[0].Case, q.random); err != nil {
		return err
	}
	for _, text := range q.variants {
		v := study.Variant{Name: text}
		var values []study.Value
		for _, setting := range strings.Fields(text) {
			one, err := parseSetting("--variant", setting)
			if err != nil {
				return err
			}
			values = append(values, one)
		}
		v.Apply = func(c *study.Case) {
			for _, one := range values {
				one.Apply(c)
			}
		}
		f.Variants = append(f.Variants, v)
	}
	p, err := f.Plan()
	if err != nil {
		return command.Usagef("%w", err)
	}
	t, err := q.made(ctx, p, "fitting")
	if err != nil {
		return err
	}
	list := f.Results(t)
	answer := fitAnswer(f, list)
	if err := q.writePage(p, t, answer); err != nil {
		return err
	}
	switch q.Format.Value {
	case "json":
		return command.WriteJSON(q.Out, studyObject(p, t, command.Field{Key: "ranges", Value: fitObjects(f, list)},
			command.Field{Key: "best", Value: fitBest(f, list)}))
	case "table":
		return q.PrintAnswer(answer...)
	}
	return document.WriteTable(q.Out, runTable(t), q.Format.Value)
}

// benchmark reads TRACE=TIME, or TRACE.
func (q *fitStudyQuestion) benchmark(ctx context.Context, arg string) (b study.Benchmark, err error) {
	path, text := arg, ""
	if at := strings.LastIndex(arg, "="); at > 0 {
		path, text = arg[:at], arg[at+1:]
	}
	if text != "" {
		if b.Measured, err = quantity.ParseTime(text, 1e9); err != nil {
			return b, command.Usagef("%s: %v", arg, err)
		}
	}
	src, c, err := q.subject(ctx, path)
	if err != nil {
		return b, err
	}
	b.Case = c
	if text == "" {
		ns, ok := src.Baseline.(int64)
		if !ok {
			return b, command.Usagef("%s: name its measured time, %s=TIME: a .dim does not have one", path, path)
		}
		b.Measured = float64(ns)
	}
	return b, nil
}

// parseSetting reads NAME=VALUE of a flag.
func parseSetting(flag, text string) (study.Value, error) {
	v, err := study.ParseSetting(text)
	if err != nil {
		return v, command.Usagef("%s: %v", flag, err)
	}
	return v, nil
}

// fitAnswer reports a fit to people, variant by variant.
func fitAnswer(f *study.Fit, list []study.FitResult) (answer []command.Passage) {
	best := study.BestVariant(list)
	for i := range list {
		r := &list[i]
		name, remarks := "", ""
		if len(list) > 1 {
			mark := ""
			if i == best {
				mark = " (the best)"
			}
			name = fmt.Sprintf("%s%s\n", prv.Clean(r.Variant), mark)
		}
		for _, line := range fitRemarks(f, r) {
			remarks += fmt.Sprintf("  %s\n", line)
		}
		answer = append(answer, command.Passage{Text: name, Table: fitTable(f, r)},
			command.Passage{Text: remarks + "\n"})
	}
	return answer
}

// fitTable has a line for each benchmark, and one for the common region.
func fitTable(f *study.Fit, r *study.FitResult) *command.Table {
	t := &command.Table{Columns: []command.Column{{Title: "Trace"}, {Title: "Measured", Right: true},
		{Title: "Kept", Right: true}}}
	for i := range f.Variables {
		t.Columns = append(t.Columns, command.Column{Title: command.UpperFirst(f.Variables[i].Name), Right: true},
			command.Column{Title: "Width", Right: true})
	}
	t.Columns = append(t.Columns, command.Column{Title: "Best fit", Right: true})
	add := func(name string, k *study.Kept, e string) {
		measured := ""
		if k.Measured > 0 {
			measured = command.Nanoseconds(k.Measured)
		}
		row := []any{name, measured, fmt.Sprintf("%d of %d", k.N, k.Of)}
		for i := range f.Variables {
			if k.Ranges == nil {
				row = append(row, "", "")
				continue
			}
			c, n := &f.Variables[i].Column, k.Ranges[i]
			width := ""
			if r.Best != nil && r.Best[i] != 0 {
				width = command.Percent(n.Width(r.Best[i]), 1)
			}
			row = append(row, show(c, n.Least)+" .. "+show(c, n.Most), width)
		}
		t.Add(append(row, e)...)
	}
	for i := range r.Kept {
		e := ""
		if r.Errors != nil {
			e = fmt.Sprintf("%+.2f %%", 100*r.Errors[i])
		}
		add(r.Kept[i].Benchmark, &r.Kept[i], e)
	}
	if len(r.Kept) > 1 {
		add("all", &r.Common, "")
	}
	return t
}

// fitRemarks are the conclusions of a fit.
func fitRemarks(f *study.Fit, r *study.FitResult) (lines []string) {
	if r.Best != nil {
		var settings []string
		for i := range f.Variables {
			settings = append(settings, f.Variables[i].Name+" "+show(&f.Variables[i].Column, r.Best[i]))
		}
		error := fmt.Sprintf("%.3f %%", 100*r.Error)
		if f.Absolute {
			error = command.Nanoseconds(r.Error)
		}
		lines = append(lines, fmt.Sprintf("best fit: %s (root mean square error %s)", strings.Join(settings, ", "),
			error))
	}
	for i, b := range r.Fixes {
		if b >= 0 {
			lines = append(lines, fmt.Sprintf("%s is fixed by %s", f.Variables[i].Name, r.Kept[b].Benchmark))
		} else {
			lines = append(lines, fmt.Sprintf("%s is not fixed by any trace", f.Variables[i].Name))
		}
	}
	for _, b := range r.Unmet() {
		lines = append(lines, fmt.Sprintf("no draw reproduces %s; the nearest errs by %s", r.Kept[b].Benchmark,
			command.Percent(r.Kept[b].Nearest, 1)))
	}
	for _, c := range r.Conflicts {
		lines = append(lines, fmt.Sprintf("%s and %s contradict each other: no draw reproduces both",
			r.Kept[c[0]].Benchmark, r.Kept[c[1]].Benchmark))
	}
	if len(r.Kept) > 2 && r.Common.N == 0 && r.Conflicts == nil && r.Unmet() == nil {
		lines = append(lines, "no draw reproduces all traces, though every two of them have one")
	}
	return lines
}

// fitObjects are the ranges by variant, for JSON.
func fitObjects(f *study.Fit, list []study.FitResult) []command.Object {
	kept := func(k *study.Kept) command.Object {
		o := command.Object{{Key: "trace", Value: k.Benchmark}, {Key: "measured_ns", Value: k.Measured},
			{Key: "kept", Value: int64(k.N)}, {Key: "of", Value: int64(k.Of)},
			{Key: "nearest_error", Value: command.FiniteOrNone(k.Nearest)}}
		ranges := command.Object{}
		for i, r := range k.Ranges {
			ranges = append(ranges, command.Field{Key: columnKey(&f.Variables[i].Column),
				Value: []float64{r.Least, r.Most}})
		}
		return append(o, command.Field{Key: "ranges", Value: ranges})
	}
	out := []command.Object{}
	for i := range list {
		r := &list[i]
		var benchmarks []command.Object
		for b := range r.Kept {
			benchmarks = append(benchmarks, kept(&r.Kept[b]))
		}
		conflicts := [][2]string{}
		for _, c := range r.Conflicts {
			conflicts = append(conflicts, [2]string{r.Kept[c[0]].Benchmark, r.Kept[c[1]].Benchmark})
		}
		fixes := command.Object{}
		for k, b := range r.Fixes {
			if b >= 0 {
				fixes = append(fixes, command.Field{Key: f.Variables[k].Name, Value: r.Kept[b].Benchmark})
			}
		}
		out = append(out, command.Object{{Key: "variant", Value: r.Variant}, {Key: "benchmarks", Value: benchmarks},
			{Key: "common", Value: kept(&r.Common)},
			{Key: "conflicts", Value: conflicts}, {Key: "fixed_by", Value: fixes}})
	}
	return out
}

// fitBest is the best fit of all variants, for JSON.
func fitBest(f *study.Fit, list []study.FitResult) any {
	i := study.BestVariant(list)
	if i < 0 {
		return nil
	}
	o := command.Object{}
	for k, x := range list[i].Best {
		o = append(o, command.Field{Key: columnKey(&f.Variables[k].Column), Value: x})
	}
	return command.Object{{Key: "variant", Value: list[i].Variant}, {Key: "parameters", Value: o},
		{Key: "error", Value: list[i].Error}, {Key: "errors", Value: list[i].Errors}}
}
