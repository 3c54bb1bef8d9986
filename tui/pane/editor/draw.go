package editor

import (
	tea "charm.land/bubbletea/v2"

	"pview/render/raster"
	"pview/render/style"
	"pview/tui/dialog"
	"pview/tui/list"
)

// How the form is drawn, over the lower half of the screen.

// box returns the place of the form: at the bottom, so that the window is visible.
func (e *Editor) box(w, h int) raster.Rect {
	bh := min(max(h/2, 10), len(e.fields)+4, h-1)
	return raster.Rect{X: 0, Y: h - bh, W: w, H: bh}
}

func (e *Editor) Draw(h *dialog.Host, screen raster.Canvas) *tea.Position {
	th := h.Theme
	r := e.box(screen.W, screen.H)
	box := screen.Sub(r.X, r.Y, r.W, r.H)
	box.Fill(raster.Cell{Rune: ' ', Style: th.Popup})
	box.Box(th.Glyphs, th.Border)
	title := th.Cut(" Edit: "+e.view.Title()+" ", box.W-4)
	box.Text(2, 0, title, th.PopupTitle)
	body := box.Sub(1, 1, box.W-2, box.H-4)
	look := list.Look{Pane: screen, Theme: th, Popup: true}
	e.rows.Draw(look, body, func(c raster.Canvas, i int, st, dim raster.Style) { e.drawField(th, c, i, st, dim) })
	f := e.field()
	box.TextIn(2, box.H-3, box.W-4, th.Cut(f.doc, box.W-4), th.PopupDim, false)
	x := 2
	for _, k := range [][2]string{{"↑↓", "field"}, {"←→", "next value"}, {"Enter", "choose"}, {"P", "keep"},
		{"Esc", "as it was"}} {
		x = box.Text(x, box.H-2, th.ASCII(k[0]), th.PopupKey)
		x = box.Text(x+1, box.H-2, k[1], th.PopupDim) + 2
	}
	if d := e.inner.Top(); d != nil {
		e.inner.W, e.inner.H, e.inner.Theme = h.W, h.H, h.Theme
		return d.Draw(&e.inner, screen)
	}
	return nil
}

// Brief returns the field at the cursor, or what is open to change it.
func (e *Editor) Brief(h *dialog.Host) []string {
	e.inner.W, e.inner.H, e.inner.Theme = h.W, h.H, h.Theme
	switch d := e.inner.Top().(type) {
	case dialog.Brief:
		return d.Brief(&e.inner)
	case *dialog.Prompt:
		return []string{d.Label + d.Input.String()}
	}
	f := e.field()
	return []string{f.label, f.text}
}

const editLabel = 22 // columns of the labels of the form

func (e *Editor) drawField(th *style.Theme, c raster.Canvas, i int, st, dim raster.Style) {
	f := &e.fields[i]
	if f.heading {
		c.Text(1, 0, f.label, th.PopupTitle)
		return
	}
	c.TextIn(3, 0, editLabel, th.Cut(f.label, editLabel), dim, false)
	text := f.text
	if i == e.rows.At() && f.step != nil {
		text = th.ASCII("◀ ") + text + th.ASCII(" ▶")
	}
	c.TextIn(editLabel+4, 0, c.W-editLabel-6, th.Cut(text, c.W-editLabel-6), st, false)
}
