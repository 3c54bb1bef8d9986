// Package document prints the documents of insight/report: as text for a terminal, as tsv, csv or JSON for programs,
// and as a page of HTML. It formats and lays out; the content is the document's.
package document

import (
	"encoding/json"
	"io"

	"pview/insight/report"
	"pview/prv"
)

// Formats are the forms of a document: table for people, the others for programs, with full precision, stable names and
// one header line. Sheet is csv for a spreadsheet: see SheetCell.
var Formats = []string{"table", "tsv", "csv", "sheet", "json"}

// IsRows reports whether a format prints one table of rows: no sentences, no objects.
func IsRows(format string) bool { return format == "tsv" || format == "csv" || format == "sheet" }

// HelpWidth is the maximum number of columns in a line of help or of a wrapped passage.
const HelpWidth = 100

// Write writes a document in one of the Formats. heading styles headings in a table; nil leaves them as they are.
func Write(w io.Writer, d *report.Document, format string, heading func(string) string) error {
	switch format {
	case "json":
		return WriteJSON(w, d.Object())
	case "tsv", "csv", "sheet":
		return WriteTable(w, d.Rows(), format)
	}
	_, err := io.WriteString(w, Text(d, heading))
	return err
}

// WriteJSON writes a value, indented, without escapes for HTML.
func WriteJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// Text returns a document for people. heading styles headings; nil leaves them as they are.
func Text(d *report.Document, heading func(string) string) string {
	var l layout
	l.align(d)
	if d.Title != "" {
		l.add(Part{Lines: []Line{{Text: prv.Clean(d.Title), Strong: true}}})
	}
	for i := range d.Sections {
		if on := d.Sections[i].On; on == report.Everywhere || on == report.TextOnly {
			l.section(&d.Sections[i])
		}
	}
	return l.text(heading)
}
