package tui

import (
	tea "charm.land/bubbletea/v2"
)

// Moving through a table, with keys and with the mouse.

func moveCell(rows, columns int) func(*Model, string) tea.Cmd {
	return func(m *Model, _ string) tea.Cmd {
		m.openTable().move(rows, columns)
		return nil
	}
}

func (a *analysis) move(rows, columns int) {
	if a.sheet == nil {
		return
	}
	step := 1
	if a.frame.merge > 1 && a.frame.cellWidth > 0 && (columns == 1 || columns == -1) {
		step = a.frame.merge // one cell of the picture
	}
	a.row = max(min(a.row+rows, len(a.sheet.rows)-1), 0)
	a.col = max(min(a.col+columns*step, len(a.sheet.columns)-1), 0)
}

// pageCells moves by as much as is on the screen.
func (m *Model) pageCells(rows, columns int) tea.Cmd {
	a := m.openTable()
	f := &a.frame
	height, width := max(f.body.H*max(f.split, 1)-1, 1), max(len(f.columns)-1, 1)
	if f.cellWidth > 0 {
		width = max(f.body.W/f.cellWidth*f.merge/4, 1)
	}
	a.move(rows*height, columns*width)
	return nil
}

// cellAt returns the cell at a place of the pane, counted from below its heading
// lines as drawn; ok is false where there is none.
func (a *analysis) cellAt(x, y int) (row, col int, ok bool) {
	f, s := &a.frame, a.sheet
	if s == nil || y < f.body.Y || y >= f.body.Y+f.body.H {
		return 0, 0, false
	}
	row, col = a.top+(y-f.body.Y)*max(f.split, 1), a.col
	if row >= len(s.rows) {
		return 0, 0, false
	}
	if x < f.body.X {
		return row, col, true
	}
	if f.cellWidth > 0 {
		col = (x - f.body.X) / f.cellWidth * f.merge
		return row, col, col < len(s.columns)
	}
	for k, i := range f.columns {
		if x >= f.x[k] && x < f.x[k]+s.columns[i].width+2 {
			return row, i, true
		}
	}
	return 0, 0, false
}

// clickTable moves the cell cursor; a click on the cell that has it goes to the
// bursts behind it.
func (m *Model) clickTable(l *screenLayout, e tea.MouseClickMsg, again bool) tea.Cmd {
	a := m.shownTable()
	if a == nil {
		return nil
	}
	row, col, ok := a.cellAt(e.X-l.pane.X, e.Y-l.pane.Y-m.tableLead(l))
	if !ok {
		return nil
	}
	if again && row == a.row && col == a.col {
		return cellBursts(1)(m, "")
	}
	a.row, a.col = row, col
	return nil
}

// tableLead is the lines of the pane above the sheet: its heading, and what is
// counted.
func (m *Model) tableLead(l *screenLayout) int {
	if l.pane.H-1 >= 5 {
		return 2
	}
	return 1
}

// wheelTable scrolls.
func (m *Model) wheelTable(e tea.MouseWheelMsg, sign int) {
	a := m.shownTable()
	if a == nil {
		return
	}
	sideways := e.Button == tea.MouseWheelLeft || e.Button == tea.MouseWheelRight || e.Mod.Contains(tea.ModShift)
	if sideways {
		a.move(0, sign)
	} else {
		a.move(3*sign, 0)
	}
}
