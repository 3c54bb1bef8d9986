package analyzer

import (
	tea "charm.land/bubbletea/v2"
)

// Moving through a table, with keys and with the mouse.

func (p actions) move(rows, columns int) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		p.openTable().move(rows, columns)
		return nil
	}
}

func (a *Table) move(rows, columns int) {
	if a.Sheet == nil {
		return
	}
	step := 1
	if a.Frame.merge > 1 && a.Frame.CellWidth > 0 && (columns == 1 || columns == -1) {
		step = a.Frame.merge // one cell of the picture
	}
	a.Col = max(min(a.Col+columns*step, len(a.Sheet.Columns)-1), 0)
	if a.gathers() { // from cell to cell, each time to the row that the cell shows
		half := a.Frame.half
		if rows == 1 || rows == -1 {
			rows *= half
		}
		last := (len(a.Sheet.Rows) - 1) / half * half
		a.Row = a.Sheet.standsOut(max(min(a.Row/half*half+rows/half*half, last), 0), half, a.Col)
		return
	}
	a.Row = max(min(a.Row+rows, len(a.Sheet.Rows)-1), 0)
}

// gathers says whether several rows share a cell.
func (a *Table) gathers() bool { return a.Frame.CellWidth > 0 && a.Frame.half > 1 }

// lastColumn goes to the last column that has a cell: automatic scales end past the greatest value.
func (p actions) lastColumn(string) tea.Cmd {
	a := p.openTable()
	s := a.Sheet
	if s == nil {
		return nil
	}
	a.Col = max(len(s.Columns)-1, 0)
	for c := a.Col; c >= 0 && c < len(s.Columns); c-- {
		for r := range s.Rows {
			if _, ok := s.Cell(r, c); ok {
				a.Col = c
				return nil
			}
		}
	}
	return nil
}

// page moves by the visible rows.
func (p actions) page(rows, columns int) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		a := p.openTable()
		f := &a.Frame
		height, width := max(f.Body.H*max(f.split, 1)-1, 1), max(len(f.columns)-1, 1)
		if f.CellWidth > 0 {
			width = max(f.Body.W/f.CellWidth*f.merge/4, 1)
		}
		a.move(rows*height, columns*width)
		return nil
	}
}

// cellAt returns the cell at a place of the sheet, which is below the heading; ok is false if there is none.
func (a *Table) cellAt(x, y int) (row, col int, ok bool) {
	f, s := &a.Frame, a.Sheet
	if s == nil || y < f.Body.Y || y >= f.Body.Y+f.Body.H {
		return 0, 0, false
	}
	row, col = f.top+(y-f.Body.Y)*max(f.split, 1), a.Col
	defer func() {
		if ok && a.gathers() {
			row = s.standsOut(row, f.split, col)
		}
	}()
	if row >= len(s.Rows) {
		return 0, 0, false
	}
	if x < f.Body.X {
		return row, col, true
	}
	if f.CellWidth > 0 {
		col = (x - f.Body.X) / f.CellWidth * f.merge
		return row, col, col < len(s.Columns)
	}
	for k, i := range f.columns {
		if x >= f.X[k] && x < f.X[k]+s.Columns[i].width+2 {
			return row, i, true
		}
	}
	return 0, 0, false
}

// Click moves the cell cursor; a click on its cell goes to the cell's bursts.
func (p actions) Click(x, y int, _ tea.MouseClickMsg, again bool) tea.Cmd {
	a := p.Shown()
	if a == nil {
		return nil
	}
	row, col, ok := a.cellAt(x, y-a.Frame.lead)
	if !ok {
		return nil
	}
	if again && row == a.Row && col == a.Col {
		return p.cellBursts(1)("")
	}
	a.Row, a.Col = row, col
	return nil
}

// Wheel scrolls.
func (p actions) Wheel(e tea.MouseWheelMsg, sign int) tea.Cmd {
	a := p.Shown()
	if a == nil {
		return nil
	}
	if e.Button == tea.MouseWheelLeft || e.Button == tea.MouseWheelRight || e.Mod.Contains(tea.ModShift) {
		a.move(0, sign)
	} else {
		a.move(3*sign, 0)
	}
	return nil
}
