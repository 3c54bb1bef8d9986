package screen

import (
	"slices"
	"strconv"

	"pview/render/raster"
)

// Append appends a canvas as text with ANSI styles to dst: lines separated by "\n", every line as wide as the canvas
// and ending in the default style, styles written only where they change, colours as in profile p.
func Append(dst []byte, c raster.Canvas, p raster.Profile) []byte {
	for y := range c.H {
		if y > 0 {
			dst = append(dst, '\n')
		}
		dst = appendLine(dst, c.Line(y), c, p)
	}
	return dst
}

func appendLine(dst []byte, line []raster.Cell, c raster.Canvas, p raster.Profile) []byte {
	var now sgr
	for x := 0; x < len(line); {
		if want := encode(p, line[x].Style); want != now {
			dst = now.appendChange(dst, want)
			now = want
		}
		var n int
		dst, n = c.AppendCell(dst, line[x:])
		x += n
	}
	if now != (sgr{}) {
		dst = append(dst, "\x1b[m"...)
	}
	return dst
}

// sgr is a style in the form of a profile: colours are 0 for the default, else 1 + palette number, or the Color itself
// in true colour.
type sgr struct {
	fg, bg uint32
	attr   raster.Attr
	true   bool
}

// encode returns the style as the profile shows it.
func encode(p raster.Profile, st raster.Style) sgr {
	s := sgr{attr: st.Attr, true: p == raster.TrueColor}
	switch p {
	case raster.TrueColor:
		s.fg, s.bg = uint32(st.FG), uint32(st.BG)
	case raster.ANSI256:
		s.fg, s.bg = paletteNumber(st.FG, raster.Color.Nearest256), paletteNumber(st.BG, raster.Color.Nearest256)
	case raster.ANSI16:
		s.fg, s.bg = paletteNumber(st.FG, raster.Color.Nearest16), paletteNumber(st.BG, raster.Color.Nearest16)
	}
	if s == (sgr{true: true}) {
		return sgr{} // the default style is the same in all profiles
	}
	return s
}

func paletteNumber(c raster.Color, nearest func(raster.Color) uint8) uint32 {
	if !c.IsSet() {
		return 0
	}
	return 1 + uint32(nearest(c))
}

// appendChange appends the escape sequence that changes style s to style t.
func (s sgr) appendChange(dst []byte, t sgr) []byte {
	dst = append(dst, "\x1b["...)
	if t == (sgr{}) {
		return append(dst, 'm')
	}
	start := len(dst)
	if s.attr&^t.attr != 0 || s.fg != 0 && t.fg == 0 && s.bg != 0 && t.bg == 0 {
		// Some terminals lack the codes that switch off single attributes; all understand a reset to the default.
		dst = append(dst, "0;"...)
		s = sgr{}
	}
	if t.attr != s.attr {
		for i, code := range attrCodes {
			if t.attr&^s.attr&(1<<i) != 0 {
				dst = append(dst, code, ';')
			}
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
		return appendRGB(dst, c, byte('0'+base/10))
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

// appendRGB appends the SGR code of a 24-bit colour; ground is '3' for the foreground, '4' for the background. These
// are most of the bytes of a dense picture, so it builds them without loops over digits.
func appendRGB(dst []byte, c uint32, ground byte) []byte {
	const longest = len("38;2;255;255;255;")
	dst = slices.Grow(dst, longest)
	n := len(dst)
	text := dst[n : n+longest]
	copy(text, "38;2;")
	text[0] = ground
	k := len("38;2;")
	for _, channel := range [...]uint8{uint8(c >> 16), uint8(c >> 8), uint8(c)} {
		d := &decimals[channel]
		*(*[4]byte)(text[k:]) = d.text
		k += int(d.n)
	}
	return dst[:n+k]
}

// decimals has each byte in decimal, followed by a semicolon.
var decimals = func() (list [256]struct {
	n    uint8
	text [4]byte
}) {
	for i := range list {
		list[i].n = uint8(copy(list[i].text[:], strconv.Itoa(i)+";"))
	}
	return list
}()
