package dialog

import (
	tea "charm.land/bubbletea/v2"

	"pview/tui/raster"
	"pview/tui/style"
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
