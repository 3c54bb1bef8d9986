package studies

import (
	"fmt"
	"slices"
	"strings"

	"pview/insight/report"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/quantity"
	"pview/sim"
	"pview/sim/mapping"
	"pview/sim/study"
)

// Designs compared with each other: robust candidates, a search, blocks of the program, mappings.

// Robust names the best candidate above the table of all.
func Robust(name string, m *study.Robust, t *study.Table) *Answer {
	list, best, nominal := m.Verdicts(t)
	text := fmt.Sprintf("%s: %s", name, report.UpperFirst(m.Outputs[0].Name))
	if best >= 0 {
		text += fmt.Sprintf("; the best is %s", list[best].Candidate)
	}
	if nominal >= 0 && nominal != best {
		text += fmt.Sprintf(", by nominal values it would be %s", list[nominal].Candidate)
	}
	sign := "+"
	if m.Most {
		sign = "-"
	}
	table := &report.Table{Indent: 2, Columns: columns("Candidate", "Nominal", "Runs", "Mean", "SD",
		fmt.Sprintf("Mean %s %g SD", sign, m.K))}
	say := func(v float64) string { return Show(&m.Outputs[0].Column, v) }
	objects := []report.Object{}
	for _, v := range list {
		table.Add(v.Candidate, say(v.Nominal), fmt.Sprintf("%d of %d", v.N, v.Of), say(v.Mean), say(v.SD),
			say(v.Judged))
		objects = append(objects, report.NewObject("candidate", v.Candidate, "nominal", report.OrNil(v.Nominal),
			"n", int64(v.N), "of", int64(v.Of), "mean", v.Mean, "sd", v.SD, "judged", report.OrNil(v.Judged)))
	}
	a := &Answer{}
	a.add(report.Sentence(text))
	a.add(table)
	candidate := func(i int) any {
		if i < 0 {
			return nil
		}
		return list[i].Candidate
	}
	a.Fields = report.NewObject("candidates", objects, "best", candidate(best), "best_nominal", candidate(nominal))
	return a
}

// Improve concludes from a search: the path of its box, which has at least one step.
func Improve(name string, way *study.Path, t *study.Table) *Answer {
	why := way.Why
	if strings.Contains(why, "without gain") {
		why = "of " + why
	}
	boxes := strings.ReplaceAll(quantity.CountOf(int64(way.Boxes), "box"), "boxs", "boxes")
	a := &Answer{}
	text := fmt.Sprintf("%s: %s in %s; ended because %s", name, runs(t), boxes, why)
	if len(way.Missed) > 0 {
		text += "; the last does not reach " + targets(way.Missed, t)
	}
	a.add(report.Sentence(text))
	distances := distances(way)
	out := &report.Table{Indent: 2, Columns: []report.Column{{Title: "Box"}, {Title: "Run"}}}
	for _, d := range distances {
		out.Columns = append(out.Columns, report.Column{Title: d.title, Show: report.ShowDecimals(5)})
	}
	for i := range Columns(t) {
		out.Columns = append(out.Columns, report.Column{Title: report.UpperFirst(ColumnAt(t, i).Name), Right: true})
	}
	steps := []report.Object{}
	for _, s := range way.Steps {
		row := []any{int64(s.Box), int64(s.Index)}
		for _, d := range distances {
			row = append(row, d.of(&s))
		}
		for i := range Columns(t) {
			row = append(row, Show(ColumnAt(t, i), Value(t, &s.Row, i)))
		}
		out.Add(row...)
		steps = append(steps, report.NewObject("box", int64(s.Box), "run", int64(s.Index), "distance", s.Missed,
			"direction", s.Direction))
	}
	a.add(out)
	a.Fields = report.NewObject("path", steps, "best", int64(way.Steps[len(way.Steps)-1].Index),
		"reached", way.Reached, "boxes", int64(way.Boxes), "why", way.Why)
	return a
}

// distanceColumn is a column of the path of an improvement.
type distanceColumn struct {
	title string
	of    func(s *study.Step) float64
}

// distances returns the columns for the targets of an improvement.
func distances(way *study.Path) (list []distanceColumn) {
	directed := slices.ContainsFunc(way.Steps, func(s study.Step) bool { return s.Direction != 0 })
	if !directed || slices.ContainsFunc(way.Steps, func(s study.Step) bool { return s.Missed != 0 }) {
		list = append(list, distanceColumn{"Distance", func(s *study.Step) float64 { return s.Missed }})
	}
	if directed {
		list = append(list, distanceColumn{"Direction", func(s *study.Step) float64 { return s.Direction }})
	}
	return list
}

// targets lists values and limits.
func targets(list []study.Target, t *study.Table) string {
	var words []string
	for i := range list {
		column, _, _ := t.Column(list[i].Name)
		words = append(words, list[i].Name+" "+list[i].Relation.String()+" "+Show(column, list[i].Value))
	}
	return strings.Join(words, ", ")
}

// Modules asks which blocks of a program are worth speeding up.
type Modules struct {
	Name     string
	Labels   *prv.Labels
	Gains    []study.Gain
	Base     study.Figures
	Factor   float64
	All      int     // blocks, including those left out
	Computed float64 // ns of computation
	Outside  float64 // ns of it outside all blocks
}

// Answer ranks the blocks.
func (m *Modules) Answer() *Answer {
	a := &Answer{}
	lines := []report.Block{report.Sentence(fmt.Sprintf("%s: %s; %s of the computation outside all blocks", m.Name,
		report.ShowDuration(m.Base.Total), quantity.FormatPercent(m.Outside/m.Computed)))}
	if n := len(m.Gains); n < m.All {
		lines = append(lines, report.Sentence(fmt.Sprintf(
			"The %d blocks with the most computation, of %d (--top 0 takes all)", n, m.All)))
	}
	a.add(lines...)
	a.add(report.Sentence(fmt.Sprintf("If one block computed %g times as fast:", m.Factor)))
	unseen := func(any) string { return "" }
	a.Rows = &report.Table{Indent: 2, Columns: []report.Column{{Key: "block", Title: "Block"},
		{Key: "type", Show: unseen}, {Key: "value", Show: unseen},
		{Key: "computation", Title: "Computes", Show: report.ShowShare},
		{Key: "time_ns", Title: "Run takes", Show: report.ShowDuration},
		{Key: "saved", Title: "Saves", Show: report.ShowShare},
		{Key: "yield", Title: "Yield", Show: report.ShowDecimals(2)}}}
	for i := range m.Gains {
		g := &m.Gains[i]
		a.Rows.Add(extrae.RegionName(m.Labels, g.Type, g.Value), int64(g.Type), g.Value,
			g.Computation/max(m.Computed, 1), g.Total, g.Saved, g.Yield)
	}
	a.add(a.Rows)
	a.Fields = report.NewObject("blocks", a.Rows.Objects())
	return a
}

// Candidate is a mapping of tasks to nodes, and its data.
type Candidate struct {
	mapping.Candidate
	Weight  mapping.Weight
	Outcome study.Outcome
}

// Mappings ranks mappings, the best first; top is the number to list, 0 for all. The machine's own mapping is missing
// if its simulation failed.
func Mappings(b *mapping.Problem, list []Candidate, top int) *Answer {
	t := &report.Table{Indent: 2, Columns: []report.Column{{Key: "rank", Title: "Rank"}, {Key: "from", Title: "From"},
		{Key: "total_ns", Title: "Predicted", Show: report.ShowDuration},
		{Key: "speedup", Title: "Speedup", Show: report.ShowDecimals(2)},
		{Key: "utilisation", Title: "Nodes busy", Show: report.ShowShare},
		{Key: "highest", Title: "Highest", Show: report.ShowShare},
		{Key: "lowest", Title: "Lowest", Show: report.ShowShare}, {Key: "hops", Title: "Hops"},
		{Key: "byte_hops", Title: "Bytes x hops"}, {Key: "max_link_bytes", Title: "Busiest link (B)"}}}
	short := *t
	t.Columns = append(t.Columns[:len(t.Columns):len(t.Columns)],
		report.Column{Key: "placement", Title: "Nodes of the tasks"})
	if top <= 0 {
		top = len(list)
	}
	for i := range list[:min(top, len(list))] {
		c := &list[i]
		o := &c.Outcome
		row := []any{i + 1, c.From, o.Total, o.Speedup, o.Nodes.Mean, o.Nodes.Highest, o.Nodes.Lowest, c.Weight.Hops,
			c.Weight.ByteHops, c.Weight.MaxLink}
		short.Add(row...)
		t.Add(append(row[:len(row):len(row)], b.Placement(c.Mapping))...)
	}
	best := &list[0]
	a := &Answer{Rows: t, Object: t.Objects()}
	count, total := quantity.CountOf(int64(len(list)), "mapping"), report.ShowDuration(best.Outcome.Total)
	hops := quantity.CountOf(best.Weight.Hops, "hop")
	machine := slices.IndexFunc(list, func(c Candidate) bool { return c.From == "machine" })
	var said string
	switch {
	case best.Outcome.Total == list[len(list)-1].Outcome.Total:
		said = fmt.Sprintf("%s: the run takes %s with each.", count, total)
	case machine < 0: // its simulation failed
		said = fmt.Sprintf("%s. The best takes %s; %s.", count, total, hops)
	case best.Outcome.Total == list[machine].Outcome.Total:
		said = fmt.Sprintf("%s: none is better than that of the machine, %s.", count, total)
	default:
		own := &list[machine]
		said = fmt.Sprintf("%s. The best takes %s, that of the machine %s (%.2f times as long); %s against %s.", count,
			total, report.ShowDuration(own.Outcome.Total),
			sim.Share(float64(own.Outcome.Total), float64(best.Outcome.Total)), hops,
			quantity.FormatCount(own.Weight.Hops))
	}
	a.add(report.Sentence(said))
	a.add(report.Sentence("The best: --placement " + b.Placement(best.Mapping)))
	a.add(&short)
	return a
}
