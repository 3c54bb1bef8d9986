package studycmd

// The plots of a study, as files.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"pview/cli/command"
	"pview/insight/report/figure"
	"pview/render/picture"
	"pview/sim/study"
)

// studyPlot is --plot and --html of the commands that make studies.
type studyPlot struct {
	command.PlotFlags
	html string
}

func (p *studyPlot) flags(f *pflag.FlagSet) {
	p.PlotFlags.Flags(f, "write the plots of the study")
	f.StringVar(&p.html, "html", "",
		"write the answer, responses, factors, settings, plots and runs of the study as a page to `FILE`")
}

// write writes the plots of a table, one below the other.
func (p *studyPlot) write(plan *study.Plan, t *study.Table) error {
	if !p.Wanted() {
		return nil
	}
	f := &picture.Figure{Title: fmt.Sprintf("Study of %s: %s", plan.Title, plan.Kind),
		Subtitle: command.Plural(int64(len(t.Rows)), "run")}
	for _, one := range figuresOf(plan.Kind, t) {
		f.Panels = append(f.Panels, &picture.Chart{Figure: one})
	}
	return p.Save(f)
}

// studyFigures are the plots of an output by kind of study; kinds that are not listed draw their inputs.
var studyFigures = map[string]func(t *study.Table, output int) []*figure.Figure{
	"sweep":       func(t *study.Table, output int) []*figure.Figure { return []*figure.Figure{curves(t, output)} },
	"sensitivity": func(t *study.Table, output int) []*figure.Figure { return []*figure.Figure{influence(t, output)} },
	"modules":     each,
	"map":         each,
	"stability":   each,
	"share":       each,
}

// each has a bar for each run.
func each(t *study.Table, output int) []*figure.Figure { return []*figure.Figure{bars(t, output)} }

// figuresOf are the plots of the outputs that are not the same in all runs.
func figuresOf(kind string, t *study.Table) (list []*figure.Figure) {
	of := studyFigures[kind]
	if of == nil {
		of = scatters
	}
	for i := range t.Outputs {
		if outputColumn(t, i).Varies() {
			list = append(list, of(t, i)...)
		}
	}
	if list == nil && len(t.Outputs) > 0 { // nothing that the inputs make a difference to
		return of(t, 0)
	}
	return list
}

// inputColumn and outputColumn are columns of a table for plots.
func inputColumn(t *study.Table, i int) figure.Column {
	return plotColumn(t, &t.Inputs[i], func(r *study.Row) []float64 { return r.Inputs }, i)
}

func outputColumn(t *study.Table, i int) figure.Column {
	return plotColumn(t, &t.Outputs[i], func(r *study.Row) []float64 { return r.Outputs }, i)
}

func plotColumn(t *study.Table, c *study.Column, of func(r *study.Row) []float64, i int) figure.Column {
	list := figure.Column{Name: c.Name, Kind: c.Notation()}
	for k := range t.Rows {
		v := figure.None
		if values := of(&t.Rows[k]); i < len(values) {
			v = values[i]
		}
		list.Values = append(list.Values, v)
	}
	return list
}

// scatters are the plots of an output of runs with random inputs.
func scatters(t *study.Table, output int) (list []*figure.Figure) {
	y := outputColumn(t, output)
	greatest, least := y.Extremes()
	low, high := t.Outputs[output].Ends()
	for i := range t.Inputs {
		f := figure.Scatter(inputColumn(t, i), y)
		if names := t.Inputs[i].Levels; names != nil {
			f.X.Names = names
		}
		f.MarkRef(least, figure.Mark{Ink: figure.Green, Name: fmt.Sprintf("%s, run %d", low, index(t, least))})
		f.MarkRef(greatest, figure.Mark{Ink: figure.Vermilion,
			Name: fmt.Sprintf("%s, run %d", high, index(t, greatest))})
		list = append(list, f)
	}
	return append(list, figure.Histogram(y, 0), figure.Distribution(y), figure.RunningMean(y), influence(t, output))
}

// index is the number of the run at a position; -1 for none.
func index(t *study.Table, at int) int {
	if at < 0 {
		return -1
	}
	return t.Rows[at].Index
}

// influence is the tornado of an output.
func influence(t *study.Table, output int) *figure.Figure {
	var inputs []figure.Column
	for _, i := range varying(t, -1) {
		inputs = append(inputs, inputColumn(t, i))
	}
	return figure.Influence(outputColumn(t, output), inputs)
}

// curves are lines of an output over the first input of numbers, one for each combination of the other inputs.
func curves(t *study.Table, output int) *figure.Figure {
	at := slices.IndexFunc(t.Inputs, func(c study.Column) bool { return c.Levels == nil })
	if at < 0 {
		return bars(t, output)
	}
	x, y := inputColumn(t, at), outputColumn(t, output)
	f := &figure.Figure{Title: y.Name + " by " + x.Name, X: figure.Axis{Name: x.Name, Kind: x.Kind,
		Log: x.Logarithmic()},
		Y: figure.Axis{Name: y.Name, Kind: y.Kind, Zero: true}}
	layers, rest := map[string]int{}, varying(t, at)
	for k := range t.Rows {
		name := described(t, &t.Rows[k], rest)
		i, ok := layers[name]
		if !ok {
			i = len(f.Layers)
			layers[name] = i
			f.Layers = append(f.Layers, figure.Layer{Name: name, Shape: figure.Line, Ink: figure.InkOf(i)})
		}
		l := &f.Layers[i]
		l.X, l.Y = append(l.X, x.Values[k]), append(l.Y, y.Values[k])
	}
	return f
}

// varying lists the inputs with more than one value, without one of them.
func varying(t *study.Table, but int) (list []int) {
	for i := range t.Inputs {
		if i != but && inputColumn(t, i).Varies() {
			list = append(list, i)
		}
	}
	return list
}

// described names a run by some of its inputs.
func described(t *study.Table, r *study.Row, inputs []int) string {
	var parts []string
	for _, i := range inputs {
		if i < len(r.Inputs) {
			parts = append(parts, t.Inputs[i].Name+" "+show(&t.Inputs[i], r.Inputs[i]))
		}
	}
	return strings.Join(parts, ", ")
}

// bars have an output by run.
func bars(t *study.Table, output int) *figure.Figure {
	y := outputColumn(t, output)
	f := &figure.Figure{Title: y.Name, X: figure.Axis{Name: y.Name, Kind: y.Kind, Zero: true}}
	l, inputs := figure.Layer{Shape: figure.Bars}, varying(t, -1)
	for k := range t.Rows {
		f.Y.Names = append(f.Y.Names, described(t, &t.Rows[k], inputs))
		l.X, l.X2, l.Y, l.Refs = append(l.X, 0), append(l.X2, y.Values[k]), append(l.Y, float64(k)), append(l.Refs, k)
	}
	f.Layers = []figure.Layer{l}
	return f
}
