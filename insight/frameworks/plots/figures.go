// Package plots draws the reports of package frameworks as figures: data, not pixels.
package plots

import (
	"fmt"

	"pview/insight/frameworks"
	"pview/insight/report/figure"
	"pview/prv/quantity"
)

// Figures returns the plots of a report: time and index over the number of workers, or the stages of a pipeline and its
// staircase.
func Figures(r *frameworks.Report) []*figure.Figure {
	switch {
	case r.Farm != nil:
		return []*figure.Figure{timeFigure(r), indexFigure(r)}
	case r.Pipeline != nil:
		return []*figure.Figure{stageFigure(r.Pipeline), stairFigure(r.Pipeline)}
	}
	return nil
}

// curve returns a value of the points that the master can feed, and of the points beyond.
func curve(points []frameworks.Point, value func(p *frameworks.Point) float64) (fed, beyond figure.Layer) {
	fed = figure.Layer{Name: "model", Shape: figure.Line, Ink: figure.Blue}
	beyond = figure.Layer{Name: "more than the master can feed", Shape: figure.Points, Ink: figure.Grey}
	for i := range points {
		l := &fed
		if !points[i].Fed {
			l = &beyond
		}
		l.X, l.Y = append(l.X, float64(points[i].Workers)), append(l.Y, value(&points[i]))
	}
	if len(beyond.X) == 0 {
		beyond.Name = ""
	}
	return fed, beyond
}

func timeFigure(r *frameworks.Report) *figure.Figure {
	f := r.Farm
	fed, beyond := curve(f.Curve, func(p *frameworks.Point) float64 { return p.Time })
	fig := &figure.Figure{Title: "Time of an iteration", X: figure.Axis{Name: "workers", Zero: true, Whole: true},
		Y: figure.Axis{Name: "Tt", Kind: quantity.Time, Zero: true}, Layers: []figure.Layer{beyond, fed}}
	fig.MarkMeasured(quantity.CountOf(int64(f.Workers), "worker"), float64(f.Workers), f.Measured, f.Predicted)
	if f.Worth > 0 {
		fig.Marks = append(fig.Marks, figure.Mark{X: float64(f.Worth), Y: f.Model.Time(f.Worth), Ink: figure.Green,
			Name: fmt.Sprintf("recommended, %d", f.Worth)},
			figure.Mark{X: float64(f.Fastest), Y: f.Model.Time(f.Fastest), Ink: figure.Orange,
				Name: fmt.Sprintf("fastest, %d", f.Fastest)})
	}
	if !r.Fit.Holds {
		fig.Title += ": the model does not hold"
	}
	if r.Verdict != nil {
		l := figure.Layer{Name: "simulated", Shape: figure.Points, Ink: figure.Vermilion}
		for _, p := range r.Verdict.Points {
			l.X, l.Y = append(l.X, float64(p.Workers)), append(l.Y, p.Simulated)
		}
		fig.Layers = append(fig.Layers, l)
	}
	if last := f.Curve[len(f.Curve)-1].Workers; f.Limit != nil && *f.Limit <= float64(last) {
		fig.Rules = []figure.Rule{{At: *f.Limit, Ink: figure.Grey, Name: "limit of the master"}}
	}
	return fig
}

func indexFigure(r *frameworks.Report) *figure.Figure {
	f := r.Farm
	fed, beyond := curve(f.Curve, func(p *frameworks.Point) float64 { return p.Index })
	fig := &figure.Figure{
		Title:  "Performance index Pi = n Tt\u00b2/Tc",
		X:      figure.Axis{Name: "workers", Zero: true, Whole: true},
		Y:      figure.Axis{Name: "Pi", Kind: quantity.Time, Zero: true},
		Layers: []figure.Layer{beyond, fed},
	}
	index := f.Model.Index(f.Workers)
	off := f.Measured / f.Predicted // the index grows with the square of the time
	fig.MarkMeasured(quantity.CountOf(int64(f.Workers), "worker"), float64(f.Workers), index*off*off, index)
	if f.Worth > 0 {
		fig.Marks = append(fig.Marks, figure.Mark{X: float64(f.Worth), Y: f.Model.Index(f.Worth), Ink: figure.Green,
			Name: fmt.Sprintf("recommended, %d", f.Worth)})
	}
	return fig
}

// stageFigure has a bar for the production time of each stage, and the time with replicas.
func stageFigure(p *frameworks.PipelineReport) *figure.Figure {
	fig := &figure.Figure{Title: "Production time of the stages",
		X: figure.Axis{Name: "Tr", Kind: quantity.Time, Zero: true}, Y: figure.Axis{Name: "stage"}}
	now := figure.Layer{Name: "now", Shape: figure.Bars, Ink: figure.Blue}
	then := figure.Layer{Name: "with the proposed replicas", Shape: figure.Bars, Ink: figure.Green}
	seen := figure.Layer{Name: "observed interval", Shape: figure.Points, Ink: figure.Vermilion}
	for i := range p.Stages {
		s := &p.Stages[i]
		fig.Y.Names = append(fig.Y.Names, fmt.Sprint(s.Stage))
		y := float64(i)
		now.X, now.X2, now.Y = append(now.X, 0), append(now.X2, s.Own), append(now.Y, y)
		seen.X, seen.Y = append(seen.X, s.Observed), append(seen.Y, y)
		if s.Proposed > s.Replicas {
			then.X, then.X2, then.Y = append(then.X, 0), append(then.X2, s.Overlapped), append(then.Y, y)
		}
	}
	fig.Layers = []figure.Layer{now}
	if len(then.X) > 0 {
		fig.Layers = append(fig.Layers, then)
	}
	fig.Layers = append(fig.Layers, seen)
	return fig
}

// stairFigure returns the pace of the best pattern over the free processors.
func stairFigure(p *frameworks.PipelineReport) *figure.Figure {
	l := figure.Layer{Shape: figure.Steps, Ink: figure.Blue}
	for _, s := range p.Steps {
		l.X, l.Y = append(l.X, float64(s.Free)), append(l.Y, 1e9/s.Pace)
	}
	if n := len(p.Steps); n > 0 && p.Steps[n-1].Free < p.Free {
		l.X, l.Y = append(l.X, float64(p.Free)), append(l.Y, 1e9/p.Steps[n-1].Pace)
	}
	return &figure.Figure{Title: "Throughput with the best replicas",
		X: figure.Axis{Name: "free processors", Zero: true},
		Y: figure.Axis{Name: "items/s", Zero: true}, Layers: []figure.Layer{l}}
}
