// Package plots has the figures of a characterised workload, as data: panes and pview workload --plot draw them.
package plots

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"pview/insight/report/figure"
	"pview/insight/workload"
	"pview/insight/workload/fit"
	"pview/prv"
	"pview/prv/quantity"
)

// Figure is a kind of picture of a result.
type Figure struct {
	Name, Doc string
	// Draw returns the figure of two parameters by index; nil if there is nothing to draw.
	Draw func(r *workload.Result, x, y int) *figure.Figure
}

// Figures are the pictures, the default first.
var Figures = []Figure{
	{"scatter", "components by two parameters, a colour for each cluster", Scatter},
	{"k", "mean square ratio by the number of clusters", Ratios},
	{"histogram", "bursts by duration: how many, and their time", histogram},
}

// most is the maximum number of points drawn per cluster: more would cover each other.
const most = 4000

// axisOf returns the axis of a parameter and its column.
func axisOf(r *workload.Result, i int) (figure.Axis, *workload.Column) {
	names := r.ParameterNames()
	name := names[i%len(names)]
	c := r.Set.Column(name)
	a := figure.Axis{Name: r.Title(name), Kind: c.Kind()}
	if i < len(r.Settings.Parameters) {
		a.Log = r.Settings.Parameters[i].Log
	}
	return a, c
}

// layerName names a class with its share of the time.
func layerName(r *workload.Result, class int) string {
	if class >= workload.FirstCluster {
		c := r.Clusters[class-workload.FirstCluster]
		return fmt.Sprintf("%d: %s", c.ID, quantity.FormatPercent(c.TimeShare))
	}
	return strings.ToLower(workload.ClassNames[class])
}

// InkOf returns the ink of a class: clusters by number, noise grey.
func InkOf(class int) figure.Ink {
	if class < workload.FirstCluster {
		return figure.Grey
	}
	return figure.InkOf(class - workload.FirstCluster)
}

// Scatter shows the components by two raw parameters. With one parameter the other axis is the time of the run.
func Scatter(r *workload.Result, x, y int) *figure.Figure {
	if len(r.Rows) == 0 {
		return nil
	}
	f := &figure.Figure{Title: "Clusters"}
	var columns [2][]float64
	axis, c := axisOf(r, x)
	f.X, columns[0] = axis, c.Values
	if overTime(r, x, y) {
		f.Y, columns[1] = figure.Axis{Name: "begin", Kind: quantity.Time}, begins(r.Set)
	} else {
		axis, c := axisOf(r, y)
		f.Y, columns[1] = axis, c.Values
	}
	layers := make([]figure.Layer, workload.FirstCluster+len(r.Clusters))
	seen := make([]int, len(layers))
	for i, class := range r.Class {
		if class < workload.ClassNoise {
			continue
		}
		l, step := &layers[class], 1+r.Counts[class]/most
		if seen[class]++; seen[class]%step != 0 {
			continue
		}
		l.X, l.Y, l.Refs = append(l.X, columns[0][i]), append(l.Y, columns[1][i]), append(l.Refs, i)
	}
	// A legend without enough room keeps its end: the clusters with most of the time.
	slices.Reverse(layers[workload.FirstCluster:])
	for k := range layers {
		class := k
		if k >= workload.FirstCluster {
			class = workload.FirstCluster + len(layers) - 1 - k
		}
		if len(layers[k].X) > 0 {
			layers[k].Shape, layers[k].Ink, layers[k].Name = figure.Points, InkOf(class), layerName(r, class)
			f.Layers = append(f.Layers, layers[k])
		}
	}
	return f
}

// nanoseconds returns the unit of the times of components.
func nanoseconds(s *workload.Set) float64 {
	if s.Trace == nil {
		return 1
	}
	return float64(s.Trace.Unit.Nanoseconds())
}

func begins(s *workload.Set) []float64 {
	unit := nanoseconds(s)
	out := make([]float64, len(s.Begin))
	for i, b := range s.Begin {
		out[i] = float64(b) * unit
	}
	return out
}

// Ratios shows the mean square ratio R(k) of k-means.
func Ratios(r *workload.Result, _, _ int) *figure.Figure {
	l := figure.Layer{Shape: figure.Line, Ink: figure.Blue}
	for _, p := range r.Partitions {
		if p.K > 1 && !math.IsInf(p.R, 0) {
			l.X, l.Y = append(l.X, float64(p.K)), append(l.Y, p.R)
		}
	}
	if len(l.X) == 0 {
		return nil
	}
	f := &figure.Figure{Title: "Choice of k", X: figure.Axis{Name: "k"},
		Y: figure.Axis{Name: "mean square ratio", Zero: true}, Layers: []figure.Layer{l},
		Rules: []figure.Rule{{At: 10, Flat: true, Ink: figure.Grey, Name: "10: justified"}}}
	if r.Recommended > 1 {
		f.Rules = append(f.Rules, figure.Rule{At: float64(r.Recommended), Ink: figure.Vermilion,
			Name: fmt.Sprintf("recommended: %d", r.Recommended)})
	}
	return f
}

// Place returns the position of component i in the scatter of parameters x and y.
func Place(r *workload.Result, x, y, i int) (px, py float64) {
	_, c := axisOf(r, x)
	px = c.Values[i]
	if overTime(r, x, y) {
		return px, float64(r.Set.Begin[i]) * nanoseconds(r.Set)
	}
	_, c = axisOf(r, y)
	return px, c.Values[i]
}

// overTime reports whether the other axis of the scatter is the time of the run: because both are the same parameter.
func overTime(r *workload.Result, x, y int) bool {
	return x == y && r.Set.Begin != nil && r.Set.Kind.Name != "run"
}

// bins is the number of bins of a histogram.
const bins = 2 * fit.Bins

// ByCluster shows a parameter's histogram for each cluster; the chosen cluster is filled.
func ByCluster(r *workload.Result, x int, chosen int32) *figure.Figure {
	axis, c := axisOf(r, x)
	on := func(v float64) float64 { return v }
	back := on
	if axis.Log {
		on, back = math.Log10, func(v float64) float64 { return math.Pow(10, v) }
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, i := range r.Rows {
		if v := on(c.Values[i]); !math.IsInf(v, 0) && !math.IsNaN(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	if low > high {
		return nil
	}
	width := (high - low) / bins
	counts := make([][]float64, len(r.Counts))
	for _, i := range r.Rows {
		v := on(c.Values[i])
		if math.IsInf(v, 0) || math.IsNaN(v) {
			continue
		}
		k := 0
		if width > 0 {
			k = min(bins-1, int((v-low)/width))
		}
		class := r.Class[i]
		if counts[class] == nil {
			counts[class] = make([]float64, bins)
		}
		counts[class][k]++
	}
	f := &figure.Figure{Title: "Histogram", X: axis, Y: figure.Axis{Name: r.Set.Kind.Name + "s", Zero: true}}
	layer := func(class int, shape figure.Shape) {
		l := figure.Layer{Shape: shape, Ink: InkOf(class)}
		if shape == figure.Columns || class != int(chosen) {
			l.Name = layerName(r, class)
		}
		for k, n := range counts[class] {
			from, to := back(low+float64(k)*width), back(low+float64(k+1)*width)
			l.X, l.X2, l.Y = append(l.X, from), append(l.X2, to), append(l.Y, n)
		}
		f.Layers = append(f.Layers, l)
	}
	if int(chosen) < len(counts) && counts[chosen] != nil {
		layer(int(chosen), figure.Columns)
	}
	for class := workload.ClassNoise; class < len(counts); class++ {
		if counts[class] != nil && class != int(chosen) {
			layer(class, figure.Steps)
		}
	}
	return f
}

// shownDistances is the maximum number of points drawn of the curve of distances.
const shownDistances = 2000

// Distances returns the curve of the distances to the k-th nearest component, in descending order.
func Distances(curve []float64, k int) *figure.Figure {
	l := figure.Layer{Shape: figure.Line, Ink: figure.Blue}
	step := max(1, len(curve)/shownDistances)
	for i := 0; i < len(curve); i += step {
		if curve[i] > 0 {
			l.X, l.Y = append(l.X, float64(i+1)), append(l.Y, curve[i])
		}
	}
	return &figure.Figure{Title: "Choice of eps", X: figure.Axis{Name: "components", Log: true},
		Y: figure.Axis{Name: fmt.Sprintf("distance to number %d", k), Log: true}, Layers: []figure.Layer{l}}
}

// Quality shows the score of each cluster on each rank.
func Quality(r *workload.Result, s *workload.Sequences) *figure.Figure {
	var rows, columns []string
	for _, th := range s.Threads {
		columns = append(columns, r.Set.Trace.ShortName(prv.LevelThread, int(th)))
	}
	for c := range s.Of {
		rows = append(rows, fmt.Sprintf("%d: %.2f", c+1, s.Of[c]))
	}
	if len(columns) == 0 || len(rows) == 0 {
		return nil
	}
	f := figure.Matrix(fmt.Sprintf("Sequence quality %.3f", s.Score), rows, columns, func(c, k int) float64 {
		return s.By[c][k]
	})
	f.Note = "share of the ranks that execute the same cluster in the same place"
	return f
}

// histogram has the durations in bins of equal width of their logarithm: the share of the components and of their time
// in each.
func histogram(r *workload.Result, _, _ int) *figure.Figure {
	t := r.Set.Time()
	if t == nil {
		return nil
	}
	var logs []float64
	total := 0.0
	for _, v := range t.Values {
		if v > 0 {
			logs = append(logs, math.Log10(v))
			total += v
		}
	}
	d := fit.Describe(logs)
	if d.N == 0 {
		return nil
	}
	n := fit.Bins
	count, time := make([]float64, n), make([]float64, n)
	width := (d.Max - d.Min) / float64(n)
	for _, v := range logs {
		i := 0
		if width > 0 {
			i = min(n-1, int((v-d.Min)/width))
		}
		count[i] += 100 / float64(d.N)
		time[i] += 100 * math.Pow(10, v) / total
	}
	bars, line := figure.Layer{Name: "time", Shape: figure.Columns, Ink: figure.Sky},
		figure.Layer{Name: "number", Shape: figure.Steps, Ink: figure.Vermilion}
	for i := range n {
		from, to := math.Pow(10, d.Min+float64(i)*width), math.Pow(10, d.Min+float64(i+1)*width)
		bars.X, bars.X2, bars.Y = append(bars.X, from), append(bars.X2, to), append(bars.Y, time[i])
		line.X, line.Y = append(line.X, from), append(line.Y, count[i])
	}
	return &figure.Figure{Title: "Durations", X: figure.Axis{Name: t.Name, Kind: quantity.Time, Log: true},
		Y: figure.Axis{Name: "%", Zero: true}, Layers: []figure.Layer{bars, line}}
}
