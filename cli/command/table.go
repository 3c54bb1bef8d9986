package command

import (
	"io"
	"strings"

	"pview/insight/report"
	"pview/render/document"
)

// Tables and objects of commands are those of documents: one result, four forms. "table" is for people, "tsv", "csv"
// and "json" for programs: full precision, stable names, one header line.
type (
	Table  = report.Table
	Column = report.Column
	Object = report.Object
	Field  = report.Field
)

// FormatFlag returns the choice of formats.
func FormatFlag() Choice { return NewChoice("table", "tsv", "csv", "json") }

// Plain writes a cell for programs.
func Plain(cell any) string { return report.Value(cell) }

// oneCell keeps text from breaking a line of tab-separated fields.
var oneCell = strings.NewReplacer("\t", " ", "\n", " ", "\r", " ")

// WriteJSON writes a value as indented JSON.
func WriteJSON(w io.Writer, v any) error { return document.WriteJSON(w, v) }

// Label returns a name of any origin for people: safe on a terminal, and cut with a mark.
func Label(s string) string { return document.Label(s) }

// Sentence is Label for a description with names in it.
func Sentence(s string) string { return document.Sentence(s) }
