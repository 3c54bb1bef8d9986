package tui

import (
	"bytes"
	"io"
	"sync"
	"time"

	"github.com/charmbracelet/x/term"

	"pview/tui/raster"
	"pview/tui/timeline"
)

// wire is the way from the program to the terminal.
//
// Bubble Tea's renderer sends cells that differ; it does not know that a picture
// that is panned only moves, and takes 30 KB for what 2 KB can say. So it is left
// what it is good at (the modes of the terminal, the text cursor, suspending and
// restoring), is given a blank screen to render, and the pictures go past it,
// through raster.Delta. Both write through the wire, one at a time. The pictures
// leave the cursor where it was; when the renderer clears the screen, which it does
// at the start, after a resize and after a suspension, the wire sends its picture
// again.
//
// Pictures are sent by a goroutine of their own: a terminal that is slow makes
// pictures fewer, not the program wait.
type wire struct {
	out   io.Writer
	outMu sync.Mutex // held while writing

	mu      sync.Mutex // guards the rest; not held while writing
	delta   raster.Delta
	next    raster.Canvas
	plots   []plot // in next
	sent    []plot // in the picture sent last
	fresh   bool   // next was not sent yet
	active  bool   // the alternate screen is on
	cursor  bool   // the text cursor is shown
	sync    bool   // the terminal shows what comes between two marks at once
	shifts  []raster.Shift
	buf     []byte
	wake    chan struct{}
	closing chan struct{}
}

// plot is a part of the screen that shows an interval of time: when that moves,
// the part moves.
type plot struct {
	id         int
	part       raster.Rect
	begin, end int64
}

const framePause = time.Second / 60

// newWire returns a wire to a terminal of a kind. Pictures need send to run.
func newWire(out io.Writer, termName string) *wire {
	w := &wire{out: out, wake: make(chan struct{}, 1), closing: make(chan struct{})}
	w.delta.Erase = terminalErases(termName)
	return w
}

// terminalErases reports whether erased cells take the background colour: all but
// GNU screen do so.
func terminalErases(name string) bool { return len(name) < 6 || name[:6] != "screen" }

// close ends sending.
func (w *wire) close() { close(w.closing) }

// show makes c the picture to be seen.
func (w *wire) show(c raster.Canvas, p raster.Profile, plots []plot, cursor bool) {
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

// send sends pictures, at most 60 in a second.
func (w *wire) send() {
	for {
		select {
		case <-w.wake:
		case <-w.closing:
			return
		}
		w.outMu.Lock()
		w.flush()
		w.outMu.Unlock()
		time.Sleep(framePause)
	}
}

// flush sends the picture if it is new. outMu is held.
func (w *wire) flush() {
	w.mu.Lock()
	if !w.active || !w.fresh {
		w.mu.Unlock()
		return
	}
	w.fresh = false
	w.buf = w.frame(w.buf[:0])
	w.sent = append(w.sent[:0], w.plots...)
	w.mu.Unlock()
	if len(w.buf) > 0 {
		w.out.Write(w.buf) // an error here comes again in Bubble Tea's writes, which report it
	}
}

// frame appends what shows the picture, with the cursor left alone.
func (w *wire) frame(dst []byte) []byte {
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

// moves returns the parts of the screen that show other times than before, in the
// same measure.
func (w *wire) moves() []raster.Shift {
	w.shifts = w.shifts[:0]
	for _, p := range w.plots {
		for _, q := range w.sent {
			span := p.end - p.begin
			if p.id != q.id || p.part != q.part || span != q.end-q.begin || p.begin == q.begin || span <= 0 {
				continue
			}
			by := timeline.RoundInt(float64(q.begin-p.begin) * float64(p.part.W) / float64(span))
			if max(by, -by) < int64(p.part.W) {
				w.shifts = append(w.shifts, raster.Shift{X: p.part.X, Y: p.part.Y, W: p.part.W, H: p.part.H, By: int(by)})
			}
		}
	}
	return w.shifts
}

// Write passes on what Bubble Tea sends, and sends the picture again when that
// cleared the screen.
func (w *wire) Write(p []byte) (int, error) {
	w.outMu.Lock()
	defer w.outMu.Unlock()
	n, err := w.out.Write(p)
	w.mu.Lock()
	on, off := bytes.LastIndex(p, []byte("\x1b[?1049h")), bytes.LastIndex(p, []byte("\x1b[?1049l"))
	if on >= 0 || off >= 0 {
		w.active = on > off
	}
	if on >= 0 || clears(p) {
		w.delta.Forget()
		w.fresh = w.next.W > 0
	}
	w.mu.Unlock()
	w.flush()
	return n, err
}

// clears reports whether what is written erases a part of the screen.
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

// wireFile is a wire to a terminal: Bubble Tea asks it for its size and modes.
type wireFile struct {
	term.File
	wire *wire
}

func (f wireFile) Write(p []byte) (int, error) { return f.wire.Write(p) }

// synchronized tells that the terminal knows synchronized output.
func (w *wire) synchronized() {
	w.mu.Lock()
	w.sync = true
	w.mu.Unlock()
}
