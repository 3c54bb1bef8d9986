// Package studies concludes from the runs of sim/study: documents that commands print, and figures that panes also
// show.
package studies

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"pview/insight/efficiency"
	"pview/insight/report"
	"pview/insight/validation"
	"pview/prv/quantity"
	"pview/sim/study"
)

// Answer is the conclusion of a study from its runs.
type Answer struct {
	Plan *study.Plan
	Runs *study.Table

	Sections []report.Section // for people
	// Summary: as text, the summary of the outputs follows the sections. A page always has it.
	Summary bool
	// Rows is the answer for tsv and csv; nil: a line for each run.
	Rows *report.Table
	// Fields are the conclusions for JSON, beside the runs and the summary.
	Fields report.Object
	// Object is the whole answer for JSON; nil: the runs, the summary and Fields.
	Object any
	// Basis is the basis of the predictions; nil if nothing was simulated.
	Basis *validation.Basis
}

// add appends a section.
func (a *Answer) add(blocks ...report.Block) {
	a.Sections = append(a.Sections, report.Section{Blocks: blocks})
}

// Document returns the answer for terminals and programs.
func (a *Answer) Document() *report.Document {
	d := &report.Document{Sections: a.Sections, Rows: a.rows, Object: a.object}
	if a.Summary {
		d.Add(summaryTable(a.Runs))
	}
	if a.Basis != nil {
		d.Sections = append(d.Sections, a.Basis.Section())
	}
	return d
}

func (a *Answer) rows() *report.Table {
	if a.Rows != nil {
		return a.Rows
	}
	return RunTable(a.Runs)
}

func (a *Answer) object() any {
	whole := a.Object
	if whole == nil {
		whole = append(report.NewObject("kind", a.Plan.Kind, "seed", a.Plan.Seed, "runs", runObjects(a.Runs),
			"summary", summaryObject(a.Runs)), a.Fields...)
	}
	if o, ok := whole.(report.Object); ok && a.Basis != nil {
		whole = append(o, a.Basis.Fields()...)
	}
	return whole
}

// Page returns the answer as a page to send to a colleague, with the responses, the factors, the plots and the runs.
// setup are titled tables of the study's settings.
func (a *Answer) Page(setup ...*report.Table) *report.Document {
	d := &report.Document{PageHeading: fmt.Sprintf("Study of %s: %s", filepath.Base(a.Plan.Title), a.Plan.Kind),
		Foot: "the same command and seed make the same runs"}
	d.Add(&report.Passage{Text: a.about(), Tone: report.About})
	for _, line := range a.Runs.Reasons() {
		d.Add(&report.Passage{Text: line, Tone: report.Note})
	}
	var blocks []report.Block
	for _, s := range a.Sections {
		blocks = append(blocks, s.Blocks...)
	}
	d.AddUnder("Answer", blocks...)
	if a.Basis != nil {
		d.Sections = append(d.Sections, a.Basis.Section())
	}
	d.AddUnder("Responses", summaryTable(a.Runs))
	d.AddUnder("Meaning of the responses", meanings(a.Runs).Table())
	d.AddUnder("Factors", factorTable(a.Runs))
	for _, t := range setup {
		untitled := *t
		untitled.Title = ""
		d.AddUnder(t.Title, &untitled)
	}
	blocks = nil
	for _, f := range Figures(a.Plan.Kind, a.Runs) {
		blocks = append(blocks, &report.Plot{Figure: f, Alt: f.Title})
	}
	d.AddUnder("Plots", blocks...)
	fold, runs := pageRuns(a.Runs)
	d.AddUnder("Runs", runs)
	d.Sections[len(d.Sections)-1].Fold = fold
	return d
}

// about says how many runs there were.
func (a *Answer) about() string {
	about := []string{runs(a.Runs)}
	if n := len(a.Runs.Rows) - len(a.Runs.Done()); n > 0 {
		about = append(about, quantity.FormatCount(int64(n))+" failed")
	}
	if a.Plan.Seed != 0 {
		about = append(about, fmt.Sprintf("seed %d", a.Plan.Seed))
	}
	return strings.Join(about, ", ")
}

// runs counts the runs of a table: "20 runs".
func runs(t *study.Table) string { return quantity.CountOf(int64(len(t.Rows)), "run") }

// meanings explains the outputs that pview defines.
func meanings(t *study.Table) (pairs report.Pairs) {
	list := efficiency.StudyOutputs()
	for i := range t.Outputs {
		if k := slices.IndexFunc(list,
			func(e efficiency.OutputEntry) bool { return e.Name == t.Outputs[i].Name }); k >= 0 {
			pairs = append(pairs, [2]string{t.Outputs[i].Name, report.UpperFirst(list[k].Doc)})
		}
	}
	return pairs
}

// factorTable has a line for each input: its values in the runs.
func factorTable(t *study.Table) *report.Table {
	out := &report.Table{Columns: []report.Column{{Title: "Factor"}, {Title: "Values", Right: true},
		{Title: "Least", Right: true}, {Title: "Greatest", Right: true}, {Title: "Names"}}}
	for i := range t.Inputs {
		c := &t.Inputs[i]
		var values []float64
		for _, v := range Values(t, i).Values {
			if report.OrNil(v) != nil {
				values = append(values, v)
			}
		}
		slices.Sort(values)
		values = slices.Compact(values)
		row := []any{c.Name, quantity.FormatCount(int64(len(values))), "", "", ""}
		switch {
		case c.Levels != nil:
			var names []string
			for _, v := range values {
				names = append(names, c.Text(v))
			}
			row[4] = strings.Join(names, ", ")
		case len(values) > 0:
			row[2], row[3] = Show(c, values[0]), Show(c, values[len(values)-1])
		}
		out.Add(row...)
	}
	return out
}

// mostRuns is the number of runs that a page lists.
const mostRuns = 1000

// pageRuns returns the first runs for people, and their number in words.
func pageRuns(t *study.Table) (title string, out *report.Table) {
	some := *t
	if title = runs(t); len(t.Rows) > mostRuns {
		some.Rows = t.Rows[:mostRuns]
		title = fmt.Sprintf("the first %s of %s; --format csv prints all", quantity.FormatCount(mostRuns), title)
	}
	out = RunTable(&some)
	for i := range out.Columns {
		if c := &out.Columns[i]; c.Title == "" {
			c.Title = report.UpperFirst(c.Key)
		}
	}
	const first = 2 // after index and seed
	for i := range Columns(t) {
		c := ColumnAt(t, i)
		out.Columns[first+i].Right = c.Levels == nil
		for k := range some.Rows {
			out.Rows[k][first+i] = Show(c, Value(t, &some.Rows[k], i))
		}
	}
	return title, out
}
