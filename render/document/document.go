// Package document prints the documents of insight/report: as text for a terminal, as tsv, csv or JSON for programs,
// and as a page of HTML. It formats and lays out; what is said stands in the document.
package document

import (
	"encoding/json"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"pview/insight/report"
	"pview/prv"
)

// Formats are the forms of a document: table for people, the others for programs, with full precision, stable names and
// one header line.
var Formats = []string{"table", "tsv", "csv", "json"}

// HelpWidth is the most columns of a line of help and of a wrapped passage.
const HelpWidth = 100

// Write writes a document in one of the Formats. heading styles headings in a table; nil leaves them as they are.
func Write(w io.Writer, d *report.Document, format string, heading func(string) string) error {
	switch format {
	case "json":
		return WriteJSON(w, d.Object())
	case "tsv", "csv":
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

// Text is a document for people. heading styles headings; nil leaves them as they are.
func Text(d *report.Document, heading func(string) string) string {
	if heading == nil {
		heading = func(s string) string { return s }
	}
	w := textWriter{heading: heading}
	if d.Title != "" {
		w.WriteString(heading(prv.Clean(d.Title)) + "\n")
	}
	for i := range d.Sections {
		if d.Sections[i].On != report.PageOnly {
			w.section(&d.Sections[i])
		}
	}
	return w.String()
}

// textWriter writes a document as text.
type textWriter struct {
	strings.Builder
	heading func(string) string
}

// section writes a section, below a blank line unless it is the first of all. Pictures have no text.
func (w *textWriter) section(s *report.Section) {
	blank := w.Len() > 0
	separate := func() {
		if blank {
			w.WriteByte('\n')
			blank = false
		}
	}
	if s.Heading != "" {
		separate()
		w.WriteString(w.heading(prv.Clean(s.Heading)) + "\n")
	}
	for _, b := range s.Blocks {
		switch b := b.(type) {
		case *report.Passage:
			separate()
			w.passage(b)
		case report.Pairs:
			separate()
			w.WriteString(Definitions(b, HelpWidth))
		case *report.Table:
			separate()
			indent := strings.Repeat(" ", b.Indent)
			w.WriteString(TableText(b, indent, w.heading))
			if text := more(b); text != "" {
				w.WriteString(indent + text)
			}
		case *report.Entry:
			separate()
			w.entry(b)
		}
	}
}

func (w *textWriter) passage(p *report.Passage) {
	text := prv.Clean(p.Text)
	if p.Wrap {
		text = ansi.Wordwrap(text, HelpWidth, "")
	}
	if p.Tone == report.Strong {
		text = w.heading(text)
	}
	w.WriteString(strings.Repeat(" ", p.Indent) + text + "\n")
}
