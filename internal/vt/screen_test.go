package vt

import (
	"bytes"
	"image/color"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// What sequences do to a screen of ten columns and four rows; "/" separates rows
// and rows below the last text are left out.
func TestSequences(t *testing.T) {
	const numbered = "\x1b[H1\r\n2\r\n3\r\n4"
	tests := []struct{ name, sent, want string }{
		{"text", "hello", "hello"},
		{"wrapping", "0123456789ab", "0123456789/ab"},
		{"last column", "0123456789\rx", "x123456789"},
		{"no wrapping", "\x1b[?7l0123456789ab", "012345678b"},
		{"scrolling by text", numbered + "\n5", "2/3/4/ 5"},
		{"wide characters", "a幅b", "a幅b"},
		{"wide character at the edge", "012345678幅", "012345678/幅"},
		{"half of a wide character overwritten", "幅b\rx", "x b"},
		{"combining", "e\u0301x", "e\u0301x"},
		{"backspace and tab", "abc\bX\tY", "abX     Y"},
		{"cursor", "\x1b[2;3Hx\x1b[1;1Hy\x1b[4Gz\x1b[3dw", "y  z/  x/    w"},
		{"relative cursor", "\x1b[2B\x1b[3Cx\x1b[A\x1b[2Dy", "/  y/   x"},
		{"out of the screen", "\x1b[99;99Hx\x1b[99A\x1b[99Dy", "y///         x"},
		{"erase to the right", "hello\x1b[3G\x1b[K", "he"},
		{"erase to the left", "hello\x1b[3G\x1b[1K", "   lo"},
		{"erase below", numbered + "\x1b[2;1H\x1b[J", "1"},
		{"erase characters", "hello\x1b[2G\x1b[3X", "h   o"},
		{"delete characters", "hello\x1b[2G\x1b[2P", "hlo"},
		{"insert characters", "hello\x1b[2G\x1b[2@", "h  ello"},
		{"insert lines", numbered + "\x1b[2;1H\x1b[L", "1//2/3"},
		{"delete lines", numbered + "\x1b[2;1H\x1b[M", "1/3/4"},
		{"scroll up", numbered + "\x1b[S", "2/3/4"},
		{"scroll down", numbered + "\x1b[T", "/1/2/3"},
		{"scrolling region", numbered + "\x1b[2;3r\x1b[3;1H\n", "1/3//4"},
		{"reverse line feed", numbered + "\x1b[2;3r\x1b[2;1H\x1bM", "1//2/4"},
		{"repeat", "ab\x1b[3b", "abbbb"},
		{"save and restore", "ab\x1b7cd\x1b8X", "abXd"},
		{"alternate screen", "main\x1b[?1049hother\x1b[?1049l!", "main!"},
		{"alternate screen, inside", "main\x1b[?1049h\x1b[Hother", "other"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := NewScreen(10, 4)
			s.Write([]byte(test.sent))
			got := strings.TrimRight(strings.ReplaceAll(s.Text(), "\n", "/"), "/")
			if got != test.want {
				t.Errorf("shows %q, want %q", got, test.want)
			}
			if len(s.Unknown) > 0 {
				t.Errorf("did not understand %q", s.Unknown)
			}
		})
	}
}

func TestStyles(t *testing.T) {
	s := NewScreen(20, 1)
	s.Write([]byte("\x1b[1;31ma\x1b[22;38;5;200mb\x1b[38;2;1;2;3;48:2::4:5:6mc\x1b[0;7md\x1b[4:3me\x1b[mf"))
	want := []Style{
		{Fg: ansi.BasicColor(1), Bold: true},
		{Fg: ansi.IndexedColor(200)},
		{Fg: color.RGBA{1, 2, 3, 255}, Bg: color.RGBA{4, 5, 6, 255}},
		{Reverse: true},
		{Reverse: true, Underline: true},
		{},
	}
	for x, w := range want {
		if got := s.At(x, 0).Style; got != w {
			t.Errorf("%s has %+v, want %+v", s.At(x, 0).Text, got, w)
		}
	}
}

// The terminal answers Bubble Tea's queries, and remembers the settings it was given.
func TestQuestionsAndModes(t *testing.T) {
	var replies bytes.Buffer
	s := NewScreen(10, 4)
	s.Reply, s.Kitty = &replies, true
	s.Write([]byte("ab\x1b[6n\x1b]11;?\a\x1b[?2026$p\x1b[?u\x1b[c"))
	if got, want := replies.String(),
		"\x1b[1;3R\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\\x1b[?2026;2$y\x1b[?0u\x1b[?62;22c"; got != want {
		t.Errorf("it answers %q, want %q", got, want)
	}
	s.Write([]byte("\x1b[?25l\x1b[?1006h\x1b[>5u\x1b]2;title\a"))
	if s.Modes[ModeCursor] || !s.Modes[1006] || len(s.Keyboard) != 1 || s.Title != "title" {
		t.Errorf("modes %v, keyboard %v, title %q", s.Modes, s.Keyboard, s.Title)
	}
	s.Write([]byte("\x1b[<u"))
	if len(s.Keyboard) != 0 {
		t.Errorf("keyboard %v after it was popped", s.Keyboard)
	}
}

// Unknown sequences are recorded, not guessed.
func TestUnknown(t *testing.T) {
	s := NewScreen(10, 4)
	s.Write([]byte("a\x1b[12y\x1b[?4711h\x1b[12yb"))
	if got := s.Text(); !strings.HasPrefix(got, "ab\n") {
		t.Errorf("shows %q", got)
	}
	if len(s.Unknown) != 2 {
		t.Errorf("unknown are %q, want two", s.Unknown)
	}
}

func TestResize(t *testing.T) {
	s := NewScreen(10, 4)
	s.Write([]byte("0123456789\r\nabc\x1b[4;1Hd"))
	s.Resize(5, 3)
	if got, want := s.Text(), "01234\nabc\n"; got != want {
		t.Errorf("shows %q, want %q", got, want)
	}
	s.Resize(7, 4)
	s.Write([]byte("\x1b[1;7Hx"))
	if got, want := s.Text(), "01234 x\nabc\n\n"; got != want {
		t.Errorf("shows %q, want %q", got, want)
	}
}

// A character of two columns does not fit on a screen of one.
func TestNoRoomForWide(t *testing.T) {
	s := NewScreen(1, 2)
	s.Write([]byte("\xe5\xb9\x85a"))
	if got, want := s.Text(), "a\n"; got != want {
		t.Errorf("shows %q, want %q", got, want)
	}
}
