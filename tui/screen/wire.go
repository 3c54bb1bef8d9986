package screen

import (
	"bytes"
	"io"
	"math"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"pview/render/raster"
)

// Wire is the way from the program to the terminal.
//
// Bubble Tea's renderer sends cells that differ; it does not know that a panned picture only moves, and takes 30 KB
// where 2 KB suffice. So it keeps what it is good at (the modes of the terminal, the text cursor, suspending and
// restoring) and renders a blank screen, and the pictures bypass it through Delta. Both write through the wire, one at
// a time. The pictures leave the cursor in place; when the renderer clears the screen, at the start, after a resize and
// after a suspension, the wire sends its picture again.
//
// A separate goroutine sends the pictures: a slow terminal gets fewer pictures, and the program does not wait.
type Wire struct {
	out   io.Writer
	outMu sync.Mutex // held while writing

	mu      sync.Mutex // guards the rest; not held while writing
	delta   Delta
	next    raster.Canvas
	plots   []Plot // in next
	sent    []Plot // in the picture sent last
	fresh   bool   // next was not sent yet
	active  bool   // the alternate screen is on
	cursor  bool   // the text cursor is shown
	sync    bool   // the terminal shows everything between two marks at once
	shifts  []Shift
	images  images
	buf     []byte
	wake    chan struct{}
	closing chan struct{}
}

// Plot is a part of the screen that shows an interval of time: if the interval moves, so does the part.
type Plot struct {
	ID         int
	Part       raster.Rect
	Begin, End int64
}

const framePause = time.Second / 60

// NewWire returns a wire to the terminal of an environment. Pictures need Send to run.
func NewWire(out io.Writer, env []string) *Wire {
	w := &Wire{out: out, wake: make(chan struct{}, 1), closing: make(chan struct{})}
	w.delta.Erase = terminalErases(lookup(env, "TERM"))
	return w
}

// Bubble Tea writes to Output. It is a file if the terminal is one: Bubble Tea asks it for its size and modes.
func (w *Wire) Output() io.Writer {
	if f, ok := w.out.(term.File); ok {
		return wireFile{f, w}
	}
	return w
}

// terminalErases reports whether erased cells take the background colour: in all terminals but GNU screen.
func terminalErases(name string) bool { return !strings.HasPrefix(name, "screen") }

// Close ends sending.
func (w *Wire) Close() { close(w.closing) }

// Show makes c the picture to show.
func (w *Wire) Show(c raster.Canvas, p raster.Profile, plots []Plot, cursor bool) {
	w.mu.Lock()
	if w.next.W != c.W || w.next.H != c.H {
		w.next.Resize(c.W, c.H)
	}
	w.next.CopyFrom(c)
	if w.delta.Profile != p {
		w.delta.Profile = p
		w.delta.Forget()
	}
	w.plots = append(w.plots[:0], plots...)
	w.fresh, w.cursor = true, cursor
	w.mu.Unlock()
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// Send sends pictures, at most 60 per second, until the wire is closed.
func (w *Wire) Send() {
	for {
		select {
		case <-w.wake:
		case <-w.closing:
			return
		}
		w.Flush()
		time.Sleep(framePause)
	}
}

// Flush sends the picture if it is new.
func (w *Wire) Flush() {
	w.outMu.Lock()
	w.flush()
	w.outMu.Unlock()
}

// flush is Flush with outMu held.
func (w *Wire) flush() {
	w.mu.Lock()
	if !w.active || !w.fresh {
		w.mu.Unlock()
		return
	}
	w.fresh = false
	if w.images.uncovers() {
		w.delta.Forget() // redraw what a picture has hidden
	}
	w.buf = w.frame(w.buf[:0])
	w.sent = append(w.sent[:0], w.plots...)
	todo := w.images.take()
	w.mu.Unlock()
	w.buf = todo.append(w.buf)
	if len(w.buf) > 0 {
		w.out.Write(w.buf) // Bubble Tea's writes report the same error
	}
}

// frame appends the bytes that show the picture, without moving the cursor.
func (w *Wire) frame(dst []byte) []byte {
	start := len(dst)
	if w.sync {
		dst = append(dst, "\x1b[?2026h"...)
	}
	if w.cursor {
		dst = append(dst, "\x1b[?25l"...)
	}
	dst = append(dst, "\x1b7"...)
	before := len(dst)
	dst = w.delta.Append(dst, w.next, w.moves())
	if len(dst) == before {
		return dst[:start]
	}
	dst = append(dst, "\x1b8"...)
	if w.cursor {
		dst = append(dst, "\x1b[?25h"...)
	}
	if w.sync {
		dst = append(dst, "\x1b[?2026l"...)
	}
	return dst
}

// moves returns the parts of the screen that show another time on the same scale.
func (w *Wire) moves() []Shift {
	w.shifts = w.shifts[:0]
	for _, p := range w.plots {
		for _, q := range w.sent {
			span := p.End - p.Begin
			if p.ID != q.ID || p.Part != q.Part || span != q.End-q.Begin || p.Begin == q.Begin || span <= 0 {
				continue
			}
			by := math.Round(float64(q.Begin-p.Begin) * float64(p.Part.W) / float64(span))
			if math.Abs(by) < float64(p.Part.W) {
				w.shifts = append(w.shifts, Shift{X: p.Part.X, Y: p.Part.Y, W: p.Part.W, H: p.Part.H, By: int(by)})
			}
		}
	}
	return w.shifts
}

// How Bubble Tea switches the alternate screen on and off.
const altOn, altOff = "\x1b[?1049h", "\x1b[?1049l"

// Write passes on Bubble Tea's output, and sends the picture again if the output cleared the screen.
func (w *Wire) Write(p []byte) (int, error) {
	w.outMu.Lock()
	defer w.outMu.Unlock()
	n, err := w.out.Write(p)
	w.mu.Lock()
	on, off := bytes.LastIndex(p, []byte(altOn)), bytes.LastIndex(p, []byte(altOff))
	if on >= 0 || off >= 0 {
		w.active = on > off
	}
	if on >= 0 || clears(p) {
		w.delta.Forget()
		w.images.forget()
		w.fresh = w.next.W > 0
	}
	w.mu.Unlock()
	w.flush()
	return n, err
}

// clears reports whether output erases a part of the screen.
func clears(p []byte) bool {
	for {
		i := bytes.Index(p, []byte("\x1b["))
		if i < 0 {
			return false
		}
		p = p[i+2:]
		for k, b := range p {
			if b >= '@' && b <= '~' {
				if b == 'J' || b == 'K' {
					return true
				}
				p = p[k+1:]
				break
			}
		}
	}
}

// wireFile is a wire to a terminal that Bubble Tea asks for its size and modes.
type wireFile struct {
	term.File
	wire *Wire
}

func (f wireFile) Write(p []byte) (int, error) { return f.wire.Write(p) }

// Report handles the terminal's answer to a question about one of its modes. A mode that is off can be used.
func (w *Wire) Report(r tea.ModeReportMsg) {
	if r.Mode == ansi.ModeSynchronizedOutput && r.Value == ansi.ModeReset {
		w.mu.Lock()
		w.sync = true
		w.mu.Unlock()
	}
}
