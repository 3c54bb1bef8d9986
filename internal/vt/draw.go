package vt

// Characters, control characters, and the moving and clearing of cells.

import "github.com/charmbracelet/x/ansi"

// print puts a character at the cursor. A character without width joins the one before it.
func (s *Screen) print(r rune) {
	width := ansi.StringWidth(string(r))
	if width == 0 {
		if x := s.lastColumn(); x >= 0 {
			s.cells[s.y*s.Columns+x].Text += string(r)
		}
		return
	}
	if width > s.Columns { // it fits nowhere
		return
	}
	if s.wrapPending || s.x+width > s.Columns {
		s.wrapPending = false
		if s.Modes[7] {
			s.x = 0
			s.lineFeed()
		} else {
			s.x = s.Columns - width
		}
	}
	s.last = string(r)
	row := s.cells[s.y*s.Columns : (s.y+1)*s.Columns]
	s.breakWide(row, s.x)
	s.breakWide(row, s.x+width)
	row[s.x] = Cell{string(r), s.style}
	for i := 1; i < width; i++ {
		row[s.x+i] = Cell{"", s.style}
	}
	if s.x += width; s.x >= s.Columns {
		s.x, s.wrapPending = s.Columns-1, true
	}
}

// breakWide blanks a wide character whose right half is at x, before one of its halves is overwritten.
func (s *Screen) breakWide(row []Cell, x int) {
	if x > 0 && x < len(row) && row[x].Text == "" && ansi.StringWidth(row[x-1].Text) == 2 {
		row[x-1].Text, row[x].Text = " ", " "
	}
}

// lastColumn returns the place of the character before the cursor, -1 if there is
// none in the row.
func (s *Screen) lastColumn() int {
	x := s.x - 1
	if s.wrapPending {
		x = s.x
	}
	if x > 0 && s.cells[s.y*s.Columns+x].Text == "" {
		x--
	}
	return x
}

func (s *Screen) execute(b byte) {
	switch b {
	case '\r':
		s.moveTo(0, s.y)
	case '\n', '\v', '\f':
		s.wrapPending = false
		s.lineFeed()
	case '\b':
		s.moveTo(s.x-1, s.y)
	case '\t':
		s.moveTo((s.x/8+1)*8, s.y)
	case 0, '\a':
	default:
		s.unknown("control character %#02x", b)
	}
}

// moveTo puts the cursor at a place, or as near to it as the screen allows.
func (s *Screen) moveTo(x, y int) {
	s.x = min(max(x, 0), s.Columns-1)
	s.y = min(max(y, 0), s.Rows-1)
	s.wrapPending = false
}

// lineFeed goes a row down; at the bottom of the scrolling region the region
// moves up.
func (s *Screen) lineFeed() {
	switch {
	case s.y == s.bottom-1:
		s.scroll(s.top, s.bottom, 1)
	case s.y < s.Rows-1:
		s.y++
	}
}

// reverseLineFeed is the opposite.
func (s *Screen) reverseLineFeed() {
	switch {
	case s.y == s.top:
		s.scroll(s.top, s.bottom, -1)
	case s.y > 0:
		s.y--
	}
	s.wrapPending = false
}

// blank returns a cleared cell: the background colour stays, as in xterm.
func (s *Screen) blank() Cell { return Cell{" ", Style{Bg: s.style.Bg}} }

// clear blanks columns from .. to-1 of a row.
func (s *Screen) clear(y, from, to int) {
	row := s.cells[y*s.Columns : (y+1)*s.Columns]
	from, to = max(from, 0), min(to, s.Columns)
	if from >= to {
		return
	}
	s.breakWide(row, from)
	s.breakWide(row, to)
	for x := from; x < to; x++ {
		row[x] = s.blank()
	}
}

// clearRows blanks rows from .. to-1.
func (s *Screen) clearRows(from, to int) {
	for y := from; y < to; y++ {
		s.clear(y, 0, s.Columns)
	}
}

// scroll moves rows top .. bottom-1 up by n, down if n is negative.
func (s *Screen) scroll(top, bottom, n int) {
	height := bottom - top
	n = min(max(n, -height), height)
	region := s.cells[top*s.Columns : bottom*s.Columns]
	if n > 0 {
		copy(region, region[n*s.Columns:])
		s.clearRows(bottom-n, bottom)
	} else {
		copy(region[-n*s.Columns:], region[:(height+n)*s.Columns])
		s.clearRows(top, top-n)
	}
}

// shift moves the cells of the cursor's row, from the cursor on, n columns to the right, or to the left if n is
// negative.
func (s *Screen) shift(n int) {
	row := s.cells[s.y*s.Columns+s.x : (s.y+1)*s.Columns]
	n = min(max(n, -len(row)), len(row))
	if n > 0 {
		copy(row[n:], row[:len(row)-n])
		s.clear(s.y, s.x, s.x+n)
	} else {
		copy(row, row[-n:])
		s.clear(s.y, s.Columns+n, s.Columns)
	}
	s.wrapPending = false
}

// alternate switches between the main screen and the alternate one, which is
// empty at each entry.
func (s *Screen) alternate(on bool) {
	if on == s.Modes[ModeAltScreen] {
		return
	}
	s.cells, s.other = s.other, s.cells
	if on {
		s.savedMain = cursor{s.x, s.y, s.style}
		s.clearRows(0, s.Rows)
	} else {
		s.moveTo(s.savedMain.x, s.savedMain.y)
		s.style = s.savedMain.style
	}
	s.top, s.bottom = 0, s.Rows
}
