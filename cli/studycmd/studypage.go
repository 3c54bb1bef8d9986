package studycmd

// A study as a page to send to a colleague: the answer, the responses, the factors, the settings behind them, the
// plots, and the runs.

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"pview/cli/command"
	"pview/insight/efficiency"
	"pview/prv"
	"pview/render/picture"
	"pview/sim/parameter"
	"pview/sim/scenario"
	"pview/sim/study"
)

//go:embed study.html
var studyReport string

var studyTemplate = command.PageTemplate("study", studyReport)

// mostRuns is the number of runs that a page lists.
const mostRuns = 1000

// htmlStudy is what the template shows.
type htmlStudy struct {
	Name, Kind, About string
	Notes             []string
	Answer            []htmlPassage
	Tables            []*command.HtmlTable
	Plots             []htmlPlot
	Runs              *command.HtmlTable
}

type htmlPassage struct {
	Lines []string
	Table *command.HtmlTable
}

type htmlPlot struct {
	Title   string
	Picture template.URL // an SVG within the page
}

// writePage writes the page of a study, if one is asked for.
func (s *studyFlags) writePage(p *study.Plan, t *study.Table, answer []command.Passage) error {
	if s.plot.html == "" {
		return nil
	}
	page := &htmlStudy{Name: prv.Clean(filepath.Base(p.Title)), Kind: p.Kind, About: pageAbout(p, t),
		Notes: t.Reasons(), Runs: runsForPage(t)}
	for _, a := range answer {
		page.Answer = append(page.Answer, forPage(&a))
	}
	page.Tables = []*command.HtmlTable{command.ForPage(summaryTable(t), "Responses"),
		command.ForPage(meaningTable(t), "Meaning of the responses"), command.ForPage(factorTable(t), "Factors"),
		command.ForPage(s.settingTable(), "Settings"), command.ForPage(s.machineTable(), "Machine, as it differs from ideal")}
	for _, f := range figuresOf(p.Kind, t) {
		svg, err := command.SvgOf(&picture.Figure{Width: command.ReportWide,
			Panels: []picture.Panel{&picture.Chart{Figure: f}}})
		if err != nil {
			return err
		}
		page.Plots = append(page.Plots, htmlPlot{f.Title, svg})
	}
	return prv.SaveFile(s.plot.html, func(w io.Writer) error { return studyTemplate.Execute(w, page) })
}

// pageAbout says how much was done.
func pageAbout(p *study.Plan, t *study.Table) string {
	about := []string{command.Plural(int64(len(t.Rows)), "run")}
	if n := len(t.Rows) - len(t.Done()); n > 0 {
		about = append(about, command.Count(int64(n))+" failed")
	}
	if p.Seed != 0 {
		about = append(about, fmt.Sprintf("seed %d", p.Seed))
	}
	return strings.Join(about, ", ")
}

// forPage has a line for each line that is not empty.
func forPage(a *command.Passage) (h htmlPassage) {
	for line := range strings.Lines(a.Text) {
		if line = strings.TrimSpace(line); line != "" {
			h.Lines = append(h.Lines, line)
		}
	}
	if a.Pairs != nil {
		h.Table = command.ForPage(pairTable(a.Pairs), "")
	}
	if a.Table != nil && len(a.Table.Rows) > 0 {
		h.Table = command.ForPage(a.Table, "")
	}
	return h
}

// meaningTable explains the outputs that pview defines.
func meaningTable(t *study.Table) *command.Table {
	var pairs [][2]string
	list := efficiency.StudyOutputs()
	for i := range t.Outputs {
		if k := slices.IndexFunc(list,
			func(e efficiency.OutputEntry) bool { return e.Name == t.Outputs[i].Name }); k >= 0 {
			pairs = append(pairs, [2]string{t.Outputs[i].Name, command.UpperFirst(list[k].Doc)})
		}
	}
	return pairTable(pairs)
}

// pairTable has names and what they are.
func pairTable(pairs [][2]string) *command.Table {
	t := &command.Table{Columns: make([]command.Column, 2), Headless: true}
	for _, p := range pairs {
		t.Add(p[0], p[1])
	}
	return t
}

// factorTable has a line for each input: the values that the runs have.
func factorTable(t *study.Table) *command.Table {
	out := &command.Table{Columns: []command.Column{{Title: "Factor"}, {Title: "Values", Right: true},
		{Title: "Least", Right: true},
		{Title: "Greatest", Right: true}, {Title: "Names"}}}
	for i := range t.Inputs {
		c := &t.Inputs[i]
		var values []float64
		for k := range t.Rows {
			if list := t.Rows[k].Inputs; i < len(list) && command.IsFinite(list[i]) {
				values = append(values, list[i])
			}
		}
		slices.Sort(values)
		values = slices.Compact(values)
		row := []any{c.Name, command.Count(int64(len(values))), "", "", ""}
		switch {
		case c.Levels != nil:
			var names []string
			for _, v := range values {
				names = append(names, c.Text(v))
			}
			row[4] = strings.Join(names, ", ")
		case len(values) > 0:
			row[2], row[3] = show(c, values[0]), show(c, values[len(values)-1])
		}
		out.Add(row...)
	}
	return out
}

// notSettings are flags that change nothing in the runs.
var notSettings = append([]string{"html", "save-run", "deadline", "shard", "top", "write", "row", "hosts", "color"},
	notForElements...)

// settingTable has the arguments of the command, and the flags that were given.
func (s *studyFlags) settingTable() *command.Table {
	out := &command.Table{Columns: []command.Column{{Title: "Setting"}, {Title: "Value"}, {Title: "Meaning"}}}
	for _, arg := range s.Command.Flags().Args() {
		out.Add("argument", arg, "")
	}
	s.Command.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "machine" && !f.Changed || slices.Contains(notSettings, f.Name) {
			return
		}
		_, usage := pflag.UnquoteUsage(f)
		for i, v := range valuesOf(f) {
			if i > 0 {
				usage = ""
			}
			out.Add("--"+f.Name, v, command.UpperFirst(usage))
		}
	})
	return out
}

// valuesOf are the values of a flag, each as its flag takes it.
func valuesOf(f *pflag.Flag) []string {
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return list.GetSlice()
	}
	return []string{f.Value.String()}
}

// machineTable has the parameters and rules of the simulated machine that an ideal one has otherwise.
func (s *studyFlags) machineTable() *command.Table {
	out := &command.Table{Columns: []command.Column{{Title: "Parameter"}, {Title: "Value", Right: true},
		{Title: "Ideal", Right: true},
		{Title: "Meaning"}}}
	if s.base == nil {
		return out
	}
	ideal := parameter.PresetByName("ideal").For(s.base.Program)
	ideal.Room(s.base.Program)
	names := scenario.BlockNames(&prv.Labels{})
	if t := s.measured[s.base.Program]; t != nil {
		names = scenario.BlockNames(t.Labels)
	}
	for _, d := range scenario.Compare(scenario.Scenario{Machine: ideal},
		scenario.Scenario{Machine: s.base.Machine, Rules: s.base.Rules}, names) {
		doc := ""
		if p := parameter.ByName(d.What); p != nil {
			doc = command.UpperFirst(p.Doc)
		}
		out.Add(d.What, d.After, d.Before, doc)
	}
	return out
}

// runsForPage are the first runs.
func runsForPage(t *study.Table) *command.HtmlTable {
	some := *t
	title := command.Plural(int64(len(t.Rows)), "run")
	if len(t.Rows) > mostRuns {
		some.Rows = t.Rows[:mostRuns]
		title = fmt.Sprintf("the first %s of %s; --format csv prints all", command.Count(mostRuns), title)
	}
	out := runTable(&some)
	for i := range out.Columns {
		if c := &out.Columns[i]; c.Title == "" {
			c.Title = command.UpperFirst(c.Key)
		}
	}
	for i := range some.Rows {
		at := 2 // behind index and seed
		for _, part := range []struct {
			columns []study.Column
			values  []float64
		}{{t.Inputs, some.Rows[i].Inputs}, {t.Outputs, some.Rows[i].Outputs}} {
			for k := range part.columns {
				out.Columns[at].Right = part.columns[k].Levels == nil
				if out.Rows[i][at] = ""; k < len(part.values) {
					out.Rows[i][at] = show(&part.columns[k], part.values[k])
				}
				at++
			}
		}
	}
	return command.ForPage(out, title)
}
