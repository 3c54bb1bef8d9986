package editor

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/semantic"
	"pview/tui/dialog"
)

// The open dialog of a field: a picker, whose choice the view shows immediately, or a prompt.

// open opens a picker or prompt for a field, within the form.
func (e *Editor) open(d dialog.Dialog) tea.Cmd {
	held := e.view.Sem.Clone()
	e.held, e.sure = &held, false
	return e.inner.Open(d)
}

// pick lets the user choose; the view shows the item at the cursor immediately.
func (e *Editor) pick(title string, items []dialog.Item, at int, set func(it *dialog.Item)) tea.Cmd {
	p := &dialog.Picker{Title: title, Items: items,
		Keys: []dialog.Key{{Press: "enter", Word: "take", Run: func(_ *dialog.Picker, it *dialog.Item) tea.Cmd {
			e.sure = true
			set(it)
			return nil
		}}}}
	p.Preview = func(it *dialog.Item) {
		if it != nil {
			set(it)
		}
	}
	cmd := e.open(p)
	p.Choose(max(at, 0))
	return cmd
}

// ask lets the user type; a wrong text stays in the prompt, with the error below it.
func (e *Editor) ask(label, text string, accept func(text string) error) tea.Cmd {
	p := &dialog.Prompt{Label: label, Input: dialog.NewInput(text)}
	p.Input.Select()
	p.Accept = func(text string) tea.Cmd {
		if err := accept(strings.TrimSpace(text)); err != nil {
			e.inner.Refuse(err)
			return nil
		}
		e.sure = true
		return nil
	}
	return e.open(p)
}

// within passes something to the open dialog of a field, and notices when it closes.
func (e *Editor) within(h *dialog.Host, f func(d dialog.Dialog) tea.Cmd) tea.Cmd {
	e.inner.W, e.inner.H, e.inner.Theme = h.W, h.H, h.Theme
	cmd := f(e.inner.Top())
	if e.inner.Top() == nil {
		if !e.sure { // left with Esc: revert
			held := e.held
			e.set(func(s *semantic.Window) { *s = held.Clone() })
		}
	} else if p, ok := e.inner.Top().(*dialog.Picker); ok && p.Preview != nil {
		p.Preview(p.Chosen())
	}
	return cmd
}
