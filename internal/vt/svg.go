package vt

// A picture of the screen. Text stays text. Blocks and braille, which terminals draw themselves to avoid gaps, are
// drawn as shapes.

import (
	"bufio"
	"fmt"
	"html"
	"image/color"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Size of a cell and of the border around the screen, in the picture's units.
const (
	cellWidth  = 8.4
	cellHeight = 17
	border     = 10
	fontSize   = 14
	baseline   = 13 // from the top of a cell
)

var (
	darkForeground  = color.RGBA{0xd0, 0xd0, 0xd0, 0xff}
	darkBackground  = color.RGBA{0x1e, 0x1e, 0x1e, 0xff}
	lightForeground = color.RGBA{0x20, 0x20, 0x20, 0xff}
	lightBackground = color.RGBA{0xff, 0xff, 0xff, 0xff}
)

// WriteSVG writes the screen as an SVG picture. description says in words what it shows, for people who cannot see it.
func (s *Screen) WriteSVG(w io.Writer, description string) error {
	b := bufio.NewWriter(w)
	width, height := 2*border+cellWidth*float64(s.Columns), 2*border+cellHeight*s.Rows
	_, background := s.colors(Style{})
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.1f %d" role="img" aria-label="%s">`+"\n",
		width, height, html.EscapeString(description))
	fmt.Fprintf(b, `<rect width="100%%" height="100%%" rx="6" fill="%s"/>`+"\n", hex(background))
	fmt.Fprintf(
		b,
		`<style>text{white-space:pre}</style><g font-family="ui-monospace,`+
			`'DejaVu Sans Mono','Liberation Mono',Menlo,Consolas,monospace" font-size="%d" `+
			`shape-rendering="crispEdges" xml:space="preserve">`+"\n",
		fontSize,
	)
	for y := range s.Rows {
		s.backgrounds(b, y)
		s.shapes(b, y)
		s.texts(b, y)
	}
	fmt.Fprint(b, "</g>\n</svg>\n")
	return b.Flush()
}

// colors returns what a style looks like on this screen.
func (s *Screen) colors(st Style) (fg, bg color.RGBA) {
	fg, bg = darkForeground, darkBackground
	if !s.Dark {
		fg, bg = lightForeground, lightBackground
	}
	plainBg := bg
	if st.Fg != nil {
		fg = color.RGBAModel.Convert(st.Fg).(color.RGBA)
	}
	if st.Bg != nil {
		bg = color.RGBAModel.Convert(st.Bg).(color.RGBA)
	}
	if st.Reverse {
		fg, bg = bg, fg
	}
	if st.Faint {
		fg = mix(fg, plainBg)
	}
	return fg, bg
}

func mix(a, b color.RGBA) color.RGBA {
	half := func(x, y uint8) uint8 { return uint8((3*int(x) + 2*int(y)) / 5) }
	return color.RGBA{half(a.R, b.R), half(a.G, b.G), half(a.B, b.B), 0xff}
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

func left(x int) float64 { return border + cellWidth*float64(x) }
func top(y int) float64  { return float64(border + cellHeight*y) }

// rect draws a part of the cell at x, y: from (x0, y0) to (x1, y1) in eighths of the
// cell, columns wide.
func rect(w io.Writer, x, y, columns int, x0, y0, x1, y1 float64, c color.RGBA) {
	fmt.Fprintf(w, `<rect x="%.2f" y="%.2f" width="%.2f" height="%.2f" fill="%s"/>`+"\n",
		left(x)+cellWidth*x0/8, top(y)+cellHeight*y0/8, cellWidth*(float64(columns-1)+(x1-x0)/8), cellHeight*(y1-y0)/8,
		hex(c))
}

// runs calls f for each stretch of cells of a row that agree.
func (s *Screen) runs(y int, agree func(a, b Cell) bool, f func(x, columns int)) {
	for x := 0; x < s.Columns; {
		end := x + 1
		for end < s.Columns && agree(s.At(x, y), s.At(end, y)) {
			end++
		}
		f(x, end-x)
		x = end
	}
}

func (s *Screen) backgrounds(w io.Writer, y int) {
	_, plain := s.colors(Style{})
	bg := func(c Cell) color.RGBA { _, bg := s.colors(c.Style); return bg }
	s.runs(y, func(a, b Cell) bool { return bg(a) == bg(b) }, func(x, columns int) {
		if c := bg(s.At(x, y)); c != plain {
			rect(w, x, y, columns, 0, 0, 8, 8, c)
		}
	})
}

// shapes draws blocks and braille.
func (s *Screen) shapes(w io.Writer, y int) {
	s.runs(y, func(a, b Cell) bool { return a == b }, func(x, columns int) {
		cell := s.At(x, y)
		fg, bg := s.colors(cell.Style)
		for _, r := range cell.Text {
			if shade, ok := shades[r]; ok {
				blend := func(f, b uint8) uint8 { return uint8((int(f)*shade + int(b)*(4-shade)) / 4) }
				rect(w, x, y, columns, 0, 0, 8, 8, color.RGBA{blend(fg.R, bg.R), blend(fg.G, bg.G), blend(fg.B, bg.B),
					0xff})
			}
			for _, b := range blocks(r) {
				if b.x0 == 0 && b.x1 == 8 {
					rect(w, x, y, columns, b.x0, b.y0, b.x1, b.y1, fg)
					continue
				}
				for i := range columns {
					rect(w, x+i, y, 1, b.x0, b.y0, b.x1, b.y1, fg)
				}
			}
		}
	})
}

// shades are the characters that are filled in part, in quarters.
var shades = map[rune]int{'░': 1, '▒': 2, '▓': 3}

type block struct{ x0, y0, x1, y1 float64 }

// blocks returns the parts of a block element or a braille character, nil for others.
func blocks(r rune) []block {
	switch {
	case r == '▀':
		return []block{{0, 0, 8, 4}}
	case r >= '▁' && r <= '█': // lower eighths
		return []block{{0, float64('█' - r), 8, 8}}
	case r >= '▉' && r <= '▏': // left eighths
		return []block{{0, 0, float64('▏'-r) + 1, 8}}
	case r == '▐':
		return []block{{4, 0, 8, 8}}
	case r == '▔':
		return []block{{0, 0, 8, 1}}
	case r == '▕':
		return []block{{7, 0, 8, 8}}
	case r >= '▖' && r <= '▟':
		return quadrants(r)
	case r >= 0x2800 && r <= 0x28ff:
		return braille(r)
	}
	return nil
}

// quadrants: which of upper left, upper right, lower left, lower right are filled.
func quadrants(r rune) (parts []block) {
	filled := map[rune]string{
		'▖': "2", '▗': "3", '▘': "0", '▙': "023", '▚': "03", '▛': "012", '▜': "013", '▝': "1", '▞': "12", '▟': "123",
	}
	for _, q := range filled[r] {
		x, y := float64((q-'0')%2)*4, float64((q-'0')/2)*4
		parts = append(parts, block{x, y, x + 4, y + 4})
	}
	return parts
}

// braille: dots 1 to 8 are bits 0 to 7, down the left column, then the right; 7
// and 8 below.
func braille(r rune) (dots []block) {
	places := [8][2]float64{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {0, 3}, {1, 3}}
	for bit, p := range places {
		if (r-0x2800)>>bit&1 != 0 {
			x, y := 1+4*p[0], 0.4+2*p[1]
			dots = append(dots, block{x, y, x + 2, y + 1.2})
		}
	}
	return dots
}

// texts writes all other characters, a text element per run of one style. Each element states its length, so that every
// character is in its column whatever the font.
func (s *Screen) texts(w io.Writer, y int) {
	drawn := func(c Cell) bool {
		r := []rune(c.Text)
		if len(r) == 0 {
			return false
		}
		_, shade := shades[r[0]]
		return shade || blocks(r[0]) != nil
	}
	s.runs(y, func(a, b Cell) bool { return a.Style == b.Style && !drawn(a) && !drawn(b) }, func(x, columns int) {
		var text strings.Builder
		for i := range columns {
			cell := s.At(x+i, y)
			switch {
			case drawn(cell):
			case cell.Text != "":
				text.WriteString(cell.Text)
			case i == 0 || ansi.StringWidth(s.At(x+i-1, y).Text) != 2:
				text.WriteByte(' ')
			}
		}
		trimmed := strings.TrimRight(text.String(), " ")
		indent := len(trimmed) - len(strings.TrimLeft(trimmed, " "))
		trimmed = trimmed[indent:]
		if trimmed == "" {
			return
		}
		fg, _ := s.colors(s.At(x, y).Style)
		fmt.Fprintf(w,
			`<text x="%.2f" y="%.1f" textLength="%.2f" lengthAdjust="spacingAndGlyphs" fill="%s"%s>%s</text>`+"\n",
			left(x+indent), top(y)+baseline, cellWidth*float64(ansi.StringWidth(trimmed)), hex(fg),
			decoration(s.At(x, y).Style), html.EscapeString(trimmed))
	})
}

func decoration(st Style) string {
	var s string
	if st.Bold {
		s += ` font-weight="bold"`
	}
	if st.Italic {
		s += ` font-style="italic"`
	}
	if st.Underline {
		s += ` text-decoration="underline"`
	}
	return s
}
