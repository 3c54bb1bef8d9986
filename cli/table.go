package cli

// Tables: one result, four forms. "table" is for people; "tsv", "csv" and "json"
// are for programs: full precision, stable names, one header line.

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"pview/prv"
)

func formatFlag() choice { return newChoice("table", "tsv", "csv", "json") }

// table is a result of rows and columns. A cell is a string, an int64, a float64, or nil for
// "there is none".
type table struct {
	columns  []column
	rows     [][]any
	headless bool // leaves out the keys: for a tsv or csv in pieces
}

// column is one column of a table.
type column struct {
	key   string           // what programs call it
	title string           // what people call it
	show  func(any) string // how people read a cell; nil: counts with separators, text as it is
	right bool             // right-aligned, though it is text
	// known hides the column from people if all of its rows are equal.
	known bool
}

func (t *table) add(cells ...any) { t.rows = append(t.rows, cells) }

// write writes the table in one of the formats of formatFlag.
func (t *table) write(w io.Writer, format string) error {
	switch format {
	case "json":
		return writeJSON(w, t.objects())
	case "csv":
		return t.writeCSV(w)
	case "tsv":
		return t.writeTSV(w)
	}
	_, err := io.WriteString(w, t.text("", nil))
	return err
}

func (t *table) keys() []string {
	keys := make([]string, len(t.columns))
	for i, c := range t.columns {
		keys[i] = c.key
	}
	return keys
}

// plain is a cell as a program reads it.
func plain(cell any) string {
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

func (t *table) writeCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	if !t.headless {
		c.Write(t.keys())
	}
	for _, row := range t.rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = cleanLines(plain(cell))
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

func (t *table) writeTSV(w io.Writer) error {
	var b bytes.Buffer
	if !t.headless {
		b.WriteString(strings.Join(t.keys(), "\t"))
		b.WriteByte('\n')
	}
	for _, row := range t.rows {
		for i, cell := range row {
			if i > 0 {
				b.WriteByte('\t')
			}
			b.WriteString(prv.Clean(plain(cell)))
		}
		b.WriteByte('\n')
	}
	_, err := w.Write(b.Bytes())
	return err
}

// object is a JSON object that keeps the order of its keys.
type object []field

type field struct {
	key   string
	value any
}

// MarshalJSON writes the fields in order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		key, _ := json.Marshal(f.key)
		b.Write(key)
		b.WriteByte(':')
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(f.value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// objects returns the rows as JSON objects by key.
func (t *table) objects() []object {
	rows := make([]object, len(t.rows))
	for i, row := range t.rows {
		for j, cell := range row {
			rows[i] = append(rows[i], field{t.columns[j].key, cell})
		}
	}
	return rows
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// text lays the table out for a person: columns two blanks apart, numbers to the
// right, no line ends in blanks, no column without content. heading styles the line of titles;
// nil leaves it as it is.
func (t *table) text(indent string, heading func(string) string) string {
	cells, widths := t.shown()
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
func label(s string) string {
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
func sentence(s string) string { return ansi.Truncate(prv.Clean(s), widestLine, "...") }

// shown returns the titles and cells as a person reads them, and the columns'
// widths: 0 for one that is not shown.
func (t *table) shown() (cells [][]string, widths []int) {
	n := len(t.columns)
	all := make([]string, n*(1+len(t.rows))) // one allocation, for very long tables
	cells = make([][]string, 1+len(t.rows))
	for r := range cells {
		cells[r] = all[r*n:][:n:n]
	}
	for i := range t.columns {
		c := &t.columns[i]
		cells[0][i] = label(c.title)
		for r, row := range t.rows {
			cells[r+1][i] = label(c.person(row[i]))
		}
	}
	widths = make([]int, len(t.columns))
	for i, c := range t.columns {
		content, same := len(t.rows) == 0, true
		for r, line := range cells {
			widths[i] = max(widths[i], columnsOf(line[i]))
			content = content || r > 0 && line[i] != ""
			same = same && (r == 0 || line[i] == cells[1][i])
		}
		if !content || c.known && same {
			widths[i] = 0
		}
	}
	return cells, widths
}

func (c *column) person(cell any) string {
	if cell == nil {
		return ""
	}
	if c.show != nil {
		return c.show(cell)
	}
	if n, ok := cell.(int64); ok {
		return count(n)
	}
	return plain(cell)
}

// rightAligned reports whether a column holds numbers.
func (t *table) rightAligned(i int) bool {
	if t.columns[i].right {
		return true
	}
	for _, row := range t.rows {
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
func (t *table) containing(text string) *table {
	some := &table{columns: t.columns}
	for _, row := range t.rows {
		for _, cell := range row {
			if strings.Contains(strings.ToLower(plain(cell)), strings.ToLower(text)) {
				some.rows = append(some.rows, row)
				break
			}
		}
	}
	return some
}
