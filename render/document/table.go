package document

import (
	"bytes"
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"pview/insight/report"
	"pview/prv"
)

// WriteTable writes a table in one of the Formats.
func WriteTable(w io.Writer, t *report.Table, format string) error {
	switch format {
	case "json":
		return WriteJSON(w, t.Objects())
	case "csv":
		return writeCSV(w, t, cleanLines)
	case "sheet":
		return writeCSV(w, t, func(cell string) string { return SheetCell(cleanLines(cell)) })
	case "tsv":
		return writeTSV(w, t)
	}
	_, err := io.WriteString(w, TableText(t, "", nil))
	return err
}

// writeCSV writes a table as csv; text makes a cell safe.
func writeCSV(w io.Writer, t *report.Table, text func(cell string) string) error {
	c := csv.NewWriter(w)
	if !t.Headless {
		c.Write(t.Keys())
	}
	for _, row := range t.Rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = text(report.Value(cell))
		}
		c.Write(cells)
	}
	c.Flush()
	return c.Error()
}

// WriteLines writes cells separated by comma. If that is ',' the lines are for a spreadsheet: see SheetCell.
func WriteLines(w io.Writer, comma rune, lines [][]string) error {
	if comma == ',' {
		for _, line := range lines {
			for i := range line {
				line[i] = SheetCell(line[i])
			}
		}
	}
	out := csv.NewWriter(w)
	out.Comma = comma
	return out.WriteAll(lines)
}

// SheetCell puts ' before a cell that a spreadsheet would run as a formula: one that begins with = + - @, a tab or a
// carriage return, and is no number.
func SheetCell(cell string) string {
	if cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return cell
	}
	if _, err := strconv.ParseFloat(cell, 64); err == nil {
		return cell
	}
	return "'" + cell
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

func writeTSV(w io.Writer, t *report.Table) error {
	var b bytes.Buffer
	if !t.Headless {
		b.WriteString(strings.Join(t.Keys(), "\t"))
		b.WriteByte('\n')
	}
	for _, row := range t.Rows {
		for i, cell := range row {
			if i > 0 {
				b.WriteByte('\t')
			}
			b.WriteString(prv.Clean(report.Value(cell)))
		}
		b.WriteByte('\n')
	}
	_, err := w.Write(b.Bytes())
	return err
}

// TableText lays a table out for a person: columns two blanks apart, numbers to the right, no blanks at the ends of
// lines, no column without content. heading styles the line of titles; nil leaves it as it is.
func TableText(t *report.Table, indent string, heading func(string) string) string {
	var l layout
	l.rows(t, indent)
	return l.text(heading)
}

// appendCell appends a cell of a line, padded with blanks.
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

// Maximum widths in columns: a label of 64 KiB would pad every row.
const (
	widestCell = 200
	widestLine = 2000
)

// Label returns a name from any source as people may see it: safe on a terminal, and cut with a mark if it is long.
func Label(s string) string {
	if len(s) <= widestCell && prv.IsPlain(s) {
		return s
	}
	return ansi.Truncate(prv.Clean(s), widestCell, "...")
}

// Sentence is Label for a description with names in it.
func Sentence(s string) string { return ansi.Truncate(prv.Clean(s), widestLine, "...") }

// columnsOf returns the columns of the screen that a text takes.
func columnsOf(s string) int {
	if prv.IsPlain(s) {
		return len(s)
	}
	return ansi.StringWidth(s)
}

// listed returns the rows of a table that are shown: those up to Top, with Rest and Foot below.
func listed(t *report.Table) (rows [][]any) {
	rows = t.Rows
	if hidden(t) > 0 {
		rows = rows[:t.Top:t.Top]
		if t.Rest != nil {
			rows = append(rows, t.Rest)
		}
	}
	if len(t.Foot) > 0 {
		rows = append(rows[:len(rows):len(rows)], t.Foot...)
	}
	return rows
}

// hidden returns the number of rows beyond Top.
func hidden(t *report.Table) int {
	if t.Top <= 0 {
		return 0
	}
	return max(0, len(t.Rows)-t.Top)
}

// Cells returns the titles and cells for people, and the widths of the columns: 0 for one that is not shown.
func Cells(t *report.Table) (cells [][]string, widths []int) {
	n, rows := len(t.Columns), listed(t)
	all := make([]string, n*(1+len(rows))) // one allocation, for very long tables
	cells = make([][]string, 1+len(rows))
	for r := range cells {
		cells[r] = all[r*n:][:n:n]
	}
	widths = make([]int, n)
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Bar {
			continue
		}
		cells[0][i] = Label(c.Title)
		content, same := len(rows) == 0, true
		widths[i] = columnsOf(cells[0][i])
		for r, row := range rows {
			text := Label(c.Text(row[i]))
			cells[r+1][i] = text
			widths[i] = max(widths[i], columnsOf(text))
			content = content || text != ""
			same = same && text == cells[1][i]
		}
		if !content || c.Known && same {
			widths[i] = 0
		}
	}
	return cells, widths
}
