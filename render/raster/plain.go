package raster

import (
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// AppendCell appends the character of the first cell and returns the number of cells that it takes. A half of a wide
// character whose other half was overwritten becomes a blank, so that a line always has its proper width.
func (c Canvas) AppendCell(dst []byte, cells []Cell) ([]byte, int) {
	w := c.columns(cells)
	switch r := cells[0].Rune; {
	case w == 0:
		return append(dst, ' '), 1
	case r > 0:
		return utf8.AppendRune(dst, r), w
	}
	return append(dst, c.Grapheme(cells[0])...), w
}

// columns returns the number of cells that the character of the first cell takes; 0 for a half of a wide character
// whose other half was overwritten.
func (c Canvas) columns(cells []Cell) int {
	switch r := cells[0].Rune; {
	case r == 0:
		return 0
	case narrow(r):
		return 1
	}
	w := max(ansi.StringWidth(c.Grapheme(cells[0])), 1)
	for i := 1; i < w; i++ {
		if i >= len(cells) || cells[i].Rune != 0 {
			return 0
		}
	}
	return w
}

// narrow reports whether a character is one that pictures are made of: these take one cell.
func narrow(r rune) bool {
	return r > 0 && (r < 0x1100 || uint32(r-0x2500) < 0x100 || uint32(r-0x2800) < 0x100)
}

// Whole replaces halves of wide characters whose other half was overwritten by blanks, as terminals do, and gives
// second halves the style of the first, in which terminals draw both.
func (c Canvas) Whole() {
	for y := range c.H {
		line := c.Line(y)
		for x := 0; x < len(line); {
			if narrow(line[x].Rune) {
				x++
				continue
			}
			w := c.columns(line[x:])
			if w == 0 {
				line[x].Rune, w = ' ', 1
			}
			for i := 1; i < w; i++ {
				line[x+i].Style = line[x].Style
			}
			x += w
		}
	}
}

// AppendPlain appends only the characters, without trailing blanks.
func (c Canvas) AppendPlain(dst []byte) []byte {
	for y := range c.H {
		if y > 0 {
			dst = append(dst, '\n')
		}
		start := len(dst)
		for cells := c.Line(y); len(cells) > 0; {
			var n int
			dst, n = c.AppendCell(dst, cells)
			cells = cells[n:]
		}
		for len(dst) > start && dst[len(dst)-1] == ' ' {
			dst = dst[:len(dst)-1]
		}
	}
	return dst
}

// Plain returns the text of AppendPlain.
func (c Canvas) Plain() string { return string(c.AppendPlain(nil)) }
