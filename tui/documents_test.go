package tui

import (
	"context"
	"strings"
	"testing"

	"pview/insight/compare"
	"pview/insight/frameworks"
	"pview/insight/frameworks/answer"
	"pview/insight/report"
	"pview/insight/workload"
	"pview/render/document"
)

// seesDocument fails unless the screen has every line that a command prints of a document.
func (d *driver) seesDocument(doc *report.Document) {
	d.t.Helper()
	screen := strings.Join(d.screen(), "\n")
	for line := range strings.Lines(document.Text(doc, nil)) {
		if line = strings.TrimSpace(line); !strings.Contains(screen, line) {
			d.t.Errorf("the screen does not show the line %q", line)
		}
	}
	if d.t.Failed() {
		d.t.Fatal("\n" + screen)
	}
}

// Pages of the Workload pane have the lines of pview workload --show; fits those of the chosen cluster.
func TestWorkloadShowsDocuments(t *testing.T) {
	d := onDemo(t, 260, 250) // room for every document
	tr := d.m.Traces[0].Data
	s, err := workload.Extract(context.Background(), tr, &workload.Kinds[0], workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := workload.Analyse(context.Background(), s, workload.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	d.press("alt+b")
	for page, views := range map[string][]string{"clusters": {"clusters"}, "members": {"composition"},
		"fits": {"fits"}, "statistics": {"statistics", "correlation", "principal"}} {
		of := *r
		if page == "fits" {
			of.Clusters = of.Clusters[:1]
		}
		d.command("workload-page " + page)
		for _, name := range views {
			doc, err := of.Document(context.Background(), workload.ViewNamed(name))
			if err != nil {
				t.Fatal(err)
			}
			d.seesDocument(doc)
		}
	}
}

// The Compare pane has the lines of pview compare --by, for each kind that has parts.
func TestCompareShowsDocuments(t *testing.T) {
	d := onDemo(t, 400, 250)
	d.command("open ../testdata/traces/heat2d_8/heat2d_8.prv.gz")
	var runs []*compare.Run
	for _, trace := range d.m.Traces {
		run, err := compare.Analyse(context.Background(), trace.Data, compare.Options{})
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, run)
	}
	r, err := compare.Compare(context.Background(), runs[0], runs[1], compare.Matching{})
	if err != nil {
		t.Fatal(err)
	}
	d.press("=")
	for k := range compare.NumKinds {
		if len(r.Of(k)) > 0 {
			d.seesDocument(compare.Document([]*compare.Result{r}, compare.Selection{By: k}))
		}
		d.press("right")
	}
}

// The Frameworks pane has the lines of pview frameworks, in its parts of the screen and on its pages. The demo trace
// has no structure: its document gives the scores.
func TestFrameworksShowsDocuments(t *testing.T) {
	d := onDemo(t, 400, 250)
	d.press("alt+a")
	tr := d.m.Traces[0].Data
	r, err := frameworks.Analyse(context.Background(), tr, frameworks.Options{Free: -1})
	if err != nil {
		t.Fatal(err)
	}
	d.sees(r.Refusal)
	doc := answer.Document(tr, r, "")
	doc.Title = "" // it is above the timeline
	d.seesDocument(doc)
	d = drive(t, 400, 250, Options{Paths: []string{"../testdata/traces/twoapps_4_4/twoapps_4_4.prv"}})
	tr = d.m.Traces[0].Data
	if r, err = frameworks.Analyse(context.Background(), tr, frameworks.Options{Free: -1}); err != nil {
		t.Fatal(err)
	}
	d.press("alt+a", "right", "right")
	doc = answer.Document(tr, r, ", the cursor's")
	for _, section := range doc.Sections {
		if section.Heading == answer.Parameters {
			continue // cut to the width of its part: selecting the line shows the rest below it
		}
		if section.Heading == answer.Advice {
			d.press("right")
		}
		d.seesDocument(&report.Document{Sections: []report.Section{section}})
	}
}
