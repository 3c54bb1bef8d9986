package screen

import (
	"image/color"
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"pview/render/raster"
)

// The components of Bubbles produce text with ANSI styles; the screen is cells. Paint draws such text on cells, and
// Styled converts a style for the components.

// Paint draws text with ANSI styles on a canvas, its first line from column x of line y. base supplies what a style
// leaves open. Sequences other than styles are skipped, control characters are blanks.
func Paint(c raster.Canvas, x, y int, text string, base raster.Style) {
	p := ansi.GetParser()
	defer ansi.PutParser(p)
	var pen uv.Style
	at, st := x, base
	plain := 0 // bytes that text begins with and that are not drawn yet
	draw := func(rest int) {
		if plain > 0 {
			at = c.Text(at, y, text[:plain], st)
		}
		text, plain = text[plain+rest:], 0
	}
	for state := byte(0); plain < len(text); {
		seq, width, n, next := ansi.DecodeSequence(text[plain:], state, p)
		state = next
		switch {
		case seq == "\n":
			draw(n)
			at, y = x, y+1
		case ansi.HasCsiPrefix(seq) && p.Command() == 'm':
			draw(n)
			uv.ReadStyle(p.Params(), &pen)
			st = over(base, &pen)
		case width > 0 || len(seq) == 1 && seq[0] != '\x1b' || utf8.RuneStart(seq[0]) && seq[0] >= utf8.RuneSelf:
			plain += n
		default:
			draw(n)
		}
	}
	draw(0)
}

// over returns the style of a cell on a canvas, which supplies everything that st leaves open.
func over(st raster.Style, s *uv.Style) raster.Style {
	if c := colorOf(s.Fg); c.IsSet() {
		st.FG = c
	}
	if c := colorOf(s.Bg); c.IsSet() {
		st.BG = c
	}
	for _, a := range attrs {
		if s.Attrs&a.theirs != 0 {
			st.Attr |= a.ours
		}
	}
	if s.Underline != uv.UnderlineNone {
		st.Attr |= raster.Underline
	}
	return st
}

// attrs are the attributes that both sides know; theirs keep underlining separately.
var attrs = []struct {
	theirs uint8
	ours   raster.Attr
}{{uv.AttrBold, raster.Bold}, {uv.AttrFaint, raster.Faint}, {uv.AttrReverse, raster.Reverse},
	{uv.AttrItalic, raster.Italic}}

func colorOf(c color.Color) raster.Color {
	if c == nil {
		return raster.NoColor
	}
	r, g, b, a := c.RGBA()
	if a == 0 {
		return raster.NoColor
	}
	return raster.RGB(uint8(r>>8), uint8(g>>8), uint8(b>>8))
}

// Span returns text in a style for the components. Control characters become blanks: the text is drawn, not obeyed.
func Span(text string, st raster.Style) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
	if pen := encode(raster.TrueColor, st); pen != (sgr{}) {
		return string(sgr{}.appendChange(nil, pen)) + text + "\x1b[m"
	}
	return text
}

// Styled converts a style for the components.
func Styled(st raster.Style) lipgloss.Style {
	s := lipgloss.NewStyle().Bold(st.Attr&raster.Bold != 0).Faint(st.Attr&raster.Faint != 0).Underline(
		st.Attr&raster.Underline != 0).
		Reverse(st.Attr&raster.Reverse != 0).Italic(st.Attr&raster.Italic != 0)
	if st.FG.IsSet() {
		s = s.Foreground(Color(st.FG))
	}
	if st.BG.IsSet() {
		s = s.Background(Color(st.BG))
	}
	return s
}

// Color converts a colour for the components; nil for the terminal's own.
func Color(c raster.Color) color.Color {
	if !c.IsSet() {
		return nil
	}
	r, g, b := c.RGB()
	return color.RGBA{r, g, b, 0xff}
}
