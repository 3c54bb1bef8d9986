package studies

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pview/insight/report"
	"pview/prv/quantity"
	"pview/sim/study"
)

// Limit is a value that an output may exceed.
type Limit struct {
	Column study.Column
	Value  float64
}

// Random concludes from runs with random inputs: how the outputs scatter, and which inputs they depend on.
func Random(heading string, t *study.Table, limits []Limit) *Answer {
	a := &Answer{Summary: true, Fields: report.NewObject("ranking", rankingObject(t))}
	a.add(report.Sentence(heading))
	a.addRanking(t)
	var lines []report.Block
	rows := []report.Object{}
	for _, l := range limits {
		if p, err, ok := t.Exceeding(l.Column.Name, l.Value); ok {
			lines = append(lines, indented(fmt.Sprintf("%s > %s: probability %.4f +- %.4f", l.Column.Name,
				Show(&l.Column, l.Value), p, err)))
			rows = append(rows, report.NewObject("output", l.Column.Name, "limit", l.Value, "probability", p,
				"standard_error", err))
		}
	}
	if len(limits) > 0 {
		a.add(lines...)
		a.Fields = a.Fields.With("limits", rows)
	}
	return a
}

// indented returns a sentence below a table.
func indented(text string) *report.Passage { return &report.Passage{Text: text, Indent: 2} }

// addRanking ranks the inputs by their influence on each output.
func (a *Answer) addRanking(t *study.Table) {
	for i := range t.Outputs {
		list, r2 := t.Ranking(t.Outputs[i].Name)
		if len(list) == 0 {
			continue
		}
		out := &report.Table{Indent: 2, Columns: []report.Column{{Title: "Influence on " + t.Outputs[i].Name},
			{Title: "Rank corr.", Show: report.ShowDecimals(3)}, {Title: "Correlation", Show: report.ShowDecimals(3)},
			{Title: "Standardised", Show: standardised}}}
		for _, in := range list {
			out.Add(in.Input, in.Rank, in.Linear, in.Standard)
		}
		said := fmt.Sprintf("(the linear regression explains %s of the variance)", report.ShowShare(r2))
		if math.IsNaN(r2) {
			said = "(no linear regression: the runs are too few or too alike)"
		}
		a.add(out, indented(said))
	}
}

// standardised shows a coefficient of the regression; "-" without one.
func standardised(v any) string {
	if math.IsNaN(v.(float64)) {
		return "-"
	}
	return report.ShowDecimals(3)(v)
}

// rankingObject returns the ranking by output, for JSON.
func rankingObject(t *study.Table) report.Object {
	o := report.Object{}
	for i := range t.Outputs {
		list, r2 := t.Ranking(t.Outputs[i].Name)
		rows := []report.Object{}
		for _, in := range list {
			rows = append(rows, report.NewObject("input", in.Input, "rank_correlation", in.Rank,
				"correlation", in.Linear, "standardised", report.OrNil(in.Standard)))
		}
		o = o.With(columnKey(&t.Outputs[i]), report.NewObject("inputs", rows, "r2", report.OrNil(r2)))
	}
	return o
}

// Effects concludes from all combinations of two levels: the varied parameters, and their effects.
func Effects(name string, s *study.Sensitivity) *Answer {
	a, varied := &Answer{}, &report.Table{Indent: 2, Columns: columns("Varied", "Low", "High")}
	for _, f := range s.Factors {
		varied.Add(f.Name, f.Low.Text, f.High.Text)
	}
	a.add(report.Sentence(fmt.Sprintf("%s: from %s to %s, mean %s, in %s", name,
		quantity.Time.Format(slices.Min(s.Times)), quantity.Time.Format(slices.Max(s.Times)),
		quantity.Time.Format(s.Effects[0].Q), quantity.CountOf(int64(len(s.Times)), "simulation"))))
	a.add(varied)
	effects := effectTable(s)
	shown := *effects
	shown.Rows = effects.Rows[1:] // the mean is not an effect
	a.add(&shown)
	a.Fields = report.NewObject("effects", effects.Objects())
	return a
}

// effectTable has a line for each effect: the mean, then the effects, the largest first.
func effectTable(s *study.Sensitivity) *report.Table {
	signed := func(v any) string {
		text := report.ShowTime(v)
		if v.(float64) > 0 {
			text = "+" + text
		}
		return text
	}
	out := &report.Table{Indent: 2, Columns: []report.Column{{Key: "effect", Title: "Of"},
		{Key: "coefficient_ns", Title: "Effect on the time", Show: signed},
		{Key: "share", Title: "Explains", Show: report.ShowShare}}}
	out.Add("mean", s.Effects[0].Q, nil)
	effects := slices.Clone(s.Effects[1:])
	slices.SortStableFunc(effects, func(x, y study.Effect) int { return cmp.Compare(y.Share, x.Share) })
	for i := range effects {
		out.Add(s.EffectName(&effects[i]), effects[i].Q, effects[i].Share)
	}
	return out
}

// Indices concludes from Sobol' indices.
func Indices(heading string, m *study.Indices, t *study.Table) *Answer {
	a := &Answer{}
	a.add(report.Sentence(heading))
	a.addRanking(t)
	interval := func(r study.Range) string { return fmt.Sprintf("%.3f .. %.3f", r.Least, r.Most) }
	out := &report.Table{Indent: 2, Columns: slices.Insert(columns("Output", "First order", "95 %", "Total", "95 %"), 1,
		report.Column{Title: "Input"})}
	indices := report.Object{}
	for i := range t.Outputs {
		list, n := m.Of(t, t.Outputs[i].Name)
		rows := []report.Object{}
		for _, x := range list {
			out.Add(t.Outputs[i].Name, x.Input, fmt.Sprintf("%.3f", x.First), interval(x.FirstRange),
				fmt.Sprintf("%.3f", x.Total), interval(x.TotalRange))
			rows = append(rows, report.NewObject("input", x.Input, "first", x.First,
				"first_range", []float64{x.FirstRange.Least, x.FirstRange.Most}, "total", x.Total,
				"total_range", []float64{x.TotalRange.Least, x.TotalRange.Most}))
		}
		indices = indices.With(columnKey(&t.Outputs[i]), report.NewObject("n", int64(n), "inputs", rows))
	}
	a.add(out)
	a.Fields = report.NewObject("ranking", rankingObject(t), "indices", indices)
	return a
}
