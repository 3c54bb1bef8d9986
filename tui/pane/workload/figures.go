package workload

// What is drawn of an analysis, in the pane and by pview workload --plot.

import (
	"fmt"
	"math"
	"strings"

	"pview/insight/workload"
	"pview/insight/workload/fit"
	"pview/prv/quantity"
	"pview/tui/plot"
)

// Figure is a kind of picture of a result.
type Figure struct {
	Name, Doc string
	// Draw makes the picture of two parameters by their numbers; nil: there is nothing to be drawn.
	Draw func(r *workload.Result, x, y int) *plot.Figure
}

// Figures are the pictures, the default first.
var Figures = []Figure{
	{"scatter", "components by two parameters, a colour for each cluster", scatter},
	{"k", "mean square ratio by the number of clusters", ratios},
	{"histogram", "bursts by duration: how many, and their time", histogram},
}

// most is how many points of a cluster are drawn: more are not told apart.
const most = 4000

// kindOf is the kind of the values of a column.
func kindOf(c *workload.Column) *quantity.Kind {
	switch c.Unit {
	case "ns":
		return quantity.Time
	case "B":
		return quantity.Bytes
	}
	return nil
}

// axisOf is the axis of a parameter.
func axisOf(r *workload.Result, i int) (plot.Axis, *workload.Column) {
	names := r.ParameterNames()
	name := names[i%len(names)]
	c := r.Set.Column(name)
	title := name
	if about := labelOf(r, name); about != "" {
		title = about
	}
	a := plot.Axis{Name: title, Kind: kindOf(c)}
	if i < len(r.Settings.Parameters) {
		a.Log = r.Settings.Parameters[i].Log
	}
	return a, c
}

// labelOf names a parameter of events by the first words of the labels.
func labelOf(r *workload.Result, name string) string {
	if r.Set.Trace == nil || strings.Trim(name, "0123456789+-*/") != "" {
		return ""
	}
	text := ""
	for _, part := range strings.FieldsFunc(name, func(c rune) bool { return strings.ContainsRune("+-*/", c) }) {
		var typ uint32
		if _, err := fmt.Sscan(part, &typ); err != nil {
			return ""
		}
		if text != "" {
			text += " / "
		}
		word, _, _ := strings.Cut(r.Set.Trace.Labels.TypeName(typ), " ")
		text += word
	}
	return text
}

// layerName names a class with its share of the time.
func layerName(r *workload.Result, class int) string {
	if class >= workload.FirstCluster {
		c := r.Clusters[class-workload.FirstCluster]
		return fmt.Sprintf("%d: %.1f%%", c.ID, 100*c.TimeShare)
	}
	return strings.ToLower(workload.ClassNames[class])
}

// InkOf is the ink of a class: clusters by number, noise grey.
func InkOf(class int) plot.Ink {
	if class < workload.FirstCluster {
		return plot.Grey
	}
	return plot.InkOf(class - workload.FirstCluster)
}

// scatter has the components by two parameters, raw. With one parameter the other axis is the time of the run.
func scatter(r *workload.Result, x, y int) *plot.Figure {
	if len(r.Rows) == 0 {
		return nil
	}
	f := &plot.Figure{Title: "Clusters"}
	var columns [2][]float64
	axis, c := axisOf(r, x)
	f.X, columns[0] = axis, c.Values
	if x == y && r.Set.Begin != nil && r.Set.Kind.Name != "run" {
		f.Y, columns[1] = plot.Axis{Name: "begin", Kind: quantity.Time}, begins(r.Set)
	} else {
		axis, c := axisOf(r, y)
		f.Y, columns[1] = axis, c.Values
	}
	layers := make([]plot.Layer, workload.FirstCluster+len(r.Clusters))
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
	for class := range layers {
		if len(layers[class].X) > 0 {
			layers[class].Shape, layers[class].Ink, layers[class].Name = plot.Points, InkOf(class), layerName(r, class)
			f.Layers = append(f.Layers, layers[class])
		}
	}
	return f
}

func begins(s *workload.Set) []float64 {
	unit := 1.0
	if s.Trace != nil {
		unit = float64(s.Trace.Unit.Nanoseconds())
	}
	out := make([]float64, len(s.Begin))
	for i, b := range s.Begin {
		out[i] = float64(b) * unit
	}
	return out
}

// ratios has R(k) of k-means; the k-distances are not kept in a result.
func ratios(r *workload.Result, _, _ int) *plot.Figure {
	l := plot.Layer{Shape: plot.Line, Ink: plot.Blue}
	for _, p := range r.Partitions {
		if p.K > 1 && !math.IsInf(p.R, 0) {
			l.X, l.Y = append(l.X, float64(p.K)), append(l.Y, p.R)
		}
	}
	if len(l.X) == 0 {
		return nil
	}
	f := &plot.Figure{Title: "Choice of k", X: plot.Axis{Name: "k"}, Y: plot.Axis{Name: "mean square ratio", Zero: true}, Layers: []plot.Layer{l}, Rules: []plot.Rule{{At: 10, Flat: true, Ink: plot.Grey, Name: "10: justified"}}}
	if r.Recommended > 1 {
		f.Rules = append(f.Rules, plot.Rule{At: float64(r.Recommended), Ink: plot.Vermilion, Name: fmt.Sprintf("recommended: %d", r.Recommended)})
	}
	return f
}

// histogram has the durations in bins of equal width of their logarithm: the share of the components and of their time in each.
func histogram(r *workload.Result, _, _ int) *plot.Figure {
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
	bars, line := plot.Layer{Name: "time", Shape: plot.Columns, Ink: plot.Sky}, plot.Layer{Name: "number", Shape: plot.Steps, Ink: plot.Vermilion}
	for i := range n {
		from, to := math.Pow(10, d.Min+float64(i)*width), math.Pow(10, d.Min+float64(i+1)*width)
		bars.X, bars.X2, bars.Y = append(bars.X, from), append(bars.X2, to), append(bars.Y, time[i])
		line.X, line.Y = append(line.X, from), append(line.Y, count[i])
	}
	return &plot.Figure{Title: "Durations", X: plot.Axis{Name: t.Name, Kind: quantity.Time, Log: true}, Y: plot.Axis{Name: "%", Zero: true}, Layers: []plot.Layer{bars, line}}
}
