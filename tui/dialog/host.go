package dialog

import (
	tea "charm.land/bubbletea/v2"

	"pview/render/raster"
	"pview/render/style"
)

// Dialogs stand over the screen and take the keys while they are open: prompts, pickers, pages of text. One is open at
// a time; whoever opens it hands over functions that are called with what was chosen, after it was closed.

// A Dialog takes keys, paste and mouse while it is open. It closes itself at its host, or opens another one there.
type Dialog interface {
	Key(h *Host, k tea.KeyPressMsg) tea.Cmd
	Paste(h *Host, text string) tea.Cmd
	Mouse(h *Host, msg tea.MouseMsg) tea.Cmd
	// Draw paints it on the screen and returns where the text cursor stands; nil for none.
	Draw(h *Host, screen raster.Canvas) *tea.Position
}

// Host has the screen and the dialog that is open.
type Host struct {
	W, H  int
	Theme *style.Theme
	open  Dialog
}

// A box needs more than this for a line of its contents.
const (
	boxWidth  = 16
	boxHeight = 8
)

// Brief is a dialog with a box.
type Brief interface {
	// Brief is what it says on a screen without room for the box: lines, the most important first.
	Brief(h *Host) []string
}

// Small reports whether the screen has no room for boxes.
func (h *Host) Small() bool { return h.W < boxWidth || h.H < boxHeight }

// Draw paints what is open, and returns where the text cursor stands; nil for nowhere.
func (h *Host) Draw(screen raster.Canvas) *tea.Position {
	b, ok := h.open.(Brief)
	switch {
	case h.open == nil:
		return nil
	case !ok || !h.Small():
		return h.open.Draw(h, screen)
	}
	screen.Fill(raster.Cell{Rune: ' ', Style: h.Theme.Popup})
	for y, line := range b.Brief(h) {
		if screen.W > 2 { // a mark for what is left out would leave nothing
			line = h.Theme.Cut(line, screen.W)
		}
		screen.Text(0, y, line, h.Theme.Popup)
	}
	return nil
}

// Mouse gives a dialog the mouse, unless its box is not where the dialog thinks.
func (h *Host) Mouse(msg tea.MouseMsg) tea.Cmd {
	if _, ok := h.open.(Brief); ok && h.Small() {
		return nil
	}
	return h.open.Mouse(h, msg)
}

// Open shows a dialog in the place of the one that is open.
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

// Update gives a message to a dialog that has asked for something.
func (h *Host) Update(msg tea.Msg) tea.Cmd {
	if d, ok := h.open.(interface{ Update(tea.Msg) tea.Cmd }); ok {
		return d.Update(msg)
	}
	return nil
}

// Close closes what is open.
func (h *Host) Close() { h.open = nil }

// Top is the dialog that is open; nil for none.
func (h *Host) Top() Dialog { return h.open }

// Stale says that something has happened that may have changed the text of an open pager.
func (h *Host) Stale() {
	if p, ok := h.open.(*Pager); ok {
		p.laid.fresh = false
	}
}

// Refill lists the items of an open picker anew.
func (h *Host) Refill() {
	if p, ok := h.open.(*Picker); ok && p.Fill != nil {
		at := p.At
		p.Items = p.Fill()
		p.narrow()
		p.Move(at)
	}
}
