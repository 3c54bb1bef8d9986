package command

// Tables: one result, four forms. "table" is for people; "tsv", "csv" and "json"
// are for programs: full precision, stable names, one header line.

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"pview/insight/report"
	"pview/prv"
	"pview/render/document"
)

func FormatFlag() Choice { return NewChoice("table", "tsv", "csv", "json") }

// table is a result of rows and columns. A cell is a string, an int64, a float64, or nil for
// "there is none".
type Table struct {
	Columns  []Column
	Rows     [][]any
	Headless bool // leaves out the keys: for a tsv or csv in pieces
}

// column is one column of a table.
type Column struct {
	Key   string           // what programs call it
	Title string           // what people call it
	Show  func(any) string // how people read a cell; nil: counts with separators, text as it is
	Right bool             // right-aligned, though it is text
	// known hides the column from people if all of its rows are equal.
	Known bool
}

func (t *Table) Add(cells ...any) { t.Rows = append(t.Rows, cells) }

// write writes the table in one of the formats of formatFlag.
func (t *Table) Write(w io.Writer, format string) error {
	switch format {
	case "json":
		return WriteJSON(w, t.Objects())
	case "csv":
		return t.writeCSV(w)
	case "tsv":
		return t.writeTSV(w)
	}
	_, err := io.WriteString(w, t.Text("", nil))
	return err
}

func (t *Table) keys() []string {
	keys := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		keys[i] = c.Key
	}
	return keys
}

// plain is a cell as a program reads it.
func Plain(cell any) string {
	switch v := cell.(type) {
	case nil:
		return ""
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return fmt.Sprint(cell)
}

func (t *Table) writeCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	if !t.Headless {
		c.Write(t.keys())
	}
	for _, row := range t.Rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = cleanLines(Plain(cell))
		}
		c.Write(cells)
	}
	c.Flush()
	return c.Error()
}

// cleanLines is prv.Clean for text that may have tabs and lines: csv has quotes for them.
func cleanLines(s string) string {
	lines := strings.SplitAfter(s, "\n")
	for i, line := range lines {
		text, end := strings.CutSuffix(line, "\n")
		fields := strings.Split(text, "\t")
		for k := range fields {
			fields[k] = prv.Clean(fields[k])
		}
		lines[i] = strings.Join(fields, "\t")
		if end {
			lines[i] += "\n"
		}
	}
	return strings.Join(lines, "")
}

// oneCell keeps text from breaking a line of tab-separated fields.
var oneCell = strings.NewReplacer("\t", " ", "\n", " ", "\r", " ")

func (t *Table) writeTSV(w io.Writer) error {
	var b bytes.Buffer
	if !t.Headless {
		b.WriteString(strings.Join(t.keys(), "\t"))
		b.WriteByte('\n')
	}
	for _, row := range t.Rows {
		for i, cell := range row {
			if i > 0 {
				b.WriteByte('\t')
			}
			b.WriteString(prv.Clean(Plain(cell)))
		}
		b.WriteByte('\n')
	}
	_, err := w.Write(b.Bytes())
	return err
}

// Object and Field are those of documents.
type (
	Object = report.Object
	Field  = report.Field
)

// objects returns the rows as JSON objects by key.
func (t *Table) Objects() []Object {
	rows := make([]Object, len(t.Rows))
	for i, row := range t.Rows {
		for j, cell := range row {
			rows[i] = append(rows[i], Field{Key: t.Columns[j].Key, Value: cell})
		}
	}
	return rows
}

func WriteJSON(w io.Writer, v any) error { return document.WriteJSON(w, v) }

// text lays the table out for a person: columns two blanks apart, numbers to the
// right, no line ends in blanks, no column without content. heading styles the line of titles;
// nil leaves it as it is.
func (t *Table) Text(indent string, heading func(string) string) string {
	cells, widths := t.Shown()
	right := make([]bool, len(widths))
	for i := range right {
		right[i] = t.rightAligned(i)
	}
	var b, line []byte
	for _, row := range cells {
		line = line[:0]
		for i, cell := range row {
			if widths[i] > 0 {
				line = appendCell(line, cell, widths[i]-columnsOf(cell), right[i])
			}
		}
		b = appendLine(b, indent, line, heading)
		heading = nil
	}
	return string(b)
}

// appendCell appends a cell of a line, with so many blanks beside it.
func appendCell[S string | []byte](line []byte, cell S, blanks int, right bool) []byte {
	if len(line) > 0 {
		line = append(line, "  "...)
	}
	if !right {
		line = append(line, cell...)
	}
	for range blanks {
		line = append(line, ' ')
	}
	if right {
		line = append(line, cell...)
	}
	return line
}

// appendLine appends a line of cells, styled unless style is nil.
func appendLine(dst []byte, indent string, line []byte, style func(string) string) []byte {
	line = bytes.TrimRight(line, " ")
	dst = append(dst, indent...)
	if style != nil {
		dst = append(dst, style(string(line))...)
	} else {
		dst = append(dst, line...)
	}
	return append(dst, '\n')
}

// widestCell is how wide a cell can be, in columns: a label of 64 KiB would pad every row.
const widestCell = 200

// widestLine is the same for a line of text.
const widestLine = 2000

// label is a name of any origin as people see it: safe on a terminal, and cut with a mark.
func Label(s string) string {
	if len(s) <= widestCell && prv.IsPlain(s) {
		return s
	}
	return ansi.Truncate(prv.Clean(s), widestCell, "...")
}

// columnsOf is how many columns of the screen a text takes.
func columnsOf(s string) int {
	if prv.IsPlain(s) {
		return len(s)
	}
	return ansi.StringWidth(s)
}

// sentence is label for a description with names in it.
func Sentence(s string) string { return ansi.Truncate(prv.Clean(s), widestLine, "...") }

// shown returns the titles and cells as a person reads them, and the columns'
// widths: 0 for one that is not shown.
func (t *Table) Shown() (cells [][]string, widths []int) {
	n := len(t.Columns)
	all := make([]string, n*(1+len(t.Rows))) // one allocation, for very long tables
	cells = make([][]string, 1+len(t.Rows))
	for r := range cells {
		cells[r] = all[r*n:][:n:n]
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		cells[0][i] = Label(c.Title)
		for r, row := range t.Rows {
			cells[r+1][i] = Label(c.person(row[i]))
		}
	}
	widths = make([]int, len(t.Columns))
	for i, c := range t.Columns {
		content, same := len(t.Rows) == 0, true
		for r, line := range cells {
			widths[i] = max(widths[i], columnsOf(line[i]))
			content = content || r > 0 && line[i] != ""
			same = same && (r == 0 || line[i] == cells[1][i])
		}
		if !content || c.Known && same {
			widths[i] = 0
		}
	}
	return cells, widths
}

func (c *Column) person(cell any) string {
	if cell == nil {
		return ""
	}
	if c.Show != nil {
		return c.Show(cell)
	}
	if n, ok := cell.(int64); ok {
		return Count(n)
	}
	return Plain(cell)
}

// rightAligned reports whether a column holds numbers.
func (t *Table) rightAligned(i int) bool {
	if t.Columns[i].Right {
		return true
	}
	for _, row := range t.Rows {
		switch row[i].(type) {
		case int64, float64:
			return true
		case string:
			return false
		}
	}
	return false
}

// containing returns the table with the rows that contain a text, in upper or
// lower case, in any cell.
func (t *Table) Containing(text string) *Table {
	some := &Table{Columns: t.Columns}
	for _, row := range t.Rows {
		for _, cell := range row {
			if strings.Contains(strings.ToLower(Plain(cell)), strings.ToLower(text)) {
				some.Rows = append(some.Rows, row)
				break
			}
		}
	}
	return some
}
