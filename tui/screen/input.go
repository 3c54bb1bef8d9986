package screen

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// Bubble Tea 2.0.9 decodes its input 50 ms after the last byte, complete or not. Half a mark of a bracketed paste then
// becomes text; and since an open paste takes everything that follows, and an open control string everything until its
// end, Ctrl+C is lost with the other keys. So the viewer reads its terminal through Input, which passes on whole marks,
// pastes without control characters, and every Ctrl+C.

// Input returns the terminal for the program to read; r is nil for the process's own.
func Input(r io.Reader) io.Reader {
	if r == nil {
		r = os.Stdin
		if !term.IsTerminal(os.Stdin.Fd()) {
			in, err := os.Open("/dev/tty")
			if err != nil {
				return nil // Bubble Tea reports it
			}
			r = in
		}
	}
	if f, ok := r.(*os.File); ok { // its descriptor is polled, and set to raw mode
		return &fileInput{f, term.IsTerminal(f.Fd()), input{}}
	}
	return &plainInput{r, input{}}
}

type fileInput struct {
	*os.File
	terminal bool
	input
}

// errGone ends a viewer that SIGHUP does not end, as under nohup: nobody can use it without a terminal.
var errGone = errors.New("the terminal is gone")

func (f *fileInput) Read(p []byte) (int, error) {
	n, err := f.read(f.File, p)
	if f.terminal && err == io.EOF { // Bubble Tea would continue without input
		err = errGone
	}
	return n, err
}

type plainInput struct {
	io.Reader
	input
}

func (f *plainInput) Read(p []byte) (int, error) { return f.read(f.Reader, p) }

// input tracks the state of the terminal's bytes.
type input struct {
	held    []byte    // the last bytes, which may start a mark or a character
	passed  int       // bytes of held that were passed on: Esc and Alt+[ are keys
	pasting bool      // a paste is open
	pasted  int       // bytes of the paste that were passed on
	escape  bool      // the last byte was Esc
	text    byte      // introducer of the open control string, as in ESC ]; 0 for none
	last    time.Time // of the last read
}

const (
	// keyPatience is the pause after which the decoder accepts an incomplete sequence.
	keyPatience = 45 * time.Millisecond
	// pastePatience is the pause after which a key ends a paste whose end is missing.
	pastePatience = 2 * time.Second
	longestKey    = 8       // bytes
	longestPaste  = 1 << 16 // bytes: lines of the viewer are shorter
	growth        = 4       // bytes passed on per byte read, at most
)

const ctrlC = 3

var pasteStart, pasteEnd = []byte(ansi.BracketedPasteStart), []byte(ansi.BracketedPasteEnd)

func (f *input) read(r io.Reader, p []byte) (int, error) {
	buf := make([]byte, max(len(p)/growth-len(pasteEnd), 1))
	n, err := r.Read(buf)
	return copy(p, f.pass(buf[:n], time.Now())), err
}

// pass returns the bytes for the program from one read.
func (f *input) pass(read []byte, now time.Time) (out []byte) {
	pause := now.Sub(f.last)
	f.last = now
	b := slices.Concat(f.held, read)
	f.held = nil
	if pause > keyPatience {
		f.escape, f.text = false, 0
	}
	if f.pasting && endless(b, read, pause) {
		out, b, f.pasting = append(out, pasteEnd...), read, false
	}
	for len(b) > 0 {
		if f.pasting {
			out, b = f.paste(out, b)
		} else {
			out, b = f.keys(out, b, pause)
		}
	}
	return out
}

// endless reports whether the bytes read in an open paste are keys of a user who waits for its end: Ctrl+C, or after a
// pause any key, or several that start with an escape sequence, which never continues a paste.
func endless(b, read []byte, pause time.Duration) bool {
	if len(bytes.Trim(read, "\x03")) == 0 {
		return len(read) > 0
	}
	keys := len(read) <= longestKey || read[0] == ansi.ESC
	return pause > pastePatience && keys && !bytes.Contains(b, pasteEnd) && !bytes.HasPrefix(pasteEnd, b)
}

// paste passes on the text of a paste up to its end, with blanks for control characters and invalid bytes.
func (f *input) paste(out, b []byte) (passed, rest []byte) {
	for len(b) > 0 {
		if bytes.HasPrefix(b, pasteEnd) {
			f.pasting = false
			return append(out, pasteEnd...), b[len(pasteEnd):]
		}
		if bytes.HasPrefix(pasteEnd, b) || !utf8.FullRune(b) {
			f.held = b
			return out, nil
		}
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 || unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' {
			r = ' '
		}
		if f.pasted += n; f.pasted <= longestPaste {
			out = utf8.AppendRune(out, r)
		}
		b = b[n:]
	}
	return out, nil
}

// keys passes on keys up to the start of a paste.
func (f *input) keys(out, b []byte, pause time.Duration) (passed, rest []byte) {
	done := f.passed
	f.passed = 0
	for i, c := range b {
		part := b[i:]
		switch {
		case c == ansi.ESC && bytes.HasPrefix(part, pasteStart):
			if out = f.endText(out); pause > keyPatience || i > 0 {
				done = 0
			}
			f.pasting, f.pasted = true, 0
			return append(out, pasteStart[done:]...), part[len(pasteStart):]
		case c == ansi.ESC && bytes.HasPrefix(pasteStart, part):
			if i > 0 {
				done = 0
			}
			if f.held = part; len(part) <= len("\x1b[") && f.text == 0 {
				out = append(out, part[done:]...)
				f.escape, done = len(part) == 1, len(part)
			}
			f.passed = done
			return out, nil
		case i < done:
			continue
		case c == ctrlC:
			out = f.endText(out)
		case c == ansi.ESC, c == ansi.CAN, c == ansi.SUB, c == ansi.BEL && f.text == ']':
			f.text = 0
		case f.escape && bytes.IndexByte([]byte("]P_^X"), c) >= 0:
			f.text = c
		}
		f.escape = c == ansi.ESC
		out = append(out, c)
	}
	return out, nil
}

// endText ends an open control string.
func (f *input) endText(out []byte) []byte {
	switch f.text {
	case 0:
	case 'P': // the decoder knows no CAN there
		out = append(out, "\x1b\\"...)
	default:
		out = append(out, ansi.CAN)
	}
	f.text, f.escape = 0, false
	return out
}
