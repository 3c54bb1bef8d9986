// Package outputs has the outputs of a study that say what a predicted run means: POP factors, and cells of what pview
// stat prints. With the figures of package study they are all that a study can be asked for.
package outputs

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"pview/insight/efficiency"
	"pview/prv"
	"pview/semantic/cfg"
	"pview/sim"
	"pview/sim/study"
)

// Open reads a configuration, and its text: a study whose configuration has changed is another one.
type Open func(path string) (f *cfg.File, text []byte, err error)

// popPrefix begins the name of an output that is a POP factor.
const popPrefix = "pop:"

// factors are the POP factors that a single run has.
func factors() (list []*efficiency.Factor) {
	for i := range efficiency.Factors {
		if f := &efficiency.Factors[i]; !f.Compares {
			list = append(list, f)
		}
	}
	return list
}

// nameOf is the name of a factor as an output: pop:load-balance.
func nameOf(f *efficiency.Factor) string {
	return popPrefix + strings.ReplaceAll(strings.ToLower(strings.ReplaceAll(f.Title, ",", "")), " ", "-")
}

// Entry describes an output.
type Entry struct{ Name, Unit, Doc string }

// cellUsage is how a cell of pview stat is written.
const cellUsage = "NAME=CFG;ROW;COLUMN"

// List describes all outputs; the last entry is the form of a cell of pview stat.
func List() (list []Entry) {
	for _, o := range study.Outputs {
		list = append(list, Entry{o.Name, o.Unit, o.Doc})
	}
	speedup := study.SpeedupOver(nil)
	list = append(list, Entry{speedup.Name, "", speedup.Doc})
	for _, f := range factors() {
		list = append(list, Entry{nameOf(f), f.Unit, f.Doc})
	}
	return append(list, Entry{cellUsage, "",
		"a cell of what pview stat CFG prints of the predicted trace; ;STATISTIC behind it replaces that of the file"})
}

// Names are the names of all outputs that have one.
func Names() (list []string) {
	for _, e := range List() {
		if e.Name != cellUsage {
			list = append(list, e.Name)
		}
	}
	return list
}

// Parse finds an output by its name, or reads NAME=CFG;ROW;COLUMN. Speedups are those over base.
func Parse(text string, base *study.Case, open Open) (study.Output, error) {
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
	for _, f := range factors() {
		if nameOf(f) == name {
			return pop(f), nil
		}
	}
	return study.Output{}, fmt.Errorf("there is no output %q (pview list outputs)", text)
}

// ParseAll is Parse for a list, in which each name occurs once.
func ParseAll(names []string, base *study.Case, open Open) (list []study.Output, err error) {
	for _, name := range names {
		o, err := Parse(name, base, open)
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

// pop is a POP factor of the predicted run.
func pop(f *efficiency.Factor) study.Output {
	return study.Output{Column: study.Column{Name: nameOf(f)}, Doc: f.Doc, Trace: true,
		Of: func(ctx context.Context, _ *study.Case, r *sim.Result) (float64, error) {
			run, err := efficiency.Measure(ctx, r.Trace, efficiency.Options{NoIdeal: !f.Simulated})
			if err != nil {
				return 0, err
			}
			return efficiency.Compare([]*efficiency.Run{run}, efficiency.Strong).Value(f, 0), nil
		}}
}

// Named gives predicted traces the names of the measured one, so that outputs find what they are defined by; without a
// measured trace they have none.
func Named(measured *prv.Trace, outputs []study.Output) []study.Output {
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
