// Package documenttest writes documents for tests that compare all of an answer with a file.
package documenttest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pview/insight/report"
	"pview/prv/prvtest"
	"pview/render/document"
)

// outputs are the names of the places of sections.
var outputs = map[report.Output]string{report.TextOnly: "in a text", report.PageOnly: "on a page",
	report.ViewerOnly: "in a viewer"}

// Whole returns a document as people and programs read it.
func Whole(t testing.TB, d *report.Document) string {
	t.Helper()
	return Shown(t, d) + Object(t, d)
}

// Shown returns the title and all sections of a document, with a line before those that do not appear everywhere or are
// folded, and its rows as csv.
func Shown(t testing.TB, d *report.Document) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "title: %s\n", d.Title)
	for _, s := range d.Sections {
		if len(s.Blocks) == 0 {
			continue
		}
		for _, what := range []string{outputs[s.On], s.Fold} {
			if what != "" {
				fmt.Fprintf(&b, "--- %s\n", what)
			}
		}
		s.On = report.Everywhere
		b.WriteString(document.Text(&report.Document{Sections: []report.Section{s}}, nil))
	}
	var rows strings.Builder
	if err := document.WriteTable(&rows, d.Rows(), "csv"); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(&b, "--- rows\n%s", prvtest.Rounded(rows.String()))
	return b.String()
}

// Object returns the object of a document as JSON.
func Object(t testing.TB, d *report.Document) string {
	t.Helper()
	object, err := json.MarshalIndent(d.Object(), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return "--- object\n" + prvtest.Rounded(string(object)) + "\n"
}
