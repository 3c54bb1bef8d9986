// Package editor is the editor: a form with everything that determines a view's content. The view follows every change
// immediately; P keeps the changes as one undo step, Esc reverts them. It is a dialog over the views.
package editor

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/render/timeline"
	"pview/semantic"
	"pview/tui/dialog"
	"pview/tui/list"
	"pview/tui/pane"
)

// Editor is a form over a view.
type Editor struct {
	sc     *pane.Scene
	view   *timeline.View
	before timeline.Setup // Esc restores it
	fresh  bool           // the view was made for this: Esc closes it
	fields []field
	rows   list.List        // of fields
	inner  dialog.Host      // the picker or prompt that is open for a field
	held   *semantic.Window // what the view showed before it was opened
	sure   bool             // the user did not leave it with Esc
}

// Open opens the editor over a view.
func Open(sc *pane.Scene, v *timeline.View) tea.Cmd { return open(sc, v, false) }

// open opens the editor; fresh: the view was made for it.
func open(sc *pane.Scene, v *timeline.View, fresh bool) tea.Cmd {
	e := &Editor{sc: sc, view: v, before: v.Setup, fresh: fresh}
	e.rows = list.List{Len: func() int { return len(e.fields) },
		Heading: func(i int) bool { return e.fields[i].heading }}
	e.list()
	return sc.Dialogs.Open(e)
}

// shown returns the view; nil if it was closed meanwhile.
func (e *Editor) shown() *timeline.View {
	if slices.Contains(e.sc.Views, e.view) {
		return e.view
	}
	return nil
}

// Fields returns the labels of the lines, headings too.
func (e *Editor) Fields() []string {
	labels := make([]string, len(e.fields))
	for i := range e.fields {
		labels[i] = e.fields[i].label
	}
	return labels
}

// At returns the line that the user is on.
func (e *Editor) At() int { return e.rows.At() }

// field returns that line.
func (e *Editor) field() *field { return &e.fields[e.rows.At()] }

// Inner returns the open picker or prompt of a field; nil for none.
func (e *Editor) Inner() dialog.Dialog { return e.inner.Top() }

// set changes the view's content without an undo step.
func (e *Editor) set(f func(s *semantic.Window)) {
	w := e.shown()
	if w == nil {
		return
	}
	next := w.Sem.Clone()
	f(&next)
	if next.Level != w.Sem.Level {
		w.Objects, w.Top, w.Span = nil, 0, 0
		if next.Level == e.before.Sem.Level {
			w.Objects, w.Top, w.Span = e.before.Objects, e.before.Top, e.before.Span
		}
	}
	w.Sem = next
	w.Paint.Version++
	e.list()
}

func (e *Editor) Key(h *dialog.Host, k tea.KeyPressMsg) tea.Cmd {
	if e.inner.Top() != nil {
		return e.within(h, func(d dialog.Dialog) tea.Cmd { return d.Key(&e.inner, k) })
	}
	switch k.String() {
	case "esc", "ctrl+c", "q":
		h.Close()
		e.cancel()
	case "ctrl+s", "P":
		h.Close()
		e.accept()
	case "up", "k", "ctrl+p", "shift+tab":
		e.rows.By(-1)
	case "down", "j", "ctrl+n", "tab":
		e.rows.By(1)
	case "pgup":
		e.rows.By(-8)
	case "pgdown":
		e.rows.By(8)
	case "home", "g":
		e.rows.By(-len(e.fields))
	case "end", "G":
		e.rows.By(len(e.fields))
	case "left", "h":
		e.step(-1)
	case "right", "l":
		e.step(1)
	case "space", "e", "enter":
		return e.field().edit(e)
	}
	return nil
}

func (e *Editor) step(by int) {
	if f := e.field(); f.step != nil {
		f.step(e, by)
	}
}

// accept keeps the changes as one step.
func (e *Editor) accept() {
	w := e.shown()
	if w == nil || e.fresh {
		return
	}
	next := w.Setup
	w.Setup = e.before
	e.sc.Do(pane.Change{View: w, Do: func(s *timeline.Setup) { *s = next }})
}

// cancel reverts the changes.
func (e *Editor) cancel() {
	w := e.shown()
	switch {
	case w == nil:
	case e.fresh:
		e.sc.Do(pane.CloseView{View: w})
	case !w.Setup.Equal(&e.before):
		w.Setup = e.before
		w.Paint.Version++
		e.sc.Say("changes discarded: " + e.sc.KeysOf("edit") + " in the editor keeps changes")
	}
}

func (e *Editor) Paste(h *dialog.Host, text string) tea.Cmd {
	if e.inner.Top() == nil {
		return nil
	}
	return e.within(h, func(d dialog.Dialog) tea.Cmd { return d.Paste(&e.inner, text) })
}

func (e *Editor) Mouse(h *dialog.Host, msg tea.MouseMsg) tea.Cmd {
	if e.inner.Top() != nil {
		return e.within(h, func(d dialog.Dialog) tea.Cmd { return d.Mouse(&e.inner, msg) })
	}
	switch ev := msg.(type) {
	case tea.MouseWheelMsg:
		if ev.Button == tea.MouseWheelUp {
			e.rows.By(-1)
		} else if ev.Button == tea.MouseWheelDown {
			e.rows.By(1)
		}
	case tea.MouseClickMsg:
		if _, same := e.rows.Click(ev.X, ev.Y); same {
			return e.field().edit(e)
		}
	}
	return nil
}
