package list

import (
	"pview/render/document"
	"pview/render/raster"
)

// Column is a column of a table.
type Column struct {
	Title string
	Width int // with the gap to the next column
}

// Table is a list whose rows have columns. One column is chosen, and the rows may be sorted by one: their owner sorts
// them, the table marks the column.
type Table struct {
	List
	Columns func() []Column
	Col     int // the chosen column
	Sorted  int // 1 + the column that the rows are sorted by, negative if descending; 0: not sorted

	head   raster.Rect
	first  int   // first column shown, as drawn last
	starts []int // where the shown columns begin
	widths []int
	cells  []map[int]string // of the shown columns, by row
}

// Side goes n columns to the right, or to the left if n is negative.
func (t *Table) Side(n int) { t.Col = max(0, min(t.Col+n, len(t.Columns())-1)) }

// SortBy sorts by a column: ascending, then descending, then not at all.
func (t *Table) SortBy(col int) {
	switch key := col + 1; t.Sorted {
	case key:
		t.Sorted = -key
	case -key:
		t.Sorted = 0
	default:
		t.Sorted = key
	}
	t.top = 0
}

// Column returns the column whose title is at a place of the pane; -1 if none.
func (t *Table) Column(x, y int) int {
	if t.head.Has(x, y) {
		for k, start := range t.starts {
			if x -= t.head.X; x >= start && x < start+t.widths[k] {
				return t.first + k
			}
			x += t.head.X
		}
	}
	return -1
}

// Draw draws the titles and the rows: as many columns as fit, including the chosen one, before the last columns of c,
// which rest draws. text returns the text of a cell; rest draws the end of a row. The numbers of a column are aligned
// on the decimal point, among the visible rows.
func (t *Table) Draw(k Look, c raster.Canvas, room int, text func(row, col int) string, rest Row) {
	columns := t.Columns()
	t.Side(0)
	t.place(columns, c.W-room)
	t.head = c.Sub(0, 0, c.W, 1).Within(k.Pane)
	for i, x := range t.starts {
		col := t.first + i
		title, st := columns[col].Title, k.Theme.Dim
		switch t.Sorted {
		case col + 1:
			title += k.Theme.ASCII("▲")
		case -col - 1:
			title += k.Theme.ASCII("▼")
		}
		if col == t.Col {
			if st = k.Theme.Bold; k.Focused {
				st = k.Theme.Accent
			}
		}
		c.TextIn(x, 0, t.widths[i]-1, k.Theme.Cut(title, t.widths[i]-1), st, true)
	}
	t.align(c.H-1, text)
	t.List.Draw(k, c.Sub(0, 1, c.W, c.H-1), func(c raster.Canvas, row int, st, dim raster.Style) {
		end := 0
		for i, x := range t.starts {
			c.TextIn(x, 0, t.widths[i]-1, k.Theme.Cut(t.cells[i][row], t.widths[i]-1), st, true)
			end = x + t.widths[i]
		}
		rest(c.Sub(end, 0, c.W-end, c.H), row, st, dim)
	})
}

// align formats the cells of the visible rows.
func (t *Table) align(height int, text func(row, col int) string) {
	n := t.shown()
	t.scroll(n, height)
	t.cells = t.cells[:0]
	for i := range t.starts {
		var rows []int
		var cells []string
		for at := t.top; at < min(t.top+height, n); at++ {
			rows, cells = append(rows, t.row(at)), append(cells, text(t.row(at), t.first+i))
		}
		document.Align(cells)
		column := make(map[int]string, len(rows))
		for k, row := range rows {
			column[row] = cells[k]
		}
		t.cells = append(t.cells, column)
	}
}

// place finds the columns that fit in a width, including the chosen one.
func (t *Table) place(columns []Column, width int) {
	for first := 0; ; first++ {
		x := 0
		t.first, t.starts, t.widths = first, t.starts[:0], t.widths[:0]
		for i := first; i < len(columns) && x+columns[i].Width <= width; i++ {
			t.starts, t.widths = append(t.starts, x), append(t.widths, columns[i].Width)
			x += columns[i].Width
		}
		if first+len(t.starts) > t.Col || first >= t.Col {
			return
		}
	}
}
