package studies_test

import (
	"math"
	"strings"
	"testing"

	"pview/insight/report"
	"pview/insight/studies"
	"pview/render/document"
	"pview/sim/study"
)

// runs are three runs of a latency and a policy; the last one failed.
func runs() *study.Table {
	return &study.Table{Inputs: []study.Column{{Name: "latency", Unit: "ns"}, {Name: "policy", Levels: []string{"FIFO",
		"RR"}}},
		Outputs: []study.Column{{Name: "total", Unit: "ns"}, {Name: "speedup"}},
		Rows: []study.Row{
			{Index: 0, Seed: 7, Inputs: []float64{1000, 0}, Outputs: []float64{2e6, 1}, Status: study.Done},
			{Index: 1, Seed: 8, Inputs: []float64{2000, 1}, Outputs: []float64{3e6, math.NaN()}, Status: study.Done},
			{Index: 2, Seed: 9, Inputs: []float64{2000, 0}, Status: study.Failed, Reason: "a deadlock"},
		}}
}

func TestValues(t *testing.T) {
	table := runs()
	if got := studies.Values(table, 2); got.Name != "total" || got.Values[1] != 3e6 || !math.IsNaN(got.Values[2]) {
		t.Errorf("%+v", got)
	}
	for _, c := range []struct {
		row, column int
		want        string
	}{{0, 0, "1 us"}, {1, 1, "RR"}, {1, 2, "3 ms"}, {1, 3, ""}, {2, 2, ""}} {
		got := studies.Show(studies.ColumnAt(table, c.column), studies.Value(table, &table.Rows[c.row], c.column))
		if got != c.want {
			t.Errorf("run %d, column %d: %q, not %q", c.row, c.column, got, c.want)
		}
	}
}

// TestTwoRuns: the median of two values is between them, and no line is fitted to two points, which any would meet.
func TestTwoRuns(t *testing.T) {
	table := runs()
	table.Outputs = table.Outputs[:1]
	if s := table.Summarise("total"); s.Percentiles[3] != 2.5e6 {
		t.Errorf("median %g of 2 and 3 ms", s.Percentiles[3])
	}
	answer := studies.Random("two", table, nil)
	answer.Runs = table
	text := document.Text(answer.Document(), func(s string) string { return s })
	var object strings.Builder
	err := document.WriteJSON(&object, answer.Fields)
	if err != nil || !strings.Contains(object.String(), `"r2": null`) {
		t.Error(err, object.String())
	}
	if !strings.Contains(text, "no linear regression: the runs are too few") || strings.Contains(text, "explains") {
		t.Error(text)
	}
}

// TestShares: shares and percentages are written as everywhere else, factors of efficiency with their unit.
func TestShares(t *testing.T) {
	for _, c := range []struct {
		unit  string
		value float64
		want  string
	}{{study.OutputByName("utilisation").Unit, 6.3855e-05, "0.01 %"},
		{study.OutputByName("occupied").Unit, 0.63855, "63.9 %"}, {"%", 93.214, "93.2 %"},
		{"GHz", 2.5, "2.5 GHz"}, {"", 1.25, "1.25"}} {
		column := study.Column{Unit: c.unit}
		if got := studies.Show(&column, c.value); got != c.want {
			t.Errorf("%g in %q: %q, not %q", c.value, c.unit, got, c.want)
		}
		if kind := column.Notation(); kind != nil && kind.Format(c.value) != c.want {
			t.Errorf("%g in %q on an axis: %q, not %q", c.value, c.unit, kind.Format(c.value), c.want)
		}
	}
}

func TestRunTable(t *testing.T) {
	var b strings.Builder
	if err := document.WriteTable(&b, studies.RunTable(runs()), "csv"); err != nil {
		t.Fatal(err)
	}
	want := "index,seed,latency_ns,policy,total_ns,speedup,redraws,status,reason\n" +
		"0,7,1000,FIFO,2000000,1,0,done,\n1,8,2000,RR,3000000,,0,done,\n2,9,2000,FIFO,,,0,failed,a deadlock\n"
	if b.String() != want {
		t.Errorf("%s", b.String())
	}
}

// TestFigures: a sweep has a line for each policy, and nothing is drawn of the speedup, which does not vary.
func TestFigures(t *testing.T) {
	figures := studies.Figures("sweep", runs())
	if len(figures) != 1 || figures[0].Title != "total by latency" || len(figures[0].Layers) != 2 ||
		figures[0].Layers[1].Name != "policy RR" {
		t.Errorf("%+v", figures)
	}
	if figures = studies.Figures("map", runs()); len(figures) != 1 ||
		figures[0].Y.Names[1] != "latency 2 us, policy RR" {
		t.Errorf("%+v", figures)
	}
}

// A sweep of the latency from 1 to 3 us took 2 to 4 ms; the measured run took 2.5 ms at 1.5 us, where the curve is at
// 2 + (1.5-1)/(3-1)*(4-2) = 2.5 ms, and 2 ms at 2 us, where it is at 3 ms. Where only its time is known it is a line.
func TestMeasuredPoint(t *testing.T) {
	sweep := &study.Table{Inputs: []study.Column{{Name: "latency", Unit: "ns"}},
		Outputs: []study.Column{{Name: "total", Unit: "ns"}}, Rows: []study.Row{
			{Index: 0, Inputs: []float64{1000}, Outputs: []float64{2e6}, Status: study.Done},
			{Index: 1, Inputs: []float64{3000}, Outputs: []float64{4e6}, Status: study.Done}}}
	for _, c := range []struct {
		latency, total float64
		mark, note     string
	}{{1500, 2.5e6, "measured (curve 0 %)", "measured at 1.5 us: 2.5 ms, curve 2.5 ms (0 %)"},
		{2000, 2e6, "measured (curve +50.0 %)", "measured at 2 us: 2 ms, curve 3 ms (+50.0 %)"},
		{5000, 2e6, "measured 2 ms", ""}} {
		sweep.Measured = &study.Row{Status: study.Done, Inputs: []float64{c.latency}, Outputs: []float64{c.total}}
		f := studies.Figures("sweep", sweep)[0]
		if len(f.Marks) != 1 || f.Marks[0].Name != c.mark || f.Note != c.note || f.Marks[0].Y != c.total {
			t.Errorf("%v: marks %+v, note %q", c, f.Marks, f.Note)
		}
	}
	sweep.Measured.Inputs[0] = math.NaN()
	if f := studies.Figures("sweep", sweep)[0]; len(f.Marks) > 0 || len(f.Rules) != 1 || f.Rules[0].At != 2e6 ||
		f.Rules[0].Name != "measured 2 ms" {
		t.Errorf("marks %+v, rules %+v", f.Marks, f.Rules)
	}
}

// TestPage: a page has the failures, the answer, the settings with their heading, and the runs to be unfolded.
func TestPage(t *testing.T) {
	d := ofRuns().Page(&report.Table{Title: "Settings", Columns: make([]report.Column, 1), Rows: [][]any{{"x"}}})
	var headings []string
	for _, s := range d.Sections {
		if s.Heading != "" {
			headings = append(headings, s.Heading)
		}
	}
	if got := strings.Join(headings, ", "); d.PageHeading != "Study of run.prv: montecarlo" ||
		got != "Answer, Responses, Meaning of the responses, Factors, Settings, Plots, Runs" {
		t.Errorf("%s: %s", d.PageHeading, got)
	}
	if s := d.Sections[len(d.Sections)-1]; s.Fold != "3 runs" {
		t.Errorf("%q", s.Fold)
	}
	if p := d.Sections[0].Blocks[0].(*report.Passage); p.Text != "3 runs, 1 failed, seed 1" {
		t.Errorf("%q", p.Text)
	}
}

// TestPageOfManyRuns: a page lists up to 1000 runs. Settings that no run has are not known.
func TestPageOfManyRuns(t *testing.T) {
	for n, want := range map[int]string{0: "0 runs", 1000: "1,000 runs",
		1001: "the first 1,000 of 1,001 runs; --format csv prints all"} {
		table := &study.Table{Inputs: []study.Column{{Name: "latency", Unit: "ns"}}}
		for i := range n {
			table.Rows = append(table.Rows, study.Row{Index: i, Inputs: []float64{5}, Status: study.Done})
		}
		d := (&studies.Answer{Plan: &study.Plan{Kind: "montecarlo"}, Runs: table}).Page()
		last := d.Sections[len(d.Sections)-1]
		if listed := last.Blocks[0].(*report.Table); last.Fold != want || len(listed.Rows) != min(n, 1000) {
			t.Errorf("%d runs: %q, %d listed", n, last.Fold, len(listed.Rows))
		}
		if about := d.Sections[0].Blocks[0].(*report.Passage).Text; strings.Contains(about, "failed") {
			t.Errorf("%d runs: %q", n, about)
		}
		factors := document.Text(&report.Document{Sections: d.Sections[len(d.Sections)-3:]}, nil)
		if known := strings.Contains(factors, "5 ns"); known != (n > 0) {
			t.Errorf("%d runs: %s", n, factors)
		}
	}
	a := &studies.Answer{Plan: &study.Plan{}, Runs: runs()}
	if rows := a.Document().Rows().Rows; len(rows) != 3 {
		t.Errorf("rows %v", rows)
	}
	a.Rows = &report.Table{}
	if rows := a.Document().Rows().Rows; len(rows) != 0 {
		t.Errorf("rows %v", rows)
	}
}
