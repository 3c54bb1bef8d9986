package studies

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"pview/insight/report/figure"
	"pview/sim/study"
)

// figuresByKind are the plots of column y by kind of study; other kinds draw their inputs.
var figuresByKind = map[string]func(t *study.Table, y int) []*figure.Figure{
	"sweep":       curves,
	"sensitivity": influence,
	"modules":     bars,
	"map":         bars,
	"stability":   bars,
	"share":       bars,
}

// Figures returns the plots of the outputs that differ between runs.
func Figures(kind string, t *study.Table) (list []*figure.Figure) {
	of := figuresByKind[kind]
	if of == nil {
		of = scatters
	}
	for y := len(t.Inputs); y < Columns(t); y++ {
		if Values(t, y).Varies() {
			list = append(list, of(t, y)...)
		}
	}
	if list == nil && len(t.Outputs) > 0 { // the inputs make no difference
		return of(t, len(t.Inputs))
	}
	return list
}

// scatters returns the plots of an output of runs with random inputs.
func scatters(t *study.Table, y int) (list []*figure.Figure) {
	values := Values(t, y)
	greatest, least := values.Extremes()
	low, high := ColumnAt(t, y).Ends()
	for i := range t.Inputs {
		f := figure.Scatter(Values(t, i), values)
		if names := t.Inputs[i].Levels; names != nil {
			f.X.Names = names
		}
		MarkMeasured(f, t, i, y)
		f.MarkRef(least, figure.Mark{Ink: figure.Green, Name: fmt.Sprintf("%s, run %d", low, index(t, least))})
		f.MarkRef(greatest, figure.Mark{Ink: figure.Vermilion,
			Name: fmt.Sprintf("%s, run %d", high, index(t, greatest))})
		list = append(list, f)
	}
	list = append(list, figure.Histogram(values), figure.Distribution(values), figure.RunningMean(values))
	return append(list, influence(t, y)...)
}

// index returns the number of the run at a position; -1 if none.
func index(t *study.Table, at int) int {
	if at < 0 {
		return -1
	}
	return t.Rows[at].Index
}

// influence returns the tornado of an output.
func influence(t *study.Table, y int) []*figure.Figure {
	var inputs []figure.Column
	for _, i := range varying(t, -1) {
		inputs = append(inputs, Values(t, i))
	}
	return []*figure.Figure{figure.Influence(Values(t, y), inputs)}
}

// curves are lines of an output over the first input of numbers, one for each combination of the other inputs.
func curves(t *study.Table, output int) []*figure.Figure {
	at := slices.IndexFunc(t.Inputs, func(c study.Column) bool { return c.Levels == nil })
	if at < 0 {
		return bars(t, output)
	}
	x, y := Values(t, at), Values(t, output)
	f := &figure.Figure{Title: y.Name + " by " + x.Name,
		X: figure.Axis{Name: x.Name, Kind: x.Kind, Log: x.Logarithmic()},
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
	MarkMeasured(f, t, at, output)
	return []*figure.Figure{f}
}

// MarkMeasured shows the measured run on the plot of column y over column x: as a point, with its distance from the
// curve if there is one; as a line if only its y is known.
func MarkMeasured(f *figure.Figure, t *study.Table, x, y int) {
	if t.Measured == nil || math.IsNaN(Value(t, t.Measured, y)) {
		return
	}
	vx, vy := Value(t, t.Measured, x), Value(t, t.Measured, y)
	name := "measured " + f.Y.Text(vy)
	if math.IsNaN(vx) {
		f.Rules = append(f.Rules, figure.Rule{At: vy, Flat: true, Ink: figure.Strong, Name: name})
		return
	}
	if len(f.Layers) == 1 && f.Layers[0].Shape == figure.Line {
		if curve := f.Layers[0].At(vx); !math.IsNaN(curve) {
			f.MarkMeasured("at "+f.X.Text(vx), vx, vy, curve)
			return
		}
	}
	f.Marks = append(f.Marks, figure.Mark{X: vx, Y: vy, Ink: figure.Strong, Name: name})
}

// varying lists the inputs with more than one value, except one.
func varying(t *study.Table, but int) (list []int) {
	for i := range t.Inputs {
		if i != but && Values(t, i).Varies() {
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
			parts = append(parts, t.Inputs[i].Name+" "+Show(&t.Inputs[i], r.Inputs[i]))
		}
	}
	return strings.Join(parts, ", ")
}

// bars have an output by run.
func bars(t *study.Table, output int) []*figure.Figure {
	y := Values(t, output)
	f := &figure.Figure{Title: y.Name, X: figure.Axis{Name: y.Name, Kind: y.Kind, Zero: true}}
	l, inputs := figure.Layer{Shape: figure.Bars}, varying(t, -1)
	for k := range t.Rows {
		f.Y.Names = append(f.Y.Names, described(t, &t.Rows[k], inputs))
		l.X, l.X2, l.Y, l.Refs = append(l.X, 0), append(l.X2, y.Values[k]), append(l.Y, float64(k)), append(l.Refs, k)
	}
	f.Layers = []figure.Layer{l}
	return []*figure.Figure{f}
}
