package dialog

import (
	tea "charm.land/bubbletea/v2"

	"pview/render/raster"
	"pview/render/style"
)

// Dialogs cover the screen and take the keys while they are open: prompts, pickers, pages of text. One is open at a
// time. Its opener provides functions that are called with the choice after the dialog has closed.

// A Dialog takes keys, paste and mouse while it is open. It closes itself at its host, or opens another one there.
type Dialog interface {
	Key(h *Host, k tea.KeyPressMsg) tea.Cmd
	Paste(h *Host, text string) tea.Cmd
	Mouse(h *Host, msg tea.MouseMsg) tea.Cmd
	// Draw paints it on the screen and returns the place of the text cursor; nil for none.
	Draw(h *Host, screen raster.Canvas) *tea.Position
}

// Host has the screen and the open dialog.
type Host struct {
	W, H  int
	Theme *style.Theme
	open  Dialog
	// answered is the prompt whose text is being carried out, see Refuse.
	answered *Prompt
}

// The minimum size of a box: it needs more than this for a line of its contents.
const (
	boxWidth  = 16
	boxHeight = 8
)

// Brief is a dialog with a box.
type Brief interface {
	// Brief returns its text for a screen too small for the box: lines, the most important first.
	Brief(h *Host) []string
}

// small reports whether the screen has no room for boxes.
func (h *Host) small() bool { return h.W < boxWidth || h.H < boxHeight }

// Draw paints the open dialog, and returns the place of the text cursor; nil for none.
func (h *Host) Draw(screen raster.Canvas) *tea.Position {
	b, ok := h.open.(Brief)
	switch {
	case h.open == nil:
		return nil
	case !ok || !h.small():
		return h.open.Draw(h, screen)
	}
	screen.Fill(raster.Cell{Rune: ' ', Style: h.Theme.Popup})
	for y, line := range b.Brief(h) {
		if screen.W > 2 { // a cut mark would leave no text
			line = h.Theme.Cut(line, screen.W)
		}
		screen.Text(0, y, line, h.Theme.Popup)
	}
	return nil
}

// Mouse gives the open dialog the mouse, unless the screen is too small for its box.
func (h *Host) Mouse(msg tea.MouseMsg) tea.Cmd {
	if _, ok := h.open.(Brief); ok && h.small() {
		return nil
	}
	return h.open.Mouse(h, msg)
}

// Open shows a dialog instead of the open one.
func (h *Host) Open(d Dialog) tea.Cmd {
	h.open = d
	if o, ok := d.(interface{ opened() }); ok {
		o.opened()
	}
	if b, ok := d.(interface{ begin() tea.Cmd }); ok {
		return b.begin()
	}
	return nil
}

// Update gives a message to the open dialog.
func (h *Host) Update(msg tea.Msg) tea.Cmd {
	if d, ok := h.open.(interface{ Update(tea.Msg) tea.Cmd }); ok {
		return d.Update(msg)
	}
	return nil
}

// Refuse reopens the prompt that was answered last, with its text, if no other dialog is open. The error is shown below
// the text and marks the part that it quotes.
func (h *Host) Refuse(err error) {
	if p := h.answered; p != nil && h.open == nil {
		p.wrong = err
		h.open = p
	}
}

// Settle ends carrying out the text of a prompt: later errors do not concern the text.
func (h *Host) Settle() { h.answered = nil }

// Close closes the open dialog.
func (h *Host) Close() { h.open = nil }

// Top returns the open dialog; nil for none.
func (h *Host) Top() Dialog { return h.open }

// Stale makes an open pager lay out its text again, which may have changed.
func (h *Host) Stale() {
	if p, ok := h.open.(*Pager); ok {
		p.laid.fresh = false
	}
}

// Refill reloads the open picker's items.
func (h *Host) Refill() {
	if p, ok := h.open.(*Picker); ok && p.Fill != nil {
		at := p.rows.At()
		p.Items = p.Fill()
		p.narrow()
		p.Move(at)
	}
}
