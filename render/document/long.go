package document

// Tables of very many rows, for people. Cells are made twice, to find the widths and to write them, and never kept: a
// trace can have millions of event types.

import "io"

// LongTable is a table with the layout of TableText.
type LongTable struct {
	Columns []LongColumn
	Rows    int
}

// LongColumn is a column of right-aligned numbers, or of text.
type LongColumn struct {
	Title  string
	Number func(dst []byte, row int) []byte // appends the number
	Text   func(row int) string
	width  int // 0: not shown
}

// append appends a cell, and returns its width too.
func (c *LongColumn) append(dst []byte, row int) (cell []byte, width int) {
	if c.Number != nil {
		cell = c.Number(dst, row)
		return cell, len(cell) - len(dst)
	}
	text := Label(c.Text(row))
	return append(dst, text...), columnsOf(text)
}

// measure finds the width of the column: 0 without content.
func (c *LongColumn) measure(rows int) {
	var cell []byte
	for r := range rows {
		var width int
		cell, width = c.append(cell[:0], r)
		c.width = max(c.width, width)
	}
	if c.width > 0 {
		c.width = max(c.width, columnsOf(c.Title))
	}
}

// longPart is the approximate number of bytes per write.
const longPart = 64 << 10

// Write writes the table, each line indented. heading styles the line of titles.
func (t *LongTable) Write(w io.Writer, indent string, heading func(string) string) error {
	var line, cell []byte
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.measure(t.Rows); c.width > 0 {
			line = appendCell(line, c.Title, c.width-columnsOf(c.Title), c.Number != nil)
		}
	}
	text := appendLine(make([]byte, 0, longPart+longPart/8), indent, line, heading)
	for r := range t.Rows {
		line = line[:0]
		for i := range t.Columns {
			c := &t.Columns[i]
			if c.width == 0 {
				continue
			}
			var width int
			cell, width = c.append(cell[:0], r)
			line = appendCell(line, cell, c.width-width, c.Number != nil)
		}
		text = appendLine(text, indent, line, nil)
		if len(text) >= longPart || r == t.Rows-1 {
			if _, err := w.Write(text); err != nil {
				return err
			}
			text = text[:0]
		}
	}
	return nil
}
