package breakdown

import (
	"fmt"
	"math"

	"pview/insight/report/figure"
	"pview/prv"
	"pview/prv/quantity"
)

// Text writes a value of the grid's attribute, times in a unit.
func (g *Grid) Text(v float64, unit prv.Unit) string {
	if math.IsNaN(v) {
		return "none"
	}
	if g.Attribute.Kind == Amounts {
		v = math.Round(v)
	}
	return g.Attribute.Kind.Format(v, unit)
}

// axis returns the axis of the attribute's values, and the factor from these to the axis's unit.
func (g *Grid) axis(name string, unit prv.Unit) (y figure.Axis, factor float64) {
	y, factor = figure.Axis{Name: name, Zero: true}, 1
	switch g.Attribute.Kind {
	case Shares:
		y.Name, y.Max, factor = "% of the threads' time", 100, 100
	case Times:
		y.Kind, factor = quantity.Time, float64(unit.Nanoseconds())
	}
	return y, factor
}

// OverTime returns the attribute of all threads over the stages, one of which is marked. Means are drawn with the range
// over the threads, which shows an outlier among many threads.
func (g *Grid) OverTime(unit prv.Unit, stage int) *figure.Figure {
	y, factor := g.axis("all threads", unit)
	ns := float64(unit.Nanoseconds())
	l := figure.Layer{Shape: figure.Line, Ink: figure.Blue}
	span := figure.Layer{Name: "least to most of a thread", Shape: figure.Band, Ink: figure.Sky}
	for k := range g.Stages {
		x := (float64(g.At(k)) + 0.5*float64(g.Length)) * ns
		l.X, l.Y = append(l.X, x), append(l.Y, factor*g.Of(0, g.Threads, k, k+1))
		least, most := g.extremes(k)
		span.X, span.Y, span.Y2 = append(span.X, x), append(span.Y, factor*least), append(span.Y2, factor*most)
	}
	layers := []figure.Layer{l}
	if kind := g.Attribute.Kind; g.Threads > 1 && (kind == Shares || kind == Times) {
		layers[0].Name = "mean"
		layers = []figure.Layer{span, layers[0]}
	}
	return &figure.Figure{Title: g.Attribute.Name, X: figure.Axis{Name: "time", Kind: quantity.Time,
		Zero: g.Begin == 0}, Y: y, Layers: layers,
		Rules: []figure.Rule{{At: l.X[stage], Ink: figure.Vermilion, Name: fmt.Sprintf("stage %d", stage+1)}}}
}

// extremes returns the least and the greatest value of a thread in a stage; NaN if none has one.
func (g *Grid) extremes(stage int) (least, most float64) {
	least, most = math.NaN(), math.NaN()
	for th := range g.Threads {
		v := g.Of(th, th+1, stage, stage+1)
		if v < least || math.IsNaN(least) {
			least = v
		}
		if v > most || math.IsNaN(most) {
			most = v
		}
	}
	return least, most
}

// ByThread returns the attribute of the whole run by thread of its trace, one of which is marked.
func (g *Grid) ByThread(t *prv.Trace, thread int) *figure.Figure {
	y, factor := g.axis("whole run", t.Unit)
	l := figure.Layer{Shape: figure.Columns, Ink: figure.Blue}
	names := make([]string, 0, g.Threads)
	for th := range g.Threads {
		names = append(names, t.ShortName(prv.LevelThread, th))
		l.X, l.X2 = append(l.X, float64(th)-0.5), append(l.X2, float64(th)+0.5)
		v := factor * g.Of(th, th+1, 0, g.Stages)
		if math.IsNaN(v) {
			v = 0
		}
		l.Y = append(l.Y, v)
	}
	return &figure.Figure{Title: g.Attribute.Name, X: figure.Axis{Name: "thread", Names: names}, Y: y,
		Layers: []figure.Layer{l},
		Rules:  []figure.Rule{{At: float64(thread), Ink: figure.Vermilion, Name: names[thread]}}}
}
