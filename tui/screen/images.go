package screen

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image/png"
	"io"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"pview/render/raster"
)

// Pictures in pixels. At the start, the program asks whether the terminal draws them, by which protocol, and how many
// pixels its cells have. It does not wait for the answers: a terminal that gives none gets cells. tmux passes sixels on
// if built to; for kitty's graphics see tmux.go.

// Graphics is the method of sending pictures to a terminal.
type Graphics uint8

// The methods, from the poorest.
const (
	Cells Graphics = iota // characters
	Sixel
	Kitty
	KittyInTmux
)

// graphicsNames are the user's choices: kitty is for terminals with its graphics.
var graphicsNames = [...]string{"cells", "sixel", "kitty"}

func (g Graphics) String() string {
	if g == KittyInTmux {
		return "kitty in tmux"
	}
	return graphicsNames[g]
}

// kitty reports whether the pictures are kitty's, which have numbers and stay until they are deleted.
func (g Graphics) kitty() bool { return g == Kitty || g == KittyInTmux }

// GraphicsNames returns the user's choices.
func GraphicsNames() []string { return []string{"auto", "kitty", "sixel", "cells"} }

// Pixels describes the pictures of a terminal.
type Pixels struct {
	Out io.Writer // the terminal; may be nil

	wanted       string // "", "auto": as the terminal answers
	found        Graphics
	CellW, CellH int  // pixels; 0: unknown
	answered     bool // the terminal has answered the size of its cells
	tmux         bool // between the program and the terminal
}

// NewPixels returns the initial knowledge: the user's choice, and whether tmux is in between.
func NewPixels(wanted string, env []string) (Pixels, error) {
	if wanted != "" && !slices.Contains(GraphicsNames(), wanted) {
		return Pixels{}, fmt.Errorf("graphics %s: must be one of %s", wanted, strings.Join(GraphicsNames(), ", "))
	}
	return Pixels{wanted: wanted, tmux: lookup(env, "TMUX") != ""}, nil
}

// queryID marks the answer to the question for kitty's graphics.
const queryID = 31

// Ask returns the questions to the terminal: "" if none is needed.
func (p *Pixels) Ask() string {
	if p.wanted == "cells" {
		return ""
	}
	// A picture of one pixel that is not drawn; the size of a cell; the kind of terminal, which every terminal answers.
	picture := fmt.Sprintf("\x1b_Gi=%d,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\", queryID)
	if p.tmux {
		picture = ansi.TmuxPassthrough(picture)
	}
	return picture + "\x1b[16t" + "\x1b[c"
}

// sixelAttribute is the attribute that terminals with sixels name.
const sixelAttribute = 4

// Learn handles an answer; it reports whether the message was one.
func (p *Pixels) Learn(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case uv.KittyGraphicsEvent:
		if msg.Options.ID == queryID && string(msg.Payload) == "OK" {
			p.found = Kitty
		}
	case uv.PrimaryDeviceAttributesEvent:
		if slices.Contains(msg, sixelAttribute) {
			p.found = max(p.found, Sixel)
		}
	case uv.CellSizeEvent:
		if sane(msg.Width, msg.Height) {
			p.CellW, p.CellH, p.answered = msg.Width, msg.Height, true
		}
	default:
		return false
	}
	return true
}

// sane reports whether a cell can have this number of pixels.
func sane(w, h int) bool { return w > 0 && h > 0 && w <= 200 && h <= 200 }

// Measure takes the size of cells from the kernel, unless the terminal has answered: when the terminal's size is known,
// and whenever it changes.
func (p *Pixels) Measure() {
	if w, h := cellSize(p.Out); !p.answered && sane(w, h) {
		p.CellW, p.CellH = w, h
	}
}

// Graphics returns the method of sending pictures: the user's choice, else the terminal's best. It needs the size of
// the cells to fit a picture into them.
func (p *Pixels) Graphics() Graphics {
	if p.CellW == 0 {
		return Cells
	}
	g := p.found
	if i := slices.Index(graphicsNames[:], p.wanted); i >= 0 {
		g = Graphics(i)
	}
	if g == Kitty && p.tmux {
		return KittyInTmux
	}
	return g
}

// Image is a picture in place of cells, which are blank there.
type Image struct {
	ID      int // of the view, above 0
	Part    raster.Rect
	Picture *raster.Pixmap // not changed from now on
	Below   bool           // text lies over it
}

// images are the pictures of a wire.
type images struct {
	by, sentBy Graphics
	next, sent []Image
}

// Images sets the pictures of the next frame.
func (w *Wire) Images(by Graphics, list []Image) {
	w.mu.Lock()
	w.images.by, w.images.next = by, slices.Clone(list)
	w.mu.Unlock()
}

// forget notes that the terminal no longer has any.
func (m *images) forget() { m.sent = nil }

// uncovers reports whether cells that sixels have overwritten become visible.
func (m *images) uncovers() bool {
	return m.sentBy == Sixel && slices.ContainsFunc(m.sent, func(old Image) bool {
		return !slices.ContainsFunc(m.next, func(i Image) bool { return i.Part == old.Part }) || m.by != Sixel
	})
}

// imageChange is the change from the terminal's pictures to others.
type imageChange struct {
	by   Graphics
	drop []int // kitty: to delete
	draw []Image
	move []Image // kitty: the terminal has them, and they move above the text, or below it
}

// take returns the pending changes, and marks them as sent.
func (m *images) take() (c imageChange) {
	c.by = m.by
	for _, old := range m.sent {
		if m.sentBy.kitty() && (m.by != m.sentBy || !slices.ContainsFunc(m.next, func(i Image) bool {
			return i.ID == old.ID
		})) {
			c.drop = append(c.drop, old.ID)
		}
	}
	for _, i := range m.next {
		same := func(old Image) bool { return old.ID == i.ID && old.Part == i.Part && old.Picture.Same(i.Picture) }
		switch at := slices.IndexFunc(m.sent, same); {
		case m.by != m.sentBy || at < 0:
			c.draw = append(c.draw, i)
		case m.by == Kitty && m.sent[at].Below != i.Below:
			c.move = append(c.move, i)
		}
	}
	if m.by == Cells {
		c.draw, m.next = nil, nil
	}
	m.sent, m.sentBy = m.next, m.by
	return c
}

// append adds the bytes to send. The text cursor stays where it is.
func (c *imageChange) append(dst []byte) []byte {
	if len(c.drop) == 0 && len(c.draw) == 0 && len(c.move) == 0 {
		return dst
	}
	dst = append(dst, "\x1b7"...)
	wrap := func(sequence string) string { return sequence }
	if c.by == KittyInTmux {
		wrap = ansi.TmuxPassthrough
	}
	for _, id := range c.drop {
		dst = append(dst, wrap(ansi.KittyGraphics(nil, "a=d", "d=I", fmt.Sprintf("i=%d", id), "q=2"))...)
	}
	for _, i := range c.draw {
		at := ansi.CursorPosition(i.Part.X+1, i.Part.Y+1)
		switch c.by {
		case Kitty:
			dst = appendKitty(append(dst, at...), &i, wrap, "p=1", "C=1", i.layer())
		case KittyInTmux:
			dst = appendKitty(append(dst, at...), &i, wrap, "U=1")
		default:
			dst = appendSixels(dst, &i)
		}
	}
	for _, i := range c.move {
		dst = append(dst, ansi.CursorPosition(i.Part.X+1, i.Part.Y+1)...)
		dst = append(dst, ansi.KittyGraphics(nil, "a=p", fmt.Sprintf("i=%d", i.ID), "q=2",
			fmt.Sprintf("c=%d", i.Part.W), fmt.Sprintf("r=%d", i.Part.H), "p=1", "C=1", i.layer())...)
	}
	return append(dst, "\x1b8"...)
}

// layer is above the blank cells; below them only while some have text: kitty 0.26 leaves traces of old text all over
// the screen while a picture is below.
func (i *Image) layer() string {
	if i.Below {
		return "z=-1"
	}
	return "z=1"
}

// kittyChunk is the maximum amount of data in one sequence.
const kittyChunk = 4096

// appendKitty sends a picture as a PNG with a palette, to be shown in its cells. how says where they are shown, below
// the text or in placeholders; wrap encloses each sequence.
func appendKitty(dst []byte, i *Image, wrap func(string) string, how ...string) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, i.Picture.Paletted); err != nil {
		return dst // from a picture without pixels
	}
	data := base64.StdEncoding.EncodeToString(b.Bytes())
	opts := append([]string{"a=T", "f=100", fmt.Sprintf("i=%d", i.ID), "q=2", fmt.Sprintf("c=%d", i.Part.W),
		fmt.Sprintf("r=%d", i.Part.H)}, how...)
	for len(data) > 0 {
		n := min(len(data), kittyChunk)
		more := "m=0"
		if n < len(data) {
			more = "m=1"
		}
		dst = append(dst, wrap(ansi.KittyGraphics([]byte(data[:n]), append(opts, more)...))...)
		data, opts = data[n:], []string{"q=2"}
	}
	return dst
}
