package efficiency

// The outputs of a study beyond those of package study: POP factors of the predicted run, and cells of pview stat on
// it.

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"pview/prv"
	"pview/semantic/cfg"
	"pview/sim"
	"pview/sim/study"
)

// OpenConfiguration reads a configuration, and its text: a study with a changed configuration is another study.
type OpenConfiguration func(path string) (f *cfg.File, text []byte, err error)

// popPrefix begins the name of an output that is a POP factor.
const popPrefix = "pop:"

// factorsOfOne returns the POP factors that a single run has.
func factorsOfOne() (list []*Factor) {
	for i := range Factors {
		if f := &Factors[i]; !f.Compares {
			list = append(list, f)
		}
	}
	return list
}

// outputName returns the name of a factor as an output: pop:load-balance.
func outputName(f *Factor) string {
	return popPrefix + strings.ReplaceAll(strings.ToLower(strings.ReplaceAll(f.Title, ",", "")), " ", "-")
}

// OutputEntry describes an output.
type OutputEntry struct{ Name, Unit, Doc string }

// cellUsage describes the notation of a cell of pview stat.
const cellUsage = "NAME=CFG;ROW;COLUMN"

// StudyOutputs describes all outputs; the last entry is the form of a cell of pview stat.
func StudyOutputs() (list []OutputEntry) {
	for _, o := range study.Outputs {
		list = append(list, OutputEntry{o.Name, o.Unit, o.Doc})
	}
	speedup := study.SpeedupOver(nil)
	list = append(list, OutputEntry{speedup.Name, "", speedup.Doc})
	for _, f := range factorsOfOne() {
		list = append(list, OutputEntry{outputName(f), f.Unit, f.Doc})
	}
	return append(list, OutputEntry{cellUsage, "",
		"a cell that pview stat CFG prints for the predicted trace; ;STATISTIC behind it replaces that of the file"})
}

// StudyOutputNames returns the names of all outputs that have one.
func StudyOutputNames() (list []string) {
	for _, e := range StudyOutputs() {
		if e.Name != cellUsage {
			list = append(list, e.Name)
		}
	}
	return list
}

// parseOutput finds an output by its name, or reads NAME=CFG;ROW;COLUMN. Speedups are relative to base.
func parseOutput(text string, base *study.Case, open OpenConfiguration) (study.Output, error) {
	name, spec, isCell := strings.Cut(text, "=")
	if isCell {
		return parseCell(strings.TrimSpace(name), spec, open)
	}
	if o := study.OutputByName(name); o != nil {
		return *o, nil
	}
	if name == "speedup" {
		return study.SpeedupOver(base), nil
	}
	for _, f := range factorsOfOne() {
		if outputName(f) == name {
			return pop(f), nil
		}
	}
	return study.Output{}, fmt.Errorf("there is no output %q (pview list outputs)", text)
}

// ParseOutputs finds outputs by their names, or reads NAME=CFG;ROW;COLUMN; each name occurs once. Speedups are relative
// to base.
func ParseOutputs(names []string, base *study.Case, open OpenConfiguration) (list []study.Output, err error) {
	for _, name := range names {
		o, err := parseOutput(name, base, open)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(list, func(p study.Output) bool { return p.Name == o.Name }) {
			return nil, fmt.Errorf("%s is named twice", o.Name)
		}
		list = append(list, o)
	}
	return list, nil
}

// pop returns a POP factor of the predicted run.
func pop(f *Factor) study.Output {
	return study.Output{Column: study.Column{Name: outputName(f), Unit: f.Unit}, Doc: f.Doc, Trace: true,
		Of: func(ctx context.Context, _ *study.Case, r *sim.Result) (float64, error) {
			run, err := Measure(ctx, r.Trace, Options{NoIdeal: !f.Simulated})
			if err != nil {
				return 0, err
			}
			return Compare([]*Run{run}, Strong).Value(f, 0), nil
		}}
}

// NameOutputs gives predicted traces the names of the measured one, which outputs refer to; without a measured trace
// there are no names.
func NameOutputs(measured *prv.Trace, outputs []study.Output) []study.Output {
	if measured == nil {
		return outputs
	}
	list := slices.Clone(outputs)
	for i := range list {
		if of := list[i].Of; list[i].Trace {
			list[i].Of = func(ctx context.Context, c *study.Case, r *sim.Result) (float64, error) {
				sim.NamePrediction(r.Trace, measured, c.Rules)
				return of(ctx, c, r)
			}
		}
	}
	return list
}
