package remedy

// Trials and the causal profile as documents.

import (
	"fmt"
	"math"

	"pview/insight/report"
	"pview/insight/report/figure"
	"pview/prv"
	"pview/prv/quantity"
)

// Document returns the result of a trial.
func (t *Trial) Document(path string, unit prv.Unit) *report.Document {
	span := func(v int64) string { return quantity.FormatSpan(float64(v), unit) }
	d := &report.Document{Title: path}
	gain := t.Gain()
	word := "shorter"
	if gain < 0 {
		word = "longer"
	}
	d.Add(&report.Passage{Tone: report.Strong, Text: fmt.Sprintf("%s %s: %s instead of %s, %s%s", span(max(gain,
		-gain)),
		word, span(t.End), span(t.Base), quantity.FormatPercent(float64(gain)/float64(max(1, t.Base))),
		off(t.Deviation()))})
	if t.Note != "" {
		d.Add(report.Sentence(t.Note))
	}
	for _, s := range t.Specs {
		d.Add(&report.Passage{Text: s, Indent: 2})
	}
	ns := float64(unit.Nanoseconds())
	d.Object = func() any {
		return report.NewObject("path", path, "repairs", append([]string{}, t.Specs...), "base_ns", float64(t.Base)*ns,
			"total_ns", float64(t.End)*ns, "gain_ns", float64(gain)*ns, "replay",
			report.NewObject("deviation_percent", 100*t.Deviation()))
	}
	d.Rows = func() *report.Table {
		table := &report.Table{Columns: []report.Column{{Key: "repair"}, {Key: "base_ns"}, {Key: "total_ns"},
			{Key: "gain_ns"}}}
		all := ""
		for i, s := range t.Specs {
			if i > 0 {
				all += " "
			}
			all += s
		}
		table.Add(all, float64(t.Base)*ns, float64(t.End)*ns, float64(gain)*ns)
		return table
	}
	return d
}

// off says how far off the end of a replay is, if it is.
func off(deviation float64) string {
	if deviation < 0.0005 {
		return ""
	}
	return fmt.Sprintf(" (the replay is %s off)", quantity.FormatPercent(deviation))
}

// CausalDocument returns the causal profile of a run of a given length.
func CausalDocument(list []Causal, run Replayed, path string, length int64, unit prv.Unit) *report.Document {
	d := &report.Document{Title: path, PageHeading: "Causal profile",
		Rows: func() *report.Table { return causalRows(list, unit) }}
	d.PageTitle = "what the run gains when a region is faster"
	d.Object = func() any { return d.Rows().Objects() }
	time := func(v any) string {
		return fmt.Sprintf("%s  %s", quantity.FormatSpan(v.(float64)/float64(unit.Nanoseconds()), unit),
			quantity.FormatPercent(v.(float64)/float64(unit.Nanoseconds())/float64(max(1, length))))
	}
	t := causalRows(list, unit)
	for i := range t.Columns {
		if i > 0 {
			t.Columns[i].Show, t.Columns[i].Right = time, true
		}
	}
	t.Columns[1].Show = func(v any) string {
		return quantity.FormatSpan(v.(float64)/float64(unit.Nanoseconds()), unit)
	}
	d.Add(report.Sentence("what the run gains when a region is faster on all threads, by simulation" +
		off(run.Deviation())))
	if note := run.Note(); note != "" {
		d.Add(report.Sentence(note))
	}
	d.Add(t)
	if len(list) > 0 {
		d.Sections = append(d.Sections, report.Section{On: report.PageOnly, Blocks: []report.Block{causalPlot(list,
			length)}})
	}
	return d
}

// causalRows has the gains in ns.
func causalRows(list []Causal, unit prv.Unit) *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "region", Title: "Region"}, {Key: "time_ns", Title: "Time"}}}
	for _, f := range Faster {
		p := int(math.Round(100 * f))
		t.Columns = append(t.Columns, report.Column{Key: fmt.Sprintf("gain_%d_ns", p),
			Title: fmt.Sprintf("%d %% faster", p)})
	}
	ns := float64(unit.Nanoseconds())
	for _, x := range list {
		row := []any{prv.Clean(x.Name), float64(x.Time) * ns}
		for _, g := range x.Gains {
			row = append(row, float64(g)*ns)
		}
		t.Add(row...)
	}
	return t
}

// causalPlot has a line for each of the first regions.
func causalPlot(list []Causal, length int64) *report.Plot {
	f := &figure.Figure{Title: "causal profile", X: figure.Axis{Name: "the region is faster, %", Zero: true},
		Y: figure.Axis{Name: "the run is shorter, %", Zero: true}}
	for i, x := range list[:min(len(list), 5)] {
		l := figure.Layer{Name: x.Name, Shape: figure.Line, Ink: figure.Ink(i), X: []float64{0}, Y: []float64{0}}
		for k, g := range x.Gains {
			l.X, l.Y = append(l.X, 100*Faster[k]), append(l.Y, 100*float64(g)/float64(max(1, length)))
		}
		f.Layers = append(f.Layers, l)
	}
	return &report.Plot{Figure: f, Alt: "gain of the run by how much faster a region is"}
}
