package dialog

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"pview/tui/raster"
)

// Input is a line of text that is being edited: the keys of readline, and paste.
type Input struct {
	text []rune
	at   int // where the next character goes
}

func NewInput(text string) Input { return Input{text: []rune(text), at: len([]rune(text))} }

func (in *Input) String() string { return string(in.text) }

func (in *Input) Set(text string) { *in = NewInput(text) }

// LongestInput bounds what is typed or pasted: no path and no command is longer.
const LongestInput = 4096

// insert puts text at the cursor. Line ends and other control characters of a
// paste become blanks.
func (in *Input) insert(text string) {
	var add []rune
	for _, r := range text {
		if len(in.text)+len(add) >= LongestInput {
			break
		}
		if unicode.IsControl(r) {
			r = ' '
		}
		add = append(add, r)
	}
	rest := append(add, in.text[in.at:]...)
	in.text = append(in.text[:in.at:in.at], rest...)
	in.at += len(add)
}

// key edits the text; it returns false for keys that are not its own.
func (in *Input) key(k tea.KeyPressMsg) bool {
	switch s := k.String(); s {
	case "left", "ctrl+b":
		in.at = max(in.at-1, 0)
	case "right", "ctrl+f":
		in.at = min(in.at+1, len(in.text))
	case "home", "ctrl+a":
		in.at = 0
	case "end", "ctrl+e":
		in.at = len(in.text)
	case "ctrl+left", "alt+b", "alt+left":
		in.at = in.wordBefore()
	case "ctrl+right", "alt+f", "alt+right":
		in.at = in.wordAfter()
	case "backspace", "ctrl+h":
		in.cut(max(in.at-1, 0), in.at)
	case "delete", "ctrl+d":
		in.cut(in.at, min(in.at+1, len(in.text)))
	case "ctrl+w", "alt+backspace", "ctrl+backspace":
		in.cut(in.wordBefore(), in.at)
	case "ctrl+u":
		in.cut(0, in.at)
	case "ctrl+k":
		in.cut(in.at, len(in.text))
	default:
		if s == "space" || s == "shift+space" {
			in.insert(" ")
		} else if k.Text != "" {
			in.insert(k.Text)
		} else {
			return false
		}
	}
	return true
}

func (in *Input) cut(from, to int) {
	in.text = append(in.text[:from:from], in.text[to:]...)
	in.at = from
}

func (in *Input) wordBefore() int {
	i := in.at
	for i > 0 && in.text[i-1] == ' ' {
		i--
	}
	for i > 0 && in.text[i-1] != ' ' {
		i--
	}
	return i
}

func (in *Input) wordAfter() int {
	i := in.at
	for i < len(in.text) && in.text[i] == ' ' {
		i++
	}
	for i < len(in.text) && in.text[i] != ' ' {
		i++
	}
	return i
}

// draw writes the text on line 0 of c and returns the column of the cursor. A
// text that is too long is moved so that the cursor can be seen.
func (in *Input) draw(c raster.Canvas, st raster.Style) int {
	before := raster.TextWidth(string(in.text[:in.at]))
	shift := max(0, before-(c.W-1))
	c.Text(-shift, 0, string(in.text)+strings.Repeat(" ", max(c.W, 0)), st)
	return before - shift
}
