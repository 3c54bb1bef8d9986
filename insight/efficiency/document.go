package efficiency

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pview/insight/report"
	"pview/prv/quantity"
)

// Document returns the report as a document, with the projection p unless it is nil.
func (r *Report) Document(p *Projection) *report.Document {
	d := &report.Document{Rows: func() *report.Table { return r.rows(p) }, Object: func() any { return r.object(p) }}
	d.Add(r.factorTable(p))
	runs := []report.Block{r.runTable()}
	if len(r.Runs) > 1 {
		runs = append(runs, report.Sentence(fmt.Sprintf("Factors of scalability compare with run %s, by %s "+
			"scaling: %s.",
			r.Labels()[0], r.Scaling, Scalings[r.Scaling].Doc)))
	}
	d.Add(runs...)
	if p != nil {
		m := p.Fits[0].Model
		d.Add(p.fitTable(), report.Sentence(fmt.Sprintf("%s: %s at p processes; %s.", m.Name, m.Formula, m.Doc)))
	}
	last := len(r.Runs) - 1
	if list := r.Findings(last); len(list) > 0 {
		d.AddUnder("Lost in "+r.Labels()[last], report.Conclusions(list)...)
	}
	for _, note := range r.notes() {
		d.Add(&report.Passage{Text: note, Tone: report.Note, Wrap: true})
	}
	for _, run := range r.Runs {
		for _, note := range run.Notes {
			d.Notes = append(d.Notes, run.Path+": "+note)
		}
	}
	d.Notes = append(d.Notes, r.Notes...)
	return d
}

// Others lists the figures that are not in the tree of factors.
func (r *Report) Others() (list []Node) {
	tree := r.Tree()
	for _, f := range r.Shown() {
		if !slices.ContainsFunc(tree, func(n Node) bool { return n.Factor == f }) {
			list = append(list, Node{f, 0})
		}
	}
	return list
}

// Has reports whether any run has a value of a figure, or the projection p unless it is nil.
func (r *Report) Has(f *Factor, p *Projection) bool {
	return slices.ContainsFunc(r.values(f, p), func(v float64) bool { return !math.IsNaN(v) })
}

// values returns the values of a factor in all columns: the runs, then the projected sizes.
func (r *Report) values(f *Factor, p *Projection) (list []float64) {
	for i := range r.Runs {
		list = append(list, r.Value(f, i))
	}
	if p != nil {
		for i := range p.Processors {
			list = append(list, p.Value(f, i))
		}
	}
	return list
}

// Format writes a value for people; "-" if there is none.
func (f *Factor) Format(v float64) string {
	switch {
	case math.IsNaN(v):
		return "-"
	case f.Unit == "us":
		return quantity.Time.Format(v * 1000)
	case f.Unit == "%":
		return quantity.FormatPercent(v / 100)
	case f.Decimals == 0:
		return quantity.FormatWhole(v)
	}
	return strings.TrimSpace(strconv.FormatFloat(v, 'f', 3, 64) + " " + f.Unit)
}

// FormatShort is Format with counts in six columns.
func (f *Factor) FormatShort(v float64) string {
	if f.Unit == "" && f.Decimals == 0 && !math.IsNaN(v) {
		return quantity.FormatShort(v)
	}
	return f.Format(v)
}

// factorTable has the figures with a value, and a column for each run and projected size.
func (r *Report) factorTable(p *Projection) *report.Table {
	t := &report.Table{Columns: []report.Column{{}}}
	for _, label := range r.Labels() {
		t.Columns = append(t.Columns, report.Column{Title: label, Right: true})
	}
	if p != nil {
		for _, n := range p.Processors {
			t.Columns = append(t.Columns, report.Column{Title: fmt.Sprintf("-> %d", n), Right: true})
		}
	}
	for _, n := range append(r.Tree(), r.Others()...) {
		if !r.Has(n.Factor, p) { // the notes say why
			continue
		}
		row := []any{strings.Repeat("  ", n.Depth) + n.Factor.Title}
		for _, v := range r.values(n.Factor, p) {
			row = append(row, n.Factor.Format(v))
		}
		t.Add(row...)
	}
	return t
}

// runTable lists the runs behind the columns.
func (r *Report) runTable() *report.Table {
	t := &report.Table{Columns: []report.Column{{Title: "Run"}, {Title: "Processes"}, {Title: "Threads"},
		{Title: "Trace"}}}
	for i, label := range r.Labels() {
		run := r.Runs[i]
		var threads any // only if the number differs
		if run.Threads != run.Processes {
			threads = int64(run.Threads)
		}
		t.Add(label, int64(run.Processes), threads, run.Path)
	}
	return t
}

// fitTable lists the models behind the projection.
func (p *Projection) fitTable() *report.Table {
	t := &report.Table{Columns: []report.Column{{Title: "Fitted"}, {Title: "Model"},
		{Title: "x0 (%)", Show: report.ShowDecimals(3)}, {Title: "f", Show: report.ShowDecimals(5)},
		{Title: "Residual (% points)", Show: report.ShowDecimals(3)}, {Title: "Runs"}}}
	for _, f := range p.Fits {
		t.Add(f.Factor.Title, f.Model.Name, f.X0, f.F, f.Residual, int64(f.Points))
	}
	return t
}

// notes explain missing values; a note that several runs share appears once.
func (r *Report) notes() (notes []string) {
	runs := map[string][]string{}
	for i, label := range r.Labels() {
		for _, note := range r.Runs[i].Notes {
			if runs[note] == nil {
				notes = append(notes, note)
			}
			runs[note] = append(runs[note], label)
		}
	}
	for i, note := range notes {
		if len(r.Runs) > 1 {
			notes[i] = strings.Join(runs[note], ", ") + ": " + note
		}
	}
	return append(notes, r.Notes...)
}

// About explains a figure of a run: its formula, its projection by p unless that is nil, and the notes on the run. If
// the figure has no value, the reason comes first.
func (r *Report) About(f *Factor, at int, p *Projection) (lines []*report.Passage) {
	run := r.Runs[at]
	add := func(text string, tone report.Tone) {
		lines = append(lines, &report.Passage{Text: text, Tone: tone})
	}
	notes := func() {
		for _, note := range slices.Concat(run.Notes, r.Notes) {
			add(note, report.Warning)
		}
	}
	missing := math.IsNaN(r.Value(f, at))
	switch {
	case missing && f.Simulated && run.NotSimulated != "":
		add("not simulated: "+run.NotSimulated, report.Warning)
	case missing:
		notes()
	}
	add(f.Title+" = "+f.formulaOf(run.Hybrid), report.Strong)
	if p != nil {
		for i := range p.Fits {
			if fit := &p.Fits[i]; fit.Factor == f {
				add(fmt.Sprintf("projected by %s: %s at p processes, x0 = %s, f = %.4f; residual %.2f points "+
					"over %s",
					fit.Model.Name, fit.Model.Formula, quantity.FormatPercent(fit.X0/100), fit.F, fit.Residual,
					quantity.CountOf(int64(fit.Points), "run")), report.Plain)
			}
		}
	}
	add(f.Doc, report.Plain)
	if !missing || f.Simulated {
		notes()
	}
	return lines
}

// rows has a line for each figure and a column for each run, as modelfactors writes them, then one for each projected
// size.
func (r *Report) rows(p *Projection) *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "figure"}}}
	for _, label := range r.Labels() {
		t.Columns = append(t.Columns, report.Column{Key: label})
	}
	if p != nil {
		for _, n := range p.Processors {
			t.Columns = append(t.Columns, report.Column{Key: fmt.Sprintf("%d (projected)", n)})
		}
	}
	for _, f := range r.Shown() {
		row := []any{f.Name}
		for _, v := range r.values(f, p) {
			if math.IsNaN(v) {
				row = append(row, nil)
			} else {
				row = append(row, strconv.FormatFloat(v, 'f', f.Decimals, 64))
			}
		}
		t.Add(row...)
	}
	return t
}

// object returns a list of runs; with a projection an object of the runs, the fits and the projected sizes.
func (r *Report) object(p *Projection) any {
	runs := []report.Object{}
	for i, run := range r.Runs {
		o := report.NewObject("path", run.Path, "name", run.Name,
			"processes", run.Processes, "threads", run.Threads,
			"hybrid", run.Hybrid, "scaling", r.Scaling.String())
		for _, f := range r.Shown() {
			o = o.With(f.Name, report.OrNil(r.Value(f, i)))
		}
		var useful []float64
		for _, ns := range run.Useful {
			useful = append(useful, float64(ns)/1000)
		}
		runs = append(runs, o.With("useful_us_by_thread", useful).
			With("findings", report.ConclusionObjects(r.Findings(i), 1)).With("notes",
			append([]string{}, run.Notes...)))
	}
	if p == nil {
		return runs
	}
	fits, projected := []report.Object{}, []report.Object{}
	for _, f := range p.Fits {
		fits = append(fits, report.NewObject("figure", f.Factor.Name, "model", f.Model.Name,
			"x0", f.X0, "f", f.F, "residual", f.Residual,
			"points", f.Points))
	}
	for i, n := range p.Processors {
		o := report.NewObject("processes", n)
		for _, f := range r.Shown() {
			if v := p.Value(f, i); !math.IsNaN(v) {
				o = o.With(f.Name, v)
			}
		}
		projected = append(projected, o)
	}
	return report.NewObject("runs", runs, "fits", fits, "projected", projected)
}

// PageSection has the percentages of the first run that are not relative to others, for a page on that run.
func (r *Report) PageSection() report.Section {
	t := &report.Table{Columns: []report.Column{{Title: "Factor"}, {Title: "Value", Right: true}, {}}}
	for _, f := range r.Shown() {
		if v := r.Value(f, 0); f.Unit == "%" && !f.Compares && !math.IsNaN(v) {
			t.Add(f.Title, f.Format(v), f.Doc)
		}
	}
	return report.Section{Heading: "Efficiency (POP)", On: report.PageOnly, Blocks: []report.Block{t}}
}
