package report

import (
	"fmt"
	"strconv"
	"strings"

	"pview/prv/quantity"
	"pview/prv/wide"
)

// Table is a result of rows and columns. A cell is a string, an int64, a wide.Int, a float64, or nil for none.
type Table struct {
	Title    string // "" if none, or if the first column's title is enough
	Doc      string // what the rows are, in half a sentence
	Columns  []Column
	Rows     [][]any
	Places   [][]Evidence // by row, where to see it; nil: nowhere
	Headless bool         // without keys: for a tsv or csv in pieces
	Indent   int          // columns, in a terminal
	// Top is the number of rows to show; 0: all. Rest follows them, or else the number of hidden rows.
	Top int
	// Rest sums up the rows beyond Top.
	Rest []any
	// Foot are rows at the end that are always shown, such as a sum.
	Foot [][]any
}

// Column is a column of a table.
type Column struct {
	Key   string           // the name for programs
	Title string           // the name for people
	Show  func(any) string // formats a cell for people; nil: counts with separators, text as it is
	Right bool             // right-aligned, although it is text
	// Known hides the column from people if all of its rows are equal.
	Known bool
	// Bar: the cells are shares from -1 to 1, drawn as bars if there are graphics, and omitted from text.
	Bar bool
	// Drawn: the cells are bars made of characters, omitted if there are graphics.
	Drawn bool
}

// Add appends a row.
func (t *Table) Add(cells ...any) { t.Rows = append(t.Rows, cells) }

// AddSeen appends a row with its evidence.
func (t *Table) AddSeen(evidence []Evidence, cells ...any) {
	for len(t.Places) < len(t.Rows) {
		t.Places = append(t.Places, nil)
	}
	t.Rows, t.Places = append(t.Rows, cells), append(t.Places, evidence)
}

// Keys returns the names of the columns for programs.
func (t *Table) Keys() []string {
	keys := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		keys[i] = c.Key
	}
	return keys
}

// Value writes a cell for programs: numbers with all digits, "" for nil.
func Value(cell any) string {
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

// Text writes a cell of the column for people.
func (c *Column) Text(cell any) string {
	if cell == nil {
		return ""
	}
	if c.Show != nil {
		return c.Show(cell)
	}
	if n, ok := cell.(int64); ok {
		return quantity.FormatCount(n)
	}
	return Value(cell)
}

// RightAligned reports whether a column holds numbers.
func (t *Table) RightAligned(i int) bool {
	if t.Columns[i].Right {
		return true
	}
	for _, row := range t.Rows {
		switch row[i].(type) {
		case int64, wide.Int, float64:
			return true
		case string:
			return false
		}
	}
	return false
}

// Pairs returns a row as the titles of its columns and its cells. A column "+-" is joined to the previous one.
func (t *Table) Pairs(row int) (list Pairs) {
	for i := range t.Columns {
		c := &t.Columns[i]
		text := c.Text(t.Rows[row][i])
		switch {
		case text == "" || c.Bar:
		case c.Title == "+-" && len(list) > 0:
			list[len(list)-1][1] += " +- " + text
		default:
			list = append(list, [2]string{c.Title, text})
		}
	}
	return list
}

// Objects returns the rows as JSON objects by key.
func (t *Table) Objects() []Object {
	rows := make([]Object, len(t.Rows))
	for i, row := range t.Rows {
		for j, cell := range row {
			rows[i] = append(rows[i], Field{t.Columns[j].Key, cell})
		}
	}
	return rows
}

// Containing returns the table with the rows that contain a text, in upper or lower case, in any cell.
func (t *Table) Containing(text string) *Table {
	some := &Table{Columns: t.Columns}
	for _, row := range t.Rows {
		for _, cell := range row {
			if strings.Contains(strings.ToLower(Value(cell)), strings.ToLower(text)) {
				some.Rows = append(some.Rows, row)
				break
			}
		}
	}
	return some
}
