// Package vt is a terminal without a window: it reads a program's output and keeps the screen that a person would see.
// The end-to-end tests read it, and the pictures in docs/ are made from it.
//
// It understands what Bubble Tea sends to an xterm. It records unknown sequences (Screen.Unknown) rather than guess:
// tests can fail on them.
//
// github.com/charmbracelet/x/vt (v0.1.0) was tried in its place. It passes 28 of the 29 sequences of TestSequences: it
// loses a wide character at the end of a line. But it has no synchronised output (mode 2026), kitty keyboard, kitty
// pictures or sixels, answers no queries about its name or abilities, and Write blocks until another goroutine reads
// the answer to a query. Tests need all of these, so most of this package would stay.
package vt

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Style is the look of a cell. A nil colour is the terminal's own.
type Style struct {
	Fg, Bg                                                          color.Color
	Bold, Faint, Italic, Underline, Blink, Reverse, Conceal, Strike bool
}

// Cell is one character position.
type Cell struct {
	Text  string // the character with what combines with it; "" in the right half of a wide one
	Style Style
}

// Screen is a terminal of a fixed number of columns and rows. It is for one
// goroutine at a time.
type Screen struct {
	Columns, Rows int
	// Reply receives the terminal's answers to the program's queries; nil: the terminal never answers.
	Reply io.Writer
	// Dark says that the terminal reports a dark background when asked.
	Dark bool
	// Kitty says that the terminal knows kitty's keyboard protocol. Keys must then
	// be sent as Keyboard says.
	Kitty bool

	// Pixels says how the terminal draws pictures: "kitty", "sixel" or "", not at all. Its cells then have CellWidth x
	// CellHeight pixels.
	Pixels                string
	CellWidth, CellHeight int
	// Pictures are those on the screen, by kitty's number or, with sixels, by place.
	Pictures map[string]Picture
	// PictureBytes counts the bytes of the last picture.
	PictureBytes int
	upload       []byte // of a kitty picture that comes in parts
	uploadOf     map[string]string

	// Unknown are the sequences that were not understood, each once.
	Unknown []string
	// Sequences counts the escape sequences that were sent.
	Sequences int
	// Title is the window's.
	Title string
	// Modes are the DEC private modes that are set, 1049 (alternate screen) and 25
	// (cursor shown) among them.
	Modes map[int]bool
	// Keyboard is the stack of the kitty keyboard protocol's flags, and the level of
	// xterm's modifyOtherKeys.
	Keyboard        []int
	ModifyOtherKeys int

	parser      *ansi.Parser
	cells       []Cell // of the screen in use, row by row
	other       []Cell // of the one that is not
	x, y        int
	wrapPending bool // a character is in the last column; the next one goes to the next line
	style       Style
	saved       cursor
	savedMain   cursor // at the switch to the alternate screen
	top, bottom int    // scrolling region, rows top .. bottom-1
	last        string // the last character printed, for REP
}

type cursor struct {
	x, y  int
	style Style
}

// Numbers of the modes that the tests ask for.
const (
	ModeCursor       = 25
	ModeAltScreen    = 1049
	ModeBracketPaste = 2004
	ModeSync         = 2026
)

// NewScreen returns an empty screen with the cursor shown in its upper left
// corner.
func NewScreen(columns, rows int) *Screen {
	s := &Screen{
		Columns: columns, Rows: rows, Dark: true,
		Modes: map[int]bool{ModeCursor: true, 7: true},
		cells: make([]Cell, columns*rows), other: make([]Cell, columns*rows),
		bottom: rows, parser: ansi.NewParser(), Pictures: map[string]Picture{},
	}
	s.parser.SetDataSize(1 << 20) // a picture in sixels
	s.parser.SetHandler(ansi.Handler{
		Print: s.print, Execute: s.execute, HandleCsi: s.csi, HandleEsc: s.esc,
		HandleOsc: s.osc, HandleDcs: s.dcs,
		HandleApc: s.apc,
		HandlePm:  func(data []byte) { s.unknown("PM %q", data) },
		HandleSos: func(data []byte) { s.unknown("SOS %q", data) },
	})
	return s
}

// Write takes output of the program.
func (s *Screen) Write(p []byte) (int, error) {
	s.Sequences += bytes.Count(p, []byte{0x1b})
	for _, b := range p {
		s.parser.Advance(b)
	}
	return len(p), nil
}

// Resize changes the size like a terminal without reflow: it cuts off what no longer fits.
func (s *Screen) Resize(columns, rows int) {
	resized := func(old []Cell) []Cell {
		cells := make([]Cell, columns*rows)
		for y := range min(rows, s.Rows) {
			copy(cells[y*columns:(y+1)*columns], old[y*s.Columns:y*s.Columns+min(columns, s.Columns)])
		}
		return cells
	}
	s.cells, s.other = resized(s.cells), resized(s.other)
	s.Columns, s.Rows = columns, rows
	s.top, s.bottom = 0, rows
	s.moveTo(s.x, s.y)
}

// At returns the cell at a column and a row, from 0.
func (s *Screen) At(x, y int) Cell { return s.cells[y*s.Columns+x] }

// Cursor returns where the cursor is, from 0.
func (s *Screen) Cursor() (x, y int) { return s.x, s.y }

// Line returns the text of a row, without the blanks at its end.
func (s *Screen) Line(y int) string {
	var b strings.Builder
	for x := 0; x < s.Columns; x++ {
		text := s.At(x, y).Text
		if text == "" {
			text = " "
		}
		b.WriteString(text)
		x += max(ansi.StringWidth(text), 1) - 1
	}
	return strings.TrimRight(b.String(), " ")
}

// Text returns the text of the screen, a line per row.
func (s *Screen) Text() string {
	lines := make([]string, s.Rows)
	for y := range lines {
		lines[y] = s.Line(y)
	}
	return strings.Join(lines, "\n")
}

func (s *Screen) unknown(format string, args ...any) {
	what := fmt.Sprintf(format, args...)
	for _, u := range s.Unknown {
		if u == what {
			return
		}
	}
	s.Unknown = append(s.Unknown, what)
}

func (s *Screen) reply(format string, args ...any) {
	if s.Reply != nil {
		fmt.Fprintf(s.Reply, format, args...)
	}
}
