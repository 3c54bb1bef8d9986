package windows

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/render/raster"
	"pview/render/timeline"
	"pview/semantic/nearby"
	"pview/tui/notation"
	"pview/tui/pane"
	"pview/tui/search"
)

// Searching for records, in the background: a trace may have hundreds of millions.
//
// A record's position is its time and its row; positions are ordered by time, then by row. Each thread is searched from
// the position to the best match in the threads before it, so that a near match ends the search early.

// find searches for the query from the cursor.
func (n *Navigator) find(forward bool) tea.Cmd {
	n.CursorBack()
	w := n.Focused()
	if n.searching != 0 {
		n.stop()
	}
	var ctx context.Context
	ctx, n.stop = context.WithCancel(n.sc.Context)
	n.searching = n.sc.NextGen()
	s := search.Search{
		Context: ctx, Trace: w.Trace.Data, Level: w.Sem.Level, Rows: w.RowsByObject(), Query: n.Query,
		From: search.Position{Time: w.Cursor, Row: int32(w.CursorRow)}, Forward: forward,
		// a record at the very start is a match, too
		Inclusive: forward && w.Cursor == 0 && w.CursorRow == 0,
	}
	gen, id, sem, stop := n.searching, w.ID, w.Sem, n.stop
	return func() tea.Msg {
		defer stop()
		s.Pass = nearby.FilterOf(s.Trace, &sem)
		at, r, ok := s.Run()
		ok = ok && ctx.Err() == nil
		return pane.Result(func() tea.Cmd {
			if n.searching == gen {
				n.searching = 0
				n.found(n.WindowByID(id), s.Trace, at, r, ok, forward)
			}
			return nil
		})
	}
}

// found goes to a record that was found in tr, of which the viewer may have a later revision by now.
func (n *Navigator) found(w *timeline.View, tr *prv.Trace, at search.Position, r nearby.Record, ok, forward bool) {
	switch {
	case w == nil || n.Query == nil || !timeline.SameObjects(w.Trace.Data, tr):
	case ok:
		n.GoTo(w, at.Time, int(at.Row))
		n.sc.Say(n.Describe(tr, r) + " at " + raster.FormatTime(at.Time, tr.Unit, 1))
	case forward:
		n.sc.Say(fmt.Sprintf("no %s after the cursor", n.Query.Text))
	default:
		n.sc.Say(fmt.Sprintf("no %s before the cursor", n.Query.Text))
	}
}

// Busy reports whether a search runs.
func (n *Navigator) Busy() bool { return n.searching != 0 }

// Cancel stops the search; it reports whether there was one.
func (n *Navigator) Cancel() bool {
	if n.searching == 0 {
		return false
	}
	n.stop()
	n.searching = 0
	n.sc.Say("the search was stopped")
	return true
}

// lookFor starts a search for a text: criteria, or a label.
func (n *Navigator) lookFor(text string, forward bool) tea.Cmd {
	q, err := notation.ParseQuery(text, n.Focused().Trace.Data.Labels)
	if err != nil {
		return n.sc.Refuse(err)
	}
	n.Query = q
	return n.find(forward)
}

// stepBurst moves the cursor to the start of its row's next burst, or of the previous one.
func (n *Navigator) stepBurst(forward bool) {
	n.CursorBack()
	w := n.Focused()
	s := w.SeriesOf(w.CursorRow)
	if s == nil {
		return
	}
	i, ok := s.Next(w.Cursor)
	if !forward {
		i, ok = s.Prev(w.Cursor)
	}
	if !ok {
		n.sc.Say("no more bursts in this row")
		return
	}
	begin, _, _ := s.Burst(i)
	n.GoTo(w, begin, w.CursorRow)
}
