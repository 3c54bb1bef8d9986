package style

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"pview/render/raster"
)

// Shorten cuts a name at its start: names of objects differ at their end.
func Shorten(name string, width int, th *Theme) string {
	over := raster.TextWidth(name) - width
	if over <= 0 {
		return name
	}
	mark := string(th.Glyphs.Ellipsis)
	over += raster.TextWidth(mark)
	for i, r := range name {
		if over <= 0 {
			return mark + name[i:]
		}
		over -= raster.TextWidth(string(r))
	}
	return mark
}

// Wrap breaks a text into lines of at most width columns: between words, but not between a number and its unit, and
// within words that are longer than a line, such as paths.
func Wrap(text string, width int) []string { return wrap(text, width, true) }

// WrapWords is Wrap, except that a word longer than a line gets a separate line, which terminals break, and from which
// paths can be copied.
func WrapWords(text string, width int) []string { return wrap(text, width, false) }

func wrap(text string, width int, within bool) []string {
	width = max(width, 1)
	var lines []string
	for _, para := range strings.Split(text, "\n") {
		line := ""
		for _, word := range words(para, width) {
			if line != "" && raster.TextWidth(line)+1+raster.TextWidth(word) <= width {
				line += " " + word
				continue
			}
			if line != "" {
				lines = append(lines, line)
			}
			for within {
				head := ansi.Truncate(begin(word, width), width, "")
				if head == "" || head == word {
					break // it fits, or begins with a character wider than the line
				}
				lines, word = append(lines, head), word[len(head):]
			}
			line = word
		}
		lines = append(lines, line)
	}
	return lines
}

// begin returns the start of a word that is wider than a line: lines must not each scan a megabyte.
func begin(word string, width int) string {
	const most = 16 // bytes of a column, as a rule
	if n := most * width; n < len(word) && raster.TextWidth(word[:n]) > width {
		return word[:n]
	}
	return word
}

// words returns the words of a text. A number and a short word after it, such as a unit, are one, if a line has room
// for both.
func words(text string, width int) []string {
	const longestUnit = 4
	list := strings.Fields(text)
	joined := list[:0]
	for _, word := range list {
		if n := len(joined); n > 0 && isNumber(joined[n-1]) &&
			utf8.RuneCountInString(strings.TrimRight(word, ",.;:)")) <= longestUnit {
			if both := joined[n-1] + " " + word; raster.TextWidth(both) <= width {
				joined[n-1] = both
				continue
			}
		}
		joined = append(joined, word)
	}
	return joined
}

// isNumber reports whether a word is a number, perhaps after a sign or a parenthesis.
func isNumber(word string) bool {
	word = strings.TrimLeft(word, "(+-")
	return word != "" && strings.Trim(word, "0123456789.,") == "" && word[len(word)-1] >= '0'
}

// DrawChosen prepares the selected line of a pane and returns its style: a bar if the pane has the focus.
func (th *Theme) DrawChosen(c raster.Canvas, focused bool) raster.Style {
	if !focused {
		return raster.Style{FG: th.Accent.FG, Attr: raster.Bold}
	}
	c.Fill(raster.Cell{Rune: ' ', Style: th.PopupSel})
	return th.PopupSel
}

// Cut shortens a text at its end to a width.
func (th *Theme) Cut(s string, width int) string {
	return ansi.Truncate(s, max(width, 0), string(th.Glyphs.Ellipsis))
}

// Clause shortens a text to a width at the end of one of its parts, if that leaves at least half of the width; else as
// Cut does.
func (th *Theme) Clause(s string, width int) string {
	cut := th.Cut(s, width)
	if cut == s {
		return s
	}
	at := 0
	for _, end := range [...]string{"; ", ", ", " · ", " - "} {
		at = max(at, strings.LastIndex(cut, end))
	}
	if 2*ansi.StringWidth(cut[:at]) < width {
		return cut
	}
	return cut[:at]
}

// ASCII replaces characters that a terminal without UTF-8 cannot show.
func (th *Theme) ASCII(s string) string {
	if th.Glyphs != raster.ASCII {
		return s
	}
	return asciiText.Replace(s)
}

var asciiText = strings.NewReplacer("≠", "!=", "←→", "Left/Right", "↑↓", "Up/Down", "←", "Left", "→", "Right", "↑",
	"Up", "↓", "Down",
	"…", "...", "·", "-", "⚠", "!", "▶", ">", "◀", "<", "Δ", "d=", "µ", "u", "▸", ">", "⇄", "<>", "–", "-", "│", "|",
	"◂", "<", "‹", "<", "›", ">")

// Line is a line of text in several styles.
type Line []Span

type Span struct {
	Text  string
	Style raster.Style
}

func (l Line) Plain() string {
	var b strings.Builder
	for _, s := range l {
		b.WriteString(s.Text)
	}
	return b.String()
}

// Break breaks a line that is wider than a width into several.
func (l Line) Break(width int) []Line {
	var lines []Line
	var now Line
	room := max(width, 1)
	for _, s := range l {
		for raster.TextWidth(s.Text) > room {
			head := ansi.Truncate(s.Text, room, "")
			if head == "" && len(now) == 0 {
				break // a character wider than the line
			}
			if head != "" {
				now = append(now, Span{head, s.Style})
			}
			lines, now, room, s.Text = append(lines, now), nil, max(width, 1), s.Text[len(head):]
		}
		now, room = append(now, s), room-raster.TextWidth(s.Text)
	}
	return append(lines, now)
}

// Draw writes the line and returns the column after it.
func (l Line) Draw(c raster.Canvas, x, y int) int {
	for _, s := range l {
		x = c.Text(x, y, s.Text, s.Style)
	}
	return x
}

// DrawScrollbar marks on the right edge of c which part of total lines is shown.
func DrawScrollbar(c raster.Canvas, top, shown, total int, th *Theme) {
	if total <= shown {
		return
	}
	size := max(1, c.H*shown/total)
	at := (c.H - size) * top / (total - shown)
	for y := range c.H {
		cell := c.At(c.W-1, y)
		cell.Rune = th.Glyphs.Track
		cell.FG, cell.Attr = th.Border.FG, cell.Attr&^raster.Bold
		if y >= at && y < at+size {
			cell.Rune = th.Glyphs.Thumb
		}
		c.Set(c.W-1, y, cell)
	}
}
