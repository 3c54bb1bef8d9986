package screen

import "pview/render/raster"

// How to set the pen for a cell. Many cells look the same in several styles: a blank in any foreground, or a left half
// of one colour on another as the right half with the two exchanged. The style that needs the fewest changes of the pen
// is sent: a change of colour takes 12 to 17 bytes, the character itself three.

// inPen returns the form of a cell that needs the fewest changes of the pen, and its style.
func (d *Delta) inPen(cell raster.Cell) (raster.Cell, sgr) {
	style := encode(d.Profile, cell.Style)
	if style == d.pen || style.attr != 0 || d.pen.attr != 0 {
		return cell, style
	}
	switch other := halves.complement(cell.Rune); {
	case cell.Rune == ' ' && d.pen.fg != 0:
		style.fg, style.true = d.pen.fg, d.pen.true
	case other != 0 && style.fg != 0 && style.bg != 0 && d.pen.changes(style.exchanged()) < d.pen.changes(style):
		cell.Rune, style = other, style.exchanged()
	}
	return cell, style
}

func (s sgr) exchanged() sgr {
	s.fg, s.bg = s.bg, s.fg
	return s
}

// changes returns how many of the two colours must be set for style t.
func (s sgr) changes(t sgr) (n int) {
	if s.fg != t.fg {
		n++
	}
	if s.bg != t.bg {
		n++
	}
	return n
}

// halves has the characters that fill halves and quarters of a cell, each with the one that fills the rest.
var halves = newBlocks("▀▄", "▌▐", "▘▟", "▝▙", "▖▜", "▗▛", "▚▞")

// blocks has a character's complement by its place in Unicode's Block Elements; 0 if none.
type blocks [0x20]rune

const firstBlock = 0x2580

func newBlocks(pairs ...string) (b blocks) {
	for _, pair := range pairs {
		p := []rune(pair)
		b[p[0]-firstBlock], b[p[1]-firstBlock] = p[1], p[0]
	}
	return b
}

func (b *blocks) complement(r rune) rune {
	if i := r - firstBlock; i >= 0 && int(i) < len(b) {
		return b[i]
	}
	return 0
}
