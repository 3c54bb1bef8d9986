package analyzer

import "slices"

// The user's place in a table, for a session and for a reopened window, whose rows are counted again and may differ.

// place has the cell of the cursor, and the first row and column on the screen, all as ids of headers.
type place struct {
	Row    int `json:"row"`
	Column int `json:"column"`
	Top    int `json:"first_row"`
	Left   int `json:"first_column"`
}

// place returns the user's place; nil at the start of the table, or while it is unknown.
func (a *Table) place() *place {
	s := a.Sheet
	if s == nil {
		return a.back
	}
	f := &a.Frame
	moved := a.Row != s.start[0] || a.Col != s.start[1] || f.top > 0 || f.left > 0
	if !moved || a.Row >= len(s.Rows) || a.Col >= len(s.Columns) {
		return nil
	}
	top, left := min(f.top, len(s.Rows)-1), min(f.left, len(s.Columns)-1)
	return &place{s.Rows[a.Row].ID, s.Columns[a.Col].ID, s.Rows[top].ID, s.Columns[left].ID}
}

// begin puts the cursor into a new sheet: at its saved cell if that exists, else where the sheet wants it.
func (a *Table) begin() {
	s := a.Sheet
	a.anchor, a.Frame = -1, Frame{}
	a.Row, a.Col = s.start[0], s.start[1]
	b := a.back
	a.back = nil
	if b == nil {
		return
	}
	row, column := position(s.Rows, b.Row), position(s.Columns, b.Column)
	if row < 0 || column < 0 {
		return
	}
	a.Row, a.Col = row, column
	a.Frame.top, a.Frame.left = max(position(s.Rows, b.Top), 0), max(position(s.Columns, b.Left), 0)
}

// position finds a header by its id; -1 for none.
func position(list []Header, id int) int {
	return slices.IndexFunc(list, func(h Header) bool { return h.ID == id })
}
