package cli

// The outputs of a study: figures of every simulation, POP factors, and cells of pview stat on the predicted trace.

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"pview/insight/efficiency"
	"pview/prv"
	"pview/prv/quantity"
	"pview/semantic/cfg"
	"pview/semantic/stat"
	"pview/sim"
	"pview/sim/study"
)

// popPrefix begins the name of an output that is a POP factor.
const popPrefix = "pop:"

// popFactors are the factors that a single run has.
func popFactors() (list []*efficiency.Factor) {
	for i := range efficiency.Factors {
		if f := &efficiency.Factors[i]; !f.Compares {
			list = append(list, f)
		}
	}
	return list
}

// popName is the name of a factor as an output: pop:load-balance.
func popName(f *efficiency.Factor) string {
	return popPrefix + strings.ReplaceAll(strings.ToLower(strings.ReplaceAll(f.Title, ",", "")), " ", "-")
}

// outputList parses the outputs of a study of a case.
func (s *studyFlags) outputList(base *study.Case, names []string) (list []study.Output, err error) {
	for _, name := range names {
		o, err := s.output(base, name)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(list, func(p study.Output) bool { return p.Name == o.Name }) {
			return nil, usagef("--output: %s is named twice", o.Name)
		}
		list = append(list, o)
	}
	return list, nil
}

func (s *studyFlags) output(base *study.Case, text string) (study.Output, error) {
	name, spec, isCell := strings.Cut(text, "=")
	if isCell {
		return s.statOutput(strings.TrimSpace(name), spec)
	}
	if o := study.OutputByName(name); o != nil {
		return *o, nil
	}
	if name == "speedup" {
		return study.SpeedupOver(base), nil
	}
	for _, f := range popFactors() {
		if popName(f) == name {
			return s.popOutput(f), nil
		}
	}
	return study.Output{}, usagef("--output: there is no output %q (pview list outputs)", text)
}

// popOutput is a POP factor of the predicted run.
func (s *studyFlags) popOutput(f *efficiency.Factor) study.Output {
	return study.Output{Column: study.Column{Name: popName(f)}, Doc: f.Doc, Trace: true, Of: func(ctx context.Context, _ *study.Case, r *sim.Result) (float64, error) {
		run, err := efficiency.Measure(ctx, r.Trace, efficiency.Options{NoIdeal: !f.Simulated})
		if err != nil {
			return 0, err
		}
		return efficiency.Compare([]*efficiency.Run{run}, efficiency.Strong).Value(f, 0), nil
	}}
}

// statCell is a cell of what pview stat prints of a trace.
type statCell struct {
	file                   *cfg.File
	row, column, statistic string
}

// statOutput reads CFG;ROW;COLUMN[;STATISTIC].
func (s *studyFlags) statOutput(name, spec string) (o study.Output, err error) {
	parts := strings.Split(strings.TrimPrefix(spec, "stat:"), ";")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	if len(parts) < 3 || len(parts) > 4 || name == "" {
		return o, usagef("--output %q must be NAME=CFG;ROW;COLUMN or NAME=CFG;ROW;COLUMN;STATISTIC, as pview stat prints them", name+"="+spec)
	}
	c := &statCell{row: parts[1], column: parts[2]}
	if c.file, err = s.openCfg(parts[0]); err != nil {
		return o, err
	}
	text, err := os.ReadFile(parts[0])
	if err != nil {
		return o, openError(parts[0], err)
	}
	if len(c.file.Histograms) == 0 {
		return o, usagef("--output: %s has no histogram, so that its cells have no columns", parts[0])
	}
	if len(parts) == 4 {
		c.statistic = parts[3]
		if _, ok := stat.Lookup(c.statistic); !ok {
			return o, usagef("--output: there is no statistic %q (pview list statistics)", c.statistic)
		}
	}
	return study.Output{Column: study.Column{Name: name}, Doc: spec, Definition: spec + "\n" + string(text), Trace: true, Of: func(ctx context.Context, _ *study.Case, r *sim.Result) (float64, error) {
		return c.of(ctx, r.Trace)
	}}, nil
}

// of computes the cell. One that the histogram does not have is 0 where the row exists: there was nothing to count.
func (c *statCell) of(ctx context.Context, t *prv.Trace) (float64, error) {
	bound, _, err := c.file.Bind(t, true)
	if err != nil {
		return 0, err
	}
	h := bound.Histograms[len(bound.Histograms)-1]
	if c.statistic != "" {
		h.Statistic = c.statistic
	}
	table, err := stat.Compute(ctx, t, h, stat.Options{})
	if err != nil {
		return 0, err
	}
	rows := map[string]bool{}
	for e := range table.Entries(-1) {
		if e.Row == c.row && e.Column == c.column {
			return e.Value, nil
		}
		rows[e.Row] = true
	}
	if rows[c.row] {
		return 0, nil
	}
	return math.NaN(), fmt.Errorf("%s has no row %q", c.file.Name, c.row)
}

// named gives the predicted traces of a case the names of the measured one, so that outputs find what they are defined by.
func named(src *source, outputs []study.Output) []study.Output {
	if src.trace == nil {
		return outputs
	}
	list := slices.Clone(outputs)
	for i := range list {
		if of := list[i].Of; list[i].Trace {
			list[i].Of = func(ctx context.Context, c *study.Case, r *sim.Result) (float64, error) {
				sim.NamePrediction(r.Trace, src.trace, c.Rules)
				return of(ctx, c, r)
			}
		}
	}
	return list
}

// parseAmount reads a value of a column with its unit; a plain time is in seconds.
func parseAmount(unit, text string) (float64, error) {
	switch unit {
	case "ns":
		return quantity.ParseTime(text, 1e9)
	case "MB/s":
		return quantity.MachineRate.Parse(text, 1)
	case "B":
		return quantity.Limits.Parse(text, 1)
	}
	return quantity.Number.Parse(text, 1)
}

func listOutputs() *table {
	t := &table{columns: []column{{key: "name", title: "Output"}, {key: "unit", title: "Unit"}, {key: "doc", title: "Meaning"}}}
	for _, o := range study.Outputs {
		t.add(o.Name, o.Unit, o.Doc)
	}
	speedup := study.SpeedupOver(nil)
	t.add(speedup.Name, "", speedup.Doc)
	for _, f := range popFactors() {
		t.add(popName(f), f.Unit, f.Doc)
	}
	t.add("NAME=CFG;ROW;COLUMN", "", "a cell of what pview stat CFG prints of the predicted trace; ;STATISTIC behind it replaces that of the file")
	return t
}

func listPairs(key, title string, rows [][2]string) *table {
	t := &table{columns: []column{{key: key, title: title}, {key: "doc", title: "Meaning"}}}
	for _, r := range rows {
		t.add(r[0], r[1])
	}
	return t
}

// listStudies has a line for each command below study.
func listStudies() *table {
	a := &app{format: formatFlag(), color: colorFlag()}
	t := &table{columns: []column{{key: "name", title: "Study"}, {key: "doc", title: "Answer"}}}
	for _, row := range commandRows(a.study()) {
		t.add(row[0], row[1])
	}
	return t
}

func listSamplings() *table {
	t := &table{columns: []column{{key: "name", title: "Sampling"}, {key: "doc", title: "Runs"}}}
	for _, s := range study.Samplings {
		t.add(s.Name, s.Doc)
	}
	return t
}

func listQuantities() *table { return listPairs("name", "Quantity", study.QuantityKinds()) }

func listDensities() *table { return listPairs("usage", "Density", study.DensityUsages()) }
