package vt

// Escape sequences: what each does to the screen, and what the terminal answers.

import (
	"bytes"
	"fmt"
	"image/color"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// esc carries out a sequence of ESC and a character.
func (s *Screen) esc(cmd ansi.Cmd) {
	if cmd.Intermediate() != 0 {
		if cmd.Intermediate() == '(' && cmd.Final() == 'B' {
			return // ASCII as the character set: nothing else is ever selected
		}
		s.unknown("ESC %c %c", cmd.Intermediate(), cmd.Final())
		return
	}
	switch cmd.Final() {
	case '7':
		s.saved = cursor{s.x, s.y, s.style}
	case '8':
		s.moveTo(s.saved.x, s.saved.y)
		s.style = s.saved.style
	case 'M':
		s.reverseLineFeed()
	case 'D':
		s.lineFeed()
	case 'E':
		s.x = 0
		s.lineFeed()
	case '\\', '=', '>': // end of a string; keypad modes
	default:
		s.unknown("ESC %c", cmd.Final())
	}
}

// numbersOf are the parameters of a CSI sequence.
type numbersOf ansi.Params

// at returns a parameter, or a default if it is missing; 0 counts as 1 if that is the default.
func (p numbersOf) at(i, missing int) int {
	v, _, _ := ansi.Params(p).Param(i, missing)
	if v == 0 && missing == 1 {
		return 1
	}
	return v
}

// csi carries out a sequence of ESC [, numbers and a character.
func (s *Screen) csi(cmd ansi.Cmd, p ansi.Params) {
	if cmd.Prefix() != 0 || cmd.Intermediate() != 0 {
		s.privateCSI(cmd, p)
		return
	}
	if do := csis[cmd.Final()]; do != nil {
		do(s, numbersOf(p))
	} else {
		s.unknown("CSI %s %c", numbers(p), cmd.Final())
	}
}

// csis are the CSI sequences by their last character.
var csis = map[byte]func(s *Screen, p numbersOf){
	'A': func(s *Screen, p numbersOf) { s.moveTo(s.x, s.y-p.at(0, 1)) },
	'B': (*Screen).down, 'e': (*Screen).down,
	'C': (*Screen).right, 'a': (*Screen).right,
	'D': func(s *Screen, p numbersOf) { s.moveTo(s.x-p.at(0, 1), s.y) },
	'E': func(s *Screen, p numbersOf) { s.moveTo(0, s.y+p.at(0, 1)) },
	'F': func(s *Screen, p numbersOf) { s.moveTo(0, s.y-p.at(0, 1)) },
	'G': (*Screen).toColumn, '`': (*Screen).toColumn,
	'H': (*Screen).toPlace, 'f': (*Screen).toPlace,
	'd': func(s *Screen, p numbersOf) { s.moveTo(s.x, p.at(0, 1)-1) },
	'I': func(s *Screen, p numbersOf) { s.moveTo((s.x/8+p.at(0, 1))*8, s.y) },
	'Z': func(s *Screen, p numbersOf) { s.moveTo(((s.x+7)/8-p.at(0, 1))*8, s.y) },
	'J': func(s *Screen, p numbersOf) { s.eraseDisplay(p.at(0, 0)) },
	'K': func(s *Screen, p numbersOf) { s.eraseLine(p.at(0, 0)) },
	'L': func(s *Screen, p numbersOf) { s.deleteLines(-p.at(0, 1)) },
	'M': func(s *Screen, p numbersOf) { s.deleteLines(p.at(0, 1)) },
	'P': func(s *Screen, p numbersOf) { s.shift(-p.at(0, 1)) },
	'@': func(s *Screen, p numbersOf) { s.shift(p.at(0, 1)) },
	'X': func(s *Screen, p numbersOf) {
		s.clear(s.y, s.x, s.x+p.at(0, 1))
		s.wrapPending = false
	},
	'S': func(s *Screen, p numbersOf) { s.scroll(s.top, s.bottom, p.at(0, 1)) },
	'T': func(s *Screen, p numbersOf) { s.scroll(s.top, s.bottom, -p.at(0, 1)) },
	'b': func(s *Screen, p numbersOf) {
		for range p.at(0, 1) {
			s.print([]rune(s.last)[0])
		}
	},
	'm': func(s *Screen, p numbersOf) { s.restyle(ansi.Params(p)) },
	'r': (*Screen).setRegion,
	's': func(s *Screen, _ numbersOf) { s.saved = cursor{s.x, s.y, s.style} },
	'u': func(s *Screen, _ numbersOf) { s.moveTo(s.saved.x, s.saved.y) },
	'c': func(s *Screen, _ numbersOf) {
		if s.Pixels == "sixel" {
			s.reply("\x1b[?62;4;22c")
		} else {
			s.reply("\x1b[?62;22c")
		}
	},
	'n': func(s *Screen, p numbersOf) {
		if p.at(0, 0) == 6 {
			s.reply("\x1b[%d;%dR", s.y+1, s.x+1)
		}
	},
	't': func(s *Screen, p numbersOf) { // window operations: one query is answered, the others are ignored
		if p.at(0, 0) == 16 && s.Pixels != "" {
			s.reply("\x1b[6;%d;%dt", s.CellHeight, s.CellWidth)
		}
	},
}

func (s *Screen) down(p numbersOf)     { s.moveTo(s.x, s.y+p.at(0, 1)) }
func (s *Screen) right(p numbersOf)    { s.moveTo(s.x+p.at(0, 1), s.y) }
func (s *Screen) toColumn(p numbersOf) { s.moveTo(p.at(0, 1)-1, s.y) }
func (s *Screen) toPlace(p numbersOf)  { s.moveTo(p.at(1, 1)-1, p.at(0, 1)-1) }

// setRegion sets the scrolling region; one of less than two rows is the whole screen.
func (s *Screen) setRegion(p numbersOf) {
	s.top, s.bottom = p.at(0, 1)-1, min(p.at(1, s.Rows), s.Rows)
	if s.top >= s.bottom-1 {
		s.top, s.bottom = 0, s.Rows
	}
	s.moveTo(0, 0)
}

// deleteLines deletes n lines from the cursor's on, or inserts lines if n is negative.
func (s *Screen) deleteLines(n int) {
	if s.y >= s.top && s.y < s.bottom {
		s.scroll(s.y, s.bottom, n)
		s.moveTo(0, s.y)
	}
}

// privateCSI carries out the sequences with a prefix or an intermediate character.
func (s *Screen) privateCSI(cmd ansi.Cmd, p ansi.Params) {
	first, _, _ := p.Param(0, 0)
	key := string(cmd.Final())
	if cmd.Intermediate() != 0 {
		key = string(cmd.Intermediate()) + key
	}
	if cmd.Prefix() != 0 {
		key = string(cmd.Prefix()) + key
	}
	switch key {
	case "?h", "?l":
		p.ForEach(0, func(_, mode int, _ bool) { s.setMode(mode, key == "?h") })
	case "?$p": // is this mode known?
		setting := 0
		if slices.Contains(knownModes, first) {
			setting = 2
			if s.Modes[first] {
				setting = 1
			}
		}
		s.reply("\x1b[?%d;%d$y", first, setting)
	case "?u":
		if s.Kitty {
			s.reply("\x1b[?%du", s.keyboard())
		}
	case ">u":
		s.Keyboard = append(s.Keyboard, first)
	case "<u":
		n := max(first, 1)
		s.Keyboard = s.Keyboard[:max(0, len(s.Keyboard)-n)]
	case "=u":
		if len(s.Keyboard) == 0 {
			s.Keyboard = []int{0}
		}
		s.Keyboard[len(s.Keyboard)-1] = first
	case ">m":
		level, _, _ := p.Param(1, 0)
		s.ModifyOtherKeys = level
	case ">q":
		s.reply("\x1bP>|pview-vt\x1b\\")
	case " q", "?W": // shape of the cursor; tab stops every eight columns
	case "?J", "?K":
		s.unknown("selective erase CSI %s", key)
	default:
		s.unknown("CSI %s with %s", key, numbers(p))
	}
}

func (s *Screen) keyboard() int {
	if len(s.Keyboard) == 0 {
		return 0
	}
	return s.Keyboard[len(s.Keyboard)-1]
}

// knownModes are the modes that the terminal says it knows.
var knownModes = []int{1, 7, ModeCursor, 1000, 1002, 1003, 1004, 1006, ModeAltScreen, ModeBracketPaste, ModeSync, 2027}

func (s *Screen) setMode(mode int, on bool) {
	if !slices.Contains(knownModes, mode) {
		s.unknown("mode %d", mode)
	}
	if mode == ModeAltScreen {
		s.alternate(on)
	}
	if on {
		s.Modes[mode] = true
	} else {
		delete(s.Modes, mode)
	}
}

func (s *Screen) eraseDisplay(what int) {
	switch what {
	case 0:
		s.clear(s.y, s.x, s.Columns)
		s.clearRows(s.y+1, s.Rows)
	case 1:
		s.clearRows(0, s.y)
		s.clear(s.y, 0, s.x+1)
	case 2, 3:
		s.clearRows(0, s.Rows)
	}
	s.wrapPending = false
}

func (s *Screen) eraseLine(what int) {
	switch what {
	case 0:
		s.clear(s.y, s.x, s.Columns)
	case 1:
		s.clear(s.y, 0, s.x+1)
	case 2:
		s.clear(s.y, 0, s.Columns)
	}
	s.wrapPending = false
}

// osc carries out an operating system command: titles, colours.
func (s *Screen) osc(cmd int, data []byte) {
	_, text, _ := strings.Cut(string(data), ";")
	background, foreground := "rgb:1e1e/1e1e/1e1e", "rgb:d0d0/d0d0/d0d0"
	if !s.Dark {
		background, foreground = "rgb:ffff/ffff/ffff", "rgb:2020/2020/2020"
	}
	switch {
	case cmd == 0 || cmd == 2:
		s.Title = text
	case cmd == 10 && text == "?":
		s.reply("\x1b]10;%s\x1b\\", foreground)
	case cmd == 11 && text == "?":
		s.reply("\x1b]11;%s\x1b\\", background)
	case cmd == 12 && text == "?":
		s.reply("\x1b]12;%s\x1b\\", foreground)
	case cmd >= 110 && cmd <= 112, cmd == 9: // colours back to their own; progress in the task bar
	default:
		s.unknown("OSC %q", data)
	}
}

// dcs answers a device control string: a query of the terminal's abilities.
func (s *Screen) dcs(cmd ansi.Cmd, _ ansi.Params, data []byte) {
	if cmd.Final() == 'q' && cmd.Intermediate() == 0 && s.Pixels == "sixel" {
		s.sixel(data)
		return
	}
	if cmd.Intermediate() == '+' && cmd.Final() == 'q' {
		s.reply("\x1bP0+r%s\x1b\\", bytes.ToUpper(data)) // no such ability
		return
	}
	s.unknown("DCS %q", data)
}

// restyle carries out SGR, which sets the look of the next characters.
func (s *Screen) restyle(p ansi.Params) {
	if len(p) == 0 {
		s.style = Style{}
		return
	}
	for i := 0; i < len(p); i++ {
		v, more, _ := p.Param(i, 0)
		switch {
		case v == 0:
			s.style = Style{}
		case v == 38 || v == 48 || v == 58:
			c, used := sgrColor(p[i:])
			if used == 0 {
				s.unknown("colour in SGR %s", numbers(p))
				return
			}
			switch v {
			case 38:
				s.style.Fg = c
			case 48:
				s.style.Bg = c
			}
			i += used - 1
		case v == 4 && more:
			shape, _, _ := p.Param(i+1, 0)
			s.style.Underline = shape != 0
			i++
		default:
			s.attribute(v, p)
		}
	}
}

// attribute carries out one number of SGR that takes no others.
func (s *Screen) attribute(v int, p ansi.Params) {
	st := &s.style
	switch {
	case v >= 30 && v <= 37:
		st.Fg = ansi.BasicColor(v - 30)
	case v >= 40 && v <= 47:
		st.Bg = ansi.BasicColor(v - 40)
	case v >= 90 && v <= 97:
		st.Fg = ansi.BasicColor(v - 90 + 8)
	case v >= 100 && v <= 107:
		st.Bg = ansi.BasicColor(v - 100 + 8)
	case v == 39:
		st.Fg = nil
	case v == 49:
		st.Bg = nil
	case v == 59:
	case v == 22:
		st.Bold, st.Faint = false, false
	default:
		on := map[int]*bool{1: &st.Bold, 2: &st.Faint, 3: &st.Italic, 4: &st.Underline, 5: &st.Blink, 7: &st.Reverse,
			8: &st.Conceal, 9: &st.Strike}
		if b := on[v]; b != nil {
			*b = true
		} else if b := on[v-20]; b != nil {
			*b = false
		} else {
			s.unknown("SGR %s", numbers(p))
		}
	}
}

// sgrColor reads a colour of the form 38;5;N or 38;2;R;G;B, or the same with colons. It returns how many numbers it
// read, 0 if they are no colour.
func sgrColor(p ansi.Params) (c color.Color, used int) {
	kind, colons, _ := p.Param(1, 0)
	value := func(i int) uint8 { v, _, _ := p.Param(i, 0); return uint8(v) }
	switch {
	case kind == 5 && len(p) >= 3:
		return ansi.IndexedColor(value(2)), 3
	case kind == 2 && colons:
		end := 1
		for end < len(p) && p[end].HasMore() {
			end++
		}
		if end < 4 {
			return nil, 0
		}
		return color.RGBA{value(end - 2), value(end - 1), value(end), 255}, end + 1
	case kind == 2 && len(p) >= 5:
		return color.RGBA{value(2), value(3), value(4), 255}, 5
	}
	return nil, 0
}

func numbers(p ansi.Params) string {
	var list []string
	p.ForEach(-1, func(_, v int, _ bool) { list = append(list, fmt.Sprint(v)) })
	return strings.Join(list, ";")
}
