package raster

import (
	"strconv"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// AppendTo appends the canvas as text with ANSI styles to dst: lines separated by
// "\n", every line as wide as the canvas and ending in the default style, styles
// written only where they change, colours as profile p has them.
func (c Canvas) AppendTo(dst []byte, p Profile) []byte {
	for y := range c.H {
		if y > 0 {
			dst = append(dst, '\n')
		}
		dst = c.appendLine(dst, y, p)
	}
	return dst
}

// String returns what AppendTo appends.
func (c Canvas) String(p Profile) string { return string(c.AppendTo(nil, p)) }

func (c Canvas) appendLine(dst []byte, y int, p Profile) []byte {
	var now sgr
	line := c.Line(y)
	for x := 0; x < len(line); {
		if want := p.encode(line[x].Style); want != now {
			dst = now.appendChange(dst, want)
			now = want
		}
		var n int
		dst, n = c.appendCell(dst, line[x:])
		x += n
	}
	if now != (sgr{}) {
		dst = append(dst, "\x1b[m"...)
	}
	return dst
}

// appendCell appends the character of the first of the cells and returns how many
// cells it takes. Halves of wide characters whose other half was overwritten are
// blanks, so that a line is always as wide as it should be.
func (c Canvas) appendCell(dst []byte, cells []Cell) ([]byte, int) {
	r := cells[0].Rune
	switch {
	case r == 0:
		return append(dst, ' '), 1
	case r > 0 && r < utf8.RuneSelf:
		return append(dst, byte(r)), 1
	case r > 0 && r < 0x1100 || r >= 0x2500 && r < 0x2600 || r >= 0x2800 && r < 0x2900:
		return utf8.AppendRune(dst, r), 1 // the narrow ones that pictures are made of
	}
	text := c.Grapheme(cells[0])
	w := max(ansi.StringWidth(text), 1)
	for i := 1; i < w; i++ {
		if i >= len(cells) || cells[i].Rune != 0 {
			return append(dst, ' '), 1
		}
	}
	return append(dst, text...), w
}

// AppendPlain appends the characters alone, without trailing blanks.
func (c Canvas) AppendPlain(dst []byte) []byte {
	for y := range c.H {
		if y > 0 {
			dst = append(dst, '\n')
		}
		start := len(dst)
		for cells := c.Line(y); len(cells) > 0; {
			var n int
			dst, n = c.appendCell(dst, cells)
			cells = cells[n:]
		}
		for len(dst) > start && dst[len(dst)-1] == ' ' {
			dst = dst[:len(dst)-1]
		}
	}
	return dst
}

// Plain returns what AppendPlain appends.
func (c Canvas) Plain() string { return string(c.AppendPlain(nil)) }

// sgr is a style as a profile writes it: colours are 0 for the default, else
// 1 + palette number, or the Color itself in true colour.
type sgr struct {
	fg, bg uint32
	attr   Attr
	true   bool
}

// encode returns the style as the profile shows it.
func (p Profile) encode(st Style) sgr {
	s := sgr{attr: st.Attr, true: p == TrueColor}
	switch p {
	case TrueColor:
		s.fg, s.bg = uint32(st.FG), uint32(st.BG)
	case ANSI256:
		s.fg, s.bg = paletteNumber(st.FG, to256), paletteNumber(st.BG, to256)
	case ANSI16:
		s.fg, s.bg = paletteNumber(st.FG, to16), paletteNumber(st.BG, to16)
	}
	if s == (sgr{true: true}) {
		return sgr{} // the default style is one and the same in all profiles
	}
	return s
}

func paletteNumber(c Color, nearest func(Color) uint8) uint32 {
	if !c.IsSet() {
		return 0
	}
	return 1 + uint32(nearest(c))
}

// appendChange appends the escape sequence that leads from style s to style t.
func (s sgr) appendChange(dst []byte, t sgr) []byte {
	dst = append(dst, "\x1b["...)
	if t == (sgr{}) {
		return append(dst, 'm')
	}
	start := len(dst)
	if s.attr&^t.attr != 0 || s.fg != 0 && t.fg == 0 && s.bg != 0 && t.bg == 0 {
		// Attributes are switched off one by one with codes that some terminals
		// lack; starting from the default is understood by all.
		dst = append(dst, "0;"...)
		s = sgr{}
	}
	for i, code := range attrCodes {
		if t.attr&^s.attr&(1<<i) != 0 {
			dst = append(dst, code, ';')
		}
	}
	if t.fg != s.fg {
		dst = t.appendColor(dst, t.fg, 30)
	}
	if t.bg != s.bg {
		dst = t.appendColor(dst, t.bg, 40)
	}
	if len(dst) == start {
		return dst[:start-2]
	}
	dst[len(dst)-1] = 'm'
	return dst
}

// attrCodes has the SGR code of each attribute, by bit.
var attrCodes = [...]byte{'1', '2', '4', '7', '3'}

// appendColor appends the SGR code of a colour; base is 30 for the foreground,
// 40 for the background.
func (s sgr) appendColor(dst []byte, c uint32, base int64) []byte {
	switch {
	case c == 0:
		dst = strconv.AppendInt(dst, base+9, 10)
	case s.true:
		dst = strconv.AppendInt(dst, base+8, 10)
		dst = append(dst, ";2"...)
		for shift := 16; shift >= 0; shift -= 8 {
			dst = append(dst, ';')
			dst = strconv.AppendUint(dst, uint64(c>>shift&0xff), 10)
		}
	case c <= 8:
		dst = strconv.AppendInt(dst, base+int64(c)-1, 10)
	case c <= 16:
		dst = strconv.AppendInt(dst, base+60+int64(c)-9, 10)
	default:
		dst = strconv.AppendInt(dst, base+8, 10)
		dst = append(dst, ";5;"...)
		dst = strconv.AppendUint(dst, uint64(c-1), 10)
	}
	return append(dst, ';')
}
