// The bytes that make a terminal show the next picture.
//
// A terminal on the far side of an SSH connection is slow; most of a picture is the same as the last one, and a panned
// view has only moved. Delta keeps what the terminal shows, cell by cell, and sends the cells that differ. If the
// caller says that a part of the screen moved sideways, the terminal is told to move it (delete characters at one end
// of the part, insert at the other), in the lines where that is shorter: a dense line of 180 colours is 4 KB to write
// and 25 bytes to move.
//
// It uses what every terminal in use understands: CUP, CUF, SGR, DCH, ICH, and ECH for
// stretches of blanks. (REP would be shorter for stretches of other characters,
// but terminals that claim to know it repeat the wrong character after one that is not ASCII.)

package screen

import (
	"strconv"
	"unicode/utf8"

	"pview/render/raster"
)

// Delta is the screen of a terminal. It is for one goroutine.
type Delta struct {
	Profile raster.Profile
	Erase   bool // ECH erases to the background colour of the pen: everywhere but in GNU screen
	shown   raster.Canvas
	known   bool
	pen     sgr
	x, y    int // of the terminal's cursor; x < 0: unknown
}

// Shift says that a part of the screen now shows the cells that were there
// before, moved By columns to the right (to the left when negative).
type Shift struct {
	X, Y, W, H int
	By         int
}

// Forget makes the next picture be sent completely: after something else has written to the terminal.
func (d *Delta) Forget() { d.known = false }

// Append appends to dst what makes the terminal show c, whose wide characters it makes whole. It leaves the cursor
// anywhere, and the default style.
func (d *Delta) Append(dst []byte, c raster.Canvas, shifts []Shift) []byte {
	c.Whole()
	d.x, d.pen = -1, sgr{}
	if !d.known || d.shown.W != c.W || d.shown.H != c.H {
		d.shown.Resize(c.W, c.H)
		dst = append(dst, "\x1b[m\x1b[2J"...)
		d.known = true
		shifts = nil
	}
	for _, s := range shifts {
		dst = d.shift(dst, c, s)
	}
	for y := range c.H {
		dst = d.line(dst, c, y)
	}
	if d.pen != (sgr{}) {
		dst = append(dst, "\x1b[m"...)
		d.pen = sgr{}
	}
	return dst
}

// same reports whether the terminal shows cell b of c where it shows cell a.
func (d *Delta) same(a, b raster.Cell, c *raster.Canvas) bool {
	if a.Rune < 0 || b.Rune < 0 {
		return a.Style == b.Style && d.shown.Grapheme(a) == c.Grapheme(b)
	}
	return a == b
}

// shift moves the lines of a part sideways if that saves bytes.
func (d *Delta) shift(dst []byte, c raster.Canvas, s Shift) []byte {
	n := max(s.By, -s.By)
	if n == 0 || n >= s.W || s.X < 0 || s.X+s.W > c.W {
		return dst
	}
	for y := max(s.Y, 0); y < min(s.Y+s.H, c.H); y++ {
		old, now := d.shown.Line(y), c.Line(y)
		if d.movesWide(old[s.X:]) || !d.saves(old, now, &c, s) {
			continue
		}
		// What the terminal inserts has the background of the pen.
		dst = d.style(dst, sgr{})
		part := old[s.X : s.X+s.W]
		if s.By < 0 {
			dst = d.edit(dst, s.X, y, n, 'P')
			dst = d.edit(dst, s.X+s.W-n, y, n, '@')
			copy(part, part[n:])
			blankCells(part[s.W-n:])
		} else {
			dst = d.edit(dst, s.X+s.W-n, y, n, 'P')
			dst = d.edit(dst, s.X, y, n, '@')
			copy(part[n:], part)
			blankCells(part[:n])
		}
	}
	return dst
}

func blankCells(cells []raster.Cell) {
	for i := range cells {
		cells[i] = raster.Cell{Rune: ' '}
	}
}

// movesWide reports whether cells hold characters of two cells, or of several runes: these are not moved.
func (d *Delta) movesWide(cells []raster.Cell) bool {
	for _, cell := range cells {
		if cell.Rune <= 0 {
			return true
		}
	}
	return false
}

// saves reports whether moving a line leaves enough fewer cells to write to be worth it.
func (d *Delta) saves(old, now []raster.Cell, c *raster.Canvas, s Shift) bool {
	const cost = 1 // takes about as many bytes as a cell in another colour
	still, moved := 0, cost
	for x := s.X; x < s.X+s.W; x++ {
		if !d.same(old[x], now[x], c) {
			still++
		}
		if from := x - s.By; from < s.X || from >= s.X+s.W || !d.same(old[from], now[x], c) {
			moved++
		}
	}
	return moved < still
}

// edit appends a control sequence with a number at a place.
func (d *Delta) edit(dst []byte, x, y, n int, final byte) []byte {
	dst = d.moveTo(dst, x, y)
	dst = append(dst, "\x1b["...)
	if n > 1 {
		dst = strconv.AppendInt(dst, int64(n), 10)
	}
	return append(dst, final)
}

// line sends the cells of a line that differ.
func (d *Delta) line(dst []byte, c raster.Canvas, y int) []byte {
	old, now := d.shown.Line(y), c.Line(y)
	for x := 0; x < len(now); {
		if d.same(old[x], now[x], &c) {
			x++
			continue
		}
		// never from the second half of a wide character: it differs if the first one does
		dst, x = d.stretch(dst, c, y, x)
	}
	d.shown.Sub(0, y, c.W, 1).CopyFrom(c.Sub(0, y, c.W, 1))
	return dst
}

// stretch sends cells from x on, up to a place with enough correct cells, and returns the place after them.
func (d *Delta) stretch(dst []byte, c raster.Canvas, y, x int) ([]byte, int) {
	const worthJumping = 5 // cells; a jump takes about as many bytes
	old, now := d.shown.Line(y), c.Line(y)
	dst = d.moveTo(dst, x, y)
	for x < len(now) {
		right := 0 // number of correct cells
		for x+right < len(now) && d.same(old[x+right], now[x+right], &c) {
			right++
		}
		if right >= worthJumping || x+right == len(now) {
			return dst, x + right
		}
		cell, style := d.inPen(now[x])
		if right > 0 && style != d.pen {
			return dst, x + right
		}
		dst = d.style(dst, style)
		n := runOf(now[x:])
		if n >= 8 && cell.Rune == ' ' && cell.Attr == 0 && (d.Erase || !cell.BG.IsSet()) {
			dst = d.edit(dst, x, y, n, 'X')
			return dst, x + n
		}
		dst = d.put(dst, c, cell)
		x++
		for x < len(now) && now[x].Rune == 0 {
			x++
			d.x++
		}
	}
	return dst, x
}

// runOf returns how many equal cells cells begins with.
func runOf(cells []raster.Cell) int {
	n := 1
	for n < len(cells) && cells[n] == cells[0] {
		n++
	}
	return n
}

// put sends one cell at the terminal's cursor.
func (d *Delta) put(dst []byte, c raster.Canvas, cell raster.Cell) []byte {
	d.x++
	if d.x >= c.W {
		d.x = -1 // at the right edge, terminals differ in the position of the cursor
	}
	if cell.Rune > 0 {
		return utf8.AppendRune(dst, cell.Rune)
	}
	return append(dst, c.Grapheme(cell)...)
}

func (d *Delta) style(dst []byte, want sgr) []byte {
	if want == d.pen {
		return dst
	}
	dst = d.pen.appendChange(dst, want)
	d.pen = want
	return dst
}

// moveTo moves the terminal's cursor by the shortest sequence.
func (d *Delta) moveTo(dst []byte, x, y int) []byte {
	switch {
	case d.x == x && d.y == y:
		return dst
	case d.x >= 0 && d.y == y && x > d.x:
		dst = append(dst, "\x1b["...)
		if x-d.x > 1 {
			dst = strconv.AppendInt(dst, int64(x-d.x), 10)
		}
		dst = append(dst, 'C')
	case d.x >= 0 && x == 0 && y == d.y+1:
		dst = append(dst, "\r\n"...)
	default:
		dst = append(dst, "\x1b["...)
		dst = strconv.AppendInt(dst, int64(y+1), 10)
		if x > 0 {
			dst = append(dst, ';')
			dst = strconv.AppendInt(dst, int64(x+1), 10)
		}
		dst = append(dst, 'H')
	}
	d.x, d.y = x, y
	return dst
}
