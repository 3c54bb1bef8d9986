// Package notes is the Notes pane: the user's notes and actions. A note is a text at a time and an object; the pane
// lists those of the trace in focus by time, the timelines show where they are, and a session keeps them. Other pages
// are the history of the window in focus, and problems.
package notes

import (
	"fmt"
	"slices"
	"sort"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/render/raster"
	"pview/render/timeline"
	"pview/tui/list"
	"pview/tui/pane"
	"pview/tui/pane/document"
)

// Title is the pane's name.
const Title = "Notes"

// The pages.
const (
	pageNotes = iota
	pageHistory
	pageProblems
)

// Pane is the list of notes, and the other pages.
type Pane struct {
	pane.None
	sc    *pane.Scene
	notes map[*timeline.Trace][]note // by time
	pages list.Pages

	rows     list.List // notes
	steps    list.List // of the history
	problems *document.View
}

// note is a text at a place of a trace.
type note struct {
	time   int64 // in the trace's unit
	level  prv.Level
	object int // 0-based, of that level
	text   string
}

// New returns the pane.
func New(sc *pane.Scene) *Pane {
	p := &Pane{sc: sc, notes: map[*timeline.Trace][]note{}, problems: document.New(sc),
		pages: list.Pages{Names: []string{Title, "History", "Problems"}}}
	p.rows = list.List{Len: func() int { return len(p.list()) }, Text: p.textOf}
	p.steps = list.List{Len: func() int { return len(p.history()) }, Text: func(i int) string {
		what, when := p.step(p.history(), i)
		return what + " " + when
	}}
	return p
}

func (p *Pane) Title() string { return Title }

// Height returns a third of the room; the page of problems, which is text, gets most of it.
func (p *Pane) Height(room int) int {
	if p.pages.At == pageProblems {
		return pane.Tall(room)
	}
	return pane.Third(room)
}

// PageNames returns the pages.
func (p *Pane) PageNames() []string { return p.pages.Names }

// Page returns the position of the page that is shown.
func (p *Pane) Page() int { return p.pages.At }

// Sync updates the page of problems while it is shown.
func (p *Pane) Sync() tea.Cmd {
	if p.sc.Open == p && p.pages.At == pageProblems {
		p.problems.Show(p.wrong())
	}
	return nil
}

// Update forgets the notes of closed traces.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	if e, ok := msg.(pane.TraceClosed); ok {
		delete(p.notes, e.Trace)
	}
	return nil
}

// list returns the notes of the trace in focus.
func (p *Pane) list() []note {
	if p.sc.View == nil {
		return nil
	}
	return p.notes[p.sc.View.Trace]
}

// textOf returns a note as one text.
func (p *Pane) textOf(i int) string {
	n := &p.list()[i]
	return p.place(n) + " " + n.text
}

// here returns a note without text at the cursor of a view.
func here(v *timeline.View) note {
	return note{time: v.Cursor, level: v.Sem.Level, object: v.Object(v.CursorRow)}
}

// samePlace reports whether two notes are at the same time and object.
func (n *note) samePlace(o *note) bool {
	return n.time == o.time && n.level == o.level && n.object == o.object
}

// put adds a note to a trace, or replaces the one at its place, and returns its position.
func (p *Pane) put(t *timeline.Trace, n note) int {
	all := p.notes[t]
	i := slices.IndexFunc(all, func(o note) bool { return o.samePlace(&n) })
	if i >= 0 {
		all[i] = n
	} else {
		i = sort.Search(len(all), func(i int) bool { return all[i].time > n.time })
		p.notes[t] = slices.Insert(all, i, n)
	}
	return i
}

// row returns the row of a note in a view: that of its object, or of the object of the view's level that contains it or
// is its first part; -1 if it is not in view.
func (n *note) row(v *timeline.View) int {
	tr, object := v.Trace.Data, n.object
	if level := v.Sem.Level; level != n.level {
		threads := tr.ThreadsOf(n.level, object)
		if len(threads) == 0 {
			return -1
		}
		object = tr.ObjectOf(level, threads[0], tr.Threads[threads[0]].CPU)
	}
	if object < 0 {
		return -1
	}
	return v.RowOf(tr, object)
}

// goTo puts the cursor on a note.
func (p *Pane) goTo(i int) tea.Cmd {
	v, n := p.sc.View, &p.list()[i]
	p.rows.Choose(i)
	row := n.row(v)
	if row < 0 {
		row = v.CursorRow
		p.sc.Say(fmt.Sprintf("%s is not a row of this window", v.Trace.Data.Name(n.level, n.object)))
	} else {
		p.sc.Say(n.text)
	}
	p.sc.Do(pane.GoTo{View: v, Time: n.time, Row: row})
	return nil
}

// next returns the position of the note before or after the cursor; by is -1 or 1. If the cursor is on a note, it
// continues in the list, so that it reaches all notes at one time.
func (p *Pane) next(by int) (int, bool) {
	v, list := p.sc.View, p.list()
	i := p.rows.At()
	switch {
	case i >= 0 && list[i].time == v.Cursor && max(list[i].row(v), 0) == v.CursorRow:
		i += by
	case by > 0:
		i = sort.Search(len(list), func(i int) bool { return list[i].time > v.Cursor })
	default:
		i = sort.Search(len(list), func(i int) bool { return list[i].time >= v.Cursor }) - 1
	}
	return i, i >= 0 && i < len(list)
}

// Light marks the notes in a timeline.
func (p *Pane) Light(v *timeline.View, plot raster.Canvas, cu *raster.Cursors) {
	for i := range p.notes[v.Trace] {
		n := &p.notes[v.Trace][i]
		if row := n.row(v); row >= 0 {
			cu.Point(plot, n.time, row)
		}
	}
}
